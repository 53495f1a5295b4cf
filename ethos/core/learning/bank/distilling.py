"""Distil a session into memories: what was tried, and how it ended (R-09, R-12).

The turns are read in order. Somebody names a trouble; somebody does something about it, or asks for it; then it is said, or an exit code
shows, that it is over or that it is not. That is a memory. So is one sentence that tells both ("pinning the clock fixed the flaky tests",
"I ran it twice, and the deploy failed"). To look at something, or to run the tests, is no attempt.
At most three a session, those in the user's own words first.

What a tool prints is read for how a run ended and for nothing else: no word of it enters a memory. A memory is the user's where the user
told both what was done and how it ended; any other is the assistant's, and a person is asked before it is held.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import regex

from ethos.core.learning.bank.reading import read
from ethos.core.learning.bank.vocabulary import table, vocabulary
from ethos.core.learning.bank.wording import LONGEST_CONTENT, LONGEST_DESCRIPTION, LONGEST_TITLE, cut, sanitized, tags
from ethos.core.model.memories import Outcome
from ethos.core.model.origin import Origin
from ethos.core.model.records import Episode
from ethos.core.text import sentences as cutting

WINDOW = 12  # turns within which an end belongs to what was tried
LONGEST_SENTENCE = 300
TOOL_LINES = 400  # lines of a tool's output that are looked at, from its end

Said = Callable[[Episode], bool]


@dataclass(frozen=True, slots=True)
class Learned:
    """A memory as distilled. origin: the least trusted of who told it; episodes: ids of the turns it rests on."""

    title: str
    description: str
    content: str
    outcome: Outcome
    origin: Origin
    tags: tuple[str, ...]
    episodes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Statement:
    """A sentence and the turn it was said in."""

    text: str
    turn: Episode
    place: int


@dataclass(frozen=True, slots=True)
class _Cues:
    """The words of `words/distilling.toml`, compiled."""

    fixed: regex.Pattern[str]
    failed: regex.Pattern[str]
    trouble: regex.Pattern[str]
    unsure: regex.Pattern[str]
    own_end: regex.Pattern[str]
    patterns: Mapping[str, tuple[regex.Pattern[str], ...]]

    def match(self, name: str, low: str) -> regex.Match[str] | None:
        """Return the first match of the patterns of a name."""
        return next((found for pattern in self.patterns[name] if (found := pattern.match(low))), None)


@cache
def _cues() -> _Cues:
    data: Mapping[str, Any] = table("distilling")
    said = ("fixed", "failed", "trouble", "unsure")
    phrases = {name: regex.compile(r"\b(?:" + "|".join(map(regex.escape, data[name])) + r")\b") for name in said}
    names = ("doing", "asking", "looking", "helped", "hindered", "tool_fixed", "tool_failed")
    bad, good = ("|".join(map(regex.escape, words)) for words in (data["backfired"] + data["failed"], data["fixed"]))
    own_end = regex.compile(rf"(?:,|;|\b(?:and|but|yet|so)\b)[^,;]*?\b(?:(?P<bad>{bad})|(?P<good>{good}))\b")
    return _Cues(**phrases, own_end=own_end, patterns={name: tuple(map(regex.compile, data[name])) for name in names})


def distilled(turns: Sequence[Episode], most: int, echo: Said = lambda _: False) -> tuple[Learned, ...]:
    """Return what a session taught, at most so many. turns: in the order said; echo: tells if a turn repeats what Ethos had shown."""
    found = _Session(echo)
    for place, turn in enumerate(turns):
        found.hear(place, turn)
    best = sorted(range(len(found.learned)), key=lambda at: (-found.learned[at].origin, -len(found.learned[at].episodes), -at))
    return tuple(found.learned[at] for at in sorted(best[:most]))


class _Session:
    """What is known of a session up to a turn."""

    def __init__(self, echo: Said) -> None:
        self._echo = echo
        self._trouble: _Statement | None = None
        self._tried: _Statement | None = None
        self._failed_at: int | None = None  # where the last run of a tool stands, if that failed
        self.learned: list[Learned] = []

    def hear(self, place: int, turn: Episode) -> None:
        """Take in the next turn."""
        if turn.role == "tool":
            if turn.origin is Origin.TOOL:
                self._hear_tool(place, turn)
        elif turn.role in {"user", "assistant"} and not self._echo(turn):
            for sentence in _told(turn.text):
                self._hear_sentence(_Statement(sentence, turn, place))

    def _hear_tool(self, place: int, turn: Episode) -> None:
        outcome = _exit(turn.text)
        if outcome is Outcome.SUCCESS and self._tried and self._failed_at is not None and self._failed_at < self._tried.place:
            self._end(_Statement("the run that had failed passed", turn, place), outcome)  # what it still failed after is no remedy
        if outcome is not None:
            self._failed_at = place if outcome is Outcome.FAILURE else None

    def _hear_sentence(self, said: _Statement) -> None:
        cues, low = _cues(), cutting.fold(said.text)
        user = said.turn.role == "user"
        sure = not cues.unsure.search(low)
        did = cues.match("doing", low)
        own_end = cues.own_end.search(low, did.start("way")) if did and sure else None
        if did and own_end:
            self._tried = _Statement(said.text[did.start("way") : own_end.start()], said.turn, said.place)
            self._end(said, Outcome.SUCCESS if own_end["good"] else Outcome.FAILURE)
        elif sure and cues.match("hindered", low):
            self._learn(said, Outcome.FAILURE)
        elif sure and cues.match("helped", low):
            self._learn(said, Outcome.SUCCESS)
        elif sure and cues.failed.search(low):
            self._end(said, Outcome.FAILURE)
        elif sure and cues.fixed.search(low):
            self._end(said, Outcome.SUCCESS)
        elif found := (cues.match("asking", low) if user else None) or did:
            start, end = found.span("way")
            if not cues.match("looking", low[start:end]):
                self._tried = _Statement(said.text[start:end], said.turn, said.place)
        elif cues.trouble.search(low) and sure:
            self._trouble, self._tried = said, None

    def _learn(self, said: _Statement, outcome: Outcome) -> None:
        """One sentence told both."""
        trouble = self._trouble if self._trouble and said.place - self._trouble.place <= WINDOW else None
        self._add(said, said, trouble, outcome)

    def _end(self, said: _Statement, outcome: Outcome) -> None:
        """Note that an attempt came to its end."""
        tried = self._tried
        if tried is None or said.place - tried.place > WINDOW:
            return
        trouble = self._trouble if self._trouble and tried.place - self._trouble.place <= WINDOW else None
        self._add(tried, said, trouble, outcome)
        self._tried = None
        if outcome is Outcome.SUCCESS:
            self._trouble = None

    def _add(self, tried: _Statement, ended: _Statement, trouble: _Statement | None, outcome: Outcome) -> None:
        way = _sentence(tried.text)
        problem = trouble.text if trouble else ""
        told_by = {statement.turn.id: statement.turn for statement in (trouble, tried, ended) if statement}
        content = [f"Trouble: {problem}"] * bool(problem) + [f"Tried: {way}"]
        content += [f"Ended: {ended.text}"] * (ended.text != tried.text)
        self.learned.append(
            Learned(
                title=cut(sanitized(way), LONGEST_TITLE),
                description=cut(sanitized(_description(problem, outcome)), LONGEST_DESCRIPTION),
                content=cut(sanitized("\n".join(content)), LONGEST_CONTENT),
                outcome=outcome,
                origin=_origin(tried, ended, trouble),
                tags=tags(tuple(sorted({name for said in (problem, tried.text) for name in read(said, vocabulary()).names}))),
                episodes=tuple(told_by),
            )
        )


def _origin(tried: _Statement, ended: _Statement, trouble: _Statement | None) -> Origin:
    """Return the least trusted of who told it. A tool shows an end, and tells nothing: it makes no memory the user's."""
    words = [statement.turn.origin for statement in (trouble, tried, ended) if statement and statement.turn.role != "tool"]
    return min(*words, Origin.ASSISTANT) if ended.turn.role == "tool" else min(words)


def _description(problem: str, outcome: Outcome) -> str:
    ended = {Outcome.SUCCESS: "It helped.", Outcome.FAILURE: "It did not help.", Outcome.OTHER: ""}[outcome]
    return f"{_sentence(problem)}. {ended}" if problem else ended


def _sentence(text: str) -> str:
    text = text.strip(" .,;:!")
    return text[:1].upper() + text[1:]


def _told(text: str) -> Iterator[str]:
    """Yield the sentences of somebody's own prose that are no questions, as they were written."""
    low = cutting.mask(cutting.fold(text))
    at = 0
    for line in low.split("\n"):
        for sentence in cutting.sentences(low, at) if line.strip() else ():
            written = text[sentence.start : sentence.end]
            if not sentence.question and len(written) <= LONGEST_SENTENCE and "\n" not in written:
                yield written
        at += len(line) + 1


def _exit(text: str) -> Outcome | None:
    """Return how a run ended, by the last line that tells; None where none does."""
    for line in reversed(text.splitlines()[-TOOL_LINES:]):
        low = line.strip().lower()[:200]
        if _cues().match("tool_failed", low):
            return Outcome.FAILURE
        if _cues().match("tool_fixed", low):
            return Outcome.SUCCESS
    return None
