"""The doctor: the runbook's three troubles with the numbers found, and everything else that keeps a memory from working (E-38)."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from ethos.core.model.settings import Settings
from ethos.edge.config.clock import SystemClock
from ethos.edge.files import free_space, locks
from ethos.edge.files.store_files import StoreFiles
from ethos.edge.ops.doctor import keeping, setup, store, troubles
from ethos.edge.server import idle
from tests.support.commands import QUARREL, TALK, Commands, commands, spoken

__all__ = ["commands"]


@pytest.fixture
def quiet_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with nothing to do, whatever else it does just now."""
    monkeypatch.setattr(idle, "load_percent", lambda: 3.0)


def examined(ethos: Commands) -> dict[str, Any]:
    """Checks by name."""
    return {check["name"]: check for check in ethos("doctor", "--json").data["checks"]}


@pytest.mark.usefixtures("quiet_machine")
def test_e38_a_healthy_memory_walks_the_runbook(commands: Commands) -> None:
    """Recent events, load, last run, unconsolidated count, top ten by importance: each a line, none of them a failure."""
    commands.write("talk.jsonl", TALK)
    commands("capture", "talk.jsonl")
    commands("consolidate")
    commands(
        "capture",
        "-",
        stdin=b"".join(spoken(f"n{number}", f"We decided to use Redis {number} for caching.").encode() for number in range(12)),
    )
    done = commands("doctor")
    assert done.code == 0
    found = examined(commands)
    assert found["recent events"]["found"].startswith("0 in the last 60 s")
    assert found["load"]["found"] == "3 % of all cores over the last minute, it must be under 80"
    assert found["last run"]["level"] == "ok"
    assert found["episodes"]["found"] == "16 captured, 14 of them gave no fact so far"
    assert found["to be read"]["found"] == "12 episodes"
    top = found["top 10 by importance"]["found"].split("; ")
    assert len(top) == 10
    assert top[0].startswith("0.80 n")
    assert found["facts"]["found"] == "2 held, 0 superseded or retired"
    assert {check["level"] for check in found.values()} == {"ok", "warn"}
    assert found["daemon"]["do"] == "ethos service install, or ethos run"
    assert all(check["do"] for check in found.values() if check["level"] == "warn")


@pytest.mark.usefixtures("quiet_machine")
def test_an_empty_memory_is_told_what_to_type_first(commands: Commands) -> None:
    """Nothing was captured: that is no fault, and the next step is named."""
    done = commands("doctor")
    assert done.code == 0
    found = examined(commands)
    assert found["episodes"]["do"] == "ethos capture PATH"
    assert "-> ethos capture PATH" in done.out
    assert "ok " not in commands("doctor", "--quiet").out


def test_it_never_runs_for_a_session_event_and_for_load(commands: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    """A live session and a busy machine are named with their thresholds, and how to run all the same (E-03, E-04)."""
    commands.write("talk.jsonl", TALK)
    commands("capture", "talk.jsonl", "--live")
    monkeypatch.setattr(idle, "load_percent", lambda: 80.0)  # equal is not below (X-E9)
    found = examined(commands)
    assert found["recent events"]["level"] == "warn"
    assert "ethos consolidate" in found["recent events"]["do"]
    assert found["load"]["level"] == "warn"
    assert "consolidation.cpu_threshold_percent" in found["load"]["do"]
    assert found["last run"]["do"] == "ethos consolidate"
    monkeypatch.setattr(idle, "load_percent", lambda: None)
    assert examined(commands)["load"]["found"] == "cannot be read"


@pytest.mark.usefixtures("quiet_machine")
def test_no_facts_although_everything_was_read(commands: Commands) -> None:
    """The rules found nothing: it says how to see what they read."""
    commands("capture", "-", stdin=spoken("a", "Lunch was late.").encode())
    commands("consolidate")
    assert "ethos rules explain" in examined(commands)["facts"]["do"]


@pytest.mark.usefixtures("quiet_machine")
def test_e39_too_many_flagged_is_cured_by_a_lower_delta(commands: Commands) -> None:
    """The runbook says raise it, which asks more; the doctor says LOWER, and to what (E-39, X-E10)."""
    lines = QUARREL
    for number in range(6):
        lines += spoken(f"a{number}", f"Person{number}x prefers Rust.") + spoken(f"b{number}", f"Person{number}x prefers Python.", day=2)
    for number, name in enumerate(("Anna", "Bela", "Cleo", "Dora", "Emil", "Finn")):
        lines += spoken(f"c{number}", f"{name} prefers Rust.") + spoken(f"d{number}", f"{name} prefers Python.", day=2)
    commands("capture", "-", stdin=lines.encode())
    commands("consolidate")
    found = examined(commands)["questions"]
    assert found["level"] == "warn"
    assert "LOWER conflict_resolution.auto_supersede_confidence_delta, such as to 0.10" in found["do"]
    assert "a lower number asks less" in found["matters"]
    assert "7 questions open" in found["found"] or "13 questions open" in found["found"]


@pytest.mark.usefixtures("quiet_machine")
def test_a_few_questions_are_no_trouble(commands: Commands) -> None:
    """One open question of two facts is a high share of very little."""
    commands("capture", "-", stdin=QUARREL.encode())
    commands("consolidate")
    assert examined(commands)["questions"]["level"] == "ok"


@pytest.mark.usefixtures("quiet_machine")
def test_a_wrong_configuration_is_the_first_thing_said(commands: Commands) -> None:
    """Nothing else can be looked at then; the exit code is 1."""
    commands.write("c.toml", "[consolidation]\ncpu_threshold_percnt = 80\n")
    done = commands("doctor", "--config", "c.toml")
    assert done.code == 1
    assert "fail  configuration" in done.out
    assert "did you mean cpu_threshold_percent?" in done.out


@pytest.mark.usefixtures("quiet_machine")
def test_what_others_can_read_or_write_is_named(commands: Commands) -> None:
    """Database, state folder and configuration with open permissions; each with the command that closes it."""
    config = commands.write("c.toml", "")
    commands("capture", "-", "--config", "c.toml", stdin=TALK.encode())
    (commands.home / "ethos.db").chmod(0o644)
    (commands.home / "state").chmod(0o755)
    config.chmod(0o666)
    (commands.home / "inbox").mkdir(exist_ok=True)
    done = commands("doctor", "--config", "c.toml")
    assert done.code == 0
    for words in (f"chmod 600 {commands.home}/ethos.db", f"chmod 700 {commands.home}/state", f"chmod o-w {config}"):
        assert words in done.out


@pytest.mark.usefixtures("quiet_machine")
def test_a_damaged_store_fails(commands: Commands) -> None:
    """A database that was written over in the middle: the exit code is 1, and it says that what is there is kept."""
    commands.write("talk.jsonl", TALK)
    commands("capture", "talk.jsonl")
    commands("consolidate")
    database = commands.home / ".local/share/ethos/ethos.db"
    data = bytearray(database.read_bytes())
    data[8192 : len(data) - 4096] = b"\xa5" * (len(data) - 4096 - 8192)
    database.write_bytes(data)
    done = commands("doctor")
    assert done.code == 1
    assert "`ethos restore FILE`, which keeps what is there" in done.out
    assert "Traceback" not in done.err


@pytest.mark.usefixtures("quiet_machine")
def test_a_broken_pack_fails_and_names_its_line(commands: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pack of one's own that is set aside."""
    monkeypatch.setenv("ETHOS_RULES__PACKS", str(commands.write("mine.toml", 'schema = 1\npack = "mine"\nversion = 3\n')))
    found = examined(commands)["rules"]
    assert found["level"] == "fail"
    assert f"{commands.home}/mine.toml:3" in found["found"]


@pytest.mark.usefixtures("quiet_machine")
def test_a_deaf_daemon_fails(commands: Commands) -> None:
    """Somebody holds the lock, and nothing answers."""
    with locks.hold(commands.home / ".local/state/ethos", locks.DAEMON, "busy"):
        done = commands("doctor")
    assert done.code == 1
    assert f"process {os.getpid()} works on this memory, but does not answer" in done.out


@pytest.mark.usefixtures("quiet_machine")
def test_a_tick_that_was_not_taken_is_named(commands: Commands) -> None:
    """A hint in the review file is a thing to do."""
    commands("capture", "-", stdin=QUARREL.encode())
    commands("consolidate")
    file = commands.home / ".local/share/ethos/inbox/memory-review.md"
    file.write_text(file.read_text("utf-8").replace("[ ] keep-", "[x] keep-"), "utf-8")
    found = examined(commands)["inbox"]
    assert found["level"] == "warn"
    assert found["do"] == "ethos inbox --edit"


@pytest.mark.parametrize(
    ("hours", "outcome", "level"),
    [
        (0.1, "done", "ok"),
        (2, "done", "warn"),
        (2, "running", "warn"),
        (0.1, "running", "ok"),
        (0.1, "failed", "warn"),
        (100, "stopped", "warn"),
    ],
)
def test_the_last_run_is_judged_by_its_age_and_its_end(hours: float, outcome: str, level: str) -> None:
    """One that did not end, or is long overdue while episodes wait."""
    now = SystemClock().now()
    run = {"name": "consolidate", "outcome": outcome, "started_at": (now - timedelta(hours=hours)).isoformat()}
    status = {"cycle": run, "counts": {"episodes": 3, "unscanned": 2}}
    assert troubles._last_run(status, now, "", timedelta(minutes=15)).level == level


@pytest.mark.usefixtures("quiet_machine")
def test_the_last_run_is_the_last_cycle_whatever_came_after_it(commands: Commands) -> None:
    """Exports, backups and answers are runs, too, and however many there were they hide none."""
    commands.write("talk.jsonl", TALK)
    commands("capture", "talk.jsonl")
    commands("consolidate")
    for number in range(6):
        assert commands("export", f"{number}.jsonl").code == 0
    assert examined(commands)["last run"]["found"].startswith("done, ")


def test_an_old_sqlite_is_named() -> None:
    """A library with the write-ahead log fault, which this machine may not have."""
    told = {"bytes": 1, "wal_bytes": 0, "sqlite_version": "3.40.1", "module": "sqlite3", "journal_mode": "wal", "synchronous": "full"}
    found = list(store.told({**told, "schema": "0001", "wal_reset_safe": False}, ()))
    assert [check.level for check in found] == ["ok", "ok", "warn"]
    assert "pysqlite3" in found[2].do


def test_a_full_disk_and_a_log_that_does_not_shrink_are_named(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Less free space than a pass needs; a write-ahead log that somebody holds."""
    database = Path(settings.ethos.database)
    database.with_name("ethos.db-wal").write_bytes(b"x" * 100)
    monkeypatch.setattr(free_space, "WAL_ALARM", 99)
    monkeypatch.setattr(free_space, "LEAST_FREE", 1 << 62)
    disk, log = setup._disk(StoreFiles(database))
    assert (disk.level, disk.name) == ("fail", "disk")
    assert disk.do.startswith("free some space on")
    assert (log.level, log.name) == ("warn", "write-ahead log")
    assert "fuser" in log.do


def test_a_run_that_is_still_to_come_tells_of_the_clock() -> None:
    """The clock was set back: no negative age."""
    now = SystemClock().now()
    run = {"name": "consolidate", "outcome": "done", "started_at": (now + timedelta(days=3)).isoformat()}
    found = troubles._last_run({"cycle": run, "counts": {"episodes": 3, "unscanned": 2}}, now, "", timedelta(minutes=15))
    assert (found.level, "still to come" in found.found, "clock" in found.matters) == ("warn", True, True)


@pytest.mark.usefixtures("quiet_machine")
def test_backups_and_the_audit_are_told(commands: Commands) -> None:
    """None yet; then one; then an old one, with what to type. The head of the audit stands there to be noted elsewhere."""
    commands.write("talk.jsonl", TALK)
    commands("capture", "talk.jsonl")
    commands("consolidate")
    assert examined(commands)["backup"]["found"].startswith("none yet; the daemon makes one")
    made = Path(commands("backup", "--json").data["path"])
    found = examined(commands)
    assert (found["backup"]["level"], found["backup"]["found"].startswith("1, the last of ")) == ("ok", True)
    assert found["audit"]["found"] == f"2 runs, head {commands('status', '--json').data['store']['audit_head']}"
    assert "forgetting" not in found
    made.rename(made.with_name("ethos-20260101T000000Z.db"))
    assert (examined(commands)["backup"]["level"], examined(commands)["backup"]["do"]) == ("warn", "ethos backup")


def test_a_forgetting_that_was_cut_short_is_told(settings: Settings) -> None:
    """The store has forgotten, the file was not yet made anew: the next pass does it, and until then it is said."""
    cut = {"store": {"audit_rows": 1, "audit_head": "0"}, "runs": [{"name": "forget", "ended_at": None}]}
    assert [(check.name, check.do) for check in keeping.checks(cut, settings) if check.level == "warn"] == [
        ("forgetting", "ethos consolidate")
    ]
