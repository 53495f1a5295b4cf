"""Reweighing: weigh a whole matter anew, in the order in which it was said, and return what that changes.

The matter is weighed from nothing, so what comes out follows from what was said and from its order alone. A fact that was held before
keeps its id where it rests on the same words. One whose words all went to another fact is superseded by that one. The changes are
ordinary versions, evidence and questions of the present run, so they stand in its diff and can be undone with it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from ethos.core.facts.changes import ReadTurn, changes_told
from ethos.core.facts.holding import resolve
from ethos.core.facts.keyed_claims import KeyedClaim
from ethos.core.facts.ledger import Ledger
from ethos.core.facts.matter import History
from ethos.core.facts.rereading import Reading, reading_of
from ethos.core.facts.retirement import Retirement, says_the_same
from ethos.core.facts.statement import statement_of
from ethos.core.facts.told_again import RULES
from ethos.core.model.events import Asked, ClaimResolved, Event, FactOutcome, Repeated
from ethos.core.model.ids import question_id
from ethos.core.model.keys import WeakClaimKey
from ethos.core.model.records import Evidence, Fact, Question, Record, Salience, Utterance, Verdict, WeakClaim
from ethos.core.passes.context import Context


@dataclass(frozen=True, slots=True)
class Retold:
    """What the retelling of a matter changes. facts, questions: those that change, as they are from now on; they are in `puts` as well.

    fresh: the readings of this run; holding: those of all that some fact rests on.
    """

    puts: tuple[Record, ...]
    events: tuple[Event, ...]
    facts: tuple[Fact, ...]
    questions: tuple[Question, ...]
    fresh: frozenset[Reading]
    holding: frozenset[Reading]


def retell(history: History, ctx: Context, fresh: Collection[Reading] = (), turns: Collection[str] = ()) -> Retold:
    """Weigh the claims of a matter one after another, and compare what comes of it with what is held.

    fresh: readings of this run; turns: ids of its episodes that may tell a change.
    """
    ledger = Ledger((), (), now=ctx.now, run=ctx.run)
    weak_claims: dict[WeakClaimKey, list[WeakClaim]] = {}
    read: list[tuple[Reading, Evidence]] = []
    puts: list[Record] = []
    events: list[Event] = []
    retired = sorted(history.retired.items(), key=lambda each: (each[1].at, each[0]))
    for utterance, claims, turn in _in_order(history):
        while retired and retired[0][1].at <= utterance.said_at:
            puts += _retire(*retired.pop(0), history, read, ledger)
        for keyed in chain(claims, _changes(turn, ledger, ctx)):
            resolution = resolve(keyed, weak_claims, ledger, ctx)
            puts += resolution.puts
            events += resolution.events
            read += [(reading_of(keyed), put) for put in resolution.puts if isinstance(put, Evidence)]
    changing = {reading for reading, _ in read if reading.episode in turns and reading.rule in RULES}
    for each in retired:
        puts += _retire(*each, history, read, ledger)
    return _Comparison(history, ctx, frozenset(fresh), changing, ledger, read, puts).retold(events)


Telling = tuple[ReadTurn, tuple[KeyedClaim, ...]]  # a turn that may tell a change, with what it claims by itself


def _in_order(history: History) -> Iterator[tuple[Utterance, list[KeyedClaim], Telling | None]]:
    """Yield the turns of a matter in the order in which they were said, each with its claims in the matter and the changes it may tell."""
    claims: dict[str, list[KeyedClaim]] = defaultdict(list)
    for keyed in history.told:
        claims[keyed.utterance.id].append(keyed)
    telling = {turn.utterance.id: (turn, own) for turn, own in history.turns}
    turns = {keyed.utterance.id: keyed.utterance for keyed in history.told} | {id_: turn.utterance for id_, (turn, _) in telling.items()}
    for utterance in sorted(turns.values(), key=lambda each: each.place):
        yield utterance, claims[utterance.id], telling.get(utterance.id)


def _changes(telling: Telling | None, ledger: Ledger, ctx: Context) -> Iterator[KeyedClaim]:
    """Yield what a turn says of what is held by now; its claims have to be weighed before."""
    if telling is not None:
        turn, own = telling
        yield from changes_told(turn, own, ledger, ctx.rules.class_of)


def _retire(
    fact_id: str, retired: Retirement, history: History, read: Sequence[tuple[Reading, Evidence]], ledger: Ledger
) -> tuple[Record, ...]:
    """Retire what came of the words that a retired fact rests on, whatever else of the same turns says the same, and the same fact where
    it rests on other words: on some that came in late, and were said before it was retired.
    """
    pieces, meant = history.pieces[fact_id], statement_of(history.facts[fact_id])
    for same in ledger.active(meant.key):
        if (same.object_key, same.polarity) == (meant.object_key, meant.polarity):
            ledger.retire(same, retired.at)
    for id_ in dict.fromkeys(piece.fact for reading, piece in read if reading.episode in retired.turns):
        fact = ledger.fact(id_)
        rests = any(piece.fact == id_ and reading in pieces for reading, piece in read)
        if fact is not None and fact.active and (rests or says_the_same(statement_of(fact), meant)):
            ledger.retire(fact, retired.at)
    return ledger.take()


class _Comparison:
    """What came out of the weighing beside what is held."""

    def __init__(
        self,
        history: History,
        ctx: Context,
        fresh: frozenset[Reading],
        changing: Collection[Reading],
        ledger: Ledger,
        read: Sequence[tuple[Reading, Evidence]],
        puts: Iterable[Record],
    ) -> None:
        self._history = history
        self._ctx = ctx
        self._fresh = fresh
        self._changing = changing  # of this run, by turns that tell a change
        self._read = read
        self._came: dict[str, Fact] = {}
        self._salience: dict[str, Salience] = {}
        self._weak_claims: list[WeakClaim] = []
        for put in puts:
            if isinstance(put, Fact):
                self._came[put.id] = put
            elif isinstance(put, Salience):
                self._salience[put.record] = put
            elif isinstance(put, WeakClaim):
                self._weak_claims.append(put)
        self._open = ledger.all_open()
        self._rests: dict[str, set[Reading]] = defaultdict(set)
        for reading, piece in read:
            self._rests[piece.fact].add(reading)
        self._ids = self._named()

    def retold(self, events: Sequence[Event]) -> Retold:
        """Return the records to put and what is to be counted."""
        facts = [*self._changed(), *self._emptied()]
        questions = self._questions(facts)
        puts: list[Record] = [*facts, *self._evidence(), *questions]
        puts += [replace(self._salience[id_], record=new) for id_, new in self._ids.items() if new not in self._history.facts]
        known = {(each.episode, each.rule, each.start, each.end) for each in self._history.shelved}
        puts += [each for each in self._weak_claims if (each.episode, each.rule, each.start, each.end) not in known]
        holding = frozenset(reading for reading, _ in self._read)
        return Retold(tuple(puts), (*self._events(), *_repeated(events, self._fresh)), tuple(facts), tuple(questions), self._fresh, holding)

    def _named(self) -> dict[str, str]:
        """Return the id of each fact that came out: its own where that is held, else of the held fact that rests on most of its words."""
        left = dict(self._history.facts)
        named = {id_: id_ for id_ in self._came if left.pop(id_, None) is not None}
        owners: dict[Reading, list[str]] = defaultdict(list)
        alike: dict[tuple[object, ...], list[str]] = defaultdict(list)
        for id_, fact in left.items():
            alike[_content(fact)].append(id_)
            for reading in self._history.pieces[id_]:
                owners[reading].append(id_)
        pairs = []
        for id_, fact in self._came.items():
            if id_ in named:
                continue
            for known in {*alike[_content(fact)], *(owner for reading in self._rests[id_] for owner in owners[reading])}:
                shared = len(self._rests[id_] & self._history.pieces[known].keys())
                pairs.append((-shared, not fact.active, fact.valid_from, left[known].valid_from, id_, known))
        for *_, id_, known in sorted(pairs):
            if id_ not in named and known in left:
                named[id_] = known
                del left[known]
        return {id_: named.get(id_, id_) for id_ in self._came}

    def _changed(self) -> list[Fact]:
        """Return the facts that came out, those that are new or other than they are held."""
        changed = []
        for came in self._came.values():
            id_ = self._ids[came.id]
            held = self._history.facts.get(id_)
            successor = came.superseded_by and self._ids[came.superseded_by]
            fact = replace(came, id=id_, superseded_by=successor, version=1, recorded_at=self._ctx.now, run=self._ctx.run)
            if held is not None:
                if fact.retired_at is not None and fact.retired_at == held.retired_at:  # what it was corrected to stays its successor
                    fact = replace(fact, superseded_by=held.superseded_by, valid_to=held.valid_to)
                if replace(fact, version=held.version, recorded_at=held.recorded_at, run=held.run) == held:
                    continue
                fact = replace(fact, version=held.version + 1)
            changed.append(fact)
        return changed

    def _emptied(self) -> list[Fact]:
        """Return the facts that are held and did not come out, with the one that took their words over as successor."""
        kept = set(self._ids.values())
        taken = {reading: self._ids[piece.fact] for reading, piece in self._read}
        emptied = []
        for id_, fact in self._history.facts.items():
            if id_ in kept or (fact.retired_at is not None and not fact.active):
                continue
            heirs = [taken[reading] for reading in sorted(self._history.pieces[id_]) if reading in taken]
            heir = max(heirs, key=heirs.count) if heirs else None
            if heir is None:
                left = replace(fact, retired_at=self._ctx.now, superseded_by=None, flagged=False)
            else:
                left = replace(fact, superseded_by=heir, valid_to=fact.valid_to or fact.valid_from, flagged=False)
            if left != fact:
                emptied.append(replace(left, version=fact.version + 1, recorded_at=self._ctx.now, run=self._ctx.run))
        return emptied

    def _evidence(self) -> list[Evidence]:
        found = []
        for reading, piece in self._read:
            id_ = self._ids[piece.fact]
            if reading in self._fresh or reading in self._changing or reading not in self._history.pieces.get(id_, ()):
                found.append(replace(piece, fact=id_))
        return found + [replace(piece, verdict=Verdict.MOVED, run=self._ctx.run) for piece in self._moved()]

    def _moved(self) -> list[Evidence]:
        """Return the evidence of what is held that counts for another fact now."""
        resting: dict[str, set[Reading]] = defaultdict(set)
        for reading, piece in self._read:
            resting[self._ids[piece.fact]].add(reading)
        return [piece for id_, pieces in self._history.pieces.items() for reading, piece in pieces.items() if reading not in resting[id_]]

    def _questions(self, facts: Sequence[Fact]) -> list[Question]:
        """Return the questions that are asked now and were not, and those that are asked no longer."""
        by_sides = {(q.existing, q.new): q for q in self._history.questions}
        by_id = {q.id: q for q in self._history.questions}
        changed: list[Question] = []
        asked: set[str] = set()
        for came in self._open:
            existing, new = self._ids[came.existing], self._ids[came.new]
            id_ = question_id(existing, self._came[came.new].object_key)
            held = by_sides.get((existing, new)) or by_id.get(id_)
            asked.add(held.id if held else id_)
            question = replace(held or came, id=held.id if held else id_, existing=existing, new=new, repeats=came.repeats)
            question = replace(question, resolved_at=None, action=None, by=None)
            if question != held:
                changed.append(question)
        now = {fact.id: fact for fact in (*self._history.facts.values(), *facts)}
        for question in self._history.questions:
            if question.id not in asked and question.resolved_at is None:
                gone = next((s for s in (now[question.existing].superseded_by, now[question.new].superseded_by) if s), None)
                by = f"superseded by {gone}" if gone else f"weighed anew by {self._ctx.run}"
                changed.append(replace(question, resolved_at=self._ctx.now, by=by))
        return changed

    def _events(self) -> list[Event]:
        """Return what became of the new facts, and which facts this run only affirmed."""
        successors = {self._ids[fact.superseded_by] for fact in self._came.values() if fact.superseded_by}
        events: list[Event] = []
        new = set()
        for fact in self._came.values():
            id_ = self._ids[fact.id]
            if id_ not in self._history.facts:
                new.add(id_)
                changed = id_ in successors or not fact.active
                outcome = FactOutcome.FLAGGED if fact.flagged else FactOutcome.SUPERSEDED if changed else FactOutcome.CREATED
                events.append(ClaimResolved(id_, outcome))
        for reading, piece in self._read:
            if reading in self._fresh and self._ids[piece.fact] not in new:
                events.append(ClaimResolved(self._ids[piece.fact], FactOutcome.UPDATED))
        known = {q.id for q in self._history.questions if q.resolved_at is None}
        opened = [question_id(self._ids[q.existing], self._came[q.new].object_key) for q in self._open]
        return events + [Asked(id_) for id_ in opened if id_ not in known]


def _content(fact: Fact) -> tuple[object, ...]:
    return fact.user, fact.project, fact.subject_key, fact.predicate_key, fact.object_key, fact.polarity


def _repeated(events: Iterable[Event], fresh: Collection[Reading]) -> list[Repeated]:
    """Return the repetitions by which an episode of this run gave a fact."""
    episodes = {reading.episode for reading in fresh}
    return [event for event in events if isinstance(event, Repeated) and event.episode in episodes]
