"""Phrases that are looked for all at once."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from ethos.core.text.phrases import Phrases

_SIGNS = st.text("ab _'-\u00e9", max_size=12)


def test_a_phrase_within_a_word_does_not_count() -> None:
    phrases = Phrases(["fix", "it's fixed", "fix"])
    assert phrases.starts("prefix, fix: it's fixed, fixes") == [8, 13]
    assert Phrases(["fix"], whole=False).starts("prefix, fix") == [3, 8]
    assert not Phrases([]).starts("anything")


@given(st.lists(st.text("ab '", min_size=1, max_size=4), max_size=4), _SIGNS)
def test_phrases_are_found_where_a_regular_expression_finds_them(listed: list[str], text: str) -> None:
    def edge(sign: str, boundary: str) -> str:
        return boundary if re.match(r"\w", sign) else ""

    expected = {
        found.start()
        for phrase in listed
        for found in re.finditer(rf"(?={edge(phrase[0], chr(92) + 'b')}{re.escape(phrase)}{edge(phrase[-1], chr(92) + 'b')})", text)
    }
    assert list(Phrases(listed).starts(text)) == sorted(expected)
