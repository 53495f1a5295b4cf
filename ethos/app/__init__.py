"""The door and the verbs behind it: `door.py` has them all in one place, `consolidating.py` is a cycle from its start to its end."""

from ethos.app.capturing import Arrival
from ethos.app.consolidating import CYCLE_COUNTS, Cycle
from ethos.app.door import Ethos
from ethos.app.means import Clock, Reader

__all__ = ["CYCLE_COUNTS", "Arrival", "Clock", "Cycle", "Ethos", "Reader"]
