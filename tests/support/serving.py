"""A memory behind a real socket, served by threads of the test's own process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ethos.app import Ethos
from ethos.edge.api.actions import Runs, Service
from ethos.edge.rulebook import Rulebook
from ethos.edge.server.listener import Listener
from ethos.edge.server.loop import Loop
from ethos.edge.server.run_lock import RunLock
from ethos.edge.server.socket_server import SocketServer
from tests.support.daemons import PATIENCE


@contextmanager
def serving(ethos: Ethos, path: Path, runs: Runs | None = None) -> Iterator[SocketServer]:
    """Serve a memory on a socket at this path for the block. runs: what runs a cycle; the loop of the daemon, unless given."""
    loop = runs or Loop(ethos, RunLock(ethos.settings.socket.wait_seconds), since_start=lambda: 0.0)
    service = Service(ethos, Rulebook(ethos.rules, (), ()), loop, by="socket")
    with Listener(path) as listener:
        server = SocketServer(listener, lambda: service)
        server.start()
        try:
            yield server
        finally:
            server.close()
            assert server.drain(PATIENCE) == 0
