"""Fifty hostile rules and a hundred hostile texts in a real daemon: every rule is stopped in time, systemd hears of progress."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest
import regex

from ethos.edge.rulebook.patterns import MAX_REGEX
from tests.rules.test_rules_gate import HOSTILE, TEXTS
from tests.support.daemons import Daemon, Manager
from tests.support.packs import pack, rule

STEP = 0.2  # seconds of silence that are counted at once: a machine that stood still for longer has not been silent for longer
PERIOD = 1.0  # seconds between two signs of progress: a third of what the watchdog waits
LATE = 1.0  # seconds that one of them may be late
QUIET = "[consolidation]\ninterval_minutes = 1000\n"
# Patterns that an attack upon the gate came up with: it lets them in, and on some sentence they would take longer than anybody waits.
SLIPPED = (
    r"my to (?P<object>[^,.]{2,490}(?:\w| ){1,80}[^,.]{1,150} ? for \w{2,9})",
    r"we use (?P<object>(?:(?<![a-z])[^ ]{2,80}){0,5}[a-z]{0,9}? for \w{2,9})",
    r"my and (?P<object>(?:[a-z ]{1,9}[\w'-]{2,150}?[^ ]{0,150}){0,2}(?=[,;]|$))",
    r"my (?P<object>(?:(?:aa|aa){0,2}.{1,3}[\w ]{0,9}?[a-z]{1,40}){0,2}[\w'-]{2,490}$)",
    r"use the (?P<object>(?:\S{0,20}?){0,5}\S{1,300}?(?:, |my )to (?=[,;]|$))",
)
SLIPPED_TEXTS = (
    "my to aaaaa  " * 150 + "my to aaa, ",
    "we use ,,aaxa,,,x,,axa,aax,aa,x,xa,aaxaxaxx" + "," * 1_500 + ",x,," * 60 + "\x01",
    ("my and  aa a aaaaaaaaaaaaaaaaaaaaaa" + "b" * 80) * 17 + "\x01",
    "my aaaaa bxaxxxxaaxaaixaxiaiaaaxxaixxaxa" + "m" * 100 + "a" * 400 + " " * 1_000,
    "use the " + "use" * 500 + " x x amy to ",
)


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Daemon]:
    daemon = Daemon(tmp_path, QUIET)
    yield daemon
    if daemon.process is not None:
        daemon.stop()


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[Manager]:
    manager = Manager(tmp_path)
    yield manager
    manager.close()


def hostile(patterns: Sequence[str] = HOSTILE) -> list[str]:
    """Those of the patterns that `regex` reads at all. A sentence has no final mark, so they want another one."""
    found: list[str] = []
    for pattern in patterns:
        wanted = pattern.replace("!", "=")
        text = f"mark (?P<object>ok{len(found)}k|(?:{wanted}))"
        if len(text) > MAX_REGEX:
            continue
        try:
            regex.compile(text)
            other = regex.match(f"mark (?:{wanted})", "mark ok0k")  # it would read what is another's example
        except (regex.error, RecursionError):
            continue
        if not other:
            found.append(text)
    return found


def worst(text: str) -> str:
    """The text behind the keyword, with the mark at its end without which an engine need not even begin."""
    return f"mark {text}"[:1_990] + " \u00a7="


def opted_out(patterns: list[str]) -> str:
    """A pack of rules outside the portable subset."""
    rules = "".join(
        f"""
[[rule]]
id = "hostile{number}"
kind = "fact"
summary = "a hostile pattern"
engine = "regex"
keywords = ["mark "]
patterns = ['''{pattern}''']
emit = {{ subject = "speaker", predicate = "marks{number}", object = "{{object}}" }}
confidence = 0.5
cardinality = "multi"
example = [{{ text = "mark ok{number}k", want = [{{ object = "ok{number}k" }}] }}]
"""
        for number, pattern in enumerate(patterns)
    )
    return 'schema = 1\npack = "hostile"\n' + rules


def portable(number: int, pattern: str) -> str:
    """A pack with one rule of the subset."""
    return pack(f"slipped{number}", rule("slipped", pattern, "slips", 'cardinality = "multi"'))


class Pulse(threading.Thread):
    """Receive the daemon's signs of progress, and measure the longest time without one."""

    def __init__(self, manager: Manager) -> None:
        super().__init__(daemon=True)
        self._manager = manager
        self.longest = 0.0  # silence, in seconds

    def run(self) -> None:
        """Until it stops."""
        self._manager.listen_for(STEP / 4)
        silence, before = 0.0, time.monotonic()
        with suppress(ConnectionError):  # it was never well
            while "STOPPING" not in (message := self._heard()):
                now = time.monotonic()
                silence += min(now - before, STEP)
                before = now
                self.longest = max(self.longest, silence)
                if "WATCHDOG" in message:
                    silence = 0.0

    def _heard(self) -> dict[str, str]:
        try:
            return self._manager.hear()
        except TimeoutError:
            return {}


def attack(daemon: Daemon, manager: Manager, patterns: list[str], texts: list[str]) -> tuple[float, list[str]]:
    """Let the daemon read the texts by these rules; the longest silence meanwhile, and the rules set aside."""
    (daemon.folder / "hostile.toml").write_text(opted_out(patterns), encoding="utf-8")
    packs = ["hostile.toml"]
    for number, pattern in enumerate(SLIPPED):
        packs.append(f"slipped{number}.toml")
        (daemon.folder / packs[-1]).write_text(portable(number, pattern), encoding="utf-8")
    daemon.configure(f"{QUIET}[rules]\npacks = {packs!r}\n")
    daemon.start(NOTIFY_SOCKET=manager.address, WATCHDOG_USEC=str(round(PERIOD * 3_000_000)))
    manager.hear_until("READY")
    pulse = Pulse(manager)
    pulse.start()
    lines = [{"id": f"t{number}", "text": text} for number, text in enumerate([*texts, *SLIPPED_TEXTS])]
    daemon.ask(action="capture", paths=[str(daemon.tell(*lines))])
    while daemon.ask(action="status")["counts"]["unscanned"]:
        daemon.ask(action="consolidate")
    problems = daemon.ask(action="rules")["problems"]
    assert {problem["code"] for problem in problems} <= {"W-ENGINE", "W-SET-ASIDE", "E-REDOS"}
    assert daemon.stop() == 0
    pulse.join()
    return pulse.longest, [problem["rule"] for problem in problems if problem["code"] == "W-SET-ASIDE"]


def test_hostile_rules_are_set_aside_and_the_daemon_goes_on(daemon: Daemon, manager: Manager) -> None:
    """Some of them and some texts: what is read is read to the end, the bad rules are set aside, and progress was told meanwhile."""
    patterns = hostile((r"(?:[a-z]{1,30} ?){1,30}!", r"(?:[^,]{1,20} ?){1,20},!"))
    silence, aside = attack(daemon, manager, [*patterns, f"mark (?P<object>ok{len(patterns)}k)"], [worst(text) for text in TEXTS[:15]])
    assert aside
    assert f"hostile/hostile{len(patterns)}" not in aside
    assert silence < PERIOD * 3  # systemd would not have ended it
    assert daemon.logged("is set aside")


@pytest.mark.torture
def test_fifty_hostile_rules_and_a_hundred_hostile_texts(daemon: Daemon, manager: Manager) -> None:
    """All of them: no sign of progress is more than a second late."""
    patterns = hostile()
    assert len(patterns) + len(SLIPPED) >= 50  # what `regex` does not read is refused at load (test_rules_gate)
    silence, aside = attack(daemon, manager, patterns, [worst(text) for text in TEXTS])
    print(f"{len(patterns)} rules, {len(TEXTS)} texts: {len(aside)} set aside, longest silence {silence:.2f} s")  # noqa: T201 (the figure)
    assert aside
    assert silence <= PERIOD + LATE
