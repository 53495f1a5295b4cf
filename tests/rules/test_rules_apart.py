"""Rules with `engine = "regex"`, and patterns of a user's own that the gate is not sure of: budgets, and a breaker that sets them aside."""

from __future__ import annotations

import gc
import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as effort

from ethos.app import Ethos
from ethos.core.model.records import Claim, Origin
from ethos.core.model.settings import Settings
from ethos.core.ports.queries import FactFilter
from ethos.core.rules.matcher import Rules
from ethos.core.rules.time_limits import MOST_OVERRUNS, RULE_SECONDS
from ethos.edge.rulebook import Rulebook, load, shipped_rules
from ethos.edge.rulebook.budgets import RegexProcess, RegexTimeout
from ethos.testing import assert_properties, rule_sets, texts_for
from tests.support import proven
from tests.support.packs import pack, rule, write
from tests.support.telling import said

APART = r"""
schema = 1
pack = "own"

[[rule]]
id = "tags"
kind = "fact"
summary = "what a tag says, and says again"
engine = "regex"
keywords = ["tag "]
patterns = ['tag (?P<object>(?P<word>[a-z]++)(?: and (?&word))?)(?<=tag [a-z ]{2,40})']
emit = { subject = "speaker", predicate = "tags", object = "{object}" }
confidence = 0.8
cardinality = "multi"
example = [
  { text = "tag Wool and Silk", want = [{ object = "Wool and Silk" }] },
  { text = "if I tag wool", want = [] },
]
"""
HANGS = r"""
[[rule]]
id = "hangs"
kind = "fact"
summary = "hangs"
engine = "regex"
keywords = ["hang "]
patterns = ['hang (?P<object>(?:(?:x|x)+)+)y']
emit = { subject = "speaker", predicate = "hangs", object = "{object}" }
confidence = 0.8
example = [{ text = "hang xxy", want = [{ object = "xx" }] }]
"""
HANG = "hang " + "x" * 60


def codes(book: Rulebook) -> list[str]:
    return [problem.code for problem in book.problems]


def claims(book: Rulebook, text: str) -> list[tuple[str, str]]:
    found: tuple[Claim, ...] = book.rules.claims(text, role="user", speaker="A", origin=Origin.OPERATOR)
    return [(claim.rule, claim.object) for claim in found]


def test_a_rule_may_opt_out_of_the_portable_subset(tmp_path: Path) -> None:
    """Possessive repeats, calls of groups and look-behinds of any width: it reads as others do, and `check` warns of it."""
    book = load([write(tmp_path, APART)])
    assert codes(book) == ["W-ENGINE"]
    assert claims(book, "Well, tag Wool and Silk, please. Then tag linen") == [("own/tags", "Wool and Silk"), ("own/tags", "linen")]
    assert claims(book, "maybe tag wool") == [("own/tags", "wool")]
    assert claims(book, "`tag wool`") == []
    assert claims(book, "no such word") == []


def test_what_a_rule_outside_the_subset_needs(tmp_path: Path) -> None:
    """Keywords that can be looked for, an example, short patterns that match something."""
    wanted = {
        "E-KEYWORDS": ('keywords = ["tag "]', ""),
        "E-EXAMPLE": ('want = [{ object = "Wool and Silk" }]', "want = []"),
        "E-LIMIT": ("[a-z]++", "[a-z]++" + "(?:)" * 300),
        "E-REGEX": ("[a-z]++", "[a-z++"),
        "E-SCHEMA": ('engine = "regex"', 'engine = "regexx"'),
        "E-GROUP": ('object = "{object}"', 'object = "{thing}"'),
    }
    for code, (old, new) in wanted.items():
        book = load([write(tmp_path, APART.replace(old, new, 1))])
        assert code in codes(book)
        assert book.packs == ()
    assert "E-KEYWORDS" in codes(load([write(tmp_path, APART.replace('"tag "', '"t"'))]))
    assert "E-REGEX" in codes(load([write(tmp_path, APART.replace("patterns = ['tag ", "patterns = ['(?:tag )?+(?:x)?|tag "))]))


def test_the_patterns_of_such_a_rule_are_not_overridden(tmp_path: Path) -> None:
    """Its other values are."""
    base = write(tmp_path, APART)
    over = tmp_path / "over.toml"
    head = 'schema = 1\npack = "over"\n[[override]]\nid = "own/tags"\n'
    over.write_text(head + "confidence = 0.5\n", encoding="utf-8")
    book = load([base, over])
    assert codes(book) == ["W-ENGINE"]
    assert [c.confidence for c in book.rules.claims("tag wool", role="user", speaker="A", origin=Origin.OPERATOR)] == [0.5]
    over.write_text(head + "patterns.add = ['tag ']\n", encoding="utf-8")
    assert codes(load([base, over])) == ["W-ENGINE", "E-ENGINE"]


def test_a_rule_that_overruns_is_stopped_and_after_three_times_set_aside(tmp_path: Path) -> None:
    """The other rules go on. The breaker is told to all who ask, holds in the next process, and is undone when the pack changes."""
    path, cache = write(tmp_path, APART + HANGS), tmp_path / "cache"
    book = load([path], cache=cache)
    for _ in range(MOST_OVERRUNS):
        assert book.rules.claims("hang xxy", role="user", speaker="A", origin=Origin.OPERATOR)
        assert "W-SET-ASIDE" not in codes(book)
        assert claims(book, f"{HANG}. And tag wool") == [("own/tags", "wool")]
    (aside,) = [problem for problem in book.problems if problem.code == "W-SET-ASIDE"]
    assert (aside.rule, aside.path) == ("own/hangs", str(path))
    assert "3 times" in aside.what
    assert claims(book, "hang xxy") == []
    again = load([path], cache=cache)
    assert codes(again) == ["W-ENGINE", "W-ENGINE", "W-SET-ASIDE"]
    assert claims(again, "hang xxy, tag wool") == [("own/tags", "wool")]
    assert again.rules.hash == book.rules.hash
    changed = load([write(tmp_path, (APART + HANGS).replace("(?:(?:x|x)+)+", "x+"))], cache=cache)
    assert codes(changed) == ["W-ENGINE", "W-ENGINE"]
    assert claims(changed, "hang xxy") == [("own/hangs", "xx")]


def test_a_machine_that_is_busy_or_stands_still_is_no_fault_of_a_rule() -> None:
    """What counts is the processor time of the other process, which has none for longer than a rule may take."""
    process = RegexProcess()
    pid = process.start().pid
    os.kill(pid, signal.SIGSTOP)
    later = threading.Timer(2 * RULE_SECONDS, os.kill, (pid, signal.SIGCONT))
    later.start()
    assert process.ask("b", ["ab"], RULE_SECONDS)["found"] == [[[[1, 2]]]]
    later.join()
    process.stop()


def test_the_other_process_can_be_ended_and_begins_anew() -> None:
    """What takes too long is ended, what dies or fails is told; the next question is answered. A long question goes through the pipe."""
    process = RegexProcess()
    process.start()
    for pattern, why in ((r"hang (?:(?:x|x)+)+y", "took more than"), (r"(", "failed")):
        with pytest.raises(RegexTimeout, match=why):
            process.ask(pattern, [HANG], RULE_SECONDS)
        process.start()
    long = ["a" * 2_000 + "b"] * 200
    told = process.ask("(?P<b>b)", long, 10.0)
    assert told["names"] == {"b": 1}
    assert told["found"] == [[[[2_000, 2_001], [2_000, 2_001]]]] * 200
    process.stop()


def test_no_process_is_left_behind(tmp_path: Path) -> None:
    """It goes with the rules that needed it."""
    book = load([write(tmp_path, APART)])
    assert claims(book, "tag wool")
    assert book.budgets is not None
    child = book.budgets._process._process
    assert child is not None
    assert child.poll() is None
    del book
    gc.collect()
    assert child.returncode is not None


def test_a_pass_that_has_spent_its_time_leaves_the_rest_to_the_next(
    tmp_path: Path, settings: Settings, open_ethos: Callable[[Settings], Ethos], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was not read under these rules is not marked as read: the next pass takes it up, until all is read."""
    ethos = open_ethos(settings)
    proven.seed(tmp_path)
    book = load([shipped_rules(), write(tmp_path, APART)], cache=tmp_path / "rules")
    ethos.rules = book.rules
    monkeypatch.setattr("ethos.edge.rulebook.budgets.PASS_SECONDS", RULE_SECONDS)  # spent with the first search
    ethos.capture([said(f"tag thing{'abc'[number]}") for number in range(3)])
    passes = 0
    while (cycle := ethos.consolidate()).more:
        assert cycle.episodes_scanned == 1
        passes += 1
    assert passes == 2
    assert {fact.object for fact in ethos.facts(FactFilter(settings.ethos.user))} == {"thinga", "thingb", "thingc"}


DOUBT = rule("doubt", "mark (?P<object>[^,.]{1,60} [^,.]{1,60} [^.;]{1,60}z)", "marks")  # repeats that want the same words
DENIED = rule(  # an antipattern that hangs
    "denied",
    "deny (?P<object>[a-z]{1,20})",
    "denies",
    "unless = [{ pattern = 'deny (?:(?:x|x|a){1,9} ?){1,40}=', reason = \"hangs\" }]",
)


def test_a_pattern_of_ones_own_that_the_gate_is_not_sure_of_has_a_time_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It reads as any other. Were the gate wrong, and did it take too long after all, it is stopped, and set aside in the end: the same
    for an antipattern, whose rule is then silent.
    """
    monkeypatch.setattr("ethos.edge.rulebook.patterns._cost_problem", lambda _: "")
    hangs = DOUBT.replace("[^,.]{1,60} [^,.]{1,60} [^.;]{1,60}z", "(?:(?:x|x|a){1,9} ?){1,40}=")
    book = load([write(tmp_path, pack("own", hangs, DENIED))])
    assert codes(book) == []
    assert claims(book, "mark xa=") == [("own/doubt", "xa=")]
    for number in range(1, MOST_OVERRUNS + 1):
        assert claims(book, f"mark {'x' * 60} zx=") == []
        assert claims(book, f"deny {'x' * 60}") == []
        assert codes(book) == (["W-SET-ASIDE"] * 2 if number == MOST_OVERRUNS else [])
    assert claims(book, "mark xa=, deny b") == []


def test_a_pattern_of_ones_own_may_be_slow_within_bounds(tmp_path: Path) -> None:
    """What the gate lets in reads without a word."""
    book = load([write(tmp_path, pack("own", DOUBT))])
    assert codes(book) == []
    assert claims(book, "mark the old jazz") == [("own/doubt", "the old jazz")]


def test_shipped_rules_run_unwatched(rules: Rules) -> None:
    """Their own tests have tried them; nothing is paid for a watch."""
    assert {type(pattern).__name__ for pattern in rules._patterns.patterns} == {"Pattern"}


def test_what_holds_of_every_rule_holds_of_one_outside_the_subset(tmp_path: Path) -> None:
    """Spans, masking, monotony, the prefilter and the others, on texts made of its examples."""
    rules = rule_sets(write(tmp_path, APART))

    @effort(max_examples=12, derandomize=True, deadline=None)
    @given(texts_for(rules["own/tags"]))
    def hold(text: str) -> None:
        assert_properties(rules, text)

    hold()
