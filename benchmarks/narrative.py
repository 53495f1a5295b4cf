"""How many of the turns that belong with a turn are told around it, beside a bare FTS5 query with the turn's own words.

Sessions are put together from the sentences of tests/corpus: among other talk stand turns about one matter (a statement and what becomes
of it later; one thing said in two ways, and a question about it), each in a session of its own. Given one of them, are the others told?

Or rank what is told around turns of recorded talk, for a scorer to read:

    python -m benchmarks.narrative TURNS.jsonl SEEDS.jsonl > RANKED.jsonl

TURNS: a turn a line, {"conv", "turn", "speaker", "text", "said_at", "session"}; each conversation is a memory of its own. SEEDS: {"conv",
"seed", ...}; each line comes back with "ranked", the turns that `ethos recall --narrative` tells around its seed, best first.
"""

from __future__ import annotations

import json
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from benchmarks.place import memory, shipped
from ethos.core.model.records import Episode, Origin
from ethos.core.recall.terms import STOP_WORDS, words

Line = dict[str, Any]
MOST = 50
SEED = 26
SESSIONS = 40  # a day apart
PEOPLE = ("Maren", "Ilse")
MORNING = datetime(2026, 3, 1, 9, tzinfo=UTC)
FIRST = (5, 10)
Ranker = Callable[[str], Sequence[str]]


class Talk(NamedTuple):
    """Turns, and by turn the ids of those that belong with it."""

    turns: tuple[Line, ...]
    belong: Mapping[str, frozenset[str]]


def talk(matters: Iterable[Sequence[str]], other: Sequence[str]) -> Talk:
    """Return sessions in which the texts of each matter stand apart. other: what else is said."""
    random = Random(SEED)
    said: list[list[tuple[str, int]]] = [[(text, -1) for text in random.sample(other, 20)] for _ in range(SESSIONS)]
    for number, texts in enumerate(matters):
        for session, text in zip(sorted(random.sample(range(SESSIONS), len(texts))), texts, strict=True):
            said[session].append((text, number))
    turns: list[Line] = []
    about: dict[int, set[str]] = {}
    for session, texts_of in enumerate(said):
        random.shuffle(texts_of)
        for at, (text, number) in enumerate(texts_of):
            said_at = MORNING + timedelta(days=session, minutes=at)
            speaker = PEOPLE[(at if number < 0 else number) % 2]  # a matter is one person's
            turns.append({"turn": f"{session}-{at}", "session": session, "speaker": speaker, "text": text, "said_at": said_at.isoformat()})
            if number >= 0:
                about.setdefault(number, set()).add(turns[-1]["turn"])
    return Talk(tuple(turns), {turn: frozenset(ids - {turn}) for ids in about.values() for turn in ids})


def bare(turns: Sequence[Line]) -> Ranker:
    """Return what ranks by FTS5, with the turn's own words."""
    documents = sqlite3.connect(":memory:")
    documents.execute("CREATE VIRTUAL TABLE doc USING fts5(turn UNINDEXED, text, tokenize='porter unicode61')")
    documents.executemany("INSERT INTO doc VALUES (?, ?)", [(turn["turn"], f"{turn['speaker']}: {turn['text']}") for turn in turns])
    texts = {turn["turn"]: turn["text"] for turn in turns}

    def ranked_by(turn: str) -> Sequence[str]:
        match = " OR ".join(f'"{word}"' for word in dict.fromkeys(words(texts[turn])) if word not in STOP_WORDS)
        asked = "SELECT turn FROM doc WHERE doc MATCH ? AND turn <> ? ORDER BY bm25(doc) LIMIT ?"
        return [id_ for (id_,) in documents.execute(asked, (match, turn, MOST))] if match else []

    return ranked_by


def shares(rank: Ranker, belong: Mapping[str, frozenset[str]]) -> dict[int, float]:
    """Return the mean share of the turns that belong with one that stand among the first so many."""
    ranks = {turn: list(rank(turn)) for turn in belong}
    return {first: sum(len(ids & {*ranks[turn][:first]}) / len(ids) for turn, ids in belong.items()) / len(belong) for first in FIRST}


def lines(matters: Iterable[Sequence[str]], other: Sequence[str]) -> Iterator[str]:
    """Yield the figures as lines to print."""
    made = talk(matters, other)
    with tempfile.TemporaryDirectory(prefix="ethos-narrative-") as folder:
        ethos = memory(Path(folder), shipped())
        ethos.capture(map(episode, made.turns))
        rankers: Mapping[str, Ranker] = {
            "ours": lambda turn: [hit.id for hit in ethos.narrative(turn, limit=MOST).around],
            "FTS5, its own words": bare(made.turns),
        }
        for name, rank in rankers.items():
            print_as = f"narrative, {name}:"
            told = ", ".join(f"{share:.3f} among the first {first}" for first, share in shares(rank, made.belong).items())
            yield f"{print_as:<31} {told}, of what belongs with each of {len(made.belong)} turns of {len(made.turns):,}"
        ethos.close()


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
