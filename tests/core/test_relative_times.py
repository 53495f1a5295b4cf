"""Relative times in the sentence of a fact have the date that they meant (E-41)."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ethos.core.text.language.relative_times import dated, undated

WEDNESDAY = date(2023, 6, 14)


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("Ada joined a choir last month", "Ada joined a choir last month (May 2023)"),
        ("Ada moved to Leith two weeks ago", "Ada moved to Leith two weeks ago (week of 29 May 2023)"),
        ("Ada ran a 5K last Friday with Bo", "Ada ran a 5K last Friday (9 June 2023) with Bo"),
        ("Ada quit yesterday", "Ada quit yesterday (13 June 2023)"),
        ("Ada married 3 years ago", "Ada married 3 years ago (2020)"),
        ("the exam is this Friday", "the exam is this Friday (16 June 2023)"),
        ("the lease ends next month", "the lease ends next month (July 2023)"),
        ("Ada retires next year", "Ada retires next year (2024)"),
        ("Ada went last Wednesday", "Ada went last Wednesday (7 June 2023)"),
        ("Ada joined a band last Tues", "Ada joined a band last Tues (13 June 2023)"),
        ("Ada fell this past weekend", "Ada fell this past weekend (week of 5 June 2023)"),
        ("Ada moved a few weeks ago", "Ada moved a few weeks ago (before 14 June 2023)"),
        ("Ada reads every night", "Ada reads every night"),
        ("the exam is next Friday", "the exam is next Friday"),
        ("Ada was in Faro a few years ago", "Ada was in Faro a few years ago"),
    ],
)
def test_e41_a_relative_time_is_told_with_its_date(sentence: str, told: str) -> None:
    """Once, however often it is told."""
    assert dated(sentence, WEDNESDAY) == told
    assert dated(told, WEDNESDAY) == told
    assert undated(told) == sentence


WORDS = st.lists(
    st.sampled_from(
        ["Ada", "left", "last", "next", "this", "a", "two", "week", "weeks", "month", "year", "Friday", "ago", "today", "few", "recently"]
    )
)


@given(words=WORDS, said=st.dates(min_value=date(1970, 1, 1), max_value=date(2199, 12, 31)))
def test_e41_the_date_can_be_taken_out_again(words: list[str], said: date) -> None:
    """What is told again with other words gets the date of those."""
    sentence = " ".join(words)
    assert undated(dated(sentence, said)) == sentence
