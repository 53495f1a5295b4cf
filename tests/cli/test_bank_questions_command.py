"""`ethos inbox`, `answer` and `why` over memories of the bank, as typed."""

from __future__ import annotations

from pathlib import Path

from tests.support.commands import Commands, commands, spoken

__all__ = ["commands"]

DONE = (
    spoken("d1", "The date tests are flaky on CI.")
    + spoken("d2", "I changed the fixture to use a frozen clock.", speaker="model", role="assistant")
    + spoken("d3", "great, that fixed it")
)


def test_r10_the_inbox_lists_a_distilled_memory_and_why_tells_what_became_of_it(commands: Commands, tmp_path: Path) -> None:
    """With its id, its counts and its actions; `why` names the turns, the answer and who gave it."""
    (tmp_path / "talk.jsonl").write_text(DONE, "utf-8")
    assert commands("capture", str(tmp_path / "talk.jsonl")).code == 0
    assert commands("sleep", "--date", "2026-03-01").code == 0
    assert commands("inbox", "--check").code == 3
    (question,) = commands("inbox", "--json").data["questions"]
    assert (question["new"], question["proposal"], question["actions"]) == (None, "accept", ["accept", "reject"])
    assert question["memory"]["origin"] == "assistant"
    shown = commands("inbox").out
    assert "use this memory?" in shown
    assert f"ethos answer {question['id']} accept | reject" in shown
    memory = question["memory"]["id"]
    assert "open -> ethos answer" in commands("why", memory).out
    done = commands("answer", question["id"], "accept", "--note", "it is so", "--json").data
    told = commands("why", memory).out
    assert "success, active" in told
    assert "distilled from what model said" in told
    assert "answered accept through the cli" in told
    assert commands("inbox", "--check").code == 0
    assert commands("why", question["id"], "--json").data["memory"]["id"] == memory
    assert commands("undo", done["run"]).code == 0
    assert commands("memory", "show", memory, "--json").data["memory"]["state"] == "quarantined"
    assert commands("inbox", "--check").code == 3
