"""The connections to one SQLite file, and the store's trouble: errors of the database become `Refused`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ethos.core.model.errors import Refused, refuse
from ethos.store.sqlite.driver import journal_mode, library, make_file
from ethos.store.sqlite.pool import Pool, begun
from ethos.store.sqlite.problems import DAMAGED, doubtful, refusal
from ethos.store.sqlite.run_lease import RunLease
from ethos.store.sqlite.sql import Sql


class Connections:
    """Hold a pool of connections to the file at a path, which is made if need be. alone: without a write-ahead log. lease: of its passes; a
    thread that has lost it writes no more.

    trouble: why the store could not be used last; empty since something could be written.
    """

    def __init__(self, path: Path, *, alone: bool, lease: RunLease) -> None:
        self.path = path
        self._lease = lease
        self.library = library()
        module = self.library.module
        self.refusals = (module.IntegrityError, module.DataError, module.InterfaceError, module.ProgrammingError)  # errors about a row
        self.trouble = ""
        self.doubtful = False  # the disk gave an error: the file is checked before anything is written
        make_file(path)
        self.pool = Pool(path, self.library, "delete" if alone else journal_mode(self.library, path))

    @contextmanager
    def transaction(self, *, write: bool) -> Iterator[Sql]:
        """Open a transaction. A writer that cannot get in within ten seconds is `Refused` as busy."""
        with self.refusing(), self.pool.connection() as driver:
            if write and self.doubtful:
                self._verify(driver)
            with begun(driver, write=write):
                if write:
                    self._lease.verify()
                yield Sql(driver)
            if write:
                self.trouble = ""

    @contextmanager
    def bare(self) -> Iterator[Sql]:
        """Give a connection with no transaction open. Settings changed on it are to be put back."""
        with self.pool.connection() as driver:
            yield Sql(driver)

    @contextmanager
    def refusing(self) -> Iterator[None]:
        """Turn errors of the database that are not bugs into `Refused`, with the cause and what to do."""
        errors: tuple[type[Exception], ...] = (self.library.module.Error, UnicodeDecodeError)
        try:
            yield
        except errors as error:
            refused = refusal(error, self.path)
            if refused is None:
                raise
            self._note(refused, error)
            raise refused from error

    def close(self) -> None:
        """Close all connections."""
        self.pool.dispose()

    def _verify(self, driver: Any) -> None:
        """Check the file after an error of the disk, on a connection that is new since. Raises the damage it finds as `Refused`."""
        [(found,)] = Sql(driver).rows("PRAGMA quick_check(1)")
        if found != "ok":
            raise refuse("store", f"the store is damaged ({found})", hint=DAMAGED, where=str(self.path))
        self.doubtful = False

    def _note(self, refused: Refused, error: Exception) -> None:
        """Remember the trouble. After an error of the disk no connection is trusted: what was not written is unknown."""
        if refused.problem.code != "store":
            return
        self.trouble = refused.problem.what
        if doubtful(error):
            self.doubtful = True
            self.pool.dispose()
