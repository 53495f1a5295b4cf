"""Rebinding: the daemon's socket is made again where it was removed, as a logout removes everything below XDG_RUNTIME_DIR."""

from __future__ import annotations

from pathlib import Path

from ethos.edge.config import logs
from ethos.edge.server.backoff import Trouble
from ethos.edge.server.listener import Listening
from ethos.edge.server.socket_server import Trigger

log = logs.get()


class Rebinding:
    """Looks, whenever it is asked to, whether the socket is still there."""

    def __init__(self, callers: Trigger, own: Listening, path: Path) -> None:
        self._callers = callers
        self._own = own
        self._path = path
        self._trouble = Trouble("The socket")

    def look(self) -> None:
        """Make the socket again where it is missing."""
        if self._trouble.waits:
            return
        with self._trouble.handled():
            if (listener := self._own.renewed()) is not None:
                self._callers.listen_on(listener)
                log.warning("The socket had been removed; it is made again", path=str(self._path))
            self._trouble.gone()
