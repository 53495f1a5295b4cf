"""Processes: who is at work, told by process id and time of start, so that an id that comes again is not taken for the same process."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

_STARTED = 19  # the field `starttime` of /proc/PID/stat, counted behind the name in brackets
_LONGEST = 80  # characters of a command line that are shown


class Process(NamedTuple):
    """A process id, and when that process started, in clock ticks since the boot; 0 where it is not known."""

    pid: int
    started: int


def this_process() -> Process:
    """Return the process that runs this."""
    return Process(os.getpid(), _start(os.getpid()) or 0)


def living(process: Process) -> bool:
    """Return True where this very process is still there."""
    return _start(process.pid) == process.started


def command(pid: int) -> str:
    """Return the command line of a process, shortened; empty where it cannot be told."""
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
