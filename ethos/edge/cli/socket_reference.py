"""The reference of the socket: every action with the JSON Schema of its request and of its answer. `docs/socket.md` is written from here.

A request is declared by the dataclass that its action takes, so a new argument there is a new property here. An answer that a command
prints too is declared in `json_answers`, and the page links to it.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from typing import Any

from ethos.app.rule_feedback import Rejected
from ethos.edge.api.actions import ACTIONS
from ethos.edge.api.arguments import meanings
from ethos.edge.cli.json_answers import ANSWERS, CLAIM, DRAFT, ERROR, STANDING, laid_out
from ethos.edge.jsonio.json_schema import EACH, Schema, Shape, schema_of
from ethos.edge.jsonio.schema import declared

_OWN_ANSWERS: Mapping[str, Shape | Any] = {
    "capture": {**ANSWERS["capture"], "since?": dict[str, Any]},
    "sessions": ANSWERS["recall --by session"],
    "narrative": ANSWERS["recall --narrative"],
    "extract": {"episodes": [{"id": str | None, "facts": [CLAIM], "problem?": ERROR}]},
    "inbox": {name: shape for name, shape in ANSWERS["inbox"].items() if name != "hints"},  # a command reads the file for them
    "procedural": {"run": str, "id": str, "facts": list[str], "summaries": int},
    "settle": {"applied": int},
    "rules": ANSWERS["rules check"],
    "standings": {"rules": {EACH: STANDING}},
    "rejected": Rejected,
    "promote": {"question": str, "rule": str, "applied": bool, "standing": STANDING},
    **{name.replace(" ", "_"): shape for name, shape in ANSWERS.items() if name.startswith("memory ")},
    "help": {"actions": [{"action": str, "does": str, "usage": str, "meanings": dict[str, str]}]},
}
"""The answers of actions that no command prints, or that hold more than the command prints."""


def request(action: str) -> Schema:
    """Return the JSON Schema of a request."""
    takes: Any = ACTIONS[action].takes
    said = meanings(takes)
    properties: dict[str, Schema] = {"action": {"const": action}, "id": {"type": ["string", "integer"]}}
    for field in fields(takes):
        meaning = {"description": said[field.name]} if field.name in said else {}
        properties[field.name] = {**schema_of(declared(takes)[field.name], {}), **meaning, **_default(field)}
    if ACTIONS[action].pages:
        properties["cursor"] = {"type": "string", "description": 'the "next" of the answer before'}
    needed = ["action", *(field.name for field in fields(takes) if field.default is MISSING)]
    return {"type": "object", "properties": properties, "required": needed, "additionalProperties": False}


def _default(field: Field[Any]) -> Schema:
    """Return what an argument is when it is left out; nothing for those that must be given or are simply absent."""
    return {} if field.default is MISSING or field.default is None else {"default": field.default}


def answer(action: str) -> Schema:
    """Return the JSON Schema of the data in an answer."""
    records: dict[str, Schema] = {}
    shape = schema_of(_OWN_ANSWERS[action] if action in _OWN_ANSWERS else ANSWERS[action], records)
    if "$ref" in shape:
        shape = records.pop(shape["$ref"].rpartition("/")[2])
    if ACTIONS[action].pages:
        shape = {**shape, "properties": {**shape["properties"], "next": {"type": "string"}}}
    elif ACTIONS[action].list_name:
        shape = {**shape, "properties": {**shape["properties"], "left_out": {"type": "integer"}}}
    return {"$schema": DRAFT, **shape, **({"$defs": records} if records else {})}


def page() -> str:
    """Return docs/socket.md."""
    return "\n".join([_HEAD.format(actions=_table()), *(_section(action) for action in ACTIONS)])


def _table() -> str:
    """Return the actions as rows of a Markdown table."""
    return "\n".join(f"| [`{name}`](#{name}) | {_does(name)} | {_effect(name)} |" for name in ACTIONS)


def _does(action: str) -> str:
    return " ".join((ACTIONS[action].takes.__doc__ or "").split())


def _effect(action: str) -> str:
    """Return how the answer may be cut, and what becomes of a request whose caller hung up."""
    entrance = ACTIONS[action]
    kind = "reads" if entrance.question else "acts"
    return f"{kind}; `{entrance.list_name}` comes in parts" if entrance.pages else kind


def _section(action: str) -> str:
    """Return the section of one action: its request, then its answer or a link to it."""
    told = f"## {action}\n\n{_does(action)}\n\n```json\n{laid_out(request(action))}\n```\n"
    if action in _OWN_ANSWERS:
        return f"{told}\nThe data of the answer:\n\n```json\n{laid_out(answer(action))}\n```\n"
    return f"{told}\nThe data of the answer is that of [`ethos {action} --json`](json.md#ethos-{action}).\n"


_HEAD = """# The socket API

Written by `python -m ethos.edge.cli.socket_reference`; a test holds it equal to the program.

The daemon listens on a Unix socket, by default `$XDG_RUNTIME_DIR/ethos.sock`; `ethos status` names it. A request is one line of JSON, and
so is its answer. Only programs of the same account may connect.

```json
{{"action": "recall", "query": "which database", "limit": 3, "id": 7}}
```

```json
{{"id": 7, "status": "ok", "data": {{"hits": []}}}}
```

- An `id` in the request is echoed. With an `id` the connection stays open for more requests; without one it closes after the answer.
- A request that fails gets `{{"status": "error", "error": {{"code", "message", "hint"}}}}`. The hint says what to send instead.
- A request has at most `[socket] max_line_bytes` (64 KiB). An answer has at most 1 MiB and ends with a newline; without it, it was cut off.
- A longer list comes in parts. The data then holds `next`; send the same request with `"cursor"` set to it for the next part. The list of
  an action that changes something is cut instead, and `left_out` counts the rest.
- If a caller hangs up, a request that only reads is dropped; one that acts is carried out.
- Paths are absolute, because the daemon does not know your working folder.

| action | does | |
|---|---|---|
{actions}
"""

if __name__ == "__main__":
    sys.stdout.write(page())
