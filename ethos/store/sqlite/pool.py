"""A pool of connections to one SQLite file, and their transactions.

Threads share the pool; a connection belongs to one of them at a time. The one given back last is taken first, because its cache is warm.
On a full disk there is no room for the index of the log, which connections share. Then one at a time has the file for itself and is closed
after use: what is held can be read all the same.
SQLAlchemy's engine did this before. It took a fifth of a second to import, which every command without a daemon paid for.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Any

from ethos.store.sqlite.driver import Library, connect
from ethos.store.sqlite.problems import without_room

KEPT = 2  # idle connections that stay open, each with its pages and statements; more are opened while they are needed


class Pool:
    """Hold connections to the file at a path, opened with `driver.connect` when they are needed."""

    def __init__(self, path: Path, library: Library, journal: str) -> None:
        self.path = path
        self.library = library
        self.journal = journal
        self._lock = Lock()
        self._idle: list[Any] = []
        self._taken: set[int] = set()  # ids of the connections that are out and may come back

    @property
    def idle(self) -> int:
        """Return how many connections are open and not in use."""
        return len(self._idle)

    @contextmanager
    def connection(self) -> Iterator[Any]:
        """Give a connection with no transaction open. It is closed if anything is raised, because its state is unknown then."""
        driver = self._shared()
        if driver is None:
            with closing(connect(self.path, self.library, self.journal, alone=True)) as alone:
                yield alone
            return
        try:
            yield driver
        except BaseException:
            self._discard(driver)
            raise
        self._put_back(driver)

    @contextmanager
    def transaction(self, *, write: bool) -> Iterator[Any]:
        """Open a transaction on a connection; it is rolled back if anything is raised."""
        with self.connection() as driver, begun(driver, write=write):
            yield driver

    def dispose(self) -> None:
        """Close the idle connections now, and those in use when they come back."""
        with self._lock:
            idle, self._idle = self._idle, []
            self._taken.clear()
        for driver in idle:
            driver.close()

    def _shared(self) -> Any | None:
        """Return a connection that leaves room for others, or None where the disk leaves none."""
        try:
            return self._take()
        except self.library.module.Error as error:
            if not without_room(error, self.path.parent):
                raise
            return None

    def _take(self) -> Any:
        with self._lock:
            driver = self._idle.pop() if self._idle else None
            if driver is not None:
                self._taken.add(id(driver))
                return driver
        driver = connect(self.path, self.library, self.journal)
        with self._lock:
            self._taken.add(id(driver))
        return driver

    def _put_back(self, driver: Any) -> None:
        with self._lock:
            current = id(driver) in self._taken
            self._taken.discard(id(driver))
            if current and len(self._idle) < KEPT:
                self._idle.append(driver)
                return
        driver.close()

    def _discard(self, driver: Any) -> None:
        with self._lock:
            self._taken.discard(id(driver))
        with closing(driver), suppress(self.library.module.Error):
            driver.rollback()


@contextmanager
def begun(driver: Any, *, write: bool) -> Iterator[None]:
    """Hold a transaction open on a connection of the driver; write: no other writer gets in from the start."""
    driver.execute("BEGIN IMMEDIATE" if write else "BEGIN")
    try:
        yield
        driver.execute("COMMIT")
    except BaseException:
        if driver.in_transaction:  # after some errors SQLite has rolled back by itself
            driver.rollback()
        raise
