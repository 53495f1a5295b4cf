"""Verbless clauses: what a sentence adds without a verb, behind a comma or alone: "written in Rust", "no co-author line".

A participle goes on with what the clause before is about ("sieve is a log filter, written in Rust"). "No" with a noun denies that thing to
it ("they are on shared hosting, so no SSH"), and alone, or behind an order, it is an order itself ("no malloc anywhere").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ethos.core.text.language.clause import After, Clause, Form, Who
from ethos.core.text.language.lexicon import word_class
from ethos.core.text.language.tagging import Tagged

_NOUN = r"[A#NKg']*[NK]"
_DONE = re.compile(rf",(?P<head>[dn])(?=I[Dm]?{_NOUN})")
_NONE = re.compile(rf"(?:\A|(?<=[,;CSU]))[DU](?P<thing>{_NOUN}(?:I[Dm]?{_NOUN}(?:C{_NOUN})?)?)R?(?=[,;CS]|\Z)")
_OWNERS = Who.THING | Who.MINE | Who.KIN | Who.IT | Who.THEY


def verbless(sentence: Tagged, found: Sequence[Clause]) -> Iterator[Clause]:
    """Yield the verbless clauses of a sentence. found: those with a verb, from left to right."""
    words, tags = sentence.words, sentence.tags
    if "," in tags:
        for done in _DONE.finditer(tags):
            main = _before(found, done.start())
            if any(clause.head == done.start("head") for clause in found):
                continue
            if main is not None and main.who & _OWNERS and main.form & Form.PRESENT and not main.form & Form.NEGATED:
                at = done.start("head")
                yield _clause(main.who, Form.PRESENT | Form.PASSIVE, words[at], main.subject, at, (at + 1, at + 1))
    if "no" not in words:
        return
    for none in _NONE.finditer(tags):
        low, high = none.span("thing")
        first = none.start()
        if words[first] != "no" or not word_class("no-of-courtesy").isdisjoint(words[low:high]):
            continue
        if any(clause.start <= first < clause.object[1] for clause in found if clause.object[0] < clause.object[1]):
            continue
        main = _before(found, first)
        if main is not None and main.who & _OWNERS and not main.question and main.subject[0] < main.subject[1]:
            yield _clause(main.who, Form.PRESENT | Form.NEGATED, "have", main.subject, first, (low, high), After.NOUN)
        elif (main is not None and main.who == Who.ORDER) or (main is None and not tags[:first].strip("RUCS")):
            yield _clause(Who.ORDER, Form.BARE | Form.NEGATED, "use", (first, first), first, (low, high), After.NOUN)


def _before(found: Sequence[Clause], at: int) -> Clause | None:
    """Return the last clause in the present, or order, that begins before a word and belongs to no noun."""
    lasting = (clause for clause in reversed(found) if clause.form & (Form.PRESENT | Form.BARE))
    return next((clause for clause in lasting if clause.head < at and not clause.relative), None)


def _clause(who: int, form: int, verb: str, subject: tuple[int, int], at: int, thing: tuple[int, int], after: int = 0) -> Clause:
    return Clause(who, form | Form.PLAIN | Form.SIMPLE, verb, subject, at, at, at, thing, after=after)
