"""Pass: the units of work that a pass takes, and the stages that decide about each. The engine runs them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from ethos.core.model.records import Utterance
from ethos.core.passes.context import Context
from ethos.core.passes.stage import Stage
from ethos.core.ports.store import Work

_SORTED_AT_ONCE = 1_000  # units
_MAX_LATE_FACTOR = 32  # a late unit grows to at most this many batches

Stages = tuple[Stage[Any], ...]
Take = Callable[[Work, Context, Collection[str]], tuple[Utterance, ...]]


@dataclass(frozen=True, slots=True)
class Pass:
    """take: makes the function that returns the next unit of episodes, less those named, and () at the end. None: `stages` run once.

    marked: each episode of a unit must come out of it with its mark, and one that the store refuses too often is set aside.
    """

    name: str
    take: Callable[[], Take] | None
    stages: Stages
    marked: bool = False


def once(stage: Stage[Any]) -> Pass:
    """Return the pass in which this stage decides once, about everything, in one transaction."""
    return Pass(stage.name, None, (stage,))


class Backlog:
    """What a pass has still to read, in the order in which it was said. Sorted for many units at once: sorting costs as much for one.

    What was said before something that is known has its matters weighed anew, once a unit. So as long as all of a unit was, the next one
    has twice as many episodes: a long history that comes in late would else cost its square.
    """

    def __init__(self) -> None:
        self._waiting: deque[str] = deque()
        self._times = 1  # as many episodes as the settings have

    def __call__(self, work: Work, ctx: Context, skip: Collection[str]) -> tuple[Utterance, ...]:
        """Return the next unit; empty when nothing is left."""
        size = ctx.settings.consolidation.batch_size
        while True:
            if not self._waiting:
                self._waiting.extend(work.backlog(ctx.rules.hash, session=ctx.session, limit=size * _SORTED_AT_ONCE, skip=skip))
            unit = [self._waiting.popleft() for _ in range(min(size * self._times, len(self._waiting)))]
            utterances = tuple(work.utterances(unit))
            if utterances or not unit:  # an episode that was forgotten meanwhile is not there
                late = bool(utterances) and ctx.is_late(utterances[-1])
                self._times = min(2 * self._times, _MAX_LATE_FACTOR) if late else 1
                return utterances
