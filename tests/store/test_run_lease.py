"""The run lease: held by one process at a time, free when that is gone, taken over when it shows no life."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ethos.core.model.errors import Refused
from ethos.store.sqlite.run_lease import RunLease
from ethos.store.sqlite.store import SqliteStore
from tests.store_contract import episode, put

SECONDS = 0.6  # of a lease here
HOLDER = """
import sys
from pathlib import Path
from ethos.core.model.errors import Refused
from ethos.store.sqlite.run_lease import RunLease
from ethos.store.sqlite.store import SqliteStore
from tests.store_contract import episode, put

database = Path(sys.argv[1])
store = SqliteStore(database, lease=RunLease(database, seconds=float(sys.argv[2])))
with store.run_lease():
    print("held", flush=True)
    for line in sys.stdin:
        try:
            put(store, episode(line.strip()))
            print("stored", flush=True)
        except Refused as refused:
            print(refused.problem.code, refused.problem.what, flush=True)
"""

Process = subprocess.Popen[str]


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Where the store is."""
    return tmp_path / "ethos.db"


@pytest.fixture
def start(database: Path) -> Iterator[Callable[[], Process]]:
    """Start a process that holds the lease until its input ends, and stores an episode for each line."""
    started: list[Process] = []

    def one() -> Process:
        command = [sys.executable, "-c", HOLDER, str(database), str(SECONDS)]
        made = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2])
        started.append(made)
        assert told(made) == "held"
        return made

    yield one
    for each in started:
        each.send_signal(signal.SIGCONT)
        each.kill()
        each.communicate()


def told(process: Process) -> str:
    """Its next line."""
    assert process.stdout is not None
    return process.stdout.readline().strip()


def ask(process: Process, id_: str) -> None:
    """Have it store an episode."""
    assert process.stdin is not None
    process.stdin.write(f"{id_}\n")
    process.stdin.flush()


def stored(store: SqliteStore) -> set[str]:
    """The episodes that are held."""
    with store.begin() as work:
        return set(work.episodes(["e-1", "e-2", "e-3"]))


def test_one_process_holds_it_for_as_long_as_it_lives(database: Path, start: Callable[[], Process]) -> None:
    """Its heartbeat moves the end on; another is refused and told who it is; what it stores is stored."""
    holder = start()
    with closing(SqliteStore(database, lease=RunLease(database, seconds=SECONDS))) as store:
        time.sleep(2 * SECONDS)
        with pytest.raises(Refused, match="another pass is running") as refused, store.run_lease():
            pass
        assert (refused.value.problem.code, f"(process {holder.pid})" in refused.value.problem.what) == ("busy", True)
        ask(holder, "e-1")
        assert told(holder) == "stored"
        holder.communicate()
        with store.run_lease():
            put(store, episode("e-2"))
        assert stored(store) == {"e-1", "e-2"}


def test_a_dead_holder_leaves_it_free_at_once(database: Path, start: Callable[[], Process]) -> None:
    """Long before its end."""
    holder = start()
    holder.kill()
    holder.wait()
    lease = RunLease(database, seconds=SECONDS)
    found = lease.holder()
    assert found is not None
    assert found.process == holder.pid
    with lease.hold():
        assert (held := lease.holder()) is not None
        assert held.process == os.getpid()
    assert lease.holder() is None


def test_a_holder_without_a_heartbeat_loses_it_and_stores_nothing_more(database: Path, start: Callable[[], Process]) -> None:
    """A process that is stopped and goes on later finds at its next write that another has taken over."""
    holder = start()
    os.kill(holder.pid, signal.SIGSTOP)
    with closing(SqliteStore(database, lease=RunLease(database, seconds=SECONDS))) as store:
        taken = False
        while not taken:
            try:
                with store.run_lease():
                    taken = True
                    put(store, episode("e-2"))
                    os.kill(holder.pid, signal.SIGCONT)
                    ask(holder, "e-1")
                    assert told(holder).startswith("busy another pass has taken over")
                    with pytest.raises(Refused, match="another pass is running"), RunLease(database, seconds=SECONDS).hold():
                        pass
            except Refused:
                time.sleep(SECONDS / 6)
        assert stored(store) == {"e-2"}
        holder.communicate()
        put(store, episode("e-3"))
        with store.run_lease():
            assert stored(store) == {"e-2", "e-3"}


def test_a_thread_that_holds_none_may_always_write(database: Path) -> None:
    """A capture needs no lease."""
    with closing(SqliteStore(database)) as store, RunLease(database).hold():
        put(store, episode("e-1"))
        assert stored(store) == {"e-1"}
