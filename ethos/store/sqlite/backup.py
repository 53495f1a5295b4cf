"""Copy the whole store, check the copy before it counts as a backup, and restore it.

A copy is made by `VACUUM INTO`, which reads one state while others write, and holds no free pages: nothing that was deleted. It comes
to its name when it is whole and on the disk.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from ethos.core.model.errors import Refused, refuse
from ethos.store.sqlite import audit, checksums, schema
from ethos.store.sqlite.driver import library
from ethos.store.sqlite.problems import DAMAGED, refusal
from ethos.store.sqlite.schema import APPLICATION_ID, REVISIONS
from ethos.store.sqlite.sql import Sql

SIDES = ("-wal", "-shm", "-journal")
_MOST_TOLD = 3
_HINT = "try another one: `ethos backup --list`"


def back_up(driver: Any, target: Path) -> None:
    """Copy the store of this connection to a path, whole or not at all; what stood there is replaced. Raises Refused, OSError."""
    fresh = target.with_name(f"{target.name}.{secrets.token_hex(8)}")
    try:
        _made(fresh)
        driver.execute("VACUUM INTO ?", (str(fresh),))
        if wrong := _looked_over(fresh)[2]:
            raise refuse("store", f"the store is damaged, so no backup is made of it ({'; '.join(wrong)})", hint=DAMAGED)
        _put(fresh, target)
    finally:
        _remove(fresh)


def verify(path: Path) -> int:
    """Look a store over; which schema it has. Raises `Refused` where it is none, is damaged, or is newer than this program."""
    if not path.is_file():
        raise refuse("not-found", "no such backup", hint=_HINT, where=str(path))
    with path.open("rb") as file:
        if file.read(1) == b"{":
            raise refuse("bad-input", "this is no backup: it may be an export", hint=f"ethos import {path}", where=str(path))
    application, version, wrong = _looked_over(path)
    if application != APPLICATION_ID:
        raise refuse("bad-input", "the file is no Ethos store", hint=_HINT, where=str(path))
    if version > len(REVISIONS):
        raise refuse("store", "the backup is newer than this program", hint="install the newer Ethos", where=str(path))
    if wrong:
        raise refuse("store", f"the backup is damaged ({'; '.join(wrong)})", hint=_HINT, where=str(path))
    return version


def _looked_over(path: Path) -> tuple[int, int, list[str]]:
    """Return the application id, the schema and the damage of a file. Raises `Refused` where it cannot be read."""
    with _reading(path) as driver:
        sql = Sql(driver)
        application, version = (int(sql.value(f"PRAGMA {name}")) for name in ("application_id", "user_version"))
        wrong: list[str] = []
        if application == APPLICATION_ID and version == len(REVISIONS):  # an older one has no checksums, or not all of them
            with sql.reading_anything():
                wrong += [*checksums.check(sql), *audit.check(sql), *schema.check(sql)]
        wrong += [line for (line,) in sql.rows(f"PRAGMA integrity_check({_MOST_TOLD})") if line != "ok"]
    return application, version, wrong[:_MOST_TOLD]


def restore(backup: Path, database: Path, aside: Path, fresh: Path) -> bool:
    """Put a backup in the database's place; what stood there is kept at `aside`. Return True where there was anything.

    fresh: an empty file beside the database, which the backup is copied into first.

    Nobody may have the database open. Dying on the way leaves either the old store, or the new one, or the old one with its log
    beside `aside`, which the same command then puts right. Raises Refused, OSError.
    """
    verify(backup)
    with _reading(backup) as driver:
        driver.execute("VACUUM INTO ?", (str(fresh),))
    verify(fresh)
    there = database.exists()
    if there:
        with suppress(library().module.DatabaseError), closing(library().module.connect(str(database))) as old:
            old.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()  # what is damaged keeps its log, beside it
        for side in SIDES:
            with suppress(FileNotFoundError):
                database.with_name(database.name + side).rename(aside.with_name(aside.name + side))
        os.link(database, aside)
    _put(fresh, database)
    return there


@contextmanager
def _reading(path: Path) -> Iterator[Any]:
    module = library().module
    try:
        with closing(module.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as driver:
            yield driver
    except module.Error as error:
        told: Refused | None = refusal(error, path)
        raise told or refuse("store", f"the backup cannot be read ({error})", hint=_HINT, where=str(path)) from error


def _made(path: Path) -> None:
    """Make an empty file that only its owner may read."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))


def _put(fresh: Path, target: Path) -> None:
    """Rename the file once it is on the disk."""
    for path, flags in ((fresh, os.O_RDONLY), (fresh.parent, os.O_RDONLY | os.O_DIRECTORY)):
        handle = os.open(path, flags | os.O_CLOEXEC)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
        if path == fresh:
            fresh.replace(target)


def _remove(path: Path) -> None:
    for each in (path, *(path.with_name(path.name + side) for side in SIDES)):
        each.unlink(missing_ok=True)
