"""The shipped packs keep their word: they load clean, prove their examples, and hold the properties any rule set must hold."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
import regex
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ethos.core.model.records import Claim, Origin
from ethos.core.rules.matcher import Rules
from ethos.core.rules.rule import Example, Rule, shortfall
from ethos.core.text.sentences import fold, mask
from tests.support import proven

BOOK = proven.book()
RULES = BOOK.rules
POSITIVE = [(rule, example) for rule in RULES.rules for example in rule.examples if example.want]
EXAMPLES = [(rule, example) for rule in RULES.rules for example in rule.examples]
SENTENCES = sorted({example.text for _, example in EXAMPLES})


def claims(text: str, rules: Rules = RULES) -> tuple[Claim, ...]:
    return rules.claims(text, role="user", speaker="speaker", origin=Origin.USER)


def core(found: tuple[Claim, ...]) -> set[tuple[str, str, str, str]]:
    return {(claim.rule, claim.subject, claim.object, claim.polarity) for claim in found}


# Chat made of our own examples, filler words and marks: near the rules, so that the properties are tried where they could break.
WORDS = st.sampled_from(
    [
        "maybe",
        "not",
        "if",
        "we",
        "I",
        "but",
        "never",
        "use",
        "and",
        ",",
        "?",
        ".",
        "\n",
        '"',
        "`x`",
        "don't",
        "Zoë",
        "\u02d1",
        "İ",
        "https://a.b/c",
    ]
)
# packs with rules that are held by themselves
SHIPPED = {
    "clauses-en",
    "core-en",
    "people-en",
    "tastes-en",
    "clause-people-en",
    "clause-agent-en",
    "agent-en",
    "projects-en",
    "changes-en",
    "clause-changes-en",
    "clause-tastes-en",
}
NEAR = st.lists(st.one_of(st.sampled_from(SENTENCES), WORDS), min_size=1, max_size=5).map(" ".join)
CHAT = st.one_of(NEAR, st.text(max_size=120), st.tuples(NEAR, st.text(max_size=20)).map("".join))


def test_e42_the_shipped_packs_load_without_a_problem() -> None:
    """Every rule is in the subset, has a literal to look for, and proves its examples; stable ones have two of each kind."""
    assert [str(problem) for problem in BOOK.problems] == []
    assert {pack.name for pack in BOOK.packs} >= SHIPPED
    assert all(rule.summary and rule.version >= 1 for rule in RULES.rules)


@pytest.mark.parametrize(("rule", "example"), EXAMPLES, ids=[f"{rule.id}:{example.text[:30]}" for rule, example in EXAMPLES])
def test_e14_examples_hold_with_all_packs_together(rule: Rule, example: Example) -> None:
    """A pack proves its examples alone at load; together with the others a positive may lose its words to a stronger rule, never gain."""
    own = tuple(claim for claim in claims(example.text) if claim.rule == rule.id)
    if example.want and not own:
        assert claims(example.text), "a stronger rule must have spoken instead"
    else:
        assert shortfall(example, own, example.text) == ""


WRITTEN_ANEW = {rule.id for rule in RULES.rules if rule.valid}  # in one way to write it, whatever stands in the text


@given(CHAT)
@settings(max_examples=120, derandomize=True, deadline=None)
def test_e14_the_prefilter_is_sound(text: str) -> None:
    """With the literals or without them, the same claims: a literal never hides a match (property 5)."""
    assert claims(text) == RULES.every_claim(text, role="user", speaker="speaker", origin=Origin.USER)


@given(CHAT | st.text(max_size=200))
@settings(max_examples=150, derandomize=True, deadline=None)
def test_e08_whether_a_rule_may_read_a_turn_is_told_as_its_hits_tell_it(text: str) -> None:
    """The importance of a turn hangs on it, and capture asks for no more."""
    assert RULES.may_read(text) == (RULES.hits(text) is not None)


@pytest.mark.parametrize(
    "text", ["_I'm 34 years old._", "**I prefer tea.**", "1) I'm 34, and *I prefer tea*", "`x`I'm 34 years old.", "Xi'm 34 now"]
)
def test_e14_markup_hides_no_claim(text: str) -> None:
    """A sentence begins behind its markup, as the words of it do: the prefilter sees them there too."""
    assert claims(text) == RULES.every_claim(text, role="user", speaker="speaker", origin=Origin.USER)


@given(CHAT)
@settings(max_examples=80, derandomize=True, deadline=None)
def test_e14_claims_stand_in_the_text(text: str) -> None:
    """Spans lie in the text, confidence in 0..1, hits need not be given, and reading twice gives the same."""
    found = claims(text)
    assert found == RULES.claims(text, role="user", speaker="speaker", origin=Origin.USER, hits=RULES.hits(text))
    for claim in found:
        assert 0 <= claim.start < claim.end <= len(text)
        assert 0.0 <= claim.confidence <= 1.0
        assert claim.object in text or " " in claim.object or claim.rule in WRITTEN_ANEW
        if claim.object in text:
            assert claim.object.strip() == claim.object


@pytest.mark.no_cover  # the same lines, hundreds of times
@pytest.mark.parametrize(("rule", "example"), POSITIVE, ids=[f"{rule.id}:{example.text[:30]}" for rule, example in POSITIVE])
def test_e14_capitals_and_curly_quotes_change_nothing(rule: Rule, example: Example) -> None:
    """The same rule reads the same span in capitals and with curly quotes (property 11)."""

    def spans(text: str) -> set[tuple[str, int, int, str]]:
        return {(claim.rule, claim.start, claim.end, claim.polarity) for claim in claims(text)}

    named = {r.id for r in RULES.rules if r.proper or (r.clause is not None and r.clause.naming)}
    plain = spans(example.text)
    if example.text.isascii():
        assert {span for span in spans(example.text.upper()) if span[0] not in named} >= {span for span in plain if span[0] not in named}
    assert spans(example.text.replace("'", "\u2019").replace('"', "\u201c")) == plain
    assert rule.id.partition("/")[0] in SHIPPED


@pytest.mark.no_cover  # the same lines, hundreds of times
@pytest.mark.parametrize("end", [" .", " !", " ...", " \U0001f60a"])
def test_e14_how_a_sentence_ends_changes_nothing(end: str) -> None:
    """A space before the final mark, an emoji behind: what is read, and the whole object, is what the bare sentence gives."""
    told = [
        example.text
        for rule, example in POSITIVE
        if rule.id.startswith(("people-en/", "tastes-en/", "clause-people-en/")) and example.text[-1] in ".!"
    ]
    missed = [text for text in told if core(claims(text[:-1] + end)) != core(claims(text))]
    assert len(told) > 200
    assert missed == []


def test_e14_a_blank_before_a_comma_changes_nothing() -> None:
    """Some set marks apart ("two cats , one dog"): an object ends at its last letter, and a list is read whole."""
    assert [claim.object for claim in claims("I have two cats , one is blind .")] == ["two cats"]
    assert [claim.object for claim in claims("I have two cats :)")] == ["two cats"]
    assert [claim.object for claim in claims("We enjoy rowing , old maps and long soups .")] == ["rowing , old maps and long soups"]


@pytest.mark.no_cover  # the same lines, hundreds of times
@pytest.mark.parametrize("text", [example.text for _, example in POSITIVE if not regex.search(r"[,;:]|\.\.|\band\b", example.text)])
def test_xe24_a_denied_sentence_never_yields_the_positive_fact(text: str) -> None:
    """Whatever a rule reads in a sentence, it does not read it in the same sentence denied."""
    affirmed = {(claim.rule, claim.object) for claim in claims(text) if claim.polarity == "+"}
    body = text[0].lower() + text[1:] if not text.startswith("I") else text
    for denied in (f"It is not true that {body}", f"Nobody said that {body}", f"I don't think {body}"):
        still = {(claim.rule, claim.object) for claim in claims(denied) if claim.polarity == "+" and claim.rule != "core-en/fact.marked"}
        assert not affirmed & still


@pytest.mark.parametrize(
    "text",
    [
        "We did not decide to use Redis.",
        "We decided not to use Redis.",
        "I don't love mushrooms.",
        "We didn't go with Postgres.",
        "We're not going with the blue design.",
        "Michael does not prefer Rust over Go.",
        "We won't use Redis for caching.",
        "I never loved jazz.",
        "The plan is not to ship on Friday.",
    ],
)
def test_xe24_every_way_of_saying_no(text: str) -> None:
    """The ways in which English denies each of the core phrases."""
    assert [claim for claim in claims(text) if claim.polarity == "+"] == []


@pytest.mark.parametrize(
    "text", ["Whatever.", "Nevertheless we eat", "I'd love to hear more!", "How's it going with the band?", "I would never do that"]
)
def test_e10_e11_words_that_only_contain_a_keyword_say_nothing(text: str) -> None:
    """`whatever` is not hate, and courtesy is not taste."""
    assert claims(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "Remember this: rotate the keys",
        "remember that we ship on Fridays",
        "Note this: the vault moved",
        "note that - the vault moved",
        "NOTE THAT the vault moved",
    ],
)
def test_e12_e17_xe6_every_form_of_a_mark_is_read(text: str) -> None:
    """The colon is optional for remember and note (X-E6)."""
    assert [claim.confidence for claim in claims(text) if claim.rule == "core-en/fact.marked"] == [0.85]


@given(NEAR.map(lambda text: text.replace("`", "").replace("~", "")))
@settings(max_examples=80, derandomize=True, deadline=None)
def test_masked_text_gives_no_claims(text: str) -> None:
    """In a code fence, behind `>` on every line, or between private marks nothing is the speaker's own word (property 7)."""
    assert claims(f"```\n{text}\n```") == ()
    assert claims("\n".join("> " + line for line in text.split("\n"))) == ()
    assert claims(f"<private>{text}</private>") == ()


@given(NEAR, NEAR)
@settings(max_examples=60, derandomize=True, deadline=None)
def test_paragraphs_do_not_change_one_another(first: str, second: str) -> None:
    """What is read in a paragraph does not depend on the one before or after it (properties 8 and 9)."""
    assume(mask(fold(f"{first}\n\nnext")).endswith("next"))  # a quotation that is opened and not closed goes on
    both = claims(f"{first}\n\n{second}")
    shift = len(first) + 2
    apart = {(c.rule, c.start, c.object) for c in claims(first)} | {(c.rule, c.start + shift, c.object) for c in claims(second)}
    assert {(c.rule, c.start, c.object) for c in both} == apart


@given(st.one_of(st.text(alphabet=st.characters(), max_size=80), st.text(alphabet=st.characters(categories=["Cs", "Cc"]), max_size=40)))
@settings(max_examples=80, derandomize=True, deadline=None)
def test_no_text_makes_the_rules_raise(text: str) -> None:
    """Lone surrogates, NUL and control characters are text like any other (property 13)."""
    claims(text)
    claims(f"We decided to use {text} and I love \ud800{text}")
    claims(f"{text}\x00 I love İstanbul {text}")


def test_a_line_of_a_megabyte_is_read_like_any_other() -> None:
    """No rule meets more than a sentence at a time, however long the line."""
    assert claims("we decided to use tea " * 2_000)
    (claim,) = claims("plain words about nothing, " * 38_000 + ". We decided to use Consul.")
    assert claim.object == "Consul"
    assert claims("a" * 1_000_000) == ()
    assert claims("") == ()


@pytest.mark.parametrize("text", ["Maybe we decided to use Consul", "I think I love olives", "Perhaps Ingrid prefers trains over planes"])
def test_a_hedge_weakens_and_never_strengthens(text: str) -> None:
    """Hedged claims keep six tenths of their confidence, and say so."""
    (claim,) = claims(text)
    assert claim.confidence < 0.6
    assert claim.modifiers == ("hedge x0.60",)


def test_the_same_in_another_process_and_in_any_order_of_files() -> None:
    """Claims and the rules hash do not depend on hash seeds or on the order in which packs are named (property 2)."""
    texts = SENTENCES[::7]
    program = (
        "import json, sys\n"
        "from ethos.edge.rulebook import load, shipped_rules\n"
        "rules = load(sorted(shipped_rules().glob('*-en.toml'), reverse=True)).rules\n"
        "texts = json.loads(sys.stdin.read())\n"
        "read = [[(c.rule, c.start, c.object) for c in rules.claims(t, role='user', speaker='speaker', origin=3)] for t in texts]\n"
        "print(json.dumps([rules.hash, read]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONHASHSEED": "12345", "PYTHONPATH": ":".join(sys.path)},
    )
    digest, read = json.loads(done.stdout)
    assert digest == RULES.hash
    assert read == [[[c.rule, c.start, c.object] for c in claims(text)] for text in texts]


def test_nobody_but_the_user_is_read_by_default() -> None:
    """Rules run on the user's own turns: not on tools, pages or the assistant, and not on pasted text in a user's turn."""
    text = "We decided to use Consul"
    assert claims(text)
    for origin in (Origin.EXTERNAL, Origin.TOOL, Origin.ASSISTANT):
        assert RULES.claims(text, role="user", speaker="u", origin=origin) == ()
    assert RULES.claims(text, role="assistant", speaker="a", origin=Origin.ASSISTANT) == ()
    assert RULES.claims(text, role="tool", speaker="t", origin=Origin.OPERATOR) == ()


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("Postgres", "databases"),
        ("PostgreSQL 16", "databases"),
        ("the Rust language", "languages"),
        ("uv", "package managers"),
        ("Python 3.11", "languages"),
        ("a walk", ""),
    ],
)
def test_e20_objects_have_classes(name: str, wanted: str) -> None:
    """Classes decide which objects can collide; versions and articles do not matter."""
    assert RULES.class_of(name) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "I love getting lost in those stories.",
        "I'm really into making this lately.",
        "We enjoy sharing our tools with them.",
        "I love escaping to that village.",
        "Evenings like this are special to me.",
        "The lamps I bought yesterday are dim.",
        "I've finished it.",
    ],
)
def test_an_object_that_hangs_on_what_was_said_before_is_no_fact(text: str) -> None:
    """What only points (this, those, them, it) means nothing a month later."""
    assert claims(text) == ()


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("My brother and I went to Lake Garda.", ("speaker", "went to", "Lake Garda")),
        ("My favorite test runner is vitest.", ("speaker", "favorite test runner", "vitest")),
        ("We switched from Solr to Typesense for the catalogue.", ("team", "uses", "Typesense")),
        ('I just read "The Long Ships" by Bengtsson.', ("speaker", "read", '"The Long Ships" by Bengtsson')),
        ("I prefer aisle seats.", ("speaker", "prefers", "aisle seats")),
        ("I enjoy rowing, old maps and long soups.", ("speaker", "enjoy", "rowing, old maps and long soups")),
    ],
)
def test_one_sentence_gives_one_fact_with_its_subject_and_its_whole_object(text: str, read: tuple[str, str, str]) -> None:
    """Subject, predicate and object together say what the sentence said, once."""
    (claim,) = claims(text)
    assert (claim.subject, claim.predicate, claim.object) == read


@pytest.mark.parametrize(
    "text", ["We switched from Penpot to Penpot.", "We decided to use Penpot instead of penpot.", "I prefer tea over tea."]
)
def test_what_takes_its_own_place_is_no_claim(text: str) -> None:
    """It says nothing new; and no weaker rule reads it in its place."""
    assert claims(text) == ()


def test_only_what_one_can_have_but_once_is_single() -> None:
    """Two allergies, hobbies or children do not contradict each other; two names, birthdays or homes do."""
    texts = [
        "I'm allergic to nuts.",
        "My hobbies are chess and rowing.",
        "I have two sons.",
        "I speak Greek.",
        "I love tea.",
        "I own a boat.",
    ]
    assert {claim.cardinality for text in texts for claim in claims(text)} == {"multi"}
    once = [
        "I live in Ghent.",
        "Call me Teo.",
        "My birthday is in May.",
        "I work as a tuner.",
        "I prefer tea.",
        "My favorite tea is sencha.",
    ]
    assert {claim.cardinality for text in once for claim in claims(text)} == {"single"}
