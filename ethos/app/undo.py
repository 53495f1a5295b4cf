"""Undoing a run, whatever came after it."""

from __future__ import annotations

from ethos import engine
from ethos.app import explain
from ethos.app.dependencies import Dependencies
from ethos.core.history.diff import Diff
from ethos.core.model import ids
from ethos.stages.person.undo import undo as undoing


def undo(deps: Dependencies, run: str) -> Diff:
    """Take back what a run did; return what that changed. The caller holds the run lease. Raises Refused where it may not be undone."""
    now = deps.clock.now()
    with deps.store.begin() as work:
        undone = explain.one_run(work, run)
        explain.may_be_undone(work, undone)
    ctx = deps.context(ids.run_id("undo", now.isoformat(), undone.id), now)
    engine.run_unit(deps.store, (undoing(undone),), ctx)
    with deps.store.begin() as work:
        return explain.diff(work, ctx.run)
