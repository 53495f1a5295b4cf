"""Erasing: a wish to forget carried out in one store, and then looked for in the raw bytes (docs/threats.md, promise 5).

The store forgets in one transaction. What comes after it (the file made anew, copies, the review file and its history, exports) is
harmless to die in: forgetting the same again finds what is left.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice
from typing import Literal

from ethos.app.receipt import Forgotten
from ethos.core.history.erasure import SHORTEST_ASKED, ErasedRecords, ErasureRequest, mentions, pieces, without_shared
from ethos.core.model import ids
from ethos.core.model.errors import Problem, Refused, refuse
from ethos.core.model.keys import Mac
from ethos.core.model.plan import Plan, one
from ethos.core.model.record_types import by_descriptor
from ethos.core.model.records import Episode, Fact, Question, Run
from ethos.core.model.rule_trust import MISREAD, RuleTrust
from ethos.core.passes.context import Context
from ethos.core.ports.store import Store, Work
from ethos.core.ports.traces import Traces
from ethos.stages.person import forget

LOT = 1_000
_NOTHING_SOUGHT = Problem(
    "usage",
    "no file was searched: there is nothing to look for that is long enough to tell it from other words",
    f"name the words that are to be gone, at least {SHORTEST_ASKED} characters: ethos forget --matching TEXT",
)


@dataclass(frozen=True, slots=True)
class Erased:
    """Hold what one store took out. sought: the pieces of it that are in no record that stays."""

    gone: ErasedRecords = field(default_factory=ErasedRecords)
    sought: frozenset[str] = frozenset()
    counts: dict[str, int] = field(default_factory=dict)
    shown: tuple[str, ...] = ()

    def speaks(self) -> Callable[[str], bool]:
        """Return a function that tells whether a line speaks of it."""
        return mentions(self.gone.ids, self.sought | {self.gone.asked})


@dataclass(frozen=True, slots=True)
class Everywhere:
    """Hold what was taken out of the store and of the files beside it."""

    erased: Erased
    copies: int  # other stores that were made anew
    changed: tuple[str, ...]  # files of text
    problems: tuple[Problem, ...]


def held_only(erased: Erased, wanted: ErasureRequest) -> Erased:
    """Return what was erased. Refuse ids that are not held; words may be looked for all the same, because a file may still hold them."""
    if erased.gone.ids or wanted.matching:
        return erased
    raise refuse("not-found", "nothing in the memory matches", hint="`ethos recall` shows what is there")


def rehearse(store: Store, wanted: ErasureRequest, ctx: Context) -> Erased:
    """Return what would be forgotten, in words. Nothing is changed."""
    with store.begin() as work:
        needs = forget.gather(wanted, work, ctx)
        decided = forget.decide(needs, ctx)
        return Erased(decided.gone, frozenset(), _counts(decided), tuple(_shown(needs, decided)))


def erase(store: Store, wanted: ErasureRequest, ctx: Context, seal: Mac, *, keep: bool = True) -> Erased:
    """Forget in one transaction (records, payloads of the audit) and bury; return what was taken out, which may be nothing.

    keep: False rolls it back, for what would be taken out. The run stays "running" until `finish` has made the file anew.
    """
    try:
        with store.begin(write=True) as work:
            erased = _erased(work, wanted, ctx, seal)
            if not keep:
                raise _RollBack
            return erased
    except _RollBack:
        return erased


class _RollBack(Exception):
    """Leave a transaction so that it rolls back."""


def _erased(work: Work, wanted: ErasureRequest, ctx: Context, seal: Mac) -> Erased:
    needs = forget.gather(wanted, work, ctx)
    decided = forget.decide(needs, ctx)
    plan, gone, counts = decided.plan, decided.gone, _counts(decided)
    if not plan:
        erased = Erased(gone, _sought(work, gone), counts)
        if work.redact(erased.speaks()):
            _write(work, one("", Run(ctx.run, "forget", "", None, ctx.now, counts=counts)), ctx.run)
        return erased
    answers = work.rule_trust(ctx.settings.ethos.user)
    _write(work, plan + one("", Run(ctx.run, "forget", "", None, ctx.now, counts=counts)), ctx.run)
    _keep_answers(work, answers, {needs.facts[fact][-1].rule for fact in needs.named if wanted.misread}, ctx)
    work.bury([mac for episode in needs.episodes.values() for mac in macs(episode, seal)], ctx.now)
    erased = Erased(gone, _sought(work, gone), counts)
    speaks, session = erased.speaks(), f'"session": {json.dumps(wanted.session, ensure_ascii=False)}'
    work.redact(lambda payload: speaks(payload) or (wanted.session is not None and session in payload))
    return erased


def _write(work: Work, plan: Plan, run: str) -> None:
    if failures := work.apply(plan, run).failures:
        raise RuntimeError(f"the store refused to forget: {failures[0].error}")  # all or nothing: this leaves the transaction


def _keep_answers(work: Work, before: Mapping[str, RuleTrust], misread: Collection[str], ctx: Context) -> None:
    """Keep the answers about a rule when their questions are gone, as bare numbers, which say nothing of the words."""
    after = work.rule_trust(ctx.settings.ethos.user)
    for rule in sorted(before.keys() | misread):
        was, now = before.get(rule, RuleTrust()), after.get(rule, RuleTrust())
        rejected = was.rejected - now.rejected + (MISREAD if rule in misread else 0)
        if counts := {name: n for name, n in (("accepted", was.accepted - now.accepted), ("rejected", rejected)) if n}:
            run = Run(ids.run_id("standing", ctx.now.isoformat(), rule), "standing", rule, None, ctx.now, ctx.now, "", counts, "done")
            work.apply(one("", run), run.id)


def finish(store: Store, now: datetime) -> None:
    """Make the file anew where a run of forgetting has not come to its end, and say that it has. Raises `Refused` where it cannot yet."""
    with store.begin() as work:
        unfinished = [run for run in work.runs(name="forget", limit=5) if run.ended_at is None]
    if not unfinished:
        return
    if store.file is not None:
        store.file.rewrite()
    for run in unfinished:
        with store.begin(write=True) as work:
            work.apply(one("", replace(run, ended_at=now, outcome="done")), run.id)


def erase_everywhere(store: Store, traces: Traces, wanted: ErasureRequest, ctx: Context, seal: Mac) -> Everywhere:
    """Take it out of the files, of every copy of the store that is known, and last of the store itself.

    Dying on the way leaves the store as it was until the last step, so forgetting the same again does all of it again; after that
    step only the file has to be made anew, which the next run does (`finish`).
    """
    erased = erase(store, wanted, ctx, seal, keep=False)
    problems: list[Problem] = []
    with store.begin() as work:
        known = work.buried()
    copies = 0
    for path in traces.copies():
        try:
            with traces.open(path) as copy:
                also = _erase_copy(copy, wanted, erased.gone.episodes, known, ctx, seal)
                erased = Erased(erased.gone | also.gone, erased.sought | also.sought, erased.counts)
                copies += bool(also.gone.ids)
                finish(copy, ctx.now)
        except Refused as refused:
            problems.append(refused.problem)
    changed, undone = traces.scrub(erased.gone, erased.speaks())
    problems += undone
    done = erase(store, wanted, ctx, seal)
    with store.begin() as work:
        sought = _sought(work, erased.gone | done.gone)
    try:
        finish(store, ctx.now)
    except Refused as refused:
        problems.append(refused.problem)
    return Everywhere(Erased(erased.gone | done.gone, sought, done.counts), copies, tuple(changed), tuple(problems))


def _erase_copy(copy: Store, wanted: ErasureRequest, episodes: Iterable[str], known: frozenset[str], ctx: Context, seal: Mac) -> Erased:
    """Forget in a copy, also what was forgotten before it was known here."""
    with copy.begin(write=True) as work:
        work.bury(known, ctx.now)
    with copy.begin() as work:
        held = {*work.episodes(tuple(episodes)), *buried_in(work, seal)}
    return erase(copy, replace(wanted, ids=tuple(sorted(held))), ctx, seal)


def prove(store: Store, traces: Traces, done: Everywhere, ctx: Context, seal: Mac) -> Forgotten:
    """Look for what was taken out, and for what was asked for, in the raw bytes and in the index; return the receipt."""
    erased, problems = done.erased, done.problems
    with store.begin() as work:
        noted = (*_noted(work, "export"), *_noted(work, "backup"))
        tombstones = len(work.buried())
    scan = traces.scan(erased.sought, noted)
    texts = sorted(erased.gone.texts | {erased.gone.asked} - {""})
    index = 0 if store.file is None else store.file.left_in_index(texts)
    if not erased.sought:
        problems += (_NOTHING_SOUGHT,)
    receipt = Forgotten(
        ctx.run,
        ctx.now,
        counts=erased.counts,
        tombstones=tombstones,
        copies=done.copies,
        changed=done.changed,
        sought=len(erased.sought),
        scan=scan,
        index=index,
        problems=problems,
    )
    return replace(receipt, seal=seal(f"receipt\0{receipt!r}"))


def _noted(work: Work, name: Literal["export", "backup"]) -> tuple[str, ...]:
    """Return the paths of exports or backups that the runs name. They are only read, because an import may have brought the runs."""
    return tuple(dict.fromkeys(run.reason for run in work.runs(name=name, limit=1_000)))


def macs(episode: Episode, seal: Mac) -> Iterator[str]:
    """Yield the keyed hashes of an episode: of its id, and, where its time is its own, of its words at that time (for another file)."""
    yield seal(f"id\0{episode.id}")
    if episode.time_source == "said":
        yield seal(f"said\0{episode.said_at.isoformat()}\0{episode.text}")


def buried_in(work: Work, seal: Mac) -> Iterator[str]:
    """Yield the ids of all episodes here that were forgotten before."""
    every = work.records(Episode)
    while lot := tuple(islice(every, LOT)):
        yield from sorted(buried(work, lot, seal))


def buried(work: Work, episodes: Iterable[Episode], seal: Mac) -> frozenset[str]:
    """Return the ids of those of these episodes that were forgotten before. Cheap where nothing ever was."""
    if not work.anything_buried():
        return frozenset()
    found = {mac: episode.id for episode in episodes for mac in macs(episode, seal)}
    return frozenset(found[mac] for mac in work.buried(found))


def _sought(work: Work, gone: ErasedRecords) -> frozenset[str]:
    return frozenset(without_shared(pieces(gone), _surviving(work), gone.asked.strip()))


def _surviving(work: Work) -> Iterator[str]:
    for episode in work.records(Episode):
        yield episode.text
    for fact in work.records(Fact):
        yield fact.statement
    for question in work.records(Question):
        yield question.note
    for kind in by_descriptor():
        for record in work.records(kind.record) if kind.text else ():
            yield from kind.words(record)


def _counts(decided: forget.Forgetting) -> dict[str, int]:
    gone = decided.gone
    others = Counter(each.kind.table for each in decided.others)
    rest = gone.ids - gone.episodes - {each.id for each in decided.others}
    facts = sum(id_.startswith("f-") for id_ in rest)
    erased = {"episodes": len(gone.episodes), "facts": facts, "questions": len(rest) - facts}
    return erased | {"rescored": len(decided.rescored), "revived": len(decided.revived)} | others


def _shown(needs: forget.Needs, decided: forget.Forgetting) -> Iterator[str]:
    gone = decided.gone
    for episode in needs.episodes.values():
        yield f"forget {episode.id}: {episode.speaker} said: {episode.text}"
    for fact, versions in needs.facts.items():
        if fact in gone.ids:
            yield f"forget {fact}: {versions[-1].statement}"
    anew = {put.id: put for put in decided.plan.puts() if isinstance(put, Fact)}
    for fact in decided.rescored:
        before, after = needs.facts[fact][-1], anew.get(fact, needs.facts[fact][-1])
        words = f"{before.statement} ({before.confidence:.2f})", f"{after.statement} ({after.confidence:.2f})"
        yield f"keep {fact}, on what else it rests on: {' -> '.join(dict.fromkeys(words))}"
    for fact, admission in decided.revived.items():
        yield f"hold again {fact}: {anew[fact].statement} ({admission})"
    for question in needs.questions:
        if question.id in gone.ids:
            yield f"forget {question.id}, a question about it"
    for each in decided.others:
        if each.kind.text or each.kind.shown:  # something of it is for people
            yield ": ".join(filter(None, (" ".join(filter(None, ("forget", each.kind.name, each.id))), " ".join(each.words))))
