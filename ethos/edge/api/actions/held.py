"""Actions that list records as they are held: facts, projects, why, diff. They need little of the program, and so answer at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated

from ethos.app.status import Elsewhere
from ethos.core.facts.statement import EVERYWHERE
from ethos.core.history.diff import Diff as RunDiff
from ethos.core.model.records import Fact, Kind
from ethos.core.ports.queries import FactFilter, Hit
from ethos.edge.api.actions.entrance import Entrance
from ethos.edge.api.actions.service import Service
from ethos.edge.api.results import Explanation, FactList, extended
from ethos.edge.capture.transcripts.projects import project_of
from ethos.edge.jsonio.shapes import Json, plain


@dataclass(frozen=True, slots=True)
class Facts:
    """List facts."""

    subject: str | None = None
    kind: Kind | None = None
    project: Annotated[str | None, "only this project, and facts that hold everywhere"] = None
    cwd: Annotated[str | None, "the caller's folder, absolute; facts of its project come first"] = None
    as_of: Annotated[datetime | None, "as known at that time"] = None
    history: Annotated[bool, "include former, superseded and retired facts"] = False


@dataclass(frozen=True, slots=True)
class Projects:
    """List the projects with their numbers of facts; the one without a name holds everywhere."""


@dataclass(frozen=True, slots=True)
class Why:
    """Explain a fact, an episode, a question or a memory."""

    of: Annotated[str, "the id of a record"]


@dataclass(frozen=True, slots=True)
class Diff:
    """Show what a run changed."""

    run: Annotated[str | None, "the id of a run, or its beginning (default: the last run with changes)"] = None


def context_of(cwd: str | None) -> str:
    """Return the project of the folder that is asked in; "" where none is named."""
    return project_of(cwd) if cwd else ""


def unknown_project(service: Service, asked: str | None, shown: Iterable[Fact | Hit]) -> str:
    """Return the project that is asked for, if nothing was ever said in it; else "". shown: what was found."""
    if not asked or any(each.project == asked for each in shown):
        return ""
    return "" if any(each.project == asked for each in service.ethos.projects()) else asked


def facts(service: Service, asked: Facts) -> FactList:
    """Return the facts that are held, or were."""
    user = service.ethos.settings.ethos.user
    wanted = FactFilter(user, asked.project, asked.subject, asked.kind, asked.as_of, asked.history)
    found = service.ethos.facts(wanted)
    if (then := asked.as_of) is not None:  # when nobody knew of what came later
        found = tuple(replace(fact, closed_at=None) if fact.closed_at and fact.closed_at > then else fact for fact in found)
    if context := context_of(asked.cwd):
        found = tuple(sorted(found, key=lambda fact: fact.project not in {context, EVERYWHERE}))
    return FactList(found, None if found else service.ethos.other_users(), unknown_project(service, asked.project, found))


def projects(service: Service, asked: Projects) -> Json:  # noqa: ARG001 (the form of every action)
    """Return the projects, the last used first."""
    found = service.ethos.projects()
    return {"projects": [plain(each._asdict()) for each in found], **({} if found else other_users_data(service.ethos.other_users()))}


def other_users_data(found: Elsewhere | None) -> Json:
    """Return what to say where nothing is held for this user, as JSON."""
    return {"elsewhere": plain(found)} if found else {}


def why(service: Service, asked: Why) -> Explanation:
    """Return everything that led there, and how far its rules are trusted. Raises Refused."""
    found = service.ethos.why(asked.of)
    rules = {piece.rule for piece in found.evidence}
    answers = {rule: trust for rule, trust in service.ethos.rule_trust().items() if rule in rules}
    return extended(Explanation, found, standings=answers)


def diff(service: Service, asked: Diff) -> RunDiff:
    """Return what the run changed. Raises Refused."""
    return service.ethos.diff(asked.run)


ACTIONS: Mapping[str, Entrance] = {
    "facts": Entrance(Facts, facts, question=True, list_name="facts", gives=FactList),
    "projects": Entrance(Projects, projects, question=True, list_name="projects"),
    "why": Entrance(Why, why, question=True, gives=Explanation),
    "diff": Entrance(Diff, diff, question=True, list_name="differences", gives=RunDiff),
}
