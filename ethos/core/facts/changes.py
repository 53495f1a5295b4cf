"""Changes: what a turn says of facts that are held, where no rule reads it.

"We ditched Sentry, mind that they go to Honeybadger" says too little for a rule that reads it alone. Beside the fact that crash reports
are stored in Sentry it says enough: what that fact names is given up, and what else the turn names is of the same kind. So the fact is told
again with the new value in the place of the old, or, where none is named, denied. A thing whose one value is held ("staging is on node
18") gets another one where a turn mentions the thing, a value of that kind, and a cue of now.

What comes of it hangs on the facts that are held when the turn is weighed; so it is weighed after the claims of the turn itself, and is
read again wherever its matter is weighed anew (`core.facts.reweighing`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice
from types import MappingProxyType
from typing import Final

from ethos.core.facts.changeable import could_be_wrong, could_change, is_bound, is_valued, may_end, tells_event
from ethos.core.facts.containment import names, without_part
from ethos.core.facts.disputes import Dispute, disputed
from ethos.core.facts.fact_keys import NAMED
from ethos.core.facts.keyed_claims import KeyedClaim
from ethos.core.facts.ledger import Ledger
from ethos.core.facts.linkage import likely_value
from ethos.core.facts.naming import (
    deed_alone,
    is_deed,
    is_doer,
    is_forbidden,
    is_manner,
    is_named,
    is_order,
    rule_named,
    things_of,
    things_said,
)
from ethos.core.facts.purpose import purpose_of
from ethos.core.facts.stated import is_told_of, still_names
from ethos.core.facts.statement import EVERYWHERE, Statement, key_of, object_key_of, replaced
from ethos.core.facts.told_again import denied, in_question, lessened, permitted, unneeded, with_value
from ethos.core.facts.topics import is_about, is_of_another, likeness, topic_of
from ethos.core.facts.values import (
    is_of_kind,
    is_placed,
    kind_of_value,
    likeness_of_kind,
    may_replace,
    measure_of,
    measured_in,
    value_words,
)
from ethos.core.facts.versions import newer_version
from ethos.core.model.keys import ClassOf
from ethos.core.model.records import Claim, Fact, Origin, Utterance
from ethos.core.text import folding
from ethos.core.text.language.accounts import Accounts
from ethos.core.text.language.ending import Doer
from ethos.core.text.language.everyday import is_everyday
from ethos.core.text.language.mentioned import NOTHING, Mention, TurnMentions
from ethos.core.text.language.mentions import stem, told_in
from ethos.core.text.language.pronouns import TEAM
from ethos.core.text.language.signs_of_change import gives_name
from ethos.core.text.language.stations import name_of_kin, nouns_of, station_of

_BESIDE = 120  # characters around a mention in which its sentence speaks of a fact
_SAME_TOPIC = 0.7  # likeness of the topics of two claims that give one thing a value


class ReadTurn:
    """A turn of the user that may say of what is held that it has changed. phrases: what it gives up, and whatever it speaks of.

    given_up: the former alone.
    """

    def __init__(self, utterance: Utterance, told: TurnMentions) -> None:
        self.utterance = utterance
        self.told = told
        self.scopes = tuple(dict.fromkeys((utterance.project, EVERYWHERE)))  # the projects in which it may change something
        self._given_up = [each for each in told.mentions if each.ending.ends and not each.supposed]
        self._speaking = [(number, spoken) for number, spoken in enumerate(told.spoken) if spoken != NOTHING]
        given_up = [folding.key(each.words) for each in self._given_up]
        things = [word for words in given_up for word in (*things_said(words), *rule_named(words))]
        given_up += [form for word in things for form in (word, stem(word), f"{stem(word)}s")]
        given_up += [each.ending.done for each in self._given_up if each.ending.done]
        self._speaker = folding.key(utterance.speaker)
        self._has_cue = any(told.now)
        self._ended = {(each.station, whose): at for each, at in told.ended for whose in _owners(each.whose, self._speaker)}
        whose = {whose for _, whose in self._ended}.union(*(nouns_of(station) for station, whose in self._ended if not whose))
        self.given_up = frozenset(given_up) - {""}
        told_of = [each for each in told.mentions if told.accounts >= (Accounts.ONE if each.measured else Accounts.SEVERAL)]
        named = {folding.key(each.words) for each in told_of}
        self.phrases = self.given_up.union(whose, named, *(spoken.nouns for _, spoken in self._speaking)) - {""}

    def naming(self) -> Iterator[tuple[str, str, str]]:
        """Yield the (user, project, phrase) of the facts that it may change, each once, in no order."""
        user = self.utterance.user
        return ((user, scope, phrase) for scope in self.scopes for phrase in self.phrases)

    @cached_property
    def first_words(self) -> frozenset[str]:
        """Return the words with which the phrases begin: a fact that has none of them is not named by the turn."""
        return frozenset(words[0] for phrase in self.phrases if (words := folding.tokens(phrase)))

    def speaks_of(self, fact: Fact) -> bool:
        """Return whether it may say something of a fact, whatever has become of that."""
        if fact.user != self.utterance.user or fact.project not in self.scopes or self._is_of_unnamed(fact):
            return False
        if is_forbidden(fact):
            return any(self._ending(fact))
        told = self._end_of_station(fact) is not None or bool(self._valuing(fact)) or any(self._ending(fact))
        return told or self._newer(fact) is not None or self._likely(fact) is not None or self._dispute(fact) is not None

    def _newer(self, fact: Fact) -> Mention | None:
        """Return the version that the turn gives to what a fact names, or None."""
        return newer_version(fact, self.told, self.utterance.text)

    def _likely(self, fact: Fact) -> Mention | None:
        """Return the phrase that is likely the new value of a fact, or None."""
        if not self._has_cue or self.told.accounts >= Accounts.SEVERAL or is_bound(fact):
            return None
        return likely_value(fact, self.told, self.utterance.text, self._speaker)

    def _dispute(self, fact: Fact) -> Dispute | None:
        """Return how the turn puts a fact in question, or None."""
        return disputed(fact, self.told, self._stems, self._speaker) if self.told.accounts else None

    @cached_property
    def _stems(self) -> frozenset[str]:
        return frozenset(map(stem, folding.tokens(self._text_key)))

    def _is_of_unnamed(self, fact: Fact) -> bool:
        """Return whether a fact is about somebody with a name who is neither the speaker nor named in the turn."""
        name = fact.subject.partition("'s ")[0]
        if " " in name or not name.istitle() or is_everyday(name.lower()) or folding.key(name) == self._speaker:
            return False
        return not (names(self._text_key, folding.key(name)) or f"{folding.key(name)}'s" in folding.tokens(self._text_key))

    @cached_property
    def _text_key(self) -> str:
        return folding.key(self.utterance.text)

    def _end_of_station(self, fact: Fact) -> Mention | None:
        """Return the words that say that the station of a life which a fact tells of has ended, or None."""
        if not self._ended:
            return None
        station, whose = station_of(fact.predicate_key, fact.object, fact.subject_key)
        return self._ended.get((station, whose)) or self._ended.get((station, name_of_kin(whose)))

    def _valuing(self, fact: Fact) -> frozenset[int]:
        """Return the numbers of the sentences that give a value to the thing that a fact is about."""
        if not self._speaking:
            return frozenset()
        topic = topic_of(fact, self._speaker, value_words(fact.object))
        about = [(number, spoken) for number, spoken in self._speaking if is_about(spoken, topic)]
        return frozenset(number for number, spoken in about if not is_of_another(spoken, fact, self._speaker))

    def changes(self, own: Collection[KeyedClaim], facts: Iterable[Fact], class_of: ClassOf) -> Iterator[KeyedClaim]:
        """Yield what it says of the facts that are active. own: what it claims by itself."""
        said = [each.claim for each in own if each.claim.grade == "held"]
        for fact in sorted(facts, key=lambda each: (each.valid_from, each.object_key, each.id)):
            if self._may_change(fact):
                yield from islice(self._said_of(fact, said, class_of, possible=False), 1)

    def possible(self, own: Collection[KeyedClaim], facts: Iterable[Fact], class_of: ClassOf) -> Iterator[KeyedClaim]:
        """Yield all that it may come to say of these facts, whatever else the turns before it say of them."""
        said = [each.claim for each in own if each.claim.grade == "held"]
        for fact in filter(self._may_change, facts):
            yield from self._said_of(fact, said, class_of, possible=True)

    def _said_of(self, fact: Fact, said: Sequence[Claim], class_of: ClassOf, *, possible: bool) -> Iterator[KeyedClaim]:
        """Yield what it says of a fact, or all that it may come to say of it. said: what it claims by itself that is held."""
        if (end := self._end_of_station(fact)) is not None:
            yield self._keyed(fact, denied(fact), end)
            return
        if is_forbidden(fact):
            yield from self._permitted(fact)
            return
        ending, new = self._change(fact, class_of)
        if ending is not None and (left := without_part(fact.object, folding.key(ending.words))):
            yield self._keyed(fact, lessened(fact, left), ending)
        if new is not None and (possible or not self._is_told(fact, new, ending, said)):
            yield self._keyed(fact, with_value(fact, new, ending, self.utterance.text, class_of), ending or new)
        if (at := ending or new) is not None:
            yield self._denied(fact, at)
        elif (dispute := self._dispute(fact)) is not None:
            yield self._keyed(fact, in_question(fact, dispute.other, self.utterance.text, class_of), dispute.at)
        elif (doubt := self._doubted(fact, said, class_of)) is not None:
            yield self._keyed(fact, replace(with_value(fact, doubt, None, self.utterance.text, class_of), supersedes=None), doubt)

    def _is_told(self, fact: Fact, new: Mention, ending: Mention | None, said: Iterable[Claim]) -> bool:
        """Return whether one of these claims tells a new value, so that the fact with the old one only ends. Of another version none does:
        "Django is 5.1" does not say who uses it.
        """
        told = any(_tells(claim, new) and not _is_of(claim, ending) for claim in said)
        return told and new is not self._newer(fact)

    def _doubted(self, fact: Fact, said: Iterable[Claim], class_of: ClassOf) -> Mention | None:
        """Return another value than the fact's, that a claim of the turn gives the same thing with no word of a change."""
        if fact.cardinality != "single" or (value := measured_in(fact.object)) is None:
            return None
        topic = topic_of(fact, self._speaker, value.words)
        for claim in said:
            other = measured_in(claim.object)
            if other is None or claim.polarity != "+" or claim.tense != fact.tense or claim.kind == "preference":
                continue
            if likeness(topic, topic_of(claim, self._speaker, other.words)) >= _SAME_TOPIC:
                for each in self.told.mentions:
                    told = each.measured and not each.supposed and _stands_in(folding.key(claim.object), each)
                    if told and _is_another(fact, measure_of(value.words), value.words, each, class_of):
                        return each
        return None

    def successors(self, fact: Fact, class_of: ClassOf) -> Iterator[Fact]:
        """Yield the fact with the value that it would have by this turn."""
        if is_forbidden(fact):
            return
        ending, new = self._change(fact, class_of)
        if new is not None and self._end_of_station(fact) is None:
            claim = with_value(fact, new, ending, self.utterance.text, class_of)
            yield replace(fact, object=claim.object, object_key=object_key_of(fact, claim.object), replaces=claim.supersedes)
        for ending in self._ending(fact):
            if left := without_part(fact.object, folding.key(ending.words)):
                yield replace(fact, object=left, object_key=object_key_of(fact, left), replaces=fact.object)
                break

    def _may_change(self, fact: Fact) -> bool:
        """Return whether a fact was said before the turn, and is one that the turn may say something of."""
        could = could_be_wrong if self.told.corrects or self.told.accounts >= Accounts.SEVERAL else could_change
        return fact.active and could(fact) and fact.last_said < self.utterance.said_at and self.speaks_of(fact)

    def _change(self, fact: Fact, class_of: ClassOf) -> tuple[Mention | None, Mention | None]:
        """Return the mention that gives up what a fact names, and the mention that is likely in its place."""
        ending = next(self._ending(fact), None)
        return ending, self._successor(fact, ending, class_of)

    def _ending(self, fact: Fact) -> Iterator[Mention]:
        """Yield the mentions that give up what the fact names. "From Java to Java 21" gives up nothing that names Java 21."""
        for each in self._given_up:
            if may_end(each.ending, fact) and self._is_meant(fact, each) and not self._has_newer(fact, each):
                yield each

    def _is_meant(self, fact: Fact, each: Mention) -> bool:
        """Return whether a mention names what a fact tells of: its object, or the speaker's deed."""
        if each.ending.contrasted and self.told.accounts:
            return False  # somebody says so
        if (each.ending.partly or each.ending.contrasted) and not self._speaks_beside(fact, each):
            return False
        if each.ending.contrasted and is_of_another(self.told.spoken[each.sentence], fact, self._speaker):
            return is_doer(fact, each, self._speaker)  # "the admin API is REST, not GraphQL" is about that API
        ending, own = each.ending, fact.subject_key in (self._speaker, TEAM)
        done = is_order(fact) if ending.doer is Doer.AGENT else own and ending.doer is Doer.SPEAKER
        if is_named(fact, each) or (done and ending.done == deed_alone(fact)):
            return True
        if is_doer(fact, each, self._speaker):
            return self._speaks_beside(fact, each)
        return each.given_up and is_manner(fact, folding.key(each.words)) and self._speaks_beside(fact, each)

    def _speaks_beside(self, fact: Fact, each: Mention) -> bool:
        """Return whether the words around a mention speak of what a fact is about, other than the mention itself."""
        text = self.utterance.text
        near = folding.key(f"{text[max(0, each.start - _BESIDE) : each.start]} {text[each.end : each.end + _BESIDE]}")
        about = things_of(f"{fact.subject_key} {fact.predicate_key} {fact.object_key}") - things_of(folding.key(each.words))
        return not about.isdisjoint(things_of(near))

    def _has_newer(self, fact: Fact, old: Mention) -> bool:
        """Return whether a fact names what the turn takes up, and the words that give something up stand in that."""
        up = (folding.key(each.words) for each in self.told.mentions if each.taken_up and not each.given_up and each is not old)
        return any(names(words, folding.key(old.words)) and names(fact.object_key, words) for words in up)

    def _successor(self, fact: Fact, ending: Mention | None, class_of: ClassOf) -> Mention | None:
        """Return the mention that is likely in the place of the fact's value. ending: the one that gives that value up, if any does."""
        value = measured_in(fact.object)
        kind = measure_of(value.words) if value is not None else kind_of_value(fact.object_key, class_of)
        if purpose_of(fact):
            kind = "name"  # a database and a broker may serve one purpose
        if ending is None and (newer := self._newer(fact)) is not None:
            return newer
        if ending is None and value is None and not (is_valued(fact) or is_placed(fact) or purpose_of(fact)):
            return self._likely(fact)
        if ending is not None and value is not None and not _stands_in(folding.key(value.words), ending):
            value, kind = None, kind_of_value(folding.key(ending.words), class_of)  # what is given up stands beside the value
        held = value.words if value is not None else fact.object_key
        likely = [each for each in self.told.mentions if each.specific and not each.supposed and not each.given_up]
        likely = [each for each in likely if _is_another(fact, kind, held, each, class_of)]
        if ending is not None:
            if is_deed(fact, folding.key(ending.words)) or is_doer(fact, ending, self._speaker):
                return None  # the value that the fact has is another one: "on Mondays"
            near = [each for each in likely if each.sentence in (ending.sentence, ending.sentence + 1)]
            if is_order(fact):  # "stop it, I want to see the logs" puts nothing in its place
                near = [each for each in near if each.taken_up]
            return max(
                near,
                key=lambda each: (*likeness_of_kind(kind, each, class_of), each.segment != ending.segment, -abs(each.start - ending.end)),
                default=None,
            )
        named = kind == "name" and still_names(fact, self.told.mentions, self.utterance.text)
        named |= fact.slot == NAMED and not gives_name(self._text_key)
        if named or self.told.accounts >= Accounts.SEVERAL or is_bound(fact):
            return None
        valuing = {number for number in self._valuing(fact) if self.told.now[number]}
        stated = [each for each in likely if each.linked and each.sentence in valuing and not _stands_in(fact.subject_key, each)]
        stated = [each for each in stated if is_of_kind(kind, each, class_of) and is_told_of(fact, each, self.utterance.text)]
        return max(stated, key=lambda each: (*likeness_of_kind(kind, each, class_of), -each.start), default=self._likely(fact))

    def _permitted(self, fact: Fact) -> Iterator[KeyedClaim]:
        """Yield that what a fact forbids may be done. Without a cue of now a person is asked."""
        if (leave := next(self._ending(fact), None)) is not None:
            yield self._keyed(fact, permitted(fact, now=self.told.now[leave.sentence]), leave)

    def _denied(self, fact: Fact, at: Mention) -> KeyedClaim:
        return self._keyed(fact, unneeded(fact) if at.ending.waived and is_order(fact) else denied(fact), at)

    def _keyed(self, fact: Fact, claim: Claim, at: Mention) -> KeyedClaim:
        key = key_of(fact)
        statement = Statement(
            key,
            object_key_of(fact, claim.object),
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


def changes_told(turn: ReadTurn, own: Collection[KeyedClaim], ledger: Ledger, class_of: ClassOf) -> list[KeyedClaim]:
    """Return what a turn says of the active facts of a ledger. own: what it claims by itself, weighed already."""
    facts: dict[str, Fact] = {}
    for user, scope, phrase in turn.naming():
        facts |= {fact.id: fact for fact in ledger.active_naming(user, scope, phrase)}
    return list(turn.changes(own, facts.values(), class_of))


def _owners(whose: str, speaker: str) -> tuple[str, ...]:
    """Return the folded subjects whose station has ended. whose: "" is the speaker's; kin are the speaker's own: "dad has retired"."""
    if not whose:
        return speaker, TEAM, ""
    noun = whose.removeprefix("my ").removeprefix("our ")
    return whose, noun, f"{speaker}'s {noun}"


def _stands_in(text: str, mention: Mention) -> bool:
    return names(text, folding.key(mention.words))


def _is_another(fact: Fact, kind: str, held: str, mention: Mention, class_of: ClassOf) -> bool:
    """Return whether a mention is of the kind of the value that a fact has, and not this value. held: that value, folded."""
    return may_replace(kind, held, mention, class_of) and not _stands_in(fact.object_key, mention)


def _is_of(claim: Claim, ending: Mention | None) -> bool:
    """Return whether a claim is about what is given up: "Initech is called Innova" says only its new name."""
    return ending is not None and _stands_in(folding.key(claim.subject), ending)


def _tells(claim: Claim, mention: Mention) -> bool:
    """Return whether a claim tells a mention as what is so, and not only what happened: "upgraded to a Pixel 9"."""
    return not tells_event(claim.predicate) and _stands_in(folding.key(f"{claim.subject} {claim.object}"), mention)
