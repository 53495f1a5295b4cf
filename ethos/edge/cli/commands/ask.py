"""Commands that ask: `ethos recall`, `facts`, `projects`, `why`, `diff`, `report`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from ethos.core.model.errors import Problem, Refused, refuse
from ethos.core.model.records import Kind
from ethos.edge.api.actions.recalled import By, Detail
from ethos.edge.cli import fast_path
from ethos.edge.cli.commands.options import AsOf, Usual, absolute, command
from ethos.edge.client.answers import Json
from ethos.edge.client.asked_times import beginning_of, moment_of
from ethos.edge.client.connection import Connection
from ethos.edge.jsonio.shapes import problem_data
from ethos.edge.render import diff as differing
from ethos.edge.render import narrative as telling
from ethos.edge.render import report

Project = Annotated[str | None, typer.Option("--project", metavar="P", help="only this project, and facts that hold everywhere")]


@command
def recall(
    query: Annotated[list[str] | None, typer.Argument(metavar="QUERY", help="the words to find; any of them is enough")] = None,
    limit: Annotated[int | None, typer.Option("--limit", metavar="K", help="the largest number of results")] = None,
    project: Project = None,
    as_of: AsOf = None,
    facts_only: Annotated[bool, typer.Option("--facts", help="only facts, no turns")] = False,
    full: Annotated[bool, typer.Option("--full", help="the same as --detail full")] = False,
    max_tokens: Annotated[
        int | None,
        typer.Option("--max-tokens", metavar="N", min=1, help="return as many hits as fit; a token counts as 4 characters of JSON"),
    ] = None,
    session: Annotated[
        str | None, typer.Option("--session", metavar="S", help="the session that asks; a retrieval counts once a session")
    ] = None,
    faded: Annotated[bool, typer.Option("--faded", help="include faded records")] = False,
    said_in: Annotated[str | None, typer.Option("--said-in", metavar="S", help="only turns of this session")] = None,
    speaker: Annotated[
        str | None, typer.Option("--speaker", metavar="NAME", help="only turns of this speaker, or of user, assistant, tool")
    ] = None,
    kind: Annotated[str | None, typer.Option("--kind", metavar="KIND", help="only this kind: decision, preference, episode ...")] = None,
    after: Annotated[str | None, typer.Option("--after", metavar="DATE", help="only turns after this day or time")] = None,
    before: Annotated[str | None, typer.Option("--before", metavar="DATE", help="only turns before this day or time")] = None,
    detail: Annotated[Detail, typer.Option("--detail", help="the length of each text")] = Detail.SHORT,
    explain: Annotated[bool, typer.Option("--explain", help="show the parts of each score")] = False,
    narrative: Annotated[
        str | None, typer.Option("--narrative", metavar="ID", help="show the chains of an episode, step by step, and related turns")
    ] = None,
    by: Annotated[By, typer.Option("--by", help="session: list the sessions that speak of it, each with its best hits")] = By.HIT,
    batch: Annotated[str | None, typer.Option("--batch", metavar="FILE", help="read queries as JSON lines; - is standard input")] = None,
    *,
    usual: Usual,
) -> int:
    """Find episodes and facts by their words, best first.

    With --batch, each line in is {"id", "query", "limit"?} and each line out {"id", "hits": [{"id", "type", "score", "text", "episode"}]};
    these do not count as retrievals, and their texts are complete.

    Facts of the current folder's project come first. After the fifth hit, weak hits are left out: those with less than a quarter of
    the best hit's score for words and dates. In a small memory nothing is left out.

    With --by session, K is the number of sessions (5 by default); each has up to three hits, and projects are ranked alike.

    Example: ethos recall "which editor" --limit 3
    """
    if [bool(query), batch is not None, narrative is not None].count(True) != 1:
        raise refuse("usage", "recall takes either words, --narrative ID or --batch FILE", hint='ethos recall "which editor"')
    if by is By.SESSION and (said_in or not query):
        raise refuse("usage", "--by session takes words, and searches all sessions", hint='ethos recall --by session "which editor"')
    with usual.connect() as connection:
        if narrative is not None:
            told = connection.ask("narrative", of=narrative, limit=limit, project=project)
            return usual.show(told, telling.lines(told), wanted=True)
        if batch is not None:
            return _recall_batch(connection, batch)
        asked = {"limit": limit, "project": project, "as_of": moment_of(as_of), "faded": faded}
        asked |= {"facts": facts_only, "detail": Detail.FULL if full else detail, "max_tokens": max_tokens, "explain": explain}
        asked |= {"speaker": speaker, "kind": kind, "after": moment_of(after, "--after"), "before": beginning_of(before)}
        asked |= {"query": " ".join(query or ()), "session": session or fast_path.session()}
        if by is By.SESSION:
            data = connection.ask("sessions", **asked)
            return usual.show(data, report.sessions(data), wanted=True)
        data = connection.ask("recall", said_in=said_in, cwd=str(Path.cwd()), **asked)
    return fast_path.print_answer("recall", data, wants_json=usual.as_json, quiet=usual.quiet)


def _recall_batch(connection: Connection, file: str) -> int:
    from ethos.edge.cli.commands.records import records  # noqa: PLC0415 (reading transcripts, for this option alone)

    code = report.DONE
    for number, record in records(file, connection):
        try:
            if isinstance(record, Problem):
                raise Refused(record)
            query = record.get("query")
            if not isinstance(query, str):
                raise refuse("bad-input", '"query" is missing, or not text', hint='a line is {"id": "1", "query": "which editor"}')
            hits = connection.ask("recall", query=query, limit=record.get("limit"), count=False, full=True)["hits"]
        except Refused as refused:
            report.failed({**problem_data(refused.problem), "where": f"{file}:{number}"}, json_wanted=False)
            code = report.FAILED
            continue
        shown = [{name: hit[name] for name in ("id", "type", "score", "text", "episode")} for hit in hits]
        print(json.dumps({"id": record.get("id"), "hits": shown}), flush=file == "-")
    return code


@command
def facts(
    subject: Annotated[str | None, typer.Option("--subject", metavar="S", help="only facts about this subject")] = None,
    kind: Annotated[Kind | None, typer.Option("--kind", help="only facts of this kind")] = None,
    project: Project = None,
    as_of: AsOf = None,
    history: Annotated[bool, typer.Option("--history", help="include every version, with the times it was true and known")] = False,
    limit: Annotated[int | None, typer.Option("--limit", metavar="K", min=1, help="the largest number of results")] = None,
    *,
    usual: Usual,
) -> int:
    """List facts, latest first; facts of the current folder's project come first.

    Example: ethos facts --subject Ada --kind preference
    """
    with usual.connect() as connection:
        wanted = {"subject": subject, "kind": kind, "project": project, "as_of": moment_of(as_of), "history": history}
        data = connection.ask("facts", **wanted, cwd=str(Path.cwd()))
    found = data["facts"][:limit]
    if usual.as_json:
        print(report.as_json({**data, "facts": found}))
        return report.DONE
    for line in () if usual.quiet else report.unknown_project(data):
        print(line)
    if found:
        from ethos.edge.render import tables  # noqa: PLC0415 (rich, where a table is shown)

        shown = tables.console()
        shown.print(tables.listing(found, width=shown.width, versions=history), crop=False)
        if not usual.quiet and len(found) < len(data["facts"]):
            print(f"{len(data['facts']) - len(found):,} more")
    elif not usual.quiet:
        if as_of:
            print("no matching fact was known at that time -> ethos facts --history shows when each was recorded")
        else:
            fits = bool(subject or kind or project)
            nothing = "no facts" + (" match" if fits else " yet -> ethos capture PATH, then ethos consolidate")
            print("\n".join(report.other_users(data) or [nothing]))
    return report.DONE


@command
def projects(*, usual: Usual) -> int:
    """List the projects, last used first, with their numbers of facts.

    Preferences and facts about yourself belong to no project. They hold everywhere.

    Example: ethos projects
    """
    with usual.connect() as connection:
        data = connection.ask("projects")
    lines = [_project(each) for each in data["projects"]] or report.other_users(data) or ["nothing is held yet -> ethos capture PATH"]
    return usual.show(data, lines, wanted=True)


def _project(told: Json) -> str:
    name = report.clean(told["project"], 60) or "(everywhere)"
    last = f", last spoken in {report.day(told['last_said'])}" if told["last_said"] else ""
    return f"{name:<20} {report.plural(told['facts'], 'fact')}, {report.plural(told['episodes'], 'episode')}{last}"


@command
def lessons(
    of: Annotated[str | None, typer.Argument(metavar="ID", help="the id of a lesson or its beginning; shows its episodes too")] = None,
    retired: Annotated[bool, typer.Option("--retired", help="include retired lessons")] = False,
    *,
    usual: Usual,
) -> int:
    """List lessons from many episodes: the success rates with and without a feature, and what would refute the lesson.

    Example: ethos lessons --retired
    """
    with usual.connect() as connection:
        data = connection.ask("lessons", of=of, retired=retired)
    lines = [line for each in data["lessons"] for line in _lesson(each)]
    return usual.show(data, lines or ["no lessons; that is usual, because each night only keeps what many episodes confirm"], wanted=True)


def _lesson(told: Json) -> list[str]:
    lesson, playbook = told["lesson"], told["playbook"]
    state = f" (retired: {report.clean(lesson['note'], 200)})" if lesson["retired_at"] else ""
    lines = [f"{lesson['id']}  {report.clean(lesson['title'], 80)}{state}", f"  {report.clean(lesson['body'], 1_000)}"]
    rests_on = f"{report.plural(told['episodes'], 'episode')}, the last of {report.day(lesson['last_at'])}"
    lines.append(f"  rests on {rests_on}; found by {lesson['found_by']}")
    if playbook:
        lines.append(f"  playbook: {report.clean(playbook['body'], 300)}")
    return lines + [f"  {edge['kind']} {edge['target']} ({edge['weight']:.2f})" for edge in told["edges"]]


@command
def why(of: Annotated[str, typer.Argument(metavar="ID", help="the id of any record, or its beginning")], *, usual: Usual) -> int:
    """Explain a fact, a turn, a question, a summary, a trace or a memory: the words, the rule, the arithmetic, who answered.

    Example: ethos why f-3k9m0q2w8x5v7a1b
    """
    with usual.connect() as connection:
        data = connection.ask("why", of=of)
    if usual.as_json:
        print(report.as_json(data))
    else:
        from ethos.edge.render import tables  # noqa: PLC0415 (rich, where a tree is shown)
        from ethos.edge.render import why as story  # noqa: PLC0415 (rich, where a tree is shown)

        tables.console().print(story.tell(data))
    return report.DONE


@command
def night(
    run: Annotated[str | None, typer.Argument(metavar="RUN", help="the run of a night (default: the last night)")] = None,
    date: Annotated[str | None, typer.Option("--date", metavar="D", help="the day of the night: 2026-03-01, yesterday")] = None,
    html: Annotated[str | None, typer.Option("--html", metavar="FILE", help="write the report as one self-contained page")] = None,
    *,
    usual: Usual,
) -> int:
    """Show what a night did or would have done. Each line names the command that explains or undoes it.

    Example: ethos report --html night.html
    """
    from ethos.edge.render import night as telling  # noqa: PLC0415 (for this command alone)

    with usual.connect() as connection:
        data = connection.ask("report", run=run, date=moment_of(date, "--date"))
        if html is not None:
            _write_page(connection, data, absolute(html))
            return usual.show(data, [f"written: {html}"])
    return usual.show(data, telling.told(data), wanted=True)


def _write_page(connection: Connection, data: Json, path: str) -> None:
    """Write the report as a page, and remember the file, so that a forgetting reaches it. Raises Refused."""
    from ethos.edge.files.outputs import Kind as Output  # noqa: PLC0415 (for this option alone)
    from ethos.edge.files.outputs import Outputs  # noqa: PLC0415
    from ethos.edge.render.page import page  # noqa: PLC0415

    written = page(data, connection.ask("facts", history=True)["facts"])
    try:
        with Outputs(connection.state).replacing(Output.REPORT, Path(path)) as fresh:
            fresh.write_text(written, "utf-8")
    except OSError as error:
        hint = "name a file in a folder that you may write in"
        raise refuse("bad-input", f"cannot be written: {error.strerror}", hint=hint, where=path) from error


@command
def diff(
    run: Annotated[str | None, typer.Argument(metavar="RUN", help="the id of a run (default: the last run with changes)")] = None,
    *,
    usual: Usual,
) -> int:
    """Show what a run changed: + new, - ended, ~ changed, ? asked.

    Example: ethos diff r-20260601-120000
    """
    with usual.connect() as connection:
        data = connection.ask("diff", run=run)
    return usual.show(data, differing.of_run(data), wanted=True)
