"""Commands for tests: as a person types them, in a process of their own or in this one, in a home of the test's own."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ethos.edge import wiring
from ethos.edge.cli import main, menu
from ethos.edge.client import socket_client
from ethos.edge.config import paths
from tests.support import proven
from tests.support.daemons import PATIENCE, until

ROOT = Path(__file__).parents[2]
OURS = ("ETHOS_", "XDG_", "NO_COLOR", "EDITOR", "VISUAL", "RUNTIME_DIRECTORY", "NOTIFY_SOCKET", "PYTHON")
WATCHER = "COVERAGE_"  # makes a command half as fast; what commands do is watched in the tests' own process, daemons in `daemons.Daemon`


def spoken(episode: str, words: str, *, day: int = 1, session: str = "s1", speaker: str = "Ada", role: str = "user") -> str:
    """An episode line."""
    said_at = f"2026-03-{day:02}T10:00:00Z"
    return json.dumps({"id": episode, "role": role, "speaker": speaker, "text": words, "said_at": said_at, "session": session}) + "\n"


TALK = (
    spoken("t1", "We decided to use Postgres for the billing service.")
    + spoken("t2", "I think Ada prefers tabs over spaces.", day=2)
    + spoken("t3", "Lunch was late today.", day=3, session="s2")
    + spoken("t4", "Noted.", day=3, session="s2", speaker="model", role="assistant")
)

# Two claims of like weight about one thing: the person is asked
QUARREL = spoken("q1", "Michael prefers Rust.") + spoken("q2", "Michael prefers Python.", day=2, session="s2")


@dataclass(frozen=True, slots=True)
class Ran:
    """What came of a command."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """Standard output, which holds one line of JSON and nothing else."""
        assert self.out.count("\n") == 1, self
        return json.loads(self.out)


def environment(home: Path, **more: str) -> dict[str, str]:
    """Of somebody who lives in this folder and has set nothing."""
    env = {name: value for name, value in os.environ.items() if not name.startswith((*OURS, WATCHER))}
    proven.seed(home / ".local" / "state" / "ethos")
    return {**env, "HOME": str(home), "PYTHONPATH": str(ROOT), **more}


def spawn(home: Path, *words: str | Path, stdin: bytes = b"", **more: str) -> Ran:
    """A command in a process of its own."""
    command = [sys.executable, "-m", "ethos", *map(str, words)]
    done = subprocess.run(command, input=stdin, capture_output=True, cwd=home, env=environment(home, **more), check=False, timeout=60)
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


class Commands:
    """Commands in this process: `commands("facts", "--json")`."""

    def __init__(self, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.home = home
        self._monkeypatch = monkeypatch
        self._capsys = capsys

    def __call__(self, *words: str | Path, stdin: bytes = b"") -> Ran:
        """What `ethos words` does."""
        self._monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        self._capsys.readouterr()
        arguments = menu.in_order([str(word) for word in words])
        with main.reporting(arguments) as reported:
            reported.code = main.program(arguments)(args=arguments, prog_name="ethos", standalone_mode=False, obj="") or 0
        out, err = self._capsys.readouterr()
        return Ran(reported.code, out, err)

    def write(self, name: str, text: str) -> Path:
        """A file in the home folder."""
        path = self.home / name
        path.write_text(text, "utf-8")
        return path


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Commands]:
    """Commands of somebody with an empty home."""
    for name in os.environ:
        if name.startswith(OURS):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    proven.seed(tmp_path / ".local" / "state" / "ethos")
    proven.seed(tmp_path / "state")  # where it is with a configuration of its own
    monkeypatch.setattr(wiring, "load", proven.loaded)
    monkeypatch.chdir(tmp_path)
    mask = os.umask(0o022)
    try:
        yield Commands(tmp_path, monkeypatch, capsys)
    finally:
        os.umask(mask)


@contextmanager
def daemon(home: Path, **more: str) -> Iterator[subprocess.Popen[bytes]]:
    """A real daemon that answers."""
    env = environment(home, ETHOS_CONSOLIDATION__INTERVAL_MINUTES="600", **more)
    socket = paths.quick_socket(None, env, str(home))
    assert socket is not None
    with (home / "daemon.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "ethos", "run"], cwd=home, env=env, stdout=log, stderr=log, stdin=subprocess.DEVNULL
        )
        try:
            until(lambda: process.poll() is not None or socket_client.ask(socket, {"action": "help"}), "a start")
            assert process.poll() is None, (home / "daemon.log").read_text()
            yield process
        finally:
            process.terminate()
            process.wait(PATIENCE)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home with a daemon and a conversation in its memory."""
    home = tmp_path_factory.mktemp("home")
    (home / "talk.jsonl").write_text(TALK, "utf-8")
    with daemon(home):
        assert spawn(home, "capture", "talk.jsonl").code == 0
        assert spawn(home, "consolidate").code == 0
        yield home
