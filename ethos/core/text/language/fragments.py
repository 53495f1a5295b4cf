"""Fragments: what stands between commas without a verb, and says something of the thing that the sentence is about.

"I own a bistro, 34 seats, in Leith, called the Anchor" says three things of the bistro, and "release is 9 May, price 12 €" one of the
price. A sentence of fragments alone tells of things of its own: "60 PCs on Debian 12, tickets in Redmine".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ethos.core.text.language.clause import STATED, After, Clause, Form, Who
from ethos.core.text.language.dates import CALENDAR
from ethos.core.text.language.everyday import is_everyday
from ethos.core.text.language.lexicon import word_class
from ethos.core.text.language.subjects import who_is
from ethos.core.text.language.tagging import Tagged

_NP = r"[Dm]?[A#NKg']*[NK]"
_SEGMENT = re.compile(r"[^,;]+")
_VERBAL = re.compile(r"[VzBHYObTiwyhtpPE]")  # of a clause, or of what only points
_COUNT = re.compile(rf"R?(?P<what>#[A#NK]*N(?:I{_NP})?)R?\Z")
_PLACED = re.compile(rf"(?P<what>I{_NP}#?)\Z")
_NAMED = re.compile(rf"(?P<head>[dn])(?P<what>{_NP}'?)\Z")
_VALUED = re.compile(r"[CR]?(?P<thing>[Dm]?[AN']*N)(?P<what>R?#[A#N]*|N)\Z")
_PAIR = re.compile(rf"[CR]?(?P<thing>{_NP})(?P<what>I{_NP}#?(?:C{_NP})?)R?\Z")
_OBJECT = re.compile(rf"[RX]*(?P<what>{_NP})")
_PERSONS = Who.I | Who.WE | Who.UNSAID
_THINGS = Who.THING | Who.MINE
_PLAINLY = Form.PRESENT | Form.PLAIN


def fragments(sentence: Tagged, found: Sequence[Clause]) -> Iterator[Clause]:
    """Yield the fragments of a sentence as clauses. found: those with a verb, from left to right."""
    words, tags = sentence.words, sentence.tags
    if "," not in tags:
        return
    parts = [part for part in _SEGMENT.finditer(tags) if not _VERBAL.search(part[0])]
    heads = [clause.head for clause in found]
    for part in parts:
        low, high = part.span()
        if any(low <= head < high for head in heads):
            continue
        main = next((clause for clause in reversed(found) if clause.head < low), None)
        if main is None:
            if not found and len(parts) > 1 and (own := _of_itself(words, tags, low, high)) is not None:
                yield own
            continue
        if main.question or main.relative or main.opener or main.form & _PLAINLY != _PLAINLY or main.form & Form.NEGATED:
            continue
        about = _about(main, tags)
        if (
            about is not None
            and words[about[1] - 1] not in word_class("vague")
            and (told := _of_thing(words, tags, low, high, about)) is not None
        ):
            yield told
        elif (own := _of_itself(words, tags, low, high)) is not None:
            yield own


def _about(main: Clause, tags: str) -> tuple[int, int] | None:
    """Return the thing that fragments behind a clause are about: its subject, or what a person has or does; None if there is none."""
    if main.who & _THINGS:
        return main.subject if main.verb in word_class("stative") or tags[main.head] in "BbH" else None
    found = _OBJECT.match(tags, main.object[0]) if main.who & _PERSONS else None
    return found.span("what") if found is not None else None


def _of_thing(words: Sequence[str], tags: str, low: int, high: int, about: tuple[int, int]) -> Clause | None:
    """Return what a fragment says of a thing: how many it has, where it is, what it is called; None if it is no such fragment."""
    who = who_is(words, tags, *about)
    if (found := _COUNT.match(tags, low, high)) is not None:
        what = found.span("what")
        if _lasts(words, what):
            return None
        return Clause(who, STATED, "have", about, what[0], what[0], what[0], what, after=After.NOUN)
    if (found := _PLACED.match(tags, low, high)) is not None and words[low] in word_class("placing"):
        return Clause(who, STATED, "be", about, low, low, low, found.span("what"), after=After.PREPOSITION)
    found = _NAMED.match(tags, low, high)
    if found is not None and words[found.start("head")] in word_class("naming-participle"):
        at = found.start("head")
        return Clause(who, STATED | Form.PASSIVE, "call", about, at, at, at, found.span("what"), after=After.NOUN)
    return None


def _of_itself(words: Sequence[str], tags: str, low: int, high: int) -> Clause | None:
    """Return what a fragment says of a thing of its own: "price 12 €", "tickets in Redmine"; None if it says nothing."""
    if (found := _VALUED.match(tags, low, high)) is not None:
        thing, what = found.span("thing"), found.span("what")
        noun = words[thing[1] - 1]
        dated = words[what[0]] in CALENDAR or tags[what[0]] in "R#"
        if not dated or not is_everyday(noun) or noun in word_class("numbered"):
            return None
        return Clause(who_is(words, tags, *thing), STATED, "be", thing, low, low, low, what, after=After.NOUN)
    found = _PAIR.match(tags, low, high)
    if found is None or words[found.start("what")] not in word_class("placing"):
        return None
    thing, what = found.span("thing"), found.span("what")
    known = tags[thing[0]] in "Dm#" or is_everyday(words[thing[1] - 1])
    if not known or _lasts(words, thing) or _lasts(words, what):
        return None
    return Clause(who_is(words, tags, *thing), STATED, "be", thing, low, low, low, what, after=After.PREPOSITION)


def _lasts(words: Sequence[str], phrase: tuple[int, int]) -> bool:
    """Return whether a phrase tells how long something lasts: "eleven weeks now", "in 38 days"."""
    return not word_class("duration").isdisjoint(words[slice(*phrase)])
