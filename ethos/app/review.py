"""Reviewing: questions are shown to a person, and what they decide is applied, each answer as a run of its own (X-E11)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from typing import TYPE_CHECKING, Any

from ethos.app import explain
from ethos.app.bank_review import memory_entries
from ethos.app.claim_entries import claim_entries
from ethos.app.dependencies import Dependencies
from ethos.app.first_use import at_first_use
from ethos.core.model import ids
from ethos.core.model.errors import refuse
from ethos.core.model.events import Answered as AnswerTaken
from ethos.core.model.events import AnswerOutcome
from ethos.core.model.questions import MemoryQuestion
from ethos.core.model.records import Action, Question
from ethos.core.ports.review_file import AnyEntry, Decision, MemoryEntry, ReviewFile
from ethos.core.ports.store import Work
from ethos.core.review import RESOLVED_SHOWN
from ethos.core.review.kinds import OF_MEMORIES, kind_of

if TYPE_CHECKING:
    from ethos import engine
    from ethos.core.passes.stage import Stage
    from ethos.stages.person import settle, settle_memory
else:  # most settlings find no answer
    engine = at_first_use("ethos.engine")
    settle = at_first_use("ethos.stages.person.settle")
    settle_memory = at_first_use("ethos.stages.person.settle_memory")

_LAST_ANSWERS = 10_000  # answers, the last ones, among which the one of a question is looked for


@dataclass(frozen=True, slots=True)
class Answered:
    """What came of an answer. `applied` is False when it had been given before."""

    question: str
    action: Action
    applied: bool
    text: str
    run: str = ""  # which to undo takes the answer back; "" where nothing was applied


class Review:
    """The review file of a memory, or none; and the answers, wherever they come from."""

    def __init__(self, deps: Dependencies, file: ReviewFile | None) -> None:
        self._deps = deps
        self._file = file
        self._projecting = Lock()  # so that an older picture of the store is never written over a newer one
        self.problem = ""  # why the file could not be read or written when it was last tried, and what to do

    def answer(self, asked: str, action: Action, *, by: str, note: str) -> Answered:
        """Apply what a person decided. The caller holds the run lease.

        Raises Refused for what cannot be decided, or was already, otherwise.
        """
        with self._deps.store.begin() as work:
            question = explain.meant(work, asked, Question, MemoryQuestion)
        kind = kind_of(question)
        if kind is None:
            raise refuse("not-found", f"no question has the id {question}", hint="`ethos inbox` lists the open ones")
        if action not in kind.actions:
            raise refuse("usage", f"no such action for {question}: {action}", hint="use one of " + ", ".join(kind.actions))
        with self._deps.guard():
            done, run = self.decide(self._deps.store, Decision(question, action, note), by)
        if done.outcome is AnswerOutcome.UNKNOWN:
            raise refuse("not-found", f"no question has the id {question}", hint="`ethos inbox` lists the open ones")
        if done.outcome in {AnswerOutcome.OTHER, AnswerOutcome.MOOT}:
            raise refuse("usage", f"{question}: {done.text}", hint=self._way_back(question))
        applied = done.outcome is AnswerOutcome.APPLIED
        return Answered(question, action, applied, done.text, run if applied else "")

    def _way_back(self, question: str) -> str:
        """Return what to type to decide otherwise: the answer was a run, which can be undone."""
        with self._deps.store.begin() as work:
            given = next((r for r in work.runs(name="answer", limit=_LAST_ANSWERS) if r.reason == question and not r.undone_by), None)
            changed = work.changes(given.id) if given else None
            if given and changed and (changed.questions or changed.records):  # one that was imported left no trace of it here
                return f"to decide anew: ethos undo {given.id}, then answer it again; `ethos why {question}` shows what was decided"
        return f"`ethos why {question}` shows what was decided"

    def due(self) -> bool:
        """Return whether `settle` has something to do. Cheap."""
        return self._file is not None and self._file.due()

    def settle(self) -> int:
        """Apply what was ticked; return how many answers changed something. The caller holds the run lease."""
        taken = [self.decide(self._deps.store, decision, "inbox")[0] for decision in self.ticked()]
        return sum(answer.outcome is AnswerOutcome.APPLIED for answer in taken)

    def project(self, *, in_shadow: bool) -> None:
        """Write the file anew. A projection after commit: dying before it harms nothing, the next one makes up for it.

        in_shadow: nights change nothing yet, and the file asks whether they should.

        Where somebody saved the file since it was read it is left alone, and due: it is read, applied and written when it has settled.
        """
        if self._file is None:
            return
        with self._projecting:
            listed = self._file.listed()
            with self._deps.store.begin() as work:
                answered = work.answered(self._deps.user, limit=RESOLVED_SHOWN)
                shown = {q.id: q for q in (*work.questions(open_only=True), *answered, *work.questions(ids=listed))}
                entries: tuple[AnyEntry, ...] = (
                    *claim_entries(work, self._deps.user, shown.values(), new_a_day=self._deps.settings.inbox.new_a_day),
                    *self._about_memories(work, listed),
                )
            self.problem = self._file.write(entries, {}, in_shadow=in_shadow).problem  # the file's own hints stand in the file

    def ticked(self, *, only_look: bool = False) -> tuple[Decision, ...]:
        """Return what a person ticked in the file. only_look: the save stays due."""
        if self._file is None:
            return ()
        reading = self._file.read(only_look=only_look)
        edited = self._edited({decision.question: reading.claims.get(decision.question, ()) for decision in reading.decisions})
        return tuple(decision for decision in reading.decisions if decision.question not in edited)

    def _edited(self, claims: Mapping[str, tuple[str, ...]]) -> frozenset[str]:
        """Return the questions whose claims the file does not have as they are held: a tick there is ambiguous."""
        if not claims:
            return frozenset()
        with self._deps.store.begin() as work:
            found: tuple[AnyEntry, ...] = (
                *claim_entries(work, self._deps.user, work.questions(ids=claims)),
                *memory_entries(work, self._deps.user, resolved=True),
            )
            entries = {entry.question.id: entry for entry in found if entry.question.id in claims}
        kinds = ((question, entry, kind_of(question)) for question, entry in entries.items())
        return frozenset(
            question
            for question, entry, kind in kinds
            if kind and (kind.edited(entry, claims[question]) or kind.missing(entry, claims[question]))
        )

    def decide(self, within: engine.Transactions, decision: Decision, by: str) -> tuple[AnswerTaken, str]:
        """Apply one decision as a run of its own; return what it came to, and the id of that run. Raises Refused."""
        now = self._deps.clock.now()
        ctx = self._deps.context(ids.run_id("answer", now.isoformat(), decision.question), now)
        deciding = settle_memory.settle_memory if kind_of(decision.question) in OF_MEMORIES else settle.settle
        stage: Stage[Any] = deciding(decision, by)
        done = engine.run_unit(within, (stage,), ctx)
        if done.failures:
            raise refuse("store", f"the store refused the answer: {done.failures[0].error}", hint="`ethos doctor` shows more")
        return next(done.plan.events_of(AnswerTaken)), ctx.run

    def _about_memories(self, work: Work, listed: Collection[str]) -> Sequence[MemoryEntry]:
        """Return what the file shows of memories: the open questions, the last that were answered, and those that stand there."""
        found = tuple(memory_entries(work, self._deps.user, resolved=True, listed=listed))
        done = sorted((each for each in found if each.question.action), key=_answered_at)[-RESOLVED_SHOWN:]
        last = {each.question.id for each in done} | set(listed)
        return [each for each in found if each.question.resolved_at is None or each.question.id in last]


def _answered_at(entry: MemoryEntry) -> datetime:
    return entry.question.resolved_at or entry.question.opened_at
