"""Appositions and self-descriptions: what somebody is said to be without a verb.

"Ranger, our collie, hates fireworks" says that the collie is Ranger, and "nurse in Leeds here" that the speaker is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ethos.core.text.language.clause import STATED, After, Clause, Who
from ethos.core.text.language.lexicon import word_class
from ethos.core.text.language.subjects import who_is
from ethos.core.text.language.tagging import Tagged, verb_of

_OWNED = r"(?:m[A#NK']*[NK](?:I[Dmu]?[A#N]*N)?|D[A#N]*N(?:IP)?)"  # "my best mate from uni", "the client"
_NAME = r"[NK]{1,3}(?:CN{1,2})?"
_NAMED = re.compile(rf"(?:\A|(?<=[;CSU]))(?P<first>{_OWNED}|{_NAME}),(?P<second>{_OWNED}|{_NAME}),(?=R?[BHYOVzdN])")
_DESCRIBED = re.compile(r"[UC,]*R?(?P<what>D?[A#NdnK']*[ANdn](?:[IT][Dmu]?[A#NKg']+){0,3})R?(?=[,;USC]|\Z)")
_TRADE = re.compile(r"I(?P<what>D[A#NK]*N),?(?=[iw])")  # "as a translator I charge by the word"
_PAIR = r"[A#NK]*[NK]I[A#NKgV]*[NKgVA]"
_LISTED = re.compile(rf"[UC,]*(?P<list>{_PAIR}(?:[,;]C?{_PAIR})+)\Z")
_PART = re.compile(r"[A#NK]*[NK](?P<link>I)[A#NKgV]*[NKgVA]")


_INTRODUCED = re.compile(r"[HVzd](?P<article>[D#])(?P<thing>[A#N]*N),(?P<name>N{1,2})(?=[,;]|\Z)")
_KEEPING = frozenset({"have", "get", "adopt", "own", "keep"})


def appositions(sentence: Tagged, found: Sequence[Clause]) -> Iterator[Clause]:
    """Yield what a name between two commas says of the noun before it, or the noun of the name, as a clause with "be"."""
    words, tags = sentence.words, sentence.tags
    if tags.count(",") > 1:
        for match in _NAMED.finditer(tags):
            owned = [side for side in ("first", "second") if _is_owned(words, tags, match.start(side))]
            if len(owned) == 1 and any(clause.start == match.end() or clause.group == match.end() for clause in found):
                name = match.span("second" if owned[0] == "first" else "first")
                yield _be(who_is(words, tags, *match.span(owned[0])), match.span(owned[0]), name)
    for match in _INTRODUCED.finditer(tags):  # "we have a dog, Pretzel"
        article, name = match.start("article"), match.span("name")
        own = words[match.end("thing") - 1] in word_class("kin") | word_class("named-by-owner")  # else somebody is spoken to by name
        if own and verb_of(words[match.start()]) in _KEEPING and words[article] in ("a", "an", "another", "one"):
            told = _be(who_is(words, tags, article, match.end("thing")), (article + 1, match.end("thing")), name)
            told.start = name[0]  # what one has ends at the comma
            yield told
    if words[:1] == ["as"] and (trade := _TRADE.match(tags)) is not None and _is_trade(words[2 : trade.end("what")]):
        yield _be(Who.I, (1, 1), trade.span("what"))


def _listed(sentence: Tagged) -> list[Clause]:
    """Return what a sentence without a verb lists of its speaker's ways: "Linear for tickets, mail in Mutt"."""
    found: list[Clause] = []
    match = _LISTED.match(sentence.tags)
    if match is None:
        return found
    for part in _PART.finditer(sentence.tags, match.start("list"), match.end("list")):
        word, (low, high) = sentence.words[part.start("link")], part.span()
        if word in ("for", "as"):
            found.append(Clause(Who.WE, STATED, "use", (low, low), low, low, low, (low, high), after=After.NOUN))
        elif word in ("in", "on", "at"):
            at = part.start("link")
            found.append(Clause(Who.THING, STATED, "be", (low, at), low, at, at - 1, (at, high), after=After.PREPOSITION))
        else:
            return []
    return found


def _is_owned(words: Sequence[str], tags: str, place: int) -> bool:
    return tags[place] == "m" or words[place] == "the"


def described(sentence: Tagged) -> list[Clause]:
    """Return what a sentence without a verb says of its speaker: "nurse in Leeds here", "Linear for tickets, Slack for chat"."""
    words, tags = sentence.words, sentence.tags
    match = _DESCRIBED.match(tags)
    if match is None:
        return _listed(sentence)
    low, high = match.span("what")
    first = low + (tags[low] == "D")
    if _is_trade(words[first:high]) or words[first] in word_class("said-of-oneself"):
        return [_be(Who.I, (low, low), (low, high))]
    return _listed(sentence)


def _is_trade(words: Sequence[str]) -> bool:
    """Return whether the first phrase of these words is a trade that no thing is called by, as "printer" is."""
    end = next((at for at, word in enumerate(words) if word in word_class("relation")), len(words))
    return end > 0 and words[end - 1] in word_class("trade")


def _be(who: int, subject: tuple[int, int], thing: tuple[int, int]) -> Clause:
    at = thing[0]
    return Clause(who, STATED, "be", subject, min(at, subject[0]), at, at, thing, after=After.NOUN)
