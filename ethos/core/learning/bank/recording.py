"""Make the memories and signals that the bank keeps, with ids that come from their content."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from ethos.core.learning.bank.belief import initial_confidence
from ethos.core.learning.bank.wording import LONGEST_CONTENT, LONGEST_DESCRIPTION, LONGEST_TITLE, cut, sanitized, tags
from ethos.core.model.errors import refuse
from ethos.core.model.ids import digest
from ethos.core.model.memories import Learned, Maker, Memory, MemoryState, Outcome, ProjectTrust, Scope, Signal, SignalKind
from ethos.core.model.origin import Origin
from ethos.core.model.settings import BankSettings


def recorded(
    user: str,
    project: str,
    title: str,
    description: str,
    content: str,
    outcome: Outcome,
    origin: Origin,
    now: datetime,
    settings: BankSettings,
    *,
    session: str = "",
    scope: Scope = Scope.PROJECT,
    given_tags: tuple[str, ...] = (),
) -> Memory:
    """Return the memory that somebody records; the same again has the same id. Raises Refused where a text is missing."""
    words = [sanitized(text) for text in (title, description, content)]
    for name, text in zip(("title", "description", "content"), words, strict=True):
        if not text:
            raise refuse("usage", f"a memory needs a {name}", hint="say what was done, in a few words")
    confidence = initial_confidence(outcome, settings, recorded=True)
    return Memory(
        id=memory_id(user, project, *words, outcome),
        user=user,
        project=project,
        title=cut(" ".join(words[0].split()), LONGEST_TITLE),
        description=cut(words[1], LONGEST_DESCRIPTION),
        content=cut(words[2], LONGEST_CONTENT),
        outcome=outcome,
        scope=scope,
        origin=origin,
        maker=Maker.AGENT,
        initial_confidence=confidence,
        confidence=confidence,
        recorded_at=now,
        run="",
        session=session,
        tags=tags(given_tags),
    )


def remembered(
    learned: Learned, user: str, project: str, session: str, now: datetime, run: str, settings: BankSettings, maker: Maker = Maker.RULES
) -> Memory:
    """Return the memory of what was distilled: in quarantine, unless the user told it."""
    confidence = initial_confidence(learned.outcome, settings, recorded=False)
    return Memory(
        id=memory_id(user, project, learned.title, learned.description, learned.content, learned.outcome),
        user=user,
        project=project,
        title=learned.title,
        description=learned.description,
        content=learned.content,
        outcome=learned.outcome,
        scope=Scope.PROJECT,
        origin=learned.origin,
        maker=maker,
        initial_confidence=confidence,
        confidence=confidence,
        recorded_at=now,
        run=run,
        session=session,
        tags=learned.tags,
        state=MemoryState.ACTIVE if learned.origin >= Origin.USER else MemoryState.QUARANTINED,
        sources=learned.episodes,
    )


def memory_id(*said: str) -> str:
    """Return the id of a memory: user, project, its words and its outcome."""
    return "m-" + digest(*said)


def signal(memory: Memory, kind: SignalKind, now: datetime, *, positive: bool, session: str = "", comment: str = "") -> Signal:
    """Return a signal of a memory. The same of one session is one signal; without a session, each is one of its own."""
    occasion = session or now.isoformat()
    id_ = "s-" + digest(memory.id, kind, str(positive), occasion)
    return Signal(id_, memory.user, memory.project, memory.id, kind, positive, now, session, sanitized(comment))


def trust_id(user: str, project: str) -> str:
    """Return the id of what a project listens to."""
    return "w-" + digest(user, project)


def untaught(user: str, project: str) -> ProjectTrust:
    """Return what a project listens to before anybody said anything."""
    return ProjectTrust(trust_id(user, project), user, project)


def restored(memory: Memory) -> Memory:
    """Return a memory that was archived as it is when it is in use again."""
    return replace(memory, state=MemoryState.ACTIVE, consolidation_id=None, archived_at=None)
