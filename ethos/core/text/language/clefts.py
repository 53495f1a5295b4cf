"""Clefts, told as plain clauses: "what we use is Zulip" and "it's Zulip we use" as "we use Zulip"."""

from __future__ import annotations

import re

from ethos.core.text.language.clause import After, Clause, Form, Who
from ethos.core.text.language.subjects import who_is
from ethos.core.text.language.tagging import Tagged, verb_of

_WHAT = re.compile(r"[RUC,]*+(?P<what>W)(?P<who>[iw]|m[A#N]*N)R*(?P<verb>[Vzd])R*B(?=[RDmA#NKg])")
_IT = re.compile(r"tBX?(?P<thing>[DmuA#NKg']*[NK](?:I[Dmu]?[A#N]*N)?)W?")
_ENDED = re.compile(r"R*I?(?:[IS,;C]|\Z)")  # behind a verb whose object stands elsewhere: "it was Zulip we settled on in the end"


def what_cleft(sentence: Tagged) -> Clause | None:
    """Return what a cleft with "what" says as a plain clause; None if the sentence is none."""
    words, tags = sentence.words, sentence.tags
    found = _WHAT.match(tags)
    if found is None or words[found.start("what")] != "what":
        return None
    verb, end = found.start("verb"), found.end()
    tense = Form.PAST if tags[verb] == "d" else Form.PRESENT
    who = who_is(words, tags, *found.span("who"))
    form = tense | Form.PLAIN | Form.SIMPLE
    return Clause(who, form, verb_of(words[verb]), found.span("who"), found.start("who"), verb, verb, (end, end), "", False, False)


def without_it_clefts(sentence: Tagged, found: list[Clause]) -> list[Clause]:
    """Return the clauses with each "it is X" and "that we use" behind it as one plain clause, whose object stands before it."""
    tags = sentence.tags
    if "tB" not in tags or len(found) < 2:
        return found
    kept: list[Clause] = []
    for clause in found:
        last = kept[-1] if kept else None
        if last is not None and last.verb == "be" and last.who == Who.IT and (thing := _cleft_thing(sentence, last, clause)):
            clause.object, clause.after, clause.relative, clause.opener = thing, After.NOUN, False, last.opener
            kept.pop()
        kept.append(clause)
    return kept


def _cleft_thing(sentence: Tagged, main: Clause, behind: Clause) -> tuple[int, int] | None:
    """Return where the thing stands that a cleft with "it" singles out; None if the two clauses are none."""
    words, tags = sentence.words, sentence.tags
    if words[main.subject[0]] != "it" or not behind.who & (Who.I | Who.WE | Who.KIN | Who.MINE) or "X" in tags[main.group : main.head + 2]:
        return None
    found = _IT.match(tags, main.subject[0])
    if found is None or found.end() != behind.start or _ENDED.match(tags, behind.head + 1) is None:
        return None
    return found.span("thing")
