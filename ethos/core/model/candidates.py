"""Candidates of a recall: what the index notes of a turn or a fact, as the store hands it to the ranking."""

from __future__ import annotations

from typing import NamedTuple


class Noted(NamedTuple):
    """What the index notes of a record. row: its place; rows of one session follow one another in the order of its turns."""

    row: int
    terms: bytes
    asked: int  # so many bytes of `terms` are of its questions
    traits: int
    names: int
    speaker: str  # folded
    said_at: int  # microseconds since 1970


class Resting(NamedTuple):
    """A fact among the candidates, and the row of the turn that it rests on; None where that is not indexed."""

    fact: Noted
    id: str
    turn: int | None
    of_kind: frozenset[str] = frozenset()  # terms that name the kind of thing that it is about
