"""Fragments of patterns: texts and lists of words with a name, which patterns and other fragments insert with ${NAME}.

A pack defines them in [define] and [lists], and takes those of the files that it names in `uses`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import regex

from ethos.core.rules.regex.syntax import MAX_PATTERN
from ethos.edge.rulebook.source import Source, Table, Trail
from ethos.edge.rulebook.validation import FieldReader

# a fragment, a line break with the spaces around it, or the indent of the first of several lines
_INSERTED = regex.compile(r"\$\{(\w+)\}|[ \t]*+\r?\n[ \t]*|\A[ \t]+(?=[^\n]*\n)")
_NAME = regex.compile(r"\w+")


class Fragment(NamedTuple):
    """A fragment as written, and its place. listed: it is a list of words."""

    text: str
    source: Source
    trail: Trail
    listed: bool


class Guard(NamedTuple):
    """An antipattern with a name, as written, and its place."""

    table: Table
    source: Source
    trail: Trail


class Place(NamedTuple):
    """A place in the text of a fragment; `fragment` is "" for the pattern itself, as written."""

    fragment: str
    offset: int


class Unusable(Exception):
    """A text uses a fragment that does not exist or that uses itself, or becomes too long.

    name: the fragment that it asks for, "" if it is too long; inside: the fragment whose text asks, "" for a pattern.
    """

    def __init__(self, what: str, name: str, inside: str, *, unknown: bool = False) -> None:
        super().__init__(what)
        self.name = name
        self.inside = inside
        self.unknown = unknown


class Definitions(NamedTuple):
    """What a file defines for patterns."""

    fragments: Mapping[str, Fragment]
    guards: Mapping[str, Guard]


class Fragments:
    """The fragments that the patterns of one pack may use."""

    def __init__(self, named: Mapping[str, Fragment] | None = None) -> None:
        self.named: dict[str, Fragment] = dict(named or {})
        self._expanded: dict[str, str] = {}

    def expand(self, text: str, within: tuple[str, ...] = ()) -> str:
        """Return a text with its fragments inserted and its line breaks removed. Raises `Unusable`."""
        parts: list[str] = []
        length = end = 0
        for found in _INSERTED.finditer(text):
            inserted = self._inserted(found[1], within) if found[1] else ""
            parts += (text[end : found.start()], inserted)
            length += found.start() - end + len(inserted)
            end = found.end()
            if length > MAX_PATTERN:
                break
        parts.append(text[end:])
        if length + len(text) - end > MAX_PATTERN:
            raise Unusable(f"a pattern has at most {MAX_PATTERN:,} characters, fragments put in", "", "".join(within[-1:]))
        return "".join(parts)

    def _inserted(self, name: str, within: tuple[str, ...]) -> str:
        """Return what stands for ${name}, itself expanded."""
        if name in within:
            raise _circle(within[within.index(name) :])
        if name not in self._expanded:
            if name not in self.named:
                raise Unusable(f"there is no fragment ${{{name}}}", name, "".join(within[-1:]), unknown=True)
            fragment = self.named[name]
            self._expanded[name] = alternation(fragment.text) if fragment.listed else self.expand(fragment.text, (*within, name))
        return self._expanded[name]

    def place(self, text: str, at: int) -> Place:
        """Return the place that an offset of the expanded text comes from; for a list, its beginning."""
        return self._place(text, at, "")

    def _place(self, text: str, at: int, fragment: str) -> Place:
        end = length = 0
        for found in _INSERTED.finditer(text):
            if at < length + found.start() - end:
                break
            length += found.start() - end
            end = found.end()
            if name := found[1]:
                inserted = self._expanded[name]
                if at < length + len(inserted):
                    return Place(name, 0) if self.named[name].listed else self._place(self.named[name].text, at - length, name)
                length += len(inserted)
        return Place(fragment, min(end + at - length, max(0, len(text) - 1)))


def _circle(names: tuple[str, ...]) -> Unusable:
    """Return the complaint about fragments that use each other: the same for each of them."""
    first = names.index(min(names))
    names = (*names[first:], *names[:first])
    return Unusable(f"fragments use each other in a circle: {' -> '.join([*names, names[0]])}", names[0], names[-1])


@lru_cache(maxsize=1_024)
def alternation(words: str) -> str:
    """Return a list of words as a group that matches one of them, the longest first. An underscore stands for a space."""
    return "(?:" + "|".join(sorted(set(words.split()), key=lambda word: (-len(word), word))).replace("_", " ") + ")"


def definitions(reader: FieldReader) -> Definitions:
    """Return the fragments, lists and guards that a file defines; complain about those that are no text."""
    fragments: dict[str, Fragment] = {}
    for key, listed in (("define", False), ("lists", True)):
        table = reader.value(reader.source.table, key, dict, (), {})
        for name, text in table.items():
            trail = (key, name)
            if not isinstance(text, str):
                reader.complain("E-SCHEMA", f"the {'list' if listed else 'fragment'} {name!r} should be a text", trail)
            elif not _NAME.fullmatch(name):
                reader.complain("E-SCHEMA", f"{name!r} is not a name", trail, hint="letters, digits and underscores")
            elif listed and not text.split():
                reader.complain("E-SCHEMA", f"the list {name!r} is empty", trail)
            elif name in fragments:
                reader.complain("E-DUP-ID", f"{name!r} is a fragment and a list", trail)
            else:
                fragments[name] = Fragment(text, reader.source, trail, listed)
    guards = reader.value(reader.source.table, "guard", dict, (), {})
    for name in [name for name, table in guards.items() if not isinstance(table, dict)]:
        reader.complain("E-SCHEMA", f"the guard {name!r} should be a table", ("guard", name), hint=f"write [guard.{name}]")
    return Definitions(
        fragments,
        {name: Guard(table, reader.source, ("guard", name)) for name, table in guards.items() if isinstance(table, dict)},
    )


@lru_cache(maxsize=64)
def shared(source: Source) -> tuple[FieldReader, Definitions]:
    """Return what a shared file defines, and the reader with the complaints about it."""
    reader = FieldReader(source)
    reader.unknown(source.table, {"schema", "shared", "uses", "define", "lists", "guard"}, ())
    if source.table.get("schema") != 1 or source.table.get("shared") != source.path.stem:
        what = f"a shared file says schema = 1 and shared = {source.path.stem!r}"
        reader.complain("E-SCHEMA", what, ("shared" if "shared" in source.table else "schema",))
    return reader, definitions(reader)
