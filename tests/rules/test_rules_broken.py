"""Broken packs of our own making: each has one mistake, which its first line names with its code and place."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ethos.edge.rulebook import Rulebook, load, shipped_rules
from tests.support import proven

BROKEN = sorted((Path(__file__).parent / "broken_packs").glob("*.toml"))


def expected(path: Path) -> str:
    """What the first line of a broken pack promises: "E-SCHEMA at 3:8"."""
    with path.open(encoding="utf-8") as file:
        return file.readline().strip().removeprefix("# expected: ")


@pytest.fixture(scope="module")
def book() -> Rulebook:
    """The shipped packs and all broken ones after them."""
    return load([shipped_rules(), BROKEN[0].parent], cache=proven.PROOFS, in_use=False)


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_a_broken_pack_has_one_precise_problem(path: Path, book: Rulebook) -> None:
    """One mistake gives one problem with its code, line and column, and a caret under the spot."""
    problems = [problem for problem in book.problems if problem.path == str(path)]
    assert [f"{problem.code} at {problem.line}:{problem.column}" for problem in problems] == [expected(path)]
    (problem,) = problems
    lines = str(problem).splitlines()
    assert lines[0].startswith(f"{path}:{problem.line}:{problem.column}  {problem.code}")
    assert lines[1].endswith(path.read_text(encoding="utf-8").splitlines()[problem.line - 1])
    assert lines[2].index("^") - lines[1].index("|") == problem.column + 1
    assert problem.what


def test_broken_packs_are_set_aside_and_the_others_are_in_force(book: Rulebook) -> None:
    """None of them is loaded, and each shipped pack is."""
    assert [pack.path for pack in book.packs] == sorted(shipped_rules().glob("*-en.toml"))


def test_there_are_enough_of_them() -> None:
    """The kinds of mistake that rules/README.md names, and more."""
    codes = {expected(path).split(" ", 1)[0] for path in BROKEN}
    assert len(BROKEN) >= 70
    assert codes >= {"E-TOML", "E-SCHEMA", "E-UNKNOWN-KEY", "E-DUP-ID", "E-REGEX", "E-SUBSET", "E-REDOS", "E-GROUP", "E-KEYWORDS", "E-CASE"}
    assert codes >= {"E-EXAMPLE", "E-NEVER-FIRES", "E-LIMIT", "E-REQUIRES", "E-EXTENDS", "E-REFERENCE", "E-OVERRIDE-LIST"}


def test_a_folder_of_broken_packs_is_told_file_by_file_on_the_command_line(tmp_path: Path) -> None:
    """`ethos rules check --json` on the whole folder: an error for each file, in its own words, exit 1, and no traceback."""
    (tmp_path / "config.toml").write_text('[ethos]\ndatabase = "e.db"\nstate = "state"\n', encoding="utf-8")
    proven.seed(tmp_path / "state")
    command = [sys.executable, "-m", "ethos", "rules", "check", "--json", "--config", str(tmp_path / "config.toml"), str(BROKEN[0].parent)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2])
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    told = json.loads(done.stdout)
    found = {(Path(problem["path"]).name, f"{problem['code']} at {problem['line']}:{problem['column']}") for problem in told["problems"]}
    assert found == {(path.name, expected(path)) for path in BROKEN}
