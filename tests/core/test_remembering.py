"""What is remembered between requests stays small, whatever callers send."""

from __future__ import annotations

import tracemalloc
from itertools import islice, product
from string import ascii_lowercase

import pytest

from ethos.core.recall.terms import marks_of, terms
from ethos.core.text.language.everyday import is_everyday
from ethos.core.text.language.signs_of_change import may_tell_change
from ethos.core.text.language.specific import signs, tells_change
from ethos.core.text.language.tagging import tag, verb_of
from ethos.core.text.memoize import LONGEST, ChunkCache, memoized


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


def test_a_cache_of_words_drops_its_oldest_tenth_and_keeps_no_long_text() -> None:
    """Text without a space is one word, however long: each pasted key or line of code would stay."""
    cache = ChunkCache(len, most=20)
    words = ["x" * length for length in range(1, 22)]
    assert [cache[word] for word in words] == list(range(1, 22))
    assert list(cache) == words[2:]
    assert cache["x" * (LONGEST + 1)] == LONGEST + 1
    assert len(cache) == 19


def _read(text: str) -> None:
    """Read a text by all that has a cache of words."""
    marks_of(terms(text))
    tag(text)
    may_tell_change(text)
    signs(text, text)
    tells_change(text)
    for word in text.split():
        verb_of(word)
        is_everyday(word)


@pytest.mark.no_cover  # the same lines, hundreds of times
def test_new_words_and_long_ones_do_not_make_memory_grow() -> None:
    """Names, numbers and keys that nobody has said before: what is cached levels off."""
    new = map("".join, product("qxz", *[ascii_lowercase] * 3))
    tracemalloc.start()
    try:
        _read(" ".join(islice(new, 18_000)))  # twice what they hold: their tables grow once more when the oldest go
        full = tracemalloc.get_traced_memory()[0]
        _read(" ".join(islice(new, 9_000)))
        for letter in ascii_lowercase:
            _read(letter * 50_000)
        grown = tracemalloc.get_traced_memory()[0] - full
    finally:
        tracemalloc.stop()
    assert grown < 200_000, grown
