"""A check, as it is told to people and to programs."""

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
    """One thing looked at. `matters`: why it is worth a thought; `do`: what to type; both empty where all is well."""

    group: str
    level: Level
    name: str
    found: str
    matters: str = ""
    do: str = ""

    def data(self) -> Json:
        """For programs."""
        return asdict(self)

    def lines(self, *, verbose: bool = False) -> list[str]:
        """For people; what is well takes one line."""
        lines = [f"{paint(f'{self.level:<5}', _STYLE[self.level])} {self.name}: {clean(self.found)}"]
        if self.level != "ok" or verbose:
            lines += [f"      {clean(text)}" for text in (self.matters,) if text]
            lines += [f"      -> {clean(text)}" for text in (self.do,) if text]
        return lines


def well(group: str, name: str, found: str) -> Check:
    """As it should be."""
    return Check(group, "ok", name, found)


def warn(group: str, name: str, found: str, matters: str, do: str) -> Check:
    """Worth a thought."""
    return Check(group, "warn", name, found, matters, do)


def fail(group: str, name: str, found: str, matters: str, do: str) -> Check:
    """Something does not work."""
    return Check(group, "fail", name, found, matters, do)


def quoted(group: str, name: str, problem: Problem, matters: str) -> Check:
    """What a refusal says."""
    found = f"{problem.where}: {problem.what}" if problem.where and problem.where not in problem.what else problem.what
    return fail(group, name, found, matters, problem.hint or "ethos doctor -v")
