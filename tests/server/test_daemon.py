"""The loop in this process, with a clock that is set; the daemon as a real process, with real signals and a real manager."""

from __future__ import annotations

import io
import json
import logging
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
import structlog

from ethos.app import Cycle, Ethos
from ethos.core.model.errors import refuse
from ethos.core.model.settings import Settings
from ethos.edge.config import logs
from ethos.edge.server import idle
from ethos.edge.server.loop import Loop
from ethos.edge.server.nights import Nights
from ethos.edge.server.run_lock import RunLock
from tests.conftest import SetClock
from tests.faults import kill_daemon
from tests.support.daemons import PATIENCE, TOP, UNMEASURED, Daemon, Manager, until
from tests.support.telling import said

QUIET = "[consolidation]\ncpu_threshold_percent = 100\nidle_threshold_seconds = 0\n"

# -- the loop


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """The load of the machine that tests run on is not what they are about."""
    monkeypatch.setattr(idle, "load_percent", lambda: 0.0)


@pytest.fixture
def told(settings: Settings) -> Iterator[Callable[[], list[tuple[str, str]]]]:
    """Level and event of everything that was logged."""
    out = io.StringIO()
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    logs.configure(replace(settings.ethos, log="json", log_level="debug"), out)
    yield lambda: [(line["level"], line["event"]) for line in map(json.loads, out.getvalue().splitlines())]
    structlog.reset_defaults()
    root.handlers, root.level = before, level


class Life:
    """A loop, and how long it has lived."""

    def __init__(self, ethos: Ethos) -> None:
        self.seconds = 0.0
        self.loop = Loop(ethos, RunLock(1.0), since_start=lambda: self.seconds)

    def tick(self) -> Cycle | None:
        """One look; the last cycle then."""
        self.loop.tick()
        return self.loop.last


@pytest.mark.usefixtures("quiet")
def test_e01_a_cycle_runs_when_the_last_one_is_older_than_the_interval(ethos: Ethos, clock: SetClock) -> None:
    """A memory without a run: a daemon that starts does not rush. From then on every fifteen minutes, counted from the last run's end."""
    ethos.capture([said("We decided to use Rust for all backend services.")])
    life = Life(ethos)
    assert life.tick() is None
    life.seconds = 15 * 60
    first = life.tick()
    assert first is not None
    assert first.facts_created == 1
    clock.move(minutes=14)
    assert life.tick() is first
    clock.move(minutes=1)
    assert life.tick() is not first


@pytest.mark.usefixtures("quiet")
def test_a_daemon_that_is_restarted_often_still_gets_there(ethos: Ethos, clock: SetClock) -> None:
    """Due by the stored run, not by the age of the process; what another process ran counts too."""
    ethos.consolidate(reason="by hand")
    clock.move(minutes=16)
    assert Life(ethos).loop.due()
    life = Life(ethos)
    ethos.consolidate(reason="by hand, in another process")
    assert not life.loop.due()


@pytest.mark.usefixtures("quiet")
def test_a_cycle_over_one_session_does_not_put_off_the_others(ethos: Ethos, clock: SetClock) -> None:
    """An agent that triggers its own session every minute must not starve the rest."""
    ethos.consolidate()
    clock.move(minutes=16)
    ethos.consolidate(session="s1")
    assert Life(ethos).loop.due()


@pytest.mark.usefixtures("quiet")
def test_what_a_unit_left_over_is_due_at_the_next_tick(settings: Settings, open_ethos: Callable[[Settings], Ethos]) -> None:
    """The loop does one unit a tick, until nothing is left."""
    ethos = open_ethos(replace(settings, consolidation=replace(settings.consolidation, batch_size=2)))
    ethos.capture(said(f"We decided to use Tool{number}.", record=str(number)) for number in range(5))
    life = Life(ethos)
    life.seconds = 15 * 60
    cycles = [life.tick() for _ in range(4)]
    assert [cycle and cycle.episodes_scanned for cycle in cycles] == [2, 2, 1, 1]
    assert not life.loop.due()


@pytest.mark.usefixtures("quiet")
def test_a_clock_that_is_set_back_does_not_stop_the_loop(ethos: Ethos, clock: SetClock) -> None:
    """A run from the future says nothing; then the age of the process counts."""
    ethos.consolidate()
    clock.move(days=-3)
    life = Life(ethos)
    assert not life.loop.due()
    life.seconds = 15 * 60
    assert life.loop.due()


@pytest.mark.usefixtures("quiet")
def test_e02_a_busy_machine_skips_the_cycle_and_says_so(ethos: Ethos, told: Callable[[], list[tuple[str, str]]]) -> None:
    """The runbook's sentence, for debugging, and the reason beside it."""
    ethos.capture([said("Just now.")], live=True)
    life = Life(ethos)
    life.seconds = 15 * 60
    life.loop.tick()
    assert told() == [("debug", "Consolidation skipped: system not idle")]
    assert life.loop.last is None


@pytest.mark.usefixtures("quiet")
def test_e35_the_lines_of_the_runbook(ethos: Ethos, told: Callable[[], list[tuple[str, str]]]) -> None:
    """A finished cycle in one line, and a warning for each episode that could not be kept."""
    ethos.capture([said("We decided to use Rust for all backend services."), said("Fine weather.")])
    life = Life(ethos)
    life.loop.consolidate(session=None, reason="", dry_run=False)
    life.loop._log_cycle(Cycle("r-1", 8, 5, 4, failures=(("e-7", "the text is too long"),)))
    assert told() == [
        ("info", "Consolidation cycle complete: 2 scanned, 1 promoted, 1 facts created"),
        ("warning", "Failed to upsert fact for episode e-7: the text is too long"),
        ("info", "Consolidation cycle complete: 8 scanned, 5 promoted, 4 facts created"),
    ]


@pytest.mark.usefixtures("quiet")
def test_xe14_a_trigger_runs_busy_or_not(ethos: Ethos) -> None:
    """Who asks by hand gets a cycle at once."""
    ethos.capture([said("We decided to use Rust for all backend services.")], live=True)
    assert Life(ethos).loop.consolidate(session=None, reason="by hand", dry_run=False).facts_created == 1


def test_stopping_ends_a_cycle_between_units(settings: Settings, open_ethos: Callable[[Settings], Ethos]) -> None:
    """E-05: what was begun is whole, what is left is left."""
    ethos = open_ethos(replace(settings, consolidation=replace(settings.consolidation, batch_size=1)))
    ethos.capture(said(f"We decided to use Tool{number}.", record=str(number)) for number in range(5))
    life = Life(ethos)
    life.loop.stop()
    cycle = life.loop.consolidate(session=None, reason="", dry_run=False)
    assert (cycle.episodes_scanned, cycle.more) == (0, True)
    assert ethos.store.check() == []


@pytest.mark.usefixtures("quiet")
def test_a_full_disk_is_told_once_and_tried_less_and_less_often(
    ethos: Ethos, told: Callable[[], list[tuple[str, str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Degraded: the daemon lives, backs off, and says when it works again."""
    life = Life(ethos)
    life.seconds = 15 * 60
    now = 1_000.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    consolidate = ethos.consolidate
    tries = []

    def full(**_: object) -> Cycle:
        tries.append(now)
        raise refuse("store", "the disk is full", hint="free some space")

    monkeypatch.setattr(ethos, "consolidate", full)
    for _ in range(300):
        life.loop.tick()
        now += 1.0
    assert [later - first for first, later in pairwise(tries)] == [5, 10, 20, 40, 80]
    assert life.loop.backoff.problem == "the disk is full"
    assert told() == [("error", "Consolidation failed: the disk is full")]
    monkeypatch.setattr(ethos, "consolidate", consolidate)
    now += 1_000
    life.loop.tick()
    assert life.loop.backoff.problem == ""
    assert ("info", "Consolidation works again") in told()


@pytest.mark.usefixtures("quiet")
def test_a_bug_in_a_cycle_is_logged_and_does_not_end_the_loop(
    ethos: Ethos, told: Callable[[], list[tuple[str, str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its traceback; and it is not tried again at every tick."""
    life = Life(ethos)
    life.seconds = 15 * 60

    def broken(**_: object) -> Cycle:
        raise ZeroDivisionError

    monkeypatch.setattr(ethos, "consolidate", broken)
    life.loop.tick()
    life.loop.tick()
    assert told() == [("error", "Consolidation failed")]
    assert life.loop.backoff.problem.startswith("ZeroDivisionError")


# -- the process


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Daemon]:
    """A daemon that is not started yet; none is left behind."""
    made = Daemon(tmp_path, QUIET)
    yield made
    if made.process is not None:
        made.process.kill()
        made.process.wait()


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[Manager]:
    """Somebody to tell."""
    listening = Manager(tmp_path)
    yield listening
    listening.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_e05_a_signal_ends_it_cleanly(daemon: Daemon, manager: Manager, number: signal.Signals) -> None:
    """Ready when it answers, stopping when it goes, exit code 0, its lines in the log, its socket gone, its store sound."""
    daemon.start(NOTIFY_SOCKET=manager.address)
    assert "READY" in manager.hear()
    daemon.ask(action="capture", paths=[str(daemon.tell({"text": "We decided to use Rust for all backend services."}))])
    assert daemon.stop(number) == 0
    assert "STOPPING" in manager.hear_until("STOPPING")
    assert daemon.logged("Consolidation loop started (interval: 15min)")
    assert daemon.logged("Consolidation loop shutting down")[0]["level"] == "info"
    assert not Path(daemon.path).exists()
    daemon.start()
    assert daemon.ask(action="status")["counts"]["episodes"] == 1


def test_a_wait_that_is_interrupted_as_its_time_runs_out_is_no_signal(tmp_path: Path) -> None:
    """CPython's `sigtimedwait` then returns a number that it never set; seen once in 40,000 requests."""
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "sitecustomize.py").write_text(
        """
import signal
real, given = signal.sigtimedwait, []
def odd(signals, seconds):
    if given:
        return real(signals, seconds)
    given.append(True)
    return signal.struct_siginfo((-1145009648, 0, 0, 0, 0, 0, 0))
signal.sigtimedwait = odd
""",
        "utf-8",
    )
    daemon = Daemon(tmp_path).start(PYTHONPATH=f"{tmp_path / 'odd'}:{TOP}")
    assert daemon.ask(action="help")["actions"]
    assert daemon.stop() == 0


def test_a_second_daemon_on_the_same_memory_is_refused(daemon: Daemon) -> None:
    """It says who is there, and ends with 1; the first one does not notice."""
    daemon.start()
    first = daemon.process
    second = Daemon(daemon.folder, QUIET)
    second.log = daemon.folder / "second"
    assert second.start().process is not None
    assert second.process is not None
    assert second.process.wait(PATIENCE) == 1
    assert f"another daemon works on this memory (process {daemon.pid})" in second.log.read_text()
    assert "-> one is enough" in second.log.read_text()
    assert first is not None
    assert first.poll() is None


def test_sighup_reads_configuration_and_rules_anew(daemon: Daemon, manager: Manager) -> None:
    """RELOADING with its time, then READY; what is bad leaves the last good in force, and status and log say so."""
    daemon.start(NOTIFY_SOCKET=manager.address)
    manager.hear_until("READY")
    before = daemon.ask(action="rules")["hash"]

    def reload(config: str) -> str:
        daemon.configure(config)
        daemon.send(signal.SIGHUP)
        assert manager.hear_until("RELOADING")["MONOTONIC_USEC"].isdigit()
        said_then = manager.hear_until("READY")["STATUS"]
        assert daemon.ask(action="status")["daemon"]["reload_problem"] in said_then
        return said_then

    assert reload("[consolidation]\ninterval_minutes = 7\n") == "waiting"
    assert daemon.ask(action="status")["daemon"]["interval_minutes"] == 7
    assert "last good configuration" in reload("[consolidation]\ninterval_minutes = -1\n")
    assert daemon.ask(action="status")["daemon"]["interval_minutes"] == 7
    assert "ethos.database cannot change" in reload('[ethos]\ndatabase = "other.db"\n')
    assert len(daemon.logged("Reload failed")) == 2
    assert daemon.ask(action="rules")["hash"] == before
    assert reload("[consolidation]\ninterval_minutes = 9\n") == "waiting"
    assert daemon.ask(action="consolidate")["triggered"] is True
    assert daemon.stop() == 0


PACK = """
schema = 1
pack = "{name}"
[[rule]]
id = "{name}"
kind = "fact"
summary = "what the speaker darns"
patterns = ['(?P<subject>i|we) {name} (?P<object>[^,.]{{2,40}})']
emit = {{ subject = "{{subject}}", predicate = "{name}s", object = "{{object}}" }}
confidence = {confidence}
"""


def test_a_reload_takes_what_is_good_and_keeps_the_last_good_of_what_is_bad(daemon: Daemon, manager: Manager) -> None:
    """One pack gets a mistake while another and the configuration change for the better: those are taken, of the first the last good
    version stays, and systemd, status and log say so until it is mended.
    """
    darn, twiddle = daemon.folder / "darn.toml", daemon.folder / "twiddle.toml"
    darn.write_text(PACK.format(name="darn", confidence=0.8), "utf-8")
    daemon.configure(f'[rules]\npacks = ["{darn}"]\n')
    daemon.start(NOTIFY_SOCKET=manager.address)
    manager.hear_until("READY")

    def read() -> list[tuple[str, float]]:
        texts = ("We darn socks!", "We twiddle caps!")
        asked = [{"id": text, "role": "user", "text": text, "said_at": "2026-05-01T10:00:00Z"} for text in texts]
        episodes = daemon.ask(action="extract", episodes=asked)["episodes"]
        return [(fact["object"], fact["confidence"]) for each in episodes for fact in each["facts"]]

    def reload() -> str:
        daemon.send(signal.SIGHUP)
        manager.hear_until("RELOADING")
        return manager.hear_until("READY")["STATUS"]

    assert read() == [("socks", 0.8)]
    darn.write_text(PACK.format(name="darn", confidence=7), "utf-8")
    twiddle.write_text(PACK.format(name="twiddle", confidence=0.7), "utf-8")
    daemon.configure(f'[consolidation]\ninterval_minutes = 7\n[rules]\npacks = ["{darn}", "{twiddle}"]\n')
    said = reload()
    assert "running with its last good version" in said
    assert "darn.toml" in said
    assert read() == [("socks", 0.8), ("caps", 0.7)]
    status = daemon.ask(action="status")
    assert status["daemon"]["interval_minutes"] == 7
    assert any("the last good version of pack 'darn'" in problem for problem in status["rule_problems"])
    assert daemon.logged("Rules:", "confidence")
    darn.write_text(PACK.format(name="darn", confidence=0.6), "utf-8")
    assert reload() == "waiting"
    assert read() == [("socks", 0.6), ("caps", 0.7)]
    assert daemon.stop() == 0


def test_a_reload_never_loses_a_pack_that_is_in_force(daemon: Daemon, manager: Manager) -> None:
    """Where no last good version could be kept, a pack that gets a mistake holds up the reload, and the rules stay as they were."""
    darn = daemon.folder / "darn.toml"
    darn.write_text(PACK.format(name="darn", confidence=0.8), "utf-8")
    daemon.configure(f'[rules]\npacks = ["{darn}"]\n')
    daemon.start(NOTIFY_SOCKET=manager.address)
    manager.hear_until("READY")
    before = daemon.ask(action="rules")["hash"]
    for kept in (daemon.folder / "state" / "rules").glob("good-*"):
        kept.unlink()
    darn.write_text(PACK.format(name="darn", confidence=7), "utf-8")
    daemon.send(signal.SIGHUP)
    manager.hear_until("RELOADING")
    assert "running with the last good configuration" in manager.hear_until("READY")["STATUS"]
    assert daemon.ask(action="rules")["hash"] == before
    assert daemon.stop() == 0


def test_a_reload_changes_what_is_followed(daemon: Daemon, manager: Manager) -> None:
    """Nothing is followed at first; after the reload it is, and after the next no more."""
    talk = daemon.tell({"text": "We decided to use Rust for all backend services."})
    daemon.start(NOTIFY_SOCKET=manager.address)

    def follow(*paths: str) -> None:
        daemon.configure(f"[capture]\nfollow = {json.dumps(paths)}\nfollow_seconds = 0.1\n")
        daemon.send(signal.SIGHUP)
        manager.hear_until("RELOADING")
        manager.hear_until("READY")
        assert daemon.ask(action="status")["daemon"]["follow"] == list(paths)

    follow(str(talk))
    until(lambda: daemon.ask(action="status")["counts"]["episodes"] == 1, "a capture")
    follow()
    assert daemon.stop() == 0


def test_the_watchdog_hears_of_progress(daemon: Daemon, manager: Manager) -> None:
    """Several times within the time it asks for."""
    daemon.start(NOTIFY_SOCKET=manager.address, WATCHDOG_USEC="600000")
    for _ in range(3):
        manager.hear_until("WATCHDOG")


def test_e01_the_daemon_runs_a_cycle_by_itself(daemon: Daemon) -> None:
    """Nobody asks for it: a due cycle is run at a tick. The load of this machine is left out of it."""
    (daemon.folder / "sitecustomize.py").write_text("import psutil\npsutil.getloadavg = lambda: (0.0, 0.0, 0.0)\n", "utf-8")
    daemon.configure("[consolidation]\ninterval_minutes = 0.001\nidle_threshold_seconds = 0\n")
    daemon.start(PYTHONPATH=f"{daemon.folder}:{TOP}")
    daemon.ask(action="capture", paths=[str(daemon.tell({"text": "We decided to use Rust for all backend services."}))])
    facts = until(lambda: daemon.ask(action="facts")["facts"], "a cycle")
    assert facts[0]["object"] == "Rust"
    until(lambda: daemon.logged("Consolidation cycle complete: 1 scanned, 1 promoted, 1 facts created"), "the line that says so")


def test_what_a_person_ticks_is_applied_without_being_asked_for(daemon: Daemon) -> None:
    """The review file changed and settled: the answer is in, and the entry stands under Resolved."""
    daemon.configure(QUIET + "[inbox]\nsettle_seconds = 0.2\n")
    daemon.start()
    for day, words in (("01", "Michael prefers Rust."), ("02", "Michael prefers Python.")):
        file = daemon.tell({"text": words, "said_at": f"2026-05-{day}T10:00:00Z"}, name=f"{day}.jsonl")
        daemon.ask(action="capture", paths=[str(file)])
        daemon.ask(action="consolidate")
    (question,) = daemon.ask(action="inbox")["questions"]
    inbox = daemon.folder / "inbox" / "memory-review.md"
    box = f"[ ] keep-new ^{question['id']}"
    text = inbox.read_text("utf-8")
    assert box in text
    inbox.write_text(text.replace(box, box.replace("[ ]", "[x]")), "utf-8")
    until(lambda: not daemon.ask(action="inbox")["questions"], "an answer")
    assert [fact["object"] for fact in daemon.ask(action="facts")["facts"]] == ["Python"]
    until(lambda: "## Resolved" in inbox.read_text("utf-8"), "a move to Resolved")


@pytest.mark.usefixtures("quiet")
def test_l01_h01_h02_h03_a_night_runs_at_the_first_idle_moment_after_three(
    ethos: Ethos, clock: SetClock, told: Callable[[], list[tuple[str, str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once a date, which is every 86,400 seconds, and never because the daemon starts; in its worker, not while somebody works; not at
    all where it is switched off; a day that was missed is made up for. The first three change nothing.
    """
    nights = Nights(Life(ethos).loop)

    def ran() -> list[str]:
        for _ in range(3):
            nights.tick()
        return [f"{run.name} {run.reason}" for run in ethos.status(runs=50).runs if run.name in {"sleep", "shadow"}]

    ethos.consolidate()
    assert ran() == []
    clock.move(days=1)
    ethos.capture([said("I am at work.", at=clock.now())], live=True)
    assert ran() == []
    assert ("debug", "Night put off: system not idle") in told()
    clock.move(minutes=2)
    assert ran() == ["shadow 2026-06-01"]
    assert ("info", "Night complete") in told()
    clock.move(days=2)
    assert ran() == ["shadow 2026-06-03", "shadow 2026-06-02", "shadow 2026-06-01"]
    clock.move(days=1)
    assert ran()[0] == "sleep 2026-06-04"
    clock.move(days=1)
    off = replace(ethos.settings, sleep=replace(ethos.settings.sleep, enabled=False))
    monkeypatch.setattr(ethos, "settings", off)
    assert len(ran()) == 4


@pytest.mark.usefixtures("quiet")
def test_l32_a_night_that_fails_is_logged_and_tried_again_later(
    ethos: Ethos, clock: SetClock, told: Callable[[], list[tuple[str, str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a growing pause; the loop of cycles goes on."""
    nights = Nights(Life(ethos).loop)
    ethos.consolidate()
    clock.move(days=1)
    monkeypatch.setattr(ethos, "sleep", lambda *_, **__: 1 / 0)
    nights.tick()
    nights.tick()
    assert [event for level, event in told() if level == "error"] == ["The night failed"]
    assert nights.backoff.waiting
    assert ethos.consolidate().episodes_scanned == 0


def test_a_followed_file_is_captured_as_it_grows(daemon: Daemon) -> None:
    """What was there is history; what is added is a session event, which keeps the memory from being idle."""
    talk = daemon.tell({"text": "We decided to use Rust for all backend services."})
    daemon.configure(f'[capture]\nfollow = ["{talk}"]\nfollow_seconds = 0.1\n[consolidation]\nidle_threshold_seconds = 60\n')
    daemon.start()
    until(lambda: daemon.ask(action="status")["counts"]["episodes"] == 1, "the first")
    assert daemon.ask(action="status")["events_recently"] == 0
    daemon.tell({"text": "Michael prefers Python."})
    until(lambda: daemon.ask(action="status")["counts"]["episodes"] == 2, "the second")
    status = daemon.ask(action="status")
    assert status["events_recently"] == 1
    assert any("session events" in reason for reason in status["daemon"]["why_not_idle"])


def test_the_idle_daemon_is_small(daemon: Daemon) -> None:
    """Under 85 MiB after a cycle, an export and an import, and what it does not need is not loaded: no module is ever given back."""
    daemon.start("-X", "importtime", **UNMEASURED)  # what coverage takes for itself is not the daemon's
    lines = [
        {"text": f"We decided to use Tool{number}. Michael prefers shape {number}.", "session": f"s{number % 9}"} for number in range(200)
    ]
    daemon.ask(action="capture", paths=[str(daemon.tell(*lines))])
    assert daemon.ask(action="consolidate")["episodes_scanned"] == 200
    copy = str(daemon.folder / "copy.jsonl")
    daemon.ask(action="export", path=copy)
    assert daemon.ask(action="import", path=copy)["known"]["episode"] == 200
    status = Path(f"/proc/{daemon.pid}/status").read_text()
    resident = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:"))
    assert resident < 90 * 1024
    loaded = {line.rpartition("|")[2].strip() for line in daemon.log.read_text().splitlines() if line.startswith("import time:")}
    assert "ethos.store.sqlite.store" in loaded
    heavy = {"numpy", "alembic", "typer", "rich.console", "sqlmodel", "sqlalchemy", "pydantic", "tomlkit"}
    assert not heavy & loaded  # `rich` itself is tried, and hidden


VISITOR = """
import sys
from pathlib import Path
from ethos.store import open_store
store = open_store(Path(sys.argv[1]))
with store.begin() as work:
    print(work.counts("").episodes)
store.close()
"""


def test_t1_nothing_that_reads_files_takes_the_daemons_locks_from_the_store(daemon: Daemon) -> None:
    """A process that closes a file gives up its locks on it. After a forgetting, and captures and imports of the store itself, another
    process that comes and goes must still find that the store is in use, or it would remove the log and with it what comes next.
    """
    daemon.start()
    database = daemon.folder / "ethos.db"

    def visit() -> int:
        done = subprocess.run([sys.executable, "-c", VISITOR, str(database)], cwd=TOP, capture_output=True, text=True, check=True)
        return int(done.stdout)

    def capture(number: int) -> None:
        file = daemon.tell({"id": f"e-{number}", "text": f"We decided to use tool{number}."}, name=f"{number}.jsonl")
        assert daemon.ask(action="capture", paths=[str(file)])["added"] == 1

    for number in range(3):
        capture(number)
    assert daemon.ask(action="forget", matching="tool0", yes=True)["proven"]
    daemon.ask(action="capture", paths=[str(database), str(daemon.folder)])
    refused = daemon.try_ask(action="import", path=f"{database}-shm")
    assert refused is not None
    assert refused["error"]["message"].endswith("this is the memory itself")
    assert visit() == 2
    capture(3)
    assert visit() == 3
    daemon.stop(signal.SIGKILL)
    assert visit() == 3


def test_kill_minus_nine_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    """Five times at random moments, under load; `python tests/faults/kill_daemon.py` is the long version, of a thousand."""
    assert kill_daemon.run(tmp_path, 5, 9, len) == []
