"""Actions that ask: recall, facts, projects, profile, lessons, why, diff, report."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated

from ethos.app.profile import ShownProfile
from ethos.app.status import Elsewhere
from ethos.core.facts.weighing import EVERYWHERE
from ethos.core.history.diff import Diff as RunDiff
from ethos.core.model.errors import refuse
from ethos.core.model.records import Kind
from ethos.core.model.sections import Report as NightReport
from ethos.core.ports.queries import FactFilter, Narrowing
from ethos.edge.api.actions.recalled import LONGEST, Detail, told, within
from ethos.edge.api.actions.service import Service
from ethos.edge.api.arguments import day_of
from ethos.edge.api.results import Explanation, FactList, extended
from ethos.edge.capture.transcripts.projects import project_of
from ethos.edge.jsonio.shapes import Json, plain


@dataclass(frozen=True, slots=True)
class Recall:
    """Episodes and facts with these words, best first."""

    query: Annotated[str, "words"]
    limit: Annotated[int | None, "how many at most"] = None
    project: Annotated[str | None, "only this one's, and what holds everywhere"] = None
    cwd: Annotated[str | None, "the folder that it is asked in, absolute: what holds in its project comes first"] = None
    facts: Annotated[bool, "facts only"] = False
    full: Annotated[bool, "the same as detail: full"] = False
    max_tokens: Annotated[int | None, "of the hits as JSON, at most; 4 characters are taken as a token"] = None
    as_of: Annotated[datetime | None, "as it was held then"] = None
    session: Annotated[str | None, "where it is asked; a retrieval counts once a session"] = None
    faded: Annotated[bool, "faded ones too"] = False
    count: Annotated[bool, "false: this is not counted as a retrieval"] = True
    said_in: Annotated[str | None, "only what was said in this session"] = None
    speaker: Annotated[str | None, "only what this speaker said, or somebody in this role"] = None
    kind: Annotated[str | None, "only facts or episodes of this kind"] = None
    after: Annotated[datetime | None, "only what was said later; a day alone: after its end"] = None
    before: Annotated[datetime | None, "only what was said earlier; a day alone: before its end"] = None
    detail: Annotated[Detail, "of each text nothing, at most 600 characters, or at most 100,000"] = Detail.SHORT
    explain: Annotated[bool, "with what each part of the ranking gave"] = False


@dataclass(frozen=True, slots=True)
class Narrative:
    """The chains that a night found an episode in, step by step, and the turns that belong with it besides."""

    of: Annotated[str, "an episode, a fact or a chain: its id"]
    limit: Annotated[int | None, "how many turns besides, at most"] = None
    project: Annotated[str | None, "turns of this one only"] = None


@dataclass(frozen=True, slots=True)
class Facts:
    """What is held."""

    subject: str | None = None
    kind: Kind | None = None
    project: Annotated[str | None, "only this one's, and what holds everywhere"] = None
    cwd: Annotated[str | None, "the folder that it is asked in, absolute: what holds in its project comes first"] = None
    as_of: Annotated[datetime | None, "as it was held then"] = None
    history: Annotated[bool, "former, superseded and retired ones too"] = False


@dataclass(frozen=True, slots=True)
class Projects:
    """The projects, and how much is held in each; the one without a name is what holds everywhere."""


@dataclass(frozen=True, slots=True)
class Lessons:
    """What many episodes taught: claims with their shares, and what would refute them."""

    of: Annotated[str | None, "an id, or the beginning of one: that lesson, with the episodes it rests on"] = None
    retired: Annotated[bool, "those that were retired, too"] = False


@dataclass(frozen=True, slots=True)
class Profile:
    """What is known of the user, section by section, most trusted and most used first."""

    about: Annotated[str | None, "only what is held about this subject"] = None
    max_bytes: Annotated[int | None, "of the Markdown, at most"] = None


@dataclass(frozen=True, slots=True)
class Why:
    """What led to a fact, or came of an episode or a question."""

    of: Annotated[str, "an id"]


@dataclass(frozen=True, slots=True)
class Report:
    """What a night did, or would have done: what its stages say of it."""

    run: Annotated[str | None, "its id, or the beginning of it; without one the last night"] = None
    date: Annotated[str | None, "or the day it is about, as 2026-03-01"] = None


@dataclass(frozen=True, slots=True)
class Diff:
    """What a run changed."""

    run: Annotated[str | None, "its id, or the beginning of it; without one the last that changed something"] = None


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
        context=_context(asked.cwd),
        facts_only=asked.facts,
        longest=LONGEST[detail],
        only=Narrowing(asked.said_in, asked.speaker, asked.kind, asked.after, asked.before),
        far_below=not asked.count,
    )
    shown = told(hits, detail, explain=asked.explain)
    if asked.max_tokens is not None:
        shown = within(shown, asked.max_tokens)
    return {"hits": shown, **({} if hits else _elsewhere(service.ethos.elsewhere()))}


def _context(cwd: str | None) -> str:
    """Return the project of the folder that is asked in; "" where none is named."""
    return project_of(cwd) if cwd else ""


def narrative(service: Service, asked: Narrative) -> Json:
    """Return what is told, as JSON, because its hits are told as those of a recall. Raises Refused."""
    most = service.ethos.settings.recall.max_limit
    if asked.limit is not None and not 1 <= asked.limit <= most:
        raise refuse("usage", f"limit is {asked.limit}", hint=f"a limit lies between 1 and {most}")
    found = service.ethos.narrative(asked.of, limit=asked.limit, project=asked.project)
    return {"id": found.id, "chains": plain(found.chains), "around": told(found.around, Detail.SHORT, explain=False)}


def facts(service: Service, asked: Facts) -> FactList:
    """Return the facts that are held, or were."""
    user = service.ethos.settings.ethos.user
    wanted = FactFilter(user, asked.project, asked.subject, asked.kind, asked.as_of, asked.history)
    found = service.ethos.facts(wanted)
    if (then := asked.as_of) is not None:  # when nobody knew of what came later
        found = tuple(replace(fact, closed_at=None) if fact.closed_at and fact.closed_at > then else fact for fact in found)
    if context := _context(asked.cwd):
        found = tuple(sorted(found, key=lambda fact: fact.project not in {context, EVERYWHERE}))
    return FactList(found, None if found else service.ethos.elsewhere())


def projects(service: Service, asked: Projects) -> Json:  # noqa: ARG001 (the form of every action)
    """Return the projects, the last used first."""
    found = service.ethos.projects()
    return {"projects": [plain(each._asdict()) for each in found], **({} if found else _elsewhere(service.ethos.elsewhere()))}


def _elsewhere(found: Elsewhere | None) -> Json:
    return {"elsewhere": plain(found)} if found else {}


def lessons(service: Service, asked: Lessons) -> Json:
    """Return the lessons, the newest evidence first. Raises Refused for an id that none has."""
    return {"lessons": plain(service.ethos.lessons(asked.of, retired=asked.retired))}


def profile(service: Service, asked: Profile) -> ShownProfile:
    """Return the profile as of now."""
    return service.ethos.profile(about=asked.about, max_bytes=asked.max_bytes)


def why(service: Service, asked: Why) -> Explanation:
    """Return everything that led there, and how far its rules are trusted. Raises Refused."""
    found = service.ethos.why(asked.of)
    rules = {piece.rule for piece in found.evidence}
    standings = {rule: standing for rule, standing in service.ethos.standings().items() if rule in rules}
    return extended(Explanation, found, standings=standings)


def report(service: Service, asked: Report) -> NightReport:
    """Return the report. Raises Refused."""
    if asked.run and asked.date:
        raise refuse("usage", "a run and a date are given", hint="a report is of one night: name its run or its date")
    return service.ethos.report(asked.run, day_of(asked.date))


def diff(service: Service, asked: Diff) -> RunDiff:
    """Return what the run changed. Raises Refused."""
    return service.ethos.diff(asked.run)
