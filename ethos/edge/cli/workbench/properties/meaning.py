"""Properties of meaning: the text around a sentence affects its reading as it should, and not otherwise."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from ethos.core.model.records import Claim, Origin
from ethos.core.rules.matcher import LEAST_ORIGIN
from ethos.core.text.sentences import fold, mask
from ethos.edge.cli.workbench.properties.case import HOLDS, Case, Wrong, differ, effect_of, first_rule, moved, shown
from ethos.edge.cli.workbench.sets import ROLES

DOUBT = "If not, who said so?"  # a sentence with triggers of most categories

_PRIVATE_END = re.compile("</private>", re.IGNORECASE)

_STOPS = re.compile(r"[^\w ']|\b(?:but|and|because|so|although|though|however|which|until|anymore|instead)\b")

_FENCES = str.maketrans("", "", "`~")

_CURLY = str.maketrans({"'": "\u2019", '"': "\u201c"})


def masking(case: Case) -> Wrong | None:
    """Check that fenced, quoted, private or attributed text gives no claims (property 7)."""
    bare = case.text.translate(_FENCES)
    wrapped = {
        "in a fence": f"```\n{bare}\n```",
        "in a fence of tildes": f"~~~ text\n{bare}\n~~~",
        "in quoted lines": "\n".join("> " + line for line in case.text.split("\n")),
        "in a private part": f"<private>{_PRIVATE_END.sub('', case.text)}</private>",
    }
    for where, text in wrapped.items():
        found = [claim for claim in case.read(text) if "fence" not in where or not case.set[claim.rule].inside]
        if found:
            return Wrong(f"{where}: {shown(found)}", found[0].rule)
    return _not_said(case)


def _not_said(case: Case) -> Wrong | None:
    """Check that quoted or external text gives no claims of the speaker."""
    quote = f'"{case.text}"'
    low = mask(fold(quote))  # a private part becomes line breaks, and a quotation ends with its line
    if "\n" not in low and '"' not in case.low and low.endswith('"'):
        for claim in case.read(quote):
            if claim.start > 0 and effect_of(case.set[claim.rule], "quote", "drop") == "drop":
                return Wrong(f"in quotation marks: {shown([claim])}", claim.rule)
    for role in ROLES:
        for claim in case.set.claims(case.text, role):
            if role not in case.set[claim.rule].roles:
                return Wrong(f"said by {role}, and the rule does not listen to that role", claim.rule)
    for origin in Origin:
        if origin < LEAST_ORIGIN[case.role] and (found := case.read(case.text, origin=origin)):
            return Wrong(f"from {origin.name}, which is trusted less than {case.role} should be: {shown(found)}", found[0].rule)
    return HOLDS


def monotone(case: Case) -> Wrong | None:
    """Check that added paragraphs or sentences remove no claim (property 8)."""
    for other in case.beside:
        before, after = f"{other}\n\n{case.text}", f"{case.text}\n\n{other}"
        lost = set(case.claims) - set(case.read(after))
        if lost:
            return Wrong(f"lost before the paragraph {other!r}: {shown(lost)}", first_rule(lost))
        lost = moved(case.claims, len(other) + 2) - set(case.read(before))
        if lost:
            return Wrong(f"lost after the paragraph {other!r}: {shown(lost)}", first_rule(lost))
    return _monotone_in_line(case)


def _monotone_in_line(case: Case) -> Wrong | None:
    """Check that other sentences of the same line change nothing."""
    if case.text[:1].isalpha():
        lost = moved(case.claims, len(DOUBT) + 1) - set(case.read(f"{DOUBT} {case.text}"))
        if lost:
            return Wrong(f"lost after the sentence {DOUBT!r}: {shown(lost)}", first_rule(lost))
    ended = case.text.rstrip() + "!"
    if mask(fold(ended)).endswith("!") and not case.open:
        lost = set(case.read(ended)) - set(case.read(f"{ended} {DOUBT}"))
        if lost:
            return Wrong(f"lost before the sentence {DOUBT!r}: {shown(lost)}", first_rule(lost))
    return HOLDS


def locality(case: Case) -> Wrong | None:
    """Check that paragraphs are read independently (property 9)."""
    if case.open:
        return HOLDS
    for other in case.beside:
        apart = set(case.claims) | moved(case.read(other), len(case.text) + 2)
        if wrong := differ(apart, case.read(f"{case.text}\n\n{other}"), f"with the paragraph {other!r} after it"):
            return wrong
    apart, shift = set(), 0
    for paragraph in case.text.split("\n\n"):
        apart |= moved(case.read(paragraph), shift)
        shift += len(paragraph) + 2
    return differ(apart, case.claims, "paragraph by paragraph")


def bounds(case: Case) -> Wrong | None:
    """Check that confidence lies in 0..1, that a hedge never raises it, and that a denial never keeps the polarity (property 10)."""
    for claim in case.claims:
        most = case.set[claim.rule].confidence
        if not 0.0 <= claim.confidence <= 1.0 or claim.confidence > most + 1e-6:
            return Wrong(f"a confidence of {claim.confidence:g}, of at most {most:g}", claim.rule)
    plain = [claim for claim in case.claims if not claim.modifiers]
    if not plain or not case.text[:1].isalpha():
        return HOLDS
    hedged = {(claim.rule, claim.start, claim.object): claim for claim in case.read(f"Maybe {case.text}")}
    for claim in plain:
        weaker = hedged.get((claim.rule, claim.start + len("Maybe "), claim.object))
        if weaker is not None and weaker.confidence > claim.confidence:
            return Wrong(f"a hedge raises the confidence from {claim.confidence:g} to {weaker.confidence:g}", claim.rule)
    return _denied(case, plain)


def _denied(case: Case, plain: Sequence[Claim]) -> Wrong | None:
    """Check that a rule that negation flips never keeps the polarity after a denial directly in front.

    The denial is English: packs in another language have modifiers of their own.
    """
    english = {pack.name for pack in case.set.rules.packs if not pack.modifiers or any(each.startswith("en") for each in pack.languages)}
    plain = [claim for claim in plain if claim.rule.partition("/")[0] in english]
    denial = "It is not true that "
    denied = {(claim.rule, claim.start): claim for claim in case.read(denial + case.text)}
    for claim in plain:
        rule = case.set[claim.rule]
        effect = effect_of(rule, "negation", "flip")
        other = denied.get((claim.rule, claim.start + len(denial)))
        if claim.start or other is None or effect not in {"flip", "outside", "drop"} or _STOPS.search(case.low, 0, claim.end):
            continue
        if other.polarity == claim.polarity:
            return Wrong(f"denied, it is still {claim.polarity}: {shown([other])}", claim.rule)
    return HOLDS


def invariance(case: Case) -> Wrong | None:
    """Check that capitals, curly quotes and composed letters change nothing (property 11)."""
    if case.text.isascii():
        nameless = case.set.nameless
        plain, loud = case.read(case.text, nameless), case.read(case.text.upper(), nameless)
        if wrong := _same_places(plain, loud, "in capitals"):
            return wrong
    if wrong := _same_places(case.claims, case.read(case.text.translate(_CURLY)), "with curly quotes"):
        return wrong
    composed = unicodedata.normalize("NFC", case.text)
    again = unicodedata.normalize("NFC", unicodedata.normalize("NFD", case.text))
    return _same_places(case.read(composed), case.read(again), "composed again")


def _same_places(wanted: Iterable[Claim], got: Iterable[Claim], where: str) -> Wrong | None:
    """Return a finding unless the same rules read the same spans in the same way."""
    first = {(c.rule, c.start, c.end, c.kind, c.polarity, c.tense, c.confidence) for c in wanted}
    second = {(c.rule, c.start, c.end, c.kind, c.polarity, c.tense, c.confidence) for c in got}
    if first == second:
        return HOLDS
    changed = sorted(first ^ second)
    return Wrong(f"{where}: {sorted(first - second)} became {sorted(second - first)}", changed[0][0])
