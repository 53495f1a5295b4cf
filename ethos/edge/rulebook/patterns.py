"""Check the patterns of a rule file: insert fragments, parse the portable subset, derive literals, and refuse patterns that could take too
long.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import islice
from time import process_time
from typing import NamedTuple

import regex

from ethos.core.rules.regex.attack_strings import attack_strings
from ethos.core.rules.regex.cost import MAX_WORK, SURE_WORK, WATCHED_WORK, work
from ethos.core.rules.regex.literals import Literals, derive
from ethos.core.rules.regex.syntax import BadPattern, parse
from ethos.core.rules.rule import Unless
from ethos.edge.rulebook.fragments import Definitions, Fragment, Fragments, Guard, Unusable, definitions, shared
from ethos.edge.rulebook.source import Source, Table, Trail
from ethos.edge.rulebook.validation import FieldReader, suggest

_MAX_EXPANDED = 4_194_304  # characters of all patterns of a pack together, with fragments inserted
MAX_REGEX = 1_000  # characters of a pattern outside the portable subset, with fragments inserted
MAX_PUMPS = 14  # sentences that a doubtful pattern is tried on
_PUMP_SECONDS = 0.1  # processor time for one of them, which is as long as a sentence can be


class Known(NamedTuple):
    """The results of checking a pattern: its groups, its literals if it has any, and whether the cost check was unsure."""

    groups: tuple[str, ...]
    literals: Literals | None
    doubtful: bool = False


class Written(NamedTuple):
    """A pattern as written in the file, and with its fragments inserted. source: the file, if not the pack's own."""

    raw: str
    pattern: str
    source: Source | None = None


class Patterns(FieldReader):
    """Checks the patterns of a file.

    known: results of an earlier check of the same patterns; they are not checked again. gated: run the cost check; the shipped patterns
    pass it in the tests of Ethos.
    """

    def __init__(self, source: Source, known: dict[str, Known] | None = None, *, gated: bool = True) -> None:
        super().__init__(source)
        self.known: dict[str, Known] = dict(known or {})
        self.gated = gated
        self.fragments = Fragments()
        self.guards: dict[str, Guard] = {}
        self._guarding: dict[str, Unless] = {}
        self._expanded = 0
        self._refused: set[str] = set()

    def define(self) -> None:
        """Read the fragments, lists and guards that patterns may use: the pack's own, and those of the files that it names."""
        for source in self.source.shared:
            reader, found = shared(source)
            self.problems += reader.problems
            self._add(found)
        self._add(definitions(self))
        for name in self.fragments.named:
            try:
                self.fragments.expand(f"${{{name}}}")
            except Unusable as unusable:
                self._unusable(unusable, "", ("define", name), "", None)

    def _add(self, found: Definitions) -> None:
        known: Mapping[str, Fragment | Guard]
        more: Mapping[str, Fragment | Guard]
        for known, more in ((self.fragments.named, found.fragments), (self.guards, found.guards)):
            for name in more.keys() & known.keys():
                what = f"{name!r} is defined already, in {known[name].source.path.name}"
                self.complain("E-DUP-ID", what, more[name].trail, source=more[name].source)
        self.fragments.named.update(found.fragments)
        self.guards.update(found.guards)

    def expand(self, raw: str, trail: Trail, rule: str, source: Source | None = None) -> Written | None:
        """Return a pattern with its fragments inserted; complain and return None if one is unknown or the whole becomes too long."""
        try:
            pattern = self.fragments.expand(raw)
        except Unusable as unusable:
            self._unusable(unusable, raw, trail, rule, source)
            return None
        self._expanded += len(pattern)
        if self._expanded > _MAX_EXPANDED:
            self.complain("E-LIMIT", f"the patterns of a pack have at most {_MAX_EXPANDED:,} characters together", trail, rule=rule)
            return None
        return Written(raw, pattern, source)

    def _unusable(self, unusable: Unusable, raw: str, trail: Trail, rule: str, source: Source | None) -> None:
        """Complain about a text that cannot be expanded: where it stands, or in the fragment that is the reason, once for all its users."""
        if unusable.inside:
            fragment = self.fragments.named[unusable.inside]
            raw, trail, rule, source = fragment.text, fragment.trail, "", fragment.source
        find = f"${{{unusable.name}}}" if unusable.name else raw
        hint = "write out what one of them stands for" if unusable.name else "split it in two patterns"
        if unusable.unknown:
            hint = suggest(find, [f"${{{name}}}" for name in self.fragments.named], "fragments stand in [define], lists in [lists]")
        code = "E-REGEX" if unusable.name else "E-LIMIT"
        self.complain(code, str(unusable), trail, rule=rule, hint=hint, find=find, width=min(len(find), 40), source=source)

    def guard(self, name: str, trail: Trail, rule: str) -> Unless | None:
        """Return the antipattern of this name; complain and return None if there is none."""
        if name not in self._guarding:
            if name not in self.guards:
                hint = suggest(name, self.guards, "write it as [guard.NAME]")
                self.complain("E-REFERENCE", f"there is no guard {name!r}", trail, rule=rule, hint=hint, find=name, width=len(name))
                return None
            guard = self.guards[name]
            self._guarding[name] = self.unless(guard.table, guard.trail, "", guard.source)
        return self._guarding[name]

    def unless(self, table: Table, trail: Trail, rule: str, source: Source | None = None) -> Unless:
        """Return one antipattern."""
        self.unknown(table, {"pattern", "reason"}, trail, rule)
        raw = self.value(table, "pattern", str, trail, rule=rule)
        written = self.check(raw, (*trail, "pattern"), rule, source) if isinstance(table.get("pattern"), str) else None
        return Unless(written.pattern if written else "", self.value(table, "reason", str, trail, "", rule))

    def check(self, raw: str, trail: Trail, rule: str, source: Source | None = None) -> Written | None:
        """Check a pattern of the portable subset, and store its groups and literals in `known`. Complain and return None if it fails."""
        written = self.expand(raw, trail, rule, source)
        if written is None or written.pattern in self._refused:
            return None
        if written.pattern in self.known:
            return written
        try:
            parsed = parse(written.pattern)
            if self.gated:
                re.compile(written.pattern)
        except BadPattern as bad:
            self._point(written, bad.code, bad.what, bad.at, bad.width, bad.hint, trail, rule)
        except re.error as error:
            self._point(written, "E-REGEX", str(error), 0, 1, "", trail, rule)
        else:
            too_costly = _cost_problem(written.pattern) if self.gated else ""
            if not too_costly:
                doubtful = self.gated and work(written.pattern) > WATCHED_WORK
                self.known[written.pattern] = Known(parsed.groups, derive(parsed.tree), doubtful)
                return written
            hint = "bound the repeats tighter, or follow each by a mark or word that it cannot run over"
            self.complain("E-REDOS", too_costly, trail, rule=rule, hint=hint, find=raw, width=len(raw), source=source)
        self._refused.add(written.pattern)
        return None

    def check_regex(self, raw: str, trail: Trail, rule: str) -> Written | None:
        """Check a pattern of a rule with `engine = "regex"`: short, and anything that `regex` accepts. `known` has it under another key."""
        written = self.expand(raw, trail, rule)
        if written is None or regex_key(written.pattern) in self.known:
            return written
        code, what = "E-REGEX", ""
        if len(written.pattern) > MAX_REGEX:
            code, what = "E-LIMIT", f"a pattern outside the portable subset has at most {MAX_REGEX:,} characters, fragments put in"
        else:
            try:
                compiled = regex.compile(written.pattern)
                what = "the pattern matches the empty text" if compiled.fullmatch("", timeout=_PUMP_SECONDS) is not None else ""
            except (regex.error, TimeoutError, RecursionError, OverflowError, MemoryError) as error:
                what = str(error) or "it needs too much memory"
        if what:
            self.complain(code, what, trail, rule=rule, find=raw, width=len(raw))
            return None
        self.known[regex_key(written.pattern)] = Known(tuple(compiled.groupindex), None)
        return written

    def _point(self, written: Written, code: str, what: str, at: int, width: int, hint: str, trail: Trail, rule: str) -> None:
        """Complain at a position of the expanded pattern: in the pattern as written, or in the fragment (then once for all its users)."""
        place = self.fragments.place(written.raw, at)
        if place.fragment:
            fragment = self.fragments.named[place.fragment]
            at, source = place.offset, fragment.source
            self.complain(code, what, fragment.trail, hint=hint, find=fragment.text, offset=at, width=width, source=source)
            return
        width = min(width, max(1, len(written.raw) - place.offset))
        at, find = place.offset, written.raw
        self.complain(code, what, trail, rule=rule, hint=hint, find=find, offset=at, width=width, source=written.source)


def regex_key(pattern: str) -> str:
    """Return the key of a pattern outside the portable subset: another rule may have the same text as a pattern inside it."""
    return f"apart {pattern}"


@lru_cache(maxsize=2_048)
def _cost_problem(pattern: str) -> str:
    """Return why a pattern fails the cost check; "" if it passes."""
    steps = work(pattern)
    if steps > MAX_WORK:
        return "its repeats multiply: one sentence could take longer than anybody waits"
    if steps <= SURE_WORK:
        return ""
    guarded, search = regex.compile(pattern), re.compile(pattern).search
    try:
        for text in islice(attack_strings(pattern), MAX_PUMPS):
            guarded.search(text, timeout=_PUMP_SECONDS)
            for length in (250, 500, 1_000, len(text)):  # `re` has no timeout, so start with short texts
                begun = process_time()
                search(text[:length])
                if process_time() - begun > _PUMP_SECONDS:
                    raise TimeoutError
    except TimeoutError:
        return f"on a hostile sentence it takes more than {_PUMP_SECONDS:g} s"
    return ""
