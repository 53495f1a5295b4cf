"""Documents: a transcript that is one JSON value or one text, and so must be read at once. The size is capped."""

from __future__ import annotations

from typing import BinaryIO

from ethos.core.errors import refuse
from ethos.edge.transcripts.lines import decode
from ethos.edge.transcripts.turn import Place

LARGEST = 512 * 1024 * 1024  # bytes, unpacked


def content(stream: BinaryIO, place: Place, *, largest: int = LARGEST) -> bytes:
    """All of the stream. Raises Refused where there is more than `largest`."""
    data = stream.read(largest + 1)
    if len(data) > largest:
        hint = "split it, or turn it into episode lines (--format jsonl), which are read one by one"
        raise refuse("bad-input", f"more than {largest >> 20} MiB to be read at once", hint=hint, where=place.name)
    return data


def value(data: bytes, place: Place) -> object:
    """The JSON value that `data` is. Raises Refused where it is none."""
    try:
        return decode(data.removeprefix(b"\xef\xbb\xbf"))
    except ValueError as error:
        raise refuse("bad-input", str(error), hint="export or copy the file again; it may be cut short", where=place.name) from error
