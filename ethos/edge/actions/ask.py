"""Actions that ask: recall, facts, why, diff."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated

from ethos.core.ports import FactFilter
from ethos.core.records import Kind
from ethos.edge.actions.service import Service
from ethos.edge.shapes import Json, diff_data, plain, standings_data


@dataclass(frozen=True, slots=True)
class Recall:
    """Episodes and facts with these words, best first."""

    query: Annotated[str, "words"]
    limit: Annotated[int | None, "how many at most"] = None
    project: Annotated[str | None, "only this one's"] = None
    as_of: Annotated[datetime | None, "as it was held then"] = None
    session: Annotated[str | None, "where it is asked; a retrieval counts once a session"] = None
    faded: Annotated[bool, "faded ones too"] = False
    count: Annotated[bool, "false: this is not counted as a retrieval"] = True


@dataclass(frozen=True, slots=True)
class Facts:
    """What is held."""

    subject: str | None = None
    kind: Kind | None = None
    project: str | None = None
    as_of: Annotated[datetime | None, "as it was held then"] = None
    history: Annotated[bool, "former, superseded and retired ones too"] = False


@dataclass(frozen=True, slots=True)
class Why:
    """What led to a fact, or came of an episode or a question."""

    of: Annotated[str, "an id"]


@dataclass(frozen=True, slots=True)
class Diff:
    """What a run changed."""

    run: Annotated[str | None, "its id, or the beginning of it; without one the last that changed something"] = None


def recall(service: Service, asked: Recall) -> Json:
    """The hits, best first."""
    hits = service.ethos.recall(
        asked.query,
        limit=asked.limit,
        project=asked.project,
        as_of=asked.as_of,
        faded=asked.faded,
        session=(asked.session or "") if asked.count else None,
    )
    return {"hits": [plain(hit._asdict()) for hit in hits], **({} if hits else elsewhere(service))}


def facts(service: Service, asked: Facts) -> Json:
    """What is held, or was."""
    user = service.ethos.settings.ethos.user
    wanted = FactFilter(user, asked.project, asked.subject, asked.kind, asked.as_of, asked.history)
    found = service.ethos.facts(wanted)
    if (then := asked.as_of) is not None:  # when nobody knew of what came later
        found = tuple(replace(fact, closed_at=None) if fact.closed_at and fact.closed_at > then else fact for fact in found)
    return {"facts": [plain(fact) for fact in found], **({} if found else elsewhere(service))}


def elsewhere(service: Service) -> Json:
    """For an answer in which nothing was found: whose everything is, where nothing is held for the user of this memory."""
    found = service.ethos.elsewhere()
    return {"elsewhere": plain(found)} if found else {}


def why(service: Service, asked: Why) -> Json:
    """Everything that led there, and how far its rules are trusted. Raises Refused."""
    why = service.ethos.why(asked.of)
    spoken = {piece.rule for piece in why.evidence}
    told = {rule: standing for rule, standing in service.ethos.standings().items() if rule in spoken}
    return {**plain(why), "standings": standings_data(told)}


def diff(service: Service, asked: Diff) -> Json:
    """What the run changed. Raises Refused."""
    return diff_data(service.ethos.diff(asked.run))
