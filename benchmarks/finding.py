"""Finding: how high planted answers stand in a ranking, in times of what a bare FTS5 query over the same texts gives.

A corpus of talk is captured, and in some of its sessions an exchange is planted that only one question is about. There are four
kinds: the answer says the words of the question; it says them in another form; it only follows the turn that says them; the question
names a day. What is measured is the mean reciprocal rank of the answer among the first ten.

Then lists: a question names a class ("which databases do I like"), and each answer names one thing of it. What is measured is the share of
the answers among the first twenty, by turns alone and, after a cycle, with facts; a fact counts as the turn that it rests on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from benchmarks import corpus
from benchmarks.measure import Goal, Measured, Sizes
from benchmarks.place import memory, shipped
from ethos.app import Ethos
from ethos.core.model.records import Episode
from ethos.core.recall.question import query_words
from ethos.store import open_store

FIRST = 10
FIRST_OF_A_LIST = 20
LISTS = ("Postgres", "Redis", "pytest")  # one thing of each class that is asked for
_BARE = """
SELECT e.id FROM words JOIN listed l ON l."row" = words.rowid JOIN episodes e ON e.seq = l.seq
WHERE words MATCH ? ORDER BY bm25(words) LIMIT 10
"""


class Exchange(NamedTuple):
    """What is planted: the two turns, the question, and which turn is its answer."""

    kind: str
    said: tuple[str, str]
    question: str
    answer: int


def exchanges(writer: Random, who: str, day: datetime) -> tuple[Exchange, ...]:
    """One of each kind, said by `who` on that day."""
    thing, other, place, hobby = (
        f"{writer.choice(corpus.VOCABULARY['quality'])} {writer.choice(corpus.VOCABULARY[name])}"
        for name in ("thing", "tool", "place", "hobby")
    )
    named = f"{day:%B} {day.day}, {day.year}"
    return (
        Exchange("own words", ("Good to hear from you.", f"I put the {thing} next to the {other}."), f"where did {who} put the {thing}", 1),
        Exchange(
            "other forms", ("How was it?", f"I bought the {place} one, then sold it."), f"which {place} one does {who} buy and sell", 1
        ),
        Exchange("after its question", (f"Who taught you {hobby}?", "An old neighbour of mine."), f"who taught {who} {hobby}", 1),
        Exchange("a day that is named", ("What is new?", f"We finished the {thing} at last."), f"what did {who} finish on {named}", 1),
    )


def run(sizes: Sizes, scratch: Path) -> list[Measured]:
    """Look for the same planted answers by `recall` and by FTS5."""
    ethos = memory(scratch / "finding", shipped())
    planted: list[tuple[Exchange, str]] = []
    ethos.capture(_planted(sizes.finding, sizes.needles, ethos.clock.now(), planted))
    opened = open_store(scratch / "finding" / "ethos.db")
    with opened.pool.connection() as driver:
        figures = []
        for kind in dict.fromkeys(exchange.kind for exchange, _ in planted):
            wanted = [(exchange.question, id_) for exchange, id_ in planted if exchange.kind == kind]
            ours = _mean_reciprocal_rank([(_recalled(ethos, question), id_) for question, id_ in wanted])
            bare = _mean_reciprocal_rank([(_bare(driver, question), id_) for question, id_ in wanted])
            what = f"{sizes.finding} episodes, {kind} (MRR {ours:.2f})"
            figures.append(Measured("finding", what, ours / max(bare, 0.01), "x", f"bare FTS5, MRR {bare:.2f}", Goal(at_least=1.0)))
    opened.close()
    figures += _lists(ethos, sizes.finding)
    ethos.close()
    return figures


def _lists(ethos: Ethos, size: int) -> list[Measured]:
    """Return which share of lists is found by turns alone, and what facts add."""
    first = next(corpus.episodes(1, ethos.clock.now()))
    wanted: dict[str, set[str]] = {}
    for one in LISTS:
        kind = ethos.rules.class_of(one)
        names = ethos.rules.names_in(kind)
        turns = [
            replace(first, id=f"list {name}", session=f"list {name}", role="user", speaker="user", text=f"I like {name}.")
            for name in names
            if name.isalpha() and name not in kind
        ]
        ethos.capture(turns[:FIRST_OF_A_LIST])
        wanted[f"which {kind} do I like"] = {turn.id for turn in turns[:FIRST_OF_A_LIST]}
    alone = _listed(ethos, wanted)
    ethos.consolidate()
    with_facts = _listed(ethos, wanted)
    what = f"{size} episodes, lists of a class: R@{FIRST_OF_A_LIST} with facts {with_facts:.2f}"
    return [Measured("finding", what, with_facts / max(alone, 0.01), "x", f"turns alone, {alone:.2f}")]


def _listed(ethos: Ethos, wanted: Mapping[str, Collection[str]]) -> float:
    found = (
        len(ids & {hit.episode for hit in ethos.recall(question, limit=FIRST_OF_A_LIST)}) / max(1, len(ids))
        for question, ids in ((question, set(ids)) for question, ids in wanted.items())
    )
    return sum(found) / len(wanted)


def _planted(count: int, needles: int, now: datetime, planted: list[tuple[Exchange, str]]) -> Iterator[Episode]:
    """Yield the corpus with an exchange at the end of some sessions of people, and list what is planted."""
    random = Random(corpus.SEED)
    last: Episode | None = None
    for episode in corpus.episodes(count, now):
        if last is not None and last.session != episode.session and last.speaker != "user" and last.role == "user" and needles > 0:
            needles -= 1
            exchange = exchanges(random, last.speaker, last.said_at)[needles % 4]
            for at, text in enumerate(exchange.said):
                speaker = last.speaker if at == exchange.answer else "Nobody"
                yield replace(last, id=f"{last.id}+{at}", text=text, speaker=speaker, said_at=last.said_at + timedelta(seconds=at + 1))
            planted.append((exchange, f"{last.id}+{exchange.answer}"))
        yield episode
        last = episode


def _recalled(ethos: Ethos, question: str) -> list[str]:
    return [hit.episode for hit in ethos.recall(question, limit=FIRST)]


def _bare(driver: Any, question: str) -> list[str]:
    match = " OR ".join(f'"{word}"' for word in query_words(question))
    return [id_ for (id_,) in driver.execute(_BARE, (match,)).fetchall()]


def _mean_reciprocal_rank(found: Sequence[tuple[Sequence[str], str]]) -> float:
    return sum(1 / (1 + ranked.index(id_)) if id_ in ranked else 0.0 for ranked, id_ in found) / max(1, len(found))
