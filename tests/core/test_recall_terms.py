"""The words of recall: stems as the full-text index makes them, terms, dates, and what is noted of a text."""

from __future__ import annotations

import string
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ethos.core.recall import features, question
from ethos.core.recall.dates import Dates, dates_in, nearness, spans
from ethos.core.recall.features import Trait
from ethos.core.recall.stemming import stem
from ethos.core.recall.terms import TERM_BYTES, forms_of, mark_of, terms, words
from ethos.store.sqlite import driver as sqlite

ENGLISH = """
    running runs ran happily happiness relational conditional rational valency hesitancy digitizer conformably radically differently
    vilely analogously vietnamization predication operator feudalism decisiveness hopefulness callousness formality sensitivity
    sensibility triplicate formative formalize electricity electrical hopeful goodness revival allowance inference airliner gyroscopic
    adjustable defensible irritant replacement adjustment dependent adoption communism activate angularity homologous effective
    bowdlerize probate rate cease controlling rolling caresses ponies ties caress cats feed agreed plastered bled motoring sing conflated
    troubled sized hopping tanned falling hissing fizzed failing filing sky skies cheerfully archaeology apology generously
"""


def test_stems_are_those_of_the_index() -> None:
    """FTS5 and this program make the same of a word, so that a count of the index is a count of the term."""
    listed = sorted(set(ENGLISH.split()))
    with sqlite.library().module.connect(":memory:") as driver:
        driver.execute("CREATE VIRTUAL TABLE text USING fts5(word, tokenize='porter unicode61 remove_diacritics 2')")
        driver.execute("CREATE VIRTUAL TABLE term USING fts5vocab('text', 'instance')")
        driver.executemany("INSERT INTO text (rowid, word) VALUES (?, ?)", list(enumerate(listed)))
        found = dict(driver.execute("SELECT doc, term FROM term").fetchall())
    assert {listed[row]: term for row, term in found.items()} == {word: stem(word) for word in listed}


@given(st.text(string.ascii_lowercase, max_size=70))
def test_a_stem_is_never_longer_than_the_word_by_more_than_a_letter(word: str) -> None:
    assert len(stem(word)) <= len(word) + 1


@pytest.mark.parametrize(
    ("one", "other"),
    [("went", "going"), ("children", "child"), ("Café", "cafe"), ("bought", "buying"), ("ran", "runs"), ("Städte", "stadte")],
)
def test_forms_of_a_word_are_one_term(one: str, other: str) -> None:
    assert terms(one) == terms(other)


def test_every_irregular_form_is_asked_for() -> None:
    assert set(forms_of("went")) == {"went", "go", "goes", "gone"}
    assert forms_of("postgres") == ("postgres",)


@pytest.mark.parametrize(
    ("text", "found"), [("it's C++, node.js", ["it", "s", "c", "node", "js"]), ("ジェイ 数据库", ["ジェイ", "数据库"])]
)
def test_words_are_cut_as_the_index_cuts_them(text: str, found: list[str]) -> None:
    assert words(text) == found


def test_a_word_of_ascii_is_a_run_of_letters_and_digits() -> None:
    """Every other character parts words: controls, tabs, signs."""
    every = "".join(map(chr, range(128)))
    assert words(every) == ["0123456789", "abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrstuvwxyz"]
    assert words("".join(f"x{sign}" for sign in every if not sign.isalnum())) == ["x"] * (128 - 62)


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("What happened on 7 May 2023?", Dates((5,), (2023,), (7,))),
        ("What did she buy in March, 2024?", Dates((3,), (2024,), ())),
        ("may we march on?", Dates()),
        ("since 2022", Dates((), (2022,), ())),
        ("on 2026-03-01", Dates((3,), (2026,), (1,))),
    ],
)
def test_dates_are_read(text: str, dates: Dates) -> None:
    assert dates_in(text) == dates


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("What did we decide yesterday?", Dates((2,), (2028,), (29,))),
        ("what broke last night", Dates((2,), (2028,), (29,))),
        ("what have we done today", Dates((3,), (2028,), (1,))),
        ("the plan of two days ago", Dates((2,), (2028,), (28,))),
        ("what was it a week ago?", Dates((2,), (2028,), (23,))),
        ("what did I say on Wednesday", Dates((2,), (2028,), (23,))),
        ("last tuesday", Dates((2,), (2028,), (29,))),
        ("decisions of last month", Dates((2,), (2028,), ())),
        ("this month", Dates((3,), (2028,), ())),
        ("what happened last week?", Dates((2,), (2028,), (21, 22, 23, 24, 25, 26, 27))),
        ("this week", Dates((2, 3), (2028,), (1, 28, 29))),
        ("yesterday, on 7 May 2023", Dates((5,), (2023,), (7,))),
        ("the last weeks ago", Dates()),
    ],
)
def test_days_that_are_counted_back_are_read_from_the_day_of_the_question(text: str, dates: Dates) -> None:
    """A Wednesday, the first of a March after a leap day; without that day they are words."""
    assert dates_in(text, date(2028, 3, 1)) == dates
    assert bool(dates_in(text)) is ("2023" in text)


def test_nearness_falls_after_the_day_and_never_leaves_its_bounds() -> None:
    named = Dates((5,), (2023,), (7,))
    near = [nearness(date(2023, 5, day), named) for day in range(7, 18)]
    assert near == sorted(near, reverse=True)
    assert near[0] == 1.0
    assert nearness(date(2023, 5, 30), named) == 0.35
    assert nearness(date(2023, 6, 3), Dates((5,), (2023,))) == 0.35
    assert nearness(date(2022, 5, 7), named) == 0.0
    assert nearness(date(2024, 1, 1), Dates((2,), (2023,), (30,))) == 0.0


@given(st.dates(date(2000, 1, 1), date(2030, 12, 31)), st.integers(1, 12), st.integers(2000, 2030), st.integers(0, 31))
def test_whatever_is_clearly_near_lies_in_a_span(said: date, month: int, year: int, day: int) -> None:
    """The days that the store is asked for are those that count: the day named and after it, the month and the week after it."""
    named = Dates((month,), (year,), (day,) if day else ())
    near = nearness(said, named)
    inside = any(since <= said < until for since, until in spans(named))
    assert inside == (near > 0 if not day else near > 0.35)


def test_what_a_person_says_has_traits_and_what_a_tool_prints_has_none() -> None:
    text = "Wow, thanks! Did Nora fly to Lisbon yesterday?"
    said, printed = features.of_turn(text, "user"), features.of_turn(text, "tool")
    assert said.traits == Trait.REACTS | Trait.ASKS | Trait.ENDS_ASKING | Trait.TELLS_TIME
    assert said.names == 2
    assert (printed.traits, printed.names, printed.asked) == (0, 0, 0)
    assert {said.terms[at : at + TERM_BYTES] for at in range(0, said.asked, TERM_BYTES)} == set(
        map(mark_of, terms("Did Nora fly to Lisbon yesterday?"))
    )
    assert all(mark_of(term) in printed.terms for term in terms(text))


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("What did I say about the ledger?", "user"),
        ("what is my editor", "user"),
        ("What did you suggest for the ledger?", "assistant"),
        ("what did the assistant suggest", "assistant"),
        ("What does Nora like?", "nora"),
        ("What do Nora and Ben like?", None),
        ("What did Nora say to me?", None),
        ("which tool does the user have", None),
        ("what will happen", None),
    ],
)
def test_whose_words_are_meant(asked: str, meant: str | None) -> None:
    """ "I" is who asks, "you" the assistant, a name its bearer; of several nobody."""
    known = {"user", "assistant", "tool", "nora", "ben", "will smith"}
    assert question.speaker_meant(question.read(asked), known, {"user", "michael"}) == meant


def test_names_of_speakers_are_not_looked_for() -> None:
    asked = question.read("Where did Nora go?")
    assert set(question.looked_for(asked, {"nora"})) == {"go"}
    assert set(question.looked_for(question.read("Nora?"), {"nora"})) == {"nora"}
