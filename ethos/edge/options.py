"""Options: what most commands take, and how they reach the door and show what it says; how a person is asked."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from ethos.core.errors import refuse
from ethos.edge import report
from ethos.edge.door import Door, Json

Config = Annotated[Path | None, typer.Option("--config", metavar="FILE", help="the configuration to use, instead of the one that is found")]
AsJson = Annotated[bool, typer.Option("--json", help="JSON for programs")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="say only what went wrong")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="say more; show where in the program an error came up")]
AsOf = Annotated[str | None, typer.Option("--as-of", metavar="DATE", help="as it was held then, such as 2026-03-01")]
Yes = Annotated[bool, typer.Option("--yes", help="do it without asking")]


@contextmanager
def opened(config: Path | None, verbose: bool = False, **more: Any) -> Iterator[Door]:
    """The door for one command; verbose: with what it was found by."""
    with Door(config, **more) as door:
        if verbose:
            told = [f"configuration: {door.loaded.file or 'none, the defaults'}"]
            told += [f"  {name} from {source}" for name, source in door.loaded.sources.items() if source != "default"]
            told.append(f"socket: {door.settings.socket.path} ({'a daemon answers' if door.listens() else 'no daemon'})")
            print("\n".join(told), file=sys.stderr)
        yield door


def show(data: Json, lines: list[str], *, as_json: bool, quiet: bool = False) -> None:
    """The data, or the lines about it."""
    if as_json:
        print(report.as_json(data))
    elif not quiet and lines:
        print("\n".join(lines))


def agree(question: str) -> None:
    """Have a person at a terminal agree. Raises `Refused` where they do not, or where nobody is there to ask."""
    if sys.stdin is None or not sys.stdin.isatty():
        raise refuse("needs-person", "nothing was done: a person has to agree", hint="look at it with --dry-run, then say --yes")
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().casefold() not in {"y", "yes"}:
        raise refuse("needs-person", "nothing was done", hint="")
