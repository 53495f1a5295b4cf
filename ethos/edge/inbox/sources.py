"""The files besides the review file that may hold a person's answers.

* late: a version that was replaced and edited since, because an editor had it open. Each replaced version is kept, hidden, until it is 60 s
  old. Its name holds its digest at that time and the digest of its replacement
* copy: left beside the file by a synchronising program when two machines saved: `*.sync-conflict-*`, `*conflicted copy*`
* page: `NAME.2.md` and so on, begun when the file was too large, and no longer needed

All that is known of them is in the folders, so another process, or the next one after a crash, finds them too.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import regex

from ethos.core.review import VERSION
from ethos.edge.files import folders
from ethos.edge.inbox.file_version import FileVersion, Signature, Unusable, load, look, modified, signature

LATE = timedelta(seconds=60)  # this long after its replacement or last write, no editor writes into a version any more

_SHORT = 12  # hexadecimal digits of a digest in a name
_NO_VERSION = "0" * _SHORT
_REPLACED = regex.compile(r"\.(?P<name>.+)\.(?P<was>[0-9a-f]{12})\.(?P<by>[0-9a-f]{12})(?:\.\d+)?\.ethos-old")
_MORE = regex.compile(r"\.sync-conflict-.*|[ ].*conflicted copy.*|\.\d+", regex.IGNORECASE)  # between stem and suffix of a copy or a page
_FRESH = timedelta(seconds=2)  # a folder changed within this time may change again within the same tick of its clock


@dataclass(frozen=True, slots=True)
class Source:
    """A source that holds something not in the file. by: for a late one, the start of its replacement's digest."""

    found: FileVersion
    by: str = ""


@dataclass(frozen=True, slots=True)
class SourceSet:
    """All sources at one moment. unsettled: one was saved too recently and is left out for now."""

    sources: tuple[Source, ...] = ()
    problems: tuple[str, ...] = ()
    unsettled: bool = False


def pages(path: Path, number: int) -> Path:
    """Return the path of a page of the file. number: from 1."""
    return path if number == 1 else path.with_name(f"{path.stem}.{number}{path.suffix}")


class SourceFiles:
    """The sources of one review file. Not thread-safe."""

    def __init__(self, state: Path, settle: timedelta) -> None:
        self._old = state / "replaced"
        self._settle = settle
        self._listed: tuple[Path, int, tuple[Path, ...]] | None = None  # folder, its modification time, its relevant files
        self._nothing_new: dict[Path, Signature | None] = {}  # versions that held nothing new when they were last read

    def marks(self, target: Path, now: datetime) -> tuple[tuple[Path, Signature | None], ...]:
        """Return a value that changes when anything beside the file changes. Reads no file."""
        return tuple((path, signature(look(path))) for path in self._watched(target, now))

    def gather(self, target: Path, now: datetime) -> SourceSet:
        """Return the sources that hold something new. Never raises."""
        sources, problems, unsettled = [], [], False
        before, self._nothing_new = self._nothing_new, {}
        for path in self._watched(target, now):
            replaced = _REPLACED.fullmatch(path.name)
            if replaced and before.get(path) == (seen := signature(look(path))):
                self._nothing_new[path] = seen
                continue
            try:
                found = load(path)
                if found.status is None:
                    continue
                if replaced and found.digest[:_SHORT] in (replaced["was"], replaced["by"]):
                    self._nothing_new[path] = found.signature
                    continue
                if replaced is None and VERSION not in found.decoded()[0]:
                    continue  # an unrelated file with a similar name
                if found.parsed().conflicted:
                    problems.append(f"{path} holds the marks of a merge conflict (<<<<<<<): it is not read until you have resolved them")
                elif abs(now - modified(found.status)) < self._settle:
                    unsettled = True
                else:
                    sources.append(Source(found, replaced["by"] if replaced and replaced["by"] != _NO_VERSION else ""))
            except Unusable as trouble:
                problems.append(str(trouble))
        sources.sort(key=lambda source: (source.found.status.st_mtime_ns if source.found.status else 0, source.found.path), reverse=True)
        return SourceSet(tuple(sources), tuple(problems), unsettled)

    # -- replaced versions

    def aside(self, target: Path, was: str, by: str) -> Path:
        """Return a free name in the file's folder for a version that is about to be replaced. was, by: digests; "": of no version."""
        for number in range(1_000):
            more = f".{number}" if number else ""
            path = target.with_name(f".{target.name}.{was[:_SHORT]}.{by[:_SHORT] or _NO_VERSION}{more}.ethos-old")
            if not os.path.lexists(path) and not os.path.lexists(self._old / path.name):
                return path
        raise OSError(f"a thousand versions of {target.name} lie in {target.parent}")

    def stow(self, path: Path) -> Path:
        """Move a version out of the person's folder, if that is on one file system with ours; return its path."""
        with suppress(OSError):
            folders.make(self._old)
            return path.rename(self._old / path.name)
        return path

    def take(self, target: Path, source: Source) -> None:
        """Mark a source as merged: from now on only later edits of it are new."""
        name = self.aside(target, source.found.digest, source.by)
        with suppress(FileNotFoundError):  # it was removed
            if source.found.path.parent == self._old:
                source.found.path.rename(self._old / name.name)
            else:
                self.stow(source.found.path.rename(name))

    def hand_in(self, target: Path, data: bytes, was: str) -> None:
        """Store a version derived from the one with the digest `was`, as if it had been saved into that. Raises OSError."""
        folders.make(self._old)
        path = self._old / self.aside(target, was, "").name
        partial = path.with_suffix(".new")
        partial.unlink(missing_ok=True)
        folders.create(partial, data)
        os.utime(partial, (0, 0))  # no editor writes into it any more
        partial.rename(path)
        folders.sync(self._old)

    def tidy(self, target: Path, now: datetime) -> None:
        """Remove versions that are old enough and hold nothing new."""
        for path in self._watched(target, now):
            replaced, status = _REPLACED.fullmatch(path.name), look(path)
            if replaced and status and abs(now - datetime.fromtimestamp(status.st_ctime, UTC)) >= LATE:
                with suppress(Unusable, OSError):
                    if load(path).digest[:_SHORT] in (replaced["was"], replaced["by"]):
                        path.unlink()

    # -- finding

    def _watched(self, target: Path, now: datetime) -> Iterator[Path]:
        """Yield every file that may be a source, sorted by name."""
        yield from self._siblings(target, now)
        with suppress(OSError):
            yield from sorted(path for path in self._old.iterdir() if _is_old_of(target, path.name))

    def _siblings(self, target: Path, now: datetime) -> tuple[Path, ...]:
        """Return those in the file's own folder. It may hold thousands of others, so list it only if its modification time changed."""
        status = look(target.parent)
        if status is None:
            return ()
        if self._listed and self._listed[:2] == (target, status.st_mtime_ns) and abs(now - modified(status)) >= _FRESH:
            return self._listed[2]
        try:
            with os.scandir(target.parent) as entries:
                names = [entry.name for entry in entries if entry.name != target.name and _may_be_source(target, entry.name)]
        except OSError:
            names = []
        found = tuple(target.with_name(name) for name in sorted(names))
        self._listed = (target, status.st_mtime_ns, found)
        return found


def _is_old_of(target: Path, name: str) -> bool:
    replaced = _REPLACED.fullmatch(name)
    return replaced is not None and replaced["name"] == target.name


def _may_be_source(target: Path, name: str) -> bool:
    if _is_old_of(target, name):
        return True
    ours = name.startswith(target.stem) and name.endswith(target.suffix)
    return ours and _MORE.fullmatch(name, len(target.stem), len(name) - len(target.suffix)) is not None
