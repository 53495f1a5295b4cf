"""Own words: the clause in which a claim was made, in the third person: "dancing helps me de-stress" becomes "Dancing helps Jon de-stress".

Subject, predicate and object are what a claim is compared by. They leave out what stands around them: when, with whom, what for. So a fact
is shown in the words of its clause where these say more. Where the clause cannot be told safely (it is addressed to somebody, its subject
is not that of the claim), subject, predicate and object must do (`phrasing`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace
from operator import attrgetter

from ethos.core.model.records import Claim
from ethos.core.rules.modifiers import GUESSED, is_hedged
from ethos.core.text.folding import key
from ethos.core.text.language.extents import Extent, extent
from ethos.core.text.language.lexicon import pattern_of, phrases_of, word_class
from ethos.core.text.language.pronouns import AGENT, TEAM, named_once
from ethos.core.text.language.stations import words_of_end
from ethos.core.text.language.tagging import Tagged, tag
from ethos.core.text.sentences import Sentence, fold, turn_sentences

Span = tuple[int, int]

_LONGEST = 170  # characters of a clause that is told
_AROUND = 400  # characters of a sentence on each side of a claim that are looked at
_SUBJECT = re.compile(r"[DmuA#NKRgTV']*?[NKg#V](?:[IC][DmuA#NKg']*[NKg])*(?:,[DmuA#NK'IC]+,)?(?=[RX]*[BzdYHO]|Np)")
_BESIDE_I = re.compile(r"[DmuA#NKI']*[NK]Ci")
_TOGETHER = re.compile(r"(?P<others>.+?) and I\b(?P<rest>.*)", re.IGNORECASE)
_OPENING = re.compile(r"[UR,C]*")
_SHORTENED = re.compile(r"\A(?P<i>[Ii])(?P<short>m|ve)\b")
_FILLER = re.compile(rf"\b(?:{pattern_of('filler')}) |(?: right)? now\Z", re.IGNORECASE)
_STEM = 4  # letters by which words are compared


def in_own_words(claims: Sequence[Claim], text: str, masked: str, speaker: str) -> tuple[Claim, ...]:
    """Return the claims of a turn, in order of position, each held one with the words of its clause where they say more.

    masked: the text folded and masked, of the same length.
    """
    held = [claim for claim in claims if claim.grade == "held"]
    if not held:
        return tuple(claims)
    places = turn_sentences(masked)
    spans = [_span(claim, text) for claim in held]
    told: dict[int, Claim] = {}
    reached = 0  # by the claims before
    for at, (claim, (start, end)) in enumerate(zip(held, spans, strict=True)):
        following = min((low for low, _ in spans[at + 1 : at + 2]), default=len(text))
        if reached <= start and end <= following and _may_be_told(claim):
            place = _place(places, start)
            if place is not None and not place.question and end <= place.end:
                told[id(claim)] = replace(claim, told=_told(claim, place, (start, end), (reached, following), text, masked, speaker))
        reached = max(reached, end)
    return tuple(told.get(id(claim), claim) for claim in claims)


def _span(claim: Claim, text: str) -> Span:
    """Return the span of a claim. It ends with the object, unless this comes first: the match of some rules reaches further."""
    at = text.find(claim.object, claim.start, claim.end + len(claim.object))
    end = at + len(claim.object)
    return claim.start, claim.end if at <= claim.start and end < claim.end else end if at >= 0 else claim.end


def _may_be_told(claim: Claim) -> bool:
    """Return whether a claim says no less than its clause does: what it replaces or doubts is told apart, and so is an order."""
    replaces = claim.supersedes not in (None, "now") and claim.kind != "negation"
    if replaces or claim.over or claim.subject == AGENT:
        return False
    return GUESSED not in claim.modifiers and not is_hedged(claim.modifiers)


def _told(claim: Claim, place: Sentence, span: Span, between: Span, text: str, masked: str, speaker: str) -> str:
    """Return the clause of a claim in the third person; "" if it says no more than the claim.

    place: the sentence; between: the claims before and behind.
    """
    start, end = span
    low, high = max(place.start, between[0], start - _AROUND), min(place.end, between[1], end + _AROUND)
    sentence = tag(masked[low:high])
    found = extent(sentence, start - low, end - low, cut=high < place.end)
    if found is None or not _says_more(claim, sentence, found, (start - low, end - low)):
        return ""
    spans = sentence.spans()
    begins = low + spans[_opened(sentence, found)][0]
    words = " ".join(text[begins : low + spans[found.last - 1][1]].split())
    front = " ".join(text[low + spans[found.front][0] : low + spans[found.first][0]].rstrip(" ,").split())
    words = _SHORTENED.sub(r"\g<i>'\g<short>", _FILLER.sub("", words))
    words = f"{words} {front[0].lower()}{front[1:]}" if front else words
    if len(words) > _LONGEST or words.count('"') % 2:
        return ""
    return _retold(claim, words, sentence, found, speaker)


def _place(places: Sequence[Sentence], start: int) -> Sentence | None:
    """Return the sentence in which a claim begins."""
    at = bisect_right(places, start, key=attrgetter("start")) - 1
    return places[at] if at >= 0 and start < places[at].end else None


def _opened(sentence: Tagged, found: Extent) -> int:
    """Return the first word of a clause behind what only opens it: "well, also"."""
    opening = _OPENING.match(sentence.tags, found.first, found.last - 1)
    return opening.end() if opening is not None else found.first


def _says_more(claim: Claim, sentence: Tagged, found: Extent, span: Span) -> bool:
    """Return whether a clause has words of its own outside the claim, whose span is given, and all of the claim's object."""
    start, end = span
    words = [*zip(sentence.words, sentence.spans(), strict=True)][found.front : found.last]
    begins = max(start, sentence.spans()[found.first][0])  # the match of a rule may begin with the occasion before the clause
    outside = [word for word, (low, high) in words if high <= begins or low >= end or word in word_class("how-often")]
    obj, known = _content(tag(fold(claim.object)).words), _content(tag(fold(claim.purpose or "")).words)
    return bool(_content(outside) - obj - known) and obj <= _content(word for word, _ in words)


def _content(words: Iterable[str]) -> set[str]:
    return {word[:_STEM] for word in words if word not in word_class("slight") and word[:1].isalnum()}


def _retold(claim: Claim, words: str, sentence: Tagged, found: Extent, speaker: str) -> str:
    """Return a clause in the third person; "" if it is not told of the subject of the claim. words: its words as they were written."""
    opened = _opened(sentence, found)
    tags, said = sentence.tags[opened : found.last], sentence.words[opened : found.last]
    spoken = sentence.words[found.front : found.last]
    if not word_class("addressed").isdisjoint(spoken) or any(f" {cue} " in f" {' '.join(spoken)} " for cue in phrases_of("of-now")):
        return ""
    if claim.predicate in ("is", "are") and "B" not in tags:
        return ""  # a name that stands beside its noun: "my niece Ida will run"
    about = claim.subject == speaker
    parted = not words_of_end("love").isdisjoint(said)  # "Ida and I split up" is told without Ida
    if about and not parted and _BESIDE_I.match(tags) is not None and (together := _TOGETHER.match(words)) is not None:
        return named_once(f"I and {_lowered(together['others'], tags)}{together['rest']}", speaker)
    match tags[0]:
        case "i" if about:
            return named_once(words, speaker)
        case "w" if (about or claim.subject == TEAM) and said[1:2] not in (["both"], ["all"], ["each"]):
            return named_once(words, claim.subject, group=True)
        case "d" if about and found.front == found.first and claim.predicate.startswith(said[0]):
            return f"{speaker} {named_once(words[0].lower() + words[1:], '')}"
    if _SUBJECT.match(tags) is None:
        return ""
    if about:
        return named_once(words, speaker) if not {"i", "me", "my"}.isdisjoint(said) else ""
    if tags[0] == "m" and claim.subject.startswith(f"{speaker}'s "):
        return named_once(words, speaker)
    words = f"the {words.partition(' ')[2]}" if tags[0] == "m" else words
    starts = key(words).startswith((key(claim.subject), f"the {key(claim.subject)}"))
    return named_once(words, speaker) if starts else ""


def _lowered(words: str, tags: str) -> str:
    """Return words without the capital that begins their sentence, unless they begin with a name."""
    return words[:1].lower() + words[1:] if tags[0] in "Dm" else words
