"""Faults survived: a small part of each here, the whole behind `make torture`.

The long versions are programs: `python -m tests.faults.crash_points`, `power_loss`, `byte_flips`, `fuzz_socket`, `soak`, `writers` and
`tests/faults/kill_daemon.py`; each prints its seed. `python -m tests.faults.planted` shows that they can fail.
"""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from ethos.app import Ethos
from ethos.core.history.salience import salience_at
from ethos.edge.files.mac import Sealing
from ethos.edge.server import idle
from ethos.edge.server.loop import Loop
from ethos.edge.server.run_lock import RunLock
from ethos.store.sqlite import checking, checksums
from tests.conftest import SetClock
from tests.faults import building, byte_flips, fuzz_socket, planted, power_loss, soak, writers
from tests.support.daemons import UNMEASURED
from tests.support.telling import said

TOP = Path(__file__).parents[2]
SOME = 8 * 1024  # KiB; so few cycles tell of gross leaks alone
torture = pytest.mark.torture
needs_compiler = pytest.mark.skipif(building.compiler() is None, reason="no C compiler, to build what strikes durable calls")


def program(name: str, *words: str, **more: str) -> str:
    """What one of the programs says; it must find nothing wrong."""
    done = subprocess.run(
        [sys.executable, "-m", f"tests.faults.{name}", *words],
        capture_output=True,
        text=True,
        cwd=TOP,
        env={**os.environ, **UNMEASURED, "PYTHONPATH": str(TOP), **more},
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    return done.stdout


# -- durable calls that fail, or that nobody lives to see the end of


@needs_compiler
def test_t1_t8_a_story_struck_at_any_durable_call_ends_as_it_would_have() -> None:
    """Killed, half written, EIO and ENOSPC, once and for ever: nothing acknowledged lost, nothing doubled, no torn review file."""
    assert "40 points" in program("crash_points", "--points", "40", "--seed", "3")


# -- power that is lost


@needs_compiler
def test_t2_no_image_that_a_loss_of_power_could_leave_has_lost_what_was_acknowledged() -> None:
    """Rebuilt from a log of our own writes: what was synced, and of the rest what chance leaves."""
    assert "60 images" in program("power_loss", "--images", "60", "--seed", "2")


# -- whether all this can fail


QUICK = {
    "crash_points": ("acknowledges_early", "forgets_no_words"),
    "power_loss": ("syncs_now_and_then", "renames_what_is_not_synced"),
    "kill_daemon": ("acknowledges_early",),
}


@needs_compiler
@pytest.mark.parametrize("by", QUICK)
def test_t1_t2_t3_each_program_finds_faults_that_are_planted(by: str) -> None:
    """What is acknowledged before it is on the disk, a forgetting that does not last, a review file renamed too early: each is found."""
    assert program("planted", "--by", by, "--faults", *QUICK[by]).count(" finds ") == len(QUICK[by])


@torture
@needs_compiler
def test_t1_t2_t3_each_program_finds_all_faults_that_are_planted() -> None:
    """No journal, no wait for the disk, a review file saved in place, a capture that knows nothing again, and the rest."""
    assert program("planted").count(" finds ") == len(planted.TRIALS)


@needs_compiler
def test_what_went_wrong_can_be_seen_again_by_its_name() -> None:
    """The list of what was wrong names a program and a point, and the program takes that name."""
    listed = power_loss.PROGRAM.summed_up(40, 2, ["2000/590/13: it cannot be opened"])
    assert listed == "1 of 40 images wrong (seed 2); the first again: python -m tests.faults.power_loss --replay '2000/590/13'"
    assert "2000/590/13: nothing acknowledged is lost" in program("power_loss", "--replay", "2000/590/13")
    assert "3001/40/EIO once: nothing acknowledged is lost" in program("crash_points", "--replay", "3001/40/EIO once")


# -- what they found


def test_a_key_is_made_although_a_process_with_the_same_id_died_while_making_it(tmp_path: Path) -> None:
    """In a container ids come again at once: what the dead one left is in nobody's way."""
    (tmp_path / f"forgetting.key.{os.getpid()}").write_bytes(b"")
    assert Sealing(tmp_path)("words") == Sealing(tmp_path)("words")


# -- many writers


def test_t11_eight_writers_on_one_store_lose_nothing(tmp_path: Path) -> None:
    """Processes that capture and consolidate at once, partly the same episodes: each is there, once."""
    assert writers.run(tmp_path, 200, 1, len, writers=8) == []


# -- noise at the socket


def test_t4_t5_noise_and_a_crowd_at_the_socket(tmp_path: Path) -> None:
    """Requests as nobody should send them, 60 slow callers, lines without end, 200 triggers at once: JSON always, one cycle."""
    assert fuzz_socket.run(tmp_path, 10_000, 2, len) == []


# What goes wrong in a daemon of which this is read before anything else.
PLANTED = {
    "leak": "kept = []\nparse = wire.parse\nwire.parse = lambda line: kept.append(bytearray(9_000)) or parse(line)",
    "crash": "parse = wire.parse\nwire.parse = lambda line: os.abort() if b'xxxx' in line else parse(line)",
    "bug": "from ethos.app import Ethos\nEthos.why = lambda self, asked: 1 / 0",
    "chatter": "from ethos.edge.config import logs\nparse = wire.parse\nwire.parse = lambda line: logs.get().info('x'*200) or parse(line)",
}


@torture
@pytest.mark.parametrize(("planted", "told"), [("leak", "it grew"), ("crash", "is gone"), ("bug", "a bug"), ("chatter", "its log grew")])
def test_a_daemon_that_leaks_crashes_fails_or_chatters_would_be_noticed(tmp_path: Path, planted: str, told: str) -> None:
    """The program can fail: each of these is planted and found."""
    (tmp_path / "planted").mkdir()
    (tmp_path / "planted" / "sitecustomize.py").write_text(f"import os\nfrom ethos.edge.api import wire\n{PLANTED[planted]}\n", "utf-8")
    found = fuzz_socket.run(tmp_path, 3_000, 2, len, PYTHONPATH=f"{tmp_path / 'planted'}:{TOP}")
    assert b"Error in sitecustomize" not in (tmp_path / "log").read_bytes(), "it could not be planted"
    assert any(told in what for what in found), found


# -- months in minutes


def test_t13_a_hundred_cycles_leave_nothing_open(tmp_path: Path) -> None:
    """A daemon whose clock runs fast: nobody's file, thread or log grows, and nothing is logged that is no cycle."""
    assert soak.run(tmp_path, 100, 2, len, growth=SOME) == []


HELD = """
import os
from ethos.app import Ethos
consolidate, kept = Ethos.consolidate, []
def leaking(self, **asked):
    kept.append({what})
    return consolidate(self, **asked)
Ethos.consolidate = leaking
"""


@torture
@pytest.mark.parametrize(("what", "told"), [("bytearray(200_000)", "memory grows"), ("os.dup(0)", "descriptors")], ids=str)
def test_what_a_cycle_would_leave_behind_would_be_noticed(tmp_path: Path, what: str, told: str) -> None:
    """Memory, and a file that stays open."""
    found = soak.run(tmp_path, 200, 2, len, growth=SOME, planted=HELD.format(what=what))
    assert any(told in line for line in found), found


# -- clocks

JUMPS = {
    "back three days": [timedelta(days=-3)],
    "on ten years": [timedelta(days=3652)],
    "summer time begins": [timedelta(hours=1)],
    "summer time ends": [timedelta(hours=-1)],
    "set wrong and right again": [timedelta(days=3652), timedelta(days=-3652)],
    "set back and right again": [timedelta(days=-3), timedelta(days=3)],
}


@pytest.mark.parametrize("jumps", JUMPS.values(), ids=JUMPS)
def test_t10_a_clock_that_jumps_makes_no_storm_and_no_negative_age(
    ethos: Ethos, clock: SetClock, monkeypatch: pytest.MonkeyPatch, jumps: list[timedelta]
) -> None:
    """Back three days, on ten years, an hour of summer time: one cycle at most for each interval, and the machine is not busy for ever."""
    monkeypatch.setattr(idle, "load_percent", lambda: 3.0)
    started = [0.0]
    loop = Loop(ethos, RunLock(1.0), since_start=lambda: started[0])
    interval = ethos.settings.consolidation.interval_minutes * 60

    def say(words: str) -> None:
        ethos.capture([said(words, at=clock.at)], live=True)

    def cycles(ticks: int, apart: float) -> int:
        begun = 0
        for _ in range(ticks):
            before = loop.last
            loop.tick()
            begun += loop.last is not before
            clock.move(seconds=apart)
            started[0] += apart
            assert loop.age() >= 0.0
            assert 0.0 <= loop.wait() <= interval
        return begun

    say("We decided to use Rust for all backend services.")
    assert cycles(20, interval / 10) == 1
    for number, jump in enumerate(jumps):
        clock.at += jump
        say(f"We decided to use Postgres for billing{number}.")
        assert cycles(30, 5.0) <= 1
        assert 1 <= cycles(40, interval / 10) <= 5
    assert ethos.status().counts.unscanned == 0
    with ethos.store.begin() as work:
        found = work.salience([hit.id for hit in ethos.recall("rust postgres")])
    assert found
    assert all(0.0 <= salience_at(each, clock.at, ethos.settings.decay) <= 1.0 for each in found.values())


@pytest.mark.parametrize("zone", ["Europe/Berlin", "Australia/Lord_Howe", "America/St_Johns", "Pacific/Kiritimati"])
def test_t10_the_zone_and_its_summer_time_are_nothing_to_the_clock(zone: str) -> None:
    """Ethos reckons in UTC: a machine that is carried, or whose hour goes back in the night, has the same time as before."""
    code = "import time; from ethos.edge.config.clock import SystemClock as C; print(time.time(), C().now().isoformat(), time.time())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=TOP, env={**os.environ, "TZ": zone}, check=True)
    before, told, after = done.stdout.split()
    assert told.endswith("+00:00")
    assert float(before) <= datetime.fromisoformat(told).timestamp() <= float(after)


# -- bytes that turn


@pytest.mark.no_cover  # the same few lines, hundreds of times
def test_t14_a_byte_that_turned_is_never_silent(tmp_path: Path) -> None:
    """One bit of the file at a time: the store says so, or every row, the schema and every answer of the index are as before."""
    counts, silent = byte_flips.run(tmp_path, 500, 1, len)
    assert silent == []
    assert counts["told"] > 50
    assert counts["told"] + counts["harmless"] == 500


@pytest.mark.no_cover
def test_a_silent_byte_would_be_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the checksums of rows left out of the look at the store, values are found that read otherwise and are not told."""
    monkeypatch.setattr(checking, "_PARTS", tuple(part for part in checking._PARTS if part is not checksums.check))
    assert byte_flips.run(tmp_path, 100, 1, len)[1]
