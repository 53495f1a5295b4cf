"""Facts are told from outside: whoever reads them later is not the one who said them (E-41)."""

from __future__ import annotations

import pytest

from ethos.core.model.records import Origin
from ethos.core.rules.matcher import Rules
from ethos.core.text.language.phrasing import phrase
from ethos.core.text.language.pronouns import fronted, third_person

TOLD = [
    ("My family is my motivation.", "Maren's motivation is their family"),
    ("I lost my job at the harbor.", "Maren lost their job at the harbor"),
    ("I love pushing myself.", "Maren loves pushing themself"),
    ("I love songs I sang with my kids.", "Maren loves songs they sang with their kids"),
    ("I love cooking for my brother.", "Maren loves cooking for their brother"),
    ("We went camping with my aunt.", "team went camping with their aunt"),
    ("Baking bread is a passion of mine.", "Maren's passion is baking bread"),
    ("The Long Walk is one of my favorites.", "Maren's favorites include The Long Walk"),
    ("I read this odd little book about moss.", "Maren read an odd little book about moss"),
    ("I usually tend my roses at dawn.", "Maren usually tends their roses at dawn"),
    ("We love songs about our harbor.", "Maren loves songs about their harbor"),
    ("Rowing helps me sleep.", "Maren is helped by rowing"),
    ("Always apply the changes yourself.", "agent should apply the changes itself"),
    ("Always run ruff before you say you are done.", "agent should run ruff before they say they are done"),
    ("I bike to work.", "Maren bikes to work"),
    ("I dream of crossing the Alps.", "Maren dreams of crossing the Alps"),
    ("My goal is to run a bakery by the sea.", "Maren's goal is to run a bakery by the sea"),
    ("Never ask me about the budget.", "agent should not ask the user about the budget"),
]


@pytest.mark.parametrize(("said", "told"), TOLD)
def test_e41_what_one_said_of_oneself_is_told_of_another(rules: Rules, said: str, told: str) -> None:
    """My and myself are the speaker's; what stood at the head of its sentence has no capital there; one favorite is not all of them."""
    claims = rules.claims(said, role="user", speaker="Maren", origin=Origin.USER)
    assert [phrase(claim.subject, claim.predicate, claim.object, claim.polarity, "Maren") for claim in claims] == [told]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("We use Redis for caching.", "team uses Redis for caching"),
        ("Use the ticket id as a branch name.", "team uses the ticket id as a branch name"),
        ("For the queue, use Redis streams.", "team uses Redis streams for the queue"),
        ("For the staging hosts, let's use Nomad.", "team uses Nomad for the staging hosts"),
        ("If the path is local, use rsync.", "team uses rsync if the path is local"),
    ],
)
def test_e41_what_a_thing_is_used_for_is_told_with_it(rules: Rules, said: str, told: str) -> None:
    claims = rules.claims(said, role="user", speaker="Maren", origin=Origin.USER)
    assert [phrase(c.subject, c.predicate, c.object, c.polarity, "Maren", c.purpose or "") for c in claims] == [told]


@pytest.mark.parametrize(
    ("words", "subject", "told"),
    [
        ("me and my dog", "Maren's brother", "Maren and Maren's dog"),
        ("things I'm good at and we were proud of", "Maren", "things they are good at and they were proud of"),
        ('"My Fair Lady" and my cat', "Maren", '"My Fair Lady" and their cat'),
        ("a friend of mine near the coal mine", "Maren", "a friend of theirs near the coal mine"),
        ("the US in World War I", "Maren", "the US in World War I"),
        ("type I collagen", "Maren", "type I collagen"),
        ("our logs before you ask me", "agent", "the team's logs before they ask the user"),
        ("this tall oak", "Maren", "a tall oak"),
        ("our cluster", "Postgres", "our cluster"),
    ],
)
def test_e41_other_words_stay_as_they_were_said(words: str, subject: str, told: str) -> None:
    """What is "ours" stays of a thing; titles, numbers and countries are no first person."""
    assert third_person(words, subject, "Maren") == told


@pytest.mark.parametrize(
    ("words", "subject", "told"),
    [
        ("what I'd read", "Joris", "what Maren would read"),
        ("me hope in my work", "Chess", "Maren hope in their work"),
        ("our van and my bike", "The garage", "our van and Maren's bike"),
        ('"My Way" and my song', "The jukebox", '"My Way" and Maren\'s song'),
    ],
)
def test_e41_of_a_thing_the_speaker_is_named_once(words: str, subject: str, told: str) -> None:
    """Nobody who reads the sentence later knows who "me" was."""
    assert third_person(words, subject, "Maren") == told


@pytest.mark.parametrize(
    ("subject", "predicate", "thing", "told"),
    [
        ("Losing my job", "gave me", "the push to leave my town", "Losing their job gave Maren the push to leave their town"),
        ("Vouchers", "run", "24 months", "Vouchers run 24 months"),
        ("Jonas", "run", "a bakery", "Jonas runs a bakery"),
        ("Maren", "brew", "with a Chemex every morning", "Maren brews with a Chemex every morning"),
        ("team", "log to", "Loki", "team logs to Loki"),
        ("team", "are down to", "4 people", "team is down to 4 people"),
        ("Maren", "only look at", "issues on weekends", "Maren only looks at issues on weekends"),
        ("Maren", "only", "look at issues", "Maren only looks at issues"),
        ("Maren", "client", "a surf school", "Maren's client is a surf school"),
        ("Maren", "escape from life struggles", "Playing games", "Maren's escape from life struggles is playing games"),
        ("Maren", "enjoys", "lend a hand", "Maren likes to lend a hand"),
        ("Maren", "values", "The rainbow mural", "Maren values the rainbow mural"),
    ],
)
def test_e41_a_fact_is_a_sentence_that_one_would_sign(subject: str, predicate: str, thing: str, told: str) -> None:
    """Its verb agrees with the subject, and a noun in the place of the verb is told as something that one has."""
    assert phrase(subject, predicate, thing, "+", "Maren") == told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("Making art", "making art"),
        ("Dancing", "dancing"),
        ("Family time", "family time"),
        ("The mural", "the mural"),
        ("The Hobbit", "The Hobbit"),
        ("Being Mortal", "Being Mortal"),
        ("Beijing", "Beijing"),
        ("Music", "Music"),
    ],
)
def test_a_verb_at_the_head_of_its_sentence_has_no_capital_later(words: str, told: str) -> None:
    """A title, a town, and what may be a name keep theirs."""
    assert fronted(words) == told


def test_whose_relative_a_person_is_is_told_by_name() -> None:
    """ "Ewa is my wife" was said by somebody with a name."""
    assert phrase("Ewa", "is my", "wife", "+", "Dominik") == "Ewa is Dominik's wife"
    assert phrase("Ewa", "is my", "wife", "+") == "Ewa is my wife"
