"""What must hold of any rule set on any text: the properties of RULES.md, each a check with a name and a number.

A check looks at a `Case` (a rule set, a text, a role) and says what is wrong, or "". Nothing here knows the inside of the matcher: what
it reads is compared with what it reads of the text changed, and with the patterns tried one by one, by `regex` and by the standard library.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from time import process_time
from typing import NamedTuple
from zlib import crc32

import regex

from ethos.core.literals import parse
from ethos.core.matching import LEAST_ORIGIN, Rules
from ethos.core.records import Claim, Origin, Role
from ethos.core.rule import Category, Effect, Example, Pack, Rule, shortfall
from ethos.core.sentences import Sentence, fold, mask, sentences
from ethos.core.templates import parts
from ethos.edge.rulebook import load
from ethos.testing.dumping import dump
from ethos.testing.sets import ROLES, SPEAKER, WEIGHT, RuleSet

LINEAR_CHARACTERS = 10_000  # length of the shorter text that `linear` measures
LINEAR_DOUBLINGS = 3  # how often the longer one is twice as long: noise doubles nothing three times over, what is quadratic does
LINEAR_FACTOR = 2.5  # what twice the text may cost
LINEAR_FLOOR = 0.005  # CPU seconds: what takes less counts as that

# Paragraphs put beside a text: each could change how the text is read, if anything reached over a sentence or moved an offset.
BESIDE = (
    "\u0130stanbul's na\u00efve \ufb01x cost 10 \u20ac \u2013 \U0001d518\U0001d52b\U0001d526 and \u202eabc, they say.",
    "Run `make -j 2 all` or see https://example.org/a?b=c#d, e.g. at night.",
    "Maybe not. If so, why?\n1. one\n2. two (or so)",
    'She said "never again" and left; nobody minded. Do you?',
    "",
)
DOUBT = "If not, who said so?"  # a sentence that holds a trigger of most categories

_PRIVATE_END = re.compile("</private>", re.IGNORECASE)
_OPEN = ("```", "~~~", "<private")
_SOLE = re.compile(r"\{\w+\??(?:\|[^{}]*)?\}")
_STOPS = re.compile(r"[^\w ']|\b(?:but|and|because|so|although|though|however|which|until|anymore|instead)\b")
_UNKNOWN = re.compile(r"^ *\[\[[a-z.]+\]\]$", re.MULTILINE)  # after these headers a key is put that nobody knows
_FENCES = str.maketrans("", "", "`~")
_CURLY = str.maketrans({"'": "\u2019", '"': "\u201c"})


class PropertyFailed(AssertionError):
    """A property does not hold: `name` says which, `text` on what, `what` how; `rule` is "" where no single rule is to blame."""

    def __init__(self, name: str, what: str, text: str = "", rule: str = "") -> None:
        place = f" ({rule})" if rule else ""
        super().__init__(f"{name}{place}: {what}" + (f"\n  text: {text!r}" if text else ""))
        self.name = name
        self.what = what
        self.text = text
        self.rule = rule


class Wrong(NamedTuple):
    """What a check found."""

    what: str
    rule: str = ""


HOLDS: Wrong | None = None


class Case:
    """One text under one rule set, read as what `role` says; readings are kept, since properties share them."""

    def __init__(self, rules: RuleSet, text: str, role: Role = "user") -> None:
        self.set = rules
        self.text = text
        self.role: Role = role
        self._read: dict[str, tuple[Claim, ...]] = {}

    def read(self, text: str, rules: Rules | None = None, origin: Origin = Origin.OPERATOR) -> tuple[Claim, ...]:
        """What is read in a text, by the set or by a variant of it."""
        if rules is None and origin is Origin.OPERATOR:
            if text not in self._read:
                self._read[text] = self.set.claims(text, self.role)
            return self._read[text]
        return (rules or self.set.rules).claims(text, role=self.role, speaker=SPEAKER, origin=origin)

    @cached_property
    def claims(self) -> tuple[Claim, ...]:
        """What is read in the text itself."""
        return self.read(self.text)

    @cached_property
    def low(self) -> str:
        """The text folded."""
        return fold(self.text)

    @cached_property
    def masked(self) -> str:
        """The text folded and masked."""
        return mask(self.low)

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences of the text."""
        return tuple(_sentences(self.masked))

    @cached_property
    def open(self) -> bool:
        """Whether the text holds marks that may reach over what follows."""
        return any(mark in self.low for mark in _OPEN)

    @cached_property
    def number(self) -> int:
        """A number of the text, the same in every process: what to pick where not everything is tried."""
        return crc32(self.text.encode("utf-8", "surrogatepass"))

    @cached_property
    def picked(self) -> Rule:
        """A rule picked by the text."""
        return self.set.rules.rules[self.number % len(self.set)]

    @cached_property
    def beside(self) -> tuple[str, ...]:
        """Two closed paragraphs to put beside the text: one made to disturb, and one in which a rule speaks."""
        examples = self.picked.examples
        other = examples[self.number % len(examples)].text if examples else ""
        closed = other if not any(mark in fold(other) for mark in _OPEN) else ""
        return BESIDE[self.number % len(BESIDE)], closed


def _sentences(masked: str) -> Iterator[Sentence]:
    start = 0
    while start <= len(masked):
        yield from sentences(masked, start)
        end = masked.find("\n", start)
        start = len(masked) + 1 if end < 0 else end + 1


@lru_cache(4_096)
def _ours(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


@lru_cache(4_096)
def _theirs(pattern: str) -> regex.Pattern[str]:
    return regex.compile(pattern)


@lru_cache(4_096)
def _widest(pattern: str) -> int:
    return parse(pattern).widest


@lru_cache(16_384)
def _read_alike(char: str) -> bool:
    """Whether both engines put the character into the same classes."""
    return all(bool(regex.match(kind, char)) == bool(re.match(kind, char)) for kind in (r"\w", r"\s", r"\d"))


def _moved(claims: Iterable[Claim], by: int) -> set[Claim]:
    return {replace(claim, start=claim.start + by, end=claim.end + by) for claim in claims}


def _shown(claims: Iterable[Claim]) -> str:
    return (
        "; ".join(f"{c.rule} {c.start}-{c.end} {c.subject}|{c.predicate}|{c.object} {c.polarity}{c.confidence:g}" for c in claims)
        or "nothing"
    )


def _first_rule(claims: Iterable[Claim]) -> str:
    return next((claim.rule for claim in claims), "")


def _differ(wanted: Collection[Claim], got: Collection[Claim], where: str) -> Wrong | None:
    """None where both are the same claims."""
    lost, gained = set(wanted) - set(got), set(got) - set(wanted)
    if not lost and not gained:
        return HOLDS
    return Wrong(f"{where}: lost {_shown(_sorted(lost))}; gained {_shown(_sorted(gained))}", _first_rule(_sorted(lost | gained)))


def _sorted(claims: Iterable[Claim]) -> list[Claim]:
    return sorted(claims, key=lambda claim: (claim.start, claim.end, claim.rule, claim.object))


def _effect(rule: Rule, category: Category, default: Effect) -> Effect:
    return rule.modifiers.get(category, default)


def _spans(case: Case) -> Wrong | None:
    for claim in case.claims:
        if not 0 <= claim.start < claim.end <= len(case.text):
            return Wrong(f"the span {claim.start}-{claim.end} is not in a text of {len(case.text)} characters", claim.rule)
        rule = case.set[claim.rule]
        if claim.end - claim.start > max(map(_widest, rule.patterns)):
            return Wrong(f"{claim.end - claim.start} characters are more than a pattern of the rule can match", claim.rule)
        wrong = [_misread(case, claim, rule, _ours(pattern)) for pattern in rule.patterns]
        if all(wrong):
            return Wrong(next((each for each in wrong if each != _NO_MATCH), _NO_MATCH) + f" ({_shown([claim])})", claim.rule)
    return HOLDS


_NO_MATCH = "no pattern of the rule matches at the span, in the masked sentence"


def _misread(case: Case, claim: Claim, rule: Rule, pattern: regex.Pattern[str] | re.Pattern[str]) -> str:
    """Why the claim is not what this pattern says at its span; "" where it is."""
    place = next((each for each in case.sentences if each.start <= claim.start and claim.end <= each.end), None)
    if place is None:
        return _NO_MATCH
    match = pattern.match(case.masked[place.start : place.end], claim.start - place.start)
    if match is None or match.end() + place.start != claim.end:
        return _NO_MATCH
    for slot in ("predicate", "object", "over", "supersedes", "purpose"):
        template, value = rule.emit.get(slot, ""), getattr(claim, slot)
        if value is None or not _SOLE.fullmatch(template):
            continue
        low, high = match.span(parts(template)[0].group) if parts(template)[0].group in match.re.groupindex else (-1, -1)
        written = case.text[place.start + low : place.start + high] if low >= 0 else ""
        rest = written.replace(value, "", 1)
        if written and (value not in written or any(char.isalnum() for char in rest)):
            return f"{slot} is {value!r}, and the text has {written!r} there"
    return ""


def _deterministic(case: Case) -> Wrong | None:
    for _ in range(2):
        again = case.set.claims(case.text, case.role)
        if again != case.claims:
            return _differ(case.claims, again, "read again") or Wrong("read again, in another order")
        case.set.claims(case.beside[1], case.role)
    turned = case.read(case.text, case.set.reordered)
    if turned != case.claims:
        return _differ(case.claims, turned, "packs in another order") or Wrong("packs in another order, claims in another order")
    if case.set.reordered.hash != case.set.rules.hash:
        return Wrong("the hash depends on the order of the packs")
    return HOLDS


def _idempotent(case: Case) -> Wrong | None:
    keys = Counter((c.rule, c.start, c.end, c.subject, c.predicate, c.object, c.polarity) for c in case.claims)
    twice = [key for key, times in keys.items() if times > 1]
    if twice:
        return Wrong(f"one claim is made twice: {twice[0]}", twice[0][0])
    known = case.set.rules.claims(case.text, role=case.role, speaker=SPEAKER, origin=Origin.OPERATOR, hits=case.set.rules.hits(case.text))
    return _differ(case.claims, known, "with the hits known before")


def _examples(case: Case) -> Wrong | None:
    if "examples" not in case.set.remembered:
        found = [(rule.id, missed) for rule in case.set for missed in _missed(case.set, rule)]
        case.set.remembered["examples"] = "\n".join(": ".join(each) for each in found)
    if case.set.remembered["examples"]:
        return Wrong(case.set.remembered["examples"].splitlines()[0])
    rule = case.picked
    if not rule.examples or case.open or case.role != rule.roles[0]:
        return HOLDS
    example = rule.examples[case.number % len(rule.examples)]
    shift = len(case.text) + 2
    around = f"{case.text}\n\n{example.text}"
    own = tuple(claim for claim in case.read(around) if claim.start >= shift and claim.rule == rule.id)
    alone = tuple(claim for claim in case.read(example.text) if claim.rule == rule.id)
    return _differ(_moved(alone, shift), own, f"its example {example.text!r}, after the text")


def _missed(rules: RuleSet, rule: Rule) -> Iterator[str]:
    """Examples that do not hold. Beside other packs a positive may lose its words to a stronger rule, and never gains."""
    for example in rule.examples:
        missed = _example_missed(rules, rule, example)
        if missed and not example.todo:
            yield f"{example.text!r}: {missed}"
    if rule.status == "stable" and not any(example.want and not example.todo for example in rule.examples):
        yield "no example makes this stable rule fire"


def _example_missed(rules: RuleSet, rule: Rule, example: Example) -> str:
    claims = rules.claims(example.text, rule.roles[0])
    own = tuple(claim for claim in claims if claim.rule == rule.id)
    if example.want and not own and any(rules[other.rule].priority >= rule.priority for other in claims):
        return ""
    return shortfall(example, own, example.text)


def _prefilter(case: Case) -> Wrong | None:
    every = case.set.rules.every_claim(case.text, role=case.role, speaker=SPEAKER, origin=Origin.OPERATOR)
    return _differ(every, case.claims, "without the literals every pattern finds other claims")


def _engines(case: Case) -> Wrong | None:
    if not all(map(_read_alike, set(case.masked))):
        return HOLDS
    for claim in case.claims:
        if all(_misread(case, claim, case.set[claim.rule], _theirs(pattern)) for pattern in case.set[claim.rule].patterns):
            return Wrong(f"regex does not match so: {_shown([claim])}", claim.rule)
    for place in case.sentences:
        sentence = case.masked[place.start : place.end]
        for rule in case.set:
            for pattern in rule.patterns:
                ours = [match.regs for match in _ours(pattern).finditer(sentence)]
                theirs = [match.regs for match in _theirs(pattern).finditer(sentence)]
                if ours != theirs:
                    return Wrong(f"regex and re match {pattern!r} differently in {sentence!r}", rule.id)
    return HOLDS


def _masking(case: Case) -> Wrong | None:
    bare = case.text.translate(_FENCES)
    wrapped = {
        "in a fence": f"```\n{bare}\n```",
        "in a fence of tildes": f"~~~ text\n{bare}\n~~~",
        "in quoted lines": "\n".join("> " + line for line in case.text.split("\n")),
        "in a private part": f"<private>{_PRIVATE_END.sub('', case.text)}</private>",
    }
    for where, text in wrapped.items():
        if found := case.read(text):
            return Wrong(f"{where}: {_shown(found)}", found[0].rule)
    return _not_said(case)


def _not_said(case: Case) -> Wrong | None:
    """What stands in quotation marks, or comes from elsewhere, is not what the speaker says."""
    quote = f'"{case.text}"'
    low = mask(fold(quote))  # a private part in it is line breaks, and a quotation ends with its line
    if "\n" not in low and '"' not in case.low and low.endswith('"'):
        for claim in case.read(quote):
            if claim.start > 0 and _effect(case.set[claim.rule], "quote", "drop") == "drop":
                return Wrong(f"in quotation marks: {_shown([claim])}", claim.rule)
    for role in ROLES:
        for claim in case.set.claims(case.text, role):
            if role not in case.set[claim.rule].roles:
                return Wrong(f"said by {role}, and the rule does not listen to that role", claim.rule)
    for origin in Origin:
        if origin < LEAST_ORIGIN[case.role] and (found := case.read(case.text, origin=origin)):
            return Wrong(f"from {origin.name}, which is trusted less than {case.role} should be: {_shown(found)}", found[0].rule)
    return HOLDS


def _monotone(case: Case) -> Wrong | None:
    for other in case.beside:
        before, after = f"{other}\n\n{case.text}", f"{case.text}\n\n{other}"
        lost = set(case.claims) - set(case.read(after))
        if lost:
            return Wrong(f"lost before the paragraph {other!r}: {_shown(lost)}", _first_rule(lost))
        lost = _moved(case.claims, len(other) + 2) - set(case.read(before))
        if lost:
            return Wrong(f"lost after the paragraph {other!r}: {_shown(lost)}", _first_rule(lost))
    return _monotone_in_line(case)


def _monotone_in_line(case: Case) -> Wrong | None:
    """Other sentences of the same line change nothing either."""
    if case.text[:1].isalpha():
        lost = _moved(case.claims, len(DOUBT) + 1) - set(case.read(f"{DOUBT} {case.text}"))
        if lost:
            return Wrong(f"lost after the sentence {DOUBT!r}: {_shown(lost)}", _first_rule(lost))
    ended = case.text.rstrip() + "!"
    if mask(fold(ended)).endswith("!") and not case.open:
        lost = set(case.read(ended)) - set(case.read(f"{ended} {DOUBT}"))
        if lost:
            return Wrong(f"lost before the sentence {DOUBT!r}: {_shown(lost)}", _first_rule(lost))
    return HOLDS


def _locality(case: Case) -> Wrong | None:
    if case.open:
        return HOLDS
    for other in case.beside:
        apart = set(case.claims) | _moved(case.read(other), len(case.text) + 2)
        if wrong := _differ(apart, case.read(f"{case.text}\n\n{other}"), f"with the paragraph {other!r} after it"):
            return wrong
    apart, shift = set(), 0
    for paragraph in case.text.split("\n\n"):
        apart |= _moved(case.read(paragraph), shift)
        shift += len(paragraph) + 2
    return _differ(apart, case.claims, "paragraph by paragraph")


def _bounds(case: Case) -> Wrong | None:
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
    """A rule that negation flips never keeps the polarity of what a denial is put right in front of."""
    denial = "It is not true that "
    denied = {(claim.rule, claim.start): claim for claim in case.read(denial + case.text)}
    for claim in plain:
        rule = case.set[claim.rule]
        effect = _effect(rule, "negation", "flip")
        other = denied.get((claim.rule, claim.start + len(denial)))
        if claim.start or other is None or effect not in {"flip", "outside", "drop"} or _STOPS.search(case.low, 0, claim.end):
            continue
        if other.polarity == claim.polarity:
            return Wrong(f"denied, it is still {claim.polarity}: {_shown([other])}", claim.rule)
    return HOLDS


def _invariance(case: Case) -> Wrong | None:
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
    """None where the same rules read the same spans in the same way."""
    first = {(c.rule, c.start, c.end, c.kind, c.polarity, c.tense, c.confidence) for c in wanted}
    second = {(c.rule, c.start, c.end, c.kind, c.polarity, c.tense, c.confidence) for c in got}
    if first == second:
        return HOLDS
    changed = sorted(first ^ second)
    return Wrong(f"{where}: {sorted(first - second)} became {sorted(second - first)}", changed[0][0])


def _linear(case: Case) -> Wrong | None:
    piece = case.text + " " if case.text else "a "
    short = piece * (LINEAR_CHARACTERS // len(piece) + 1)
    times = 2**LINEAR_DOUBLINGS
    once, more = (max(LINEAR_FLOOR, _seconds(case, text)) for text in (short, short * times))
    if more > LINEAR_FACTOR**LINEAR_DOUBLINGS * once:
        return Wrong(f"{len(short)} characters take {once:.4f} s of CPU, {times} times as many {more:.4f} s")
    return HOLDS


def _seconds(case: Case, text: str) -> float:
    """CPU seconds of one reading, the best of three."""
    taken = []
    for _ in range(3):
        start = process_time()
        case.set.claims(text, case.role)
        taken.append(process_time() - start)
    return min(taken)


def _total(case: Case) -> Wrong | None:
    half = len(case.text) // 2
    first, second = case.text[:half], case.text[half:]
    for text in (case.text, f"{case.text}\ud800", f"\x00{first}\ud83d{second}\udc00", f"{first}\x00\u0130\r\x85{second}", case.text * 8):
        try:
            case.set.claims(text, case.role)
            case.set.rules.hits(text)
            case.set.rules.class_of(text)
        except Exception as error:  # noqa: BLE001 (that nothing at all is raised is the property)
            return Wrong(f"raises {type(error).__name__}: {error}, on {text!r}")
    return HOLDS


def _disable(case: Case) -> Wrong | None:
    for rule_id in sorted({claim.rule for claim in case.claims} | {case.picked.id}):
        if wrong := _disabled(case, case.set[rule_id]):
            return wrong
    half = {replace(claim, confidence=0.0): claim.confidence for claim in case.read(case.text, case.set.reweighed)}
    whole = {replace(claim, confidence=0.0): claim.confidence for claim in case.claims}
    if half.keys() != whole.keys():
        return _differ(whole.keys(), half.keys(), "with other confidences")
    for claim, confidence in whole.items():
        if abs(half[claim] - WEIGHT * confidence) > 2e-6:
            return Wrong(f"half the confidence of the rule makes {half[claim]:g} of {confidence:g}", claim.rule)
    return HOLDS


def _disabled(case: Case, rule: Rule) -> Wrong | None:
    """Without a rule its claims are gone; others change only where, of one kind, the strongest newcomer had lost its words to that rule."""
    without = case.read(case.text, case.set.without(rule.id))
    own = [claim for claim in case.claims if claim.rule == rule.id]
    others = set(case.claims) - set(own)
    lost, gained = others - set(without), set(without) - others
    leaked = [claim for claim in without if claim.rule == rule.id]
    if leaked:
        return Wrong(f"switched off, and still says {_shown(leaked)}", rule.id)
    for kind in {claim.kind for claim in lost | gained}:
        newcomers = [claim for claim in gained if claim.kind == kind]
        strongest = max((case.set[claim.rule].priority for claim in newcomers), default=0)
        freed = any(
            case.set[new.rule].priority == strongest <= rule.priority and any(new.start < old.end and old.start < new.end for old in own)
            for new in newcomers
        )
        if not freed:
            return Wrong(f"switched off: lost {_shown(lost)}; gained {_shown(gained)}", rule.id)
    return HOLDS


def _round_trip(case: Case) -> Wrong | None:
    if "round-trip" not in case.set.remembered:
        case.set.remembered["round-trip"] = ""
        try:
            for rules in case.set.by_pack.values():
                assert_round_trip(*rules)
        except PropertyFailed as failed:
            case.set.remembered["round-trip"] = failed.what
    found = case.set.remembered["round-trip"]
    return Wrong(found) if found else HOLDS


def assert_round_trip(*rules: Rule) -> None:
    """Rules of a pack written down and read again are the same rules, and a key nobody knows is refused wherever it stands.

        assert_round_trip(rules["mine/garden.grows"])

    Their examples are carried along and not asked for: an override may have changed what they give.
    """
    if not rules:
        return
    carried = [replace(rule, examples=tuple(replace(example, todo=True) for example in rule.examples)) for rule in rules]
    pack = Pack(rules[0].id.partition("/")[0], rules[0].pack_version, tuple(carried))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "one.toml"
        path.write_text(dump(pack), encoding="utf-8")
        book = load([path])
        if wrong := [str(problem) for problem in book.problems if problem.fatal]:
            raise PropertyFailed("round-trip", f"written down, it is refused: {wrong[0]}")
        read = {rule.id: rule for pack in book.rules.packs for rule in pack.rules}
        for rule in carried:
            if read.get(rule.id) != rule:
                raise PropertyFailed("round-trip", f"read again, it is {read.get(rule.id)!r}, and was {rule!r}", rule=rule.id)
        plain = (replace(rule, patterns=("colour",)) for rule in carried)  # keys are refused whatever the patterns are
        strange, places = _UNKNOWN.subn(r"\g<0>\ncolour = 1", dump(replace(pack, rules=tuple(plain))))
        path.write_text(f"colour = 1\n{strange}", encoding="utf-8")
        refused = sum(problem.code == "E-UNKNOWN-KEY" for problem in load([path]).problems)
        if refused != places + 1:
            raise PropertyFailed("round-trip", f"of {places + 1} keys nobody knows {refused} are refused")


_ELSEWHERE = """
import json, sys
from pathlib import Path
from ethos.testing.sets import rule_sets
asked = json.load(sys.stdin)
rules = rule_sets(*asked["paths"], cache=Path(asked["cache"]))
texts = [bytes.fromhex(text).decode("utf-8", "surrogatepass") for text in asked["texts"]]
read = [[ascii(claim) for claim in rules.claims(text, asked["role"])] for text in texts]
json.dump([rules.rules.hash, read], sys.stdout)
"""


def assert_same_elsewhere(rules: RuleSet, texts: Iterable[str]) -> None:
    """A fresh process with another hash seed reads the same in these texts (property 2, for many texts at once).

    assert_same_elsewhere(rules, ["I grow leeks.", "We grow peas."])
    """
    asked = list(texts)
    encoded = [text.encode("utf-8", "surrogatepass").hex() for text in asked]
    for role in rules.roles:
        done = subprocess.run(  # noqa: S603 (this Python, on our own program)
            [sys.executable, "-c", _ELSEWHERE],
            input=json.dumps({"paths": list(map(str, rules.paths)), "cache": str(rules.cache), "role": role, "texts": encoded}),
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": "12345", "PYTHONPATH": ":".join(filter(None, sys.path))},
        )
        digest, read = json.loads(done.stdout)
        if digest != rules.rules.hash:
            raise PropertyFailed("deterministic", "another process has another hash of the rules")
        for text, there in zip(asked, read, strict=True):
            here = [ascii(claim) for claim in rules.claims(text, role)]
            if here != there:
                raise PropertyFailed("deterministic", f"another process reads {there}, this one {here}", text)


@dataclass(frozen=True, slots=True)
class Property:
    """One thing that must hold. `number` is that of RULES.md, What must hold for any rule set."""

    number: int
    name: str
    says: str
    check: Callable[[Case], Wrong | None]


PROPERTIES: Mapping[str, Property] = {
    each.name: each
    for each in (
        Property(1, "spans", "a span lies in the text, a pattern of the rule matches there, and slots are what is written there", _spans),
        Property(2, "deterministic", "the same text gives the same claims, again and with the packs in another order", _deterministic),
        Property(3, "idempotent", "no claim is made twice, and what is known before changes nothing", _idempotent),
        Property(4, "examples", "each example holds, alone and after other text", _examples),
        Property(5, "prefilter", "the literals never hide a match", _prefilter),
        Property(6, "engines", "the standard library's engine matches the same", _engines),
        Property(7, "masking", "what is fenced, quoted or private, or said by others, gives nothing", _masking),
        Property(8, "monotone", "what is added in other paragraphs or sentences takes nothing away", _monotone),
        Property(9, "locality", "paragraphs are read one by one", _locality),
        Property(10, "bounds", "confidence lies in 0..1, a hedge never raises it, a denial never leaves the polarity", _bounds),
        Property(11, "invariance", "capitals, curly quotes and composed letters change nothing", _invariance),
        Property(12, "linear", "twice the text takes at most 2.5 times as long", _linear),
        Property(13, "total", "no text makes the rules raise", _total),
        Property(14, "disable", "a rule switched off is gone and nothing else; a confidence overridden changes that alone", _disable),
        Property(15, "round-trip", "a rule written down and read again is the same; unknown keys are refused", _round_trip),
    )
}
TIMED = frozenset({"linear"})  # asked for by name only: it measures time


def assert_properties(rules: RuleSet, text: str, only: Collection[str] | None = None) -> None:
    """Check the properties on one text; raises `PropertyFailed`, which says which one, how, and by which rule.

        assert_properties(rules, "Maybe I grow leeks?")
        assert_properties(rules, text, only={"spans", "prefilter", "monotone"})

    only: names out of `PROPERTIES`; without it all but `linear`, which measures time and so is asked for by name.
    """
    unknown = sorted(set(only or ()) - PROPERTIES.keys())
    if unknown:
        raise ValueError(f"no such property: {', '.join(unknown)}; there are {', '.join(PROPERTIES)}")
    chosen = [each for each in PROPERTIES.values() if (each.name in only if only is not None else each.name not in TIMED)]
    chosen.sort(key=lambda each: each.name != "total")  # what raises is that property's to say
    for role in rules.roles:
        case = Case(rules, text, role)
        for each in chosen:
            if wrong := each.check(case):
                raise PropertyFailed(each.name, wrong.what, text, wrong.rule)
