"""Signs of change: the words by which a turn says that something is not as it was, or is so now, each looked up by itself."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from ethos.core.text.language.cues import PhraseTable, by_first_word, cue_signs, cue_words, single_cues
from ethos.core.text.language.lexicon import phrases_of, word_class
from ethos.core.text.language.stations import signs_of_end
from ethos.core.text.language.tagging import forms_in, forms_of, possible_tags, verb_of, words_of
from ethos.core.text.memoize import ChunkCache, cached_by_word

NEGATIONS = frozenset({"not", "no", "never", "n't", "without", "nope"})
PAIRS = (
    ("forget", "about"),
    ("finished", "at"),
    ("finished", "with"),
    ("done", "with"),
    ("stop", "with"),
    ("stopped", "with"),
    ("cease", "with"),
    ("ceased", "with"),
    ("through", "with"),
    ("done", "at"),
    ("out", "of"),
    ("instead", "of"),
    ("place", "of"),
    ("bye", "bye"),
    ("goodbye", "to"),
)  # before what is given up
PHRASAL_ENDS = frozenset({  # verbs with a particle that give something up, the verb in its base form
    ("give", "up"), ("give", "back"), ("give", "away"), ("tear", "down"), ("step", "down"), ("phase", "out"), ("hand", "back"),
    ("hand", "over"), ("send", "back"), ("trade", "in"), ("throw", "away"), ("throw", "out"), ("drop", "out"), ("pull", "out"),
    ("opt", "out"), ("back", "out"), ("shut", "down"), ("close", "down"), ("wind", "down"), ("pack", "in"), ("get", "rid"), ("sign", "off"),
    ("let", "go"), ("let", "lapse"), ("let", "expire"), ("shut", "off"), ("switch", "off"), ("turn", "off"),
    ("rip", "out"), ("chuck", "out"), ("kick", "out"), ("strip", "out"), ("tear", "out"), ("take", "down"),
})  # fmt: skip
ENDS = (  # phrases by which a thing ends, the verb in its base form
    ("run", "out"), ("go", "under"), ("go", "bust"), ("go", "bankrupt"), ("go", "out", "of", "business"), ("wind", "up"), ("pass", "away"),
    ("burn", "down"), ("give", "out"), ("pack", "in"), ("fall", "through"), ("fall", "apart"), ("dry", "up"), ("peter", "out"),
    ("conk", "out"), ("be", "put", "down"), ("be", "put", "to", "sleep"),
)  # fmt: skip
RESIGNS = (("step", "down"), ("step", "back"), ("stand", "down"), ("bow", "out"), ("move", "on"))  # by which somebody gives up what they do
_OF_ENDS = frozenset(verb for verb, *_ in (*PHRASAL_ENDS, *ENDS, *RESIGNS)) - {"be"} | {"put"}
_PARTICLES = frozenset(particle for _, particle in PHRASAL_ENDS)
STEPS = frozenset({("up", "to"), ("down", "to"), ("back", "to"), ("forward", "to")})  # before a value: "down to 9"


def has_phrase(words: Sequence[str], phrases: PhraseTable) -> bool:
    """Return whether one of these phrases stands among words."""
    if phrases.keys().isdisjoint(words):
        return False
    return any(
        tuple(words[at : at + len(phrase)]) == phrase for at, word in enumerate(words) if word in phrases for phrase in phrases[word]
    )


@cache
def now_cues() -> frozenset[str]:
    """Return the words by which a turn says that something is so from now on."""
    return single_cues("turn") | word_class("new")


@cache
def longer_now_cues() -> PhraseTable:
    """Return the phrases that say the same."""
    return by_first_word(cue for cue in cue_words("turn") if len(cue) > 1)


@cache
def ended_cues() -> PhraseTable:
    """Return the phrases that, behind a denial, say that something was so: "any more", "after all"."""
    return by_first_word(cue for cue in cue_words("turn") if cue[-1] in ("more", "anymore", "longer") or cue == ("after", "all"))


@cached_by_word
def is_measure(word: str) -> bool:
    """Return whether a word has a digit, or is a day or a month."""
    return any(map(str.isdigit, word)) or word in word_class("calendar")


@cached_by_word
def begins_time(word: str) -> bool:
    """Return whether a word behind "from" says from when: "from next week", "from January", "from 2026"."""
    return word in ("next", "this", "tomorrow", "today", "now") or word in word_class("calendar") or (word.isdigit() and len(word) == 4)


@cached_by_word
def changes(word: str) -> bool:
    """Return whether a word is a form of a verb of change."""
    return verb_of(word) in word_class("changing")


@cached_by_word
def may_give_up(word: str) -> bool:
    """Return whether a word is one without which no phrase of its segment is given up."""
    return (
        word in NEGATIONS
        or word in ("off", "from", "place", "stead", "shoes")
        or any(word == first for first, _ in PAIRS)
        or verb_of(word) in _OF_ENDS
        or word in word_class("gone")
        or gives_up(word)
        or any(verb_of(word) in word_class(name) for name in ("becoming", "ending", "destroying", "handing-over"))
    )


@cached_by_word
def may_waive(word: str) -> bool:
    """Return whether a word is one without which no phrase of its segment names what need not be done any more."""
    needed = any(word in word_class(name) for name in ("needing", "needed"))
    return needed or word in forms_in("leaving-out") or any(word in cue for phrases in ended_cues().values() for cue in phrases)


@cached_by_word
def may_end(word: str) -> bool:
    """Return whether a word is one without which no phrase of its segment names what ends."""
    return may_give_up(word) or may_waive(word) or may_permit(word)


@cached_by_word
def may_permit(word: str) -> bool:
    """Return whether a word is one without which no phrase of its segment names what may be done."""
    return word == "do" or word in word_class("permitted") or any(word == first for first, _ in before_permitted())


@cache
def before_permitted() -> frozenset[tuple[str, ...]]:
    """Return the pairs of words that say of what stands behind them that it may be done: "you can"."""
    return frozenset(tuple(phrase.split()) for phrase in phrases_of("permitting"))


@cache
def phrase_table(name: str) -> PhraseTable:
    """Return the phrases of a class by their first words."""
    return by_first_word(tuple(phrase.split()) for phrase in phrases_of(name))


def is_for_once(words: Sequence[str]) -> bool:
    """Return whether the words of a sentence say that it is so this once: "tomorrow the shop opens at 10", "only this time"."""
    opening = phrase_table("opening-once").get(words[0], ()) if words else ()
    return has_phrase(words, phrase_table("this-once")) or any(tuple(words[: len(each)]) == each for each in opening)


def changes_nothing(words: Sequence[str]) -> bool:
    """Return whether the words of a sentence say that what was so before goes on: "on Windows now, too", "only this once"."""
    if is_for_once(words):
        return True
    if not has_phrase(words, phrase_table("beside-others")):
        return False
    added = [word for word in words if (word,) in phrase_table("beside-others").get(word, ())]
    return added != ["too"] or _ends_with_too(words)


def _ends_with_too(words: Sequence[str]) -> bool:
    """Return whether "too" says "as well": "to Bremen too", not "too far"."""
    behind = words[words.index("too") + 1 :]
    return not behind or not set(possible_tags(behind[0])) & set("AR")


def gives_name(text: str) -> bool:
    """Return whether a folded text calls something by a name: who moved a horse to Verden has not called it that."""
    return any(word == "name" or any(verb_of(word) in word_class(each) for each in ("naming", "renaming")) for word in words_of(text))


def tells_end(predicate: str) -> bool:
    """Return whether a predicate only tells the end of something, which is heard as a change of the facts that name it: "cancelled",
    "ripped out", "was switched off on".
    """
    done = [word for word in predicate.lower().split() if word not in _HELPERS]
    verb, *behind = done or [""]
    base = verb_of(verb)
    if (base == verb and len(done) == len(predicate.split())) or verb.endswith("s"):
        return False  # "quit", "cancels"; but "has quit"
    return base in word_class("letting-go") or (base, *behind[:1]) in (*PHRASAL_ENDS, ("take", "over"))


_HELPERS = frozenset({"has", "have", "was", "were", "been", "got"})


def is_parted(verb: str, particle: str) -> bool:
    """Return whether a verb gives up what stands between it and a particle: "gave my locker back"."""
    return particle in _PARTICLES and (verb_of(verb), particle) in PHRASAL_ENDS


def _is_cue(word: str) -> bool:
    known = word in cue_signs() or word in signs_of_end() or any(word in word_class(name) for name in ("new", "gone", "permitted"))
    return known or word in _endings() or any(word in forms_in(name) for name in ("giving-up", "leaving-out", "changing"))


@cache
def _endings() -> frozenset[str]:
    """Return the forms of verbs by which a thing ends, or with a particle does; without those that stand in most texts."""
    phrasal = {verb for verb, *_ in (*PHRASAL_ENDS, *ENDS, *RESIGNS)} - _COMMON
    return frozenset(form for verb in phrasal for form in forms_of(verb)) | forms_in("ending") | forms_in("destroying")


_COMMON = frozenset({"be", "fall", "get", "give", "go", "pull", "run", "send", "back", "sign", "take"})


_OTHER_SIGNS = NEGATIONS - {"never"} | {"more", "as", "today", "here", "currently"}
_has_cue = ChunkCache(lambda chunk: any(word in _OTHER_SIGNS or _is_cue(word) for word in words_of(chunk))).__getitem__


_has_measure = ChunkCache(
    lambda chunk: any(word[0].isdigit() or word in word_class("calendar") or possible_tags(word) == "#" for word in words_of(chunk))
).__getitem__


def gives_up(word: str) -> bool:
    """Return whether a word is a verb of giving something up."""
    return verb_of(word) in word_class("giving-up") or word in word_class("giving-up") or word in forms_in("giving-up")


def is_give_up(words: Sequence[str], at: int) -> bool:
    """Return whether a verb and a particle that give something up end at a word: "give up", "torn down"."""
    return at > 0 and is_parted(words[at - 1], words[at])


def may_tell_change(low: str) -> bool:
    """Return whether a folded text has a word that may say that something is not as it was."""
    return any(map(_has_cue, low.split())) or any(phrase in low for phrase in phrases_of("permitting"))


def may_tell_measure(low: str) -> bool:
    """Return whether a folded text has a number, a day or a month."""
    return any(map(_has_measure, low.split()))
