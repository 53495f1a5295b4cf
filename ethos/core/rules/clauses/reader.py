"""The clause reader: frames over the clauses of a sentence.

Frames are looked up by the verb of the clause, in the order of their priority, and compared by bits: what an author writes is words and
names of keys, so a frame costs a few lookups, and nothing that he writes can take long.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ethos.core.rules.clauses.discourse import INDEFINITE, Discourse
from ethos.core.rules.clauses.doers import doer_stands, lacks_object, states_nothing
from ethos.core.rules.clauses.frame import Frame
from ethos.core.rules.clauses.hanging import CONDITIONS, hangs
from ethos.core.rules.clauses.names import AFTER, ASPECTS, MODALS, TENSES, WHO, bits_of
from ethos.core.rules.clauses.parts import OCCASION, parts_of
from ethos.core.rules.clauses.states import PRONOUNS, tells_name, tells_state
from ethos.core.rules.clauses.tastes import TastePhrase, required_taste_words, tastes_in, wording
from ethos.core.rules.clauses.verbs import helping_words, limit_of, limited, verb_words
from ethos.core.rules.rule import Rule
from ethos.core.text.language.clause import After, Clause, Form, Who
from ethos.core.text.language.clauses import SPELLED_MODALS, parsed, reach
from ethos.core.text.language.cues import cue_of_now, thinks_otherwise
from ethos.core.text.language.lexicon import word_class
from ethos.core.text.language.noun_phrases import head_noun
from ethos.core.text.language.persons import Person
from ethos.core.text.language.specific import begins_with_value, is_specific, is_value
from ethos.core.text.language.tagging import Tagged, forms_of, possible_tags, verb_of, words_of
from ethos.core.text.memoize import ChunkCache
from ethos.core.text.sentences import question_start

_SAID_WORDS: Mapping[int, tuple[str, ...]] = {
    Who.I: ("i",), Who.WE: ("we", "i"), Who.YOU: ("you", "u", "ya", "y'all", "your", "ur"), Who.KIN: ("my", "our"), Who.MINE: ("my", "our"),
}  # fmt: skip
_ABLE = frozenset(word for word, bit in SPELLED_MODALS.items() if bit in (Form.CAN, Form.MAY))
_MOST_KNOWN = 10_000  # clauses remembered with the frames that take them, by their verb and form; then the memory begins anew


class Reading(NamedTuple):
    """A clause that a rule reads, with its slots as spans of the sentence and its polarity before the modifiers."""

    rule: Rule
    start: int
    end: int
    subject: tuple[int, int]  # empty where it is not said
    verb: str
    object: tuple[int, int]
    negative: bool
    thing: str  # whom a pronoun stands for, folded; "" if the subject is said
    guessed: bool  # nothing but that it was spoken of last says so
    group: bool  # its subject is "we", or "my brother and I"
    parts: Mapping[str, tuple[int, int]]  # of what stands behind the verb (`clauses.parts`)
    now: str  # the cue that it is so from now on, or ""
    named: bool  # its object has a value, or names something from now on, and it tells what something is or does, simply


class _CompiledFrame:
    """A frame made ready: bits for its lists of names."""

    __slots__ = ("after", "aspect", "frame", "modal", "passive", "rule", "tense", "who")

    def __init__(self, rule: Rule, frame: Frame) -> None:
        self.rule = rule
        self.frame = frame
        self.who = bits_of(WHO, frame.subject)
        self.tense = bits_of(TENSES, frame.tense)
        self.modal = bits_of(MODALS, frame.modal)
        self.aspect = bits_of(ASPECTS, frame.aspect)
        self.after = bits_of(AFTER, frame.object)
        self.passive = sum(1 << (each == "passive") for each in frame.voice)

    def takes(self, verb: str, who: int, form: int, opener: str) -> bool:
        """Return whether the frame reads clauses of this verb, kind of subject, form and opening word."""
        frame = self.frame
        return bool(
            who & self.who
            and form & self.tense
            and form & self.modal
            and form & self.aspect
            and self.passive & (2 if form & Form.PASSIVE else 1)
            and (frame.denied == "any" or (frame.denied == "only") == (form & Form.NEGATED > 0))
            and (not opener or opener in frame.opener)
            and verb in frame.verb
        )

    def fits(self, clause: Clause, words: Sequence[str], tags: str) -> bool:
        """Return whether what stands around the verb of a clause that it takes is what it wants, its object aside."""
        frame = self.frame
        if not clause.after & self.after and not (self.after & After.NOTHING and _only_when(clause, words)):
            return False
        if frame.adverb is not None:
            low, high = clause.object
            front = range(min(clause.start, clause.group), clause.head)
            rear = range(max(low, high - 3), min(high + 2, len(words)))
            adverbs = (words[at] for at in (*front, *range(clause.head + 1, low), *rear) if tags[at] in "RX")
            if not any(word in frame.adverb for word in adverbs):
                return False
        topic = frame.topic
        if topic is None or topic.unbound:
            return True
        low, high = clause.subject
        if not topic.open:
            return any(word in topic for word in words[low:high])
        head = head_noun(words, tags, low, high)
        return head in topic or _is_compound(tags, words, low, high, head)


def _only_when(clause: Clause, words: Sequence[str]) -> bool:
    """Return whether what stands behind the verb only says when: "retired last week", "died this spring"."""
    low, high = clause.object
    said = words[low:high]
    return (
        clause.after == After.NOUN and len(said) == 2 and said[0] in _WHICH_TIME and said[1] in word_class("times") | word_class("calendar")
    )


def required_words(frame: Frame) -> frozenset[str] | None:
    """Return words of which one stands in each sentence that the frame reads; None if there are none such.

    They are the nouns of its object where these are listed, or the forms of its verbs, or, of an open class of verbs, a word that must
    stand in their subject, beside their verb or before it.
    """
    if frame.tells != "clause":
        return required_taste_words()
    if OCCASION in frame.has:
        return word_class("occasion")
    if not frame.head.open and frame.take == "object" and {"noun", "preposition", "adjective"}.issuperset(frame.object):
        return frame.head.listed
    if not frame.verb.open:
        forms = (form for verb in frame.verb.listed for form in forms_of(verb))
        return frozenset(form for form in forms if frame.voice != ("passive",) or "n" in possible_tags(form))
    if frame.topic is not None and not frame.topic.open:
        return frame.topic.listed
    if frame.adverb is not None and not frame.adverb.open:
        return frame.adverb.listed
    if {"can", "may"}.issuperset(frame.modal):
        return _ABLE
    said = [_SAID_WORDS.get(WHO[each]) for each in frame.subject]
    if all(said):
        return frozenset(word for words in said if words for word in words)
    return None


class ClauseReader:
    """The frames of all clause rules."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        ranked = sorted((rule for rule in rules if rule.clause is not None), key=lambda rule: (-rule.priority, rule.id))
        compiled = [_CompiledFrame(rule, rule.clause) for rule in ranked if rule.clause is not None]
        self._frames = [each for each in compiled if each.frame.tells == "clause"]
        self._of_tastes = [each for each in compiled if each.frame.tells != "clause"]
        self._known: dict[tuple[str, int, int, str], tuple[_CompiledFrame, ...]] = {}
        needed = [required_words(each.frame) for each in compiled]
        self.roles = frozenset(role for each in compiled for role in each.rule.roles)
        self.words: frozenset[str] | None = None if None in needed else frozenset().union(*(each for each in needed if each))
        self._needed = ChunkCache(self._is_needed)

    def __bool__(self) -> bool:
        return bool(self._frames or self._of_tastes)

    def opened_by(self, verb: str) -> tuple[str, ...]:
        """Return the ids of the rules whose frames take a verb, by priority. verb: its base form."""
        return tuple(each.rule.id for each in (*self._of_tastes, *self._frames) if verb in each.frame.verb)

    def possible(self, low: str) -> bool:
        """Return whether a frame could read something in a folded text, by the words that one of them needs."""
        return self.words is None or any(map(self._needed.__getitem__, low.split()))

    def _is_needed(self, chunk: str) -> bool:
        """Return whether one of the words that the frames need stands in the text between two blanks; "its" may be "it's"."""
        return self.words is None or not self.words.isdisjoint(words_of(chunk)) or ("s" in self.words and "its" in chunk)

    def read(self, sentence: str, written: str, discourse: Discourse, *, question: bool) -> Iterator[Reading]:
        """Yield what the frames read in a folded, masked sentence. written: it as it was written; discourse: of
        the turn so far; question: it ends with a question mark.

        Of a question only what is stated before it is read: "I use Vim, can you help?" says something.
        """
        if question:
            sentence = sentence[: question_start(sentence)]
        if sentence.count(" ") < 2 or not self.possible(sentence):
            return
        tagged, found = parsed(sentence)
        known = self._known
        for number, clause in enumerate(found):
            person = discourse.person_of(clause, tagged, written) if clause.who & _SOMEBODY else None
            who = clause.who if person is None or not person.sure else Who.KIN if person.kin else Who.THING
            key = (clause.verb, who, clause.form, clause.opener)
            frames = known.get(key)
            if frames is None:
                frames = self._learned(*key)
            if (
                frames
                and not clause.question
                and not (number and hangs(found, number, tagged.tags))
                and tagged.words[clause.start - 1 : clause.start] != ["sure"]
            ):
                reach(found, number, tagged.tags)
                for compiled in frames:
                    if (
                        compiled.fits(clause, tagged.words, tagged.tags)
                        and (reading := _reading(compiled, clause, tagged, written, discourse, person)) is not None
                    ):
                        yield reading
                        break
            discourse.hear(found, number, tagged)
        if self._of_tastes and not discourse.turned:
            discourse.turned = thinks_otherwise(sentence)
        for told in tastes_in(tagged, found) if self._of_tastes else ():
            turned = told.changed or discourse.changed or discourse.turned
            for compiled in self._of_tastes:
                if turned == (compiled.frame.tells == "turned-taste"):
                    yield _reading_of_taste(compiled.rule, told, tagged, "now" if turned else "")

    def _learned(self, verb: str, who: int, form: int, opener: str) -> tuple[_CompiledFrame, ...]:
        """Return the frames that take such a clause, and remember them."""
        if len(self._known) > _MOST_KNOWN:
            self._known.clear()
        frames = () if opener in CONDITIONS else tuple(each for each in self._frames if each.takes(verb, who, form, opener))
        self._known[verb, who, form, opener] = frames
        return frames


def _reading(
    compiled: _CompiledFrame, clause: Clause, tagged: Tagged, written: str, discourse: Discourse, person: Person | None
) -> Reading | None:
    """Return the reading of a clause that the frame fits; None if its object says nothing by itself."""
    frame, (words, tags) = compiled.frame, (tagged.words, tagged.tags)
    if not doer_stands(clause, words, tags, known=person is not None) or lacks_object(clause, words, tags):
        return None
    if states_nothing(clause, words, tags):
        return None
    low, high = clause.object if clause.after & compiled.after else (clause.object[0], clause.object[0])  # what only says when is none
    if swallowed := _SWALLOWED.search(tags, low, high):
        high = swallowed.start()
    now, high = cue_of_now(words, tags, clause.start, clause.head, low, high)
    plain = _plain(clause, words)
    if not now and plain and (discourse.changed or clause.verb in word_class("becoming") or words[clause.head] in _ARROWS):
        now = "now"
    pronoun = bool(clause.who & (Who.IT | Who.THEY))
    guessed = (
        not person.sure if person is not None else pronoun and not (plain and now) and not (clause.who == Who.IT and discourse.is_sure)
    )
    thing = person.words if person is not None else discourse.thing if pronoun else ""
    if pronoun and not thing:
        return None
    parts = _parts(frame, clause, words, tags, (low, high))
    if any(part not in parts or tags[parts[part][0]] in PRONOUNS for part in frame.has):
        return None
    objected = _objected(frame, clause, tagged, written, low, high)
    if objected is None:
        return None
    verb, low, high = objected
    denied = words[low] == "no" and low + 1 < high and tags[low + 1] in "A#NKg"  # "reads no Norwegian"
    low += denied
    spans = tagged.spans()
    naming = {"object": (low, high), "subject": clause.subject, **parts}.get(frame.naming or "object", (0, 0))
    named = is_specific(words, tags, written, spans, naming)
    if frame.naming and not named:
        return None
    if frame.value and not begins_with_value(words, tags, {"object": (low, high), **parts}.get(frame.value, (0, 0))):
        return None
    first = clause.group
    subject = (0, 0)
    if clause.subject[0] < clause.subject[1] and frame.take != "subject":
        subject = (spans[clause.subject[0]][0], spans[clause.subject[1] - 1][1])
        first = min(first, clause.subject[0])
    part_spans = {name: (spans[begin][0], spans[after - 1][1]) for name, (begin, after) in parts.items()}
    negative = (denied or clause.form & Form.NEGATED > 0) != (frame.against is not None and clause.verb in frame.against)
    told = [spans[at] for at in (first, clause.head, low, high - 1, parts.get(OCCASION, (low, low))[0])]  # of a cleft in another order
    start, end = min(each[0] for each in told), max(each[1] for each in told)
    found = (spans[low][0], spans[high - 1][1])
    if plain and not (now and (named or tells_state(clause, words, tags, low, high))):
        plain = is_value(words, tags, written, spans, (low, high)) or tells_name(clause, words, tags, low, high)
    plain = plain or bool(now and _goes_on(clause, known=person is not None) and tells_state(clause, words, tags, low, high))
    return Reading(compiled.rule, start, end, subject, verb, found, negative, thing, guessed, clause.who == Who.WE, part_spans, now, plain)


def _parts(frame: Frame, clause: Clause, words: Sequence[str], tags: str, thing: tuple[int, int]) -> Mapping[str, tuple[int, int]]:
    """Return the parts of what stands behind the verb that the frame asks for, and the occasion of an order."""
    if not (frame.has or frame.naming or frame.value):
        return {}
    parts = parts_of(words, tags, *thing)
    return {**parts, OCCASION: clause.occasion} if clause.occasion[1] else parts


def _reading_of_taste(rule: Rule, told: TastePhrase, tagged: Tagged, now: str) -> Reading:
    """Return the reading of a taste."""
    (low, high), spans = told.thing, tagged.spans()
    last = max(high, told.words[1])
    liker = (spans[told.liker][0], spans[told.liker][1]) if told.liker >= 0 else (0, 0)
    group = told.liker >= 0 and tagged.tags[told.liker] == "w"
    found = (spans[low][0], spans[high - 1][1])
    start = min(found[0], spans[told.words[0]][0], liker[0] if told.liker >= 0 else found[0])
    return Reading(
        rule, start, spans[last - 1][1], liker, wording(told, tagged), found, not told.liked, "", False, group, {}, now, named=False
    )


def _objected(frame: Frame, clause: Clause, tagged: Tagged, written: str, low: int, high: int) -> tuple[str, int, int] | None:
    """Return the verb as it is told and where its object stands; None if that says nothing by itself, or is not what the frame wants."""
    words, tags = tagged.words, tagged.tags
    verb = verb_words(clause, tagged)
    if frame.take == "object" and (limit := limit_of(clause, words, low)):
        if clause.form & Form.NEGATED:
            return None  # "I don't only drink tea"
        verb = limited(verb, limit, helped=clause.group < clause.head or tags[clause.head] in "Bb")
    verb = " ".join([verb, *_particles(clause, words, tags, low, high)])
    if frame.take == "subject":
        low, high = clause.subject
    elif frame.take == "verb" or ("nothing" in frame.object and low >= high):
        verb = helping_words(clause, tagged)
        low, high = clause.head, max(high, clause.head + 1)
        while tags[high : high + 1] == "R" and words[high] in word_class("particle"):
            high += 1
    elif clause.after & (After.PREPOSITION | After.PREPOSITION_ING):
        if words[low] not in frame.preposition or (clause.verb == "have" and words[low] == "to"):
            return None
        verb = f"{verb} {words[low]}"
        low += 1
    elif clause.after == After.TO:
        verb = f"{verb} to"
        low += 1
    ours = bool(clause.after & After.PREPOSITION and clause.who & Who.KIN and words[low:high] in (["us"], ["me"]))  # "lives with us"
    points = not ours and low < high and _points(tags, words, low, high, order=bool(clause.who & (Who.ORDER | Who.YOU)))
    if low >= high or tags[low] in _NO_BEGINNING or points:
        return None
    if not frame.head.unbound and clause.after & (After.NOUN | After.PREPOSITION | After.ADJECTIVE) and frame.take == "object":
        head = head_noun(words, tags, low, high) or words[high - 1]
        listed = head not in frame.head or (frame.head.open and head.endswith("s") and head[:-1] not in frame.head)
        if listed and not (_plain(clause, words) and _is_told_apart(frame, tagged, written, words.index(head, low, high) + 1, high)):
            return None
    if not frame.inner.unbound and clause.after & (After.TO | After.ING | After.PREPOSITION_ING) and verb_of(words[low]) not in frame.inner:
        return None
    return verb, low, high


def _particles(clause: Clause, words: Sequence[str], tags: str, low: int, high: int) -> Iterator[str]:
    """Yield the particles of the verb: those before its object, and one right behind it that ends the clause, "tore the shelves out"."""
    particles = word_class("particle")
    yield from (words[at] for at in range(clause.head + 1, low) if tags[at] == "R" and words[at] in particles)
    behind = clause.after == After.NOUN and clause.verb != "have" and not clause.who & Who.ORDER
    if behind and tags[high : high + 1] == "R" and words[high] in particles and tags[high + 1 : high + 2] in ("", ",", ";", "C"):
        yield words[high]


def _is_told_apart(frame: Frame, tagged: Tagged, written: str, low: int, high: int) -> bool:
    """Return whether a name behind a noun that says nothing by itself tells what it is: "edits photos in Lightroom 6"."""
    return (
        frame.head.open
        and not frame.naming
        and tagged.tags[low:high][:1] == "I"
        and is_specific(tagged.words, tagged.tags, written, tagged.spans(), (low, high))
    )


def _plain(clause: Clause, words: Sequence[str]) -> bool:
    """Return whether a clause tells simply what something is or does now: "prod runs on Fedora", not "prod is running late"."""
    if not clause.form & Form.PRESENT or clause.form & Form.PROGRESSIVE:
        return False
    return not clause.subject[0] < clause.subject[1] or words[clause.subject[0]] not in INDEFINITE


def _goes_on(clause: Clause, *, known: bool) -> bool:
    """Return whether a clause tells what the speaker, or somebody or something of theirs, is doing: "we're deploying from main again".

    known: its pronoun stands for somebody who was named.
    """
    own = known or clause.who & (Who.I | Who.WE | Who.KIN | Who.MINE)
    return bool(own and clause.form & Form.PROGRESSIVE and clause.after & (After.NOUN | After.PREPOSITION))


_SOMEBODY = Who.THEY | Who.THING  # "he", "her sister"
_WHICH_TIME = frozenset({"last", "this", "next", "earlier"})
_ARROWS = frozenset({"→", "-"})  # "session timeout -> 60 min"


_SWALLOWED = re.compile(
    r"(?<=[A#NKn])(?:,?C(?=[^CWS,]*?[BHYOzd])|I(?=[Dmu]?[A#N]*+B))"
)  # another clause, of which the splitter saw no beginning
_NO_BEGINNING = ",;CzBHYO"  # of an object


def _points(tags: str, words: Sequence[str], low: int, high: int, *, order: bool) -> bool:
    """Return whether an object only points elsewhere, or is about whom one speaks to."""
    if tags[low] in "tphyE" and (high - low < 3 or (tags[low] == "t" and not order)):
        return True
    if tags[low] in "tPp" and high - low == 1:
        return True
    return not order and ("y" in tags[low:high] or "your" in words[low:high])


def _is_compound(tags: str, words: Sequence[str], low: int, high: int, head: str) -> bool:
    """Return whether another noun stands right before the head of a phrase: "sensor bus", not "bus"."""
    place = words.index(head, low, high) if head else low
    return place > low and tags[place - 1] in "NK"
