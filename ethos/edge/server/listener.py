"""The listening socket: its path, and protection against another process that takes its place."""

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

_BACKLOG = 512  # connections that wait to be accepted; the kernel refuses further ones
_FIRST_PASSED = 3  # sd_listen_fds(3)


class Listener:
    """A socket at `path` that only this user can connect to, from its creation on. Entering it raises `Refused`.

    The lock file beside it shows whether an existing socket is in use or was left behind.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = path.with_name(f"{path.name}.lock")
        self._locked: tuple[int, int] | None = None  # the lock file's identity
        self._end = ExitStack()

    def __enter__(self) -> socket.socket:
        if len(os.fsencode(self._path)) > LONGEST_SOCKET:
            what = f"the path of the socket is longer than {LONGEST_SOCKET} bytes"
            raise refuse("bad-config", what, hint="set socket.path", where=str(self._path))
        return self._bind()

    def __exit__(self, *_: object) -> None:
        self._end.close()

    def rebind_if_removed(self) -> socket.socket | None:
        """Return a new listener if the socket was removed, as a logout does; None if it is still there. Raises `Refused`, OSError."""
        return None if os.path.lexists(self._path) else self._bind()

    def _bind(self) -> socket.socket:
        _check_folder(self._path.parent)
        if self._locked is None or _identity(self._lock) != self._locked:
            self._end.enter_context(locks.hold(self._path.parent, self._lock.name, f"another ethos listens on {self._path}"))
            self._locked = _identity(self._lock)
        _remove_stale(self._path)
        listener = self._end.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC))
        os.fchmod(listener.fileno(), 0o600)  # before `bind`, so that it is never open to others
        listener.bind(str(self._path))
        self._end.callback(self._path.unlink, missing_ok=True)  # remove the socket before releasing its lock
        listener.listen(_BACKLOG)
        return listener


def _identity(file: Path) -> tuple[int, int] | None:
    try:
        status = file.stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


def _check_folder(folder: Path) -> None:
    """Check that only this user can write to the folder. Anyone else who can could replace the socket. Raises `Refused`."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        why = ownership.why_replaceable(folder, by=stat.S_IWGRP | stat.S_IWOTH, ours_alone=True)
    except OSError as error:
        raise refuse("daemon", f"no folder for the socket: {error.strerror}", hint="set socket.path", where=str(folder)) from error
    if why:
        raise refuse("daemon", f"the folder of the socket {why}", hint=f"chmod 700 {folder}, or set socket.path", where=str(folder))


def _remove_stale(path: Path) -> None:
    """Remove the socket of a dead daemon, and nothing else."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(mode):
        raise refuse("daemon", "there is a file where the socket should be", hint="move it away, or set socket.path", where=str(path))
    path.unlink()


def from_systemd(environ: MutableMapping[str, str]) -> socket.socket | None:
    """Return the socket that systemd listens on for us (socket activation), or None. Remove its variables, so that children do not inherit
    them.
    """
    pid, count = environ.pop("LISTEN_PID", ""), environ.pop("LISTEN_FDS", "")
    environ.pop("LISTEN_FDNAMES", None)
    if pid != str(os.getpid()) or not count.isdigit() or int(count) < 1:
        return None
    os.set_inheritable(_FIRST_PASSED, False)
    hint = "compare the socket unit with `ethos service show`"
    try:
        given = socket.socket(fileno=_FIRST_PASSED)
    except OSError as error:
        raise refuse("daemon", f"what systemd passed is not a socket: {error.strerror}", hint=hint) from error
    fits = given.family == socket.AF_UNIX and given.type == socket.SOCK_STREAM
    if int(count) > 1 or not fits or not given.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
        given.close()
        raise refuse("daemon", "what systemd passed is not one listening Unix socket", hint=hint)
    if not isinstance(name := given.getsockname(), str) or not name:  # bytes: an abstract socket, which has no permissions
        given.close()
        raise refuse("daemon", "the socket that systemd passed has no path", hint=hint)
    return given
