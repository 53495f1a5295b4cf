"""Phrasing: facts as sentences, as they are shown (E-41)."""

from __future__ import annotations

import re
from datetime import datetime

from ethos.core.model.records import Fact, Polarity
from ethos.core.text import folding
from ethos.core.text.language.dates import DATE, MONTHS, WEEKDAYS
from ethos.core.text.language.everyday import is_everyday
from ethos.core.text.language.inflection import base_form, has_plural_ending, predicate_key, third_person_form
from ethos.core.text.language.lexicon import pattern_of, phrases_of, word_class
from ethos.core.text.language.pronouns import AGENT, CHANGING, TEAM, fronted, third_person
from ethos.core.text.language.relative_times import dated, undated
from ethos.core.text.language.tagging import forms_of, in_lexicon, may_be_base_form, possible_tags, tag, verb_of
from ethos.core.text.language.tastes import taste_of
from ethos.core.text.memoize import cached_by_word

NOBODY = "context"  # the subject of what is said of nobody in particular
_STANDING_IN = frozenset({NOBODY, TEAM, AGENT, "project"})  # one may be the subject in a fact's key and another in its sentence
_WORD = re.compile(r"[^\W_]+")
_OF_ONE = {"were": "was", "am": "is", "do": "does"}
_OF_GROUP = _OF_ONE | {"are": "is", "have": "has"}
_OF_SEVERAL = {"was": "were", "is": "are", "am": "are", "has": "have", "does": "do"}


def phrase(subject: str, predicate: str, obj: str, polarity: Polarity, speaker: str = "", purpose: str = "") -> str:
    """Return a fact as a sentence: "Michael prefers Python", "team does not use Redis", "Maren's favorite editor is Vim" (E-41).

    With the `speaker` who said it, the sentence is in the third person: "Maren lost their job". purpose: of a thing that is used, with its
    preposition or without: "uses Redis for caching".
    """
    if purpose and predicate_key(predicate).removeprefix("should ") in word_class("serving"):
        first, blank, rest = purpose.partition(" ")
        obj = f"{obj} {first.lower()}{blank}{rest}" if first.lower() in word_class("before-purpose") else f"{obj} for {purpose}"
    predicate, obj = with_occasion_last(predicate, obj)
    base, first = predicate_key(predicate), predicate.partition(" ")[0]
    likes = subject == TEAM and speaker != "" and taste_of(base, folding.key(obj)) is not None
    subject = speaker if likes else subject  # who says what "we" love loves it
    if folding.key(subject) == NOBODY:  # what stands for nobody in particular says itself
        return obj if polarity == "+" else f"not so: {obj}"
    if speaker:
        predicate = f"{predicate.removesuffix(' my')} {speaker}'s" if predicate.endswith(" my") and subject != speaker else predicate
        told = third_person(predicate, subject, speaker)
        named = told != predicate and subject not in _STANDING_IN and subject.partition("'s ")[0] != speaker
        obj, predicate = third_person(obj, speaker if named else subject, speaker), told  # "gave Ada the push to leave their job"
        if subject != speaker:
            subject = third_person(subject, speaker if named else "", speaker)
    if (base in ("want", "enjoy") or base.rpartition(" ")[2] in word_class("aim")) and tag(folding.key(obj)).tags[:1] == "V":
        obj, predicate = f"to {obj}", "likes" if base == "enjoy" else predicate
    if base in phrases_of("best-liked") and not predicate.endswith("s"):  # of what sort is not said
        predicate, obj, base = "like", f"{fronted(obj)} best", "like"
    elif base.startswith(("favorite ", "top ", "way ")) or (_is_attribute(base, first) and not _rides(base, obj)):
        predicate = predicate.removeprefix("has the ")
        copula = _copula(_APART.sub("", predicate), base)
        return f"{subject}'s {predicate} {copula}{'' if polarity == '+' else ' not'} {_headed(obj, _APART.sub('', base))}"
    first, _, rest = predicate.partition(" ")
    if first == "should":
        rest = _asked(rest.split())
    if polarity == "-" and not _against(base, obj):
        return _denial(subject, f"{first} {rest}".strip(), obj)
    if base == "plan":
        return f"{subject} plans to {obj}"
    if first == "only" or first in word_class("how-often"):
        return f"{subject} {first} {_told(f'{rest} {obj}'.strip(), subject)}"
    on = _preposition(obj) if base == "be" else ""
    return f"{subject} {_told(f'{first} {rest}'.strip(), subject)} {on}{_headed(obj, base)}"


def with_occasion_last(predicate: str, obj: str) -> tuple[str, str]:
    """Return the predicate and the object of an order with its occasion behind the object: "should not use | grep when working with JSON"
    for "should, when working with JSON, not use | grep"; as they are where there is none.
    """
    if not predicate.startswith("should, "):
        return predicate, obj
    occasion, _, verb = predicate.removeprefix("should, ").rpartition(", ")
    return f"should {verb}", f"{obj} {occasion}"


def sure_words(key: str) -> list[str]:
    """Return the words of a folded subject or object that stand in the sentence of its fact too: all but those that change with the person.

    For an index that reads letters and digits as words.
    """
    return [word for word in _WORD.findall(key) if word not in CHANGING and word not in _STANDING_IN]


def _denial(subject: str, predicate: str, obj: str) -> str:
    """Return the sentence that denies a fact."""
    verb, blank, behind = obj.partition(" ")
    if predicate == "does" and base_form(verb.lower()) in word_class("plain"):  # "I don't smoke": what is denied is a verb
        return f"{subject} {_does(subject)} not {base_form(verb.lower())}{blank}{behind}"
    first, _, rest = predicate.partition(" ")
    return f"{subject} {_denied(first, rest, _does(subject))} {fronted(obj)}"


def _does(subject: str) -> str:
    return "do" if _is_several(subject) else "does"


def _against(base: str, obj: str) -> bool:
    """Return whether a predicate is negative by itself: its claims are, and are not denied once more when told. base: its base form."""
    told = taste_of(base, folding.key(obj))
    return (told is not None and told.polarity == "-") or base.partition(" ")[0] in word_class("refusing")


def _preposition(obj: str) -> str:
    """Return the preposition that a day or a month needs behind "is", with a blank; "" for anything else."""
    first = folding.key(obj).partition(" ")[0]
    if first.removesuffix("s") in WEEKDAYS:
        return "on "
    return "in " if first in MONTHS and obj.istitle() and not re.fullmatch(DATE, folding.key(obj)) else ""


def _is_attribute(base: str, first: str) -> bool:
    """Return whether a predicate is a noun of what one has: it ends with one that is known for it, but for what tells it apart ("escape
    from life", "stress relief"), or it begins with a word that is no verb ("client").
    """
    if first in word_class("modal") or first.startswith("cannot"):
        return False
    if first.lower() in word_class("plain"):
        return False
    if first.lower() == "new" or (_is_no_verb(first.lower()) and not {"I", "T"} & {possible_tags(word)[:1] for word in base.split()}):
        return True
    return not word_class("attribute").isdisjoint((base.rpartition(" ")[2], _APART.sub("", base).rpartition(" ")[2]))


@cached_by_word
def _is_no_verb(word: str) -> bool:
    """Return whether a word is surely a noun or an adjective, and no form of a verb."""
    return possible_tags(word) in ("N", "AN", "NA") and forms_of(word) == {word} and _is_noun(word) and not _is_bare(base_form(word))


def _is_noun(word: str) -> bool:
    """Return whether a word is known, and not only taken for a noun because no list has it ("liebt")."""
    return any(in_lexicon(each) or is_everyday(each) for each in (word, base_form(word)))


_APART = re.compile(r"(?<=\w) (?:from|for) .*")


def _rides(base: str, obj: str) -> bool:
    """Return whether the word is a verb here, though it could be a noun: "I bike to work"."""
    return base == "bike" and not obj.startswith(("a ", "an "))


def _copula(predicate: str, base: str) -> str:
    """Return the copula between a possession and its value: one of several favorites is not all of them."""
    if base == "favorite" and predicate.endswith("s"):
        return "include"
    several = has_plural_ending(predicate) and not base.startswith("favorite ")
    return "are" if several else "is"


def _headed(obj: str, base: str) -> str:
    """Return the object, which began the sentence with such predicates ("Baking is my passion")."""
    fronting = word_class("fronted")
    return fronted(obj) if base.rpartition(" ")[2] in fronting or base.partition(" ")[0] in fronting else obj


def _asked(words: list[str]) -> str:
    """Return the instruction with its verb in the base form and in lower case, which a command at the start of a sentence is not."""
    at = next((i for i, word in enumerate(words) if word not in word_class("how-often")), 0)
    words[at : at + 1] = [base_form(word.lower() if word.istitle() else word) for word in words[at : at + 1]]
    return " ".join(words)


def retold(fact: Fact, obj: str, said: datetime) -> str:
    """Return the sentence of a fact with another object: "Ada hates Rust" -> "Ada hates Rust macros". Its other words stay.

    said: when the object was said.
    """
    speaker, sentence = fact.subject.partition("'s ")[0], undated(fact.statement)
    for held, told in ((third_person(fact.object, fact.subject, speaker), third_person(obj, fact.subject, speaker)), (fact.object, obj)):
        if found := re.search(rf"(?<!\w){re.escape(held)}(?P<purpose> for .+)?\Z", sentence):
            return dated(sentence[: found.start()] + told + (found["purpose"] or ""), said)
    return dated(phrase(fact.subject, fact.predicate, obj, fact.polarity, speaker), said)


def _told(predicate: str, subject: str) -> str:
    """Return the predicate with its verb in the third person singular; of a plural subject ("Maren's kids") it stays as it is."""
    verb, _, rest = predicate.partition(" ")
    several = _is_several(subject)
    if verb.istitle() or verb.isupper():  # at the head of a sentence, or stressed
        verb = verb.lower()
    if verb.endswith("ing") and (base := base_form(verb)) in word_class("plain"):  # "I'm loving it here"
        verb = base
    if several or not _is_plural(subject):
        verb = (_OF_SEVERAL if several else _OF_GROUP if subject == TEAM else _OF_ONE).get(verb, verb)
    if not several and _is_bare(verb):
        verb = third_person_form(verb)
    return f"{verb} {rest}".strip()


def _is_bare(verb: str) -> bool:
    """Return whether a word is a verb in its base form, and no noun."""
    return verb in word_class("plain") or verb in word_class("also-told") or may_be_base_form(verb)


def _is_several(subject: str) -> bool:
    """Return whether a subject is surely plural: of several words, or a word that is the plural of one ("logs", and no name)."""
    if " and " in subject:
        return True
    if " " in subject or subject.islower():
        return _is_plural(subject)
    one = base_form(subject.lower())
    return one != subject.lower() and _is_plural(subject.lower()) and (in_lexicon(one) or is_everyday(one))


_OF_NOUN = re.compile(rf"(?<=\w) (?:{pattern_of('apart-behind')}|between) .*")  # what tells a noun apart behind it


def _is_plural(subject: str) -> bool:
    """Return whether the subject looks plural ("Maren's kids", "logs"), and not like a name ("Maren's cat Doris") or "the status"."""
    last = _OF_NOUN.sub("", subject).rpartition(" ")[2]
    return last.islower() and has_plural_ending(last)


def _denied(first: str, rest: str, does: str) -> str:
    """Return the negated predicate: "cannot eat", "should not push to", "has not been to", "decided not to", "does not like".

    does: the helper that agrees with the subject.
    """
    if first in word_class("modal") or (first == "has" and rest) or f"{first} {rest}" in phrases_of("deciding-to"):
        return f"{first}not {rest}".strip() if first == "can" else f"{first} not {rest}".strip()
    return f"{does} not {verb_of(first) if first.endswith('ing') else base_form(first)} {rest}".strip()
