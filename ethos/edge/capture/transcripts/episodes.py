"""Convert a turn to an episode. The id comes from the turn's key; secrets are masked first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Protocol

from ethos.core.model.ids import given_id
from ethos.core.model.records import Episode, Role
from ethos.edge.capture.transcripts.identity import id_of
from ethos.edge.capture.transcripts.turn import Turn

Importance = Callable[[str, Role], float]


class Mask(Protocol):
    """Mask the secrets in a text."""

    def __call__(self, text: str) -> str:
        """Return the text with every secret masked."""
        ...

    def name(self, text: str) -> str:
        """Mask a name, such as a session's."""
        ...


def to_episode(turn: Turn, *, user: str, now: datetime, importance: Importance, mask: Mask | None) -> Episode:
    """Return the episode of a turn (docs/requirements.md, Settled). A given importance is kept; otherwise it is estimated (E-08).

    A given id is kept, unless it has the form of the ids of facts, questions and runs.

    mask: None if the person has switched masking off.
    """
    text, session, project, speaker, tags = turn.text, turn.session, turn.project, turn.speaker, turn.tags
    if mask:
        text, session, project, speaker = mask(text), mask.name(session), mask.name(project), mask.name(speaker)
        tags = tuple(map(mask.name, tags))
    return Episode(
        id=given_id(turn.id) if turn.id else id_of(user, turn.key),
        user=user,
        project=project,
        session=session,
        role=turn.role,
        speaker=speaker,
        origin=turn.origin,
        text=text,
        said_at=turn.said_at,
        captured_at=now,
        importance=importance(text, turn.role) if turn.importance is None else turn.importance,
        importance_given=turn.importance is not None,
        source=turn.source,
        time_source=turn.time_source,
        kind=turn.kind,
        tone=turn.tone,
        tags=tags,
    )


def held_to(now: datetime, turn: Turn) -> Turn:
    """Return the turn, said no later than captured: a wrong clock must not win over everything said afterwards. Its key stays."""
    return turn if turn.said_at <= now else replace(turn, said_at=now, time_source="received")
