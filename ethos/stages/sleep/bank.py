"""Bank: put together the memories of a project that say the same (R-24 to R-30, R-36).

A cluster is a group of its own: where the store refuses one, the others still go in. Whether there is time for it is asked before each.
The sources are archived with the id of what they went into; nothing is lost. What a person took apart again, by undoing a run, is not
put together a second time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations

from ethos.core.learning.bank.clusters import Pair, clustered
from ethos.core.learning.bank.synthesis import synthesized
from ethos.core.learning.bank.vocabulary import vocabulary
from ethos.core.model.events import ClustersLeft, Event, MemoryArchived, MemoryCreated, MemoryKeptApart
from ethos.core.model.memories import Memory, MemoryState
from ethos.core.model.plan import ChangeSet, Plan
from ethos.core.model.records import Run
from ethos.core.passes.context import Context
from ethos.core.passes.stage import Stage
from ethos.core.ports.store import Work

RUN = "memory"  # the runs that may have been undone


@dataclass(frozen=True, slots=True)
class Needs:
    """The active memories of a project, and the pairs that an undo took apart."""

    memories: Sequence[Memory]
    apart: frozenset[Pair]


def consolidation(project: str, threshold: float, max_clusters: int, keep_going: Callable[[], bool]) -> Stage[Needs]:
    """Return the stage that consolidates a project.

    threshold: of likeness, strict; max_clusters: 0 is no limit; keep_going: whether there is time for one more cluster.
    """
    return Stage("bank", partial(gather, project), partial(decide, threshold, max_clusters, keep_going))


def gather(project: str, work: Work, ctx: Context) -> Needs:
    """Ask for the memories, and for what was undone."""
    held = [each for each in work.find(Memory, "project", [project]) if each.user == ctx.settings.ethos.user]
    return Needs([each for each in held if each.state is MemoryState.ACTIVE], _taken_apart(work))


def _taken_apart(work: Work) -> frozenset[Pair]:
    """Return the pairs that stood in one cluster of a run that is undone."""
    undone = [run for run in work.records(Run) if run.name == RUN and run.undone_by]
    made = [change.after for run in undone for change in work.changes(run.id).records if isinstance(change.after, Memory)]
    return frozenset(frozenset(pair) for memory in made if memory.consolidated for pair in combinations(memory.sources, 2))


def decide(threshold: float, max_clusters: int, keep_going: Callable[[], bool], needs: Needs, ctx: Context) -> Plan:
    """Cluster, put each cluster into one memory, and archive its sources."""
    found = clustered(needs.memories, threshold, vocabulary(), needs.apart)
    clusters = found.clusters[:max_clusters] if max_clusters else found.clusters
    groups = []
    for cluster in clusters:
        if not keep_going():
            break
        made = synthesized(cluster, vocabulary(), ctx.now, ctx.run, ctx.settings.bank.consensus_threshold)
        gone = [replace(each, state=MemoryState.ARCHIVED, consolidation_id=made.id, archived_at=ctx.now) for each in cluster.members]
        events: list[Event] = [MemoryCreated(made.id), *(MemoryArchived(each.id) for each in gone)]
        groups.append(ChangeSet(made.id, (made, *gone), (), tuple(events)))
    told: tuple[Event, ...] = tuple(MemoryKeptApart(each.one, each.other, each.likeness, str(each.why)) for each in found.kept_apart)
    if left := len(clusters) - len(groups):
        told = (*told, ClustersLeft(left))
    return Plan((*groups, ChangeSet("", (), (), told))) if told else Plan(tuple(groups))
