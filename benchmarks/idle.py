"""The idle daemon: what it holds of the memory and takes of a core, after a cycle and a backup, when nobody asks it anything.

One is made a day, and takes a fifth of a second for these turns: made beforehand, it does not fall into the minute that is looked at.
"""

from __future__ import annotations

from pathlib import Path
from time import sleep

import psutil

from benchmarks.daemon import running
from benchmarks.measure import Goal, Measured, Sizes

SETTLING = 2.0  # seconds after the cycle


def run(sizes: Sizes, scratch: Path) -> list[Measured]:
    """Resident memory, then the time it used while we looked."""
    with running(scratch / "memory", turns=sizes.recall[0]) as daemon:
        daemon.run("backup")
        process = psutil.Process(daemon.process)
        sleep(min(SETTLING, sizes.idle_seconds))
        before = process.cpu_times()
        sleep(sizes.idle_seconds)
        after = process.cpu_times()
        memory = process.memory_info().rss / 2**20
    used = after.user + after.system - before.user - before.system
    return [
        Measured("idle", f"resident memory after a cycle over {sizes.recall[0]} turns", memory, "MiB", goal=Goal(at_most=90, aim=70)),
        Measured("idle", f"share of a core over {sizes.idle_seconds:g} s", 100 * used / sizes.idle_seconds, "%", goal=Goal(at_most=0.1)),
    ]
