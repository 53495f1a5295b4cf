"""Outputs: the files that this memory wrote at paths given by a person, with their hashes as proof that they are ours.

Only a file that is recorded here and still has the recorded hash is ever replaced or rewritten. The record is a file in the state folder:
no import can write to it, and restoring a store does not bring an older one back.

Each file is written under a random temporary name beside its target. The name is recorded before the file exists, so what a killed process
leaves behind is known to be ours and is removed at the next write or forgetting.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from ethos.core.model.errors import refuse
from ethos.edge.files import folders
from ethos.edge.files.processes import Process, living, this_process

FILE = "outputs.json"
_LOCK = "outputs.lock"
_VERSION = 1
_SIDES = ("-wal", "-shm", "-journal")  # the side files of a store in use


class Kind(StrEnum):
    """The kinds of outputs."""

    EXPORT = "export"  # a file of JSON lines
    NOTES = "notes"  # a folder of Markdown notes; its mark file holds the hashes of the notes
    BACKUP = "backup"  # a copy of the store
    REPORT = "report"  # what a night did, as Markdown or as a page
    BLOCK = "block"  # the block of the profile in a file of the person's own, of which nothing else is ours


@dataclass(slots=True)
class _Record:
    """The content of the record file. hashes: of each output by kind and path. unfinished: temporary files and their writers."""

    hashes: dict[tuple[Kind, str], list[str]] = field(default_factory=dict)
    unfinished: dict[str, Process] = field(default_factory=dict)


class Outputs:
    """The outputs of the memory with this state folder."""

    def __init__(self, state: Path) -> None:
        self._state = state

    def of(self, kind: Kind) -> list[Path]:
        """Return the recorded paths of this kind, whatever is there now. Raises `Refused`."""
        return [Path(path) for each, path in self._read().hashes if each is kind]

    def proven(self, kind: Kind, path: Path) -> bool:
        """Return True if the file at this path was written by this memory, is unchanged, and is not in use. Raises `Refused`, OSError."""
        hashes = self._read().hashes.get((kind, str(path)), ())
        if not hashes or path.is_symlink() or not path.is_file() or any(path.with_name(path.name + side).exists() for side in _SIDES):
            return False
        return digest_of(path) in hashes

    def refuse_foreign(self, kind: Kind, path: Path) -> None:
        """Raise `Refused` if something exists at this path that is not proven ours. Raises OSError."""
        if os.path.lexists(path) and not self.proven(kind, path):
            article = "an export" if kind is Kind.EXPORT else f"a {kind}"
            what = f"a file is there that is not {article} of this memory, or was changed since"
            raise refuse("usage", what, hint="name another path, or move it away", where=str(path))

    def note(self, kind: Kind, path: Path) -> None:
        """Record a path that is written to, so that forgetting searches it."""
        with self._changing() as record:
            record.hashes.setdefault((kind, str(path)), [])

    @contextmanager
    def replacing(self, kind: Kind, path: Path) -> Iterator[Path]:
        """Yield an empty file to fill, then move it to `path`, whole or not at all. Raises `Refused`, OSError."""
        self.refuse_foreign(kind, path)
        with self.temporary(path) as fresh:
            yield fresh
            folders.sync(fresh)
            written = digest_of(fresh)
            with self._changing() as record:  # until the rename is done, the file there may be the old or the new one
                record.hashes.setdefault((kind, str(path)), []).append(written)
            self.refuse_foreign(kind, path)
            fresh.replace(path)
            folders.sync(path.parent)
            with self._changing() as record:
                record.hashes[kind, str(path)] = [written]
                record.unfinished.pop(str(fresh), None)

    @contextmanager
    def temporary(self, path: Path, *, folder: bool = False) -> Iterator[Path]:
        """Yield an empty file, or folder, beside `path` under a random name. Remove it afterwards, unless it was renamed."""
        self.sweep()
        fresh = path.with_name(f".{path.name}.{secrets.token_hex(12)}")
        with self._changing() as record:
            record.unfinished[str(fresh)] = this_process()
        try:
            if folder:
                fresh.mkdir(mode=0o700)
            else:
                os.close(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
            yield fresh
        finally:
            _remove(fresh)
            if str(fresh) in self._read().unfinished:
                with self._changing() as record:
                    record.unfinished.pop(str(fresh), None)

    def sweep(self) -> None:
        """Remove the temporary files of processes that were killed."""
        dead = [path for path, writer in self._read().unfinished.items() if not living(writer)]
        if not dead:
            return
        for path in dead:
            _remove(Path(path))
        with self._changing() as record:
            for path in dead:
                record.unfinished.pop(path, None)

    # -- the record file

    @contextmanager
    def _changing(self) -> Iterator[_Record]:
        """Yield the record to change, then write it, durable and whole."""
        folders.make(self._state)
        handle = os.open(self._state / _LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            record = self._read()
            yield record
            self._write(record)
        finally:
            os.close(handle)

    def _read(self) -> _Record:
        path = self._state / FILE
        try:
            told = json.loads(path.read_bytes())
            return _Record(
                {(Kind(each["kind"]), str(each["path"])): list(map(str, each["hashes"])) for each in told["outputs"]},
                {str(each["path"]): Process(int(each["pid"]), int(each["started"])) for each in told["unfinished"]},
            )
        except FileNotFoundError:
            return _Record()
        except (ValueError, KeyError, TypeError) as error:
            hint = "move it away; earlier exports and backups are then unknown, and are never overwritten"
            raise refuse("store", "the record of exports and backups is damaged", hint=hint, where=str(path)) from error

    def _write(self, record: _Record) -> None:
        told = {
            "version": _VERSION,
            "outputs": [{"kind": kind, "path": path, "hashes": hashes} for (kind, path), hashes in record.hashes.items()],
            "unfinished": [{"path": path, "pid": each.pid, "started": each.started} for path, each in record.unfinished.items()],
        }
        fresh = self._state / f".{FILE}.{secrets.token_hex(8)}"
        try:
            folders.create(fresh, json.dumps(told, indent=1).encode("ascii"))
            fresh.replace(self._state / FILE)
        finally:
            fresh.unlink(missing_ok=True)
        folders.sync(self._state)


def digest_of(path: Path) -> str:
    """Return the SHA-256 of the content of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _remove(fresh: Path) -> None:
    """Remove a temporary file or folder of ours, and the files beside it whose names begin with its random name."""
    for path in (each for each in _listed(fresh.parent) if each.name.startswith(fresh.name)):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


def _listed(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return []
