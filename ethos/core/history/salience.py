"""Salience: how relevant a record still is, and when it fades (E-06; docs/requirements.md, Settled).

After Ebbinghaus: salience now = base * exp(-t / tau) * (1 + 0.3 f) * (1 + 0.2 E), clamped to 0..1, with t the days since last
access, tau = stability * 1.5 ** retrievals, f = min(1, retrievals / max(1, days alive)) and E = max(0, tone) for episodes, 0 else.
One deviation: no decayed value is ever stored. The value is computed on reading from a base and a time (X-E19), and the sweep only
looks up `fades_at`, the moment the value crosses the threshold without further retrievals. Sweeping more often changes nothing.
The base is the greater of the record's own and of what the replay of its day made of it (L-28).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from ethos.core.model.records import Role, Salience
from ethos.core.model.settings import DecaySettings

_RETRIEVAL_STRETCH = 1.5
_RETRIEVAL_LIFT = 1.1
_FREQUENCY_WEIGHT = 0.3
_TONE_WEIGHT = 0.2
_EPISODE_KINDS = frozenset(
    {"episode", "signal", "turn_summary", "trade_entry", "trade_close", "market_event", "watchpoint", "session_summary"}
)
_DEFAULT_STABILITY = 7.0  # days; for a kind that config.toml does not name
_LONGEST_DAYS = 365_000.0  # a thousand years: never, in practice
_DAY = 86_400.0


def estimate_importance(*, has_literal: bool, role: Role) -> float:
    """Return the importance of an episode that came without one: 0.5, plus 0.2 with a rule literal, plus 0.1 from the user."""
    return round(0.5 + (0.2 if has_literal else 0.0) + (0.1 if role == "user" else 0.0), 3)


def tau_days(kind: str, retrievals: int, stability_days: Mapping[str, float]) -> float:
    """Return the days in which salience falls to 1/e; each retrieval stretches them by half."""
    return stability_days.get(kind, _DEFAULT_STABILITY) * _RETRIEVAL_STRETCH**retrievals


def salience_at(held: Salience, now: datetime, settings: DecaySettings) -> float:
    """Return the salience at `now`, 0..1. A clock that went back counts as no time at all."""
    idle = max(0.0, (now - held.accessed_at).total_seconds() / _DAY)
    alive = max(0.0, (now - held.created_at).total_seconds() / _DAY)
    return _value(held, held.effective, idle, alive, settings)


def initial_salience(record: str, kind: str, base: float, created_at: datetime, settings: DecaySettings, *, tone: float = 0.0) -> Salience:
    """Return the salience of a record that has not been retrieved."""
    fades = _fades_untouched(base, tone, kind, created_at, settings)
    return Salience(record, kind, base, tone, created_at, created_at, 0, fades)


def retrieved(held: Salience, now: datetime, settings: DecaySettings) -> Salience:
    """Return the salience after one more retrieval: base raised by a tenth (at most 1), time restarted, no longer faded."""
    lifted = replace(held, base=_lifted(held.base), retrievals=held.retrievals + 1, accessed_at=now, faded=False)
    if lifted.consolidated_salience_score is not None:
        lifted = replace(lifted, consolidated_salience_score=_lifted(lifted.consolidated_salience_score))
    return replace(lifted, fades_at=fades_at(lifted, settings))


def fades_at(held: Salience, settings: DecaySettings, consolidated: float | None = None) -> datetime:
    """Return the moment salience falls below `fade_below` without further retrievals, to the second; `salience_at` agrees with it.

    Without retrievals there is a closed form. With them the frequency term depends on the age, so the moment is found by bisection, as
    the value only falls. consolidated: the score that is about to take the place of the one it has.
    """
    effective = held.effective if consolidated is None else max(held.base, consolidated)
    if held.retrievals == 0:
        return _fades_untouched(effective, held.tone, held.kind, held.accessed_at, settings)
    born_idle = max(0.0, (held.accessed_at - held.created_at).total_seconds() / _DAY)

    def above(idle: float) -> bool:
        return _value(held, effective, idle, born_idle + idle, settings) >= settings.fade_below

    if not above(0.0):
        return held.accessed_at
    low, high = 0.0, min(_LONGEST_DAYS, tau_days(held.kind, held.retrievals, settings.stability_days))
    while above(high) and high < _LONGEST_DAYS:
        low, high = high, high * 2
    while (high - low) * _DAY > 0.5:
        middle = (low + high) / 2
        low, high = (middle, high) if above(middle) else (low, middle)
    return _later(held.accessed_at, high)


def _lifted(base: float) -> float:
    return min(1.0, base * _RETRIEVAL_LIFT)


def _fades_untouched(base: float, tone: float, kind: str, accessed_at: datetime, settings: DecaySettings) -> datetime:
    start = base * (1 + _TONE_WEIGHT * _emotion(tone, kind))
    if start < settings.fade_below:
        return accessed_at
    if settings.fade_below <= 0:
        return _later(accessed_at, _LONGEST_DAYS)
    return _later(accessed_at, tau_days(kind, 0, settings.stability_days) * math.log(start / settings.fade_below))


def _later(start: datetime, days: float) -> datetime:
    try:
        return start + timedelta(days=days)
    except OverflowError:
        return datetime.max.replace(tzinfo=start.tzinfo)


def _emotion(tone: float, kind: str) -> float:
    return max(0.0, tone) if kind in _EPISODE_KINDS else 0.0


def _value(held: Salience, effective: float, idle_days: float, alive_days: float, settings: DecaySettings) -> float:
    tau = tau_days(held.kind, held.retrievals, settings.stability_days)
    frequency = min(1.0, held.retrievals / max(1.0, alive_days))
    value = (
        effective * math.exp(-idle_days / tau) * (1 + _FREQUENCY_WEIGHT * frequency) * (1 + _TONE_WEIGHT * _emotion(held.tone, held.kind))
    )
    return min(1.0, max(0.0, value))
