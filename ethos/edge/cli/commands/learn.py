"""Commands that bring in and learn: `ethos run`, `capture`, `consolidate`, `sleep`, `extract`."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from ethos.core.model.errors import Problem, refuse
from ethos.edge.cli import fast_path
from ethos.edge.cli.commands import progress
from ethos.edge.cli.commands.options import Config, Quiet, Usual, Verbose, absolute, command
from ethos.edge.client import socket_client
from ethos.edge.client.answers import Json
from ethos.edge.client.asked_times import moment_of
from ethos.edge.client.connection import Connection
from ethos.edge.jsonio.shapes import problem_data
from ethos.edge.render import diff, report


def run(config: Config = None, quiet: Quiet = False, verbose: Verbose = False) -> int:
    """Run the daemon until it is stopped: read followed files, learn while the machine is idle, and answer on the socket.

    Example: ethos run -v
    """
    from ethos.edge.cli import run as starting  # noqa: PLC0415 (scheduler and logging, for this command alone)

    return starting.run(config, quiet=quiet, verbose=verbose)


@command
def capture(
    paths: Annotated[list[str], typer.Argument(metavar="PATH", help="files and folders of transcripts; - is standard input")],
    format_name: Annotated[str | None, typer.Option("--format", metavar="F", help="the format, if it cannot be detected")] = None,
    live: Annotated[bool, typer.Option("--live", help="the session is still running, so the machine is not idle (for hooks)")] = False,
    follow: Annotated[bool, typer.Option("--follow", help="keep reading what is added, until Ctrl-C")] = False,
    *,
    usual: Usual,
) -> int:
    """Read transcripts into the memory. Turns that are already known are not added again.

    Unreadable lines are reported with file and line, and the rest is captured; the exit code is then 1. A turn that you write yourself, in
    a file or on standard input, is a JSON line: {"role": "user", "text": "We use uv.", "project": "shop"}.

    Example: ethos capture ~/transcripts talk.jsonl
    """
    if follow:
        return _follow(paths, format_name, usual.config, quiet=usual.quiet)
    with progress.of_capture(paths, hidden=usual.quiet or usual.as_json) as watch, usual.connect() as connection:
        if watch is not None:
            connection.local.watch = watch
        data = _capture(connection, paths, format_name, live=live)
    return fast_path.print_answer("capture", data, wants_json=usual.as_json, quiet=usual.quiet)


def _capture(connection: Connection, paths: list[str], format_name: str | None, *, live: bool) -> Json:
    from ethos.edge.api.results import json_of, total  # noqa: PLC0415 (reading transcripts, for this command alone)
    from ethos.edge.client import capturing  # noqa: PLC0415

    whole = ["-" if path == "-" else absolute(path) for path in paths]
    options = {"format": format_name, "live": live}
    if "-" not in whole or not connection.listens(seconds=socket_client.HOOK_SECONDS if live else socket_client.ALIVE_SECONDS):
        return json_of(capturing.files(connection, whole, **options))
    named = [path for path in whole if path != "-"]
    if format_name in {None, "jsonl"}:
        first = capturing.lines(connection, connection.local.stdin, live=live)
    else:  # read here: the daemon is sent lines alone
        first = connection.local.call("capture", {"paths": ["-"], **options}).result
    return json_of(total([first, *([capturing.files(connection, named, **options)] if named else [])]))


def _follow(paths: list[str], format_name: str | None, config: Path | None, *, quiet: bool) -> int:
    """Take in what grows until it is interrupted. Done here even beside a daemon: to put episodes takes no turn of its own."""
    from ethos.edge.api.actions.learn import take_in  # noqa: PLC0415 (for this option alone)
    from ethos.edge.api.results import json_of  # noqa: PLC0415
    from ethos.edge.capture.follower import Follower  # noqa: PLC0415

    if "-" in paths or format_name:
        raise refuse("usage", "--follow takes files and folders, and detects their format", hint="ethos capture --follow ~/transcripts")
    named = [absolute(path) for path in paths]
    if missing := next((path for path in named if not Path(path).exists()), None):
        raise refuse("not-found", "there is no such file or folder", hint="create it first", where=missing)
    with Connection(config) as connection:
        follower = Follower(named, connection.settings.capture, None)
        if not quiet:
            print("following; Ctrl-C ends it", file=sys.stderr)
        live = False  # what stands there already is history, not a session event
        while True:
            now = connection.service.ethos.clock.now()
            captured = take_in(connection.service, follower.poll(now), now=now, live=live)
            follower.keep(captured.refused)
            live = True
            if captured.problems or (captured.added and not quiet):
                print("\n".join(report.captured(json_of(captured))), flush=True)
            time.sleep(connection.settings.capture.follow_seconds)


@command
def consolidate(
    session: Annotated[str | None, typer.Option("--session", metavar="S", help="only episodes of this session")] = None,
    reason: Annotated[str, typer.Option("--reason", metavar="R", help="a reason, stored with the run")] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="show what would change; change nothing")] = False,
    *,
    usual: Usual,
) -> int:
    """Learn from new episodes now, idle or not, and apply your answers.

    Example: ethos consolidate --dry-run
    """
    hidden = usual.quiet or usual.as_json
    with usual.connect() as connection, progress.of_cycle(connection.settings.consolidation.batch_size, hidden=hidden) as next_unit:
        connection.local.next_unit = next_unit
        data = connection.call("consolidate", {"session": session, "reason": reason, "dry_run": dry_run}).data
    applied = data.pop("answers_applied", 0)
    return usual.show(data, diff.rehearsed(data) if dry_run else [*report.settled(applied), *report.consolidated(data)])


@command
def sleep(
    date: Annotated[
        str | None, typer.Option("--date", metavar="D", help="the day to work through: 2026-03-01, yesterday, 3 days ago")
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", metavar="N", help="the seed of the random choices (default: from the date)")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="show what would change; change nothing")] = False,
    *,
    usual: Usual,
) -> int:
    """Run one night now, idle or not. A second run for the same day replaces the traces of the first.

    It replays this day alone, and also sums up the sessions of earlier days that have no summary yet.

    Example: ethos sleep --date yesterday --dry-run
    """
    with usual.connect() as connection:
        data = connection.call("sleep", {"date": moment_of(date, "--date"), "seed": seed, "dry_run": dry_run}).data
    return usual.show(data, diff.rehearsed_night(data) if dry_run else report.slept(data))


def extract(
    file: Annotated[str, typer.Argument(metavar="FILE", help="episode lines; - is standard input")] = "-",
    every: Annotated[bool, typer.Option("--all", help='weak claims too, each with its "grade"')] = False,
    config: Config = None,
    verbose: Verbose = False,
) -> int:
    """Print the facts that the rules read in turns: JSON lines in, JSON lines out. Nothing is stored.

    A claim is weak if its confidence is too low, or if only one of two readers makes it (the setting [rules] clauses).

    In: {"id", "role", "speaker", "text", "said_at", "session"?, "importance"?}

    Out: {"id", "facts": [{"kind", "subject", "predicate", "object", "polarity", "confidence", "rule", "span": [start, end]}]}

    Example: echo '{"id": "1", "role": "user", "text": "I prefer tabs."}' | ethos extract
    """
    from ethos.edge import wiring  # noqa: PLC0415 (the rules and what reads them)
    from ethos.edge.api.actions.learn import extracted  # noqa: PLC0415
    from ethos.edge.cli.commands.records import records  # noqa: PLC0415

    code = report.DONE
    with Usual(config, verbose=verbose).connect() as connection:
        reader = wiring.reader(connection.settings, connection.rulebook)
        for number, record in records(file, connection):
            found = {"problem": problem_data(record)} if isinstance(record, Problem) else extracted(reader, record, number, every=every)
            if problem := found.pop("problem", None):
                report.failed({**problem, "where": f"{file}:{number}"}, json_wanted=False)
                code = report.FAILED
            if "id" in found:
                print(json.dumps(found), flush=file == "-")
    return code
