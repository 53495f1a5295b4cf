"""Misread words: matches in which a pattern takes a noun for a verb, or a verb for the beginning of a noun phrase. They make no claim."""

from __future__ import annotations

from ethos.core.rules.compiled import Pattern
from ethos.core.rules.time_limits import Match
from ethos.core.text.language.coordination import begins_with_verb
from ethos.core.text.language.pronouns import AGENT


def is_misread(pattern: Pattern, sentence: str, written: str, match: Match) -> bool:
    """Return whether a pattern took a noun for a verb, or a verb for the beginning of a noun phrase. written: the sentence as written."""
    groups, kind = match.re.groupindex, pattern.rule.kind
    if "verb" in groups and "object" in groups and _is_no_verb(sentence, written, match):
        return True  # "my daughter | Ines | goes to nursery"
    if "verb" in groups and pattern.fixed.get("subject") == AGENT and begins_with_verb(sentence, match.span("verb")[0], "z"):
        return True  # "a slot never takes 14 people" is no order
    if "subject" in groups and begins_with_verb(sentence, match.span("subject")[0]):
        return True
    if "subject" in groups and kind == "fact" and sentence.startswith("keep ", match.span("subject")[0]):
        return True  # "keep functions under 60 lines"
    stated = kind == "decision" or "verb" in groups  # "the linter we chose is Biome", "the bank I use is bunq"
    return stated and "object" in groups and begins_with_verb(sentence, match.span("object")[0], "B")


def _is_no_verb(sentence: str, written: str, match: Match) -> bool:
    """Return whether what a pattern takes for a verb in "-s" is a name: it has a capital, and the verb stands behind it."""
    verb, thing = match.span("verb")[0], match.span("object")[0]
    if verb < 1 or not sentence[verb:thing].rstrip().endswith("s"):
        return False
    named = written[verb:].partition(" ")[0].istitle() and written[thing].islower()
    return named or begins_with_verb(sentence, thing, "zBHO")
