"""Changes: what a turn says of facts that are held, where no rule reads it.

"We ditched Sentry, mind that they go to Honeybadger" says too little for a rule that reads it alone. Beside the fact that crash reports
are stored in Sentry it says enough: what that fact names is given up, and what else the turn names is of the same kind. So the fact is told
again with the new value in the place of the old, or, where none is named, denied. A thing whose one value is held ("staging is on node
18") gets another one where a turn mentions the thing, a value of that kind, and a cue of now.

What comes of it hangs on the facts that are held when the turn is weighed; so it is weighed after the claims of the turn itself, and is
read again wherever its matter is weighed anew (`core.facts.reweighing`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from ethos.core.facts.aspects import thing_of, value_of
from ethos.core.facts.keyed_claims import KeyedClaim
from ethos.core.facts.ledger import Ledger
from ethos.core.facts.replacement import TOGETHER
from ethos.core.facts.weighing import EVERYWHERE, Statement, key_of, names, replaced
from ethos.core.model.keys import ClassOf
from ethos.core.model.records import Claim, Fact, Kind, Origin, Polarity, Utterance
from ethos.core.text import folding
from ethos.core.text.language.mentions import Mention, TurnMentions, stem, told_in
from ethos.core.text.language.tagging import possible_tags
from ethos.core.text.memoize import memoized

GIVEN_UP: Final = "changes/given-up"
NEW_VALUE: Final = "changes/new-value"
RULES: Final = frozenset({GIVEN_UP, NEW_VALUE})
_VERSION, _PACK = 1, "1.0.0"
_CONFIDENCE = 0.85
_LEAD = "now "  # a word of change, without which nothing is looked for
_MEASURED = frozenset({"value", "date", "day", "time", "place"})
_EMPTY = frozenset({"of", "for", "in", "on", "the", "a", "at"})


class ReadTurn:
    """A turn of the user that may say of what is held that it has changed. phrases: what it gives up, and whatever it speaks of."""

    def __init__(self, utterance: Utterance, told: TurnMentions) -> None:
        self.utterance = utterance
        self.told = told
        given_up = (folding.key(each.words) for each in told.mentions if each.given_up and not each.supposed)
        self.phrases = frozenset(given_up).union(*told.nouns) - {""}

    @property
    def scopes(self) -> tuple[str, ...]:
        """Return the projects in which it may change something."""
        return tuple(dict.fromkeys((self.utterance.project, EVERYWHERE)))

    def naming(self) -> set[tuple[str, str, str]]:
        """Return the (user, project, phrase) of the facts that it may change."""
        return {(self.utterance.user, scope, phrase) for scope in self.scopes for phrase in self.phrases}

    def speaks_of(self, fact: Fact) -> bool:
        """Return whether it may say something of a fact, whatever has become of that."""
        if fact.user != self.utterance.user or fact.project not in self.scopes:
            return False
        return any(self._valued(fact, number) for number in range(len(self.told.stems))) or any(self._ending(fact))

    def _valued(self, fact: Fact, number: int) -> bool:
        """Return whether a sentence gives a value to the thing that a fact is about."""
        stems = self.told.stems[number]
        return bool(stems) and (thing := _thing(fact.subject_key)) != frozenset() and thing <= stems

    def changes(self, own: Collection[KeyedClaim], facts: Iterable[Fact], class_of: ClassOf) -> Iterator[KeyedClaim]:
        """Yield what it says of the facts that are active. own: what it claims by itself."""
        said = [each.claim for each in own if each.claim.grade == "held"]
        for fact in sorted(facts, key=lambda each: (each.valid_from, each.object_key, each.id)):
            if not fact.active or not _could_change(fact) or fact.last_said >= self.utterance.said_at or not self.speaks_of(fact):
                continue
            ending = next(self._ending(fact), None)
            new = self._successor(fact, ending, class_of)
            if new is not None and not any(_tells(claim, new) for claim in said):
                yield self._keyed(fact, _with(fact, new, self.utterance.text, class_of), ending or new)
            elif (at := ending or new) is not None and not any(claim.polarity == "-" and _tells(claim, at) for claim in said):
                yield self._keyed(fact, _denied(fact), at)

    def successors(self, fact: Fact, class_of: ClassOf) -> Iterator[Fact]:
        """Yield the fact with the value that it would have by this turn."""
        new = self._successor(fact, next(self._ending(fact), None), class_of)
        if new is not None:
            claim = _with(fact, new, self.utterance.text, class_of)
            yield replace(fact, object=claim.object, object_key=folding.key(claim.object), replaces=claim.supersedes)

    def _ending(self, fact: Fact) -> Iterator[Mention]:
        """Yield the mentions that give up what the fact names."""
        for each in self.told.mentions:
            if each.given_up and not each.supposed and _is_named(fact, each):
                yield each

    def _successor(self, fact: Fact, ending: Mention | None, class_of: ClassOf) -> Mention | None:
        """Return the mention that is likely in the place of the fact's value. ending: the one that gives that value up, if any does."""
        kind = fact.slot if fact.slot in _MEASURED else _kind(fact.object_key, class_of)
        if ending is None and not _is_valued(fact):
            return None
        likely = [each for each in self.told.mentions if each.specific and not each.supposed and not each.given_up]
        likely = [each for each in likely if _alike(kind, fact.object_key, each, class_of) and not _stands_in(fact.object_key, each)]
        if ending is not None:
            near = [each for each in likely if each.sentence in (ending.sentence, ending.sentence + 1)]
            return max(
                near,
                key=lambda each: (*_likeness(kind, each, class_of), each.segment != ending.segment, -abs(each.start - ending.end)),
                default=None,
            )
        stated = [each for each in likely if each.linked and self._valued(fact, each.sentence) and not _stands_in(fact.subject_key, each)]
        stated = [each for each in stated if "name" in (kind, other := _kind(folding.key(each.words), class_of)) or kind == other]
        return max(stated, key=lambda each: (*_likeness(kind, each, class_of), -each.start), default=None)

    def _keyed(self, fact: Fact, claim: Claim, at: Mention) -> KeyedClaim:
        key = key_of(fact)
        statement = Statement(
            key,
            folding.key(claim.object),
            claim.kind,
            claim.polarity,
            fact.cardinality,
            claim.confidence,
            self.utterance.origin,
            self.utterance.said_at,
            replaces_key=replaced(claim.supersedes),
        )
        return KeyedClaim(self.utterance, replace(claim, start=at.start, end=at.end), statement)


NO_TURNS: Final[Mapping[str, ReadTurn]] = MappingProxyType({})


def read_turns(utterances: Iterable[Utterance]) -> Mapping[str, ReadTurn]:
    """Return, by their ids, the turns of a user that may say that something has changed."""
    found: dict[str, ReadTurn] = {}
    for utterance in utterances:
        if utterance.role == "user" and utterance.origin >= Origin.USER and (told := told_in(utterance.text)) is not None:
            turn = ReadTurn(utterance, told)
            if turn.phrases:
                found[utterance.id] = turn
    return found


def anchors(fact: Fact) -> tuple[tuple[str, ...], ...]:
    """Return the words of which a turn has all, of one tuple at least, that may say something of a fact: of its value, or of its thing."""
    if not _could_change(fact):
        return ()
    named = tuple((word,) for word in sorted(_specific_words(fact.object)))
    return (*named, tuple(sorted(_thing(fact.subject_key)))) if _is_valued(fact) else named


def changes_told(turn: ReadTurn, own: Collection[KeyedClaim], ledger: Ledger, class_of: ClassOf) -> list[KeyedClaim]:
    """Return what a turn says of the active facts of a ledger. own: what it claims by itself, weighed already."""
    facts: dict[str, Fact] = {}
    for user, scope, phrase in turn.naming():
        facts |= {fact.id: fact for fact in ledger.active_naming(user, scope, phrase)}
    return list(turn.changes(own, facts.values(), class_of))


@memoized(1_024)
def _thing(subject: str) -> frozenset[str]:
    """Return the stems of the words that name a thing; none for those who work together."""
    return frozenset() if subject in TOGETHER else frozenset(map(stem, thing_of(subject).split())) - _EMPTY


def _could_change(fact: Fact) -> bool:
    """Return whether it says what is so, and not what happened ("threw out SQLite"). Tastes change by their own words."""
    so = fact.polarity == "+" and fact.kind != "preference" and fact.tense == "present"
    return so and not possible_tags(fact.predicate.partition(" ")[0].lower() or "is").startswith("d")


def _is_valued(fact: Fact) -> bool:
    """Return whether it holds the one value of a thing."""
    return fact.cardinality == "single" and bool(fact.slot)


def _kind(said: str, class_of: ClassOf) -> str:
    """Return the kind of a value: of those measured, a class, or "name"."""
    return value_of(said, class_of) or "name"


def _alike(kind: str, held: str, mention: Mention, class_of: ClassOf) -> bool:
    """Return whether a mention may stand where a value of this kind does: both measured in one unit, or none of them measured."""
    words = folding.key(mention.words)
    other = _kind(words, class_of)
    if kind in _MEASURED or other in _MEASURED:
        return kind == other and (kind != "value" or _unit(held) in ("", _unit(words)) or not _unit(words))
    return True


def _likeness(kind: str, mention: Mention, class_of: ClassOf) -> tuple[bool, bool]:
    """Return how well a mention stands for a value of this kind."""
    return _kind(folding.key(mention.words), class_of) == kind, mention.taken_up


def _stands_in(text: str, mention: Mention) -> bool:
    return names(text, folding.key(mention.words))


def _unit(words: str) -> str:
    return next((word for word in words.split() if word.isalpha()), "")


def _tells(claim: Claim, mention: Mention) -> bool:
    return _stands_in(folding.key(f"{claim.subject} {claim.object}"), mention)


def _with(fact: Fact, new: Mention, text: str, class_of: ClassOf) -> Claim:
    """Return the fact told with a new value in the place of its own."""
    value = text[new.start : new.end]
    told = _value_in(fact.object, _kind(folding.key(new.words), class_of) in _MEASURED)
    obj = fact.object[: told[0]] + value + fact.object[told[1] :] if told else value
    return _claim(fact, fact.kind, obj, "+", NEW_VALUE, supersedes="now" if fact.cardinality == "single" else fact.object)


@memoized(1_024)
def _specific_words(obj: str) -> frozenset[str]:
    """Return the words of an object that name something."""
    told = told_in(_LEAD + obj)
    return frozenset(word for each in told.mentions if each.specific for word in folding.tokens(each.words)) if told else frozenset()


def _is_named(fact: Fact, mention: Mention) -> bool:
    """Return whether a mention has the words that name what the fact's object is; of a name with a number, the name will do."""
    words, specific = folding.key(mention.words), _specific_words(fact.object)
    if not names(fact.object_key, words) or specific.isdisjoint(folding.tokens(words)):
        return False
    named = [word for word in folding.tokens(fact.object_key) if word in specific]
    whole = [word for word in named if not word[0].isdigit()] or named
    return whole[-1] in folding.tokens(words)


def _value_in(obj: str, measured: bool) -> tuple[int, int] | None:
    """Return the span of the value in an object, or None. measured: it is one with a number."""
    told = told_in(_LEAD + obj)
    values = [each for each in told.mentions if each.specific and (not measured or any(map(str.isdigit, each.words)))] if told else []
    return (values[0].start - len(_LEAD), values[0].end - len(_LEAD)) if values else None


def _denied(fact: Fact) -> Claim:
    return _claim(fact, "negation", fact.object, "-", GIVEN_UP)


def _claim(fact: Fact, kind: Kind, obj: str, polarity: Polarity, rule: str, supersedes: str | None = None) -> Claim:
    return Claim(
        kind,
        fact.subject,
        fact.predicate,
        obj,
        polarity,
        fact.cardinality,
        _CONFIDENCE,
        rule,
        _VERSION,
        _PACK,
        0,
        0,
        supersedes=supersedes,
    )
