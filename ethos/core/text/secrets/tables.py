"""Columns of secrets: the values below a heading `password`, `token` and the like, in a table or a file with separators."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import regex

from ethos.core.text.secrets import names, values
from ethos.core.text.secrets.form import ReaderForm, Span, cases

_ROWS = 500
_WIDTH = 2_000  # characters of a row
_SEPARATORS = "|\t;,"
_EDGE = " \"'`*"
_NAMED = rf"(?i)(?:[\w ]{{1,20}}[ _-])?(?:(?P<password>{names.pattern((*names.PASSWORDS, 'pass'))})|{names.pattern(names.KEYS)})"
_RULE = regex.compile(r"[\s|:+-]+")


@cache
def _named() -> regex.Pattern[str]:
    """Compile the pattern of column names on first use."""
    return regex.compile(_NAMED)


def spans_at(text: str, position: int) -> Iterator[Span]:
    """Yield the spans of the values below the cell at this position, if its line is the header of a table."""
    start = text.rfind("\n", max(0, position - _WIDTH), position) + 1
    stop = text.find("\n", position, position + _WIDTH)
    if stop < 0:
        return
    head = text[start:stop]
    separator = next((each for each in _SEPARATORS if each in head), None)
    if separator is None or (separator != "|" and sum(map(bool, map(str.strip, head.split(separator)))) < 2):
        return  # a word with a comma behind it is an item of a list
    column = text.count(separator, start, position)
    named = _named().fullmatch(head.split(separator)[column].strip(_EDGE))
    if named is None:
        return
    count = head.count(separator)
    for row_start, row in _rows(text, stop + 1):
        cells = row.split(separator)
        if len(cells) - 1 != count or _named().fullmatch(cells[column].strip(_EDGE)):
            return
        value = cells[column].strip().strip(_EDGE)
        if value and _is_secret(value, password=named["password"] is not None):
            at = row_start + sum(map(len, cells[:column])) + column + cells[column].index(value)
            yield at, at + len(value)


def _is_secret(value: str, *, password: bool) -> bool:
    if len(value) < 6 or _RULE.fullmatch(value):
        return False
    return values.is_password(value, quoted=False, prose=True) if password else values.is_key(value, quoted=False)


def _rows(text: str, start: int) -> Iterator[tuple[int, str]]:
    for _ in range(_ROWS):
        stop = text.find("\n", start, start + _WIDTH)
        if stop < 0:
            stop = min(len(text), start + _WIDTH)
        if stop <= start:
            return
        yield start, text[start:stop]
        start = stop + 1


TABLES = (ReaderForm("password", (*names.literals(names.PASSWORDS), *names.literals(names.KEYS), *cases("pass").split("|")), spans_at),)
