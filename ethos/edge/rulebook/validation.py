"""Read values of the right type from a rule file: a missing, misspelled or mistyped value becomes a problem with its position."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ethos.core.rules.rule import RuleProblem
from ethos.edge.rulebook.source import Source, Table, Trail

Kinds = type | tuple[type, ...]

MOST = 1_000_000  # limit of whole numbers in a rule file

_EMPTY: Mapping[type, Any] = {str: "", int: 0, float: 0.0, list: [], dict: {}, bool: False}
_CALLED = {str: "a text", int: "a whole number", float: "a number", list: "a list", dict: "a table", bool: "true or false"}


def suggest(word: object, known: Iterable[str], otherwise: str = "") -> str:
    """Return "did you mean 'x'?", or else `otherwise` or the known names."""
    names = sorted(known)
    close = difflib.get_close_matches(str(word), names, 1)
    return f"did you mean {close[0]!r}?" if close else otherwise or "one of: " + ", ".join(names)


class FieldReader:
    """Reads values of a file. It records complaints and goes on, so that one run shows all of them."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.problems: list[RuleProblem] = []
        self._said: set[tuple[str, str, int, int]] = set()

    @property
    def broken(self) -> bool:
        """Return True if the file must not be used."""
        return any(problem.fatal for problem in self.problems)

    def complain(
        self,
        code: str,
        what: str,
        trail: Trail = (),
        *,
        rule: str = "",
        hint: str = "",
        find: str = "",
        offset: int = 0,
        width: int = 1,
        source: Source | None = None,
    ) -> None:
        """Record a problem at a key, or in the text `find` after it; record the same mistake once. source: the file, if another one."""
        problem = (source or self.source).problem(code, what, trail, rule=rule, hint=hint, find=find, offset=offset, width=width)
        same = (problem.code, problem.what, problem.line, problem.column)
        if same not in self._said:
            self._said.add(same)
            self.problems.append(problem)

    def unknown(self, table: Table, known: Iterable[str], trail: Trail, rule: str = "") -> None:
        """Complain about unknown keys and suggest similar ones."""
        names = sorted(known)
        for name in table:
            if name not in names:
                hint = suggest(name, names, "known here: " + ", ".join(names))
                self.complain("E-UNKNOWN-KEY", f"unknown key {name!r}", (*trail, name), rule=rule, hint=hint, find=name, width=len(name))

    def value(self, table: Table, name: str, kind: Kinds, trail: Trail, default: Any = None, rule: str = "") -> Any:
        """Return a value of the right type, or the default; without a default it is required."""
        first = kind if isinstance(kind, type) else kind[0]
        empty = _EMPTY[first] if default is None else default
        if name not in table:
            if default is None:
                self.complain("E-SCHEMA", f"{name!r} is missing", trail, rule=rule)
            return empty
        value = table[name]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            self.complain("E-SCHEMA", f"{name!r} should be {_CALLED[first]}", (*trail, name), rule=rule)
            return empty
        if isinstance(value, int) and not -MOST <= value <= MOST:
            self.complain("E-SCHEMA", f"{name!r} is out of all bounds", (*trail, name), rule=rule)
            return empty
        return value

    def whole(self, table: Table, name: str, trail: Trail, default: int, rule: str = "", least: int = 0, most: int = MOST) -> int:
        """Return a whole number within bounds."""
        value: int = self.value(table, name, int, trail, default, rule)
        if not least <= value <= most:
            self.complain("E-SCHEMA", f"{name!r} lies between {least} and {most}", (*trail, name), rule=rule)
        return value

    def share(self, table: Table, name: str, trail: Trail, rule: str = "") -> float:
        """Return a number from 0 to 1."""
        value = float(self.value(table, name, (float, int), trail, rule=rule))
        if not 0.0 <= value <= 1.0:
            self.complain("E-SCHEMA", f"{name!r} lies between 0 and 1", (*trail, name), rule=rule)
            return 0.0
        return value

    def choice(self, table: Table, name: str, known: Sequence[str], trail: Trail, default: str | None = None, rule: str = "") -> str:
        """Return one of a few words."""
        value = str(self.value(table, name, str, trail, default, rule))
        if value not in known and isinstance(table.get(name), str):
            hint = suggest(value, known, "one of: " + ", ".join(known))
            self.complain("E-SCHEMA", f"{name!r} cannot be {value!r}", (*trail, name), rule=rule, hint=hint)
        return value if value in known else default or known[0]

    def words(self, table: Table, name: str, trail: Trail, rule: str = "") -> tuple[str, ...]:
        """Return a list of texts, possibly empty."""
        return self.texts(self.value(table, name, list, trail, [], rule), name, trail, rule)

    def texts(self, value: object, name: str, trail: Trail, rule: str = "") -> tuple[str, ...]:
        """Return a given value as a list of texts."""
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            self.complain("E-SCHEMA", f"{name!r} should be a list of texts", (*trail, name), rule=rule)
            return ()
        return tuple(value)

    def chosen(self, table: Table, name: str, known: Sequence[str], trail: Trail, rule: str = "") -> tuple[str, ...]:
        """Return a list of known words."""
        return self.known_only(self.words(table, name, trail, rule), name, known, trail, rule)

    def known_only(self, words: tuple[str, ...], name: str, known: Sequence[str], trail: Trail, rule: str = "") -> tuple[str, ...]:
        """Return those words that are known; complain about the others."""
        for word in words:
            if word not in known:
                hint = suggest(word, known, "one of: " + ", ".join(known))
                self.complain(
                    "E-SCHEMA", f"{name!r} cannot hold {word!r}", (*trail, name), rule=rule, hint=hint, find=word, width=len(word)
                )
        return tuple(word for word in words if word in known)

    def tables(self, table: Table, name: str, trail: Trail, rule: str = "") -> Iterator[tuple[Trail, Table]]:
        """Yield the tables of an array, each with its path."""
        value = table.get(name, [])
        if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
            self.complain("E-SCHEMA", f"{name!r} should be tables, written [[{name}]]", (*trail, name), rule=rule)
            return
        for index, each in enumerate(value):
            yield (*trail, name, index), each
