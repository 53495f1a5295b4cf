"""Rank what is told around turns of recorded talk, for a scorer to read.

    python -m benchmarks.narrative TURNS.jsonl SEEDS.jsonl > RANKED.jsonl

TURNS: a turn a line, {"conv", "turn", "speaker", "text", "said_at", "session"}; each conversation is a memory of its own. SEEDS: {"conv",
"seed", ...}; each line comes back with "ranked", the turns that `ethos recall --narrative` tells around its seed, best first.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from benchmarks.place import memory, shipped
from ethos.core.model.records import Episode, Origin

Line = dict[str, Any]
MOST = 50


def read(path: str) -> list[Line]:
    """Return the lines of a file."""
    return [json.loads(line) for line in Path(path).read_text("utf-8").splitlines()]


def episode(turn: Line) -> Episode:
    """Return a turn as an episode, with its own id."""
    at = datetime.fromisoformat(turn["said_at"])
    return Episode(
        id=turn["turn"],
        user="default",
        project="default",
        session=str(turn["session"]),
        role="user",
        speaker=turn["speaker"],
        origin=Origin.USER,
        text=turn["text"],
        said_at=at,
        captured_at=at,
        importance=0.5,
        importance_given=False,
        source="recorded",
    )


def ranked(turns: Iterable[Line], seeds: Sequence[Line]) -> Iterator[Line]:
    """Yield each seed with what is told around it."""
    for conversation, talk in groupby(turns, itemgetter("conv")):
        with tempfile.TemporaryDirectory(prefix="ethos-narrative-") as folder:
            ethos = memory(Path(folder), shipped())
            ethos.capture(map(episode, talk))
            for seed in seeds:
                if seed["conv"] == conversation:
                    told = ethos.narrative(seed["seed"], limit=MOST)
                    yield {**seed, "ranked": [hit.id for hit in told.around]}
            ethos.close()


def main(arguments: Sequence[str]) -> int:
    """Print the ranking of each seed."""
    turns, seeds = arguments
    for line in ranked(read(turns), read(seeds)):
        print(json.dumps(line))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
