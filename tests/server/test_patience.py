"""How long a command waits for a daemon that does not answer, and what it says then (fault M7). The daemon is real, and stopped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ethos.edge.cli import fast_path
from ethos.edge.client import socket_client
from ethos.edge.config import paths
from tests.support.commands import TALK, daemon, environment, spawn
from tests.support.daemons import until


@contextmanager
def stopped(process: subprocess.Popen[bytes]) -> Iterator[int]:
    """The process stands still in the block; its id."""
    process.send_signal(signal.SIGSTOP)
    try:
        until(lambda: Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0] == "T", "a stop")
        yield process.pid
    finally:
        process.send_signal(signal.SIGCONT)


def test_fault_m7_a_hook_gives_up_on_a_stopped_daemon(tmp_path: Path) -> None:
    """A live capture says within its limit that the daemon does not answer, which process it is, and what to type."""
    (tmp_path / "talk.jsonl").write_text(TALK, "utf-8")
    with daemon(tmp_path) as process, stopped(process) as pid:
        for words, given in ((["talk.jsonl"], b""), (["-"], TALK.encode())):
            ran = spawn(tmp_path, "capture", "--live", *words, stdin=given)
            assert ran.code == 1, ran
            assert f"the daemon (process {pid}) does not answer: no answer within 2 seconds" in ran.err
            assert "`ethos doctor` says more" in ran.err
            assert f"kill -9 {pid}" in ran.err
    assert not (tmp_path / ".local" / "state" / "ethos" / "spool").exists()


def test_fault_m7_every_command_gives_up_on_a_stopped_daemon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions have a limit; work that may take long is waited for as long as the daemon answers a small question meanwhile."""
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    socket = paths.quick_socket(None, os.environ, str(tmp_path))
    assert socket is not None
    with daemon(tmp_path) as process:
        assert fast_path.run("status", ["--json"]) == 0
        with stopped(process) as pid, pytest.MonkeyPatch.context() as hasty:
            hasty.setattr(socket_client, "ANSWER_SECONDS", 0.4)
            hasty.setattr(socket_client, "ALIVE_SECONDS", 0.4)
            for action in ("status", "facts", "help"):
                assert f"(process {pid}) does not answer: no answer within 0.4" in json.dumps(socket_client.ask(socket, {"action": action}))
            for action in ("consolidate", "backup"):
                assert "it is at work, and shows no sign of life" in json.dumps(socket_client.ask(socket, {"action": action}))
        monkeypatch.setattr(socket_client, "ALIVE_SECONDS", 30.0)
        envelope = socket_client.ask(socket, {"action": "consolidate"})
        assert envelope is not None
        assert envelope["status"] == "ok", "it goes on once it may"


def test_fault_m7_long_work_is_waited_for_while_the_daemon_lives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer that takes many times the interval of the looks at it still comes: the small question is answered meanwhile."""
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    lines = "".join(json.dumps({"role": "user", "text": f"We decided to use Tool{n} for job {n}."}) + "\n" for n in range(600))
    (tmp_path / "talk.jsonl").write_text(lines, "utf-8")
    socket = paths.quick_socket(None, os.environ, str(tmp_path))
    assert socket is not None
    with daemon(tmp_path):
        assert spawn(tmp_path, "capture", "talk.jsonl").code == 0
        looks: list[str] = []
        lives = socket_client._lives

        def looked(path: str) -> bool:
            looks.append(path)
            return lives(path)

        monkeypatch.setattr(socket_client, "_lives", looked)
        ask = socket_client.ask
        monkeypatch.setattr(socket_client, "ALIVE_SECONDS", 0.05)
        monkeypatch.setattr(socket_client, "ask", lambda path, request, *, seconds=None: ask(path, request, seconds=seconds and 30.0))
        envelope = ask(socket, {"action": "consolidate"})
    assert envelope is not None
    assert envelope["status"] == "ok", envelope
    assert looks, "it took no longer than one look"
