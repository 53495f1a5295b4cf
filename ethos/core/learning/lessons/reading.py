"""Reading: what an episode is about, how it went, and what may explain it. Mostly from a JSON body; from its words where there is none."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple

from ethos.core.learning.lessons.observation import Observation, Value
from ethos.core.model.records import Episode
from ethos.core.rules.vocabulary import GENERAL, EntityKind, Vocabulary
from ethos.core.text.language.dates import WEEKDAYS

_LONGEST_WORD = 40  # characters of a text in a field that counts as a value, not as prose
_DEEPEST = 3  # levels of a JSON body that are read
TITLE_LENGTH = 200  # characters of a first line that is still a title
_PARTS_OF_DAY = ("night", "morning", "afternoon", "evening")
_SPEAKERS = frozenset({"user", "assistant", "tool", "system", "me", "i", ""})


class About(NamedTuple):
    """A thing that an episode is about: its kind ("symbol", "tag", "project" ...) and name; the name of the general group alone."""

    kind: str
    name: str

    def __str__(self) -> str:
        return self.name if self.kind in {"symbol", ""} else f"{self.kind} {self.name}"


@dataclass(frozen=True)
class Parts:
    """A title, a body, and what the body holds where it is JSON. A malformed one is text like any other (H-16)."""

    title: str
    body: str

    @cached_property
    def data(self) -> Mapping[str, Any]:
        """Return the JSON of the body; nothing where it is none."""
        if not self.body.startswith("{"):
            return {}
        try:
            found = json.loads(self.body)
        except (ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

    @property
    def text(self) -> str:
        """Return the body as a person reads it: the `text` of a JSON body, which may be missing."""
        if not self.body.startswith("{") or not self.data:
            return self.body
        text = self.data.get("text")
        return text if isinstance(text, str) else ""

    @cached_property
    def leaves(self) -> Mapping[str, Any]:
        """Return the values of the JSON by their path, "signals.funding"."""
        return _leaves(self.data, "", _DEEPEST)

    def first(self, paths: Iterable[str]) -> Any:
        """Return the first value that one of these paths has; None where none has one."""
        leaves = self.leaves if self.body.startswith("{") else None
        return next((value for path in paths if (value := leaves.get(path)) not in {None, ""}), None) if leaves else None


def parts_of(text: str) -> Parts:
    """Return the title and body of an episode: its first line, and the rest; a text that is all JSON has its title inside."""
    text = text.strip()
    if text.startswith("{"):
        parts = Parts("", text)
        title = parts.data.get("title")
        return Parts(title, text) if isinstance(title, str) else parts
    first, _, rest = text.partition("\n")
    return Parts(first.strip(), rest.strip()) if rest or len(first) <= TITLE_LENGTH else Parts("", text)


def named(kind: EntityKind, title: str | None, body: str | None) -> list[str]:
    """Return the things of one kind that are named: in a field of the JSON body, else in the title, else in the body (H-15)."""
    return _named(kind, Parts(title or "", body or ""))


def _named(kind: EntityKind, parts: Parts) -> list[str]:
    field = parts.first(kind.fields)
    if isinstance(field, str | int) and not isinstance(field, bool):
        return [kind.shown(str(field))]
    found = kind.in_text(parts.title)
    if not found or not kind.one:
        found = list(dict.fromkeys([*found, *kind.in_text(parts.text)]))
    return found[:1] if kind.one else found


def about(episode: Episode, parts: Parts, vocabulary: Vocabulary) -> list[About]:
    """Return everything that an episode is about; the general group where that is nothing (H-17, X-H8)."""
    found: list[About] = []
    if parts.body.startswith("{") or vocabulary.may_name(episode.text):  # else no kind need be looked for in title and body
        found += [About(kind.name, name) for kind in vocabulary.entities for name in _named(kind, parts)]
    found += [About("tag", tag) for tag in episode.tags]
    if episode.project not in {"", "default"}:
        found.append(About("project", episode.project))
    if episode.speaker.casefold() not in _SPEAKERS and episode.speaker.casefold() != episode.user.casefold():
        found.append(About("person", episode.speaker))
    return list(dict.fromkeys(found)) or [About("", GENERAL)]


def outcome(parts: Parts, vocabulary: Vocabulary, *, words: bool = True) -> bool | None:
    """Return whether an episode went well; None where nothing says so. words: also by the words of the text."""
    number = parts.first(vocabulary.numbers)
    if _is_number(number):
        return None if number == 0 else bool(number > 0)
    code = parts.first(vocabulary.codes)
    if _is_number(code):
        return bool(code == 0)
    field = parts.first(vocabulary.fields)
    if isinstance(field, bool):
        return field
    if isinstance(field, str) and (verdict := vocabulary.word(field)) is not None:
        return verdict
    if not words:
        return None
    return vocabulary.said(f"{parts.title}\n{text}" if (text := parts.text) else parts.title)


def features(episode: Episode, parts: Parts, vocabulary: Vocabulary) -> dict[str, Value]:
    """Return what may explain the outcome: the short values of the JSON body, the tags, the day of the week and the part of the day."""
    found: dict[str, Value] = {}
    for path, value in parts.leaves.items():
        name = path.removeprefix("signals.")
        if name.rpartition(".")[2].casefold() in vocabulary.unexplaining:
            continue
        if isinstance(value, bool):
            found[name] = value
        elif _is_number(value):
            found[name] = float(value)
        elif isinstance(value, str) and 0 < len(value) <= _LONGEST_WORD and "\n" not in value:
            found[name] = value
    found |= {f"tag {tag}": True for tag in episode.tags}
    found["weekday"] = WEEKDAYS[episode.said_at.weekday()].title()
    found["part of the day"] = _PARTS_OF_DAY[episode.said_at.hour // 6]
    return found


def observe(episode: Episode, vocabulary: Vocabulary, also: Iterable[str] = ()) -> tuple[list[About], Observation | None]:
    """Return what an episode is about, and what can be counted of it; None where it does not say how it went.

    also: marks of it that stand elsewhere, such as the rules that read something in it. The words of an assistant's turn do not tell an
    outcome: it says that it succeeded whether it did or not.
    """
    parts = parts_of(episode.text)
    good = outcome(parts, vocabulary, words=episode.kind != "episode" or episode.role in {"user", "tool"})
    things = about(episode, parts, vocabulary)
    if good is None:
        return things, None
    found = features(episode, parts, vocabulary) | dict.fromkeys(also, True)
    found |= {f"{thing.kind} {thing.name}": True for thing in things if thing.kind in {"tool", "person"}}
    return things, Observation(episode.id, episode.said_at, episode.session, good, found)


def shown_time(at: datetime) -> str:
    """Return a time as a prompt shows it: the first sixteen characters (H-19)."""
    return at.isoformat()[:16]


def _leaves(data: Mapping[str, Any], before: str, deep: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in data.items():
        if isinstance(value, dict):
            if deep > 1:
                found |= _leaves(value, f"{before}{name}.", deep - 1)
        elif not isinstance(value, list):
            found[before + name] = value
    return found


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value == value and abs(value) != float("inf")  # noqa: PLR0124
