"""Notice saves as they happen, by inotify on the file's folder, so that an answer need not wait for the next check.

This is only a hint: without inotify, or with none left (`fs.inotify.max_user_watches`), the next check finds the save.
"""

from __future__ import annotations

import ctypes
import os
import select
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread

_CLOSED, _MOVED_HERE, _DELETED, _ONLY_FOLDERS = 0x8, 0x80, 0x200, 0x1000000  # sys/inotify.h: the events that end a save
_IGNORED = 0x8000  # the folder is gone
_EVENT = struct.Struct("iIII")  # struct inotify_event: watch, mask, cookie, length of the name that follows


class Watch:
    """Call `on_save` in a thread of its own after a save in the watched file's folder that may concern it."""

    def __init__(self, on_save: Callable[[], None]) -> None:
        self._on_save = on_save
        self._path: Path | None = None  # the watched file; None: no watch
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._events = -1
        self._number = -1  # of the folder's watch
        self._thread: Thread | None = None
        self._wakes, self._wake = os.pipe2(os.O_CLOEXEC)

    def follow(self, path: Path) -> None:
        """Watch this file from now on, if that is possible. Cheap if it is watched already: call it at each check."""
        target = Path(os.path.realpath(path))
        if target == self._path or not target.parent.is_dir():
            return
        if self._events < 0:
            self._events = self._call("inotify_init1", os.O_CLOEXEC | os.O_NONBLOCK)
        if self._events < 0:
            return
        if self._path is not None:
            self._call("inotify_rm_watch", self._events, self._number)
        self._number = self._call(
            "inotify_add_watch", self._events, os.fsencode(target.parent), _CLOSED | _MOVED_HERE | _DELETED | _ONLY_FOLDERS
        )
        self._path = target if self._number >= 0 else None
        if self._thread is None:
            thread = Thread(target=self._run, name="watch", daemon=True)
            try:
                thread.start()
            except RuntimeError:  # TasksMax, or the like: retry at the next check
                self._path = None
                return
            self._thread = thread

    def close(self) -> None:
        """Stop watching."""
        os.close(self._wake)
        if self._thread is not None:
            self._thread.join()
        os.close(self._wakes)
        if self._events >= 0:
            os.close(self._events)

    def _run(self) -> None:
        poll = select.poll()
        poll.register(self._events, select.POLLIN)
        poll.register(self._wakes, select.POLLIN)
        while self._wakes not in (ready := dict(poll.poll())):
            if self._events in ready and self._any_relevant():
                self._on_save()

    def _any_relevant(self) -> bool:
        """Return True if a pending event concerns the file. Read all of them: the last may report that the folder is gone."""
        return sum(self._is_relevant(*event) for event in self._read()) > 0

    def _read(self) -> Iterator[tuple[int, int, str]]:
        """Yield the pending events: number of the watch, mask, name of the file."""
        data, at = os.read(self._events, 65_536), 0
        while at < len(data):
            number, mask, _, length = _EVENT.unpack_from(data, at)
            at += _EVENT.size
            yield number, mask, os.fsdecode(data[at : at + length].rstrip(b"\0"))
            at += length

    def _is_relevant(self, number: int, mask: int, name: str) -> bool:
        """Return True for the file, a copy of it, or an editor's lock; not for what we write beside it ourselves."""
        path = self._path
        if path is None or number != self._number:
            return False
        if mask & _IGNORED:
            self._path = None
        return path.stem in name and ".ethos-" not in name

    def _call(self, name: str, *arguments: int | bytes) -> int:
        found: Callable[..., int] | None = getattr(self._libc, name, None)
        return -1 if found is None else found(*arguments)
