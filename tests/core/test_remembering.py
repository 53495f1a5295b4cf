"""What is remembered between requests stays small, whatever callers send."""

from __future__ import annotations

from ethos.core.text.memoize import LONGEST, memoized


def test_a_short_text_is_looked_at_once_and_a_long_one_each_time() -> None:
    """A subject of 60 KB in each of a thousand requests for facts once stayed in the daemon's memory: 120 MB."""
    looked_at = []

    @memoized(8)
    def length(text: str) -> int:
        looked_at.append(text)
        return len(text)

    short, long = "x" * LONGEST, "x" * (LONGEST + 1)
    assert [length(text) for text in (short, short, long, long)] == [LONGEST, LONGEST, LONGEST + 1, LONGEST + 1]
    assert looked_at == [short, long, long]
