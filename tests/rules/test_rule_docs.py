"""What rules/README.md shows is run: its packs load, its commands say what it says they say, its Python passes."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from ethos.core.model.records import Origin
from ethos.edge.rulebook import load, shipped_rules
from tests.support import proven

TOP = Path(__file__).parents[2]
README = (TOP / "rules" / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
FIVE_MINUTES = README[README.index("## Your first rule") : README.index("## Writing one")]  # and keeping it right


def block(language: str, number: int = 0) -> str:
    """A code block of the first lesson."""
    found = re.findall(rf"^```{language}\n(.*?)^```$", FIVE_MINUTES, re.DOTALL | re.MULTILINE)
    return str(found[number])


def program(words: list[str]) -> list[str]:
    """A command as it runs here, where nothing need be installed."""
    name, *rest = words
    known = name != "pytest" or any(point.name == "ethos" for point in entry_points(group="pytest11"))
    return [sys.executable, "-m", name, *(() if known else ("-p", "ethos.testing.plugin")), *rest]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The folder of somebody who did as the lesson says."""
    proven.seed(tmp_path / ".local" / "state" / "ethos")
    (tmp_path / "mine.toml").write_text(block("toml"), encoding="utf-8")
    (tmp_path / "config.toml").write_text(block("toml", 1), encoding="utf-8")
    (tmp_path / "talk.txt").write_text("We raise leeks from seed.\nNice weather.\nI raise peas from seed.\n", encoding="utf-8")
    (tmp_path / "test_mine.py").write_text(block("python"), encoding="utf-8")
    return tmp_path


def say(words: list[str], home: Path) -> str:
    """What a command prints, once it has ended well."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "ETHOS_", "PYTEST_", "COV"))}
    environment = {**kept, "HOME": str(home), "PYTHONPATH": str(TOP), "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(program(words), cwd=home, env=environment, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("number", range(FIVE_MINUTES.count("```console")))
def test_the_commands_of_the_first_lesson_say_what_it_shows(number: int, home: Path) -> None:
    """Line by line, no more and no less; `...` stands for what changes from day to day, and alone in a line for any number of them."""
    command, *shown = block("console", number).splitlines()
    said = say(shlex.split(command.removeprefix("$ ")), home)
    lines = (r"(?:.*\n)*" if line == "..." else re.escape(line.rstrip()).replace(r"\.\.\.", ".*") + r" *\n" for line in shown)
    assert re.fullmatch("".join(lines), said), said


def test_the_python_of_the_first_lesson_passes(home: Path) -> None:
    """As it stands there, beside the pack it tests."""
    assert "2 passed" in say(["pytest", "-q", "-p", "no:cacheprovider", "test_mine.py"], home)


def test_the_example_of_contributing_shows_the_rule_that_it_tests(home: Path) -> None:
    """Only that rule reads the sentence: its id is what `explain` prints, and `check` and `test` end well."""
    text = (TOP / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"^```sh\n(ethos rules check .*?)^```$", text, re.DOTALL | re.MULTILINE)
    check, explain, test = (
        [str(TOP / word) if word.startswith("rules/") else word for word in shlex.split(line)] for line in shown.splitlines()
    )
    said = say(explain, home)
    assert re.findall(r"rule ([\w./-]+):", said) == test[-1:]
    assert say(check, home)
    assert say(test, home)


def test_every_pack_it_shows_loads(tmp_path: Path) -> None:
    """After the shipped ones where it extends them; and each of its rules speaks."""
    packs = [text for language, text in BLOCKS if language == "toml" and re.search(r"^pack\s*=", text, re.MULTILINE)]
    assert len(packs) >= 2
    for text in packs:
        path = tmp_path / "pack.toml"
        path.write_text(text, encoding="utf-8")
        book = load([shipped_rules(), path] if "extends" in text else [path], cache=proven.PROOFS, in_use=False)
        assert [str(problem) for problem in book.problems if problem.path == str(path)] == []
        pack = tomllib.loads(text)["pack"]
        for rule in (rule for rule in book.rules.rules if rule.id.startswith(f"{pack}/")):
            told = (example.text for example in rule.examples if example.want)
            assert all(book.rules.claims(each, role="user", speaker="speaker", origin=Origin.USER) for each in told)


def test_it_names_every_file_beside_it() -> None:
    """The table of files is whole."""
    assert {path.name for path in shipped_rules().glob("*.toml")} == set(re.findall(r"^\| `([\w-]+\.toml)` \|", README, re.MULTILINE))
