"""The block that `ethos profile --write` keeps in a file of somebody else's: nothing outside it changes, and it can be taken out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ethos.core.learning.summaries.managed_block import BEGIN, END, Unreadable, overhead, put, take

LINES = ("## Personal context", "", "- loves tea (f-abcdef)")
TEXTS = st.one_of(
    st.none(),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=80),
    st.lists(st.sampled_from(["# Rules", "- be brief", "", "é", "<!-- note -->", "\ufeff"]), max_size=6).flatmap(
        lambda rows: st.sampled_from([end.join(rows) + tail for end in ("\n", "\r\n") for tail in ("", end)])
    ),
)


@given(text=TEXTS)
def test_g12_taking_the_block_out_gives_the_text_back(text: str | None) -> None:
    """Character for character, whatever stood there; a file that was made for it is gone."""
    assert take(put(text, LINES)) == text


@given(text=TEXTS)
def test_g12_again_changes_nothing(text: str | None) -> None:
    """And other lines replace the first ones."""
    once = put(text, LINES)
    assert put(once, LINES) == once
    assert put(put(text, ["- hates fog"]), LINES) == once


@given(text=TEXTS, before=st.sampled_from(["", "# Mine\n", "x\r\n"]), after=st.sampled_from(["", "- later\n", "\r\nlater"]))
def test_g12_what_was_written_around_it_stays(text: str | None, before: str, after: str) -> None:
    """Before and behind it, with the block renewed and then taken out."""
    grown = before + put(text, ["- hates fog"]) + after
    left = before + (text or "") + after
    assert take(put(grown, LINES)) == (None if text is None and not left else left)


def test_g12_line_breaks_are_those_of_the_file() -> None:
    """A file of Windows keeps its own."""
    assert "\n" not in put("# Rules\r\n", LINES).replace("\r\n", "")


def test_g12_a_block_has_its_marks_on_top_of_its_lines() -> None:
    """What they take at most is known before the lines are chosen."""
    for text in (None, "x", "x\r\n"):
        written = put(text, LINES)
        lines = sum(len(line) + 2 for line in LINES)
        assert len(written) - len(text or "") <= overhead() + lines


@pytest.mark.parametrize(
    "text",
    [
        BEGIN + " -->\n- loves tea\n",
        END,
        f"{END}\n{BEGIN} -->\n",
        f"{put(None, LINES)}{put(None, LINES)}",
        put(None, LINES).replace("--write`, changes within are lost -->", "--write` oops"),
    ],
)
def test_g12_what_cannot_be_read_is_refused(text: str) -> None:
    """One mark without the other, two blocks, a first line that was changed."""
    with pytest.raises(Unreadable):
        put(text, LINES)
    with pytest.raises(Unreadable):
        take(text)
