"""Serve MCP over standard input and output: one JSON-RPC message a line, in both eras of the protocol.

An agent waits for its servers when it starts. The `mcp` library would do all of this, but importing it takes 0.8 s of CPU, seventy times
what Python takes to start; so it serves HTTP alone (`library.py`), and this module speaks for itself. Tests hold both to the same answers.

Up to 2025-11-25 a client opens with `initialize`. From 2026-07-28 on there is no handshake: every request carries the version in `_meta`,
and every result says that it is complete.
"""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from queue import Queue
from threading import Lock, Thread
from typing import Any, BinaryIO

from ethos.core.model.errors import Refused
from ethos.edge.client.connection import Connection
from ethos.edge.client.mcp.bridge import Bridge
from ethos.edge.client.mcp.methods import CAPABILITIES, INSTRUCTIONS, METHODS, SERVER, Params
from ethos.edge.client.mcp.tool import Ask
from ethos.edge.jsonio.shapes import Json

_WITH_HANDSHAKE = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
WITHOUT = ("2026-07-28",)
LONGEST = 4_000_000  # bytes of a message
_MOST_WAITING = 1_000  # requests; then nothing more is read until one is answered
_PREFIX = "io.modelcontextprotocol/"
_VERSION, _CAPABILITIES = f"{_PREFIX}protocolVersion", f"{_PREFIX}clientCapabilities"
_STAMP: Json = {f"{_PREFIX}serverInfo": dict(SERVER)}
_NOT_CACHED: Json = {"ttlMs": 0, "cacheScope": "private"}

Id = str | int


class Code(IntEnum):
    """Codes of errors: those of JSON-RPC, and MCP's own."""

    NOT_JSON = -32700
    NO_REQUEST = -32600
    NO_METHOD = -32601
    BAD_PARAMS = -32602
    BUG = -32603
    OTHER_VERSION = -32022


@dataclass(frozen=True, slots=True)
class Request:
    """A request as it came in. modern: it carries the version, as from 2026-07-28 on."""

    id: Id
    method: str
    params: Params
    modern: bool


class _Error(Exception):
    """A request that cannot be answered; data: what the protocol wants to be told besides."""

    def __init__(self, code: Code, message: str, data: Json | None = None) -> None:
        super().__init__(message)
        self.told: Json = {"code": int(code), "message": message, **({} if data is None else {"data": data})}


def run(config: Path | None) -> None:
    """Serve this process's standard input until it ends. Raises Refused for a bad configuration."""
    outgoing, sys.stdout = sys.stdout.buffer, sys.stderr  # standard output carries the protocol: nothing else may print there
    with Connection(config) as connection:
        Server(Bridge(connection).ask, sys.stdin.buffer, outgoing).serve()


class Server:
    """Answers the messages of one client.

    What asks the memory is done by one thread, one after the other, so that the rest, such as a ping, is answered meanwhile.
    """

    def __init__(self, ask: Ask, incoming: BinaryIO, outgoing: BinaryIO) -> None:
        self._ask = ask
        self._incoming, self._outgoing = incoming, outgoing
        self._one = Lock()  # message is written at a time
        self._queue: Queue[Request | None] = Queue(_MOST_WAITING)
        self._wanted: set[Id] = set()  # answers of the queue that nobody took back

    def serve(self) -> None:
        """Answer until the client sends no more. What it asked before that is done, and answered as long as it listens."""
        worker = Thread(target=self._work)
        worker.start()
        try:
            for line in self._lines():
                self._take(line)
        finally:
            self._queue.put(None)
            worker.join()

    def _lines(self) -> Iterator[bytes]:
        """Yield the messages; of one that is too long its beginning, which is no JSON."""
        while line := self._incoming.readline(LONGEST):
            yield line
            while not line.endswith(b"\n") and (line := self._incoming.readline(LONGEST)):
                pass

    def _take(self, line: bytes) -> None:
        """Answer a message, or put it into the queue. Only requests are answered."""
        id_: Id | None = None
        try:
            message = _decoded(line)
            if message is None:
                return
            id_ = message.get("id") if _is_id(message.get("id")) else None
            if "id" not in message:
                self._hear(message)
            elif "method" in message:  # else the client answers, and nothing was asked
                self._dispatch(_request(message))
        except _Error as error:
            self._send({"id": id_, "error": error.told})

    def _hear(self, notification: Mapping[str, Any]) -> None:
        params = notification.get("params")
        if notification.get("method") == "notifications/cancelled" and isinstance(params, dict) and _is_id(params.get("requestId")):
            self._wanted.discard(params["requestId"])

    def _dispatch(self, request: Request) -> None:
        method = METHODS.get(request.method)
        if method is not None and method.waits:
            self._wanted.add(request.id)
            self._queue.put(request)
        else:
            self._send(self._answer(request))

    def _work(self) -> None:
        while (request := self._queue.get()) is not None:
            if request.id in self._wanted:
                answer = self._answer(request)
                if request.id in self._wanted:
                    self._wanted.discard(request.id)
                    self._send(answer)

    def _answer(self, request: Request) -> Json:
        try:
            return {"id": request.id, "result": self._result(request)}
        except _Error as error:
            return {"id": request.id, "error": error.told}
        except Refused as refused:
            problem = refused.problem
            code = Code.BAD_PARAMS if problem.code in {"usage", "not-found"} else Code.BUG
            return {"id": request.id, "error": _Error(code, f"{problem.what} -> {problem.hint}" if problem.hint else problem.what).told}
        except Exception as error:  # noqa: BLE001 (a bug in one method must not take the agent's memory away; it is printed)
            traceback.print_exception(error, file=sys.stderr)
            return {"id": request.id, "error": _Error(Code.BUG, f"an error inside Ethos: {type(error).__name__}").told}

    def _result(self, request: Request) -> Json:
        if request.modern:
            return {**self._modern(request), "resultType": "complete", "_meta": _STAMP}
        if request.method == "initialize":
            return _handshake(request.params)
        if request.method == "ping":
            return {}
        return self._served(request)

    def _modern(self, request: Request) -> Json:
        if request.method == "server/discover":
            versions: Json = {"supportedVersions": list(WITHOUT), "capabilities": dict(CAPABILITIES), "instructions": INSTRUCTIONS}
            return {**versions, **_NOT_CACHED}
        result = self._served(request)
        return {**result, **_NOT_CACHED} if METHODS[request.method].cacheable else result

    def _served(self, request: Request) -> Json:
        method = METHODS.get(request.method)
        if method is None:
            raise _Error(Code.NO_METHOD, f"no such method: {request.method[:80]}")
        return method.does(self._ask, request.params)

    def _send(self, answer: Json) -> None:
        line = json.dumps({"jsonrpc": "2.0", **answer}, separators=(",", ":")).encode("ascii") + b"\n"
        with self._one:
            try:
                self._outgoing.write(line)
                self._outgoing.flush()
            except BrokenPipeError:
                pass  # the client is gone, and its end of standard input with it


def _decoded(line: bytes) -> Mapping[str, Any] | None:
    """Return the message of a line; None for an empty one."""
    if not line.strip():
        return None
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        raise _Error(Code.NOT_JSON, f"not a line of JSON of at most {LONGEST:,} bytes") from None
    if not isinstance(message, dict):
        raise _Error(Code.NO_REQUEST, "a message is one JSON object")
    return message


def _request(message: Mapping[str, Any]) -> Request:
    """Return the request of a message; its version is one that is served."""
    id_, method, params = message["id"], message["method"], message.get("params")
    if not (_is_id(id_) and isinstance(method, str)):
        raise _Error(Code.NO_REQUEST, "a request has an id, text or a whole number, and the name of a method")
    if params is None:
        params = {}
    if not isinstance(params, dict):
        raise _Error(Code.BAD_PARAMS, "the parameters must be an object")
    meta = params.get("_meta")
    if method == "initialize" or not isinstance(meta, dict) or _VERSION not in meta:
        return Request(id_, method, params, modern=False)
    _check(meta)
    return Request(id_, method, params, modern=True)


def _check(meta: Mapping[str, Any]) -> None:
    """Check what every request carries from 2026-07-28 on."""
    version = meta[_VERSION]
    if not isinstance(version, str) or _CAPABILITIES not in meta:
        raise _Error(Code.BAD_PARAMS, f'"_meta" needs "{_VERSION}", a text, and "{_CAPABILITIES}"')
    if version not in WITHOUT:
        served: Json = {"supported": list(WITHOUT), "requested": version}
        raise _Error(Code.OTHER_VERSION, f"not a version that is served: {version[:80]}", served)


def _handshake(params: Params) -> Json:
    """Return the answer to `initialize`: the version asked for if it is served, else the latest with a handshake."""
    asked = params.get("protocolVersion")
    version = asked if asked in _WITH_HANDSHAKE else _WITH_HANDSHAKE[-1]
    return {"protocolVersion": version, "capabilities": dict(CAPABILITIES), "serverInfo": dict(SERVER), "instructions": INSTRUCTIONS}


def _is_id(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)
