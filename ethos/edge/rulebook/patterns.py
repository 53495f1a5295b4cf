"""Check the patterns of a rule file: insert fragments, parse the portable subset, derive literals, and refuse patterns that could take too
long.
"""

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
from ethos.edge.rulebook.validation import FieldReader, suggest

MAX_EXPANDED = 4_194_304  # characters of all patterns of a pack together, with fragments inserted
MAX_REGEX = 1_000  # characters of a pattern outside the portable subset, with fragments inserted
MAX_PUMPS = 14  # sentences that a doubtful pattern is tried on
PUMP_SECONDS = 0.1  # processor time for one of them, which is as long as a sentence can be

_FRAGMENT = regex.compile(r"\$\{(\w+)\}")


class Known(NamedTuple):
    """The results of checking a pattern: its groups, its literals if it has any, and whether the cost check was unsure."""

    groups: tuple[str, ...]
    literals: Literals | None
    doubtful: bool = False


class _Piece(NamedTuple):
    """A part of an expanded pattern and its source: a fragment, or (no name) the pattern as written."""

    start: int
    end: int
    fragment: str
    written: int  # offset in the pattern as written


class Written(NamedTuple):
    """A pattern as written in the file, and with its fragments inserted."""

    raw: str
    pattern: str
    pieces: tuple[_Piece, ...]


class Patterns(FieldReader):
    """Checks the patterns of a file.

    known: results of an earlier check of the same patterns; they are not checked again. gated: run the cost check; the shipped patterns
    pass it in the tests of Ethos.
    """

    def __init__(self, source: Source, known: dict[str, Known] | None = None, *, gated: bool = True) -> None:
        super().__init__(source)
        self.known: dict[str, Known] = dict(known or {})
        self.gated = gated
        self.define: dict[str, str] = {}
        self._expanded = 0
        self._refused: set[str] = set()

    def fragments(self, table: Table) -> None:
        """Read [define]: the fragments that patterns may use."""
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
        """Return a pattern with its fragments inserted; complain and return None if one is unknown or the whole becomes too long."""
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
                hint = suggest(found[0], [f"${{{name}}}" for name in self.define], "fragments stand in [define]")
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
        """Check a pattern of the portable subset, and store its groups and literals in `known`. Complain and return None if it fails."""
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
            too_costly = _cost_problem(written.pattern) if self.gated else ""
            if not too_costly:
                doubtful = self.gated and work(written.pattern) > WATCHED_WORK
                self.known[written.pattern] = Known(parsed.groups, derive(parsed.tree), doubtful)
                return written
            hint = "bound the repeats tighter, or follow each by a mark or word that it cannot run over"
            self.complain("E-REDOS", too_costly, trail, rule=rule, hint=hint, find=raw, width=len(raw))
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
                what = "the pattern matches the empty text" if compiled.fullmatch("", timeout=PUMP_SECONDS) is not None else ""
            except (regex.error, TimeoutError, RecursionError, OverflowError, MemoryError) as error:
                what = str(error) or "it needs too much memory"
        if what:
            self.complain(code, what, trail, rule=rule, find=raw, width=len(raw))
            return None
        self.known[regex_key(written.pattern)] = Known(tuple(compiled.groupindex), None)
        return written

    def _point(self, written: Written, code: str, what: str, at: int, width: int, hint: str, trail: Trail, rule: str) -> None:
        """Complain at a position of the expanded pattern: in the pattern as written, or in the fragment (then once for all its users)."""
        piece = next((each for each in reversed(written.pieces) if each.start <= at), written.pieces[0])
        if piece.fragment:
            fragment = self.define[piece.fragment]
            offset = min(at - piece.start, max(0, len(fragment) - 1))
            self.complain(code, what, ("define", piece.fragment), hint=hint, find=fragment, offset=offset, width=width)
            return
        offset = piece.written + at - piece.start
        width = min(width, max(1, len(written.raw) - offset))
        self.complain(code, what, trail, rule=rule, hint=hint, find=written.raw, offset=offset, width=width)


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
            guarded.search(text, timeout=PUMP_SECONDS)
            for length in (250, 500, 1_000, len(text)):  # `re` has no timeout, so start with short texts
                begun = process_time()
                search(text[:length])
                if process_time() - begun > PUMP_SECONDS:
                    raise TimeoutError
    except TimeoutError:
        return f"on a hostile sentence it takes more than {PUMP_SECONDS:g} s"
    return ""
