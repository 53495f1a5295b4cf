"""What other memories left behind, brought in as episodes with their origin: CLAUDE.md, MEMORY.md, mem0, basic-memory."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ethos.core.model.records import Origin
from ethos.edge.capture.transcripts.memory_files import statements
from tests.support.commands import Commands, commands

__all__ = ["commands"]

RULES = """# Rules\r
\r
Maren writes the billing service.\r
It runs on two machines.\r
\r
- We decided to use Postgres for the billing service.\r
- [x] always run the tests\r
  before a push\r
<!-- a note to myself -->\r
```sh\r
make deploy\r
```\r
"""
MEM0 = {
    "results": [
        {"id": "m1", "memory": "Prefers tea over coffee", "hash": "x", "user_id": "maren", "created_at": "2026-01-02T10:00:00Z"},
        {"id": "m2", "memory": "", "hash": "y"},
    ]
}
NOTE = """---
title: Billing
type: note
permalink: work/billing
tags: [billing]
---

# Billing

## Observations
- [decision] We use Redis for the cache #cache #billing (said in March)
- [x] a task
- plain text

## Relations
- part_of [[Shop]]
"""


def brought_in(commands: Commands, path: Path, *words: str) -> list[dict[str, object]]:
    """What `ethos import` makes of a file: its episodes, as an export holds them."""
    done = commands("import", path, *words, "--json")
    assert done.code == 0, done
    out = commands.home / "out.jsonl"
    assert commands("export", out, "-q").code == 0
    lines = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    out.unlink()
    episodes = [line for line in lines if line.get("type") == "episode"]
    assert done.data["added"] == {"episode": len(episodes)}
    return episodes


def test_paragraphs_and_items_are_statements() -> None:
    """Headings, comments and code are not; an item goes on over indented lines."""
    assert list(statements(RULES.replace("\r\n", "\n"))) == [
        (3, "Maren writes the billing service. It runs on two machines."),
        (6, "We decided to use Postgres for the billing service."),
        (7, "always run the tests before a push"),
    ]


@pytest.mark.parametrize(
    ("name", "mine", "role", "origin"),
    [
        ("CLAUDE.md", False, "system", "external"),
        ("AGENTS.md", False, "system", "external"),
        ("CLAUDE.md", True, "user", "user"),
        ("GEMINI.md", True, "user", "user"),
        ("MEMORY.md", False, "assistant", "assistant"),
        ("MEMORY.md", True, "assistant", "assistant"),
    ],
)
def test_a_file_of_an_agent_comes_in_with_its_origin(commands: Commands, name: str, mine: bool, role: str, origin: str) -> None:
    """Whose a file for agents is nobody knows, since it may have come with a repository: no fact comes of it, unless the user says that it
    is theirs. What agents note never is. Again it adds nothing.
    """
    path = commands.write(name, RULES)
    own = ("--as-mine",) if mine else ()
    episodes = brought_in(commands, path, *own)
    assert [(each["origin"], each["role"], each["session"]) for each in episodes] == [(origin, role, name)] * 3
    commands("consolidate")
    facts = [fact["statement"] for fact in commands("facts", "--json").data["facts"]]
    assert any("Postgres" in fact for fact in facts) == (origin == "user")
    assert commands("import", path, *own, "--json").data == {
        "run": "",
        "added": {"episode": 0},
        "known": {"episode": 3},
        "asked": 0,
        "forgotten": 0,
    }


def test_what_ethos_wrote_into_a_file_does_not_come_in(commands: Commands) -> None:
    """The block of `ethos profile --write` is left out, the rest is read."""
    talk = commands.write("talk.jsonl", json.dumps({"role": "user", "speaker": "Ada", "text": "I love old maps."}) + "\n")
    commands("capture", talk)
    commands("consolidate")
    path = commands.write("CLAUDE.md", "- We decided to use Postgres.\n")
    assert commands("profile", "--write", path).code == 0
    assert "old maps" in path.read_text("utf-8")
    assert commands("import", path, "--json").data["added"] == {"episode": 1}


def test_mem0_comes_in_as_the_assistants_words_with_its_times(commands: Commands) -> None:
    """A model extracted it, so it waits for the person."""
    (episode,) = brought_in(commands, commands.write("mem0.json", json.dumps(MEM0)))
    assert (episode["text"], episode["origin"]) == ("Prefers tea over coffee", Origin.ASSISTANT.name.lower())
    assert episode["said_at"] == "2026-01-02T10:00:00Z"


def test_mem0_as_a_list_is_the_same(commands: Commands) -> None:
    """As its API gives it."""
    (episode,) = brought_in(commands, commands.write("memories.json", json.dumps(MEM0["results"])))
    assert episode["text"] == "Prefers tea over coffee"


def test_an_observation_of_basic_memory_comes_in_with_its_tags(commands: Commands) -> None:
    """Tasks, text and relations do not."""
    (episode,) = brought_in(commands, commands.write("billing.md", NOTE))
    assert (episode["text"], episode["session"], episode["tags"]) == (
        "We use Redis for the cache",
        "work/billing",
        ["decision", "cache", "billing"],
    )


def test_a_note_that_ethos_wrote_does_not_come_in(commands: Commands) -> None:
    """What stands in it is held."""
    path = commands.write("Ada.md", NOTE.replace("work/billing", "ethos/ada"))
    assert commands("import", path, "--json").data["added"] == {"episode": 0}


def test_a_file_of_no_known_kind_is_refused(commands: Commands) -> None:
    """With what can be imported."""
    done = commands("import", commands.write("notes.txt", "hello"))
    assert done.code == 1
    assert "ethos export" in done.err


def test_an_export_cannot_be_taken_as_the_users_words(commands: Commands) -> None:
    """It says itself who said what."""
    done = commands("import", commands.write("mem0.json", json.dumps(MEM0)), "--as-mine")
    assert (done.code, "--as-mine" in done.err) == (2, True)


def test_such_a_file_is_never_found_in_a_folder(commands: Commands) -> None:
    """A checkout of somebody else's project may hold one: only who names it brings it in."""
    (commands.home / "project").mkdir()
    commands.write("project/CLAUDE.md", RULES)
    assert commands("capture", commands.home / "project", "--json").data["added"] == 0
