"""Take every word about what is forgotten out of questions and runs that stay."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ethos.core.history.erasure import ErasureRequest
from ethos.core.model.records import Question, Run

_FORGOTTEN = "(forgotten)"


def redacted_question(question: Question, gone: Collection[str], wanted: ErasureRequest) -> Question:
    """Return the question without a word about what is gone."""
    by = question.by
    if by is not None and any(fact in by for fact in gone):
        by = "superseded by something forgotten"
    existing = "" if question.existing in gone else question.existing  # what a claim in quarantine went against
    return replace(question, by=by, existing=existing, note="" if wanted.speaks_of(question.note) else question.note)


def redacted_run(run: Run, ids: Collection[str], wanted: ErasureRequest) -> Run:
    """Return the run without a word about what is gone; most hold none."""
    reason = _FORGOTTEN if run.reason in ids or wanted.speaks_of(run.reason) else run.reason
    session = _FORGOTTEN if run.session is not None and run.session == wanted.session else run.session
    problem = _FORGOTTEN if wanted.speaks_of(run.problem) else run.problem
    return replace(run, reason=reason, session=session, problem=problem)
