"""The door and the verbs behind it: `door.py` has them all in one place, `consolidating.py` is a cycle from its start to its end."""

from ethos.app.capture import Arrival
from ethos.app.consolidate import Cycle
from ethos.app.dependencies import Clock, Reader
from ethos.app.memory import Ethos
from ethos.core.model.counts import CYCLE_COUNTS

__all__ = ["CYCLE_COUNTS", "Arrival", "Clock", "Cycle", "Ethos", "Reader"]
