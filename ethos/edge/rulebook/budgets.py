"""Budgets: who keeps the time of rules that could take too long, ends those that do, and sets them aside (TRUST, Security: ReDoS).

A rule that overran three times is not tried again while this process runs, nor later until the rules change; log, `status` and `doctor`
say so. What is set aside is kept beside the proofs, by the hash of the rules.
"""

from __future__ import annotations

import json
import logging
import os
import select
import subprocess
import sys
import time
import weakref
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from ethos.core.rules.rule import RuleProblem
from ethos.core.rules.time_limits import MOST_OVERRUNS, PASS_SECONDS, RULE_SECONDS, RemoteMatch
from ethos.edge.rulebook.cache import Cache

START_SECONDS = 20.0  # within which the other process must be there, on a busy machine
_WAITS = 4  # times its processor time that an answer is waited for, where others have the processors
_STEP = 0.05  # seconds of waiting at a time, which is all that is counted where the machine stood still meanwhile

_MS = round(RULE_SECONDS * 1_000)
log = logging.getLogger("ethos.rules")  # the form of lines is `logs.configure`'s; without it they go to standard error


class Overran(Exception):
    """The other process did not answer in time, or ended, or could not do what it was asked."""


class Process:
    """The other process (searcher.py), started when it is first needed, and anew after it was ended."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._end: weakref.finalize[[subprocess.Popen[bytes]], Process] | None = None

    def ask(self, pattern: str, texts: Sequence[str], seconds: float) -> dict[str, Any]:
        """The answer; raises `Overran`, and then the process is gone. seconds: of the processor; a busy machine is no fault of a rule."""
        process = self._process or self.start()
        return self._answer(process, {"pattern": pattern, "texts": list(texts)}, seconds, _WAITS * seconds)

    def stop(self) -> None:
        """End it, if it is there."""
        if self._end is not None:
            self._end()
        self._process = self._end = None

    def start(self) -> subprocess.Popen[bytes]:
        """Start it, if it is not there, and wait until it answers: no rule is to blame for how long that takes. Raises `Overran`."""
        if self._process is None:
            program = str(Path(__file__).with_name("regex_worker.py"))
            self._process = subprocess.Popen(  # noqa: S603 (our own interpreter and file)
                [sys.executable, "-P", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
            self._end = weakref.finalize(self, _ended, self._process)
            self._answer(self._process, {"pattern": "a", "texts": ["a"]}, START_SECONDS, START_SECONDS)
        return self._process

    def _answer(self, process: subprocess.Popen[bytes], asked: Mapping[str, object], seconds: float, patience: float) -> dict[str, Any]:
        """Ask, and wait until it has used so many seconds of the processor, or we have waited for `patience`.

        The pipe holds less than some questions, so both ends are looked after in turn.
        """
        assert process.stdin is not None  # noqa: S101 (they are pipes)
        assert process.stdout is not None  # noqa: S101
        ask, answer = process.stdin.fileno(), process.stdout.fileno()
        os.set_blocking(ask, False)
        left, got = memoryview(json.dumps(asked).encode() + b"\n"), b""
        until = _used(process.pid) + seconds
        try:
            while not got.endswith(b"\n"):
                rest = min(until - _used(process.pid), patience)
                ready, writable, _ = select.select([answer], [ask] if left else [], [], min(max(rest, 0.0), _STEP))
                if not ready and not writable:
                    if rest <= 0:
                        raise Overran(f"took more than {seconds * 1_000:.0f} ms")
                    patience -= min(rest, _STEP)
                if writable:
                    left = left[os.write(ask, left) :]
                if ready:
                    chunk = os.read(answer, 1 << 16)
                    if not chunk:
                        raise Overran("ended the process it runs in")
                    got += chunk
        except BrokenPipeError:
            self.stop()
            raise Overran("ended the process it runs in") from None
        except Overran:
            self.stop()
            raise
        told: dict[str, Any] = json.loads(got)
        if "error" in told:
            raise Overran(f"failed: {told['error']}")
        return told


def _used(pid: int) -> float:
    """Seconds that a process of ours has used of the processors; none once it is gone. The clock's number as of clock_getcpuclockid(3)."""
    try:
        return time.clock_gettime((~pid << 3) | 2)
    except OSError:
        return 0.0


def _ended(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.communicate()


class Budgets:
    """See `core.rules.time_limits.Limits`. Safe to use from several threads, which wait for one another."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        self._process = Process()
        self._lock = Lock()
        self._used = 0.0  # seconds of the processors, of this pass
        self._overruns: Counter[str] = Counter()
        self._aside: dict[str, str] = {}  # why, by rule
        self._paths: Mapping[str, str] = {}
        self._hash = ""
        self._told_spent = False

    def adopt(self, rules_hash: str, paths: Mapping[str, str]) -> None:
        """The rules are loaded: what was set aside under the same hash stays so. paths: the file of each rule."""
        self._hash, self._paths = rules_hash, paths
        self._aside = {rule: why for rule, why in self._cache.aside(rules_hash).items() if rule in paths}

    @property
    def problems(self) -> tuple[RuleProblem, ...]:
        """What is set aside, for all who ask how the rules fare."""
        hint = "bound its repeats, or narrow what they take; it is tried again when the rules change"
        return tuple(
            RuleProblem("W-SET-ASIDE", self._paths.get(rule, ""), f"the rule {rule!r} is set aside: {why}", rule=rule, hint=hint)
            for rule, why in sorted(self._aside.items())
        )

    @property
    def spent(self) -> bool:
        """See the port: what is left would not do for one more rule."""
        return self._used + RULE_SECONDS > PASS_SECONDS

    def renew(self) -> None:
        """See the port."""
        self._used, self._told_spent = 0.0, False

    def allows(self, rule: str) -> bool:
        """See the port."""
        return rule not in self._aside

    def find(self, rule: str, pattern: str, sentences: Sequence[str]) -> Sequence[Sequence[RemoteMatch]]:
        """See the port."""
        with self._lock:
            if rule in self._aside:
                return ()
            if self.spent:
                if not self._told_spent:
                    self._told_spent = True
                    log.warning(f"Rules with their own engine have used their {PASS_SECONDS:g} s; the rest is left to the next cycle")
                return ()
            try:
                process = self._process.start()
            except Overran as overran:
                log.warning(f"The process for rules with their own engine cannot be used: it {overran}")
                return ()
            before = _used(process.pid)
            try:
                told = self._process.ask(pattern, sentences, RULE_SECONDS)
            except Overran as overran:
                self._used += RULE_SECONDS
                self._note(rule, str(overran))
                return ()
            self._used += _used(process.pid) - before
        names = told["names"]
        return [[RemoteMatch(tuple((low, high) for low, high in regs), names) for regs in matches] for matches in told["found"]]

    def overran(self, rule: str) -> None:
        """See the port."""
        with self._lock:
            self._note(rule, f"took more than {_MS} ms")

    def _note(self, rule: str, what: str) -> None:
        self._overruns[rule] += 1
        times = self._overruns[rule]
        log.warning(f"The rule {rule!r} {what}, was stopped, and read nothing in this episode")
        if times >= MOST_OVERRUNS and rule not in self._aside:
            self._aside[rule] = f"it {what}, {times} times"
            self._cache.set_aside(self._hash, self._aside)
            log.error(f"The rule {rule!r} is set aside: it {what}, {times} times; `ethos rules check` says what to do")
