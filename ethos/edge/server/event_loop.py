"""The event loop: one thread that accepts connections and reads from all of them at once.

A connection has one owner at a time. The loop owns it while it sends a line or is idle; `on_line` hands it over with each whole line.
The new owner returns it with `give_back` or closes it with `end`. At most `max_connections` are open, not counting those that wait for
another's answer; further ones wait in the kernel's queue.
"""

from __future__ import annotations

import os
import selectors
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Condition, Thread

from ethos.core.model.errors import Problem
from ethos.core.model.settings import SocketSettings
from ethos.edge.api.wire import answer
from ethos.edge.client.socket_client import peer
from ethos.edge.config import logs
from ethos.edge.server.admission import SLOW_SECONDS, evictable, to_evict
from ethos.edge.server.caller import BUFFER_BYTES, Caller

_RETRY_SECONDS = 0.1  # after a failed accept

log = logs.get()


class EventLoop:
    """Accept and read connections on a listening socket.

    settings: called for each new connection: a reload replaces them. on_line: takes over a connection with its line and must not block.
    followers: returns how many connections wait for another's answer.
    """

    def __init__(
        self,
        listener: socket.socket,
        settings: Callable[[], SocketSettings],
        *,
        on_line: Callable[[Caller, bytes], None],
        followers: Callable[[], int],
    ) -> None:
        self._listener = listener
        self._settings = settings
        self._on_line = on_line
        self._followers = followers
        self._most = settings().max_connections
        self._changed = Condition()  # guards what follows, up to the blank line
        self._callers: set[Caller] = set()  # all open connections
        self._returned: list[Caller] = []  # to be read from again
        self._next_listener: socket.socket | None = None  # replaces the listener
        self._accepting = False  # whether the selector watches the listener
        self._closing = False

        self._wake = os.eventfd(0, os.EFD_CLOEXEC)
        self._selector = selectors.DefaultSelector()
        self._reading: set[Caller] = set()  # owned by the loop
        self._buffer = memoryview(bytearray(BUFFER_BYTES))
        self._blocked_until = 0.0  # monotonic; set when an accept failed
        self._thread = Thread(target=self._run, name="reader", daemon=True)

    def start(self) -> None:
        """Accept connections from now on."""
        self._thread.start()

    def listen_on(self, listener: socket.socket) -> None:
        """Accept connections on this listener from now on, and close the one before."""
        with self._changed:
            self._next_listener = listener
            os.eventfd_write(self._wake, 1)

    @property
    def asking(self) -> int:
        """Return how many connections wait for an answer."""
        with self._changed:
            return self._count_asking()

    def close(self) -> None:
        """Accept no more connections, and close those that have no request in progress."""
        with self._changed:
            self._closing = True
            os.eventfd_write(self._wake, 1)
        self._thread.join()
        os.close(self._wake)

    def drain(self, seconds: float) -> int:
        """Wait up to `seconds` for requests in progress; return how many are left."""
        with self._changed:
            self._changed.wait_for(lambda: not self._count_asking(), seconds)
            return self._count_asking()

    def give_back(self, caller: Caller) -> None:
        """Read from a connection again after its answer."""
        with self._changed:
            if not self._closing:
                caller.asking = False
                self._returned.append(caller)
                os.eventfd_write(self._wake, 1)
                self._changed.notify_all()
                return
        self.end(caller)

    def end(self, caller: Caller) -> None:
        """Close a connection and free its place."""
        caller.channel.close()
        with self._changed:
            self._callers.discard(caller)
            self.room_made()
            self._changed.notify_all()

    def dismiss(self, caller: Caller, why: Problem | None) -> None:
        """Close a connection, with an error if there is one and the peer takes it at once."""
        self._release(caller)
        if why is not None:
            with suppress(OSError):
                caller.channel.setblocking(False)
                caller.channel.send(answer(None, why))
        self.end(caller)

    def room_made(self) -> None:
        """Wake the loop so that it accepts connections again, if it had stopped."""
        with self._changed:
            if not self._accepting and not self._closing:
                os.eventfd_write(self._wake, 1)

    def _count_asking(self) -> int:
        return sum(caller.asking for caller in self._callers)

    @property
    def _full(self) -> bool:
        return len(self._callers) - self._followers() >= self._most

    # -- in the loop's thread

    def _run(self) -> None:
        self._listener.setblocking(False)  # a peer that connected may be gone again
        with self._selector:
            self._selector.register(self._wake, selectors.EVENT_READ, self._on_wake)
            while not self._closing:
                for key, _ in self._selector.select(self._prepare()):
                    key.data()
        for caller in (*self._reading, *self._returned):
            self.end(caller)

    def _prepare(self) -> float | None:
        """Close late connections and start or stop accepting; return the seconds until this must run again."""
        now = time.monotonic()
        for caller in [caller for caller in self._reading if caller.deadline <= now]:
            self._on_readable(caller)  # its line may have arrived in time while the loop was late
            if caller in self._reading and caller.deadline <= now:
                self.dismiss(caller, caller.timeout_problem())
        with self._changed:
            full = self._full
            accepting = now >= self._blocked_until and not (full and to_evict(self._reading, now) is None)
            if accepting and not self._accepting:
                self._selector.register(self._listener, selectors.EVENT_READ, self._accept)
            elif self._accepting and not accepting:
                self._selector.unregister(self._listener)
            self._accepting = accepting
        times = [caller.deadline for caller in self._reading]
        if not accepting:
            times += [caller.since + SLOW_SECONDS for caller in self._reading] if full else [self._blocked_until]
        return max(0.0, min(times) - now) if times else None

    def _accept(self) -> None:
        """Accept one connection, closing a slow or idle one for it if all places are taken."""
        if self._full and not self._evict():
            return
        try:
            channel, _ = self._listener.accept()
        except BlockingIOError:
            return
        except OSError as error:  # no more file handles, or the peer is gone: the next accept may succeed
            log.warning("Cannot accept a connection", error=error.strerror)
            self._blocked_until = time.monotonic() + _RETRY_SECONDS
            return
        caller = Caller(channel, self._settings())
        with self._changed:
            self._callers.add(caller)
        pid, uid = peer(channel)
        if uid in {os.geteuid(), 0}:
            self._read_from(caller)
        else:
            log.warning("Refused a caller of another user", uid=uid, pid=pid)
            self.dismiss(caller, Problem("daemon", f"this memory belongs to another user than {uid}"))

    def _evict(self) -> bool:
        """Close a slow or idle connection; return False if there is none."""
        now = time.monotonic()
        late = to_evict(self._reading, now)
        if late is not None:
            self._on_readable(late)  # its line may have arrived in time while the loop was late
        if late not in self._reading or not evictable(late, now):
            return False
        self.dismiss(late, late.timeout_problem(hurried=SLOW_SECONDS))
        return True

    def _on_wake(self) -> None:
        """Take the connections that were given back, and the new listener if there is one."""
        os.eventfd_read(self._wake)
        with self._changed:
            returned, self._returned = self._returned, []
            listener, self._next_listener = self._next_listener, None
        if listener is not None:
            if self._accepting:
                self._selector.unregister(self._listener)
                self._accepting = False
            self._listener.close()
            self._listener = listener
            self._listener.setblocking(False)
        for caller in returned:
            self._read_from(caller)

    def _read_from(self, caller: Caller) -> None:
        caller.channel.setblocking(False)
        self._reading.add(caller)
        self._selector.register(caller.channel, selectors.EVENT_READ, partial(self._on_readable, caller))

    def _on_readable(self, caller: Caller) -> None:
        """Read what has arrived, and hand over the connection with a whole line."""
        try:
            line = caller.receive(self._buffer)
        except OSError as error:
            log.debug("A connection was lost", error=str(error))
            self.dismiss(caller, None)
            return
        if isinstance(line, Problem) or (line is None and caller.eof):
            self.dismiss(caller, line)
        elif line is not None:
            self._release(caller)
            caller.asking = True
            self._on_line(caller, line)

    def _release(self, caller: Caller) -> None:
        if caller in self._reading:
            self._reading.remove(caller)
            self._selector.unregister(caller.channel)
