"""The bridge from MCP to the memory: through the daemon's socket where one runs, else in this process."""

from __future__ import annotations

from collections.abc import Mapping
from threading import Lock

from ethos.edge.client.connection import Connection
from ethos.edge.jsonio.shapes import Json


class Bridge:
    """Ask for actions, one at a time."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._one = Lock()

    def ask(self, action: str, given: Mapping[str, object]) -> Json:
        """Return the data of an answer. Raises Refused."""
        with self._one:
            return self._connection.ask(action, **given)
