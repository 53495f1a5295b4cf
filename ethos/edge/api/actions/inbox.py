"""Actions that show the review inbox and apply its ticks: inbox, settle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Annotated

from ethos.core.ports.review_file import AnyEntry
from ethos.core.review.kinds import kind_of
from ethos.edge.api.actions.entrance import Entrance
from ethos.edge.api.actions.service import Service
from ethos.edge.api.results import Inbox as InboxQuestions
from ethos.edge.api.results import InboxQuestion
from ethos.edge.jsonio.shapes import Json


@dataclass(frozen=True, slots=True)
class Inbox:
    """List the open questions."""

    resolved: Annotated[bool, "include answered questions"] = False


@dataclass(frozen=True, slots=True)
class Settle:
    """Read the review file now and apply its ticks."""


def inbox(service: Service, asked: Inbox) -> InboxQuestions:
    """Return the questions, each with both claims, or with its memory."""
    about_claims, about_memories = service.ethos.inbox(resolved=asked.resolved), service.ethos.proposals(resolved=asked.resolved)
    questions = (*map(_question, about_claims), *map(_question, about_memories))
    return InboxQuestions(questions, None if questions else service.ethos.other_users())


def _question(entry: AnyEntry) -> InboxQuestion:
    """Return a question with its claims or its memory in the place of their ids."""
    question, kind = entry.question, kind_of(entry.question.id)
    shown = {each.name: getattr(question, each.name) for each in fields(question)}
    shown |= {each.name: getattr(entry, each.name) for each in fields(entry) if each.name != "question"}
    status = "open" if question.resolved_at is None else "resolved"
    return InboxQuestion(**shown | {"quote": entry.quote}, status=status, actions=tuple(kind.actions) if kind else ())


def settle(service: Service, asked: Settle) -> Json:  # noqa: ARG001 (the form of every action)
    """Apply the answers; return how many were applied."""
    return {"applied": service.runs.alone(service.ethos.settle)}


ACTIONS: Mapping[str, Entrance] = {
    "inbox": Entrance(Inbox, inbox, question=True, list_name="questions", gives=InboxQuestions),
    "settle": Entrance(Settle, settle),
}
