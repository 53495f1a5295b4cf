"""`ethos profile`, the block that it keeps in an agent's file, and that nothing of it is learned back."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from ethos.core.learning.summaries.managed_block import BEGIN, END
from tests.support.commands import Commands, commands

__all__ = ["commands"]

TALK = (
    "I prefer tea over coffee in the morning.",
    "I work as a nurse on the night shift.",
    "I have two greyhounds.",
    "My e-mail is maren@example.org.",
    "I don't use Facebook.",
)


@pytest.fixture
def learned(commands: Commands) -> Commands:
    """A memory of Maren."""
    lines = [
        {"id": f"t{at}", "role": "user", "speaker": "Maren", "text": text, "session": "s1", "said_at": f"2026-03-01T10:0{at}:00Z"}
        for at, text in enumerate(TALK)
    ]
    talk = commands.write("talk.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    assert commands("capture", talk).code == 0
    assert commands("consolidate").code == 0
    return commands


def test_g13_the_profile_tells_what_is_known_by_section(learned: Commands) -> None:
    """Each line with the ids of its facts, which `ethos why` explains."""
    shown = learned("profile").out
    assert shown.index("Communication") < shown.index("Work patterns") < shown.index("Personal context")
    assert "prefers tea" in shown
    data = learned("profile", "--json").data
    assert (data["about"], data["left_out"], data["made_at"]) == ("Maren", 0, None)
    facts = [fact for line in data["lines"] for fact in line["facts"]]
    assert len(facts) == len(set(facts)) == len(learned("facts", "--json").data["facts"])
    assert learned("why", facts[0], "--json").data["type"] == "fact"
    assert len(data["markdown"].encode()) <= 4_096
    assert learned("profile", "--about", "nobody", "--json").data["lines"] == []
    assert learned("profile", "--about", "nobody").out.startswith("no fact is about nobody")


def test_g12_an_empty_memory_says_what_to_do(commands: Commands) -> None:
    """No profile, no error."""
    assert "ethos capture" in commands("profile").out
    assert commands("profile", "--write", "CLAUDE.md").out == "nothing to change\n"
    assert not (commands.home / "CLAUDE.md").exists()


def test_g12_a_block_makes_no_folder(learned: Commands) -> None:
    """A name that is mistyped is told."""
    refused = learned("profile", "--write", "no/such/folder/CLAUDE.md")
    assert (refused.code, "there is no such folder" in refused.err) == (1, True)
    assert not (learned.home / "no").exists()


@pytest.mark.parametrize("before", [None, b"", b"# Rules\r\n\r\n- be brief\r\n", b"# Rules", "\ufeff# Überschrift\n".encode()])
def test_g12_a_block_is_written_renewed_and_taken_out_byte_for_byte(learned: Commands, before: bytes | None) -> None:
    """Nothing outside of it changes, it stays within its bytes, and undo gives the file back as it was."""
    file = learned.home / "CLAUDE.md"
    if before is not None:
        file.write_bytes(before)
    assert "wrote the block" in learned("profile", "--write", file).out
    once = file.read_bytes()
    assert once.startswith(before or b"")
    assert len(once) - len(before or b"") <= 2_048
    assert b"prefers tea" in once
    assert learned("profile", "--write", file).out == "nothing to change\n"
    assert file.read_bytes() == once
    file.write_bytes(b"<!-- mine -->\n" + once + b"- a line of my own\r\n")
    assert learned("profile", "--write", file, "--undo").code == 0
    assert file.read_bytes() == b"<!-- mine -->\n" + (before or b"") + b"- a line of my own\r\n"
    file.write_bytes(once)
    assert learned("profile", "--write", file, "--undo", "--json").data["changed"]
    assert (file.read_bytes() if file.exists() else None) == before
    assert learned("profile", "--write", file, "--undo").out == "nothing to change\n"


def test_g12_a_dry_run_shows_the_change_and_writes_nothing(learned: Commands) -> None:
    """As a diff."""
    assert "+- prefers tea" in learned("profile", "--write", "AGENTS.md", "--dry-run").out
    assert not (learned.home / "AGENTS.md").exists()


@pytest.mark.parametrize("broken", [f"{BEGIN} -->\n", f"{END}\n", f"{BEGIN} -->\n{BEGIN} -->\n{END}\n{END}\n", b"\xff\xfe"])
def test_g12_a_file_that_cannot_be_read_is_refused_and_left_alone(learned: Commands, broken: str | bytes) -> None:
    """Half a block, two of them, another encoding."""
    content = broken if isinstance(broken, bytes) else broken.encode()
    file = learned.home / "GEMINI.md"
    file.write_bytes(content)
    for undo in ((), ("--undo",)):
        ran = learned("profile", "--write", file, *undo)
        assert (ran.code, file.read_bytes()) == (1, content)
        assert "GEMINI.md" in ran.err


def test_g12_undo_needs_a_file(learned: Commands) -> None:
    """A usage error."""
    assert learned("profile", "--undo").code == 2


def test_g12_what_it_wrote_is_not_learned_back(learned: Commands, tmp_path: Path) -> None:
    """An agent reads the file, and a transcript brings its lines back as the user's words: nothing is learned or strengthened by it."""
    learned("profile", "--write", "CLAUDE.md")
    before = [(fact["id"], fact["confidence"]) for fact in learned("facts", "--json").data["facts"]]
    back = [
        {"id": f"b{at}", "role": "user", "speaker": "Maren", "text": line.removeprefix("- "), "session": "s2"}
        for at, line in enumerate((tmp_path / "CLAUDE.md").read_text("utf-8").splitlines())
        if line.strip()
    ]
    learned("capture", learned.write("back.jsonl", "".join(json.dumps(line) + "\n" for line in back)))
    learned("consolidate")
    assert [(fact["id"], fact["confidence"]) for fact in learned("facts", "--json").data["facts"]] == before


def test_t6_forgetting_takes_words_out_of_the_block_and_touches_nothing_else(learned: Commands) -> None:
    """The file is known since it was written, through a link, too. The person's own words about the same stay, and the receipt says so."""
    file, kept = learned.home / "rules.md", b"# Rules\r\n\r\nNever mention Facebook.\r\n"
    file.write_bytes(kept)
    (learned.home / "CLAUDE.md").symlink_to(file)
    assert learned("profile", "--write", "CLAUDE.md").code == 0
    assert b"greyhounds" in file.read_bytes()
    done = learned("forget", "--matching", "greyhounds", "--yes")
    assert (done.code, str(file) in done.out) == (0, True), done
    assert file.read_bytes().startswith(kept)
    assert b"greyhounds" not in file.read_bytes()
    assert b"nurse" in file.read_bytes()
    left = learned("forget", "--matching", "Facebook", "--yes")
    assert (left.code, f"still in {file}: 1 time" in left.out) == (1, True), left
    assert learned("profile", "--write", "CLAUDE.md", "--undo").code == 0
    assert file.read_bytes() == kept


def test_a_block_is_written_into_no_pipe_and_no_folder(learned: Commands) -> None:
    """Reading a pipe that nobody writes to would never end."""
    os.mkfifo(learned.home / "pipe.md")
    for name in ("pipe.md", "."):
        done = learned("profile", "--write", name)
        assert (done.code, "not a regular file" in done.err) == (1, True), done
