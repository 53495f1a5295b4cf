"""Whatever stands in a rule file, loading it ends with packs and problems, and never with an exception."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ethos.edge.rulebook import load, packs, shipped_rules
from tests.support.packs import pack, rule

RICH = r"""
schema = 1
pack = "rich"
version = "1.0.0"
requires = "ethos>=0.1"
languages = ["en"]
extends = ["base"]

[define]
OBJ = '[^,.]{2,40}'

[classes]
wool = ["sock"]

[[renamed]]
from = "socks.mends"
to = "socks.darns"

[[fallback]]
id = "keep"
when = "importance"
kind = "fact"
subject = "context"
predicate = "contains"
confidence = 0.7
cardinality = "multi"
enabled = true
summary = "what is kept"

[[rule]]
id = "socks.darns"
kind = "fact"
summary = "what the speaker darns"
version = 3
since = "0.1.0"
status = "experimental"
priority = 50
roles = ["user"]
keywords = ["darn "]
patterns = ['\bdarn (?P<object>${OBJ})']
emit = { subject = "{subject|speaker}", predicate = "darns", object = "{object}" }
polarity = "+"
cardinality = "multi"
confidence = 0.8
modifiers = { hedge = 0.5, question = "keep" }
proper = []
enabled = true
inside = []

  [[rule.unless]]
  pattern = '\bdarn it'
  reason = "an oath"

  [[rule.example]]
  text = "Darn socks"
  want = [{ object = "socks" }]
  why = "plain"
  mark = "Darn socks"
  todo = false

[disable]
rules = ["base/socks.knits"]
kinds = []
packs = []

[[override]]
id = "base/socks.darns"
expect = 1
confidence = 0.5
priority = 3
enabled = true
status = "experimental"
cardinality = "multi"
polarity = "+"
modifiers = { hedge = 0.1 }
emit = { purpose = "{purpose?}" }
roles.add = ["assistant"]
keywords.set = []
patterns.add = ['\bdarning (?P<object>[^,.]{2,40})']
unless.add = [{ pattern = "darn it", reason = "an oath" }]
example.add = [{ text = "Darning socks", want = [{ object = "socks" }] }]

[[filter]]
rules = ["*"]
unless = [{ pattern = "old socks", reason = "gone" }]
"""
BASE = pack(
    "base",
    rule("socks.darns", r"\bdarn (?P<object>[^,.]{2,40})", "darns"),
    rule("socks.knits", r"\bknit (?P<object>[^,.]{2,40})", "knits"),
)
VALUES = (
    *("1", "-1", "0", "true", "1.5", "nan", "inf", '""', '"x"', '"{"', '"{x}"', "[]", "[1]", '["x"]', "[[]]", "{}", "{ x = 1 }", "[{}]"),
    *(
        "1979-05-27",
        "9" * 50,
        "'${OBJ}${OBJ}'",
        "'(?P<object>'",
        "{ add = 1 }",
        "{ add = [1] }",
        "{ remove = ['x'], set = [] }",
        "[{ x = [] }]",
    ),
)
LINES = RICH.split("\n")
VALUED = [number for number, line in enumerate(LINES) if " = " in line]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the base pack."""
    folder = tmp_path_factory.mktemp("robust")
    (folder / "base.toml").write_text(BASE, encoding="utf-8")
    return folder


def check(folder: Path, text: str) -> list[str]:
    """The codes of what loading complains of; each with words and a place within the file."""
    path = folder / "rich.toml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    book = load([folder / "base.toml", path])
    assert book.packs[0].name == "base"
    for problem in book.problems:
        assert problem.what
        assert str(problem)
        assert 0 <= problem.line <= text.count("\n") + 1
    assert (len(book.packs) == 2) == (not any(problem.fatal for problem in book.problems))
    return [problem.code for problem in book.problems]


def test_the_rich_pack_is_good(folder: Path) -> None:
    """The starting point has every key of the language and no mistake."""
    assert check(folder, RICH) == []


@pytest.mark.no_cover  # the same lines, thousands of times
@pytest.mark.parametrize("number", VALUED, ids=lambda number: f"{number}-{LINES[number].split()[0]}")
def test_any_value_at_any_key_is_taken_or_complained_of(folder: Path, number: int) -> None:
    """A number for a text, a table for a list, a date, nonsense: never an exception."""
    for value in VALUES:
        key = LINES[number].split(" = ", 1)[0]
        check(folder, "\n".join([*LINES[:number], f"{key} = {value}", *LINES[number + 1 :]]))


@pytest.mark.no_cover  # the same lines, thousands of times
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    at=st.integers(0, len(RICH)),
    gone=st.integers(0, 60),
    put=st.one_of(
        st.text(max_size=5), st.sampled_from(["[", "]", "[[", "'''", '"', "\\", "\n[x]\n", "(?", "${", "{1,", "\x00", "\ud800", "\r"])
    ),
)
def test_a_file_with_a_stretch_torn_out_never_raises(folder: Path, at: int, gone: int, put: str) -> None:
    """Half-saved, garbled, cut short: a problem, or by luck a good pack."""
    check(folder, RICH[:at] + put + RICH[at + gone :])


@pytest.mark.parametrize(("limit", "said"), [("MAX_RULES", "at most 1 rules"), ("MAX_LITERALS", "at most 1 literals, these 2")])
def test_limits_of_a_pack(folder: Path, monkeypatch: pytest.MonkeyPatch, limit: str, said: str) -> None:
    """So many rules, so many literals, and no more."""
    monkeypatch.setattr(packs, limit, 1)
    (problem,) = load([folder / "base.toml"]).problems
    assert problem.code == "E-LIMIT"
    assert said in problem.what


def test_deep_brackets_and_endless_numbers_are_no_toml(folder: Path) -> None:
    """What makes a TOML reader stumble is a mistake of the file."""
    assert check(folder, RICH + "\nx = " + "[" * 5_000) == ["E-TOML"]
    assert check(folder, RICH + "\nx = " + "9" * 5_000) == ["E-TOML"]
    assert check(folder, "\ufeff" + RICH) == ["E-TOML"]


def test_shipped_packs_load_without_a_problem_proved_or_not(tmp_path: Path) -> None:
    """The same rules and the same hash, whether their examples were run or not."""
    proved = load([shipped_rules()], cache=tmp_path)
    trusted = load([shipped_rules()], prove_shipped=False)
    assert proved.problems == trusted.problems == ()
    assert proved.rules.hash == trusted.rules.hash
    assert len(list(tmp_path.iterdir())) in (0, len(proved.packs))  # none where all was known since Ethos was built
