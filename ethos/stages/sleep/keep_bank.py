"""Keep the bank: count signals that left the window, believe anew, and put out of use what nobody believes (R-20, R-21, X-R12).

What was served often and never helped is told in the report of the night: a person decides whether it is retired.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import islice

from ethos.core.learning.bank.belief import Counts, believed, counted, rolled_up, tallied
from ethos.core.learning.bank.ranking import useless
from ethos.core.learning.bank.recording import trust_id, untaught
from ethos.core.learning.bank.weights import Weights, weights_of
from ethos.core.model.events import MemoryArchived
from ethos.core.model.memories import Memory, MemoryState, ProjectTrust, Signal, Tally
from ethos.core.model.plan import ChangeSet, Plan
from ethos.core.model.sections import Line, Section
from ethos.core.passes.context import Context
from ethos.core.passes.stage import Stage
from ethos.core.ports.store import Work

TITLE = "Reasoning bank"
TOLD = 10  # memories of each kind that the report names
BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Old:
    """Signals that left the window, by memory; and the tallies that they go into."""

    signals: Mapping[str, Sequence[Signal]]
    tallies: Mapping[str, Tally]


def gather_old(work: Work, ctx: Context) -> Old:
    """Ask for the signals that left the window."""
    signals: defaultdict[str, list[Signal]] = defaultdict(list)
    for each in work.between(Signal, "at", BEGINNING, ctx.now - timedelta(days=ctx.settings.bank.signal_days)):
        signals[each.memory].append(each)
    return Old(signals, {tally.memory: tally for tally in work.find(Tally, "memory", signals)})


def roll_up(needs: Old, ctx: Context) -> Plan:
    """Count them and delete them, memory by memory."""
    return Plan(
        tuple(
            ChangeSet(memory, (rolled_up(memory, needs.tallies.get(memory), old, ctx.now),), tuple(signal.id for signal in old))
            for memory, old in needs.signals.items()
        )
    )


@dataclass(frozen=True, slots=True)
class Believed:
    """The active memories with all their signals, and what each project listens to."""

    memories: Sequence[Memory]
    counts: Mapping[str, Counts]
    weights: Mapping[str, Weights]


def gather_believed(work: Work, ctx: Context) -> Believed:
    """Ask for everything that is active and was ever judged or used."""
    user = ctx.settings.ethos.user
    active = [each for each in work.records(Memory) if each.user == user and each.state is MemoryState.ACTIVE]
    ids = [memory.id for memory in active]
    signals: defaultdict[str, list[Signal]] = defaultdict(list)
    for each in work.find(Signal, "memory", ids):
        signals[each.memory].append(each)
    tallies = {tally.memory: tally for tally in work.find(Tally, "memory", ids)}
    counts = {id_: tallied(tallies.get(id_)) + counted(signals[id_]) for id_ in ids}
    projects = {memory.project for memory in active}
    taught = {trust.id: trust for trust in work.find(ProjectTrust, "id", [trust_id(user, project) for project in projects])}
    weights = {name: weights_of(taught.get(trust_id(user, name), untaught(user, name))) for name in projects}
    return Believed([memory for memory in active if counts[memory.id].total()], counts, weights)


def prune(needs: Believed, ctx: Context) -> Plan:
    """Believe each by its counts alone, and archive those believed too little, once they have enough signals."""
    settings = ctx.settings.bank
    groups = []
    gone = []
    for memory in needs.memories:
        counts = needs.counts[memory.id]
        confidence = believed(memory.initial_confidence, counts, needs.weights[memory.project]).mean
        after = replace(memory, confidence=confidence)
        if confidence < settings.prune_threshold and counts.total() >= settings.prune_signals:
            after = replace(after, state=MemoryState.ARCHIVED, archived_at=ctx.now)
            gone.append(after)
        if after != memory:
            events = (MemoryArchived(memory.id),) if after in gone else ()
            groups.append(ChangeSet(memory.id, (after,), (), events))
    idle = [each for each in needs.memories if each not in gone and useless(each.usage_count, needs.counts[each.id], settings.patience)]
    section = _section(gone, idle)
    return Plan((*groups, ChangeSet("", (), (), (section,)))) if section.lines else Plan(tuple(groups))


def _section(gone: Sequence[Memory], idle: Sequence[Memory]) -> Section:
    lines = [
        Line(f"{memory.title}: nobody believes it any more, so it is out of use", f"ethos memory show {memory.id}")
        for memory in islice(gone, TOLD)
    ]
    lines += [
        Line(f"{memory.title}: served {memory.usage_count} times and never helped; retire it?", f"ethos memory archive {memory.id}")
        for memory in islice(idle, TOLD)
    ]
    return Section(TITLE, tuple(lines), counts={"memories_archived": len(gone)} if gone else {})


ROLL_UP = Stage("roll up", gather_old, roll_up)
PRUNE = Stage("prune", gather_believed, prune)
