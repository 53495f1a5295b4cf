"""`ethos mcp --http`: MCP and the plain doors over HTTP, on loopback and on a Unix socket, for whoever has the token (G-14, L-34)."""

from __future__ import annotations

import asyncio
import http.client
import json
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import pytest
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

from tests.support.commands import TALK, environment, spawn
from tests.support.daemons import PATIENCE


class Door(NamedTuple):
    """A server that listens. place: host and port, or the path of a socket."""

    place: str
    token: str

    def ask(self, method: str, path: str, body: object = None, *, token: str | None = None, **headers: str) -> tuple[int, Any]:
        """Return the status and the JSON of an answer. body: sent as JSON, bytes as they are."""
        connection = http.client.HTTPConnection(self.place if self.place[0] != "/" else "localhost", timeout=PATIENCE)
        if self.place[0] == "/":
            connection.sock = socket.socket(socket.AF_UNIX)
            connection.sock.connect(self.place)
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        given: Mapping[str, str] = {"Authorization": f"Bearer {self.token if token is None else token}", **headers}
        connection.request(method, path, data, dict(given))
        answer = connection.getresponse()
        said = answer.read()
        connection.close()
        return answer.status, json.loads(said) if said.startswith(b"{") else said


@contextmanager
def serving(home: Path, address: str) -> Iterator[Door]:
    """A server in a process of its own; it ends at Ctrl-C."""
    command = [sys.executable, "-m", "ethos", "mcp", "--http", address]
    with subprocess.Popen(command, cwd=home, env=environment(home), stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        said = process.stderr.readline().strip()
        place, _, token_file = said.removeprefix("serving at ").partition("; the token stands in ")
        assert token_file, said + process.stderr.read()
        file = Path(token_file)
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        try:
            yield Door(place.removeprefix("http://").removeprefix("unix:"), file.read_text("ascii").strip())
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(PATIENCE)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a conversation that nobody has read yet."""
    home = tmp_path_factory.mktemp("home")
    (home / "talk.jsonl").write_text(TALK, "utf-8")
    assert spawn(home, "capture", "talk.jsonl").code == 0
    return home


@pytest.fixture(scope="module")
def door(home: Path) -> Iterator[Door]:
    """It listens on loopback."""
    with serving(home, "127.0.0.1:0") as found:
        yield found


def test_g14_l34_the_doors_do_what_the_actions_do(home: Path, door: Door) -> None:
    """A cycle by POST; the report of the last night by GET; each refusal with what to do, and a status that fits."""
    status, refused = door.ask("GET", "/memory/consolidation/last_report")
    assert (status, refused["error"]["code"]) == (404, "not-found")
    status, cycle = door.ask("POST", "/consolidate", {"reason": "over HTTP", "user_id": "default"})
    assert (status, cycle["triggered"], cycle["episodes_scanned"]) == (200, True, 4)
    assert door.ask("POST", "/consolidate")[1]["episodes_scanned"] == 0
    run = spawn(home, "sleep", "--json").data["run"]
    status, report = door.ask("GET", "/memory/consolidation/last_report")
    assert (status, report["run"], report["kind"]) == (200, run, "real")
    assert door.ask("GET", f"/memory/consolidation/last_report?run={run}")[1] == report
    status, drawn = door.ask("POST", "/procedural", {"user_id": "default"})
    assert (status, set(drawn)) == (200, {"run", "id", "facts", "summaries"})


@pytest.mark.parametrize(
    ("body", "status", "what"),
    [
        (b"{", 400, "not JSON"),
        ([1], 400, "not an object"),
        ({"sesion": "s1"}, 400, "takes no"),
        ({"user_id": "somebody else"}, 404, "the memory of default"),
        (b" " * 70_000, 400, "has more than"),
    ],
)
def test_g14_a_mistake_is_told(door: Door, body: object, status: int, what: str) -> None:
    """In the form of the socket's errors, with a hint."""
    found, answer = door.ask("POST", "/consolidate", body)
    assert found == status
    assert what in answer["error"]["message"]
    assert answer["error"]["hint"]


def test_nobody_gets_in_without_the_token(door: Door) -> None:
    """At no path, MCP's included; a page in a browser, which names another host, is kept out of MCP besides."""
    for path in ("/consolidate", "/memory/consolidation/last_report", "/mcp", "/", "/nowhere"):
        for token in ("", "wrong", door.token[:-1]):
            assert door.ask("POST", path, {}, token=token)[0] == 401
    assert door.ask("GET", "/consolidate")[0] == 405
    assert door.ask("POST", "/nowhere", {})[0] == 404
    assert door.ask("POST", "/mcp", {}, Host="evil.example")[0] in {400, 403, 421}


def test_mcp_over_http_has_the_same_tools(door: Door) -> None:
    """A real client over Streamable HTTP: it shakes hands, lists, and calls."""

    async def talk() -> tuple[set[str], Any]:
        headers = {"Authorization": f"Bearer {door.token}"}
        async with (
            httpx2.AsyncClient(headers=headers) as client,
            streamable_http_client(f"http://{door.place}/mcp", http_client=client) as (read, write),
            ClientSession(read, write) as session,
        ):
            await session.initialize()
            tools = {tool.name for tool in (await session.list_tools()).tools}
            return tools, await session.call_tool("recall", {"query": "which database"})

    tools, recalled = asyncio.run(talk())
    assert {"recall", "facts", "remember"} <= tools
    assert "Postgres" in recalled.structured_content["hits"][0]["text"]


def test_a_unix_socket_is_for_its_user_alone(home: Path, tmp_path: Path) -> None:
    """Mode 0600, and the token besides; one that a dead process left is replaced."""
    path = tmp_path / "http.sock"
    for _ in range(2):
        with serving(home, f"unix:{path}") as found:
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
            assert found.ask("POST", "/consolidate", {"dry_run": True})[0] == 200
            assert found.ask("POST", "/consolidate", {}, token="wrong")[0] == 401
            assert spawn(home, "mcp", "--http", f"unix:{path}").code == 2  # somebody listens there already


@pytest.mark.parametrize("left", ["", "0f3a"])
def test_a_token_that_was_cut_short_is_made_anew(tmp_path: Path, left: str) -> None:
    """By a full disk, say: an empty one kept everybody out for good, and a short one is guessed."""
    file = tmp_path / ".local" / "state" / "ethos" / "http-token"
    environment(tmp_path)
    file.write_text(left, "ascii")
    with serving(tmp_path, "127.0.0.1:0") as found:
        assert len(found.token) == 64
        assert found.ask("POST", "/consolidate", {"dry_run": True})[0] == 200
        assert found.ask("POST", "/consolidate", {}, token=left)[0] == 401


@pytest.mark.parametrize("address", ["0.0.0.0:8003", "192.168.1.7:8003", "example.org:80", "8003", "127.0.0.1:http"])
def test_it_listens_to_this_machine_alone(home: Path, address: str) -> None:
    """An address that others could reach is refused."""
    refused = spawn(home, "mcp", "--http", address)
    assert refused.code == 2
    assert "not an address of this machine alone" in refused.err
