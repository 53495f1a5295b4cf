"""Forgetting: what is meant, erased in every store and file, and proven by a receipt. `erase.py` does the work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ethos.app import erase, explain
from ethos.app.dependencies import Dependencies
from ethos.app.receipt import Forgotten
from ethos.core.history.erasure import ErasureRequest
from ethos.core.model import ids
from ethos.core.model.errors import refuse
from ethos.core.model.record_types import by_descriptor
from ethos.core.model.records import Episode, Fact


def forget(deps: Dependencies, wanted: ErasureRequest, project: Callable[[], None], *, dry_run: bool) -> Forgotten:
    """Erase, then look for it in every file that is known. Raises Refused. project: writes the review file, before it is searched."""
    if not wanted:
        raise refuse("usage", "nothing was named", hint="name an id, a session, a source, or words to match")
    if wanted.misread and not wanted.ids:
        raise refuse("usage", "no fact is named that a rule misread", hint="ethos forget f-... --misread; `ethos facts` lists them")
    kinds = (Episode, Fact, *(kind.record for kind in by_descriptor() if kind.forgotten_by))
    with deps.store.begin() as work:
        wanted = replace(wanted, ids=tuple(explain.meant(work, asked, *kinds) for asked in wanted.ids))
    return _rehearsed(deps, wanted) if dry_run else erased(deps, wanted, project)


def _rehearsed(deps: Dependencies, wanted: ErasureRequest) -> Forgotten:
    now = deps.clock.now()
    ctx = deps.context(ids.run_id("forget", now.isoformat(), ""), now)
    would = erase.held_only(erase.rehearse(deps.store, wanted, ctx), wanted)
    return Forgotten(ctx.run, now, dry_run=True, counts=would.counts, shown=would.shown)


def erased(deps: Dependencies, wanted: ErasureRequest, project: Callable[[], None]) -> Forgotten:
    """Erase what is named by its full ids, and return the receipt. Raises Refused."""
    now = deps.clock.now()
    ctx = deps.context(ids.run_id("forget", now.isoformat(), ""), now)
    with deps.guard():
        deps.mend()
        done = erase.erase_everywhere(deps.store, deps.traces, wanted, ctx, deps.seal)
    erase.held_only(done.erased, wanted)
    project()
    return erase.prove(deps.store, deps.traces, done, ctx, deps.seal)


def forgotten_since(deps: Dependencies, aside: str) -> ErasureRequest:
    """Bury here what the replaced store had buried, and name what of it came back. aside: where that store is kept; "": there was none."""
    if aside:
        with deps.traces.open(aside) as before, before.begin() as work:
            known = work.buried()
        with deps.store.begin(write=True) as work:
            work.bury(known, deps.clock.now())
    with deps.store.begin() as work:
        return ErasureRequest(tuple(erase.buried_in(work, deps.seal)))
