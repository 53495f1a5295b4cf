"""Check for the runbook's three troubles: it never runs, it finds no facts, it flags too much (E-38, E-39)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from ethos.core.model.settings import Settings
from ethos.core.text.plurals import plural
from ethos.edge.config.clock import SystemClock
from ethos.edge.jsonio.shapes import Json
from ethos.edge.ops.doctor.check import Check, warn, well
from ethos.edge.render.report import moment
from ethos.edge.server import idle

_MANY_FLAGGED = 0.2  # share of the facts held
FEW = 5  # fewer questions than this are no trouble, whatever their share


def checks(status: Json, settings: Settings) -> Iterator[Check]:
    """Yield all these checks."""
    now = SystemClock().now()
    yield from _never_runs(status, settings, now)
    yield from _no_facts(status, settings)
    yield _too_many_flagged(status, settings)


def _never_runs(status: Json, settings: Settings, now: datetime) -> Iterator[Check]:
    group, wanted = "it never runs", settings.consolidation
    events = status["events_recently"]
    last = f", the last {moment(status['last_event'])}" if status["last_event"] else ""
    found = f"{events} in the last {wanted.idle_threshold_seconds:g} s{last}"
    if events:
        matters = "while a session goes on, no cycle starts by itself"
        do = "wait, or ethos consolidate; or lower consolidation.idle_threshold_seconds"
        yield warn(group, "recent events", found, matters, do)
    else:
        yield well(group, "recent events", found)
    load, most = idle.load_percent(), wanted.cpu_threshold_percent
    if load is None:
        yield warn(group, "load", "cannot be read", "the machine is then taken as busy", "ethos consolidate")
    elif load < most:
        yield well(group, "load", f"{load:.0f} % of all cores over the last minute, it must be under {most:g}")
    else:
        found = f"{load:.0f} % of all cores over the last minute, it must be under {most:g}"
        do = "wait, or ethos consolidate; or raise consolidation.cpu_threshold_percent"
        yield warn(group, "load", found, "a busy machine is left alone", do)
    if not wanted.on_battery and idle.on_battery():
        yield warn(
            group, "battery", "in use", "with consolidation.on_battery = false it waits for the mains", "plug it in, or ethos consolidate"
        )
    yield _last_run(status, now, group, timedelta(minutes=wanted.interval_minutes))


def _last_run(status: Json, now: datetime, group: str, interval: timedelta) -> Check:
    last = status["cycle"]
    if last is None:
        none = "there was none yet"
        wanted = status["counts"]["episodes"]
        return warn(group, "last run", none, "nothing was read so far", "ethos consolidate") if wanted else well(group, "last run", none)
    age = now - datetime.fromisoformat(last["started_at"])
    if age < timedelta():
        found = f"{last['outcome']}, {moment(last['started_at'])}, which is still to come"
        return warn(group, "last run", found, "the clock was set back; runs go on all the same", "compare the clock: date -u")
    found = f"{last['outcome']}, {moment(last['started_at'])} ({_age(age)} ago)"
    if last["outcome"] == "failed" or (last["outcome"] == "running" and age > timedelta(hours=1)):
        matters = "it did not come to its end; the next one goes on from there"
        return warn(group, "last run", found, matters, "ethos consolidate -v")
    if age > 4 * interval and status["counts"]["unscanned"]:
        matters = f"one is due every {interval.total_seconds() / 60:g} minutes"
        return warn(group, "last run", found, matters, "ethos run, or ethos consolidate")
    return well(group, "last run", found)


def _no_facts(status: Json, settings: Settings) -> Iterator[Check]:
    group, counts = "no facts", status["counts"]
    if not counts["episodes"]:
        yield warn(group, "episodes", "none were captured", "there is nothing to learn from", "ethos capture PATH")
        return
    yield well(group, "episodes", f"{counts['episodes']:,} captured, {counts['unconsolidated']:,} of them gave no fact so far")
    unread, read = counts["unscanned"], counts["episodes"] - counts["unscanned"]
    if unread:
        matters = "the next cycle reads them, the most important first"
        yield warn(group, "to be read", plural(unread, "episode"), matters, "ethos consolidate")
    else:
        yield well(group, "to be read", "0 episodes")
    if waiting := status["unread_important"][:10]:
        shown = "; ".join(f"{importance:.2f} {episode} {text}" for episode, importance, text in waiting)
        yield well(group, f"top {len(waiting)} by importance", shown)
    if counts["set_aside"]:
        matters = f"each of them failed {plural(settings.consolidation.max_attempts, 'time')}, or ended the process"
        yield warn(group, "set aside", plural(counts["set_aside"], "episode"), matters, "ethos why ID, with an id from the log")
    if read and not counts["facts"]:
        matters = "the rules found nothing: the shipped packs read English, and only what users say"
        do = 'ethos rules explain "a sentence that should give a fact"'
        yield warn(group, "facts", f"none in {plural(read, 'episode')} read", matters, do)
    else:
        yield well(group, "facts", f"{counts['facts']:,} held, {counts['facts_history']:,} superseded or retired")


def _too_many_flagged(status: Json, settings: Settings) -> Check:
    """Check the number of questions. The remedy is to lower the delta; raising it, as the runbook says, makes more (E-39, X-E10)."""
    group, counts = "too many flagged", status["counts"]
    delta = settings.conflict_resolution.auto_supersede_confidence_delta
    found = f"{counts['flagged']:,} of {plural(counts['facts'], 'fact')} in question, {plural(counts['questions'], 'question')} open"
    if counts["questions"] >= FEW and counts["flagged"] > _MANY_FLAGGED * max(1, counts["facts"]):
        matters = f"a claim replaces another by itself when it is surer by more than {delta:g}; a lower number asks less"
        lower = f"{max(0.0, delta - 0.05):.2f}"
        do = f"answer them (ethos inbox --edit), or LOWER conflict_resolution.auto_supersede_confidence_delta, such as to {lower}"
        return warn(group, "questions", found, matters, do)
    return well(group, "questions", found + (" -> ethos inbox" if counts["questions"] else ""))


def _age(age: timedelta) -> str:
    minutes = int(age.total_seconds() // 60)
    if minutes < 120:
        return plural(minutes, "minute")
    return plural(minutes // 60, "hour") if minutes < 2880 else plural(minutes // 1440, "day")
