"""The reasoning bank: sentences that say the same, and sentences that nearly do (`near_misses.txt`, `paraphrases.txt`)."""

from __future__ import annotations

import re
from pathlib import Path

_HERE = Path(__file__).parent
_SLOT = re.compile(r"\{([^|{}]*)\|([^|{}]*)\}")

Pair = tuple[str, str]


def paraphrases() -> list[Pair]:
    """Return the pairs that say the same. The first, third, fifth ... were read while the guards were built, the others were not."""
    pairs = [line.split(" | ") for line in _lines("paraphrases.txt")]
    return [(one, other) for one, other in pairs]


def near_misses() -> list[Pair]:
    """Return the pairs that differ in a number, a name, a negation, the order, an opposite, or one word."""
    return [(_filled(line, 1), _filled(line, 2)) for line in _lines("near_misses.txt")]


def _lines(name: str) -> list[str]:
    return [line for line in (_HERE / name).read_text("utf-8").splitlines() if line and not line.startswith("#")]


def _filled(line: str, side: int) -> str:
    text = " ".join(_SLOT.sub(lambda found: found[side], line).split())
    return text[0].upper() + text[1:]
