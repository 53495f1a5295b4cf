"""Timelines: all that was said in a matter, in order, where something of it comes in late.

A claim that was said before something of its kin (`core.facts.related`) that is already known cannot be weighed against what is held:
what is held followed from an order that was not the real one. So everything that was said in the matter is read again from the
evidence, and weighed anew in the order in which it was said (`core.facts.reweighing`). What a person has answered is not weighed again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

from ethos.core.facts.changes import NO_TURNS, ReadTurn, read_turns
from ethos.core.facts.corrections import PUT_RIGHT
from ethos.core.facts.evidence import counting, with_origin
from ethos.core.facts.holding import new_fact
from ethos.core.facts.keyed_claims import KeyedClaim, Proposals, place_in_turn
from ethos.core.facts.matter import History, Node, latest, stated_by, successor
from ethos.core.facts.nearby import Nearby
from ethos.core.facts.related import kin
from ethos.core.facts.rereading import Reading, Rereading, reading_of, reading_shelved, reading_under
from ethos.core.facts.retirement import Retirement, retired_by_person, says_the_same
from ethos.core.facts.statement import Statement, object_key_of, statement_of
from ethos.core.facts.telling_turns import TellingTurns
from ethos.core.facts.told_again import RULES
from ethos.core.model.records import Evidence, Fact, Verdict, WeakClaim
from ethos.core.passes.context import Context
from ethos.core.ports.store import Work


class Late(NamedTuple):
    """What claims that come in late concern. retired: those that a person retired, in matters that are not weighed anew."""

    histories: tuple[History, ...] = ()
    retired: frozenset[Reading] = frozenset()


NOTHING_LATE = Late()
MOST_KEPT = 20_000  # turns and facts, or episodes, of which something is kept from unit to unit


def late_histories(
    work: Work, ctx: Context, claims: Sequence[KeyedClaim], turns: Mapping[str, ReadTurn] = NO_TURNS, anew: Proposals = ()
) -> Late:
    """Return the matters in which one of these claims was said before something that is known already, or that a person retired.

    anew: corrections that were read before and are read again, since a turn of the unit stands before them.
    """
    if ctx.weighed_until is None:
        return NOTHING_LATE
    late = [p for p in claims if ctx.is_late(p.utterance)]
    changing = {id_: turn for id_, turn in turns.items() if ctx.is_late(turn.utterance)}
    telling, reread = ctx.carried.take(TellingTurns), ctx.carried.take(Rereading)
    if late or changing or anew:
        telling = telling.resume(work) if telling is not None else TellingTurns(work, ctx)
        reread = reread.resume(work) if reread is not None else Rereading(work, ctx)
        found = _Search(work, ctx, late, changing, anew, telling, reread).late()
    else:
        found = NOTHING_LATE
    if telling is not None and telling.size <= MOST_KEPT:
        telling.take(turns)
        ctx.carried.offer(telling)
    if reread is not None and reread.size <= MOST_KEPT:
        ctx.carried.offer(reread)
    return found


def shared_histories(
    work: Work, ctx: Context, facts: Collection[str], episodes: Collection[str], anew: Proposals = ()
) -> tuple[History, ...]:
    """Return the matters of which some comes of these facts and episodes, and some of others: two memories spoke of them.

    anew: corrections of the one that stand after a turn of the other.
    """
    turns = read_turns(work.utterances(episodes)) if ctx.rules.reads_clauses else NO_TURNS
    search = _Search(work, ctx, (), turns, anew, TellingTurns(work, ctx), Rereading(work, ctx))
    return search.shared(work.current(facts), episodes)


class _Search:
    """Looks for the kin of some claims or facts among all that is known, and reads again what was said by them."""

    def __init__(
        self,
        work: Work,
        ctx: Context,
        claims: Sequence[KeyedClaim],
        changing: Mapping[str, ReadTurn],
        anew: Proposals,
        telling: TellingTurns,
        reread: Rereading,
    ) -> None:
        """Look for the kin of these claims, of what these turns may change, and of what these corrections gave and give.

        Claims and turns are those of one unit that come in late; what comes in on time is weighed after them, as ever. telling, reread: of
        what was looked for in the units before.
        """
        self._work = work
        self._ctx = ctx
        self._anew = {utterance.id for utterance, _ in anew}
        self._claims = (*claims, *(p for _, corrected in anew for p in corrected if not p.apart))
        self._changing = changing
        self._telling = telling
        self._telling.take(changing)
        self._facts: dict[str, Fact] = {}
        self._again: list[tuple[Node, Statement]] = []  # with what is loaded, what else was stated by it
        self._given: dict[Hashable, datetime] = {}  # of what it is known what turns made of it, and since when it was true
        self._weak_claims: dict[WeakClaim, None] = {}
        self._repeated: dict[WeakClaim, Fact] = {}  # which two memories have said, and the fact that each may become
        self._pieces: dict[str, list[Evidence]] = {}  # fact -> what it rests on
        self._reread = reread
        self._groups: dict[int, list[Node]] = {}
        self._reaching = {*ctx.rules.replacing, PUT_RIGHT}  # rules whose claims may name what they replace

    def late(self) -> Late:
        """Return the histories with a claim in them that something known comes after."""
        spoken = [statement_of(fact) for fact in (*self._spoken_of(), *self._put_right.values())]
        seeds = [*(p.statement for p in self._claims), *spoken]
        if not seeds:
            return NOTHING_LATE
        self._load_around(seeds)
        self._group()
        found = []
        gone: set[Reading] = set()
        for group in self._groups.values():
            own = self._own(group)
            if not (own or self._changing or self._corrected(group)):
                continue
            turns = self._turns_of(group)
            changed = self._corrected(group) or any(turn.utterance.id in self._changing for turn in turns)
            if not own and not changed:
                continue
            said = min((p.statement.said_at for p in own), default=latest(group))
            if changed or latest(group) >= said or any(turn.utterance.said_at >= said for turn in turns):
                history = self._history(group, turns)
                if history is None:
                    gone.update(self._ended(own, group))
                elif changed or self._comes_late(history, own):
                    found.append(history)
        return Late(tuple(found), frozenset(gone))

    def _own(self, group: Sequence[Node]) -> list[KeyedClaim]:
        """Return the claims of the unit."""
        return [each for each in group if isinstance(each, KeyedClaim) and each.utterance.id not in self._anew]

    def _corrected(self, group: Sequence[Node]) -> bool:
        """Return whether a correction that is read again gave something in the matter, or gives something now."""
        facts = any(isinstance(each, Fact) and each.id in self._put_right for each in group)
        return facts or any(isinstance(each, KeyedClaim) and each.utterance.id in self._anew for each in group)

    @cached_property
    def _put_right(self) -> Mapping[str, Fact]:
        """Return the facts that rest on the corrections that are read again."""
        facts = self._work.current({piece.fact for piece in self._work.evidence_in(self._anew)}) if self._anew else {}
        self._load(facts.values())
        return {id_: fact for id_, fact in facts.items() if any(piece.episode in self._anew for piece in self._pieces[id_])}

    def _spoken_of(self) -> list[Fact]:
        """Return the facts, held or not, that a turn of the unit may change."""
        asked = {(user, phrase) for turn in self._changing.values() for user, _, phrase in turn.naming()}
        facts = self._work.facts_naming(asked) if asked else ()
        return [fact for fact in facts if any(turn.speaks_of(fact) for turn in self._changing.values())]

    def _turns_of(self, group: Sequence[Node]) -> list[ReadTurn]:
        """Return the turns, said after the first word of a matter, that may say of something in it that it has changed."""
        if not self._ctx.rules.reads_clauses:
            return []
        facts = [each if isinstance(each, Fact) else new_fact(each, self._ctx) for each in group if not isinstance(each, WeakClaim)]
        facts += [self._repeated[each] for each in group if isinstance(each, WeakClaim) and each in self._repeated]
        return sorted(self._telling.speaking_of(facts).values(), key=lambda turn: turn.utterance.place)

    def _given_by_turns(self, nodes: Iterable[tuple[Node, Fact]]) -> list[tuple[Node, Statement]]:
        """Return what is stated of facts by turns that say that they have changed, or do not hold any more; each with what is loaded,
        which it comes of.
        """
        if not self._ctx.rules.reads_clauses:
            return []
        given: dict[Hashable, tuple[Node, Statement]] = {}
        for node, fact, made in self._telling.made_of(nodes, self._given):
            stated = [*map(statement_of, made), replace(statement_of(fact), kind="negation", polarity="-")]
            for one in stated:
                given.setdefault((id(node), one.key, one.object_key, one.polarity, one.replaces_key), (node, one))
        return [*given.values()]

    def shared(self, new: Mapping[str, Fact], episodes: Collection[str]) -> tuple[History, ...]:
        """Return the histories in which something comes of these facts and episodes, and something of others."""
        weak = self._work.weak_claims_in(episodes)
        self._repeated = self._now_repeated(weak, episodes)
        given = self._given_by_turns(self._repeated.items())
        self._again += given
        facts = map(statement_of, (*new.values(), *self._put_right.values(), *self._spoken_of()))
        self._load_around([*facts, *map(stated_by, weak), *(p.statement for p in self._claims), *(statement for _, statement in given)])
        self._group()
        found = []
        for group in self._groups.values():
            turns = self._turns_of(group)
            came = {turn.utterance.id in episodes for turn in turns}
            came |= {each.id in new for each in group if isinstance(each, Fact)}
            came |= {each.episode in episodes for each in group if isinstance(each, WeakClaim)}
            if (len(came) == 2 or self._corrected(group)) and (history := self._history(group, turns)) is not None:
                found.append(history)
        return tuple(found)

    def _now_repeated(self, weak_claims: Sequence[WeakClaim], episodes: Collection[str]) -> dict[WeakClaim, Fact]:
        """Return, with the fact that it may become, each of these weak claims of these episodes that another one says, too."""
        if not self._ctx.rules.reads_clauses:
            return {}
        met = self._work.weak_claims({each.key for each in weak_claims}) if weak_claims else {}
        elsewhere = [each for each in weak_claims if any(other.episode not in episodes for other in met.get(each.key, ()))]
        self._reread.read({each.episode for each in elsewhere})
        return {each: new_fact(keyed, self._ctx) for each in elsewhere if (keyed := self._reread.shelved(each)) is not None}

    def _comes_late(self, history: History, own: Sequence[KeyedClaim]) -> bool:
        new = {id(p) for p in own}
        first = next(at for at, p in enumerate(history.told) if id(p) in new)
        if any(turn.utterance.place > history.told[first].utterance.place for turn, _ in history.turns):
            return True
        if any(each.at > history.told[first].utterance.said_at for each in history.retired.values()):
            return True
        return any(id(p) not in new and p.utterance.id != history.told[first].utterance.id for p in history.told[first:])

    def _ended(self, own: Iterable[KeyedClaim], group: Iterable[Node]) -> Iterator[Reading]:
        """Yield the claims of the unit that say, earlier, what a person has retired."""
        facts = {each.id: each for each in group if isinstance(each, Fact)}
        retired = [(each.at, statement_of(facts[id_])) for id_, each in self._retired(facts).items()]
        for claim in own:
            said = claim.statement
            if any(at > said.said_at and says_the_same(said, fact) for at, fact in retired):
                yield reading_of(claim)

    def _retired(self, facts: Mapping[str, Fact]) -> dict[str, Retirement]:
        """Return those of these facts that a person retired: by a run, or, where they were imported, what they rest on still stands."""
        self._load(facts.values())
        times = {id_: fact.retired_at for id_, fact in facts.items() if fact.retired_at is not None and self._pieces[id_]}
        times |= {id_: at for id_, at in self._by_person.items() if id_ in facts}
        turns = defaultdict(set)
        for piece in self._work.evidence(times) if times else ():
            turns[piece.fact].add(piece.episode)
        return {id_: Retirement(at, frozenset(turns[id_])) for id_, at in times.items()}

    @cached_property
    def _by_person(self) -> dict[str, datetime]:
        return retired_by_person(self._work)

    # -- the kin

    def _load_around(self, seeds: Sequence[Statement]) -> None:
        """Load everything that could be kin of the seeds, or of what turns made of it."""
        users = {one.key.user for one in seeds}
        own = self._given_by_turns((each, new_fact(each, self._ctx)) for each in self._claims)
        self._again += own
        nearby = Nearby(self._ctx.settings.conflict_resolution)
        told = [*seeds, *(statement for _, statement in own)]
        while told:
            step = nearby.widened(told)
            facts = [*self._work.facts_naming(step.named), *self._told_of(users, step.words)]
            if step.words or step.everything:
                facts += self._work.facts_replacing(users, self._reaching, None if step.everything else step.words)
            weak: dict[WeakClaim, None] = {}
            for subjects, sharing in step.around:
                facts += self._work.facts_around(subjects, sharing)
                weak |= dict.fromkeys(self._work.weak_claims_around(subjects, sharing, self._reaching))
            new = [each for each in weak if each not in self._weak_claims]
            self._weak_claims |= dict.fromkeys(new)
            told = [*self._taken(facts), *self._replaced_by_weak(new)]

    def _told_of(self, users: Collection[str], words: Collection[str]) -> list[Fact]:
        """Return the facts of which turns with one of these words speak: what they made of them may have this word."""
        if not (words and self._ctx.rules.reads_clauses):
            return []
        turns = {turn.utterance.id: turn for turn in self._telling.having(users, words)}
        facts = self._work.facts_naming({(user, phrase) for turn in turns.values() for user, _, phrase in turn.naming()})
        return [fact for fact in facts if fact.id not in self._facts and self._telling.any_tells_of(fact, turns.keys())]

    def _replaced_by_weak(self, weak_claims: Iterable[WeakClaim]) -> list[Statement]:
        """Return what weak claims say that may name what they replace: it is in the turn alone."""
        naming = [each for each in weak_claims if each.rule in self._reaching]
        self._reread.read({each.episode for each in naming})
        told = [(each, keyed.statement) for each in naming if (keyed := self._reread.shelved(each)) is not None]
        self._again += told
        return [statement for _, statement in told]

    def _taken(self, facts: Iterable[Fact]) -> list[Statement]:
        """Take in those of the facts that are not loaded yet; what they state, what else was said by those who said them again, and what
        turns made of them.
        """
        new = {fact.id: fact for fact in facts if fact.id not in self._facts}
        beside = new
        while beside:
            self._facts |= beside
            beside = {fact.id: fact for fact in self._beside(beside.values()) if fact.id not in self._facts}
            new |= beside
        again = [*self._said_again(new.values()), *self._given_by_turns((fact, fact) for fact in new.values())]
        again += [(fact, statement_of(self._facts[by])) for fact in new.values() if (by := successor(fact)) in self._facts]
        self._again += again
        return [*map(statement_of, new.values()), *(statement for _, statement in again)]

    def _beside(self, facts: Collection[Fact]) -> list[Fact]:
        """Return what took the place of these facts, and whatever's place one of them took that was said again.

        Which place that was stands in the turn that said it again. Where that is a correction, it may be read otherwise now.
        """
        by = {later for fact in facts if (later := successor(fact))} - self._facts.keys()
        again = {fact.id for fact in facts if fact.affirmed_at is not None}
        return [*self._work.current(by).values(), *(self._work.replaced(again) if again else ())]

    def _group(self) -> None:
        """Group what was loaded, and the claims, by kin."""
        nodes: list[Node] = [*self._facts.values(), *self._weak_claims, *self._claims]
        statements = [stated_by(node) for node in nodes]
        for node, statement in self._again:
            nodes.append(node)
            statements.append(statement)
        said_by = [node.id if isinstance(node, Fact) else node if isinstance(node, WeakClaim) else id(node) for node in nodes]
        groups = kin(statements, self._ctx.settings.conflict_resolution, said_by)
        for node, group in zip(nodes, groups, strict=True):
            self._groups.setdefault(group, []).append(node)

    def _said_again(self, facts: Iterable[Fact]) -> list[tuple[Node, Statement]]:
        """Return what else was said by those who confirmed or refined a fact: what they replaced by it is not in the fact."""
        again = [fact for fact in facts if fact.affirmed_at is not None]
        self._load(again)
        pieces = [(fact, piece) for fact in again for piece in self._pieces[fact.id]]
        self._reread.read({piece.episode for _, piece in pieces})
        told: list[tuple[Node, Statement]] = [
            (fact, replace(statement_of(fact), object_key=object_key_of(fact, piece.object))) for fact, piece in pieces
        ]
        told += [(fact, p.statement) for fact, piece in pieces if (p := self._reread.of_evidence(piece, fact)) is not None]
        return told

    # -- what was said

    def _history(self, group: Sequence[Node], turns: Sequence[ReadTurn]) -> History | None:
        """Return everything that was said in the matter; None where a person has decided in it, or what is held rests on nothing said."""
        facts = {each.id: each for each in group if isinstance(each, Fact)}
        questions = [q for q in self._work.questions(facts=facts.keys()) if not q.of_quarantine] if facts else []
        if any(q.action is not None for q in questions):
            return None
        apart = {q.id for q in questions if not {q.existing, q.new} <= facts.keys()}  # one side rests on nothing said any more
        if any(q.id in apart and q.resolved_at is None for q in questions):
            return None
        questions = [q for q in questions if q.id not in apart]
        self._load(facts.values())
        if any(fact.active and not self._pieces[fact.id] for fact in facts.values()):
            return None
        weak_claims = [each for each in group if isinstance(each, WeakClaim)]
        episodes = {piece.episode for id_ in facts for piece in self._pieces[id_]} | {weak_claim.episode for weak_claim in weak_claims}
        if not self._reread.read(episodes | {turn.utterance.id for turn in turns}):
            return None
        told: dict[Reading, KeyedClaim] = {}
        shelved = set()
        for weak_claim in weak_claims:
            if (keyed := self._reread.shelved(weak_claim)) is not None:
                told[reading_shelved(weak_claim)] = keyed
                shelved.add(reading_shelved(weak_claim))
        pieces: dict[str, dict[Reading, Evidence]] = {}
        for fact in facts.values():
            pieces[fact.id] = {}
            for piece in self._pieces[fact.id]:
                reading = reading_under(fact, piece)
                pieces[fact.id][reading] = piece
                if reading not in told and piece.rule not in RULES and (kept := self._reread.kept(piece, fact)) is not None:
                    told[reading] = kept
        anew = (each for each in group if isinstance(each, KeyedClaim) and each.utterance.id in self._anew)
        told = {reading_of(each): each for each in anew} | told
        own = {reading_of(each): each for each in self._own(group)}
        telling = tuple((turn, self._reread.claims(turn.utterance.id)) for turn in turns)
        ordered = sorted({**told, **own}.values(), key=lambda p: (p.utterance.place, place_in_turn(p)))
        return History(tuple(ordered), facts, pieces, questions, frozenset(shelved), self._retired(facts), telling)

    def _load(self, facts: Iterable[Fact]) -> None:
        wanted = {fact.id for fact in facts} - self._pieces.keys()
        if wanted:
            found = defaultdict(list)
            evidence = self._work.evidence(wanted, in_force=True)
            for piece in self._counting(evidence) if any(each.verdict == Verdict.MOVED for each in evidence) else evidence:
                if piece.verdict != Verdict.SET_APART:
                    found[piece.fact].append(piece)
            self._pieces |= {id_: found.get(id_, []) for id_ in wanted}

    def _counting(self, evidence: Sequence[Evidence]) -> list[Evidence]:
        runs = {name: run for name in {piece.run for piece in evidence} if (run := self._work.run(name))}
        pieces = with_origin(evidence, self._work.episodes({piece.episode for piece in evidence}), runs)
        return [piece.evidence for piece in counting(pieces)]
