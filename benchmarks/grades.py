"""Reliability: of claims that are to be right in a certain share, how many are (`core.rules.certainty`)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

from ethos.core.model.records import Claim, Origin
from ethos.core.rules.certainty import certainty
from ethos.core.rules.matcher import Rules

Z = 1.96  # of an interval of 95 %
Row = Mapping[str, Any]
Judge = Callable[[Sequence[Claim], Sequence[Row]], set[int]]  # the numbers of the claims of a turn that are right


class Graded(NamedTuple):
    """A claim of a labelled turn: its grade, the share it is said to be right in, and whether it is."""

    grade: str
    certainty: float
    right: bool


def wilson(right: int, of: int) -> tuple[float, float]:
    """Return the Wilson interval of 95 % of a share. Reference: Wilson 1927."""
    share, square = right / of, Z * Z
    middle = (share + square / (2 * of)) / (1 + square / of)
    half = Z * sqrt(share * (1 - share) / of + square / (4 * of * of)) / (1 + square / of)
    return middle - half, middle + half


def labelled(gold: Path, episodes: Path) -> list[Row]:
    """Return labelled turns with their texts. gold: a turn a line with `conv`, `turn`, `facts`; episodes: episode lines with these ids."""
    texts = {row["id"]: row for row in map(json.loads, episodes.read_text(encoding="utf-8").splitlines())}
    rows = map(json.loads, gold.read_text(encoding="utf-8").splitlines())
    return [{**row, **texts[f"{row['conv']}/{row['turn']}"]} for row in rows if f"{row['conv']}/{row['turn']}" in texts]


def halves(rows: Sequence[Row]) -> tuple[list[Row], list[Row]]:
    """Return the half that nothing was fitted on, and the half that the shares come from: users at odd places, or lines."""
    users = [re.fullmatch(r"talk-(\d+)", row["conv"]) for row in rows]
    place = {id(row): int(user[1]) if user else number for number, (row, user) in enumerate(zip(rows, users, strict=True))}
    return [row for row in rows if place[id(row)] % 2], [row for row in rows if not place[id(row)] % 2]


def graded(rules: Rules, rows: Iterable[Row], right_of: Judge) -> Iterator[Graded]:
    """Yield the claims of labelled turns. What only one annotator saw, or needs the turn before, is neither right nor wrong."""
    for row in rows:
        claims = rules.claims(row["text"], role=row["role"], speaker=row["speaker"], origin=Origin.USER)
        wants = [_want(fact, row["speaker"]) for fact in row["facts"]]
        needed = [want for fact, want in zip(row["facts"], wants, strict=True) if _needed(fact)]
        read = [_of_speaker(claim, row["speaker"]) for claim in claims]
        right, known = (right_of(read, some) | right_of(read, list(map(_shorter, some))) for some in (needed, wants))
        for number, claim in enumerate(claims):
            if number in right or number not in known:
                yield Graded(claim.grade, certainty(claim.grade, claim.confidence), number in right)


def table(found: Iterable[Graded]) -> Iterator[str]:
    """Yield a line for each grade and share: how many claims, how many of them right, with the interval, and how far off the share is."""
    told = list(found)
    for grade, share in sorted({(each.grade, each.certainty) for each in told}, key=lambda pair: -pair[1]):
        own = [each.right for each in told if (each.grade, each.certainty) == (grade, share)]
        low, high = wilson(sum(own), len(own))
        off = sum(own) / len(own) - share
        yield f"  {grade} {share:.2f}  right {sum(own)} of {len(own)}: {sum(own) / len(own):.2f} [{low:.2f}, {high:.2f}]  off {off:+.2f}"


def _needed(fact: Row) -> bool:
    return bool(fact["durable"] and fact.get("agreed", True) and not fact.get("needs_context"))


def _want(fact: Row, speaker: str) -> Row:
    subject = "speaker" if fact["subject"].lower() == speaker.lower() else fact["subject"]
    return {"kinds": fact.get("kinds", [fact["kind"]]), "subject": subject, "object": fact["object"], "polarity": fact["polarity"]}


def _shorter(want: Row) -> Row:
    """Return a wanted fact without what stands in brackets, which need not be found."""
    return {**want, "object": re.sub(r"\(.*?\)", " ", want["object"]).strip() or want["object"]}


def _of_speaker(claim: Claim, speaker: str) -> Claim:
    return replace(claim, subject="speaker") if claim.subject == speaker else claim
