"""`ethos lessons`: from lines of JSON to a lesson on the terminal."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime, timedelta

import pytest

from tests.support.commands import Commands, commands

__all__ = ["commands"]

YESTERDAY = datetime(2026, 3, 9, 20, tzinfo=UTC)


@pytest.fixture
def traded(commands: Commands) -> Commands:
    """Somebody whose agent told 160 trades, half of them hedged, and who slept on it."""
    chance = random.Random(1)
    lines = []
    for number in range(160):
        hedged = chance.random() < 0.5
        won = chance.random() < (0.85 if hedged else 0.3)
        body = {"pnl_pct": 1.5 if won else -2.0, "signals": {"symbol": "SOL", "hedged": hedged}}
        at = YESTERDAY - timedelta(minutes=20 * (160 - number))
        told = {"id": f"t-{number}", "role": "user", "session": f"s-{number}", "text": json.dumps(body), "said_at": at.isoformat()}
        lines.append(json.dumps(told) + "\n")
    commands.write("trades.jsonl", "".join(lines))
    commands("capture", "trades.jsonl")
    return commands


def test_h37_h38_lessons_are_listed_and_traced_to_their_episodes(traded: Commands) -> None:
    """None before the night; then the claim, how it was found, what would refute it, its playbook; with its id each episode, too."""
    assert "no lessons" in traded("lessons").out
    traded("sleep", "--date", "2026-03-09")
    (taught,) = traded("lessons", "--json").data["lessons"]
    lesson = taught["lesson"]
    assert (lesson["about"], lesson["condition"], taught["episodes"]) == ("SOL", '["hedged", "is", true]', 160)
    assert 0.5 < taught["encoded"] < 1.0
    shown = traded("lessons").out
    assert f"{lesson['good_with']} of {lesson['all_with']} went well, against {lesson['good_without']} of" in shown
    assert "would refute it" in shown
    assert "playbook: When hedged:" in shown
    one = traded("lessons", lesson["id"]).out
    assert one.count("generalizes t-") == 160
    assert "(0.70)" in one
    missing = traded("lessons", "l-nothing")
    assert missing.code == 1
    assert "ethos lessons --retired" in missing.err
