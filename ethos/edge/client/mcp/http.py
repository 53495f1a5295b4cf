"""Serve HTTP on loopback or on a Unix socket: MCP, and three plain routes to the same actions (G-14, L-34).

Off unless somebody starts it with `ethos mcp --http`. Every request needs the token that stands in the state folder, so neither another
account nor a page in a browser gets in.
"""

from __future__ import annotations

import hmac
import json
import os
import re
import secrets
import socket
from collections.abc import Awaitable, Callable, Mapping
from contextlib import closing, suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import uvicorn
from anyio.to_thread import run_sync
from mcp.server.transport_security import TransportSecuritySettings
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from ethos.core.model.errors import Problem, Refused, refuse
from ethos.edge.client.connection import Connection
from ethos.edge.client.mcp.bridge import Bridge
from ethos.edge.client.mcp.library import server_of
from ethos.edge.files import folders
from ethos.edge.jsonio.shapes import Json, problem_data

_TOKEN_FILE = "http-token"  # noqa: S105 (its name)
_LONGEST_BODY = 65_536  # bytes, as on the socket
_STATUS = {"usage": 400, "bad-input": 400, "not-found": 404, "busy": 409, "needs-person": 403, "daemon": 503}  # else 500
_NO_TOKEN = Problem("usage", "the token is missing or wrong", "send Authorization: Bearer, and the token of the state folder")
_UNIX = "unix:"
_TOKEN = re.compile(r"[0-9a-f]{64}")

# path -> its method and the action behind it
_ROUTES: Mapping[str, tuple[str, str]] = {
    "/consolidate": ("POST", "consolidate"),
    "/procedural": ("POST", "procedural"),
    "/memory/consolidation/last_report": ("GET", "report"),
}


def run(config: Path | None, address: str, tell: Callable[[str], None]) -> None:
    """Serve until the process is ended. address: as 127.0.0.1:8003, or unix:/path. tell: hears where, once. Raises Refused."""
    with Connection(config) as connection, closing(_listening(address)) as listener:
        token = _token(connection.state)
        place = address if address.startswith(_UNIX) else "http://{}:{}".format(*listener.getsockname()[:2])
        tell(f"serving at {place}; the token stands in {connection.state / _TOKEN_FILE}")
        app = Guarded(_app(connection, loopback=not address.startswith(_UNIX)), token)
        uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False)).run(sockets=[listener])


def _app(connection: Connection, *, loopback: bool) -> ASGIApp:
    """Return MCP at /mcp with the routes beside it. loopback: a request must name this machine as its host."""
    bridge = Bridge(connection)
    user = connection.settings.ethos.user
    routes = [Route(path, _route(bridge, action, user), methods=[method]) for path, (method, action) in _ROUTES.items()]
    named = [f"{host}:*" for host in ("127.0.0.1", "localhost", "[::1]")]
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=loopback, allowed_hosts=named, allowed_origins=[f"http://{host}" for host in named]
    )
    return server_of(bridge).streamable_http_app(custom_starlette_routes=routes, transport_security=security)


class Guarded:
    """An application that answers 401 to whoever does not have the token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._wanted = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the request through, or not."""
        if scope["type"] == "http" and not hmac.compare_digest(_header(scope, b"authorization"), self._wanted):
            await _refused(_NO_TOKEN, 401)(scope, receive, send)
        else:
            await self._app(scope, receive, send)


def _header(scope: Scope, name: bytes) -> bytes:
    return next((bytes(value) for each, value in scope["headers"] if each == name), b"")


def _route(bridge: Bridge, action: str, user: str) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        try:
            given = await _given(request, user)
            return JSONResponse(await run_sync(bridge.ask, action, given))
        except Refused as refused:
            return _refused(refused.problem, _STATUS.get(refused.problem.code, 500))

    return answer


async def _given(request: Request, user: str) -> Json:
    """Return the arguments of a request: its query, or its body of JSON, without the user, who must be the memory's. Raises Refused."""
    given: Any = dict(request.query_params)
    if request.method == "POST":
        body = b""
        async for piece in request.stream():
            body += piece
            if len(body) > _LONGEST_BODY:
                raise refuse("usage", f"the body has more than {_LONGEST_BODY:,} bytes", hint="send less")
        try:
            given = json.loads(body or b"{}")
        except (ValueError, RecursionError):
            raise refuse("usage", "the body is not JSON", hint='send {} or {"dry_run": true}') from None
    if not isinstance(given, dict):
        raise refuse("usage", "the body is not an object", hint='send {} or {"dry_run": true}')
    if (asked := given.pop("user_id", user)) != user:
        hint = f"{str(asked)[:80]} has another configuration: start `ethos mcp --http` with it"
        raise refuse("not-found", f"this is the memory of {user}", hint=hint)
    return given


def _refused(problem: Problem, status: int) -> Response:
    return JSONResponse({"error": problem_data(problem)}, status_code=status)


def _token(state: Path) -> str:
    """Return the token, made at the first use, and anew where its file was cut short: on a full disk, say. Raises OSError."""
    path = state / _TOKEN_FILE
    folders.make(state)
    while not _TOKEN.fullmatch(token := path.read_text("ascii", "replace").strip() if path.is_file() else ""):
        path.unlink(missing_ok=True)
        with suppress(FileExistsError):
            folders.create(path, f"{secrets.token_hex(32)}\n".encode())
    return token


def _listening(address: str) -> socket.socket:
    """Return a socket that listens there, for this account or this machine alone. Raises Refused."""
    try:
        return _unix(Path(address.removeprefix(_UNIX))) if address.startswith(_UNIX) else _loopback(address)
    except OSError as error:
        raise refuse("usage", f"cannot listen at {address}: {error.strerror}", hint="name another address", where=address) from error


def _loopback(address: str) -> socket.socket:
    host, _, port = address.rpartition(":")
    host = host.strip("[]")
    try:
        if not (ip_address(host).is_loopback and 0 <= int(port) < 65_536):
            raise ValueError(host)
    except ValueError:
        raise refuse("usage", f"not an address of this machine alone: {address}", hint="such as 127.0.0.1:8003, or unix:/path") from None
    return socket.create_server((host, int(port)), family=socket.AF_INET6 if ":" in host else socket.AF_INET)


def _unix(path: Path) -> socket.socket:
    """Return a socket at this path, mode 0600; one that nobody listens at any more is replaced."""
    listener = socket.socket(socket.AF_UNIX)
    if path.is_socket():
        with closing(socket.socket(socket.AF_UNIX)) as probe:
            if probe.connect_ex(str(path)) == 0:
                raise OSError(98, "somebody listens there already")
        path.unlink()
    before = os.umask(0o177)
    try:
        listener.bind(str(path))
    finally:
        os.umask(before)
    listener.listen()
    return listener
