"""Whether the programs of faults can fail: each is given a memory with a fault planted in it, and must find it.

`python -m tests.faults.planted`; `--by crash_points` and `--faults captures_anew` choose some.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping
from typing import NamedTuple

from tests.faults import building, crash_points, kill_daemon, power_loss, runner
from tests.faults.planting import FAULTS

Search = Callable[[int, str], list[str]]  # how many points at most, and the fault -> what was wrong at the first one that was


class Trial(NamedTuple):
    """A fault, the program that must find it, in how many points, and what it then says."""

    fault: str
    by: str
    within: int
    says: str


TRIALS = (
    Trial("acknowledges_early", "crash_points", 60, "was acknowledged, and is lost"),
    Trial("captures_anew", "crash_points", 4, "is held twice"),
    Trial("keeps_no_journal", "crash_points", 60, ""),
    Trial("saves_in_place", "crash_points", 200, "torn"),
    Trial("takes_ticks_out_first", "crash_points", 100, "tick"),
    Trial("does_not_wait_for_the_disk", "power_loss", 40, ""),
    Trial("syncs_now_and_then", "power_loss", 40, "was acknowledged, and is lost"),
    Trial("renames_what_is_not_synced", "power_loss", 40, "torn"),
    Trial("leaves_names_to_chance", "power_loss", 200, "what was forgotten stands in"),
    Trial("forgets_no_words", "crash_points", 200, "came back"),
    Trial("acknowledges_early", "kill_daemon", 40, "acknowledged episodes lost"),
    Trial("captures_anew", "kill_daemon", 40, "that nobody told"),
    Trial("saves_in_place", "kill_daemon", 40, "torn"),
)


def _in_a_fork(run: Callable[..., list[str]]) -> Search:
    """A program that works in this process: its fault is planted in a fork."""

    def search(within: int, fault: str) -> list[str]:
        reading, writing = os.pipe()
        if os.fork() == 0:
            FAULTS[fault]()
            with runner.place(in_memory=True) as top:
                os.write(writing, "\n".join(run(top, within, 1, len, enough=1)).encode())
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            found = pipe.read()
        os.wait()
        return found.splitlines()

    return search


def _killing(within: int, fault: str) -> list[str]:
    with runner.place() as top:
        return kill_daemon.run(top, within, 1, len, planted=fault, enough=1)


PROGRAMS: Mapping[str, Search] = {
    "crash_points": _in_a_fork(crash_points.run),
    "power_loss": _in_a_fork(power_loss.run),
    "kill_daemon": _killing,
}


def main() -> int:
    """Try them all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--by", nargs="*", default=list(PROGRAMS), choices=PROGRAMS)
    parser.add_argument("--faults", nargs="*", default=list(FAULTS), choices=FAULTS)
    given = parser.parse_args()
    if not building.preloaded():
        return building.again("tests.faults.planted")
    missed = 0
    for trial in TRIALS:
        if trial.by not in given.by or trial.fault not in given.faults:
            continue
        found = " ".join(PROGRAMS[trial.by](trial.within, trial.fault))
        if not found or trial.says not in found:
            missed += 1
            sys.stdout.write(f"{trial.by} does not find that it {trial.fault.replace('_', ' ')}: {found or 'nothing wrong'}\n")
        else:
            sys.stdout.write(f"{trial.by} finds that it {trial.fault.replace('_', ' ')}: {found[:160]}\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
