"""Identify processes by id and start time, so that a reused id is not taken for the same process."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

_STARTED = 19  # index of the field `starttime` of /proc/PID/stat, counted after the name in brackets
_LONGEST = 80  # characters shown of a command line


class Process(NamedTuple):
    """A process id and the process's start time, in clock ticks since the boot; 0 if unknown."""

    pid: int
    started: int


def this_process() -> Process:
    """Return the current process."""
    return Process(os.getpid(), _start(os.getpid()) or 0)


def living(process: Process) -> bool:
    """Return True if this same process still runs."""
    return _start(process.pid) == process.started


def command(pid: int) -> str:
    """Return the command line of a process, shortened; empty if it cannot be read."""
    try:
        words = Path("/proc", str(pid), "cmdline").read_bytes().split(b"\0")
    except OSError:
        return ""
    return b" ".join(words).decode("utf-8", "replace").strip()[:_LONGEST]


def _start(pid: int) -> int | None:
    try:
        stat = Path("/proc", str(pid), "stat").read_bytes()
    except OSError:
        return None
    fields = stat.rpartition(b")")[2].split()
    return None if fields[0] in {b"Z", b"X"} else int(fields[_STARTED])
