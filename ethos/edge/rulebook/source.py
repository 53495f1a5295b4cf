"""A rule file as read: its bytes, its tables, and the line and column of every key, so that a problem can show its position."""

from __future__ import annotations

import os
import stat
import tomllib
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import regex

from ethos.core.rules.rule import RuleProblem

_MAX_FILE = 1_048_576  # bytes
SHARED = "shared"  # the folder of the files that packs name in `uses`

Table = Mapping[str, Any]
Trail = tuple[str | int, ...]  # the path of a key: ("rule", 2, "patterns")

_SHARED_NAME = regex.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_HEADER = regex.compile(r"^\s*\[(?P<array>\[)?\s*(?P<path>[\w.\s\"-]+?)\s*\]")
_KEY = regex.compile(r"^\s*(?P<key>[\w.-]+)\s*=\s*(?P<value>.?)")
_TEXT = regex.compile(r"""\"{3}(?:[^\\]|\\.)*?\"{3}|'{3}.*?'{3}|(?P<open>\"{3}|'{3})|"(?:[^"\\]|\\.)*"|'[^']*'|\#.*""")


class Broken(Exception):
    """A problem that ends the reading of a file."""

    def __init__(self, problem: RuleProblem) -> None:
        super().__init__(problem.what)
        self.problem = problem


class Source:
    """A TOML file with the position of each key. Raises `Broken` for anything that is not TOML."""

    def __init__(self, path: Path, data: bytes, shared: Sequence[Source] = ()) -> None:
        self.path = path
        self.data = data
        self.share(shared)
        try:
            self.text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise Broken(RuleProblem("E-TOML", str(path), f"not UTF-8 at byte {error.start}", hint="save the file as UTF-8")) from None
        self.lines = self.text.split("\n")
        try:
            self.table: Table = tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            place = regex.search(r"line (\d+), column (\d+)", str(error))
            line, column = (int(place[1]), int(place[2])) if place else (len(self.lines), len(self.lines[-1]) + 1)
            what = regex.sub(r" \(at .*\)$", "", str(error))
            hint = "save the file without a byte order mark" if self.text.startswith("\ufeff") else ""
            raise Broken(RuleProblem("E-TOML", str(path), what, line, column, source=self._line(line), hint=hint)) from None
        except (ValueError, RecursionError) as error:  # a number of thousands of digits, deeply nested brackets
            what = "nested too deeply" if isinstance(error, RecursionError) else "a number with too many digits"
            raise Broken(RuleProblem("E-TOML", str(path), what)) from None
        self._places: dict[Trail, tuple[int, int]] | None = None

    def share(self, shared: Sequence[Source]) -> None:
        """Take the files that it names in `uses`, and those that they name: what it says depends on them."""
        self.shared = tuple(shared)
        self.digest: str = blake2b(self.data + "".join(each.digest for each in shared).encode(), digest_size=16).hexdigest()

    def _line(self, line: int) -> str:
        return self.lines[line - 1].rstrip("\r") if 0 < line <= len(self.lines) else ""

    def problem(
        self, code: str, what: str, trail: Trail = (), *, rule: str = "", hint: str = "", find: str = "", offset: int = 0, width: int = 1
    ) -> RuleProblem:
        """Return a problem at a key's value, or at `offset` in the text `find` in or after it."""
        if self._places is None:
            self._places = _places(self.lines)
        known = trail
        while known and known not in self._places:
            known = known[:-1]
        line, column = self._places.get(known, (1, 1))
        if find and (at := self._find(find, line)) >= 0:
            at += offset
            line, column = self.text.count("\n", 0, at) + 1, at - self.text.rfind("\n", 0, at)
        else:
            width = 1
        return RuleProblem(code, str(self.path), what, line, column, rule, self._line(line), max(1, width), hint)

    def _find(self, wanted: str, line: int) -> int:
        """Return the offset of a text at or after a line; -1 if it is written differently there (with escapes)."""
        return self.text.find(wanted, sum(len(each) + 1 for each in self.lines[: line - 1]))


class SharedFiles:
    """Finds and reads the files of fragments and lists that packs name in `uses`: `shared/NAME.toml` beside the pack, or a shipped one."""

    def __init__(self, shipped: Path) -> None:
        self.shipped = shipped
        self._read: dict[Path, Source] = {}

    def used_by(self, source: Source) -> tuple[Source, ...]:
        """Return the files that a file names, and those that they name. Raises `Broken` if one is missing, or no TOML."""
        found: dict[Path, Source] = {}
        self._add(source, source.path.parent / SHARED, found)
        return tuple(found.values())

    def _add(self, source: Source, beside: Path, found: dict[Path, Source]) -> None:
        names = source.table.get("uses", [])
        if not isinstance(names, list) or not all(isinstance(name, str) and _SHARED_NAME.fullmatch(name) for name in names):
            raise Broken(source.problem("E-SCHEMA", "'uses' should be a list of names", ("uses",), hint='like uses = ["words-en"]'))
        for name in names:
            own = beside / f"{name}.toml"
            path = own if own.exists() else self.shipped / SHARED / own.name
            if path in found:
                continue
            if path not in self._read:
                if not path.exists():
                    what, hint = f"there is no shared file {name!r}", f"it is looked for in {beside}, and among the shipped ones"
                    raise Broken(source.problem("E-REFERENCE", what, ("uses",), hint=hint, find=name, width=len(name)))
                self._read[path] = Source(path, _bytes(path, own=path is own and beside != self.shipped / SHARED))
            found[path] = self._read[path]
            self._add(found[path], beside, found)


def read(path: Path, *, own: bool, shared: SharedFiles | None = None) -> Source:
    """Read a file, and the files of fragments that it uses. Raises `Broken` if one is missing, too large, or (a user's own) writable by
    others.
    """
    source = Source(path, _bytes(path, own=own))
    if shared is not None and "uses" in source.table:
        source.share(shared.used_by(source))
    return source


def _bytes(path: Path, *, own: bool) -> bytes:
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK), "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise _refused(path, "not a file")
            if own and status.st_mode & stat.S_IWOTH:
                raise _refused(path, "anybody on this machine can write this file", f"chmod o-w {path}")
            if own and status.st_uid not in {os.geteuid(), 0}:
                raise _refused(path, "this file belongs to another user", "copy it to a folder of your own")
            data = file.read(_MAX_FILE + 1)
    except OSError as error:
        raise _refused(path, (error.strerror or str(error)).lower()) from None
    if len(data) > _MAX_FILE:
        raise Broken(RuleProblem("E-LIMIT", str(path), f"a rule file has at most {_MAX_FILE:,} bytes", hint="split it into several packs"))
    return data


def _refused(path: Path, what: str, hint: str = "") -> Broken:
    return Broken(RuleProblem("E-FILE", str(path), what, hint=hint))


def _places(lines: Sequence[str]) -> dict[Trail, tuple[int, int]]:
    """Return line and column of each key's value. This is a second, rough pass, because `tomllib` reports no positions."""
    places: dict[Trail, tuple[int, int]] = {}
    counts: dict[Trail, int] = {}
    table: Trail = ()
    quote = ""
    for number, line in enumerate(lines, 1):
        if quote:
            _, closed, rest = line.partition(quote)
            quote = _opened(rest) if closed else quote
            continue
        header = _HEADER.match(line)
        if header:
            table = _table(tuple(name.strip().strip('"') for name in header["path"].split(".")), array=bool(header["array"]), counts=counts)
            places.setdefault(table, (number, line.index("[") + 1))
        elif found := _KEY.match(line):
            places.setdefault((*table, *found["key"].split(".")), (number, found.start("value") + 1))
        quote = _opened(line)
    return places


def _opened(line: str) -> str:
    """Return the quotation mark of a text that begins in this line and goes on in the next; "" if there is none."""
    return next((text["open"] for text in _TEXT.finditer(line) if text["open"]), "")


def _table(names: Sequence[str], *, array: bool, counts: dict[Trail, int]) -> Trail:
    """Return the path of a header: a name that is an array of tables is followed by the index of its latest table."""
    trail: Trail = ()
    for index, name in enumerate(names):
        trail = (*trail, name)
        if array and index == len(names) - 1:
            counts[trail] = counts.get(trail, -1) + 1
        if trail in counts:
            trail = (*trail, counts[trail])
    return trail
