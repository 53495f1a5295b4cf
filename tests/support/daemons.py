"""A real daemon for tests: its folder, its process, and the manager that listens to it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ethos.edge.client import socket_client
from tests.support import proven

TOP = Path(__file__).parents[2]
UNMEASURED = dict.fromkeys(("COVERAGE_PROCESS_CONFIG", "COVERAGE_PROCESS_START"), "")  # for what coverage would make half as fast
PATIENCE = 30.0  # seconds until something that must happen is given up


def until(happened: Callable[[], Any], what: str = "it") -> Any:
    """What `happened` gives, as soon as that is something."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if found := happened():
            return found
        time.sleep(0.02)
    raise AssertionError(f"{what} never happened")


class Daemon:
    """`ethos run` on a memory of its own in `folder`."""

    def __init__(self, folder: Path, config: str = "") -> None:
        self.folder = folder
        self.config = folder / "config.toml"
        self.path = str(folder / "run" / "ethos.sock")
        self.log = folder / "log"
        self.process: subprocess.Popen[bytes] | None = None
        self.configure(config)
        proven.seed(folder / "state")

    def configure(self, config: str = "") -> None:
        """Write the configuration; tables that it names itself are not written twice."""
        head = "" if "[ethos]" in config else '[ethos]\nlog_level = "debug"\n'
        self.config.write_text(f'{head}{config}\n[socket]\npath = "run/ethos.sock"\n', "utf-8")

    def start(self, *python: str, **environment: str) -> Daemon:
        """Start it and wait until it answers."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, *python, "-m", "ethos", "run", "--config", str(self.config)],
                env={**os.environ, "PYTHONPATH": str(TOP), **environment},
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        until(lambda: self.process and (self.process.poll() is not None or self.try_ask(action="help")), "a start")
        return self

    @property
    def pid(self) -> int:
        """Of the process."""
        assert self.process is not None
        return self.process.pid

    def try_ask(self, **request: Any) -> dict[str, Any] | None:
        """An envelope; None where nobody listens."""
        return socket_client.ask(self.path, request, seconds=PATIENCE)

    def ask(self, **request: Any) -> dict[str, Any]:
        """The data of an answer that must be ok."""
        envelope = self.try_ask(**request)
        assert envelope is not None
        assert envelope["status"] == "ok", envelope
        return dict(envelope["data"])

    def tell(self, *lines: dict[str, Any], name: str = "talk.jsonl") -> Path:
        """A transcript of episode lines."""
        file = self.folder / name
        with file.open("a", encoding="utf-8") as out:
            out.writelines(
                json.dumps({"role": "user", "speaker": "Michael", "said_at": "2026-05-01T10:00:00Z"} | line) + "\n" for line in lines
            )
        return file

    def send(self, number: signal.Signals) -> None:
        """A signal."""
        os.kill(self.pid, number)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Signal it and wait for its end; the exit code."""
        assert self.process is not None
        if self.process.poll() is None:
            self.send(number)
        return self.process.wait(PATIENCE)

    def logged(self, *words: str) -> list[dict[str, Any]]:
        """The log's lines whose event holds all these words."""
        whole = self.log.read_text("utf-8").rpartition("\n")[0]  # the last line may just be being written
        lines = [json.loads(line) for line in whole.splitlines() if line.startswith("{")]
        return [line for line in lines if all(word in line["event"] for word in words)]


class Manager:
    """What systemd is to a service: a socket that hears what it says."""

    def __init__(self, folder: Path) -> None:
        self.address = str(folder / "notify")
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(self.address)
        self._socket.settimeout(PATIENCE)

    def hear(self) -> dict[str, str]:
        """The next message."""
        return dict(field.split("=", 1) for field in self._socket.recv(4096).decode().split("\n"))

    def hear_until(self, name: str) -> dict[str, str]:
        """The next message with this field."""
        while name not in (message := self.hear()):
            pass
        return message

    def listen_for(self, seconds: float) -> None:
        """From now on a message is waited for so long; then `hear` raises TimeoutError."""
        self._socket.settimeout(seconds)

    def close(self) -> None:
        """Hear no more."""
        self._socket.close()
