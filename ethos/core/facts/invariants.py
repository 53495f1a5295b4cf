"""Invariants: what goes into a unit comes out of it, or the unit is rolled back (docs/threats.md, promise 1).

Checked in the unit's own transaction, on the plan and on what the store says it wrote, so it costs in proportion to the unit and asks
nothing. The whole store is checked by `ethos doctor` (`Store.check`).
"""

from __future__ import annotations

from collections.abc import Sequence

from ethos.core.model.events import ClaimResolved, Deferred, Event, FactOutcome, Quarantined
from ethos.core.model.plan import Plan
from ethos.core.model.records import EpisodeState, Evidence, ScannedBatch, Utterance
from ethos.core.ports.store import Applied


class NotConserved(Exception):
    """Something would have been lost. A bug of ours, that is noticed before it does harm."""


def conserve(unit: Sequence[Utterance], plan: Plan, applied: Applied) -> None:
    """Raise NotConserved if an episode of the unit comes out in no state or in two, gave facts that nothing ties to it, where more
    or fewer facts were written than decided, or where a fact ends without a successor that is held.
    """
    wrong = [f"{fact} would be replaced by {successor}, which is not held" for fact, successor in applied.dangling]
    if unit:
        wrong += _unit(unit, plan, applied.facts_begun)
    if wrong:
        raise NotConserved("; ".join(wrong[:3]) + (f"; {len(wrong) - 3} more" if len(wrong) > 3 else ""))


def _made(event: Event) -> bool:
    """Return True if the event tells of a new fact."""
    return isinstance(event, Quarantined) or (isinstance(event, ClaimResolved) and event.outcome is not FactOutcome.UPDATED)


def _unit(unit: Sequence[Utterance], plan: Plan, begun: int) -> list[str]:
    """Return what is wrong with the outcome of the unit's episodes, and with the number of new facts. One walk: every cycle pays for it."""
    went_in = {utterance.id for utterance in unit}
    came_out: dict[str, bool] = {}  # episode -> whether it gave facts
    gave: set[str] = set()
    wrong: list[str] = []
    told = 0
    for _, puts, _, events in plan.groups:
        for put in puts:
            if isinstance(put, EpisodeState):
                if put.episode in came_out:
                    wrong.append(f"episode {put.episode} would come out twice")
                came_out[put.episode] = put.consolidated_at is not None
            elif isinstance(put, Evidence):
                gave.add(put.episode)
            elif isinstance(put, ScannedBatch):
                wrong += [f"episode {episode} would come out twice" for episode in came_out.keys() & put.episodes]
                came_out.update(dict.fromkeys(put.episodes, False))
        for event in events:
            if isinstance(event, Deferred):  # it waits for the next cycle as it did for this one
                came_out[event.episode] = False
            else:
                told += _made(event)
    if came_out.keys() != went_in:
        wrong += [f"episode {episode} would be left in no state" for episode in sorted(went_in - came_out.keys())]
        wrong += [f"episode {episode} was not in this unit" for episode in sorted(came_out.keys() - went_in)]
    gave &= went_in  # what was read before may come to stand under another fact
    promoted = {episode for episode, promoted in came_out.items() if promoted}
    if promoted != gave:
        wrong += [f"nothing ties episode {episode} to the facts it gave" for episode in sorted(promoted - gave)]
        wrong += [f"episode {episode} gave facts, and would not be marked so" for episode in sorted(gave - promoted)]
    if told != begun:
        wrong.append(f"{told} new facts were decided, and {begun} written")
    return wrong
