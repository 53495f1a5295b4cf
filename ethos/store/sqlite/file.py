"""Work on the SQLite file as a whole: rewrite it, copy it, checkpoint its log, free its cached pages."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from ethos.core.model.errors import refuse
from ethos.store.sqlite import backup, forget
from ethos.store.sqlite.connections import Connections
from ethos.store.sqlite.driver import BUSY_MS


class SqliteFile:
    """Implement `ethos.core.ports.store_file.StoreFile` for an open SQLite store."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def rewrite(self) -> None:
        """See the port."""
        with self._connections.transaction(write=True) as sql:
            forget.merge(sql)
        with self._connections.refusing(), self._connections.bare() as sql:
            sql.run("VACUUM")
            (busy, *_) = sql.rows("PRAGMA wal_checkpoint(TRUNCATE)")[0]
            sql.run("PRAGMA shrink_memory")
        if busy:
            hint = "end what reads the memory just now, and forget the same again: it is harmless"
            what = "a reader keeps the write-ahead log, and what was forgotten may stand in it"
            raise refuse("busy", what, hint=hint, where=str(self._connections.path))

    def left_in_index(self, texts: Sequence[str]) -> int:
        """See the port."""
        with self._connections.refusing(), self._connections.bare() as sql:
            return forget.left_in_index(sql, texts)

    def back_up(self, path: str) -> None:
        """See the port, and `backup.py`."""
        with self._connections.refusing(), self._connections.pool.connection() as driver:
            backup.back_up(driver, Path(path))
            driver.execute("PRAGMA shrink_memory")  # it has read the whole store

    def compact(self) -> None:
        """See the port. Waits for nobody: what a reader still needs stays in the log until the next time. Frees cached pages too."""
        with self._connections.refusing(), self._connections.bare() as sql:
            sql.run("PRAGMA busy_timeout = 0")
            sql.rows("PRAGMA wal_checkpoint(TRUNCATE)")
            sql.run("PRAGMA shrink_memory")
            sql.run(f"PRAGMA busy_timeout = {BUSY_MS}")

    def slim(self) -> None:
        """See the port. Frees the pages of the connections that are idle; each caches the pages it has read, up to `CACHE_KIB`."""
        with self._connections.refusing(), ExitStack() as taken:
            for _ in range(self._connections.pool.idle):
                taken.enter_context(self._connections.bare()).run("PRAGMA shrink_memory")
