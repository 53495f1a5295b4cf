"""How far it is from a command to the work: calls of our own code on the stack when a cycle's loop begins, and the files they stand in."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.commands import TALK, environment, spawn

# Runs `ethos consolidate` as the console script does, and prints the calls that led to the loop over the passes of a cycle.
TRACED = """
import json, sys
from pathlib import Path

import pytest
import ethos
from ethos.__main__ import main

home = str(Path(ethos.__file__).parent)

def watch(frame, event, _):
    if event != "call" or frame.f_code.co_qualname != "consolidate.<locals>.loop":
        return
    sys.setprofile(None)
    calls = []
    while frame is not None:
        if frame.f_code.co_filename.startswith(home):
            calls.append((frame.f_code.co_filename[len(home) + 1:], frame.f_code.co_qualname))
        frame = frame.f_back
    print(json.dumps(calls[::-1]), file=sys.stderr)

sys.argv = ["ethos", "consolidate"]
sys.setprofile(watch)
sys.exit(main())
"""


def test_a_cycle_is_8_calls_away_through_7_files(tmp_path: Path) -> None:
    """Whoever reads from the console script to the main loop finds seven files on the stack. Layers that only hand on do not grow back."""
    (tmp_path / "talk.jsonl").write_text(TALK, "utf-8")
    assert spawn(tmp_path, "capture", "talk.jsonl").code == 0
    command = [sys.executable, "-c", TRACED]
    done = subprocess.run(command, cwd=tmp_path, env=environment(tmp_path), capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    calls = json.loads(done.stderr.splitlines()[-1])
    assert calls[0] == ["__main__.py", "main"]
    assert calls[-1] == ["app/consolidate.py", "consolidate.<locals>.loop"]
    assert len(calls) <= 8, calls
    assert len({file for file, _ in calls}) <= 7, calls


# Runs a command as the console script does, and prints the modules of ours that it loaded.
LOADED = """
import json, sys
from ethos.__main__ import main

sys.argv = ["ethos", *sys.argv[1:]]
code = main()
print(json.dumps(sorted(name for name in sys.modules if name.startswith("ethos."))), file=sys.stderr)
sys.exit(code)
"""
HEAVY = (  # what a question for records needs nothing of
    "ethos.app.sleep",
    "ethos.core.learning.chains",
    "ethos.core.learning.lessons",
    "ethos.core.rules.matcher",
    "ethos.core.text.secrets",
    "ethos.edge.rulebook",
    "ethos.inference",
    "ethos.stages.consolidate",
)
MACHINERY = (
    "ethos.engine",
    "ethos.core.rules",
    "ethos.core.text.sentences",
    "ethos.stages.passes",
    "ethos.app.review",
)  # settling ticks needs some of it

NIGHTLY = (
    "ethos.app.sleep",
    "ethos.core.learning.chains",
    "ethos.core.learning.lessons",
    "ethos.core.learning.summaries.clauses",
    "ethos.stages.night",
)


@pytest.mark.parametrize("command", [["facts"], ["why", "f-"], ["diff"], ["inbox"]], ids=lambda each: str(each[0]))
def test_without_a_daemon_a_question_for_records_loads_little_of_the_program(tmp_path: Path, command: list[str]) -> None:
    """Importing takes most of their time. The verbs that a command does not need are not loaded (fault: 1.1 s for a list)."""
    (tmp_path / "talk.jsonl").write_text(TALK, "utf-8")
    assert spawn(tmp_path, "capture", "talk.jsonl").code == 0
    assert spawn(tmp_path, "consolidate").code == 0
    asked = [sys.executable, "-c", LOADED, *command]
    done = subprocess.run(asked, cwd=tmp_path, env=environment(tmp_path), capture_output=True, text=True, check=False, timeout=60)
    loaded = json.loads(done.stderr.splitlines()[-1])
    assert "ethos.app.memory" in loaded
    unwanted = HEAVY if command == ["inbox"] else HEAVY + MACHINERY
    assert [name for name in loaded if name.startswith(unwanted)] == []


def test_without_a_daemon_a_cycle_loads_nothing_of_a_night(tmp_path: Path) -> None:
    """Patterns of summaries are compiled where they are loaded, which takes as long as reading a thousand turns."""
    (tmp_path / "talk.jsonl").write_text(TALK, "utf-8")
    assert spawn(tmp_path, "capture", "talk.jsonl").code == 0
    asked = [sys.executable, "-c", LOADED, "consolidate"]
    done = subprocess.run(asked, cwd=tmp_path, env=environment(tmp_path), capture_output=True, text=True, check=True, timeout=60)
    loaded = json.loads(done.stderr.splitlines()[-1])
    assert "ethos.stages.passes" in loaded
    assert [name for name in loaded if name.startswith(NIGHTLY)] == []
