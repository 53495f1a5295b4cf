"""Properties of matching: spans of claims, a sound prefilter, determinism, and totality."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from time import process_time

import regex

from ethos.core.model.records import Claim, Origin
from ethos.core.rules.compiled import compile_shared
from ethos.core.rules.qualifiers import MAX_QUALIFIER, extend_span, qualifier_end
from ethos.core.rules.regex.syntax import parse
from ethos.core.rules.rule import Rule
from ethos.core.rules.templates import parts
from ethos.core.text.language.coordination import clause_end
from ethos.core.text.language.cues import without_cue
from ethos.edge.cli.workbench.properties.case import HOLDS, Case, Wrong, differ, shown
from ethos.edge.cli.workbench.sets import SPEAKER

_LINEAR_CHARACTERS = 10_000  # length of the shorter text that `linear` measures

_LINEAR_DOUBLINGS = 3  # times the text is doubled: noise does not double the time three times in a row, quadratic behaviour does

_LINEAR_FACTOR = 2.5  # allowed time ratio for twice the text

_LINEAR_FLOOR = 0.005  # CPU seconds; shorter times count as this

_SOLE = re.compile(r"\{\w+\??(?:\|[^{}]*)?\}")


@lru_cache(4_096)
def compile_by_regex(pattern: str) -> regex.Pattern[str]:
    """Return a pattern compiled by the `regex` package, which takes long: the patterns of all shipped packs take 12 seconds."""
    return regex.compile(pattern)


@lru_cache(4_096)
def _widest(pattern: str) -> int:
    return parse(pattern).widest


@lru_cache(16_384)
def _read_alike(char: str) -> bool:
    """Return whether both engines put the character into the same classes."""
    return all(bool(regex.match(kind, char)) == bool(re.match(kind, char)) for kind in (r"\w", r"\s", r"\d"))


def spans(case: Case) -> Wrong | None:
    """Check that a span lies in the text, that a pattern of the rule matches there, and that slots are read from it (property 1)."""
    for claim in case.claims:
        if not 0 <= claim.start < claim.end <= len(case.text):
            return Wrong(f"the span {claim.start}-{claim.end} is not in a text of {len(case.text)} characters", claim.rule)
        rule = case.set[claim.rule]
        if rule.clause is not None:
            if not _stands(case, claim):
                return Wrong(f"its words are not in one sentence, or its object is not in its span ({shown([claim])})", claim.rule)
            continue
        portable = rule.engine == "portable"
        if portable and claim.end - claim.start > max(map(_widest, rule.patterns)) + 2 * MAX_QUALIFIER:
            return Wrong(f"{claim.end - claim.start} characters are more than a pattern of the rule can match", claim.rule)
        wrong = [
            _misread(case, claim, rule, compile_shared(pattern) if portable else compile_by_regex(pattern)) for pattern in rule.patterns
        ]
        if all(wrong):
            return Wrong(next((each for each in wrong if each != _NO_MATCH), _NO_MATCH) + f" ({shown([claim])})", claim.rule)
    return HOLDS


def _stands(case: Case, claim: Claim) -> bool:
    """Return whether a claim of a clause lies in one sentence, and its object in its span."""
    within = any(each.start <= claim.start and claim.end <= each.end for each in case.sentences)
    return within and claim.object in case.text[claim.start : claim.end]


_NO_MATCH = "no pattern of the rule matches at the span, in the masked sentence"


def _misread(case: Case, claim: Claim, rule: Rule, pattern: regex.Pattern[str] | re.Pattern[str]) -> str:
    """Return how the claim differs from this pattern's match at its span; "" if it agrees."""
    if rule.inside:
        return ""  # its sentences are cut from text with code
    place = next((each for each in case.sentences if each.start <= claim.start and claim.end <= each.end), None)
    if place is None:
        return _NO_MATCH
    sentence = case.masked[place.start : place.end]
    match = pattern.match(sentence, claim.start - place.start)
    if match is None:
        return _NO_MATCH
    end = extend_span(sentence, match.end())
    grown = claim.end - place.start > match.end()  # by the rest of a time, or by a qualifier
    if claim.end - place.start not in (end, qualifier_end(sentence, match.start(), end)):
        return _NO_MATCH
    for slot in ("predicate", "object", "over", "supersedes", "purpose"):
        template, value = rule.emit.get(slot, ""), getattr(claim, slot)
        if value is None or slot in rule.valid or not _SOLE.fullmatch(template):  # a validated slot is held in its canonical form
            continue
        low, high = match.span(parts(template)[0].group) if parts(template)[0].group in match.re.groupindex else (-1, -1)
        written = case.text[place.start + low : place.start + high] if low >= 0 else ""
        if slot == "object":
            written, _ = without_cue(written[: clause_end(sentence, low, high) - low].rstrip(" ,") if low >= 0 else "")
        if grown and written:
            said = "".join(filter(str.isalnum, case.text[place.start + low : claim.end]))
            if not said.startswith("".join(filter(str.isalnum, value))):
                return f"{slot} is {value!r}, and the text has {said!r} there"
            continue
        rest = written.replace(value, "", 1)
        if written and (value not in written or any(char.isalnum() for char in rest)):
            return f"{slot} is {value!r}, and the text has {written!r} there"
    return ""


def deterministic(case: Case) -> Wrong | None:
    """Check that the same text gives the same claims, again and with the packs in another order (property 2)."""
    for _ in range(2):
        again = case.set.claims(case.text, case.role)
        if again != case.claims:
            return differ(case.claims, again, "read again") or Wrong("read again, in another order")
        case.set.claims(case.beside[1], case.role)
    turned = case.read(case.text, case.set.reordered)
    if turned != case.claims:
        return differ(case.claims, turned, "packs in another order") or Wrong("packs in another order, claims in another order")
    if case.set.reordered.hash != case.set.rules.hash:
        return Wrong("the hash depends on the order of the packs")
    return HOLDS


def idempotent(case: Case) -> Wrong | None:
    """Check that no claim is made twice, and that precomputed hits change nothing (property 3)."""
    keys = Counter((c.rule, c.start, c.end, c.subject, c.predicate, c.object, c.polarity) for c in case.claims)
    twice = [key for key, times in keys.items() if times > 1]
    if twice:
        return Wrong(f"one claim is made twice: {twice[0]}", twice[0][0])
    known = case.set.rules.claims(case.text, role=case.role, speaker=SPEAKER, origin=Origin.OPERATOR, hits=case.set.rules.hits(case.text))
    return differ(case.claims, known, "with the hits known before")


def prefilter(case: Case) -> Wrong | None:
    """Check that the literals never hide a match (property 5)."""
    every = case.set.rules.every_claim(case.text, role=case.role, speaker=SPEAKER, origin=Origin.OPERATOR)
    return differ(every, case.claims, "without the literals every pattern finds other claims")


def engines(case: Case) -> Wrong | None:
    """Check that the `regex` package matches the same (property 6)."""
    if not all(map(_read_alike, set(case.masked))):
        return HOLDS
    for claim in case.claims:
        rule = case.set[claim.rule]
        if rule.patterns and all(_misread(case, claim, rule, compile_by_regex(pattern)) for pattern in rule.patterns):
            return Wrong(f"regex does not match so: {shown([claim])}", claim.rule)
    for place in case.sentences:
        sentence = case.masked[place.start : place.end]
        if sentence in case.set.matched_alike:
            continue
        for rule in case.set:
            for pattern in rule.patterns if rule.engine == "portable" else ():
                ours = [match.regs for match in compile_shared(pattern).finditer(sentence)]
                theirs = [match.regs for match in compile_by_regex(pattern).finditer(sentence)]
                if ours != theirs:
                    return Wrong(f"regex and re match {pattern!r} differently in {sentence!r}", rule.id)
        case.set.matched_alike.add(sentence)
    return HOLDS


def total(case: Case) -> Wrong | None:
    """Check that no text makes the rules raise (property 13)."""
    half = len(case.text) // 2
    first, second = case.text[:half], case.text[half:]
    for text in (case.text, f"{case.text}\ud800", f"\x00{first}\ud83d{second}\udc00", f"{first}\x00\u0130\r\x85{second}", case.text * 8):
        try:
            case.set.claims(text, case.role)
            case.set.rules.hits(text)
            case.set.rules.class_of(text)
        except Exception as error:  # noqa: BLE001 (the property is that nothing at all is raised)
            return Wrong(f"raises {type(error).__name__}: {error}, on {text!r}")
    return HOLDS


def linear(case: Case) -> Wrong | None:
    """Check that twice the text takes at most 2.5 times as long (property 12)."""
    piece = case.text + " " if case.text else "a "
    short = piece * (_LINEAR_CHARACTERS // len(piece) + 1)
    times = 2**_LINEAR_DOUBLINGS
    once, more = (max(_LINEAR_FLOOR, _seconds(case, text)) for text in (short, short * times))
    if more > _LINEAR_FACTOR**_LINEAR_DOUBLINGS * once:
        return Wrong(f"{len(short)} characters take {once:.4f} s of CPU, {times} times as many {more:.4f} s")
    return HOLDS


def _seconds(case: Case, text: str) -> float:
    """Return the CPU seconds of one reading, the best of three."""
    taken = []
    for _ in range(3):
        start = process_time()
        case.set.claims(text, case.role)
        taken.append(process_time() - start)
    return min(taken)
