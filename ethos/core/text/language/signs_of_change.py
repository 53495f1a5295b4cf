"""Signs of change: the words by which a turn says that something is not as it was, or is so now, each looked up by itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from ethos.core.text.language.cues import cue_signs, cue_words, single_cues
from ethos.core.text.language.lexicon import word_class
from ethos.core.text.language.stations import signs_of_end
from ethos.core.text.language.tagging import forms_of, possible_tags, verb_of, words_of
from ethos.core.text.memoize import ChunkCache, cached_by_word

NEGATIONS = frozenset({"not", "no", "never", "n't", "without", "nope"})
PAIRS = (("out", "of"), ("instead", "of"), ("place", "of"), ("bye", "bye"), ("goodbye", "to"))  # before what is given up
_STEPS = (("up", "to"), ("down", "to"), ("back", "to"), ("forward", "to"))


@cache
def _forms(name: str) -> frozenset[str]:
    return frozenset(form for verb in word_class(name) for form in forms_of(verb))


PhraseTable = Mapping[str, Sequence[tuple[str, ...]]]  # by their first words


def _by_first_word(phrases: Iterable[tuple[str, ...]]) -> PhraseTable:
    found: dict[str, list[tuple[str, ...]]] = {}
    for phrase in phrases:
        found.setdefault(phrase[0], []).append(phrase)
    return found


@cache
def now_cues() -> frozenset[str]:
    """Return the words by which a turn says that something is so from now on."""
    return single_cues("turn") | word_class("new")


@cache
def longer_now_cues() -> PhraseTable:
    """Return the phrases that say the same."""
    return _by_first_word([*(cue for cue in cue_words("turn") if len(cue) > 1), *_STEPS])


@cache
def ended_cues() -> PhraseTable:
    """Return the phrases that, behind a denial, say that something was so: "any more"."""
    return _by_first_word(cue for cue in cue_words("turn") if cue[-1] in ("more", "anymore", "longer"))


@cached_by_word
def is_measure(word: str) -> bool:
    """Return whether a word has a digit, or is a day or a month."""
    return any(map(str.isdigit, word)) or word in word_class("calendar")


@cached_by_word
def may_give_up(word: str) -> bool:
    """Return whether a word is one without which no phrase of its segment is given up."""
    return (
        word in NEGATIONS
        or word in ("off", "from")
        or any(word == first for first, _ in PAIRS)
        or word in word_class("gone")
        or word == "up"  # "give up"
        or gives_up(word)
        or any(verb_of(word) in word_class(name) for name in ("becoming", "ending"))
    )


def _is_cue(word: str) -> bool:
    known = word in cue_signs() or word in word_class("new") or word in word_class("gone") or word in signs_of_end()
    return known or word in _forms("giving-up") or word in _forms("changing")


_OTHER_SIGNS = NEGATIONS - {"never"} | {"more", "as", "today", "here", "currently"}
_has_cue = ChunkCache(lambda chunk: any(word in _OTHER_SIGNS or _is_cue(word) for word in words_of(chunk))).__getitem__


_has_measure = ChunkCache(
    lambda chunk: any(word[0].isdigit() or word in word_class("calendar") or possible_tags(word) == "#" for word in words_of(chunk))
).__getitem__


def gives_up(word: str) -> bool:
    """Return whether a word is a verb of giving something up."""
    return verb_of(word) in word_class("giving-up") or word in word_class("giving-up") or word in _forms("giving-up")


def is_give_up(words: Sequence[str], at: int) -> bool:
    """Return whether "give up" ends at a word."""
    return words[at] == "up" and at > 0 and verb_of(words[at - 1]) == "give"


def may_tell_change(low: str) -> bool:
    """Return whether a folded text has a word that may say that something is not as it was."""
    return any(map(_has_cue, low.split()))


def may_tell_measure(low: str) -> bool:
    """Return whether a folded text has a number, a day or a month."""
    return any(map(_has_measure, low.split()))
