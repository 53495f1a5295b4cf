"""An entrance: what an action takes, what does it, and what it gives."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

from ethos.edge.api.actions.service import Service


def _its_own(_asked: object) -> None:
    return None


class Entrance(NamedTuple):
    """An action: the dataclass of its arguments, the function that does it, and the dataclass of its result.

    gives: dict where the function returns JSON itself.
    question: it changes nothing but what is counted, so nobody misses it where the caller has gone. list_name: the list in its answer
    that may be long. same: what requests have in common that one answer is enough for; None: there are none.
    """

    takes: type[Any]
    does: Callable[[Service, Any], Any]
    question: bool = False
    list_name: str = ""
    same: Callable[[Any], Hashable | None] = _its_own
    gives: type[Any] = dict

    @property
    def pages(self) -> bool:
        """Return whether its answer may come in parts."""
        return self.question and bool(self.list_name)
