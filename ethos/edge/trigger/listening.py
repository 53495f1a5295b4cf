"""Listening: where the socket is, and that nobody else can take its place (TRUST, Unix socket)."""

from __future__ import annotations

import os
import socket
import stat
from collections.abc import Iterator, MutableMapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from ethos.core.errors import refuse
from ethos.edge.disk import locks, ownership
from ethos.edge.places import LONGEST_SOCKET

BACKLOG = 512  # who stands there waits; who finds it full is refused by the kernel
_FIRST_PASSED = 3  # sd_listen_fds(3)


@contextmanager
def listening(path: Path) -> Iterator[socket.socket]:
    """A socket at `path` that only we can connect to, from its first moment on. Raises `Refused`.

    The lock beside it says whether a socket that is already there is somebody's or was left behind.
    """
    if len(os.fsencode(path)) > LONGEST_SOCKET:
        raise refuse("bad-config", f"the path of the socket is longer than {LONGEST_SOCKET} bytes", hint="set socket.path", where=str(path))
    _own(path.parent)
    with locks.hold(path.parent, f"{path.name}.lock", f"another ethos listens on {path}"), ExitStack() as end:
        _clear(path)
        listener = end.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC))
        os.fchmod(listener.fileno(), 0o600)  # before `bind`, so that there is no moment in which it is open to others
        listener.bind(str(path))
        end.callback(path.unlink, missing_ok=True)  # it goes before its lock does
        listener.listen(BACKLOG)
        yield listener


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
