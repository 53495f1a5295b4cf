"""Poisoning: over a thousand attack texts, through real transcripts and the real door, and no fact comes of them (threats.md, 2)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from ethos.app import Ethos
from ethos.core.model.records import Role
from ethos.edge.capture.transcripts import detecting
from ethos.edge.capture.transcripts.episodes import to_episode
from tests.stages.test_quarantine import active, careless, waiting
from tests.support.commands import Commands, commands
from tests.support.poison import PAYLOADS, Channel, attacks
from tests.support.transcript_reading import LATER, items, turns
from tests.support.transcript_writing import FORMATS, UNWRITTEN, Spoken

__all__ = ["careless", "commands"]  # fixtures

ROLES: Mapping[Channel, Role] = {"tool": "tool", "assistant": "assistant", "outside": "system", "user": "user"}
ATTACKS = tuple(attacks())
POISONED = [Spoken(ROLES[attack.channel], attack.text) for attack in ATTACKS]
SOME = POISONED[::3]  # each disguise, with every third payload
SAID = [Spoken("user", payload) for payload in PAYLOADS]


def written(home: Path, name: str, said: list[Spoken]) -> Path:
    """A transcript of this format, as a file that nobody is writing to."""
    file, write = FORMATS[name]
    folder = home / "talks"
    folder.mkdir(exist_ok=True)
    (folder / file).write_text(write(said), "utf-8")
    return folder / file


def learned(run: Commands, transcript: Path, name: str) -> list[dict[str, object]]:
    """What is held after the transcript was captured and read to the end."""
    captured = run("capture", transcript, "--format", name, "--json")
    assert captured.code == 0, captured
    assert run("consolidate", "--json").code == 0
    held: list[dict[str, object]] = run("facts", "--json").data["facts"]
    return held


def test_p5_every_format_has_a_writer_or_a_reason() -> None:
    """So that a new format is tried here, too."""
    assert sorted([*FORMATS, *UNWRITTEN]) == sorted(detecting.FORMATS)


@pytest.mark.parametrize("name", FORMATS)
def test_p5_no_attack_text_becomes_a_fact_in_any_format(commands: Commands, name: str) -> None:
    """What tools print, the assistant says, pages and files hold, or the person pastes is kept as an episode, and nothing is learned."""
    texts = POISONED if name == "claude-code" else SOME
    assert len({turn.text for turn in texts}) >= 300
    assert learned(commands, written(commands.home, name, texts), name) == []
    assert commands("inbox", "--json").data["questions"] == []
    status = commands("status", "--json").data
    assert (status["counts"]["facts"], status["counts"]["facts_history"], status["counts"]["unscanned"]) == (0, 0, 0)
    assert status["counts"]["episodes"] > sum(turn.role == "user" for turn in texts) * 0.8


@pytest.mark.parametrize("name", FORMATS)
def test_p5_the_control_what_the_person_says_themselves_is_learned(commands: Commands, name: str) -> None:
    """The same sentences without the disguise, in the same formats: every one is held. So the test above can fail."""
    held = learned(commands, written(commands.home, name, SAID), name)
    questions = commands("inbox", "--json").data["questions"]
    assert len(held) >= len(PAYLOADS) - 1  # one may have taken another's place
    assert {fact["origin"] for fact in held} == {"user"}
    assert all(question["id"].startswith("c-") for question in questions)


def test_p5_attacks_change_nothing_of_what_is_held(commands: Commands) -> None:
    """Heard between the person's own words, they leave no trace in any fact: not its confidence, not its history, not its evidence."""
    shuffled = [turn for payload in SAID for turn in (payload, *SOME[:: len(SAID)])]
    alone = learned(commands, written(commands.home, "jsonl", SAID), "jsonl")
    assert alone
    before = json.loads(commands("facts", "--history", "--json").out)["facts"]
    transcript = written(commands.home, "claude-code", [turn for turn in shuffled if turn not in SAID])
    learned(commands, transcript, "claude-code")
    after = json.loads(commands("facts", "--history", "--json").out)["facts"]
    assert after == before
    for fact in alone:
        why = commands("why", str(fact["id"]), "--json").data
        assert {episode["origin"] for episode in why["episodes"].values()} == {"user"}


@pytest.mark.no_cover  # the same lines, hundreds of times
def test_p5_even_rules_that_read_everybody_hold_nothing(careless: Ethos, tmp_path: Path) -> None:
    """With every shipped rule widened to all roles and no modifier left: the claims of tools and of the assistant wait in the
    quarantine, each once, and none is held.
    """
    foreign = [turn for turn in POISONED if turn.role != "user"]
    for name in FORMATS:
        found = items(written(tmp_path, name, foreign), format_name=name)
        careless.capture(to_episode(turn, user="default", now=LATER, importance=lambda *_: 0.95, mask=None) for turn in turns(found))
    careless.consolidate(reason="test")
    assert active(careless) == []
    entries = waiting(careless)
    assert len(entries) > len(PAYLOADS)
    assert len({(e.new.project, e.new.subject_key, e.new.predicate_key, e.new.object_key, e.new.polarity) for e in entries}) == len(entries)
    assert careless.store.check() == []
