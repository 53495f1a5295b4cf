"""jsonl: our own episode lines: one object a line with `role`, `text` and `said_at`. A given `id` is kept."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from datetime import datetime
from typing import TypeGuard, get_args

from ethos.core.model.errors import Problem
from ethos.core.model.ids import digest
from ethos.core.model.records import Role, TimeSource
from ethos.edge.capture.transcripts.identity import among_neighbours, at_its_time
from ethos.edge.capture.transcripts.moments import moment
from ethos.edge.capture.transcripts.turn import ORIGINS, EachLine, Format, Item, Json, Noted, Place, Skipped, Turn
from ethos.edge.jsonio.shapes import NAMES

ROLES: tuple[Role, ...] = get_args(Role)
KNOWN = frozenset({"id", "role", "speaker", "text", "said_at", "session", "project", "importance", "kind", "tone", "tags"})
_LONGEST_NAME = 512  # characters of an id, a session, a project, a speaker, a kind or a tag


def begins_export(record: Json) -> bool:
    """Return whether this is the first line of what `ethos export` wrote."""
    return record.get("ethos") == "export" and "text" not in record


def an_export(place: Place) -> Problem:
    """Return the problem of an export of Ethos where a transcript is expected: as one it would lose its facts, runs and questions."""
    file = "FILE" if place.time_source == "received" else shlex.quote(place.name)
    return Problem("bad-input", "this is an export of Ethos, not a transcript", f"ethos import {file}", place.name)


class _Wrong(Exception):
    """A field has a wrong value; the message describes it."""


def _text(record: Json, name: str) -> str | None:
    """Return a short text field; None if it is missing or null."""
    value = record.get(name)
    if value is None:
        return None
    if not isinstance(value, str):
        raise _Wrong(f'"{name}" must be text, found {NAMES[type(value)]}')
    if len(value) > _LONGEST_NAME:
        raise _Wrong(f'"{name}" has {len(value)} characters, more than {_LONGEST_NAME}')
    return value.strip() or None


def _number(record: Json, name: str, low: float) -> float | None:
    """Return a number in `low`..1; None if it is missing or null."""
    value = record.get(name)
    if value is None:
        return None
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise _Wrong(f'"{name}" must be a number, found {NAMES[type(value)]}')
    if not low <= value <= 1:
        raise _Wrong(f'"{name}" must lie between {low:g} and 1, found {value:g}')
    return float(value)


def _tags(record: Json) -> tuple[str, ...]:
    value = record.get("tags")
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(tag, str) and len(tag) <= _LONGEST_NAME for tag in value):
        raise _Wrong('"tags" must be a list of short texts')
    return tuple(value)


def _is_role(value: object) -> TypeGuard[Role]:
    return value in ROLES if isinstance(value, str) else False


class _Reader(EachLine):
    """Read lines one by one. `memory` holds what `identity` needs of the lines before."""

    def feed(self, number: int, record: Json) -> Sequence[Item]:
        """Return one turn, after a note for each oddity in it."""
        where = self._place.at(number)
        if "export" in self.memory:
            return [Skipped("a line of an export of Ethos", where)]
        if begins_export(record):  # standard input, or a format that was named: `detect` refuses any other file
            self.memory["export"] = where
            return [an_export(self._place)]
        if "source" not in self.memory:
            self.memory["source"] = self._formerly(record)
        notes: list[Item] = []
        if not KNOWN.issuperset(record):
            notes.extend(Noted(f"unknown key: {name[:64]}", where) for name in record if name not in KNOWN)
        try:
            text = record.get("text")
            if not isinstance(text, str):
                raise _Wrong(f'"text" must be text, found {NAMES[type(text)]}' if "text" in record else '"text" is missing')
            if not text or text.isspace():
                return [*notes, Skipped("empty text", where)]
            said_at, time_source = self._said_at(record, where, notes)
            notes.append(self._turn(number, record, text, said_at, time_source))
        except _Wrong as wrong:
            return [Problem("bad-input", str(wrong), "mend or delete the line; the other lines were read", where)]
        return notes

    def _formerly(self, first: Json) -> str:
        """Return the name of a transcript in versions before 0.2: by its first line if that has a time, else by the file's name."""
        if first.get("said_at") is None:
            return self._place.file
        return digest(*(str(first.get(name)) for name in ("role", "text", "said_at", "session")))

    def _said_at(self, record: Json, where: str, notes: list[Item]) -> tuple[datetime, TimeSource]:
        value = record.get("said_at")
        if value is None:
            notes.append(Noted(f"no said_at: {self._place.instead}", where))
            return self._place.modified, self._place.time_source
        found = moment(value)
        if found is None:
            raise _Wrong(f'"said_at" must be a time like 2026-03-01T09:30:00Z, found {str(value)[:40]!r}')
        if found[1]:
            notes.append(Noted("said_at without a time zone: taken as UTC", where))
        return found[0], "said"

    def _turn(self, number: int, record: Json, text: str, said_at: datetime, time_source: TimeSource) -> Turn:
        role = record.get("role")
        if not _is_role(role):
            raise _Wrong(f'"role" must be one of {", ".join(ROLES)}, found {str(role)[:40]!r}' if "role" in record else '"role" is missing')
        session = _text(record, "session") or ""
        project = _text(record, "project") or "default"
        speaker = _text(record, "speaker") or role
        given = _text(record, "id")
        words = (project, session, role, speaker, text)
        near = among_neighbours(self.memory, number, *words)
        timed = at_its_time(self.memory, said_at.isoformat(), *words) if time_source == "said" else None
        unnamed = given is not None or (timed is None and self._place.occasion)
        return Turn(
            key=("jsonl", "given", given) if given else ("jsonl", *(timed or (*self._place.occasion, *near))),
            former=None if unnamed else (f"jsonl:{self.memory['source']}", session, f"{number}/{digest(role, text)}"),
            session=session or self._place.stem,
            project=project,
            role=role,
            speaker=speaker,
            origin=ORIGINS[role],
            text=text,
            said_at=said_at,
            time_source=time_source,
            source=self._place.name,
            line=number,
            id=given,
            importance=_number(record, "importance", 0.0),
            kind=_text(record, "kind") or "episode",
            tone=_number(record, "tone", -1.0) or 0.0,
            tags=_tags(record),
        )


def _recognises(records: Sequence[Json], text: str, name: str) -> bool:  # noqa: ARG001 (the form of every format)
    return any("role" in record and "text" in record for record in records)


FORMAT = Format("jsonl", "episode lines: one object a line with role, text and said_at", _recognises, lines=_Reader)
