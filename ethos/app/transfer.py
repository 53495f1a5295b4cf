"""Moving: everything that is held, out of one memory and into another, with nothing lost and nothing twice.

What comes in was weighed where it comes from, so into an empty memory it goes as it is. What is held already stays, and is carried on
where the other knows later versions of it. Where a fact that comes in meets one that was held here before, the two are weighed
(`core.facts.admission`), and what cannot be told is put to a person. What a person had forgotten here does not come back with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from ethos.app import erase
from ethos.app.explain import REVERSIBLE
from ethos.app.import_checks import Inspection, Item, Located, Retrieval
from ethos.core.facts.admission import readmit
from ethos.core.facts.extraction import Proposal, corrected_anew, preceding, read_claims
from ethos.core.facts.keyed_claims import Proposals, key_claims
from ethos.core.facts.ledger import Ledger
from ethos.core.facts.reweighing import retell
from ethos.core.facts.statement import key_of
from ethos.core.facts.timeline import shared_histories
from ethos.core.history.erasure import ErasureRequest
from ethos.core.model.errors import refuse
from ethos.core.model.events import Admission, Asked
from ethos.core.model.keys import FactKey, Mac
from ethos.core.model.plan import ChangeSet, Plan, one
from ethos.core.model.record_types import by_descriptor, exported, name_of, type_of
from ethos.core.model.records import Episode, Fact, Question, Record, Run
from ethos.core.passes.context import Context
from ethos.core.ports.store import Store, Work
from ethos.stages.person import forget

LOT = 1_000
_HINT = "nothing was imported; export it again where it comes from"


@dataclass(frozen=True, slots=True)
class Imported:
    """What came in. added, known: by kind of record; asked: facts that a person is asked about; forgotten: episodes that stay forgotten."""

    run: str
    added: Mapping[str, int] = field(default_factory=dict)
    known: Mapping[str, int] = field(default_factory=dict)
    asked: int = 0
    forgotten: int = 0


def everything(work: Work) -> Iterator[Item]:
    """Yield all records, type by type, then the retrievals. Only runs that can be undone are among them: those that tell why."""
    for kind in exported():
        for record in work.records(kind.record):
            if not isinstance(record, Run) or record.name in REVERSIBLE:
                yield record
    for retrieval in work.retrievals():
        yield Retrieval(*retrieval)


def bring_in(store: Store, located: Iterable[Located], ctx: Context, seal: Mac) -> Imported:
    """Import in one transaction: all of it, or, where something in it does not fit together, nothing. Raises `Refused`."""
    with store.begin(write=True) as work:
        before = work.inconsistencies()
        incoming, inspection = _Incoming(work, ctx), Inspection()
        for kind, lot in groupby(inspection.looked_at(iter(located)), type):
            for some in _lots(lot):
                incoming.take(kind, some)
        incoming.settle()
        inspection.finish(work)
        asked = incoming.weigh()
        buried = sorted(erase.buried(work, incoming.episodes, seal))
        if buried:
            needs = forget.gather(ErasureRequest(tuple(buried)), work, ctx)
            _write(work, forget.decide(needs, ctx).plan, ctx.run)
        incoming.clear()
        if wrong := [what for what, count in work.inconsistencies().items() if count > before.get(what, 0)]:
            raise refuse("bad-input", f"the file contradicts itself: it would leave {wrong[0]}", hint=_HINT)
        counts = {f"{name} added": count for name, count in incoming.added.items()}
        run = Run(ctx.run, "import", "", None, ctx.now, ctx.now, counts=counts, outcome="done")
        _write(work, one("", run), ctx.run)
    if buried and store.file is not None:
        store.file.rewrite()
    return Imported(ctx.run, dict(incoming.added), dict(incoming.known), asked, len(buried))


class _Incoming:
    """Takes lots of records, each of one kind, and puts those that are new."""

    def __init__(self, work: Work, ctx: Context) -> None:
        self._work = work
        self._ctx = ctx
        self.added: Counter[str] = Counter()
        self.known: Counter[str] = Counter()
        self.episodes: list[Episode] = []  # that are new
        self._new: set[str] = set()  # ids of episodes and facts that are new, or carried on
        self._facts: dict[str, list[Fact]] = {}
        self._met = work.latest_said() is not None  # there is something that it can meet
        self._doubted: set[str] = set()  # facts that were in question where they come from

    def take(self, kind: type[Item], lot: list[Item]) -> None:
        """Read records of one kind, in the order of the export."""
        if kind is Fact:  # the versions of one may stand in two lots
            for fact in (each for each in lot if isinstance(each, Fact)):
                self._facts.setdefault(fact.id, []).append(fact)
            return
        self.settle()
        if kind is Retrieval:
            for record, session, at in (each for each in lot if isinstance(each, Retrieval)):
                if record in self._new:
                    self._work.count_retrievals([record], session, at)
            return
        fresh = [each for each in lot if self._is_new(each)] if kind not in {Episode, Question, Run} else self._unheld(lot)
        name = name_of(kind)
        fresh = self._not_held(kind, fresh)
        if kind is Question:
            fresh = self._still_open([each for each in fresh if isinstance(each, Question)])
        self.added[name] += len(fresh)
        self.known[name] += len(lot) - len(fresh)
        self._put(fresh)

    def settle(self) -> None:
        """Put the facts that were taken: whole where they are new, the later versions where the earlier are held just so."""
        puts: list[Record] = []
        held: dict[str, list[Fact]] = {}
        for version in self._work.versions(self._facts.keys()):
            held.setdefault(version.id, []).append(version)
        for id_, versions in self._facts.items():
            ours = held.get(id_, [])
            same = all(replace(theirs, closed_at=our.closed_at) == our for our, theirs in zip(ours, versions, strict=False))
            more = versions[len(ours) :] if same else []
            puts += more
            self.added["fact"] += bool(more and not ours)
            self.known["fact"] += not (more and not ours)
            if more:
                self._new.add(id_)
        self._facts = {}
        self._put(puts)

    def weigh(self) -> int:
        """Let what came in take its place beside what was held before; of how many a person is asked."""
        asked, settled = self._retell()
        facts = self._work.current({id_ for id_ in self._new - settled if id_.startswith("f-")})
        active = [fact for fact in facts.values() if fact.active]
        before: dict[FactKey, list[str]] = {}
        for rival in self._work.active_facts({key_of(fact) for fact in active}) if active else ():
            if rival.id not in self._new:
                before.setdefault(key_of(rival), []).append(rival.id)
        for fact in active:
            if not (rivals := before.get(key_of(fact))):
                continue
            met = [fact, *self._work.current(rivals).values()]  # as they are by now
            questions = self._work.questions(facts=[each.id for each in met])
            ledger = Ledger(met, questions, now=self._ctx.now, run=self._ctx.run)
            asked += readmit(fact, ledger, self._ctx.settings.conflict_resolution) is Admission.ASKED
            self._put(ledger.take())
        return asked

    def _still_open(self, questions: list[Question]) -> list[Item]:
        """Leave out open questions about what is held no longer: here it was replaced, retired or forgotten since."""
        self._doubted.update(side for question in questions for side in (question.existing, question.new) if side)
        sides = self._work.current(self._doubted)

        def stands(question: Question) -> bool:
            new, existing = sides.get(question.new), sides.get(question.existing)
            if question.resolved_at is not None or new is None:
                return True  # what refers to nothing is found by the inspection
            return new.quarantined if question.of_quarantine else new.active and existing is not None and existing.active

        return [question for question in questions if stands(question)]

    def clear(self) -> None:
        """Take the doubt from facts that no open question is about here."""
        new = {id_ for id_ in self._new if id_.startswith("f-")}
        doubted = [fact for fact in self._work.current(new | self._doubted).values() if fact.active and fact.flagged]
        if doubted:
            ledger = Ledger(doubted, self._work.questions(facts=[fact.id for fact in doubted]), now=self._ctx.now, run=self._ctx.run)
            for fact in doubted:
                ledger.clear(fact.id)
            self._put(ledger.take())

    def _retell(self) -> tuple[int, set[str]]:
        """Weigh anew what both memories have spoken of, in the order in which it was said: of how many facts a person is asked by it, and
        all facts that have their place by now.
        """
        asked, settled = 0, set[str]()
        if not self._met:
            return asked, settled
        facts = {id_ for id_ in self._new if id_.startswith("f-")}
        for history in shared_histories(self._work, self._ctx, facts, self._new - facts, self._corrected_anew()):
            told = retell(history, self._ctx)
            self._put(told.puts)
            asked += sum(isinstance(event, Asked) for event in told.events)
            settled |= history.facts.keys()
        return asked, settled

    def _corrected_anew(self) -> Proposals:
        """Return the corrections with another turn before them than they had in their own memory, as they are read now."""
        new = {episode.id for episode in self.episodes if episode.role == "user"}
        held = self._work.preceding(new)
        turns = {*new, *(turn for id_, turn in held.items() if turn not in new)}
        found = corrected_anew(self._work, turns)
        anew = {each.id: each for turn, each in found.items() if (turn in new) != (each.id in new)}
        before = preceding(self._work, anew.values())
        read = (Proposal(each, read_claims(each, self._ctx, before=before.get(each.id, ""))) for each in anew.values())
        return tuple((proposal.utterance, key_claims(proposal, self._ctx)) for proposal in read)

    def _unheld(self, lot: list[Item]) -> list[Item]:
        ids = [each.id for each in lot if isinstance(each, Episode | Question | Run)]
        held: Collection[str] = ()
        if isinstance(lot[0], Episode):
            held = self._work.episodes(ids).keys()
        elif isinstance(lot[0], Question):
            answered = {each.id for each in lot if isinstance(each, Question) and each.resolved_at is not None}
            held = {each.id for each in self._work.questions(ids=ids) if each.resolved_at is not None or each.id not in answered}
        else:
            held = self._work.runs_among(ids)
        fresh = [each for each in lot if isinstance(each, Episode | Question | Run) and each.id not in held]
        self.episodes += [each for each in fresh if isinstance(each, Episode)]
        self._new.update(each.id for each in fresh if isinstance(each, Episode))
        return list[Item](fresh)

    def _is_new(self, item: Item) -> bool:
        """Return whether what the record is about came in just now; of what was held the record stays as it is here."""
        kind = type_of(type(item))
        belongs_to = kind.ids_in(item, kind.goes_with[0]) if kind.goes_with else ()
        return not belongs_to or not self._new.isdisjoint(belongs_to)

    def _not_held(self, record: type[Item], lot: list[Item]) -> list[Item]:
        """Drop the records of described types whose id is held already; note the ids of the others as new."""
        kind = next((each for each in by_descriptor() if each.record is record), None)
        if kind is None or not (by := kind.forgotten_by):
            return lot
        held = {getattr(each, by) for each in self._work.find(kind.record, by, [getattr(each, by) for each in lot])}
        fresh = [each for each in lot if getattr(each, by) not in held]
        self._new.update(getattr(each, by) for each in fresh)
        return fresh

    def _put(self, records: Sequence[Item]) -> None:
        _write(self._work, Plan((ChangeSet("", tuple(each for each in records if not isinstance(each, Retrieval))),)), self._ctx.run)


def _write(work: Work, plan: Plan, run: str) -> None:
    if failures := work.apply(plan, run).failures:
        what = f"the file contradicts itself: {failures[0].error}"
        raise refuse("bad-input", what, hint=_HINT)


def _lots(items: Iterable[Item]) -> Iterator[list[Item]]:
    lot: list[Item] = []
    for item in items:
        lot.append(item)
        if len(lot) == LOT:
            yield lot
            lot = []
    if lot:
        yield lot
