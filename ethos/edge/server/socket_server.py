"""The trigger: the Unix socket on which the daemon is asked (E-27; TRUST, Unix socket).

Threads: one reads, and hears all callers at once; each request that has arrived whole is answered in another, `WORKERS` at a time. So who
speaks slowly, or waits for a cycle that somebody else asked for, has no thread. There are no more than `max_connections` callers at a time,
not counting those who wait for another's cycle; the rest stand in the kernel's queue.
Shutdown in two steps: `close` lets nobody new in and sends away who has not asked yet, `drain` waits for who is served.
"""

from __future__ import annotations

import os
import selectors
import socket
import time
from collections import deque
from collections.abc import Callable, Hashable
from contextlib import suppress
from functools import partial
from threading import Condition, RLock, Thread

from ethos.core.model.errors import Problem, Refused
from ethos.edge.api.actions import ACTIONS, Service
from ethos.edge.api.wire import Id, Misread, Request, answer, parse, perform
from ethos.edge.client.socket_client import peer
from ethos.edge.config import logs
from ethos.edge.jsonio.shapes import Json
from ethos.edge.server.bounds import bounded
from ethos.edge.server.caller import PIECE, Caller

WORKERS = 48  # requests that are worked on at a time; with the daemon's own threads they are fewer than the unit's TasksMax
REST_SECONDS = 5.0  # a worker waits so long for another request
SLOW_SECONDS = 0.25  # who has not said its line within this makes room where all places are taken and others wait
MOST_TOGETHER = 512  # callers that wait for one another's cycles; each holds a descriptor, and there may be 1,024
_RETRY_SECONDS = 0.1  # after a failed accept

log = logs.get()


class Trigger:
    """Serves a listening socket. service: asked anew for every caller and request, because a reload replaces it.

    A caller is in one hand at a time: the reader's while it speaks or is silent, a worker's while it is answered, a flight's while it waits
    for the answer to somebody else's request of the same kind.
    """

    def __init__(self, listener: socket.socket, service: Callable[[], Service]) -> None:
        self._listener = listener
        self._service = service
        self._most = service().ethos.settings.socket.max_connections
        self._lock = RLock()
        self._hand = Condition(self._lock)  # on what follows, up to the blank line
        self._callers: set[Caller] = set()  # all of them
        self._flights: dict[Hashable, list[tuple[Caller, Id | None]]] = {}  # single flight: who waits for the same answer
        self._together = 0  # how many these are
        self._jobs: deque[Callable[[], None]] = deque()
        self._workers = 0
        self._bells: list[Condition] = []  # of those who rest, the longest first
        self._coming = 0  # how many were called, or started, and are not there yet
        self._back: list[Caller] = []  # on their way back to the reader
        self._instead: socket.socket | None = None  # the listener that takes the place of this one
        self._door = False  # whether the reader looks for who comes
        self._closing = False

        self._wake = os.eventfd(0, os.EFD_CLOEXEC)
        self._selector = selectors.DefaultSelector()
        self._speaking: set[Caller] = set()  # in the reader's hand
        self._ear = memoryview(bytearray(PIECE))
        self._blocked_until = 0.0  # monotonic: an accept failed
        self._reader = Thread(target=self._read, name="reader", daemon=True)

    def start(self) -> None:
        """Let callers in from now on."""
        self._reader.start()

    def listen_on(self, listener: socket.socket) -> None:
        """Let callers in by this listener from now on; the one before is closed."""
        with self._hand:
            self._instead = listener
            os.eventfd_write(self._wake, 1)

    @property
    def waiting(self) -> int:
        """How many callers wait for an answer."""
        with self._hand:
            return self._asking()

    def close(self) -> None:
        """Let nobody in any more, and send away who has not asked yet."""
        with self._hand:
            self._closing = True
            for bell in self._bells:
                bell.notify()
            os.eventfd_write(self._wake, 1)
        self._reader.join()
        os.close(self._wake)

    def drain(self, seconds: float) -> int:
        """Wait so long for who is being served; how many were left."""
        with self._hand:
            self._hand.wait_for(lambda: not self._asking(), seconds)
            return self._asking()

    def _asking(self) -> int:
        return sum(caller.asks for caller in self._callers)

    def _end(self, caller: Caller) -> None:
        """It is gone, and its place is free."""
        caller.channel.close()
        with self._hand:
            self._callers.discard(caller)
            self._room_was_made()
            self._hand.notify_all()

    def _room_was_made(self) -> None:
        """With the hand on it: let the reader look at the door again if it had closed it."""
        if not self._door and not self._closing:
            os.eventfd_write(self._wake, 1)

    # -- the reader

    def _read(self) -> None:
        self._listener.setblocking(False)  # who connected may be gone again
        with self._selector:
            self._selector.register(self._wake, selectors.EVENT_READ, self._take_back)
            while not self._closing:
                for key, _ in self._selector.select(self._until_next()):
                    key.data()
        for caller in (*self._speaking, *self._back):
            self._end(caller)

    def _until_next(self) -> float | None:
        """Send away who is late, look whether there is room; seconds until this must be done again."""
        now = time.monotonic()
        for caller in [caller for caller in self._speaking if caller.until <= now]:
            self._hear(caller)  # it may have spoken in time, and we were late
            if caller in self._speaking and caller.until <= now:
                self._dismiss(caller, caller.late())
        with self._hand:
            full = len(self._callers) - self._together >= self._most
            door = now >= self._blocked_until and not (full and self._one_too_many(now) is None)
            if door and not self._door:
                self._selector.register(self._listener, selectors.EVENT_READ, self._let_in)
            elif self._door and not door:
                self._selector.unregister(self._listener)
            self._door = door
        times = [caller.until for caller in self._speaking]
        if not door:
            times += [caller.since + SLOW_SECONDS for caller in self._speaking] if full else [self._blocked_until]
        return max(0.0, min(times) - now) if times else None

    def _one_too_many(self, now: float) -> Caller | None:
        """Who makes room: who has had an answer and been silent for longest, else who has been at its line for longest."""
        able = [caller for caller in self._speaking if _dawdles(caller, now)]
        return min(able, key=lambda caller: (not caller.silent, caller.since), default=None)

    def _let_in(self) -> None:
        """Accept one connection."""
        if len(self._callers) - self._together >= self._most:
            now = time.monotonic()
            late = self._one_too_many(now)
            if late is not None:
                self._hear(late)  # as above
            if late not in self._speaking or not _dawdles(late, now):
                return
            self._dismiss(late, late.late(hurried=SLOW_SECONDS))
        try:
            channel, _ = self._listener.accept()
        except BlockingIOError:
            return
        except OSError as error:  # no more file handles, or a caller that was gone: the next one may fare better
            log.warning("Cannot accept a connection", error=error.strerror)
            self._blocked_until = time.monotonic() + _RETRY_SECONDS
            return
        caller = Caller(channel, self._service().ethos.settings.socket)
        with self._hand:
            self._callers.add(caller)
        pid, uid = peer(channel)
        if uid in {os.geteuid(), 0}:
            self._listen_to(caller)
        else:
            log.warning("Refused a caller of another user", uid=uid, pid=pid)
            self._dismiss(caller, Problem("daemon", f"this memory belongs to another user than {uid}"))

    def _take_back(self) -> None:
        """Those who were answered and may say more; and a new listener, where there is one."""
        os.eventfd_read(self._wake)
        with self._hand:
            back, self._back = self._back, []
            instead, self._instead = self._instead, None
        if instead is not None:
            if self._door:
                self._selector.unregister(self._listener)
                self._door = False
            self._listener.close()
            self._listener = instead
            self._listener.setblocking(False)
        for caller in back:
            self._listen_to(caller)

    def _listen_to(self, caller: Caller) -> None:
        caller.channel.setblocking(False)
        self._speaking.add(caller)
        self._selector.register(caller.channel, selectors.EVENT_READ, partial(self._hear, caller))

    def _hear(self, caller: Caller) -> None:
        """What it says; a whole line goes to a worker."""
        try:
            heard = caller.hear(self._ear)
        except OSError as error:
            log.debug("A caller was lost", error=str(error))
            self._dismiss(caller, None)
            return
        if isinstance(heard, Problem) or (heard is None and caller.ended):
            self._dismiss(caller, heard)
        elif heard is not None:
            self._let_go(caller)
            caller.asks = True
            self._do(partial(self._serve, caller, heard))

    def _let_go(self, caller: Caller) -> None:
        if caller in self._speaking:
            self._speaking.remove(caller)
            self._selector.unregister(caller.channel)

    def _dismiss(self, caller: Caller, why: Problem | None) -> None:
        """End it, with a word if there is one to say and it takes it at once."""
        self._let_go(caller)
        if why is not None:
            with suppress(OSError):
                caller.channel.setblocking(False)
                caller.channel.send(answer(None, why))
        self._end(caller)

    # -- the workers

    def _do(self, job: Callable[[], None]) -> None:
        """Have it done, in the order in which they come. A job does not raise."""
        with self._hand:
            self._jobs.append(job)
            if self._coming >= len(self._jobs):
                return
            if self._bells:
                self._bells.pop().notify()
                self._coming += 1
                return
            if self._workers == WORKERS:
                return
            self._workers += 1
            self._coming += 1
        try:
            Thread(target=self._come, name="request", daemon=True).start()
        except RuntimeError:  # TasksMax, or the like
            log.warning("No more threads: requests wait for one another")
            with self._hand:
                self._workers -= 1
                self._coming -= 1
                if self._workers:
                    return
                self._workers = 1
            self._work(0.0)

    def _come(self) -> None:
        with self._hand:
            self._coming -= 1
        self._work(REST_SECONDS)

    def _work(self, rest: float) -> None:
        """Do what there is to do. rest: seconds to wait for more."""
        while (job := self._next(rest)) is not None:
            job()

    def _next(self, rest: float) -> Callable[[], None] | None:
        with self._hand:
            self._rest(time.monotonic() + rest)
            if self._jobs:
                return self._jobs.popleft()
            self._workers -= 1
            return None

    def _rest(self, until: float) -> None:
        """With the hand on it: wait for a job. Who came last is called first, so that those who are not needed rest until they may go; one
        bell for all calls them in turn, and none of those whom a burst once needed would ever go, each with its stack and its free memory.
        """
        while not self._jobs and not self._closing and (left := until - time.monotonic()) > 0:
            self._bells.append(bell := Condition(self._lock))
            bell.wait(left)
            if bell in self._bells:  # not called
                self._bells.remove(bell)
            else:
                self._coming -= 1

    def _serve(self, caller: Caller, line: bytes) -> None:
        """Answer a line, or let its caller wait for who asked for the same before.

        The question of a caller that hung up costs nothing. What somebody asked to be done is done, whether they wait for it or not.
        """
        read = parse(line)
        if isinstance(read, Misread):
            self._reply(caller, read.id, answer(read.id, read.problem))
            return
        if ACTIONS[read.action].question and caller.gone:
            log.debug("A caller hung up before its turn", action=read.action)
            self._end(caller)
            return
        same = ACTIONS[read.action].same(read.asked)
        if same is None:
            self._answer(caller, read)
            return
        key = (read.action, same)
        with self._hand:
            flight = self._flights.get(key)
            if flight is None:
                self._flights[key] = []
            elif self._together < MOST_TOGETHER:
                flight.append((caller, read.id))
                self._together += 1
                self._room_was_made()
                return
        if flight is not None:
            problem = Problem("busy", f"{MOST_TOGETHER} callers wait for the same already", "try again in a moment")
            self._reply(caller, read.id, answer(read.id, problem))
            return
        outcome = self._perform(read) or {}
        with self._hand:
            others = self._flights.pop(key)
            self._together -= len(others)
        for other, given in others:
            self._do(partial(self._reply, other, given, answer(given, outcome)))
        self._reply(caller, read.id, answer(read.id, outcome))

    def _answer(self, caller: Caller, request: Request) -> None:
        """Do what one caller asked for, and tell it."""
        outcome = self._perform(request, caller)
        if outcome is None:
            log.debug("A caller hung up while it was served", action=request.action)
            self._end(caller)
        else:
            self._reply(caller, request.id, answer(request.id, outcome))

    def _perform(self, request: Request, caller: Caller | None = None) -> Json | Problem | None:
        """Return what comes of it, as far as it fits into an answer; None where the one caller that wanted it has hung up."""
        try:
            data = perform(self._service(), request)
            return None if caller is not None and caller.gone else bounded(request, data)
        except Refused as refused:
            return refused.problem
        except Exception as error:
            log.exception("A request failed", action=request.action)  # a bug in one action must not take the daemon down
            return Problem("daemon", f"an error inside Ethos: {type(error).__name__}", "its log has the details; please report them")

    def _reply(self, caller: Caller, given: Id | None, answered: bytes) -> None:
        """Send it; then the caller goes on where it sent an id and has not had enough."""
        try:
            caller.say(answered)
        except OSError as error:  # it is gone, or does not take its answer
            log.debug("A caller was lost", error=str(error))
            self._end(caller)
            return
        if given is None or not caller.goes_on:
            self._end(caller)
            return
        line = caller.line()
        if isinstance(line, Problem):
            self._dismiss(caller, line)
        elif line is not None:
            with self._hand:  # nobody is called for it: who did this is about to look what is next
                self._jobs.append(partial(self._serve, caller, line))
        else:
            self._give_back(caller)

    def _give_back(self, caller: Caller) -> None:
        with self._hand:
            if not self._closing:
                caller.asks = False
                self._back.append(caller)
                os.eventfd_write(self._wake, 1)
                self._hand.notify_all()
                return
        self._end(caller)


def _dawdles(caller: Caller, now: float) -> bool:
    """It has been silent since its answer, or is slow with its line."""
    return caller.silent or now - caller.since >= SLOW_SECONDS
