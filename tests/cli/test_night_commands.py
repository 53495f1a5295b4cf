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


def slept_on(commands: Commands) -> str:
    """The run of a night about a day of `WORDS`."""
    talk = "".join(spoken(f"d1-turn-{number}", words).replace("T10:00", f"T10:{number:02}") for number, words in enumerate(WORDS))
    commands.write("talk.jsonl", talk)
    assert commands("capture", "talk.jsonl").code == 0
    return str(commands("sleep", "--date", "2026-03-01", "--json").data["run"])


def test_l34_every_line_of_a_report_leads_on(commands: Commands) -> None:
    """The command behind it runs; a summary and a trace are explained."""
    report = commands("report", slept_on(commands), "--json").data
    lines = [line for section in report["sections"] for line in section["lines"]]
    assert [line["text"] for line in lines if not line["command"]] == []
    for line in lines:
        assert commands(*line["command"].split()[1:]).code == 0, line
    (told,) = [line["command"].split()[-1] for line in lines if line["command"].startswith("ethos why s-")]
    shown = commands("why", told).out
    assert "tells 5 turns" in shown
    assert "d1-turn-4" in shown
    traces = [each["id"] for each in commands("diff", report["run"], "--json").data["differences"] if each["type"] == "trace"]
    shown = commands("why", traces[0]).out
    assert "strength" in shown
    assert "ethos recall --narrative chain_20260301_0" in shown


def test_xl8_a_date_that_is_run_again_offers_no_undo_and_is_found_by_its_date(commands: Commands) -> None:
    """Nothing was changed, so nothing can be taken back; `report --date` shows the night that changed something."""
    run = slept_on(commands)
    assert f"ethos undo {run}" in commands("report", "--date", "2026-03-01").out
    again = commands("sleep", "--date", "2026-03-01").out
    assert "0 changes" in again
    assert "ethos undo" not in again
    assert commands("report", "--date", "2026-03-01", "--json").data["run"] == run
    assert "no night about 2026-03-02" in commands("report", "--date", "2026-03-02").err
    for command in ("sleep", "report"):
        refused = commands(command, "--date", "")
        assert (refused.code, "--date is empty" in refused.err) == (2, True)


def test_what_would_be_forgotten_is_told_in_words(commands: Commands) -> None:
    """A summary, and no marks of the store."""
    slept_on(commands)
    would = commands("forget", "d1-turn-4", "--dry-run").out
    assert "1 summary" in would
    assert not [line for line in would.splitlines() if "telling" in line or line.endswith(":")]
