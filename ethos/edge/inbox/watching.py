"""Watching: to be told of a save as it happens, by inotify on the file's folder, so that an answer need not wait for the next look.

Only a hint: where there is no inotify, or none left (`fs.inotify.max_user_watches`), the next look finds the save all the same.
"""

from __future__ import annotations

import ctypes
import os
import select
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread

_CLOSED, _MOVED_HERE, _DELETED, _ONLY_FOLDERS = 0x8, 0x80, 0x200, 0x1000000  # sys/inotify.h: what a save ends with
_IGNORED = 0x8000  # the folder is gone
_EVENT = struct.Struct("iIII")  # struct inotify_event: watch, mask, cookie, length of the name that follows


class Watch:
    """Calls `told` in a thread of its own when something like the watched file was saved in its folder."""

    def __init__(self, told: Callable[[], None]) -> None:
        self._told = told
        self._path: Path | None = None  # of what is watched for; None: of nothing
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._events = -1
        self._number = -1  # of the folder's watch
        self._thread: Thread | None = None
        self._wakes, self._wake = os.pipe2(os.O_CLOEXEC)

    def follow(self, path: Path) -> None:
        """Watch for this file from now on; nothing where it is watched already, or cannot be. Cheap: to be called at each look."""
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
            thread = Thread(target=self._listen, name="watch", daemon=True)
            try:
                thread.start()
            except RuntimeError:  # TasksMax, or the like: try at the next look
                self._path = None
                return
            self._thread = thread

    def close(self) -> None:
        """Tell of nothing more."""
        os.close(self._wake)
        if self._thread is not None:
            self._thread.join()
        os.close(self._wakes)
        if self._events >= 0:
            os.close(self._events)

    def _listen(self) -> None:
        poll = select.poll()
        poll.register(self._events, select.POLLIN)
        poll.register(self._wakes, select.POLLIN)
        while self._wakes not in (ready := dict(poll.poll())):
            if self._events in ready and self._concern_us():
                self._told()

    def _concern_us(self) -> bool:
        """Whether any of the events that wait does; all of them are read, because the last may say that the folder is gone."""
        return sum(self._matters(*event) for event in self._read()) > 0

    def _read(self) -> Iterator[tuple[int, int, str]]:
        """The events that wait: number of the watch, what happened, the file's name."""
        data, at = os.read(self._events, 65_536), 0
        while at < len(data):
            number, mask, _, length = _EVENT.unpack_from(data, at)
            at += _EVENT.size
            yield number, mask, os.fsdecode(data[at : at + length].rstrip(b"\0"))
            at += length

    def _matters(self, number: int, mask: int, name: str) -> bool:
        """The file, a copy of it, or the lock of an editor that was closed; not what we write beside it ourselves."""
        path = self._path
        if path is None or number != self._number:
            return False
        if mask & _IGNORED:
            self._path = None
        return path.stem in name and ".ethos-" not in name

    def _call(self, name: str, *arguments: int | bytes) -> int:
        found: Callable[..., int] | None = getattr(self._libc, name, None)
        return -1 if found is None else found(*arguments)
