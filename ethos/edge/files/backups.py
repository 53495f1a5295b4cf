"""Backups: where they lie, which are let go of, and when the daemon takes one. `store/sqlite/backup.py` makes them.

They lie in `backups/` beside the database, named for their time. Seven daily and four weekly ones are kept (`core.history.retention`); one
that a person sends to a path of their own is theirs. `ethos forget` makes all of them anew that it knows of.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from ethos.app import Ethos
from ethos.core.history.retention import outdated
from ethos.core.model.settings import Settings
from ethos.edge.files import folders
from ethos.edge.files.outputs import Kind, Outputs

FOLDER = "backups"
_NAME = "ethos-%Y%m%dT%H%M%SZ.db"


def folder(settings: Settings) -> Path:
    """Where they lie."""
    return Path(settings.ethos.database).parent / FOLDER


def listed(settings: Settings) -> list[tuple[datetime, Path]]:
    """Our own, oldest first."""
    found = []
    for path in folder(settings).glob("ethos-*.db"):
        try:
            found.append((datetime.strptime(path.name, _NAME).replace(tzinfo=UTC), path))
        except ValueError:
            continue  # a name of somebody else's
    return sorted(found)


def take(ethos: Ethos, path: str | None = None) -> tuple[Path, list[Path]]:
    """Make one, and let go of what is outdated; the new one, and those. path: to a place of the person's own. Raises Refused, OSError."""
    settings = ethos.settings
    outputs = Outputs(Path(settings.ethos.state))
    target = Path(path) if path else folder(settings) / ethos.clock.now().astimezone(UTC).strftime(_NAME)
    folders.make(target.parent)
    with outputs.replacing(Kind.BACKUP, target) if path else outputs.temporary(target) as fresh:
        ethos.store.back_up(str(fresh))
        if not path:
            fresh.replace(target)
            folders.sync(target.parent)
    ethos.backed_up(str(target))
    if path:
        return target, []
    held = dict(listed(settings))
    gone = [held[moment] for moment in outdated(held, daily=settings.backup.keep_daily, weekly=settings.backup.keep_weekly)]
    gone = [each for each in gone if each != target]
    for each in gone:
        each.unlink()
    return target, gone


def due(ethos: Ethos) -> bool:
    """Whether the last one is old enough and something was done since."""
    every = ethos.settings.backup.every_hours
    if not every:
        return False
    with ethos.store.begin() as work:
        last, cycle = work.runs(name="backup", limit=1), work.runs(name="consolidate", limit=1)
    if not cycle:
        return False
    since = last[0].started_at if last else None
    return since is None or (cycle[0].started_at > since and abs(ethos.clock.now() - since) >= timedelta(hours=every))
