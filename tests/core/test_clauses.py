"""Words are tagged, and sentences split into clauses: who does what, in which form, up to where."""

from __future__ import annotations

import pytest

from ethos.core.rules.explain import clauses_seen
from ethos.core.text.language.everyday import is_everyday
from ethos.core.text.language.specific import is_specific
from ethos.core.text.language.tagging import forms_of, tag, verb_of

SEEN = [
    ("Last week my sister and I joined a club near the mill.", [("my sister and i", "we", "join", "past", "a club near the mill")]),
    ("Our flour comes from a mill in Graz, so bread costs more.", [
        ("our flour", "mine", "come", "present", "from a mill in graz"),
        ("bread", "thing", "cost", "present", "more"),
    ]),
    ("My aunt Olga, who teaches physics, is going to paint the barn.", [
        ("my aunt olga", "which", "teach", "present", "physics"),
        ("my aunt olga", "kin", "paint", "present will", "the barn"),
    ]),
    ("The export must accept CSV and be quick.", [
        ("the export", "thing", "accept", "present must", "csv"),
        ("the export", "thing", "be", "present must", "quick"),
    ]),
    ("We don't eat meat, but my brother does.", [
        ("we", "we", "eat", "present denied", "meat"),
        ("my brother", "kin", "do", "present", ""),
    ]),
    ("Just finished a puzzle of six sheep!", [("", "unsaid", "finish", "past", "a puzzle of six sheep")]),
    ("Never commit to main.", [("", "order", "commit", "order denied", "to main")]),
    ("The kiln that I bought in May has been repaired.", [
        ("i", "i", "buy", "past", "in may"),
        ("the kiln", "thing", "repair", "present perfect passive", ""),
    ]),
    ("I have to leave early and used to live in Oslo.", [
        ("i", "i", "leave", "present must", ""),
        ("i", "i", "live", "past", "in oslo"),
    ]),
    ("Painting fences takes days.", [("painting fences", "thing", "take", "present", "days")]),
    ("Jobs get queued with Celery, and the queue got moved to Redis.", [
        ("jobs", "thing", "queue", "present passive", "with celery"),
        ("the queue", "thing", "move", "past passive", "to redis"),
    ]),
    ("this one's proprietary, the van's parked in Leith", [
        ("this one", "thing", "be", "present", "proprietary"),
        ("the van", "thing", "be", "present", "parked in leith"),
    ]),
    ("raised the page size for scans to 40 MB", [("", "unsaid", "raise", "past", "the page size for scans to 40 mb")]),
    ("the safety radius is 300 m around each crane", [("the safety radius", "thing", "be", "present", "300 m around each crane")]),
    ("We have a dog, Pretzel.", [("we", "we", "have", "present", "a dog"), ("dog", "thing", "be", "present", "pretzel")]),
    ("We have a plan, Maria.", [("we", "we", "have", "present", "a plan")]),
    ("login timeout = 20 min", [("login timeout", "thing", ":", "present", "20 min")]),
    ("login timeout -> 60 min, deployed", [("login timeout", "thing", ":", "present", "60 min")]),
    ("dose for the cat's thyroid: 2.5 mg twice daily", [("dose for the cat 's thyroid", "thing", ":", "present", "2.5 mg twice daily")]),
    ("im selling the boat, it cant be repaired", [
        ("i", "i", "sell", "present progressive", "the boat"),
        ("it", "it", "repair", "present can passive denied", ""),
    ]),
]  # fmt: skip


@pytest.mark.parametrize(("said", "clauses"), SEEN)
def test_clauses_are_who_does_what(said: str, clauses: list[tuple[str, ...]]) -> None:
    """Subjects are shared and left out, forms resolved ("going to", "used to"), and what stands behind the verb ends with its clause."""
    assert [(each.subject, each.who, each.verb, each.form, each.object) for each in clauses_seen(said)] == clauses


@pytest.mark.parametrize("said", ["", "\n", " \t "])
def test_what_has_no_word_has_no_tag(said: str) -> None:
    """An imported object may be a line break; `why` of its fact once failed."""
    assert (list(tag(said).words), tag(said).tags) == ([], "")


def test_a_request_is_asked_and_a_condition_is_opened_by_its_word() -> None:
    """Neither says that it is so."""
    asked, opened = list(clauses_seen("Could you check the oven when I bake bread?"))
    assert (asked.asked, opened.opener) == (True, "when")


@pytest.mark.parametrize(("form", "verb"), [("knitted", "knit"), ("studies", "study"), ("wrote", "write"), ("is", "be")])
def test_a_verb_has_one_base_form_and_all_its_forms(form: str, verb: str) -> None:
    """The forms of the base lead back to it: by them a sentence is looked for."""
    assert verb_of(form) == verb
    assert form in forms_of(verb)


def test_what_a_word_is_the_words_around_it_tell() -> None:
    """A plan is a noun behind "the", and a verb behind "we"."""
    assert tag("we plan the trip").tags[1] == "V"
    assert tag("the plan is good").tags[1] == "N"


@pytest.mark.parametrize(
    ("said", "phrase", "named"),
    [
        ("prod runs on Fedora", "Fedora", True),
        ("i do all my editing in helix", "helix", True),
        ("the limit is 80 requests", "80 requests", True),
        ("book club meets on tuesdays", "tuesdays", True),
        ("the config lies in conf/limits.toml", "conf/limits.toml", True),
        ("we use a small tool", "a small tool", False),
        ("the meeting was a disaster", "a disaster", False),
        ("she has two cats", "two cats", False),
        ("I Deleted The Old File", "The Old File", False),
    ],
)
def test_a_phrase_is_specific_by_a_name_number_code_or_day(said: str, phrase: str, *, named: bool) -> None:
    """A word that no dictionary has is a name in lower case, too; small numbers tell nothing by themselves."""
    tagged = tag(said.lower())
    spans = tagged.spans()
    start = said.index(phrase)
    within = [number for number, (low, _) in enumerate(spans) if start <= low < start + len(phrase)]
    assert is_specific(tagged.words, tagged.tags, said, spans, (within[0], within[-1] + 1)) == named


@pytest.mark.parametrize("word", ["laptops", "rewriting", "unhappily", "colleagues", "half-baked", "databases", "snackin'"])
def test_forms_of_everyday_words_are_everyday_words(word: str) -> None:
    """A dictionary has the base form."""
    assert is_everyday(word)


@pytest.mark.parametrize("word", ["gdal", "vitest", "cockroachdb", "nixos", "zadar"])
def test_names_are_no_everyday_words(word: str) -> None:
    """Whatever is in no list is likely a name."""
    assert not is_everyday(word)


@pytest.mark.parametrize(
    ("said", "tags"),
    [
        ("on-call lead for payments is deepa", "NNINBN"),
        ("reverse proxy is nginx", "NNBN"),
        ("staging is at noon", "NBIN"),
        ("i love life right now", "iVNRR"),
        ("turn right at the corner", "VNIDN"),
        ("tests in this project use pytest", "NIDNVN"),
        ("hope prod is fine", "VNBA"),  # a clause may follow
        ("the tool we use is new", "DNwVBA"),
        ("hes called wim", "hBnN"),
        ("its called wim", "tBnN"),
        ("and its", "CtB"),  # cut off there
        ("i like its name", "iVuN"),
        ("theyre in the barn", "hBIDN"),
    ],
)
def test_a_clause_has_one_finite_verb(said: str, tags: str) -> None:
    """What comes later in a clause tells which word is its verb; apostrophes may be missing."""
    assert tag(said).tags == tags
