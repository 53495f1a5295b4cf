"""A memory driven at random against a simple model of it: captures, consolidations, answers, undos, forgetting, time, changes of rules.

The model knows which episodes there are, which runs count, and how the memory looked before and after each run. It does not know how
claims are weighed: what it holds against the memory is that nothing is lost, doubled or out of reach, that a run that is taken back
leaves no trace, and that a rehearsal says what then happens.
"""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from copy import copy
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from ethos.app import Ethos
from ethos.core.facts.evidence import AFFIRMING, WeightedEvidence, rebuild_fact
from ethos.core.history.diff import Difference
from ethos.core.history.erasure import ErasureRequest
from ethos.core.model.errors import Refused
from ethos.core.model.records import Episode, Fact, Origin
from ethos.core.model.settings import Settings
from ethos.core.ports.queries import FactFilter
from ethos.core.ports.store import Work
from ethos.edge.erasure.known_files import Files
from ethos.edge.files.mac import Sealing
from ethos.edge.inbox import MarkdownInbox
from ethos.store import open_store
from tests.conftest import SetClock
from tests.support import other_rules, proven
from tests.support.telling import NOON, said

WORDS = (
    "We decided to use Rust",
    "We decided to use Go",
    "Michael prefers Rust over Python",
    "Michael prefers Python over Rust",
    "We'll use Redis for caching",
    "We'll use Memcached for caching",
    "We no longer use Redis",
    "I love Rust",
    "I hate Rust",
    "My favorite editor is Vim",
    "My favorite editor is Vim with plugins",
    "The heron stood in the reeds",
)
ACTIONS = ("keep-old", "keep-new", "keep-both")
OTHERS: tuple[dict[str, Any], ...] = (
    {},  # others by name only
    {"times": 0.8},
    {"times": 0.3},  # so weak that a claim is believed only by repetition
    {"without": "preference"},
    {"without": "decision"},
    {"roles": ("user", "assistant")},
)
Picture = dict[str, tuple[object, ...]]


class MemoryMachine(RuleBasedStateMachine):
    """One memory in a real SQLite file, from empty."""

    def __init__(self) -> None:
        super().__init__()
        self.stack = ExitStack()
        self.folder = Path(self.stack.enter_context(tempfile.TemporaryDirectory()))
        self.clock = SetClock()
        self.ethos = self._opened()
        self.episodes: dict[str, Episode] = {}
        self.forgotten: set[str] = set()
        self.undone: dict[str, str | None] = {}  # run -> what took it back
        self.undoes: dict[str, str] = {}  # undo -> what it took back
        self.last: tuple[str, Picture] | None = None  # the last run that changed something, and how things stood before it
        self.diffs: dict[str, tuple[Difference, ...]] = {}  # of each run, as it was told when it was over
        self.numbers = iter(range(10_000))

    def _opened(self) -> Ethos:
        plain = Settings()
        settings = replace(
            plain,
            ethos=replace(plain.ethos, database=str(self.folder / "ethos.db"), state=str(self.folder / "state")),
            conflict_resolution=replace(plain.conflict_resolution, review_inbox=str(self.folder / "inbox.md")),
            inbox=replace(plain.inbox, settle_seconds=0.0),
        )
        state = Path(settings.ethos.state)
        store = open_store(self.folder / "ethos.db")
        ethos = Ethos(
            store,
            proven.rules(),
            settings,
            self.clock,
            guard=store.run_lease,
            traces=Files(settings, open_store),
            seal=Sealing(state),
            review=MarkdownInbox(self.folder / "inbox.md", state, 0.0),
        )
        self.stack.callback(ethos.close)
        return ethos

    def teardown(self) -> None:
        """Close the file and remove it."""
        self.stack.close()

    # -- what happens

    @rule(words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=4), day=st.integers(0, 6), user=st.integers(0, 9))
    def capture(self, words: list[str], day: int, user: int) -> None:
        """Somebody talks: now or in a talk that comes in late; one time in ten it is the assistant."""
        self._move()
        for each in words:
            at = NOON + timedelta(days=day, seconds=next(self.numbers))
            who: dict[str, Any] = {} if user else {"role": "assistant", "origin": Origin.ASSISTANT}
            episode = said(each, at=at, importance=0.9 if "heron" in each else None, **who)
            self.episodes[episode.id] = episode
            self.ethos.capture([episode, episode])

    @rule(words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=2), day=st.integers(0, 6))
    def talk(self, words: list[str], day: int) -> None:
        """Somebody talks, and it is read at once."""
        self.capture(words, day, 1)
        self.consolidate(rehearse=False)

    @rule()
    def capture_again(self) -> None:
        """What is held or forgotten is not taken in a second time."""
        known = [*self.episodes.values()]
        assert self.ethos.capture(known).added == 0

    @rule(rehearse=st.booleans())
    def consolidate(self, rehearse: bool) -> None:
        """A cycle. A rehearsal changes nothing, and says what the cycle then makes of it."""
        self._move()
        before = self.picture()
        told = self.ethos.consolidate(dry_run=True) if rehearse else None
        assert self.picture() == before
        cycle = self.ethos.consolidate()
        assert cycle.failures == ()
        if told is not None:
            assert told.diff == self.ethos.diff(cycle.run).differences
            assert told.counts == cycle.counts
        assert cycle.episodes_scanned >= cycle.episodes_promoted
        self._ran(cycle.run, before)

    @rule(days=st.integers(1, 400))
    def time_goes_by(self, days: int) -> None:
        """Things fade at the next cycle."""
        self.clock.move(days=days)

    @rule(of=st.sampled_from(OTHERS))
    def rules_change(self, of: dict[str, Any]) -> None:
        """What gave no fact is read again at the next cycle, and so is what an undone run read: by the same rules, or otherwise."""
        rules = copy(other_rules.rules(**of))
        rules.hash = f"rules-{next(self.numbers)}"
        self.ethos.rules = rules

    @precondition(lambda self: self.ethos.inbox())
    @rule(pick=st.integers(0, 99), action=st.sampled_from(ACTIONS))
    def answer(self, pick: int, action: Any) -> None:
        """A person decides."""
        self._move()
        waiting = [entry.question for entry in self.ethos.inbox()]
        question = waiting[pick % len(waiting)]
        if question.of_quarantine:
            action = "reject" if action == "keep-old" else "accept"
        before = self.picture()
        assert self.ethos.answer(question.id, action).applied
        self._ran(self.ethos.status().runs[0].id, before)

    @precondition(lambda self: self.undone)
    @rule(pick=st.integers(0, 99), latest=st.booleans())
    def undo(self, pick: int, latest: bool) -> None:
        """Any run is taken back; the last one leaves no trace."""
        self._move()
        runs = [*self.undone]
        run = self.last[0] if latest and self.last else runs[pick % len(runs)]
        last = self.last
        if self._may_not(run):
            with pytest.raises(Refused):
                self.ethos.undo(run)
            return
        self._undo(run)
        if last is not None and last[0] == run:
            assert self.picture() == last[1]

    def _undo(self, run: str) -> str:
        self._move()
        before = self.picture()
        undo = self.ethos.undo(run).run.id
        self._count(run, undo)
        self.undoes[undo] = run
        self._ran(undo, before)
        if self.picture() == before:
            self.last = None  # what is held may rest on other readings now
        return undo

    @precondition(lambda self: self.episodes)
    @rule(pick=st.integers(0, 99))
    def forget(self, pick: int) -> None:
        """One turn, for good."""
        self._move()
        episode = [*self.episodes][pick % len(self.episodes)]
        receipt = self.ethos.forget(ErasureRequest((episode,)))
        assert receipt.proven, (receipt.scan, receipt.problems, receipt.index)
        self.forgotten.add(episode)
        del self.episodes[episode]
        self.last = None
        self.diffs = {}  # what is gone is gone from them, too

    @rule()
    def look_back(self) -> None:
        """What a run did never changes, whatever came after it."""
        for run, told in self.diffs.items():
            assert self.ethos.diff(run).differences == told, run

    @precondition(lambda self: self.undone)
    @rule(data=st.data())
    def there_and_back(self, data: st.DataObject) -> None:
        """Every run that counts is taken back, in any order: nothing is held, nothing is asked. And that taken back, the last first: as
        if nothing had been.
        """
        runs = [run for run, by in self.undone.items() if by is None and run not in self.undoes and not self._may_not(run)]
        undos = [(self.picture(), self._undo(run)) for run in data.draw(st.permutations(runs))]
        if all(by or run in self.undoes for run, by in self.undone.items()):
            assert self.ethos.facts(FactFilter("default")) == ()
        for before, undo in reversed(undos):
            self._undo(undo)
            assert self.picture() == before

    # -- what must be so, whatever happens

    @invariant()
    def nothing_is_out_of_reach(self) -> None:
        """The store's own check of the whole finds nothing."""
        wrong = self.ethos.store.check()
        assert not wrong, wrong

    @invariant()
    def every_episode_is_there(self) -> None:
        """With its words, in one state, marked if what it gave counts; and what was forgotten is not."""
        with self.ethos.store.begin() as work:
            held = work.episodes([*self.episodes, *self.forgotten])
            marks = work.marks([*self.episodes, *self.forgotten])
            resting = {piece.fact for piece in work.evidence_in([*self.episodes])}
            in_force = work.evidence(resting, in_force=True)
        assert {id_: episode.text for id_, episode in held.items()} == {id_: episode.text for id_, episode in self.episodes.items()}
        assert marks.keys() == self.episodes.keys()
        gave = {piece.episode for piece in in_force}
        assert {id_ for id_, mark in marks.items() if mark.consolidated_at} == gave
        counts = self.ethos.status().counts
        assert counts.episodes == len(self.episodes)
        assert counts.set_aside == 0

    @invariant()
    def the_right_runs_count(self) -> None:
        """As the model has it."""
        with self.ethos.store.begin() as work:
            for run, by in self.undone.items():
                found = work.run(run)
                assert found is not None
                assert found.undone_by == by, run

    @invariant()
    def what_is_held_rests_on_something(self) -> None:
        """On evidence that counts, and says what that says where what made it still does; or on a person's word, given or asked for."""
        held = self.ethos.facts(FactFilter("default"))
        with self.ethos.store.begin() as work:
            resting = self._resting(work, [fact.id for fact in held])
            for fact in held:
                if any(piece.evidence.verdict not in AFFIRMING for piece in resting.get(fact.id, [])):
                    assert _content(fact) == _content(rebuild_fact(fact, resting[fact.id])), resting[fact.id]
                elif fact.id not in resting:
                    assert [q for q in work.questions(facts=[fact.id]) if q.resolved_at is None or q.action], fact.statement

    # -- the model

    def _resting(self, work: Work, facts: list[str]) -> dict[str, list[WeightedEvidence]]:
        """What each of these facts rests on."""
        pieces: dict[str, list[WeightedEvidence]] = {}
        for piece in work.evidence(facts, in_force=True):
            run = work.run(piece.run)
            assert run is not None
            pieces.setdefault(piece.fact, []).append(WeightedEvidence(piece, self.episodes[piece.episode].origin, run.started_at))
        return pieces

    def picture(self) -> Picture:
        """Every fact that counts for something, without the bookkeeping of versions, and every open question."""
        found = [fact for fact in self.ethos.facts(FactFilter("default", history=True)) if fact.closed_at is None]
        picture: Picture = {fact.id: _content(fact) for fact in found if fact.retired_at is None}
        for entry in self.ethos.inbox():
            picture[entry.question.id] = (entry.question.existing, entry.question.new, entry.question.repeats)
        return picture

    def _move(self) -> None:
        self.clock.move(seconds=2)

    def _ran(self, run: str, before: Picture) -> None:
        """A run is over: its diff tells everything that is other than it was."""
        self.undone[run] = None
        after = self.picture()
        self.diffs[run] = self.ethos.diff(run).differences
        told = {line.id for line in self.diffs[run]}
        for id_ in before.keys() | after.keys():
            assert before.get(id_) == after.get(id_) or id_ in told, (id_, before.get(id_), after.get(id_))
        active, was = ({id_ for id_, stands in of.items() if id_.startswith("f-") and stands[2] is None} for of in (after, before))
        facts = {line.id: line.sign for line in self.diffs[run] if line.type == "fact"}
        assert {id_ for id_, sign in facts.items() if sign == "+" and id_ in active} == active - was
        assert {id_ for id_, sign in facts.items() if sign == "-"} == was - active
        if after != before:
            self.last = (run, before)

    def _may_not(self, run: str) -> bool:
        """Whether undoing it is refused: it is undone, changed nothing, or would make a run count that is undone otherwise."""
        if self.undone[run]:
            return True
        if run not in self.undoes:
            with self.ethos.store.begin() as work:
                found = work.run(run)
                assert found is not None
                return not (work.changes(run) or found.counts.get("episodes_scanned"))
        target = self.undoes[run]
        beneath = self.undoes.get(target)
        return beneath is not None and self.undone[beneath] is not None

    def _count(self, run: str, undo: str) -> None:
        """Which runs count once this one is undone."""
        self.undone[run] = undo
        counts = True
        while (beneath := self.undoes.get(run)) is not None:
            self.undone[beneath] = None if counts else run
            run, counts = beneath, not counts


def _content(fact: Fact) -> tuple[object, ...]:
    return (fact.statement, fact.confidence, fact.superseded_by, fact.valid_from, fact.valid_to, fact.affirmed_at, fact.flagged)
