"""Keep the records in SQLite: begin and end transactions, note the unit that is worked on, check the store."""

from __future__ import annotations

import json
import stat
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Lock

from ethos.core.model.plan import ChangeSet, Plan
from ethos.core.model.records import EpisodeState, Record, ScannedBatch
from ethos.store.sqlite import audit, checking, full_text
from ethos.store.sqlite.checksums import IN_HAND
from ethos.store.sqlite.connections import Connections
from ethos.store.sqlite.file import SqliteFile
from ethos.store.sqlite.run_lease import RunLease
from ethos.store.sqlite.schema import HEAD, prepare
from ethos.store.sqlite.sql import Sql
from ethos.store.sqlite.work import SqliteWork

_DIED = "the process died while it was worked on"


class SqliteStore:
    """Implement `ethos.core.ports.store.Store` in one SQLite file. Safe to use from several threads; a transaction belongs to one of them.

    `pool` has its connections, for what looks at them from outside; what is written goes through `begin`.
    """

    def __init__(self, path: Path, *, alone: bool = False, lease: RunLease | None = None) -> None:
        """Open the file, making or upgrading it as needed; `Refused` where that cannot be. alone: without a write-ahead log. lease: of its
        passes, if not the usual one.
        """
        self._lease = lease or RunLease(path)
        self._connections = Connections(path, alone=alone, lease=self._lease)
        self._hand = Lock()
        self._unit: tuple[int, frozenset[str]] | None = None  # the row of `in_hand`, and the episodes in it
        self.pool = self._connections.pool
        self.file = SqliteFile(self._connections)
        try:
            with self._connections.refusing():
                prepare(self.pool)
        except BaseException:
            self.close()
            raise

    # -- transactions

    @contextmanager
    def begin(self, *, write: bool = False) -> Iterator[SqliteWork]:
        """See the port. A writer that cannot get in within ten seconds is `Refused` as busy: try the whole unit again."""
        with self._connections.transaction(write=write) as sql:
            yield SqliteWork(sql, self._connections.refusals, self._put_down)

    def run_lease(self) -> AbstractContextManager[None]:
        """See the port, and `run_lease.py`."""
        return self._lease.hold()

    @property
    def trouble(self) -> str:
        """See the port."""
        return self._connections.trouble

    def begin_unit(self, episodes: Collection[str]) -> None:
        """See the port. To be called outside any transaction of this thread.

        The row need survive the death of this process, not of the machine: a commit that is not yet synced does that
        (synchronous=NORMAL), and costs no wait for the disk.
        """
        if self._connections.doubtful:
            with self.begin(write=True):  # which looks it over
                pass
        with self._hand, self._connections.refusing(), self._connections.bare() as sql:
            sql.run("PRAGMA synchronous = NORMAL")
            sql.run("BEGIN IMMEDIATE")
            if self._unit is not None:  # it was given up without dying
                sql.run("DELETE FROM in_hand WHERE seq = ?", self._unit[0])
            seq = int(sql.value("SELECT coalesce(max(seq), 0) + 1 FROM in_hand"))
            IN_HAND.keep(sql, [(seq, json.dumps(list(episodes)))])
            sql.run("COMMIT")
            sql.run("PRAGMA synchronous = FULL")
            self._unit = (seq, frozenset(episodes))

    def _put_down(self, sql: Sql, plan: Plan) -> None:
        """Take the unit out of hand, in the transaction that marks its episodes."""
        unit = self._unit
        if unit is not None and any(not unit[1].isdisjoint(_marked(put)) for put in plan.puts()):
            sql.run("DELETE FROM in_hand WHERE seq = ?", unit[0])

    def recover(self, max_attempts: int = 3) -> int:
        """See the port."""
        raised = 0
        with self.begin(write=True) as work:
            sql = work.sql
            for (episodes,) in sql.rows("SELECT episodes FROM in_hand"):
                tried = [replace(mark, attempts=mark.attempts + 1) for mark in work.marks(json.loads(episodes)).values()]
                aside = [replace(mark, set_aside=mark.set_aside or _DIED) if mark.attempts >= max_attempts else mark for mark in tried]
                work.apply(Plan((ChangeSet("", tuple(aside)),)), "")
                raised += len(tried)
            sql.run("DELETE FROM in_hand")
        return raised

    # -- the file as a whole

    def check(self) -> Sequence[str]:
        """See the port, and `checking.py`. For a moment at its end it is the one writer. `Refused` where that cannot be had."""
        with self._connections.refusing(), self._connections.bare() as sql:
            found = checking.problems(sql, (self._connections.library.module.Error, UnicodeDecodeError))
        path = self._connections.path
        mode = stat.S_IMODE(path.stat().st_mode)
        found += [f"other users may read the store (mode {mode:o}): chmod 600 {path}"] if mode & 0o077 else []
        return found

    def reindex(self) -> None:
        """See the port."""
        with self.begin(write=True) as work:
            full_text.rebuild(work.sql)

    def describe(self) -> Mapping[str, str | int | bool]:
        """See the port."""
        path, found = self._connections.path, self._connections.library
        wal = path.with_name(path.name + "-wal")
        with self._connections.refusing(), self._connections.bare() as sql:
            rows, head = audit.head(sql)
            return {
                "engine": "sqlite",
                "sqlite_version": found.version,
                "module": found.name,
                "wal_reset_safe": found.wal_safe,
                "journal_mode": str(sql.value("PRAGMA journal_mode")),
                "synchronous": ("off", "normal", "full", "extra")[sql.value("PRAGMA synchronous")],
                "path": str(path),
                "bytes": path.stat().st_size,
                "wal_bytes": wal.stat().st_size if wal.exists() else 0,
                "schema": str(sql.value("SELECT version_num FROM alembic_version") or HEAD),
                "audit_rows": rows,
                "audit_head": head,
                "trouble": self.trouble,
            }

    def close(self) -> None:
        """See the port."""
        self._connections.close()


def open_store(path: str | Path) -> SqliteStore:
    """Open the store at a path, making the file and its folder if need be; `~` is not expanded here.

    Raises `Refused("store")` where it cannot be opened, is not a store, is damaged, or is newer than this program.
    """
    return SqliteStore(Path(path).absolute())


def open_copy(path: str | Path) -> SqliteStore:
    """Open a copy of a store that nobody else uses, such as a backup. It stays one file that can be read from a read-only disk."""
    return SqliteStore(Path(path).absolute(), alone=True)


def _marked(put: Record) -> tuple[str, ...]:
    """Return the episodes whose marks a record sets."""
    return put.episodes if isinstance(put, ScannedBatch) else (put.episode,) if isinstance(put, EpisodeState) else ()
