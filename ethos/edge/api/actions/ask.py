"""Actions that ask and compute: recall, sessions, narrative, profile, lessons, report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated

from ethos.app.narrative import Narrative as ToldChains
from ethos.app.profile import ShownProfile
from ethos.core.facts.statement import NO_PROJECT
from ethos.core.model.errors import refuse
from ethos.core.model.records import Episode, Fact
from ethos.core.model.sections import Report as NightReport
from ethos.core.ports.queries import Hit, Narrowing, Search
from ethos.edge.api.actions.entrance import Entrance
from ethos.edge.api.actions.held import context_of, other_users_data, unknown_project
from ethos.edge.api.actions.recalled import LONGEST, Detail, sessions_within, told, within
from ethos.edge.api.actions.service import Service
from ethos.edge.api.arguments import day_of
from ethos.edge.api.results import Recalled, RecalledSessions
from ethos.edge.capture.transcripts.projects import project_of, repository_of
from ethos.edge.jsonio.shapes import Json, plain

SESSIONS = 5  # that are listed unless more are asked for


@dataclass(frozen=True, slots=True)
class Recall:
    """Find episodes and facts by words, best first."""

    query: Annotated[str, "the words to find"]
    limit: Annotated[int | None, "the largest number of results"] = None
    project: Annotated[str | None, "only this project, and facts that hold everywhere"] = None
    cwd: Annotated[str | None, "the caller's folder, absolute; facts of its project come first"] = None
    facts: Annotated[bool, "only facts"] = False
    full: Annotated[bool, "the same as detail: full"] = False
    max_tokens: Annotated[int | None, "the largest size of the hits as JSON; a token counts as 4 characters"] = None
    as_of: Annotated[datetime | None, "as known at that time"] = None
    session: Annotated[str | None, "the session that asks; a retrieval counts once a session"] = None
    faded: Annotated[bool, "include faded records"] = False
    count: Annotated[bool, "false: do not count this as a retrieval"] = True
    said_in: Annotated[str | None, "only turns of this session"] = None
    speaker: Annotated[str | None, "only turns of this speaker or role"] = None
    kind: Annotated[str | None, "only this kind"] = None
    after: Annotated[datetime | None, "only turns after this time; a date means after the end of that day"] = None
    before: Annotated[datetime | None, "only turns before this time; a date means before the end of that day"] = None
    detail: Annotated[Detail, "the length of each text: none, up to 600 characters, or up to 100,000"] = Detail.SHORT
    explain: Annotated[bool, "include the parts of each score"] = False


@dataclass(frozen=True, slots=True)
class Sessions:
    """Find the sessions that speak of something, best first, each with its best hits."""

    query: Annotated[str, "the words to find"]
    limit: Annotated[int | None, "the largest number of sessions (5)"] = None
    project: Annotated[str | None, "only this project, and facts that hold everywhere"] = None
    facts: Annotated[bool, "only facts"] = False
    max_tokens: Annotated[int | None, "the largest size of the hits as JSON; a token counts as 4 characters"] = None
    as_of: Annotated[datetime | None, "as known at that time"] = None
    session: Annotated[str | None, "the session that asks; a retrieval counts once a session"] = None
    faded: Annotated[bool, "include faded records"] = False
    count: Annotated[bool, "false: do not count this as a retrieval"] = True
    speaker: Annotated[str | None, "only turns of this speaker or role"] = None
    kind: Annotated[str | None, "only this kind"] = None
    after: Annotated[datetime | None, "only turns after this time; a date means after the end of that day"] = None
    before: Annotated[datetime | None, "only turns before this time; a date means before the end of that day"] = None
    detail: Annotated[Detail, "the length of each text: none, up to 600 characters, or up to 100,000"] = Detail.SHORT
    explain: Annotated[bool, "include the parts of each score"] = False


@dataclass(frozen=True, slots=True)
class Narrative:
    """Show the chains of an episode, step by step, and related turns."""

    of: Annotated[str, "the id of an episode, a fact or a chain"]
    limit: Annotated[int | None, "the largest number of related turns"] = None
    project: Annotated[str | None, "only turns of this project"] = None


@dataclass(frozen=True, slots=True)
class Lessons:
    """List lessons from many episodes, with their counts and what would refute them."""

    of: Annotated[str | None, "the id of a lesson, or its beginning; includes its episodes"] = None
    retired: Annotated[bool, "include retired lessons"] = False


@dataclass(frozen=True, slots=True)
class Profile:
    """Show what is known about the user by section, most trusted and most used first."""

    about: Annotated[str | None, "only facts about this subject"] = None
    project: Annotated[str | None, "only this project, and facts that hold everywhere"] = None
    cwd: Annotated[str | None, "a folder, absolute, whose project is meant; outside of a project: all"] = None
    max_bytes: Annotated[int | None, "the largest size of the Markdown, in bytes"] = None


@dataclass(frozen=True, slots=True)
class Report:
    """Show what a night did, or would have done."""

    run: Annotated[str | None, "the id of a night, or its beginning (default: the last night)"] = None
    date: Annotated[str | None, "or the day it is about, as 2026-03-01"] = None


def recall(service: Service, asked: Recall) -> Json:
    """Return the hits, best first: JSON, because `detail` and `explain` say which fields each has."""
    detail = Detail.FULL if asked.full else asked.detail
    hits = service.ethos.recall(
        asked.query,
        limit=asked.limit,
        project=asked.project,
        as_of=asked.as_of,
        faded=asked.faded,
        session=(asked.session or "") if asked.count else None,
        context=context_of(asked.cwd),
        facts_only=asked.facts,
        longest=LONGEST[detail],
        only=Narrowing(asked.said_in, asked.speaker, asked.kind, asked.after, asked.before),
        far_below=not asked.count,
    )
    shown = told(hits, detail, explain=asked.explain)
    if asked.max_tokens is not None:
        shown = within(shown, asked.max_tokens)
    return {"hits": shown, **_nothing_else(service, asked.project, hits)}


def sessions(service: Service, asked: Sessions) -> Json:
    """Return the sessions, best first, as JSON: their hits have the form of those of a recall."""
    wanted = Search(
        user="",
        words=(),
        project=asked.project,
        limit=SESSIONS if asked.limit is None else asked.limit,
        as_of=asked.as_of,
        faded=asked.faded,
        types=(Fact,) if asked.facts else (Episode, Fact),
        longest=LONGEST[asked.detail],
        only=Narrowing(None, asked.speaker, asked.kind, asked.after, asked.before),
    )
    found = service.ethos.sessions(asked.query, wanted, (asked.session or "") if asked.count else None)
    shown = [{**plain(each._asdict()), "hits": told(each.hits, asked.detail, explain=asked.explain)} for each in found]
    if asked.max_tokens is not None:
        shown = sessions_within(shown, asked.max_tokens)
    return {"sessions": shown, **_nothing_else(service, asked.project, [hit for each in found for hit in each.hits])}


def _nothing_else(service: Service, project: str | None, found: Sequence[Hit]) -> Json:
    """Return why there may be no more, as JSON: it is all another user's, or nothing was ever said in the project."""
    unknown = unknown_project(service, project, found)
    return {**({} if found else other_users_data(service.ethos.other_users())), **({"unknown_project": unknown} if unknown else {})}


def narrative(service: Service, asked: Narrative) -> Json:
    """Return what is told, as JSON, because its hits are told as those of a recall. Raises Refused."""
    most = service.ethos.settings.recall.max_limit
    if asked.limit is not None and not 1 <= asked.limit <= most:
        raise refuse("usage", f"limit is {asked.limit}", hint=f"a limit lies between 1 and {most}")
    found = service.ethos.narrative(asked.of, limit=asked.limit, project=asked.project)
    return {"id": found.id, "chains": plain(found.chains), "around": told(found.around, Detail.SHORT, explain=False)}


def lessons(service: Service, asked: Lessons) -> Json:
    """Return the lessons, the newest evidence first. Raises Refused for an id that none has."""
    return {"lessons": plain(service.ethos.lessons(asked.of, retired=asked.retired))}


def profile(service: Service, asked: Profile) -> ShownProfile:
    """Return the profile as of now."""
    project = asked.project
    if project is None and asked.cwd:
        project = repository_of(asked.cwd) or _known_project(service, project_of(asked.cwd))
    shown = service.ethos.profile(about=asked.about, project=project, max_bytes=asked.max_bytes)
    return replace(shown, unknown_project=unknown_project(service, asked.project, ()))


def _known_project(service: Service, name: str) -> str | None:
    """Return the name if something was said in a project of this name; "default" names none."""
    return name if name != NO_PROJECT and any(each.project == name for each in service.ethos.projects()) else None


def report(service: Service, asked: Report) -> NightReport:
    """Return the report. Raises Refused."""
    if asked.run and asked.date:
        raise refuse("usage", "a run and a date are given", hint="a report is of one night: name its run or its date")
    return service.ethos.report(asked.run, day_of(asked.date))


ACTIONS: Mapping[str, Entrance] = {
    "recall": Entrance(Recall, recall, question=True, list_name="hits", gives=Recalled),
    "sessions": Entrance(Sessions, sessions, question=True, list_name="sessions", gives=RecalledSessions),
    "narrative": Entrance(Narrative, narrative, question=True, list_name="around", gives=ToldChains),
    "lessons": Entrance(Lessons, lessons, question=True, list_name="lessons"),
    "profile": Entrance(Profile, profile, question=True, gives=ShownProfile),
    "report": Entrance(Report, report, question=True, gives=NightReport),
}
