"""Learn: select, extract and resolve one unit of episodes, in that order (E-06)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ethos.core.facts.changes import ReadTurn, read_turns
from ethos.core.facts.extraction import preceding
from ethos.core.model.events import Deferred
from ethos.core.model.plan import ChangeSet, Plan, scanned
from ethos.core.passes.context import Context
from ethos.core.passes.stage import Stage
from ethos.core.ports.store import Work
from ethos.stages.consolidate import resolve
from ethos.stages.consolidate.extract import Extraction, extract
from ethos.stages.consolidate.select import Selection, select


@dataclass(frozen=True, slots=True)
class Needs:
    """What was selected and read in the unit, and what the claims could collide with."""

    selection: Selection
    extraction: Extraction
    resolution: resolve.Needs


def gather(work: Work, ctx: Context) -> Needs:
    """Select and read the unit, then ask the store what is held about the claims."""
    selection = select(ctx.unit, ctx, preceding(work, ctx.unit))
    extraction = extract(selection.candidates, ctx)
    return Needs(selection, extraction, resolve.gather(extraction.proposals, work, ctx, _changing(extraction, ctx)))


def _changing(extraction: Extraction, ctx: Context) -> Mapping[str, ReadTurn]:
    """Return the turns of the unit that may say of what is held that it has changed."""
    if not ctx.rules.reads_clauses:
        return {}
    deferred = set(extraction.deferred)
    return read_turns(each for each in ctx.unit if each.id not in deferred)


def decide(needs: Needs, ctx: Context) -> Plan:
    """Mark the episodes without claims, leave the deferred ones, and resolve the claims of the others."""
    resolved = resolve.decide(needs.resolution, ctx)
    told = {group.cause for group in resolved.groups}
    silent = [each for each in (*needs.selection.silent, *needs.extraction.silent) if each not in told]
    groups = (
        *scanned(silent, ctx.now, ctx.rules.hash),
        *(ChangeSet(episode, (), (), (Deferred(episode),)) for episode in needs.extraction.deferred),
    )
    return Plan(groups) + resolved


LEARN = Stage("learn", gather, decide)
