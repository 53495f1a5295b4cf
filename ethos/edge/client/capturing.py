"""Captures through a connection: paths and lines in as many requests as the daemon takes, and the answers added up.

Lines are never written to a file on the way.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from io import BufferedReader, RawIOBase
from typing import Any, BinaryIO, cast

from ethos.edge.api.results import Captured, total
from ethos.edge.client.answers import Json
from ethos.edge.client.connection import Connection

LONGEST = 50_000  # bytes of lines or paths in a request, as JSON; the daemon takes 64 KiB with all that stands around them


def files(connection: Connection, paths: Sequence[str], **options: object) -> Captured:
    """Capture these absolute paths. Raises Refused."""
    return total(connection.call("capture", {"paths": batch, **options}).result for batch in _batches(paths))


def lines(connection: Connection, stream: BinaryIO, *, live: bool) -> Captured:
    """Capture the episode lines of a stream. Raises Refused.

    A line that is too long for a request is captured in this process, with all that comes after it.
    """
    answers: list[Captured] = []
    since: Json | None = None
    for part in parts(stream):
        if isinstance(part, str):
            answer = connection.call("capture", {"paths": ["-"], "input": part, "since": since, "live": live}).result
            since = answer.since
        else:
            connection.local.stdin = part
            answer = connection.local.call("capture", {"paths": ["-"], "live": live} | ({"since": since} if since else {})).result
        answers.append(replace(answer, since=None))
    return replace(total(answers), files=max(answer.files for answer in answers))  # it is one file, however many parts it came in


def _batches(paths: Iterable[str]) -> Iterator[list[str]]:
    """Divide paths into requests that are not too long."""
    batch: list[str] = []
    for path in paths:
        if batch and len(json.dumps([*batch, path])) > LONGEST:
            yield batch
            batch = []
        batch.append(path)
    if batch:
        yield batch


def parts(stream: BinaryIO) -> Iterator[str | BinaryIO]:
    """Give whole lines, as many as fit into a request; in place of a line that is too long, the stream from there on. One part at least."""
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
