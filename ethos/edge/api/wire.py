"""The wire: one JSON object a line, in and out (E-27, E-28; docs/requirements.md, Settled). Nothing here knows what a socket is.

`parse` reads a line, `perform` does the action, `answer` writes the envelope. The daemon and a command without a daemon use the same
three, so that both answer alike.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ethos.core.model.errors import Problem, Refused, refuse
from ethos.edge.api.actions import ACTIONS, Entrance, Service
from ethos.edge.api.arguments import take
from ethos.edge.api.results import json_of
from ethos.edge.capture.transcripts.lines import mend, refuse_constant
from ethos.edge.jsonio.shapes import NAMES, Json

Id = str | int


@dataclass(frozen=True, slots=True)
class Request:
    """A request that was understood. `asked` is an instance of its action's dataclass; id is None where none was sent.

    cursor: how much of the answer's list was told before.
    """

    action: str
    asked: Any
    id: Id | None = None
    cursor: int = 0


def perform(service: Service, request: Request) -> Json:
    """Do what is asked, and return the result as JSON. Raises Refused."""
    return json_of(ACTIONS[request.action].does(service, request.asked))


# -- reading a line


class Misread(NamedTuple):
    """A line that is no request, and why; with its id, if that much could be read."""

    problem: Problem
    id: Id | None = None


def parse(line: bytes) -> Request | Misread:
    """Return the request in a line. Never raises, whatever the line holds."""
    try:
        record = mend(_DECODER.decode(line.decode("utf-8")))
    except UnicodeDecodeError as error:
        return Misread(Problem("usage", f"not UTF-8 at byte {error.start}", _EXAMPLE))
    except json.JSONDecodeError as error:
        return Misread(Problem("usage", f"not JSON: {error.msg} (column {error.colno})", _EXAMPLE))
    except (ValueError, RecursionError) as error:
        what = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        return Misread(Problem("usage", f"not a request: {what}", _EXAMPLE))
    if not isinstance(record, dict):
        return Misread(Problem("usage", f"a request is an object, found {NAMES[type(record)]}", _EXAMPLE))
    return _request(record)


def _request(record: Json) -> Request | Misread:
    given = record.pop("id", None)
    if not (given is None or (isinstance(given, Id) and not isinstance(given, bool))):
        return Misread(Problem("usage", f'"id" must be text or a whole number, found {NAMES[type(given)]}', "it comes back in the answer"))
    action = record.pop("action", None)
    if not isinstance(action, str) or action not in ACTIONS:
        what = f'no action is called "{action[:80]}"' if isinstance(action, str) else '"action" is missing, or not text'
        return Misread(Problem("usage", what, "one of " + ", ".join(ACTIONS)), given)
    try:
        cursor = _cursor(ACTIONS[action], record)
        return Request(action, take(action, ACTIONS[action].takes, record), given, cursor)
    except Refused as refused:
        return Misread(refused.problem, given)


def _cursor(entrance: Entrance, record: Json) -> int:
    """Take the cursor out of a question and return how far it reaches. Raises Refused."""
    if not entrance.pages or "cursor" not in record:
        return 0
    cursor = record.pop("cursor")
    name, _, reached = cursor.partition(":") if isinstance(cursor, str) else ("", "", "")
    if name != entrance.list_name or not (reached.isascii() and reached.isdigit() and len(reached) < 10):
        raise refuse("usage", '"cursor" does not come from an answer', hint='send the "next" of the last answer with the same question')
    return int(reached)


def _once(pairs: Sequence[tuple[str, object]]) -> Json:
    """Return a JSON object; refuse one with the same key twice."""
    record = dict(pairs)
    if len(record) < len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]  # None: it was new
        raise ValueError(f'the key "{twice[:80]}" stands there twice')
    return record


_DECODER = json.JSONDecoder(object_pairs_hook=_once, parse_constant=refuse_constant)
_EXAMPLE = 'send one line like {"action": "status"}'


# -- writing an answer


def answer(given: Id | None, outcome: Json | Problem) -> bytes:
    """Return the envelope, with its newline: ASCII alone, so that what somebody else wrote does nothing to a terminal."""
    envelope: Json = {} if given is None else {"id": given}
    if isinstance(outcome, Problem):
        message = f"{outcome.where}: {outcome.what}" if outcome.where else outcome.what
        envelope |= {"status": "error", "error": {"code": outcome.code, "message": message, "hint": outcome.hint}}
    else:
        envelope |= {"status": "ok", "data": outcome}
    return json.dumps(envelope, allow_nan=False).encode("ascii") + b"\n"
