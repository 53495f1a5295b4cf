"""Planted faults: each way in which the engine could go wrong is caught by the property that is there for it.

Two small packs are loaded whole, then a part of the engine is put out for a broken one, and the properties are tried on texts made from
them. A property that catches nothing would be a decoration.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
import regex
from hypothesis import HealthCheck, Phase, given, settings

from ethos.core.model.records import Claim, Origin, Polarity
from ethos.core.rules import compiled, found, matcher, pattern_reader, prefilter
from ethos.core.rules.found import Turn
from ethos.core.rules.matcher import Rules
from ethos.core.rules.modifiers import Modifiers, Weighed
from ethos.core.rules.pattern_reader import PatternReader
from ethos.core.rules.prefilter import Prefilter
from ethos.core.rules.regex.literals import Literals
from ethos.core.rules.rule import DEFAULT_EFFECTS, Pack, Rule
from ethos.core.text import sentences
from ethos.core.text.sentences import Sentence
from ethos.testing import PROPERTIES, PropertyFailed, RuleSet, assert_properties, rule_sets, texts_about

PACK = r"""
schema  = 1
pack    = "mine"
version = "1.0.0"

[define]
OBJ = '[^,.!?;:()\n]{1,60}?'
END = '(?=$|[,;:()]| (?:for|but|and|because|over|now)\b)'

[[rule]]
id         = "grows"
kind       = "fact"
summary    = "what the speaker grows"
status     = "stable"
priority   = 40
patterns   = ['''\b(?P<subject>i|we) (?:always )?(?:grow|raise) (?P<object>${OBJ})${END}''',
              '''\b(?P<subject>i|we) have (?P<object>${OBJ}) in the garden${END}''']
emit       = { subject = "{subject|speaker}", predicate = "grows", object = "{object}" }
cardinality = "multi"
confidence = 0.8
  [[rule.unless]]
  pattern = '''\bgrow (?:old|tired)\b'''
  reason  = "figure of speech"
  [[rule.example]]
  text = "I grow Purple Carrots."
  want = [{ subject = "speaker", predicate = "grows", object = "Purple Carrots", confidence = 0.8 }]
  [[rule.example]]
  text = "Maybe we raise geese"
  want = [{ subject = "team", confidence = 0.48 }]
  [[rule.example]]
  text = "We have Figs in the garden."
  want = [{ object = "Figs" }]
  [[rule.example]]
  text = "I grow tired of leeks"
  want = []
  [[rule.example]]
  text = "Do I grow leeks?"
  want = []
  [[rule.example]]
  text = 'She said "I grow leeks" once.'
  want = []

[[rule]]
id         = "stands"
kind       = "preference"
summary    = "what the speaker cannot stand"
patterns   = ['''\b(?P<subject>i|we) can't stand (?P<object>${OBJ})${END}''',
              '''(?:^|[,;] )(?P<object>[\w ]{2,30}?) isn't for (?P<subject>me|us)${END}''']
emit       = { subject = "{subject|speaker}", predicate = "likes", object = "{object}" }
polarity   = "-"
modifiers  = { negation = "keep", hedge = 0.5 }
confidence = 0.9
  [[rule.example]]
  text = "I can't stand Okra, it's slimy."
  want = [{ object = "Okra", polarity = "-" }]
  [[rule.example]]
  text = "Okra isn't for me"
  want = [{ object = "Okra" }]

[[rule]]
id         = "agent-plants"
kind       = "decision"
summary    = "what the agent planted"
roles      = ["assistant"]
patterns   = ['''\bi (?:have )?planted (?P<object>${OBJ})${END}''']
emit       = { subject = "agent", predicate = "planted", object = "{object}" }
confidence = 0.9
  [[rule.example]]
  text = "I planted Beans."
  want = [{ object = "Beans" }]
"""
SECOND = r"""
schema  = 1
pack    = "second"
version = "1.0.0"

[define]
OBJ = '[^,.!?;:()\n]{1,60}?'
END = '(?=$|[,;:()]| (?:for|but|and|because|over|now)\b)'

[[rule]]
id         = "grows-best"
kind       = "fact"
summary    = "what grows best"
status     = "stable"
priority   = 60
patterns   = ['''\bgrow (?P<object>${OBJ}) (?:best|better than (?P<other>${OBJ}))${END}''']
emit       = { subject = "team", predicate = "grows best", object = "{object}", over = "{other?}" }
confidence = 0.7
  [[rule.example]]
  text = "We grow Figs best."
  want = [{ predicate = "grows best", object = "Figs" }]
  [[rule.example]]
  text = "We grow Figs better than Leeks."
  want = [{ object = "Figs", over = "Leeks" }]
  [[rule.example]]
  text = "Would we grow figs best?"
  want = []
  [[rule.example]]
  text = "They grow."
  want = []
"""

QUICK = settings(
    max_examples=400, derandomize=True, database=None, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
)

Plant = Callable[[pytest.MonkeyPatch], None]
FAULTS: dict[str, tuple[str, Plant]] = {}


def fault(caught_by: str) -> Callable[[Plant], Plant]:
    """A fault and the property that must catch it."""

    def keep(plant: Plant) -> Plant:
        FAULTS[plant.__name__.replace("_", "-")] = (caught_by, plant)
        return plant

    return keep


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of two small packs, and in it what was proved of them: it is found whatever is broken later."""
    path = tmp_path_factory.mktemp("packs")
    (path / "mine.toml").write_text(PACK, encoding="utf-8")
    (path / "second.toml").write_text(SECOND, encoding="utf-8")
    rules = proved(path)
    assert len(rules.reordered.rules) == len(rules.reweighed.rules) == len(rules)
    for number in range(len(rules.groups)):
        rules.without(number)
    return path


def proved(path: Path) -> RuleSet:
    """The packs loaded anew, from what was proved of them before."""
    return rule_sets(path, cache=path / "proved")


@cache
def texts(path: Path) -> tuple[str, ...]:
    """Texts about the pack, drawn while the engine is whole, and two more, because what is drawn depends on the modules that are loaded
    (hypothesis takes constants from them): a phrase that could end in several places, and a letter that is two when it is folded.
    """
    found: dict[str, None] = {"I grow leeks for soup and beans for stew.": None, "In \u0130zmir I grow leeks for soup.": None}

    @QUICK
    @given(texts_about(proved(path), max_size=300))
    def collect(text: str) -> None:
        found[text] = None

    collect()
    return tuple(found)


def packing(patch: pytest.MonkeyPatch, change: Callable[[Sequence[Pack]], Sequence[Pack]]) -> None:
    """Compile other packs than those that are given."""
    init = Rules.__init__

    def changed(self: Rules, packs: Sequence[Pack] = (), *rest: object, **named: object) -> None:
        init(self, change(packs), *rest, **named)  # type: ignore[arg-type]  # (passed on)

    patch.setattr(Rules, "__init__", changed)


def ruling(patch: pytest.MonkeyPatch, change: Callable[[Rule], Rule]) -> None:
    """Compile other rules than those that are given."""
    packing(patch, lambda packs: [replace(pack, rules=tuple(map(change, pack.rules))) for pack in packs])


@fault("prefilter")
def the_prefilter_drops_a_literal(patch: pytest.MonkeyPatch) -> None:
    init = Rules.__init__

    def forgetful(self: Rules, *given: object, derived: Mapping[str, Literals], **named: object) -> None:
        fewer = {source: each._replace(strings=each.strings[1:] or each.strings) for source, each in derived.items()}
        init(self, *given, derived=fewer, **named)  # type: ignore[arg-type]  # (passed on)

    patch.setattr(Rules, "__init__", forgetful)


@fault("prefilter")
def a_literal_is_only_seen_after_a_blank(patch: pytest.MonkeyPatch) -> None:
    init = Prefilter.__init__

    def narrow(self: Prefilter, *given: object) -> None:
        init(self, *given)  # type: ignore[arg-type]  # (passed on)
        find = self._find
        self._find = lambda low, overlapping: [  # type: ignore[assignment, misc]  # (as it is called)
            each for each in find(low, overlapping=overlapping) if each[1] == 0 or low[each[1] - 1] == " "
        ]

    patch.setattr(Prefilter, "__init__", narrow)


@fault("monotone")
def a_modifier_reaches_a_sentence_too_far(patch: pytest.MonkeyPatch) -> None:
    cut = sentences.sentences

    def joined(low: str, at: int) -> Iterator[Sentence]:
        found = list(cut(low, low.rfind("\n", 0, at) + 1))
        for number, each in enumerate(found):
            yield each._replace(start=found[number - 1].start) if number else each

    patch.setattr(prefilter, "sentences", joined)


def weighed_as(weighed: Weighed, polarity: Polarity | None = None, confidence: float | None = None) -> Weighed:
    """Weighed otherwise."""
    certain = weighed.confidence if confidence is None else confidence
    return Weighed(weighed.kind, polarity or weighed.polarity, weighed.tense, certain, weighed.modifiers)


def weighing(patch: pytest.MonkeyPatch, change: Callable[[Weighed], Weighed]) -> None:
    """Change what the modifiers make of a claim that any of them reaches."""
    weigh = Modifiers.weigh

    def changed(self: Modifiers, *given: object) -> Weighed | None:
        weighed = weigh(self, *given)  # type: ignore[arg-type]  # (passed on)
        return change(weighed) if weighed and weighed.modifiers else weighed

    patch.setattr(Modifiers, "weigh", changed)


@fault("bounds")
def a_denial_does_not_flip_the_polarity(patch: pytest.MonkeyPatch) -> None:
    weighing(patch, lambda weighed: weighed_as(weighed, polarity="+") if "negation" in weighed.modifiers else weighed)


@fault("bounds")
def a_hedge_raises_the_confidence(patch: pytest.MonkeyPatch) -> None:
    weighing(patch, lambda weighed: weighed_as(weighed, confidence=min(1.0, weighed.confidence * 3)))


@fault("bounds")
def confidence_is_not_held_within_one(patch: pytest.MonkeyPatch) -> None:
    weigh = Modifiers.weigh

    def boosted(self: Modifiers, *given: object) -> Weighed | None:
        weighed = weigh(self, *given)  # type: ignore[arg-type]  # (passed on)
        return weighed_as(weighed, confidence=weighed.confidence + 0.3) if weighed else None

    patch.setattr(Modifiers, "weigh", boosted)


def folding(patch: pytest.MonkeyPatch, broken: Callable[[str], str]) -> None:
    """Fold another way, wherever the engine folds."""
    patch.setattr(matcher, "fold", broken)


@fault("spans")
def folding_moves_offsets(patch: pytest.MonkeyPatch) -> None:
    fold = sentences.fold
    folding(patch, lambda text: fold("".join(low if len(low := char.lower()) < 2 else "  " for char in text)))


@fault("invariance")
def case_is_not_folded(patch: pytest.MonkeyPatch) -> None:
    folding(patch, lambda text: sentences._SURROGATE.sub("?", text.translate(sentences._STRAIGHT)))


@fault("invariance")
def curly_quotes_are_not_straightened(patch: pytest.MonkeyPatch) -> None:
    curly = {0x2018: "~", 0x2019: "~", 0x201C: "~", 0x201D: "~"}
    fold = sentences.fold
    folding(patch, lambda text: fold(text.translate(curly)))


@fault("total")
def a_lone_surrogate_is_not_expected(patch: pytest.MonkeyPatch) -> None:
    fold = sentences.fold
    folding(patch, lambda text: fold(text.encode("utf-8").decode("utf-8")))


def masking(patch: pytest.MonkeyPatch, broken: Callable[[str], str]) -> None:
    """Mask another way, wherever the engine masks."""
    patch.setattr(matcher, "mask", broken)


@fault("masking")
def fences_are_not_masked(patch: pytest.MonkeyPatch) -> None:
    mask = sentences.mask
    masking(patch, lambda low: mask(low.replace("```", "...")))


@fault("masking")
def quoted_lines_are_not_masked(patch: pytest.MonkeyPatch) -> None:
    mask = sentences.mask
    masking(patch, lambda low: mask(low.replace(">", "-")))


@fault("monotone")
def masking_shortens_the_text(patch: pytest.MonkeyPatch) -> None:
    mask = sentences.mask
    code = regex.compile("`[^`\n]{2,}`")
    masking(patch, lambda low: mask(code.sub("`x`", low)))


@fault("masking")
def quotation_marks_are_not_seen(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(pattern_reader, "quoted", lambda _low, _line, _at: False)


@fault("masking")
def roles_are_ignored(patch: pytest.MonkeyPatch) -> None:
    claims = Rules.claims

    def anyones(self: Rules, text: str, *, origin: int, **given: object) -> tuple[Claim, ...]:
        return claims(self, text, **{**given, "role": "user"}, origin=origin)  # type: ignore[arg-type]  # (passed on)

    patch.setattr(Rules, "claims", anyones)


@fault("masking")
def the_origin_is_ignored(patch: pytest.MonkeyPatch) -> None:
    claims = Rules.claims

    def trusting(self: Rules, text: str, *, origin: int, **given: object) -> tuple[Claim, ...]:
        return claims(self, text, **given, origin=max(origin, Origin.OPERATOR))  # type: ignore[arg-type]  # (passed on)

    patch.setattr(Rules, "claims", trusting)


@fault("examples")
def a_question_is_kept(patch: pytest.MonkeyPatch) -> None:
    patch.setitem(DEFAULT_EFFECTS, "question", "keep")


@fault("examples")
def antipatterns_are_ignored(patch: pytest.MonkeyPatch) -> None:
    ruling(patch, lambda rule: replace(rule, unless=()))


def claiming(patch: pytest.MonkeyPatch, change: Callable[[Claim, str], Claim]) -> None:
    """Change each claim as it is made from a text."""
    made = PatternReader._claim

    def changed(self: PatternReader, turn: Turn, *rest: object) -> Claim | None:
        claim = made(self, turn, *rest)  # type: ignore[arg-type]  # (passed on)
        return change(claim, turn.text) if claim else None

    patch.setattr(PatternReader, "_claim", changed)


@fault("spans")
def slots_come_from_the_folded_text(patch: pytest.MonkeyPatch) -> None:
    claiming(patch, lambda claim, _: replace(claim, object=claim.object.lower()))


@fault("spans")
def a_span_ends_one_too_far(patch: pytest.MonkeyPatch) -> None:
    claiming(patch, lambda claim, _: replace(claim, end=claim.end + 1))


@fault("locality")
def what_is_read_depends_on_the_paragraphs_around(patch: pytest.MonkeyPatch) -> None:
    claiming(patch, lambda claim, text: replace(claim, tense="past") if "\n\n" in text[: claim.start] else claim)


@fault("idempotent")
def a_claim_is_made_twice(patch: pytest.MonkeyPatch) -> None:
    settled = found.settled
    patch.setattr(matcher, "settled", lambda claims: settled(claims) + settled(claims)[:1])


@fault("disable")
def the_lower_priority_wins(patch: pytest.MonkeyPatch) -> None:
    settled = found.settled
    patch.setattr(matcher, "settled", lambda claims: settled([each._replace(priority=-each.priority) for each in claims]))


@fault("disable")
def a_rule_switched_off_still_speaks(patch: pytest.MonkeyPatch) -> None:
    ruling(patch, lambda rule: replace(rule, enabled=True))


@fault("disable")
def switching_one_rule_off_switches_off_its_kind(patch: pytest.MonkeyPatch) -> None:
    def spread(packs: Sequence[Pack]) -> Sequence[Pack]:
        off = {rule.kind for pack in packs for rule in pack.rules if not rule.enabled}
        return [replace(pack, rules=tuple(replace(rule, enabled=rule.kind not in off) for rule in pack.rules)) for pack in packs]

    packing(patch, spread)


@fault("disable")
def an_override_of_the_confidence_touches_more(patch: pytest.MonkeyPatch) -> None:
    ruling(patch, lambda rule: replace(rule, polarity="-" if rule.confidence < 0.5 else rule.polarity))


@fault("deterministic")
def reading_leaves_something_behind(patch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def counting(claim: Claim, text: str) -> Claim:
        read.append(text)
        return replace(claim, confidence=claim.confidence - 0.001 * (len(read) % 2))

    claiming(patch, counting)


@fault("deterministic")
def the_pack_loaded_last_wins(patch: pytest.MonkeyPatch) -> None:
    def raised(pack: Pack, by: int) -> Pack:
        return replace(pack, rules=tuple(replace(rule, priority=rule.priority + by) for rule in pack.rules))

    packing(patch, lambda packs: [raised(pack, 100 * place) for place, pack in enumerate(packs)])


@fault("engines")
def patterns_take_the_longest_match(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(compiled.Pattern, "compiled", property(lambda self: regex.compile(self.source, regex.POSIX)))


@fault("round-trip")
def a_priority_is_read_one_too_low(patch: pytest.MonkeyPatch) -> None:
    ruling(patch, lambda rule: replace(rule, priority=rule.priority - 1))


@fault("round-trip")
def a_key_nobody_knows_is_let_through(patch: pytest.MonkeyPatch) -> None:
    loads = tomllib.loads
    patch.setattr(tomllib, "loads", lambda text: loads(text.replace("colour = 1", "")))


def check(rules: RuleSet, drawn: Sequence[str], only: Collection[str] | None = None) -> None:
    """The properties on all of the texts."""
    for text in drawn:
        assert_properties(rules, text, only)


@pytest.mark.no_cover  # the same lines, hundreds of times
def test_a_whole_engine_holds_all_of_them(pack: Path) -> None:
    """Nothing is caught where nothing is planted."""
    drawn = texts(pack)
    rules = proved(pack)
    check(rules, drawn)
    fired = {claim.rule for text in drawn for role in rules.roles for claim in rules.claims(text, role)}
    assert fired == {rule.id for rule in rules}


@pytest.mark.parametrize("name", FAULTS, ids=[f"{name}->{caught_by}" for name, (caught_by, _) in FAULTS.items()])
def test_a_planted_fault_is_caught(name: str, pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The property that is there for it does not hold any more."""
    drawn = texts(pack)
    caught_by, plant = FAULTS[name]
    plant(monkeypatch)
    rules = proved(pack)
    with pytest.raises(PropertyFailed, match=f"^{caught_by}"):
        check(rules, drawn, {caught_by})


def test_there_are_enough_faults_and_every_property_catches_one() -> None:
    """Twenty at least; `linear` is tried by the benchmarks."""
    assert len(FAULTS) >= 20
    assert {caught_by for caught_by, _ in FAULTS.values()} == PROPERTIES.keys() - {"linear"}
