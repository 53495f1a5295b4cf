"""Given up: whether the words around a phrase say that what it names is given up, or is no more.

Words before it ("we dropped", "no", "instead of"), words behind it ("is gone", "has disbanded", "ran out") and both ("gave ... back") say
so. A clause is not parsed: the words that stand in the phrase's own segment are enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ethos.core.text.language.ending import NO_ENDING, Doer, Ending
from ethos.core.text.language.lexicon import word_class
from ethos.core.text.language.signs_of_change import (
    ENDS,
    NEGATIONS,
    PAIRS,
    RESIGNS,
    ended_cues,
    gives_up,
    is_give_up,
    is_measure,
    is_parted,
)
from ethos.core.text.language.tagging import possible_tags, verb_of
from ethos.core.text.language.waived import BEFORE, BEHIND, Waived

_NO_LONGER = ("no", "longer")
_BETWEEN = 5  # words behind a phrase, its verb and "and" among them, before the verb of a name
_GOALS = frozenset({"to", "with", "by", "for", "at", "in", "on", "about", "under"})  # behind a verb of giving up: not what it gives up
_STATES = frozenset({"is", "'s", "are", "was", "were", "got", "has", "have", "been", "went"})
_FROM = frozenset({"from", "off"})
_OBJECTS = ("D", "m", "u", "p", "N", "K", "A", "P", "g")  # tags of what an object begins with
_TIMED = frozenset({"last", "this", "next", "early", "late", "yesterday"})
_OPENING_HOURS = frozenset({"at", "on", "early", "until", "till", "from", "between", "every", "during"})
_FOR_A_WHILE = frozenset({"of", "sick", "this", "today", "tomorrow", "tonight"})
_STEADS = (["place"], ["stead"], ["shoes"])
_LISTS = (["the", "table"], ["the", "menu"], ["the", "list"])


class GivenUp(Waived):
    """The words of a sentence, asked about each of its phrases, what orders ask of it among them."""

    def ending(self, low: int, high: int) -> Ending:
        """Return what ends of what a phrase names."""
        if self._segments[low] not in self._ending:
            return NO_ENDING
        given_up, permitted = self._is_given_up(low, high), self._is_permitted(low, high)
        waived = self._is_waived(low, high) or (given_up and self._is_allowed(low))
        done = self._done_with(low) if waived or permitted else ""
        alone = self.deed_at(low) if high == low + 1 and (given_up or waived) else ""
        doer = Doer.SPEAKER if alone and self._doer(low) in "iw" else Doer.AGENT if alone else None
        partly, perished = given_up and self._is_partly(low, high), given_up and self._perishes(low, high)
        contrasted = given_up and self._before(low) == [",", "not"]
        return Ending(given_up, waived, permitted, alone or done, doer, partly, contrasted, perished)

    def _is_given_up(self, low: int, high: int) -> bool:
        """Return whether a phrase is given up."""
        if self._words[high : high + 1] and self._words[high] in word_class("closable") and self._tags[high] == "N":
            high += 1  # "Lloyds account", "XML support"
        segment = self._segments[low]
        before = self._before(low)
        if segment not in self._giving_up or self._tags[high : high + 1] == "'":  # "Ida's practice no longer opens" is about the practice
            return before[-1:] == ["in"] and self._words[high + 1 : high + 2] in _STEADS  # "in Ida's place"
        behind = self._behind(high, segment)
        denied = [at for at, word in enumerate(before) if word in NEGATIONS]
        if denied and (self._not_any_more(high) or self._is_refused(before, low, behind) or self._is_done_no_more(low)):
            return True
        verbs = [at for at, word in enumerate(before) if gives_up(word) or is_give_up(before, at)]
        if verbs and any(at < verbs[-1] for at in denied):
            return False  # "I'll never forget the day"
        if "from" in before[-2:] and not self._is_left(before):
            return self._changes(segment)
        last = verbs[-1] if verbs and self._is_done(low - len(before) + verbs[-1]) else None
        return self._is_left(before) or self._by_verb(low, high, before, behind, last) or self._by_words_behind(high, behind)

    def _is_partly(self, low: int, high: int) -> bool:
        """Return whether a phrase is given up only with what else is told: "we no longer cache files in GitHub Actions", "dropped the step
        from the build", "removed Go from the dictionary", but not "removed Sentry from the project".
        """
        segment = self._segments[low]
        before = [at for at in range(max(0, low - BEFORE), low) if self._segments[at] == segment]
        if self._tags[high : high + 1] == "'" or self._resigns(high):
            return True  # "in Ida's place" is a place, too
        verbs = [at for at in before if gives_up(self._words[at]) or tuple(self._words[at - 1 : at + 1]) == _NO_LONGER]
        if not verbs:
            return False
        if self._words[high : high + 1] == ["from"]:
            behind = self._behind(high, segment)
            return word_class("whole-project").isdisjoint(behind)
        relation = next((at for at in range(low - 1, verbs[-1], -1) if self._tags[at] == "I"), -1)
        return any(self._tags[at] in "NK" for at in range(verbs[-1] + 1, relation))

    def _is_refused(self, before: Sequence[str], low: int, behind: Sequence[str]) -> bool:
        """Return whether there is to be no more of it: "no more yoga", "no oysters for me", "no longer use Postgres", "not 40k, 45k"."""
        more = [*before[-1:], self._words[low]] == ["no", "more"] or before[-2:] == ["no", "more"] or _NO_LONGER in pairwise(before)
        mine = before[-1:] == ["no"] and behind[:2] in (["for", "me"], ["for", "us"])
        return more or mine or ([word for word in before if word != ","] == ["not"] and not behind)

    def takes_over(self, low: int) -> bool:
        """Return whether a phrase that begins here is what something changes to: "from glasses to contact lenses"."""
        segment = self._segments[low]
        before = self._before(low, 2 * BEFORE)
        near = before[-2:] if before and before[-1] in word_class("determiner") else before[-1:]
        return bool(near) and near[0] in ("to", "onto") and not _FROM.isdisjoint(before) and self._changes(segment)

    def deed_at(self, at: int) -> str:
        """Return the verb that stands here, in its base form, if no more than that is given up or waived: "I quit smoking", "no need to
        ask"; "" for "I stopped going to yoga", which goes on, and for what others than the speaker and the agent do.
        """
        segment = self._segments[at]
        done = self._tags[at] in "gV" or "g" in possible_tags(self._words[at]) or self._is_done_no_more(at)
        if segment not in self._ending or not done:
            return ""
        behind = at + 1 if at + 1 < len(self._words) and self._segments[at + 1] == segment else -1
        whole = (
            behind < 0
            or self._tags[behind] in "RS"
            or self._is_done_no_more(at)
            or (self._not_any_more(behind) and not self._takes_object(behind))
            or self._words[behind] in _TIMED
        )
        return verb_of(self._words[at]) if whole and self._doer(at) in "iwyUV" else ""

    def _takes_object(self, at: int) -> bool:
        """Return whether an object begins here, and not "any more"."""
        return self._tags[at] in _OBJECTS and self._words[at] not in ended_cues()

    def _is_done_no_more(self, at: int) -> bool:
        """Return whether a participle says what was not done since then: "I haven't smoked since June"."""
        denied = not NEGATIONS.isdisjoint(self._words[max(0, at - 2) : at])
        return denied and self._tags[at] in "nd" and self._words[at + 1 : at + 2] == ["since"]

    def is_renamed(self, low: int, high: int) -> bool:
        """Return whether what a phrase that ends here names has another name: "is called Lumen now", "rebranded to", "changed its name to".

        "Is called" alone gives a name, and takes none away. Another verb may stand between: "merged and is called Lumen now".
        """
        if self._words[max(0, low - 2) : low] == ["name", "of"]:
            return self._changes(self._segments[low])  # "they changed the name of Garden Street to Liberty Street"
        if (behind := self._words[high : high + _BETWEEN]) and "and" in behind[1:] and self._tags[high] in "dzBH":
            return self._is_called_anew(high + 1 + behind.index("and"))
        return self._is_called_anew(high)

    def _is_called_anew(self, high: int) -> bool:
        """Return whether the words from here on say the name that something has now."""
        if self._words[high + 1 : high + 4] == ["a", "new", "name"]:
            return True
        at = high
        while at < len(self._words) and self._segments[at] == self._segments[high] and self._tags[at] in "HBbRO":
            at += 1
        verb, *behind = self._words[at : at + 5] or [""]
        base = verb_of(verb)
        if base in word_class("renaming"):
            return self._tags[at] in "dn" and behind[:1] != ["the"]
        if base == "change":
            return "name" in behind[1:3]
        called = (base in word_class("naming") and at > high) or [base, *behind[:1]] in (["go", "by"], ["know", "as"])
        return called and self._is_so_now()

    def _perishes(self, low: int, high: int) -> bool:
        """Return whether what a phrase that is given up names is no more, and nothing that it did goes on: it was sold, or it died."""
        perishes = self._is_abolished(low) or self._ends_in_words(high) or any(map(self._perishes_at, range(high, high + 3)))
        return perishes or self._is_had_no_more(low, high)

    def _is_had_no_more(self, low: int, high: int) -> bool:
        """Return whether nobody has it any more: "we don't have a landlord any more", "I no longer have a cleaner"."""
        at = low - 1
        while at > 0 and self._tags[at] in "Dmu":
            at -= 1
        before = self._words[max(0, at - 3) : at]
        denied = not NEGATIONS.isdisjoint(before)
        return at > 0 and verb_of(self._words[at]) == "have" and denied and ("longer" in before or self._not_any_more(high))

    def _perishes_at(self, at: int) -> bool:
        if at >= len(self._words) or self._segments[at] != self._segments[at - 1]:
            return False
        word = self._words[at]
        dies = self._tags[at] in "zdnV" and verb_of(word) in word_class("perishing")
        return (dies or word in word_class("perished")) and self._ends_by_itself(at)

    def _changes(self, segment: int) -> bool:
        return any(gives_up(word) or verb_of(word) in word_class("changing") for word in self._of(segment))

    def _is_left(self, before: Sequence[str]) -> bool:
        """Return whether the words right before a phrase leave it: "off", "out of", "instead of"."""
        near = before[:-1] if before and before[-1] in word_class("determiner") else before
        if near[-1:] == ["off"]:
            return any(verb_of(word) in word_class("coming-off") for word in near)  # "took me off metformin", not "show off the studio"
        pairs = [at for at in range(max(0, len(before) - 3), len(before)) if tuple(before[at : at + 2]) in PAIRS]
        short = any(before[at] == "out" and verb_of(before[at - 1]) == "be" for at in pairs if at)  # "we're out of coffee"
        return bool(pairs) and not short

    def _by_verb(self, low: int, high: int, before: Sequence[str], behind: Sequence[str], verb: int | None) -> bool:
        """Return whether a verb before a phrase gives it up. verb: where the last such verb stands in `before`."""
        near = before[:-1] if before and before[-1] in word_class("determiner") else before
        if behind and any(is_parted(word, behind[0]) for word in near[-3:]):
            return True  # "gave my locker back"
        if near and verb_of(near[-1]) in word_class("handing-over") and behind[:1] == ["to"] and not {"for", "while"} & {*behind}:
            return self._tags[high + 1 : high + 2] in ("m", "N", "D")  # "gave the Samsung to my nephew"
        if near and verb_of(near[-1]) == "close":
            return not word_class("closable").isdisjoint(self._words[high - 1 : high + 1])  # "closed my Monzo account"
        if verb is None:
            return False
        rest = before[verb + 1 :]
        if behind and verb_of(before[verb]) in word_class("also-physical") and self._goes_on(high):
            return False  # "dropped my phone in the bath", "left Bosch early"
        base = verb_of(before[verb])
        ends = base in word_class("letting-go") or base not in word_class("changing")  # and not "moved billing to MySQL"
        goes_on = ends and self._tags[low - len(before) + verb + 1] == "g"  # "stopped going to yoga"
        if is_give_up(before, verb):
            return rest[:1] not in (["to"], ["with"])  # "give back to the community"
        return goes_on or _GOALS.isdisjoint(rest)

    def _by_words_behind(self, high: int, behind: Sequence[str]) -> bool:
        """Return whether the words behind a phrase say that it is given up."""
        if behind and (self._is_gone(high) or (behind[0] in _STATES and any(self._is_gone(high + at) for at in (1, 2)[: len(behind) - 1]))):
            return True
        if self._is_given_away(high) or self._ends_in_words(high) or self._resigns(high):
            return True
        if not NEGATIONS.isdisjoint(behind[:3]) and self._not_any_more(high):
            return self._is_there_no_more(high)
        verbs = [high + at for at in range(len(behind[:3])) if self._tags[high + at] in "zdnV"]
        becoming = [at for at in verbs if at < high + 2 and verb_of(self._words[at]) in word_class("becoming")]
        if any("to" not in behind[:2] and self._tags[at + 1 : at + 2] not in ("#", "A") for at in becoming):
            return True  # "Slow Spokes has become Gravel Diary", but not "Tom turned 7"
        if any(verb_of(self._words[at]) in word_class("ending") and self._ends_by_itself(at) for at in verbs):
            return True
        comes = self._tags[high : high + 2] in ("dg", "zg") and verb_of(self._words[high + 1]) in word_class("turning-up")
        return comes and gives_up(behind[0])  # "the cleaner stopped coming"

    def _is_there_no_more(self, high: int) -> bool:
        """Return whether the denied verb behind a phrase says that it is there no more: "no longer exists", "isn't needed any more".

        "Bamse no longer sleeps on the sofa" says what Bamse does.
        """
        segment = self._segments[high]
        rest = [at for at in range(high, min(len(self._words), high + BEHIND)) if self._segments[at] == segment]
        verb = next((self._words[at] for at in rest if self._tags[at] in "Vzg"), "be")
        return verb_of(verb) in word_class("being-there") or any(self._words[at] == "here" for at in rest)

    def _goes_on(self, high: int) -> bool:
        """Return whether words of place or manner stand behind a phrase: "in the bath", "early"."""
        return self._tags[high : high + 1] == "R" or self._tags[high : high + 2] in ("ID", "Im", "IA", "I#", "TD")

    def _ends_in_words(self, at: int) -> bool:
        """Return whether a phrase stands here by which what stands before it ends, helpers passed over: "ran out"."""
        while (at < len(self._words) and self._tags[at] in "HRO") or self._words[at : at + 2] == ["to", "be"]:
            at += 1
        if at >= len(self._words):
            return False
        verb = verb_of(self._words[at])
        ends = [rest for first, *rest in ENDS if first == verb and self._words[at + 1 : at + 1 + len(rest)] == rest]
        return any("of" in rest or self._words[at + 1 + len(rest) : at + 2 + len(rest)] != ["of"] for rest in ends)  # "ran out of memory"

    def _resigns(self, at: int) -> bool:
        """Return whether a phrase stands here by which somebody gives up what they do, helpers passed over: "has stepped down"."""
        while at < len(self._words) and self._tags[at] in "HRO":
            at += 1
        return at + 1 < len(self._words) and self._tags[at] in "dn" and (verb_of(self._words[at]), self._words[at + 1]) in RESIGNS

    def _is_abolished(self, low: int) -> bool:
        """Return whether the verb right before a phrase, its article passed over, ends it with all that it did: "we sold the van"."""
        at = low - 1
        while at > 0 and self._segments[at] == self._segments[low]:
            if self._words[at] not in word_class("determiner") and self._tags[at] not in "AmN#":
                break
            at -= 1
        if at < 0 or self._segments[at] != self._segments[low]:
            return False
        return verb_of(self._words[at]) in word_class("abolishing") or is_give_up(self._words, at)

    def _ends_by_itself(self, at: int) -> bool:
        """Return whether a verb of ending says so of its subject: "the lease expired", not "she broke her arm" or "she left for school"."""
        if at + 1 == len(self._words) or self._segments[at + 1] != self._segments[at]:
            return True
        behind = self._words[at + 1]
        if verb_of(self._words[at]) == "leave":
            further = self._words[at + 2 : at + 3]
            dated = behind != "for" and any(is_measure(word) or word in word_class("left-for-good") for word in further)
            return behind in ("last", "us") or dated or (behind == "for" and further == ["good"])  # and not "left for school"
        if verb_of(self._words[at]) in word_class("also-physical"):
            down = behind == "down" and verb_of(self._words[at]) in ("close", "shut")
            return down or (behind in ("in", "on", "last", "this") and self._is_dated(at + 1))  # "closed in May"
        timed = behind in _TIMED or behind in word_class("times") or is_measure(behind)
        return timed or self._tags[at + 1] not in _OBJECTS

    def _is_dated(self, at: int) -> bool:
        return any(is_measure(word) or word in word_class("times") for word in self._words[at + 1 : at + 3])

    def _is_gone(self, at: int) -> bool:
        """Return whether a word says that what stands before it is gone; "off the drops" says so of the drops."""
        if self._words[at] == "off" and self._words[at + 1 : at + 3] in _LISTS:
            return True
        if self._words[at + 1 : at + 2] and self._words[at + 1] in (_OPENING_HOURS | _FOR_A_WHILE):
            return False  # "is closed on Sundays", "closed at six", "is out of battery", "is away this week"
        return self._words[at] in word_class("gone") and self._tags[at + 1 : at + 2] not in _OBJECTS

    def _is_given_away(self, at: int) -> bool:
        """Return whether the words behind a phrase say in the passive that it was given up: "the goats have been rehomed"."""
        end = at
        while end < len(self._words) and self._tags[end] in "HBbRO" and self._segments[end] == self._segments[at]:
            end += 1
        if end == at or end == len(self._words) or "b" not in self._tags[at:end].replace("B", "b") or self._tags[end] not in "nd":
            return False
        base, behind = verb_of(self._words[end]), end + 1
        given_up = gives_up(self._words[end]) or any(base in word_class(name) for name in ("destroying", "abolishing", "letting-go"))
        given_up = given_up or (behind < len(self._words) and is_give_up(self._words, behind))
        return given_up and self._words[end + 1 : end + 2] not in (["to"], ["into"])
