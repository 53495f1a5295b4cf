"""Learn: select, extract and resolve one unit of episodes, in that order (E-06)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ethos.core.facts.changes import read_turns
from ethos.core.facts.extraction import Proposal, corrected_anew, preceding, read_claims
from ethos.core.model.events import Deferred
from ethos.core.model.plan import ChangeSet, Plan, scanned
from ethos.core.model.records import Utterance
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
    deferred = set(extraction.deferred)
    turns = [each for each in ctx.unit if each.role == "user" and each.id not in deferred]
    changing = read_turns(turns) if ctx.rules.reads_clauses else {}
    return Needs(selection, extraction, resolve.gather(extraction.proposals, work, ctx, changing, _corrected_anew(turns, work, ctx)))


def _corrected_anew(turns: Sequence[Utterance], work: Work, ctx: Context) -> list[tuple[Utterance, Proposal]]:
    """Return, with those of these turns that come in late, the corrections after them that were read already, as they are read now."""
    late = {each.id: each for each in turns if ctx.is_late(each)}
    found = corrected_anew(work, late.keys())
    before = preceding(work, found.values())
    return [(late[id_], Proposal(each, read_claims(each, ctx, before=before.get(each.id, "")))) for id_, each in found.items()]


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
