"""A daemon of its own, started and stopped as a supervisor does, with something to remember."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import NamedTuple

from benchmarks import corpus
from benchmarks.place import configured
from ethos.edge.client import socket_client

REPOSITORY = Path(__file__).resolve().parents[1]
STARTING = 30.0  # seconds it may take at most

# what an installer writes into bin/, for where nobody has installed it
_LAUNCHER = "import sys\nfrom ethos.__main__ import main\nif __name__ == '__main__':\n    sys.exit(main())\n"


class Daemon(NamedTuple):
    """A running daemon: its process, and how to call commands that reach it."""

    process: int
    command: tuple[str, ...]
    environment: Mapping[str, str]
    folder: Path

    def run(self, *arguments: str) -> None:
        """Run an `ethos` command to its end; a failure is a fault of the benchmark."""
        subprocess.run((*self.command, *arguments), env=self.environment, cwd=self.folder, check=True, stdout=subprocess.DEVNULL)


@contextmanager
def running(folder: Path, *, turns: int) -> Iterator[Daemon]:
    """Run a daemon on a memory in this folder, after a cycle over so many turns."""
    configured(folder)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("ETHOS_", "PYTHON"))}
    environment["PYTHONPATH"] = str(REPOSITORY)
    command = _command(folder)
    with subprocess.Popen((*command, "run"), env=environment, cwd=folder, stdout=subprocess.DEVNULL) as process:
        try:
            daemon = Daemon(process.pid, command, environment, folder)
            _wait(folder / "ethos.sock", process)
            corpus.write(folder / "turns.jsonl", turns)
            daemon.run("capture", str(folder / "turns.jsonl"), "--format", "jsonl")
            daemon.run("consolidate")
            yield daemon
        finally:
            process.terminate()


def _command(folder: Path) -> tuple[str, ...]:
    installed = Path(sys.executable).with_name("ethos")
    if installed.exists():
        return (str(installed),)
    launcher = folder / "ethos-launcher"
    launcher.write_text(_LAUNCHER, encoding="utf-8")
    return (sys.executable, str(launcher))


def _wait(socket: Path, process: subprocess.Popen[bytes]) -> None:
    until = monotonic() + STARTING
    while socket_client.ask(str(socket), {"action": "help"}) is None:
        if process.poll() is not None or monotonic() > until:
            raise RuntimeError("the daemon does not answer; `ethos run` in a terminal says why")
        sleep(0.05)
