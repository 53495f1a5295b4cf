"""Arguments: what an action takes, declared once as a dataclass. From its fields and their types come the check and the usage line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, TypeVar, get_origin, get_type_hints

from ethos.core.model.errors import Refused, refuse
from ethos.edge.capture.transcripts.moments import moment
from ethos.edge.jsonio.schema import Unfit, declared, made, words

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Takes = TypeVar("Takes", bound="DataclassInstance")


def take(action: str, takes: type[Takes], given: Mapping[str, object]) -> Takes:
    """Return an instance of `takes`, from these arguments as JSON has them. Raises Refused with what would be right."""
    wanted = {field.name for field in fields(takes)}
    if unknown := [name for name in given if name not in wanted]:
        raise _wrong(action, takes, f'{action} takes no "{unknown[0][:80]}"')
    try:
        return made(takes, given, _time)
    except Unfit as unfit:
        raise _wrong(action, takes, str(unfit)) from None


def misfit(takes: type[DataclassInstance], given: Mapping[str, object]) -> Unfit | None:
    """Return what is wrong with these arguments as JSON has them; None where they fit. All of them are fields of `takes`."""
    try:
        made(takes, given, _time)
    except Unfit as unfit:
        return unfit
    return None


def usage(action: str, takes: type[DataclassInstance]) -> str:
    """Return the action as a line: its arguments with what each is; brackets where one may be left out."""
    shown = [f'"action": "{action}"']
    for field in fields(takes):
        told = f'"{field.name}": {words(declared(takes)[field.name])}'
        shown.append(told if field.default is MISSING else f"[{told}]")
    return "{" + ", ".join(shown) + "}"


def meanings(takes: type[DataclassInstance]) -> dict[str, str]:
    """Return the meaning of each argument whose name does not say it."""
    hints = get_type_hints(takes, include_extras=True)
    return {name: hint.__metadata__[0] for name, hint in hints.items() if get_origin(hint) is Annotated}


def day_of(given: str | None) -> date | None:
    """Return the date that was given. Raises Refused."""
    try:
        return None if given is None else date.fromisoformat(given)
    except ValueError:
        raise refuse("usage", f"not a date: {given[:80] if given else given!r}", hint="a day such as 2026-03-01") from None


def _wrong(action: str, takes: type[DataclassInstance], what: str) -> Refused:
    return refuse("usage", what, hint=f"send {usage(action, takes)}")


_WHOLE_DAY = timedelta(days=1, microseconds=-1)  # a day alone means all of it: what was held when it ended


def _time(value: str) -> datetime | None:
    found = moment(value)
    if found is None:
        return None
    return found[0] + _WHOLE_DAY if len(value) == len("2026-03-01") else found[0]
