"""The Unix socket server of the daemon (E-27).

One thread accepts and reads all connections (`event_loop`). Each whole line is answered in a worker thread (`worker_pool`), so a slow
peer takes no thread. Equal requests that may share an answer run once (`single_flight`); the others wait without a thread.
Shut down in two steps: `close` accepts nothing new and closes connections without a request, `drain` waits for requests in progress.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from functools import partial

from ethos.core.model.errors import Problem, Refused
from ethos.core.model.settings import SocketSettings
from ethos.edge.api.actions import ACTIONS, Service
from ethos.edge.api.wire import Id, Misread, Request, answer, parse, perform
from ethos.edge.config import logs
from ethos.edge.jsonio.shapes import Json
from ethos.edge.server import single_flight
from ethos.edge.server.bounds import bounded
from ethos.edge.server.caller import Caller
from ethos.edge.server.event_loop import EventLoop
from ethos.edge.server.single_flight import Role, SingleFlight
from ethos.edge.server.worker_pool import WorkerPool

log = logs.get()


class SocketServer:
    """Serve a listening socket. service: called anew for every connection and request, because a reload replaces it."""

    def __init__(self, listener: socket.socket, service: Callable[[], Service]) -> None:
        self._service = service
        self._flights = SingleFlight()
        self._pool = WorkerPool()
        self._loop = EventLoop(listener, self._settings, on_line=self._submit, followers=lambda: self._flights.followers)

    def start(self) -> None:
        """Accept connections from now on."""
        self._loop.start()

    def listen_on(self, listener: socket.socket) -> None:
        """Accept connections on this listener from now on, and close the one before."""
        self._loop.listen_on(listener)

    @property
    def waiting(self) -> int:
        """Return how many connections wait for an answer."""
        return self._loop.asking

    def close(self) -> None:
        """Accept no more connections, and close those that have no request in progress."""
        self._loop.close()
        self._pool.close()

    def drain(self, seconds: float) -> int:
        """Wait up to `seconds` for requests in progress; return how many are left."""
        return self._loop.drain(seconds)

    def _settings(self) -> SocketSettings:
        return self._service().ethos.settings.socket

    def _submit(self, caller: Caller, line: bytes) -> None:
        self._pool.submit(partial(self._serve, caller, line))

    # -- in a worker

    def _serve(self, caller: Caller, line: bytes) -> None:
        """Answer a line, or leave its connection to an equal request that already runs.

        A question from a connection that hung up is not computed. A request that changes the memory is carried out all the same.
        """
        request = parse(line)
        if isinstance(request, Misread):
            self._reply(caller, request.id, answer(request.id, request.problem))
            return
        if ACTIONS[request.action].question and caller.hung_up:
            log.debug("A caller hung up before its request was served", action=request.action)
            self._loop.end(caller)
            return
        same = ACTIONS[request.action].same(request.asked)
        if same is None:
            self._answer(caller, request)
            return
        key = (request.action, same)
        role = self._flights.join(key, caller, request.id)
        if role is Role.FOLLOWER:
            self._loop.room_made()
        elif role is Role.REFUSED:
            what = f"{single_flight.MOST_FOLLOWERS} callers already wait for the same answer"
            self._reply(caller, request.id, answer(request.id, Problem("busy", what, "try again in a moment")))
        else:
            outcome = self._perform(request) or {}
            for follower, id_ in self._flights.finish(key):
                self._pool.submit(partial(self._reply, follower, id_, answer(id_, outcome)))
            self._reply(caller, request.id, answer(request.id, outcome))

    def _answer(self, caller: Caller, request: Request) -> None:
        """Perform a request and reply to its connection."""
        outcome = self._perform(request, caller)
        if outcome is None:
            log.debug("A caller hung up while it was served", action=request.action)
            self._loop.end(caller)
        else:
            self._reply(caller, request.id, answer(request.id, outcome))

    def _perform(self, request: Request, caller: Caller | None = None) -> Json | Problem | None:
        """Return the result, cut to fit into an answer. caller: the only one that wants it; if it has hung up, return None."""
        try:
            data = perform(self._service(), request)
            return None if caller is not None and caller.hung_up else bounded(request, data)
        except Refused as refused:
            return refused.problem
        except Exception as error:
            log.exception("A request failed", action=request.action)  # a bug in one action must not take the daemon down
            return Problem("daemon", f"an error inside Ethos: {type(error).__name__}", "its log has the details; please report them")

    def _reply(self, caller: Caller, id_: Id | None, data: bytes) -> None:
        """Send an answer, then go on with the connection's next line if its request had an id and its quota is not used up."""
        try:
            caller.send(data)
        except OSError as error:  # the peer is gone, or does not read its answer
            log.debug("A connection was lost", error=str(error))
            self._loop.end(caller)
            return
        if id_ is None or not caller.may_ask_again:
            self._loop.end(caller)
            return
        line = caller.line()
        if isinstance(line, Problem):
            self._loop.dismiss(caller, line)
        elif line is not None:
            self._pool.submit_from_worker(partial(self._serve, caller, line))
        else:
            self._loop.give_back(caller)
