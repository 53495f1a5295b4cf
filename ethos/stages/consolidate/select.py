"""Select: which episodes of the unit are worth reading, and why (E-07 to E-13, X-E8).

The rules select: an episode counts as keyword-flagged when a literal of any enabled rule stands in its text; the runbook's keyword
lists are literals of the core rules. Importance and retrieval select as well. What is not selected is marked as scanned under these
rules, so that it is looked at again only when the rules change, and nothing starves behind the cap.
"""

from __future__ import annotations

from collections.abc import Sequence

from ethos.core.model.plan import Candidate, Plan, scanned
from ethos.core.model.records import Heard, Origin
from ethos.core.passes.context import Context
from ethos.core.passes.stage import Stage
from ethos.core.ports.store import Work

Needs = Sequence[Heard]


def gather(work: Work, ctx: Context) -> Needs:  # noqa: ARG001 (every stage's gather has this form)
    """The unit itself: the engine took it, because taking is noted before the unit's transaction begins."""
    return ctx.unit


def decide(needs: Needs, ctx: Context) -> Plan:
    """Hands on the candidates in the order in which things were said; marks the rest."""
    settings = ctx.settings.consolidation
    important, often, trusted = settings.importance_threshold, settings.retrieval_threshold, int(Origin.USER)
    rules = ctx.rules
    named = rules.roles - {"user"}  # those below the user that some rule reads: they can only ask (`core.facts.quarantine`)
    silent: list[str] = []
    chosen: list[Candidate] = []
    for heard in needs:
        hits = rules.hits(heard.text) if heard.origin >= trusted or heard.role in named else None
        if hits is not None:
            chosen.append(Candidate(heard, "keyword", hits))
        elif heard.importance >= important:
            chosen.append(Candidate(heard, "importance"))
        elif heard.retrievals >= often:
            chosen.append(Candidate(heard, "retrieval"))
        else:
            silent.append(heard.id)
    chosen.sort(key=lambda candidate: candidate.heard.place)
    return Plan(scanned(silent, ctx.now, rules.hash), tuple(chosen))


SELECT = Stage("select", gather, decide)
