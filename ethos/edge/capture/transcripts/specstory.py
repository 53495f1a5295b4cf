"""specstory: the Markdown history of SpecStory. A turn begins with a line `_**User**_` or `_**Assistant**_` and ends before the next one.

A user header inside a fence is forged, or the mark of a fence before it is missing; in doubt its text is not the user's. Newer files write
a time into the header; otherwise it is the file name's, a second apart to keep the order. The project is that of the folder that holds the
history.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import BinaryIO

import regex

from ethos.core.model.ids import digest
from ethos.core.model.records import Role
from ethos.core.model.settings import CaptureSettings
from ethos.core.text.foreign.enclosed import closed_fences, within
from ethos.edge.capture.transcripts.documents import content
from ethos.edge.capture.transcripts.identity import among_neighbours
from ethos.edge.capture.transcripts.injected import MEMORY, REMINDERS, Tags
from ethos.edge.capture.transcripts.lines import mend
from ethos.edge.capture.transcripts.moments import time_in
from ethos.edge.capture.transcripts.projects import project_of
from ethos.edge.capture.transcripts.turn import ORIGINS, Format, Item, Json, Place, Skipped, Turn
from ethos.edge.files.spelling import spelled

_NAMES = re.compile(r"^\d{4}-\d\d-\d\d_\d\d-\d\d(?:-\d\d)?[Z-].*\.md\Z", re.DOTALL)
_NAMED = regex.compile(r"^(\d{4}-\d\d-\d\d)_(\d\d)-(\d\d)(?:-(\d\d))?(?:Z|-|$)")
_HEADER = regex.compile(r"^_\*\*(User|Assistant|Agent)\b([^\n]{0,200}?)\*\*_[ \t]*$", regex.MULTILINE)
_TIME = regex.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:?\d\d)?")
_SESSION = regex.compile(r"^<!-- [^\n>]{1,60}? Session ([\w-]{8,64})\b[^\n]{0,200}-->", regex.MULTILINE)
_RULE = regex.compile(r"\n?^-{3,}[ \t]*\Z", regex.MULTILINE)
_USER = Tags((*REMINDERS, *MEMORY))
_ASSISTANT = Tags(("think", "thinking", "tool-use", "details"))  # folded thoughts and tool calls


def _headers(text: str) -> list[regex.Match[str]]:
    """Return the headers of the turns. If headers have times, one without a time is no header.

    A forged header outside a fence, with a time where the others have one, cannot be recognised.
    """
    found = list(_HEADER.finditer(text))
    timed = [head for head in found if _TIME.search(head[2])]
    return timed if timed and timed[0] is found[0] else found


def _started(place: Place) -> datetime:
    """Return the time in the file's name, taken as UTC, else the file's modification time."""
    if name := _NAMED.match(place.file):
        try:
            return datetime.fromisoformat(f"{name[1]}T{name[2]}:{name[3]}:{name[4] or '00'}").replace(tzinfo=UTC)
        except ValueError:  # digits that are no date
            return place.modified
    return place.modified


def _read(place: Place, stream: BinaryIO, settings: CaptureSettings) -> Iterator[Item]:  # noqa: ARG001 (the form of every format)
    text = str(mend(content(stream, place).decode("utf-8-sig", "replace").replace("\r\n", "\n")))
    headers, fenced = _headers(text), closed_fences(text)
    named = _SESSION.search(text, 0, headers[0].start() if headers else len(text))
    session, former = (named[1], ("specstory", named[1])) if named else (place.stem, (f"specstory:{place.file}", ""))
    memory: dict[str, str] = {}
    home, inside, _ = place.folder.rpartition("/.specstory/")
    project = spelled(project_of(home)) if inside else "default"
    started, line, counted = _started(place), 1, 0
    for ordinal, header in enumerate(headers, 1):
        line += text.count("\n", counted, header.start())
        counted = header.start()
        where = place.at(line)
        role: Role = "user" if header[1] == "User" and not within(fenced, header.start()) else "assistant"
        if "not sent" in header[2] or "sidechain" in header[2]:
            yield Skipped("not sent" if "not sent" in header[2] else "sub-agent", where)
            continue
        end = headers[ordinal].start() if ordinal < len(headers) else len(text)
        body = _RULE.sub("", text[header.end() : end].strip()).strip()
        near = among_neighbours(memory, ordinal, role, header[2].strip(), body)
        said = (_USER if role == "user" else _ASSISTANT).strip(body)
        if not said:
            yield Skipped("injected text only" if body else "empty text", where)
            continue
        time = time_in(found[0]) if (found := _TIME.search(header[2])) else None
        yield Turn(
            key=("specstory", *((named[1], str(ordinal), digest(role, body)) if named else (project, *place.occasion, *near))),
            former=(*former, f"{ordinal}/{digest(role, body)}"),
            anywhere=bool(named),
            session=session,
            project=project,
            role=role,
            speaker=role,
            origin=ORIGINS[role],
            text=said,
            said_at=time or started + timedelta(seconds=ordinal - 1),
            time_source="said" if time else place.time_source,
            source=place.name,
            line=line,
        )


def _recognises(records: Sequence[Json], text: str, name: str) -> bool:
    return not records and name.lower().endswith((".md", ".markdown")) and ("SpecStory" in text[:200] or bool(_HEADER.search(text)))


FORMAT = Format("specstory", "the Markdown history of SpecStory", _recognises, whole=_read, names=_NAMES)
