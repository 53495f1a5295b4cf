"""Commands that look after the memory as a whole: `ethos status`, `doctor`, `backup`, `restore`, `export`, `import`."""

from __future__ import annotations

from datetime import UTC
from pathlib import Path
from typing import Annotated, Literal

import typer

from ethos.core.model.errors import Refused, refuse
from ethos.edge.cli import fast_path
from ethos.edge.cli.commands.options import Usual, Yes, absolute, agree, command
from ethos.edge.client.answers import Json
from ethos.edge.config.clock import SystemClock
from ethos.edge.files import locks
from ethos.edge.files.store_files import files_of
from ethos.edge.render import report


@command
def status(
    runs: Annotated[bool, typer.Option("--runs", help="list the last 20 runs with their ids")] = False,
    *,
    usual: Usual,
) -> int:
    """Show the size of the memory, and whether a daemon runs.

    Example: ethos status --runs
    """
    with usual.connect() as connection:
        data = connection.ask("status", runs=20 if runs else None)
    if runs:
        return usual.show({"runs": data["runs"]}, report.runs(data))
    return fast_path.print_answer("status", data, wants_json=usual.as_json, quiet=usual.quiet)


@command
def doctor(*, usual: Usual) -> int:
    """Find problems, and print what to do about each. Exits with 1 if there is one.

    Example: ethos doctor
    """
    from ethos.edge.ops import doctor as checks  # noqa: PLC0415 (for this command alone)

    found = checks.examine(usual.config)
    if usual.as_json:
        print(report.as_json({"checks": [check.data() for check in found]}))
    else:
        print("\n".join(line for check in found if not usual.quiet or check.level != "ok" for line in check.lines(verbose=usual.verbose)))
    return report.FAILED if any(check.level == "fail" for check in found) else report.DONE


@command
def backup(
    path: Annotated[str | None, typer.Argument(metavar="PATH", help="a file to write (default: a new one in Ethos's own folder)")] = None,
    listing: Annotated[bool, typer.Option("--list", help="list the backups, oldest first; make none")] = False,
    *,
    usual: Usual,
) -> int:
    """Copy the store, check the copy, and remove old backups: seven daily and four weekly stay.

    The daemon makes one a day. Keep the state folder's `forgetting.key` with it: without the key, forgotten text can be captured again.

    Example: ethos backup /mnt/disk/ethos.db
    """
    with usual.connect() as connection:
        if listing:
            from ethos.edge.files import backups  # noqa: PLC0415 (the store's half of the program, for this option alone)

            found = [{"path": str(each), "bytes": each.stat().st_size} for _, each in backups.listed(connection.settings)]
            lines = [f"{each['path']}  {report.size(each['bytes'])}" for each in found] or ["none yet -> ethos backup"]
            return usual.show({"backups": found}, lines)
        own = None if path is None else {"path": absolute(path)}
        # a path of one's own is written by this command itself, which may write where the daemon may not
        data = connection.local.call("backup", own).data if own else connection.ask("backup")
    gone = f"; {len(data['removed'])} older removed" if data["removed"] else ""
    return usual.show(data, [f"backed up to {data['path']} ({report.size(data['bytes'])}), sound{gone}"])


@command
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="a backup file; `ethos backup --list` lists them")],
    yes: Yes = False,
    *,
    usual: Usual,
) -> int:
    """Replace the store with a backup. The replaced store is kept beside it; what was forgotten since stays forgotten.

    Stop the daemon first. Capture your transcripts again afterwards, which adds only what is missing.

    Example: ethos restore ~/.local/share/ethos/backups/ethos-20260301T090000Z.db
    """
    from ethos.edge import wiring  # noqa: PLC0415 (the store's half of the program, for this command alone)

    with usual.connect() as connection:
        settings = connection.settings
        if connection.listens() or locks.holder(connection.state, locks.DAEMON) is not None:
            hint = "stop it first: systemctl --user stop ethos (or end `ethos run`), and start it again afterwards"
            raise refuse("busy", "a daemon works on this memory", hint=hint)
        backup_file = file.expanduser().absolute()
        database = files_of(settings).database
        wiring.verify(backup_file)
        if not yes:
            agree(f"Put {backup_file} in the place of {database}?", first="what is there now would be kept beside it")
        with locks.hold(connection.state, locks.DAEMON, "a daemon works on this memory"):
            at = SystemClock().now().astimezone(UTC)
            aside = files_of(settings).replaced(at)
            try:
                kept = str(aside) if wiring.restore(settings, backup_file, aside) else ""
            except OSError as error:
                raise refuse("store", f"cannot be restored: {error.strerror}", hint="nothing was replaced", where=str(database)) from error
        try:
            forgotten, problem = connection.service.ethos.restored(str(backup_file), kept), ""
        except Refused as refused:
            if refused.problem.where != kept:
                raise
            forgotten, problem = connection.service.ethos.restored(str(backup_file), ""), f"{refused.problem.where}: {refused.problem.what}"
    data = {"path": str(database), "kept": kept, "forgotten_again": forgotten, "problem": problem}
    lines = [f"restored {backup_file}", *([f"what was there is kept: {kept}"] if kept else [])]
    lines += [f"forgotten since, and forgotten again: {report.plural(forgotten, 'episode')}"] if forgotten else []
    lines += [report.paint(f"what had been forgotten cannot be told, for {problem}", "yellow")] if problem else []
    return usual.show(data, [*lines, "now capture your transcripts again -> ethos capture PATH; it adds only what is missing"])


@command
def export(
    path: Annotated[str, typer.Argument(metavar="PATH", help="the file to write; with --format markdown, a folder")],
    form: Annotated[
        Literal["jsonl", "markdown"],
        typer.Option("--format", help="jsonl: everything, for `ethos import`; markdown: notes for people, Obsidian and basic-memory"),
    ] = "jsonl",
    *,
    usual: Usual,
) -> int:
    """Write everything to a file, or the facts as notes.

    Ethos remembers the file, and `ethos forget` erases from it too.

    Example: ethos export memory.jsonl
    """
    with usual.connect() as connection:  # written by this command itself, which may write where the daemon may not
        data = connection.local.call("export", {"path": absolute(path), "format": form}).data
    what = "notes" if form == "markdown" else "records"
    kept = [f"  not ours or edited since, so kept beside its note: {report.clean(each)}" for each in data["kept"]]
    return usual.show(data, [f"exported {data['written']:,} {what} to {data['path']}", *kept])


@command
def bring_in(
    path: Annotated[str, typer.Argument(metavar="FILE", help="an export of Ethos, mem0 or basic-memory, or CLAUDE.md")],
    as_mine: Annotated[bool, typer.Option("--as-mine", help="you wrote this CLAUDE.md, AGENTS.md or GEMINI.md yourself")] = False,
    *,
    usual: Usual,
) -> int:
    """Import an export of another memory: all of it or nothing. Repeating it is harmless.

    Where it conflicts with your facts, you are asked.

    Statements in MEMORY.md, an export of mem0 or a note of basic-memory become turns of the assistant. Statements in CLAUDE.md, AGENTS.md
    and GEMINI.md do not become facts, because such a file may have come with a repository; with --as-mine they count as your words.

    Example: ethos import memory.jsonl
    """
    with usual.connect() as connection:
        data = connection.ask("import", path=absolute(path), as_mine=as_mine)
    return usual.show(data, imported(data))


def imported(data: Json) -> list[str]:
    """Return what was imported."""
    added, known = (
        [report.plural(data[name].get(kind, 0), kind) for kind in ("episode", "fact", "question")] for name in ("added", "known")
    )
    lines = [f"imported {', '.join(added)} and what belongs to them; held already: {', '.join(known)}"]
    unread = data["added"].get("episode", 0) and not data["added"].get("fact", 0)
    lines += ["  they are not read yet -> ethos consolidate"] if unread else []
    lines += [f"  {data['asked']:,} need your word -> ethos inbox"] if data["asked"] else []
    lines += [f"  left out, because you had them forgotten: {report.plural(data['forgotten'], 'episode')}"] if data["forgotten"] else []
    return lines
