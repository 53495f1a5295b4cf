"""Serving: remember what was shown, so that it is not learned when it comes back (`core.facts.echoes`)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from threading import Lock

from ethos.core.facts.echoes import fingerprints
from ethos.core.model.errors import Refused
from ethos.core.model.keys import Mac
from ethos.core.ports.store import Store, Work

ENOUGH = 500  # texts that wait to be hashed and written
_REMEMBERED = 5_000  # texts that are known to be written, so that they are not hashed again: a daemon shows the same ones often


class Served:
    """Remember what this process has shown. Safe to call from several threads.

    Marking a text takes as long as finding it, so who asks does not wait for it: texts are kept until `write`, which a pass, the
    daemon's clock, a counted recall and the end of the process call.
    """

    def __init__(self, store: Store, seal: Mac) -> None:
        """seal: a keyed hash."""
        self._store = store
        self._seal = seal
        self._hand = Lock()  # on what follows
        self._waiting: dict[str, datetime] = {}  # text -> when it was shown first
        self._written: set[int] = set()  # hashes of texts

    def show(self, texts: Iterable[str], now: datetime) -> None:
        """Note that these are shown now. They are written when there are enough of them, or by `write`."""
        with self._hand:
            for text in texts:
                if hash(text) not in self._written:
                    self._waiting.setdefault(text, now)
            while len(self._waiting) > _REMEMBERED:  # nothing can be written
                del self._waiting[next(iter(self._waiting))]
            enough = len(self._waiting) >= ENOUGH
        if enough:
            self.write()

    def write(self, work: Work | None = None) -> None:
        """Write the fingerprints of what waits, in this transaction or in one of its own.

        Where there is no key and none can be made, or the store cannot be written to (a full disk, a read-only one), it goes on waiting:
        what cannot be written to learns nothing either.
        """
        with self._hand:
            waiting = dict(self._waiting)
        if not waiting:
            return
        try:
            shown: dict[str, datetime] = {}
            for text, at in waiting.items():
                for fingerprint in fingerprints((text,), self._seal):
                    shown[fingerprint] = min(at, shown.get(fingerprint, at))
            if work is not None:
                work.serve(shown)
            else:
                with self._store.begin(write=True) as own:
                    own.serve(shown)
        except Refused:
            return
        with self._hand:
            if len(self._written) > _REMEMBERED:
                self._written.clear()
            for text in waiting:
                self._written.add(hash(text))
                self._waiting.pop(text, None)
