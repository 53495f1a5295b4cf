"""Admission: which connection is closed to make room for a new one when all places are taken."""

from __future__ import annotations

from collections.abc import Iterable

from ethos.edge.server.caller import Caller

SLOW_SECONDS = 0.25  # a connection that has not sent its line within this may be closed while others wait for a place


def evictable(caller: Caller, now: float) -> bool:
    """Return True if the connection is idle since its last answer, or slow with its line. now: monotonic."""
    return caller.idle or now - caller.since >= SLOW_SECONDS


def to_evict(reading: Iterable[Caller], now: float) -> Caller | None:
    """Return the connection to close for a new one: the longest idle, else the one longest at its line; None: all may stay."""
    return min((caller for caller in reading if evictable(caller, now)), key=lambda caller: (not caller.idle, caller.since), default=None)
