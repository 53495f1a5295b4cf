"""Encode and decode plain JSON without importing `re`, which costs half as much as starting Python. For hot commands.

It uses the C functions that `json` uses, and `json` itself if this Python lacks them.
"""

from __future__ import annotations

try:
    from _json import encode_basestring_ascii as quoted
    from _json import make_scanner

    class _Plain:
        """The settings that the scanner reads: objects as dicts, numbers as int and float."""

        strict = True
        object_hook = None
        object_pairs_hook = None
        parse_float = float
        parse_int = int
        parse_constant = float  # NaN and the infinities, which our daemon never sends
        memo: dict[str, str] = {}  # noqa: RUF012 (the scanner's own)

    _scan = make_scanner(_Plain())  # type: ignore[arg-type]  # it takes whatever has these names
except (ImportError, AttributeError):
    from json import JSONDecoder
    from json.encoder import encode_basestring_ascii as quoted

    _scan = JSONDecoder().raw_decode  # type: ignore[assignment]  # the same for a whole text


def decode(text: str) -> object:
    """Return the value of a JSON text. Only whitespace may follow it. Raises ValueError."""
    try:
        value, end = _scan(text, 0)
    except (StopIteration, SystemError):  # the C function raises an error of `json`, and none where that is not imported
        raise ValueError("no JSON") from None
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if text[end:].strip():
        raise ValueError("more than one value")
    return value


def encode(value: object) -> str:
    """Return a line of ASCII JSON, which is safe in any terminal and locale. Raises TypeError; ValueError for NaN."""
    if isinstance(value, str):
        return quoted(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        if value - value != 0:
            raise ValueError("no number that JSON knows")
        return float.__repr__(value)
    if isinstance(value, dict):
        return "{" + ", ".join([f"{quoted(str(name))}: {encode(item)}" for name, item in value.items()]) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join([encode(item) for item in value]) + "]"
    raise TypeError(f"not JSON: {type(value).__name__}")
