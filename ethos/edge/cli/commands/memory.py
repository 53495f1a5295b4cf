"""The reasoning bank: `ethos memory search, record, feedback, outcome, consolidate, list, show, archive`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ethos.core.model.errors import refuse
from ethos.core.model.memories import Scope
from ethos.edge.api.choices import OutcomeAsked, OutcomeGiven, ScopeAsked
from ethos.edge.cli import fast_path
from ethos.edge.cli.commands.options import Usual, command, one_of, person_is_there
from ethos.edge.render import memories

memory_app = typer.Typer(rich_markup_mode=None)

Project = Annotated[str | None, typer.Option("--project", metavar="NAME", help="the project (default: the current folder's)")]
Everywhere = Annotated[bool, typer.Option("--everywhere", help="memories of all projects")]
Session = Annotated[str | None, typer.Option("--session", metavar="S", help="the session that you work in")]
Id = Annotated[str, typer.Argument(metavar="ID", help="the id of the memory, or its beginning")]


@memory_app.command("search", short_help="find memories that help with a task")
@command
def search(
    query: Annotated[list[str], typer.Argument(metavar="WORDS", help="the task, in a few words")],
    scope: Annotated[ScopeAsked, typer.Option("--scope", help="only memories with this scope")] = "all",
    outcome: Annotated[OutcomeAsked, typer.Option("--outcome", help="only successes, or only failures")] = "all",
    limit: Annotated[int | None, typer.Option("--limit", metavar="K", help="the largest number of results, up to 20")] = None,
    min_confidence: Annotated[
        float | None, typer.Option("--min-confidence", metavar="C", help="leave out memories with a lower belief")
    ] = None,
    project: Project = None,
    everywhere: Everywhere = False,
    session: Session = None,
    *,
    usual: Usual,
) -> int:
    """Find memories that help with a task, best first.

    They are those of the folder's project, and those of other projects that were recorded for the team or the organisation.

    Example: ethos memory search "flaky date tests"
    """
    _one_project(project, everywhere=everywhere, verb="search WORDS")
    asked = {
        "scope": scope,
        "outcome": outcome,
        "limit": limit,
        "min_confidence": min_confidence,
        "project": project,
        "everywhere": everywhere,
    }
    with usual.connect() as connection:
        data = connection.ask("memory_search", query=" ".join(query), session=session or fast_path.session(), cwd=str(Path.cwd()), **asked)
    return usual.show(data, memories.found(data, here=not everywhere), wanted=True)


@memory_app.command("record", short_help="record something that worked or failed")
@command
def record(
    title: Annotated[str, typer.Argument(metavar="TITLE", help="a title of at most 50 characters")],
    description: Annotated[str, typer.Option("--description", metavar="TEXT", help="when it helps")],
    content: Annotated[str, typer.Option("--content", metavar="TEXT", help="the steps, or why it failed")],
    outcome: Annotated[OutcomeGiven, typer.Option("--outcome", help="the outcome")],
    tags: Annotated[str, typer.Option("--tags", metavar="A,B", help="tags, separated by commas")] = "",
    scope: Annotated[Scope, typer.Option("--scope", help="who the memory is for")] = Scope.PROJECT,
    by_user: Annotated[
        bool | None,
        typer.Option("--by-user/--by-agent", help="whose words they are (default: yours at a terminal, else your agent's)"),
    ] = None,
    project: Project = None,
    session: Session = None,
    *,
    usual: Usual,
) -> int:
    """Record a memory. Recording the same again changes nothing.

    Example: ethos memory record "Pin the clock" --description "flaky date tests" --content "Freeze time in the fixture" --outcome success
    """
    told: dict[str, object] = {"title": title, "description": description, "content": content, "outcome": outcome, "scope": scope.value}
    told |= {"tags": [tag.strip() for tag in tags.split(",") if tag.strip()], "project": project}
    told["by_user"] = person_is_there() if by_user is None else by_user
    with usual.connect() as connection:
        data = connection.ask("memory_record", **told, session=session or "", cwd=str(Path.cwd()))
    return usual.show(data, memories.recorded(data))


@memory_app.command("feedback", short_help="record whether a memory helped")
@command
def feedback(
    memory: Id,
    helpful: Annotated[bool, typer.Option("--helpful", help="it helped")] = False,
    not_helpful: Annotated[bool, typer.Option("--not-helpful", help="it did not")] = False,
    comment: Annotated[str, typer.Option("--comment", metavar="TEXT", help="your reason, stored with the feedback")] = "",
    *,
    usual: Usual,
) -> int:
    """Record whether a memory helped. This changes its belief, and how the project weighs its signals.

    Example: ethos memory feedback m-7m2k --helpful
    """
    one_of({"--helpful": helpful, "--not-helpful": not_helpful})
    with usual.connect() as connection:
        data = connection.ask("memory_feedback", memory_id=memory, helpful=helpful, comment=comment)
    return usual.show(data, memories.believed(data))


@memory_app.command("outcome", short_help="record whether following a memory worked")
@command
def outcome(
    memory: Id,
    succeeded: Annotated[bool, typer.Option("--succeeded", help="it worked")] = False,
    failed: Annotated[bool, typer.Option("--failed", help="it did not")] = False,
    session: Session = None,
    *,
    usual: Usual,
) -> int:
    """Record whether following a memory worked.

    Example: ethos memory outcome m-7m2k --failed
    """
    one_of({"--succeeded": succeeded, "--failed": failed})
    with usual.connect() as connection:
        data = connection.ask("memory_outcome", memory_id=memory, succeeded=succeeded, session_id=session or "")
    return usual.show(data, memories.believed(data))


@memory_app.command("consolidate", short_help="merge memories that say the same")
@command
def consolidate(
    project: Project = None,
    threshold: Annotated[float | None, typer.Option("--similarity", metavar="T", help="the similarity needed, from 0 to 1")] = None,
    max_clusters: Annotated[int, typer.Option("--max-clusters", metavar="N", help="the largest number of clusters; 0 means no limit")] = 0,
    force: Annotated[bool, typer.Option("--force", help="run even if the last consolidation was recent")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="show what would change; change nothing")] = False,
    *,
    usual: Usual,
) -> int:
    """Merge memories that say the same. The sources are archived, and `ethos undo RUN` restores them.

    Example: ethos memory consolidate --dry-run
    """
    asked = {"project_id": project, "similarity_threshold": threshold, "max_clusters": max_clusters, "force": force, "dry_run": dry_run}
    with usual.connect() as connection:
        data = connection.ask("memory_consolidate", **asked, cwd=str(Path.cwd()))
    return usual.show(data, memories.consolidated(data))


@memory_app.command("list", short_help="list memories, latest first")
@command
def listed(
    project: Project = None,
    everywhere: Everywhere = False,
    archived: Annotated[bool, typer.Option("--archived", help="include archived memories")] = False,
    *,
    usual: Usual,
) -> int:
    """List the memories of the current folder's project, latest first, each with its record of outcomes.

    Example: ethos memory list --project api
    """
    _one_project(project, everywhere=everywhere, verb="list")
    with usual.connect() as connection:
        data = connection.ask("memory_list", project=project, cwd=None if everywhere else str(Path.cwd()), archived=archived)
    return usual.show(data, memories.listed(data, here=not everywhere), wanted=True)


def _one_project(project: str | None, *, everywhere: bool, verb: str) -> None:
    """Raise Refused where one project and all of them are asked for."""
    if everywhere and project is not None:
        raise refuse("usage", "--everywhere and --project are given", hint=f"ethos memory {verb} --everywhere")


@memory_app.command("show", short_help="show everything about a memory")
@command
def show(memory: Id, *, usual: Usual) -> int:
    """Show a memory with its record of outcomes and its sources.

    Example: ethos memory show m-7m2k
    """
    with usual.connect() as connection:
        data = connection.ask("memory_show", memory=memory)
    return usual.show(data, memories.shown(data), wanted=True)


@memory_app.command("archive", short_help="archive a memory")
@command
def archive(memory: Id, *, usual: Usual) -> int:
    """Archive a memory. `ethos undo RUN` restores it.

    Example: ethos memory archive m-7m2k
    """
    with usual.connect() as connection:
        data = connection.ask("memory_archive", memory=memory)
    return usual.show(data, memories.archived(data))


@memory_app.command("accept", short_help="accept a memory from quarantine")
@command
def accept(memory: Id, *, usual: Usual) -> int:
    """Accept a memory that was distilled from your agent's words. Only a person can do this.

    Example: ethos memory accept m-7m2k
    """
    with usual.connect() as connection:
        data = connection.ask("memory_accept", memory=memory, yes=True)
    return usual.show(data, memories.accepted(data))
