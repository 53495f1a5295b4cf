"""Time budgets of rules that could take too long: stop those that do, and suspend repeat offenders.

A rule that overran three times is not tried again while this process runs, nor later until the rules change; log, `status` and `doctor`
report it. Suspended rules are cached beside the proofs, by the hash of the rules.
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

_START_SECONDS = 20.0  # for the subprocess to start, on a busy machine
_WAITS = 4  # wall time to wait, as a multiple of the processor time, on a busy machine
_STEP = 0.05  # seconds of one wait, and the most that it counts if the machine was suspended meanwhile

_MS = round(RULE_SECONDS * 1_000)
log = logging.getLogger("ethos.rules")  # `logs.configure` sets its format; otherwise it writes to standard error


class RegexTimeout(Exception):
    """The subprocess did not answer in time, or ended, or failed."""


class RegexProcess:
    """The subprocess that runs patterns (regex_worker.py). It starts at first use, and again after it was ended."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._end: weakref.finalize[[subprocess.Popen[bytes]], RegexProcess] | None = None

    def ask(self, pattern: str, texts: Sequence[str], seconds: float) -> dict[str, Any]:
        """Return the answer; if there is none, end the process and raise `RegexTimeout`. seconds: of processor time."""
        process = self._process or self.start()
        return self._answer(process, {"pattern": pattern, "texts": list(texts)}, seconds, _WAITS * seconds)

    def stop(self) -> None:
        """End the process, if it runs."""
        if self._end is not None:
            self._end()
        self._process = self._end = None

    def start(self) -> subprocess.Popen[bytes]:
        """Start the process, unless it runs, and wait for its first answer: no rule is charged for the start. Raises `RegexTimeout`."""
        if self._process is None:
            program = str(Path(__file__).with_name("regex_worker.py"))
            self._process = subprocess.Popen(  # noqa: S603 (our own interpreter and file)
                [sys.executable, "-P", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
            self._end = weakref.finalize(self, _kill, self._process)
            self._answer(self._process, {"pattern": "a", "texts": ["a"]}, _START_SECONDS, _START_SECONDS)
        return self._process

    def _answer(self, process: subprocess.Popen[bytes], asked: Mapping[str, object], seconds: float, patience: float) -> dict[str, Any]:
        """Ask, and wait until it has used so many seconds of processor time, or `patience` has passed.

        The pipe holds less than some questions, so writing and reading alternate.
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
                        raise RegexTimeout(f"took more than {seconds * 1_000:.0f} ms")
                    patience -= min(rest, _STEP)
                if writable:
                    left = left[os.write(ask, left) :]
                if ready:
                    chunk = os.read(answer, 1 << 16)
                    if not chunk:
                        raise RegexTimeout("ended the process it runs in")
                    got += chunk
        except BrokenPipeError:
            self.stop()
            raise RegexTimeout("ended the process it runs in") from None
        except RegexTimeout:
            self.stop()
            raise
        told: dict[str, Any] = json.loads(got)
        if "error" in told:
            raise RegexTimeout(f"failed: {told['error']}")
        return told


def _used(pid: int) -> float:
    """Return the seconds of processor time of a child process; 0 once it is gone. The clock id is that of clock_getcpuclockid(3)."""
    try:
        return time.clock_gettime((~pid << 3) | 2)
    except OSError:
        return 0.0


def _kill(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.communicate()


class Budgets:
    """Implement `core.rules.time_limits.Limits`. Thread-safe: callers wait for one another."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        self._process = RegexProcess()
        self._lock = Lock()
        self._used = 0.0  # processor seconds in this pass
        self._overruns: Counter[str] = Counter()
        self._suspended: dict[str, str] = {}  # rule -> reason
        self._paths: Mapping[str, str] = {}
        self._hash = ""
        self._warned = False

    def adopt(self, rules_hash: str, paths: Mapping[str, str]) -> None:
        """Take over the rules once they are loaded, with those suspended earlier under the same hash. paths: the file of each rule."""
        self._hash, self._paths = rules_hash, paths
        self._suspended = {rule: why for rule, why in self._cache.aside(rules_hash).items() if rule in paths}

    @property
    def problems(self) -> tuple[RuleProblem, ...]:
        """Return the suspended rules as problems."""
        hint = "bound its repeats, or narrow what they take; it is tried again when the rules change"
        return tuple(
            RuleProblem("W-SET-ASIDE", self._paths.get(rule, ""), f"the rule {rule!r} is set aside: {why}", rule=rule, hint=hint)
            for rule, why in sorted(self._suspended.items())
        )

    @property
    def spent(self) -> bool:
        """Return True if the rest of the budget is too small for one more rule. See `Limits`."""
        return self._used + RULE_SECONDS > PASS_SECONDS

    def renew(self) -> None:
        """Start a new pass with a full budget. See `Limits`."""
        self._used, self._warned = 0.0, False

    def allows(self, rule: str) -> bool:
        """Return True unless the rule is suspended. See `Limits`."""
        return rule not in self._suspended

    def find(self, rule: str, pattern: str, sentences: Sequence[str]) -> Sequence[Sequence[RemoteMatch]]:
        """Return the matches in each sentence, found in the subprocess. See `Limits`."""
        with self._lock:
            if rule in self._suspended:
                return ()
            if self.spent:
                if not self._warned:
                    self._warned = True
                    log.warning(f"Rules with their own engine have used their {PASS_SECONDS:g} s; the rest is left to the next cycle")
                return ()
            try:
                process = self._process.start()
            except RegexTimeout as overran:
                log.warning(f"The process for rules with their own engine cannot be used: it {overran}")
                return ()
            before = _used(process.pid)
            try:
                told = self._process.ask(pattern, sentences, RULE_SECONDS)
            except RegexTimeout as overran:
                self._used += RULE_SECONDS
                self._record_overrun(rule, str(overran))
                return ()
            self._used += _used(process.pid) - before
        names = told["names"]
        return [[RemoteMatch(tuple((low, high) for low, high in regs), names) for regs in matches] for matches in told["found"]]

    def overran(self, rule: str) -> None:
        """Record that a rule took too long. See `Limits`."""
        with self._lock:
            self._record_overrun(rule, f"took more than {_MS} ms")

    def _record_overrun(self, rule: str, what: str) -> None:
        self._overruns[rule] += 1
        times = self._overruns[rule]
        log.warning(f"The rule {rule!r} {what}, was stopped and found nothing in this episode")
        if times >= MOST_OVERRUNS and rule not in self._suspended:
            self._suspended[rule] = f"it {what}, {times} times"
            self._cache.set_aside(self._hash, self._suspended)
            log.error(f"The rule {rule!r} is set aside: it {what}, {times} times; `ethos rules check` says what to do")
