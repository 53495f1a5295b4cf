"""Actions that ask: recall, facts, why, diff."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated

from ethos.app.recall import FAR_BELOW
from ethos.core.facts.weighing import EVERYWHERE
from ethos.core.model.records import Kind
from ethos.core.ports.store import FactFilter, Hit
from ethos.edge.api.actions.service import Service
from ethos.edge.capture.transcripts.projects import project_of
from ethos.edge.jsonio.quickjson import encode
from ethos.edge.jsonio.shapes import Json, diff_data, plain, standings_data

PART_OF_TEXT = 600  # characters of a hit's text, around the first word that is found, where nobody asks for all of it
FULL_TEXT = 100_000  # and where somebody does: ten such hits still fit into an answer
ALWAYS_TOLD = 5  # hits, the best ones, whatever their scores
TELLING = 3.0  # a best score from which on low scores mean something: BM25 grows with the logarithm of how rare a word is
TOKEN = 4  # characters that are taken as one token: English prose and JSON come to 3.5 to 4.5
LEAST_TEXT = 40  # a text that is cut off shorter says nothing
CUT = " ..."


@dataclass(frozen=True, slots=True)
class Recall:
    """Episodes and facts with these words, best first."""

    query: Annotated[str, "words"]
    limit: Annotated[int | None, "how many at most"] = None
    project: Annotated[str | None, "only this one's, and what holds everywhere"] = None
    cwd: Annotated[str | None, "the folder that it is asked in, absolute: what holds in its project comes first"] = None
    facts: Annotated[bool, "facts only"] = False
    full: Annotated[bool, "texts up to 100,000 characters, instead of 600"] = False
    max_tokens: Annotated[int | None, "of the hits as JSON, at most; 4 characters are taken as a token"] = None
    as_of: Annotated[datetime | None, "as it was held then"] = None
    session: Annotated[str | None, "where it is asked; a retrieval counts once a session"] = None
    faded: Annotated[bool, "faded ones too"] = False
    count: Annotated[bool, "false: this is not counted as a retrieval"] = True


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
        context=_context(asked.cwd),
        facts_only=asked.facts,
        longest=FULL_TEXT if asked.full else PART_OF_TEXT,
    )
    told = [plain(hit._asdict()) for hit in (worth_telling(hits) if asked.count else hits)]
    if asked.max_tokens is not None:
        told = within(told, asked.max_tokens)
    return {"hits": told, **({} if hits else elsewhere(service))}


def worth_telling(hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits without those far below the best: after the fifth, those with less than a fifth of the best score.

    In a small memory, where no score is high because no word is rare, nothing is left out.
    """
    best = max((hit.score for hit in hits), default=0.0)
    least = FAR_BELOW * best if best >= TELLING else 0.0
    return [hit for at, hit in enumerate(hits) if at < ALWAYS_TOLD or hit.score >= least]


def within(hits: Sequence[Json], tokens: int) -> list[Json]:
    """Return as many hits, best first, as an agent has tokens for; the text of the last one is cut to what is left, if that is worth it."""
    room = max(0, tokens) * TOKEN
    told: list[Json] = []
    for hit in hits:
        over = len(encode(hit)) - room
        if over > 0:
            left = len(hit["text"]) - over - len(CUT)
            while left >= LEAST_TEXT and len(encode({**hit, "text": hit["text"][:left] + CUT})) > room:  # a letter may be six in JSON
                left = left * 3 // 4
            return [*told, {**hit, "text": hit["text"][:left] + CUT}] if left >= LEAST_TEXT else told
        told.append(hit)
        room -= len(encode(hit))
    return told


def _context(cwd: str | None) -> str:
    """Return the project of the folder that is asked in; "" where none is named."""
    return project_of(cwd) if cwd else ""


def facts(service: Service, asked: Facts) -> Json:
    """What is held, or was."""
    user = service.ethos.settings.ethos.user
    wanted = FactFilter(user, asked.project, asked.subject, asked.kind, asked.as_of, asked.history)
    found = service.ethos.facts(wanted)
    if (then := asked.as_of) is not None:  # when nobody knew of what came later
        found = tuple(replace(fact, closed_at=None) if fact.closed_at and fact.closed_at > then else fact for fact in found)
    if context := _context(asked.cwd):
        found = tuple(sorted(found, key=lambda fact: fact.project not in {context, EVERYWHERE}))
    return {"facts": [plain(fact) for fact in found], **({} if found else elsewhere(service))}


def projects(service: Service, asked: Projects) -> Json:  # noqa: ARG001 (the form of every action)
    """The projects, the one that was spoken in last first."""
    found = service.ethos.projects()
    return {"projects": [plain(each._asdict()) for each in found], **({} if found else elsewhere(service))}


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
