"""Extraction: the claims that the rules read in one episode, the fallback for what is important included (E-14, E-18)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ethos.core.facts.corrections import corrected, put_right
from ethos.core.model.events import Criterion
from ethos.core.model.records import Claim, Episode, Origin, Utterance
from ethos.core.passes.context import Context
from ethos.core.ports.store import Work
from ethos.core.text import folding
from ethos.core.text.blanks import is_blank
from ethos.core.text.folding import truncate
from ethos.core.text.language.correction import corrects, puts_right
from ethos.core.text.language.inflection import predicate_key
from ethos.core.text.language.lexicon import phrases_of
from ethos.core.text.private import public

if TYPE_CHECKING:  # most questions load no rules
    from ethos.core.rules.prefilter import Hits
    from ethos.core.rules.rule import Fallback

_LIVES = "lives in"
_FALLBACK_LENGTH = 50  # characters of the episode that a fallback keeps


class Candidate(NamedTuple):
    """An episode that was selected, the reason, and the literals of rules that were found in it."""

    utterance: Utterance
    criterion: Criterion
    hits: Hits | None = None
    before: str = ""  # the user's turn before it in the session, where this one corrects something


class Proposal(NamedTuple):
    """The claims that were read in one episode."""

    utterance: Utterance
    claims: tuple[Claim, ...]
    criterion: Criterion = Criterion.KEYWORD


def read_claims(utterance: Utterance, ctx: Context, hits: Hits | None = None, before: str = "") -> tuple[Claim, ...]:
    """Return what is read in one episode, the fallback included.

    hits: the literals found in it, where they are known. before: the user's turn before it, where this one corrects something.
    """
    claims = ctx.rules.claims(utterance.text, role=utterance.role, speaker=utterance.speaker, origin=utterance.origin, hits=hits)
    if before:
        least = ctx.settings.consolidation.min_confidence
        told = ctx.rules.claims(before, role=utterance.role, speaker=utterance.speaker, origin=utterance.origin)
        claims = corrected(utterance.text, claims, [claim for claim in told if claim.confidence >= least])
    elif claims and utterance.role == "user" and puts_right(utterance.text):
        claims = put_right(claims)
    return tuple(_told_anew(_of_tool(claim, ctx), ctx) for claim in claims) or _fallback(utterance, ctx)


def _of_tool(claim: Claim, ctx: Context) -> Claim:
    """Return a claim that somebody moved to a place told as one that they use a tool, where that is what they moved to: "moved to pnpm"."""
    if claim.predicate != _LIVES or not claim.supersedes or not ctx.rules.class_of(folding.key(claim.object)):
        return claim
    return replace(claim, kind="decision", predicate="uses", cardinality="multi")


def _told_anew(claim: Claim, ctx: Context) -> Claim:
    """Return a claim whose predicate says that something is not as it was with that said of it: "the rent will be 870", "back on Vim"."""
    if claim.supersedes or claim.polarity == "-":
        return claim
    back = predicate_key(claim.predicate) in phrases_of("gone-back") and ctx.rules.class_of(folding.key(claim.object))
    return replace(claim, supersedes="now") if back or claim.predicate.startswith("will be") else claim


def preceding(work: Work, utterances: Iterable[Utterance]) -> Mapping[str, str]:
    """Return, of the turns of a user that correct something, the words of the user's turn before them in the session, by their ids.

    Nobody corrects what somebody else said: where two people talk, the turn before has to be of the same speaker.
    """
    known = {each.id: each for each in utterances}
    correcting = [each.id for each in known.values() if is_correction(each)]
    before = work.preceding(correcting) if correcting else {}
    others = set(before.values()) - known.keys()  # few: turns of a session come in one after another
    turns: dict[str, Utterance | Episode] = {**known, **(work.episodes(others) if others else {})}
    return {id_: turns[turn].text for id_, turn in before.items() if turns[turn].speaker == known[id_].speaker}


def corrected_anew(work: Work, turns: Collection[str]) -> Mapping[str, Utterance]:
    """Return, by the ids of those of these turns of users after which one that was read already corrects something, that one."""
    after = work.following(turns) if turns else {}
    read = {each.id: each for each in work.utterances(set(after.values())) if is_correction(each)} if after else {}
    return {turn: read[next_] for turn, next_ in after.items() if next_ in read}


def is_correction(utterance: Utterance) -> bool:
    """Return whether a turn of a user may put the one before it right."""
    return utterance.role == "user" and corrects(utterance.text)


def _fallback(utterance: Utterance, ctx: Context) -> tuple[Claim, ...]:
    """Return what is kept of an important episode in which no rule finds anything (E-18). An estimated importance never counts."""
    settings = ctx.settings.consolidation
    if utterance.origin < Origin.USER:
        return ()
    important = utterance.importance_given and utterance.importance >= settings.importance_threshold
    retrieved = utterance.retrievals >= settings.retrieval_threshold
    fallback = (ctx.rules.fallback("importance") if important else None) or (ctx.rules.fallback("retrieval") if retrieved else None)
    return _contained(utterance.text, fallback) if fallback else ()


def _contained(text: str, fallback: Fallback) -> tuple[Claim, ...]:
    shown = truncate(" ".join(public(text).split()), _FALLBACK_LENGTH)
    if not shown or is_blank(shown):
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
