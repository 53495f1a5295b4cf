"""Write a plan: one bulk statement a table, and the journal of what it replaced.

Where the bulk is refused it is rolled back to a savepoint and repeated group by group, so that only the failing groups are left
out (E-36). What is wrong with the store itself (a full disk, damage) is never repeated; it goes up as it is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from operator import attrgetter, itemgetter
from typing import Any

from ethos.core.model.plan import ChangeSet, Plan
from ethos.core.model.record_types import record_types
from ethos.core.model.records import (
    Episode,
    EpisodeState,
    Evidence,
    Fact,
    Question,
    Record,
    Removed,
    Run,
    RunReversal,
    Salience,
    ScannedBatch,
)
from ethos.core.ports.store import Applied, Failure
from ethos.store.sqlite import audit, described, full_text, listed
from ethos.store.sqlite.checksums import EPISODES, EVIDENCES, FACTS, JOURNAL, MARKS, RUNS, SALIENCES, SCANS
from ethos.store.sqlite.columns import micros
from ethos.store.sqlite.described import Journal, remember
from ethos.store.sqlite.forget import forget
from ethos.store.sqlite.rows import EPISODE, EVIDENCE, FACT, MARK, RUN, SALIENCE, listing
from ethos.store.sqlite.sql import AMONG, Sql, insert, insert_new, select, update, upsert

Owner = tuple[str, str]  # user, project
Refusals = tuple[type[Exception], ...]
Puts = dict[type[Record], list[Any]]


_EPISODES_HELD = f"SELECT id FROM episodes WHERE id {AMONG}"  # noqa: S608 (our own names)
_EPISODE_IN = insert("episodes", EPISODES.written)
_BLANK = ("scan_checksum", "attempts", "pruned", "checksum")  # of a new mark; its NULLs are left out: binding a None costs 0.9 us
_MARK_IN = insert("marks", ("episode", "user", "project", "importance", "captured_at", *_BLANK))
_MARK_SET = update("marks", (*SCANS.written, *MARKS.written), key="episode")
MARKS_SET = _MARK_SET.removesuffix("= ?") + AMONG
SCANNED_SET = update("marks", SCANS.written, key="episode").removesuffix("= ?") + AMONG
_SAID_OF = attrgetter(*MARK.columns[1:])
_CURRENT = select(f"seq, {FACT.listed()}", f"facts WHERE closed_at IS NULL AND id {AMONG}")
_FACT_IN = insert("facts", FACTS.written)
_FACT_CLOSED = "UPDATE facts SET closed_at = ? WHERE seq = ?"
_EVIDENCE_IN = insert_new("evidence", EVIDENCES.written)
_SALIENCE_IN = upsert("salience", SALIENCES.written, key="record")
_RUN_IN = upsert("runs", RUNS.written, key="id")
_RUNS = select(RUN.listed(), f"runs WHERE id {AMONG}")
_JOURNAL_IN = insert("journal", JOURNAL.written)
_OWNERS = f"""
SELECT record, user, project FROM salience WHERE record {AMONG}
UNION ALL SELECT id, user, project FROM episodes WHERE id {AMONG}
UNION ALL SELECT id, user, project FROM facts WHERE closed_at IS NULL AND id {AMONG}
"""  # noqa: S608 (our own names)
_OWNED = itemgetter(*(SALIENCES.written.index(name) for name in ("record", "user", "project")))
_FACT_OWNERS = f"SELECT id, user, project FROM facts WHERE closed_at IS NULL AND id {AMONG}"  # noqa: S608 (our own names)
_FACTS_HELD = f"SELECT DISTINCT id FROM facts WHERE id {AMONG}"  # noqa: S608 (our own names)
_FACT_COLUMN = {name: at for at, name in enumerate(FACT.columns, start=1)}  # after seq


_PUT_SPECIALLY = frozenset({Episode, EpisodeState, Fact, Evidence, Salience, Run})  # by functions of their own


class Unfit(ValueError):
    """Raised for a put that cannot be written: a mark without its episode, a fact version that is not the next one."""


def apply(sql: Sql, plan: Plan, run: str, refusals: Refusals) -> Applied:
    """Write a plan in the open transaction. `refusals`: the driver's errors that are about a row and not about the store."""
    rejected: Refusals = (*refusals, ValueError, OverflowError)
    sql.run("SAVEPOINT plan")
    try:
        applied = _write(sql, plan.groups, run)
    except rejected:
        sql.run("ROLLBACK TO plan")
        applied = _by_group(sql, plan.groups, run, rejected)
    sql.run("RELEASE plan")
    return applied


def _by_group(sql: Sql, groups: Iterable[ChangeSet], run: str, rejected: Refusals) -> Applied:
    failures: tuple[Failure, ...] = ()
    accepted: list[Fact] = []
    added = begun = anew = 0
    for group in _parted(groups):
        sql.run("SAVEPOINT one_group")
        try:
            written = _write(sql, (group,), run)
            added, begun, anew = added + written.episodes_added, begun + written.facts_begun, anew + written.begun_anew
            accepted += [put for put in group.puts if isinstance(put, Fact)]
        except rejected as error:
            sql.run("ROLLBACK TO one_group")
            failures += (Failure(group.cause, str(error)),)
        sql.run("RELEASE one_group")
    return Applied(failures, added, begun, anew, _dangling(sql, accepted))


def _parted(groups: Iterable[ChangeSet]) -> Iterator[ChangeSet]:
    """Yield the groups, with one of its own for each episode in which nothing was found: a refused one takes no other along."""
    for group in groups:
        together = [put for put in group.puts if isinstance(put, ScannedBatch)]
        yield from (ChangeSet(id_, (replace(put, episodes=(id_,)),)) for put in together for id_ in put.episodes)
        if len(together) < len(group.puts) or group.forgets:
            yield group._replace(puts=tuple(put for put in group.puts if not isinstance(put, ScannedBatch)))


def _write(sql: Sql, groups: Iterable[ChangeSet], run: str) -> Applied:
    """Write the groups table by table, parents first; what was written."""
    puts: Puts = defaultdict(list)
    gone: set[str] = set()
    for group in groups:
        gone.update(group.forgets)
        for put in group.puts:
            puts[type(put)].append(put)
    journal: Journal = []
    if gone:
        forget(sql, gone, {put.id for put in (*puts[Fact], *puts[Question])})
    added = _put_episodes(sql, puts[Episode])
    _put_scanned(sql, puts[ScannedBatch])
    _put_marks(sql, puts[EpisodeState])
    new, anew = _put_facts(sql, puts[Fact])
    _put_evidence(sql, puts)
    described.remove(sql, puts[Removed], run, journal)
    for kind in record_types():
        if kind.record not in _PUT_SPECIALLY and (records := puts.get(kind.record)):
            described.put(sql, kind, records, run, journal)
    _put_salience(sql, puts, run, journal)
    _put_runs(sql, puts[Run], puts[RunReversal])
    audit.append(sql, (record for record in puts[Run] if record.ended_at is not None and record.id == run))
    if not gone:  # what a plan that forgets replaces is to be gone too
        sql.many(_JOURNAL_IN, JOURNAL.added(journal))
    return Applied((), added, new + anew, anew, _dangling(sql, puts[Fact]))


def _put_episodes(sql: Sql, episodes: Sequence[Episode]) -> int:
    """Insert the new ones, each with its mark and its place in the index; those that are held stay as they are (X-G5)."""
    if not episodes:
        return 0
    new = {episode.id: episode for episode in reversed(episodes)}  # of two with one id the first
    for (held,) in sql.rows(_EPISODES_HELD, listing(new)):
        del new[held]
    first = _next(sql, "episodes")
    fresh = list(reversed(new.values()))
    sql.many(_EPISODE_IN, EPISODES.added([first + at, *EPISODE.row(episode)] for at, episode in enumerate(fresh)))
    untouched = [value for value in _summed(EpisodeState("")) if value is not None]
    sql.many(_MARK_IN, [(e.id, e.user, e.project, e.importance, micros(e.captured_at), *untouched) for e in fresh])
    full_text.add(
        sql,
        (
            full_text.episode_entry(first + at, e.user, e.project, e.session, e.text, e.role, e.speaker, micros(e.said_at))
            for at, e in enumerate(fresh)
        ),
    )
    return len(fresh)


def _put_scanned(sql: Sql, scanned: Sequence[ScannedBatch]) -> None:
    for put in scanned:
        said = (micros(put.at), put.rules)
        if sql.run(SCANNED_SET, *said, SCANS.of(said), listing(put.episodes)) != len(put.episodes):
            raise Unfit("a mark for an episode that is not held")


def _put_marks(sql: Sql, marks: Sequence[EpisodeState]) -> None:
    """Set them, those that say the same by one statement: it costs half of what one by one costs (benchmarks)."""
    if not marks:
        return
    last = {mark.episode: mark for mark in marks}
    alike: dict[tuple[Any, ...], list[str]] = defaultdict(list)
    for episode, mark in last.items():
        alike[_SAID_OF(mark)].append(episode)
    changed = 0
    for episodes in alike.values():
        changed += sql.run(MARKS_SET, *_summed(last[episodes[0]]), listing(episodes))
    if changed != len(last):
        raise Unfit("a mark for an episode that is not held")


def _summed(mark: EpisodeState) -> tuple[Any, ...]:
    """Return the columns of a mark, each part with its checksum."""
    _, *said = MARK.row(mark)
    scan, rest = said[: len(SCANS.columns)], said[len(SCANS.columns) :]
    return (*scan, SCANS.of(scan), *rest, MARKS.of(rest))


def _put_facts(sql: Sql, facts: Sequence[Fact]) -> tuple[int, int]:
    """Insert each version and close the one before; how many facts were begun, and begun anew. A version that is held already, just as it
    is, may be put again.

    Several versions of one fact may come in one plan, so what is current is kept in step here, row by row. A first version of a fact
    that is held but not active begins it anew: its run was undone, and other rules have read the same in the same episode.
    """
    if not facts:
        return 0, 0
    current = {row[1]: list(row) for row in sql.rows(_CURRENT, listing({fact.id for fact in facts}))}
    seq = first = _next(sql, "facts")
    rows: list[list[Any]] = []
    closed: list[tuple[int, int]] = []
    unlisted: dict[int, str] = {}
    anew: dict[str, int] = {}  # the version after which a fact begins again
    known = len(current)
    for fact in facts:
        row = [seq, *FACT.row(fact)]
        held = current.get(fact.id)
        if held is not None and fact.version == 1 and held[1:] != row[1:] and not _active(held):
            anew[fact.id] = held[_FACT_COLUMN["version"]]
        row[_FACT_COLUMN["version"]] += anew.get(fact.id, 0)
        if held is not None:
            if held[1:] == row[1:]:
                continue
            if row[_FACT_COLUMN["version"]] != held[_FACT_COLUMN["version"]] + 1:
                raise Unfit(f"fact {fact.id} is at version {held[_FACT_COLUMN['version']]}, so {fact.version} cannot be put")
            end = micros(fact.recorded_at)
            if held[0] >= first:
                held[_FACT_COLUMN["closed_at"]] = end  # not inserted yet
            else:
                closed.append((end, held[0]))
                unlisted[held[0]] = _text(held)
        rows.append(row)
        current[fact.id] = row
        seq += 1
    sql.many(_FACT_CLOSED, closed)
    full_text.drop(sql, "fact", unlisted)
    sql.many(_FACT_IN, FACTS.added(rows))
    full_text.add(sql, (_entry(row) for row in rows if row[_FACT_COLUMN["closed_at"]] is None))
    return len(current) - known, len(anew)


def _dangling(sql: Sql, facts: Sequence[Fact]) -> tuple[tuple[str, str], ...]:
    """Return facts of this plan whose successor is neither in it nor held. Most successors are in it, so this seldom asks."""
    put = {fact.id for fact in facts}
    successors = {fact.id: fact.superseded_by for fact in facts if fact.superseded_by and fact.superseded_by not in put}
    if not successors:
        return ()
    held = {id_ for (id_,) in sql.rows(_FACTS_HELD, listing(set(successors.values())))}
    return tuple((fact, successor) for fact, successor in successors.items() if successor not in held)


def _active(row: Sequence[Any]) -> bool:
    return row[_FACT_COLUMN["superseded_by"]] is None and row[_FACT_COLUMN["retired_at"]] is None


def _text(row: Sequence[Any]) -> str:
    return full_text.fact_text(row[_FACT_COLUMN["statement"]], row[_FACT_COLUMN["slot"]])


def _entry(row: Sequence[Any]) -> listed.Entry:
    return full_text.fact_entry(row[0], *(row[_FACT_COLUMN[name]] for name in ("user", "project", "statement", "slot", "valid_from")))


def _put_evidence(sql: Sql, puts: Puts) -> None:
    evidence: list[Evidence] = puts[Evidence]
    if not evidence:
        return
    owners: dict[str, Owner] = {fact.id: (fact.user, fact.project) for fact in puts[Fact]}
    if missing := {one.fact for one in evidence if one.fact not in owners}:
        owners |= {id_: (user, project) for id_, user, project in sql.rows(_FACT_OWNERS, listing(missing))}
    rows = []
    for one in evidence:
        if one.fact not in owners:
            raise Unfit(f"evidence for a fact that is not held: {one.fact}")
        rows.append([*EVIDENCE.row(one), *owners[one.fact]])
    sql.many(_EVIDENCE_IN, EVIDENCES.added(rows))


def _put_salience(sql: Sql, puts: Puts, run: str, journal: Journal) -> None:
    salience: list[Salience] = puts[Salience]
    if not salience:
        return
    owners: dict[str, Owner] = {put.id: (put.user, put.project) for put in (*puts[Episode], *puts[Fact])}
    made = {put.id for put in puts[Episode]} | {put.id for put in puts[Fact] if put.version == 1}
    if known := [one.record for one in salience if one.record not in made]:
        before = remember(sql, SALIENCE, SALIENCES, "record", known, run, journal)
        owners |= {id_: (user, project) for id_, user, project in map(_OWNED, before)}
    if missing := {one.record for one in salience if one.record not in owners}:
        asked = listing(missing)
        owners |= {id_: (user, project) for id_, user, project in sql.rows(_OWNERS, asked, asked, asked)}
    unowned = next((one.record for one in salience if one.record not in owners), None)
    if unowned is not None:  # an imported id may be empty
        raise Unfit(f"salience of a record that is not held: {unowned}")
    rows = [(*row, *owners[one.record], run) for one, row in zip(salience, SALIENCE.rows(salience), strict=True)]
    sql.many(_SALIENCE_IN, SALIENCES.added(rows))


def _put_runs(sql: Sql, runs: Sequence[Run], undoings: Sequence[RunReversal]) -> None:
    """Set them, and say of those that are undone, or count again, that they are."""
    sql.many(_RUN_IN, RUNS.added(RUN.rows(runs)))
    if undoings:
        by = {undoing.run: undoing.by for undoing in undoings}
        undone = [replace(run, undone_by=by[run.id]) for run in RUN.all(sql.rows(_RUNS, listing(by)))]
        sql.many(_RUN_IN, RUNS.added(RUN.rows(undone)))


def _next(sql: Sql, table: str) -> int:
    """Return the row number after the last. Safe, because only one writes at a time."""
    return int(sql.value(f"SELECT coalesce(max(seq), 0) + 1 FROM {table}"))  # noqa: S608 (our own names)
