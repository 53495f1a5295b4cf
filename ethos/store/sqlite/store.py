"""The SQLite store: where a transaction begins and ends, and everything about the file as a whole."""

from __future__ import annotations

import json
import stat
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Any, cast

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import QueuePool

from ethos.core.model.errors import Refused, refuse
from ethos.core.model.plan import Group, Plan
from ethos.core.model.records import Mark, Record, Scanned
from ethos.store.sqlite import audit, backup, checking, forget, search
from ethos.store.sqlite.checksums import IN_HAND
from ethos.store.sqlite.driver import BUSY_MS, WRITES, journal_mode, library, make_engine, make_file
from ethos.store.sqlite.problems import DAMAGED, doubtful, refusal
from ethos.store.sqlite.schema import HEAD, prepare
from ethos.store.sqlite.sql import Sql
from ethos.store.sqlite.work import SqliteWork

_DIED = "the process died while it was worked on"


class SqliteStore:
    """`ethos.core.ports.store.Store` in one SQLite file. Safe to use from several threads; a transaction belongs to one of them.

    `engine` is for whoever wants to query the tables with SQLModel; what is written goes through `begin`.
    """

    def __init__(self, path: Path, *, alone: bool = False) -> None:
        """Open the file, making or upgrading it as needed; `Refused` where that cannot be. alone: without a write-ahead log."""
        self._path = path
        self._library = library()
        module = self._library.module
        self._refusals = (module.IntegrityError, module.DataError, module.InterfaceError, module.ProgrammingError)
        self._hand = Lock()
        self._unit: tuple[int, frozenset[str]] | None = None  # the row of `in_hand`, and the episodes in it
        self._trouble = ""
        self._doubtful = False  # the disk gave an error: what the file holds is looked at before anything is written
        make_file(path)
        self.engine = make_engine(path, self._library, "delete" if alone else journal_mode(self._library, path))
        self._writers = self.engine.execution_options(**{WRITES: True})
        try:
            with self._plainly():
                prepare(self.engine, path)
        except BaseException:
            self.close()
            raise

    # -- transactions

    @contextmanager
    def begin(self, *, write: bool = False) -> Iterator[SqliteWork]:
        """See the port. A writer that cannot get in within ten seconds is `Refused` as busy: try the whole unit again."""
        engine = self._writers if write else self.engine
        with self._plainly(), engine.connect() as connection:
            if write and self._doubtful:
                self._verify(connection)
            try:
                with connection.begin():
                    yield SqliteWork(Sql(connection.connection.driver_connection), self._refusals, self._put_down)
            except (DBAPIError, self._library.module.Error):
                connection.invalidate()  # after an error of the disk its state is unknown
                raise
            if write:
                self._trouble = ""

    @property
    def trouble(self) -> str:
        """See the port."""
        return self._trouble

    def _verify(self, connection: Connection) -> None:
        """Look the file over, after an error of the disk, on a connection that is new since. Raises the damage it finds as `Refused`."""
        [(found,)] = Sql(connection.connection.driver_connection).rows("PRAGMA quick_check(1)")
        if found != "ok":
            raise refuse("store", f"the store is damaged ({found})", hint=DAMAGED, where=str(self._path))
        self._doubtful = False

    def begin_unit(self, episodes: Collection[str]) -> None:
        """See the port. To be called outside any transaction of this thread.

        The row need survive the death of this process, not of the machine: a commit that is not yet synced does that
        (synchronous=NORMAL), and costs no wait for the disk.
        """
        if self._doubtful:
            with self.begin(write=True):  # which looks it over
                pass
        with self._hand, self._plainly(), self._bare() as sql:
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
                work.apply(Plan((Group("", tuple(aside)),)), "")
                raised += len(tried)
            sql.run("DELETE FROM in_hand")
        return raised

    # -- the file as a whole

    def check(self) -> Sequence[str]:
        """See the port, and `checking.py`. For a moment at its end it is the one writer. `Refused` where that cannot be had."""
        with self._plainly(), self._bare() as sql:
            found = checking.problems(sql, (self._library.module.Error, UnicodeDecodeError))
        mode = stat.S_IMODE(self._path.stat().st_mode)
        found += [f"other users may read the store (mode {mode:o}): chmod 600 {self._path}"] if mode & 0o077 else []
        return found

    def reindex(self) -> None:
        """See the port."""
        with self.begin(write=True) as work:
            search.rebuild(work.sql)

    def rewrite(self) -> None:
        """See the port."""
        with self.begin(write=True) as work:
            forget.merge(work.sql)
        with self._plainly(), self._bare() as sql:
            sql.run("VACUUM")
            (busy, *_) = sql.rows("PRAGMA wal_checkpoint(TRUNCATE)")[0]
            sql.run("PRAGMA shrink_memory")
        if busy:
            hint = "end what reads the memory just now, and forget the same again: it is harmless"
            what = "a reader keeps the write-ahead log, and what was forgotten may stand in it"
            raise refuse("busy", what, hint=hint, where=str(self._path))

    def left_in_index(self, texts: Sequence[str]) -> int:
        """See the port."""
        with self._plainly(), self._bare() as sql:
            return forget.left_in_index(sql, texts)

    def back_up(self, path: str) -> None:
        """See the port, and `backup.py`."""
        connection = self.engine.raw_connection()
        driver: Any = connection.driver_connection
        try:
            with self._plainly():
                backup.back_up(driver, Path(path))
                driver.execute("PRAGMA shrink_memory")  # it has read the whole store
        finally:
            connection.close()

    def compact(self) -> None:
        """See the port. Waits for nobody: what a reader still needs stays in the log until the next time. Lets the page cache go too."""
        with self._plainly(), self._bare() as sql:
            sql.run("PRAGMA busy_timeout = 0")
            sql.rows("PRAGMA wal_checkpoint(TRUNCATE)")
            sql.run("PRAGMA shrink_memory")
            sql.run(f"PRAGMA busy_timeout = {BUSY_MS}")

    def slim(self) -> None:
        """See the port. Of the connections that rest just now; each keeps as many pages as it has read, up to `CACHE_KIB`."""
        with self._plainly(), ExitStack() as taken:
            for _ in range(cast("QueuePool", self.engine.pool).checkedin()):
                taken.enter_context(self._bare()).run("PRAGMA shrink_memory")

    def describe(self) -> Mapping[str, str | int | bool]:
        """See the port."""
        wal = self._path.with_name(self._path.name + "-wal")
        with self._plainly(), self._bare() as sql:
            rows, head = audit.head(sql)
            return {
                "engine": "sqlite",
                "sqlite_version": self._library.version,
                "module": self._library.name,
                "wal_reset_safe": self._library.wal_safe,
                "journal_mode": str(sql.value("PRAGMA journal_mode")),
                "synchronous": ("off", "normal", "full", "extra")[sql.value("PRAGMA synchronous")],
                "path": str(self._path),
                "bytes": self._path.stat().st_size,
                "wal_bytes": wal.stat().st_size if wal.exists() else 0,
                "schema": str(sql.value("SELECT version_num FROM alembic_version") or HEAD),
                "audit_rows": rows,
                "audit_head": head,
                "trouble": self._trouble,
            }

    def close(self) -> None:
        """See the port."""
        self.engine.dispose()

    # -- within

    @contextmanager
    def _bare(self) -> Iterator[Sql]:
        """A connection with no transaction open, for what cannot be done inside one. Settings changed on it are to be put back."""
        connection = self.engine.raw_connection()
        try:
            yield Sql(connection.driver_connection)
        except BaseException:
            connection.invalidate()
            raise
        finally:
            connection.close()

    @contextmanager
    def _plainly(self) -> Iterator[None]:
        """Errors of the database that are not bugs become `Refused`, with what was found and what to do."""
        errors: tuple[type[Exception], ...] = (DBAPIError, self._library.module.Error, UnicodeDecodeError)
        try:
            yield
        except errors as error:
            refused = refusal(error, self._path)
            if refused is None:
                raise
            self._note(refused, error)
            raise refused from error

    def _note(self, refused: Refused, error: Exception) -> None:
        """Remember what ails the store. After an error of the disk no connection is trusted: what was not written is unknown (TRUST)."""
        if refused.problem.code != "store":
            return
        self._trouble = refused.problem.what
        if doubtful(error):
            self._doubtful = True
            self.engine.dispose()


def open_store(path: str | Path) -> SqliteStore:
    """Open the store at a path, making the file and its folder if need be; `~` is not expanded here.

    Raises `Refused("store")` where it cannot be opened, is not a store, is damaged, or is newer than this program.
    """
    return SqliteStore(Path(path).absolute())


def open_copy(path: str | Path) -> SqliteStore:
    """Open a copy of a store that nobody else uses, such as a backup. It stays one file that can be read from a read-only disk."""
    return SqliteStore(Path(path).absolute(), alone=True)


def _marked(put: Record) -> tuple[str, ...]:
    """The episodes whose marks a record sets."""
    return put.episodes if isinstance(put, Scanned) else (put.episode,) if isinstance(put, Mark) else ()
