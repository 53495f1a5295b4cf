"""Give the claims of an episode their keys, and find those that can only ask (`core.facts.quarantine`)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ethos.core.facts.echoes import fingerprint_of
from ethos.core.facts.extraction import Proposal
from ethos.core.facts.quarantine import TRUSTED
from ethos.core.facts.statement import Statement, statement_for
from ethos.core.model.records import Claim, Origin, Utterance
from ethos.core.model.rule_trust import weighted
from ethos.core.model.value import value
from ethos.core.passes.context import Context
from ethos.core.ports.store import Work
from ethos.core.text import folding
from ethos.core.text.language.inflection import predicate_key
from ethos.core.text.language.lexicon import word_class
from ethos.core.text.sentences import foreign


@value
class KeyedClaim:
    """A claim of an episode with its key, as a statement to weigh."""

    utterance: Utterance
    claim: Claim
    statement: Statement
    apart: bool = False  # it can only ask (`core.facts.quarantine`)


Proposals = tuple[tuple[Utterance, tuple[KeyedClaim, ...]], ...]


def key_claims(proposal: Proposal, ctx: Context) -> tuple[KeyedClaim, ...]:
    """Return the episode's claims with their keys; where two rules claim the same, only the surer one."""
    if not proposal.claims:
        return ()
    utterance = proposal.utterance
    best: dict[tuple[object, ...], KeyedClaim] = {}
    for said in proposal.claims:
        claim = weighted(said, ctx.rule_weights[said.rule]) if said.rule in ctx.rule_weights else said
        pasted = said.rule in ctx.rules.inside and foreign(utterance.text, said.start, said.end)  # that counts as a tool's word
        statement = statement_for(
            claim,
            user=utterance.user,
            project=utterance.project,
            origin=min(utterance.origin, Origin.TOOL) if pasted else utterance.origin,
            said_at=utterance.said_at,
            class_of=ctx.rules.class_of,
            literal=ctx.settings.conflict_resolution.literal,
            speaker=utterance.speaker,
        )
        same = (statement.key, statement.object_key, statement.polarity, pasted)
        if same not in best or _sureness(best[same].claim) < _sureness(claim):
            best[same] = KeyedClaim(utterance, claim, statement, statement.origin < TRUSTED)
    if len(best) == 1:
        return tuple(best.values())
    return tuple(sorted(_once(best.values()), key=place_in_turn))


def place_in_turn(keyed: KeyedClaim) -> tuple[int, int, str, bool, str, str, str]:
    """Return what orders the claims of one turn. Of two with the same words a decision is weighed first."""
    claim, key = keyed.claim, keyed.statement.key
    return claim.start, claim.end, claim.object, claim.kind != "decision", claim.rule, key.subject, key.predicate


def _once(claims: Iterable[KeyedClaim]) -> Iterable[KeyedClaim]:
    """Return the claims, each that says the same words once, however they are split: "only look at" "issues", "only" "look at issues".

    One clause gives one fact, so that what ends it leaves no other that says the same.
    """
    kept: dict[tuple[str, ...], KeyedClaim] = {}
    for each in claims:
        said = f"{predicate_key(each.claim.predicate)} {folding.key(each.claim.object)}"
        same = (folding.key(each.claim.subject), said, each.claim.polarity)
        if same not in kept or _preferred(kept[same]) < _preferred(each):
            kept[same] = each
    told: dict[tuple[object, ...], list[KeyedClaim]] = {}
    for each in sorted(kept.values(), key=_telling, reverse=True):
        words = _words_of(each.claim)
        alike = told.setdefault((words, each.claim.polarity, each.claim.tense), [])
        if not words or not any(_is_told_by(each.claim, other.claim) for other in alike):
            alike.append(each)
    return [each for alike in told.values() for each in alike]


def _telling(keyed: KeyedClaim) -> tuple[object, ...]:
    """Return what decides between two claims of the same words that are split in another way: trust, a change, one value, sureness."""
    claim, statement = keyed.claim, keyed.statement
    surer = (claim.grade == "held", bool(claim.supersedes), statement.cardinality == "single", claim.confidence, -len(claim.object))
    return (not keyed.apart, *surer, claim.rule, statement.key.subject)


def _is_told_by(claim: Claim, known: Claim) -> bool:
    """Return whether a claim only splits the words of one with the same words in another way: "Kim is our tester", "our tester is Kim"."""
    apart = claim.end <= known.start or known.end <= claim.start
    replaces = claim.supersedes not in (None, "", "now", known.supersedes)
    return not (apart or replaces) and "negation" not in (claim.kind, known.kind)


def _words_of(claim: Claim) -> frozenset[str]:
    """Return the words of a claim's subject and object that say something."""
    words = folding.tokens(folding.key(f"{claim.subject} {claim.object}"))
    return frozenset(words) - word_class("slight")


def _preferred(keyed: KeyedClaim) -> tuple[bool, tuple[bool, float], int]:
    """Return what decides between two claims of the same words: trust, sureness, and the shorter object."""
    return not keyed.apart, _sureness(keyed.claim), -len(keyed.claim.object)


def _sureness(claim: Claim) -> tuple[bool, float]:
    return claim.grade == "held", claim.confidence


def drop_echoes(work: Work, ctx: Context, proposals: Proposals) -> Proposals:
    """Return the claims, with those quarantined that we had shown before they were said; from others than the user they are dropped."""
    if ctx.seal is None or not any(claims for _, claims in proposals) or not work.anything_served():
        return proposals
    seal = ctx.seal
    fingerprints = [[fingerprint_of(utterance.text, p.claim.start, p.claim.end, seal) for p in claims] for utterance, claims in proposals]
    shown = work.served({one for each in fingerprints for one in each if one})
    if not shown:
        return proposals
    told = []
    for (utterance, claims), each in zip(proposals, fingerprints, strict=True):
        echoes = [one in shown and shown[one] < utterance.said_at for one in each]
        kept = [replace(p, apart=True) if echo else p for p, echo in zip(claims, echoes, strict=True) if not (echo and p.apart)]
        told.append((utterance, tuple(kept)))
    return tuple(told)
