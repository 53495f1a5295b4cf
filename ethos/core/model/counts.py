"""Counts: the names of the six numbers of a consolidation, in their order (E-28). Without other imports: the client reads it at start."""

from __future__ import annotations

CYCLE_COUNTS = ("episodes_scanned", "episodes_promoted", "facts_created", "facts_updated", "facts_superseded", "facts_flagged")
