"""Every requirement has a test that is named for it, or a reason why it can have none."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

HERE = Path(__file__).parents[1]
SPEC = tomllib.loads((HERE / "spec.toml").read_text(encoding="utf-8"))
ROWS = [f"E-{number}" for number in SPEC["E"]]


def _named() -> set[str]:
    """The requirements that test functions of this folder carry in their names."""
    names = (name for path in HERE.glob("**/*.py") for name in re.findall(r"^ *def (test_\w+)", path.read_text("utf-8"), re.MULTILINE))
    return {f"E-{number}" for name in names for number in re.findall(r"(?<![a-z])e(\d\d)(?=_)", name)}


NAMED = _named()


def test_the_list_is_whole() -> None:
    """E-01 to E-42, with none left out."""
    assert [f"E-{number:02}" for number in range(1, 43)] == ROWS


@pytest.mark.parametrize("row", ROWS)
def test_a_test_is_named_for(row: str) -> None:
    """`grep -rn e22 tests` answers "does it work?"."""
    if row in SPEC["waived"]:
        assert len(SPEC["waived"][row]) > 20, f"{row} is waived without a reason"
    else:
        assert row in NAMED, f"no test is named for {row}: {SPEC['E'][row.removeprefix('E-')]}"


def test_nothing_is_named_for_a_requirement_that_is_not_there() -> None:
    """A slip of the pen in a test's name would show nothing."""
    assert set(ROWS) >= NAMED
