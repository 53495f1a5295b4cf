"""Count the signals of memories, those that were rolled up and those that were not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from ethos.core.learning.bank.belief import Counts, summed, tallied
from ethos.core.model.memories import SignalCount, Tally
from ethos.core.ports.store import Work


def counts_of(work: Work, ids: Collection[str], recent: Iterable[SignalCount] | None = None) -> Mapping[str, Counts]:
    """Return all signals of these memories. recent: the counts of those that are not rolled up, where they were read already."""
    found: defaultdict[str, list[SignalCount]] = defaultdict(list)
    for each in work.signal_counts(ids) if recent is None else recent:
        found[each.memory].append(each)
    tallies = {tally.memory: tally for tally in work.find(Tally, "memory", ids)}
    return {id_: tallied(tallies.get(id_)) + summed(found[id_]) for id_ in ids}
