"""Select: which episodes of the unit are worth reading, and why (E-07 to E-13, X-E8).

The rules select: an episode counts as keyword-flagged when a literal of any enabled rule stands in its text; the runbook's keyword
lists are literals of the core rules. Importance and retrieval select as well. What is not selected is marked as scanned under these
rules, so that it is looked at again only when the rules change, and nothing starves behind the cap.
"""

from __future__ import annotations

from collections.abc import Sequence

from ethos.core.context import Context
from ethos.core.plan import Candidate, Group, Note, Plan
from ethos.core.ports import Work
from ethos.core.records import Heard, Mark, Origin
from ethos.core.stage import Stage

Needs = Sequence[Heard]

_SCANNED = (Note("scanned"),)


def gather(work: Work, ctx: Context) -> Needs:  # noqa: ARG001 (every stage's gather has this form)
    """The unit itself: the engine took it, because taking is noted before the unit's transaction begins."""
    return ctx.unit


def decide(needs: Needs, ctx: Context) -> Plan:
    """Hands on the candidates in the order in which things were said; marks the rest."""
    threshold = ctx.settings.consolidation
    groups: list[Group] = []
    chosen: list[Candidate] = []
    for heard in needs:
        hits = ctx.rules.hits(heard.text) if heard.origin >= Origin.USER else ()
        if hits:
            criterion = "keyword"
        elif heard.importance >= threshold.importance_threshold:
            criterion = "importance"
        elif heard.retrievals >= threshold.retrieval_threshold:
            criterion = "retrieval"
        else:
            mark = Mark(heard.id, ctx.now, ctx.rules.hash, attempts=heard.attempts)
            groups.append(Group(heard.id, (mark,), (), _SCANNED))
            continue
        chosen.append(Candidate(heard, criterion, tuple(hits)))
    chosen.sort(key=lambda candidate: candidate.heard.said_at)
    return Plan(tuple(groups), tuple(chosen))


SELECT = Stage("select", gather, decide)
