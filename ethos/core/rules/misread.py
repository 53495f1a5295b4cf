"""Misread words: matches in which a pattern takes a noun for a verb, or a verb for the beginning of a noun phrase. They make no claim."""

from __future__ import annotations

from ethos.core.rules.compiled import Pattern
from ethos.core.rules.time_limits import Match
from ethos.core.text.language.coordination import begins_with_verb
from ethos.core.text.language.pronouns import AGENT
from ethos.core.text.language.tagging import possible_tags, tag


def is_misread(pattern: Pattern, sentence: str, written: str, match: Match) -> bool:
    """Return whether a pattern took a noun for a verb, or a verb for the beginning of a noun phrase. written: the sentence as written."""
    groups, kind = match.re.groupindex, pattern.rule.kind
    if "verb" in groups and "object" in groups and _is_no_verb(sentence, written, match):
        return True  # "my daughter | Ines | goes to nursery"
    if "verb" in groups and "subject" in groups and _stands_behind_verb(sentence, match.span("verb")):
        return True  # "Dana cooks | dinner on | Fridays"
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


def _stands_behind_verb(sentence: str, verb: tuple[int, int]) -> bool:
    """Return whether what a pattern takes for a verb begins with a noun, and a verb stands before that. verb: its span, or (-1, -1)."""
    first = sentence[verb[0] : verb[1]].split()[:1] if verb[0] > 0 else []
    if not first or not _VERBAL.isdisjoint(possible_tags(first[0])):
        return False
    tagged = tag(sentence)
    at = next((at for at, (start, end) in enumerate(tagged.spans()) if start <= verb[0] + 1 < end), 0)
    return at > 1 and tagged.tags[at - 1] == "z"


_VERBAL = frozenset("VzdngBHbYOX")
