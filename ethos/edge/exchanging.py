"""`ethos export` and `ethos import`: a memory out of here, and into here."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal

import typer

from ethos.edge import report
from ethos.edge.door import Door, Json
from ethos.edge.options import AsJson, Config, Quiet, show


def export(
    path: Annotated[str, typer.Argument(metavar="PATH", help="the file to write; with --format markdown, a folder of its own")],
    form: Annotated[
        Literal["jsonl", "markdown"],
        typer.Option("--format", help="everything, to be imported elsewhere; or notes for people, Obsidian and basic-memory"),
    ] = "jsonl",
    as_json: AsJson = False,
    config: Config = None,
    quiet: Quiet = False,
) -> int:
    """Write everything that is held to a file, or what is held as notes.

    Ethos remembers where it exported to: `ethos forget` takes out of it what is forgotten.

    Example: ethos export memory.jsonl
    """
    with Door(config) as door:  # written by this command itself, which may write where the daemon may not
        data = door.here("export", {"path": _absolute(path), "format": form})
    what = "notes" if form == "markdown" else "records"
    show(data, [f"exported {data['written']:,} {what} to {data['path']}"], as_json=as_json, quiet=quiet)
    return report.DONE


def bring_in(
    path: Annotated[str, typer.Argument(metavar="FILE", help="what `ethos export` wrote as JSON lines")],
    as_json: AsJson = False,
    config: Config = None,
    quiet: Quiet = False,
) -> int:
    """Bring in what another memory exported; again is harmless. All of it comes in, or nothing.

    What does not go together with what is held is put to you, like any other contradiction.

    Example: ethos import memory.jsonl
    """
    with Door(config) as door:
        data = door.ask("import", path=_absolute(path))
    show(data, imported(data), as_json=as_json, quiet=quiet)
    return report.DONE


def imported(data: Json) -> list[str]:
    """What came in."""
    added, known = (sum(data[name].values()) for name in ("added", "known"))
    told = [f"{data['added'].get(kind, 0):,} {kind}s" for kind in ("episode", "fact", "question")]
    lines = [f"imported {added:,} records ({', '.join(told)}), {known:,} were held already"]
    lines += [f"  {data['asked']:,} need your word -> ethos inbox"] if data["asked"] else []
    lines += [f"  {data['forgotten']:,} episodes were left out: you had them forgotten"] if data["forgotten"] else []
    return lines


def _absolute(path: str) -> str:
    return str(Path(os.path.abspath(os.path.expanduser(path))))  # noqa: PTH100, PTH111 (`..` by name)
