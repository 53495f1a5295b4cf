"""Cut what was said into clauses, each of which says one thing and can be told by itself.

Sentences are cut as the rules cut them, so foreign text (code, quotations, pasted text) tells nothing. A sentence is cut where a new
subject begins. Questions, what speaks to somebody, and what begins with a pronoun whose noun stands elsewhere are left out, and of an
assistant all but what it says of itself.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise

from ethos.core.learning.summaries.retelling import bare, retell
from ethos.core.learning.summaries.vocabulary import SLIGHT
from ethos.core.learning.summaries.worth import worth
from ethos.core.model.records import Utterance
from ethos.core.model.value import value
from ethos.core.recall.terms import term_of, words
from ethos.core.text.sentences import FILLER, fold, mask, sentences

LEAST_WORDS = 3  # of a clause
FEWEST_APART = 4  # words; a shorter piece stays with the one before it
LONGEST_TURN = 8_000  # characters that are read of one turn

_NEW_SUBJECT = r"(?:i|we|it|they|he|she|my|our|this|that's|there|the|you|your|what|how)"
_CUT = re.compile(
    rf"""\s*[;\u2013\u2014]\s*|\s-+\s|:\s|\.\.\.\s*|\u2026\s*
    |,?\s+(?:but|so|because|'?cause|though|although|since|while|which|whereas)\s+
    |,\s+(?:and\s+)?(?={_NEW_SUBJECT}\b)|\s+and\s+(?={_NEW_SUBJECT}\b)""",
    re.VERBOSE,
)
_LINE = re.compile(r"[^\n]*[^\n\s][^\n]*")
_ADDRESSES = re.compile(r"\b(?:you|yours?|yourself|you're|you've|you'll|you'd|let's|lemme)\b", re.IGNORECASE)
_DANGLING = re.compile(
    r"(?:it|it's|that|that's|this|there|he|she|those|these|him|her|they're|he's|she's|which|what|here|is what|who|how|when)\b",
    re.IGNORECASE,
)
_POINTS = re.compile(r"\b(?:like (?:this|that)|this one|these ones?|the (?:above|below|following))\b", re.IGNORECASE)
_CONTACT = re.compile(r"[^\s@]+@[^\s@]+\.\w|\+?\d[\d ().-]{7,}\d")  # stays a fact of its own (G-09)
_SHORT_FORMS = (3, 4)  # letters of a name by which somebody may be called


@value
class Clause:
    """A part of a sentence as it is told. place: which of the turns it is from; start: its offset there; leads: see `retelling.Told`.

    value: how likely it says something lasting, 0..1; held: a fact that is held was read in it; decided: that is a decision.
    """

    episode: str
    place: int
    start: int
    speaker: str
    text: str
    leads: bool
    held: bool
    value: float
    terms: tuple[str, ...]
    decided: bool = False

    @property
    def size(self) -> int:
        """Return the number of its words."""
        return len(self.text.split())


Spans = Sequence[tuple[int, int]]


def content(text: str) -> Iterator[str]:
    """Yield the terms of a text that carry its meaning."""
    return (term_of(word) for word in words(text.replace("\u2019", "'")) if word not in SLIGHT)


def names_in(speakers: Iterable[str]) -> frozenset[str]:
    """Return the names by which these speakers may be called, folded: first names, and their short forms."""
    firsts = {speaker.casefold().split()[0] for speaker in speakers if speaker.strip()}
    return frozenset(firsts | {name[:size] for name in firsts for size in _SHORT_FORMS if len(name) > size + 1})


def clauses(turn: Utterance, place: int, names: Collection[str], held: Spans, decided: Spans = ()) -> list[Clause]:
    """Return the clauses of a turn that may be told. place: which turn it is; names: `names_in` its session; held: spans of held facts;
    decided: those of decisions.
    """
    text = turn.text[:LONGEST_TURN]
    low = mask(fold(text))
    others = sorted(set(names) - names_in([turn.speaker]), key=lambda name: (-len(name), name))
    addressed = _addressed(tuple(others)) if others else None
    ignored = {term_of(name) for name in names}
    told = []
    for start, end in _pieces(low):
        words_of = bare(text[start:end], addressed)
        if not words_of or _DANGLING.match(words_of) or any(unfit.search(words_of) for unfit in (_ADDRESSES, _POINTS, _CONTACT)):
            continue
        text_of, leads = retell(words_of, turn.speaker)
        if turn.role == "assistant" and not leads:
            continue
        terms = tuple(sorted({*content(text_of)} - ignored))
        if len(text_of.split()) < LEAST_WORDS or not terms:
            continue
        known, chosen = (any(first < end and start < last for first, last in spans) for spans in (held, decided))
        value_of = worth(words_of, text_of, leads=leads, held=known)
        told.append(Clause(turn.id, place, start, turn.speaker, text_of, leads, known, value_of, terms, chosen))
    return told


def _pieces(low: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of the clauses of the folded and masked text that ask nothing."""
    for line in _LINE.finditer(low):
        for sentence in sentences(low, line.start()):
            if not sentence.question:
                yield from (span for span in _cut(low, sentence.start, sentence.end) if FILLER not in low[slice(*span)])


def _cut(low: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of the clauses of a sentence. A piece that is too short stays with the one before it."""
    cuts = [cut.span() for cut in _CUT.finditer(low, start, end)]
    begin = start
    for (high, after), (following, _) in pairwise([*cuts, (end, end)]):
        if high > begin and len(low[after:following].split()) >= FEWEST_APART:
            yield begin, high
            begin = after
    if begin < end:
        yield begin, end


_ADDRESSED: dict[tuple[str, ...], re.Pattern[str]] = {}


def _addressed(names: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern of an address to one of these people."""
    if names not in _ADDRESSED:
        any_name = "|".join(map(re.escape, names))
        _ADDRESSED.clear()
        _ADDRESSED[names] = re.compile(rf"(?:hey |hi )?\b(?:{any_name})\b(?:\s*[,!.:;-]+\s*|\Z)|,?\s+(?:{any_name})\Z", re.IGNORECASE)
    return _ADDRESSED[names]
