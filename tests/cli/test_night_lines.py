"""What `ethos sleep` prints."""

from __future__ import annotations

from pathlib import Path

from tests.support.commands import Commands, commands, spoken

__all__ = ["commands"]


def test_l01_a_night_prints_the_same_changes_before_and_after(commands: Commands, tmp_path: Path) -> None:
    """A dry run lists how the salience of each episode would change, and `diff` then lists the same."""
    words = ("The build is broken again.", "We tried a clean cache.", "That fixed it, great!", "Thanks.", "We use uv now.", "Good night.")
    said = (spoken(f"t{number}", each).replace("T10:00", f"T10:{number:02}") for number, each in enumerate(words))
    (tmp_path / "talk.jsonl").write_text("".join(said), "utf-8")
    assert commands("capture", "talk.jsonl").code == 0
    dry = commands("sleep", "--date", "2026-03-01", "--dry-run")
    assert dry.code == 0
    changes = [line for line in dry.out.splitlines() if ", importance " in line]
    assert changes
    assert "dry run, nothing was written: night of 2026-03-01" in dry.out
    slept = commands("sleep", "--date", "2026-03-01")
    assert " breakthroughs, " in slept.out
    listed = commands("diff").out.splitlines()
    assert [line for line in listed if ", importance " in line] == changes
