"""Read a question: the words to look for, whose words are meant, which dates it names, and if it asks when or where."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import regex

from ethos.core.model.keys import ClassOf
from ethos.core.model.records import Kind
from ethos.core.recall.dates import Dates, dates_in
from ethos.core.recall.terms import FRAGMENTS, STOP_WORDS, forms_of, term_of, words

NamesIn = Callable[[str], Sequence[str]]  # the members of a class
_LONGEST_KIND = 3  # words in the name of a class
AGENT = "assistant"
ROLES = frozenset({"user", AGENT, "tool", "system"})  # speakers of agent logs: these words alone name nobody
_KINDS_OF_FACTS: Mapping[str, Kind] = {
    **dict.fromkeys(map(term_of, ("decide", "decision", "choose", "agree")), "decision"),
    **dict.fromkeys(map(term_of, ("prefer", "preference")), "preference"),
}
_WORDS = regex.compile(r"[\w'\u2019]+")
_ASKING = frozenset({"how", "what", "when", "where", "which", "who", "whom", "whose", "why"})
_ASKER = regex.compile(r"\b(?:I|i|me|my|mine|myself)\b")
_AGENT = regex.compile(r"\b(?:you|your|yours|yourself|the (?:assistant|agent))\b", regex.I)
_WHEN = regex.compile(
    r"\W*(?:when|since when|how long|what (?:year|month|day|date|time)|in what (?:year|month)|which (?:year|month|day))\b|.*\bhow long\b",
    regex.I,
)
_WHERE = regex.compile(r"\W*where\b|.*\b(?:which|what) (?:city|country|state|place|places|countries|cities|states|town|area)\b", regex.I)


@dataclass(frozen=True, slots=True)
class Question:
    """A question as it was read. words: as they are searched for; content: the folded words that carry it."""

    words: tuple[str, ...]
    content: tuple[str, ...]
    spoken: tuple[str, ...]  # every folded word of it, in order
    dates: Dates
    asks_when: bool
    asks_where: bool
    names_asker: bool  # "I", "my": the words of who asks are meant
    names_agent: bool  # "you", "the assistant"

    @property
    def names_one_thing(self) -> bool:
        """Return True if it is one word to look up: it asks nothing that a turn beside that word may answer, and names no day."""
        return len(self.content) == 1 and not self.dates and _ASKING.isdisjoint(self.spoken)


def read(text: str, today: date | None = None) -> Question:
    """Read a question. today: the day on which it is asked."""
    spoken = words(text)
    content = [word for word in spoken if word not in STOP_WORDS and word not in FRAGMENTS] or spoken
    return Question(
        words=query_words(text),
        content=tuple(dict.fromkeys(content)),
        spoken=tuple(spoken),
        dates=dates_in(text, today),
        asks_when=_WHEN.match(text) is not None,
        asks_where=_WHERE.match(text) is not None,
        names_asker=_ASKER.search(text) is not None,
        names_agent=_AGENT.search(text) is not None,
    )


def query_words(query: str) -> tuple[str, ...]:
    """Return the words of a question, folded, stop words out (unless nothing else is left), each once, in order."""
    found = [word.strip("'") for word in _WORDS.findall(query.replace("\u2019", "'").casefold())]
    found = [word.removesuffix("'s") for word in found if word]
    kept = [word for word in found if word not in STOP_WORDS] or found
    return tuple(dict.fromkeys(kept))


def of_facts(question: Question) -> Mapping[Kind, frozenset[str]]:
    """Return the kinds of facts that a question names, each with the terms that do: "what did we decide" wants decisions."""
    found: dict[Kind, set[str]] = {}
    for term in map(term_of, question.content):
        if (kind := _KINDS_OF_FACTS.get(term)) is not None:
            found.setdefault(kind, set()).add(term)
    return {kind: frozenset(terms) for kind, terms in found.items()}


def kinds_named(asked: Sequence[str], class_of: ClassOf, names_in: NamesIn) -> Mapping[str, str]:
    """Return the classes that a question calls by a plain name, each with that name: "database" does, "Postgres" means the one thing.

    names_in: returns the members of a class, the plain names first.
    """
    runs = (asked[start : start + size] for size in range(1, _LONGEST_KIND + 1) for start in range(len(asked) - size + 1))
    named = (" ".join(run) for run in runs)
    read = ((name, each) for name in named for each in (name, _singular(name)))
    return {kind: name for name, each in read if (kind := class_of(each)) and _is_plain(each, kind, names_in(kind))}


def _singular(name: str) -> str:
    return name.removesuffix("ies") + "y" if name.endswith("ies") else name.removesuffix("s")


def _is_plain(name: str, kind: str, members: Sequence[str]) -> bool:
    """Return whether a member of a class is a name of all of it: the class's own, the first, or one that ends in a word which stands among
    the members in the singular and the plural ("message queue", by "queue" and "queues").
    """
    if kind in {name, name + "s", name.removesuffix("y") + "ies"} or name == members[0]:
        return True
    last = name.rpartition(" ")[2]
    return any(word in members and word + "s" in members for word in (last, last.removesuffix("s")))


def may_be_meant(question: Question, asker: Collection[str]) -> frozenset[str]:
    """Return the names by which a speaker may be meant: the words of the question, and who "I" and "you" are."""
    called = {form for word in question.spoken for form in (word, word.removesuffix("s"))} - STOP_WORDS
    return frozenset(called).union(asker if question.names_asker else (), [AGENT] if question.names_agent else ())


def speakers_named(question: Question, known: Collection[str]) -> frozenset[str]:
    """Return the speakers, folded, whom the question calls by their name; its first word will do. known: speakers the store has."""
    return frozenset(name for name in known if name not in ROLES and _is_named(name, frozenset(question.spoken)))


def speaker_meant(question: Question, known: Collection[str], asker: Collection[str]) -> str | None:
    """Return the one speaker whose words are meant, folded; None where nobody is, or several are."""
    named = speakers_named(question, known)
    if question.names_asker:
        named = named.union(name for name in known if name in asker)
    if question.names_agent and AGENT in known:
        named = named.union([AGENT])
    return next(iter(named)) if len(named) == 1 else None


def _is_named(name: str, spoken: frozenset[str]) -> bool:
    first = next(iter(words(name)), "")
    return first not in STOP_WORDS and (first in spoken or first + "s" in spoken)


def looked_for(question: Question, names: Collection[str]) -> Mapping[str, tuple[str, ...]]:
    """Return the terms that an answer is to have, each with the forms in which the index may hold it. names: of speakers, left out."""
    of_names = {form for name in names for word in words(name) for form in (word, word + "s")}
    content = [word for word in question.content if word not in of_names] or question.content
    found: dict[str, dict[str, None]] = {}
    for word in content:
        found.setdefault(term_of(word), {}).update(dict.fromkeys(forms_of(word)))
    return {term: tuple(forms) for term, forms in found.items()}
