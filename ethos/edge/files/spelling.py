r"""Spelling: paths that are not UTF-8, written so that they can be stored, sent, printed and typed: a stray byte is written `\xe9`."""

from __future__ import annotations

import os

_MARK = "\\x"


def spelled(path: str) -> str:
    """The path as text; one that is UTF-8 is returned as it is."""
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return os.fsencode(path).decode("utf-8", "backslashreplace")
    return path


def unspelled(path: str) -> str:
    """The path that a spelling stands for. One that exists as it is written is meant as it is written."""
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
