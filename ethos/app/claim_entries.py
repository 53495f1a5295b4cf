"""The questions about claims, as the review file and `ethos inbox` show them."""

from __future__ import annotations

from collections.abc import Iterable

from ethos.core.model.records import Evidence, Question
from ethos.core.ports.review_file import Entry
from ethos.core.ports.store import Work
from ethos.core.review.first import folded, likely


def claim_entries(work: Work, user: str, asked: Iterable[Question], *, new_a_day: int = 0) -> tuple[Entry, ...]:
    """Return these questions of a user, each with its facts and the turn that the new one was said in.

    new_a_day: of the open ones of a day, how many are shown first; 0: all.
    """
    questions = [q for q in asked if q.user == user]
    facts = work.current({side for question in questions for side in (question.existing, question.new)})
    used = work.salience(facts.keys())
    evidence: dict[str, Evidence] = {}
    for piece in work.evidence(facts.keys()):
        evidence.setdefault(piece.fact, piece)
    episodes = work.episodes([piece.episode for piece in evidence.values()])
    entries = []
    for question in questions:
        existing, new = facts.get(question.existing), facts[question.new]
        source, guess = evidence.get(new.id), likely(existing, new)
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
                sum(used[side].retrievals for side in (question.existing, question.new) if side in used),
                likely=guess.action if guess else None,
                because=guess.because if guess else "",
            )
        )
    return folded(entries, new_a_day)
