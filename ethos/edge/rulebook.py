"""The rulebook: rule packs read from TOML, checked, proved by their own examples, and compiled.

A pack with a mistake is set aside whole and the others load; each mistake is a `RuleProblem` with file, line and caret. The shipped
packs lie in `rules/`; packs of the user's own come after them and may switch rules off or change their weights.
What was proved once (patterns in the subset, examples) is remembered by content hash in a cache folder, if the caller gives one.
"""

from __future__ import annotations

import difflib
import json
import os
import stat
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple, get_args

import regex

from ethos.core.literals import BadPattern, Literals, derive, parse
from ethos.core.matching import Rules
from ethos.core.records import Cardinality, Kind, Origin, Polarity, Role
from ethos.core.rule import (
    CATEGORIES,
    ENGINE_VERSION,
    NEEDED_SLOTS,
    SLOTS,
    Category,
    Direction,
    Effect,
    Example,
    Fallback,
    Modifier,
    Pack,
    Rule,
    RuleProblem,
    Status,
    Unless,
    shortfall,
)
from ethos.core.templates import parts
from ethos.core.text import key

SCHEMA = 1
EFFECTS = ("drop", "flip", "keep", "tag", "past", "outside")
MAX_FILE = 1_048_576  # bytes
MAX_RULES = 2_000
MODIFIERS_FILE = "modifiers.toml"
CLASSES_FILE = "classes.toml"
WORDS = frozenset({MODIFIERS_FILE, CLASSES_FILE})

_FRAGMENT = regex.compile(r"\$\{(\w+)\}")
_ID = regex.compile(r"[a-z0-9][a-z0-9.-]{0,79}")
_PACK_NAME = regex.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_HEADER = regex.compile(r"^\s*\[(?P<array>\[)?\s*(?P<path>[\w.\s\"-]+?)\s*\]")
_KEY = regex.compile(r"^\s*(?P<key>[\w.-]+)\s*=\s*(?P<value>.?)")
_QUOTES = ('"""', "'''")

_PACK_KEYS = frozenset(
    {"schema", "pack", "version", "requires", "languages", "extends", "define", "rule", "fallback", "disable", "override"}
)
_RULE_KEYS = frozenset(
    {"id", "kind", "summary", "version", "since", "status", "priority", "roles", "keywords", "patterns", "emit", "polarity", "cardinality"}
    | {"confidence", "modifiers", "unless", "proper", "enabled", "example"}
)
_FALLBACK_KEYS = frozenset({"id", "when", "kind", "subject", "predicate", "confidence", "version", "cardinality", "enabled", "summary"})
_OVERRIDE_KEYS = frozenset({"id", "expect", "confidence", "priority", "enabled", "status", "cardinality"})
_MODIFIER_KEYS = frozenset({"category", "direction", "triggers", "stop", "pseudo", "max_chars"})
_WANT_KEYS = frozenset({*SLOTS, "kind", "polarity", "confidence", "tense", "cardinality"})

Table = Mapping[str, Any]
Trail = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class LoadedPack:
    """A pack that is in force."""

    name: str
    version: str
    rules: int
    path: Path


@dataclass(frozen=True, slots=True)
class Rulebook:
    """What loading gave: the rules in force, where they came from, and what was wrong."""

    rules: Rules
    packs: tuple[LoadedPack, ...]
    problems: tuple[RuleProblem, ...]


def shipped_rules() -> Path:
    """The folder of the packs that come with Ethos: inside the package in a wheel, beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "rules"
    return inside if inside.is_dir() else package.parent / "rules"


def load(sources: Sequence[Path], *, cache: Path | None = None) -> Rulebook:
    """Load these files and folders (TOML files in name order), usually the shipped folder first. Never raises for what stands in a file.

    Modifiers and classes are those of the shipped folder, and those that stand in a folder given here besides.
    cache: a folder for what was proved before; made if missing, and loading goes on without it where it cannot be written.
    """
    return _Loader(cache).load(sources)


class _Broken(Exception):
    """A problem that ends the reading of a pack."""

    def __init__(self, problem: RuleProblem) -> None:
        super().__init__(problem.what)
        self.problem = problem


class _Source:
    """A TOML file with the line of each of its keys."""

    def __init__(self, path: Path, data: bytes) -> None:
        self.path = path
        self.digest = blake2b(data, digest_size=16).hexdigest()
        try:
            self.text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise _Broken(RuleProblem("E-TOML", str(path), f"not UTF-8 at byte {error.start}")) from None
        self.lines = self.text.splitlines()
        try:
            self.table: Table = tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            place = regex.search(r"line (\d+), column (\d+)", str(error))
            line, column = (int(place[1]), int(place[2])) if place else (0, 0)
            what = regex.sub(r" \(at .*\)$", "", str(error))
            raise _Broken(RuleProblem("E-TOML", str(path), what, line, column, source=self._line(line))) from None
        self._places: dict[Trail, tuple[int, int]] | None = None

    def _line(self, line: int) -> str:
        return self.lines[line - 1] if 0 < line <= len(self.lines) else ""

    def problem(
        self, code: str, what: str, trail: Trail = (), *, rule: str = "", hint: str = "", find: str = "", offset: int = 0, width: int = 1
    ) -> RuleProblem:
        """A problem at a key, or at `offset` in the text `find` that stands after the key."""
        if self._places is None:
            self._places = _places(self.lines)
        known = trail
        while known and known not in self._places:
            known = known[:-1]
        line, column = self._places.get(known, (0, 0))
        if line and find:
            line, column, width = self._inside(line, find, offset, width)
        return RuleProblem(code, str(self.path), what, line, column, rule, self._line(line), width, hint)

    def _inside(self, line: int, find: str, offset: int, width: int) -> tuple[int, int, int]:
        """Where `find` stands at or after a line; the key itself where it is spelled otherwise (escapes, fragments)."""
        start = sum(len(each) + 1 for each in self.lines[: line - 1])
        body = "\n".join(self.lines)
        at = body.find(find, start)
        if at < 0:
            return line, 1, 1
        at += offset
        return body.count("\n", 0, at) + 1, at - body.rfind("\n", 0, at), width


def _places(lines: Sequence[str]) -> dict[Trail, tuple[int, int]]:
    """Line and column of each key's value, by its trail ("rule", 2, "patterns"). A second, rough pass: `tomllib` keeps no places."""
    places: dict[Trail, tuple[int, int]] = {}
    counts: dict[Trail, int] = {}
    table: Trail = ()
    quote = ""
    for number, line in enumerate(lines, 1):
        if quote:
            quote = "" if line.count(quote) % 2 else quote
            continue
        header = _HEADER.match(line)
        if header:
            table = _table(tuple(name.strip().strip('"') for name in header["path"].split(".")), array=bool(header["array"]), counts=counts)
            places.setdefault(table, (number, line.index("[") + 1))
        elif found := _KEY.match(line):
            places.setdefault((*table, *found["key"].split(".")), (number, found.start("value") + 1))
        quote = next((mark for mark in _QUOTES if line.count(mark) % 2), "")
    return places


def _table(names: Sequence[str], *, array: bool, counts: dict[Trail, int]) -> Trail:
    """The trail of a header: a name that is an array of tables is followed by the number of its latest table."""
    trail: Trail = ()
    for index, name in enumerate(names):
        trail = (*trail, name)
        if array and index == len(names) - 1:
            counts[trail] = counts.get(trail, -1) + 1
        if trail in counts:
            trail = (*trail, counts[trail])
    return trail


class _Known(NamedTuple):
    """What checking a pattern found: its groups, and its literals if it has any."""

    groups: tuple[str, ...]
    literals: Literals | None


class _Reader:
    """One pack's tables turned into records, with every complaint on the way.

    `known` holds what an earlier load found out about patterns of the same bytes; they are not checked again.
    """

    def __init__(self, source: _Source, known: Mapping[str, _Known] | None = None) -> None:
        self.source = source
        self.known: dict[str, _Known] = dict(known or {})
        self.problems: list[RuleProblem] = []
        self.define: dict[str, str] = {}
        self.name = ""
        self.version = ""

    def complain(
        self, code: str, what: str, trail: Trail = (), *, rule: str = "", hint: str = "", find: str = "", offset: int = 0, width: int = 1
    ) -> None:
        """Note a problem and go on: one run shows them all."""
        self.problems.append(self.source.problem(code, what, trail, rule=rule, hint=hint, find=find, offset=offset, width=width))

    def unknown(self, table: Table, known: Iterable[str], trail: Trail, rule: str = "") -> None:
        """Every key must be one we know; a near miss is named."""
        names = sorted(known)
        for name in table:
            if name not in names:
                near = difflib.get_close_matches(name, names, 1)
                hint = f"did you mean {near[0]!r}?" if near else "known here: " + ", ".join(names)
                self.complain("E-UNKNOWN-KEY", f"unknown key {name!r}", (*trail, name), rule=rule, hint=hint, find=name, width=len(name))

    def value(self, table: Table, name: str, kind: type | tuple[type, ...], trail: Trail, default: Any = None, rule: str = "") -> Any:
        """A value of the right type, or the default; without a default it must be there."""
        if name not in table:
            if default is None:
                self.complain("E-SCHEMA", f"{name!r} is missing", trail, rule=rule)
                return _BLANK[kind if isinstance(kind, type) else kind[0]]
            return default
        value = table[name]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            wanted = kind.__name__ if isinstance(kind, type) else " or ".join(each.__name__ for each in kind)
            self.complain("E-SCHEMA", f"{name!r} should be a {wanted}", (*trail, name), rule=rule)
            return default if default is not None else _BLANK[kind if isinstance(kind, type) else kind[0]]
        return value

    def choice(self, table: Table, name: str, known: Sequence[str], trail: Trail, default: str | None = None, rule: str = "") -> str:
        """One of a few words."""
        value = self.value(table, name, str, trail, default, rule)
        if value not in known and name in table:
            near = difflib.get_close_matches(str(value), known, 1)
            hint = f"did you mean {near[0]!r}?" if near else "one of: " + ", ".join(known)
            self.complain("E-SCHEMA", f"{name!r} cannot be {value!r}", (*trail, name), rule=rule, hint=hint)
        return str(value)

    def words(self, table: Table, name: str, trail: Trail, rule: str = "") -> tuple[str, ...]:
        """A list of texts, possibly empty."""
        value = self.value(table, name, list, trail, [], rule)
        if not all(isinstance(each, str) for each in value):
            self.complain("E-SCHEMA", f"{name!r} should be a list of texts", (*trail, name), rule=rule)
            return ()
        return tuple(value)

    def tables(self, table: Table, name: str, trail: Trail, rule: str = "") -> Iterator[tuple[Trail, Table]]:
        """An array of tables, with the trail of each."""
        value = table.get(name, [])
        if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
            self.complain("E-SCHEMA", f"{name!r} should be tables, written [[{name}]]", (*trail, name), rule=rule)
            return
        for index, each in enumerate(value):
            yield (*trail, name, index), each

    def confidence(self, table: Table, trail: Trail, rule: str) -> float:
        value = float(self.value(table, "confidence", (float, int), trail, rule=rule))
        if not 0.0 <= value <= 1.0:
            self.complain("E-SCHEMA", "'confidence' lies between 0 and 1", (*trail, "confidence"), rule=rule)
        return value

    def pack(self) -> Pack:
        """The whole file."""
        table = self.source.table
        if table.get("schema") != SCHEMA:
            what = f"schema {table.get('schema')!r} is not one this version reads"
            raise _Broken(self.source.problem("E-SCHEMA", what, ("schema",), hint=f"schema = {SCHEMA}"))
        self.unknown(table, _PACK_KEYS, ())
        self.name = self.value(table, "pack", str, ())
        if not _PACK_NAME.fullmatch(self.name):
            self.complain("E-SCHEMA", "'pack' is a short name of small letters, digits and dashes", ("pack",))
        self.version = self.value(table, "version", str, (), "0")
        define = self.value(table, "define", dict, (), {})
        self.define = {name: text for name, text in define.items() if isinstance(text, str)}
        for name in define.keys() - self.define.keys():
            self.complain("E-SCHEMA", f"the fragment {name!r} should be a text", ("define", name))
        rules = tuple(self.rule(each, trail) for trail, each in self.tables(table, "rule", ()))
        fallbacks = tuple(self.fallback(each, trail) for trail, each in self.tables(table, "fallback", ()))
        if len(rules) > MAX_RULES:
            self.complain("E-SCHEMA", f"a pack has at most {MAX_RULES} rules", ("rule", MAX_RULES))
        seen: set[str] = set()
        for index, rule in enumerate(rules):
            if rule.id in seen:
                hint = "ids are never shared; to change a rule, use [[override]]"
                self.complain("E-DUP-ID", "this id is used twice", ("rule", index, "id"), rule=rule.id, hint=hint)
            seen.add(rule.id)
        return Pack(self.name, self.version, rules, fallbacks)

    def rule(self, table: Table, trail: Trail) -> Rule:
        """One [[rule]]."""
        short = self.value(table, "id", str, trail)
        rule_id = f"{self.name}/{short}"
        if not _ID.fullmatch(short):
            self.complain("E-SCHEMA", "an id is made of small letters, digits, dots and dashes", (*trail, "id"), rule=rule_id)
        self.unknown(table, _RULE_KEYS, trail, rule_id)
        emit = self.value(table, "emit", dict, trail, rule=rule_id)
        self.unknown(emit, {*SLOTS, "tense"}, (*trail, "emit"), rule_id)
        for slot in NEEDED_SLOTS:
            if slot not in emit:
                self.complain("E-SCHEMA", f"emit has no {slot!r}", (*trail, "emit"), rule=rule_id)
        status = self.choice(table, "status", get_args(Status), trail, "experimental", rule_id)
        examples = tuple(self.example(each, at, rule_id) for at, each in self.tables(table, "example", trail, rule_id))
        if status == "stable" and not (sum(bool(e.want) for e in examples) >= 2 <= sum(not e.want for e in examples)):
            self.complain("E-EXAMPLE", "a stable rule has at least two examples and two counter-examples", trail, rule=rule_id)
        return Rule(
            id=rule_id,
            pack_version=self.version,
            kind=self.choice(table, "kind", get_args(Kind), trail, rule=rule_id),  # type: ignore[arg-type]  # checked by choice
            summary=self.value(table, "summary", str, trail, rule=rule_id),
            version=self.value(table, "version", int, trail, 1, rule_id),
            since=self.value(table, "since", str, trail, "0.1.0", rule_id),
            status=status,  # type: ignore[arg-type]  # checked by choice
            priority=self.value(table, "priority", int, trail, 50, rule_id),
            patterns=self.patterns(table, emit, trail, rule_id),
            emit={name: str(text) for name, text in emit.items()},
            confidence=self.confidence(table, trail, rule_id),
            polarity=self.choice(table, "polarity", get_args(Polarity), trail, "+", rule_id),  # type: ignore[arg-type]  # checked by choice
            cardinality=self.choice(table, "cardinality", get_args(Cardinality), trail, "single", rule_id),  # type: ignore[arg-type]  # checked by choice
            roles=self.roles(table, trail, rule_id),
            modifiers=self.effects(table, trail, rule_id),
            unless=tuple(self.unless(each, at, rule_id) for at, each in self.tables(table, "unless", trail, rule_id)),
            proper=self.words(table, "proper", trail, rule_id),
            keywords=self.words(table, "keywords", trail, rule_id),
            enabled=self.value(table, "enabled", bool, trail, True, rule_id),
            examples=examples,
        )

    def roles(self, table: Table, trail: Trail, rule: str) -> tuple[Role, ...]:
        roles = self.words(table, "roles", trail, rule) or ("user",)
        for role in roles:
            if role not in get_args(Role):
                self.complain(
                    "E-SCHEMA", f"there is no role {role!r}", (*trail, "roles"), rule=rule, hint="one of: " + ", ".join(get_args(Role))
                )
        return roles  # type: ignore[return-value]  # checked above

    def effects(self, table: Table, trail: Trail, rule: str) -> dict[Category, Effect]:
        effects = self.value(table, "modifiers", dict, trail, {}, rule)
        self.unknown(effects, CATEGORIES, (*trail, "modifiers"), rule)
        for name, effect in effects.items():
            number = isinstance(effect, int | float) and not isinstance(effect, bool)
            if not (0 <= effect <= 1 if number else effect in EFFECTS):
                hint = "a number from 0 to 1, or one of: " + ", ".join(EFFECTS)
                self.complain("E-SCHEMA", f"{name!r} cannot be {effect!r}", (*trail, "modifiers"), rule=rule, hint=hint)
        return dict(effects)

    def unless(self, table: Table, trail: Trail, rule: str) -> Unless:
        self.unknown(table, {"pattern", "reason"}, trail, rule)
        written = self.value(table, "pattern", str, trail, rule=rule)
        pattern = self.expand(written, (*trail, "pattern"), rule)
        self.check(pattern, written, (*trail, "pattern"), rule)
        return Unless(pattern, self.value(table, "reason", str, trail, "", rule))

    def expand(self, written: str, trail: Trail, rule: str) -> str:
        """The pattern with its fragments put in; fragments do not nest."""

        def put(found: regex.Match[str]) -> str:
            if found[1] not in self.define:
                near = difflib.get_close_matches(found[1], self.define, 1)
                hint = f"did you mean ${{{near[0]}}}?" if near else "fragments stand in [define]"
                self.complain(
                    "E-REGEX", f"there is no fragment {found[0]}", trail, rule=rule, hint=hint, find=found[0], width=len(found[0])
                )
            return self.define.get(found[1], "")

        return _FRAGMENT.sub(put, written)

    def check(self, pattern: str, written: str, trail: Trail, rule: str) -> tuple[str, ...] | None:
        """The groups of a pattern of the subset that `regex` accepts too; None (and a complaint) for any other."""
        if pattern in self.known:
            return self.known[pattern].groups
        same = pattern == written
        try:
            parsed = parse(pattern)
            regex.compile(pattern)
        except BadPattern as bad:
            if same:
                self.complain(bad.code, bad.what, trail, rule=rule, hint=bad.hint, find=written, offset=bad.at, width=bad.width)
            else:
                what = f"{bad.what} (at {pattern[max(0, bad.at - 10) : bad.at + 20]!r}, with the fragments put in)"
                self.complain(bad.code, what, trail, rule=rule, hint=bad.hint, find=written)
            return None
        except regex.error as error:
            self.complain("E-REGEX", str(error), trail, rule=rule, find=written)
            return None
        self.known[pattern] = _Known(parsed.groups, derive(parsed.tree))
        return parsed.groups

    def patterns(self, table: Table, emit: Table, trail: Trail, rule: str) -> tuple[str, ...]:
        written = self.words(table, "patterns", trail, rule)
        keywords = self.words(table, "keywords", trail, rule)
        if not written:
            self.complain("E-SCHEMA", "a rule needs patterns", trail, rule=rule)
        at = (*trail, "patterns")
        expanded = tuple(self.expand(each, at, rule) for each in written)
        for raw, pattern in zip(written, expanded, strict=True):
            groups = self.check(pattern, raw, at, rule)
            if groups is None:
                continue
            for slot, template in emit.items():
                for part in parts(str(template)):
                    if part.group not in groups and not part.free:
                        hint = f"write {{{part.group}|default}} or {{{part.group}?}}, or name the group in every pattern"
                        what = f"emit.{slot} uses {{{part.group}}}, which this pattern does not have"
                        self.complain("E-GROUP", what, at, rule=rule, hint=hint, find=raw)
            literals = self.known[pattern].literals
            if literals is None:
                hint = "give the pattern a fixed word of two letters or more"
                what = "nothing fixed to look for: it would run on every sentence"
                self.complain("E-ALWAYS-RUN", what, at, rule=rule, hint=hint, find=raw, width=len(raw))
            elif keywords and (missed := _missed(literals, keywords)):
                hint = f"remove `keywords` (the engine derives {list(literals.strings)[:6]})"
                what = f"a match is possible without any keyword: {missed!r}"
                self.complain("E-KEYWORDS", what, (*trail, "keywords"), rule=rule, hint=hint)
        return expanded

    def example(self, table: Table, trail: Trail, rule: str) -> Example:
        """One [[rule.example]]."""
        self.unknown(table, {"text", "want", "why", "mark", "todo"}, trail, rule)
        want = self.value(table, "want", list, trail, rule=rule)
        for each in want:
            if not isinstance(each, dict):
                self.complain("E-SCHEMA", "'want' is a list of tables", (*trail, "want"), rule=rule)
                want = []
                break
            self.unknown(each, _WANT_KEYS, (*trail, "want"), rule)
        mark = table.get("mark")
        return Example(
            text=self.value(table, "text", str, trail, rule=rule),
            want=tuple({name: value for name, value in each.items() if name in _WANT_KEYS} for each in want),
            why=self.value(table, "why", str, trail, "", rule),
            mark=mark if isinstance(mark, str) else None,
            todo=self.value(table, "todo", bool, trail, False, rule),
        )

    def fallback(self, table: Table, trail: Trail) -> Fallback:
        """One [[fallback]]."""
        rule = f"{self.name}/{self.value(table, 'id', str, trail)}"
        self.unknown(table, _FALLBACK_KEYS, trail, rule)
        return Fallback(
            id=rule,
            when=self.choice(table, "when", ("importance", "retrieval"), trail, rule=rule),  # type: ignore[arg-type]  # checked by choice
            kind=self.choice(table, "kind", get_args(Kind), trail, "fact", rule),  # type: ignore[arg-type]  # checked by choice
            subject=self.value(table, "subject", str, trail, rule=rule),
            predicate=self.value(table, "predicate", str, trail, rule=rule),
            confidence=self.confidence(table, trail, rule),
            version=self.value(table, "version", int, trail, 1, rule),
            pack_version=self.version,
            cardinality=self.choice(table, "cardinality", get_args(Cardinality), trail, "multi", rule),  # type: ignore[arg-type]  # checked by choice
            enabled=self.value(table, "enabled", bool, trail, True, rule),
        )

    def modifiers(self) -> tuple[Modifier, ...]:
        """rules/modifiers.toml."""
        table = self.source.table
        self.unknown(table, {"schema", "modifier"}, ())
        return tuple(self.modifier(each, trail) for trail, each in self.tables(table, "modifier", ()))

    def modifier(self, table: Table, trail: Trail) -> Modifier:
        self.unknown(table, _MODIFIER_KEYS, trail)
        triggers = self.words(table, "triggers", trail)
        if not triggers or not all(triggers):
            self.complain("E-SCHEMA", "a modifier needs triggers", trail)
        return Modifier(
            category=self.choice(table, "category", CATEGORIES, trail),  # type: ignore[arg-type]  # checked by choice
            direction=self.choice(table, "direction", get_args(Direction), trail, "both"),  # type: ignore[arg-type]  # checked by choice
            triggers=triggers,
            stop=self.words(table, "stop", trail),
            pseudo=self.words(table, "pseudo", trail),
            max_chars=self.value(table, "max_chars", int, trail, 120),
        )

    def classes(self) -> dict[str, str]:
        """rules/classes.toml: [classes] name = [objects], turned round and folded."""
        table = self.source.table
        self.unknown(table, {"schema", "classes"}, ())
        found: dict[str, str] = {}
        for name in self.value(table, "classes", dict, ()):
            for each in self.words(table["classes"], name, ("classes",)):
                folded = key(each)
                if found.setdefault(folded, name) != name:
                    self.complain("E-DUP-ID", f"{each!r} is in {found[folded]!r} already", ("classes", name))
        return found


_BLANK: Mapping[type, Any] = {str: "", int: 0, float: 0.0, list: [], dict: {}, bool: False}


def _missed(literals: Literals, keywords: Sequence[str]) -> str:
    """A literal in which none of the keywords stands, so that the keywords would drop its matches; "" when there is none."""
    return next((string for string in literals.strings if not any(word in string for word in keywords)), "")


class _Loader:
    """One load."""

    def __init__(self, cache: Path | None) -> None:
        self.cache = cache
        self.problems: list[RuleProblem] = []
        self.packs: list[Pack] = []
        self.loaded: list[LoadedPack] = []
        self.derived: dict[str, Literals] = {}
        self.modifiers: tuple[Modifier, ...] = ()
        self.classes: dict[str, str] = {}
        self.digests: list[str] = [ENGINE_VERSION, regex.__version__]
        self.base = ""  # digest of what every pack is read with: engine and modifiers

    def load(self, sources: Sequence[Path]) -> Rulebook:
        """Everything, in order."""
        files = list(dict.fromkeys(_files([shipped_rules(), *sources])))
        for path in files:
            if path.name in WORDS:
                self._attempt(self._words, path)
        self.base = "/".join(self.digests)
        for path in dict.fromkeys(_files(sources)):
            if path.name not in WORDS:
                self._attempt(self._pack, path)
        digest = blake2b("\n".join(sorted(self.digests)).encode(), digest_size=12).hexdigest()
        rules = Rules(self.packs, self.modifiers, self.classes, hash=digest, derived=self.derived)
        return Rulebook(rules, tuple(self.loaded), tuple(self.problems))

    def _attempt(self, read: Callable[[_Source], None], path: Path) -> None:
        """Read a file; what ends the reading is a problem like any other."""
        try:
            read(self._read(path, own=path.parent != shipped_rules()))
        except _Broken as broken:
            self.problems.append(broken.problem)

    def _words(self, source: _Source) -> None:
        """The modifiers and classes that all packs share."""
        reader = _Reader(source)
        if source.path.name == MODIFIERS_FILE:
            self.modifiers += reader.modifiers()
        else:
            self.classes |= reader.classes()
        self.problems.extend(reader.problems)
        self.digests.append(f"{source.path.name}:{source.digest}")

    def _read(self, path: Path, *, own: bool) -> _Source:
        """A file's bytes, unless somebody else could have written it."""
        try:
            with path.open("rb") as file:
                status = os.fstat(file.fileno())
                if not stat.S_ISREG(status.st_mode):
                    raise _Broken(RuleProblem("E-FILE", str(path), "not a file"))
                if own and status.st_mode & stat.S_IWOTH:
                    raise _Broken(RuleProblem("E-FILE", str(path), "anybody on this machine can write this file", hint=f"chmod o-w {path}"))
                if own and status.st_uid not in {os.geteuid(), 0}:
                    raise _Broken(
                        RuleProblem("E-FILE", str(path), "this file belongs to another user", hint="copy it to a folder of your own")
                    )
                data = file.read(MAX_FILE + 1)
        except OSError as error:
            raise _Broken(RuleProblem("E-FILE", str(path), (error.strerror or str(error)).lower())) from None
        if len(data) > MAX_FILE:
            raise _Broken(RuleProblem("E-FILE", str(path), f"a rule file has at most {MAX_FILE} bytes"))
        return _Source(path, data)

    def _pack(self, source: _Source) -> None:
        proof = self._proof(source.digest)
        known = _recall(proof)
        reader = _Reader(source, known)
        pack = reader.pack()
        if any(held.name == pack.name for held in self.packs):
            reader.complain("E-DUP-ID", f"there is a pack {pack.name!r} already", ("pack",))
        if known is None and not any(problem.fatal for problem in reader.problems):
            self._prove(pack, reader)
            if proof is not None and not reader.problems:
                _remember(proof, reader.known)
        self.problems.extend(reader.problems)
        if any(problem.fatal for problem in reader.problems):
            return
        self._change(source.table, reader)
        self.packs.append(pack)
        self.derived.update(_derived(reader))
        place = len(self.packs) if source.table.keys() & {"disable", "override"} else 0  # such a pack changes those before it
        self.digests.append(f"{pack.name}:{source.digest}:{place}")
        self.loaded.append(LoadedPack(pack.name, pack.version, len(pack.rules), source.path))

    def _prove(self, pack: Pack, reader: _Reader) -> None:
        """Run every example against the pack alone."""
        rules = Rules((pack,), self.modifiers, {}, derived=_derived(reader))
        for index, rule in enumerate(pack.rules):
            for number, example in enumerate(rule.examples):
                claims = rules.claims(example.text, role=rule.roles[0], speaker="speaker", origin=Origin.OPERATOR) if rule.enabled else ()
                missed = shortfall(example, tuple(claim for claim in claims if claim.rule == rule.id), example.text) if rule.enabled else ""
                if missed:
                    code = "W-TODO" if example.todo else "E-EXAMPLE"
                    what = f"{example.text!r}: {missed}" + (f" ({example.why})" if example.why else "")
                    reader.complain(code, what, ("rule", index, "example", number, "text"), rule=rule.id, find=example.text)

    def _proof(self, digest: str) -> Path | None:
        """Where it stands that these bytes were proved, under this engine and these modifiers."""
        if self.cache is None:
            return None
        name = blake2b(f"{self.base}\n{digest}".encode(), digest_size=16).hexdigest()
        return self.cache / f"proved-{name}"

    def _change(self, table: Table, reader: _Reader) -> None:
        """[disable] and [[override]] of a user's pack, on the packs loaded before it."""
        disable = reader.value(table, "disable", dict, (), {})
        off = {name: frozenset(reader.words(disable, name, ("disable",))) for name in ("rules", "kinds", "packs")}
        changes = {str(each.get("id")): each for _, each in reader.tables(table, "override", ())}
        self.packs = [
            replace(
                pack,
                rules=tuple(_changed(rule, off, changes) for rule in pack.rules),
                fallbacks=tuple(_switched(each, off, changes) for each in pack.fallbacks),
            )
            for pack in self.packs
        ]


def _changed(rule: Rule, off: Mapping[str, frozenset[str]], changes: Mapping[str, Table]) -> Rule:
    pack = rule.id.partition("/")[0]
    if rule.id in off["rules"] or rule.kind in off["kinds"] or pack in off["packs"]:
        return replace(rule, enabled=False)
    change = changes.get(rule.id, {})
    return replace(rule, **{name: value for name, value in change.items() if name in _OVERRIDE_KEYS - {"id", "expect"}})


def _switched(fallback: Fallback, off: Mapping[str, frozenset[str]], changes: Mapping[str, Table]) -> Fallback:
    if fallback.id in off["rules"] or fallback.id.partition("/")[0] in off["packs"]:
        return replace(fallback, enabled=False)
    change = changes.get(fallback.id, {})
    return replace(fallback, **{name: value for name, value in change.items() if name in {"confidence", "enabled"}})


def _files(sources: Iterable[Path]) -> Iterator[Path]:
    """Files as they are, folders by their TOML files in name order."""
    for source in sources:
        if source.is_dir():
            yield from sorted(source.glob("*.toml"))
        else:
            yield source


def _derived(reader: _Reader) -> dict[str, Literals]:
    return {pattern: known.literals for pattern, known in reader.known.items() if known.literals is not None}


def _recall(proof: Path | None) -> dict[str, _Known] | None:
    """What was found out when these bytes were proved; None where they were not, or where it cannot be read."""
    if proof is None:
        return None
    try:
        held = json.loads(proof.read_text(encoding="utf-8"))
        return {
            pattern: _Known(tuple(groups), Literals.restored(literals) if literals else None)
            for pattern, (groups, literals) in held.items()
        }
    except (OSError, ValueError, TypeError, AttributeError):
        return None


def _remember(proof: Path, known: Mapping[str, _Known]) -> None:
    """Write down what was found out. A cache that cannot be written only costs time."""
    held = {pattern: (each.groups, each.literals) for pattern, each in known.items()}
    try:
        proof.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft = proof.with_suffix(f".{os.getpid()}")
        draft.write_text(json.dumps(held), encoding="utf-8")
        draft.replace(proof)
    except OSError:
        return
