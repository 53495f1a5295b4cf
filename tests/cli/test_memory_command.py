"""`ethos memory` as a person types it: whose words they are, in which project, and how a memory proved itself."""

from __future__ import annotations

import pytest

from ethos.edge.cli.commands import memory
from tests.support.commands import Commands, commands

__all__ = ["commands"]

WAY = ("--description", "flaky date tests", "--content", "Freeze time in the fixture", "--outcome", "success")


@pytest.mark.parametrize(
    ("person", "option", "origin"), [(True, (), "user"), (False, (), "assistant"), (True, ("--by-agent",), "assistant")]
)
def test_r05_at_a_terminal_a_memory_is_the_users(
    commands: Commands, monkeypatch: pytest.MonkeyPatch, person: bool, option: tuple[str, ...], origin: str
) -> None:
    """Elsewhere it is the agent's, unless an option says whose it is."""
    monkeypatch.setattr(memory, "person_is_there", lambda: person)
    made = commands("memory", "record", "Pin the clock", *WAY, *option, "--json").data["id"]
    assert commands("memory", "show", made, "--json").data["memory"]["origin"] == origin


@pytest.mark.parametrize(
    "options", [("outcome", "--succeeded", "--failed"), ("outcome",), ("feedback", "--helpful", "--not-helpful"), ("feedback",)]
)
def test_r06_r08_one_thing_is_said_of_a_memory(commands: Commands, options: tuple[str, ...]) -> None:
    """Both, or neither, is a mistake, and nothing is counted."""
    made = commands("memory", "record", "Pin the clock", *WAY, "--json").data["id"]
    verb, *said = options
    assert commands("memory", verb, made, *said).code == 2
    assert commands("memory", "show", made, "--json").data["signals"] == []


def test_r06_a_word_on_a_memory_is_no_try_of_it(commands: Commands) -> None:
    """It is counted beside the tries."""
    made = commands("memory", "record", "Pin the clock", *WAY, "--json").data["id"]
    assert commands("memory", "feedback", made, "--not-helpful").code == 0
    assert "not tried yet, found helpful by 0 of 1" in commands("memory", "show", made).out
    assert commands("memory", "outcome", made, "--succeeded").code == 0
    assert "worked 1 of 1, found helpful by 0 of 1" in commands("memory", "show", made).out


def test_r10_a_list_is_of_the_project_of_the_folder(commands: Commands) -> None:
    """Of all on request, or of one that is named."""
    made = commands("memory", "record", "Pin the clock", *WAY, "--project", "elsewhere", "--json").data["id"]
    assert "ethos memory list --everywhere" in commands("memory", "list").out
    assert made in commands("memory", "list", "--everywhere").out
    assert made in commands("memory", "list", "--project", "elsewhere").out
    assert commands("memory", "list", "--everywhere", "--project", "elsewhere").code == 2


def test_r02_a_search_is_of_the_project_or_of_all(commands: Commands) -> None:
    """A memory of another project is found on request; a project and all of them cannot both be asked for."""
    made = commands("memory", "record", "Pin the clock", *WAY, "--project", "elsewhere", "--json").data["id"]
    assert "--everywhere" in commands("memory", "search", "flaky date tests").out
    found = commands("memory", "search", "flaky date tests", "--everywhere", "--json").data["memories"]
    assert [(each["id"], each["project"]) for each in found] == [(made, "elsewhere")]
    assert commands("memory", "search", "flaky date tests", "--everywhere", "--project", "elsewhere").code == 2


def test_r09_a_consolidation_says_what_it_merges(commands: Commands) -> None:
    """With nothing to merge it says so, in one clause."""
    assert commands("memory", "consolidate", "--dry-run").out.strip().endswith("nothing to merge among 0 memories")
