"""Naming: whether a phrase of a turn that something is given up by names what a fact tells (`core.facts.changes`)."""

from __future__ import annotations

from itertools import pairwise

from ethos.core.facts.containment import names, names_thing, without_part
from ethos.core.facts.values import specific_words
from ethos.core.model.records import Fact
from ethos.core.text import folding
from ethos.core.text.language.everyday import is_everyday
from ethos.core.text.language.lexicon import word_class
from ethos.core.text.language.mentioned import Mention
from ethos.core.text.language.mentions import stem
from ethos.core.text.language.pronouns import AGENT
from ethos.core.text.language.tagging import forms_of, possible_tags, verb_of
from ethos.core.text.memoize import memoized

_NEAR = 3  # words of an object before "of" in "a member of"
_ROOT = 6  # letters that a verb and its noun share: "translated", "translation"


def is_order(fact: Fact) -> bool:
    """Return whether a fact is what an agent is told to do."""
    return fact.subject_key == AGENT or (fact.kind == "decision" and fact.predicate_key.startswith("should"))


def is_forbidden(fact: Fact) -> bool:
    """Return whether a fact is what an agent or a team is told not to do, or not to use."""
    return fact.polarity == "-" and (is_order(fact) or (fact.kind == "decision" and fact.predicate_key == "use"))


def things_of(words: str) -> frozenset[str]:
    """Return the stems of the nouns among folded words."""
    return frozenset(map(stem, things_said(words)))


def things_said(words: str) -> list[str]:
    """Return the nouns among folded words that say something."""
    return [word for word in folding.tokens(words) if "N" in possible_tags(word) and word not in word_class("vague")]


def is_named(fact: Fact, mention: Mention) -> bool:
    """Return whether a mention has the words that name what the fact's object is; of a name with a number, the name will do.

    What an order speaks of is named by its nouns: "stop making packing lists" is about "make me a packing list".
    """
    passed_over = word_class("vague") | word_class("closable") | set(folding.tokens(fact.object_key))
    if mention.head and mention.head not in passed_over and not _is_noun_of(fact, mention.head):
        return False  # "the Redis keys" are not Redis
    if is_order(fact) or is_forbidden(fact):
        if (mention.ending.waived or mention.ending.permitted) and _is_done_otherwise(fact, mention.ending.done):
            return False
        if (mention.ending.waived or rule_named(folding.key(mention.words))) and _is_asked_for(fact, folding.key(mention.words)):
            return True
        things = things_of(folding.key(mention.words))
        return bool(things) and things <= things_of(fact.object_key) and _head_of(fact.object_key) in things
    words, specific = _thing_closed(folding.key(mention.words), fact), specific_words(fact.object)
    if mention.owner and mention.owner not in folding.tokens(f"{fact.subject_key} {fact.object_key}"):
        return False  # it is somebody else's: "my neighbour's dog died"
    if mention.ending.perished and _is_subject(fact, words):
        return True
    if is_deed(fact, words) or (mention.phrase != mention.words and is_deed(fact, mention.phrase)) or _is_described(fact, words):
        return True
    if not names_thing(fact.object_key, words):
        return False
    if without_part(fact.object, words):
        return True
    if specific.isdisjoint(folding.tokens(words)):
        return False
    named = [word for word in folding.tokens(fact.object_key) if word in specific and word.removesuffix("s") not in word_class("calendar")]
    whole = [word for word in named if not word[0].isdigit()] or named
    return whole[-1:] != [] and whole[-1] in folding.tokens(words)


def _is_done_otherwise(fact: Fact, done: str) -> bool:
    """Return whether a verb, "" where none is told, is another one than an order has: who need not run the tests has to add them still."""
    asked = {verb_of(word) for word in folding.tokens(f"{fact.predicate_key} {fact.object_key}")}
    return done != "" and done not in asked and done not in word_class("light")


def rule_named(words: str) -> tuple[str, ...]:
    """Return what a rule is about that folded words name: "vegetarian" of "vegetarian rule"; () where they name none."""
    *about, last = folding.tokens(words) or ("",)
    return tuple(about) if last in word_class("order-noun") else ()


def _is_asked_for(fact: Fact, words: str) -> bool:
    """Return whether folded words name what an order asks for, the word for an order passed over: "the metric system rule"."""
    told = [word for word in folding.tokens(words) if set("NA") & set(possible_tags(word)) or not is_everyday(word)]
    things = {stem(word) for word in told if word not in word_class("vague") | word_class("order-noun")}
    return bool(things) and things <= {stem(word) for word in folding.tokens(f"{fact.predicate_key} {fact.object_key}")}


def _thing_closed(words: str, fact: Fact) -> str:
    """Return folded words without the account, membership or the like that is closed, where a fact does not tell of that."""
    thing, _, last = words.rpartition(" ")
    return thing if thing and last in word_class("closable") and last not in folding.tokens(fact.object_key) else words


def _is_noun_of(fact: Fact, noun: str) -> bool:
    """Return whether a noun tells what the verb of a fact does: "the Greek translation" is Greek, where something is translated into it."""
    return len(noun) > _ROOT and any(word[:_ROOT] == noun[:_ROOT] for word in folding.tokens(fact.predicate_key))


def _head_of(obj: str) -> str:
    """Return the stem of the noun that the first phrase of a folded object is about: "id" of "a task id for the session"."""
    head = ""
    for word in folding.tokens(obj):
        if "N" in possible_tags(word):
            head = word
        elif head:
            break
    return stem(head)


def _is_subject(fact: Fact, words: str) -> bool:
    """Return whether these words, folded, name what a fact is about: "biscuit" of "our old tomcat Biscuit"."""
    named, subject = folding.tokens(words), folding.tokens(fact.subject_key)
    if not named or subject[-len(named) :] != named:
        return False
    return subject == named or fact.subject.rpartition(" ")[2][:1].isupper() or not all(map(is_everyday, named))


def deed_of(fact: Fact) -> tuple[str, ...]:
    """Return the folded words for the thing that a fact tells a deed of: "squash" of "plays squash on Mondays", and for what somebody is
    in or on: "school board" of "is on the school board"; () where there is none.
    """
    things = folding.tokens(folding.key(fact.object))
    first = 0
    verb, _, relation = fact.predicate_key.partition(" ")
    if verb == "be" and not relation:
        first = next((at for at, word in enumerate(things[:_NEAR]) if word in word_class("relation")), -1) + 1
        if first == 0 or any(word not in word_class("part-of-a-group") for word in things[: first - 1]):
            return ()
    while first < len(things) and (
        things[first] in word_class("determiner") or things[first].isdigit() or possible_tags(things[first]) == "#"
    ):
        first += 1
    while things[first + 1 : first + 2] == ("of",) and things[first] in word_class("portion"):
        first += 2  # "two cups of coffee"
    last = next((at for at in range(first, len(things)) if _ends_deed(things, at)), len(things))
    deed = things[first:last]
    if not deed or {"N", "V"}.isdisjoint(possible_tags(deed[-1])):  # "squash" may be either
        return ()
    return deed if last < len(things) or specific_words(fact.object).isdisjoint(deed) else ()  # else they are its value


def _ends_deed(things: tuple[str, ...], at: int) -> bool:
    """Return whether a word opens what is told beside a thing: where, with whom, or how often."""
    word, behind = things[at], things[at + 1 : at + 2]
    often = word in ("every", "each") or (word in ("a", "an", "per") and bool(behind) and behind[0] in word_class("duration"))
    return word == "and" or often or word in word_class("relation")


def is_deed(fact: Fact, words: str) -> bool:
    """Return whether these words, folded, are the thing that a fact tells a deed of, of one or of many: "newsletters"."""
    named, deed = folding.tokens(words), deed_of(fact)
    return bool(named) and named[:-1] == deed[:-1] and (named == deed or stem(named[-1]) == stem(deed[-1] if deed else ""))


def is_doer(fact: Fact, mention: Mention, speaker: str) -> bool:
    """Return whether a mention that is given up names who does what a fact tells: somebody else does it "instead of Oskar".

    speaker: folded.
    """
    if not (mention.given_up and fact.subject[:1].isupper()):
        return False
    words, subject = folding.tokens(folding.key(mention.words)), folding.tokens(folding.key(fact.subject))
    return subject[:1] != (speaker,) and words in (subject, subject[:1], subject[-1:])


def deed_alone(fact: Fact) -> str:
    """Return the verb, in its base form, by which alone a fact is named: "I quit smoking" ends "smokes a pipe", and "no need to ask" the
    order "ask before you push"; "" where there is none. Taste and possession are no deeds.
    """
    verb, _, relation = fact.predicate_key.removeprefix("should ").partition(" ")
    if is_order(fact):
        first = relation or fact.object_key.partition(" ")[0]
        return verb if not set("IST").isdisjoint(possible_tags(first)[:1]) else ""  # it asks for no thing
    first = fact.object_key.partition(" ")[0]
    if verb in ("go", "do") and not relation and first.endswith("ing"):
        return verb_of(first)  # "goes swimming on Mondays"
    told = fact.kind == "fact" or (fact.kind == "decision" and fact.predicate_key != "use")
    return verb if told and verb not in word_class("light") | word_class("liking") | word_class("disliking") | {"use"} else ""


@memoized(1_024)
def doing(verb: str) -> frozenset[str]:
    """Return the forms of a verb in its base form by which a deed that ends is named: "smoke", "smoking"; none of ""."""
    return frozenset({verb, *(form for form in forms_of(verb) if form.endswith("ing"))} if verb else ())


def manners(fact: Fact) -> frozenset[str]:
    """Return the last words of where, with what or how a fact tells that something is done: "market" of "vegetables at the market"."""
    if is_order(fact):
        return frozenset()
    words = folding.tokens(fact.object_key)
    opens = [at for at, word in enumerate(words) if _relates(word)]
    if _relates(fact.predicate_key.rpartition(" ")[2]):
        opens.insert(0, -1)
    return frozenset(words[end - 1] for at, end in pairwise([*opens, len(words)]) if end - 1 > at)


def _relates(word: str) -> bool:
    return possible_tags(word)[:1] == "I" or word in word_class("relation")


def is_manner(fact: Fact, words: str) -> bool:
    """Return whether folded words tell where, with what or how a fact tells that something is done."""
    return words.rpartition(" ")[2] in manners(fact) and names(fact.object_key, words)


def _is_described(fact: Fact, words: str) -> bool:
    """Return whether these words, folded, describe what a fact says that somebody has: "the deploy bot" of "a bot that deploys"."""
    *apart, noun = folding.tokens(words) or ("",)
    if not apart or fact.predicate_key != "have":
        return False
    things = [word for word in folding.tokens(fact.object_key) if word not in word_class("determiner")]
    said = {stem(word) for word in things} | {verb_of(word) for word in things}
    return _head_of(fact.object_key) == stem(noun) and {stem(word) for word in apart} <= said
