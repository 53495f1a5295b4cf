"""The reports of nights, kept outside of the store."""

from __future__ import annotations

from typing import Protocol

from ethos.core.model.sections import Report


class Reports(Protocol):
    """Where the reports of nights are kept: for people as text, and as data."""

    def keep(self, report: Report, *, beside: bool = False) -> str:
        """Keep a report; return where a person finds it. beside: an earlier one of the same date stays. Raises Refused, OSError."""
        ...

    def of(self, run: str) -> Report | None:
        """Return the report of a run; None where none is kept. Raises Refused where it cannot be read."""
        ...
