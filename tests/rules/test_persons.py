"""Whom "he" and "she" stand for: a person who was named before, and a guess where two could be meant."""

from __future__ import annotations

import pytest

from ethos.core.text.language.persons import person_before
from ethos.core.text.sentences import fold
from tests.support.proven import held_in


@pytest.mark.parametrize(("text", "fact"), [
    ("Nora got a new job. She works at Philips now.", "Nora works at Philips"),
    ("My brother has moved. He lives in Turin.", "Ada's brother lives in Turin"),
    ("My friend Noor is lovely. She bought a house in Graz.", "Ada's friend Noor bought a house in Graz"),
    ("fenna has shot up, she wears size 104", "fenna wears size 104"),
    ("Put Mina's birthday in the calendar, she was born on 23 May.", "Mina was born on 23 May"),
    ("Kwame, our eldest, is away. He lives in Leiden.", "Kwame lives in Leiden"),
    ("Our plumber is ill. His number is 555-1234.", "plumber's number is 555-1234"),
    ("My sister got married. Her name is Anna Kim now.", "Ada's sister's name is Anna Kim"),
    ("My wife met Tilo. He runs Arch Linux.", "Tilo runs Arch Linux"),  # no wife is "he"
])  # fmt: skip
def test_e14_he_and_she_stand_for_the_person_before_them(text: str, fact: str) -> None:
    assert fact in held_in(text)


@pytest.mark.parametrize("text", [
    "She works at Philips now.",
    "Nora is ill.\n\nShe works at Philips now.",  # another paragraph
    "Nora met Priya. She works at Philips now.",  # either
    "Thanks, Nora! She works at Philips now.",  # Nora is spoken to
    "I like the rain. She works at Philips now.",
])  # fmt: skip
def test_e14_nobody_is_told_of_where_nobody_or_two_were_named(text: str) -> None:
    assert not [each for each in held_in(text) if "Philips" in each]


@pytest.mark.parametrize(("text", "pronoun", "words", "sure"), [
    ("My brother called.", "he", "My brother", True),
    ("My brother called.", "she", "", False),
    ("Nora lives with Tilo. Tilo sings.", "he", "Tilo", False),
    ("My brother is Tom.", "he", "My brother", True),
    ("On Monday it rains.", "he", "", False),
])  # fmt: skip
def test_e14_a_person_and_whether_nobody_else_could_be_meant(text: str, pronoun: str, words: str, sure: bool) -> None:
    person = person_before(fold(text), text, pronoun)
    assert (person.words if person else "", bool(person and person.sure)) == (words, sure)


@pytest.mark.parametrize(("text", "fact"), [
    ("My wife plays the oboe, so something with reeds maybe?", "Ada's wife plays the oboe"),
    ("We use pnpm, so maybe with a lockfile?", "team use pnpm"),
    ("I live in Ghent, and you?", "Ada lives in Ghent"),
    ("My blood type is A positive, what else do they need", "Ada blood type A positive"),
    ("We use pnpm 9 can you check the lockfile", "team use pnpm 9"),
])  # fmt: skip
def test_e14_what_is_stated_before_a_question_is_heard_without_it(text: str, fact: str) -> None:
    assert fact in held_in(text)


@pytest.mark.parametrize("text", ["So we use pnpm, or npm?", "Is this Postgres 17, so with JSON?", "We use pnpm, or do we?"])
def test_e14_a_doubt_states_nothing(text: str) -> None:
    assert held_in(text) == []
