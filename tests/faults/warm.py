"""A daemon that is forked from a process in which everything is imported: the same program, and a kill like any other, begun sooner."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from ethos.__main__ import main
from tests.faults import planting
from tests.support.daemons import PATIENCE, Daemon, until

PRELOADED = ["tests.faults.warm", "ethos.edge.cli.run", "ethos.edge.wiring"]


class WarmDaemon(Daemon):
    """As Daemon. planted: the fault that is planted in it, one of `planting.FAULTS`; empty: none."""

    def __init__(self, folder: Path, config: str = "", *, planted: str = "") -> None:
        super().__init__(folder, config)
        self._planted = planted
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(PRELOADED)
        self._forked: ForkServerProcess | None = None

    def start(self, *_python: str, **_environment: str) -> WarmDaemon:
        """Fork it, and wait until it answers."""
        forked = self._forked = self._context.Process(target=_be, args=(self.folder, self.config, self.log, self._planted), daemon=True)
        forked.start()
        until(lambda: not forked.is_alive() or self.try_ask(action="help"), "a start")
        return self

    @property
    def pid(self) -> int:
        """Of the process."""
        assert self._forked is not None
        assert self._forked.pid is not None
        return self._forked.pid

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Signal it and wait for its end; the exit code."""
        assert self._forked is not None
        if self._forked.is_alive():
            self.send(number)
        self._forked.join(PATIENCE)
        assert self._forked.exitcode is not None
        return self._forked.exitcode


def _be(folder: Path, config: Path, log: Path, planted: str) -> None:
    """Be the daemon, as if started by its command."""
    os.chdir(folder)
    with log.open("ab") as out:
        os.dup2(out.fileno(), 1)
        os.dup2(out.fileno(), 2)
    if planted:
        planting.FAULTS[planted]()
    sys.argv = ["ethos", "run", "--config", str(config)]
    sys.exit(main())
