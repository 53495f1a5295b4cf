"""Ethos: a local memory engine for AI agents. `with ethos.open() as memory:` is the Python API (docs/python.md).

Importing this package loads nothing else: each name is imported when it is first used.
"""

from __future__ import annotations

__version__ = "0.1.0"

TYPE_CHECKING = False  # as typing has it, which is too slow to import
if TYPE_CHECKING:
    from ethos.app.retirement import Retired as Retired
    from ethos.app.review import Answered as Answered
    from ethos.core.history.diff import Diff as Diff
    from ethos.core.history.diff import Difference as Difference
    from ethos.core.model.errors import Problem as Problem
    from ethos.core.model.errors import Refused as Refused
    from ethos.core.model.records import Fact as Fact
    from ethos.core.ports.queries import FoundSession as FoundSession
    from ethos.core.ports.queries import Hit as Hit
    from ethos.edge.api.results import Captured as Captured
    from ethos.edge.api.results import Cycle as Cycle
    from ethos.edge.api.results import Explanation as Explanation
    from ethos.edge.api.results import InboxQuestion as InboxQuestion
    from ethos.edge.api.results import Receipt as Receipt
    from ethos.edge.api.results import Status as Status
    from ethos.edge.client.python_api import MemoryClient as MemoryClient
    from ethos.edge.client.python_api import open as open  # noqa: A004 (the API's name)
    from ethos.models import session as session

_EXPORTED = {
    "Answered": "ethos.app.review",
    "Captured": "ethos.edge.api.results",
    "Cycle": "ethos.edge.api.results",
    "Diff": "ethos.core.history.diff",
    "Difference": "ethos.core.history.diff",
    "Explanation": "ethos.edge.api.results",
    "Fact": "ethos.core.model.records",
    "FoundSession": "ethos.core.ports.queries",
    "Hit": "ethos.core.ports.queries",
    "InboxQuestion": "ethos.edge.api.results",
    "MemoryClient": "ethos.edge.client.python_api",
    "Problem": "ethos.core.model.errors",
    "Receipt": "ethos.edge.api.results",
    "Refused": "ethos.core.model.errors",
    "Retired": "ethos.app.retirement",
    "Status": "ethos.edge.api.results",
    "open": "ethos.edge.client.python_api",
    "session": "ethos.models",
}


def __getattr__(name: str) -> object:
    """Import a name of the API when it is first used. Raises AttributeError for another."""
    if name not in _EXPORTED:
        raise AttributeError(f"module 'ethos' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 (hot commands import this package, and no more)

    found = globals()[name] = getattr(import_module(_EXPORTED[name]), name)
    return found


def __dir__() -> list[str]:
    """Return the names of the API."""
    return sorted([*_EXPORTED, "__version__"])
