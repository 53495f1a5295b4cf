"""The review file: read, and written anew around what a person wrote (TRUST, The review inbox, Algorithm).

It is a projection, written after the commit, so dying between the two is harmless. A write takes these steps:
1. read the file and its sources (`sources`); go back to the caller where they are not what was last read: there may be decisions in it
2. render; stop where that changes nothing
3. keep what people saved in the history, write the new file beside, look once more, exchange the two (`swapping`)
4. look at what was exchanged: a save that came in between is in it, and so is one that comes within the next minute into a file
   that an editor held open; both are sources of the next read
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
from ethos.core.ports.store import Entry, Reading, Written
from ethos.edge.config.clock import SystemClock
from ethos.edge.files import locks
from ethos.edge.inbox import editors, history, swapping
from ethos.edge.inbox.found import LARGEST, Found, InUse, Signature, TooLarge, Unusable, errors, load, look, modified, signature
from ethos.edge.inbox.sources import Beside, Source, Surroundings, pages

_CLOCK = SystemClock()

Digests = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Picture:
    """The file and its sources at one moment."""

    main: Found
    around: Surroundings
    marks: object  # of the sources, from before they were read: equal marks mean that nobody has saved since

    @property
    def digests(self) -> Digests:
        """Equal digests mean that there is nothing new to read."""
        return (self.main.digest, *(source.found.digest for source in self.around.sources))

    def base(self) -> Found:
        """The version that the others are put to: the file, unless it is our own and a person wrote on in what it took the place of."""
        return next((source.found for source in self.around.sources if self._is_ours(source)), self.main)

    def parsed(self) -> review.Review:
        """All of it as one. Raises Unusable."""
        base = self.base()
        others = (source.found.parsed() for source in self.around.sources if source.found is not base)
        return review.merge(base.parsed(), others)

    def _is_ours(self, source: Source) -> bool:
        return bool(source.by) and self.main.digest.startswith(source.by)


class MarkdownInbox:
    """The review file at `path`. `state_dir` takes its lock and its history; a save younger than `settle_seconds` may not be the last one.

    Not to be used by two threads at a time; other processes are kept out by the lock while one writes.
    """

    def __init__(self, path: Path, state_dir: Path, settle_seconds: float = 3.0, *, now: Callable[[], datetime] = _CLOCK.now) -> None:
        self.path = path
        self._state = state_dir
        self._settle = timedelta(seconds=settle_seconds)
        self._now = now
        self._beside = Beside(state_dir, self._settle)
        self._leads_to: Path | None = None  # where the path led when it was first followed
        self._full: dict[Path, Signature | None] = {}  # pages with too many entries, and their signatures then
        self._seen: Digests | None = None  # of what was last read or written here
        self._written: str | None = None  # digest of what we wrote ourselves
        self._marks: object = None  # what tells cheaply whether there is something new
        self._owed = False  # somebody was at it when it was to be written

    # -- the port

    def read(self, *, only_look: bool = False) -> Reading:
        """What a person has decided. A missing file decides nothing; one that cannot be read is a problem, never an exception."""
        try:
            picture = self._look()
            parsed = picture.parsed()
        except Unusable as trouble:
            return Reading(problems=(str(trouble),))
        if not only_look:
            self._remember(picture)
        problems = (self._conflicted() if parsed.conflicted else "", *self._problems(picture))
        return replace(review.read(parsed), problems=tuple(filter(None, problems)))

    def standing(self) -> frozenset[str]:
        """The ids in the file and its sources; none where it cannot be read, for then it is not written either."""
        try:
            return frozenset(block.id for block in self._look().parsed().blocks)
        except Unusable:
            return frozenset()

    def write(self, entries: Sequence[Entry], hints: Mapping[str, str]) -> Written:
        """Show these questions. What keeps it from being written is told, never raised: what is held is safe in the store."""
        self._owed = False
        try:
            with locks.hold(self._state, locks.INBOX, f"{self.path} is being written by another ethos process"):
                return self._write(entries, hints)
        except Refused as refused:
            self._owed = True
            return Written(done=False, problem=f"{refused.problem.what}: its turn comes in a moment, or with the next pass")
        except Unusable as trouble:
            self._owed = isinstance(trouble, InUse)
            return Written(done=False, problem=str(trouble))
        except OSError as error:
            return Written(done=False, problem=f"{self.path} could not be written: {error.strerror}; its questions wait in the store")

    # -- for the daemon, which looks every few seconds

    def due(self) -> bool:
        """A save to read that has settled, or a write that waited for somebody who is done now."""
        try:
            return (self._owed or self.changed_since_write()) and self.settled() and not (self._owed and self._editor())
        except Unusable:
            return False  # `read` tells why; looking again and again would not help

    def changed_since_write(self) -> bool:
        """Somebody saved the file or a source of it since it was last written or read here. Cheap when nothing changed. Raises Unusable."""
        marks = self._look_quickly()
        if self._seen is not None and marks == self._marks:
            return False
        picture = self._look()
        if picture.digests == (self._seen or (Found(self.path).digest,)):
            self._marks = None if picture.around.unsettled else marks
            return False
        return True

    def settled(self) -> bool:
        """The last save is at least `settle_seconds` ago, so the editor is done with it. Raises Unusable."""
        status = look(self._target())
        return status is None or abs(self._now() - modified(status)) >= self._settle

    # -- for `ethos inbox --edit`

    def current(self) -> Found:
        """The file as it is, for an editor on a copy. Raises Unusable."""
        return load(self._target())

    def hand_in(self, before: Found, data: bytes) -> bool:
        """Put what a person made of `before` in its place; False when somebody had saved meanwhile, and both were kept.

        Then it is read as one more source. Raises Unusable, Refused, OSError.
        """
        with locks.hold(self._state, locks.INBOX, f"{self.path} is being written by another ethos process"):
            self._refuse_if_not_ours(before)
            history.keep(self._state, before, self._now())
            if self._exchange(before, data):
                return True
            self._beside.hand_in(before.path, data, before.digest)
            return False

    # -- one way in, one way out

    def _target(self) -> Path:
        """The page to read and write, behind every symbolic link; a link that was turned elsewhere is not followed. Raises Unusable."""
        leads_to = Path(os.path.realpath(self.path))
        self._leads_to = self._leads_to or leads_to
        if leads_to != self._leads_to:
            raise Unusable(f"{self.path} led to {self._leads_to} and leads to {leads_to} now: if that is right, restart ethos")
        for number in count(1):
            page = pages(leads_to, number)
            status = look(page)
            large = status is not None and stat.S_ISREG(status.st_mode) and status.st_size > LARGEST
            if not large and not (page in self._full and self._full[page] == signature(status)):
                return page
        raise AssertionError("there is always one more page")

    def _look_quickly(self) -> object:
        target = self._target()
        return target, signature(look(target)), self._beside.marks(target, self._now())

    def _look(self) -> _Picture:
        target = self._target()
        while True:
            try:
                main = load(target)
            except TooLarge:
                self._full[target] = signature(look(target))
                target = self._target()
                continue
            marks = self._beside.marks(target, self._now())
            return _Picture(main, self._beside.gather(target, self._now()), marks)

    def _remember(self, picture: _Picture) -> None:
        self._seen = picture.digests
        self._marks = None if picture.around.unsettled else (picture.main.path, picture.main.signature, picture.marks)

    def _write(self, entries: Sequence[Entry], hints: Mapping[str, str]) -> Written:
        picture = self._look()
        if self._seen is not None and picture.digests != self._seen:
            return Written(done=False, read_again=True)
        main, base, sources = picture.main, picture.base(), picture.around.sources
        self._refuse_if_not_ours(main)
        text, bom, encoding = base.decoded()
        if self._seen is not None and review.TAIL not in text and not self.settled():
            raise InUse(f"{self.path} was saved just now and looks unfinished: it is written in a moment, or with the next pass")
        parsed = picture.parsed()
        if parsed.conflicted:
            raise Unusable(self._conflicted())
        shown = bom + review.render(entries, parsed, hints).encode(encoding, errors(encoding))
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
            self._beside.take(main.path, source)
        self._beside.tidy(main.path, self._now())
        standing = self._look()
        if standing.digests == (digest,):
            self._remember(standing)
        else:  # somebody saved in this very moment
            self._seen, self._marks, again = (digest,), None, True
        return Written(read_again=again, problem="; ".join(self._problems(standing)))

    def _exchange(self, found: Found, data: bytes, by: str = "") -> bool:
        """by: the digest of the data where that was made of `found` alone, so that what is written into `found` later can stand for it."""
        aside = self._beside.aside(found.path, found.digest, by)
        if not swapping.put(found, data, aside):
            return False
        if found.data is not None and look(aside) is not None:
            self._beside.stow(aside)
        return True

    def _refuse_if_not_ours(self, found: Found) -> None:
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

    # -- what it says

    def _problems(self, picture: _Picture) -> tuple[str, ...]:
        status = picture.main.status
        others = status is not None and status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
        exposed = f"{self.path} can be changed by other users: chmod 600 {self.path}" if others else ""
        page = picture.main.path
        first = self._leads_to or self.path
        full = f"{first} is too large, so it is left alone until you make it smaller; its questions are in {page}" if page != first else ""
        return tuple(filter(None, (exposed, full, *picture.around.problems)))

    def _conflicted(self) -> str:
        return f"{self.path} holds the marks of a merge conflict (<<<<<<<): it is not written until you have resolved them"
