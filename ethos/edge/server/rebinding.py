"""Recreate the daemon's socket after it was removed, as a logout removes everything below XDG_RUNTIME_DIR."""

from __future__ import annotations

from pathlib import Path

from ethos.edge.config import logs
from ethos.edge.server.backoff import Backoff
from ethos.edge.server.listener import Listener
from ethos.edge.server.socket_server import SocketServer

log = logs.get()


class SocketWatch:
    """Check at intervals that the socket still exists."""

    def __init__(self, server: SocketServer, own: Listener, path: Path) -> None:
        self._server = server
        self._own = own
        self._path = path
        self._backoff = Backoff("The socket")

    def look(self) -> None:
        """Recreate the socket if it is missing."""
        if self._backoff.waiting:
            return
        with self._backoff.guard():
            if (listener := self._own.rebind_if_removed()) is not None:
                self._server.listen_on(listener)
                log.warning("The socket had been removed; it is made again", path=str(self._path))
            self._backoff.succeeded()
