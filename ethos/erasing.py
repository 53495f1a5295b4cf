"""Erasing: a wish to forget carried out in one store, and then looked for in the raw bytes (TRUST, promise 6).

The store forgets in one transaction. What comes after it (the file made anew, copies, the review file and its history, exports) is
harmless to die in: forgetting the same again finds what is left.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from ethos.core.context import Context
from ethos.core.errors import Problem, Refused
from ethos.core.forgetting import Gone, Scan, Wanted, pieces, speaker_of, without_shared
from ethos.core.plan import Plan, one
from ethos.core.ports import Store, Traces, Work
from ethos.core.records import Episode, Fact, Question, Run
from ethos.stages import forget

Seal = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Forgotten:
    """The receipt. It holds no word of what was forgotten; only a rehearsal says what would go (`shown`).

    found: in which files something still stands, and how often; problems: what could not be done, and what to do; seal: a keyed hash
    over the rest, so that a receipt can be told from one that somebody made up.
    """

    run: str
    at: datetime
    dry_run: bool = False
    counts: Mapping[str, int] = field(default_factory=dict)  # episodes, facts, questions forgotten; facts rescored, revived
    tombstones: int = 0
    copies: int = 0  # other stores (backups) that were made anew
    sought: int = 0  # pieces of text and ids that were looked for
    scan: Scan = field(default_factory=Scan)
    index: int = 0  # words that the index still held
    problems: tuple[Problem, ...] = ()
    shown: tuple[str, ...] = ()
    seal: str = ""

    @property
    def proven(self) -> bool:
        """Nothing was found, and nothing was left undone."""
        return not (self.scan.found or self.index or self.problems)


@dataclass(frozen=True, slots=True)
class Erased:
    """What one store took out. sought: the pieces of it that stand in nothing that stays."""

    gone: Gone = field(default_factory=Gone)
    sought: frozenset[str] = frozenset()
    counts: dict[str, int] = field(default_factory=dict)
    shown: tuple[str, ...] = ()

    def speaks(self) -> Callable[[str], bool]:
        """Whether a line speaks of it."""
        return speaker_of(self.gone.ids, self.sought | {self.gone.asked})


def rehearse(store: Store, wanted: Wanted, ctx: Context) -> Erased:
    """What would go, in words. Nothing is changed."""
    with store.begin() as work:
        needs = forget.gather(wanted, work, ctx)
        plan = forget.decide(needs, ctx)
        gone = forget.gone(needs, plan)
        return Erased(gone, frozenset(), _counts(gone, plan), tuple(_shown(needs, plan, gone)))


def erase(store: Store, wanted: Wanted, ctx: Context, seal: Seal) -> Erased:
    """Forget in one transaction: the records, the tombstones, the audit's payloads. What was taken out; nothing where nothing fits."""
    with store.begin(write=True) as work:
        needs = forget.gather(wanted, work, ctx)
        plan = forget.decide(needs, ctx)
        if not plan:
            return Erased()
        gone = forget.gone(needs, plan)
        counts = _counts(gone, plan)
        run = Run(ctx.run, "forget", "", None, ctx.now, ctx.now, counts=counts, outcome="done")
        if failures := work.apply(plan + one("", run), ctx.run).failures:
            raise RuntimeError(f"the store refused to forget: {failures[0].error}")  # all or nothing: this leaves the transaction
        work.bury([mac for episode in needs.episodes.values() for mac in macs(episode, seal)], ctx.now)
        erased = Erased(gone, frozenset(without_shared(pieces(gone), _surviving(work), gone.asked.strip())), counts)
        speaks, session = erased.speaks(), f'"session": {json.dumps(wanted.session, ensure_ascii=False)}'
        work.redact(lambda payload: speaks(payload) or (wanted.session is not None and session in payload))
        return erased


def erase_everywhere(store: Store, traces: Traces, wanted: Wanted, ctx: Context, seal: Seal) -> tuple[Erased, int, list[Problem]]:
    """The store and every copy of it that is known, and the files; how many copies, and what could not be done."""
    erased = erase(store, wanted, ctx, seal)
    problems: list[Problem] = []
    if not erased.gone.ids and not wanted.matching:
        return erased, 0, problems
    _try(store.rewrite, problems)
    copies = 0
    for path in traces.copies():
        try:
            copy = traces.open(path)
        except Refused as refused:
            problems.append(refused.problem)
            continue
        try:
            with copy.begin() as work:
                held = tuple(work.episodes(erased.gone.episodes))
            also = erase(copy, Wanted(held, wanted.session, wanted.source, wanted.matching), ctx, seal)
            if also.gone.ids:
                erased = Erased(erased.gone | also.gone, erased.sought | also.sought, erased.counts)
                copies += 1
            _try(copy.rewrite, problems)
        finally:
            copy.close()
    with store.begin() as work:
        exports = _exports(work)
        sought = frozenset(without_shared(pieces(erased.gone), _surviving(work), erased.gone.asked.strip()))
    erased = Erased(erased.gone, sought, erased.counts)
    problems += traces.scrub(erased.speaks(), exports)
    return erased, copies, problems


def prove(store: Store, traces: Traces, erased: Erased, copies: int, problems: Sequence[Problem], ctx: Context, seal: Seal) -> Forgotten:
    """Look for what was taken out in the raw bytes and in the index; the receipt."""
    with store.begin() as work:
        exports = _exports(work)
        tombstones = len(work.buried())
    scan = traces.scan(erased.sought, exports)
    index = store.left_in_index(sorted(erased.gone.texts))
    receipt = Forgotten(
        ctx.run,
        ctx.now,
        counts=erased.counts,
        tombstones=tombstones,
        copies=copies,
        sought=len(erased.sought),
        scan=scan,
        index=index,
        problems=tuple(problems),
    )
    return replace(receipt, seal=seal(f"receipt\0{receipt!r}"))


def _exports(work: Work) -> tuple[str, ...]:
    return tuple(dict.fromkeys(run.reason for run in work.runs(name="export", limit=1_000)))


def macs(episode: Episode, seal: Seal) -> Iterator[str]:
    """Under which an episode is buried: its id, and, where its time is its own, the words at that time (another file may hold it, too)."""
    yield seal(f"id\0{episode.id}")
    if episode.time_source == "said":
        yield seal(f"said\0{episode.said_at.isoformat()}\0{episode.text}")


def buried(work: Work, episodes: Iterable[Episode], seal: Seal) -> frozenset[str]:
    """The ids of those of these episodes that were forgotten before. Costs nothing where nothing ever was."""
    if not work.anything_buried():
        return frozenset()
    found = {mac: episode.id for episode in episodes for mac in macs(episode, seal)}
    return frozenset(found[mac] for mac in work.buried(found))


def _try(work: Callable[[], None], problems: list[Problem]) -> None:
    try:
        work()
    except Refused as refused:
        problems.append(refused.problem)


def _surviving(work: Work) -> Iterator[str]:
    for episode in work.records(Episode):
        yield episode.text
    for fact in work.records(Fact):
        yield fact.statement
    for question in work.records(Question):
        yield question.note


def _counts(gone: Gone, plan: Plan) -> dict[str, int]:
    named = [note.name for note in plan.notes()]
    others = gone.ids - gone.episodes
    facts = sum(id_.startswith("f-") for id_ in others)
    told = {"episodes": len(gone.episodes), "facts": facts, "questions": len(others) - facts}
    return told | {name: named.count(name) for name in ("rescored", "revived")}


def _shown(needs: forget.Needs, plan: Plan, gone: Gone) -> Iterator[str]:
    for episode in needs.episodes.values():
        yield f"forget {episode.id}: {episode.speaker} said: {episode.text}"
    for fact, versions in needs.facts.items():
        if fact in gone.ids:
            yield f"forget {fact}: {versions[-1].statement}"
    anew = {put.id: put for put in plan.puts() if isinstance(put, Fact)}
    for note in plan.notes():
        if note.name == "rescored":
            before, after = needs.facts[note.about][-1], anew.get(note.about, needs.facts[note.about][-1])
            words = f"{before.statement} ({before.confidence:.2f})", f"{after.statement} ({after.confidence:.2f})"
            yield f"keep {note.about}, on what else it rests on: {' -> '.join(dict.fromkeys(words))}"
        elif note.name == "revived":
            yield f"hold again {note.about}: {anew[note.about].statement} ({note.text})"
    for question in needs.questions:
        if question.id in gone.ids:
            yield f"forget {question.id}, a question about it"
