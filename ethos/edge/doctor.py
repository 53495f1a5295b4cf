"""The doctor: looks at everything that can keep a memory from working, and says what to type (E-38).

First the setup, then the runbook's three troubles: it never runs, it finds no facts, it flags too much. Nothing is changed.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal

from ethos.core.errors import Refused
from ethos.core.settings import Settings
from ethos.edge import idle, locks
from ethos.edge.clock import SystemClock
from ethos.edge.door import Door, Json
from ethos.edge.inbox import MarkdownInbox
from ethos.edge.report import clean, moment, paint, size

Level = Literal["ok", "warn", "fail"]

LEAST_FREE = 50 * 1024 * 1024  # bytes, and twice the write-ahead log (TRUST, SQLite)
LITTLE_FREE = 500 * 1024 * 1024
MANY_FLAGGED = 0.2  # of the facts held
FEW = 5  # fewer questions than this are no trouble, whatever their share
_STYLE = {"ok": "green", "warn": "yellow", "fail": "red"}


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at. `matters`: why it is worth a thought; `do`: what to type; both empty where all is well."""

    group: str
    level: Level
    name: str
    found: str
    matters: str = ""
    do: str = ""

    def data(self) -> Json:
        """For programs."""
        return asdict(self)

    def lines(self, *, verbose: bool = False) -> list[str]:
        """For people; what is well takes one line."""
        lines = [f"{paint(f'{self.level:<5}', _STYLE[self.level])} {self.name}: {clean(self.found)}"]
        if self.level != "ok" or verbose:
            lines += [f"      {clean(text)}" for text in (self.matters,) if text] + [
                f"      -> {clean(text)}" for text in (self.do,) if text
            ]
        return lines


def examine(explicit: Path | None) -> list[Check]:
    """Every check, in order."""
    try:
        door = Door(explicit)
    except Refused as refused:
        problem = refused.problem
        return [
            Check("setup", "fail", "configuration", f"{problem.where}: {problem.what}", "nothing works until it is right", problem.hint)
        ]
    with door:
        return [*_setup(door), *_memory(door)]


# -- the setup


def _setup(door: Door) -> Iterator[Check]:
    settings, file = door.settings, door.loaded.file
    yield Check(
        "setup", "ok", "configuration", str(file) if file else "no file; every setting has its default or comes from the environment"
    )
    if file is not None and file.stat().st_mode & stat.S_IWOTH:
        yield Check(
            "setup",
            "warn",
            "configuration",
            f"anybody on this machine can write {file}",
            "they could move your memory",
            f"chmod o-w {file}",
        )
    yield from _places(settings)
    yield _rules(door)
    yield _daemon(door)
    yield from _inbox(settings, door.state)


def _places(settings: Settings) -> Iterator[Check]:
    database = Path(settings.ethos.database)
    for name, path in (("database folder", database.parent), ("state folder", Path(settings.ethos.state)), ("database", database)):
        yield _place(name, path)
    beside = next(path for path in (database.parent, *database.parents) if path.exists())
    free, wal = shutil.disk_usage(beside).free, database.with_name(database.name + "-wal")
    needed = LEAST_FREE + 2 * (wal.stat().st_size if wal.exists() else 0)
    level: Level = "fail" if free < needed else "warn" if free < LITTLE_FREE else "ok"
    yield Check(
        "setup",
        level,
        "disk",
        f"{size(free)} free beside the database",
        f"capturing stops when the disk is full; {size(needed)} are the least" if level != "ok" else "",
        f"free some space on {beside}" if level != "ok" else "",
    )


def _place(name: str, path: Path) -> Check:
    try:
        status = path.stat()
    except FileNotFoundError:
        return Check("setup", "ok", name, f"{path} is not there yet; it is made when it is needed")
    except OSError as error:
        return Check("setup", "fail", name, f"{path} cannot be looked at: {error.strerror}", "nothing can be stored", f"ls -ld {path}")
    if not os.access(path, os.R_OK | os.W_OK | (os.X_OK if path.is_dir() else 0)):
        return Check(
            "setup", "fail", name, f"{path} cannot be read and written by this user", "nothing can be stored", f"chmod u+rwX {path}"
        )
    if status.st_mode & 0o077 and name != "database folder":
        mode = "700" if path.is_dir() else "600"
        return Check(
            "setup",
            "warn",
            name,
            f"{path} is open to others (mode {stat.S_IMODE(status.st_mode):o})",
            "others can read it",
            f"chmod {mode} {path}",
        )
    return Check("setup", "ok", name, str(path))


def _rules(door: Door) -> Check:
    book = door.rulebook
    fatal = [problem for problem in book.problems if problem.fatal]
    found = f"{sum(pack.rules for pack in book.packs)} rules in {len(book.packs)} packs"
    if not book.packs:
        return Check("setup", "fail", "rules", "no pack is in force", "no fact can be found", "ethos rules check")
    if fatal:
        first = f"{fatal[0].path}:{fatal[0].line}: {fatal[0].what}"
        return Check(
            "setup", "fail", "rules", f"{found}; {len(fatal)} errors, the first: {first}", "that pack is set aside", "ethos rules check"
        )
    return Check("setup", "ok", "rules", found)


def _daemon(door: Door) -> Check:
    socket = door.settings.socket.path
    if door.listens():
        return Check("setup", "ok", "daemon", f"it answers at {socket}")
    holder = locks.holder(door.state, locks.DAEMON)
    if holder is not None:
        what = f"process {holder} works on this memory, but nothing answers at {socket}"
        return Check("setup", "fail", "daemon", what, "commands refuse to work beside it", "systemctl --user restart ethos")
    matters = "commands work without one, but nothing is consolidated by itself"
    return Check("setup", "warn", "daemon", f"nothing answers at {socket}", matters, "ethos service install, or ethos run")


def _inbox(settings: Settings, state: Path) -> Iterator[Check]:
    path = Path(settings.conflict_resolution.review_inbox)
    reading = MarkdownInbox(path, state).read()
    for problem in reading.problems:
        yield Check("setup", "warn", "inbox", problem, "answers in it may not be read", "ethos inbox")
    for about, hint in reading.hints.items():
        yield Check("setup", "warn", "inbox", f"{about}: {hint}", "this answer is not taken", "ethos inbox --edit")
    if not reading.problems and not reading.hints:
        yield Check("setup", "ok", "inbox", f"{path}" if path.exists() else f"{path} is not there yet; the next cycle writes it")


# -- the memory, and the three troubles


def _memory(door: Door) -> Iterator[Check]:
    try:
        status = door.ask("status")
        wrong = door.service.ethos.store.check()
    except Refused as refused:
        problem = refused.problem
        yield Check("memory", "fail", "store", problem.what, "nothing can be read or stored", problem.hint)
        return
    yield from _store(status, wrong)
    now = SystemClock().now()
    yield from _never_runs(status, door.settings, now)
    yield from _no_facts(status, door.settings)
    yield _too_many_flagged(status, door.settings)


def _store(status: Json, wrong: Sequence[str]) -> Iterator[Check]:
    store = status["store"]
    wrong = [line for line in wrong if "other users" not in line]  # said above, with the folders
    for line in wrong:
        matters = "what is stored may be lost" if line.startswith("damaged") else "what is stored does not fit together"
        yield Check(
            "memory",
            "fail",
            "integrity",
            line,
            matters,
            f"stop Ethos and copy {store['path']} away; then restore a backup, or capture again",
        )
    if not wrong:
        yield Check("memory", "ok", "integrity", f"sound; {size(store['bytes'])}, write-ahead log {size(store['wal_bytes'])}")
    version = f"SQLite {store['sqlite_version']} ({store['module']}), journal {store['journal_mode']}, synchronous {store['synchronous']}"
    if store["journal_mode"] == "wal" and not store["wal_reset_safe"]:
        matters = "this SQLite can damage a write-ahead log that two processes write at once"
        yield Check(
            "memory", "warn", "SQLite", version, matters, "pip install --upgrade pysqlite3, or a newer SQLite (3.51.3, 3.50.7 or 3.44.6)"
        )
    else:
        yield Check("memory", "ok", "SQLite", version)


def _never_runs(status: Json, settings: Settings, now: datetime) -> Iterator[Check]:
    group, wanted = "it never runs", settings.consolidation
    events, seconds = status["events_recently"], wanted.idle_threshold_seconds
    last = f", the last {moment(status['last_event'])}" if status["last_event"] else ""
    matters = "while a session goes on, no cycle starts by itself"
    yield Check(
        group,
        "warn" if events else "ok",
        "recent events",
        f"{events} in the last {seconds:g} s{last}",
        matters if events else "",
        "wait, or ethos consolidate; or lower consolidation.idle_threshold_seconds" if events else "",
    )
    load, most = idle.load_percent(), wanted.cpu_threshold_percent
    if load is None:
        yield Check(group, "warn", "load", "cannot be read", "the machine is then taken as busy", "ethos consolidate")
    else:
        high = not load < most
        yield Check(
            group,
            "warn" if high else "ok",
            "load",
            f"{load:.0f} % of all cores over the last minute, it must be under {most:g}",
            "a busy machine is left alone" if high else "",
            "wait, or ethos consolidate; or raise consolidation.cpu_threshold_percent" if high else "",
        )
    yield _last_run(status, now, group, timedelta(minutes=wanted.interval_minutes))


def _last_run(status: Json, now: datetime, group: str, interval: timedelta) -> Check:
    runs = [run for run in status["runs"] if run["name"] == "consolidate"]
    if not runs:
        level: Level = "warn" if status["counts"]["episodes"] else "ok"
        return Check(group, level, "last run", "there was none yet", "nothing was read so far", "ethos consolidate")
    last = runs[0]
    age = now - datetime.fromisoformat(last["started_at"])
    found = f"{last['outcome']}, {moment(last['started_at'])} ({_age(age)} ago)"
    if last["outcome"] == "failed" or (last["outcome"] == "running" and age > timedelta(hours=1)):
        return Check(
            group, "warn", "last run", found, "it did not come to its end; the next one goes on from there", "ethos consolidate -v"
        )
    if age > 4 * interval and status["counts"]["unscanned"]:
        return Check(
            group,
            "warn",
            "last run",
            found,
            f"one is due every {interval.total_seconds() / 60:g} minutes",
            "ethos run, or ethos consolidate",
        )
    return Check(group, "ok", "last run", found)


def _no_facts(status: Json, settings: Settings) -> Iterator[Check]:
    group, counts = "no facts", status["counts"]
    if not counts["episodes"]:
        yield Check(group, "warn", "episodes", "none were captured", "there is nothing to learn from", "ethos capture PATH")
        return
    yield Check(group, "ok", "episodes", f"{counts['episodes']:,} captured, {counts['unconsolidated']:,} of them gave no fact so far")
    unread, read = counts["unscanned"], counts["episodes"] - counts["unscanned"]
    matters = "the next cycle reads them, the most important first"
    yield Check(
        group,
        "warn" if unread else "ok",
        "to be read",
        f"{unread:,} episodes",
        matters if unread else "",
        "ethos consolidate" if unread else "",
    )
    waiting = status["unread_important"][:10]
    if waiting:
        shown = "; ".join(f"{importance:.2f} {episode} {text}" for episode, importance, text in waiting)
        yield Check(group, "ok", f"top {len(waiting)} by importance", shown)
    if counts["set_aside"]:
        matters = f"each of them failed {settings.consolidation.max_attempts} times, or ended the process"
        yield Check(group, "warn", "set aside", f"{counts['set_aside']:,} episodes", matters, "ethos why ID, with an id from the log")
    if read and not counts["facts"]:
        matters = "the rules found nothing: the shipped packs read English, and only what users say"
        yield Check(
            group, "warn", "facts", f"none in {read:,} episodes read", matters, 'ethos rules explain "a sentence that should give a fact"'
        )
    else:
        yield Check(group, "ok", "facts", f"{counts['facts']:,} held, {counts['facts_history']:,} former")


def _too_many_flagged(status: Json, settings: Settings) -> Check:
    """The runbook says to raise the delta, which makes more questions; the remedy is to lower it (E-39, X-E10)."""
    group, counts = "too many flagged", status["counts"]
    delta = settings.conflict_resolution.auto_supersede_confidence_delta
    found = f"{counts['flagged']:,} of {counts['facts']:,} facts in question, {counts['questions']:,} questions open"
    if counts["questions"] >= FEW and counts["flagged"] > MANY_FLAGGED * max(1, counts["facts"]):
        matters = f"a claim replaces another by itself when it is surer by more than {delta:g}; a lower number asks less"
        lower = f"{max(0.0, delta - 0.05):.2f}"
        do = f"answer them (ethos inbox --edit), or LOWER conflict_resolution.auto_supersede_confidence_delta, such as to {lower}"
        return Check(group, "warn", "questions", found, matters, do)
    return Check(group, "ok", "questions", found + (" -> ethos inbox" if counts["questions"] else ""))


def _age(age: timedelta) -> str:
    minutes = int(age.total_seconds() // 60)
    if minutes < 120:
        return f"{minutes} minutes"
    return f"{minutes // 60} hours" if minutes < 2880 else f"{minutes // 1440} days"
