"""The command line: thin. Every command asks the door (through the daemon, else here), and `report` and `tables` find the words.

A command returns its exit code: 0 done, 1 failed, 2 usage, 3 a person is needed. With `--json`, standard output holds JSON and nothing
else: the data, or `{"error": {...}}`; the words of an error go to standard error in any case.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Literal

import typer
from typer.exceptions import TyperException

from ethos.core.errors import Code, Problem, Refused, refuse
from ethos.core.records import Kind
from ethos.edge import deciding, differing, exchanging, forgetting, hot, keeping, menu, report, revising
from ethos.edge.door import Door, Json, standard_input
from ethos.edge.failing import guarded
from ethos.edge.options import AsJson, AsOf, Config, Quiet, Verbose, opened, show
from ethos.edge.rule_commands import rules_app
from ethos.edge.shapes import problem_data

app = typer.Typer(name="ethos", rich_markup_mode=None, pretty_exceptions_enable=False)
service_app = typer.Typer(rich_markup_mode=None)
app.add_typer(rules_app, name="rules", help=menu.SUMMARIES["rules"])
app.add_typer(service_app, name="service", help=menu.SUMMARIES["service"])


app.command(name="forget")(forgetting.forget)
app.command(name="backup")(keeping.backup)
app.command(name="restore")(keeping.restore)
app.command(name="export")(exchanging.export)
app.command(name="import")(exchanging.bring_in)


def run(arguments: list[str]) -> int:
    """Run one command and say what went wrong."""
    os.umask(0o077)  # what is made here holds somebody's memory
    return guarded(lambda: _typed(arguments), arguments)


def _typed(arguments: list[str]) -> int:
    try:
        code = app(args=arguments, prog_name="ethos", standalone_mode=False)
    except TyperException as error:
        context = getattr(error, "ctx", None)
        message = error.format_message().rstrip(".").replace(": Value error, ", ": ")
        hint = f"{context.command_path if context else 'ethos'} --help"
        raise refuse("usage", message[:1].lower() + message[1:], hint=hint) from None
    return code if isinstance(code, int) else report.DONE


# -- bring in and learn


@app.command(name="run")
def run_daemon(config: Config = None, quiet: Quiet = False, verbose: Verbose = False) -> int:
    """Stay, take in what is followed, consolidate when the machine is idle, and answer, until it is told to stop.

    Example: ethos run -v
    """
    from ethos.edge import starting  # noqa: PLC0415 (scheduler and logging, for this command alone)

    return starting.run(config, quiet=quiet, verbose=verbose)


@app.command()
def capture(
    paths: Annotated[list[str], typer.Argument(metavar="PATH...", help="files and folders of transcripts; - is standard input")],
    format_name: Annotated[str | None, typer.Option("--format", metavar="F", help="their format, where looking does not tell")] = None,
    live: Annotated[bool, typer.Option("--live", help="this session is going on now: the memory is not idle (for hooks)")] = False,
    follow: Annotated[bool, typer.Option("--follow", help="stay, and take in what is added, until Ctrl-C")] = False,
    as_json: AsJson = False,
    config: Config = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Bring in transcripts; doing it again is harmless.

    What cannot be read is told with file and line, and the rest is in; the exit code is then 1.

    Example: ethos capture ~/transcripts talk.jsonl
    """
    if follow:
        return _follow(paths, format_name, config, quiet=quiet)
    with _progress(paths, hidden=quiet or as_json) as watch, opened(config, verbose, watch=watch) as door:
        data = _capture(door, paths, format_name, live=live)
    return hot.print_answer("capture", data, wants_json=as_json, quiet=quiet)


def _capture(door: Door, paths: list[str], format_name: str | None, *, live: bool) -> Json:
    whole = ["-" if path == "-" else os.path.abspath(os.path.expanduser(path)) for path in paths]  # noqa: PTH100, PTH111 (`..` by name)
    if "-" not in whole or not door.listens():
        return _added(door.ask("capture", paths=batch, format=format_name, live=live) for batch in _batches(whole))
    named = [path for path in whole if path != "-"]
    with door.spooled(standard_input()) as spooled:
        read = door.ask("capture", paths=[str(spooled)], format=format_name or "jsonl", live=live)
    for problem in read["problems"]:
        problem["where"] = problem["where"].replace(str(spooled), "standard input")
    return _added([read, *(door.ask("capture", paths=batch, format=format_name, live=live) for batch in _batches(named))])


def _follow(paths: list[str], format_name: str | None, config: Path | None, *, quiet: bool) -> int:
    """Take in what grows until it is interrupted. Done here even beside a daemon: to put episodes takes no turn of its own."""
    from ethos.edge.actions import take_in  # noqa: PLC0415 (for this option alone)
    from ethos.edge.following import Follower  # noqa: PLC0415

    if "-" in paths or format_name:
        raise refuse(
            "usage", "--follow takes files and folders, and tells their format by looking", hint="ethos capture --follow ~/transcripts"
        )
    with Door(config) as door:
        follower = Follower([os.path.abspath(os.path.expanduser(path)) for path in paths], door.settings.capture, None)  # noqa: PTH100, PTH111
        live = False  # what stands there already is history, not a session event
        while True:
            now = door.service.ethos.clock.now()
            data = take_in(door.service, follower.poll(now), now=now, live=live)
            follower.keep()
            live = True
            if data["problems"] or (data["added"] and not quiet):
                print("\n".join(report.captured(data)), flush=True)
            time.sleep(door.settings.capture.follow_seconds)


def _batches(paths: list[str]) -> Iterator[list[str]]:
    """Paths in as many requests as the longest line makes necessary."""
    batch: list[str] = []
    for path in paths:
        if batch and len(json.dumps([*batch, path])) > hot.LONGEST_REQUEST:
            yield batch
            batch = []
        batch.append(path)
    if batch:
        yield batch


def _added(answers: Any) -> Json:
    """Several captures as one."""
    total: Json = {}
    for answer in answers:
        for name, value in answer.items():
            held = total.get(name)
            if held is None:
                total[name] = value
            elif isinstance(value, Mapping):
                total[name] = {key: held.get(key, 0) + value.get(key, 0) for key in [*held, *(key for key in value if key not in held)]}
            else:
                total[name] = held + value
    return total


@contextmanager
def _progress(paths: list[str], *, hidden: bool) -> Iterator[Any]:
    """A bar on standard error while a capture in this process goes on; what it counts are files, and turns beside it."""
    if hidden or not report.coloured(sys.stderr):
        yield None
        return
    from rich.console import Console  # noqa: PLC0415 (only for a bar that is seen)
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    from ethos.edge.transcripts.reading import find  # noqa: PLC0415
    from ethos.edge.transcripts.turn import Turn  # noqa: PLC0415

    files = sum(1 for path in paths if path != "-" for _ in find(path))
    columns = (TextColumn("capture"), BarColumn(), TextColumn("{task.fields[turns]:,} turns"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("capture", total=files if files > 1 else None, turns=0)
        sources: dict[str, int] = {}

        def watch(item: object) -> None:
            if isinstance(item, Turn):
                sources[item.source] = turns = sources.get(item.source, 0) + 1
                if turns % 100 == 1:
                    bar.update(task, completed=len(sources) - 1, turns=sum(sources.values()))

        yield watch


@app.command()
def consolidate(
    session: Annotated[str | None, typer.Option("--session", metavar="S", help="only this session's episodes")] = None,
    reason: Annotated[str, typer.Option("--reason", metavar="R", help="for the record of runs")] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="say what would be done, and do nothing")] = False,
    as_json: AsJson = False,
    config: Config = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Read what is new now, idle or not, and settle what you answered.

    Example: ethos consolidate --dry-run
    """
    with opened(config, verbose) as door:
        data = door.ask("consolidate", session=session, reason=reason, dry_run=dry_run)
    show(data, differing.rehearsed(data) if dry_run else report.consolidated(data), as_json=as_json, quiet=quiet)
    return report.DONE


@app.command()
def extract(
    file: Annotated[str, typer.Argument(metavar="[FILE]", help="episode lines; - is standard input")] = "-",
    config: Config = None,
    verbose: Verbose = False,
) -> int:
    """What the rules read in episode lines: JSON lines in, JSON lines out; nothing is kept.

    In: {"id", "role", "speaker", "text", "said_at", "session"?, "importance"?}

    Out: {"id", "facts": [{"kind", "subject", "predicate", "object", "polarity", "confidence", "rule", "span": [start, end]}]}

    Example: echo '{"id": "1", "role": "user", "text": "I prefer tabs."}' | ethos extract
    """
    from ethos.edge import wiring  # noqa: PLC0415 (the rules and what reads them)
    from ethos.edge.actions import extracted  # noqa: PLC0415

    code = report.DONE
    with opened(config, verbose) as door:
        reader = wiring.reader(door.settings, door.rulebook)
        for number, record in _records(file, door):
            found = {"problem": problem_data(record)} if isinstance(record, Problem) else extracted(reader, record, number)
            if problem := found.pop("problem", None):
                report.failed({**problem, "where": f"{file}:{number}"}, json_wanted=False)
                code = report.FAILED
            if "id" in found:
                print(json.dumps(found), flush=file == "-")
    return code


def _records(file: str, door: Door) -> Iterator[tuple[int, Json | Problem]]:
    """Line numbers of a file of JSON lines, and what stands there; empty lines are left out."""
    from ethos.edge.clock import SystemClock  # noqa: PLC0415 (reading transcripts, for two commands alone)
    from ethos.edge.transcripts.lines import lines  # noqa: PLC0415
    from ethos.edge.transcripts.turn import Place  # noqa: PLC0415

    with _opened(file) as stream:
        for line in lines(stream, Place(file, file, SystemClock().now()), limit=door.settings.capture.max_line_bytes):
            if line.record is not None:
                yield line.number, line.record if isinstance(line.record, Problem) else dict(line.record)


@contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    if file == "-":
        yield standard_input()
        return
    try:
        stream = Path(file).open("rb")  # noqa: SIM115 (closed below: what happens while it is read is not its opening's fault)
    except OSError as error:
        code: Code = "not-found" if isinstance(error, FileNotFoundError) else "bad-input"
        what = f"cannot be read: {(error.strerror or str(error)).lower()}"
        raise refuse(code, what, where=file, hint="name a file of JSON lines, or - for standard input") from None
    with stream:
        yield stream


# -- ask


@app.command()
def recall(
    query: Annotated[list[str] | None, typer.Argument(metavar="QUERY", help="words; an episode or fact with any of them is found")] = None,
    limit: Annotated[int | None, typer.Option("--limit", metavar="K", help="how many at most")] = None,
    project: Annotated[str | None, typer.Option("--project", metavar="P", help="only this project's")] = None,
    as_of: AsOf = None,
    session: Annotated[str | None, typer.Option("--session", metavar="S", help="who asks; a retrieval counts once a session")] = None,
    faded: Annotated[bool, typer.Option("--faded", help="faded ones too")] = False,
    batch: Annotated[str | None, typer.Option("--batch", metavar="FILE", help="queries as JSON lines; - is standard input")] = None,
    as_json: AsJson = False,
    config: Config = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Find episodes and facts by their words, best first.

    With --batch, each line in is {"id", "query", "limit"?} and each line out {"id", "hits": [{"id", "type", "score", "text", "episode"}]};
    those do not count as retrievals.

    Example: ethos recall "which editor" --limit 3
    """
    if (batch is None) == (not query):
        raise refuse("usage", "recall takes either words or --batch FILE", hint='ethos recall "which editor"')
    with opened(config, verbose) as door:
        if batch is not None:
            return _recall_batch(door, batch)
        asked = {"limit": limit, "project": project, "as_of": as_of, "faded": faded}
        data = door.ask("recall", query=" ".join(query or ()), session=session or hot.session(), **asked)
    return hot.print_answer("recall", data, wants_json=as_json, quiet=quiet)


def _recall_batch(door: Door, file: str) -> int:
    code = report.DONE
    for number, record in _records(file, door):
        try:
            if isinstance(record, Problem):
                raise Refused(record)
            query = record.get("query")
            if not isinstance(query, str):
                raise refuse("bad-input", '"query" is missing, or not text', hint='a line is {"id": "1", "query": "which editor"}')
            hits = door.ask("recall", query=query, limit=record.get("limit"), count=False)["hits"]
        except Refused as refused:
            report.failed({**problem_data(refused.problem), "where": f"{file}:{number}"}, json_wanted=False)
            code = report.FAILED
            continue
        shown = [{name: hit[name] for name in ("id", "type", "score", "text", "episode")} for hit in hits]
        print(json.dumps({"id": record.get("id"), "hits": shown}), flush=file == "-")
    return code


@app.command()
def facts(
    subject: Annotated[str | None, typer.Option("--subject", metavar="S", help="about this subject only")] = None,
    kind: Annotated[Kind | None, typer.Option("--kind", help="of this kind only")] = None,
    project: Annotated[str | None, typer.Option("--project", metavar="P", help="only this project's")] = None,
    as_of: AsOf = None,
    history: Annotated[bool, typer.Option("--history", help="every version, with when it was true and when it was held")] = False,
    limit: Annotated[int | None, typer.Option("--limit", metavar="K", min=1, help="how many at most")] = None,
    as_json: AsJson = False,
    config: Config = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """What is held, the latest first.

    Example: ethos facts --subject Ada --kind preference
    """
    with opened(config, verbose) as door:
        data = door.ask("facts", subject=subject, kind=kind, project=project, as_of=as_of, history=history)
    found = data["facts"][:limit]
    if as_json:
        print(report.as_json({**data, "facts": found}))
    elif found:
        from ethos.edge import tables  # noqa: PLC0415 (rich, where a table is shown)

        tables.console().print(tables.history(found) if history else tables.facts(found))
        if not quiet and len(found) < len(data["facts"]):
            print(f"{len(data['facts']) - len(found):,} more")
    elif not quiet:
        if as_of:
            print("nothing that fits was held then")
        else:
            fits = bool(subject or kind or project)
            print("nothing is held" + (" that fits" if fits else " yet -> ethos capture PATH, then ethos consolidate"))
    return report.DONE


@app.command()
def why(
    of: Annotated[str, typer.Argument(metavar="ID", help="of a fact, an episode or a question")],
    as_json: AsJson = False,
    config: Config = None,
    verbose: Verbose = False,
) -> int:
    """What led to a fact, or came of an episode or a question: the words, the rule, the arithmetic, what it replaced, who answered.

    Example: ethos why f-3k9m0q2w8x5v7a1b
    """
    with opened(config, verbose) as door:
        data = door.ask("why", of=of)
    if as_json:
        print(report.as_json(data))
    else:
        from ethos.edge import story, tables  # noqa: PLC0415 (rich, where a tree is shown)

        tables.console().print(story.tell(data))
    return report.DONE


app.command()(revising.diff)


# -- decide


app.command()(deciding.inbox)
app.command()(deciding.answer)
app.command()(revising.undo)


# -- operate


@app.command()
def status(as_json: AsJson = False, config: Config = None, quiet: Quiet = False, verbose: Verbose = False) -> int:
    """The memory in numbers, and whether a daemon runs.

    Example: ethos status
    """
    with opened(config, verbose) as door:
        data = door.ask("status")
    return hot.print_answer("status", data, wants_json=as_json, quiet=quiet)


@app.command()
def doctor(as_json: AsJson = False, config: Config = None, quiet: Quiet = False, verbose: Verbose = False) -> int:
    """Look for what is wrong, with the numbers found and what to do. Exits 1 when something is.

    Example: ethos doctor
    """
    from ethos.edge import doctor as checks  # noqa: PLC0415 (for this command alone)

    found = checks.examine(config)
    if as_json:
        print(report.as_json({"checks": [check.data() for check in found]}))
    else:
        print("\n".join(line for check in found if not quiet or check.level != "ok" for line in check.lines(verbose=verbose)))
    return report.FAILED if any(check.level == "fail" for check in found) else report.DONE


System = Annotated[bool, typer.Option("--system/--user", help="for a server, or for your own account")]
Units = Annotated[
    Literal["daemon", "socket", "timer"],
    typer.Option("--variant", help="the daemon alone, behind a socket of systemd's, or a timer that runs one cycle at a time"),
]


@service_app.command("show")
def serviceshow(system: System = False, variant: Units = "daemon", config: Config = None) -> int:
    """Print the systemd unit.

    Example: ethos service show --user
    """
    from ethos.edge import service  # noqa: PLC0415 (for this command alone)

    print(service.show(system=system, config=_absolute(config), unit=service.VARIANTS[variant][0], variant=variant), end="")
    return report.DONE


@service_app.command("install")
def service_install(
    system: System = False,
    variant: Units = "daemon",
    force: Annotated[bool, typer.Option("--force", help="replace a unit that was changed by hand")] = False,
    config: Config = None,
) -> int:
    """Write the systemd unit to where systemd looks for it, and say what to type next.

    Example: ethos service install
    """
    from ethos.edge import service  # noqa: PLC0415 (for this command alone)

    print("\n".join(service.install(system=system, config=_absolute(config), variant=variant, force=force)))
    return report.DONE


@service_app.command("status")
def service_status(system: System = False, as_json: AsJson = False) -> int:
    """Which units are installed, whether they are as this version writes them, and what systemd says. Exits 1 when one cannot work.

    Example: ethos service status
    """
    from ethos.edge import units_state  # noqa: PLC0415 (for this command alone)

    found = units_state.units(system=system)
    if as_json:
        print(report.as_json({"units": [unit.data() for unit in found]}))
    else:
        print("\n".join(unit.line for unit in found))
    return report.FAILED if any(unit.fault for unit in found) else report.DONE


@service_app.command("uninstall")
def service_uninstall(
    system: System = False,
    force: Annotated[bool, typer.Option("--force", help="remove a unit that was changed by hand, too")] = False,
) -> int:
    """Remove the systemd unit, and say what to type next. The memory stays.

    Example: ethos service uninstall
    """
    from ethos.edge import service  # noqa: PLC0415 (for this command alone)

    print("\n".join(service.uninstall(system=system, force=force)))
    return report.DONE


def _absolute(config: Path | None) -> Path | None:
    return None if config is None else config.expanduser().absolute()
