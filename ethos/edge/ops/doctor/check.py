"""The result of a check, for people and programs."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal

from ethos.core.model.errors import Problem
from ethos.edge.jsonio.shapes import Json
from ethos.edge.render.report import clean, paint

Level = Literal["ok", "warn", "fail"]

_STYLE = {"ok": "green", "warn": "yellow", "fail": "red"}


@dataclass(frozen=True, slots=True)
class Check:
    """One result. matters: why it matters; do: what to type. Both are empty if all is well."""

    group: str
    level: Level
    name: str
    found: str
    matters: str = ""
    do: str = ""

    def data(self) -> Json:
        """Return the result as JSON."""
        return asdict(self)

    def lines(self, *, verbose: bool = False) -> list[str]:
        """Return the result as lines for a person; one line if all is well."""
        lines = [f"{paint(f'{self.level:<5}', _STYLE[self.level])} {self.name}: {clean(self.found)}"]
        if self.level != "ok" or verbose:
            lines += [f"      {clean(text)}" for text in (self.matters,) if text]
            lines += [f"      -> {clean(text)}" for text in (self.do,) if text]
        return lines


def well(group: str, name: str, found: str) -> Check:
    """Return a result: all is well."""
    return Check(group, "ok", name, found)


def warn(group: str, name: str, found: str, matters: str, do: str) -> Check:
    """Return a warning."""
    return Check(group, "warn", name, found, matters, do)


def fail(group: str, name: str, found: str, matters: str, do: str) -> Check:
    """Return a failure."""
    return Check(group, "fail", name, found, matters, do)


def quoted(group: str, name: str, problem: Problem, matters: str) -> Check:
    """Return a failure with the text of a problem."""
    found = f"{problem.where}: {problem.what}" if problem.where and problem.where not in problem.what else problem.what
    return fail(group, name, found, matters, problem.hint or "ethos doctor -v")
