"""Keeping: `ethos backup` and `ethos restore`."""

from __future__ import annotations

import os
from datetime import UTC
from pathlib import Path
from typing import Annotated

import typer

from ethos.core.errors import Refused, refuse
from ethos.edge import locks, report
from ethos.edge.clock import SystemClock
from ethos.edge.door import Door
from ethos.edge.options import AsJson, Config, Quiet, Yes, agree, show


def backup(
    path: Annotated[str | None, typer.Argument(metavar="[PATH]", help="a file of your own; else one among those that Ethos keeps")] = None,
    listing: Annotated[bool, typer.Option("--list", help="those that are there, oldest first, and make none")] = False,
    as_json: AsJson = False,
    config: Config = None,
    quiet: Quiet = False,
) -> int:
    """Copy the store, look the copy over, and let go of old ones: seven daily and four weekly stay.

    The daemon makes one a day. Keep the state folder's `forgetting.key` with it: without it what was forgotten is not known again.

    Example: ethos backup /mnt/disk/ethos.db
    """
    with Door(config) as door:
        if listing:
            from ethos.edge import backups  # noqa: PLC0415 (the store's half of the program, for this option alone)

            found = [{"path": str(each), "bytes": each.stat().st_size} for _, each in backups.listed(door.settings)]
            lines = [f"{each['path']}  {report.size(each['bytes'])}" for each in found] or ["none yet -> ethos backup"]
            show({"backups": found}, lines, as_json=as_json, quiet=quiet)
            return report.DONE
        own = {"path": os.path.abspath(os.path.expanduser(path))} if path else None  # noqa: PTH100, PTH111 (`..` by name)
        # a path of one's own is written by this command itself, which may write where the daemon may not
        data = door.here("backup", own) if own else door.ask("backup")
    gone = f"; {len(data['removed'])} old ones removed" if data["removed"] else ""
    show(data, [f"backed up to {data['path']} ({report.size(data['bytes'])}), sound{gone}"], as_json=as_json, quiet=quiet)
    return report.DONE


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="a backup; `ethos backup --list` names those that Ethos keeps")],
    yes: Yes = False,
    as_json: AsJson = False,
    config: Config = None,
    quiet: Quiet = False,
) -> int:
    """Put a backup in the store's place. What was there is kept beside it; what was forgotten since stays forgotten.

    No daemon may run. Capture your transcripts again afterwards: what the backup holds is known, and the rest comes in.

    Example: ethos restore ~/.local/share/ethos/backups/ethos-20260301T090000Z.db
    """
    from ethos.edge import wiring  # noqa: PLC0415 (the store's half of the program, for this command alone)

    with Door(config) as door:
        settings = door.settings
        if door.listens() or locks.holder(door.state, locks.DAEMON) is not None:
            hint = "stop it first: systemctl --user stop ethos (or end `ethos run`), and start it again afterwards"
            raise refuse("busy", "a daemon works on this memory", hint=hint)
        backup_file = file.expanduser().absolute()
        database = Path(settings.ethos.database)
        wiring.verify(backup_file)
        if not yes:
            agree(f"Put {backup_file} in the place of {database}?")
        with (
            locks.hold(door.state, locks.DAEMON, "a daemon works on this memory"),
            locks.hold(door.state, locks.PASS, "a pass is running on this memory"),
        ):
            at = SystemClock().now().astimezone(UTC)
            aside = database.with_name(f"{database.name}.replaced-{at:%Y%m%dT%H%M%SZ}")
            try:
                kept = str(aside) if wiring.restore(settings, backup_file, aside) else ""
            except OSError as error:
                raise refuse("store", f"cannot be restored: {error.strerror}", hint="nothing was replaced", where=str(database)) from error
        try:
            forgotten, problem = door.service.ethos.restored(str(backup_file), kept), ""
        except Refused as refused:
            if refused.problem.where != kept:
                raise
            forgotten, problem = door.service.ethos.restored(str(backup_file), ""), f"{refused.problem.where}: {refused.problem.what}"
    data = {"path": str(database), "kept": kept, "forgotten_again": forgotten, "problem": problem}
    lines = [f"restored {backup_file}", *([f"what was there is kept: {kept}"] if kept else [])]
    lines += [f"{forgotten} episodes had been forgotten since, and are again"] if forgotten else []
    lines += [report.paint(f"what had been forgotten cannot be told, for {problem}", "yellow")] if problem else []
    show(
        data,
        [*lines, "now capture your transcripts again -> ethos capture PATH; it adds only what is missing"],
        as_json=as_json,
        quiet=quiet,
    )
    return report.DONE
