"""Persons: whom "he" or "she" stands for, among those whom the text names before it.

After Hobbs (Resolving pronoun references, 1978), without his trees: a person is who does something, who owns something, or one of the
speaker's kin. Deviation: where two persons are named, the one nearest before the pronoun is taken, and it is said to be a guess.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ethos.core.text.language.dates import CALENDAR
from ethos.core.text.language.everyday import is_everyday
from ethos.core.text.language.lexicon import word_class
from ethos.core.text.language.tagging import Tagged, tag, verb_of
from ethos.core.text.sentences import all_sentences

HE_OR_SHE: Final = frozenset({"he", "his", "she", "her"})
FAR: Final = 400  # characters before a pronoun in which its person is named
_SENTENCES = 3  # and sentences
_OWN = re.compile(r"m[A#NK]*N")  # "my older sister", "our friend Noor"
# Who does or owns something, or is kin by name.
_NAME = re.compile(r"(?<![DmuA#NKn])[NK]{1,2}(?=[RX]*[BHYOVzd]|'|,[mD])|(?<=N,)[NK]{1,2}(?=,)")
_MET = re.compile(r"(?<=[Vzd])[NK]{1,2}(?=[,;IC]|\Z)")  # whom somebody has met
_ONE = re.compile(r",|B|")  # between two words for one person: "Kwame, our eldest", "my brother is Tom"


class Person(NamedTuple):
    """A person in the words of the text. sure: nobody else is named who could be meant; kin: one of the speaker's own people."""

    words: str
    sure: bool
    kin: bool


class _Named(NamedTuple):
    """A person named in a sentence, from one word up to another."""

    words: str
    head: str  # the last word, folded
    first: int
    last: int
    kin: bool


def person_before(low: str, text: str, pronoun: str) -> Person | None:
    """Return the person that "he", "his", "she" or "her" stands for behind a folded, masked text of one line; None if nobody is named.

    text: the same as it was written.
    """
    start = max(0, len(low) - FAR)
    found: list[_Named] = []
    for place in [*all_sentences(low[start:])][-_SENTENCES:]:
        first, last = start + place.start, start + place.end
        sentence = tag(low[first:last])
        found += _joined(_named(sentence, text[first:last]), sentence.tags)
    found = [each for each in found if each.head not in word_class(_OTHERS[pronoun])]
    if not found:
        return None
    return Person(found[-1].words, len({each.head for each in found}) == 1, found[-1].kin)


_OTHERS = {"he": "female", "his": "female", "she": "male", "her": "male"}


def _named(sentence: Tagged, written: str) -> Iterator[_Named]:
    """Yield the persons that a sentence names, in their order."""
    words, tags, spans = sentence.words, sentence.tags, sentence.spans()
    own = {match.start(): _kin_in(words, written, spans, match.span()) for match in _OWN.finditer(tags)}
    own |= {at: at + 1 for at, word in enumerate(words) if word in word_class("address") and tags[at - 1 : at] not in tuple("DmuAN'")}
    names = {match.start(): match.end() for match in _NAME.finditer(tags) if _is_name(words, written, spans, match.span())}
    met = {match.start(): match.end() for match in _MET.finditer(tags) if verb_of(words[match.start() - 1]) in word_class("meeting")}
    names |= {first: last for first, last in met.items() if _is_name(words, written, spans, (first, last))}
    for first, last in sorted((own | names).items()):
        if last > first:
            yield _Named(written[spans[first][0] : spans[last - 1][1]], words[last - 1], first, last, first in own)


def _kin_in(words: Sequence[str], written: str, spans: Sequence[tuple[int, int]], phrase: tuple[int, int]) -> int:
    """Return where one of the speaker's own people ends in a phrase, with their name; 0 if it tells of nobody."""
    low, high = phrase
    kin = next((at for at in range(low + 1, high) if words[at] in word_class("kin") | word_class("trade")), 0)
    if not kin:
        return 0
    return high if _is_name(words, written, spans, (kin + 1, high)) else kin + 1 if kin + 1 == high else 0


def _is_name(words: Sequence[str], written: str, spans: Sequence[tuple[int, int]], phrase: tuple[int, int]) -> bool:
    """Return whether words name somebody: each is in no dictionary, or has a capital that no sentence gives it."""
    return all(
        words[at].isalpha()
        and words[at] not in CALENDAR
        and words[at] not in word_class("address")
        and (not is_everyday(words[at]) or (at and written[spans[at][0]].isupper()))
        for at in range(*phrase)
    )


def _joined(named: Iterator[_Named], tags: str) -> list[_Named]:
    """Return the persons with two words for one person as one: "Kwame, our eldest", "my brother is Tom". The first stays."""
    found: list[_Named] = []
    for each in named:
        if found and found[-1].kin != each.kin and _ONE.fullmatch(tags, found[-1].last, each.first):
            found[-1] = found[-1]._replace(last=each.last)
        else:
            found.append(each)
    return found
