"""Asking a language model what was learned in the new sessions before a night, if the user named one and lets it read them (R-10, R-22).

It is asked outside of every transaction: a call takes seconds. Where it gives no answer after another try, the rules distil the session.
"""

from __future__ import annotations

from ethos.app.dependencies import Dependencies
from ethos.core.learning.bank.prompting import SYSTEM, parsed, prompt, sent
from ethos.core.model.errors import Refused
from ethos.core.model.memories import SessionReading
from ethos.core.model.records import Episode
from ethos.core.passes.context import Context
from ethos.core.ports.language_model import LanguageModel
from ethos.stages.sleep import distil

TRIES = 2  # of a session where the endpoint gives no answer


def session_readings(deps: Dependencies, model: LanguageModel | None, ctx: Context) -> tuple[SessionReading, ...]:
    """Return what the model found in the sessions that are due; nothing without a model, or where it may not read them."""
    if model is None or not ctx.settings.llm.read_sessions:
        return ()
    with deps.store.begin() as work:
        needs = distil.gather(work, ctx)
    due = ((session, sent(turns, lambda turn: turn.id in needs.echoes, ctx.readings)) for session, turns in distil.due(needs))
    return tuple(_asked(project, session, turns, model, ctx) for (project, session), turns in due if turns)


def _asked(project: str, session: str, turns: list[Episode], model: LanguageModel, ctx: Context) -> SessionReading:
    reading = SessionReading(project, session)
    for attempt in range(1, TRIES + 1):
        try:
            told = model.complete(SYSTEM, prompt(turns), ctx.settings.llm.max_tokens)
        except Refused as refused:
            reading = SessionReading(project, session, attempts=attempt, problem=refused.problem.what, answered=False)
            continue
        spent = (attempt, told.prompt_tokens, told.completion_tokens)
        try:
            found = parsed(told.text, turns, ctx.settings.bank.memories_per_session)
        except ValueError as error:
            return SessionReading(project, session, (), f"the model's answer cannot be read: {error}", *spent)
        return SessionReading(project, session, found, "", *spent)
    return reading
