"""Questions for tests, in one line each, and what a person does to the review file."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from ethos.core.model import ids
from ethos.core.model.records import Action, Question
from ethos.core.ports.review_file import Entry
from ethos.core.review.kinds import CONFLICT
from tests.support.telling import NOON, fact

ACTIONS = CONFLICT.actions


def entry(
    number: int = 1,
    *,
    subject: str = "Michael",
    predicate: str = "prefers",
    old: str = "Rust",
    new: str = "Python",
    quote: str = "Honestly, I prefer Python these days.",
    episode: str = "e-def456",
    answered: Action | None = None,
    note: str = "",
    hours: float = 0,
) -> Entry:
    """The `number`-th question, opened that many days after noon, and answered `hours` after it was opened if it was."""
    existing = fact(subject, predicate, old, 0.80)
    claimed = fact(subject, predicate, new, 0.75, days=number)
    opened = NOON + timedelta(days=number)
    question = Question(ids.question_id(existing.id, f"{new} {number}"), "default", "default", existing.id, claimed.id, opened, "r-test")
    if answered:
        question = replace(question, resolved_at=opened + timedelta(hours=1 + hours), action=answered, by="inbox", note=note)
    return Entry(question, existing, claimed, existing.valid_from, claimed.valid_from, episode, quote)


def box(action: str, of: Entry, mark: str = " ") -> str:
    """A box as it stands in the file."""
    return f"- [{mark}] {action} ^{of.question.id}"


def ticked(file: str, action: str, of: Entry) -> str:
    """The file after a person put an x in that box."""
    assert file.count(box(action, of)) == 1
    return file.replace(box(action, of), box(action, of, "x"))


def answered(of: Entry, action: Action, note: str = "", by: str = "inbox") -> Entry:
    """The same question, once the answer is applied."""
    done = replace(of.question, resolved_at=of.question.opened_at + timedelta(hours=1), action=action, by=by, note=note)
    return replace(of, question=done)
