"""What README.md says is so: its first walk works as typed, and the commands, options, actions and files it names are there."""

from __future__ import annotations

import json
import re
import shlex

import pytest

from ethos.edge.api.actions import ACTIONS
from ethos.edge.cli import menu
from tests.support.commands import ROOT, TALK, Commands, commands

__all__ = ["commands"]

README = (ROOT / "README.md").read_text(encoding="utf-8")
SPANS = re.findall(r"`([^`\n]+)`", README)
WALK = re.findall(r"^ethos .*$", README[: README.index("## What can be captured")], re.MULTILINE)
MAP = re.findall(r"`([\w/]+(?:\.py|\.toml|/))`", README[README.index("## The map") : README.index("## Figures")])


def named() -> dict[tuple[str, ...], set[str]]:
    """Each command that is spoken of, of a group with the one in it, and the options it is shown with."""
    found: dict[tuple[str, ...], set[str]] = {}
    for span in [*(span for span in SPANS if span.startswith("ethos ")), *WALK]:
        words = shlex.split(span, comments=True)[1:]
        if words[0] not in {"COMMAND", "--help"}:
            command = tuple(words[: 2 if words[0] in menu.NESTED else 1])
            found.setdefault(command, set()).update(word for word in words if word.startswith("--"))
    return found


def test_the_first_walk_works_as_it_is_typed(commands: Commands) -> None:
    """Each line of it, in its order, by somebody who has one transcript where Claude Code keeps them."""
    (commands.home / ".claude" / "projects").mkdir(parents=True)
    commands.write(".claude/projects/talk.jsonl", TALK)
    assert [line.split()[1] for line in WALK[:3]] == ["capture", "consolidate", "facts"]
    for line in WALK:
        words = [word.replace("~", str(commands.home)) for word in shlex.split(line, comments=True)[1:]]
        if "f-..." in words:
            words[words.index("f-...")] = commands("facts", "--json").data["facts"][0]["id"]
        done = commands(*words)
        assert (done.code, bool(done.out)) == (0, True), (words, done)


def test_a_fact_is_corrected_as_it_says(commands: Commands) -> None:
    """The line that is shown, handed over as it stands: what is so now is held, and what was held is its history."""
    (line,) = re.findall(r"^ *echo '(.*)' \| ethos capture - && ethos consolidate$", README, re.MULTILINE)
    held = {"role": "user", "text": "We decided to use Postgres.", "project": "shop", "said_at": "2026-03-01T10:00:00Z"}
    for each in (json.dumps(held), line):
        assert commands("capture", "-", stdin=each.encode()).code == 0
        commands("consolidate")
    assert [fact["object"] for fact in commands("facts", "--json").data["facts"]] == ["SQLite"]
    assert "superseded" in commands("facts", "--history").out


@pytest.mark.parametrize("command", sorted(named()), ids=" ".join)
def test_what_is_typed_in_it_can_be_typed(commands: Commands, command: tuple[str, ...]) -> None:
    """No command and no option stands there that is not there."""
    page = commands(*command, "-h")
    assert page.code == 0
    assert {option for option in named()[command] if option not in page.out} == set()


def test_the_actions_it_lists_are_those_of_the_socket() -> None:
    """All of them but the one that lists them."""
    (line,) = re.findall(r"most of them also commands: `([a-z ]+)`", README)
    assert sorted(line.split()) == sorted(set(ACTIONS) - {"help"})


def test_every_file_on_the_map_is_there() -> None:
    """A newcomer is sent to files, and to folders; some are named as they stand in `ethos/`, or beside the one before."""
    assert len(MAP) > 30
    package = ROOT / "ethos"
    beside = {path.name for path in package.rglob("*.py")}
    gone = {name for name in MAP if not ((ROOT / name).exists() or (package / name).exists() or name in beside)}
    assert gone == set()
