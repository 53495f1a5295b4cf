"""Decide whether the machine is idle enough for a cycle (E-02 to E-04, X-E9): a pure decision and cheap probes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

import psutil

from ethos.core.model.errors import Refused
from ethos.core.model.settings import ConsolidationSettings
from ethos.core.ports.store import Store


@dataclass(frozen=True, slots=True)
class Reading:
    """The values of the probes; None: could not be read.

    events: session events within `idle_threshold_seconds`; load_percent: 1-minute load, 100 for all processors busy.
    """

    events: int | None
    load_percent: float | None
    on_battery: bool = False


def why_not(found: Reading, wanted: ConsolidationSettings) -> tuple[str, ...]:
    """Return every reason not to run now, in words; empty: idle. An unreadable probe counts as busy."""
    reasons = []
    if found.events is None:
        reasons.append("the store could not be asked for session events")
    elif found.events > 0:
        reasons.append(f"{found.events} session events in the last {wanted.idle_threshold_seconds:g} s")
    if found.load_percent is None:
        reasons.append("the load could not be read")
    elif not found.load_percent < wanted.cpu_threshold_percent:
        reasons.append(f"load {found.load_percent:.0f} %, threshold {wanted.cpu_threshold_percent:g} %")
    if found.on_battery and not wanted.on_battery:
        reasons.append("running on battery")
    return tuple(reasons)


def read(store: Store, now: datetime, wanted: ConsolidationSettings) -> Reading:
    """Read the probes: the store, the kernel, and the battery if it matters."""
    since = now - timedelta(seconds=wanted.idle_threshold_seconds)
    return Reading(recent_events(store, since, now), load_percent(), on_battery=not wanted.on_battery and on_battery())


def recent_events(store: Store, since: datetime, now: datetime) -> int | None:
    """Count session events since then (E-03); None if the store refuses. A future event predates a clock that was set back."""
    try:
        with store.begin() as work:
            return work.live_captures(since, now)
    except Refused:
        return None


def load_percent() -> float | None:
    """Return the 1-minute load average for each processor, in percent (E-04); None if the kernel does not report it."""
    processors = psutil.cpu_count()
    if not processors:
        return None
    try:
        return psutil.getloadavg()[0] / processors * 100
    except OSError:
        return None


def on_battery() -> bool:
    """Return True if the machine is unplugged. One without a battery, or without data, counts as plugged in."""
    battery = psutil.sensors_battery()
    return battery is not None and battery.power_plugged is False
