"""Where somebody stands in work, in love, at school, and the words by which that ends (JUDGEMENT: what changes is heard)."""

from __future__ import annotations

import pytest

from ethos.core.text.language.mentions import told_in
from ethos.core.text.language.stations import signs_of_end, station_of, words_of_end


@pytest.mark.parametrize(
    ("text", "station", "whose"),
    [
        ("I got laid off on Friday", "work", ""),
        ("quit my job at the mill last week", "work", ""),
        ("dad retired last week!", "work", "dad"),
        ("my sister got sacked in May", "work", "sister"),
        ("my brother has left the navy and lost his job", "work", "brother"),
        ("finally handed in my notice", "work", ""),
        ("the new job is fun", "work", ""),
        ("Tom and I broke up", "love", ""),
        ("he dumped me", "love", ""),
        ("we called the whole wedding off", "love", ""),
        ("Tobias started first grade yesterday", "school", "tobias"),
        ("I dropped out in March", "school", ""),
    ],
)
def test_e20_an_end_is_read_with_whose_it_is(text: str, station: str, whose: str) -> None:
    """The words of it stand in the lexicon, and the nearest subject says whose it is."""
    told = told_in(text)
    assert told is not None
    assert [(each.station, each.whose) for each, _ in told.ended] == [(station, whose)]


@pytest.mark.parametrize(
    "text",
    [
        "I quit smoking last year",
        "I will retire at sixty",
        "did I get laid off?",
        "if I got laid off I would travel",
        "I never quit my job",
        "we split up the monolith",
        "I got fired up about it",
        "let me go through the list",
        "I'm looking for a new job",
        "we retired the old server",
        "he lost his job",  # nobody knows whose
    ],
)
def test_e20_what_ends_no_station_is_left_alone(text: str) -> None:
    """A plan, a question, a supposition, a denial; another thing that was ended."""
    told = told_in(text)
    assert told is None or not [each for each, _ in told.ended if not each.whose or each.whose != "he"]


@pytest.mark.parametrize(
    ("predicate", "said", "subject", "station"),
    [
        ("work as", "a paralegal at Hartmann", "sam", ("work", "sam")),
        ("be", "a bus driver", "sam's dad", ("work", "sam's dad")),
        ("be", "a night owl", "sam", ("", "sam")),
        ("be", "a runner", "sam", ("", "sam")),
        ("be called", "Nina", "sam's girlfriend", ("love", "sam")),
        ("be engaged to", "Rosalind", "sam", ("love", "sam")),
        ("be in", "kindergarten", "tobias", ("school", "tobias")),
        ("be in", "Lisbon", "tobias", ("", "tobias")),
        ("use", "Postgres", "team", ("", "team")),
    ],
)
def test_e20_a_fact_tells_a_station(predicate: str, said: str, subject: str, station: tuple[str, str]) -> None:
    """By its predicate, by the noun of what one has, or by a trade."""
    assert station_of(predicate, said, subject) == station


def test_e20_every_end_is_found_by_its_words() -> None:
    """A turn that may come to matter for a fact is looked for by these words."""
    assert {"quit", "laid", "retired"} <= words_of_end("work")
    assert {"split", "broke", "divorced"} <= words_of_end("love")
    assert words_of_end("") == frozenset()
    assert words_of_end("school") < signs_of_end()
