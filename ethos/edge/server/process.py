"""The daemon: Ethos as a long-running process (E-01, E-05).

Threads
    main: waits for signals and reports progress to systemd; it does no work, so that it always responds
    scheduler: APScheduler's clock; hands due jobs to the worker
    worker: one thread; runs the jobs follow, inbox, cycle, night and backup, never two at a time
    watch: notices saves of the review file (edge/inbox/watching.py) and schedules the inbox job once they have settled
    reader: accepts and reads all connections (edge/server/event_loop.py)
    request: one for each request in progress, at most `worker_pool.WORKERS`
Every run needs the run lock (edge/server/run_lock.py), so there is one at a time.

Shutdown, in this order
    1. report it to systemd and the log: from here on silence is no fault
    2. stop the loop: a running pass ends after its unit, whose transaction holds all it did
    3. close the socket server: it accepts nothing new; a second signal from here on ends the process at once
    4. stop watching, then the scheduler, and wait for its job, which ends soon because of 2
    5. drain the connections: requests in progress get an answer
    6. close the store: nothing uses it any more
    7. remove the socket, then release the locks: only now may another daemon start
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
from ethos.edge.config import loading, logs
from ethos.edge.config.loading import Loaded
from ethos.edge.files import locks, ownership, spool
from ethos.edge.inbox import Watch
from ethos.edge.jsonio.shapes import Json, plain
from ethos.edge.rulebook import Rulebook
from ethos.edge.server import listener as listening
from ethos.edge.server import memory_trim, notify, rule_problems
from ethos.edge.server.backoff import Backoff
from ethos.edge.server.backup_schedule import BackupSchedule
from ethos.edge.server.bank_schedule import BankSchedule
from ethos.edge.server.following import Following
from ethos.edge.server.loop import Loop
from ethos.edge.server.nights import Nights
from ethos.edge.server.rebinding import SocketWatch
from ethos.edge.server.run_lock import RunLock
from ethos.edge.server.socket_server import SocketServer

_TICK_SECONDS = 5.0  # how often the loop and the review file are checked; the cost of a check decides that of an idle daemon
_SETTLED_SECONDS = 0.1  # delay after a save has settled until the worker reads it, if the save was noticed; else the next tick does
_LATE_SECONDS = 60.0  # a worker without progress for this long is stuck
_BACKUP_SECONDS = 60.0  # how often to check whether a backup is due
_UNIT_SECONDS = 300.0  # a run that has ended no unit for this long is stuck
_QUIET_SECONDS = 10.0  # without work for this long, free memory is returned
_BUSY_SECONDS = 30.0  # and this often under constant load, because what bursts leave behind would add up
_DRAIN_SECONDS = 20.0  # for requests in progress at shutdown; the unit's TimeoutStopSec is longer
_STATUS_SECONDS = 30.0  # how often systemd's status line is updated, unless the watchdog needs more
_SIGNALS = frozenset({signal.SIGTERM, signal.SIGINT, signal.SIGHUP})
_FIXED = ("ethos.database", "ethos.state", "ethos.user", "socket.path", "socket.max_connections")  # a reload cannot change these

log = logs.get()


def run(explicit: Path | None = None) -> int:
    """Run the daemon until a signal ends it; return the exit code. explicit: configuration file given. Raises `Refused` at the start."""
    loaded = loading.load(explicit)
    settings = loaded.settings
    logs.configure(settings.ethos)
    logging.getLogger("apscheduler").setLevel(logging.ERROR)  # it warns of every job that takes longer than its interval
    signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)  # before the first thread, so that only `main` receives them
    memory_trim.prepare()
    try:
        with ExitStack() as end:
            hint = "one is enough: `ethos status` shows it, and SIGTERM to that process ends it"
            end.enter_context(locks.hold(Path(settings.ethos.state), locks.DAEMON, "another daemon works on this memory", hint))
            spool.clear(Path(settings.ethos.state))
            passed = listening.from_systemd(os.environ)
            if passed is not None and passed.getsockname() != settings.socket.path:
                log.warning("systemd listens on another socket than commands use", passed=passed.getsockname(), path=settings.socket.path)
            own = listening.Listener(Path(settings.socket.path))
            listener = end.enter_context(own) if passed is None else end.enter_context(passed)
            manager, watchdog = notify.from_environment(os.environ)
            daemon = Daemon(loaded, lambda: loading.load(explicit), manager, watchdog)
            end.callback(daemon.close)
            daemon.serve(SocketServer(listener, daemon.service_for_request), own if passed is None else None)
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
    return 0


class Daemon:
    """The running daemon: its jobs, its configuration, its state."""

    def __init__(self, loaded: Loaded, reload: Callable[[], Loaded], manager: notify.Notifier, watchdog: float | None) -> None:
        """watchdog: seconds within which the manager expects progress; None: no watchdog. Raises `Refused`."""
        self._started = time.monotonic()
        self._last_progress = self._started  # when the worker last made progress
        self._last_work: float | None = self._started  # when there was last work to do; None: memory is trimmed since
        self._last_trim = self._started
        self._loaded = loaded
        self._reload = reload
        self._manager = manager
        self._watchdog = watchdog
        self._reload_problem = ""
        self._last_status = ""
        self._review_backoff = Backoff("The review file")
        self._following = Following()
        for name, path, mode in ownership.open_to_others(loaded.settings):
            log.warning(f"Others may read the {name} (mode {mode})", where=str(path), hint="ethos doctor")
        rulebook = wiring.rules(loaded.settings)
        rule_problems.log_problems(rulebook)
        ethos = wiring.build(loaded.settings, rulebook)
        ethos.load()
        self.loop = Loop(ethos, RunLock(loaded.settings.socket.wait_seconds), since_start=lambda: time.monotonic() - self._started)
        self._nights = Nights(self.loop)
        self._bank = BankSchedule(self.loop)
        self._backups = BackupSchedule(self.loop)
        self.service = self._service(rulebook)
        self._started_at = ethos.clock.now()
        self._following.configure(loaded.settings)
        self._scheduler = BackgroundScheduler(
            executors={"default": ThreadPoolExecutor(1)},
            job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None},
            timezone=UTC,
        )
        self._watch = Watch(self._review_saved)

    # -- life cycle

    def serve(self, server: SocketServer, own: listening.Listener | None) -> None:
        """Start, wait for a signal to end, and shut down. own: our socket; None: systemd holds it."""
        self._schedule()
        if own is not None:
            look = SocketWatch(server, own, Path(self._settings.socket.path)).look
            self._scheduler.add_job(look, IntervalTrigger(seconds=_TICK_SECONDS, timezone=UTC), id="socket")
        self._scheduler.start()
        server.start()
        log.info(f"Consolidation loop started (interval: {self._settings.consolidation.interval_minutes:g}min)", pid=os.getpid())
        self._bank.start()
        self._manager.ready(self._status_line())
        memory_trim.freeze()
        name = self._wait_for_signal()
        self._manager.stopping()
        log.info("Consolidation loop shutting down", signal=name)
        self.loop.stop()
        for each in (signal.SIGTERM, signal.SIGINT):
            signal.signal(each, signal.SIG_DFL)  # a second signal ends the process at once
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM, signal.SIGINT})
        server.close()
        self._watch.close()
        self._scheduler.shutdown(wait=True)
        if left := server.drain(_DRAIN_SECONDS):
            log.warning("Requests were left without an answer", requests=left)

    def service_for_request(self) -> Service:
        """Return the service for a request, and note that there is work."""
        self._last_work = time.monotonic()
        return self.service

    def close(self) -> None:
        """Release the store."""
        self.loop.ethos.close()

    def _wait_for_signal(self) -> str:
        """Wait for a signal to end and return its name. Meanwhile report progress, and reload on SIGHUP."""
        period = self._watchdog / 3 if self._watchdog else _STATUS_SECONDS
        while True:
            got = signal.sigtimedwait(_SIGNALS, period)
            if got is None or got.si_signo not in _SIGNALS:  # interrupted as the time ran out: CPython then returns an unfilled struct
                if self._watchdog and self._is_alive():
                    self._manager.watchdog()
                self._send_status()
            elif got.si_signo == signal.SIGHUP:
                self._reload_all()
            else:
                return signal.Signals(got.si_signo).name

    def _is_alive(self) -> bool:
        """Return True if the worker made progress lately or a pass runs, and no pass is stuck."""
        stuck = self.loop.run_lock.is_stuck(_UNIT_SECONDS)
        working = time.monotonic() - self._last_progress < _LATE_SECONDS + _TICK_SECONDS or self.loop.run_lock.taken
        return working and not stuck

    # -- jobs

    def _schedule(self) -> None:
        """Schedule the jobs, each with its interval; `follow` only if there is something to follow."""
        now = datetime.now(UTC)  # noqa: TID251 (APScheduler's clock is the machine's)
        jobs: list[tuple[Callable[[], None], str, float]] = [(self._cycle, "cycle", _TICK_SECONDS), (self._inbox, "inbox", _TICK_SECONDS)]
        jobs += [(self._night, "night", _TICK_SECONDS), (self._backup, "backup", _BACKUP_SECONDS)]
        if self._following.needed:
            jobs.append((self._follow, "follow", self._settings.capture.follow_seconds))
        for number, (job, name, seconds) in enumerate(jobs):
            first = now + timedelta(seconds=number)
            self._scheduler.add_job(
                job, IntervalTrigger(seconds=seconds, timezone=UTC), id=name, replace_existing=True, next_run_time=first
            )
        if not self._following.needed and self._scheduler.get_job("follow"):
            self._scheduler.remove_job("follow")

    def _cycle(self) -> None:
        self._last_progress = time.monotonic()
        before = self.loop.last
        self.loop.tick()
        self.loop.ethos.served.write()
        if self.loop.last is not before:
            self._last_work = self._last_progress
        self._trim()

    def _night(self) -> None:
        self._last_progress = time.monotonic()
        before = self._nights.last, self._bank.last
        self._nights.tick()
        self._bank.tick()
        if (self._nights.last, self._bank.last) != before:
            self._last_work = self._last_progress

    def _trim(self) -> None:
        """Return free memory once there is no more work, and now and then under constant load."""
        if self._last_work is None or self.loop.run_lock.taken:
            return
        quiet = self._last_progress - self._last_work > _QUIET_SECONDS
        if quiet or self._last_progress - self._last_trim > _BUSY_SECONDS:
            self._last_work = None if quiet else self._last_work
            self._last_trim = self._last_progress
            if (file := self.loop.ethos.store.file) is not None:
                file.slim()
            memory_trim.trim()

    def _review_saved(self) -> None:
        """Schedule the inbox job for when a save of the review file has settled."""
        settled = timedelta(seconds=self._settings.inbox.settle_seconds + _SETTLED_SECONDS)
        at = datetime.now(UTC) + settled  # noqa: TID251 (APScheduler's clock is the machine's)
        self._scheduler.add_job(self._inbox, DateTrigger(at, timezone=UTC), id="saved", replace_existing=True)

    def _inbox(self) -> None:
        self._last_progress = time.monotonic()
        ethos = self.loop.ethos
        self._watch.follow(Path(self._settings.conflict_resolution.review_inbox))
        if self._review_backoff.waiting:
            return
        with self._review_backoff.guard():
            if not ethos.review_due():
                return
            settled = self.loop.run_lock.run(ethos.settle, wait_seconds=0)
            self._review_backoff.succeeded()
            if settled:
                log.info(f"Review file read: {plural(settled, 'answer')} applied")

    def _backup(self) -> None:
        self._last_progress = time.monotonic()
        self._backups.tick()

    def _follow(self) -> None:
        self._last_progress = time.monotonic()
        if self._following.tick(self.service):
            self._last_work = time.monotonic()

    def _progressed(self, _item: object) -> None:
        self._last_progress = time.monotonic()

    # -- reloading

    def _reload_all(self) -> None:
        """Reload configuration and rules; if they have mistakes, keep the last good ones."""
        self._manager.reloading()
        try:
            self._use(self._reload())
        except Refused as refused:
            self._reload_failed(refused.problem)
        self._last_status = self._status_line()
        self._manager.ready(self._last_status)

    def _use(self, loaded: Loaded) -> None:
        changed = [name for name in _FIXED if _setting(loaded.settings, name) != _setting(self._settings, name)]
        if changed:
            self._reload_failed(
                Problem("bad-config", f"{', '.join(changed)} cannot change while the daemon runs", "restart it", str(loaded.file or ""))
            )
            return
        rulebook = wiring.rules(loaded.settings)
        bad = {problem.path for problem in rulebook.problems if problem.fatal}
        lost = {str(pack.path) for pack in self.service.rulebook.packs} & bad - {str(pack.path) for pack in rulebook.packs}
        if lost or not rulebook.packs:  # no copy of the last good version could be kept in the state folder
            fatal = next(problem for problem in rulebook.problems if problem.fatal and (not lost or problem.path in lost))
            self._reload_failed(Problem("bad-rules", fatal.what, "`ethos rules check` shows all mistakes", f"{fatal.path}:{fatal.line}"))
            return
        before, ethos = self.loop.ethos, wiring.build(loaded.settings, rulebook)
        ethos.load()
        self._loaded = loaded
        self.loop.ethos = ethos
        self.loop.run_lock.wait_seconds = loaded.settings.socket.wait_seconds
        self.service = self._service(rulebook)
        before.close()  # each connection closes when it is handed back
        self._following.configure(loaded.settings)
        self._schedule()
        logs.configure(loaded.settings.ethos)
        self._reload_problem = ""
        rule_problems.log_problems(rulebook)
        log.info("Configuration and rules read anew", rules=rulebook.rules.hash)

    def _reload_failed(self, problem: Problem) -> None:
        self._reload_problem = f"{problem.where}: {problem.what}" if problem.where else problem.what
        log.error(f"Reload failed, the last good configuration and rules stay: {problem.what}", where=problem.where, hint=problem.hint)

    def _service(self, rulebook: Rulebook) -> Service:
        return Service(self.loop.ethos, rulebook, self.loop, by="socket", daemon=self.state, watch=self._progressed)

    # -- reporting

    @property
    def _settings(self) -> Settings:
        return self._loaded.settings

    def state(self) -> Json:
        """Return the state for `status` and `doctor`."""
        why_not = self.loop.why_not_idle()
        troubles = {"cycle": self.loop.backoff.problem, "inbox": self._review_backoff.problem, "follow": self._following.backoff.problem}
        troubles["night"] = self._nights.backoff.problem
        troubles["bank"] = self._bank.backoff.problem
        troubles["backup"] = self._backups.backoff.problem
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
            "running": self.loop.run_lock.taken,
            "degraded": {name: trouble for name, trouble in troubles.items() if trouble},
            "reload_problem": self._reload_problem,
            "last_cycle": self.loop.last and {**self.loop.last.counts, "run": self.loop.last.run},
            "follow": list(self._settings.capture.follow),
        }

    def _status_line(self) -> str:
        """Return the state in a line."""
        trouble = (
            self.loop.backoff.problem or self._following.backoff.problem or self._review_backoff.problem or self.loop.ethos.store.trouble
        )
        if trouble:
            return f"degraded: {trouble}"
        if self._reload_problem:
            return f"running with the last good configuration: {self._reload_problem}"
        if rules := rule_problems.rules_summary(self.service.rulebook):
            return rules
        last = self.loop.last
        return "waiting" if last is None else f"last cycle: {last.episodes_scanned} scanned, {last.episodes_promoted} promoted"

    def _send_status(self) -> None:
        line = self._status_line()
        if line != self._last_status:
            self._last_status = line
            self._manager.status(line)


def _setting(settings: Settings, name: str) -> object:
    section, key = name.split(".")
    return getattr(getattr(settings, section), key)
