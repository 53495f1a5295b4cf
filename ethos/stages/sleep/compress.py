"""Compress: tell each session that no summary tells yet, of the night's day or earlier (G-05 to G-08). A unit is a few sessions, told in
one transaction.

A session is everything under one name in one project; what has no session is told day by day. What tells the same as an earlier
summary of the session becomes part of that one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import groupby

from ethos.core.learning.summaries.clauses import Spans, content
from ethos.core.learning.summaries.levels import SummaryText, tell
from ethos.core.learning.summaries.likeness import likeness
from ethos.core.model import ids
from ethos.core.model.plan import ChangeSet, Plan
from ethos.core.model.records import Evidence, Utterance
from ethos.core.model.sections import Line, Section
from ethos.core.model.summaries import Summary, Telling
from ethos.core.passes.context import Context
from ethos.core.passes.definition import Pass
from ethos.core.passes.night import Night
from ethos.core.passes.stage import Stage
from ethos.core.ports.store import Work

UNIT = 500  # episodes of a unit at least, where there are so many
TITLE = "Summaries"
Session = tuple[str, str, str]  # user, project, and the session or, where there is none, the day


class Sessions:
    """Takes the sessions that are to be told, so many at a time that they come to `UNIT` episodes."""

    def __init__(self) -> None:
        self._waiting: deque[list[str]] | None = None

    def __call__(self, work: Work, ctx: Context, skip: Collection[str]) -> tuple[Utterance, ...]:
        """Return the episodes of the next sessions; empty when nothing is left."""
        if self._waiting is None:
            found = work.untold(ctx.settings.ethos.user, ctx.tonight.end, limit=ctx.settings.summaries.max_episodes)
            self._waiting = deque([id_ for id_, *_ in session] for _, session in groupby(found, key=lambda row: row[1:]))
        unit: list[str] = []
        while self._waiting and len(unit) < UNIT:
            unit += (id_ for id_ in self._waiting.popleft() if id_ not in skip)
        return tuple(work.utterances(unit))


@dataclass(frozen=True, slots=True)
class Needs:
    """What a unit is told by. held: by episode, the spans in which facts were read that are held, and decided, in which decisions; earlier:
    summaries of its sessions.
    """

    held: Mapping[str, Spans]
    decided: Mapping[str, Spans]
    earlier: Mapping[Session, Sequence[Summary]]


def gather(work: Work, ctx: Context) -> Needs:
    """Ask what is held of the unit, and which summaries its sessions have."""
    evidence = work.evidence_in([utterance.id for utterance in ctx.unit])
    current = work.current({piece.fact for piece in evidence}).values()
    active = {fact.id for fact in current if fact.active and fact.kind != "negation"}  # negations stay facts of their own (G-09)
    decisions = {fact.id for fact in current if fact.id in active and fact.kind == "decision"}
    held, decided = _spans(evidence, active), _spans(evidence, decisions)
    earlier: dict[Session, list[Summary]] = {}
    for summary in work.find(Summary, "session", {utterance.session for utterance in ctx.unit}):
        earlier.setdefault((summary.user, summary.project, summary.session), []).append(summary)
    return Needs(held, decided, earlier)


def _spans(evidence: Iterable[Evidence], facts: Collection[str]) -> dict[str, list[tuple[int, int]]]:
    found: dict[str, list[tuple[int, int]]] = {}
    for piece in evidence:
        if piece.fact in facts:
            found.setdefault(piece.episode, []).append((piece.start, piece.end))
    return found


def decide(needs: Needs, ctx: Context) -> Plan:
    """Tell each session of the unit: one summary, and for each episode which one tells it."""
    return Plan(tuple(_told(turns, needs, ctx) for turns in _sessions(ctx.unit)))


def _sessions(unit: Iterable[Utterance]) -> Iterator[list[Utterance]]:
    """Yield the turns of each session, in the order in which they were said; of none, of each day."""

    def name(utterance: Utterance) -> tuple[str, str, str]:
        return utterance.project, utterance.session, "" if utterance.session else utterance.said_at.date().isoformat()

    for _, turns in groupby(sorted(unit, key=lambda utterance: (*name(utterance), utterance.place)), key=name):
        yield list(turns)


def _told(turns: Sequence[Utterance], needs: Needs, ctx: Context) -> ChangeSet:
    first = turns[0]
    earlier = needs.earlier.get((first.user, first.project, first.session), ()) if first.session else ()
    known = {term for summary in earlier for term in content(summary.text)}
    told = tell(turns, needs.held, ctx.settings.summaries, known=known, decided=needs.decided, readings=ctx.readings)
    if not told.sentences:
        marks = [Telling(id_, "", ctx.run) for id_ in (*told.silent, *told.failed)]
        return ChangeSet("", tuple(marks), (), (Section(TITLE, counts={"episodes_untold": len(told.failed)}),))
    new = _summary(turns, told, ctx)
    like = next((each for each in earlier if likeness(each.text, new.text) >= ctx.settings.summaries.duplicate_likeness), None)
    summary = new if like is None else _joined(like, new)
    marks = [Telling(id_, summary.id, ctx.run) for id_ in (*told.sources, *told.silent)]
    marks += [Telling(id_, "", ctx.run) for id_ in told.failed]
    counts = {
        "summaries_created": int(like is None),
        "summaries_caught_up": int(like is None and turns[-1].said_at < ctx.tonight.start),
        "summaries_merged": int(like is not None),
        "episodes_told": len(told.sources),
        "episodes_untold": len(told.failed),
    }
    line = Line(f"{_named(first.session, turns[-1].said_at, ctx.tonight)}: {summary.text}", f"ethos why {summary.id}")
    return ChangeSet("", (summary, *marks), (), (Section(TITLE, (line,), counts=counts),))


def _named(session: str, ended_at: datetime, night: Night) -> str:
    """Return the name of a session, with its date where it ended before the day of the night: a night also tells what none before told."""
    if ended_at >= night.start:
        return session or night.date.isoformat()
    date = night.date - timedelta(days=-((ended_at - night.start) // timedelta(days=1)))
    return f"{session} of {date}" if session else date.isoformat()


def _summary(turns: Sequence[Utterance], told: SummaryText, ctx: Context) -> Summary:
    first = turns[0]
    return Summary(
        id=ids.summary_id(first.user, first.project, first.session, told.sources),
        user=first.user,
        project=first.project,
        session=first.session,
        sentences=tuple(sentence.text for sentence in told.sentences),
        cited=tuple(sentence.episodes for sentence in told.sentences),
        episodes=told.sources,
        words=told.words,
        began_at=first.said_at,
        ended_at=turns[-1].said_at,
        recorded_at=ctx.now,
        run=ctx.run,
    )


def _joined(earlier: Summary, new: Summary) -> Summary:
    """Return the earlier summary with the episodes of one that says the same."""
    episodes = tuple(dict.fromkeys((*earlier.episodes, *new.episodes)))
    return replace(earlier, episodes=episodes, words=earlier.words + new.words, ended_at=max(earlier.ended_at, new.ended_at))


COMPRESS = Pass("compress", Sessions, (Stage("compress", gather, decide),))
