"""MCP over standard input and output, message by message: both eras of the protocol, bad lines, the order of answers."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from threading import Event, Thread
from typing import Any, cast

import mcp_types as types
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from ethos.core.model.errors import refuse
from ethos.edge.client.mcp.bridge import Bridge
from ethos.edge.client.mcp.library import server_of
from ethos.edge.client.mcp.stdio import LONGEST, Server
from ethos.edge.client.mcp.tool import Ask
from tests.support.daemons import PATIENCE

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


def memory(action: str, _given: Mapping[str, object]) -> Any:
    """A memory that knows little."""
    if action == "facts":
        return {"facts": []}
    if action == "profile":
        return {"markdown": "- uses Postgres"}
    raise refuse("busy", "a pass is running", hint="try again")


def request(id_: object, method: str, **params: object) -> dict[str, object]:
    """A request as a client sends it."""
    return {"jsonrpc": "2.0", "id": id_, "method": method, "params": params}


def answers(*messages: object, ask: Ask = memory) -> list[Any]:
    """Return what a server writes for these messages; bytes are sent as they are."""
    lines = [each if isinstance(each, bytes) else json.dumps(each).encode() for each in messages]
    written = BytesIO()
    Server(ask, BytesIO(b"\n".join(lines) + b"\n"), written).serve()
    return [json.loads(line) for line in written.getvalue().splitlines()]


@contextmanager
def talking(ask: Ask) -> Iterator[tuple[Any, Any]]:
    """A server in a thread: what to write to it, and what to read from it."""
    hears, says = os.pipe()
    reads, writes = os.pipe()
    with open(hears, "rb") as incoming, open(writes, "wb") as outgoing, open(reads, "rb") as read:  # noqa: PTH123 (descriptors)
        thread = Thread(target=Server(ask, incoming, outgoing).serve)
        thread.start()
        with open(says, "wb", buffering=0) as write:  # noqa: PTH123 (a descriptor)
            yield write, read
        thread.join(PATIENCE)
        assert not thread.is_alive()


ASKED: list[tuple[str, dict[str, Any]]] = [
    ("tools/list", {}),
    ("tools/call", {"name": "facts", "arguments": {"limit": 1}}),
    ("tools/call", {"name": "facts", "arguments": {"nope": 1}}),
    ("tools/call", {"name": "recall", "arguments": {"query": "x"}}),
    ("tools/call", {"name": "approve"}),
    ("resources/list", {}),
    ("resources/read", {"uri": "ethos://profile"}),
    ("resources/read", {"uri": "ethos://nowhere"}),
    ("prompts/list", {}),
    ("prompts/get", {"name": "use-memory"}),
    ("prompts/get", {"name": "other"}),
]
TYPES: dict[str, Any] = {
    "tools/list": types.ListToolsResult,
    "tools/call": types.CallToolResult,
    "resources/list": types.ListResourcesResult,
    "resources/read": types.ReadResourceResult,
    "prompts/list": types.ListPromptsResult,
    "prompts/get": types.GetPromptResult,
}


class Memory:
    """A connection to the memory that knows little."""

    def ask(self, action: str, **given: object) -> Any:
        """See `memory`."""
        return memory(action, given)


@pytest.mark.parametrize("modern", [False, True], ids=["handshake", "2026-07-28"])
def test_it_answers_as_a_server_of_the_library(modern: bool) -> None:
    """Method by method the same result, or the same code of an error, in both eras."""

    async def asked() -> list[Any]:
        server = server_of(Bridge(cast("Any", Memory())))
        async with Client(server, mode="2026-07-28" if modern else "legacy") as client:
            found = []
            for method, params in ASKED:
                kind = getattr(types, TYPES[method].__name__.replace("Result", "Request"))
                try:
                    given = kind.model_validate({"method": method, "params": params})
                    result = await client.session.send_request(given, TYPES[method])
                    found.append(result.model_dump(by_alias=True, mode="json", exclude_none=True))
                except MCPError as error:
                    found.append(error.error.code)
            return found

    meta = {"_meta": META} if modern else {}
    ours = answers(*(request(number, method, **params, **meta) for number, (method, params) in enumerate(ASKED)))
    told = {answer["id"]: answer for answer in ours}
    for number, ((method, _), theirs) in enumerate(zip(ASKED, asyncio.run(asked()), strict=True)):
        if isinstance(theirs, int):
            assert told[number]["error"]["code"] == theirs
        else:
            result = TYPES[method].model_validate(told[number]["result"]).model_dump(by_alias=True, mode="json", exclude_none=True)
            assert result == theirs


@pytest.mark.parametrize(
    ("asked", "spoken"), [("2024-11-05", "2024-11-05"), ("2025-11-25", "2025-11-25"), ("1999-01-01", "2025-11-25"), (7, "2025-11-25")]
)
def test_a_handshake_settles_the_version(asked: object, spoken: str) -> None:
    """The one asked for where it is served, else the latest; a client that carries the newer fields may shake hands too."""
    (answer,) = answers(request(1, "initialize", protocolVersion=asked, capabilities={}, clientInfo={}, _meta=META))
    assert answer["result"]["protocolVersion"] == spoken
    assert answer["result"]["serverInfo"]["name"] == "ethos"
    assert set(answer["result"]["capabilities"]) == {"tools", "resources", "prompts"}
    assert answers(request("a", "ping"), {"jsonrpc": "2.0", "method": "notifications/initialized"}) == [
        {"jsonrpc": "2.0", "id": "a", "result": {}}
    ]


def test_without_a_handshake_each_request_says_its_version() -> None:
    """`server/discover` lists those that are served, as does the refusal of another; what is missing is named."""
    unknown = {**META, "io.modelcontextprotocol/protocolVersion": "2031-01-01"}
    wrong = {**META, "io.modelcontextprotocol/protocolVersion": 5}
    bare = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
    found, other, number, missing, gone = answers(
        request(1, "server/discover", _meta=META),
        request(2, "tools/list", _meta=unknown),
        request(3, "tools/list", _meta=wrong),
        request(4, "tools/list", _meta=bare),
        request(5, "ping", _meta=META),  # it ended with the handshake
    )
    assert found["result"]["supportedVersions"] == ["2026-07-28"]
    assert found["result"]["resultType"] == "complete"
    assert found["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "ethos"
    assert other["error"]["code"] == -32022
    assert other["error"]["data"] == {"supported": ["2026-07-28"], "requested": "2031-01-01"}
    assert number["error"]["code"] == missing["error"]["code"] == -32602
    assert "clientCapabilities" in missing["error"]["message"]
    assert gone["error"]["code"] == -32601


@pytest.mark.parametrize(
    ("line", "id_", "code"),
    [
        (b'{"jsonrpc": "2.0", "id": 1, "meth', None, -32700),
        (b"\xff\xfe", None, -32700),
        (b"[" * 100_000, None, -32700),
        (b'{"id": 1, "method": "ping", "x": "' + b"a" * LONGEST + b'"}', None, -32700),
        (b"[]", None, -32600),
        (b'{"id": true, "method": "ping"}', None, -32600),
        (b'{"id": null, "method": "ping"}', None, -32600),
        (b'{"id": 1.5, "method": "ping"}', None, -32600),
        (b'{"id": 1, "method": 5}', 1, -32600),
        (b'{"id": 1, "method": "ping", "params": []}', 1, -32602),
        (b'{"id": 1, "method": "tools/call"}', 1, -32602),
        (b'{"id": 1, "method": "tools/call", "params": {"name": "facts", "arguments": [1]}}', 1, -32602),
        (b'{"id": 1, "method": "logging/setLevel"}', 1, -32601),
        (b'{"id": 1, "method": "resources/read", "params": {"uri": "ethos://inbox"}}', 1, -32603),
    ],
    ids=range(14),
)
def test_a_bad_line_is_answered_and_the_next_one_too(line: bytes, id_: int | None, code: int) -> None:
    """With the code of JSON-RPC, the id where there is one, and a message."""
    bad, good = sorted(answers(line, request("next", "ping")), key=lambda answer: "result" in answer)
    assert (bad["id"], bad["error"]["code"]) == (id_, code)
    assert bad["error"]["message"]
    assert good == {"jsonrpc": "2.0", "id": "next", "result": {}}


def test_what_is_no_request_gets_no_answer() -> None:
    """Notifications, known or not, answers of the client, and empty lines."""
    silent = [{"method": "notifications/other"}, {"method": 5}, {"id": 1, "result": {}}, {"id": 1, "error": {}}, b"", b"  "]
    assert answers(*silent) == []


def test_what_was_asked_before_the_end_is_answered() -> None:
    """In order, as far as it asks the memory."""
    asked = [request(number, "tools/call", name="facts") for number in range(50)]
    assert [answer["id"] for answer in answers(*asked)] == list(range(50))


def test_a_call_that_takes_long_holds_up_nothing_else() -> None:
    """A ping is answered meanwhile; a call that waits behind it and is cancelled is never made, and what runs is not answered then."""
    runs, may_go, asked = Event(), Event(), []

    def slow(action: str, given: Mapping[str, object]) -> Any:
        asked.append(given.get("subject"))
        runs.set()
        assert may_go.wait(PATIENCE)
        return memory(action, given)

    with talking(slow) as (write, read):
        for number, subject in enumerate(("first", "second", "third")):
            write.write(json.dumps(request(number, "tools/call", name="facts", arguments={"subject": subject})).encode() + b"\n")
        assert runs.wait(PATIENCE)
        for number in (0, 1):
            cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}}
            write.write(json.dumps(cancelled).encode() + b"\n")
        write.write(json.dumps(request("alive", "ping")).encode() + b"\n")
        assert json.loads(read.readline())["id"] == "alive"
        may_go.set()
        assert json.loads(read.readline())["id"] == 2
    assert asked == ["first", "third"]


def test_a_bug_is_told_and_reported(capsys: pytest.CaptureFixture[str]) -> None:
    """The client gets an internal error and no more; standard error has the lines to report; the next request is answered."""

    def broken(_action: str, _given: Mapping[str, object]) -> Any:
        raise KeyError("secret")

    told, good = sorted(
        answers(request(1, "tools/call", name="facts"), request(2, "ping"), ask=broken), key=lambda answer: int(answer["id"])
    )
    assert told["error"] == {"code": -32603, "message": "an error inside Ethos: KeyError"}
    assert good["result"] == {}
    assert "secret" in capsys.readouterr().err


def test_text_of_any_kind_stands_on_one_line() -> None:
    """Line ends, other scripts and halves of surrogate pairs come through."""
    text = "one\ntwo\u2028three 日本 \ud83d"

    def told(_action: str, _given: Mapping[str, object]) -> Any:
        return {"markdown": text}

    (answer,) = answers(request(1, "resources/read", uri="ethos://profile"), ask=told)
    assert text in answer["result"]["contents"][0]["text"]
