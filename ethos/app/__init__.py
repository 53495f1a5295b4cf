"""The verbs of a user: `memory.py` has one method for each; `consolidate.py` is a cycle and `sleep.py` a night."""

from ethos.app.capture import Arrival
from ethos.app.consolidate import Cycle
from ethos.app.dependencies import Clock, Extractor
from ethos.app.memory import Ethos
from ethos.app.sleep import Slept
from ethos.core.model.counts import CYCLE_COUNTS

__all__ = ["CYCLE_COUNTS", "Arrival", "Clock", "Cycle", "Ethos", "Extractor", "Slept"]
