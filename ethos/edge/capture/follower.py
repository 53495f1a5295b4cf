"""Follow growing transcripts. A poll returns what was written since the last one; the caller decides when to poll, and when it is stored.

A file is identified by device, inode and the bytes before the cursor, so truncation, rotation and replacement are noticed. Losing a cursor
does no harm: ids come from content, so the file is read again and nothing is added twice.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Generator, Iterator, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, NamedTuple

from ethos.core.model.errors import Problem, Refused
from ethos.core.model.settings import CaptureSettings
from ethos.edge.capture.transcripts.detecting import FORMATS, detect, head_of
from ethos.edge.capture.transcripts.lines import lines
from ethos.edge.capture.transcripts.reading import (
    QUIET,
    TranscriptFile,
    admitted,
    expanded,
    find,
    open_regular,
    place_of,
    read_stream,
    unreadable,
)
from ethos.edge.capture.transcripts.turn import Format, Item, Place
from ethos.edge.files.spelling import spelled

SWEEP = timedelta(seconds=60)  # interval between searches of the folders
WARM = timedelta(hours=1)  # a file that changed within this time is checked in every poll, others in a sweep
_TAIL = 64  # bytes before the cursor that must not have changed
_VERSION = 3


class Cursor(NamedTuple):
    """How far a file was read: before the first line that a still growing turn needs.

    size, modified: of a file that is read whole, when it was last read.
    """

    device: int
    inode: int
    offset: int = 0
    number: int = 0  # lines before the offset
    format: str = ""  # "": not recognised
    memory: dict[str, str] = {}  # noqa: RUF012 (never changed: a reader takes a copy)
    tail: str = ""  # a hash of the bytes before the cursor, not the bytes: only the store may hold text
    size: int = -1
    modified: int = -1  # nanoseconds


Looked = Generator[Item, None, bool]  # the items of a file; returns True if it needs no second look until it changes


class Follower:
    """Follow files and folders. Not thread-safe.

    `poll` yields new items. Call `keep` once they are stored: only then the cursors advance for good. Call `rewind` if storing failed.
    cursors: the file that holds them; None: memory only.
    """

    def __init__(self, paths: Sequence[str], settings: CaptureSettings, cursors: Path | None) -> None:
        self._paths = tuple(paths)
        self._settings = settings
        self._file = cursors
        self._kept: dict[str, Cursor] = _load(cursors)
        self._cursors = dict(self._kept)
        self._found: dict[str, TranscriptFile] = {}
        self._folders: dict[str, int] = {}  # folder -> modification time at the last search, nanoseconds
        self._seen: dict[str, tuple[int, int, int]] = {}  # inode, size, modification time of a file without news
        self._reported: set[Problem] = set()
        self._swept: datetime | None = None

    def poll(self, now: datetime) -> Iterator[Item]:
        """Yield everything completed since the last poll. A line that is still being written is left for the next."""
        if self._due(now):
            yield from self._sweep(now)
            paths = list(self._found)
        else:
            cold = int((now - WARM).timestamp() * 1e9)
            paths = [path for path in self._found if path not in self._seen or self._seen[path][2] > cold]
        for path in paths:
            try:
                yield from self._file_of(path, self._found[path], now)
            except FileNotFoundError:
                self._forget(path)
            except OSError as error:
                yield from self._report(unreadable(path, error))

    def keep(self, refused: Collection[str] = ()) -> None:
        """Save the cursors, also for after a restart: the items so far are stored. Raises OSError.

        refused: sources with an episode that was not stored. Their cursors stay, and the files are read again when they change.
        """
        for path in [path for path in self._cursors if refused and spelled(path) in {each.partition("!")[0] for each in refused}]:
            if path in self._kept:
                self._cursors[path] = self._kept[path]
            else:
                del self._cursors[path]
        if self._kept == self._cursors:
            return
        self._kept = dict(self._cursors)
        if self._file is not None:
            _save(self._file, self._kept)

    def rewind(self) -> None:
        """Reset the cursors to the last `keep`, so that the items since then are yielded again."""
        self._cursors = dict(self._kept)
        self._seen.clear()
        self._swept = None

    # -- finding files

    def _due(self, now: datetime) -> bool:
        """Return True if the folders must be searched: after a while, or at once when a known folder has changed."""
        if self._swept is None or not timedelta() <= now - self._swept < SWEEP:
            return True
        return any(_modified(folder) != modified for folder, modified in self._folders.items())

    def _sweep(self, now: datetime) -> Iterator[Item]:
        self._swept = now
        found: dict[str, TranscriptFile] = {}
        folders: dict[str, int] = {}
        for root in self._paths:
            base = expanded(root)
            if base.is_dir():
                folders[str(base)] = _modified(str(base))
            for item in find(root):
                if isinstance(item, TranscriptFile):
                    found.setdefault(str(item.path), item)
                    if item.owner is not None:
                        folders.setdefault(str(item.path.parent), _modified(str(item.path.parent)))
                elif isinstance(item, Problem) and (item.code != "not-found" or not base.is_dir()):  # a folder may hold no transcript yet
                    yield from self._report(item)
        for gone in self._cursors.keys() - found.keys():
            if not os.path.lexists(gone):
                self._forget(gone)
        self._found, self._folders = found, folders

    def _forget(self, path: str) -> None:
        for known in (self._cursors, self._found, self._seen):
            known.pop(path, None)

    def _report(self, problem: Problem) -> Iterator[Item]:
        """Yield a problem the first time only."""
        if problem not in self._reported:
            self._reported.add(problem)
            yield problem

    # -- reading a file

    def _file_of(self, path: str, found: TranscriptFile, now: datetime) -> Iterator[Item]:
        status = found.path.stat()
        now_seen = (status.st_ino, status.st_size, status.st_mtime_ns)
        if self._seen.get(path) == now_seen:
            return
        cursor = self._cursors.get(path)
        if cursor is not None and (cursor.device, cursor.inode) != (status.st_dev, status.st_ino):
            yield from self._rest_of(path, found, cursor)
        try:
            with open_regular(found) as stream:
                done = yield from self._stream_of(path, found, stream, now)
        except Refused as refused:  # refused until the file changes
            yield from self._report(refused.problem)
            done = True
        if done:
            self._seen[path] = now_seen

    def _stream_of(self, path: str, found: TranscriptFile, stream: BinaryIO, now: datetime) -> Looked:
        status = os.fstat(stream.fileno())
        place = place_of(stream, found.path)
        quiet = now - place.modified > QUIET
        cursor = self._cursors.get(path)
        if cursor is None or not _is_same(cursor, stream, status):
            cursor = Cursor(status.st_dev, status.st_ino)
        format_ = FORMATS.get(cursor.format) or _format_of(stream, place, quiet=quiet)
        if format_ is None:
            self._cursors[path] = cursor
            return quiet
        if format_.whole:
            return (yield from self._whole(path, format_, place, stream, cursor, quiet=quiet))
        return (yield from self._lines(path, format_, place, stream, cursor, quiet=quiet))

    def _whole(self, path: str, format_: Format, place: Place, stream: BinaryIO, cursor: Cursor, *, quiet: bool) -> Looked:
        status = os.fstat(stream.fileno())
        if (cursor.size, cursor.modified) == (status.st_size, status.st_mtime_ns):
            return True
        if not quiet:
            return False
        stream.seek(0)
        yield from read_stream(format_, place, stream, self._settings, quiet=True)
        self._cursors[path] = cursor._replace(format=format_.name, size=status.st_size, modified=status.st_mtime_ns)
        return True

    def _lines(self, path: str, format_: Format, place: Place, stream: BinaryIO, cursor: Cursor, *, quiet: bool) -> Looked:
        if format_.lines is None:
            raise TypeError(f"format {format_.name} has no reader")
        reader = format_.lines(place, cursor.memory)
        end, number = _after_newline(stream, cursor.offset), cursor.number
        cursor = cursor._replace(format=format_.name, tail="")
        for line in lines(stream, place, limit=self._settings.max_line_bytes, number=number, start=end):
            if not line.complete and (not quiet or isinstance(line.record, Problem)):
                self._cursors[path] = cursor._replace(tail=_tail(stream, cursor.offset))
                return quiet  # an unfinished line in a quiet file is read when the file changes
            if isinstance(line.record, Problem):
                yield line.record
            elif line.record is not None:
                for item in reader.feed(line.number, line.record):
                    yield from admitted(item, self._settings)
            end, number = line.end, line.number
            if reader.holding is None:
                cursor = cursor._replace(offset=end, number=number, memory=dict(reader.memory))
            elif reader.holding == number:
                cursor = cursor._replace(offset=line.start, number=number - 1, memory=dict(reader.memory))
            self._cursors[path] = cursor
        held = reader.holding is not None
        if held and quiet:
            for item in reader.end(quiet=True):
                yield from admitted(item, self._settings)
            cursor = cursor._replace(offset=end, number=number, memory=dict(reader.memory))
        self._cursors[path] = cursor._replace(tail=_tail(stream, cursor.offset))
        return quiet or not held

    def _rest_of(self, path: str, found: TranscriptFile, cursor: Cursor) -> Iterator[Item]:
        """Yield what was still written to a file before another took its name (rotation): read it by its new name, report the old."""
        format_ = FORMATS.get(cursor.format)
        with os.scandir(found.path.parent) as entries:
            moved = next((Path(entry.path) for entry in entries if entry.inode() == cursor.inode and entry.name != found.path.name), None)
        if moved is not None and format_ is not None and format_.lines:
            with open_regular(TranscriptFile(moved, found.owner)) as stream:
                if _is_same(cursor, stream, os.fstat(stream.fileno())):
                    yield from self._lines(path, format_, place_of(stream, found.path), stream, cursor, quiet=True)
        self._cursors.pop(path, None)


def _format_of(stream: BinaryIO, place: Place, *, quiet: bool) -> Format | None:
    """Return the format, once there is a whole line to recognise it by."""
    head = head_of(stream)
    found = detect(head, place) if quiet or b"\n" in head else None
    return found if isinstance(found, Format) else None


def _modified(folder: str) -> int:
    try:
        return os.stat(folder).st_mtime_ns  # noqa: PTH116 (a Path costs four times as much, and this is done for each folder in each poll)
    except OSError:
        return -1


def _tail(stream: BinaryIO, offset: int) -> str:
    length = min(offset, _TAIL)
    return sha256(os.pread(stream.fileno(), length, offset - length)).hexdigest()


def _is_same(cursor: Cursor, stream: BinaryIO, status: os.stat_result) -> bool:
    """Return True if the cursor is of this file: not replaced, truncated or rewritten."""
    same = (cursor.device, cursor.inode) == (status.st_dev, status.st_ino) and cursor.offset <= status.st_size
    return same and (not cursor.tail or cursor.tail == _tail(stream, cursor.offset))


def _after_newline(stream: BinaryIO, offset: int) -> int:
    """Return the offset past the end of a line that was read before its newline was written."""
    around = os.pread(stream.fileno(), 2, offset - 1) if offset else b""
    if around[1:] == b"\n" and around[:1] != b"\n":
        offset += 1
    stream.seek(offset)
    return offset


def _load(file: Path | None) -> dict[str, Cursor]:
    """Load the cursors; return none if the file is missing or damaged: then everything is read again."""
    if file is None:
        return {}
    try:
        found = json.loads(file.read_bytes())
        if found["version"] != _VERSION:
            return {}
        return {str(path): Cursor(*fields) for path, fields in found["files"].items()}
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}


def _save(file: Path, cursors: dict[str, Cursor]) -> None:
    """Save the cursors. The file is replaced atomically."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = file.with_name(file.name + ".new")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        json.dump({"version": _VERSION, "files": cursors}, stream, separators=(",", ":"))
    fresh.replace(file)
