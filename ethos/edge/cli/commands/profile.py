"""The command `ethos profile`: show what is known of the user, and keep it as a block in an agent's file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from ethos.core.learning.summaries import managed_block
from ethos.core.model.errors import refuse
from ethos.edge.cli.commands.options import Usual, absolute, command
from ethos.edge.cli.connect import changes
from ethos.edge.files.outputs import Kind, Outputs
from ethos.edge.render import report


@command
def profile(
    about: Annotated[str | None, typer.Option("--about", metavar="S", help="only facts about this subject")] = None,
    project: Annotated[
        str | None,
        typer.Option("--project", metavar="P", help="facts of this project, and those that hold everywhere (default: the folder's)"),
    ] = None,
    everywhere: Annotated[bool, typer.Option("--everywhere", help="facts of all projects")] = False,
    write: Annotated[
        Path | None, typer.Option("--write", metavar="FILE", help="write it as a block in FILE, such as CLAUDE.md, or renew the block")
    ] = None,
    undo: Annotated[bool, typer.Option("--undo", help="with --write: remove the block")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="with --write: show the change; write nothing")] = False,
    *,
    usual: Usual,
) -> int:
    """Show what is known about you, most trusted and most used first, each line with the ids of its facts.

    In a git repository it shows the facts of that project and those that hold everywhere. With --write, the folder of FILE counts.

    Example: ethos profile --write CLAUDE.md
    """
    if everywhere and project is not None:
        raise refuse("usage", "--everywhere and --project are given", hint="ethos profile --everywhere")
    folder = Path.cwd() if write is None else Path(absolute(str(write))).parent
    asked = {"about": about, "project": project, "cwd": None if everywhere else str(folder)}
    if write is None:
        if undo or dry_run:
            raise refuse("usage", "--undo and --dry-run need --write FILE", hint="ethos profile --write CLAUDE.md --undo")
        with usual.connect() as connection:
            data = connection.ask("profile", **asked)
        return usual.show(data, _told(data, about), wanted=True)
    if not write.expanduser().parent.is_dir():
        raise refuse("not-found", "there is no such folder", hint="create it first, or check the name", where=str(write.parent))
    before, text = changes.read(write)
    lines: list[str] = []
    if not undo:
        with usual.connect() as connection:
            room = connection.settings.profile.block_bytes - managed_block.overhead()
            data = connection.ask("profile", **asked, max_bytes=room)
            if not dry_run:
                Outputs(connection.state).note(Kind.BLOCK, Path(os.path.realpath(write)))  # so that a forgetting reaches it
        lines = data["markdown"].splitlines()
    change = changes.Change("profile", write, before, _changed(write, before, text, lines, undo=undo))
    changed = change.before != change.after
    if changed and not dry_run:
        changes.write(change)
    done = "took the block out of" if undo else "wrote the block into"
    said = change.diff() if dry_run else [f"{done} {report.clean(write)}"]
    data = {"file": str(write), "dry_run": dry_run, "changed": changed, "diff": change.diff()}
    return usual.show(data, [report.clean_line(line) for line in said] if changed else ["nothing to change"])


def _changed(file: Path, before: bytes | None, text: str, lines: list[str], *, undo: bool) -> bytes | None:
    """Return the bytes of the file with the block, or without it; None: no file."""
    try:
        if undo:
            after = None if before is None else managed_block.take(text)
        else:
            after = managed_block.put(None if before is None else text, lines) if lines or before else None
    except managed_block.Unreadable as unreadable:
        hint = "remove its two comment lines by hand; nothing was changed"
        raise refuse("bad-input", f"the block that Ethos wrote is damaged: {unreadable}", hint=hint, where=str(file)) from None
    return None if after is None else after.encode()


def _told(data: dict[str, Any], about: str | None) -> list[str]:
    """Return the profile as lines for a terminal."""
    if unknown := report.unknown_project(data):
        return [*unknown, *_told({**data, "unknown_project": "", "project": None}, about)]
    if not data["lines"] and about is not None:
        where = f" in project {report.clean(data['project'], 60)}" if data["project"] else ""
        return [f"no fact is about {report.clean(about, 80)}{where} -> ethos facts shows the subjects of all facts"]
    if not data["lines"]:
        return report.other_users(data) or ["nothing is held yet -> ethos capture PATH, then ethos consolidate"]
    lines = [f"project {report.clean(data['project'], 60)}; --everywhere shows all", ""] if data["project"] else []
    section = ""
    for line in data["lines"]:
        if line["section"] != section:
            section = line["section"]
            lines += [*([""] if lines and lines[-1] else []), section]
        ids = ", ".join(line["facts"])
        where = f"  [project {report.clean(line['project'], 60)}]" if line["project"] else ""
        lines.append(f"  {report.clean(line['text'])}{where}" + (f"  ({ids})" if ids else ""))
    if data["in_question"]:
        lines += ["", f"{report.plural(data['in_question'], 'fact')} in question, left out until you answer -> ethos inbox"]
    if data["left_out"]:
        lines += ["", f"{report.plural(data['left_out'], 'fact')} more than fit -> ethos facts"]
    return lines
