"""Patterns of the portable subset, and the literals without which they cannot match."""

from __future__ import annotations

import json
import re

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from ethos.core.rules.regex.literals import Literals, derive
from ethos.core.rules.regex.syntax import BadPattern, parse
from ethos.core.text.sentences import FILLER, fold, mask, may_begin, sentences

PATTERNS = [
    r"\b(?P<subject>i|we) (?:really |always ){0,2}prefer (?P<object>[^.!?;,\n]{2,80})",
    r"(?:colou?r|shade) of (?P<object>\w{2,20})",
    r"(?P<object>[a-z]{2,20}) (?:is|are) (?:gone|lost)",
    r"\bswitched (?:from (?P<old>[^,\n]{1,40}?) )?to (?P<object>\w{2,20})",
    r"(?:a|b|c)(?:d|e)x{2,3}y?z",
    r"(?=so )so (?P<object>\w{1,9})(?<!x) on",
    r" +tea[ -]time",
]


def literals(pattern: str) -> tuple[str, ...]:
    found = derive(parse(pattern).tree)
    assert found is not None
    return found.strings


def test_a_prefix_set_is_preferred_and_anchors_the_match() -> None:
    """Where every match begins with one of a few strings, the pattern is tried at these places and nowhere else."""
    found = derive(parse(r"\b(?P<subject>i|we) (?:really )?abhor (?P<object>\w{2,9})").tree)
    assert found is not None
    assert (found.anchored, found.boundary) == (True, True)
    assert found.strings == ("i abhor ", "i really abhor ", "we abhor ", "we really abhor ")


def test_a_rare_word_inside_beats_a_common_beginning() -> None:
    """`the ` stands everywhere in English; the set that is looked for is the one that text hits least."""
    found = derive(parse(r"(?:the|my) (?P<subject>\w{2,9}) outperforms (?P<object>\w{2,9})").tree)
    assert found is not None
    assert found.strings == (" outperforms ",)
    assert not found.anchored


def test_what_stands_beside_a_literal_is_known_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """`like ` stands in every third turn, "i like" and "really like" hardly ever: a literal grows by its neighbours while they are few."""
    found = derive(parse(r"\b(?:i|we) (?:(?:really|truly) ){0,9}(?:like|enjoy) (?P<object>\w{2,9})").tree)
    assert found is not None
    assert found.strings == tuple(sorted(f"{left} {verb} " for left in ("i", "we", "really", "truly") for verb in ("like", "enjoy")))
    monkeypatch.setattr("ethos.core.rules.regex.required_literals.MAX_GROWN", 32)
    verbs = "like|enjoy|adore|prize|favour|hate|miss|want|need|choose|pick|use|keep|try|buy|sell|own|rent|lend|hire|read|write|sing|paint"
    subjects, adverbs = "(?:i|we|they|you|all|both|some|many|most|few|others|people)", "(?:(?:really|truly|just|also|now|still) ){0,9}"
    found = derive(parse(rf"\b{subjects} {adverbs}(?:{verbs}) (?P<object>\w{{2,9}})").tree)
    assert found is not None
    assert found.strings == tuple(sorted(f"{verb} " for verb in verbs.split("|")))
    assert {"i ", "we ", "really ", "still "} < set(found.preceded_by)
    assert len(found.preceded_by) == 18


def test_what_may_stand_between_a_literal_and_the_beginning_is_not_forgotten() -> None:
    """ "tests first" stands behind "write " and behind "write the "; where an optional word is skipped is not all that is known."""
    found = derive(parse(r"(?:^|, )write (?P<object>(?:the |your )?tests? (?:first|before (?!it\b)[^,\n]{2,40}?))(?=$|,)").tree)
    assert found is not None
    assert found.strings == ("test before ", "test first", "tests before ", "tests first")
    assert found.preceded_by == () or {"the ", "your "} <= set(found.preceded_by)


def test_a_literal_at_the_beginning_of_a_sentence_counts_only_there() -> None:
    """`make ` opens an order and stands in the middle of much else."""
    found = derive(parse(r"(?:^|, |\bplease )make (?P<object>\w{2,9})").tree)
    assert found is not None
    assert found.strings == (", make ", "make ", "please make ")
    assert found.at_sentence_start == ("make ",)
    found = derive(parse(r"(?:^|, )\w{1,9} (?:outperforms) (?P<object>\w{2,9})").tree)
    assert found is not None
    assert found.at_sentence_start == ()


@pytest.mark.parametrize(
    ("text", "at", "possible"),
    [
        ("make tea", 0, True),
        ("we make tea", 3, False),
        ("so, make tea", 4, False),
        ("done. make tea", 6, True),
        ('"done!" make tea', 8, True),
        ("1) make tea", 3, True),
        ("- [x] make tea", 6, True),
        ("a\n  make tea", 4, True),
        ("_make_ tea", 1, True),
        ("<private>a b</private>make tea", 22, True),
        ("word " * 500 + "make tea", 2_500, True),
    ],
)
def test_where_a_sentence_may_begin(text: str, at: int, *, possible: bool) -> None:
    """What is refused must be certain: wherever sentences are cut, they may begin."""
    assert may_begin(text, at) is possible
    assert all(may_begin(text, sentence.start) for sentence in sentences(mask(text), at))


def test_a_fence_in_the_last_line_is_one_whatever_comes_after() -> None:
    """A fence that a turn ends with masks its line, as with lines behind it; ticks that close in the same line are inline code."""
    opened = "so\n```make it lazy"
    assert mask(opened) == mask(f"{opened}\n\nwe use zig")[: len(opened)]
    assert "lazy" not in mask(opened)
    assert "make it lazy" in mask("```a b``` make it lazy")
    assert "make it lazy" in mask("```a b``` make it lazy\nand more")


@given(st.text(alphabet="ab1 .,!?()[]-*_#\"'`>\n\t", max_size=60))
@settings(max_examples=300, derandomize=True, deadline=None)
def test_every_sentence_begins_where_one_may(text: str) -> None:
    """However a text is marked up, none of its sentences begins at a place that was ruled out."""
    low = fold(text)
    masked = mask(low)
    for at in range(len(masked)):
        assert all(may_begin(low, sentence.start) for sentence in sentences(masked, at))


def test_a_head_tells_what_must_follow_the_literals() -> None:
    """ "i'm " stands in every fifth turn, with a number behind it hardly ever. A head ends where masked text could stand; and where it says
    no more than the literals do, there is none.
    """
    found = derive(parse(r"\b(?P<subject>i)(?:'?m| am) (?:(?:just|only) )?(?P<object>\d{1,3})(?= years|$)").tree)
    assert found is not None
    first = re.compile(found.first_pattern)
    assert all(first.match(text) for text in ("i'm 34 years", "im only 7 years", "i am 101 years old"))
    assert not any(first.match(text) for text in ("i'm glad", "i am just here", "im four"))
    found = derive(parse(r"\bcall (?:it|this) (?!not)(?:the )?(?P<object>[^,\n]{2,40}),").tree)
    assert found is not None
    assert found.first_pattern == ""
    found = derive(parse(rf"\bpointing (?:\d{{1,2}} )?to (?P<object>{FILLER}{{2,9}}|https)").tree)
    assert found is not None
    assert re.match(found.first_pattern, "pointing 7 to `x`")
    assert not re.match(found.first_pattern, "pointing seven to")


def test_a_large_further_set_is_looked_for_where_the_literals_are_common() -> None:
    """ "we have " stands in many turns, seldom with one of a hundred nouns; a rare literal needs no such help."""
    nouns = "cat|dog|hen|goat|bee|horse|sheep|duck|cow|twin|brace|glass|car|van|son|niece|hat|tent|boat|coat"
    common = derive(parse(rf"\b(?:i|we) have (?:[\w-]{{3,12}} )?(?P<object>(?:{nouns}))").tree)
    rare = derive(parse(rf"\b(?:i|we) bequeath (?:[\w-]{{3,12}} )?(?P<object>(?:{nouns}))").tree)
    assert common is not None
    assert rare is not None
    assert common.required_rare == tuple(sorted(f" {noun}" for noun in nouns.split("|")))
    assert rare.required_rare == ()


def test_literals_come_back_from_json() -> None:
    """What was derived once is remembered as JSON; other fields than ours are not taken for ours."""
    found = derive(parse(r"\b(?:i|we) (?:really ){0,9}like (?:the|my) \w{2,9}").tree)
    assert found is not None
    assert Literals.restored(json.loads(json.dumps(found))) == found
    with pytest.raises((TypeError, ValueError)):
        Literals.restored([["so "], True])


def test_optional_parts_give_no_literal() -> None:
    """What need not be there cannot be looked for."""
    assert derive(parse(r"(?:tea)?\w{1,5}").tree) is None
    assert derive(parse(r"\w{2,5} \w{2,5}").tree) is None


def test_code_in_a_slot_is_looked_for_by_what_was_masked() -> None:
    """Filler is part of no literal: where it stands, a backtick or an address stood in the text as written."""
    assert literals(f"{FILLER}{{2,9}}\\w{{1,3}}") == ("://", "`", "www.")


@pytest.mark.parametrize("pattern", PATTERNS)
def test_every_match_holds_a_literal(pattern: str) -> None:
    """Drawn from the pattern itself: a match without a literal would be lost (property 5)."""
    compiled = regex.compile(pattern)
    found = derive(parse(pattern).tree)
    assert found is not None

    @given(st.from_regex(pattern))
    @settings(max_examples=60, derandomize=True, deadline=None)
    def holds(text: str) -> None:
        match = compiled.search(text)
        if match is None:  # `from_regex` knows another \b than `regex` does for some scripts
            return
        body = match.group()
        assert any(body.startswith(string) if found.anchored else string in body for string in found.strings)
        assert re.match(found.first_pattern, body)

    holds()


@pytest.mark.parametrize(
    ("pattern", "code", "at"),
    [
        ("so [a-z]+ on", "E-SUBSET", 8),
        ("so .*", "E-SUBSET", 4),
        ("(so) on", "E-SUBSET", 0),
        (r"(?P<a>so) \1", "E-SUBSET", 10),
        ("(?i)so", "E-SUBSET", 0),
        ("(?>so)", "E-SUBSET", 0),
        (r"\p{L}so", "E-SUBSET", 0),
        ("(?<=so|s)x", "E-SUBSET", 0),
        ("(?:so{2,}|x)", "E-SUBSET", 5),
        ("(?:(?:a{0,50}){0,50}){0,50}b", "E-SUBSET", 21),
        ("a{0,400}b{0,400}c{0,400}d", "E-SUBSET", 0),
        ("(?:so)?", "E-SUBSET", 0),
        ("so++", "E-SUBSET", 2),
        ("[[a]]so", "E-SUBSET", 1),
        ("So far", "E-CASE", 0),
        ("[A-Z]o", "E-CASE", 0),
        ("(?:so", "E-REGEX", 0),
        ("so)", "E-REGEX", 2),
        ("[so", "E-REGEX", 0),
        ("*so", "E-REGEX", 0),
        ("(?P<a>x)(?P<a>y)", "E-REGEX", 8),
        ("so\\", "E-REGEX", 2),
        ("so{x}", "E-REGEX", 2),
    ],
)
def test_what_lies_outside_the_subset_is_refused_with_its_place(pattern: str, code: str, at: int) -> None:
    """Unbounded repeats, back references, flags, unnamed groups, capitals: each names the offset it stands at."""
    with pytest.raises(BadPattern) as caught:
        parse(pattern)
    assert (caught.value.code, caught.value.at) == (code, at)


def test_a_pattern_is_measured() -> None:
    """Its groups in order, and the fewest and most characters of a match."""
    parsed = parse(r"(?P<a>x{1,3}) (?P<b>yy|z)(?!q)\s*")
    assert parsed.groups == ("a", "b")
    assert (parsed.narrowest, parsed.widest) == (3, 22)


@given(st.text(max_size=200))
@settings(max_examples=200, derandomize=True, deadline=None)
def test_folding_and_masking_keep_every_place(text: str) -> None:
    """The folded and the masked text are as long as the text, so slots are read back from the original."""
    assert len(fold(text)) == len(text) == len(mask(fold(text)))
    for sentence in sentences(mask(fold(text)), 0):
        assert 0 <= sentence.start < sentence.end <= len(text)


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("One. Two? Three", [("one", False), ("two", True), ("three", False)]),
        ("Use Python 3.11 and node.js, e.g. here. Then rest!", [("use python 3.11 and node.js, e.g. here", False), ("then rest", False)]),
        ("- [ ] buy milk", [("buy milk", False)]),
        ("2. **Bold** words", [("bold** words", False)]),
        ('never ask "shall I go on?" again', [('never ask "shall i go on', False), ("again", False)]),
    ],
)
def test_sentences_are_cut_where_people_end_them(text: str, want: list[tuple[str, bool]]) -> None:
    """List marks belong to no sentence, numbers and short forms end none, and a quoted question asks nothing."""
    low = mask(fold(text))
    assert [(low[s.start : s.end], s.question) for s in sentences(low, 0)] == want
