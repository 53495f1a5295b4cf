"""Discourse: what the clauses of a line have told so far, and whom its pronouns stand for."""

from __future__ import annotations

from collections.abc import Sequence

from ethos.core.text.language.clause import After, Clause, Form, Who
from ethos.core.text.language.clauses import reach
from ethos.core.text.language.lexicon import word_class
from ethos.core.text.language.persons import HE_OR_SHE, Person, person_before
from ethos.core.text.language.tagging import Tagged

INDEFINITE = frozenset({"a", "an", "that", "those", "these", "another", "some", "any", "no", "one"})


class Discourse:
    """What the clauses of a line have told so far: the thing that was spoken of last, and whether something was said to have changed."""

    __slots__ = ("_before", "_is_own", "_noun", "_tagged", "_things", "_written", "changed", "turned")

    def __init__(self) -> None:
        self._before, self._written = "", ""
        self.changed = False
        self.turned = False  # somebody said that he thinks otherwise than before
        self._tagged: Tagged | None = None
        self._noun = (0, 0)
        self._things: set[tuple[str, ...]] = set()  # that were spoken of, in words
        self._is_own = False  # what is spoken of last is what a clause of the speaker's own thing tells of

    @property
    def thing(self) -> str:
        """Return the thing that was spoken of last, folded; "" if there was none."""
        if self._tagged is None:
            return ""
        spans, (low, high) = self._tagged.spans(), self._noun
        return self._tagged.sentence[spans[low][0] : spans[high - 1][1]]

    @property
    def is_sure(self) -> bool:
        """Return whether only one thing was spoken of, which is the speaker's own: "our app is called Plover"."""
        return self._is_own and len(self._things) == 1

    def go_on(self, before: str, written: str) -> None:
        """Go on to the next sentence to read. before: the masked text of the line right before it; written: the same as it was written."""
        self._before, self._written = before, written

    def person_of(self, clause: Clause, tagged: Tagged, written: str) -> Person | None:
        """Return the person whom the subject of a clause stands for, "he" or "her sister"; None if it has no such word or nobody was named.

        written: the sentence as it was written.
        """
        low, high = clause.subject
        pronoun = tagged.words[low] if low < high else ""
        if pronoun not in HE_OR_SHE:
            return None
        spans = tagged.spans()
        at = spans[low][0]
        person = person_before(self._before + tagged.sentence[:at], self._written + written[:at], pronoun)
        if person is None or tagged.tags[low] == "h":
            return person
        if high == low + 1:
            return None
        return person._replace(words=f"{person.words}'s {written[spans[low + 1][0] : spans[high - 1][1]]}", kin=False)

    def hear(self, found: Sequence[Clause], number: int, tagged: Tagged) -> None:
        """Add a clause."""
        clause = found[number]
        if clause.question:
            return
        told = clause.form & (Form.PAST | Form.PERFECT) and clause.form & Form.PLAIN and not clause.form & Form.NEGATED
        changed = bool(told) and clause.verb in word_class("changing")
        self.changed |= changed
        other = bool(clause.who & _OTHERS)
        named = _object_in(clause, found, number, tagged) if changed or (told and not other) else None
        if named is None and other:
            named = clause.subject
        if named is not None and named[0] < named[1]:
            self._tagged, self._noun = tagged, named
            self._things.add(tuple(tagged.words[slice(*named)]))
            self._is_own = named == clause.subject and clause.who == Who.MINE


_OTHERS = Who.THING | Who.MINE | Who.KIN


def _object_in(clause: Clause, found: Sequence[Clause], number: int, tagged: Tagged) -> tuple[int, int] | None:
    """Return where a clause names a known thing behind its verb: "renamed our street"; None if it names none."""
    reach(found, number, tagged.tags)
    low, high = clause.object if clause.after == After.NOUN else (0, 0)
    high = next((place for place in range(low, high) if tagged.tags[place] in "IT,"), high)
    return (low, high) if low < high and tagged.tags[low] in "Dm" and tagged.words[low] not in INDEFINITE else None
