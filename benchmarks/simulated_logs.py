"""Simulated logs: episodes with outcomes and features whose truth we know.

Made to mislead: the base rate drifts, episodes of one session share their luck, features stay as they were for a while, some belong to a
whole session, some drift with time, and there are several entities. In a log without a planted effect outcomes are drawn without looking
at the features.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from ethos.core.learning.lessons.observation import Observation, Value

BEGINNING = datetime(2026, 1, 5, 9, tzinfo=UTC)
ENTITIES = ("BTC", "ETH", "SOL", "_general")


@dataclass(frozen=True, slots=True)
class Effect:
    """What is planted: the odds ratio of success with feature `f0`, until `until` (the share of the log), then `after`."""

    odds_ratio: float
    until: float = 1.0
    after: float = 1.0


@dataclass(frozen=True, slots=True)
class Shape:
    """What a log is like. drift: by how much the log-odds of success wander in all. luck: spread of a session's luck, in log-odds."""

    episodes: int = 300
    features: int = 40
    entities: int = 1
    drift: float = 1.0
    luck: float = 0.7
    session: int = 3  # episodes of a session, on average
    base: float = 0.5
    prevalence: float = 0.5


def any_shape(chance: random.Random) -> Shape:
    """Return a shape drawn from all that a log may be like."""
    return Shape(
        episodes=round(math.exp(chance.uniform(math.log(300), math.log(3_000)))),
        features=chance.randint(5, 40),
        entities=chance.randint(1, 4),
        drift=chance.choice((0.0, 1.0, 2.0)),
        luck=chance.choice((0.0, 0.7, 1.5)),
        session=chance.choice((1, 3, 8)),
        base=chance.choice((0.2, 0.5, 0.7)),
    )


def log(shape: Shape, chance: random.Random, effect: Effect | None = None) -> list[Observation]:
    """Return the observations of one log, in order of time."""
    columns = [_COLUMNS[number % len(_COLUMNS)](shape.prevalence, chance) for number in range(shape.features)]
    names = [f"f{number}" for number in range(shape.features)]
    rows = []
    base = math.log(shape.base / (1 - shape.base))
    luck, session, left = 0.0, 0, 0
    phase, way = chance.random() * math.tau, chance.choice((-1, 1))
    for at in range(shape.episodes):
        if not left:
            left, session, luck = 1 + _poisson(shape.session - 1, chance), session + 1, chance.gauss(0, shape.luck)
        left -= 1
        share = at / shape.episodes
        values = [column(session, share) for column in columns]
        odds = base + luck + shape.drift * (way * (share - 0.5) + 0.5 * math.sin(phase + 2 * math.tau * share))
        if effect and values[0]:
            odds += math.log(effect.odds_ratio if share < effect.until else effect.after)
        features: dict[str, Value] = dict(zip(names, values, strict=True))
        features["symbol"] = ENTITIES[chance.randrange(shape.entities)]
        good = chance.random() < 1 / (1 + math.exp(-odds))
        rows.append(Observation(f"e-{at}", BEGINNING + timedelta(minutes=20 * at), f"s-{session}", good, features))
    return rows


Column = Callable[[int, float], Value]  # of a session and a share of the log: the next value of a feature


def _free(prevalence: float, chance: random.Random) -> Column:
    return lambda _session, _share: chance.random() < prevalence


def _number(_prevalence: float, chance: random.Random) -> Column:
    return lambda _session, _share: round(chance.gauss(0, 1), 3)


def _sticky(prevalence: float, chance: random.Random) -> Column:
    now = [chance.random() < prevalence]

    def value(_session: int, _share: float) -> bool:
        if chance.random() < 0.1:
            now[0] = chance.random() < prevalence
        return now[0]

    return value


def _drifting(_prevalence: float, chance: random.Random) -> Column:
    start, end = chance.random(), chance.random()
    return lambda _session, share: chance.random() < start + (end - start) * share


def _of_session(prevalence: float, chance: random.Random) -> Column:
    drawn: dict[int, bool] = {}
    return lambda session, _share: drawn.setdefault(session, chance.random() < prevalence)


def _word(_prevalence: float, chance: random.Random) -> Column:
    return lambda _session, _share: chance.choice(("north", "east", "south", "west"))


def _wandering(_prevalence: float, chance: random.Random) -> Column:
    now = [0.0]

    def value(_session: int, _share: float) -> float:
        now[0] = 0.98 * now[0] + chance.gauss(0, 0.2)
        return round(now[0], 3)

    return value


_COLUMNS: Sequence[Callable[[float, random.Random], Column]] = (_free, _number, _sticky, _drifting, _of_session, _word, _wandering)


def _poisson(mean: float, chance: random.Random) -> int:
    """Return a number drawn from Poisson's distribution (D. Knuth's way of multiplying)."""
    limit, product, count = math.exp(-mean), chance.random(), 0
    while product > limit:
        product *= chance.random()
        count += 1
    return count
