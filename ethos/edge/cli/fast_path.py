"""Hot commands: `status`, `recall` and `capture` through a running daemon, at little more than the cost of starting Python.

Agents call them at every turn. Anything unusual (an unknown option, no daemon, a configuration that needs a parser) is left to
`edge/cli/main.py`.
"""

from __future__ import annotations

import os
import sys

from ethos.edge.client import socket_client
from ethos.edge.config import paths as places
from ethos.edge.files.spelling import spelled
from ethos.edge.render import report

Given = dict[str, str]

# command -> options with a value, and those without; a subset of what edge/cli/commands declares
OPTIONS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "status": (frozenset({"--config"}), frozenset({"--json", "--quiet"})),
    "recall": (
        frozenset({"--config", "--limit", "--project", "--as-of", "--session", "--max-tokens"}),
        frozenset({"--json", "--faded", "--facts", "--quiet"}),
    ),
    "capture": (frozenset({"--config", "--format"}), frozenset({"--json", "--live", "--quiet"})),
    "mcp": (frozenset({"--config", "--http"}), frozenset()),
    "run": (frozenset({"--config"}), frozenset({"--quiet", "--verbose"})),  # not hot, but typer should not stay in the daemon's memory
}
_LONG = {"-q": "--quiet", "-v": "--verbose"}
_LONGEST_REQUEST = 60_000  # bytes; the daemon takes 64 KiB


def run(command: str, arguments: list[str]) -> int | str:
    """Return the exit code of a hot command that a daemon answered; else the socket at which none listens, "" where none was asked."""
    parsed = parse(command, arguments)
    if parsed is None:
        return ""
    words, given = parsed
    request = request_of(command, words, given)
    if request is None or len(repr(request)) > _LONGEST_REQUEST:
        return ""
    socket = places.quick_socket(given.get("--config"), os.environ, os.getcwd())
    envelope = socket_client.ask(socket, request) if socket else None
    return socket or "" if envelope is None else show(command, envelope, given)


def parse(command: str, arguments: list[str]) -> tuple[list[str], Given] | None:
    """Return words and options; None if there is an unknown option."""
    valued, flags = OPTIONS[command]
    words: list[str] = []
    given: Given = {}
    left = iter(arguments)
    for argument in left:
        name, divided, value = _LONG.get(argument, argument).partition("=")
        if argument == "--":
            words += left
        elif name in valued:
            value = value if divided else next(left, "")
            if not value:
                return None
            given[name] = value
        elif name in flags and not divided:
            given[name] = "yes"
        elif argument.startswith("-"):
            return None
        else:
            words.append(argument)
    return words, given


def request_of(command: str, words: list[str], given: Given) -> dict[str, object] | None:
    """Return the request for the daemon; None if the full command line should report an error."""
    if command == "status":
        return None if words else {"action": "status"}
    if not words or not all(words):
        return None
    if command == "capture":
        paths = [spelled(os.path.abspath(os.path.expanduser(word))) for word in words]
        request: dict[str, object] = {"action": "capture", "paths": paths, "live": "--live" in given}
        return request | ({"format": given["--format"]} if "--format" in given else {})
    if not all(given[name].isascii() and given[name].isdigit() for name in ("--limit", "--max-tokens") if name in given):
        return None
    if "--as-of" in given and not (given["--as-of"][:4].isdigit() and given["--as-of"][4:5] == "-"):
        return None  # `yesterday` and `3 days ago` need a clock, `soon` needs an error
    request = {"action": "recall", "query": " ".join(words), "session": given.get("--session") or session(), "faded": "--faded" in given}
    request |= {"cwd": os.getcwd(), "facts": "--facts" in given}
    request |= {"limit": int(given["--limit"])} if "--limit" in given else {}
    request |= {"max_tokens": int(given["--max-tokens"])} if "--max-tokens" in given else {}
    return request | {name[2:].replace("-", "_"): given[name] for name in ("--project", "--as-of") if name in given}


def session() -> str:
    """Return the session if none is given: the login terminal. A retrieval counts once in a session (docs/requirements.md, Settled)."""
    return f"terminal-{os.getsid(0)}"


def show(command: str, envelope: socket_client.Envelope, given: Given) -> int:
    """Print the answer and return the exit code."""
    wants_json = "--json" in given
    if envelope["status"] != "ok":
        return report.failed(envelope["error"], json_wanted=wants_json, command=command)
    data = envelope["data"]
    if not isinstance(data, dict):
        return report.failed("the answer is not one of Ethos", json_wanted=wants_json)
    return print_answer(command, data, wants_json=wants_json, quiet="--quiet" in given)


def print_answer(command: str, data: report.Json, *, wants_json: bool, quiet: bool) -> int:
    """Print the answer of a hot command as text or JSON and return the exit code. A quiet capture prints problems only."""
    code = report.capture_code(data) if command == "capture" else report.DONE
    if wants_json:
        print(report.as_json(data), file=sys.stdout)
    elif not quiet or command == "recall" or code:
        lines = {"status": report.status, "recall": report.recalled, "capture": report.captured}[command](data)
        print("\n".join(lines), file=sys.stdout)
    return code
