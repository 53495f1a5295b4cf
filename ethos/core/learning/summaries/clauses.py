"""Cut what was said into clauses, each of which says one thing and can be told by itself.

Sentences are cut as the rules cut them, so foreign text (code, quotations, pasted text) tells nothing. A sentence is cut where a new
subject begins. Questions, sentences with a masked secret, what speaks to somebody, and what begins with a pronoun whose noun stands
elsewhere are left out, and of an assistant all but what it says of itself.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import field
from functools import lru_cache
from itertools import filterfalse, pairwise
from typing import NamedTuple

from ethos.core.learning.summaries.retelling import (
    USER,
    Addressed,
    addressed_to,
    bare,
    has_verb,
    is_order,
    leads,
    never_leads,
    retell,
    stays_first,
)
from ethos.core.learning.summaries.vocabulary import SLIGHT
from ethos.core.learning.summaries.worth import worth
from ethos.core.model.records import Utterance
from ethos.core.model.value import value
from ethos.core.recall.terms import term_of, words
from ethos.core.text.blanks import has_mask
from ethos.core.text.phrases import any_of
from ethos.core.text.readings import Reading, Readings
from ethos.core.text.sentences import FILLER

_LEAST_WORDS = 3  # of a clause
_FEWEST_APART = 4  # words; a shorter piece stays with the one before it
LONGEST_TURN = 8_000  # characters that are read of one turn

_NEW_SUBJECT = r"(?:i|we|it|they|he|she|my|our|this|that's|there|the|you|your|what|how)"
_JOINS = r"(?:but|so|because|'?cause|though|although|since|while(?!\s+(?:ago|back)\b)|which|whereas)"
_CUT = re.compile(
    rf"""[\s;\u2013\u2014:.\u2026,](?:  # the first sign stands by itself, so that a search skips all other places
    (?<=[\s])(?:\s*[;\u2013\u2014]\s*|-+\s|\s*{_JOINS}\s+|\s*and\s+(?={_NEW_SUBJECT}\b))
    |(?<=[;\u2013\u2014])\s*|(?<=:)\s|(?<=\.)\.\.\s*|(?<=\u2026)\s*
    |(?<=,)\s+(?:{_JOINS}\s+|(?:and\s+)?(?={_NEW_SUBJECT}\b)))""",
    re.VERBOSE,
)
_DANGLING = re.compile(
    r"(?:it|it's|about|that|that's|this|there|he|she|those|these|him|her|they're|he's|she's|which|what|here|is what|who|how|when"
    r"|been (?:an?|the|such|quite))\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"(?:if|unless|whether|until|in case|as long as)\b[^,]*\Z", re.IGNORECASE
)  # what it is the condition of stands elsewhere
_POINTS_AWAY = any_of(  # to somebody, or to what stands elsewhere
    ["you", "yours?", "yourself", "let's", "lemme", "like (?:this|that)", "this one", "these ones?", "the (?:above|below|following)"]
)
_ASKS = re.compile(r"(?:what|which|who|where|when|why|how)\b(?=(?:\s+\S+){2})", re.IGNORECASE)
_INVERTED = re.compile(  # "what is it": what follows "asked" has the verb behind its subject
    r"\b(?:do|does|did|didnt|can|could|should|would|will|is|are|was|were|has|have)(?:n't)?\s+"
    r"(?:i|we|it|they|he|she|this|that|these|those|the|an?|my|our|its|there)\b",
    re.IGNORECASE,
)
_CONTACT = re.compile(r"[^\s@]+@[^\s@]+\.\w|\+?\d[\d ().-]{7,}\d")  # stays a fact of its own (G-09)
_MAY_BE_CONTACT = re.compile(r"[@\d]")
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
    size: int = field(init=False, repr=False, compare=False)  # words

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", len(self.text.split()))


Spans = Sequence[tuple[int, int]]


def content(text: str) -> Iterator[str]:
    """Yield the terms of a text that carry its meaning."""
    return map(term_of, filterfalse(SLIGHT.__contains__, words(text.replace("\u2019", "'"))))


def names_in(speakers: Iterable[str]) -> frozenset[str]:
    """Return the names by which these speakers may be called, folded: first names, and their short forms."""
    firsts = {speaker.casefold().split()[0] for speaker in speakers if speaker.strip()}
    return frozenset(firsts | {name[:size] for name in firsts for size in _SHORT_FORMS if len(name) > size + 1})


class _Hearing(NamedTuple):
    """Who hears a speaker: the names by which they may be called, and how they are spoken to, None where nobody hears.

    ignored: the names of all who take part, as terms.
    """

    others: frozenset[str]
    addressed: Addressed | None
    ignored: frozenset[str]


@lru_cache(maxsize=256)
def _hearing(names: frozenset[str], speaker: str) -> _Hearing:
    others = names - names_in([speaker])
    return _Hearing(others, addressed_to(others) if others else None, frozenset(map(term_of, names)))


def clauses(
    turn: Utterance, place: int, names: Collection[str], held: Spans, decided: Spans = (), readings: Readings | None = None
) -> list[Clause]:
    """Return the clauses of a turn that may be told. place: which turn it is; names: `names_in` its session; held: spans of held facts;
    decided: those of decisions; readings: of the turns, where others read them too.
    """
    text = turn.text[:LONGEST_TURN]
    read = (readings or Readings()).of(text)
    others, addressed, ignored = _hearing(frozenset(names), turn.speaker)
    told = []
    for start, end in _pieces(read):
        said = text[start:end]
        if turn.role == "assistant" and _surely_does_not_lead(said, turn.speaker, others):
            continue
        words = bare(said, addressed)
        if not words or _DANGLING.match(words) or _CONDITION.match(words) or _POINTS_AWAY.search(words.lower()) or _is_contact(words):
            continue
        if turn.role == "assistant" and not leads(words, turn.speaker):
            continue
        retold, led = retell(words, turn.speaker)
        terms = tuple(sorted({*content(retold)} - ignored))
        if len(retold.split()) < _LEAST_WORDS or not terms or (not led and (is_order(words) or not has_verb(words))):
            continue
        known, chosen = _meets(held, start, end), _meets(decided, start, end)
        value = worth(words, retold, leads=led, held=known)
        told.append(Clause(turn.id, place, start, turn.speaker, retold, led, known, value, terms, chosen))
    return told


def _meets(spans: Spans, start: int, end: int) -> bool:
    """Return whether one of the spans has a part in common with this one."""
    return bool(spans) and any(first < end and start < last for first, last in spans)


def _surely_does_not_lead(said: str, speaker: str, others: Collection[str]) -> bool:
    """Return whether a clause does not lead, by its first word; where that is unknown, False. It takes a tenth of the time."""
    first = said[: max(0, said.find(" "))].lower()
    if first in others or not stays_first(first):
        return False
    return never_leads(first, speaker) and not (first == "the" and "other" in said.lower())


def asked(turn: Utterance, place: int, names: Collection[str], readings: Readings | None = None) -> list[Clause]:
    """Return what a turn of a user asks with a question word, for a session in which hardly anything is stated. See `clauses`."""
    text = turn.text[:LONGEST_TURN]
    ignored = _hearing(frozenset(names), turn.speaker).ignored
    found = []
    for sentence in (readings or Readings()).of(text).sentences if turn.speaker == USER else ():
        words = bare(text[sentence.start : sentence.end], None)
        fits = sentence.question and _ASKS.match(words) and not _INVERTED.search(words) and not has_mask(words.lower(), 0, len(words))
        terms = tuple(sorted({*content(words)} - ignored))
        if fits and terms and not _POINTS_AWAY.search(words.lower()) and not _is_contact(words):
            told = f"asked {words[0].lower()}{words[1:]}"
            likely = worth(words, told, leads=True, held=False)
            found.append(Clause(turn.id, place, sentence.start, turn.speaker, told, leads=True, held=False, value=likely, terms=terms))
    return found


def _is_contact(words: str) -> bool:
    return _MAY_BE_CONTACT.search(words) is not None and _CONTACT.search(words) is not None


def _pieces(read: Reading) -> list[tuple[int, int]]:
    """Return the spans of the clauses of a text that ask nothing, and have no masked secret in their sentence."""
    low = read.plain
    masked = has_mask(low)
    found: list[tuple[int, int]] = []
    for start, end, _, question in read.sentences:
        if not question and start < end and not (masked and has_mask(low, start, end)):
            cuts = [cut.span() for cut in _CUT.finditer(low, start, end)]
            found += _cut(low, start, end, cuts) if cuts else ((start, end),)
    return [span for span in found if low.find(FILLER, *span) < 0] if FILLER in low else found


def _cut(low: str, start: int, end: int, cuts: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the spans of the clauses of a sentence with these cuts. A piece that is too short stays with the one before it."""
    begin, dangling = start, False  # what follows "which" has its subject elsewhere
    for (high, after), (following, _) in pairwise([*cuts, (end, end)]):
        if high > begin and len(low[after:following].split()) >= _FEWEST_APART:
            if not dangling:
                yield begin, high
            begin, dangling = after, "which" in low[high:after]
    if begin < end and not dangling:
        yield begin, end
