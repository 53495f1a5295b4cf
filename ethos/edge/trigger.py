"""The trigger: the Unix socket on which the daemon is asked (E-27; TRUST, Unix socket).

Threads: one accepts, and each connection has one of its own until it ends; no more than `max_connections` at a time, the rest wait in
the kernel's queue. Shutdown in two steps: `close` lets nobody new in and wakes who waits for a line, `drain` waits for who is served.
"""

from __future__ import annotations

import os
import select
import socket
import stat
import time
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import BoundedSemaphore, Lock, Thread, current_thread

from ethos.core.errors import Problem, Refused, refuse
from ethos.core.settings import SocketSettings
from ethos.edge import locks, logs, ownership
from ethos.edge.actions import Service
from ethos.edge.client import peer
from ethos.edge.places import LONGEST_SOCKET
from ethos.edge.wire import Id, Misread, answer, parse, perform

BACKLOG = 256
IDLE_SECONDS = 60.0  # a connection with an id may be silent for so long between two lines
SEND_SECONDS = 10.0  # for a caller to take its answer
_PIECE = 65_536
_DISCARD = 16 * 1024 * 1024  # bytes of an over-long line that are read away, so that its sender lives to see the answer
_FIRST_PASSED = 3  # sd_listen_fds(3)

log = logs.get()


# -- where to listen


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


# -- who is served


class Trigger:
    """Serves a listening socket. service: asked anew for every caller and request, because a reload replaces it."""

    def __init__(self, listener: socket.socket, service: Callable[[], Service]) -> None:
        self._listener = listener
        self._service = service
        self._room = BoundedSemaphore(service().ethos.settings.socket.max_connections)
        self._hand = Lock()  # on the connections
        self._open: dict[Thread, Connection] = {}
        self._wake = os.eventfd(0, os.EFD_CLOEXEC)
        self._closing = False
        self._accepting = Thread(target=self._accept, name="accept", daemon=True)

    def start(self) -> None:
        """Accept from now on."""
        self._accepting.start()

    @property
    def waiting(self) -> int:
        """How many callers wait for an answer."""
        with self._hand:
            return sum(connection.busy for connection in self._open.values())

    def close(self) -> None:
        """Let nobody in any more, and wake who waits for a line."""
        self._closing = True
        os.eventfd_write(self._wake, 1)
        with self._hand:
            waiting = [connection for connection in self._open.values() if not connection.busy]
        for connection in waiting:
            connection.hang_up()
        self._accepting.join()
        os.close(self._wake)

    def drain(self, seconds: float) -> int:
        """Wait so long for who is being served; how many were left."""
        until = time.monotonic() + seconds
        with self._hand:
            serving = list(self._open)
        for thread in serving:
            thread.join(max(0.0, until - time.monotonic()))
        return sum(thread.is_alive() for thread in serving)

    def _accept(self) -> None:
        self._listener.setblocking(False)  # who connected may be gone again
        poll = select.poll()
        poll.register(self._listener, select.POLLIN)
        poll.register(self._wake, select.POLLIN)
        while not self._closing:
            poll.poll()  # `close` ends it, too
            if not self._find_room():
                continue
            taken = False
            try:
                if not self._closing:
                    taken = self._take()
            finally:
                if not taken:
                    self._room.release()

    def _find_room(self) -> bool:
        """Whether there is room for one more; where all is taken, who has had an answer and been silent for longest makes room."""
        if self._room.acquire(blocking=False):
            return True
        with self._hand:
            silent = [connection for connection in self._open.values() if connection.silent_since is not None]
        if silent:
            min(silent, key=lambda connection: connection.silent_since or 0.0).hang_up()
        return self._room.acquire(timeout=1.0)

    def _take(self) -> bool:
        """Accept one connection and serve it in a thread of its own."""
        try:
            accepted, _ = self._listener.accept()
        except BlockingIOError:
            return False
        except OSError as error:  # no more file handles, or a caller that was gone: the next one may fare better
            log.warning("Cannot accept a connection", error=error.strerror)
            time.sleep(0.1)
            return False
        connection = Connection(accepted, self._service().ethos.settings.socket, self._service)
        thread = Thread(target=self._serve, args=(connection,), name="connection", daemon=True)
        with self._hand:
            self._open[thread] = connection
        try:
            thread.start()
        except RuntimeError:  # TasksMax, or the like
            log.warning("Cannot serve a connection: no more threads")
            del self._open[thread]
            accepted.close()
            return False
        return True

    def _serve(self, connection: Connection) -> None:
        try:
            connection.serve(lambda: self._closing)
        finally:
            with self._hand:
                del self._open[current_thread()]
            self._room.release()


class Connection:
    """One caller: its lines in, our answers out."""

    def __init__(self, channel: socket.socket, settings: SocketSettings, service: Callable[[], Service]) -> None:
        self.busy = False  # a request is being worked on
        self.silent_since: float | None = None  # monotonic: it had an answer, and has said nothing since
        self._channel = channel
        self._settings = settings
        self._service = service
        self._ahead = b""  # read, and not yet a line

    def hang_up(self) -> None:
        """No more is read; what is being answered still is."""
        with suppress(OSError):  # it was gone already
            self._channel.shutdown(socket.SHUT_RD)

    def serve(self, closing: Callable[[], bool]) -> None:
        """Answer requests until the caller has had its one, or has had enough, or takes too long."""
        with self._channel:
            try:
                self._serve(closing)
            except OSError as error:  # the caller is gone, or does not take its answer
                log.debug("A caller was lost", error=str(error))

    def _serve(self, closing: Callable[[], bool]) -> None:
        pid, uid = peer(self._channel)
        if uid not in {os.geteuid(), 0}:
            log.warning("Refused a caller of another user", uid=uid, pid=pid)
            self._send(answer(None, Problem("daemon", f"this memory belongs to another user than {uid}")))
            return
        wait = self._settings.line_seconds
        for _ in range(self._settings.max_requests):
            line = self._line(wait)
            self.silent_since = None
            if line is None:
                return
            self.busy = True
            given = self._answer(line)
            self.busy = False
            if given is None or closing():
                return
            wait, self.silent_since = IDLE_SECONDS, time.monotonic()

    def _answer(self, line: bytes | Problem) -> Id | None:
        """Answer a line. The id it came with, if it may be followed by another."""
        read = Misread(line) if isinstance(line, Problem) else parse(line)
        if isinstance(read, Misread):
            self._send(answer(read.id, read.problem))
            return read.id
        try:
            answered = answer(read.id, perform(self._service(), read))
        except Refused as refused:
            answered = answer(read.id, refused.problem)
        except Exception as error:
            log.exception("A request failed", action=read.action)  # a bug in one action must not take the daemon down
            problem = Problem("daemon", f"an error inside Ethos: {type(error).__name__}", "its log has the details; please report them")
            answered = answer(read.id, problem)
        self._send(answered)
        return read.id

    def _send(self, data: bytes) -> None:
        self._channel.settimeout(SEND_SECONDS)
        self._channel.sendall(data)

    def _line(self, wait: float) -> bytes | Problem | None:
        """The next line, at a newline or at the end; what is wrong with it; or None when there is none.

        wait: seconds until it begins; from its first byte on the whole line has `line_seconds`, however it trickles.
        """
        until = time.monotonic() + (self._settings.line_seconds if self._ahead else wait)
        while b"\n" not in self._ahead:
            if len(self._ahead) > self._settings.max_line_bytes:
                return self._too_long()
            left = until - time.monotonic()
            if left <= 0:
                return self._too_late()
            self._channel.settimeout(left)
            try:
                piece = self._channel.recv(_PIECE)
            except TimeoutError:
                return self._too_late()
            if not piece:
                line, self._ahead = self._ahead, b""
                return line or None
            if not self._ahead:
                until = time.monotonic() + self._settings.line_seconds
            self._ahead += piece
        line, _, self._ahead = self._ahead.partition(b"\n")
        return line if len(line) <= self._settings.max_line_bytes else self._too_long(ended=True)

    def _too_late(self) -> Problem | None:
        if not self._ahead:
            return None
        self._ahead = b""
        return Problem("usage", f"no whole line within {self._settings.line_seconds:g} seconds", "end the request with a newline")

    def _too_long(self, *, ended: bool = False) -> Problem:
        """Read the rest of the line away, for as long as a line may take."""
        until = time.monotonic() + self._settings.line_seconds
        read = len(self._ahead)
        self._ahead = b""
        while not ended and read < _DISCARD and (left := until - time.monotonic()) > 0:
            self._channel.settimeout(left)
            with suppress(TimeoutError):
                piece = self._channel.recv(_PIECE)
                read += len(piece)
                ended = not piece or piece.endswith(b"\n")
        limit = self._settings.max_line_bytes
        return Problem("usage", f"the line is longer than {limit} bytes", "send paths instead of texts, or fewer of them at a time")
