"""The inbox: the review file as it lies on disk, shared with whatever editor a person likes (E-30, E-37; TRUST, The review inbox).

The file is a projection, written after the commit, so dying between the two is harmless. A write goes to a new file beside it that
takes its place only if the old one still is what was read; the version it replaces is kept in `history/` unless it was our own.
Between that last look and the replacement, some microseconds, an editor could still save; closing that gap takes an exchange of the
two files instead of a replacement.
"""

from __future__ import annotations

import codecs
import errno
import os
import stat
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

from ethos.core import review
from ethos.core.errors import Refused
from ethos.core.ports import Entry, Reading, Written
from ethos.edge import locks
from ethos.edge.clock import SystemClock

LARGEST = 5 * 1024 * 1024  # bytes
HISTORY = timedelta(days=30)
EDITOR_WAIT = timedelta(minutes=10)  # an editor's lock that is older was left behind, or its person is elsewhere

_EDITORS = (".{}.swp", ".{}.swo", ".{}.swn", ".#{}", ".~lock.{}#")  # what vim and nano, Emacs, LibreOffice leave beside an open file
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_CLOCK = SystemClock()
_MISSING = "missing"
_NO_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS)  # file systems that have no hard links


class _Unusable(Exception):
    """The file cannot be read or written; the message says why and what to do."""


class _InUse(_Unusable):
    """Somebody is at the file just now: it is written when they are done."""


@dataclass(frozen=True, slots=True)
class _Found:
    """The file at one moment. data, status: None when there is no file. digest: SHA-256 of the bytes."""

    target: Path  # behind every symbolic link
    data: bytes | None = None
    status: os.stat_result | None = None
    digest: str = _MISSING

    @property
    def signature(self) -> tuple[int, ...] | None:
        """Equal signatures mean that nobody has saved in between."""
        return _signature(self.status)


class MarkdownInbox:
    """The review file at `path`. `state_dir` takes its lock and its history; a save younger than `settle_seconds` may not be the last one.

    Not to be used by two threads at a time; other processes are kept out by the lock while one writes.
    """

    def __init__(self, path: Path, state_dir: Path, settle_seconds: float = 3.0, *, now: Callable[[], datetime] = _CLOCK.now) -> None:
        self.path = path
        self._state = state_dir
        self._settle = timedelta(seconds=settle_seconds)
        self._now = now
        self._seen: str | None = None  # digest of what was last read or written here
        self._written: str | None = None  # digest of what we wrote ourselves
        self._signature: tuple[int, ...] | None = None  # of what was last seen
        self._owed = False  # somebody was at it when it was to be written

    @property
    def orphans_path(self) -> Path:
        """Where entries go that the store does not know."""
        return self.path.with_name(f"{self.path.stem}.orphans{self.path.suffix}")

    # -- the port

    def read(self) -> Reading:
        """What a person has decided. A missing file decides nothing; one that cannot be read is a problem, never an exception."""
        try:
            found = self._load()
            text = _decoded(found)[0]
        except _Unusable as trouble:
            return Reading(problems=(str(trouble),))
        self._remember(found)
        parsed = review.parse(text)
        problems = (self._conflicted() if parsed.conflicted else "", self._exposed(found))
        return replace(review.read(parsed), problems=tuple(filter(None, problems)))

    def write(self, entries: Sequence[Entry], hints: Mapping[str, str]) -> Written:
        """Show these questions. What keeps it from being written is told, never raised: what is held is safe in the store."""
        self._owed = False
        try:
            with locks.hold(self._state, locks.INBOX, f"{self.path} is being written by another ethos process"):
                return self._write(entries, hints)
        except Refused as refused:
            self._owed = True
            return Written(done=False, problem=f"{refused.problem.what}: its turn comes in a moment, or with the next pass")
        except _Unusable as trouble:
            self._owed = isinstance(trouble, _InUse)
            return Written(done=False, problem=str(trouble))
        except OSError as error:
            return Written(done=False, problem=f"{self.path} could not be written: {error.strerror}; its questions wait in the store")

    # -- for the daemon, which looks every few seconds

    def due(self) -> bool:
        """A save to read that has settled, or a write that waited for somebody who is done now."""
        return (self._owed or self.changed_since_write()) and self.settled() and not (self._owed and self._editor(self._target()))

    def changed_since_write(self) -> bool:
        """Somebody saved the file since it was last written or read here: there may be decisions. Cheap when nothing changed."""
        try:
            status = self._target().stat()
        except OSError:
            status = None
        if self._seen is not None and _signature(status) == self._signature:
            return False
        try:
            found = self._load()
        except _Unusable:
            return False  # `read` tells why; looking again and again would not help
        if found.digest == (self._seen or _MISSING):
            self._signature = found.signature
            return False
        return True

    def settled(self) -> bool:
        """The last save is at least `settle_seconds` ago, so the editor is done with it."""
        try:
            status = self._target().stat()
        except OSError:
            return True
        return abs(self._now() - _modified(status)) >= self._settle

    # -- one way in, one way out

    def _target(self) -> Path:
        return Path(os.path.realpath(self.path))

    def _load(self) -> _Found:
        target = self._target()
        try:
            with open(target, "rb", opener=_careful) as file:
                status = os.fstat(file.fileno())
                data = file.read(LARGEST + 1) if stat.S_ISREG(status.st_mode) else None
        except FileNotFoundError:
            return _Found(target)
        except OSError as error:
            raise _Unusable(f"{self.path} cannot be read: {error.strerror}; answer with `ethos answer` meanwhile") from error
        if data is None:
            raise _Unusable(f"{self.path} is not a file; move it away, or set conflict_resolution.review_inbox to another path")
        if len(data) > LARGEST:
            size = status.st_size / 1024 / 1024
            raise _Unusable(f"{self.path} has {size:.1f} MiB, more than the 5 it may have: it is left alone until you make it smaller")
        return _Found(target, data, status, sha256(data).hexdigest())

    def _write(self, entries: Sequence[Entry], hints: Mapping[str, str]) -> Written:
        found = self._load()
        if self._seen is not None and found.digest != self._seen:
            return Written(done=False, read_again=True)
        self._refuse_if_not_ours(found)
        text, bom, encoding = _decoded(found)
        if self._seen is not None and review.TAIL not in text and not self.settled():
            raise _InUse(f"{self.path} was saved just now and looks unfinished: it is written in a moment, or with the next pass")
        parsed = review.parse(text)
        if parsed.conflicted:
            raise _Unusable(self._conflicted())
        shown = bom + review.render(entries, parsed, hints).encode(encoding, _errors(encoding))
        if shown == found.data:
            self._remember(found)
            return Written(problem=self._exposed(found))
        if len(shown) > LARGEST:
            raise _Unusable(f"{self.path} would grow beyond 5 MiB: move what you wrote below the entries to a file of its own")
        self._set_aside(review.orphans(entries, parsed))
        self._keep(found)
        if not self._replace(found, shown):
            return Written(done=False, read_again=True)
        self._seen = self._written = sha256(shown).hexdigest()
        standing = self._load()
        self._signature = standing.signature if standing.digest == self._seen else None
        return Written(problem=self._exposed(found))

    def _refuse_if_not_ours(self, found: _Found) -> None:
        if lock := self._editor(found.target):
            raise _InUse(f"{self.path} is open in an editor ({lock}): it is written once the editor is closed")
        if found.status is None:
            return
        if not found.status.st_mode & 0o222 or not os.access(found.target, os.W_OK):
            raise _Unusable(f"{self.path} is read-only: chmod u+w {self.path}, or answer with `ethos answer`")
        if os.geteuid() not in (0, found.status.st_uid):
            raise _Unusable(f"{self.path} belongs to another user, so it is read but never written")

    def _editor(self, target: Path) -> str:
        """The lock of an editor that has the file open, or ""."""
        for lock in (beside.with_name(form.format(beside.name)) for beside in (self.path, target) for form in _EDITORS):
            with suppress(FileNotFoundError):
                if abs(self._now() - _modified(lock.lstat())) < EDITOR_WAIT:
                    return lock.name
        return ""

    def _replace(self, found: _Found, data: bytes) -> bool:
        """Put the data in the file's place, durably; False when somebody saved meanwhile, and then nothing was changed."""
        target = found.target
        _make_folder(target.parent)
        fresh = target.with_name(f".{target.name}.ethos-new")
        fresh.unlink(missing_ok=True)  # of a process that died here; the lock says that none is at it
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            with open(handle, "wb") as file:  # noqa: PTH123 (a descriptor, opened exclusively)
                file.write(data)
                file.flush()
                if found.status:
                    made = os.fstat(handle)
                    if (made.st_uid, made.st_gid) != (found.status.st_uid, found.status.st_gid):
                        os.fchown(handle, found.status.st_uid, found.status.st_gid)
                    os.fchmod(handle, stat.S_IMODE(found.status.st_mode) & 0o777)
                os.fsync(handle)
            if self._load().digest != found.digest:
                return False
            if found.data is None:
                try:
                    os.link(fresh, target)  # unlike a rename, never over a file that came up just now
                except FileExistsError:
                    return False
                except OSError as error:
                    if error.errno not in _NO_LINKS:
                        raise
                    fresh.replace(target)
            else:
                fresh.replace(target)
        finally:
            fresh.unlink(missing_ok=True)
        _sync_folder(target.parent)
        return True

    # -- what must not be lost

    def _set_aside(self, blocks: Sequence[str]) -> None:
        """Append blocks that have no place any more to the orphans file; a block that stands there already is not repeated."""
        if not blocks:
            return
        path = self.orphans_path
        standing = path.read_bytes() if path.exists() else b""
        new = [data for data in (block.encode("utf-8", _errors("utf-8")) for block in blocks) if data.rstrip() not in standing]
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        with open(handle, "ab") as file:  # noqa: PTH123 (a descriptor)
            file.write(b"".join(data.rstrip() + b"\n\n" for data in new))
            file.flush()
            os.fsync(handle)
        _sync_folder(path.parent)

    def _keep(self, found: _Found) -> None:
        """Keep the version that is about to be replaced, unless it is what we wrote ourselves and nobody touched."""
        if found.data is None or found.status is None or found.digest == self._written:
            return
        history = self._state / "history"
        _make_folder(history)
        kept = history / f"{_modified(found.status):%Y%m%dT%H%M%SZ}-{found.digest[:12]}{self.path.suffix}"
        if not kept.exists():
            partial = kept.with_name(f".{kept.name}.new")
            partial.unlink(missing_ok=True)
            handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            with open(handle, "wb") as file:  # noqa: PTH123 (a descriptor)
                file.write(found.data)
                file.flush()
                os.fsync(handle)
            partial.replace(kept)
            _sync_folder(history)
        oldest = f"{self._now().astimezone(UTC) - HISTORY:%Y%m%dT%H%M%SZ}"
        for version in history.glob(f"[0-9]*-*{self.path.suffix}"):
            if version.name < oldest and version != kept:
                version.unlink(missing_ok=True)

    # -- small change

    def _remember(self, found: _Found) -> None:
        self._seen, self._signature = found.digest, found.signature

    def _exposed(self, found: _Found) -> str:
        others = found.status is not None and found.status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
        return f"{self.path} can be changed by other users: chmod 600 {self.path}" if others else ""

    def _conflicted(self) -> str:
        return f"{self.path} holds the marks of a merge conflict (<<<<<<<): it is not written until you have resolved them"


def _decoded(found: _Found) -> tuple[str, bytes, str]:
    """The text, its byte order mark and its encoding; bytes that are no UTF-8 survive the way there and back."""
    data = found.data or b""
    bom, encoding = next(((bom, name) for bom, name in _BOMS if data.startswith(bom)), (b"", "utf-8"))
    try:
        text = data[len(bom) :].decode(encoding, _errors(encoding))
    except UnicodeDecodeError as error:
        raise _Unusable(f"{found.target} is not sound {encoding.upper()}: save it as UTF-8") from error
    if "\0" in text:
        raise _Unusable(f"{found.target} is no text file, or in an encoding that does not say so: save it as UTF-8")
    return text, bom, encoding


def _careful(path: str, flags: int) -> int:
    """Open without following a link that came up just now, and without waiting for the other end of a pipe."""
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)


def _errors(encoding: str) -> str:
    return "surrogateescape" if encoding == "utf-8" else "strict"


def _signature(status: os.stat_result | None) -> tuple[int, ...] | None:
    return status and (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def _modified(status: os.stat_result) -> datetime:
    return datetime.fromtimestamp(status.st_mtime, UTC)


def _make_folder(folder: Path) -> None:
    """The folder and those above it that are missing, for the owner alone."""
    for missing in reversed([each for each in (folder, *folder.parents) if not each.exists()]):
        missing.mkdir(mode=0o700, exist_ok=True)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
