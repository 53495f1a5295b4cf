"""Decay: mark what has fallen below the threshold as faded (E-06). Salience itself is computed on reading, never swept (X-E19).

A faded record is left out of default recall. It is not gone: it comes back when asked for, and when it is said again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ethos.core.model.events import Faded
from ethos.core.model.plan import Group, Plan
from ethos.core.model.records import Salience
from ethos.core.passes.context import Context
from ethos.core.passes.stage import Stage
from ethos.core.ports.store import Work

Needs = Sequence[Salience]

SWEEP = 10_000  # records a sweep at most; the rest at the next one


def gather(work: Work, ctx: Context) -> Needs:
    """The records whose time has come: an index range, not a scan of all."""
    return work.fading(ctx.now, limit=SWEEP)


def decide(needs: Needs, ctx: Context) -> Plan:  # noqa: ARG001 (every stage's decide has this form)
    """Marks them."""
    return Plan(tuple(Group(held.record, (replace(held, faded=True),), (), (Faded(held.record),)) for held in needs))


DECAY = Stage("decay", gather, decide)
