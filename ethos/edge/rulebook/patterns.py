"""Patterns of a rule file: fragments put in, the subset, the literals, and the gate that keeps out what could run for ever."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from time import process_time
from typing import NamedTuple

import regex

from ethos.core.rules.regex.attack_strings import attack_strings
from ethos.core.rules.regex.cost import MAX_WORK, SURE_WORK, WATCHED_WORK, work
from ethos.core.rules.regex.literals import Literals, derive
from ethos.core.rules.regex.syntax import MAX_PATTERN, BadPattern, parse
from ethos.edge.rulebook.source import Source, Table, Trail
from ethos.edge.rulebook.validation import Asking, near

MAX_EXPANDED = 4_194_304  # characters of all patterns of a pack together, fragments put in
MAX_APART = 1_000  # characters of a pattern outside the portable subset, fragments put in
MAX_PUMPS = 14  # sentences that a doubtful pattern is tried on
PUMP_SECONDS = 0.1  # processor time for one of them: the longest sentence there can be

_FRAGMENT = regex.compile(r"\$\{(\w+)\}")


class Known(NamedTuple):
    """What checking a pattern found: its groups, its literals if it has any, and whether the gate was not sure of it."""

    groups: tuple[str, ...]
    literals: Literals | None
    doubtful: bool = False


class _Piece(NamedTuple):
    """A stretch of an expanded pattern and where it comes from: a fragment, or (no name) the pattern as it was written."""

    start: int
    end: int
    fragment: str
    written: int  # offset in the pattern as written


class Written(NamedTuple):
    """A pattern as it stands in the file, and with its fragments put in."""

    raw: str
    pattern: str
    pieces: tuple[_Piece, ...]


class Patterns(Asking):
    """The part of an examination that is about patterns.

    known: what an earlier one found out about patterns of the same bytes; they are not checked again.
    gated: whether patterns must pass the gate; those that come with Ethos have, in its tests.
    """

    def __init__(self, source: Source, known: dict[str, Known] | None = None, *, gated: bool = True) -> None:
        super().__init__(source)
        self.known: dict[str, Known] = dict(known or {})
        self.gated = gated
        self.define: dict[str, str] = {}
        self._expanded = 0
        self._refused: set[str] = set()

    def fragments(self, table: Table) -> None:
        """[define]: the fragments that patterns may use."""
        define = self.value(table, "define", dict, (), {})
        self.define = {name: text for name, text in define.items() if isinstance(text, str)}
        for name in define.keys() - self.define.keys():
            self.complain("E-SCHEMA", f"the fragment {name!r} should be a text", ("define", name))
        for name, text in self.define.items():
            if found := _FRAGMENT.search(text):
                hint = f"write out what {found[0]} stands for"
                what = "fragments do not nest"
                self.complain("E-REGEX", what, ("define", name), hint=hint, find=found[0], width=len(found[0]))

    def expand(self, raw: str, trail: Trail, rule: str) -> Written | None:
        """A pattern with its fragments put in; None (and a complaint) where one is unknown or the whole becomes too long."""
        pieces: list[_Piece] = []
        text: list[str] = []
        length = end = 0
        for found in [*_FRAGMENT.finditer(raw), None]:
            start = found.start() if found else len(raw)
            pieces.append(_Piece(length, length + start - end, "", end))
            text.append(raw[end:start])
            length += start - end
            if found is None:
                break
            if found[1] not in self.define:
                hint = near(found[0], [f"${{{name}}}" for name in self.define], "fragments stand in [define]")
                what = f"there is no fragment {found[0]}"
                self.complain("E-REGEX", what, trail, rule=rule, hint=hint, find=found[0], width=len(found[0]))
                return None
            fragment = self.define[found[1]]
            pieces.append(_Piece(length, length + len(fragment), found[1], start))
            text.append(fragment)
            length += len(fragment)
            end = found.end()
            if length > MAX_PATTERN:
                break
        if length > MAX_PATTERN:
            what = f"a pattern has at most {MAX_PATTERN:,} characters, fragments put in"
            self.complain("E-LIMIT", what, trail, rule=rule, hint="split it in two patterns", find=raw, width=min(len(raw), 40))
            return None
        self._expanded += length
        if self._expanded > MAX_EXPANDED:
            self.complain("E-LIMIT", f"the patterns of a pack have at most {MAX_EXPANDED:,} characters together", trail, rule=rule)
            return None
        return Written(raw, "".join(text), tuple(pieces))

    def check(self, raw: str, trail: Trail, rule: str) -> Written | None:
        """A pattern of the subset that passes the gate; its groups and literals are `known` then. None, and a complaint, for any other."""
        written = self.expand(raw, trail, rule)
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
            costs = _costs(written.pattern) if self.gated else ""
            if not costs:
                doubtful = self.gated and work(written.pattern) > WATCHED_WORK
                self.known[written.pattern] = Known(parsed.groups, derive(parsed.tree), doubtful)
                return written
            hint = "bound the repeats tighter, or follow each by a mark or word that it cannot run over"
            self.complain("E-REDOS", costs, trail, rule=rule, hint=hint, find=raw, width=len(raw))
        self._refused.add(written.pattern)
        return None

    def check_apart(self, raw: str, trail: Trail, rule: str) -> Written | None:
        """A pattern that a rule with `engine = "regex"` may have: anything that `regex` reads, and short. It is `known` by `apart`."""
        written = self.expand(raw, trail, rule)
        if written is None or apart(written.pattern) in self.known:
            return written
        code, what = "E-REGEX", ""
        if len(written.pattern) > MAX_APART:
            code, what = "E-LIMIT", f"a pattern outside the portable subset has at most {MAX_APART:,} characters, fragments put in"
        else:
            try:
                compiled = regex.compile(written.pattern)
                what = "the pattern matches the empty text" if compiled.fullmatch("", timeout=PUMP_SECONDS) is not None else ""
            except (regex.error, TimeoutError, RecursionError, OverflowError, MemoryError) as error:
                what = str(error) or "it needs too much memory"
        if what:
            self.complain(code, what, trail, rule=rule, find=raw, width=len(raw))
            return None
        self.known[apart(written.pattern)] = Known(tuple(compiled.groupindex), None)
        return written

    def _point(self, written: Written, code: str, what: str, at: int, width: int, hint: str, trail: Trail, rule: str) -> None:
        """Complain at a place of the expanded pattern: in the pattern as written, or in the fragment (then once for all its users)."""
        piece = next((each for each in reversed(written.pieces) if each.start <= at), written.pieces[0])
        if piece.fragment:
            fragment = self.define[piece.fragment]
            offset = min(at - piece.start, max(0, len(fragment) - 1))
            self.complain(code, what, ("define", piece.fragment), hint=hint, find=fragment, offset=offset, width=width)
            return
        offset = piece.written + at - piece.start
        width = min(width, max(1, len(written.raw) - offset))
        self.complain(code, what, trail, rule=rule, hint=hint, find=written.raw, offset=offset, width=width)


def apart(pattern: str) -> str:
    """What a pattern outside the portable subset is known by: the same text may be another rule's pattern inside of it."""
    return f"apart {pattern}"


@lru_cache(maxsize=2_048)
def _costs(pattern: str) -> str:
    """Why a pattern does not pass the gate; "" when it does."""
    steps = work(pattern)
    if steps > MAX_WORK:
        return "its repeats multiply: one sentence could take longer than anybody waits"
    if steps <= SURE_WORK:
        return ""
    guarded, search = regex.compile(pattern), re.compile(pattern).search
    try:
        for text in islice(attack_strings(pattern), MAX_PUMPS):
            guarded.search(text, timeout=PUMP_SECONDS)
            for length in (250, 500, 1_000, len(text)):  # `re` runs unguarded, so it is led up to the whole
                begun = process_time()
                search(text[:length])
                if process_time() - begun > PUMP_SECONDS:
                    raise TimeoutError
    except TimeoutError:
        return f"on a hostile sentence it takes more than {PUMP_SECONDS:g} s"
    return ""
