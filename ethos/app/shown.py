"""Serving: remember what was shown, so that it is not learned when it comes back (`core.facts.echoes`)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from threading import Lock

from ethos.core.facts.echoes import marks
from ethos.core.model.errors import Refused
from ethos.core.model.keys import Mac
from ethos.core.ports.store import Store, Work

ENOUGH = 500  # marks that wait to be written
REMEMBERED = 2_000  # marks that are known to be written, so that they are not written again: writing is cheap, and a daemon lives long


class Served:
    """What this process has shown. Safe to call from several threads."""

    def __init__(self, store: Store, seal: Mac) -> None:
        """seal: a keyed hash."""
        self._store = store
        self._seal = seal
        self._hand = Lock()  # on what follows
        self._waiting: dict[str, datetime] = {}
        self._written: set[str] = set()

    def show(self, texts: Iterable[str], now: datetime) -> None:
        """Note that these are shown now. They are written when there are enough of them, or by `write`.

        Where there is no key and none can be made, on a full disk or a read-only one, nothing is remembered: reading goes on, and
        nothing can be learned there either.
        """
        try:
            shown = marks(texts, self._seal)
        except Refused:
            return
        with self._hand:
            for mark in shown - self._written:
                self._waiting.setdefault(mark, now)
            enough = len(self._waiting) >= ENOUGH
        if enough:
            self.write()

    def write(self, work: Work | None = None) -> None:
        """Write what waits, in this transaction or in one of its own. Where the store cannot be written to it goes on waiting: what
        cannot be written to learns nothing either.
        """
        with self._hand:
            waiting = dict(self._waiting)
        if not waiting:
            return
        try:
            if work is not None:
                work.serve(waiting)
            else:
                with self._store.begin(write=True) as own:
                    own.serve(waiting)
        except Refused:
            return
        with self._hand:
            if len(self._written) > REMEMBERED:
                self._written.clear()
            self._written |= waiting.keys()
            for mark in waiting:
                self._waiting.pop(mark, None)
