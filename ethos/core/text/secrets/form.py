"""Form of secret: a name, the literals that begin each of its matches, and how to find the secret where one of them stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Protocol

import regex

Match = regex.Match[str]
Span = tuple[int, int]


class Form(Protocol):
    """One form of secret. It is tried where one of its literals stands."""

    @property
    def name(self) -> str:
        """Return the name that stands in the mark."""

    @property
    def literals(self) -> tuple[str, ...]:
        """Return the strings without one of which there is no secret of this form."""

    def spans_at(self, text: str, position: int) -> Iterable[Span]:
        """Return the spans of the secrets that belong to the literal at this position."""


class PatternForm:
    """Find a secret by a pattern, which is compiled at its first use. The group `value`, else the whole match, is the secret."""

    def __init__(self, name: str, literals: str, source: str, accepts: Callable[[Match], bool] | None = None) -> None:
        self.name = name
        self.literals = tuple(literals.split("|"))
        self.source = source
        self.accepts = accepts

    @cached_property
    def pattern(self) -> regex.Pattern[str]:
        """Compile the source."""
        return regex.compile(self.source)

    def spans_at(self, text: str, position: int) -> Iterable[Span]:
        """Return the span of the secret whose literal is at this position, if there is one."""
        match = self.pattern.match(text, position)
        if match is None or (self.accepts is not None and not self.accepts(match)):
            return ()
        return (match.span("value" if "value" in self.pattern.groupindex else 0),)


class ReaderForm:
    """Find secrets by a function of the text and the position of the literal."""

    def __init__(self, name: str, literals: Iterable[str], read: Callable[[str, int], Iterable[Span]]) -> None:
        self.name = name
        self.literals = tuple(dict.fromkeys(literals))
        self.spans_at = read


def cases(*names: str) -> str:
    """Return each name in the cases people write it in, joined by bars; names of several words also written together or with a joint."""
    found: list[str] = []
    for name in names:
        for joint in ("", " ", "_", "-") if " " in name else ("",):
            first, *rest = name.split()
            words = [joint.join((first, *rest)), joint.join((first.capitalize(), *rest)), joint.join((first.upper(), *rest))]
            titled = [joint.join((case, *map(str.capitalize, rest))) for case in (first, first.capitalize(), first.upper())]
            found += [*words, *titled, words[0].upper()]
    return "|".join(dict.fromkeys(found))
