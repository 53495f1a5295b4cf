"""Telling: the chains that an episode belongs to, step by step, and what else belongs with it (L-26)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from ethos.app.dependencies import Dependencies
from ethos.app.explain import meant
from ethos.core.model.errors import refuse
from ethos.core.model.records import Episode, Fact
from ethos.core.model.traces import Relation, Trace, TraceType
from ethos.core.ports.queries import Hit, Search
from ethos.core.ports.store import Work
from ethos.stages.recall.around import told_around

_CHAIN = "chain_"


@dataclass(frozen=True, slots=True)
class Step:
    """An episode of a chain. relation: why it belongs to it; type, strength: of the trace that leads on from it; the last has neither."""

    episode: str
    said_at: datetime
    session: str
    speaker: str
    text: str
    relation: Relation | None = None
    type: TraceType | None = None
    strength: float | None = None


@dataclass(frozen=True, slots=True)
class ToldChain:
    """A chain in the order of time; its last step is the breakthrough that it led to."""

    narrative_id: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Narrative:
    """The chains that were asked for, and the turns that belong with the episode besides, best first."""

    id: str
    chains: tuple[ToldChain, ...]
    around: tuple[Hit, ...]


def narrative(deps: Dependencies, asked: str, wanted: Search) -> Narrative:
    """Return what is told of a chain, an episode or a fact. asked: its id, or the beginning of it. Raises Refused where there is none.

    A fact is told by the turn that it was first read in, a chain by its breakthrough.
    """
    with deps.store.begin() as work:
        if asked.startswith(_CHAIN):
            traces = _of(work.find(Trace, "narrative_id", [asked]), wanted.user)
            if not traces:
                raise refuse("not-found", f"there is no chain {asked}", hint="`ethos report` names the chains of a night")
            names, episode = [asked], ""
        else:
            episode = _episode(work, asked)
            touching = [*work.find(Trace, "source", [episode]), *work.find(Trace, "target", [episode])]
            names = sorted({trace.narrative_id for trace in _of(touching, wanted.user)})
            traces = _of(work.find(Trace, "narrative_id", names), wanted.user)
        linked = {id_ for trace in traces for id_ in (trace.source, trace.target)}
        episodes = work.episodes(linked | {episode} - {""})
        members = [episodes[each.id] for each in work.utterances(linked)]
        chains = tuple(_told(name, [trace for trace in traces if trace.narrative_id == name], members) for name in names)
        seed = episodes[episode or chains[0].steps[-1].episode]
        around = told_around(seed, wanted, work)
    deps.served.show((*(step.text for chain in chains for step in chain.steps), *(hit.text for hit in around)), deps.clock.now())
    return Narrative(episode or asked, chains, around)


def _of(traces: Sequence[Trace], user: str) -> list[Trace]:
    return [trace for trace in traces if trace.user == user]


def _episode(work: Work, asked: str) -> str:
    """Return the episode that is meant: itself, or the first that a fact rests on. Raises Refused."""
    found = meant(work, asked, Episode, Fact)
    if work.episodes([found]):
        return found
    rests = work.evidence([found])
    if not rests:
        raise refuse("not-found", f"no turn of {found} is left", hint=f"ethos why {found}")
    return rests[0].episode


def _told(name: str, traces: Sequence[Trace], episodes: Sequence[Episode]) -> ToldChain:
    """Return the steps of a chain, in the order of the episodes. Where a turn was forgotten, the steps on both sides of it stay."""
    leading = {trace.source: trace for trace in traces}
    members = {id_ for trace in traces for id_ in (trace.source, trace.target)}
    return ToldChain(
        name,
        tuple(
            Step(
                episode.id,
                episode.said_at,
                episode.session,
                episode.speaker,
                episode.text,
                leading[episode.id].relation if episode.id in leading else None,
                leading[episode.id].type if episode.id in leading else None,
                leading[episode.id].strength if episode.id in leading else None,
            )
            for episode in episodes
            if episode.id in members
        ),
    )
