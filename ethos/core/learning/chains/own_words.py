"""Find what somebody tells in a turn: their own words, apart from courtesy, questions, and what others wrote.

A sentence tells something where it is no question, speaks to nobody ("you", but not "thank you"; an order; an offer to help), and has
a word beyond courtesy, names and the feeling itself. So "Congrats, Ada!" and "Wow, that's cool!" tell nothing of whoever says them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from ethos.core.learning.summaries.retelling import USER, bare, is_order
from ethos.core.learning.summaries.vocabulary import SLIGHT
from ethos.core.learning.summaries.worth import COURTEOUS, LONG, worth
from ethos.core.model.sections import SHORTEST
from ethos.core.recall.terms import words
from ethos.core.text.endings import is_open
from ethos.core.text.language.tagging import tag
from ethos.core.text.phrases import any_of
from ethos.core.text.readings import Reading
from ethos.core.text.sentences import Sentence, fold

_TO_SOMEBODY = any_of(["you(?<!thank you)", "yours?", "yourself", "yourselves"])
_OFFERS = re.compile(  # help, or is glad of having given it
    r"(?:i'm |i am |we're |always |so |just |very |really )*(?:happy|glad|pleased) (?:to|(?:that )?(?:i|we)) (?:could |can )?(?:be of )?"
    r"help\b"
)
_PRAISES = re.compile(  # something, with the word that follows
    r"(?:(?:yeah|yes|wow|oh),? )?"
    r"(?:\w+'s|(?:[\w']+ ){1,3}(?:is|are|was|were|looks?|seems?|feels?)|(?:that |it )?must (?:be|feel|have been|have felt)) "
    r"(?:so |such |really |very |truly |just |an? )*(\w+)"
)
LEAST = 0.35  # worth of what is quoted; less has mere courtesy ("Wow, that sounds awesome")
_LEAST_PRAISE = 0.46  # of praise: "that bowl is awesome, Mel"
_SAYS = re.compile(r"[^SW]*?[VzdnBbHYO]|[RUCD,;]*[SW].*?[,;].*?[VzdnBbHYO]")  # tags: a verb; a clause of when or why may stand before it
_FIRST_PERSON = ("i ", "i'", "we ", "we'", "my ", "our ")


def telling(reading: Reading, speaker: str, names: Collection[str]) -> Iterator[Sentence]:
    """Yield the sentences that tell something. names: of who takes part, folded."""
    for sentence in reading.sentences:
        said = reading.plain[sentence.start : sentence.end]
        if tells(sentence, said, words(said), speaker, names):
            yield sentence


def tells(
    sentence: Sentence, said: str, spoken: Iterable[str], speaker: str, names: Collection[str], feelings: Collection[str] = ()
) -> bool:
    """Return whether a sentence tells something. spoken: its words; feelings: words that tell a feeling and nothing else."""
    if sentence.question or _TO_SOMEBODY.search(said) or _OFFERS.match(said):
        return False
    something = any(word not in SLIGHT and word not in names and word not in feelings for word in spoken)
    return something and (speaker == USER or not is_order(bare(said, None)))


class Quote(NamedTuple):
    """What is quoted of a turn, "" where it tells nothing, and how likely it says something lasting, 0..1."""

    text: str
    worth: float


def best(text: str, reading: Reading, speaker: str, names: Collection[str]) -> Quote:
    """Return the sentence of a turn that most likely tells something lasting, as it was written."""
    told = [text[sentence.start : sentence.end] for sentence in telling(reading, speaker, names)]
    quotes = sorted((Quote(each, _worth(each)) for each in told if len(each.split()) >= SHORTEST), key=lambda each: -each.worth)
    return next((each for each in quotes if each.worth >= _least(each.text) and _is_whole(each.text)), Quote("", 0.0))


def _least(sentence: str) -> float:
    praise = _PRAISES.match(fold(sentence))
    return _LEAST_PRAISE if praise is not None and praise[1] in COURTEOUS else LEAST


def _worth(sentence: str) -> float:
    """Return how likely a sentence says something lasting, 0..1, by its beginning: of a long one no more is shown."""
    beginning = " ".join(sentence.split()[:LONG])
    return worth(beginning, beginning, leads=beginning.lower().startswith(_FIRST_PERSON), held=False)


def _is_whole(sentence: str) -> bool:
    """Return whether a sentence can stand by itself: no quotation is cut, and it has a verb before what it says of when or why."""
    return not is_open(sentence) and _SAYS.match(tag(fold(sentence)).tags) is not None
