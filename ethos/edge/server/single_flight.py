"""Single flight: equal requests that arrive while one of them runs wait for its answer."""

from __future__ import annotations

from collections.abc import Hashable
from enum import Enum, auto
from threading import Lock

from ethos.edge.api.wire import Id
from ethos.edge.server.caller import Caller

MOST_FOLLOWERS = 512  # connections that wait for another's answer; each holds a descriptor, and there may be 1,024

Follower = tuple[Caller, Id | None]  # and the id that its request gave


class Role(Enum):
    """What a request is to the equal ones: it runs, it waits for the one that runs, or there is no room for it to wait."""

    LEADER = auto()
    FOLLOWER = auto()
    REFUSED = auto()


class SingleFlight:
    """Keep the requests in flight and the connections that wait for each."""

    def __init__(self) -> None:
        self._lock = Lock()  # guards all that follows
        self._in_flight: dict[Hashable, list[Follower]] = {}
        self._followers = 0

    @property
    def followers(self) -> int:
        """Return how many connections wait for another's answer."""
        return self._followers

    def join(self, key: Hashable, caller: Caller, id_: Id | None) -> Role:
        """Register a request. A leader must call `finish` once it has the answer."""
        with self._lock:
            in_flight = self._in_flight.get(key)
            if in_flight is None:
                self._in_flight[key] = []
                return Role.LEADER
            if self._followers >= MOST_FOLLOWERS:
                return Role.REFUSED
            in_flight.append((caller, id_))
            self._followers += 1
            return Role.FOLLOWER

    def finish(self, key: Hashable) -> list[Follower]:
        """End a flight and return those that wait for its answer."""
        with self._lock:
            followers = self._in_flight.pop(key)
            self._followers -= len(followers)
            return followers
