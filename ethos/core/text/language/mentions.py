"""Mentions: the specific phrases of a turn, and whether it says of each that it is given up, or that it is so now.

"ripped the Sass out of the dashboard and did it all in Tailwind" gives up Sass; Tailwind is what it might be given up for. Words and tags
around a phrase say so, without a parse of the clause: what a turn speaks of is known already, so less is enough (`core.facts.changes`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property, reduce
from itertools import pairwise

from ethos.core.text.language.accounts import Accounts, accounts_in
from ethos.core.text.language.clauses import ordered
from ethos.core.text.language.correction import corrects
from ethos.core.text.language.ending import GIVEN_UP, Ending
from ethos.core.text.language.everyday import is_everyday
from ethos.core.text.language.given_up import GivenUp
from ethos.core.text.language.lexicon import word_class
from ethos.core.text.language.measures import measures_told, words_of_measure
from ethos.core.text.language.mentioned import NOTHING, Mention, Spoken, Thing, TurnMentions
from ethos.core.text.language.signs_of_change import (
    STEPS,
    begins_time,
    changes,
    changes_nothing,
    has_phrase,
    is_measure,
    longer_now_cues,
    may_end,
    may_tell_change,
    may_tell_measure,
    now_cues,
)
from ethos.core.text.language.stations import Ended, ends_in
from ethos.core.text.language.tagging import PAST_AUXILIARIES, in_lexicon, tag, verb_of
from ethos.core.text.memoize import cached_by_word, memoized
from ethos.core.text.sentences import Sentence, fold, mask, question_start, turn_sentences

_MOST, _LONGEST = 1_024, 1_000  # turns remembered, and their characters: where turns come in late, the same ones are asked for again
_CORRECTING = 3  # sentences of a turn that corrects what was said before
_SENTENCES = 12  # of a turn, from its beginning
_LINKS = frozenset({"to", "is", "'s", "are", "in", "on", "at", "called", "named", "with", "by", "into", "onto", "through", "from", "of",
                    "for", "now", "be", "been", "use", "uses", ":", ","})  # fmt: skip
_TAKING_UP = frozenset({"to", "with", "for", "by", "in", "on", "as", "is", "'s", "use", "uses", "using", "called", "named", ":"})


@memoized(_MOST, longest=_LONGEST)
def told_in(text: str) -> TurnMentions | None:
    """Return what the first sentences of a turn mention; None where nothing in it may say that something has changed."""
    low = mask(fold(text))
    differ = (accounts := accounts_in(low)) >= Accounts.SEVERAL
    if not (differ or may_tell_change(low) or may_tell_measure(low)):
        return None
    sentences = [_Sentence(text, low, place) for place in turn_sentences(low)[:_SENTENCES]]
    if not ((corrected := corrects(text)) or differ or any(read.may_tell_change() for read in sentences)):
        return None
    mentions, spoken, cues, ended = list[Mention](), list[Spoken](), list[bool](), list[tuple[Ended, Mention]]()
    speaking, now = list[_Sentence](), False  # those that speak of one thing, up to the present one
    for number, read in enumerate(sentences):
        found, before, was = list(read.mentions(number)), speaking, now
        speaking, now = [read], read.tells_now() or (corrected and number < _CORRECTING)
        if before and read.points_back():
            speaking, now = [*before, read], now or was
        mentions += found
        ended += read.ended(number)
        valued = any(each.specific and each.linked and not each.supposed for each in found)
        measured = any(each.measured and not each.supposed for each in found)
        telling = (valued and now) or measured or differ or any(each.ending.contrasted for each in found)
        spoken.append(reduce(Spoken.joined, (each.spoken() for each in speaking)) if telling else NOTHING)
        cues.append(now)
    return TurnMentions(tuple(mentions), tuple(spoken), tuple(cues), tuple(ended), accounts, corrected) if mentions or ended else None


@cached_by_word
def stem(word: str) -> str:
    """Return a word without the marks of the plural and the possessive."""
    word = word.removesuffix("'s")
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


class _Sentence:
    """The words of a sentence, their tags, and the segments that they stand in."""

    def __init__(self, text: str, low: str, place: Sentence) -> None:
        self._text = text[place.start : place.end]
        self._offset = place.start
        self._asks = question_start(low[place.start : place.end]) if place.question else len(text)  # from where on
        self._tagged = tag(low[place.start : place.end])
        self.words, self._tags = self._tagged.words, self._tagged.tags
        segment = 0
        tagged = zip(self.words, self._tags, strict=True)
        self._segments = [segment := segment + (kind in ",;CS" or word in ("so", "but")) for word, kind in tagged]

    @cached_property
    def _spans(self) -> list[tuple[int, int]]:
        return self._tagged.spans()

    @cached_property
    def _has_capitals(self) -> bool:
        """Return whether it has capitals behind its first letter that tell something, since not all of it is in capitals."""
        return any(map(str.isupper, self._text[1:])) and not self._text.isupper()

    @cached_property
    def _given_up(self) -> GivenUp:
        return GivenUp(self.words, self._tags, self._segments)

    def may_tell_change(self) -> bool:
        """Return whether it has a cue of now, a measure, or what is given up or has ended: most sentences have none of them, and a turn
        of such says of nothing that it has changed, whatever it mentions.
        """
        return (
            any(map(is_measure, self.words))
            or self._has_cue_of_now()
            or any(word != "one" for word, kind in zip(self.words, self._tags, strict=True) if kind == "#")
            or bool(self._ends)
            or (any(map(may_end, self.words)) and any(ending.ends for _, _, _, ending in self._phrases))
        )

    def _orders(self) -> bool:
        """Return whether it begins with an order that says nothing of what is so: "add a command called db"."""
        verb = ordered(self.words, self._tags)
        return verb != "" and not any(verb in word_class(name) for name in ("changing", "giving-up", "naming", "light"))

    def tells_now(self) -> bool:
        """Return whether it says that something is so from now on, or is not as it was."""
        if changes_nothing(self.words):
            return False
        return has_phrase(self.words, longer_now_cues()) or (self._has_short_cue() and not self._orders())

    def _has_cue_of_now(self) -> bool:
        """Return whether it has words by which one says that something is so from now on, an order or not."""
        return self._has_short_cue() or has_phrase(self.words, longer_now_cues())

    def _has_short_cue(self) -> bool:
        """Return whether a word or two of it say so: each is looked for by what is soonest told."""
        words = self.words
        if not now_cues().isdisjoint(words):
            return True
        if ("this" in words or "these" in words) and any(
            word in ("this", "these") and behind in word_class("period") for word, behind in pairwise(words)
        ):
            return True
        if "to" in words and any(step in STEPS and self._measures(at + 2) for at, step in enumerate(pairwise(words[:-1]))):
            return True
        if "from" in words and any(word == "from" and begins_time(behind) for word, behind in pairwise(words)):
            return True
        return any(map(changes, words)) and any(
            (kind == "d" or (kind in "nA" and self._is_verb(at)) or (kind == "V" and not self._tags[:at].strip("RUC,"))) and changes(word)
            for at, (word, kind) in enumerate(zip(self.words, self._tags, strict=True))
        )

    def _is_verb(self, at: int) -> bool:
        """Return whether a participle tells what was done, and describes no noun: "the modified files"."""
        return self._tags[at - 1 : at] not in ("D", "m", "u", "A", "I") and self.words[at].endswith(("ed", "en", "t", "n"))

    def mentions(self, number: int) -> Iterator[Mention]:
        """Yield its specific phrases from left to right."""
        for low, high, specific, ending in self._phrases:
            named = specific or self._given_up.takes_over(low)
            if specific and self._given_up.is_renamed(low, high):
                yield self._mention(self._name_in(low, high), high, number, GIVEN_UP, specific=True)
            elif named or ending.ends:
                yield self._mention(low, high, number, ending, specific=named)

    def _name_in(self, low: int, high: int) -> int:
        """Return where the name begins at the end of a phrase: "acme-forms" of "npm package acme-forms"."""
        at = high - 1
        while at > low and self._names(at - 1):
            at -= 1
        return at

    def ended(self, number: int) -> Iterator[tuple[Ended, Mention]]:
        """Yield what it says has come to an end in somebody's life, and the words that say so."""
        for each in self._ends:
            told = self._mention(each.low, each.high, number, GIVEN_UP, specific=False)
            if not told.supposed:
                yield each, told

    @cached_property
    def _ends(self) -> list[Ended]:
        return list(ends_in(self.words, self._tags, self._segments))

    def _mention(self, low: int, high: int, number: int, ending: Ending, *, specific: bool) -> Mention:
        start, end = self._spans[low][0], self._spans[high - 1][1]
        at = low - 1
        while at > 0 and (self.words[at] in _ARTICLES or (self._tags[at] == "N" and self._segments[at] == self._segments[low])):
            at -= 1  # "runs on port 3100", "rotates every 60 days"
        before, kind = (self.words[at], self._tags[at]) if at >= 0 else ("", "")
        linked = before in _LINKS or kind in tuple("zVdn")
        return Mention(
            " ".join(self.words[low:high]),
            self._offset + start,
            self._offset + end,
            number,
            self._segments[low],
            end > self._asks or self._supposes(low, permitted=ending.permitted),
            linked,
            before in _TAKING_UP,
            before != "," and linked,
            specific,
            any(self._measures(at) for at in range(low, high)),
            self.words[high] if self._tags[high : high + 1] == "N" and self._segments[high] == self._segments[low] else "",
            stem(self.words[low - 2]) if low > 1 and self._tags[low - 1] == "'" else "",
            " ".join(self.words[self._first_noun(low) : high]) if ending.ends else "",
            ending,
        )

    def _first_noun(self, low: int) -> int:
        """Return where the nouns begin that stand right before a phrase."""
        while low > 0 and self._tags[low - 1] == "N" and self._segments[low - 1] == self._segments[low]:
            low -= 1
        return low

    @cached_property
    def _phrases(self) -> list[tuple[int, int, bool, Ending]]:
        """Return its phrases (`_spans_of_phrases`), each with what ends of what it names."""
        return [(low, high, specific, self._given_up.ending(low, high)) for low, high, specific in self._spans_of_phrases()]

    def _spans_of_phrases(self) -> Iterator[tuple[int, int, bool]]:
        """Yield the spans of nouns beside each other, and whether they name something: then from the first word that does to the last."""
        low = 0
        while low < len(self.words):
            if self._tags[low] not in "NAKzdVgn#":
                low += 1
                continue
            high = low + 1  # a verb with its subject in front is no part of a phrase: "my brother left Lidl"
            while high < len(self.words) and self._segments[high] == self._segments[low] and self._tags[high] in "NAK#gn":
                high += 1
            named = [at for at in range(low, high) if self._names(at)]
            yield from ((at, at + 1, False) for at in range(low, high) if self._tags[at] in "gVnd" and self._given_up.deed_at(at))
            if named:
                last = named[-1] + 1
                if any(map(str.isdigit, self.words[last - 1])) and last < high and self._tags[last] == "N":
                    last += 1
                while last < len(self.words) and self.words[last] in word_class("calendar"):
                    last += 1  # "12 may"
                yield named[0], last, True
            else:
                nouns = [at for at in range(low, high) if self._tags[at] in "NA" and self.words[at] != "more"]
                if nouns:
                    yield nouns[0], nouns[-1] + 1, False
            low = high

    def _names(self, at: int) -> bool:
        word = self.words[at]
        if self._measures(at):
            return True
        if at and self._tags[at] in "dnV" and self._tags[at - 1] in "BbHO":
            return False  # a verb
        if at > 1 and self.words[at - 1] == "to" and verb_of(self.words[at - 2]) in word_class("wanting"):
            return False  # another one: "I want to bisect"
        if "-" in word and not in_lexicon(word) and at and self.words[at - 1] in _TAKING_UP:
            return True
        if len(word) < 2 or word in word_class("feast"):
            return False
        return not is_everyday(word) or (at > 0 and self._has_capitals and self._text[self._spans[at][0]].isupper())

    def _measures(self, at: int) -> bool:
        return is_measure(self.words[at]) or (self._tags[at] == "#" and self.words[at] != "one")

    def _supposes(self, at: int, *, permitted: bool) -> bool:
        """Return whether a word stands under "if", "would" or the like. permitted: as what may be done, so that "may" is none of them."""
        segment = self._segments[at]
        said = [
            word for word, kind, number in zip(self.words, self._tags, self._segments, strict=True) if number == segment and kind != "N"
        ]
        supposing = word_class("supposing") - {"may"} if permitted else word_class("supposing")
        if not supposing.isdisjoint([*said, self.words[0]]):  # "in May" supposes nothing
            return True
        tags = "".join(kind for kind, number in zip(self._tags, self._segments, strict=True) if number == segment)
        opened = any(
            kind == "S" and number == segment and word in word_class("awaiting")
            for word, kind, number in zip(self.words, self._tags, self._segments, strict=True)
        )
        return opened and "d" not in tags and PAST_AUXILIARIES.isdisjoint(said)  # "once the task is finished"

    def spoken(self) -> Spoken:
        """Return what it speaks of."""
        nouns = [at for at, kind in enumerate(self._tags) if kind in "NKAg"]
        words = [self.words[at] for at in nouns]
        stems_of = list(map(stem, words))
        heads = {stem(self.words[at]) for at in nouns if self._heads(at)}
        verbs = {verb_of(word) for word, kind in zip(self.words, self._tags, strict=True) if kind in "Vzdng"}
        measures = measures_told(self.words)
        for each in measures:
            words += words_of_measure(each)
            heads.add(each)
        parts = [part for word in self.words if "-" in word for part in word.split("-") if part]
        stems = frozenset(map(stem, [*self.words, *parts, *measures])) | verbs
        return Spoken(
            frozenset([*words, *(verbs - word_class("light") - _USUAL), *stems_of, *(f"{word}s" for word in stems_of), *parts]),
            stems,
            frozenset([*heads, *parts]) | verbs,
            tuple(self._things()),
        )

    def _things(self) -> Iterator[Thing]:
        """Yield its noun phrases, a subject with the phrase behind it: "the office in Bruges"."""
        for found in _THING.finditer(self._tags):
            low, high = found.span("noun")
            end = high if found["place"] is None else found.end("place")
            told = [at for at in range(low, end) if self._tags[at] in "A#NKgnR" and (at >= high or not self._measures(at))]
            words = frozenset(stem(self.words[at]) for at in told)
            heads = frozenset(stem(self.words[at]) for at in range(low, high) if self._tags[at] in "NKg" and self._heads(at))
            yield Thing(words | self._owner_before(found.start()), heads, found["own"] is not None)

    def _owner_before(self, at: int) -> frozenset[str]:
        """Return the word for who is said to have what stands here, where it is not the speaker: "Tom has a new manager"."""
        while at > 0 and self._tags[at - 1] in "DR":
            at -= 1
        if at < 2 or verb_of(self.words[at - 1]) not in word_class("having"):
            return frozenset()
        at -= 2
        while at > 0 and self._tags[at] in "RXHOY":
            at -= 1
        return frozenset() if self._tags[at] in "iwt,;CSU" else frozenset({stem(self.words[at])})

    def points_back(self) -> bool:
        """Return whether a pronoun in it may stand for what the sentence before speaks of."""
        return not _POINTING_BACK.isdisjoint(self.words[:_NEAR])

    def _heads(self, at: int) -> bool:
        """Return whether a noun heads its phrase, or says whose date, price or name stands there: "the thesis", "the thesis deadline"."""
        behind = at + 1
        if behind == len(self.words) or self._tags[behind] not in "NKg":
            return True
        return stem(self.words[behind]) in word_class("measure") and (behind + 1 == len(self.words) or self._tags[behind + 1] not in "NK")


# A noun phrase; what stands behind a subject up to its verb is of it.
_THING = re.compile(
    r"(?P<own>m)?(?P<noun>(?:(?<=D)R(?=[NK]))?(?:[A#NKgn]|(?<=[NK])'(?=[A#NKg]))*[NKg])(?:(?P<place>I[Dmu]?[A#NKg']*[NK]|#)(?=[RX]*[zVdBHYO]))?"
)
_ARTICLES = frozenset({"the", "a", "an", "every", "each"})
_USUAL = frozenset({"live", "need", "use", "want", "work"})  # verbs of so many facts that none is found by them
_NEAR = 4  # words from the beginning of a sentence among which such a pronoun stands
_POINTING_BACK = frozenset({"it", "its", "he", "she", "they", "him", "her", "them"})
