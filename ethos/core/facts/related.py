"""Related statements: which of them can have a say about one another.

Two statements are kin where one can confirm, refine, replace, deny, rename or contradict the other, or where both are kin of a third. What
is held of one kin follows from its statements and the order in which they were said, and from nothing else. It errs to one side: it may
take two statements for kin that never touch, and never misses two that do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterator, Sequence

from ethos.core.facts.fact_keys import NAMED, subject_key
from ethos.core.facts.replacement import TOGETHER, named_by, retires
from ethos.core.facts.statement import ANYTHING, Statement
from ethos.core.facts.weighing import in_one_place
from ethos.core.model.settings import ConflictSettings
from ethos.core.text import folding
from ethos.core.text.language.lexicon import phrases_of
from ethos.core.text.language.pronouns import TEAM
from ethos.core.text.language.tastes import thing_liked

Phrase = tuple[str, ...]


def subjects_around(statements: Collection[Statement]) -> set[tuple[str, str]]:
    """Return the (user, folded subject) of everything that could be kin of these."""
    found: set[tuple[str, str]] = set()
    for one in statements:
        user, subject = one.key.user, one.key.subject
        found.update((user, phrase) for phrase in _within(subject))
        named = one.key.predicate == NAMED
        if named:
            found.add((user, subject_key(one.object_key)))
        if named or subject in TOGETHER:
            found.update((user, each) for each in TOGETHER)
    return found


def _within(subject: str) -> Iterator[str]:
    """Yield a subject and each run of its words: "the limit is 80 now" is about the page limit, too (`replacement.named_by`)."""
    yield subject
    words = subject.split()
    for start in range(len(words)):
        for end in range(start + 1, len(words) + 1):
            yield " ".join(words[start:end])


def kin(statements: Sequence[Statement], settings: ConflictSettings, said_by: Sequence[Hashable] = ()) -> list[int]:
    """Return for each statement the number of its kin: the position of one of them, the same for all.

    said_by: the fact or claim that makes each statement; the statements of one are kin.
    """
    links = _Links(len(statements))
    for at, one in enumerate(said_by):
        links.join(at, ("of", one))
    if settings.containment == "substring":  # any two objects may be compatible
        for at, one in enumerate(statements):
            links.join(at, one.key.user)
        return [links.root(at) for at in range(len(statements))]
    taken = {one.key for one in statements if one.replaces_key == ANYTHING and in_one_place(one)}  # "I drive a Skoda now"
    for at, one in enumerate(statements):
        if settings.literal or has_one_value(one) or (one.key in taken and in_one_place(one)):
            links.join(at, one.key)
        for name in names_given(one):
            links.join(at, ("name", one.key.user, name))
    _by_words(statements, links)
    _by_phrase(statements, links)
    _by_place(statements, links)
    return [links.root(at) for at in range(len(statements))]


def has_one_value(one: Statement) -> bool:
    """Return whether whatever stands under its key is about one thing."""
    return one.cardinality == "single" or bool(one.key.slot and one.key.predicate in phrases_of("in-a-class"))


def names_given(one: Statement) -> Iterator[str]:
    """Yield the names that a statement gives a thing or calls it by: who renames a thing retires what stood under its old name."""
    subject = one.key.subject
    if one.key.predicate == NAMED:
        yield subject_key(one.object_key)
    if subject not in TOGETHER and (one.key.predicate == NAMED or one.kind == "decision"):
        yield subject


def _by_words(statements: Sequence[Statement], links: _Links) -> None:
    """Join those under one key of which one's object, or what it replaces or is put above, stands in the other's.

    Under different keys of one subject they are kin where one says itself what does not hold any more: "we use Redis for caching" and "we
    use Redis for sessions" are two matters, until Redis is given up.
    """
    said = [tuple(phrases(one)) for one in statements]
    under = {(one.key, phrase) for one, each in zip(statements, said, strict=True) for phrase in each}
    known = {(_whom(one), phrase) for one, each in zip(statements, said, strict=True) for phrase in each}
    reaching = [at for at, one in enumerate(statements) if retires(one) or named_by(one)]
    given_up = {(_whom(statements[at]), phrase) for at in reaching for phrase in said[at]}
    parts = {(_whom(statements[at]), part) for at in reaching for phrase in said[at] for part in _runs(phrase)} & known
    for at, one in enumerate(statements):
        whom = _whom(one)
        for phrase in said[at]:
            if (whom, phrase) in parts:
                links.join(at, ("part", whom, phrase))
            for part in _runs(phrase):
                if (one.key, part) in under:
                    links.join(at, (one.key, part))
                if (whom, part) in given_up:
                    links.join(at, ("given up", whom, part))
    for at in reaching:
        whom = _whom(statements[at])
        for phrase in said[at]:
            for part in _runs(phrase):
                if (whom, part) in parts:
                    links.join(at, ("part", whom, part))


def _runs(phrase: Phrase) -> Iterator[Phrase]:
    """Yield each run of the words of a phrase."""
    for start in range(len(phrase)):
        for end in range(start + 1, len(phrase) + 1):
            yield phrase[start:end]


def _by_phrase(statements: Sequence[Statement], links: _Links) -> None:
    """Join what reaches beyond its own subject with whatever has its phrase in the subject or object (`replacement.named_by`)."""
    reaching = {(one.key.user, folding.tokens(phrase)): at for at, one in enumerate(statements) if (phrase := named_by(one))}
    if not reaching:
        return
    for at, one in enumerate(statements):
        for words in (folding.tokens(one.object_key), folding.tokens(one.key.subject), folding.tokens(one.key.predicate)):
            for start in range(len(words)):
                for end in range(start + 1, len(words) + 1):
                    if (one.key.user, words[start:end]) in reaching:
                        links.join(at, ("named", one.key.user, words[start:end]))
        if phrase := named_by(one):
            links.join(at, ("named", one.key.user, folding.tokens(phrase)))


def phrases(one: Statement) -> Iterator[Phrase]:
    """Yield the words of each thing that a statement speaks of."""
    for words in (one.object_key, one.over_key, one.replaces_key):
        if words and words != ANYTHING:
            said = folding.tokens(words) or (folding.key(words),)
            yield said
            if (liked := folding.tokens(thing_liked(words))) != said:  # a denial reaches what is liked by what it is about
                yield liked


def _whom(one: Statement) -> tuple[str, str]:
    return one.key.user, TEAM if one.key.subject in TOGETHER else one.key.subject


def _by_place(statements: Sequence[Statement], links: _Links) -> None:
    """Join what takes a thing's place with whatever else stands where that thing stood."""
    movers = [at for at, one in enumerate(statements) if not one.key.slot and retires(one)]
    joined = -1
    while movers and joined != links.joined:
        joined = links.joined
        slots: dict[int, set[str]] = defaultdict(set)
        for at, one in enumerate(statements):
            if one.key.slot:
                slots[links.root(at)].add(one.key.slot)
        for at in movers:
            for slot in slots.get(links.root(at), ()):
                links.join(at, statements[at].key._replace(slot=slot))


class _Links:
    """Sets of positions that grow together (union-find)."""

    def __init__(self, count: int) -> None:
        self._above = list(range(count))
        self._first: dict[Hashable, int] = {}  # what is shared -> the first position that shares it
        self.joined = 0  # how often two sets became one

    def root(self, at: int) -> int:
        """Return the position that stands for the set."""
        while self._above[at] != at:
            self._above[at] = at = self._above[self._above[at]]
        return at

    def join(self, at: int, shared: Hashable) -> None:
        """Join it with all that share this."""
        first, own = self.root(self._first.setdefault(shared, at)), self.root(at)
        if first != own:
            self._above[own] = first
            self.joined += 1
