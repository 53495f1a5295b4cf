"""Take, list and expire backups. `store/sqlite/backup.py` makes the copies.

Backups are kept in `backups/` beside the database, named by their time: seven daily and four weekly ones (`core.history.retention`). One
written to a path that a person gave is never removed. `ethos forget` rewrites all known backups.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from ethos.app import Ethos
from ethos.core.history.retention import outdated
from ethos.core.model.errors import refuse
from ethos.core.model.settings import Settings
from ethos.edge.files import folders
from ethos.edge.files.outputs import Kind, Outputs
from ethos.edge.files.store_files import files_of

_NAME = "ethos-%Y%m%dT%H%M%SZ.db"


def folder(settings: Settings) -> Path:
    """Return the folder of the backups."""
    return files_of(settings).backups


def listed(settings: Settings) -> list[tuple[datetime, Path]]:
    """Return the backups in that folder, oldest first."""
    found = []
    for path in folder(settings).glob("ethos-*.db"):
        try:
            found.append((datetime.strptime(path.name, _NAME).replace(tzinfo=UTC), path))
        except ValueError:
            continue  # not a name of ours
    return sorted(found)


def take(ethos: Ethos, path: str | None = None) -> tuple[Path, list[Path]]:
    """Take a backup and remove outdated ones; return the new path and the removed ones. path: a place outside the folder. Raises Refused,
    OSError.
    """
    settings, file = ethos.settings, ethos.store.file
    if file is None:
        raise refuse("usage", "the memory is not kept in a file", hint="copy it with the tools of its database")
    outputs = Outputs(Path(settings.ethos.state))
    target = Path(path) if path else folder(settings) / ethos.clock.now().astimezone(UTC).strftime(_NAME)
    folders.make(target.parent)
    with outputs.replacing(Kind.BACKUP, target) if path else outputs.temporary(target) as fresh:
        file.back_up(str(fresh))
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
    """Return True if the last backup is old enough and a cycle has run since."""
    every = ethos.settings.backup.every_hours
    if not every:
        return False
    now = ethos.clock.now()
    with ethos.store.begin() as work:
        last, cycle = (work.runs(name=name, limit=1, until=now) for name in ("backup", "consolidate"))
    if not cycle:
        return False
    since = last[0].started_at if last else None
    return since is None or (cycle[0].started_at > since and now - since >= timedelta(hours=every))
