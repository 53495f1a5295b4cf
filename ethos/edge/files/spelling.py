r"""Escape paths that are not UTF-8, so that they can be stored, sent, printed and typed: an invalid byte is written `\xe9`."""

from __future__ import annotations

import os

_MARK = "\\x"


def spelled(path: str) -> str:
    """Return the path as text, with invalid bytes escaped."""
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return os.fsencode(path).decode("utf-8", "backslashreplace")
    return path


def unspelled(path: str) -> str:
    """Return the path of an escaped text. If a file has the text itself as its name, return that."""
    if _MARK not in path or os.path.lexists(path):
        return path
    start, *rest = path.split(_MARK)
    found = os.fsencode(start)
    for part in rest:
        byte = _stray(part[:2])
        found += os.fsencode(_MARK + part) if byte is None else byte + os.fsencode(part[2:])
    return os.fsdecode(found)


def _stray(digits: str) -> bytes | None:
    try:
        byte = bytes.fromhex(digits)
    except ValueError:
        return None
    return byte if byte >= b"\x80" else None
