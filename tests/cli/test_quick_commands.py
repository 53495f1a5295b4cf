"""Commands that need no rules do not load them, and what commands print is worded and cleaned."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from ethos.core.text.plurals import plural
from ethos.edge.client.connection import Connection
from ethos.edge.jsonio.shapes import plain
from ethos.edge.ops.doctor import setup
from ethos.edge.render import report, tables
from tests.support.commands import TALK, Commands, commands, environment, spawn
from tests.support.packs import pack as pack_of
from tests.support.packs import rule, write
from tests.support.telling import fact

__all__ = ["commands"]

LOADED = """
import sys
READING = ("ethos.edge.rulebook", "ethos.core.rules.matcher", "ethos.core.rules.prefilter")
from ethos.__main__ import main
sys.argv = ["ethos", *sys.argv[1:]]
code = main()
print("loaded:", *(name for name in sys.modules if name.startswith(READING)))
sys.exit(code)
"""


def test_fault_newcomer_facts_why_inbox_and_diff_load_no_rules(tmp_path: Path) -> None:
    """Without a daemon, a question that needs no rule does not import what reads rules."""
    (tmp_path / "talk.jsonl").write_text(TALK, "utf-8")
    spawn(tmp_path, "capture", "talk.jsonl")
    spawn(tmp_path, "consolidate")
    fact = spawn(tmp_path, "facts", "--json").data["facts"][0]["id"]
    for words in (["facts"], ["why", fact], ["inbox"], ["diff"]):
        done = subprocess.run(
            [sys.executable, "-c", LOADED, *words], capture_output=True, text=True, cwd=tmp_path, env=environment(tmp_path), check=False
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.splitlines()[-1] == "loaded:", words


def test_fault_low_status_cleans_the_name_of_a_run() -> None:
    """The name and the outcome of a run may come from an imported file: no escape of them reaches the terminal."""
    run = {"id": "r-1", "name": "\x1b[31mexport\u202e", "reason": "", "started_at": "\x1b[2J6-03-01T10:00:00Z", "outcome": "\x1b]0;x\x07"}
    for line in report.runs({"runs": [{**run, "counts": {"\x1b[1m": 2}}]}):
        assert line.isprintable(), line
    assert "export" in report.runs({"runs": [run]})[0]


def test_plural_agrees_with_its_number() -> None:
    """One is one, also where the plural is not formed with an s; numbers have their thousands parted."""
    assert [plural(number, "error") for number in (0, 1, 2, 1000)] == ["0 errors", "1 error", "2 errors", "1,000 errors"]
    assert [plural(number, "copy", "copies") for number in (1, 2)] == ["1 copy", "2 copies"]


def test_doctor_says_that_the_last_good_version_of_a_pack_is_in_use(commands: Commands) -> None:
    """A pack with a mistake is set aside, and where its last good version reads on, the doctor says that; else that it is set aside."""
    pack = write(commands.home, pack_of("mine", rule("raises", r"\bi raise (?P<object>[^,.!?\n]{2,60})", "raises")))
    commands.write("config.toml", f"[ethos]\n[rules]\npacks = [{json.dumps(str(pack))}]\n")
    assert commands("rules", "check").code == 0
    pack.write_text("schema = [", "utf-8")
    with Connection(None) as connection:
        (found,) = [check for check in setup.checks(connection) if check.name == "rules"]
    assert found.level == "fail"
    assert "1 error, the first" in found.found
    assert "the last good one is in use" in found.matters


def test_fault_newcomer_no_word_and_no_id_is_broken_in_60_columns() -> None:
    """However narrow the terminal, each word and each id of a list of facts stands in one line."""
    found = plain([replace(fact("team", "uses", "a supercalifragilistic configuration-management-system", 0.8), project="docs")])
    for width, versions in ((20, False), (60, False), (79, False), (20, True), (60, True), (129, True)):
        console = Console(width=width, file=io.StringIO(), markup=False)
        with console.capture() as got:
            console.print(tables.listing(found, width=width, versions=versions), crop=False)
        words = got.get().split()
        assert found[0]["id"] in words
        assert {"supercalifragilistic", "configuration-management-system"} <= set(words)
        assert "docs" in got.get()
