"""Calls through the socket of a running daemon."""

from __future__ import annotations

from collections.abc import Mapping

from ethos.core.model.errors import Refused, refuse
from ethos.edge.client import socket_client
from ethos.edge.client.answers import Json, Received, data_of


class Unavailable(Exception):
    """No daemon listens at the socket."""


class TooLarge(Exception):
    """The daemon cannot send the answer to a question, because it is too long."""


class Remote:
    """The memory of the daemon behind this socket."""

    def __init__(self, path: str) -> None:
        self.path = path

    def call(self, action: str, arguments: Mapping[str, object]) -> Received:
        """Have the daemon do it. Raises Unavailable, TooLarge, and Refused for what the daemon says is wrong."""
        request = {"action": action, **arguments}
        envelope = socket_client.ask(self.path, request)
        if envelope is None:
            raise Unavailable
        try:
            return Received(action, self._whole(request, data_of(envelope)))
        except Refused as refused:
            changes = action in socket_client.LONG and not arguments.get("dry_run")  # it is done, and must not be done twice
            if refused.problem.code != "too-large" or changes:
                raise
            raise TooLarge from refused

    def _whole(self, request: Json, data: Json) -> Json:
        """Return the answer with all its parts: ask on while it holds a cursor. Raises Refused."""
        while cursor := data.pop("next", ""):
            envelope = socket_client.ask(self.path, {**request, "cursor": cursor})
            if envelope is None:
                raise refuse("daemon", "the daemon ended in the middle of an answer", hint="try again")
            name, more = cursor.partition(":")[0], data_of(envelope)
            data[name] += more[name]
            data |= {"next": more["next"]} if "next" in more else {}
        return data
