"""Extract: the rules speak (E-14). Each candidate that `select` chose becomes a proposal of the claims that were read in it."""

from __future__ import annotations

from ethos.core.context import Context
from ethos.core.plan import Candidate, Group, Note, Plan, Proposal, scanned
from ethos.core.ports import Work
from ethos.core.private import public
from ethos.core.records import Claim, Heard, Origin
from ethos.core.rule import Fallback
from ethos.core.stage import Stage
from ethos.core.text import truncate

FALLBACK_LENGTH = 50  # characters of the episode that a fallback keeps

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


def read_claims(candidate: Candidate, ctx: Context) -> tuple[Claim, ...]:
    """What is read in one candidate, the fallback included."""
    heard = candidate.heard
    claims = ctx.rules.claims(heard.text, role=heard.role, speaker=heard.speaker, origin=heard.origin, hits=candidate.hits)
    return claims or _fallback(heard, ctx)


def _fallback(heard: Heard, ctx: Context) -> tuple[Claim, ...]:
    """E-18: what is important is kept even where no rule finds anything in it. An importance that was only estimated never counts."""
    settings = ctx.settings.consolidation
    if heard.origin < Origin.USER:
        return ()
    important = heard.importance_given and heard.importance >= settings.importance_threshold
    retrieved = heard.retrievals >= settings.retrieval_threshold
    fallback = (ctx.rules.fallback("importance") if important else None) or (ctx.rules.fallback("retrieval") if retrieved else None)
    return _contained(heard.text, fallback) if fallback else ()


def _contained(text: str, fallback: Fallback) -> tuple[Claim, ...]:
    shown = truncate(" ".join(public(text).split()), FALLBACK_LENGTH)
    if not shown:
        return ()
    claim = Claim(
        kind=fallback.kind,
        subject=fallback.subject,
        predicate=fallback.predicate,
        object=shown,
        polarity="+",
        cardinality=fallback.cardinality,
        confidence=fallback.confidence,
        rule=fallback.id,
        rule_version=fallback.version,
        pack_version=fallback.pack_version,
        start=0,
        end=len(text),
    )
    return (claim,)


EXTRACT: Stage[Needs] = Stage("extract", gather, decide)
