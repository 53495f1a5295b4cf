"""Keep a block in a text that somebody else writes (CLAUDE.md, AGENTS.md, GEMINI.md): put it in, renew it, take it out.

No character outside the block is changed, so taking it out gives the text as it was, whatever was written around it since. What the block
had to add to stand on a line of its own is noted in its first line. Works on text with line breaks of either kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

BEGIN = "<!-- ethos profile: begin"
END = "<!-- ethos profile: end -->"
_NEW, _BROKEN = " in a file of its own", " after a line break of its own"
_ABOUT = "; kept by `ethos profile --write`, changes within are lost -->"
_FIRST = re.compile(rf"{re.escape(BEGIN)}(?P<new>{_NEW})?(?P<broken>{_BROKEN})?[^\r\n]*-->")


class Unreadable(Exception):
    """The text has marks of a block that do not fit together. The message says how."""


def put(text: str | None, lines: Sequence[str]) -> str:
    """Return the text with the block of these lines, in place of the one that it has or at its end. None: there is no file yet.

    Raises Unreadable.
    """
    body = text or ""
    newline = "\r\n" if "\r\n" in body else "\n"
    found = _find(body)
    if found is None:
        broken = bool(body) and not body.endswith("\n")
        head = f"{BEGIN}{_NEW if text is None else ''}{_BROKEN if broken else ''}{_ABOUT}"
        return body + (newline if broken else "") + newline.join((head, *lines, END, ""))
    return body[: found.first] + newline.join((found.head[0], *lines, END)) + body[found.last :]


def take(text: str) -> str | None:
    """Return the text without its block; None where the file was made for it and nothing else stands there. Raises Unreadable."""
    found = _find(text)
    if found is None:
        return text
    before, after = text[: found.first], text[found.last :]
    after = after.removeprefix("\r\n") if after.startswith("\r\n") else after.removeprefix("\n")
    if found.head["broken"]:
        before = before.removesuffix("\r\n") if before.endswith("\r\n") else before.removesuffix("\n")
    return None if found.head["new"] and not before + after else before + after


def revise(text: str, change: Callable[[str], str]) -> str:
    """Return the text with the lines within its block changed; as it is, where it has none. Raises Unreadable."""
    found = _find(text)
    if found is None:
        return text
    first, last = found.first + len(found.head[0]), found.last - len(END)
    return text[:first] + change(text[first:last]) + text[last:]


def overhead(newline: int = 2) -> int:
    """Return how many bytes of a block are not its lines, at most."""
    return len(BEGIN + _NEW + _BROKEN + _ABOUT + END) + 3 * newline


class _Block(NamedTuple):
    """Where a block begins, where its last mark ends, and its first line."""

    first: int
    last: int
    head: re.Match[str]


def _find(text: str) -> _Block | None:
    begins = [found.start() for found in re.finditer(re.escape(BEGIN), text)]
    ends = [found.end() for found in re.finditer(re.escape(END), text)]
    if not begins and not ends:
        return None
    if len(begins) != 1 or len(ends) != 1 or begins[0] > ends[0]:
        raise Unreadable(f"the file has {len(begins)} beginnings and {len(ends)} ends of one, or in the wrong order")
    head = _FIRST.match(text, begins[0])
    if head is None or head.end() > ends[0] - len(END):
        raise Unreadable("its first line was changed")
    return _Block(begins[0], ends[0], head)
