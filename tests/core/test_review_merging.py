"""Versions of the review file put together: what is in any of them is in the result, in its order."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ethos.core import review
from ethos.core.review import merging
from tests.support.asking import entry, ticked

LINES = st.lists(st.sampled_from("abcdefg"), max_size=12)


def is_within(part: list[str], whole: list[str]) -> bool:
    """The lines of the part stand in the whole, in their order."""
    rest = iter(whole)
    return all(line in rest for line in part)


@settings(derandomize=True, max_examples=300, deadline=None)
@given(LINES, LINES)
def test_both_stand_in_what_is_made_of_both(one: list[str], other: list[str]) -> None:
    """In their order, and nothing else does; the same twice is the same."""
    together = merging.merge_lines(one, other)
    assert is_within(one, together)
    assert is_within(other, together)
    assert len(together) <= len(one) + len(other)
    assert merging.merge_lines(one, one) == one
    assert merging.merge_lines(together, other) == together


def test_what_is_too_long_to_be_compared_follows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then only the order is less than best."""
    monkeypatch.setattr(merging, "_MOST", 3)
    assert merging.merge_lines(["top", "a", "b", "end"], ["top", "c", "a", "end"]) == ["top", "a", "b", "c", "end"]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_version_that_says_the_same_changes_nothing(newline: str) -> None:
    """Whatever its lines end with; the words above and below stand once."""
    asked = entry()
    file = "above\n" + ticked(review.render([asked]), "keep-new", asked).replace("\nnote:", "\nnote: mine") + "below\nbelow\n"
    merged = review.merge(review.parse(file), [review.parse(file.replace("\n", newline)), review.parse("")])
    assert review.render([asked], merged) == review.render([asked], review.parse(file))


def test_a_last_line_without_an_end_does_not_run_into_the_next() -> None:
    """Each file's last words stay a line of their own."""
    one, other = (review.parse(review.render([]) + words) for words in ("mine", "theirs\n"))
    assert review.merge(one, [other]).tail.split("\n") in (["mine", "theirs", ""], ["theirs", "mine", ""])
