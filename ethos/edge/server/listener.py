"""Listening: where the socket is, and that nobody else can take its place (TRUST, Unix socket)."""

from __future__ import annotations

import os
import socket
import stat
from collections.abc import MutableMapping
from contextlib import ExitStack
from pathlib import Path

from ethos.core.model.errors import refuse
from ethos.edge.config.paths import LONGEST_SOCKET
from ethos.edge.files import locks, ownership

BACKLOG = 512  # who stands there waits; who finds it full is refused by the kernel
_FIRST_PASSED = 3  # sd_listen_fds(3)


class Listening:
    """A socket at `path` that only we can connect to, from its first moment on. Entering it raises `Refused`.

    The lock beside it says whether a socket that is already there is somebody's or was left behind.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = path.with_name(f"{path.name}.lock")
        self._locked: tuple[int, int] | None = None  # which file the lock is on
        self._end = ExitStack()

    def __enter__(self) -> socket.socket:
        if len(os.fsencode(self._path)) > LONGEST_SOCKET:
            what = f"the path of the socket is longer than {LONGEST_SOCKET} bytes"
            raise refuse("bad-config", what, hint="set socket.path", where=str(self._path))
        return self._bound()

    def __exit__(self, *_: object) -> None:
        self._end.close()

    def renewed(self) -> socket.socket | None:
        """Return a new listener where the socket was removed, as a logout does; None where it is still there. Raises `Refused`, OSError."""
        return None if os.path.lexists(self._path) else self._bound()

    def _bound(self) -> socket.socket:
        _own(self._path.parent)
        if self._locked is None or _identity(self._lock) != self._locked:
            self._end.enter_context(locks.hold(self._path.parent, self._lock.name, f"another ethos listens on {self._path}"))
            self._locked = _identity(self._lock)
        _clear(self._path)
        listener = self._end.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC))
        os.fchmod(listener.fileno(), 0o600)  # before `bind`, so that there is no moment in which it is open to others
        listener.bind(str(self._path))
        self._end.callback(self._path.unlink, missing_ok=True)  # it goes before its lock does
        listener.listen(BACKLOG)
        return listener


def _identity(file: Path) -> tuple[int, int] | None:
    try:
        status = file.stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


def _own(folder: Path) -> None:
    """The folder is ours alone to write to, or we do not listen there: who can write to it can take our place."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        why = ownership.taken(folder, by=stat.S_IWGRP | stat.S_IWOTH, ours_alone=True)
    except OSError as error:
        raise refuse("daemon", f"no folder for the socket: {error.strerror}", hint="set socket.path", where=str(folder)) from error
    if why:
        raise refuse("daemon", f"the folder of the socket {why}", hint=f"chmod 700 {folder}, or set socket.path", where=str(folder))


def _clear(path: Path) -> None:
    """Remove the socket that a dead daemon left behind, and nothing else."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(mode):
        raise refuse("daemon", "there is a file where the socket should be", hint="move it away, or set socket.path", where=str(path))
    path.unlink()


def passed(environ: MutableMapping[str, str]) -> socket.socket | None:
    """The socket that systemd listens on for us (socket activation), if there is one; the variables are taken out for our children."""
    pid, count = environ.pop("LISTEN_PID", ""), environ.pop("LISTEN_FDS", "")
    environ.pop("LISTEN_FDNAMES", None)
    if pid != str(os.getpid()) or not count.isdigit() or int(count) < 1:
        return None
    os.set_inheritable(_FIRST_PASSED, False)
    hint = "compare the socket unit with `ethos service show`"
    try:
        given = socket.socket(fileno=_FIRST_PASSED)
    except OSError as error:
        raise refuse("daemon", f"what systemd passed is no socket: {error.strerror}", hint=hint) from error
    fits = given.family == socket.AF_UNIX and given.type == socket.SOCK_STREAM
    if int(count) > 1 or not fits or not given.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
        given.close()
        raise refuse("daemon", "what systemd passed is not one listening Unix socket", hint=hint)
    if not isinstance(name := given.getsockname(), str) or not name:  # bytes: an abstract one, which has no permissions
        given.close()
        raise refuse("daemon", "the socket that systemd passed has no place in the file system", hint=hint)
    return given
