"""The words by which episodes are compared, as `rules/lessons.toml` lists them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

from ethos.core.text.phrases import Phrases

GENERAL = "_general"  # the group of episodes that are about nothing in particular (H-17)
_NOTHING = re.compile(r"(?!)")


@dataclass(frozen=True)
class EntityKind:
    """A kind of thing that an episode may be about (X-H8); the file says what each list means."""

    name: str
    words: tuple[str, ...] = ()
    exact: frozenset[str] = frozenset()
    fields: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    one: bool = False
    upper: bool = False

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        """Return what a name in running text looks like, word-bounded (H-14)."""
        parts = []
        if self.words:
            parts.append(rf"(?i:\b(?:{_any(self.words)})\b)")
        if self.endings:
            parts.append(rf"\b[A-Z]\w*(?:{_any(self.endings)})\b")
        return re.compile("|".join(parts)) if parts else _NOTHING

    @cached_property
    def _names(self) -> Phrases:
        """Return the names folded: a text without any of them has no name of this kind but by its ending."""
        return Phrases(map(str.casefold, self.words))

    def in_text(self, text: str) -> list[str]:
        """Return the names in a text, each once, as they are shown."""
        places = self._names.starts(text.casefold()) if self.words else ()
        if not places and not any(map(text.__contains__, self.endings)):
            return []
        matches = self._matches_at(text, places) if text.isascii() and not self.endings else self._pattern.finditer(text)
        return list(dict.fromkeys(self.shown(match.group()) for match in matches if self._counts(text, match)))

    def _matches_at(self, text: str, places: Iterable[int]) -> Iterator[re.Match[str]]:
        """Yield the names that begin at these places, which are all at which one does: in a part of the time of a search."""
        end = 0
        for at in places:
            if at >= end and (match := self._pattern.match(text, at)) is not None:
                end = match.end()
                yield match

    def shown(self, name: str) -> str:
        """Return a name as it is shown: "BTC" of "btc"."""
        return name.upper() if self.upper else name

    def _counts(self, text: str, match: re.Match[str]) -> bool:
        """Return whether an everyday word is written as a name (X-H4)."""
        name = match.group()
        return name.upper() not in self.exact or name.isupper() or text[match.start() - 1 : match.start()] == "$"


@dataclass(frozen=True)
class Vocabulary:
    """Everything that the file says."""

    entities: tuple[EntityKind, ...] = ()
    numbers: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    code_words: tuple[str, ...] = ()
    success: tuple[str, ...] = ()
    failure: tuple[str, ...] = ()
    only_in_fields: frozenset[str] = frozenset()
    negations: tuple[str, ...] = ()
    unexplaining: frozenset[str] = frozenset()

    def __add__(self, more: Vocabulary) -> Vocabulary:
        """Return both; of a field that both name, the one that comes first decides."""
        return Vocabulary(**{each.name: _joined(getattr(self, each.name), getattr(more, each.name)) for each in fields(self)})

    def may_name(self, text: str) -> bool:
        """Return whether a thing of any kind may be named in a running text. False is certain, and told by one look."""
        return self._names.stand_in(text.casefold()) or any(map(text.__contains__, self._endings))

    def word(self, value: str) -> bool | None:
        """Return whether the value of a field is a word of success; None where it is a word of neither."""
        return self._verdicts.get(_low(value).strip())

    def said(self, text: str) -> bool | None:
        """Return whether a text says that it went well; None where it says nothing, or both."""
        low = _low(text)
        if not self._telling.starts(low):
            return None
        found = {int(match.group(1)) == 0 for match in self._code.finditer(low)} if self.code_words else set()
        for match in self._words.finditer(low):
            if (word := match["word"]) not in self.only_in_fields:
                found.add(self._verdicts[word] is not bool(match["not"]))
        return found.pop() if len(found) == 1 else None

    @cached_property
    def _names(self) -> Phrases:
        return Phrases(word.casefold() for kind in self.entities for word in kind.words)

    @cached_property
    def _endings(self) -> tuple[str, ...]:
        return tuple(ending for kind in self.entities for ending in kind.endings)

    @cached_property
    def _verdicts(self) -> Mapping[str, bool]:
        return {**{_low(each): False for each in self.failure}, **{_low(each): True for each in self.success}}

    @cached_property
    def _telling(self) -> Phrases:
        """Return the phrases that tell an outcome: a text without any of them tells none."""
        return Phrases((*(self._verdicts.keys() - self.only_in_fields), *self.code_words))

    @cached_property
    def _words(self) -> re.Pattern[str]:
        """Return a pattern of the words, longest first, with the negation up to one word before."""
        if not self._verdicts:
            return _NOTHING
        return re.compile(rf"(?:\b(?P<not>{_any(map(_low, self.negations))})\s+(?:\w+\s+)?)?\b(?P<word>{_any(self._verdicts)})\b")

    @cached_property
    def _code(self) -> re.Pattern[str]:
        return re.compile(rf"\b(?:{_any(self.code_words)})[:\s]+(\d{{1,3}})\b")


def _joined(one: Any, other: Any) -> Any:
    return one | other if isinstance(one, frozenset) else one + other


def _any(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))


def _low(text: str) -> str:
    return text.casefold().replace("\u2019", "'")
