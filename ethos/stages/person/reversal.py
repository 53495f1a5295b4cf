"""The decision of an undo: how facts and questions stand when a run no longer counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import NamedTuple

from ethos.core.facts.evidence import WeightedEvidence, rebuild_fact
from ethos.core.facts.statement import key_of, statement_of
from ethos.core.facts.weighing import Confirms, Fresh, Refines, weigh
from ethos.core.history.diff import Changes
from ethos.core.model.ids import question_id
from ethos.core.model.records import EpisodeState, Fact, Question, Record, Run, RunReversal, Verdict
from ethos.core.passes.context import Context
from ethos.stages.person.reverted_questions import closed, closed_by_another, reverted


class End(NamedTuple):
    """What took the place of a fact, and until when it held."""

    superseded_by: str | None
    valid_to: datetime | None


def end_of(fact: Fact) -> End:
    """Return the end of a version of a fact."""
    return End(fact.superseded_by, fact.valid_to)


@dataclass(frozen=True, slots=True)
class Needs:
    """Hold the changes of a run, and every record that undoing it could touch.

    chain: which runs count afterwards and which do not. pieces: fact -> the evidence it then rests on, of those whose evidence goes
    or comes. bare: facts without evidence, which are held only until a person has answered. relying: fact -> the facts that name it as
    their successor. stood: the facts that were active when the run began. marks: of the episodes whose evidence goes or comes, as they
    will be. in_force: the runs that wrote one of the run's records and facts, and then count. ends: fact that the run changed -> its end
    by the runs that then count. gone: facts in the place of others, retired by now, that stay so. withdrawn: the question whose answer
    is taken back. retired: fact -> when a person retired it, by a run that then counts.
    """

    run: Run
    changes: Changes
    chain: tuple[RunReversal, ...]
    pieces: Mapping[str, tuple[WeightedEvidence, ...]]
    bare: frozenset[str]
    facts: Mapping[str, Fact]
    questions: Mapping[str, Question]
    relying: Mapping[str, tuple[str, ...]]
    stood: frozenset[str]
    marks: tuple[EpisodeState, ...]
    in_force: frozenset[str]
    ends: Mapping[str, End]
    gone: frozenset[str]
    withdrawn: str = ""
    retired: Mapping[str, datetime] = field(default_factory=dict)


class Reversal:
    """The facts and questions that an undo touches, changed step by step. `facts` and `questions` start as they are in the store."""

    def __init__(self, needs: Needs, ctx: Context) -> None:
        self._needs = needs
        self._ctx = ctx
        self.facts = dict(needs.facts)
        self.questions = dict(needs.questions)
        self._waiting: set[str] = set()  # claims in quarantine that a person is asked about anew

    def records(self) -> tuple[Record, ...]:
        """Take the run's part in facts and questions back; return what is to be put."""
        self._take_back()
        self._spare_chosen_facts()
        self._revert_questions()
        self._reopen_questions()
        self._ask_where_facts_meet()
        self._close_implied_questions()
        self._settle_doubts()
        return self._changed()

    def _take_back(self) -> None:
        """Rebuild each fact from the evidence that is left, and restore the facts that the run superseded or retired."""
        for before, after, _ in self._needs.changes.facts:
            fact = self.facts[after.id]
            if fact.quarantined and self._only_proposed(fact.id):
                continue
            apart = fact.quarantined and (before is None or fact.retired_at != after.retired_at)
            if not apart:
                superseded_by, valid_to = self._end(before, after)
                fact = replace(fact, superseded_by=superseded_by, valid_to=valid_to)
            if before is not None and fact.retired_at == after.retired_at:
                fact = replace(fact, retired_at=before.retired_at)
            self.facts[fact.id] = fact
        for id_, pieces in self._needs.pieces.items():
            fact = self.facts[id_]
            if fact.quarantined:
                continue
            if pieces and not self._only_proposed(id_):
                self.facts[id_] = rebuild_fact(replace(fact, retired_at=self._needs.retired.get(id_)), pieces)
            elif fact.retired_at is None:
                self.facts[id_] = replace(fact, retired_at=self._ctx.now)

    def _end(self, before: Fact | None, after: Fact) -> End:
        """Return the end that the run found, where it still is as the run left it and what took the fact's place stands; else the one that
        the runs in force give it: an undo may have ended it otherwise since, or what took its place may be gone.
        """
        was = end_of(before) if before else End(None, None)
        if end_of(self.facts[after.id]) == end_of(after) and was.superseded_by not in self._needs.gone:
            return was
        return self._needs.ends[after.id]

    def _only_proposed(self, id_: str) -> bool:
        """Return True if all evidence left under a fact was quarantined, and nobody has accepted it."""
        pieces = self._needs.pieces.get(id_, ())
        if not pieces or any(piece.evidence.verdict != Verdict.SET_APART for piece in pieces):
            return False
        return not any(q.action == "accept" and q.new == id_ for q in self.questions.values())

    def _spare_chosen_facts(self) -> None:
        """Keep a fact without evidence that a person chose: over others, which come back, or beside another. It stays, in question, until
        a person has answered again. A claim that was accepted goes back to quarantine.
        """
        for id_, pieces in self._needs.pieces.items():
            fact = self.facts[id_]
            if pieces or fact.superseded_by is not None or fact.quarantined:
                continue
            others = [old for old in self._needs.relying[id_] if self.facts[old].superseded_by == id_]
            kept = [q for q in self._needs.questions.values() if q.action == "keep-both" and id_ in (q.existing, q.new)]
            beside = [side for q in kept for side in (q.existing, q.new) if side != id_ and self.facts[side].active]
            accepted = [q for q in self._needs.questions.values() if q.action == "accept" and q.new == id_]
            for old in others:
                self.facts[old] = replace(self.facts[old], superseded_by=None, valid_to=None)
            if id_ in self._needs.retired:
                continue
            if accepted:
                self.facts[id_] = replace(fact, retired_at=self._ctx.now, valid_to=fact.valid_from)
                self._waiting.add(id_)
                for question in accepted:
                    self.questions[question.id] = replace(question, resolved_at=None, action=None, by=None)
                continue
            if id_ in self._needs.stood and self._needs.facts[id_].active and self._chosen(id_):
                self.facts[id_] = replace(fact, retired_at=None)  # on that word alone, as it stood before the run
                continue
            meant = [other for other in (*others, *beside) if self.facts[other].active and not self._says_the_same(other, fact)]
            if meant:
                self.facts[id_] = replace(fact, retired_at=None)
            for other in meant:
                self._ask(self.facts[other], fact)

    def _says_the_same(self, other: str, fact: Fact) -> bool:
        """Return True if the other fact was put aside only because it had been said again meanwhile."""
        return isinstance(weigh(statement_of(fact), [self.facts[other]], self._ctx.settings.conflict_resolution), Confirms | Refines)

    def _chosen(self, id_: str) -> bool:
        """Return True if an answer in force put another fact aside for this one."""
        won = {"keep-new": "new", "keep-old": "existing"}
        return any(q.action in won and getattr(q, won[q.action]) == id_ for q in self.questions.values())

    def _revert_questions(self) -> None:
        """Put questions back to how the run found them, where they still are as it left them."""
        for change in self._needs.changes.questions:
            question = self.questions[change.now.id]
            if question != change.now:
                continue  # a person is asked again, see above
            self.questions[question.id] = reverted(change, self._needs.stood, self._ctx)

    def _reopen_questions(self) -> None:
        """Reopen the questions that an earlier undo closed, where a side comes back and both are active."""
        back = {id_ for id_, fact in self.facts.items() if fact.active and not self._needs.facts[id_].active}
        for question in tuple(self.questions.values()):
            sides = {question.existing, question.new}
            if (
                closed_by_another(question, self._ctx)
                and sides & back
                and all(side in self.facts and self.facts[side].active for side in sides)
            ):
                self.questions[question.id] = replace(question, resolved_at=None, by=None)

    def _ask_where_facts_meet(self) -> None:
        """Weigh each fact that comes back against the facts that came to be held under its key while it was gone."""
        back = [fact for id_, fact in self.facts.items() if fact.active and not self._needs.facts[id_].active]
        for fact in sorted(back, key=lambda one: (one.valid_from, one.id)):
            for other in [o for o in self.facts.values() if o.active and o.id != fact.id and key_of(o) == key_of(fact)]:
                held = self.facts[fact.id]
                if held.active and not self._stood_together(held, other):
                    self._meet(held, other)

    def _stood_together(self, one: Fact, other: Fact) -> bool:
        """Return True if both were held before the run, or a person said that they may be."""
        pair = {one.id, other.id}
        answered = any(q.action == "keep-both" and {q.existing, q.new} == pair for q in self.questions.values())
        return answered or pair <= self._needs.stood

    def _meet(self, back: Fact, other: Fact) -> None:
        earlier, later = sorted((back, other), key=lambda fact: (fact.valid_from, fact.id))
        match weigh(statement_of(back), [other], self._ctx.settings.conflict_resolution):
            case Fresh():
                return
            case Confirms() | Refines():  # said again meanwhile: the later of the two is enough
                self.facts[earlier.id] = replace(earlier, superseded_by=later.id, valid_to=later.valid_from)
            case _:
                self._ask(earlier, later)

    def _ask(self, existing: Fact, new: Fact) -> None:
        pair = {existing.id, new.id}
        if any(q.resolved_at is None and {q.existing, q.new} == pair for q in self.questions.values()):
            return
        asked = question_id(existing.id, new.object_key)
        self.questions[asked] = Question(asked, new.user, new.project, existing.id, new.id, self._ctx.now, self._ctx.run)

    def _close_implied_questions(self) -> None:
        """Close a question about two facts where each is in question with the same third one, said between them.

        A claim is asked about against the latest fact only, so an undo asks about the two while the third is gone.
        """
        asked = {
            (q.existing, q.new) for q in self.questions.values() if q.resolved_at is None and not q.of_quarantine and self._still_asks(q)
        }
        between = {(first, last) for first, middle in asked for other, last in asked if middle == other}
        for question in [q for q in self.questions.values() if q.resolved_at is None and (q.existing, q.new) in asked & between]:
            if question.id in self._needs.questions:
                self.questions[question.id] = closed(question, self._ctx)
            else:
                del self.questions[question.id]

    def _settle_doubts(self) -> None:
        """Close questions with a side that is no longer active, and flag exactly the facts that an open question is about."""
        doubted: set[str] = set()
        before: set[str] = set()
        if self._needs.withdrawn in self.questions:  # what stood on that word alone
            self._let_go(self.questions[self._needs.withdrawn].existing)
            self._let_go(self.questions[self._needs.withdrawn].new)
        for question in self.questions.values():
            sides, was = (question.existing, question.new), self._needs.questions.get(question.id)
            if was is not None and was.resolved_at is None:
                before.update(sides)
            if question.resolved_at is not None:
                continue
            if self._still_asks(question):
                doubted.update(() if question.of_quarantine else sides)
            elif was is not None and was.resolved_at is not None and question.id != self._needs.withdrawn:
                self.questions[question.id] = was
            else:
                self.questions[question.id] = closed(question, self._ctx)
        for id_ in self._needs.bare - doubted:
            self._let_go(id_)
        for id_, fact in self.facts.items():
            otherwise = fact.flagged and id_ not in before  # for a reason that no question tells
            self.facts[id_] = replace(fact, flagged=fact.active and (id_ in doubted or otherwise))

    def _let_go(self, id_: str) -> None:
        """Retire a fact without evidence that was held only until a person had answered, unless one has answered."""
        fact = self.facts.get(id_)
        if fact is not None and fact.active and not self._rests(id_):
            self.facts[id_] = replace(fact, retired_at=self._needs.facts[id_].retired_at or self._ctx.now)

    def _rests(self, id_: str) -> bool:
        """Return True if there is evidence under a fact, or an answer of a person."""
        return id_ not in self._needs.bare or any(q.action is not None and id_ in (q.existing, q.new) for q in self.questions.values())

    def _still_asks(self, question: Question) -> bool:
        if question.of_quarantine:
            rests = question.new in self._waiting or self._needs.pieces.get(question.new) != ()
            return self.facts[question.new].quarantined and rests
        sides = (question.existing, question.new)
        return all(self.facts[side].active for side in sides) and any(map(self._rests, sides))

    def _changed(self) -> tuple[Record, ...]:
        """Return a new version of each changed fact, and each changed question."""
        puts: list[Record] = []
        for id_, fact in self.facts.items():
            was = self._needs.facts[id_]
            if fact == was:
                continue
            puts.append(replace(fact, version=was.version + 1, recorded_at=self._ctx.now, run=self._ctx.run))
        for id_, question in self.questions.items():
            if question == self._needs.questions.get(id_):
                continue
            puts.append(question)
        return tuple(puts)
