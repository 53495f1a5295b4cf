"""Rules over clauses: the shipped pack holds what any rules must hold, and two readers make claims sure or weak."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from ethos.core.facts.holding import is_weak
from ethos.core.model.records import Claim, Origin
from ethos.core.rules.clauses import reader
from ethos.core.rules.clauses.frame import Words, parse_words
from ethos.core.rules.clauses.reader import required_words
from ethos.core.rules.matcher import Rules
from ethos.core.text.language import clauses as splitting
from ethos.core.text.language import tagging
from ethos.core.text.language.clause import Clause, Form
from ethos.edge.cli.workbench.trying import draw_texts
from ethos.edge.rulebook import load, shipped_rules
from ethos.testing import RuleSet, assert_properties, assert_same_elsewhere, rule_sets
from tests.support.proven import PROOFS, rules_by_default

PACK = shipped_rules() / "clauses-en.toml"
CLASSES = {"fruit": frozenset({"pear", "plum"})}


@cache
def alone() -> RuleSet:
    """The clause rules without the patterns."""
    return rule_sets(PACK, cache=PROOFS, clauses=True)


def both() -> Rules:
    """All shipped rules, with both readers."""
    return rules_by_default()


def read(rules: Rules, text: str) -> list[Claim]:
    """What the user is heard to say."""
    return list(rules.claims(text, role="user", speaker="Ada", origin=Origin.USER))


@pytest.mark.no_cover  # the same lines, hundreds of times
def test_clause_rules_hold_what_any_rules_must_hold() -> None:
    """The properties of any rule set, on texts made from their examples; and the same in another process."""
    texts = draw_texts(list(alone()), 60)
    for text in texts:
        assert_properties(alone(), text)
    assert sum(bool(alone().claims(text)) for text in texts) > len(texts) // 8
    assert_same_elsewhere(alone(), texts[:20])


def test_what_a_frame_needs_stands_in_all_that_it_reads() -> None:
    """The words by which a sentence is looked for are derived, and hide nothing."""
    for rule in alone():
        assert rule.clause is not None
        needed = required_words(rule.clause)
        for example in rule.examples:
            if example.want and needed is not None:
                assert needed & set(tagging.words_of(example.text.lower())), (rule.id, example.text)


@pytest.mark.parametrize(("text", "grades"), [
    ("I've been to Norway.", ["held"]),  # a pattern that is sure by itself
    ("I love mending old clocks.", ["held"]),  # both readers
    ("The kiln of 1998 has cracks near the door.", ["weak"]),  # the clauses alone
    ("The kiln has cracks near the door.", ["weak"]),  # and nowhere a number, a day or a name
    ("Wow, the kiln has cracks near the door.", []),  # the same among friends who chat
    ("My kiln has cracks near the door.", ["held"]),  # one's own, in a sentence that tells nothing else
    ("The kiln has 3 cracks near the door.", ["held"]),  # the clauses alone, of a value
    ("Maybe the kiln has 3 cracks near the door.", ["weak"]),  # the same, unsure
    ("We have a meeting at three.", ["weak"]),  # soon over
    ("He says the kiln has cracks.", []),
    ("Does the kiln have cracks near the door?", []),
])  # fmt: skip
def test_x_e1_what_both_read_is_held_and_what_one_reads_is_weak(text: str, grades: list[str]) -> None:
    """By agreement: a claim that two readers make apart is right far more often than that of one."""
    assert [claim.grade for claim in read(both(), text)] == grades
    assert [is_weak(claim, 0.3) for claim in read(both(), text)] == [grade == "weak" for grade in grades]


def test_without_the_second_reader_the_patterns_are_as_they_were(rules: Rules) -> None:
    """What it alone reads is not read, and nothing that a pattern reads is weak."""
    assert read(rules, "The kiln has 3 cracks near the door.") == []
    assert [claim.grade for claim in read(rules, "I adopted a cat at noon.")] == ["held"]


def test_word_classes_are_lists_that_name_one_another() -> None:
    """What stands later wins; `any` is all words."""
    assert parse_words("@fruit fig -plum", CLASSES) == Words(frozenset({"pear", "fig"}), open=False)
    open_class = parse_words("any -@fruit plum", CLASSES)
    assert ("plum" in open_class, "pear" in open_class, "stone" in open_class) == (True, False, True)
    assert parse_words(str(open_class), {}) == open_class
    with pytest.raises(KeyError):
        parse_words("@nuts", CLASSES)


@pytest.mark.parametrize(("text", "objects"), [
    ("Keep the changelog in the format of 1.1.", []),  # a changelog does not "keep": no subject of this verb
    ("School lunches for $20 a week.", []),  # a noun, taken for a verb
    ("Two clusters, staging in Oslo and prod in Bergen.", []),
    ("Her deadline is 4 May.", []),  # nobody knows whose
    ("The answer is 42.", []),
    ("My rate is 55 euros and rounding is by 5 cents.", ["55 euros", "5 cents"]),
    ("We moved to a bigger hall because the old church seats 80 people.", ["a bigger hall", "80 people"]),
    ("We were poor when the rent was 80 pounds.", []),
    ("The main job, which takes 3 h 20 by now, runs at night.", ["3 h 20", "night"]),
])  # fmt: skip
def test_what_is_held_by_a_frame_alone_is_whole(text: str, objects: list[str]) -> None:
    """No clause that is none, no subject that points elsewhere, and an object that ends where its clause does."""
    held = [claim.object for claim in alone().claims(text) if claim.grade == "held"]
    assert held == objects


BROKEN = {
    'verb = "@nuts"': "E-WORDS",
    'verb = "any"\n[words]\nfew = "any -mend"': "E-WORDS",
    'verb = "mend"\n  colour = "red"': "E-UNKNOWN-KEY",
    'verb = "mend"\n  object = ["nouns"]': "E-SCHEMA",
    'verb = "mend"\n  denied = "often"': "E-SCHEMA",
    'object = ["noun"]': "E-SCHEMA",
}


@pytest.mark.parametrize("clause", BROKEN)
def test_a_broken_clause_is_told_with_its_place(clause: str, tmp_path: Path) -> None:
    """A class nobody defines, an unknown key, a value that is none, a verb that is missing."""
    pack = tmp_path / "mine.toml"
    pack.write_text(
        'schema = 1\npack = "mine"\n[[rule]]\nid = "mends"\nkind = "fact"\nsummary = "s"\nconfidence = 0.5\n'
        'emit = { subject = "{subject}", predicate = "{verb}", object = "{object}" }\n'
        'example = [{ text = "I mend clocks.", want = [{ object = "clocks" }] }]\n'
        f'  [rule.clause]\n  subject = ["i"]\n  {clause}\n',
        encoding="utf-8",
    )
    found = load([pack], clauses=True).problems
    assert BROKEN[clause] in {problem.code for problem in found}
    assert all(problem.line for problem in found)


def no_adjectives(patch: pytest.MonkeyPatch) -> None:
    """The tagger takes nouns for verbs at the beginning."""
    choose = tagging.choose
    patch.setattr(tagging, "choose", lambda tags, *rest: "N" if "V" in tags else choose(tags, *rest))
    tagged = tagging.Tagger().tag
    patch.setattr(reader, "parsed", lambda sentence: ((words := tagged(sentence)), splitting.split(words)))


def never_denied(patch: pytest.MonkeyPatch) -> None:
    """The splitter loses negation."""
    patch.setattr(reader, "parsed", lambda said: ((words := tagging.tag(said)), [_plain(each) for each in splitting.split(words)]))


def _plain(clause: Clause) -> Clause:
    clause.form &= ~Form.NEGATED
    return clause


def joined(patch: pytest.MonkeyPatch) -> None:
    """The splitter sees the first clause only."""
    patch.setattr(reader, "parsed", lambda said: ((words := tagging.tag(said)), splitting.split(words)[1:]))


def nobody_asks(patch: pytest.MonkeyPatch) -> None:
    """Questions are read as statements."""
    patch.setattr(reader, "question_start", len)


@pytest.mark.parametrize("fault", [no_adjectives, never_denied, joined, nobody_asks])
def test_a_fault_of_the_grammar_fails(fault: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The examples of the pack are its proof."""
    copy = tmp_path / "mine.toml"
    copy.write_bytes(PACK.read_bytes())
    assert not [problem for problem in load([copy], clauses=True).problems if problem.fatal]
    fault(monkeypatch)
    assert {problem.code for problem in load([copy], clauses=True).problems} >= {"E-EXAMPLE"}


@pytest.mark.parametrize(
    ("said", "grade", "now"),
    [
        ("the default branch runs on Gitea", "held", None),
        ("as of monday, prod runs on nixos", "held", "now"),
        ("we heat the house with calor since march", "held", "now"),
        ("since the reshuffle my manager is Yewande", "held", "now"),
        ("the pod of Monday is slow", "weak", None),
        ("prod is moving to Fedora", "held", None),
        ("prod was on Fedora", "held", None),
    ],
)
def test_a_clause_that_names_something_is_held_alone_and_hears_now(said: str, grade: str, now: str | None) -> None:
    """One reader is enough for a name, a day or a number, and for any name with a cue of now, which is no part of the object."""
    claims = [claim for claim in alone().claims(said) if claim.rule.startswith("clauses-en/")]
    assert claims[0].grade == grade
    assert claims[0].supersedes == now
    assert all("since" not in claim.object for claim in claims)


@pytest.mark.parametrize(
    ("said", "subject", "predicate", "thing"),
    [
        ("night lead for the ward is marisol", "night lead for the ward", "is", "marisol"),
        ("reverse proxy is haproxy", "reverse proxy", "is", "haproxy"),
        ("formatter here is ruff", "formatter", "is", "ruff"),
        ("specs in this folder use rspec", "specs in this folder", "use", "rspec"),
        ("linter in this repo: flake8", "linter in this repo", "is", "flake8"),
        ("the loader we wrote is called winch", "the loader", "is called", "winch"),
        ("theres a lot to do, but the goats are called pip and pep", "the goats", "are called", "pip and pep"),
        ("there are 24 kids in my class", "team", "has", "24 kids in my class"),
    ],
)
def test_a_plain_statement_of_state_is_held(said: str, subject: str, predicate: str, thing: str) -> None:
    """Nobody need write capitals: a name is what no dictionary has, a noun without its article, or what stands behind "called"."""
    held = [(claim.subject, claim.predicate, claim.object) for claim in alone().claims(said) if claim.grade == "held"]
    assert (subject, predicate, thing) in held


@pytest.mark.parametrize(
    "said", ["the page is blank", "error in line 4: flake8", "the function returns null", "my lunch is here", "the cache is stale"]
)
def test_a_passing_state_is_not_held(said: str) -> None:
    """An adjective names nothing, and a label of the moment is no thing."""
    assert not [claim for claim in alone().claims(said) if claim.grade == "held"]


@pytest.mark.parametrize("text", [
    "Sensor bus is I2C.",  # a bus of its own kind, not the one that is late
    "Team chat is Zulip.",
    "The language of this project is Go.",
    "Rolldown does the bundling again.",
    "Courts are booked two weeks ahead.",
    "max file size for scans: 8 MB, set in the proxy",
])  # fmt: skip
def test_a_plain_state_of_a_thing_is_held(text: str) -> None:
    """It names something, or says that it is so from now on."""
    assert [claim.grade for claim in read(both(), text)] == ["held"]


@pytest.mark.parametrize("text", ["The bus is late.", "I am back now.", "It turns out they live close by."])
def test_what_passes_is_not_held(text: str) -> None:
    """A cue of now alone makes no state."""
    assert [claim for claim in read(both(), text) if claim.grade == "held"] == []
