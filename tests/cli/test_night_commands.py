"""A night at the command line, with all its stages: what it says, what it changed, and the way back."""

from __future__ import annotations

import re

from tests.support.commands import Commands, commands, spoken

__all__ = ["commands"]

WORDS = (
    "The deploy of billing failed again.",
    "The migration locks the invoices table.",
    "We tried a smaller batch, and it failed too.",
    "The index on customer was missing!",
    "Wonderful, that fixed it: the deploy works now, thank you so much!",
)


def test_l33_a_night_is_told_shown_and_taken_back(commands: Commands) -> None:
    """Each command works on what every stage leaves, prints its counts, and exits with 0; a mistake goes to standard error with 2."""
    talk = "".join(spoken(f"d1-turn-{number}", words).replace("T10:00", f"T10:{number:02}") for number, words in enumerate(WORDS))
    commands.write("talk.jsonl", talk)
    assert commands("capture", "talk.jsonl").code == 0
    would = commands("sleep", "--date", "2026-03-01", "--dry-run", "--json").data
    slept = commands("sleep", "--date", "2026-03-01", "--json").data
    assert (slept["counts"], slept["changes"]) == (would["counts"], would["changes"])
    assert slept["counts"]["chain_count"] >= 1
    assert {"breakthrough_count", "chain_count", "boosted_count", "trace_count"} <= slept["counts"].keys()
    shown = commands("diff", slept["run"])
    assert shown.code == 0, shown
    assert re.search(r"~ d1-turn-\d .*salience 0\.\d\d", shown.out), shown.out
    told = commands("report", slept["run"]).out
    assert f"ethos undo {slept['run']}" in told
    assert "ethos why d1-turn-4" in told
    assert commands("undo", slept["run"]).code == 0
    assert "taken back by" in commands("report", slept["run"]).out
    again = commands("sleep", "--date", "2026-03-01", "--json").data
    assert again["counts"] == slept["counts"]
    refused = commands("sleep", "--date", "tomorrow")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err
