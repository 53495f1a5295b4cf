"""The client: all that a command needs to ask a running daemon. It imports next to nothing, not even `json` and `socket`, because hot
commands (`status`, `recall`, `capture`) should cost little more than starting Python; so its errors are envelopes, not `Problem`s.
"""

from __future__ import annotations

import os
import sys
from _socket import AF_UNIX, SO_PEERCRED, SOCK_STREAM, SOL_SOCKET
from _socket import socket as Socket  # noqa: N812 (the class behind socket.socket, without the enums and selectors around it)

from ethos.edge import quickjson

CONNECT_SECONDS = 2.0
_PIECE = 65_536

Envelope = dict[str, object]


def peer(connection: Socket) -> tuple[int, int]:
    """Process id and user id of the other end."""
    size = 3 * 4  # struct ucred: pid, uid, gid
    raw = connection.getsockopt(SOL_SOCKET, SO_PEERCRED, size)
    return int.from_bytes(raw[:4], sys.byteorder), int.from_bytes(raw[4:8], sys.byteorder)


def ask(path: str, request: dict[str, object], *, seconds: float | None = None) -> Envelope | None:
    """One request, one answer: the daemon's envelope, or one of the same form that says why there is none. None: no daemon listens there.

    seconds: how long to wait for the answer; None: as long as it takes, because a pass may.
    """
    line = quickjson.encode(request).encode("ascii") + b"\n"
    connection = Socket(AF_UNIX, SOCK_STREAM)
    try:
        connection.settimeout(CONNECT_SECONDS)
        try:
            connection.connect(path)
        except (FileNotFoundError, ConnectionRefusedError, NotADirectoryError):
            return None
        except OSError as error:
            return _failed(f"cannot connect to {path}: {error.strerror or error}", "is it the daemon's socket, and are you its user?")
        _, uid = peer(connection)
        if uid not in {os.geteuid(), 0}:
            return _failed(f"{path} belongs to another user ({uid})", "do not use it; look at who made it")
        connection.settimeout(seconds)
        try:
            return _exchange(connection, line)
        except TimeoutError:
            return _failed(f"no answer within {seconds:g} seconds", "see `ethos status`, or the daemon's log")
        except OSError as error:
            return _failed(f"the connection broke: {error.strerror or error}", "see the daemon's log")
    finally:
        connection.close()


def _exchange(connection: Socket, line: bytes) -> Envelope:
    try:  # noqa: SIM105 (contextlib takes a sixth of what starting Python takes)
        connection.sendall(line)
    except BrokenPipeError:
        pass  # refused before it was read to the end: the reason is there to be read
    pieces: list[bytes] = []
    while piece := connection.recv(_PIECE):
        pieces.append(piece)
        if piece.endswith(b"\n"):
            break
    answer = b"".join(pieces)
    if not answer.endswith(b"\n"):
        return _failed("the daemon closed the connection without an answer", "see its log; it may have been stopped")
    try:
        envelope = quickjson.decode(answer.decode("ascii"))
    except ValueError:
        envelope = None
    if isinstance(envelope, dict) and envelope.get("status") in {"ok", "error"}:
        return envelope
    return _failed("the answer is not one of Ethos", "another program listens there; set `socket.path`")


def _failed(message: str, hint: str) -> Envelope:
    return {"status": "error", "error": {"code": "daemon", "message": message, "hint": hint}}
