"""The ledger: facts and questions as they change within one decision, and the records that say so.

`resolve` and `settle` both retire facts and open or close questions; what follows from that is written here once. A ledger is made of
what was gathered, and is emptied into the plan after each cause with `take`. It lives as long as one `decide`; where units follow each
other, what the next one is likely to ask for again is kept with `keep`, so that a thousand questions on one matter are not read anew for
each hundred of its turns.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from ethos.core.facts.active_facts import ActiveFacts, Subject
from ethos.core.facts.evidence import WeightedEvidence, rebuild_fact
from ethos.core.facts.shelf import MANY, Shelf
from ethos.core.facts.statement import Statement, key_of
from ethos.core.facts.weighing import Relation, weigh
from ethos.core.model.ids import question_id
from ethos.core.model.keys import FactKey
from ethos.core.model.records import Action, Fact, Question, Record
from ethos.core.model.settings import ConflictSettings

Place = FactKey | Subject  # of which a ledger may have every active fact, and every question about one
MOST_KEPT = 20_000  # facts; a ledger with more of them is not kept


class Ledger:
    """Facts by key and by subject, questions by id and by fact; every change goes through `put`."""

    def __init__(
        self,
        facts: Iterable[Fact],
        questions: Iterable[Question],
        *,
        now: datetime,
        run: str,
        resting: Mapping[str, Sequence[WeightedEvidence]] | None = None,
    ) -> None:
        """Create a ledger of these. resting: of facts that are made anew, what they rest on from before."""
        self._now = now
        self._run = run
        self._resting = resting or {}
        self._facts: dict[str, Fact] = {}
        self._active = ActiveFacts(self._facts.__getitem__)
        self._questions: dict[str, Question] = {}
        self._by_fact: dict[str, dict[str, None]] = defaultdict(dict)
        self._shelves: dict[FactKey, Shelf] = {}
        self._changed: list[Record] = []
        self.kept: frozenset[Place] = frozenset()  # from an earlier unit, of which it has everything
        self._met: dict[str, None] = {}  # ids of the facts that were held since the ledger was kept last
        self.turned_down = False  # whether a person has turned any of the facts down for another
        for fact in facts:
            self._hold(fact)
        for question in questions:
            self._file(question)

    # -- look

    def fact(self, fact_id: str) -> Fact | None:
        """Return the fact as it stands now."""
        return self._facts.get(fact_id)

    def active(self, key: FactKey) -> list[Fact]:
        """Return the active facts under this key."""
        return self._active.at(key)

    def weigh(self, new: Statement, without: Collection[Fact], settings: ConflictSettings) -> Relation:
        """Return the verdict on a claim against the active facts under its key, less these."""
        if self._active.number(new.key) < MANY:
            return weigh(new, [fact for fact in self.active(new.key) if fact not in without], settings)
        if new.key not in self._shelves:
            self._shelves[new.key] = Shelf(self.active(new.key))
        return self._shelves[new.key].weigh(new, without, settings)

    def active_about(self, subject: Subject) -> list[Fact]:
        """Return the active facts about this subject."""
        return self._active.at(subject)

    def active_naming(self, user: str, project: str, phrase: str) -> list[Fact]:
        """Return the active facts of this (user, project) in whose words those of the phrase stand one after another."""
        return self._active.naming(user, project, phrase)

    def question(self, question: str) -> Question | None:
        """Return the question as it stands now."""
        return self._questions.get(question)

    def rejected(self, existing: Fact, object_key: str) -> Fact | None:
        """Return the fact with this object that a person turned down for `existing`."""
        for question in map(self._questions.__getitem__, self._by_fact.get(existing.id, ())):
            if question.action == "keep-old" and question.existing == existing.id:
                turned_down = self._facts.get(question.new)
                if turned_down is not None and turned_down.object_key == object_key:
                    return turned_down
        return None

    def all_open(self) -> list[Question]:
        """Return every open contradiction."""
        return [q for q in self._questions.values() if q.resolved_at is None and not q.of_quarantine]

    def open_questions(self, fact_id: str) -> list[Question]:
        """Return the open contradictions that this fact is a side of. What a claim in quarantine goes against is not doubted for it."""
        asked = map(self._questions.__getitem__, self._by_fact.get(fact_id, ()))
        return [q for q in asked if q.resolved_at is None and not q.of_quarantine]

    def adopt(self, facts: Iterable[Fact], questions: Iterable[Question]) -> None:
        """Take these as they stand; who decided on them writes them."""
        for fact in facts:
            self._hold(fact)
        for question in questions:
            self._file(question)

    # -- change

    def create(self, fact: Fact, piece: WeightedEvidence | None = None) -> None:
        """Add a fact. One that `resting` names is rebuilt from all of its evidence, this piece included."""
        if piece is not None and (before := self._resting.get(fact.id)):
            fact = rebuild_fact(fact, [*before, piece])
        self._hold(fact)
        self._changed.append(fact)

    def revise(self, fact: Fact) -> Fact:
        """Return a new version of a held fact, recorded now; the store closes the old one."""
        version = replace(fact, version=self._facts[fact.id].version + 1, recorded_at=self._now, run=self._run)
        self._hold(version)
        self._changed.append(version)
        return version

    def supersede(self, old: Fact, by: str, valid_to: datetime) -> None:
        """Supersede a fact by another one, and close the questions about it."""
        self.revise(replace(self._facts[old.id], superseded_by=by, valid_to=valid_to, flagged=False))
        for question in self.open_questions(old.id):
            self._write(replace(question, resolved_at=self._now, by=f"superseded by {by}"))
            self._unflag(question)

    def retire(self, fact: Fact, at: datetime) -> None:
        """Retire a fact at this time, with no successor, and close the questions about it."""
        self.revise(replace(self._facts[fact.id], retired_at=at, flagged=False))
        for question in self.open_questions(fact.id):
            self._write(replace(question, resolved_at=self._now, by=f"{fact.id} was retired"))
            self._unflag(question)

    def contradict(self, existing: Fact, new: Fact) -> Question:
        """Flag both and ask a person; where that was asked before, count it (X-E17)."""
        asked = question_id(existing.id, new.object_key)
        known = self._questions.get(asked)
        if known is not None and known.resolved_at is None:
            return self.repeat(known)
        self._flag(existing)
        self._flag(new)
        question = Question(asked, new.user, new.project, existing.id, new.id, self._now, self._run)
        self._write(question)
        return question

    def quarantine(self, fact: Fact, asked: str, against: str) -> None:
        """Add a claim as a fact that is not held, and ask whether it may be. against: what is held and does not go with it, or ""."""
        self.create(replace(fact, retired_at=self._now, valid_to=fact.valid_from))
        self._write(Question(asked, fact.user, fact.project, against, fact.id, self._now, self._run))

    def release(self, fact_id: str) -> Fact:
        """Hold a claim that was in quarantine and that a person accepted; return its new version."""
        return self.revise(replace(self._facts[fact_id], retired_at=None, valid_to=None))

    def repeat(self, question: Question) -> Question:
        """Count that the same contradiction was said again."""
        again = replace(question, repeats=question.repeats + 1)
        self._write(again)
        return again

    def answer(self, question: Question, action: Action, by: str, note: str) -> None:
        """Apply what a person said: the loser is superseded by the winner, or both stand (X-E11).

        What comes of a claim that was in quarantine and is accepted is for `settle` to weigh.
        """
        self._write(replace(question, resolved_at=self._now, action=action, by=by, note=note))
        if question.of_quarantine:
            return
        existing, new = self._facts[question.existing], self._facts[question.new]
        if action == "keep-new" and existing.active:
            self.supersede(existing, new.id, max(existing.valid_from, new.valid_from))
        elif action == "keep-old" and new.active:
            self.supersede(new, existing.id, max(existing.valid_from, new.valid_from))
        self._unflag(question)

    def clear(self, fact_id: str) -> None:
        """Take the flag off a fact, unless an open question is about it."""
        fact = self._facts.get(fact_id)
        if fact is not None and fact.active and fact.flagged and not self.open_questions(fact_id):
            self.revise(replace(fact, flagged=False))

    def take(self) -> tuple[Record, ...]:
        """Return the records changed since the last call, in order."""
        changed, self._changed = tuple(self._changed), []
        return changed

    # -- from unit to unit

    def has_all(self, place: Place) -> bool:
        """Return whether it has every active fact under a key or about a subject, with every question about one, from an earlier unit."""
        return place in self.kept or (isinstance(place, FactKey) and place[:3] in self.kept)

    def resume(self, facts: Iterable[Fact], questions: Iterable[Question], resting: Mapping[str, Sequence[WeightedEvidence]]) -> None:
        """Take in what the next unit asks for beyond what was kept. resting: as of a new ledger."""
        self._resting = resting
        self.adopt(facts, questions)

    def keep(self, gathered: Iterable[Place]) -> bool:
        """Drop what the next unit is not likely to ask for; return whether the ledger is worth keeping.

        gathered: the places of which everything was read for this unit. They are kept, those with nothing in them too, and so is each kept
        before where there is much. Its cost is that of the unit, not of all that is kept.
        """
        kept = {*gathered, *(place for place in self.kept if self._active.number(place) >= MANY)}
        left = [id_ for place in self.kept - kept for id_ in self._active.ids(place)]
        self.kept = frozenset(kept)
        self._shelves = {key: shelf for key, shelf in self._shelves.items() if self.has_all(key)}
        self._drop([*self._met, *left])
        self._met = {}
        self._resting = {}
        return bool(self.kept) and len(self._facts) <= MOST_KEPT

    def _drop(self, unsure: list[str]) -> None:
        """Drop those of these facts that stand in no place that is kept, and are asked about beside none that does."""
        while unsure:
            id_ = unsure.pop()
            fact = self._facts.get(id_)
            if fact is None or self._stays(fact):
                continue
            asked = self._by_fact.get(id_, {})
            beside = {side for q in asked for side in self._sides(q)} - {id_}
            if any(self._stays(self._facts[side]) for side in beside):
                continue
            for question in [*self._by_fact.pop(id_, ())]:
                gone = self._questions.pop(question)
                for side in {gone.existing, gone.new} & self._by_fact.keys():
                    self._by_fact[side].pop(question, None)
            self._active.discard(id_)
            del self._facts[id_]
            unsure += beside

    def _stays(self, fact: Fact) -> bool:
        return fact.active and self.has_all(key_of(fact))

    def _sides(self, question_id: str) -> set[str]:
        question = self._questions[question_id]
        return {side for side in (question.existing, question.new) if side in self._facts}

    # -- bookkeeping

    def _hold(self, fact: Fact) -> None:
        self._facts[fact.id] = fact
        self._met[fact.id] = None
        self._active.put(fact)
        if self._shelves and (shelf := self._shelves.get(key_of(fact))) is not None:
            shelf.put(fact)

    def _file(self, question: Question) -> None:
        before = self._questions.get(question.id)
        if before is not None:  # it may be between other facts now
            for side in {before.existing, before.new} & self._by_fact.keys():
                self._by_fact[side].pop(question.id, None)
        self._questions[question.id] = question
        self.turned_down |= question.action == "keep-old"
        if question.existing:
            self._by_fact[question.existing][question.id] = None
        self._by_fact[question.new][question.id] = None

    def _write(self, question: Question) -> None:
        self._file(question)
        self._changed.append(question)

    def _flag(self, fact: Fact) -> None:
        held = self._facts[fact.id]
        if not held.flagged:
            self.revise(replace(held, flagged=True))

    def _unflag(self, question: Question) -> None:
        """Take the flags off the sides of a question, unless another open question is about them."""
        for side in (question.existing, question.new):
            self.clear(side)
