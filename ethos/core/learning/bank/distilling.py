"""Distil a session into memories: what was tried, and how it ended (R-09, R-12).

The turns are read in order. Somebody names a trouble; somebody does something about it, or asks for it; then it is said, or an exit code
shows, that it is over or that it is not. That is a memory. So is one sentence that tells both ("pinning the clock fixed the flaky tests",
"I ran it twice, and the deploy failed"). To look at something, or to run the tests, is no attempt.
At most three a session, those in the user's own words first.

What a tool prints is read for how a run ended and for nothing else: no word of it enters a memory. A memory is the user's where the user
told both what was done and how it ended; any other is the assistant's, and a person is asked before it is held.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from ethos.core.learning.bank.reading import names_in
from ethos.core.learning.bank.vocabulary import table, vocabulary
from ethos.core.learning.bank.wording import LONGEST_CONTENT, LONGEST_DESCRIPTION, LONGEST_TITLE, cut, sanitized, tags
from ethos.core.model.memories import Learned, Outcome
from ethos.core.model.origin import Origin
from ethos.core.model.records import Episode
from ethos.core.text.phrases import Phrases, any_of
from ethos.core.text.readings import Readings
from ethos.core.text.sentences import Sentence, lies_in

WINDOW = 12  # turns within which an end belongs to what was tried
_LONGEST_SENTENCE = 300
_TOOL_LINES = 400  # lines of a tool's output that are looked at, from its end

Said = Callable[[Episode], bool]


class _Statement(NamedTuple):
    """A sentence and the turn it was said in."""

    text: str
    turn: Episode
    place: int


@dataclass(frozen=True, slots=True)
class _End:
    """Something that was tried, and how it ended; trouble: what it was for, where that was told."""

    tried: _Statement
    ended: _Statement
    trouble: _Statement | None
    outcome: Outcome

    @property
    def episodes(self) -> tuple[str, ...]:
        """Return the ids of the turns that told it, each once."""
        return tuple(dict.fromkeys(statement.turn.id for statement in (self.trouble, self.tried, self.ended) if statement))

    @property
    def origin(self) -> Origin:
        """Return the least trusted of who told it. A tool shows an end, and tells nothing: it makes no memory the user's."""
        turns = [statement.turn for statement in (self.trouble, self.tried, self.ended) if statement]
        told = [turn.origin for turn in turns if turn.role != "tool"]
        return min(*told, Origin.ASSISTANT) if self.ended.turn.role == "tool" else min(told)


@dataclass(frozen=True, slots=True)
class _Cues:
    """The words of `words/distilling.toml`, compiled."""

    fixed: re.Pattern[str]
    failed: re.Pattern[str]
    trouble: re.Pattern[str]
    unsure: re.Pattern[str]
    any_end: Phrases  # where it is not found, neither of `fixed`, `failed` and `trouble` is, nor an end within a sentence
    own_end: re.Pattern[str]
    ended: Phrases
    patterns: Mapping[str, tuple[re.Pattern[str], ...]]

    def match(self, name: str, low: str) -> re.Match[str] | None:
        """Return the first match of the patterns of a name."""
        for pattern in self.patterns[name]:
            if (found := pattern.match(low)) is not None:
                return found
        return None


@cache
def _cues() -> _Cues:
    data: Mapping[str, Any] = table("distilling")
    said = ("fixed", "failed", "trouble", "unsure")
    phrases = {name: _phrases(data[name]) for name in said}
    any_end = Phrases(phrase for name in ("fixed", "failed", "backfired", "trouble") for phrase in data[name])
    ended = Phrases(data["ended"], whole=False)
    names = ("doing", "asking", "looking", "helped", "hindered", "tool_fixed", "tool_failed")
    bad, good = ("|".join(map(re.escape, words)) for words in (data["backfired"] + data["failed"], data["fixed"]))
    own_end = re.compile(rf"(?:,|;|\b(?:and|but|yet|so)\b)[^,;]*?\b(?:(?P<bad>{bad})|(?P<good>{good}))\b")
    patterns = {name: tuple(map(re.compile, data[name])) for name in names}
    return _Cues(**phrases, any_end=any_end, own_end=own_end, ended=ended, patterns=patterns)


def _phrases(listed: Sequence[str]) -> re.Pattern[str]:
    return any_of(map(re.escape, listed))


def distilled(turns: Sequence[Episode], most: int, echo: Said = lambda _: False, readings: Readings | None = None) -> tuple[Learned, ...]:
    """Return what a session taught, at most so many. turns: in the order said; echo: tells if a turn repeats what Ethos had shown.

    readings: of the turns, where others read them too.
    """
    found = _Session(echo, readings or Readings())
    for place, turn in enumerate(turns):
        found.hear(place, turn)
    ends = found.ends
    best = sorted(range(len(ends)), key=lambda at: (-ends[at].origin, -len(ends[at].episodes), -at))
    return tuple(_learned(ends[at]) for at in sorted(best[:most]))


class _Session:
    """What is known of a session up to a turn."""

    def __init__(self, echo: Said, readings: Readings) -> None:
        self._echo = echo
        self._readings = readings
        self._trouble: _Statement | None = None
        self._tried: _Statement | None = None
        self._failed_at: int | None = None  # where the last run of a tool stands, if that failed
        self.ends: list[_End] = []

    def hear(self, place: int, turn: Episode) -> None:
        """Take in the next turn."""
        if turn.role == "tool":
            if turn.origin is Origin.TOOL:
                self._hear_tool(place, turn)
        elif turn.role in {"user", "assistant"} and not self._echo(turn):
            cues = _cues()
            whole, read = self._readings.with_folded(turn.text)
            any_end, ended = cues.any_end.starts(whole), cues.ended.starts(whole)
            for start, end in _told(turn.text, read.sentences):
                low = whole[start:end]
                did = cues.match("doing", low)
                asked = cues.match("asking", low) if turn.role == "user" else None
                ends, told_both = lies_in(any_end, start, end), lies_in(ended, start, end)
                if did or asked or ends or told_both:
                    said = _Statement(turn.text[start:end], turn, place)
                    self._hear_sentence(said, low, did, asked, ends=ends, told_both=told_both)

    def _hear_tool(self, place: int, turn: Episode) -> None:
        outcome = _exit(turn.text)
        if outcome is Outcome.SUCCESS and self._tried and self._failed_at is not None and self._failed_at < self._tried.place:
            self._end(_Statement("the run that had failed passed", turn, place), outcome)  # what it still failed after is no remedy
        if outcome is not None:
            self._failed_at = place if outcome is Outcome.FAILURE else None

    def _hear_sentence(
        self, said: _Statement, low: str, did: re.Match[str] | None, asked: re.Match[str] | None, *, ends: bool, told_both: bool
    ) -> None:
        """Take in a sentence. low: folded; did, asked: what was done in it, or asked for; ends: one of `any_end` stands in it; told_both:
        one of `ended`.
        """
        cues = _cues()
        if (told_both or ends) and not cues.unsure.search(low) and self._hear_end(said, low, did, told_both=told_both):
            return
        if found := asked or did:
            start, end = found.span("way")
            if not cues.match("looking", low[start:end]):
                self._tried = _Statement(said.text[start:end], said.turn, said.place)
        elif ends and cues.trouble.search(low) and not cues.unsure.search(low):
            self._trouble, self._tried = said, None

    def _hear_end(self, said: _Statement, low: str, did: re.Match[str] | None, *, told_both: bool) -> bool:
        """Return whether a sentence tells how something ended."""
        cues = _cues()
        if did and (own_end := cues.own_end.search(low, did.start("way"))):
            self._tried = _Statement(said.text[did.start("way") : own_end.start()], said.turn, said.place)
            self._end(said, Outcome.SUCCESS if own_end["good"] else Outcome.FAILURE)
        elif told_both and cues.match("hindered", low):
            self._learn(said, Outcome.FAILURE)
        elif told_both and cues.match("helped", low):
            self._learn(said, Outcome.SUCCESS)
        elif cues.failed.search(low):
            self._end(said, Outcome.FAILURE)
        elif cues.fixed.search(low):
            self._end(said, Outcome.SUCCESS)
        else:
            return False
        return True

    def _learn(self, said: _Statement, outcome: Outcome) -> None:
        """Note what one sentence told of both."""
        trouble = self._trouble if self._trouble and said.place - self._trouble.place <= WINDOW else None
        self.ends.append(_End(said, said, trouble, outcome))

    def _end(self, said: _Statement, outcome: Outcome) -> None:
        """Note that an attempt came to its end."""
        tried = self._tried
        if tried is None or said.place - tried.place > WINDOW:
            return
        trouble = self._trouble if self._trouble and tried.place - self._trouble.place <= WINDOW else None
        self.ends.append(_End(tried, said, trouble, outcome))
        self._tried = None
        if outcome is Outcome.SUCCESS:
            self._trouble = None


def _learned(end: _End) -> Learned:
    """Return the memory of what was tried."""
    way, problem = _sentence(end.tried.text), end.trouble.text if end.trouble else ""
    content = [f"Trouble: {problem}"] * bool(problem) + [f"Tried: {way}"]
    content += [f"Ended: {end.ended.text}"] * (end.ended.text != end.tried.text)
    return Learned(
        title=cut(sanitized(way), LONGEST_TITLE),
        description=cut(sanitized(_description(problem, end.outcome)), LONGEST_DESCRIPTION),
        content=cut(sanitized("\n".join(content)), LONGEST_CONTENT),
        outcome=end.outcome,
        origin=end.origin,
        tags=tags(tuple(sorted({name for said in (problem, end.tried.text) for name in names_in(said, vocabulary())}))),
        episodes=end.episodes,
    )


def _description(problem: str, outcome: Outcome) -> str:
    ended = {Outcome.SUCCESS: "It helped.", Outcome.FAILURE: "It did not help.", Outcome.OTHER: ""}[outcome]
    return f"{_sentence(problem)}. {ended}" if problem else ended


def _sentence(text: str) -> str:
    text = text.strip(" .,;:!")
    return text[:1].upper() + text[1:]


def _told(text: str, sentences: Iterable[Sentence]) -> Iterator[tuple[int, int]]:
    """Yield the spans of the sentences of somebody's own prose that are no questions."""
    for start, end, _, question in sentences:
        if not question and end - start <= _LONGEST_SENTENCE and text.find("\n", start, end) < 0:
            yield start, end


def _exit(text: str) -> Outcome | None:
    """Return how a run ended, by the last line that tells; None where none does."""
    for line in reversed(text.splitlines()[-_TOOL_LINES:]):
        low = line.strip().lower()[:200]
        if _cues().match("tool_failed", low):
            return Outcome.FAILURE
        if _cues().match("tool_fixed", low):
            return Outcome.SUCCESS
    return None
