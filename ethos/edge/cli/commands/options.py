"""Options: what all commands take, how they connect with it and show the answer, and how a person is asked."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import Annotated, Any

import typer

from ethos.core.model.errors import refuse
from ethos.edge.client.answers import Json
from ethos.edge.client.connection import Connection
from ethos.edge.files.spelling import spelled
from ethos.edge.render import report

Config = Annotated[Path | None, typer.Option("--config", metavar="FILE", help="the configuration file to use")]
AsJson = Annotated[bool, typer.Option("--json", help="print JSON")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="print errors only")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="print more; show tracebacks")]
AsOf = Annotated[
    str | None,
    typer.Option("--as-of", metavar="DATE", help="as known at the end of that day (2026-03-01, yesterday, last week) or at a time"),
]
Yes = Annotated[bool, typer.Option("--yes", help="do not ask")]


@dataclass(frozen=True, slots=True)
class Usual:
    """What every command takes: which configuration, and how its answer is shown.

    absent: a socket at which this process found no daemon before.
    """

    config: Path | None = None
    as_json: bool = False
    quiet: bool = False
    verbose: bool = False
    absent: str = ""

    @contextmanager
    def connect(self) -> Iterator[Connection]:
        """Connect to the memory; verbose: say which configuration was found, and where."""
        with Connection(self.config, absent=self.absent) as connection:
            if self.verbose:
                told = [f"configuration: {connection.loaded.file or 'none, the defaults'}"]
                told += [f"  {name} from {source}" for name, source in connection.loaded.sources.items() if source != "default"]
                told.append(f"socket: {connection.settings.socket.path} ({'a daemon answers' if connection.listens() else 'no daemon'})")
                print("\n".join(told), file=sys.stderr)
            yield connection

    def show(self, data: Json, lines: Sequence[str], *, wanted: bool = False) -> int:
        """Print the data or the lines about it, and return the exit code. wanted: they were asked for, so that `--quiet` shows them too."""
        if self.as_json:
            print(report.as_json(data))
        elif lines and (wanted or not self.quiet):
            print("\n".join(lines))
        return report.DONE


def command(does: Callable[..., int]) -> Callable[..., int]:
    """Add the options that all commands take. The command gets them together as `usual`; typer sees them one by one, after its own."""
    own = [each for each in signature(does, eval_str=True).parameters.values() if each.name != "usual"]
    shared = (
        ("context", typer.Context, Parameter.empty),
        ("config", Config, None),
        ("as_json", AsJson, False),
        ("quiet", Quiet, False),
        ("verbose", Verbose, False),
    )
    theirs = [Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=form) for name, form, default in shared]

    @wraps(does)
    def run(*, context: typer.Context, config: Path | None, as_json: bool, quiet: bool, verbose: bool, **words: Any) -> int:
        return does(**words, usual=Usual(config, as_json, quiet, verbose, absent=context.obj or ""))

    declared = [*own, *theirs]
    run.__signature__ = signature(does).replace(parameters=declared)  # type: ignore[attr-defined]  # what `inspect` and typer ask for
    run.__annotations__ = {each.name: each.annotation for each in declared}
    return run


def absolute(path: str) -> str:
    """Return a path as it is from anywhere, `..` taken by name. Raises Refused for an empty one, which would be the folder one is in."""
    if not path.strip():
        raise refuse("usage", "a path is empty", hint='name a file or a folder; in a script, is "$VARIABLE" set?')
    return spelled(os.path.abspath(os.path.expanduser(path)))  # noqa: PTH100, PTH111 (pathlib follows links for `..`)


def person_is_there() -> bool:
    """Return whether a person types, and no program: standard input is a terminal."""
    return sys.stdin is not None and sys.stdin.isatty()


def one_of(options: Mapping[str, bool]) -> None:
    """Require one of these options. Raises Refused where several are given, or none."""
    given = [option for option, is_given in options.items() if is_given]
    if len(given) != 1:
        told = f"{' and '.join(given)} are given" if given else f"none of {', '.join(options)} is given"
        raise refuse("usage", told, hint=f"give one of {', '.join(options)}")


def agree(question: str, *, first: str = "") -> None:
    """Have a person at a terminal agree. Raises `Refused` where they do not, or where nobody is there to ask. first: what to look at."""
    if not person_is_there():
        raise refuse("needs-person", "nothing was done: a person must confirm it", hint=", then ".join(filter(None, (first, "say --yes"))))
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().casefold() not in {"y", "yes"}:
        raise refuse("needs-person", "nothing was done", hint="")
