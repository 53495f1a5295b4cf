"""Distil: look through the sessions that are new since the last night for what was learned in them (R-09, R-10).

Each session is a group of its own, so one that the store refuses does not keep the others. A session in which nothing was learned is
done as well. It is distilled by rules (`core.learning.bank.distilling`), or by what a language model found in it before the night, if the
user named one and lets it read sessions. What a person took back by undoing a night is not distilled again, unless the same date is run
anew.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter

from ethos.core.facts.echoes import fingerprints
from ethos.core.learning.bank.distilling import distilled
from ethos.core.learning.bank.recording import remembered
from ethos.core.model.events import MemoryCreated
from ethos.core.model.ids import digest
from ethos.core.model.memories import Distilled, Maker, Memory, MemoryState, SessionReading
from ethos.core.model.plan import ChangeSet, Plan
from ethos.core.model.records import Episode, Record
from ethos.core.model.sections import Line, Section
from ethos.core.passes.context import Context
from ethos.core.passes.stage import Stage
from ethos.core.ports.store import Work

TITLE = "Learned while working"
NIGHT = "sleep"  # the runs that may have been undone
_NOT_ASKED = SessionReading("", "", answered=False)
LOOKED_AT = 1_000  # of them, the latest
Session = tuple[str, str]  # project and session


@dataclass(frozen=True, slots=True)
class Needs:
    """The turns of each session, in the order said. known: ids of memories that are held, or were taken back; made: how many of a session;
    echoes: ids of turns that repeat what Ethos had shown; seen: up to when a session was looked through.
    """

    turns: Mapping[Session, Sequence[Episode]]
    known: Collection[str]
    made: Mapping[Session, int]
    echoes: Collection[str]
    seen: Mapping[Session, datetime]


def gather(work: Work, ctx: Context) -> Needs:
    """Ask for the new sessions, whole, and for what was distilled from them before."""
    user = ctx.settings.ethos.user
    new = {(project, session) for _, project, session in work.untold(user, ctx.tonight.end, limit=ctx.settings.summaries.max_episodes)}
    turns: defaultdict[Session, list[Episode]] = defaultdict(list)
    for episode in work.find(Episode, "session", {session for _, session in new if session}):
        if episode.user == user and (episode.project, episode.session) in new:
            turns[episode.project, episode.session].append(episode)
    held = [each for each in work.find(Memory, "project", {project for project, _ in turns}) if each.user == user]
    made: defaultdict[Session, int] = defaultdict(int)
    for memory in held:
        if memory.maker is not Maker.AGENT and not memory.consolidated:
            made[memory.project, memory.session] += 1
    seen = {(each.project, each.session): each.until for each in work.find(Distilled, "session", {session for _, session in turns})}
    everything = [episode for each in turns.values() for episode in each]
    ordered = {session: sorted(each, key=lambda turn: turn.said_at) for session, each in turns.items()}
    known = {each.id for each in held} | _taken_back(work, ctx)
    return Needs(ordered, known, made, echoes(work, ctx, everything), seen)


def _taken_back(work: Work, ctx: Context) -> frozenset[str]:
    """Return the memories that undone nights about other dates made."""
    date = ctx.tonight.date.isoformat()
    undone = [run for run in work.runs(name=NIGHT, limit=LOOKED_AT) if run.undone_by and run.reason != date]
    changes = (change for run in undone for change in work.changes(run.id).records)
    return frozenset(change.after.id for change in changes if isinstance(change.after, Memory) and change.before is None)


def echoes(work: Work, ctx: Context, turns: Sequence[Episode]) -> frozenset[str]:
    """Return the ids of the turns in which something stands that was shown before it was said."""
    if ctx.seal is None or not work.anything_served():
        return frozenset()
    said_in = {turn.id: fingerprints([turn.text], ctx.seal) for turn in turns if turn.role != "tool"}
    shown = work.served({one for each in said_in.values() for one in each})
    said = {turn.id: turn.said_at for turn in turns}
    return frozenset(id_ for id_, each in said_in.items() if any(one in shown and shown[one] < said[id_] for one in each))


def due(needs: Needs) -> Iterator[tuple[Session, Sequence[Episode]]]:
    """Yield the sessions that went on since they were looked through, with their turns."""
    for session, turns in sorted(needs.turns.items(), key=itemgetter(0)):
        if needs.seen.get(session) != turns[-1].said_at:
            yield session, turns


def decide(needs: Needs, ctx: Context) -> Plan:
    """Distil each session that went on since it was looked through."""
    groups = []
    lines = []
    readings = {(each.project, each.session): each for each in ctx.session_readings}
    for (project, session), turns in due(needs):
        most, user = ctx.settings.bank.memories_per_session, turns[0].user
        reading = readings.get((project, session), _NOT_ASKED)
        if reading.answered:
            found, maker = reading.found, Maker.MODEL
        else:
            found, maker = distilled(turns, most, lambda turn: turn.id in needs.echoes, ctx.readings), Maker.RULES
        made = [remembered(each, user, project, session, ctx.now, ctx.run, ctx.settings.bank, maker) for each in found]
        fresh = [memory for memory in made if memory.id not in needs.known][: max(0, most - needs.made[project, session])]
        looked = ("d-" + digest(user, project, session), user, project, session, turns[-1].said_at, ctx.now, len(fresh), maker)
        done = Distilled(*looked, attempts=reading.attempts, problem=reading.problem)
        puts: tuple[Record, ...] = (*fresh, done)
        groups.append(ChangeSet(done.id, puts, (), tuple(MemoryCreated(memory.id) for memory in fresh)))
        lines += [_line(memory) for memory in fresh]
        lines += [Line(f"session {session}: {reading.problem}")] if reading.problem else []
    counts = {"memories_distilled": sum(map(_made, groups))} | _usage(ctx)
    if lines or ctx.session_readings:
        groups.append(ChangeSet("", (), (), (Section(TITLE, tuple(lines), counts=counts),)))
    return Plan(tuple(groups))


def _made(group: ChangeSet) -> int:
    return len(group.events)


def _usage(ctx: Context) -> dict[str, int]:
    """Return the calls of a model and their tokens; nothing without a model."""
    if not ctx.session_readings:
        return {}
    return {
        "model_calls": sum(each.attempts for each in ctx.session_readings),
        "model_prompt_tokens": sum(each.prompt_tokens for each in ctx.session_readings),
        "model_completion_tokens": sum(each.completion_tokens for each in ctx.session_readings),
    }


def _line(memory: Memory) -> Line:
    if memory.state is MemoryState.QUARANTINED:
        return Line(f"{memory.title} ({memory.outcome}; waits for you, it is not your words)", f"ethos memory accept {memory.id}")
    return Line(f"{memory.title} ({memory.outcome})", f"ethos memory show {memory.id}")


DISTIL = Stage("distil", gather, decide)
