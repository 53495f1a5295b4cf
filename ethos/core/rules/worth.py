"""Worth: whether what somebody said will still matter later, apart from whether it is so.

A claim has signs: its object names something, has a number, or is nothing but "a thing"; the sentence says "last night", or "always". Each
sign has a weight in `words/worth.txt`. Of a rule of the grade "weighed", "agreed" or "named", what has too little worth is weak, and
what one reader alone read is held where its worth is high. The weights come of a logistic regression on labelled claims.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import exp
from typing import NamedTuple

import regex

from ethos.core.model.records import Claim, Kind, Polarity, Tense
from ethos.core.rules.modifiers import GUESSED, is_hedged
from ethos.core.text.language.clauses import ordered
from ethos.core.text.language.everyday import is_everyday
from ethos.core.text.language.extents import nouns_of_time
from ethos.core.text.language.lexicon import phrases_of, weights_of, word_class
from ethos.core.text.language.noun_phrases import head_noun
from ethos.core.text.language.pronouns import AGENT, TEAM
from ethos.core.text.language.register import is_sober, tells_what_lasts
from ethos.core.text.language.signs_of_change import is_for_once, tells_end
from ethos.core.text.language.specific import is_soon_over, tells_change
from ethos.core.text.language.tagging import Tagged, possible_tags, tag, verb_of, words_of
from ethos.core.text.sentences import MAX_SENTENCE, fold

_BOUND = re.compile(r"[.!?](?=\s|\Z)|\n")
_BOUND_BEFORE = regex.compile(rf"(?r)(?:{_BOUND.pattern})")  # looked for from the end
_INNER_CAPITAL = re.compile(r"(?<=\S )[^\W\d_a-z]\w|\A[^\W\d_a-z]\w.* [^\W\d_a-z]\w|[a-z][A-Z]|\"")
_OF_ONE_READER = frozenset({"hedged", "quality", "soon-over"})  # signs that count where one reader alone made the claim
_ANY_DEED = "clauses-en/did"
_LONG = 8  # words of an object that tells more than a noun
_NEAR = 40  # characters before a claim in which the words stand that introduce it
_OPENING = 200  # characters of a sentence in which its first verb stands


class Worth(NamedTuple):
    """The worth of a claim, from 0 to 1, and the weight of each sign that it has."""

    value: float
    signs: Mapping[str, float]


class ClaimParts(NamedTuple):
    """What the worth of a claim depends on, besides the words around it. start, end: its span in the text."""

    kind: Kind
    subject: str
    predicate: str
    object: str
    polarity: Polarity
    tense: Tense
    rule: str
    modifiers: Sequence[str]
    start: int
    end: int


def worth(claim: Claim | ClaimParts, text: str, speaker: str, *, alone: bool = False) -> Worth:
    """Return the worth of a claim in its text. alone: only one of two readers made it."""
    of = weights_of("worth")
    low, high = _sentence(text, claim.start, claim.end)
    capital = claim.object[:1].isupper() and text.find(claim.object, low, high) > low
    cheered = text[high : high + 1] == "!"
    found = _signs(claim, fold(text[low:high]), claim.start - low, speaker, capital=capital, cheered=cheered)
    whole = alone and _is_whole(claim, text, low, high) and is_sober(fold(text))
    more = [sign for sign, so in (("alone", alone), ("whole", whole)) if so]
    signs = {sign: of[sign] for sign in (*found, *more) if sign in of and (alone or sign not in _OF_ONE_READER)}
    return Worth(round(1 / (1 + exp(-of["base"] - sum(signs.values()))), 3), signs)


def is_worth_holding(claim: Claim, text: str, speaker: str) -> bool:
    """Return whether a claim of a rule whose claims are weighed is held."""
    if claim.supersedes and claim.grade == "held":
        return True
    found = worth(claim, text, speaker, alone=claim.grade == "weak")
    sure = not claim.supersedes or ("whole" in found.signs and claim.subject != speaker)  # it may end a fact
    return sure and found.value >= weights_of("worth")["least"]


def _may_be_for_once(claim: Claim | ClaimParts) -> bool:
    """Return whether a claim is an order, or tells what is so: what happened once has happened all the same."""
    return claim.subject == AGENT or (claim.kind == "fact" and tells_what_lasts(claim.predicate))


def _is_whole(claim: Claim | ClaimParts, text: str, low: int, high: int) -> bool:
    """Return whether a claim of what is so fills the sentence text[low:high], but for one word, and that tells no change.

    "The" thing is often one of the moment: "the function returns null".
    """
    around = len(text[low : claim.start].split()) + len(text[claim.end : high].split())
    lasts = claim.tense == "present" and not claim.modifiers and tells_what_lasts(claim.predicate)
    return lasts and not claim.subject.lower().startswith("the ") and around <= 1 and not tells_change(fold(text[low:high]))


def _sentence(text: str, start: int, end: int) -> tuple[int, int]:
    """Return where the sentence of text[start:end] begins and ends. A long one is cut, so that a claim never costs the whole text."""
    first, last = max(0, start - MAX_SENTENCE), min(len(text), end + MAX_SENTENCE)
    before, after = _BOUND_BEFORE.search(text, first, start), _BOUND.search(text, end, last)
    return before.end() if before else first, after.start() if after else last


def _signs(claim: Claim | ClaimParts, sentence: str, start: int, speaker: str, *, capital: bool, cheered: bool) -> list[str]:
    """Return the signs of a claim, by their names in the list of weights.

    sentence: the one it stands in, folded; start: of the claim in it; capital: the object begins with one that does not begin the sentence;
    cheered: an exclamation mark ends it.
    """
    tagged = tag(fold(claim.object))
    words, tags = tagged.words, tagged.tags
    said = set(words)
    head = words[0] if tags[:1] == "g" else head_noun(words, tags, 0, len(words))  # "hiking"
    around = f" {sentence} "
    opening = tag(sentence[:_OPENING])
    names = capital or "K" in tags or _INNER_CAPITAL.search(claim.object) is not None or _is_rare(words, tags)
    told = {
        "number": any(each == "#" and word != "one" for word, each in zip(words, tags, strict=True)),
        "name": names,
        "pointing": not said.isdisjoint(word_class("pointing")),
        "dangling": _dangles(tagged),
        "evaluative": not said.isdisjoint(word_class("evaluative")),
        "empty": not names and head in word_class("empty"),
        "no-noun": not head and not names,
        "long": len(words) > _LONG,
        "soon-over": is_soon_over(claim.object),
        "passing": any(f" {phrase} " in around.replace(",", " ") for phrase in phrases_of("passing")),
        "thing": claim.subject not in (speaker, *_WHO) and (claim.subject[:1].islower() or " " in claim.subject),
        "indefinite": _is_indefinite(claim, sentence, speaker),
        "preference": claim.kind == "preference",
        "hedged": is_hedged(claim.modifiers),
        "pronoun": GUESSED in claim.modifiers,
        "past": claim.tense != "present",
        "deed": _is_deed(claim, speaker),
        "generic": _is_generic(claim, tagged),
        "let-go": claim.kind == "fact" and claim.polarity == "+" and tells_end(claim.predicate),
        "order": ordered(opening.words, opening.tags) != "" and not _is_to_be_told(sentence[:start]),
        "once": _may_be_for_once(claim) and is_for_once(words_of(sentence)),
        "quality": claim.predicate in _BE and tags[:1] in tuple("ARnI"),
        "theirs": claim.subject == speaker and _is_of_others(tagged),
        "shown": _is_shown(claim.subject),
        "simile": f"{claim.predicate} {claim.object}".startswith(_LIKE),
        "urged": claim.subject == TEAM and claim.kind == "decision" and not names and _is_urged(claim.predicate, words),
        "cheer": claim.subject == AGENT and (cheered or _is_of_hearer(tagged)),
        claim.rule.partition("/")[0]: True,
    }
    return [sign for sign, so in told.items() if so]


_WHO = (TEAM, AGENT, "user")


def _is_deed(claim: Claim | ClaimParts, speaker: str) -> bool:
    """Return whether a claim tells what somebody once did: "I upgraded some of my equipment". Steps of a life have rules of their own."""
    return claim.rule == _ANY_DEED and claim.subject == speaker


def _dangles(obj: Tagged) -> bool:
    """Return whether a phrase points at what was said or shown before: "that intensity", "something like this", but not "this week"."""
    for at, word in enumerate(obj.words):
        if word in _POINTERS and obj.tags[at] in "DPtp" and (at or word != "this"):  # "I got this great deal" points at nothing
            noun = next((each for each, kind in zip(obj.words[at + 1 :], obj.tags[at + 1 :], strict=True) if kind in "NK"), "")
            if word not in ("those", "these") or noun:
                return noun not in nouns_of_time()
    return False


def _is_generic(claim: Claim | ClaimParts, obj: Tagged) -> bool:
    """Return whether a claim says of things of one sort that they are another: "setbacks are opportunities"."""
    if claim.predicate != "are" or " " in claim.subject or claim.subject in _WHO or obj.tags[:1] != "N":
        return False
    return is_everyday(obj.words[0]) and possible_tags(claim.subject.lower())[:1] == "N"


def _is_to_be_told(before: str) -> bool:
    """Return whether an order has something told that is so: "write a README explaining that", and then the claim."""
    *_, telling, that = ("", "", *words_of(before[-_NEAR:]))
    return that == "that" and not word_class("telling").isdisjoint((telling, verb_of(telling)))


def _is_indefinite(claim: Claim | ClaimParts, sentence: str, speaker: str) -> bool:
    """Return whether what a claim is about is no certain thing: "add a command that lists tasks", "something broke"."""
    subject = fold(claim.subject)
    at = -1 if claim.subject in (speaker, *_WHO) else sentence.find(subject)
    if at < 0:
        return False
    return not word_class("indefinite").isdisjoint([*subject.split()[:1], *sentence[max(0, at - 12) : at].split()[-1:]])


def _is_urged(predicate: str, words: Sequence[str]) -> bool:
    """Return whether an obligation is everybody's, and of no work: "we must stand up for what we believe in"."""
    obliged = any(f"{predicate} ".startswith(f"{modal} ") for modal in (*phrases_of("obliging"), "has to"))
    return obliged and not any(word[:1].isdigit() or word in word_class("of-work") for word in words)


def _is_shown(subject: str) -> bool:
    """Return whether a subject points at what is only seen or lived now: "this picture", "this week", but not "this repo"."""
    words = fold(subject).split()
    return len(words) > 1 and words[0] in _POINTERS and words[-1] in word_class("passing-thing")


def _is_of_others(tagged: Tagged) -> bool:
    """Return whether a phrase speaks of others whom it does not name: "make their lives better", but not "Ana and her cats"."""
    first = next((at for at, kind in enumerate(tagged.tags) if kind in "NKhp" or tagged.words[at] in _OTHERS), -1)
    return first >= 0 and tagged.words[first] in _OTHERS


_OTHERS = frozenset({"their", "his", "her", "them", "him", "they", "he", "she", "theirs"})
_BE = frozenset({"is", "are", "was", "were"})
_LIKE = tuple(f"{be} like " for be in sorted(_BE))


def _is_of_hearer(tagged: Tagged) -> bool:
    """Return whether an object is something of whom one speaks to, and nothing that an agent makes: "your dreams", but "your answers"."""
    for place, word in enumerate(tagged.words):
        if word in ("your", "ur"):
            return word_class("made-by-agent").isdisjoint(tagged.words[place + 1 : place + 4])
    return False


_POINTERS = ("this", "that", "these", "those")


def _is_rare(words: list[str], tags: str) -> bool:
    """Return whether a noun is one that no dictionary has."""
    return any(each in "NA" and not is_everyday(word) for word, each in zip(words, tags, strict=True))
