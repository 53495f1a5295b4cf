"""Collecting: how often the interpreter looks for reference cycles while a pass runs."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_SELDOM = 2_000_000  # new objects between two searches


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Search seldom for reference cycles: a pass makes records by the ten thousand, which are in none, and a tenth of its time was that.

    What it leaves in cycles is as much after a small pass as after a large one.
    """
    before = gc.get_threshold()
    gc.set_threshold(max(_SELDOM, before[0]), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
