"""Undo: what one run did is taken back, whatever came after it (TRUST, promise 3). Undoing an undo is the same thing.

What a fact says follows from the evidence it rests on, so the evidence of an undone run no longer counts and the fact is told anew
from the rest; with none left it is retired. What became of a fact (replaced by another) is restored where it still is as the run
left it; a later run's word stands. Where a fact that comes back meets one that came to be held meanwhile, nobody guesses: both
stand, in question, and a person is asked. The same where a person has chosen a fact that would go.

Episodes that an undone run read stay read under the rules it had: they are read again when the rules change, not before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from ethos.core.facts.evidence import Piece, counting, laid, resting_on
from ethos.core.facts.weighing import Confirms, Fresh, Refines, key_of, statement_of, weigh
from ethos.core.history.diff import Changes, QuestionChange
from ethos.core.history.salience import fades_at
from ethos.core.model.ids import question_id
from ethos.core.model.plan import Group, Plan
from ethos.core.model.records import Fact, Mark, Question, Record, Run, Salience, Undoing, Verdict
from ethos.core.passes.context import Context
from ethos.core.passes.stage import Stage
from ethos.core.ports.store import Work


@dataclass(frozen=True, slots=True)
class Needs:
    """What the run changed, and everything that undoing it could touch.

    chain: which runs count and which do not, afterwards. pieces: fact -> the evidence it then rests on, of those whose evidence goes
    or comes. bare: facts that rest on no evidence, and stand only until a person has said. relying: fact -> the facts that name it as
    their successor. stood: the facts that were held when the run began. marks: of the episodes whose evidence goes or comes, as they will
    be. withdrawn: the question whose answer is taken back.
    """

    run: Run
    changes: Changes
    chain: tuple[Undoing, ...]
    pieces: Mapping[str, tuple[Piece, ...]]
    bare: frozenset[str]
    facts: Mapping[str, Fact]
    questions: Mapping[str, Question]
    relying: Mapping[str, tuple[str, ...]]
    stood: frozenset[str]
    marks: tuple[Mark, ...]
    withdrawn: str = ""


def gather(run: Run, work: Work, ctx: Context) -> Needs:
    """The run's changes, the runs that it undid in turn, the evidence that is left, and the facts under the same keys."""
    changes = work.changes(run.id)
    chain = _chain(run, work, ctx)
    read = {undoing.run: work.changes(undoing.run) for undoing in chain}
    laid = [piece for each in read.values() for piece in each.evidence]
    resting = {piece.fact for piece in laid}.union(*(_told_otherwise(each) for each in read.values()))
    touched = resting | {change.after.id for change in changes.facts}
    touched |= {side for change in changes.questions for side in (change.now.existing, change.now.new) if side}
    facts = dict(work.current(touched))
    relying = {fact: tuple(old.id for old in work.replaced(fact)) for fact in touched}
    facts |= work.current({old for each in relying.values() for old in each} - facts.keys())
    facts |= {fact.id: fact for fact in work.active_facts({key_of(fact) for fact in facts.values()}) if fact.id not in facts}
    for _ in range(2):  # a question that closes may leave another open about its other side
        questions = {question.id: question for question in work.questions(facts=facts.keys())}
        facts |= work.current({side for q in questions.values() for side in (q.existing, q.new)} - facts.keys())
    pieces, marks = _left(work, chain, resting, {piece.episode for piece in laid})
    sides = touched.union(side for q in questions.values() for side in (q.existing, q.new) if side)
    bare = sides - pieces.keys() - {piece.fact for piece in work.evidence(sides, standing=True)}
    bare |= {fact for fact, left in pieces.items() if not left}
    stood = _stood(work, run, changes, facts)
    last = work.run(chain[-1].run)
    withdrawn = last.reason if last is not None and last.name == "answer" and chain[-1].by is not None else ""
    return Needs(run, changes, chain, pieces, frozenset(bare), facts, questions, relying, stood, marks, withdrawn)


def _told_otherwise(changes: Changes) -> set[str]:
    """The facts that said less or more after the run: what was said again was weighed anew, and went to another fact."""
    return {change.after.id for change in changes.facts if change.before is not None and _told(change.before) != _told(change.after)}


def _told(fact: Fact) -> tuple[object, ...]:
    return fact.object_key, fact.confidence, fact.valid_from, fact.affirmed_at


def _stood(work: Work, run: Run, changes: Changes, facts: Mapping[str, Fact]) -> frozenset[str]:
    before = {change.after.id: change.before for change in changes.facts}
    for id_, fact in facts.items():
        if id_ in before:
            continue
        earlier = [fact] if fact.recorded_at < run.started_at else [v for v in work.fact(id_) if v.recorded_at < run.started_at]
        before[id_] = replace(earlier[-1], closed_at=None) if earlier else None
    return frozenset(id_ for id_, fact in before.items() if fact is not None and fact.active)


def _chain(run: Run, work: Work, ctx: Context) -> tuple[Undoing, ...]:
    """The run is undone; where it was an undo itself, what it undid counts again; where that was one too, and so on."""
    chain = [Undoing(run.id, ctx.run)]
    counts = False
    while run.name == "undo" and (undone := work.run(run.reason)) is not None:
        chain.append(Undoing(undone.id, run.id if counts else None))
        run, counts = undone, not counts
    return tuple(chain)


def _left(
    work: Work, chain: Sequence[Undoing], facts: set[str], episodes: set[str]
) -> tuple[dict[str, tuple[Piece, ...]], tuple[Mark, ...]]:
    """The evidence these facts rest on when the chain is in force, and the marks of these episodes."""
    changed = {undoing.run: undoing.by for undoing in chain}
    found = {*work.evidence(facts), *work.evidence_in(episodes)}
    runs = {name: run for name in {piece.run for piece in found} if (run := work.run(name))}
    undone = {name: changed.get(name, run.undone_by) for name, run in runs.items()}
    pieces: dict[str, list[Piece]] = {fact: [] for fact in facts}
    gave: dict[str, datetime] = {}
    counted = [piece for piece in found if undone.get(piece.run) is None]
    for piece in counting(laid(counted, work.episodes({piece.episode for piece in counted}), runs)):
        fact, episode = piece.evidence.fact, piece.evidence.episode
        gave[episode] = min(piece.read_at, gave.get(episode, piece.read_at))
        if fact in pieces:
            pieces[fact].append(piece)
    held = [(mark, gave.get(mark.episode)) for mark in work.marks(episodes).values()]
    marks = tuple(replace(mark, consolidated_at=at) for mark, at in held if at != mark.consolidated_at)
    return {fact: tuple(each) for fact, each in pieces.items()}, marks


def decide(needs: Needs, ctx: Context) -> Plan:
    """One group: all of it or nothing."""
    became = _Reversal(needs, ctx)
    became.take_back()
    became.spare_what_a_person_chose()
    became.close_and_reopen()
    became.ask_where_facts_meet()
    became.settle_doubts()
    puts = became.records()
    done = Run(ctx.run, "undo", needs.run.id, None, ctx.now, ctx.now, rules=ctx.rules.hash, outcome="done")
    return Plan((Group("", (done, *needs.chain, *puts, *needs.marks)),))


def undo(run: Run) -> Stage[Needs]:
    """The stage that takes back what this run did."""
    return Stage("undo", partial(gather, run), decide)


class _Reversal:
    """Facts and questions on their way to how they will be. `facts` and `questions` start as they are."""

    def __init__(self, needs: Needs, ctx: Context) -> None:
        self._needs = needs
        self._ctx = ctx
        self.facts = dict(needs.facts)
        self.questions = dict(needs.questions)
        self._waiting: set[str] = set()  # claims in quarantine that a person is asked about anew

    def take_back(self) -> None:
        """Tell each fact from what it rests on now, and restore whose successor was this run's doing."""
        for before, after, _ in self._needs.changes.facts:
            fact = self.facts[after.id]
            if fact.set_apart and self._only_proposed(fact.id):
                continue
            apart = fact.set_apart and (before is None or fact.retired_at != after.retired_at)
            if (fact.superseded_by, fact.valid_to) == (after.superseded_by, after.valid_to) and not apart:
                ended = (before.superseded_by, before.valid_to) if before else (None, None)
                fact = replace(fact, superseded_by=ended[0], valid_to=ended[1])
            if before is not None and fact.retired_at == after.retired_at:
                fact = replace(fact, retired_at=before.retired_at)
            self.facts[fact.id] = fact
        for id_, pieces in self._needs.pieces.items():
            fact = self.facts[id_]
            if fact.set_apart:
                continue
            if pieces and not self._only_proposed(id_):
                self.facts[id_] = resting_on(replace(fact, retired_at=None), pieces)
            elif fact.retired_at is None:
                self.facts[id_] = replace(fact, retired_at=self._ctx.now)

    def _only_proposed(self, id_: str) -> bool:
        """Whether all that is left under a fact was only asked about, and nobody has accepted it."""
        pieces = self._needs.pieces.get(id_, ())
        if not pieces or any(piece.evidence.verdict != Verdict.SET_APART for piece in pieces):
            return False
        return not any(q.action == "accept" and q.new == id_ for q in self.questions.values())

    def spare_what_a_person_chose(self) -> None:
        """A fact without evidence that others were put aside for, or that was kept beside another, stays until a person has said; one
        that was accepted waits to be accepted again.
        """
        for id_, pieces in self._needs.pieces.items():
            fact = self.facts[id_]
            if pieces or fact.superseded_by is not None or fact.set_apart:
                continue
            others = [old for old in self._needs.relying[id_] if self.facts[old].superseded_by == id_]
            kept = [q for q in self._needs.questions.values() if q.action == "keep-both" and id_ in (q.existing, q.new)]
            beside = [side for q in kept for side in (q.existing, q.new) if side != id_ and self.facts[side].active]
            accepted = [q for q in self._needs.questions.values() if q.action == "accept" and q.new == id_]
            for old in others:
                self.facts[old] = replace(self.facts[old], superseded_by=None, valid_to=None)
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
        """Whether it was put aside only because it had been said again meanwhile."""
        return isinstance(weigh(statement_of(fact), [self.facts[other]], self._ctx.settings.conflict_resolution), Confirms | Refines)

    def _chosen(self, id_: str) -> bool:
        """Whether an answer in force put another fact aside for this one."""
        won = {"keep-new": "new", "keep-old": "existing"}
        return any(q.action in won and getattr(q, won[q.action]) == id_ for q in self.questions.values())

    def close_and_reopen(self) -> None:
        """Questions go back to how the run found them, where they still are as it left them."""
        for change in self._needs.changes.questions:
            question = self.questions[change.now.id]
            if question != change.now:
                continue  # a person is asked anew, see above
            self.questions[question.id] = self._reverted(change)

    def _reverted(self, change: QuestionChange) -> Question:
        before, after, now = change
        as_left = _asked_and_answered(now) == _asked_and_answered(after)
        if before is None:
            if as_left and now.repeats == after.repeats and {now.existing, now.new} <= self._needs.stood:
                return self._closed(now)  # both were held before it was asked: an undo had asked, and that is taken back
            return now  # where a side of it is gone it closes with the others
        repeats = max(0, now.repeats - (after.repeats - before.repeats))
        if not as_left:
            return replace(now, repeats=repeats)
        return replace(before, repeats=repeats)  # about other facts, too, where an undo had asked it of a claim that says the same

    def ask_where_facts_meet(self) -> None:
        """A fact that comes back, against every fact that came to be held under its key while it was gone."""
        back = [fact for id_, fact in self.facts.items() if fact.active and not self._needs.facts[id_].active]
        for fact in sorted(back, key=lambda one: (one.valid_from, one.id)):
            for other in [o for o in self.facts.values() if o.active and o.id != fact.id and key_of(o) == key_of(fact)]:
                held = self.facts[fact.id]
                if held.active and not self._stood_together(held, other):
                    self._meet(held, other)

    def _stood_together(self, one: Fact, other: Fact) -> bool:
        """Whether both were held before the run, or a person said that they may be."""
        pair = {one.id, other.id}
        answered = any(q.action == "keep-both" and {q.existing, q.new} == pair for q in self.questions.values())
        return answered or pair <= self._needs.stood

    def _meet(self, back: Fact, other: Fact) -> None:
        match weigh(statement_of(back), [other], self._ctx.settings.conflict_resolution):
            case Fresh():
                return
            case Confirms() | Refines():  # said again meanwhile: one of the two is enough
                self.facts[back.id] = replace(back, superseded_by=other.id, valid_to=max(back.valid_from, other.valid_from))
            case _:
                earlier, later = sorted((back, other), key=lambda fact: (fact.valid_from, fact.id))
                self._ask(earlier, later)

    def _ask(self, existing: Fact, new: Fact) -> None:
        pair = {existing.id, new.id}
        if any(q.resolved_at is None and {q.existing, q.new} == pair for q in self.questions.values()):
            return
        asked = question_id(existing.id, new.object_key)
        self.questions[asked] = Question(asked, new.user, new.project, existing.id, new.id, self._ctx.now, self._ctx.run)

    def settle_doubts(self) -> None:
        """A question with a side that is held no longer asks nothing; a fact is in question while one is open about it."""
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
                self.questions[question.id] = self._closed(question)
        for id_ in self._needs.bare - doubted:
            self._let_go(id_)
        for id_, fact in self.facts.items():
            otherwise = fact.flagged and id_ not in before  # for a reason that no question tells
            self.facts[id_] = replace(fact, flagged=fact.active and (id_ in doubted or otherwise))

    def _closed(self, question: Question) -> Question:
        return replace(question, resolved_at=self._ctx.now, by=f"undone by {self._ctx.run}")

    def _let_go(self, id_: str) -> None:
        """A fact without evidence that stood only until a person had said goes with the question, unless one has said something; nor does
        one come back.
        """
        fact = self.facts.get(id_)
        if fact is not None and fact.active and not self._rests(id_):
            self.facts[id_] = replace(fact, retired_at=self._needs.facts[id_].retired_at or self._ctx.now)

    def _rests(self, id_: str) -> bool:
        """Whether there is evidence under a fact, or the word of a person."""
        return id_ not in self._needs.bare or any(q.action is not None and id_ in (q.existing, q.new) for q in self.questions.values())

    def _still_asks(self, question: Question) -> bool:
        if question.of_quarantine:
            rests = question.new in self._waiting or self._needs.pieces.get(question.new) != ()
            return self.facts[question.new].set_apart and rests
        sides = (question.existing, question.new)
        return all(self.facts[side].active for side in sides) and any(map(self._rests, sides))

    def records(self) -> tuple[Record, ...]:
        """What is to be put: a new version of each fact that is other than it was, each changed question, what salience it had."""
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
        puts += _salience_without(self._needs.changes, self._ctx)
        puts += [undone for change in self._needs.changes.records if (undone := change.undone()) is not None]
        return tuple(puts)


def _salience_without(changes: Changes, ctx: Context) -> Iterator[Salience]:
    """Yield each salience without the run's part in it, where that is other than it is now."""
    for change in changes.salience:
        back = change.undone()
        if back.effective != change.now.effective:
            back = replace(back, fades_at=fades_at(back, ctx.settings.decay))
        if back != change.now:
            yield back


def _asked_and_answered(question: Question) -> tuple[object, ...]:
    return question.existing, question.new, question.resolved_at, question.action, question.by
