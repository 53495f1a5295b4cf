"""Conservation: what goes into a pass comes out of it, or nothing of it is kept; and the check would notice (threats.md, 1)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from ethos.app import Ethos, consolidate
from ethos.core.model.errors import Refused
from ethos.core.model.plan import ChangeSet, Plan
from ethos.core.model.records import EpisodeState, Evidence, Fact
from ethos.core.model.settings import Settings
from ethos.core.passes.context import Context
from ethos.core.passes.definition import Pass
from ethos.core.passes.stage import Stage
from ethos.core.ports.queries import FactFilter
from ethos.edge.jsonio.shapes import plain
from ethos.edge.render import report
from ethos.stages.consolidate import learn
from ethos.stages.passes import CONSOLIDATE, CYCLE
from ethos.store.sqlite import apply
from ethos.store.sqlite.driver import library
from tests.support.telling import NOON, said

FIRST = ("We decided to use Rust", "Michael prefers tea over coffee")
SECOND = ("We decided to use Go", "We'll use Redis for caching", "Nice weather today")

Fault = Callable[[Plan], Plan]


def without_mark(plan: Plan) -> Plan:
    """An episode that was read is left in no state."""
    return Plan((*plan.groups[:-1], _less(plan.groups[-1], EpisodeState)))


def without_evidence(plan: Plan) -> Plan:
    """Facts with nothing under them."""
    return Plan(tuple(_less(group, Evidence) for group in plan.groups))


def without_group(plan: Plan) -> Plan:
    """An episode that is forgotten on the way."""
    return Plan(plan.groups[1:])


def unpromoted(plan: Plan) -> Plan:
    """Episodes that gave facts, and would be read again."""
    return Plan(tuple(_changed(group, EpisodeState, consolidated_at=None) for group in plan.groups))


def marked_twice(plan: Plan) -> Plan:
    """One episode in two states."""
    return Plan((*plan.groups, *plan.groups[:1]))


def of_nobody(plan: Plan) -> Plan:
    """A mark for an episode that was read by somebody else."""
    stranger = said(FIRST[0], at=NOON)
    return Plan((*plan.groups, ChangeSet(stranger.id, (EpisodeState(stranger.id, NOON, "rules"),))))


def replaced_by_nobody(plan: Plan) -> Plan:
    """A fact whose successor is nowhere."""
    groups = []
    for group in plan.groups:
        puts = tuple(replace(p, superseded_by="f-nobody") if isinstance(p, Fact) and p.superseded_by else p for p in group.puts)
        groups.append(group._replace(puts=puts))
    return Plan(tuple(groups))


def _less(group: ChangeSet, kind: type) -> ChangeSet:
    return group._replace(puts=tuple(put for put in group.puts if not isinstance(put, kind)))


def _changed(group: ChangeSet, kind: type, **fields: object) -> ChangeSet:
    return group._replace(puts=tuple(replace(put, **fields) if isinstance(put, kind) else put for put in group.puts))  # type: ignore[arg-type]  # fields of the kind


def faulty(fault: Fault) -> tuple[Pass, ...]:
    """The passes of a cycle, the first of them with a bug in its stage."""

    def decide(needs: learn.Needs, ctx: Context) -> Plan:
        return fault(learn.decide(needs, ctx))

    return (replace(CONSOLIDATE, stages=(Stage("learn", learn.gather, decide),)), *CYCLE[1:])


@pytest.fixture
def before(ethos: Ethos) -> Ethos:
    """A memory that holds something, and has more to read."""
    ethos.capture(said(each, at=NOON + timedelta(minutes=at)) for at, each in enumerate(FIRST))
    ethos.consolidate()
    ethos.capture(said(each, at=NOON + timedelta(days=1, minutes=at)) for at, each in enumerate(SECOND))
    return ethos


def held(ethos: Ethos) -> object:
    """Everything about facts and episodes."""
    return ethos.facts(FactFilter("default", history=True)), ethos.status().counts


def is_rolled_back(ethos: Ethos, said_so: str) -> None:
    """The pass fails with these words, keeps nothing, and says so wherever one looks; the next one, without the bug, reads it all."""
    untouched = held(ethos)
    with pytest.raises(Refused, match="failed a check") as caught:
        ethos.consolidate()
    assert said_so in caught.value.problem.what
    assert held(ethos) == untouched
    run = ethos.status().runs[0]
    assert (run.outcome, said_so in run.problem) == ("failed", True)
    status = {**plain(ethos.status()), "rule_packs": 1, "rule_problems": [], "daemon": None}
    assert any(said_so in line for line in report.status(status))


@pytest.mark.parametrize(
    ("fault", "said_so"),
    [
        (without_mark, "would be left in no state"),
        (without_evidence, "nothing ties episode"),
        (without_group, "would be left in no state"),
        (unpromoted, "would not be marked so"),
        (marked_twice, "would come out twice"),
        (of_nobody, "was not in this unit"),
        (replaced_by_nobody, "replaced by f-nobody, which is not held"),
    ],
)
def test_t2_a_stage_that_loses_something_is_rolled_back(before: Ethos, monkeypatch: pytest.MonkeyPatch, fault: Fault, said_so: str) -> None:
    """Each kind of loss, planted in the last stage: nothing of the unit stays, and the next pass without the bug reads all of it."""
    monkeypatch.setattr(consolidate, "CYCLE", faulty(fault))
    is_rolled_back(before, said_so)
    monkeypatch.undo()
    assert before.consolidate().facts_created == 1
    assert before.store.check() == []


def test_t2_a_store_that_loses_a_fact_is_rolled_back(before: Ethos, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was decided is compared with what was written."""
    put_facts = apply._put_facts
    monkeypatch.setattr(apply, "_put_facts", lambda sql, facts: put_facts(sql, facts[:-1]))
    is_rolled_back(before, "new facts were decided, and")


DAMAGE = {
    "facts without a current version": "UPDATE facts SET closed_at = recorded_at + 1",
    "versions of facts that do not follow one another": "UPDATE facts SET version = version + 5 WHERE closed_at IS NULL",
    "facts whose successor is not held": "UPDATE facts SET superseded_by = 'f-nobody' WHERE superseded_by IS NOT NULL",
    "facts that replace one another in a circle": "UPDATE facts SET superseded_by = (SELECT max(id) FROM facts) WHERE closed_at IS NULL",
    "episodes that gave facts, and nothing tells which": "DELETE FROM evidence",
    "facts in question that no question is about": "DELETE FROM questions",
    "open questions about a fact that is held no longer": "UPDATE facts SET retired_at = 1 WHERE flagged = 1",
    "episodes without a mark": "DELETE FROM marks",
}


@pytest.mark.parametrize("what", DAMAGE)
def test_t2_the_whole_store_is_checked(before: Ethos, settings: Settings, what: str) -> None:
    """By `ethos doctor`: each way in which a record can be out of reach is noticed, and said in words."""
    before.capture([said("Michael prefers coffee over tea", at=NOON + timedelta(days=2))])
    before.consolidate()
    assert before.store.check() == []
    module = library().module
    with closing(module.connect(Path(settings.ethos.database), isolation_level=None)) as raw:
        raw.execute(DAMAGE[what])
    assert any(line.endswith(what) for line in before.store.check()), before.store.check()
