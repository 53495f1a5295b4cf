"""`ethos forget`: shows what would go, asks, erases, and prints the receipt."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from ethos.edge import report
from ethos.edge.door import Door, Json
from ethos.edge.options import AsJson, Config, Quiet, Yes, agree

SHOWN = 40  # lines of what would go


def forget(
    ids: Annotated[list[str] | None, typer.Argument(metavar="[ID...]", help="of episodes, or of facts with what they rest on")] = None,
    session: Annotated[str | None, typer.Option("--session", metavar="S", help="everything that was said in it")] = None,
    source: Annotated[str | None, typer.Option("--source", metavar="PATH", help="everything from this file or folder")] = None,
    matching: Annotated[str | None, typer.Option("--matching", metavar="TEXT", help="everything that holds these words")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="say what would go, and do nothing")] = False,
    yes: Yes = False,
    as_json: AsJson = False,
    config: Config = None,
    quiet: Quiet = False,
) -> int:
    """Erase episodes and all that rests on them alone, in every file Ethos knows of, then look for what is left.

    It cannot be undone, and capturing the same again does not bring it back. The receipt holds no word of it. Exit code 1 when
    something was found or could not be done.

    Example: ethos forget --matching "a street and a number" --dry-run
    """
    wanted: Json = {"ids": ids or None, "session": session, "source": _whole(source), "matching": matching}
    with Door(config) as door:
        if dry_run or not yes:
            would = door.ask("forget", **wanted, dry_run=True)
            if as_json and dry_run:
                print(report.as_json(would))
            elif not (quiet and dry_run):
                print("\n".join(rehearsed(would)), flush=True)
        if dry_run:
            return report.DONE
        if not yes:
            agree("Erase this for good?")
        data = door.ask("forget", **wanted, yes=True)
    if as_json:
        print(report.as_json(data))
    elif not quiet or not data["proven"]:
        print("\n".join(receipt(data)))
    return report.DONE if data["proven"] else report.FAILED


def _whole(source: str | None) -> str | None:
    """A path as it is remembered, where it is one from here; else as it was typed, for the end of one."""
    return os.path.abspath(source) if source and os.path.exists(source) else source  # noqa: PTH100, PTH110 (`..` by name, as in capture)


def rehearsed(data: Json) -> list[str]:
    """What would go."""
    shown = [report.clean(line, 200) for line in data["shown"]]
    more = [f"... and {len(shown) - SHOWN:,} more lines; --json has all"] if len(shown) > SHOWN else []
    return [*shown[:SHOWN], *more, f"would go: {_counted(data)}"]


def receipt(data: Json) -> list[str]:
    """What went, and what was found of it afterwards."""
    scan, lines = data["scan"], [f"forgotten: {_counted(data)}"]
    looked = f"looked for {data['sought']:,} pieces in {scan['files']:,} files ({report.size(scan['bytes'])})"
    found = sum(scan["found"].values()) + data["index"]
    lines.append(f"{looked}: {found:,} found" + (f"; {data['copies']:,} copies of the store were made anew" if data["copies"] else ""))
    lines += [report.paint(f"  still in {report.clean(path)}: {count:,} times", "yellow") for path, count in scan["found"].items()]
    lines += [report.paint(f"  still in the index: {data['index']:,} words", "yellow")] if data["index"] else []
    for problem in data["problems"]:
        lines += ["  " + line for line in report.complaint(problem).removeprefix("ethos: ").split("\n")]
    return [*lines, f"receipt {data['run']} {report.moment(data['at'])} {data['seal'][:16]}"]


def _counted(data: Json) -> str:
    counts = data["counts"]
    said = [f"{counts[name]:,} {name if counts[name] != 1 else name[:-1]}" for name in ("episodes", "facts", "questions")]
    said += [
        f"{counts[name]:,} facts {words}"
        for name, words in (("rescored", "kept on other evidence"), ("revived", "held again"))
        if counts[name]
    ]
    return ", ".join(said)
