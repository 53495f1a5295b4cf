"""Sent: standard input to a running daemon, in requests of whole lines. Nothing of it is written to a file on the way."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from io import BufferedReader, RawIOBase
from typing import Any, BinaryIO, cast

from ethos.edge.client.connection import Door, Json

LONGEST = 50_000  # bytes of lines in a request, as JSON; the daemon takes 64 KiB with all that stands around them


def capture(door: Door, *, live: bool) -> Json:
    """The daemon's answers to all of standard input, as one.

    A line that is too long for a request is captured here, in this process, with all that comes after it.
    """
    answers: list[Json] = []
    since: Json | None = None
    for part in parts(door.stdin):
        if isinstance(part, str):
            answer = door.ask("capture", paths=["-"], input=part, since=since, live=live)
            since = answer.pop("since")
        else:
            door.stdin = part
            answer = door.here("capture", {"paths": ["-"], "live": live} | ({"since": since} if since else {}))
        answers.append(answer)
    total = added(answers)
    total["files"] = max(answer["files"] for answer in answers)  # it is one, however many parts it came in
    return total


def parts(stream: BinaryIO) -> Iterator[str | BinaryIO]:
    """Whole lines, as many as fit into a request; in place of a line that is too long, the stream from there on. One part at least."""
    part, size, sent = "", 0, False
    while line := stream.readline(LONGEST):
        text = line.decode("utf-8", "replace")
        length = len(json.dumps(text))
        if length > LONGEST or (len(line) == LONGEST and not line.endswith(b"\n")):
            if part:
                yield part
            yield cast("BinaryIO", BufferedReader(_Behind(line, stream)))
            return
        if part and size + length > LONGEST:
            yield part
            part, size, sent = "", 0, True
        part += text
        size += length
    if part or not sent:
        yield part


class _Behind(RawIOBase):
    """A stream with the bytes that were read of it already put back before it."""

    def __init__(self, read: bytes, stream: BinaryIO) -> None:
        self._read = read
        self._stream = stream

    def readable(self) -> bool:
        """Return true."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read into a buffer, as every raw stream does."""
        data = self._read[: len(buffer)] or self._stream.read(len(buffer))
        self._read = self._read[len(buffer) :]
        buffer[: len(data)] = data
        return len(data)


def added(answers: Iterable[Json]) -> Json:
    """Several captures as one."""
    total: Json = {}
    for answer in answers:
        for name, value in answer.items():
            held = total.get(name)
            if held is None:
                total[name] = value
            elif isinstance(value, Mapping):
                total[name] = {key: held.get(key, 0) + value.get(key, 0) for key in [*held, *(key for key in value if key not in held)]}
            else:
                total[name] = held + value
    return total
