"""The verbs of a user: `memory.py` has one method for each; `consolidate.py` is a cycle and `sleep.py` a night.

Importing this package loads nothing else: each name is imported when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ethos.app.capture import Arrival as Arrival
    from ethos.app.consolidate import Cycle as Cycle
    from ethos.app.dependencies import Clock as Clock
    from ethos.app.dependencies import Extractor as Extractor
    from ethos.app.memory import Ethos as Ethos
    from ethos.app.sleep import Slept as Slept
    from ethos.core.model.counts import CYCLE_COUNTS as CYCLE_COUNTS

_EXPORTED = {
    "Arrival": "ethos.app.capture",
    "CYCLE_COUNTS": "ethos.core.model.counts",
    "Clock": "ethos.app.dependencies",
    "Cycle": "ethos.app.consolidate",
    "Ethos": "ethos.app.memory",
    "Extractor": "ethos.app.dependencies",
    "Slept": "ethos.app.sleep",
}


def __getattr__(name: str) -> object:
    """Import a name when it is first used. Raises AttributeError for another."""
    if name not in _EXPORTED:
        raise AttributeError(f"module 'ethos.app' has no attribute {name!r}")
    return getattr(import_module(_EXPORTED[name]), name)
