"""Estimate what an episode was to people, where the transcript tells neither feelings nor salience.

Counted are words (`language/words/feelings.txt`), each phrase once. No word leaves everything at the middle: nothing is made up. An
emotion goes half of the way to 1 with each of its words, and trouble takes joy and trust half of the way to 0. The valence is what
is good less what is bad, over their sum and one. Salience rises by a step for each sign that an episode mattered: an outcome, a correction
by a person, effort, strong feeling; by two steps and a half at most. A tone or an importance that came with the episode is kept as it is.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from ethos.core.learning.chains.moment import NEUTRAL, Feelings
from ethos.core.learning.chains.own_words import tells
from ethos.core.model.records import Role
from ethos.core.recall.terms import words
from ethos.core.text.language.lexicon import lines_of
from ethos.core.text.readings import Reading
from ethos.core.text.sentences import Sentence

_SIGN = 0.05  # of salience, for each sign
_MOST_SIGNS = 5


class Feeling(StrEnum):
    """The lists of words."""

    JOY = "joy"
    TRUST = "trust"
    ANTICIPATION = "anticipation"
    SURPRISE = "surprise"
    TROUBLE = "trouble"
    SUCCESS = "success"
    FAILURE = "failure"
    CORRECTION = "correction"
    EFFORT = "effort"


_ALL = frozenset(Feeling)
_OUTCOMES = frozenset({Feeling.SUCCESS, Feeling.FAILURE})  # which whoever speaks tells
_SHOWN = frozenset({Feeling.JOY, Feeling.TRUST, Feeling.ANTICIPATION, Feeling.SURPRISE})  # to others, too, out of courtesy
_GOOD = (Feeling.JOY, Feeling.SUCCESS)
_BAD = (Feeling.TROUBLE, Feeling.FAILURE)

Phrase = tuple[str, ...]
Met = tuple[Phrase, Feeling]


@cache
def phrases() -> tuple[Met, ...]:
    """Return the phrases of all lists, folded as texts are."""
    found: list[Met] = []
    feeling = Feeling.JOY
    for line in lines_of("feelings"):
        name, colon, rest = line.rpartition(":")
        if colon:
            feeling = Feeling(name)
        found += ((tuple(words(each)), feeling) for each in filter(None, (part.strip() for part in rest.split(","))))
    return tuple(found)


class _Listed(NamedTuple):
    """The phrases by the word by which each is found: its longest, which stands in few texts. words: all of these; longer: phrases of
    several words, each with how it stands in a text (`_spaced`).
    """

    words: frozenset[str]
    single: Mapping[str, frozenset[Met]]
    longer: Mapping[str, frozenset[tuple[str, Met]]]


@cache
def _listed(among: frozenset[Feeling]) -> _Listed:
    single: defaultdict[str, set[Met]] = defaultdict(set)
    longer: defaultdict[str, set[tuple[str, Met]]] = defaultdict(set)
    for phrase, feeling in (each for each in phrases() if each[1] in among):
        word = max(phrase, key=len)
        if len(phrase) == 1:
            single[word].add((phrase, feeling))
        else:
            longer[word].add((_spaced(phrase), (phrase, feeling)))
    return _Listed(
        frozenset(single.keys() | longer.keys()),
        {word: frozenset(met) for word, met in single.items()},
        {word: frozenset(met) for word, met in longer.items()},
    )


def count(spoken: Sequence[str], role: Role) -> Counter[Feeling]:
    """Return how many phrases of each list stand in a text: in what a person said of all, in other text of the outcomes.

    spoken: its folded words.
    """
    return _counted(_met(spoken, _ALL if role == "user" else _OUTCOMES))


def felt(spoken: Sequence[str], reading: Callable[[], Reading], speaker: str, names: Collection[str]) -> Counter[Feeling]:
    """Return the `count` of a person's turn, less what is courtesy and what others wrote.

    Feelings count in sentences that tell something (`own_words`), trouble, corrections and effort in all of one's own words, outcomes in
    what was pasted, too. spoken: the folded words of the whole; reading: of the text, asked for only where there is something to count.
    """
    found = _met(spoken)
    if all(feeling in _OUTCOMES for _, feeling in found):
        return _counted(found)
    read = reading()
    own: set[Met] = set()
    showing: list[tuple[Sentence, str, list[str], list[Met]]] = []
    for sentence in read.sentences:
        said = read.plain[sentence.start : sentence.end]
        parts = words(said)
        if met := _met(parts):
            own |= met
            if shown := [each for each in met if each[1] in _SHOWN]:
                showing.append((sentence, said, parts, shown))
    kept = {each for each in found if each[1] in _OUTCOMES} | {each for each in own if each[1] not in _SHOWN}
    alone = {word for phrase, _ in own for word in phrase}
    for sentence, said, parts, shown in showing:
        if tells(sentence, said, parts, speaker, names, alone):
            kept.update(shown)
    return _counted(kept)


def _counted(met: Iterable[Met]) -> Counter[Feeling]:
    return Counter([feeling for _, feeling in met])


def _met(spoken: Sequence[str], among: frozenset[Feeling] = _ALL) -> set[Met]:
    """Return the phrases of some lists that stand in a text. spoken: its folded words."""
    known, single, longer = _listed(among)
    found: set[Met] = set()
    text = ""
    for word in known.intersection(spoken):
        found.update(single.get(word, ()))
        for phrase, each in longer.get(word, ()):
            text = text or _spaced(spoken)
            if phrase in text:
                found.add(each)
    return found


def _spaced(spoken: Sequence[str]) -> str:
    """Return words with a space before, between and behind them, so that a phrase is found as whole words."""
    return f" {' '.join(spoken)} "


def feelings(counted: Mapping[Feeling, int], tone: float, step: float) -> Feelings:
    """Return the feelings that the counts tell. tone: the valence that came with the episode, 0 for none; step: 0..1."""
    if not any(counted.values()):
        return NEUTRAL._replace(valence=tone) if tone else NEUTRAL
    rest = 1 - step
    trouble = rest ** counted.get(Feeling.TROUBLE, 0)
    good, bad = (sum([counted.get(each, 0) for each in side]) for side in (_GOOD, _BAD))
    return Feelings(
        joy=_risen(counted, Feeling.JOY, rest) * trouble,
        trust=_risen(counted, Feeling.TRUST, rest) * trouble,
        anticipation=_risen(counted, Feeling.ANTICIPATION, rest),
        surprise=_risen(counted, Feeling.SURPRISE, rest),
        valence=tone or (good - bad) / (good + bad + 1),
    )


def estimated_salience(base: float, counted: Mapping[Feeling, int]) -> float:
    """Return the salience of an episode whose importance nobody gave, 0..1: its base and what its words add."""
    signs = sum(counted.get(each, 0) > 0 for each in (Feeling.SUCCESS, Feeling.FAILURE, Feeling.EFFORT))
    signs += 2 * (counted.get(Feeling.CORRECTION, 0) > 0)
    signs += sum(counted.get(each, 0) for each in (Feeling.JOY, Feeling.SURPRISE, Feeling.TROUBLE)) >= 2
    return min(1.0, base + _SIGN * min(signs, _MOST_SIGNS))


def _risen(counted: Mapping[Feeling, int], feeling: Feeling, rest: float) -> float:
    return 1 - 0.5 * rest ** counted.get(feeling, 0)
