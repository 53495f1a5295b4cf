"""Every requirement of a built design has a test that is named for it, or a reason why it can have none."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]
PAGE = (TOP / "docs" / "requirements.md").read_text("utf-8")
WAIVED = tomllib.loads((TOP / "tests" / "spec.toml").read_text("utf-8"))["waived"]
LAST = {"E": 42, "L": 39, "R": 39, "H": 43, "G": 19}


def _rows() -> dict[str, list[str]]:
    """Return the requirement ids of each design, and under "built" those of the designs that are."""
    rows: dict[str, list[str]] = {"built": []}
    for letter, state, section in re.findall(r"^## ([A-Z])\. .*?\((built|planned)\)\n(.*?)(?=^## )", PAGE, re.MULTILINE | re.DOTALL):
        rows[letter] = re.findall(rf"^\| ({letter}-\d\d) \|", section, re.MULTILINE)
        rows["built"] += rows[letter] if state == "built" else []
    return rows


def _named() -> set[str]:
    """Return the requirements that test functions carry in their names; `test_fault_h10` is named for a fault that was mended."""
    files = (TOP / "tests").glob("**/*.py")
    names = (name for path in files for name in re.findall(r"^ *def (test_\w+)", path.read_text("utf-8"), re.MULTILINE))
    named = [name for name in names if not name.startswith("test_fault_")]
    return {f"{letter.upper()}-{row}" for name in named for letter, row in re.findall(r"(?<![a-z])([elrhg])(\d\d)(?=_)", name)}


ROWS = _rows()
NAMED = _named()


@pytest.mark.parametrize("letter", LAST)
def test_the_list_is_whole(letter: str) -> None:
    """Each design's rows are numbered from 01 to its last."""
    assert ROWS[letter] == [f"{letter}-{number:02}" for number in range(1, LAST[letter] + 1)]


@pytest.mark.parametrize("row", ROWS["built"])
def test_a_test_is_named_for(row: str) -> None:
    """`grep -rn e22 tests` answers "does it work?"."""
    if row in WAIVED:
        assert len(WAIVED[row]) > 20, f"{row} is waived without a reason"
    else:
        assert row in NAMED, f"no test is named for {row}: docs/requirements.md says what it wants"


def test_tests_are_named_for_requirements_that_exist() -> None:
    """A typing error in a test's name would show nothing."""
    known = {row for letter in LAST for row in ROWS[letter]}
    assert known >= NAMED, NAMED - known


def test_decisions_that_are_cited_stand_on_the_page() -> None:
    """Code and tests cite them as (X-E1), and name no paper that is not in the repository."""
    listed = {each for row in re.findall(r"^\| (X-[^|]*) \|", PAGE, re.MULTILINE) for each in row.split(", ")}
    texts = [path.read_text("utf-8") for folder in ("benchmarks", "ethos", "tests") for path in (TOP / folder).rglob("*.py")]
    cited = {each for text in texts for each in re.findall(r"\bX-[A-Z]+\d+", text)}
    assert cited == listed
    assert not [text[:200] for text in texts if re.search(r"[(;] ?(?:TRUST|SPEC|DESIGN|FIELD|RULES\.md)\b,? [A-Z\d]", text)]
