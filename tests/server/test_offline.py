"""Offline is provable: everything runs where no other socket than a Unix one can be made (docs/threats.md, promise 7)."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import offline
from tests.support.commands import QUARREL, TALK, environment
from tests.support.daemons import TOP, Daemon

# Python reads this before anything else. A hook that was added cannot be taken out again.
GUARD = """
import os, sys

def refuse(event, arguments):
    if event == "socket.__new__" and arguments[1] != 1 or event in {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"}:
        with open(os.environ["CAUGHT"], "a") as told:
            told.write(f"{event} {arguments} {sys.argv}\\n")
        raise PermissionError("no network here")

sys.addaudithook(refuse)
"""


def unshared() -> list[str]:
    """What starts a program in a network of its own, with nothing in it, where that can be done."""
    able = os.geteuid() == 0 and shutil.which("unshare") and subprocess.run(["unshare", "-n", "true"], check=False).returncode == 0
    return ["unshare", "-n"] if able else []


@pytest.fixture
def guarded(tmp_path: Path) -> dict[str, str]:
    """What makes Python refuse every socket but a Unix one, and write down who wanted one."""
    (tmp_path / "guard").mkdir()
    (tmp_path / "guard" / "sitecustomize.py").write_text(GUARD, "utf-8")
    (tmp_path / "caught").touch()
    return {"PYTHONPATH": f"{tmp_path / 'guard'}:{environment(tmp_path)['PYTHONPATH']}", "CAUGHT": str(tmp_path / "caught")}


def test_everything_works_where_there_is_no_network(tmp_path: Path, guarded: dict[str, str]) -> None:
    """Capture, consolidate, recall, facts, inbox, doctor, the daemon: only Unix sockets are asked for, and no model is called."""
    env = environment(tmp_path, **guarded)
    prefix = unshared()

    def ethos(*words: str) -> str:
        done = subprocess.run(
            [*prefix, sys.executable, "-m", "ethos", *words], capture_output=True, text=True, cwd=tmp_path, env=env, check=False, timeout=60
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    (tmp_path / "talk.jsonl").write_text(TALK + QUARREL, "utf-8")
    assert "6 added" in ethos("capture", "talk.jsonl")
    assert "6 read" in ethos("consolidate")
    assert "Postgres" in ethos("recall", "postgres")
    assert "Postgres" in ethos("facts")
    assert "Python" in ethos("inbox")
    ethos("doctor")
    assert [line.split()[-1] for line in ethos("status").splitlines() if "model calls" in line] == ["0"]

    (tmp_path / "served").mkdir()
    daemon = Daemon(tmp_path / "served").start(**guarded)
    try:
        daemon.ask(action="capture", paths=[str(tmp_path / "talk.jsonl")])
        assert daemon.ask(action="consolidate", reason="offline")["facts_created"]
        assert daemon.ask(action="recall", query="postgres")["hits"]
        assert daemon.ask(action="status")["model_calls"] == 0
    finally:
        assert daemon.stop() == 0
    assert (tmp_path / "caught").read_text("utf-8") == ""


@pytest.mark.skipif(not offline.possible(), reason="the filter is not written for this machine")
def test_a_program_that_is_run_offline_has_no_network_and_neither_has_what_it_starts(tmp_path: Path) -> None:
    """The kernel refuses every socket but a Unix one, to whatever asks: what `make torture` runs under. A daemon does not notice."""
    code = f"""
import socket, subprocess, sys
from pathlib import Path
from tests.support import offline
from tests.support.daemons import Daemon
socket.socketpair()
assert offline.refused() and offline.enter()
child = subprocess.run([sys.executable, "-c", "import socket; socket.socket()"], capture_output=True, text=True)
daemon = Daemon(Path({str(tmp_path)!r})).start()
status = daemon.ask(action="status")
print(child.returncode, "Permission denied" in child.stderr, status["model_calls"], daemon.stop())
"""
    command = [sys.executable, "-m", "tests.support.offline", sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, cwd=TOP, env=environment(tmp_path), check=False)
    assert done.stdout == "1 True 0 0\n", done.stderr


def test_the_guard_would_have_caught_it(tmp_path: Path, guarded: dict[str, str]) -> None:
    """A socket of another kind, and a name that is looked up, are refused and written down."""
    for code in ("import socket; socket.socket(socket.AF_INET)", "import socket; socket.getaddrinfo('localhost', 80)"):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment(tmp_path, **guarded), check=False)
        assert b"no network here" in done.stderr
    assert len((tmp_path / "caught").read_text("utf-8").splitlines()) == 2
