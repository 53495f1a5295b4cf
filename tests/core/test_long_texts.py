"""Long texts: a million characters take time in proportion, whatever they are made of (property 12)."""

from __future__ import annotations

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from ethos.core.model.records import Origin
from ethos.core.rules.matcher import Rules
from ethos.core.text.sentences import _END, fold, is_item, mask, quoted

pytestmark = pytest.mark.no_cover  # the same lines, hundreds of times


@pytest.mark.parametrize("unit", [".", "?!.", "....x", "```` a ", '" i love tea, ', "i love tea. ", "> i love tea\n", "- [ ] "])
def test_a_text_of_two_hundred_thousand_characters_is_read_to_its_end(unit: str, rules: Rules) -> None:
    """Whatever it is made of. Each of these once took minutes, or could have: a run of marks was looked at from each of its marks, and
    quotation marks were counted from the beginning of the line for each claim.
    """
    text = "I love tea\n" + unit * (200_000 // len(unit)) + " and we use Postgres"
    found = rules.claims(text, role="user", speaker="A", origin=Origin.USER)
    assert found[0].object == "tea"


_MARKS_AND_WORDS = st.lists(st.sampled_from([*".!?\u2026\"')* \t\na1", "e.g.", "12.", "  3.", "...", "vs."]), max_size=40).map("".join)
_ONCE = regex.compile(  # as sentences ended before runs of marks were taken whole: slow, and right
    r"[.!?\u2026]+(?<!^[ \t]*\d{1,3}\.)(?<!\b(?:e\.g|i\.e|vs|dr|mr|mrs|ms|prof|approx|incl|inc|etc)\.)[\"')\]*_]*(?=\s|\Z)", regex.MULTILINE
)


@settings(max_examples=400, derandomize=True, deadline=None)
@given(_MARKS_AND_WORDS)
def test_a_run_of_marks_ends_a_sentence_as_each_of_its_marks_would(text: str) -> None:
    """Taking the run whole changes no end of a sentence."""
    ends = [found.span() for found in _END.finditer(text) if not is_item(text, text.rfind("\n", 0, found.start()) + 1, found.start())]
    assert ends == [found.span() for found in _ONCE.finditer(text)]


@settings(max_examples=300, derandomize=True, deadline=None)
@given(st.lists(st.sampled_from(['"', "\n", "a", "b " * 700, "x" * 2_100]), min_size=1, max_size=12).map("".join), st.data())
def test_deep_in_a_line_a_quotation_is_found_as_it_is_near_its_beginning(text: str, data: st.DataObject) -> None:
    """An offset is quoted where an odd number of marks stands before it in its line, and one after it."""
    at = data.draw(st.integers(0, len(text)))
    line = text.rfind("\n", 0, at) + 1
    rest = text[at:].partition("\n")[0]
    assert quoted(text, line, at) == (text.count('"', line, at) % 2 == 1 and '"' in rest)


_FORMS = (  # beginnings and signs of what is blanked
    *(
        "at ",
        "file ",
        "traceback ",
        "npm err",
        "npm warn",
        "begin forwarded message",
        "original message",
        "user",
        "system",
        "memory",
        "error",
    ),
    *(
        "relevant memories",
        "known facts",
        "exception",
        "warning",
        "on monday he wrote",
        "debug",
        "- ",
        "-- ",
        "--- a",
        "x-mailer",
        "http",
        "www.",
    ),
    *(
        "1 ",
        "2024-01-02",
        "from",
        "subject",
        "the readme",
        "i'm",
        "says",
        "output",
        "`",
        ": ",
        "<",
        ">",
        "|",
        "(",
        '"',
        "\n",
        "?",
        "\u00e9",
        "$ ",
        "rename from a/b",
        "goroutine 7",
        "a.",
        "src/app",
    ),
)


@settings(max_examples=2_000, derandomize=True, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(_FORMS), st.sampled_from(["", " ", ", ", ". ", "; ", "-", "! ", "'"])), max_size=7))
def test_what_is_told_in_one_look_to_be_plain_is_masked_as_it_would_be_in_many(parts: list[tuple[str, str]]) -> None:
    """Nothing that would be blanked or filled is passed over because its line is made of plain signs."""
    low = fold("".join(form + mark for form, mark in parts))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ethos.core.text.sentences._PLAIN", regex.compile("(?!)"))
        looked_through = mask(low)
    assert mask(low) == looked_through
