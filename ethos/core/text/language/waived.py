"""Waived: whether the words around a phrase say that what an order asks of it need not be done any more, or what it forbids may be done."""

from __future__ import annotations

from collections.abc import Sequence

from ethos.core.text.language.lexicon import word_class
from ethos.core.text.language.signs_of_change import (
    NEGATIONS,
    before_permitted,
    ended_cues,
    gives_up,
    has_phrase,
    longer_now_cues,
    may_end,
    may_give_up,
    may_permit,
    may_waive,
    now_cues,
)
from ethos.core.text.language.tagging import possible_tags, verb_of

BEFORE, BEHIND = 6, 5  # words of a segment around a phrase that are looked at
_FAR = 12  # words behind a phrase in which "any more" may stand
_OURS = frozenset({"i", "we"})  # who need something no more only if they say from when on
_ARE = frozenset({"is", "are", "'s"})


class Waived:
    """The words of a sentence, asked about each of its phrases. Places are numbers of words; a phrase is a half-open span."""

    def __init__(self, words: Sequence[str], tags: str, segments: Sequence[int]) -> None:
        """Look at the words of a sentence. segments: the number of the segment of each word; segments end at marks and conjunctions."""
        self._words = list(words)
        self._tags = tags
        self._segments = segments
        signs = [(word, segment) for word, segment in zip(words, segments, strict=True) if may_end(word)]  # few words are
        self._ending = {segment for _, segment in signs}
        self._giving_up = {segment for word, segment in signs if may_give_up(word)}
        self._permitting = {segment for word, segment in signs if may_permit(word)}
        self._waiving = {segment for word, segment in signs if may_waive(word)}

    def _before(self, low: int, far: int = BEFORE) -> list[str]:
        """Return the words before a phrase in its segment, this many at most."""
        return [self._words[at] for at in range(max(0, low - far), low) if self._segments[at] == self._segments[low]]

    def _behind(self, high: int, segment: int) -> list[str]:
        """Return the words behind a phrase in a segment."""
        return [self._words[at] for at in range(high, min(len(self._words), high + BEHIND)) if self._segments[at] == segment]

    def _is_done(self, verb: int) -> bool:
        """Return whether a verb tells what was done or is ordered, and not what is planned, or asked how to do: "how to turn off"."""
        at = verb - 1
        if at >= 0 and self._tags[verb] == "N" and self._tags[at] in "Dmu":
            return False  # "the export limit is 10"
        while at > 0 and self._tags[at] in "RX":
            at -= 1
        if at > 0 and self._words[at - 1 : at + 1] in (["you", "can"], ["you", "may"], ["you", "should"]):
            return True  # "you can stop adding emoji", which is an order
        return at < 0 or self._tags[at] not in "TO"

    def _is_waived(self, low: int, high: int) -> bool:
        """Return whether what a phrase names need not be done from now on: "you can skip the hints", "no need to sign mails any more",
        "alt text isn't needed any more". That it is so for this once says nothing.
        """
        segment = self._segments[low]
        if segment not in self._waiving or not word_class("for-once").isdisjoint(self._of(segment)):
            return False
        before = self._before(low, _FAR)
        behind = self._behind(high, segment)
        if not NEGATIONS.isdisjoint(before):
            needless = not word_class("needing").isdisjoint(before) and (_OURS.isdisjoint(before) or self._is_so_now())
            if needless or self._not_any_more(high):
                return True
        needed = not NEGATIONS.isdisjoint(behind) and not word_class("needed").isdisjoint(behind)
        rule = self._words[high - 1] in word_class("order-noun")  # who drops a rule drops it for good
        return needed or self._is_left_out(low - len(before), before, behind, for_good=rule)

    def _is_permitted(self, low: int, high: int) -> bool:
        """Return whether what a phrase names may be done: "you can use emojis again", "emojis are fine now". For this once says nothing,
        and "the tests are fine" tells how they are.
        """
        segment = self._segments[low]
        if segment not in self._permitting or not word_class("for-once").isdisjoint(self._of(segment)):
            return False
        first = max(0, low - BEFORE)
        before = self._before(low)
        behind = self._behind(high, segment)
        ended = any(verb_of(word) in word_class("leaving-out") or gives_up(word) for word in before)
        if ended or not NEGATIONS.isdisjoint((*before, *behind)):
            return False
        if self._is_allowed(low):
            return True
        bare = not any(self._tags[at] in "Dmu" for at in range(first, low) if self._segments[at] == segment)
        fine = next((at for at, word in enumerate(behind) if word in word_class("permitted")), 0)
        return bare and fine > 0 and behind[0] in _ARE and not set(self._tags[high + 1 : high + fine].replace("R", ""))

    def _is_allowed(self, low: int) -> bool:
        """Return whether words before a phrase say that what stands behind them may be done: "you can"."""
        before = range(max(0, low - BEFORE), low)
        said = [at for at in before if self._segments[at] == self._segments[low]]
        stressed = any(self._words[at] == "do" and self._tags[at + 1] == "V" and self._doer(at) == "V" for at in said)  # "do add comments"
        return stressed or any(tuple(self._words[at : at + 2]) in before_permitted() for at in said)

    def _is_left_out(self, first: int, before: Sequence[str], behind: Sequence[str], *, for_good: bool) -> bool:
        """Return whether a verb before a phrase leaves out what it names, for good. first: where the words before it begin; for_good: what
        is left out is so for good.
        """
        verbs = [at for at, word in enumerate(before) if verb_of(word) in word_class("leaving-out") and self._is_done(first + at)]
        if not verbs or (verb_of(before[verbs[-1]]) == "leave" and "out" not in (*before[verbs[-1] + 1 :], *behind[:1])):
            return False
        if "I" in self._tags[first + verbs[-1] + 1 : first + len(before)].removeprefix("I"):
            return False  # "leave out the body of the messages" is about the body; "out" is no preposition
        return for_good or "you" in before[: verbs[-1]] or self._is_so_now()

    def _done_with(self, low: int) -> str:
        """Return the verb before a phrase, in its base form, of what is done with it: "run" of "no need to run the tests"; or ""."""
        for at in range(low - 1, max(-1, low - 1 - BEFORE), -1):
            if self._segments[at] != self._segments[low]:
                break
            verb = verb_of(self._words[at])
            does = self._tags[at] in "Vg" or "g" in possible_tags(self._words[at])
            if does and not gives_up(verb) and not any(verb in word_class(name) for name in ("needing", "leaving-out")):
                return verb
        return ""

    def _doer(self, at: int) -> str:
        """Return the tag of the word that a segment begins with, adverbs and auxiliaries passed over: "i", "w" or "y" for the pronouns."""
        first = self._segments.index(self._segments[at])
        return next((tag for tag in self._tags[first:at] if tag not in "RSC,;XYO"), "V")

    def _is_so_now(self) -> bool:
        """Return whether the sentence has a cue of now."""
        return not now_cues().isdisjoint(self._words) or has_phrase(self._words, longer_now_cues())

    def _of(self, segment: int) -> list[str]:
        return [word for word, number in zip(self._words, self._segments, strict=True) if number == segment]

    def _not_any_more(self, at: int) -> bool:
        """Return whether "any more" or the like stands behind a word."""
        return has_phrase(self._words[at : at + _FAR], ended_cues())
