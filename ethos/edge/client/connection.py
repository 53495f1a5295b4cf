"""The door of a command: a request goes to the running daemon, else it is done here, by the same `wire.perform`.

What the store needs is only imported when it is done here; through a daemon a command costs a tenth of that.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Self, cast

from ethos.core.model.errors import Code, Problem, Refused, refuse
from ethos.edge.client import socket_client
from ethos.edge.config import loading
from ethos.edge.files import locks

if TYPE_CHECKING:
    from ethos.edge.api.actions import Service
    from ethos.edge.rulebook import Rulebook

Json = dict[str, Any]


class Door:
    """Where a command asks. Reads the configuration at once; raises `Refused` for what is wrong with it."""

    def __init__(self, explicit: Path | None) -> None:
        self.loaded = loading.load(explicit)
        self.settings = self.loaded.settings
        self.watch: Callable[[object], None] | None = None  # sees each item that a capture in this process reads
        self.stdin = standard_input()
        self.next_unit: Callable[[], None] | None = None  # is called before each unit of a cycle in this process

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if "service" in self.__dict__:
            self.service.ethos.close()

    @property
    def state(self) -> Path:
        """The state folder."""
        return Path(self.settings.ethos.state)

    def ask(self, action: str, **asked: object) -> Json:
        """The data of an answer. Arguments that are None are left out. Raises Refused."""
        given = {name: value for name, value in asked.items() if value is not None}
        envelope = socket_client.ask(self.settings.socket.path, {"action": action, **given})
        if envelope is None:
            self.refuse_if_deaf()
            return self.here(action, given)
        try:
            return self._whole({"action": action, **given}, data_of(envelope))
        except Refused as refused:
            done = action in socket_client.LONG and not given.get("dry_run")  # not to be done twice
            if refused.problem.code != "too-large" or done:
                raise
            return self.here(action, given)

    def _whole(self, request: Json, data: Json) -> Json:
        """Return the answer with all its parts: ask on while it holds a cursor. Raises Refused."""
        while cursor := data.pop("next", ""):
            envelope = socket_client.ask(self.settings.socket.path, {**request, "cursor": cursor})
            if envelope is None:
                raise refuse("daemon", "the daemon ended in the middle of an answer", hint="try again")
            name, more = cursor.partition(":")[0], data_of(envelope)
            data[name] += more[name]
            data |= {"next": more["next"]} if "next" in more else {}
        return data

    def here(self, action: str, given: Mapping[str, object]) -> Json:
        """The same, in this process."""
        from ethos.edge.api import wire  # noqa: PLC0415 (see above)
        from ethos.edge.api.actions import ACTIONS  # noqa: PLC0415
        from ethos.edge.api.arguments import take  # noqa: PLC0415

        return wire.perform(self.service, wire.Request(action, take(action, ACTIONS[action].takes, given)))

    def settle(self) -> int:
        """Apply what was ticked in the review file; how many answers changed something. A pass that runs just now will do it."""
        try:
            return int(self.ask("settle")["applied"])
        except Refused as refused:
            if refused.problem.code != "busy":
                raise
            return 0

    def listens(self, *, seconds: float = socket_client.ALIVE_SECONDS) -> bool:
        """Return whether a daemon listens. Raises Refused where it does not answer in time."""
        envelope = socket_client.ask(self.settings.socket.path, {"action": "help"}, seconds=seconds)
        return envelope is not None and bool(data_of(envelope))

    def refuse_if_deaf(self) -> None:
        """A daemon that works on this memory and cannot be asked is a fault, not a reason to work beside it. Raises Refused."""
        holder = locks.holder(self.state, locks.DAEMON)
        if holder is None:
            return
        whose = f" (process {holder})" if holder else ""
        hint = "it may just be starting: try again; else restart it, or compare `ethos doctor` here with the daemon's own configuration"
        raise refuse("daemon", f"a daemon works on this memory{whose}, but nothing answers", hint=hint, where=self.settings.socket.path)

    @cached_property
    def rulebook(self) -> Rulebook:
        """The rules in force."""
        from ethos.edge import wiring  # noqa: PLC0415 (see above)

        return wiring.rules(self.settings)

    @cached_property
    def service(self) -> Service:
        """The memory, opened in this process."""
        from ethos.edge import wiring  # noqa: PLC0415 (see above)
        from ethos.edge.api.actions import Directly, Service  # noqa: PLC0415

        ethos = wiring.build(self.settings, lambda: self.rulebook)
        service = Service(ethos, lambda: self.rulebook, Directly(ethos, self.next_unit), stdin=self.stdin)
        return service if self.watch is None else replace(service, watch=self.watch)


def standard_input() -> BinaryIO:
    """Bytes of standard input; none where it is closed."""
    return BytesIO() if sys.stdin is None else sys.stdin.buffer


def data_of(envelope: Mapping[str, object]) -> Json:
    """What an envelope holds. Raises the problem in it as `Refused`."""
    error, data = envelope.get("error"), envelope.get("data")
    if envelope["status"] == "ok" and isinstance(data, dict):
        return data
    told = error if isinstance(error, dict) else {"code": "daemon", "message": str(error or "the answer is not one of Ethos")}
    words = {name: str(told.get(name) or "") for name in ("message", "hint", "where")}
    raise Refused(Problem(cast("Code", told.get("code") or "daemon"), words["message"], words["hint"], words["where"]))
