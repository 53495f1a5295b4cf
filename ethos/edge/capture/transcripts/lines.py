"""Read a file of one JSON object a line with bounded memory. A bad line is returned as a problem, and reading goes on."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple, NoReturn

from ethos.core.model.errors import Problem
from ethos.edge.capture.transcripts.turn import Json, Place
from ethos.edge.jsonio.shapes import NAMES

_BOM = b"\xef\xbb\xbf"
_SKIP = 1 << 20  # bytes read at once while an over-long line is skipped
_UNFIT = re.compile("[\ud800-\udfff\x00]")  # lone surrogates cannot be stored; NUL ends a text for many programs
_ESCAPED = re.compile(rb"\\u(?:[dD][89a-fA-F]|0000)")  # the only way they get into valid JSON


class Line(NamedTuple):
    """One line: its number from 1, its byte range in the file, and its record, or a problem, or None if it is blank."""

    number: int
    start: int
    end: int
    record: Json | Problem | None
    complete: bool  # ends with a newline; a last line without one may still be growing


def refuse_constant(name: str) -> NoReturn:
    """Refuse NaN and the infinities, which are no JSON. Raises ValueError."""
    raise ValueError(f"{name} is not a number that JSON knows")


_DECODER = json.JSONDecoder(parse_constant=refuse_constant)


def mend(value: object) -> object:
    """Return the value with every lone surrogate and NUL replaced by U+FFFD."""
    if isinstance(value, str):
        return _UNFIT.sub("\ufffd", value)
    if isinstance(value, list):
        return [mend(item) for item in value]
    if isinstance(value, dict):
        return {_UNFIT.sub("\ufffd", name): mend(item) for name, item in value.items()}
    return value


def decode(data: bytes) -> object:
    """Decode and mend JSON in UTF-8. Raises ValueError with a plain reason."""
    if b"\x00" in data:
        raise ValueError("contains NUL bytes; the file may have been damaged when a disk was full or a machine stopped")
    try:
        value: object = _DECODER.decode(data.decode("utf-8", "replace"))
        return mend(value) if _ESCAPED.search(data) else value
    except json.JSONDecodeError as error:
        begun, ended = data.lstrip().startswith((b"{", b"[")), data.rstrip().endswith((b"}", b"]"))
        what = "not JSON" if not begun else "broken JSON" if ended else "truncated JSON"
        raise ValueError(f"{what}: {error.msg} (column {error.colno})") from error
    except RecursionError as error:
        raise ValueError("JSON nested too deeply") from error


def record_of(data: bytes, where: str) -> Json | Problem:
    """Return the object in a line, or why there is none."""
    try:
        value = decode(data)
    except ValueError as error:
        return Problem("bad-input", str(error), "mend or delete the line; the other lines were read", where)
    if isinstance(value, dict):
        return value
    return Problem("bad-input", f"an object was expected, found {NAMES[type(value)]}", "each line must be one JSON object", where)


def lines(stream: BinaryIO, place: Place, *, limit: int, number: int = 0, start: int = 0) -> Iterator[Line]:
    """Yield the lines from the stream's position: byte `start`, after line `number`. A line over `limit` bytes is never held in memory."""
    while data := stream.readline(limit + 1):
        number += 1
        if len(data) > limit and not data.endswith(b"\n"):
            length = len(data)
            while len(more := stream.readline(_SKIP)):
                length += len(more)
                if more.endswith(b"\n"):
                    data = b"\n"
                    break
            yield Line(number, start, start + length, _overlong(length, limit, place.at(number)), complete=data == b"\n")
            start += length
            continue
        end = start + len(data)
        body = data.removeprefix(_BOM) if start == 0 else data
        record = record_of(body, place.at(number)) if not body.isspace() and body else None
        yield Line(number, start, end, record, complete=data.endswith(b"\n"))
        start = end


def _overlong(length: int, limit: int, where: str) -> Problem:
    hint = "raise capture.max_line_bytes in config.toml to take it"
    return Problem("bad-input", f"line of {length} bytes is longer than {limit}", hint, where)
