"""Check backups, the audit, and that no forgetting was interrupted."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from ethos.core.model.settings import Settings
from ethos.core.text.plurals import plural
from ethos.edge.config.clock import SystemClock
from ethos.edge.files import backups
from ethos.edge.jsonio.shapes import Json
from ethos.edge.ops.doctor.check import Check, warn, well
from ethos.edge.render.report import size

LATE = 3  # times the interval of backups; older than this, the last one is reported


def checks(status: Json, settings: Settings) -> Iterator[Check]:
    """Yield all these checks."""
    yield _backups(settings, SystemClock().now())
    store = status["store"]
    yield well("memory", "audit", f"{plural(store['audit_rows'], 'run')}, head {store['audit_head']}")
    if any(run["name"] == "forget" and run["ended_at"] is None for run in status["runs"]):
        matters = "what was forgotten may still stand in what the file freed"
        yield warn("memory", "forgetting", "the last one did not come to its end", matters, "ethos consolidate")


def _backups(settings: Settings, now: datetime) -> Check:
    found, every = backups.listed(settings), settings.backup.every_hours
    if not found:
        by_itself = "the daemon makes one after a cycle" if every else "the daemon makes none: backup.every_hours is 0"
        return well("memory", "backup", f"none yet; {by_itself}, ethos backup makes one now")
    taken, path = found[-1]
    told = f"{len(found)}, the last of {taken:%Y-%m-%d %H:%M} UTC ({size(path.stat().st_size)}) in {path.parent}"
    if every and now - taken > LATE * timedelta(hours=every):
        return warn("memory", "backup", told, "what was learned since is in no copy", "ethos backup")
    return well("memory", "backup", told)
