"""The reasoning bank: `ethos memory search, record, feedback, outcome, consolidate, list, show, archive`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from ethos.core.model.errors import refuse
from ethos.core.model.memories import Scope
from ethos.edge.cli import fast_path
from ethos.edge.cli.commands.options import Usual, command, one_of, person_is_there
from ethos.edge.render import memories

memory_app = typer.Typer(rich_markup_mode=None)

Project = Annotated[str | None, typer.Option("--project", metavar="NAME", help="the project, instead of that of the folder you are in")]
Session = Annotated[str | None, typer.Option("--session", metavar="S", help="the session it belongs to")]
Id = Annotated[str, typer.Argument(metavar="ID", help="of the memory; its first letters will do")]


@memory_app.command("search", short_help="what helped before")
@command
def search(
    query: Annotated[list[str], typer.Argument(metavar="WORDS", help="the task at hand")],
    scope: Annotated[Literal["project", "team", "org", "all"], typer.Option("--scope", help="only what holds for these")] = "all",
    outcome: Annotated[Literal["success", "failure", "all"], typer.Option("--outcome", help="only what worked, or what did not")] = "all",
    limit: Annotated[int | None, typer.Option("--limit", metavar="K", help="how many at most, up to 20")] = None,
    min_confidence: Annotated[float | None, typer.Option("--min-confidence", metavar="C", help="leave out what is believed less")] = None,
    project: Project = None,
    session: Session = None,
    *,
    usual: Usual,
) -> int:
    """Find what was learned while working that helps with this, best first.

    Example: ethos memory search "flaky date tests"
    """
    asked = {"scope": scope, "outcome": outcome, "limit": limit, "min_confidence": min_confidence, "project": project}
    with usual.connect() as connection:
        data = connection.ask("memory_search", query=" ".join(query), session=session or fast_path.session(), cwd=str(Path.cwd()), **asked)
    return usual.show(data, memories.found(data), wanted=True)


@memory_app.command("record", short_help="keep a way that worked, or one that did not")
@command
def record(
    title: Annotated[str, typer.Argument(metavar="TITLE", help="what was done, in at most 50 characters")],
    description: Annotated[str, typer.Option("--description", metavar="TEXT", help="when it helps")],
    content: Annotated[str, typer.Option("--content", metavar="TEXT", help="how it is done, or why it fails")],
    outcome: Annotated[Literal["success", "failure", "other"], typer.Option("--outcome", help="how it went")],
    tags: Annotated[str, typer.Option("--tags", metavar="A,B", help="words to file it under")] = "",
    scope: Annotated[Scope, typer.Option("--scope", help="for whom it holds")] = Scope.PROJECT,
    by_user: Annotated[
        bool | None,
        typer.Option("--by-user/--by-agent", help="whose words they are; unless given, yours at a terminal and your agent's elsewhere"),
    ] = None,
    project: Project = None,
    session: Session = None,
    *,
    usual: Usual,
) -> int:
    """Keep what was learned. The same again changes nothing.

    Example: ethos memory record "Pin the clock" --description "flaky date tests" --content "Freeze time in the fixture" --outcome success
    """
    told: dict[str, object] = {"title": title, "description": description, "content": content, "outcome": outcome, "scope": scope.value}
    told |= {"tags": [tag.strip() for tag in tags.split(",") if tag.strip()], "project": project}
    told["by_user"] = person_is_there() if by_user is None else by_user
    with usual.connect() as connection:
        data = connection.ask("memory_record", **told, session=session or "", cwd=str(Path.cwd()))
    return usual.show(data, memories.recorded(data))


@memory_app.command("feedback", short_help="say whether a memory helped")
@command
def feedback(
    memory: Id,
    helpful: Annotated[bool, typer.Option("--helpful", help="it helped")] = False,
    not_helpful: Annotated[bool, typer.Option("--not-helpful", help="it did not")] = False,
    comment: Annotated[str, typer.Option("--comment", metavar="TEXT", help="your reason, kept with it")] = "",
    *,
    usual: Usual,
) -> int:
    """Say whether a memory helped. It is believed more, or less; and the project learns which signs to trust.

    Example: ethos memory feedback m-7m2k --helpful
    """
    one_of({"--helpful": helpful, "--not-helpful": not_helpful})
    with usual.connect() as connection:
        data = connection.ask("memory_feedback", memory_id=memory, helpful=helpful, comment=comment)
    return usual.show(data, memories.believed(data))


@memory_app.command("outcome", short_help="say how it went when it was followed")
@command
def outcome(
    memory: Id,
    succeeded: Annotated[bool, typer.Option("--succeeded", help="it worked")] = False,
    failed: Annotated[bool, typer.Option("--failed", help="it did not")] = False,
    session: Session = None,
    *,
    usual: Usual,
) -> int:
    """Say how it went when a memory was followed.

    Example: ethos memory outcome m-7m2k --failed
    """
    one_of({"--succeeded": succeeded, "--failed": failed})
    with usual.connect() as connection:
        data = connection.ask("memory_outcome", memory_id=memory, succeeded=succeeded, session_id=session or "")
    return usual.show(data, memories.believed(data))


@memory_app.command("consolidate", short_help="make one of those that say the same")
@command
def consolidate(
    project: Project = None,
    threshold: Annotated[float | None, typer.Option("--similarity", metavar="T", help="how alike they must be, 0 to 1")] = None,
    max_clusters: Annotated[int, typer.Option("--max-clusters", metavar="N", help="how many at most; 0 is no limit")] = 0,
    force: Annotated[bool, typer.Option("--force", help="also if it was done lately")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="say what would be done, and do nothing")] = False,
    *,
    usual: Usual,
) -> int:
    """Make one memory of those that say the same. Nothing is lost: sources are archived, and `ethos undo RUN` takes it back.

    Example: ethos memory consolidate --dry-run
    """
    asked = {"project_id": project, "similarity_threshold": threshold, "max_clusters": max_clusters, "force": force, "dry_run": dry_run}
    with usual.connect() as connection:
        data = connection.ask("memory_consolidate", **asked, cwd=str(Path.cwd()))
    return usual.show(data, memories.consolidated(data))


@memory_app.command("list", short_help="the memories, the latest first")
@command
def listed(
    project: Project = None,
    everywhere: Annotated[bool, typer.Option("--everywhere", help="those of all projects")] = False,
    archived: Annotated[bool, typer.Option("--archived", help="archived ones too")] = False,
    *,
    usual: Usual,
) -> int:
    """Show the memories of the project of this folder, the latest first, each with how it proved itself.

    Example: ethos memory list --project api
    """
    if everywhere and project:
        raise refuse("usage", "--everywhere and --project are given", hint="ethos memory list --everywhere")
    with usual.connect() as connection:
        data = connection.ask("memory_list", project=project, cwd=None if everywhere else str(Path.cwd()), archived=archived)
    return usual.show(data, memories.listed(data, here=not everywhere), wanted=True)


@memory_app.command("show", short_help="everything about a memory")
@command
def show(memory: Id, *, usual: Usual) -> int:
    """Everything about a memory: what it says, how it proved itself, what it was made of.

    Example: ethos memory show m-7m2k
    """
    with usual.connect() as connection:
        data = connection.ask("memory_show", memory=memory)
    return usual.show(data, memories.shown(data), wanted=True)


@memory_app.command("archive", short_help="put a memory out of use")
@command
def archive(memory: Id, *, usual: Usual) -> int:
    """Put a memory out of use. It is kept, and `ethos undo RUN` brings it back.

    Example: ethos memory archive m-7m2k
    """
    with usual.connect() as connection:
        data = connection.ask("memory_archive", memory=memory)
    return usual.show(data, memories.archived(data))


@memory_app.command("accept", short_help="let a memory out of quarantine")
@command
def accept(memory: Id, *, usual: Usual) -> int:
    """Let a memory be used that was distilled from what your agent said. Nobody but you does this.

    Example: ethos memory accept m-7m2k
    """
    with usual.connect() as connection:
        data = connection.ask("memory_accept", memory=memory, yes=True)
    return usual.show(data, memories.accepted(data))
