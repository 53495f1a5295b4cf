"""Retiring and correcting: a person says that a fact does not hold, and what does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from ethos import engine
from ethos.app import capture, explain
from ethos.app.dependencies import Dependencies
from ethos.core.facts.extraction import Proposal, read_claims
from ethos.core.facts.holding import is_weak
from ethos.core.facts.keyed_claims import KeyedClaim, key_claims
from ethos.core.facts.statement import NO_PROJECT, statement_of
from ethos.core.model import ids
from ethos.core.model.errors import refuse
from ethos.core.model.events import Criterion
from ethos.core.model.plan import Plan
from ethos.core.model.records import CORRECT, RETIRE, Episode, Fact, Origin, Question, Utterance
from ethos.stages.consolidate.correct import correct as correcting
from ethos.stages.person.retire import retire as retiring


@dataclass(frozen=True, slots=True)
class Named:
    """A fact by its id, in words."""

    id: str
    statement: str
    slot: str


@dataclass(frozen=True, slots=True)
class Opened:
    """A question that a correction opened, or asked again. held: the statement that its words conflict with, or ""; new: theirs."""

    id: str
    held: str
    new: str


@dataclass(frozen=True, slots=True)
class Retired:
    """A fact that a person retired or corrected. run: which to undo; said: the episode of their words, or "".

    now: what is held by the words; ended: other facts that they end; questions: what is asked because of them.
    """

    fact: str
    statement: str
    slot: str
    run: str
    said: str = ""
    now: tuple[Named, ...] = ()
    ended: tuple[Named, ...] = ()
    questions: tuple[Opened, ...] = ()


def retire(deps: Dependencies, asked: str, said: str) -> Retired:
    """Retire a fact in a run of its own, and capture what the user says to it. Raises Refused for one that is unknown, or not held."""
    fact, speaker = _held(deps, asked)
    now = deps.clock.now()
    ctx = deps.context(ids.run_id(RETIRE, now.isoformat(), fact.id), now)
    _done(engine.run_unit(deps.store, (retiring(fact.id),), ctx))
    if not said.strip():
        return Retired(fact.id, fact.statement, fact.slot, ctx.run)
    episode = _turn(deps, RETIRE, fact, said.strip(), speaker, deps.clock.now())
    capture.capture(deps, [episode], live=False)
    return Retired(fact.id, fact.statement, fact.slot, ctx.run, episode.id)


def correct(deps: Dependencies, asked: str, words: str) -> Retired:
    """Hold what the rules read in these words in place of a fact, in one run. Raises Refused where they read nothing, or the same."""
    fact, speaker = _held(deps, asked)
    now = deps.clock.now()
    deps.rules.renew()
    ctx = replace(deps.context(ids.run_id(CORRECT, now.isoformat(), fact.id), now), seal=None)  # a person may type what was shown
    episode = _turn(deps, CORRECT, fact, words.strip(), speaker, now)
    proposal = Proposal(_utterance(episode), read_claims(_utterance(episode), ctx), Criterion.IMPORTANCE)
    claims = [p for p in key_claims(proposal, ctx) if not p.apart and not is_weak(p.claim, ctx.settings.consolidation.min_confidence)]
    if not claims:
        hint = f'say it in a plain sentence ("My sister lives in Bonn"); to retire it without a successor: ethos retire {fact.id}'
        raise refuse("usage", "no rule reads a fact in these words; nothing was changed", hint=hint)
    if any(_same(p, fact) for p in claims):
        raise refuse("usage", f"these words say the same as {fact.id}; nothing was changed", hint="say what is correct instead")
    capture.capture(deps, [episode], live=False)
    outcome = engine.run_unit(deps.store, (correcting(fact.id, proposal),), ctx)
    _done(outcome)
    return _told(deps, fact, outcome.plan, ctx.run, episode.id)


def _told(deps: Dependencies, fact: Fact, plan: Plan, run: str, episode: str) -> Retired:
    """Return what a correction led to: what is held by its words, what else they end, and what they ask."""
    facts = {put.id: put for put in plan.puts() if isinstance(put, Fact) and put.run == run}  # the last version of each
    asked = {put.id: put for put in plan.puts() if isinstance(put, Question) and put.resolved_at is None}
    with deps.store.begin() as work:
        new = {piece.fact for piece in work.evidence_in([episode])}
        sides = work.current({side for each in asked.values() for side in (each.existing, each.new) if side})
    words = {id_: side.statement for id_, side in sides.items()}
    return Retired(
        fact.id,
        fact.statement,
        fact.slot,
        run,
        episode,
        tuple(_named(each) for each in facts.values() if each.active and each.id in new),
        tuple(_named(each) for each in facts.values() if each.superseded_by is not None and each.id != fact.id),
        tuple(Opened(each.id, words.get(each.existing, ""), words.get(each.new, "")) for each in asked.values()),
    )


def _named(fact: Fact) -> Named:
    return Named(fact.id, fact.statement, fact.slot)


def _held(deps: Dependencies, asked: str) -> tuple[Fact, str]:
    """Return the fact that is meant, and who said so. Raises Refused where it is unknown or not held."""
    with deps.store.begin() as work:
        id_ = explain.meant(work, asked, Fact)
        fact = work.current([id_])[id_]
        rests = work.episodes([piece.episode for piece in work.evidence([id_])])
    if fact.user != deps.user:
        raise refuse("not-found", f"no fact has the id {asked}", hint="`ethos facts` lists the ids")
    if fact.active:
        return fact, next((each.speaker for each in rests.values() if each.role == "user"), "user")
    if fact.superseded_by is not None:
        raise refuse("usage", f"{id_} is superseded by {fact.superseded_by}", hint=f"ethos why {id_}")
    if fact.quarantined:
        raise refuse("usage", f"{id_} is quarantined: a question about it is open, or was rejected", hint="ethos inbox --resolved")
    raise refuse("usage", f"{id_} is retired already", hint="`ethos status --runs` names the runs; `ethos undo r-...` takes one back")


def _same(keyed: KeyedClaim, fact: Fact) -> bool:
    """Return whether a claim says what the fact says, of the same slot."""
    said, held = keyed.statement, statement_of(fact)
    mine = (said.key.subject, said.key.predicate, said.key.slot, said.object_key, said.polarity, said.over_key)
    return mine == (held.key.subject, held.key.predicate, held.key.slot, held.object_key, held.polarity, held.over_key)


def _done(outcome: engine.Outcome) -> None:
    if outcome.failures:
        raise refuse("store", f"the store refused it: {outcome.failures[0].error}", hint="`ethos doctor` shows more")


def _turn(deps: Dependencies, source: str, fact: Fact, words: str, speaker: str, now: datetime) -> Episode:
    """Return what a user says to a fact, as a turn."""
    return Episode(
        id=ids.episode_id(source, fact.id, f"{now.isoformat()} {words}"),
        user=deps.user,
        project=fact.project or NO_PROJECT,
        session=source,
        role="user",
        speaker=speaker,
        origin=Origin.USER,
        text=words,
        said_at=now,
        captured_at=now,
        importance=deps.importance_of(words, "user"),
        importance_given=False,
        source=source,
    )


def _utterance(one: Episode) -> Utterance:
    """Return an episode as the rules read it."""
    return Utterance(
        one.id, one.text, one.said_at, one.user, one.project, one.session, one.role, one.speaker, one.origin, one.importance,
        one.importance_given, 0, 0, one.source,
    )  # fmt: skip
