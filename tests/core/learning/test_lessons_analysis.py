"""What a language model would be asked, and how its answer is read (H-07, H-18 to H-24)."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ethos.core.learning.lessons.analysis import SYSTEM, parsed, sent
from ethos.core.learning.lessons.analysis import prompt as shown
from ethos.core.learning.lessons.likeness import lesson_likeness
from ethos.core.model.records import Episode
from ethos.core.text.readings import Readings
from tests.support.telling import said

AT = datetime(2026, 3, 4, 15, 30, 59, tzinfo=UTC)


def told(text: str, kind: str = "custom:trade_entry") -> Episode:
    """An episode with a text."""
    return replace(said(text, at=AT), kind=kind)


def prompt(topic: str, episodes: list[Episode]) -> str:
    """What a model is asked about these episodes."""
    return shown(topic, list(sent(episodes, Readings())))


def test_h18_the_instructions_ask_for_one_pattern_with_its_statistics_or_none() -> None:
    """X out of Y, first person, numbers, a title of 60 characters, a body of 100 to 250 words; else NO_PATTERN."""
    for wanted in ("several episodes", "X out of Y", "first person", "numbers", "60 characters", "100 to 250 words", "NO_PATTERN"):
        assert wanted in SYSTEM


def test_h19_the_prompt_lists_the_episodes_of_a_group() -> None:
    """The head, an introduction, and of each episode number, kind without prefix, time to the minute, title, and the body below."""
    asked = prompt("BTC", [told("BTC short at $68K\nfunding was high")])
    assert asked.startswith("## 1 episodes for BTC\n\n")
    assert asked.endswith("**Episode 1** [trade_entry] (2026-03-04T15:30): BTC short at $68K\n  funding was high")
    assert "custom:" not in asked
    assert "2 episodes for SOL" in prompt("SOL", [told("SOL long"), told("SOL short")])


def test_h20_a_long_body_is_cut_and_a_json_body_gives_its_text() -> None:
    """More than 500 characters: 497 and three dots."""
    asked = prompt("BTC", [told("BTC\n" + "x" * 600)])
    assert "x" * 497 + "..." in asked
    assert "x" * 498 not in asked
    assert len(asked) < 1_100
    assert prompt("BTC", [told("BTC\n" + "x" * 500)]).endswith("x" * 500)
    assert prompt("BTC", [told(json.dumps({"title": "BTC", "text": "so it went", "pnl": 1}))]).endswith(": BTC\n  so it went")


def test_h21_without_a_title_it_is_untitled() -> None:
    """As of a JSON body alone."""
    assert "): Untitled\n" in prompt("BTC", [told('{"text": "BTC fell"}')])


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        ("TITLE: A\n\nB", ("A", "B")),
        ("TITLE: only", (None, None)),
        ("title: a pattern\nits body", ("a pattern", "its body")),
        (f"TITLE: {'A' * 80}\n\nB", ("A" * 60, "B")),
        ("First line\nand the rest", ("First line", "and the rest")),
        ("", (None, None)),
        (None, (None, None)),
        ("  \n ", (None, None)),
        ("NO_PATTERN", (None, None)),
        ("no_pattern - nothing holds", (None, None)),
        ("A" * 100, ("A" * 57 + "...", "A" * 100)),
        ("A" * 31, ("A" * 31 + "...", "A" * 31)),
        ("A" * 30, (None, None)),
        ("short", (None, None)),
    ],
)
def test_h22_h23_h24_h41_an_answer_is_a_title_and_a_body_or_nothing(answer: str | None, wanted: tuple[str | None, str | None]) -> None:
    """H-41: with TITLE both are required; without it the first line is the title, or the beginning of a single long line."""
    assert parsed(answer) == wanted


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("I won 4 out of 5 BTC shorts when funding was high", "I won 6 out of 7 BTC shorts when funding was high", True),
        ("I won 4 of 5 BTC shorts when funding was above 0.05", "I won 4 of 5 BTC shorts when funding was above 0.10", False),
        ("I won BTC shorts when funding was high", "I never won BTC shorts when funding was high", False),
        ("I won BTC shorts when funding was high", "I lost ETH longs at night", False),
    ],
)
def test_h25_two_lessons_in_words_are_one_where_only_their_counts_differ(one: str, other: str, same: bool) -> None:
    """Another number, a denial or another subject makes another lesson, however like the words are."""
    assert (lesson_likeness(one, other) >= 0.95) is same


def test_h26_where_likeness_cannot_be_told_a_lesson_is_made_all_the_same() -> None:
    """Texts without words, or without words that say anything, are like nothing; no text makes the comparison fail."""
    assert lesson_likeness("", "I won") < 0.9
    assert lesson_likeness("the", "of") < 0.9
    assert lesson_likeness("...", "4 of 5") in {0.0, 1.0}


@given(st.text(max_size=40), st.text(max_size=40))
def test_h26_any_two_texts_can_be_compared(one: str, other: str) -> None:
    """Whatever a model answers."""
    assert 0.0 <= lesson_likeness(one, other) <= 1.0
    assert lesson_likeness(one, one) == 1.0
