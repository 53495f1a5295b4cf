"""The questions about claims, as the review file and `ethos inbox` show them."""

from __future__ import annotations

from collections.abc import Iterable

from ethos.core.model.records import Evidence, Question
from ethos.core.ports.review_file import Entry
from ethos.core.ports.store import Work


def claim_entries(work: Work, user: str, asked: Iterable[Question]) -> tuple[Entry, ...]:
    """Return these questions of a user, each with its facts and the turn that the new one was said in."""
    questions = [q for q in asked if q.user == user]
    facts = work.current({side for question in questions for side in (question.existing, question.new)})
    evidence: dict[str, Evidence] = {}
    for piece in work.evidence(facts.keys()):
        evidence.setdefault(piece.fact, piece)
    episodes = work.episodes([piece.episode for piece in evidence.values()])
    entries = []
    for question in questions:
        existing, new = facts.get(question.existing), facts[question.new]
        source = evidence.get(new.id)
        episode = episodes.get(source.episode) if source else None
        entries.append(
            Entry(
                question,
                existing,
                new,
                existing.valid_from if existing else None,
                new.valid_from,
                episode.id if episode else "",
                episode.text if episode else "",
            )
        )
    return tuple(entries)
