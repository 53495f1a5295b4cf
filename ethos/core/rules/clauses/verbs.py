"""Verbs as they are told of somebody: "is building", "must be quick", "only fits on"."""

from __future__ import annotations

from collections.abc import Sequence

from ethos.core.rules.clauses.names import MODALS
from ethos.core.text.language.clause import Clause, Form, Who
from ethos.core.text.language.inflection import third_person_form
from ethos.core.text.language.lexicon import word_class
from ethos.core.text.language.tagging import Tagged

_BE_FORMS = {"get": "are", "gets": "is", "got": "was", "'m": "is", "am": "is", "m": "is", "'re": "are", "'s": "is", "s": "is", "re": "are"}


def verb_words(clause: Clause, tagged: Tagged) -> str:
    """Return the verb as it is told of somebody: "is building", "has been", "owns", "should not" without its "not"."""
    words, tags = tagged.words, tagged.tags
    form, head = clause.form, words[clause.head]
    if words[clause.head - 2 : clause.head] == ["used", "to"]:
        return f"used to {head}"
    if head == "no" or (clause.verb in ("use", "have") and clause.object[0] == clause.head):  # a verbless clause
        return clause.verb if form & Form.NEGATED else third_person_form(clause.verb)
    if not form & Form.PLAIN:
        modal = next(name for name, bit in MODALS.items() if form & bit)
        if modal == "must":
            modal = "should" if "should" in words[clause.group : clause.head] else "had to" if form & Form.PAST else "must"
        return f"{modal} be {head}" if form & (Form.PASSIVE | Form.PROGRESSIVE) else f"{modal} {clause.verb}"
    if clause.verb == "be" and tags[clause.head] not in "Bb":
        return "are" if words[clause.subject[1] - 1].endswith("s") and clause.subject[0] < clause.subject[1] else "is"  # it is not said
    if tags[clause.head] in "Bb":
        return "has been" if form & Form.PERFECT else _BE_FORMS.get(head, head)
    if form & (Form.PASSIVE | Form.PROGRESSIVE):
        return f"{_be_before(clause, tagged)} {head}"
    if form & Form.NEGATED and form & Form.PRESENT and not form & Form.PERFECT:
        return clause.verb
    if form & Form.PERFECT:
        return f"has {head}"
    if form & Form.PRESENT and clause.who & (Who.I | Who.WE):
        return third_person_form(clause.verb)
    return head


def _be_before(clause: Clause, tagged: Tagged) -> str:
    """Return the form of "be" before a participle: "is", "was", "has been"."""
    if clause.form & Form.PERFECT:
        return "has been"
    group = slice(clause.group, clause.head)
    be = next((word for word, tag in zip(tagged.words[group], tagged.tags[group], strict=True) if tag in "Bb"), "is")
    return _BE_FORMS.get(be, be)


def helping_words(clause: Clause, tagged: Tagged) -> str:
    """Return what stands before a verb that is told as an object: "can", "was", or "does"."""
    form = clause.form
    modal = next((name for name, bit in MODALS.items() if form & bit and bit != Form.PLAIN), "")
    if form & Form.PASSIVE:
        return f"{modal} be" if modal else _be_before(clause, tagged)
    return modal or "does"


def limit_of(clause: Clause, words: Sequence[str], low: int) -> str:
    """Return the adverb that limits a clause between its subject and what stands behind its verb: "long runs only fit on Saturdays"."""
    first = clause.subject[1] if clause.start < clause.subject[1] <= clause.head else clause.start
    limiting = word_class("limiting")
    return "" if limiting.isdisjoint(words[first:low]) else next(word for word in words[first:low] if word in limiting)


def limited(verb: str, limit: str, *, helped: bool) -> str:
    """Return a verb as it is told with the adverb that limits it, behind its first word if that is a helping verb."""
    first, blank, rest = verb.partition(" ")
    return f"{first} {limit}{blank}{rest}" if helped else f"{limit} {verb}"
