"""The daemon: Ethos as a process that stays (E-01, E-05; TRUST, systemd).

Threads
    main        waits for signals, and tells systemd of progress; it does no work, so that it always answers
    scheduler   APScheduler's clock: hands due jobs to the worker
    worker      one: the jobs follow, inbox, cycle and backup, never two at a time
    watch       hears of saves of the review file (edge/inbox/watching.py), and has the worker look once they have settled
    reader      lets callers in and hears them, all at once (edge/server/socket_server.py)
    request     one for each request that is worked on, at most `trigger.WORKERS`
A pass, whoever wants it, needs the turn (edge/server/pass_lock.py), so there is one at a time.

Shutdown, in this order
    1. say so to systemd and in the log: from here on silence is no fault
    2. stop the loop: a pass that runs ends after its unit, whose transaction holds all it did
    3. close the trigger: nobody new comes in; a second signal from here on ends the process at once
    4. stop watching, then the scheduler, and wait for its job: it ends soon, because of 2
    5. drain the connections: who is being served gets an answer
    6. close the store: nobody uses it any more
    7. remove the socket, then let go of the locks: only now may another daemon start
"""

from __future__ import annotations

import logging
import os
import signal
import time
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path

from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.date import DateTrigger
from apscheduler.triggers.interval import IntervalTrigger

from ethos.core.model.errors import Problem, Refused
from ethos.core.model.settings import Settings
from ethos.core.text.plurals import plural
from ethos.edge import wiring
from ethos.edge.api.actions import Service
from ethos.edge.api.actions.learn import take_in
from ethos.edge.capture.follower import Follower
from ethos.edge.config import loading, logs
from ethos.edge.config.loading import Loaded
from ethos.edge.files import backups, locks, ownership, spool
from ethos.edge.inbox import Watch
from ethos.edge.jsonio.shapes import Json, plain
from ethos.edge.rulebook import Rulebook
from ethos.edge.server import listener as listening
from ethos.edge.server import memory_trim, notify
from ethos.edge.server.backoff import Trouble
from ethos.edge.server.loop import Loop
from ethos.edge.server.pass_lock import Turns
from ethos.edge.server.rebinding import Rebinding
from ethos.edge.server.socket_server import Trigger

TICK_SECONDS = 5.0  # how often the loop and the review file are looked at; what a look costs decides what an idle daemon costs
SETTLED_SECONDS = 0.1  # after a save has settled the worker looks at it, if it hears of it; else at the next tick
LATE_SECONDS = 60.0  # a worker that has not turned for so long is stuck
BACKUP_SECONDS = 60.0  # how often it is looked whether a backup is due
UNIT_SECONDS = 300.0  # a pass that has not ended a unit for so long is stuck
QUIET_SECONDS = 10.0  # after so long with nothing to do, memory is given back
BUSY_SECONDS = 30.0  # and so often while there is always something to do: what bursts leave behind would add up
DRAIN_SECONDS = 20.0  # for the callers at shutdown; the unit's TimeoutStopSec is longer
STATUS_SECONDS = 30.0  # how often systemd's status line is looked over, where no watchdog asks for more
_SIGNALS = frozenset({signal.SIGTERM, signal.SIGINT, signal.SIGHUP})
_FIXED = ("ethos.database", "ethos.state", "ethos.user", "socket.path", "socket.max_connections")  # a reload leaves these as they were

log = logs.get()


def run(explicit: Path | None = None) -> int:
    """Stay until a signal says otherwise; the exit code. explicit: the configuration file that was named. Raises `Refused` at the start."""
    loaded = loading.load(explicit)
    settings = loaded.settings
    logs.configure(settings.ethos)
    logging.getLogger("apscheduler").setLevel(logging.ERROR)  # it warns of every job that takes longer than its interval
    signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)  # before the first thread, so that only `main` gets them
    memory_trim.prepare()
    try:
        with ExitStack() as end:
            hint = "one is enough: `ethos status` shows it, and SIGTERM to that process ends it"
            end.enter_context(locks.hold(Path(settings.ethos.state), locks.DAEMON, "another daemon works on this memory", hint))
            spool.clear(Path(settings.ethos.state))
            passed = listening.passed(os.environ)
            if passed is not None and passed.getsockname() != settings.socket.path:
                log.warning("systemd listens elsewhere than commands look", passed=passed.getsockname(), path=settings.socket.path)
            own = listening.Listening(Path(settings.socket.path))
            listener = end.enter_context(own) if passed is None else end.enter_context(passed)
            manager, watchdog = notify.from_environment(os.environ)
            daemon = Daemon(loaded, lambda: loading.load(explicit), manager, watchdog)
            end.callback(daemon.close)
            daemon.serve(Trigger(listener, daemon.asked), own if passed is None else None)
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
    return 0


class Daemon:
    """One life of the daemon."""

    def __init__(self, loaded: Loaded, reload: Callable[[], Loaded], manager: notify.Notifier, watchdog: float | None) -> None:
        """watchdog: seconds within which the manager wants a sign of progress; None: it wants none. Raises `Refused`."""
        self._begun = time.monotonic()
        self._turned = self._begun  # when the worker last got somewhere
        self._worked: float | None = self._begun  # when there was last something to do; None: all is tidy since
        self._tidied = self._begun
        self._loaded = loaded
        self._reload = reload
        self._manager = manager
        self._watchdog = watchdog
        self._reload_problem = ""
        self._said = ""
        self._review_trouble = Trouble("The review file")
        self._follow_trouble = Trouble("Following")
        self._backup_trouble = Trouble("The backup")
        self._caught_up = False
        for name, path, mode in ownership.open_to_others(loaded.settings):
            log.warning(f"Others may read the {name} (mode {mode})", where=str(path), hint="ethos doctor")
        rulebook = wiring.rules(loaded.settings)
        _tell_rules(rulebook)
        ethos = wiring.build(loaded.settings, rulebook)
        self.loop = Loop(ethos, Turns(loaded.settings.socket.wait_seconds), since_start=lambda: time.monotonic() - self._begun)
        self.service = self._service(rulebook)
        self._started_at = ethos.clock.now()
        self._follower = self._new_follower()
        self._scheduler = BackgroundScheduler(
            executors={"default": ThreadPoolExecutor(1)},
            job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None},
            timezone=UTC,
        )
        self._watch = Watch(self._saved)

    # -- its life

    def serve(self, callers: Trigger, own: listening.Listening | None) -> None:
        """Start, wait for a signal to end, and shut down. own: where we listen; None: at a socket that systemd keeps."""
        self._schedule()
        if own is not None:
            look = Rebinding(callers, own, Path(self._settings.socket.path)).look
            self._scheduler.add_job(look, IntervalTrigger(seconds=TICK_SECONDS, timezone=UTC), id="socket")
        self._scheduler.start()
        callers.start()
        log.info(f"Consolidation loop started (interval: {self._settings.consolidation.interval_minutes:g}min)", pid=os.getpid())
        self._manager.ready(self._words())
        memory_trim.begun()
        name = self._wait()
        self._manager.stopping()
        log.info("Consolidation loop shutting down", signal=name)
        self.loop.stop()
        for each in (signal.SIGTERM, signal.SIGINT):
            signal.signal(each, signal.SIG_DFL)  # a second one ends the process at once
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM, signal.SIGINT})
        callers.close()
        self._watch.close()
        self._scheduler.shutdown(wait=True)
        if left := callers.drain(DRAIN_SECONDS):
            log.warning("Callers were left without an answer", callers=left)

    def asked(self) -> Service:
        """What a request is answered with."""
        self._worked = time.monotonic()
        return self.service

    def close(self) -> None:
        """Release the store."""
        self.loop.ethos.close()

    def _wait(self) -> str:
        """Until a signal says to end: keep the manager informed, reload when asked to. The signal's name."""
        period = self._watchdog / 3 if self._watchdog else STATUS_SECONDS
        while True:
            got = signal.sigtimedwait(_SIGNALS, period)
            if got is None or got.si_signo not in _SIGNALS:  # interrupted as the time ran out: CPython then gives what it never filled in
                if self._watchdog and self._alive():
                    self._manager.watchdog()
                self._say()
            elif got.si_signo == signal.SIGHUP:
                self._reload_all()
            else:
                return signal.Signals(got.si_signo).name

    def _alive(self) -> bool:
        """There was progress: the worker turned, or is in a pass that gets on, and no pass is overdue."""
        passing = self.loop.turns.stuck(UNIT_SECONDS)
        turning = time.monotonic() - self._turned < LATE_SECONDS + TICK_SECONDS or self.loop.turns.taken
        return turning and not passing

    # -- its jobs

    def _schedule(self) -> None:
        """The jobs, each with its interval; following only where there is something to follow."""
        now = datetime.now(UTC)  # noqa: TID251 (APScheduler's clock is the machine's)
        jobs: list[tuple[Callable[[], None], str, float]] = [(self._cycle, "cycle", TICK_SECONDS), (self._inbox, "inbox", TICK_SECONDS)]
        jobs.append((self._backup, "backup", BACKUP_SECONDS))
        if self._follower is not None:
            jobs.append((self._follow, "follow", self._settings.capture.follow_seconds))
        for number, (job, name, seconds) in enumerate(jobs):
            first = now + timedelta(seconds=number)
            self._scheduler.add_job(
                job, IntervalTrigger(seconds=seconds, timezone=UTC), id=name, replace_existing=True, next_run_time=first
            )
        if self._follower is None and self._scheduler.get_job("follow"):
            self._scheduler.remove_job("follow")

    def _cycle(self) -> None:
        self._turned = time.monotonic()
        before = self.loop.last
        self.loop.tick()
        if self.loop.last is not before:
            self._worked = self._turned
        self._tidy()

    def _tidy(self) -> None:
        """Give back what is free once nobody wants anything, and now and then where somebody always does."""
        if self._worked is None or self.loop.turns.taken:
            return
        quiet = self._turned - self._worked > QUIET_SECONDS
        if quiet or self._turned - self._tidied > BUSY_SECONDS:
            self._worked = None if quiet else self._worked
            self._tidied = self._turned
            self.loop.ethos.store.slim()
            memory_trim.tidy()

    def _saved(self) -> None:
        """Somebody saved the review file: look again as soon as that has settled."""
        settled = timedelta(seconds=self._settings.inbox.settle_seconds + SETTLED_SECONDS)
        at = datetime.now(UTC) + settled  # noqa: TID251 (APScheduler's clock is the machine's)
        self._scheduler.add_job(self._inbox, DateTrigger(at, timezone=UTC), id="saved", replace_existing=True)

    def _inbox(self) -> None:
        self._turned = time.monotonic()
        ethos = self.loop.ethos
        self._watch.follow(Path(self._settings.conflict_resolution.review_inbox))
        if self._review_trouble.waits:
            return
        with self._review_trouble.handled():
            if not ethos.review_due():
                return
            settled = self.loop.turns.alone(ethos.settle, wait_seconds=0)
            self._review_trouble.gone()
            if settled:
                log.info(f"Review file read: {plural(settled, 'answer')} applied")

    def _backup(self) -> None:
        self._turned = time.monotonic()
        ethos = self.loop.ethos
        if self._backup_trouble.waits or self.loop.turns.taken:
            return
        with self._backup_trouble.handled():
            if not backups.due(ethos) or self.loop.why_not_idle():
                return
            made, gone = self.loop.turns.alone(lambda: backups.take(ethos), wait_seconds=0)
            self._backup_trouble.gone()
            log.info("Backed up", path=str(made), removed=len(gone))

    def _follow(self) -> None:
        self._turned = time.monotonic()
        follower = self._follower
        if follower is None or self._follow_trouble.waits:
            return
        with self._follow_trouble.handled():
            now = self.loop.ethos.clock.now()
            try:
                data = take_in(self.service, follower.poll(now), now=now, live=self._caught_up)
                follower.keep(data["refused"])
            except BaseException:
                follower.rewind()
                raise
            self._caught_up = True  # the first poll may bring in history, which is no session event
            self._follow_trouble.gone()
            for problem in data["problems"]:
                log.warning("Cannot follow", problem=problem["message"], where=problem["where"])
            if data["added"]:
                self._worked = time.monotonic()
                log.info(f"Captured {plural(data['added'], 'episode')}", files=data["files"])

    def _got_somewhere(self, _item: object) -> None:
        self._turned = time.monotonic()

    # -- reloading

    def _reload_all(self) -> None:
        """Read configuration and rules anew; where they are not good, the last good ones stay."""
        self._manager.reloading()
        try:
            self._adopt(self._reload())
        except Refused as refused:
            self._keep(refused.problem)
        self._said = self._words()
        self._manager.ready(self._said)

    def _adopt(self, loaded: Loaded) -> None:
        changed = [name for name in _FIXED if _setting(loaded.settings, name) != _setting(self._settings, name)]
        if changed:
            self._keep(
                Problem("bad-config", f"{', '.join(changed)} cannot change while the daemon runs", "restart it", str(loaded.file or ""))
            )
            return
        rulebook = wiring.rules(loaded.settings)
        bad = {problem.path for problem in rulebook.problems if problem.fatal}
        lost = {str(pack.path) for pack in self.service.rulebook.packs} & bad - {str(pack.path) for pack in rulebook.packs}
        if lost or not rulebook.packs:  # the last good version of a pack could not be kept in the state folder
            fatal = next(problem for problem in rulebook.problems if problem.fatal and (not lost or problem.path in lost))
            self._keep(Problem("bad-rules", fatal.what, "`ethos rules check` shows all mistakes", f"{fatal.path}:{fatal.line}"))
            return
        before, ethos = self.loop.ethos, wiring.build(loaded.settings, rulebook)
        self._loaded = loaded
        self.loop.ethos = ethos
        self.loop.turns.wait_seconds = loaded.settings.socket.wait_seconds
        self.service = self._service(rulebook)
        before.close()  # its connections end as they are handed back
        self._follower, self._caught_up = self._new_follower(), False
        self._schedule()
        logs.configure(loaded.settings.ethos)
        self._reload_problem = ""
        _tell_rules(rulebook)
        log.info("Configuration and rules read anew", rules=rulebook.rules.hash)

    def _keep(self, problem: Problem) -> None:
        self._reload_problem = f"{problem.where}: {problem.what}" if problem.where else problem.what
        log.error(f"Reload failed, the last good configuration and rules stay: {problem.what}", where=problem.where, hint=problem.hint)

    def _new_follower(self) -> Follower | None:
        capture = self._settings.capture
        cursors = Path(self._settings.ethos.state) / "cursors.json"
        return Follower(capture.follow, capture, cursors) if capture.follow else None

    def _service(self, rulebook: Rulebook) -> Service:
        return Service(self.loop.ethos, rulebook, self.loop, by="socket", daemon=self.state, watch=self._got_somewhere)

    # -- what it says of itself

    @property
    def _settings(self) -> Settings:
        return self._loaded.settings

    def state(self) -> Json:
        """For `status` and `doctor`."""
        why_not = self.loop.why_not_idle()
        troubles = {"cycle": self.loop.trouble.what, "inbox": self._review_trouble.what, "follow": self._follow_trouble.what}
        troubles["backup"] = self._backup_trouble.what
        troubles["store"] = self.loop.ethos.store.trouble
        return {
            "pid": os.getpid(),
            "started_at": plain(self._started_at),
            "config": str(self._loaded.file or ""),
            "socket": self._settings.socket.path,
            "interval_minutes": self._settings.consolidation.interval_minutes,
            "idle": not why_not,
            "why_not_idle": list(why_not),
            "due_in_seconds": round(self.loop.wait()),
            "running": self.loop.turns.taken,
            "degraded": {name: trouble for name, trouble in troubles.items() if trouble},
            "reload_problem": self._reload_problem,
            "last_cycle": self.loop.last and {**self.loop.last.counts, "run": self.loop.last.run},
            "follow": list(self._settings.capture.follow),
        }

    def _words(self) -> str:
        """The same in a line."""
        trouble = self.loop.trouble.what or self._follow_trouble.what or self._review_trouble.what or self.loop.ethos.store.trouble
        if trouble:
            return f"degraded: {trouble}"
        if self._reload_problem:
            return f"running with the last good configuration: {self._reload_problem}"
        if rules := _rules_trouble(self.service.rulebook):
            return rules
        last = self.loop.last
        return "waiting" if last is None else f"last cycle: {last.episodes_scanned} scanned, {last.episodes_promoted} promoted"

    def _say(self) -> None:
        words = self._words()
        if words != self._said:
            self._said = words
            self._manager.status(words)


def _setting(settings: Settings, name: str) -> object:
    section, key = name.split(".")
    return getattr(getattr(settings, section), key)


def _rules_trouble(rulebook: Rulebook) -> str:
    """Which packs are not in force as their files say; empty where all are."""
    fatal = [problem for problem in rulebook.problems if problem.fatal]
    if not fatal:
        return ""
    stale = {str(pack.path) for pack in rulebook.packs if pack.stale}
    instead = "its last good version" if fatal[0].path in stale else "the other packs"
    return f"running with {instead}: {fatal[0].path}:{fatal[0].line}: {fatal[0].what} ({plural(len(fatal), 'mistake')})"


def _tell_rules(rulebook: Rulebook) -> None:
    """A pack with mistakes is set aside, or its last good version stays in use, and that is said."""
    for problem in rulebook.problems:
        tell = log.error if problem.fatal else log.warning
        tell(f"Rules: {problem.what}", code=problem.code, where=f"{problem.path}:{problem.line}", rule=problem.rule, hint=problem.hint)
