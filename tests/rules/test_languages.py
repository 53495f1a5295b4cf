"""Packs in another language: their own words for the speaker and their own modifiers; no code knows the language."""

from __future__ import annotations

from collections.abc import Sequence

from ethos.core.model.records import Claim, Origin
from ethos.core.rules.captures import translated
from ethos.edge.rulebook import Rulebook, load, shipped_rules
from tests.support import proven


def loaded(*languages: str) -> Rulebook:
    return load([shipped_rules()], cache=proven.PROOFS, languages=languages)


def claims(book: Rulebook, text: str) -> Sequence[Claim]:
    return book.rules.claims(text, role="user", speaker="Ada", origin=Origin.USER)


def test_e42_a_shipped_pack_of_another_language_is_loaded_where_it_is_asked_for() -> None:
    """By default there is English alone; a second language changes nothing that is read in the first."""
    english, both = loaded("en"), loaded("en", "de")
    assert {pack.name for pack in both.packs} - {pack.name for pack in english.packs} == {"people-de"}
    assert both.problems == ()
    assert claims(english, "Ich wohne in Leipzig.") == ()
    text = "I prefer tabs over spaces. We will never use Jira, so nie wieder."
    assert claims(both, text) == claims(english, text) != ()
    assert english.rules.hash != both.rules.hash


def test_e42_a_pack_says_who_the_speaker_is_and_what_denies() -> None:
    """ "Ich" is the speaker, "meine Katze" is the speaker's; "keinen" denies, "glaube ich" weakens, "wenn" supposes."""
    book = loaded("en", "de")
    (home,) = claims(book, "Ich wohne in Leipzig.")
    assert (home.subject, home.predicate, home.object) == ("Ada", "wohnt in", "Leipzig")
    (cat,) = claims(book, "Meine Katze heißt Minka.")
    assert (cat.subject, cat.object) == ("Ada's Katze", "Minka")
    (herb,) = claims(book, "Ich mag keinen Koriander.")
    assert (herb.object, herb.polarity) == ("Koriander", "-")
    (unsure,) = claims(book, "Ich glaube, ich wohne in Leipzig.")
    assert unsure.confidence < home.confidence
    assert claims(book, "Wenn ich in Leipzig wohne, brauche ich ein Rad.") == ()
    assert claims(book, "Wohne ich in Leipzig?") == ()


def test_e42_a_pronoun_is_translated_alone_and_before_a_noun() -> None:
    """Only a whole word counts, and only an owner stands before a noun."""
    pronouns = {"ich": "i", "wir": "we", "meine": "my", "unser": "our"}
    said = ["Ich", "wir", "Meine Frau", "unser Server", "Ichthys", "ich selbst", "meine"]
    assert [translated(each, pronouns) for each in said] == ["i", "we", "my Frau", "our Server", "Ichthys", "ich selbst", "my"]  # type: ignore[arg-type]
