"""A form of secret: a name, the literals that begin each of its matches, and a search for the secret at a literal."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Protocol

import regex

Match = regex.Match[str]
Span = tuple[int, int]


class SecretForm(Protocol):
    """One form of secret. It is tried at each of its literals."""

    @property
    def name(self) -> str:
        """Return the name that is shown in the mask."""

    @property
    def literals(self) -> tuple[str, ...]:
        """Return the literals; a text without any of them has no secret of this form."""

    def spans_at(self, text: str, position: int) -> Iterable[Span]:
        """Return the spans of the secrets that belong to the literal at this position."""


class PatternForm:
    """Find a secret by a pattern, compiled on first use. The group `value`, else the whole match, is the secret."""

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
    """Return each name in the cases people write it in, joined by bars; words of one name are also written together or with a separator."""
    found: list[str] = []
    for name in names:
        for joint in ("", " ", "_", "-") if " " in name else ("",):
            first, *rest = name.split()
            words = [joint.join((first, *rest)), joint.join((first.capitalize(), *rest)), joint.join((first.upper(), *rest))]
            titled = [joint.join((case, *map(str.capitalize, rest))) for case in (first, first.capitalize(), first.upper())]
            found += [*words, *titled, words[0].upper()]
    return "|".join(dict.fromkeys(found))
