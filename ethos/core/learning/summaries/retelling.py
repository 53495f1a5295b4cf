"""Tell a clause in the third person: "I've been hiking a lot", said by Ada, becomes "has been hiking a lot" with Ada as its subject.

Verbs are put into the third person by their form alone, without a dictionary: a known past or modal form stays, any other takes an s.
What the user of an agent orders is told as that: "rename it to b" becomes "asked to rename it to b".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum, auto
from functools import lru_cache
from typing import NamedTuple

from ethos.core.learning.summaries.vocabulary import (
    ADVERBS,
    FELT,
    FILLERS,
    LOWERED,
    NOUNS,
    OF_ONE,
    OPENINGS,
    OPENS_ALONE,
    ORDERS,
    PARTICIPLES,
    PAST_BY_LOOKS,
    TOWNS,
    UNCHANGED,
)
from ethos.core.recall.terms import LEMMA_OF
from ethos.core.text.language.inflection import third_person_form
from ethos.core.text.language.lexicon import taste
from ethos.core.text.language.pronouns import third_person
from ethos.core.text.language.tagging import tag
from ethos.core.text.phrases import any_of

USER = "user"  # the speaker of a transcript that names nobody

_OPENING = re.compile(rf"(?:(?:{OPENINGS})\b(?:\s*[,!.:;\u2013\u2014-]+\s*|\s+))+", re.VERBOSE | re.IGNORECASE)
_FILLER = re.compile(rf"\b(?:{'|'.join(FILLERS)})\b[ ]*", re.IGNORECASE)
_A_FILLER = any_of(FILLERS)  # tells quickly that there is none
_MARKDOWN = re.compile(r"[*`|]+|#+(?=\s)|(?<!\w)_+|_+(?!\w)")
_MENTIONS = re.compile(r"(?:@[\w./-]+\s+)+(?=\w)")  # files that a turn only points to, before what it says
_MARKS = re.compile(r"[*`|#_]")
_SIGNS = " ,.!?:"
_SUBJECT = re.compile(r"(?P<who>I|we)(?:(?P<short>'(?:m|ve|d|ll|re))\b|(?=\s))\s*", re.IGNORECASE)
_WHEN = (
    r"(?:(?:last|this|next|every|the other|one|earlier this) \w+(?: (?:morning|afternoon|evening|night))?|yesterday|today|tonight|recently)"
)
_FRONTED = re.compile(rf"(?P<when>{_WHEN}),?\s+(?=(?:I|we)\b)", re.IGNORECASE)  # before the subject, where nobody else is named
_BEHIND = re.compile(r"(?= - |, )")  # what follows is said of the whole
_ORDERED = re.compile(  # behind what it is about: "the log has duplicates, fix this"
    rf",\s+(?:and |so |then |please |pls )*(?P<order>(?:{'|'.join(sorted(ORDERS))})\s+(?:this|it|that|them|these|those|all|the)\b)",
    re.IGNORECASE,
)
_SHORT = {"'m": "is", "'ve": "has", "'d": "would", "'ll": "will", "'re": "is"}
_OF_SEVERAL = {"is": "are", "has": "have"}
_HAD = re.compile(r"(?:been|always|never|\w+ed)\b")
_ORDER = re.compile(r"V|H[DmuAN]|YXV|N[Dmu]")  # tags of its first words: no noun stands right before an article
_OTHER_VERB = re.compile(r"\A[^SW,;]*[^SW,;iwyhtP]z")  # tags: a verb in -s whose subject is no pronoun
_VERB = re.compile(r"[VzdnBbHYO]")  # tags
_VERB_FOLLOWS = re.compile(r"\b(?:(?:is|are|was|were|has|does|can|will)(?:n't)?|makes?|helps?)\b|'s\b")


def _first_words(phrases: Iterable[str]) -> str:
    """Return the pattern of the words by which these patterns of phrases may begin."""
    return "|".join(re.split(r"\\ |\(", phrase.strip(), maxsplit=1)[0] for phrase in phrases)


_OUTER_BAR = re.compile(r"\|(?![^(]*\))")
_MAY_GO = re.compile(rf"(?:{_first_words([*_OUTER_BAR.split(OPENINGS), *FILLERS])})\Z")  # the first word, with what only opens a clause
_MAY_BE_WHEN = frozenset("last this next every one earlier yesterday today tonight recently".split())  # noqa: SIM905 (read as words)


class Retold(NamedTuple):
    """A clause in the third person. leads: it begins with a verb, whose subject is the speaker."""

    text: str
    leads: bool


class Addressed(NamedTuple):
    """The names by which somebody may be spoken to, folded, and how an address before what is said begins, folded."""

    names: frozenset[str]
    openings: tuple[str, ...]

    def before(self, words: str) -> re.Match[str] | None:
        """Return the address before what is said."""
        return _address(self.names)[0].match(words) if words.casefold().startswith(self.openings) else None

    def behind(self, words: str) -> re.Match[str] | None:
        """Return the address behind what is said."""
        return _address(self.names)[1].search(words) if words.rpartition(" ")[2].casefold() in self.names else None


@lru_cache(maxsize=256)
def addressed_to(names: frozenset[str]) -> Addressed:
    """Return how these people are spoken to."""
    return Addressed(names, tuple(f"{greeting}{name}" for greeting in ("", "hey ", "hi ") for name in sorted(names)))


@lru_cache(maxsize=256)
def _address(names: frozenset[str]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the patterns of an address before and behind what is said. To compile them takes half a millisecond, and few are needed."""
    any_name = "|".join(map(re.escape, sorted(names, key=lambda name: (-len(name), name))))
    before = re.compile(rf"(?:hey |hi )?\b(?:{any_name})\b(?:\s*[,!.:;-]+\s*|\Z)", re.IGNORECASE)
    return before, re.compile(rf",?\s+(?:{any_name})\Z", re.IGNORECASE)


def bare(words: str, addressed: Addressed | None) -> str:
    """Return a clause without what only opens it, the names it is addressed to, fillers, and the signs around it."""
    words = words.replace("\u2019", "'")
    words = words[mentions.end() :] if words.startswith("@") and (mentions := _MENTIONS.match(words)) else words
    words = (_MARKDOWN.sub("", words) if _MARKS.search(words) else words).strip(_SIGNS)
    while not _stays(words, addressed):
        before = words
        if (opening := _OPENING.match(words)) is not None:
            words = words[opening.end() :]
        if addressed is not None and (name := addressed.before(words)) is not None:
            words = words[name.end() :]
        if words == before:
            break
    if addressed is not None and (name := addressed.behind(words)) is not None:
        words = words[: name.start()]
    if _A_FILLER.search(words.lower()):
        words = _FILLER.sub("", words)
    words = " ".join(words.split()).strip(f"{_SIGNS}-")
    return _closed(words) if '"' in words else words


def _stays(words: str, addressed: Addressed | None) -> bool:
    """Return whether a clause surely begins as it is told, by its first word."""
    first = words.partition(" ")[0].lower()
    return stays_first(first) and (addressed is None or first not in addressed.names)


def _closed(words: str) -> str:
    """Return a clause whose quotation marks come in pairs: a clause may end at a full stop within a quotation, or begin in one."""
    if words.count('"') % 2 == 0:
        return words
    last = words.rindex('"')
    opens = last + 1 < len(words) and not words[last + 1].isspace() and (last == 0 or words[last - 1] in " (")
    return f'{words}"' if opens else f"{words[:last]}{words[last + 1 :]}".strip(_SIGNS)


_VERBS_IN_LY = frozenset(["apply", "comply", "fly", "imply", "multiply", "rely", "reply", "supply", "rally", "tally", "bully", "sully"])


def retell(words: str, speaker: str) -> Retold:
    """Return a bare clause as told of the speaker."""
    if speaker == USER and _opening(words, speaker) is not _Opening.ORDER and (ordered := _ORDERED.search(words)) is not None:
        about, order = retell(words[: ordered.start()], speaker), retell(words[ordered.start("order") :], speaker)
        return about._replace(text=f"{about.text} and {order.text}")
    if (fronted := _FRONTED.match(words)) is not None:
        when = fronted["when"]
        retold = retell(words[fronted.end() :], speaker)
        deed, *rest = _BEHIND.split(retold.text, maxsplit=1)
        return retold._replace(text=f"{deed} {when[0].lower()}{when[1:]}{''.join(rest)}")
    subject = _SUBJECT.match(words)
    if subject is None:
        return _without_subject(words, speaker)
    several = subject["who"].lower() == "we"
    said = _with_verb(words[subject.end() :], subject["short"], several=several)
    told = third_person(said, speaker, speaker)
    return Retold(f"they {told}", leads=False) if several else Retold(told, leads=True)


def leads(words: str, speaker: str) -> bool:
    """Return whether a bare clause begins with a verb, as it is told, without telling it."""
    fronted = _FRONTED.match(words)
    words = words[fronted.end() :] if fronted is not None else words
    subject = _SUBJECT.match(words)
    return _opening(words, speaker) is not _Opening.OTHER if subject is None else subject["who"].lower() != "we"


@lru_cache(maxsize=8_192)
def stays_first(word: str) -> bool:
    """Return whether a clause that begins with this word, in lower case, and a space surely does so when it is `bare`, too.

    It may be a name to which the clause is addressed.
    """
    return word.isascii() and word.isalpha() and _MAY_GO.match(word) is None


@lru_cache(maxsize=8_192)
def never_leads(word: str, speaker: str) -> bool:
    """Return whether a bare clause that begins with this word, in lower case, surely does not lead (see `leads`).

    Of "the" that is so where no "other" follows ("the other day I ...").
    """
    if word in {"i", "we"} or word in _MAY_BE_WHEN or _opening(word, speaker) is not _Opening.OTHER:
        return False
    return word not in PARTICIPLES and not _names_a_deed(word) and _opening(f"{word} it", speaker) is _Opening.OTHER


def is_order(words: str) -> bool:
    """Return whether a clause is what somebody is told to do: "spill the beans", "have a great time".

    It begins with a verb in its base form, without a subject. So does what one feels or wants ("love the new place"), which is none.
    """
    opening = words.lower().split(None, 3)[:3]
    if len(opening) < 2 or opening[0] in OPENS_ALONE or opening[0] in FELT or taste(opening[0]) is not None:
        return False
    return _ORDER.match(tag(" ".join(opening)).tags) is not None


def has_verb(words: str) -> bool:
    """Return whether a clause has a verb that can carry it: "the vibes were amazing", but not "our last chat"."""
    return _VERB.search(tag(words.lower()).tags) is not None


class _Opening(Enum):
    """How a clause without a subject begins."""

    ORDER = auto()
    ALONE = auto()
    DEED = auto()
    VERB = auto()
    OTHER = auto()


def _opening(words: str, speaker: str) -> _Opening:
    first, _, rest = words.partition(" ")
    first = first.lower()
    if speaker == USER and first in ORDERS:
        return _Opening.ORDER
    if first in OPENS_ALONE:
        return _Opening.ALONE
    if first in PARTICIPLES or (_names_a_deed(first) and not _is_subject(words)):
        return _Opening.DEED
    is_verb = (first in LEMMA_OF and first not in NOUNS) or (rest and first.endswith("ed") and first not in PAST_BY_LOOKS)
    return _Opening.VERB if is_verb else _Opening.OTHER


_PRONOUNS = ("nothing", "anything", "everything", "something")


def _names_a_deed(first: str) -> bool:
    return first.endswith("ing") and len(first) > len("thing") and first not in TOWNS and not first.endswith(_PRONOUNS)


def _is_subject(words: str) -> bool:
    """Return whether a deed that begins a clause is its subject: "helping them brings me joy", but not "helping them until it rains"."""
    return _VERB_FOLLOWS.search(words) is not None or _OTHER_VERB.search(tag(words.lower()).tags) is not None


def _without_subject(words: str, speaker: str) -> Retold:
    """Return what begins with a verb ("been busy", "use tabs") as led by the speaker, and all else as it is."""
    told = third_person(words, speaker, speaker)
    lowered = told[:1].lower() + told[1:]
    first, _, rest = words.partition(" ")
    match _opening(words, speaker):
        case _Opening.ORDER:
            return Retold(f"asked to {lowered}", leads=True)
        case _Opening.ALONE:
            return Retold(f"{OF_ONE[first.lower()]} {third_person(rest, speaker, speaker)}", leads=True)
        case _Opening.DEED:
            return Retold(f"is {lowered}", leads=True)
        case _Opening.VERB:
            return Retold(lowered, leads=True)
        case _Opening.OTHER:
            first = first.lower()
            return Retold(lowered if first in LOWERED or _names_a_deed(first) else told, leads=False)


def _with_verb(words: str, short: str | None, *, several: bool) -> str:
    """Return what follows "I" or "we" with its verb in the third person."""
    if short:
        verb = "had" if short.lower() == "'d" and _HAD.match(words) else _SHORT[short.lower()]
        return f"{_OF_SEVERAL.get(verb, verb) if several else verb} {words}"
    parts = words.split(" ")
    at = next((i for i, word in enumerate(parts[:-1]) if not _is_adverb(word.lower())), len(parts) - 1)
    if not several:
        parts[at] = _of_one(parts[at].lower())
    return " ".join(parts)


def _is_adverb(word: str) -> bool:
    return word in ADVERBS or (word.endswith("ly") and word not in _VERBS_IN_LY)


def _of_one(verb: str) -> str:
    if verb in OF_ONE:
        return OF_ONE[verb]
    past = verb in LEMMA_OF or verb.removeprefix("re") in LEMMA_OF or (verb.endswith(("ed", "ing")) and verb not in PAST_BY_LOOKS)
    return verb if past or verb in UNCHANGED or not verb.isalpha() else third_person_form(verb)
