"""Read the review file, and rewrite it around what a person wrote.

The file is a projection of the store, written after the commit, so a crash between the two is harmless. A write takes these steps:
1. Read the file and its sources (`sources`). If they differ from what was last read, return to the caller: they may hold decisions.
2. Render. Stop if that changes nothing.
3. Keep what people saved in the history, write the new file beside, check once more, exchange the two (`swapping`).
4. Check the file that was exchanged: it holds a save made in between. A save within the next minute by an editor that had it open
goes there too. Both are sources of the next read.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256
from itertools import count
from pathlib import Path

from ethos.core import review
from ethos.core.model.errors import Refused
from ethos.core.ports.review_file import AnyEntry, Reading, Written
from ethos.edge.config.clock import SystemClock
from ethos.edge.files import locks
from ethos.edge.inbox import editors, history, swapping
from ethos.edge.inbox.file_version import (
    LARGEST,
    FileVersion,
    InUse,
    Signature,
    TooLarge,
    Unusable,
    errors,
    load,
    look,
    modified,
    signature,
)
from ethos.edge.inbox.sources import Source, SourceFiles, SourceSet, pages

_CLOCK = SystemClock()

Digests = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Snapshot:
    """The file and its sources at one moment."""

    main: FileVersion
    around: SourceSet
    marks: object  # of the sources, taken before they were read: equal marks mean no save since

    @property
    def digests(self) -> Digests:
        """Return the digests; if they are equal, there is nothing new to read."""
        return (self.main.digest, *(source.found.digest for source in self.around.sources))

    def base(self) -> FileVersion:
        """Return the merge base: the file, or, if we wrote it, the version that a person went on editing."""
        return next((source.found for source in self.around.sources if self._is_ours(source)), self.main)

    def parsed(self) -> review.Review:
        """Return the file and its sources merged. Raises Unusable."""
        base = self.base()
        others = (source.found.parsed() for source in self.around.sources if source.found is not base)
        return review.merge(base.parsed(), others)

    def _is_ours(self, source: Source) -> bool:
        return bool(source.by) and self.main.digest.startswith(source.by)


class MarkdownInbox:
    """The review file at `path`. state_dir: for its lock and history. settle_seconds: a younger save may not be the last one.

    Not thread-safe. A lock excludes other processes during a write.
    """

    def __init__(self, path: Path, state_dir: Path, settle_seconds: float = 3.0, *, now: Callable[[], datetime] = _CLOCK.now) -> None:
        self.path = path
        self._state = state_dir
        self._settle = timedelta(seconds=settle_seconds)
        self._now = now
        self._source_files = SourceFiles(state_dir, self._settle)
        self._resolved: Path | None = None  # where the path pointed when it was first resolved
        self._full: dict[Path, Signature | None] = {}  # pages with too many entries, and their signatures then
        self._seen: Digests | None = None  # of what was last read or written here
        self._written: str | None = None  # digest of what we wrote ourselves
        self._marks: object = None  # equal marks mean nothing new, without reading
        self._write_pending = False  # a write was put off because the file was in use

    # -- the port

    def read(self, *, only_look: bool = False) -> Reading:
        """Return a person's decisions. A missing file has none. If it cannot be read, return a problem; never raise."""
        try:
            snapshot = self._take_snapshot()
            parsed = snapshot.parsed()
        except Unusable as trouble:
            return Reading(problems=(str(trouble),))
        if not only_look:
            self._remember(snapshot)
        problems = (self._conflicted() if parsed.conflicted else "", *self._problems(snapshot))
        return replace(review.read(parsed), problems=tuple(filter(None, problems)))

    def listed(self) -> frozenset[str]:
        """Return the ids in the file and its sources; none if it cannot be read, for then it is not written either."""
        try:
            return frozenset(block.id for block in self._take_snapshot().parsed().blocks)
        except Unusable:
            return frozenset()

    def write(self, entries: Sequence[AnyEntry], hints: Mapping[str, str], *, in_shadow: bool = False) -> Written:
        """Write these questions into the file. If that fails, return the problem; never raise: the store holds the questions."""
        self._write_pending = False
        try:
            with locks.hold(self._state, locks.INBOX, f"{self.path} is being written by another ethos process"):
                return self._write(entries, hints, in_shadow=in_shadow)
        except Refused as refused:
            self._write_pending = True
            return Written(done=False, problem=f"{refused.problem.what}: it is written in a moment, or with the next pass")
        except Unusable as trouble:
            self._write_pending = isinstance(trouble, InUse)
            return Written(done=False, problem=str(trouble))
        except OSError as error:
            return Written(done=False, problem=f"{self.path} could not be written: {error.strerror}; its questions wait in the store")

    # -- for the daemon, which checks every few seconds

    def due(self) -> bool:
        """Return True if a save to read has settled, or a write that was put off is possible now."""
        try:
            return (self._write_pending or self.changed_since_write()) and self.settled() and not (self._write_pending and self._editor())
        except Unusable:
            return False  # `read` reports why; repeated checks would not help

    def changed_since_write(self) -> bool:
        """Return True if the file or a source was saved since the last write or read here. Cheap if nothing changed. Raises Unusable."""
        marks = self._current_marks()
        if self._seen is not None and marks == self._marks:
            return False
        snapshot = self._take_snapshot()
        if snapshot.digests == (self._seen or (FileVersion(self.path).digest,)):
            self._marks = None if snapshot.around.unsettled else marks
            return False
        return True

    def settled(self) -> bool:
        """Return True if the last save is at least `settle_seconds` old, so that the editor is done with it. Raises Unusable."""
        status = look(self._target())
        return status is None or abs(self._now() - modified(status)) >= self._settle

    # -- for `ethos inbox --edit`

    def current(self) -> FileVersion:
        """Return the file for an editor that works on a copy. Raises Unusable."""
        return load(self._target())

    def hand_in(self, before: FileVersion, data: bytes) -> bool:
        """Replace `before` with a person's edited copy; return False if the file was saved meanwhile, and keep both.

        The copy is then read as another source. Raises Unusable, Refused, OSError.
        """
        with locks.hold(self._state, locks.INBOX, f"{self.path} is being written by another ethos process"):
            self._refuse_if_not_ours(before)
            history.keep(self._state, before, self._now())
            if self._exchange(before, data):
                return True
            self._source_files.hand_in(before.path, data, before.digest)
            return False

    # -- internals

    def _target(self) -> Path:
        """Return the page to read and write, links resolved. A link that was changed since is refused. Raises Unusable."""
        leads_to = Path(os.path.realpath(self.path))
        self._resolved = self._resolved or leads_to
        if leads_to != self._resolved:
            raise Unusable(f"{self.path} led to {self._resolved} and leads to {leads_to} now: if that is right, restart ethos")
        for number in count(1):
            page = pages(leads_to, number)
            status = look(page)
            large = status is not None and stat.S_ISREG(status.st_mode) and status.st_size > LARGEST
            if not large and not (page in self._full and self._full[page] == signature(status)):
                return page
        raise AssertionError("there is always one more page")

    def _current_marks(self) -> object:
        target = self._target()
        return target, signature(look(target)), self._source_files.marks(target, self._now())

    def _take_snapshot(self) -> _Snapshot:
        target = self._target()
        while True:
            try:
                main = load(target)
            except TooLarge:
                self._full[target] = signature(look(target))
                target = self._target()
                continue
            marks = self._source_files.marks(target, self._now())
            return _Snapshot(main, self._source_files.gather(target, self._now()), marks)

    def _remember(self, snapshot: _Snapshot) -> None:
        self._seen = snapshot.digests
        self._marks = None if snapshot.around.unsettled else (snapshot.main.path, snapshot.main.signature, snapshot.marks)

    def _write(self, entries: Sequence[AnyEntry], hints: Mapping[str, str], *, in_shadow: bool) -> Written:
        snapshot = self._take_snapshot()
        if self._seen is not None and snapshot.digests != self._seen:
            return Written(done=False, read_again=True)
        main, base, sources = snapshot.main, snapshot.base(), snapshot.around.sources
        self._refuse_if_not_ours(main)
        text, bom, encoding = base.decoded()
        if self._seen is not None and review.TAIL not in text and not self.settled():
            raise InUse(f"{self.path} was saved just now and looks unfinished: it is written in a moment, or with the next pass")
        parsed = snapshot.parsed()
        if parsed.conflicted:
            raise Unusable(self._conflicted())
        shown = bom + review.render(entries, parsed, hints, in_shadow=in_shadow).encode(encoding, errors(encoding))
        if len(shown) > LARGEST:
            raise Unusable(f"{self.path} would grow beyond 5 MiB: move what you wrote below the entries to a file of its own")
        digest, again = sha256(shown).hexdigest(), False
        if shown != main.data:
            history.set_aside(self.path, review.orphans(entries, parsed))
            if main.digest != self._written:
                history.keep(self._state, main, self._now())
            if not self._exchange(main, shown, "" if sources else digest):
                return Written(done=False, read_again=True)
            self._written = digest
        for source in sources:
            history.keep(self._state, source.found, self._now())
            self._source_files.take(main.path, source)
        self._source_files.tidy(main.path, self._now())
        now_there = self._take_snapshot()
        if now_there.digests == (digest,):
            self._remember(now_there)
        else:  # the file was saved at this very moment
            self._seen, self._marks, again = (digest,), None, True
        return Written(read_again=again, problem="; ".join(self._problems(now_there)))

    def _exchange(self, found: FileVersion, data: bytes, by: str = "") -> bool:
        """Exchange the file. by: the data's digest if it was made from `found` alone: later edits of `found` then replace it."""
        aside = self._source_files.aside(found.path, found.digest, by)
        if not swapping.put(found, data, aside):
            return False
        if found.data is not None and look(aside) is not None:
            self._source_files.stow(aside)
        return True

    def _refuse_if_not_ours(self, found: FileVersion) -> None:
        if lock := self._editor():
            raise InUse(f"{self.path} is open in an editor ({lock}): it is written once the editor is closed")
        if found.status is None:
            return
        if not found.status.st_mode & 0o222 or not os.access(found.path, os.W_OK):
            raise Unusable(f"{self.path} is read-only: chmod u+w {self.path}, or answer with `ethos answer`")
        if os.geteuid() not in (0, found.status.st_uid):
            raise Unusable(f"{self.path} belongs to another user, so it is read but never written")

    def _editor(self) -> str:
        return editors.lock_of((self.path, self._target()), self._now())

    # -- problems

    def _problems(self, snapshot: _Snapshot) -> tuple[str, ...]:
        status = snapshot.main.status
        others = status is not None and status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
        exposed = f"{self.path} can be changed by other users: chmod 600 {self.path}" if others else ""
        page = snapshot.main.path
        first = self._resolved or self.path
        full = f"{first} is too large, so it is left alone until you make it smaller; its questions are in {page}" if page != first else ""
        return tuple(filter(None, (exposed, full, *snapshot.around.problems)))

    def _conflicted(self) -> str:
        return f"{self.path} holds the marks of a merge conflict (<<<<<<<): it is not written until you have resolved them"
