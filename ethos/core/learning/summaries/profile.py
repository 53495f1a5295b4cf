"""Choose and word the profile of a user: what is held, section by section, most trusted and most used first (G-12, G-13).

Facts with one beginning share a line ("uses Python; Vim"), which tells more in the same number of bytes. A line bears the ids of its
facts, cut short as `ethos why` takes them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from ethos.core.model.records import Fact, Origin
from ethos.core.model.value import value
from ethos.core.recall.terms import term_of, words
from ethos.core.text import escaping
from ethos.core.text.endings import breaks_off
from ethos.core.text.language.inflection import predicate_key
from ethos.core.text.language.pronouns import AGENT, TEAM, is_in_first_person, third_person

ID_SIGNS = 8  # of an id that a line shows: "f-" and thirty bits
_MOST_TOGETHER = 8  # facts of one line
_DISTRUST = 0.5  # of what rests on others than the user


class Part(StrEnum):
    """A section of a profile; its value is the heading. In the order in which they are shown."""

    RULES = "Rules and rejected approaches"
    COMMUNICATION = "Communication"
    TECHNICAL = "Technical"
    WORK = "Work patterns"
    PERSONAL = "Personal context"


class Use(NamedTuple):
    """How a fact was used: how often it was recalled, and in how many episodes it was said."""

    recalled: int = 0
    said: int = 1


@value
class Line:
    """A line of a profile, as plain text, and the facts that it tells; () of what was counted over sessions.

    project: where they hold, in a profile of several projects; else "".
    """

    part: Part
    text: str
    facts: tuple[Fact, ...] = ()
    project: str = ""

    def __str__(self) -> str:
        """Return it as Markdown."""
        shown = ", ".join(fact.id[:ID_SIGNS] for fact in self.facts)
        where = f" (project {escaping.markdown(self.project, length=200)})" if self.project else ""
        return f"- {escaping.markdown(self.text, length=2_000)}{where}" + (f" ({shown})" if shown else "")


def _terms(text: str) -> frozenset[str]:
    return frozenset(term_of(word) for word in text.split())


_COMMUNICATION = _terms(
    """answer reply explain explanation tone concise verbose brief language email mail phone telephone contact nickname pronoun emoji
    address accent fluent"""
)
_WORK = _terms(
    """work job team career company boss colleague coworker office client deadline schedule shift commit review employer
    profession business manager freelance salary intern promotion promoted degree research startup"""
)
_TECHNICAL = _terms(
    """code coding programming software library framework database server api cli repo repository branch script deploy compiler editor
    terminal linux git python javascript typescript rust golang java docker module dependency command"""
)
_OF_PROGRAMS = _TECHNICAL | _terms(
    "test mock debug log file directory folder task session tool agent package config service app backend frontend bug"
)
_ALONE = frozenset({"has ", "is ", "are ", "was ", "were "})  # beginnings that say too little to be shared
_BOUND = frozenset({AGENT, TEAM, "context"})  # subjects of what must be done; what a thing must be is a requirement of a project
_NOBODY = frozenset({TEAM, AGENT, "context", "it", "project"})  # subjects that are not the person whose profile it is
_BINDING = frozenset({"should", "must", "shall", "never", "always"})
_CHOOSING = frozenset({"use", "reuse", "adopt", "deploy", "call", "name", "place", "default", "store"})  # of what decides about a project


def part_of(fact: Fact) -> Part:
    """Return the section that a fact belongs to: by its kind and subject, else by its words."""
    binding = fact.predicate.partition(" ")[0] in _BINDING
    if fact.subject in _BOUND if binding else fact.subject == AGENT:
        return Part.RULES
    if fact.polarity == "-" and (fact.kind == "decision" or (fact.kind == "preference" and fact.slot)):
        return Part.RULES
    told = {term_of(word) for word in words(f"{fact.predicate} {fact.object} {fact.slot}")}
    if told & _COMMUNICATION:
        return Part.COMMUNICATION
    decided = fact.kind == "decision" and (binding or fact.slot or predicate_key(fact.predicate).partition(" ")[0] in _CHOOSING)
    if decided or told & _TECHNICAL:
        return Part.TECHNICAL
    if told & _WORK:
        return Part.WORK
    return Part.TECHNICAL if _of_things(fact) else Part.PERSONAL


def _of_things(fact: Fact) -> bool:
    """Return whether a fact is about a project or a program, not about a person: by its subject."""
    about = fact.subject.partition("'s ")[0]
    if about in _NOBODY - {TEAM}:
        return True
    named = about[:1].isupper() and about.rpartition(" ")[2][:1].isupper()  # "Ilse", not "CLI tool"
    if about == TEAM and predicate_key(fact.predicate).partition(" ")[0] in _CHOOSING:
        return True
    return not named and bool({term_of(word) for word in words(fact.statement)} & _OF_PROGRAMS)


def main_subject(facts: Iterable[Fact]) -> str:
    """Return whom most of what users said is about, of facts that hold everywhere, as those about a person do; "" if there is none."""
    personal = (fact for fact in facts if fact.origin >= Origin.USER and not fact.project)
    subjects = Counter(fact.subject.partition("'s ")[0] for fact in personal)
    return max(sorted(subjects.keys() - _NOBODY), key=lambda subject: subjects[subject], default="")


def ranked(facts: Iterable[Fact], uses: Mapping[str, Use]) -> list[Fact]:
    """Return the facts with the most trusted and most used first. What is in question is left out until a person has answered, and so is
    what cannot be read by itself.

    Trust is the confidence, half of it where others than the user said so; use grows with the logarithm of how
    often a fact was recalled and said again.
    """

    def rank(fact: Fact) -> tuple[float, float, str]:
        use = uses.get(fact.id, Use())
        trust = fact.confidence * (_DISTRUST if fact.origin < Origin.USER else 1.0)
        weight = trust * (1.0 + math.log1p(use.recalled + max(0, use.said - 1)))
        return -weight, -fact.last_said.timestamp(), fact.id

    return sorted((fact for fact in facts if not fact.flagged and _reads(fact)), key=rank)


def _reads(fact: Fact) -> bool:
    """Return whether a statement can be read by itself: it does not break off, and names whoever it speaks of ("dance gives me hope")."""
    return not breaks_off(fact.object) and not is_in_first_person(fact.statement.removeprefix(fact.subject))


def _nowhere(_: Fact) -> str:
    return ""


def draw(
    facts: Sequence[Fact], subject: str, counted: Sequence[str], max_bytes: int, where: Callable[[Fact], str] = _nowhere
) -> list[Line]:
    """Return the lines of a profile within a number of bytes as `written` writes them.

    facts: best first, of which as many are told as fit; subject: whom the profile is about, whose name the lines leave out; counted:
    lines about how the user works, which go first; where: gives the project that a line names, "" for none.
    """
    told = {Part.WORK: [Line(Part.WORK, text) for text in counted]}
    chosen: dict[tuple[Part, str, str], list[Fact]] = {}
    left = max_bytes - sum(_bytes(str(line)) for line in told[Part.WORK])
    headed = {Part.WORK} if counted else set[Part]()
    left -= sum(_heading_bytes(part) for part in headed)
    for fact in facts:
        begin, end = _halves(fact, subject)
        part = part_of(fact)
        project = where(fact)
        key = (part, project, begin if end else f"{begin.casefold()}\0")  # what is held twice is told once, with both ids
        with_it = [*chosen.get(key, ()), fact]
        if len(with_it) > _MOST_TOGETHER:
            key = (part, project, f"{begin}\0{fact.id}")
            with_it = [fact]
        cost = _bytes(str(_line(part, project, with_it, subject)))
        cost -= _bytes(str(_line(part, project, chosen[key], subject))) if key in chosen else 0
        cost += 0 if part in headed else _heading_bytes(part)
        if cost > left:
            continue
        left -= cost
        headed.add(part)
        chosen[key] = with_it
    for (part, project, _), together in chosen.items():
        told.setdefault(part, []).append(_line(part, project, together, subject))
    return [line for part in Part for line in told.get(part, ())]


def written(lines: Iterable[Line]) -> Iterator[str]:
    """Yield the lines of a profile as Markdown, under their headings."""
    part = None
    for line in lines:
        if line.part is not part:
            if part is not None:
                yield ""
            yield from (_heading(line.part), "")
            part = line.part
        yield str(line)


def _heading(part: Part) -> str:
    return f"## {part.value}"


def _heading_bytes(part: Part) -> int:
    return _bytes(_heading(part)) + 2  # and the empty lines around it


def _bytes(line: str) -> int:
    return len(line.encode()) + 1


def _line(part: Part, project: str, facts: Sequence[Fact], subject: str) -> Line:
    begin, _ = _halves(facts[0], subject)
    ends: dict[str, str] = {}
    for fact in facts:
        end = _halves(fact, subject)[1]
        ends.setdefault(end.casefold(), end)
    return Line(part, f"{begin}{'; '.join(ends.values())}", tuple(facts), project)


def _halves(fact: Fact, subject: str) -> tuple[str, str]:
    """Return a statement without whom the profile is about, cut before its object; ("...", "") where it does not end with that."""
    statement = fact.statement.removeprefix(f"{subject} ")
    speaker = fact.subject.partition("'s ")[0]
    for end in (third_person(fact.object, fact.subject, speaker), fact.object):
        if end and statement.endswith(end) and statement[: -len(end)] not in _ALONE | {""}:
            return statement[: -len(end)], end
    return statement, ""
