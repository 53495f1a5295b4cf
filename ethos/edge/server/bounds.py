"""Limit answers to 1 MiB. A longer list comes in parts: the answer holds a cursor for the next part."""

from __future__ import annotations

import json
from typing import Any

from ethos.core.model.errors import refuse
from ethos.edge.api.actions import ACTIONS
from ethos.edge.api.wire import Request
from ethos.edge.jsonio.shapes import Json

MOST_BYTES = 1_048_576  # of an answer with its envelope
ENVELOPE = 1_024  # bytes reserved for the envelope and the cursor
_LONGEST_TEXT = 10_000  # characters kept of each text in an item that is too long for an answer of its own


def bounded(request: Request, data: Json) -> Json:
    """Return the data as far as it fits into one answer, from the request's cursor on.

    For a question, `next` is the cursor of the rest; for an action, `left_out` counts the rest. Raises Refused if there is no list to
    divide.
    """
    entrance = ACTIONS[request.action]
    items = data.get(entrance.list_name) if entrance.list_name else None
    if isinstance(items, list) and request.cursor:
        items = items[request.cursor :]
        data = {**data, entrance.list_name: items}
    if _size(data) <= MOST_BYTES - ENVELOPE:
        return data
    if not isinstance(items, list):
        what = f"the answer is longer than {MOST_BYTES:,} bytes"
        raise refuse("too-large", what, hint=f"ask for less, or run `ethos {request.action}`, which reads the memory without the daemon")
    room = MOST_BYTES - ENVELOPE - _size({**data, entrance.list_name: []})
    shown = _fitting(items, room)
    part = {**data, entrance.list_name: shown}
    if not entrance.question:
        return {**part, "left_out": len(items) - len(shown)}
    reached = request.cursor + len(shown)
    return {**part, "next": f"{entrance.list_name}:{reached}"} if len(shown) < len(items) else part


def _fitting(items: list[Any], room: int) -> list[Any]:
    """Return as many items as fit, at least one: if need be with its texts shortened. Raises Refused."""
    shown: list[Any] = []
    for item in items:
        room -= _size(item) + 2
        if room < 0:
            break
        shown.append(item)
    if shown:
        return shown
    short = _shortened(items[0])
    if _size(short) > MOST_BYTES - 2 * ENVELOPE:
        raise refuse("too-large", "one record alone is longer than an answer may be", hint="ethos export FILE writes all of it to a file")
    return [short]


def _shortened(value: Any) -> Any:
    """Return the value with long texts cut; each cut is marked."""
    if isinstance(value, str) and len(value) > _LONGEST_TEXT:
        return f"{value[:_LONGEST_TEXT]} ... ({len(value):,} characters in all)"
    if isinstance(value, dict):
        return {name: _shortened(each) for name, each in value.items()}
    return [_shortened(each) for each in value] if isinstance(value, list) else value


def _size(value: Any) -> int:
    return len(json.dumps(value))
