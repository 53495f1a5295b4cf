"""Decay: mark what has fallen below the threshold as faded (E-06). Salience itself is computed on reading, never swept (X-E19).

A faded record is left out of default recall. It is not gone: it comes back when asked for, and when it is said again. One that faded
under a clock that has been set back comes back, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from ethos.core.model.events import Faded
from ethos.core.model.plan import ChangeSet, Plan
from ethos.core.model.records import Salience
from ethos.core.model.sections import Line, Section
from ethos.core.passes.context import Context
from ethos.core.passes.stage import Stage
from ethos.core.ports.store import Work
from ethos.core.text.folding import truncate
from ethos.core.text.plurals import plural

SWEEP = 10_000  # records a sweep at most; the rest at the next one
TOLD = 20  # of them in the report of a night
_WIDTH = 160  # characters of each


class Needs(NamedTuple):
    """The records whose time has come, and in a night the words of the first ones, by their ids; and those whose time is to come again."""

    fading: Sequence[Salience]
    returning: Sequence[Salience]
    words: Mapping[str, str]


def gather(work: Work, ctx: Context) -> Needs:
    """Ask for the records whose time has come: an index range, not a scan of all."""
    found = work.fading(ctx.now, limit=SWEEP)
    fading, returning = ([held for held in found if held.faded is faded] for faded in (False, True))
    told = [held.record for held in islice(fading, TOLD)] if ctx.night else []
    said = {id_: episode.text for id_, episode in work.episodes(told).items()}
    return Needs(fading, returning, said | {id_: fact.statement for id_, fact in work.current(told).items()})


def decide(needs: Needs, ctx: Context) -> Plan:
    """Mark them, and in a night say which."""
    faded = Plan(tuple(ChangeSet(held.record, (replace(held, faded=True),), (), (Faded(held.record),)) for held in needs.fading))
    faded += Plan(tuple(ChangeSet(held.record, (replace(held, faded=False),)) for held in needs.returning))
    return faded + Plan((ChangeSet("", (), (), (_section(needs, ctx),)),)) if needs.fading and ctx.night else faded


def _section(needs: Needs, ctx: Context) -> Section:
    lines = [Line(truncate(words, _WIDTH), f"ethos why {id_}") for id_, words in needs.words.items()]
    if left := len(needs.fading) - len(lines):
        lines.append(Line(f"and {plural(left, 'more record')}", f"ethos diff {ctx.run}"))
    return Section("Faded", tuple(lines))


DECAY = Stage("decay", gather, decide)
