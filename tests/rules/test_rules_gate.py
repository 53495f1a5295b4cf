"""The gate: patterns that could run for ever are refused at load, and what is let in stays within its budget on hostile texts."""

from __future__ import annotations

import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from ethos.core.model.records import Origin
from ethos.core.rules.regex.attack_strings import attack_strings
from ethos.core.rules.regex.cost import MAX_WORK, work
from ethos.core.rules.regex.syntax import BadPattern, parse
from ethos.core.text.sentences import MAX_SENTENCE
from ethos.edge.rulebook import isolated_check, load
from tests.support.packs import pack, rule, write

BUDGET = 0.25  # seconds that one pattern may take over one sentence, as `regex` counts them

# Fifty patterns that hang other engines, each with the shape that does it. `X` in front and behind: what a rule needs besides.
HOSTILE = (
    # nested repeats
    *(r"(?:a+)+!", r"(?:a*)*!", r"(?:[a-z]+)*!", r"(?:\w+\s?)+!", r"(?:my|our) (?:\w+\s?)+ is (?P<x>\S+)$", r"(?:(?:a{1,9}){1,9}){1,9}!"),
    *(r"(?:[a-z]{1,30} ?){1,30}!", r"(?:[a-z]{1,20}){1,40}!", r"(?:\w{1,20}[ ,]{0,2}){1,30}!", r"(?:[^,]{1,20} ?){1,20},!"),
    *(
        r"(?:a{0,5}){1,100}!",
        r"(?:[a-z]{2,9}){2,80}!",
        r"(?:\d{1,3}\.?){1,60}!",
        r"(?:[\w.]{1,20}\.?){1,20}@",
        r"(?:(?:\w|-){1,15}){1,30}!",
    ),
    # alternations that overlap, repeated
    *(r"(?:a|a){1,60}!", r"(?:a|aa){1,60}!", r"(?:\w|[a-z]){1,90}!", r"(?:a|b|ab){1,60}!", r"(?:x|xy|y){1,60}!", r"(?:\d|\w){1,60}!"),
    *(r"(?:very |very very ){1,40}!", r"(?:[a-m]|[h-z]){1,90}!", r"(?: |\s){1,90}!", r"(?:\.|[^,]){1,90},!", r"(?:no|n|o){1,60}!"),
    # repeats side by side that want the same words
    *(r"[^.]{1,400}[^,]{1,400}[^;]{1,190}!", r"[a-z ]{1,300}[a-z ]{1,300}[a-z ]{1,300}!", r"\w{1,200}\w{1,200}\w{1,200}\w{1,200}!"),
    *(r"[^.!?;\n]+? (?:is|are) my", r"[^.]{1,300}? is my [^.]{1,300}? is my [^.]{1,300}!", r".{1,300}a.{1,300}a.{1,300}!", r".*.*.*!"),
    *(r"(?:[^,.]{1,90} ){1,9}because!", r"\s*\s*\s*\s*\s*!", r" ?" * 40 + "!", r"a?" * 60 + "a{60}!", r".{0,200}=.{0,200}=.{0,200}=!"),
    # what only other engines have
    *(r"(?P<x>a+)(?P=x)+!", r"(a+)\1+!", r"(?>a+)+!", r"(?R)?a", r"(?:a++)+!", r"(?<=a+)b+!", r"(?i)a+!", r"(?:sock){e<=3}"),
    # large ones
    *("a{1,99999}!", "(?:" * 300 + "a" + ")" * 300, "|".join(f"w{n}x" for n in range(3_000)), "(?:a{1,500}){1,500}!", "[a-z]{400}" * 200),
)
LONGEST = MAX_SENTENCE
STUFF = (
    "a",
    "ab",
    "a ",
    "aa aa ",
    " ",
    "very ",
    "x",
    "xy",
    "no",
    "1",
    "1.",
    "a=",
    " is my ",
    "a,",
    "a.a",
    "\u00e9",
    "-a",
    ", ",
    "aA",
    "\u02d1",
)
ENDS = ("", "!", "\x00", " is my", "\u2026?")
TEXTS = tuple((stuff * LONGEST)[: LONGEST - len(end)] + end for stuff in STUFF for end in ENDS)


def hostile(pattern: str, name: str = "hostile") -> str:
    """A rule that looks for the pattern behind a fixed word."""
    return rule(name, f"mark (?P<object>(?:{pattern}))", "marks")


def test_there_are_fifty_hostile_patterns_and_a_hundred_hostile_texts() -> None:
    """More shapes than a few."""
    assert len(set(HOSTILE)) >= 50
    assert len(set(TEXTS)) >= 100


@pytest.mark.parametrize("pattern", HOSTILE, ids=lambda pattern: pattern[:40])
def test_a_hostile_pattern_is_refused_or_stays_within_its_budget(pattern: str, tmp_path: Path) -> None:
    """Loading ends with one problem of the pack's own, or the pattern is harmless on each of a hundred hostile sentences."""
    path = tmp_path / "hostile.toml"
    path.write_text(pack("hostile", hostile(pattern)), encoding="utf-8")
    book = load([path])
    if book.problems:
        (problem,) = book.problems
        assert problem.code in {"E-REDOS", "E-SUBSET", "E-REGEX", "E-LIMIT", "E-GROUP"}
        assert book.rules.rules == ()
        return
    (source,) = book.rules.rules[0].patterns
    compiled = regex.compile(source)
    for text in TEXTS:
        compiled.search(("mark " + text)[:LONGEST], timeout=BUDGET)  # raises TimeoutError beyond it
        compiled.search(("mark a" * LONGEST)[:LONGEST], timeout=BUDGET)


def test_most_hostile_patterns_are_refused(tmp_path: Path) -> None:
    """The gate is no formality: what it lets in of these is what `regex` itself gets over quickly."""
    let_in = []
    for number, pattern in enumerate(HOSTILE):
        path = tmp_path / f"{number}.toml"
        path.write_text(pack("hostile", hostile(pattern)), encoding="utf-8")
        if not load([path]).problems:
            let_in.append(pattern)
    assert len(let_in) <= len(HOSTILE) // 4, let_in


@pytest.mark.parametrize(
    ("tame", "wild"),
    [
        (r"(?:\w{1,20} ){1,20}!", r"(?:\w{1,20} ?){1,20}!"),
        (r"(?:really |truly ){0,9}!", r"(?:really |really really ){0,90}!"),
        (r"[^.!,]{1,80}, [^.!,]{1,80}!", r"[^.]{1,80}[^.]{1,80}[^.]{1,80}[^.]{1,80}[^.]{1,80}[^.]{1,80}!"),
        (r"(?:ab|cd){1,90}!", r"(?:ab|a|b){1,90}!"),
    ],
)
def test_the_estimate_tells_the_tame_from_the_wild(tame: str, wild: str) -> None:
    """Two patterns that look alike: in one every repeat knows where it ends."""
    assert work(tame) < MAX_WORK / 1_000
    assert work(wild) > MAX_WORK


def test_a_look_around_counts_where_a_repeat_stands_before_it() -> None:
    """It is tried wherever the repeat may stop. This was once overlooked, and a pattern that hangs passed as harmless."""
    hangs = r"(?:[^,.]{0,40}?(?<![a-z])\s*|the ){1,9}a"
    assert work(f"x(?!{hangs})y") > MAX_WORK
    assert work(rf"x[\w'-]{{1,3}}(?!{hangs})y") > MAX_WORK
    assert work(rf"(?!{hangs})x") > MAX_WORK


def test_work_grows_with_the_bounds() -> None:
    """A wider bound is never cheaper."""
    for form in ("[a-z]{1,%d}[a-z ]{1,9}!", "(?:[a-z]{1,%d} ){1,9}!", "(?:a|b){1,%d}c", "x(?:ab ?){0,%d}y"):
        counts = [work(form % high) for high in (2, 5, 9, 20, 60)]
        assert counts == sorted(counts)


_ATOMS = st.sampled_from(["a", "ab", "[a-z]", "[^,]", r"\w", r"\d", " ", ",", ".", r"\b", "(?=a)", "(?!b)", "$", "(?:a|b)", "(?:ab|a)"])
_REPEATS = st.sampled_from(["", "", "", "?", "{1,3}", "{0,9}", "{2,40}?", "{3}"])


@st.composite
def _patterns(draw: st.DrawFn, depth: int = 2) -> str:
    parts = draw(st.lists(st.tuples(_ATOMS, _REPEATS), min_size=1, max_size=4))
    text = "".join(atom if atom[0] in "\\$" or atom.startswith(("(?=", "(?!")) else f"(?:{atom}){repeat}" for atom, repeat in parts)
    if depth and draw(st.booleans()):
        inner = draw(_patterns(depth - 1))
        text += f"(?:{inner}){draw(_REPEATS)}"
    return text


@settings(max_examples=150, derandomize=True, deadline=None)
@given(_patterns())
def test_every_pattern_of_the_subset_can_be_judged_and_pumped(pattern: str) -> None:
    """Whatever the parser accepts the gate can read: a number within bounds, and sentences no longer than sentences are."""
    try:
        parse(pattern)
    except BadPattern:
        return
    assert 0 < work(pattern) <= 1e15
    for text in islice(attack_strings(pattern), 20):
        assert len(text) <= MAX_SENTENCE


def test_a_pack_too_heavy_to_read_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A large pack is read in a process of its own with a limit on its time: it is refused, and this process goes on."""
    monkeypatch.setattr(isolated_check, "SECONDS", 1)
    words = "|".join(f"w{number}x" for number in range(900))
    big = pack("hostile", *(hostile(words.replace("w1x", f"{number}z"), f"hostile{number}") for number in range(80)))
    book = load([write(tmp_path, big)])
    assert book.packs == ()
    assert {problem.code for problem in book.problems} == {"E-LIMIT"}


def test_a_large_pack_is_examined_as_a_small_one_is(tmp_path: Path) -> None:
    """In a process of its own, with the same outcome: a good one is in force, and remembered; a mistake has its place."""
    head = 'schema = 1\npack = "large"\n' + "# a remark, to be large\n" * 2_000
    good = hostile("[a-z]{1,20}")
    path = tmp_path / "large.toml"
    path.write_text(head + good, encoding="utf-8")
    book = load([path], cache=tmp_path / "cache")
    assert book.problems == ()
    assert [claim.object for claim in book.rules.claims("mark this", role="user", speaker="A", origin=Origin.USER)] == ["this"]
    path.write_text(head + good.replace("confidence", "confidense"), encoding="utf-8")
    assert [(problem.code, problem.line) for problem in load([path]).problems] == [("E-UNKNOWN-KEY", 2009), ("E-SCHEMA", 2003)]


def test_the_gate_needs_nothing_but_the_core() -> None:
    """It can be used without a rulebook."""
    code = "import sys; from ethos.core.rules.regex.cost import work; assert work('a{1,3}b') > 0; assert 'ethos.edge' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])
