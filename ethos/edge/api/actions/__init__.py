"""Actions: every verb of the memory as it is asked for over the socket and by the command line, and what its answer holds.

To add an action: a frozen dataclass that declares its arguments (its docstring and annotations are its help), a short function that
calls the memory, a line in the `ACTIONS` of its module, and its name in `MODULES`. They stand in modules by the headings of `ethos --help`;
`held` and `inbox` stand apart, because they need little. A module is imported when one of its actions
is asked for: a command without a daemon needs one of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

from ethos.edge.api.actions.entrance import Entrance
from ethos.edge.api.actions.service import Directly, Runs, Service

__all__ = ["ACTIONS", "MODULES", "Directly", "Entrance", "Runs", "Service"]

MODULES: Mapping[str, str] = {
    "capture": "learn",
    "consolidate": "learn",
    "sleep": "learn",
    "extract": "learn",
    "recall": "ask",
    "sessions": "ask",
    "narrative": "ask",
    "facts": "held",
    "projects": "held",
    "lessons": "ask",
    "profile": "ask",
    "procedural": "learn",
    "why": "held",
    "diff": "held",
    "report": "ask",
    "undo": "decide",
    "inbox": "inbox",
    "answer": "decide",
    "retire": "decide",
    "correct": "decide",
    "forget": "decide",
    "backup": "operate",
    "export": "operate",
    "import": "operate",
    "status": "operate",
    "settle": "inbox",
    "rules": "operate",
    "standings": "operate",
    "rejected": "decide",
    "promote": "decide",
    "memory_search": "bank",
    "memory_record": "bank",
    "memory_feedback": "bank",
    "memory_outcome": "bank",
    "memory_consolidate": "bank",
    "memory_list": "bank",
    "memory_show": "bank",
    "memory_accept": "bank",
    "memory_archive": "bank",
    "help": "help",
}


class _Actions(Mapping[str, Entrance]):
    """The entrance of each action, from its module."""

    def __getitem__(self, name: str) -> Entrance:
        """Import the module of an action, and return its entrance."""
        actions: Mapping[str, Entrance] = import_module(f"{__name__}.{MODULES[name]}").ACTIONS
        return actions[name]

    def __contains__(self, name: object) -> bool:
        """Return whether an action has this name."""
        return name in MODULES

    def __iter__(self) -> Iterator[str]:
        """Yield the names, in the order of their documents."""
        return iter(MODULES)

    def __len__(self) -> int:
        """Return how many actions there are."""
        return len(MODULES)


ACTIONS: Mapping[str, Entrance] = _Actions()
