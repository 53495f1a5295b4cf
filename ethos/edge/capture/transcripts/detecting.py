"""Detect a transcript's format from its beginning."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import BinaryIO

from ethos.core.model.errors import Problem, refuse
from ethos.edge.capture.transcripts import (
    basic_memory,
    chatgpt,
    claude_ai,
    claude_code,
    codex,
    cursor,
    gemini,
    jsonl,
    mem0,
    memory_files,
    openai_messages,
    openclaw,
    specstory,
)
from ethos.edge.capture.transcripts.lines import decode
from ethos.edge.capture.transcripts.turn import Format, Json, Place

FORMATS: Mapping[str, Format] = {
    module.FORMAT.name: module.FORMAT
    for module in (
        memory_files,
        mem0,
        cursor,
        openclaw,
        gemini,
        claude_code,
        codex,
        claude_ai,
        chatgpt,
        jsonl,
        openai_messages,
        specstory,
        basic_memory,
    )
} | {memory_files.MINE.name: memory_files.MINE}
OF_MEMORIES = frozenset(module.FORMAT.name for module in (memory_files, mem0, basic_memory))  # what other memories left, for `ethos import`
HEAD = 64 * 1024  # bytes inspected
_HEAD_OF_ONE_LINE = 4 * 1024 * 1024  # bytes inspected if the first line alone is longer than that
_RECORDS = 50
_KEY = re.compile(r'"(mapping|messages|role|content|text|payload|type|sessionId|uuid)"\s*:')


def named(name: str) -> Format:
    """Return the format of this name. Raises Refused with the known names."""
    if name in FORMATS:
        return FORMATS[name]
    raise refuse("usage", f"no format is called {name}", hint=f"the formats are {', '.join(sorted(FORMATS))}")


def head_of(stream: BinaryIO) -> bytes:
    """Return the beginning of a stream, enough to detect its format."""
    head = stream.read(HEAD)
    return head if b"\n" in head or len(head) < HEAD else head + stream.read(_HEAD_OF_ONE_LINE)


def detect(head: bytes, place: Place) -> Format | Problem:
    """Return the format that has this beginning, or a problem."""
    text = head.decode("utf-8-sig", "replace").lstrip()
    records = _records(text)
    if records and jsonl.begins_export(records[0]):
        return jsonl.an_export(place)
    for candidate in FORMATS.values():
        if candidate.recognises(records, text, place.file):
            return candidate
    what = f"not a transcript of a known format; the known ones are {', '.join(sorted(FORMATS))}"
    return Problem("bad-input", what, "if it has one of these formats, name it with --format", place.name)


def _records(text: str) -> Sequence[Json]:
    """Return the first JSON objects of a text: of a list, or one a line. One that is cut off is approximated by its keys."""
    if not text.startswith(("{", "[")):
        return ()
    found = _elements(text) if text.startswith("[") else _lines(text)
    return found or [dict.fromkeys(_KEY.findall(text))]


def _elements(text: str) -> list[Json]:
    found: list[Json] = []
    decoder, position = json.JSONDecoder(), 1
    while len(found) < _RECORDS:
        start = re.compile(r"[\s,]*").match(text, position)
        try:
            value, position = decoder.raw_decode(text, start.end() if start else position)
        except (ValueError, RecursionError):
            break
        if isinstance(value, dict):
            found.append(value)
    return found


def _lines(text: str) -> list[Json]:
    found: list[Json] = []
    for line in text.split("\n", _RECORDS)[:_RECORDS]:
        try:
            value = decode(line.encode("utf-8", "replace"))
        except ValueError:
            continue
        if isinstance(value, dict):
            found.append(value)
    return found
