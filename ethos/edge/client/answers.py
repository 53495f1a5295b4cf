"""What comes of a call: a value where this process did it, JSON where the daemon did. Each is made from the other when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from ethos.core.model.errors import Code, Problem, Refused
from ethos.edge.jsonio.objects import Json as Json  # noqa: PLC0414 (readers of answers need it)

if TYPE_CHECKING:
    from ethos.edge.api.actions import Entrance


class Done:
    """The result of an action that was done in this process."""

    def __init__(self, result: Any) -> None:
        self.result = result

    @cached_property
    def data(self) -> Json:
        """Return the result as JSON."""
        from ethos.edge.api.results import json_of  # noqa: PLC0415 (the store's half of the program, which is loaded by now)

        return json_of(self.result)


class Received:
    """The JSON of an action: of one that the daemon did, or one whose fields depend on what was asked."""

    def __init__(self, action: str, data: Json) -> None:
        self._action = action
        self.data = data

    @cached_property
    def result(self) -> Any:
        """Return the result as a value."""
        from ethos.edge.api.actions import ACTIONS  # noqa: PLC0415 (the store's half of the program, which JSON does not need)
        from ethos.edge.api.results import from_json  # noqa: PLC0415

        entrance: Entrance = ACTIONS[self._action]
        return self.data if entrance.gives is dict else from_json(entrance.gives, self.data)


Answer = Done | Received


def answer_of(action: str, result: Any) -> Answer:
    """Return the answer of an action that was done in this process."""
    return Received(action, result) if isinstance(result, dict) else Done(result)


def data_of(envelope: Mapping[str, object]) -> Json:
    """Return the data in an envelope. Raises the problem in it as `Refused`."""
    error, data = envelope.get("error"), envelope.get("data")
    if envelope["status"] == "ok" and isinstance(data, dict):
        return data
    told = error if isinstance(error, dict) else {"code": "daemon", "message": str(error or "the answer is not one of Ethos")}
    words = {name: str(told.get(name) or "") for name in ("message", "hint", "where")}
    raise Refused(Problem(cast("Code", told.get("code") or "daemon"), words["message"], words["hint"], words["where"]))
