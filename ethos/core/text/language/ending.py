"""Ending: what a sentence ends of what a phrase in it names (`given_up`)."""

from __future__ import annotations

from enum import Enum, auto
from typing import Final, NamedTuple


class Doer(Enum):
    """Who does a deed that ends."""

    SPEAKER = auto()
    AGENT = auto()


class Ending(NamedTuple):
    """What a sentence ends of what a phrase in it names."""

    given_up: bool = False
    waived: bool = False  # it need not be done any more, if that was asked for
    permitted: bool = False  # it may be done, if that was forbidden
    done: str = ""  # a verb in its base form: what is done with it, of "no need to run the tests"; or the deed itself that ends
    doer: Doer | None = None  # who does the deed that ends; None where a thing ends
    partly: bool = False  # with what else is told alone: "removed Go from the dictionary" is about the dictionary's Go
    contrasted: bool = False  # it only stands behind what is so: "peanuts, not hazelnuts"
    perished: bool = False  # it is no more, and nothing that it did goes on: "the choir has disbanded"

    @property
    def ends(self) -> bool:
        """Return whether anything ends."""
        return self.given_up or self.waived or self.permitted


NO_ENDING: Final = Ending()
GIVEN_UP: Final = Ending(given_up=True)
