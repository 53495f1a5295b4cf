"""Replay: what mattered in a day, what led to it, and what both gain by it (L-02 to L-31).

Chains are traced back from the day's breakthroughs. Every episode of a chain gains salience and importance, once, in the first night about
its day; its own values stay as they were (L-15, X-L12). Old memories that are replayed among the chains gain a little, once a date.
Run again for the same date, replay makes that day's traces anew and changes nothing else (X-L8).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from ethos.core.history.salience import fades_at
from ethos.core.learning.chains.boost import boosted, greatest
from ethos.core.learning.chains.breakthrough import Breakthrough, breakthroughs
from ethos.core.learning.chains.chain import Chain, Day
from ethos.core.learning.chains.feeling import count, estimated_salience, feelings, felt
from ethos.core.learning.chains.interleave import interleaved, refreshed, sample, wanted
from ethos.core.learning.chains.likeness import content
from ethos.core.learning.chains.moment import Moment
from ethos.core.learning.chains.own_words import Quote, best
from ethos.core.learning.chains.telling import section
from ethos.core.learning.chains.trace import narrative_id, prefix, traces
from ethos.core.learning.summaries.clauses import names_in
from ethos.core.model.plan import ChangeSet, Plan
from ethos.core.model.records import Episode, EpisodeState, Record, Removed, Salience
from ethos.core.model.traces import Trace
from ethos.core.passes.context import Context
from ethos.core.passes.night import Said
from ethos.core.passes.stage import Stage
from ethos.core.ports.store import Work
from ethos.core.recall.terms import words

_READ = 20_000  # characters of a text that are read


@dataclass(frozen=True, slots=True)
class Needs:
    """The day's episodes in the order in which they were said, and how alive each is. marks: of those that a boost may make important
    enough to be read again (E-08). traces: those that this date has. old: more old memories than will be replayed, in the order in
    which they are taken.
    """

    episodes: Sequence[Episode]
    salience: Mapping[str, Salience]
    marks: Mapping[str, EpisodeState]
    traces: Sequence[Trace]
    old: Sequence[Salience]


def gather(work: Work, ctx: Context) -> Needs:
    """Read each kind by one question, whatever the number of episodes (L-37)."""
    night, settings, user = ctx.tonight, ctx.settings.replay, ctx.settings.ethos.user
    said = work.between(Episode, "said_at", night.start, night.end)
    ctx.carried.offer(Said(said))
    episodes = [episode for episode in said if episode.user == user and episode.role != "system"]
    episodes.sort(key=lambda episode: (episode.said_at, episode.source))  # within a source they stand in its order already
    important = ctx.settings.consolidation.importance_threshold
    least = important / (1 + settings.max_boost)
    traced = work.between(Trace, "narrative_id", prefix(night.date), prefix(night.date) + "~")
    since, until = (night.start - timedelta(days=days) for days in (settings.old_days_to, settings.old_days_from))
    known = [] if night.earlier else work.old_memories(user, since, until, settings.old_salience)
    taken = sample(known, wanted(len(episodes), settings), ctx.chance("old memories"))
    old = work.salience([memory.id for memory in taken])
    return Needs(
        episodes,
        work.salience([episode.id for episode in episodes]),
        work.marks([episode.id for episode in episodes if least <= episode.importance < important]),
        [trace for trace in traced if trace.user == user],
        [old[memory.id] for memory in taken],
    )


def decide(needs: Needs, ctx: Context) -> Plan:
    """Decide one group: all of a night's replay, or nothing of it."""
    settings = ctx.settings.replay
    people = _people(needs.episodes)
    told = {episode.id: episode for episode in needs.episodes if _tells(episode, ctx)}
    moments = (_moment(episode, place, needs.salience[episode.id], people, ctx) for place, episode in enumerate(told.values()))
    day = Day(moments, settings)
    found = breakthroughs(day.moments, settings)
    chains = day.chains(found)
    old = needs.old[: wanted(len(chains), settings)]
    replayed: tuple[Chain | Salience, ...] = interleaved(chains, old, ctx.chance("interleave"))
    new = _Consolidation(day.moments, found, [each for each in replayed if isinstance(each, Chain)], needs, ctx)
    puts: list[Record] = [*new.records()]
    puts += [_refreshed(each, ctx) for each in replayed if isinstance(each, Salience)]
    now_traced = [
        trace for number, chain in enumerate(chains) for trace in traces(chain, narrative_id(ctx.tonight.date, number), ctx.now, settings)
    ]
    retraced = list(_replaced(needs.traces, now_traced))
    puts += retraced

    quotes: dict[str, Quote] = {}

    def quote(moment: Moment) -> Quote:
        if moment.id not in quotes:
            text, said_by = moment.text[:_READ], told[moment.id]
            quotes[moment.id] = best(text, ctx.readings.of(text), said_by.speaker, people[said_by.session])
        return quotes[moment.id]

    report = section(
        day.moments,
        found,
        chains,
        now_traced,
        new.gains,
        refreshed=len(old),
        start=ctx.tonight.start,
        changed=f"ethos diff {ctx.run}",
        quote=quote,
    )
    report = replace(report, counts=_counts(new, retraced, len(old)))
    return Plan((ChangeSet("", tuple(puts), (), (report,)),))


REPLAY = Stage("replay", gather, decide)


def _counts(new: _Consolidation, retraced: Sequence[Record], refreshed: int) -> Mapping[str, int]:
    """Return what this night did (L-33): what an earlier night about the same date found, and is as it was, is not counted again."""
    traced = [each for each in retraced if isinstance(each, Trace)]
    return {
        "breakthrough_count": len(new.breakthroughs),
        "chain_count": len({trace.narrative_id for trace in traced}),
        "boosted_count": len(new.gains),
        "trace_count": len(traced),
        "refreshed_count": refreshed,
    }


def _people(episodes: Iterable[Episode]) -> Mapping[str, frozenset[str]]:
    """Return how those who speak in each session may be called."""
    speakers: defaultdict[str, set[str]] = defaultdict(set)
    for episode in episodes:
        speakers[episode.session].add(episode.speaker)
    return {session: names_in(found) for session, found in speakers.items()}


def _tells(episode: Episode, ctx: Context) -> bool:
    """Return whether an episode can be a moment of a chain. What only a tool printed or somebody pasted is none, unless it came with an
    importance or is of a kind of its own.
    """
    if episode.importance_given or episode.kind != "episode":
        return True
    return episode.role != "tool" and (episode.role != "user" or bool(ctx.readings.of(episode.text[:_READ]).sentences))


def _moment(episode: Episode, place: int, held: Salience, people: Mapping[str, Collection[str]], ctx: Context) -> Moment:
    """Return the episode as it is weighed. What came without an importance has its salience estimated from its words as well."""
    text = episode.text[:_READ]
    spoken = words(text)
    if episode.role == "user":
        counted = felt(spoken, lambda: ctx.readings.of(text), episode.speaker, people[episode.session])
    else:
        counted = count(spoken, episode.role)
    return Moment(
        episode.id,
        episode.user,
        episode.project,
        episode.session,
        episode.said_at,
        held.base if episode.importance_given else estimated_salience(held.base, counted),
        episode.importance,
        feelings(counted, episode.tone, ctx.settings.replay.feeling_step),
        frozenset(episode.tags),
        episode.text,
        episode.role,
        content(spoken),
        place,
    )


class _Consolidation:
    """What the day's episodes gain: those that no earlier night has replayed. gains: id -> the boost of its salience."""

    def __init__(
        self, moments: Sequence[Moment], found: Sequence[Breakthrough], chains: Sequence[Chain], needs: Needs, ctx: Context
    ) -> None:
        self._needs, self._ctx = needs, ctx
        self._fresh = [moment for moment in moments if needs.salience[moment.id].last_consolidated_at is None]
        self._scores = {one.moment.id: one.score for one in found}
        self.breakthroughs = [moment for moment in self._fresh if moment.id in self._scores]
        gains = greatest(chains, ctx.settings.replay)
        self.gains = {moment.id: gained for moment in self._fresh if (gained := gains.get(moment.id, 0.0)) > 0}

    def records(self) -> Iterator[Record]:
        """Yield what is to be put of each episode."""
        for moment in self._fresh:
            held = self._needs.salience[moment.id]
            score, now = self._scores.get(moment.id), self._ctx.now
            if moment.id not in self.gains:
                yield replace(held, breakthrough_score=score, last_consolidated_at=now)
                continue
            after = boosted(moment, self.gains[moment.id])
            yield replace(
                held,
                fades_at=fades_at(held, self._ctx.settings.decay, after.salience),
                breakthrough_score=score,
                last_consolidated_at=now,
                consolidated_salience_score=after.salience,
                consolidated_importance=after.importance,
            )
            yield from self._to_be_read_again(moment.id, after.importance)

    def _to_be_read_again(self, episode: str, importance: float) -> Iterator[EpisodeState]:
        """Yield the mark of an episode that has become important enough to be read, and had been left unread (X-E8)."""
        mark = self._needs.marks.get(episode)
        if mark is not None and mark.consolidated_at is None and importance >= self._ctx.settings.consolidation.importance_threshold:
            yield replace(mark, scanned_at=None, scanned_rules=None)


def _refreshed(held: Salience, ctx: Context) -> Salience:
    raised = refreshed(held.consolidated_salience_score or 0.0, ctx.settings.replay)
    return replace(held, fades_at=fades_at(held, ctx.settings.decay, raised), consolidated_salience_score=raised)


def _replaced(held: Sequence[Trace], now: Sequence[Trace]) -> Iterator[Record]:
    """Yield what makes the traces of the date those found now; one that is as it was keeps the time at which it was made."""
    before = {trace.id: trace for trace in held}
    kept = {trace.id for trace in now}
    yield from (Removed(Trace, id_) for id_ in before if id_ not in kept)
    for trace in now:
        if trace.id not in before or replace(trace, created_at=before[trace.id].created_at) != before[trace.id]:
            yield trace
