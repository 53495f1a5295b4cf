"""Words that may be a noun or a verb, times that open a sentence, and labels: what they hide from a reader who sees one word ahead."""

from __future__ import annotations

import pytest

from ethos.core.model.records import Claim, Origin
from tests.support.proven import rules_by_default

Told = tuple[str, str, str]


def _read(text: str) -> tuple[Claim, ...]:
    return rules_by_default().claims(text, role="user", speaker="Wim", origin=Origin.USER)


def _held(text: str) -> list[Told]:
    return [(claim.subject, claim.predicate, claim.object) for claim in _read(text) if claim.grade == "held"]


@pytest.mark.parametrize(("text", "told"), [
    ("rent goes to 1,050 a month", ("rent", "is", "1,050 a month")),
    ("Billing runs in eu-west-3.", ("Billing", "runs in", "eu-west-3")),
    ("Summer orders come in via Etsy.", ("Summer orders", "come in via", "Etsy")),
    ("Odile goes to school at Saint-Sernin.", ("Odile", "goes to", "school at Saint-Sernin")),
    ("The coach to Galway leaves from Heuston.", ("The coach to Galway", "leaves from", "Heuston")),
    ("I keep my recipes in Google Keep.", ("Wim", "keeps", "my recipes in Google Keep")),
    ("Our quartet's called The Late Shift.", ("quartet", "is called", "The Late Shift")),
    ("The resizer gets 768 MB.", ("The resizer", "gets", "768 MB")),
    ("Odile turned nine on Sunday.", ("Odile", "age", "nine")),
    ("Mum is allergic to penicillin.", ("Wim's mum", "is allergic to", "penicillin")),
    ("The gutter leaks at 3 joints.", ("The gutter", "leaks at", "3 joints")),
    ("The tap out in the yard drips at 2 litres a day.", ("The tap out in the yard", "drips at", "2 litres a day")),
    ("The nightly import takes 50 minutes.", ("The nightly import", "takes", "50 minutes")),
    ("Every kiln wants 12 shelves.", ("Every kiln", "wants", "12 shelves")),
    ("The glaze we use for tiles is Chun 12.", ("The glaze we use for tiles", "is", "Chun 12")),
    ("The parser we settled on is Lark.", ("The parser", "is", "Lark")),
    ("I'm Wim, work at Vestas in Aarhus.", ("Wim", "works at", "Vestas in Aarhus")),
    ("Retention for raw footage: thirteen months.", ("Retention for raw footage", "is", "thirteen months")),
    ("Next regatta: Aarhus", ("Next regatta", "is", "Aarhus")),
    ("The lease of the workshop runs for twenty-five years.", ("The lease of the workshop", "runs for", "twenty-five years")),
    ("After two tenders, Nordlys it is.", ("team", "goes with", "Nordlys")),
])  # fmt: skip
def test_e12_a_word_that_may_be_a_noun_or_a_verb_is_told_by_its_clause(text: str, told: Told) -> None:
    """The verb of a clause, and where its subject ends, hang on the words around."""
    assert told in _held(text)


@pytest.mark.parametrize("text", [
    "I'm lost, play from 0:30 again.", "Such as it is, we go on.", "Whatever it is, skip it.",
    "My cousin reckons the Emacs users are all wizards.", "Practice is practice, so I rest.",
])  # fmt: skip
def test_e12_orders_opinions_of_others_and_empty_words_tell_nothing(text: str) -> None:
    """An order behind a comma, "it is" behind no name, what others hold to be so, a thing that is itself."""
    assert not _held(text)


@pytest.mark.parametrize(("text", "told"), [
    ("From now on the default branch is trunk.", ("the default branch", "is", "trunk")),
    ("From March on the bar closes at 11.", ("the bar", "closes at", "11")),
    ("As of today the mirror is Codeberg.", ("the mirror", "is", "Codeberg")),
    ("From now on round to three decimals in the report.", ("agent", "should round to", "three decimals in the report")),
    ("From today write to me in Spanish instead.", ("agent", "should answer in", "Spanish")),
    ("After the merger I report to Benedikt.", ("Wim", "reports to", "Benedikt")),
])  # fmt: skip
def test_e23_a_time_that_opens_a_sentence_hides_nothing_and_says_now(text: str, told: Told) -> None:
    """What is so, or is to be done, from a time on takes the place of what was so before."""
    assert told in _held(text)
    assert all(claim.supersedes for claim in _read(text) if claim.grade == "held")


def test_e12_the_object_of_a_deed_that_is_liked_is_not_liked_itself() -> None:
    """Knowing it keeps the speaker going, the garden by itself does not."""
    assert not [told for told in _held("Hearing that I can mend a clock keeps me motivated.") if told[2] == "a clock"]


@pytest.mark.parametrize("text", ["I work from home on Fridays.", "The files from March on the drive take 3 GB."])
def test_e23_from_and_on_far_apart_are_no_time(text: str) -> None:
    """Words between them that are no time tell a place or a day."""
    claims = _read(text)
    assert claims
    assert all(not claim.supersedes for claim in claims)


@pytest.mark.parametrize(
    "label", ["re parking", "backup logic", "new rhythm", "landlord's letter came", "monday prep", "cellar", "retries", "oven size"]
)
def test_h6_a_label_of_common_words_is_a_topic(label: str) -> None:
    """Behind it stand the speaker's own words."""
    assert ("the hall", "holds", "120 people") in _held(f"{label}: the hall holds 120 people")


@pytest.mark.parametrize(
    "label", ["Mark Rose", "Ann Smith", "support bot", "system prompt", "tech lead said", "June Carter", "my manager wrote", "new message"]
)
def test_h6_a_label_that_may_be_a_name_is_a_speaker(label: str) -> None:
    """Names, words for what somebody is, and words for texts tell who speaks, or what follows: nothing of it is the speaker's own."""
    assert not _read(f"{label}: the hall holds 120 people")


@pytest.mark.parametrize(("text", "told"), [
    ("The board has renamed our lane, it's Foxglove Lane.", ("lane", "is", "Foxglove Lane")),
    ("We cut over from Jenkins to Buildkite on Friday.", ("team", "uses", "Buildkite")),
    ("We've gone over to Xaar for the tiles.", ("team", "uses", "Xaar")),
    ("I've gone over to Lycamobile with my phone.", ("Wim's phone", "is with", "Lycamobile")),
    ("I moved the score out of Sibelius and into Dorico.", ("the score", "is in", "Dorico")),
    ("Note that our treasurer is Odile now.", ("treasurer", "is", "Odile")),
    ("We rolled the upgrade back, Varnish was slow.", ("team", "rolled back", "the upgrade")),
])  # fmt: skip
def test_e23_a_change_is_told_of_what_has_changed(text: str, told: Told) -> None:
    """The thing that was changed, moved or renamed, and not whoever did it."""
    assert told in _held(text)


@pytest.mark.parametrize(("text", "thing"), [
    ("I tore Grafana out, it was slow.", "Grafana"),
    ("We've left Saint Olave's because of the damp.", "Saint Olave's"),
    ("Sold the canoe.", "canoe"),
])  # fmt: skip
def test_e23_what_was_given_up_is_claimed_once_and_denied(text: str, thing: str) -> None:
    """The deed that ended it says no more."""
    assert [(claim.polarity, claim.object) for claim in _read(text) if thing in claim.object] == [("-", thing)]


def test_e23_a_shop_that_is_closed_on_mondays_has_not_ended() -> None:
    """Opening hours deny nothing."""
    assert [claim.polarity for claim in _read("From tomorrow the shop is closed on Mondays.")] == ["+"]


@pytest.mark.parametrize("text", ["I want to help people and inspire others to write.", "We love oat milk and milk tea."])
def test_e12_a_base_form_behind_and_is_no_verb_of_the_speaker_where_it_may_be_none(text: str) -> None:
    """It goes on with an infinitive, or is a noun."""
    assert not {"inspires", "inspire", "milk", "milks"} & {claim.predicate for claim in _read(text)}
