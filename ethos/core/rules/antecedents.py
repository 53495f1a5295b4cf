"""Antecedents: tell a requirement of "it" of the thing that the text names right before it.

"Add an export page. It should support filters" is about the export page, and not about the project. The thing is what an order has
made or changed, or what a sentence or a question is about, three sentences back at most. After Hobbs (Resolving pronoun references, 1978),
without his trees: the nearest noun phrase that agrees in number, and an order's object first.
"""

from __future__ import annotations

import re
from dataclasses import replace

from ethos.core.model.records import Claim
from ethos.core.text.language.clause import After, Clause, Who
from ethos.core.text.language.clauses import parsed, reach
from ethos.core.text.language.inflection import has_plural_ending
from ethos.core.text.language.lexicon import word_class
from ethos.core.text.language.tagging import Tagged, tag
from ethos.core.text.sentences import all_sentences, fold

_FAR, _SENTENCES = 300, 3  # characters and sentences before a claim in which its thing is named
_PRONOUNS = {"it": False, "this": False, "they": True}  # whether each stands for several
_VERBAL = "OBHYVzR"  # tags of what stands behind a pronoun that is a subject: "it should", "it always"
_MARK = re.compile(r"`|(?<= )--?(?=\w)|(?<=`)--?(?=\w)")  # what stands around names in code
_PHRASE = re.compile(r"[Dm#][A#NKgnd;]*[NK]")
_INDEFINITE = re.compile(r"\A(?:an?|another|one) ")
_ABOUT = Who.THING | Who.MINE


def told_of_thing(claim: Claim, text: str) -> Claim:
    """Return a claim of "project" with the thing its pronoun stands for as its subject; any other claim as it is."""
    if claim.subject != "project":
        return claim
    tagged = tag(fold(text[claim.start : claim.end]))
    for at, (word, behind) in enumerate(zip(tagged.words, tagged.tags[1:], strict=False)):
        if word in _PRONOUNS and behind in _VERBAL:
            thing = _antecedent(text[: claim.start + tagged.spans()[at][0]], several=_PRONOUNS[word])
            return replace(claim, subject=thing) if thing else claim
    return claim


def _antecedent(before: str, *, several: bool) -> str:
    """Return the thing that a pronoun behind a text stands for, in the words of the text, with "the" for "a"; "" if none is near.

    several: the pronoun is "they".
    """
    paragraph = before.rpartition("\n\n")[2][-_FAR:]
    low = _MARK.sub(lambda mark: " " * len(mark[0]), fold(paragraph))
    for place in reversed([*all_sentences(low)][-_SENTENCES:]):
        tagged, found = parsed(low[place.start : place.end])
        for number in range(len(found)):
            reach(found, number, tagged.tags)
        asked = (1, len(tagged.words)) if tagged.tags[:1] == "B" else None  # "is the limit required?"
        for span in filter(None, (*map(_span_of, reversed(found)), asked)):
            at = _thing_in(span, tagged)
            if at is not None and has_plural_ending(tagged.words[at[1] - 1]) == several:
                return _written(paragraph[place.start : place.end], tagged, at)
    return ""


def _span_of(clause: Clause) -> tuple[int, int] | None:
    """Return where a clause names what it is about, or what its order has made; None if it has no thing of its own."""
    if clause.who & Who.ORDER and clause.after & After.NOUN:
        return clause.object
    return clause.subject if clause.who & _ABOUT else None


def _thing_in(span: tuple[int, int], tagged: Tagged) -> tuple[int, int] | None:
    """Return where a noun phrase begins and ends that stands first in a span, and is no name; None if there is none."""
    found = _PHRASE.match(tagged.tags, *span)
    if found is None or tagged.tags[found.end() - 1] == "K" or tagged.words[found.end() - 1] in word_class("vague"):
        return None
    return found.span()


def _written(sentence: str, tagged: Tagged, at: tuple[int, int]) -> str:
    """Return the words of a phrase as they were written."""
    spans = tagged.spans()
    words = " ".join(sentence[spans[at[0]][0] : spans[at[1] - 1][1]].split())
    return _INDEFINITE.sub("the ", f"{words[:1].lower()}{words[1:]}")
