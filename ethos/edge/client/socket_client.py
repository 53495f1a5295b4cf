"""The client: all that a command needs to ask a running daemon. It imports next to nothing, not even `json` and `socket`, because hot
commands (`status`, `recall`, `capture`) should cost little more than starting Python; so its errors are envelopes, not `Problem`s.
"""

from __future__ import annotations

import os
import sys
import time
from _socket import AF_UNIX, SO_PEERCRED, SOCK_STREAM, SOL_SOCKET
from _socket import socket as Socket  # noqa: N812 (the class behind socket.socket, without the enums and selectors around it)

from ethos.edge.jsonio import quickjson

_CONNECT_SECONDS = 2.0
HOOK_SECONDS = 2.0  # an agent waits for the hook that captures its session
ANSWER_SECONDS = 30.0  # for a question; the daemon answers it at once, unless it starts and still proves rules, or is not well
ALIVE_SECONDS = 10.0  # how often a daemon at long work is asked whether it lives
LONG = frozenset(
    """answer backup capture consolidate correct export extract forget import memory_accept memory_archive memory_consolidate
    memory_feedback memory_outcome memory_record procedural promote retire settle sleep undo""".split()  # noqa: SIM905 (read as words)
)
_PIECE = 65_536

Envelope = dict[str, object]


def peer(connection: Socket) -> tuple[int, int]:
    """Return the process id and user id of the other end."""
    size = 3 * 4  # struct ucred: pid, uid, gid
    raw = connection.getsockopt(SOL_SOCKET, SO_PEERCRED, size)
    return int.from_bytes(raw[:4], sys.byteorder), int.from_bytes(raw[4:8], sys.byteorder)


def patience(request: dict[str, object]) -> float | None:
    """Return how many seconds to wait for the answer; None for work that may take long: then as long as the daemon shows that it lives."""
    if request.get("live"):
        return HOOK_SECONDS
    return None if request.get("action") in LONG else ANSWER_SECONDS


def ask(path: str, request: dict[str, object], *, seconds: float | None = None) -> Envelope | None:
    """Send a request and return the daemon's envelope, or one of the same form that says why there is none; None if no daemon listens.

    seconds: how long to wait for the answer; None: as `patience` says.
    """
    seconds = seconds or patience(request)
    line = quickjson.encode(request).encode("ascii") + b"\n"
    connection = Socket(AF_UNIX, SOCK_STREAM)
    try:
        connection.settimeout(_CONNECT_SECONDS)
        try:
            connection.connect(path)
        except (FileNotFoundError, ConnectionRefusedError, NotADirectoryError):
            return None
        except OSError as error:
            return _failed(f"cannot connect to {path}: {error.strerror or error}", "is it the daemon's socket, and are you its user?")
        pid, uid = peer(connection)
        if uid not in {os.geteuid(), 0}:
            return _failed(f"{path} belongs to another user ({uid})", "do not use it; look at who made it")
        try:
            return _exchange(connection, line, path, seconds)
        except TimeoutError:
            waited = f"no answer within {seconds:g} seconds" if seconds else "it is at work, and shows no sign of life"
            whose, end = _process(pid)
            hint = f"`ethos doctor` says more; if it hangs, end it with `{end}` and start it again: nothing that was acknowledged is lost"
            return _failed(f"the daemon{whose} does not answer: {waited}", hint)
        except OSError as error:
            return _failed(f"the connection broke: {error.strerror or error}", "see the daemon's log")
    finally:
        connection.close()


def _exchange(connection: Socket, line: bytes, path: str, seconds: float | None) -> Envelope:
    """Send the line and read the answer. Raises OSError; TimeoutError where there is none in time."""
    connection.settimeout(seconds or ALIVE_SECONDS)
    until = time.monotonic() + seconds if seconds else None
    try:  # noqa: SIM105 (contextlib takes a sixth of what starting Python takes)
        connection.sendall(line)
    except BrokenPipeError:
        pass  # refused before it was read to the end: the reason is there to be read
    pieces: list[bytes] = []
    while piece := _more(connection, path, until):
        pieces.append(piece)
        if piece.endswith(b"\n"):
            break
    answer = b"".join(pieces)
    if not answer.endswith(b"\n"):
        cut = f"in the middle of an answer, after {len(answer)} bytes" if answer else "without an answer"
        return _failed(f"the daemon closed the connection {cut}", "see its log; it may have been stopped")
    try:
        envelope = quickjson.decode(answer.decode("ascii"))
    except ValueError:
        envelope = None
    if isinstance(envelope, dict) and envelope.get("status") in {"ok", "error"}:
        return envelope
    return _failed("the answer is not one of Ethos", "another program listens there; set `socket.path`")


def _more(connection: Socket, path: str, until: float | None) -> bytes:
    """Return the next piece of the answer; empty at its end. Raises TimeoutError at `until`, or, without one, where nothing lives there."""
    while True:
        if until is not None:
            connection.settimeout(max(0.001, until - time.monotonic()))
        try:
            return connection.recv(_PIECE)
        except TimeoutError:
            if until is not None or not _lives(path):
                raise


def _process(pid: int) -> tuple[str, str]:
    """Return how to name the process that listens, and what ends it. Where systemd listens for the daemon, the process is systemd's."""
    try:
        with open(f"/proc/{pid}/comm", "rb") as file:  # noqa: PTH123 (pathlib is too slow to import here)
            passed = file.read().startswith(b"systemd")
    except OSError:
        passed = False
    return ("", "systemctl --user kill -s KILL ethos") if passed else (f" (process {pid})", f"kill -9 {pid}")


def _lives(path: str) -> bool:
    """Return whether the daemon answers a small question."""
    envelope = ask(path, {"action": "help"}, seconds=ANSWER_SECONDS)
    return envelope is not None and envelope["status"] == "ok"


def _failed(message: str, hint: str) -> Envelope:
    return {"status": "error", "error": {"code": "daemon", "message": message, "hint": hint}}
