"""The shipped packs hold what must hold of any rule set, on texts made from rules drawn at random (the fifteen properties).

`make test` tries 500 texts a property and 120 rules made up anew; the `torture` marker runs the profile `thorough`, 50,000 of each.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from datetime import timedelta
from functools import cache
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st

from ethos.app import Ethos
from ethos.core.model.settings import Settings
from ethos.core.ports.queries import FactFilter
from ethos.core.rules.compiled import compile_shared
from ethos.core.rules.regex.attack_strings import attack_strings
from ethos.core.rules.regex.cost import MAX_WORK, SURE_WORK, work
from ethos.core.rules.rule import Rule
from ethos.edge.cli.workbench.properties import TIMED
from ethos.edge.cli.workbench.properties.case import Case
from ethos.edge.cli.workbench.properties.matching import compile_by_regex
from ethos.edge.cli.workbench.trying import draw_texts
from ethos.edge.rulebook import shipped_rules
from ethos.edge.rulebook.patterns import MAX_PUMPS
from ethos.testing import (
    PROPERTIES,
    PropertyFailed,
    RuleError,
    RuleSet,
    assert_properties,
    assert_round_trip,
    assert_same_elsewhere,
    chat_turns,
    corpus_report,
    dump,
    hostile_texts,
    near_misses,
    rule_sets,
    rule_variants,
    texts_about,
    texts_for,
)
from tests.support.proven import PROOFS
from tests.support.telling import NOON, said

CASES = 500
STEADY = settings(
    max_examples=CASES,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
settings.register_profile("thorough", STEADY, max_examples=50_000)
THOROUGH = settings.get_profile("thorough")

VARIANTS = 120  # rules made up anew, each written down and read again
TOGETHER = 8  # of them at once
PATTERN_SECONDS = 0.25  # that one pattern may take over one sentence, as `regex` counts them

unwatched = (
    pytest.mark.no_cover
)  # coverage would triple the time: the same lines run in thousands of cases, and other tests show them to it


@cache
def shipped() -> RuleSet:
    """The shipped packs, loaded once and only where they are needed."""
    return rule_sets(shipped_rules(), cache=PROOFS)


def hold(cases: int) -> None:
    """Try every property on texts about all rules, each drawn once for all of them; then in another process with another hash seed."""
    rules = shipped()
    texts = draw_texts(list(rules), cases)
    for text in texts:
        assert_properties(rules, text)
    speaking = sum(bool(rules.claims(text)) for text in texts)
    assert len(texts) > cases // 2
    assert speaking > cases // 8, "too few of the texts say anything"
    assert_same_elsewhere(rules, texts)


def come_back(cases: int) -> None:
    """Rules with other words and numbers are written down and read again, many of a pack at once (property 15)."""
    packs = [pack for pack in shipped().by_pack.values() if pack]  # a pack of clauses alone gives none while `clauses` is off

    @settings(STEADY, max_examples=cases // TOGETHER, phases=[Phase.generate])
    @given(st.data())
    def comes_back(data: st.DataObject) -> None:
        pack = data.draw(st.sampled_from(packs))
        drawn = data.draw(st.lists(st.sampled_from(pack), min_size=TOGETHER, max_size=TOGETHER))
        variants = [data.draw(rule_variants(rule)) for rule in drawn]
        assert_round_trip(*(replace(rule, id=f"{rule.id}.{number}") for number, rule in enumerate(variants)))

    comes_back()


def test_every_property_is_tried_and_numbered_as_in_the_list() -> None:
    """Fifteen, each with a name; all but the one that measures time are tried here."""
    assert sorted(each.number for each in PROPERTIES.values()) == list(range(1, 16))
    assert set(PROPERTIES) >= TIMED == {"linear"}


@unwatched
def test_the_properties_hold_for_the_shipped_packs() -> None:
    """On 500 texts made from rules drawn at random; another process with another hash seed reads them the same."""
    hold(CASES)


@unwatched
def test_patterns_are_read_alike_by_another_engine() -> None:
    """The subset is portable: `regex` finds the same first match as the standard library in our own sentences (property 6)."""
    for rule in shipped():
        for pattern in rule.patterns:
            ours, theirs = compile_shared(pattern), compile_by_regex(pattern)  # compiled for the properties above: it takes long
            for example in rule.examples:
                text = example.text.lower()
                one, other = ours.search(text), theirs.search(text)
                assert (one and one.span()) == (other and other.span())


@unwatched
def test_shipped_patterns_pass_the_gate() -> None:
    """They are not gated at load, because this test has done it: no pattern is over the limit, none hangs on the texts made for it."""
    patterns = [pattern for rule in shipped() for pattern in (*rule.patterns, *(unless.pattern for unless in rule.unless))]
    for pattern in dict.fromkeys(patterns):
        steps = work(pattern)
        assert steps <= MAX_WORK, pattern
        if steps > SURE_WORK:
            compiled = compile_by_regex(pattern)
            for text in islice(attack_strings(pattern), MAX_PUMPS):
                compiled.search(text, timeout=PATTERN_SECONDS)


@unwatched
def test_rules_written_down_come_back_the_same() -> None:
    """120 rules with random words, numbers and effects are written as TOML and read again; unknown keys are refused (property 15)."""
    come_back(VARIANTS)


@unwatched
@pytest.mark.torture
def test_the_properties_hold_thoroughly() -> None:
    """The same on 50,000 texts."""
    hold(THOROUGH.max_examples)


@unwatched
@pytest.mark.torture
def test_rules_come_back_thoroughly() -> None:
    """The same for 50,000 rules."""
    come_back(THOROUGH.max_examples)


@unwatched
@pytest.mark.torture
@pytest.mark.parametrize("name", ["hostile", "talk"])
def test_reading_takes_time_in_proportion_to_the_text(name: str) -> None:
    """Twice as much text takes at most 2.5 times as long, for pumped text of each rule and for talk (property 12)."""
    for rule in shipped():
        texts = hostile_texts(rule) if name == "hostile" else texts_for(rule)

        @settings(max_examples=2, derandomize=True, database=None, deadline=None, phases=[Phase.generate])
        @given(texts)
        def stays_linear(text: str) -> None:
            assert_properties(shipped(), text, only={"linear"})

        stays_linear()


@unwatched
def test_a_cycle_over_them_writes_once_whatever_the_size_of_its_units(
    open_ethos: Callable[[Settings], Ethos], settings: Settings, tmp_path: Path
) -> None:
    """Consolidating twice writes nothing new, and units of 7 or of 100 episodes give the same facts (property 3, on a real store)."""
    texts: list[str] = []

    @STEADY.__class__(STEADY, max_examples=150, phases=[Phase.generate])
    @given(texts_about(shipped()).filter(lambda text: text.isprintable() and text.strip() != ""))
    def collect(text: str) -> None:
        texts.append(text)

    collect()
    held = []
    for size in (7, 100):
        place = replace(settings.ethos, database=str(tmp_path / f"{size}.db"), state=str(tmp_path / f"state-{size}"))
        ethos = open_ethos(replace(settings, ethos=place, consolidation=replace(settings.consolidation, batch_size=size)))
        times = [NOON + timedelta(minutes=number) for number in range(len(texts))]
        ethos.capture(replace(said(text, at=at), captured_at=at) for text, at in zip(texts, times, strict=True))
        assert ethos.consolidate().episodes_promoted > 0
        facts = ethos.facts(FactFilter("default"))
        assert sum(ethos.consolidate().counts.values()) == 0
        assert ethos.facts(FactFilter("default")) == facts
        held.append({(fact.statement, fact.confidence, fact.flagged) for fact in facts})
    assert held[0] == held[1]


@unwatched
def test_texts_for_a_rule_make_it_speak() -> None:
    """For every shipped rule a text is found on which it fires and that is none of its examples."""
    for rule in shipped():
        told = {example.text for example in rule.examples}

        def speaks(text: str, rule: Rule = rule, told: Collection[str] = told) -> bool:
            return text not in told and any(claim.rule == rule.id for claim in shipped().claims(text))

        find(texts_for(rule), speaks, settings=settings(max_examples=500, database=None, derandomize=True, phases=[Phase.generate]))


@given(st.data())
@settings(max_examples=60, derandomize=True, database=None, deadline=None)
def test_every_strategy_gives_texts(data: st.DataObject) -> None:
    """Near misses, talk, hostile texts within their size, and texts without talk around them."""
    rule = data.draw(st.sampled_from(shipped().rules.rules))
    assert isinstance(data.draw(near_misses(rule)), str)
    assert data.draw(chat_turns())
    assert len(data.draw(hostile_texts(rule, max_size=300))) <= 300
    assert data.draw(texts_for(rule, embed=False)) is not None


def test_a_rule_set_that_cannot_be_loaded_says_where(tmp_path: Path) -> None:
    """The error of `rule_sets` is what `ethos rules check` prints."""
    path = tmp_path / "broken.toml"
    path.write_text('schema = 1\npack = "broken"\ncolour = 2\n', encoding="utf-8")
    with pytest.raises(RuleError, match=r"broken\.toml:3:1  E-UNKNOWN-KEY"):
        rule_sets(path)


@pytest.mark.parametrize("summary", ["\"'''\"", '\'"""\'', '"""of \\n two lines"""', '"""two\nlines""" # and "', '"a" # it\'s'])
def test_a_place_is_right_whatever_texts_stand_before_it(tmp_path: Path, summary: str) -> None:
    """Quotation marks inside a text of another kind open nothing, and a text of several lines ends where it ends."""
    path = tmp_path / "broken.toml"
    path.write_text(f'schema = 1\npack = "broken"\n[[rule]]\nsummary = {summary}\nid = "a"\ncolour = 2\n', encoding="utf-8")
    with pytest.raises(RuleError) as refused:
        rule_sets(path)
    (problem,) = (problem for problem in refused.value.problems if problem.code == "E-UNKNOWN-KEY")
    assert (problem.line, problem.column, problem.source) == (6 + summary.count("\n"), 1, "colour = 2")


@unwatched
@pytest.mark.parametrize("text", [", reply in french:", "The docs say:", "Known facts: we use Consul."])
def test_what_announces_the_words_of_others_is_open_to_its_end(text: str) -> None:
    """Nothing that follows it is read, so that no property about paragraphs beside each other can be asked of it; the others hold."""
    assert not shipped().claims(f"{text}\n\nWe decided to use Consul.", "user")[1:]
    assert Case(shipped(), text).open
    assert not Case(shipped(), text.replace(":", ".")).open
    assert_properties(shipped(), text, only=PROPERTIES.keys() - TIMED - {"round-trip"})  # that one is of no text


def test_a_property_is_asked_for_by_its_name() -> None:
    """A name that is none is refused with those there are."""
    assert_properties(shipped(), "We decided to use Consul.", only={"spans"})
    with pytest.raises(ValueError, match="no such property: span; there are spans,"):
        assert_properties(shipped(), "We decided to use Consul.", only={"span"})


def test_a_failure_names_the_property_the_rule_and_the_text(tmp_path: Path) -> None:
    """What an author reads when a rule keeps what is asked, in a pack whose counter-example says otherwise."""
    path = tmp_path / "mine.toml"
    path.write_text(dump(replace(shipped()["core-en/decision.lets-use"], id="mine/use", examples=())).replace('"stable"', '"experimental"'))
    rules = rule_sets(path)
    rules.rules.rules[0].modifiers.update(quote="drop", hedge=0.5)  # type: ignore[attr-defined]  # (a rule turned bad after it was read)
    with pytest.raises(PropertyFailed) as failed:
        assert_properties(replace_confidence(rules), "Let's use Consul.")
    assert (failed.value.name, failed.value.rule) == ("bounds", "mine/use")
    assert 'text: "Let\'s use Consul."' in str(failed.value)


def replace_confidence(rules: RuleSet) -> RuleSet:
    """The set with its rules said to be less certain than what they give."""
    rules._by_id = {rule_id: replace(rule, confidence=0.1) for rule_id, rule in rules._by_id.items()}
    return rules


def test_a_corpus_is_counted_by_rule(tmp_path: Path) -> None:
    """Claims, turns, overlaps and conflicts of each rule over a file of turns, and which rules are silent."""
    talk = tmp_path / "talk.jsonl"
    talk.write_text(
        '{"role": "user", "text": "We decided to use Consul. Let\'s use pnpm instead of yarn."}\n\n'
        '{"role": "assistant", "text": "We decided to use Nomad."}\n'
        '{"text": "Nice weather."}\n',
        encoding="utf-8",
    )
    report = corpus_report(shipped(), talk)
    by_rule = {tally.rule: tally for tally in report.tallies}
    assert (report.turns, report.covered) == (3, 1)
    assert (by_rule["core-en/decision.decided-to-use"].claims, by_rule["core-en/decision.decided-to-use"].turns) == (1, 1)
    assert by_rule["core-en/decision.decided-to-use"].sample == "We decided to use Consul"
    assert "core-en/preference.name-loves" in report.silent
    assert str(report).splitlines()[0].startswith("3 turns, 1 with a claim (33.3%)")
    talk.write_text('{"role": "user"}\n', encoding="utf-8")
    with pytest.raises(ValueError, match=r"talk\.jsonl:1: a JSON object with a text"):
        corpus_report(shipped(), talk)


def test_a_corpus_may_be_plain_lines(tmp_path: Path) -> None:
    """One turn a line, where the file is no JSON lines."""
    talk = tmp_path / "talk.txt"
    talk.write_text("We decided to use Consul.\nWe decided to use Nomad.\n", encoding="utf-8")
    assert corpus_report(shipped(), talk).tallies[0].turns == 2
