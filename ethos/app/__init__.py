"""The door and the verbs behind it: `door.py` has them all in one place, `consolidating.py` is a cycle from its start to its end."""

from ethos.app.capture import Arrival
from ethos.app.consolidate import CYCLE_COUNTS, Cycle
from ethos.app.dependencies import Clock, Reader
from ethos.app.memory import Ethos

__all__ = ["CYCLE_COUNTS", "Arrival", "Clock", "Cycle", "Ethos", "Reader"]
