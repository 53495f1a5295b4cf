"""Read a transcript that is one JSON value or one text. A list is read element by element; the memory for each is limited."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from typing import IO, BinaryIO

from ethos.core.model.errors import refuse
from ethos.edge.capture.transcripts.lines import decode, mend, refuse_constant
from ethos.edge.capture.transcripts.turn import Place

LARGEST = 32 << 20  # bytes held at once: a text, or one conversation of a list
_LONGEST_WORD = 16  # characters of a literal or an escape that may be cut in two
_STEP = 1 << 20  # bytes read at once
_GAP = re.compile(r"[\s,]*")
_ESCAPED = re.compile(r"\\u(?:[dD][89a-fA-F]|0000)")
_HINT = "export or copy the file again; it may be cut short"
_DECODER = json.JSONDecoder(parse_constant=refuse_constant)


def content(stream: BinaryIO | Counted, place: Place, *, largest: int = LARGEST) -> bytes:
    """Return the whole stream. Raises Refused if it is longer than `largest`."""
    data = stream.read(largest + 1)
    if len(data) > largest:
        hint = "split it, or turn it into episode lines (--format jsonl), which are read one by one"
        raise refuse("bad-input", f"more than {largest >> 20} MiB to be read at once", hint=hint, where=place.name)
    return data


def value(data: bytes, place: Place) -> object:
    """Return the JSON value in `data`. Raises Refused if there is none."""
    try:
        return decode(data.removeprefix(b"\xef\xbb\xbf"))
    except ValueError as error:
        raise refuse("bad-input", str(error), hint=_HINT, where=place.name) from error


def values(stream: BinaryIO | Counted, place: Place) -> Iterator[object]:
    """Yield the elements of the JSON list in the stream one after another; any other value is yielded as a whole.

    Raises Refused at the first element that cannot be read or is longer than `LARGEST`.
    """
    window = _Window(stream, place)
    if window.begins_list():
        yield from window.elements()
    else:
        yield value(window.data + content(stream, place, largest=LARGEST - len(window.data)), place)


def _may_be_cut(error: json.JSONDecodeError) -> bool:
    """Return True if more text could complete it: a string without an end, or an error at the very end."""
    return error.msg.startswith("Unterminated string") or len(error.doc) - error.pos <= _LONGEST_WORD


class Counted:
    """A stream of which no more than `left` bytes may be read. Raises Refused beyond that."""

    def __init__(self, stream: IO[bytes], place: Place, left: int) -> None:
        self._stream = stream
        self._place = place
        self.left = left

    def read(self, size: int = -1) -> bytes:
        """Read like a file."""
        data = self._stream.read(size)
        self.left -= len(data)
        if self.left < 0:
            raise refuse("bad-input", "this zip unpacks to more than an export may have", hint="unpack it", where=self._place.name)
        return data


class _Window:
    """The part of a stream that is being read. It grows by its own length, so that a long element is not scanned many times."""

    def __init__(self, stream: BinaryIO | Counted, place: Place) -> None:
        self._stream = stream
        self._place = place
        self._text = codecs.getincrementaldecoder("utf-8")("replace")
        self.data = stream.read(_STEP)
        while self.data and self.data.isspace():
            self.data = stream.read(_STEP)

    def begins_list(self) -> bool:
        """Return True if the value is a list."""
        return bool(self.data.removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"["))

    def elements(self) -> Iterator[object]:
        """Yield the elements of the list."""
        text, at = self._decoded(self.data).lstrip("\ufeff \t\r\n")[1:], 0
        ended = False
        while True:
            at = self._after_gap(text, at)
            if text.startswith("]", at):
                self._refuse_more(text[at + 1 :])
                return
            try:
                found, end = _DECODER.raw_decode(text, at)
            except RecursionError:
                raise self._refused("JSON nested too deeply") from None
            except json.JSONDecodeError as error:
                if ended or not _may_be_cut(error):
                    what = "truncated JSON" if _may_be_cut(error) else "broken JSON"
                    raise self._refused(f"{what}: {error.msg}") from error
                end = len(text)
            except ValueError as error:
                raise self._refused(f"broken JSON: {error}") from error
            if end < len(text):
                yield mend(found) if _ESCAPED.search(text, at, end) else found
                at = end
                continue
            if ended:
                raise self._refused("truncated JSON: the list does not end")
            text, at = text[at:], 0
            if len(text) > LARGEST:
                raise self._refused(f"more than {LARGEST >> 20} MiB in one conversation")
            more = self._stream.read(min(max(_STEP, len(text)), LARGEST + 1 - len(text)))
            ended = not more
            text += self._decoded(more)

    @staticmethod
    def _after_gap(text: str, at: int) -> int:
        gap = _GAP.match(text, at)
        return gap.end() if gap else at

    def _decoded(self, data: bytes) -> str:
        if b"\x00" in data:
            raise self._refused("contains NUL bytes; the file may have been damaged when a disk was full or a machine stopped")
        return self._text.decode(data, final=not data)

    def _refuse_more(self, rest: str) -> None:
        if rest.strip() or self._stream.read(_STEP).strip():
            raise self._refused("broken JSON: more than one value")

    def _refused(self, what: str) -> Exception:
        return refuse("bad-input", what, hint=_HINT, where=self._place.name)
