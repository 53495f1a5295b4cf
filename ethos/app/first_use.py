"""Modules that are imported when something of them is first used: importing every verb takes a fifth of a second, and a command needs few.

The importer names such a module among its imports at the top, once for type checkers and once with `at_first_use`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


class _AtFirstUse:
    """Stand for a module; each attribute is asked of the module itself, so a test may replace one there."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(import_module(self._name), attribute)


_NAMES: list[str] = []


def at_first_use(name: str) -> Any:
    """Return what stands for the module of this name. It is imported when an attribute of it is asked for."""
    _NAMES.append(name)
    return _AtFirstUse(name)


def import_all() -> None:
    """Import every module that waits for its first use."""
    for name in _NAMES:
        import_module(name)
