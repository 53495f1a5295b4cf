"""Extract: the rules speak (E-14). Each candidate that `select` chose becomes a proposal of the claims that were read in it."""

from __future__ import annotations

from ethos.core.facts.extraction import read_claims
from ethos.core.model.plan import Candidate, Group, Note, Plan, Proposal, scanned
from ethos.core.passes.context import Context
from ethos.core.passes.stage import Stage
from ethos.core.ports.store import Work

Needs = tuple[Candidate, ...]


def gather(work: Work, ctx: Context) -> Needs:  # noqa: ARG001 (every stage has both; this one needs nothing of the store)
    """The candidates that `select` handed on."""
    return tuple(handed for handed in ctx.handed if isinstance(handed, Candidate))


def decide(needs: Needs, ctx: Context) -> Plan:
    """A proposal for each candidate with claims, in order; marks the rest. Where rules have spent the time of the pass, what comes after
    is left, unmarked, to the next.
    """
    hands: list[Proposal] = []
    silent: list[str] = []
    for candidate in needs:
        claims = read_claims(candidate, ctx)
        if ctx.rules.spent and (hands or silent):  # the first is handed on whatever it took, so that each pass gets on
            break
        if claims:
            hands.append(Proposal(candidate.heard, claims, candidate.criterion))
        else:
            silent.append(candidate.heard.id)
    left = tuple(Group(each.heard.id, (), (), (Note("left", each.heard.id),)) for each in needs[len(hands) + len(silent) :])
    return Plan((*scanned(silent, ctx.now, ctx.rules.hash), *left), tuple(hands))


EXTRACT: Stage[Needs] = Stage("extract", gather, decide)
