"""Misreading: what a person turned down, when it was the rule that misread it (`ethos rules promote`)."""

from __future__ import annotations

from dataclasses import dataclass

from ethos.app import explain
from ethos.app.dependencies import Dependencies
from ethos.core.model import ids
from ethos.core.model.errors import refuse
from ethos.core.model.records import Fact, Question, Role, Run
from ethos.core.model.rule_trust import turned_down

_PROMOTE = "promote"  # the run by which a person says so


@dataclass(frozen=True, slots=True)
class Rejected:
    """A claim that a person turned down: what a counter-example is made of."""

    question: str
    fact: Fact
    rule_version: int  # as it was when it read these words
    text: str  # of the episode; the words are text[start:end]
    start: int
    end: int
    role: Role
    promoted: bool  # a person said already that the rule misread


def rejected(deps: Dependencies, asked: str) -> Rejected:
    """Return the claim that was turned down in a question, and the words it was read in. Raises Refused."""
    with deps.store.begin() as work:
        question = explain.meant(work, asked, Question)
        found = next(iter(work.questions(ids=[question])), None)
        if found is None or found.user != deps.user:
            raise refuse("not-found", f"no question has the id {question}", hint="`ethos inbox --resolved` lists them")
        fact = work.current([turned_down(found)])[turned_down(found)]
        piece = next((each for each in work.evidence([fact.id]) if each.rule == fact.rule), None)
        episode = work.episodes([piece.episode]).get(piece.episode) if piece else None
        if piece is None or episode is None:
            raise refuse("not-found", f"the turn that {fact.id} was read from is no longer stored", hint=f"ethos why {fact.id}")
        promoted = any(run.reason == question and not run.undone_by for run in work.runs(name=_PROMOTE, limit=-1))
    return Rejected(question, fact, piece.rule_version, episode.text, piece.start, piece.end, episode.role, promoted)


def promote(deps: Dependencies, asked: str) -> Rejected:
    """Lower the trust in the rule that misread what was turned down. Said again it changes nothing. Raises Refused.

    Only a person knows whether it was misread, or was so and is so no longer: this is asked for where they said the former.
    """
    found = rejected(deps, asked)
    if not found.promoted:
        now = deps.clock.now()
        with deps.guard():
            deps.put(Run(ids.run_id(_PROMOTE, now.isoformat(), found.question), _PROMOTE, found.question, None, now, now, outcome="done"))
    return found
