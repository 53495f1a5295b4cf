"""memory-file: CLAUDE.md, AGENTS.md and GEMINI.md, in which users tell agents what to do, and MEMORY.md, in which agents take notes.

Each item of a list and each paragraph is an episode: of the assistant in notes of agents, of nobody known in the first three, because such
a file may have come with a repository. Read as `my-memory-file`, these are the user's. Headings and comments are left out, and so is the
block that `ethos profile --write` keeps. Such a file is read where it is named, not in a folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from ethos.core.learning.summaries.managed_block import Unreadable, take
from ethos.core.model.errors import refuse
from ethos.core.model.ids import digest
from ethos.core.model.records import Role
from ethos.core.model.settings import CaptureSettings
from ethos.edge.capture.transcripts.documents import content
from ethos.edge.capture.transcripts.lines import mend
from ethos.edge.capture.transcripts.projects import project_of
from ethos.edge.capture.transcripts.turn import ORIGINS, Format, Item, Json, Place, Skipped, Turn
from ethos.edge.files.spelling import spelled

_OF_USERS = frozenset({"claude.md", "claude.local.md", "agents.md", "agents.override.md", "gemini.md"})
_OF_AGENTS = frozenset({"memory.md", "dreams.md"})
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^\n]*\n.*?(?:^[ \t]*(?:```|~~~)[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}(?:\s|$)|[ \t]*(?:-{3,}|\*{3,}|_{3,}|={3,})[ \t]*$")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")


def statements(text: str) -> Iterator[tuple[int, str]]:
    """Yield each item of a list and each paragraph of Markdown, with the number of its first line."""
    for pattern in (_COMMENT, _FENCE):
        text = pattern.sub(lambda found: "\n" * found[0].count("\n"), text)
    begun, said = 0, list[str]()
    for number, line in enumerate((*text.split("\n"), ""), 1):
        item = _ITEM.match(line)
        apart = not line.strip() or _HEADING.match(line) is not None
        if (apart or item is not None) and said:
            yield begun, " ".join(said)
            said = []
        if not apart:
            begun = begun if said else number
            said.append((line[item.end() :] if item is not None else line).strip())


def _read(place: Place, stream: BinaryIO, settings: CaptureSettings) -> Iterator[Item]:  # noqa: ARG001 (the form of every format)
    return _turns(place, stream, "system")


def _read_mine(place: Place, stream: BinaryIO, settings: CaptureSettings) -> Iterator[Item]:  # noqa: ARG001 (the form of every format)
    return _turns(place, stream, "user")


def _turns(place: Place, stream: BinaryIO, whose: Role) -> Iterator[Item]:
    """Yield the statements as turns; whose: the role that they have in a file for users, not for agents."""
    text = str(mend(content(stream, place).decode("utf-8-sig", "replace")))
    try:
        own = take(text)
    except Unreadable as unreadable:
        raise refuse("bad-input", f"the block that Ethos wrote is damaged: {unreadable}", where=place.name) from None
    if own != text:
        yield Skipped("the block of Ethos", place.name)
    role: Role = whose if place.file.lower() in _OF_USERS else "assistant"
    project = spelled(project_of(place.folder)) if place.folder else "default"
    for line, said in statements((own or "").replace("\r\n", "\n")):
        yield Turn(
            key=("memory-file", project, digest(role, said)),
            session=place.file,
            project=project,
            role=role,
            speaker=role,
            origin=ORIGINS[role],
            text=said,
            said_at=place.modified,
            time_source=place.time_source,
            source=place.name,
            line=line,
        )


def _recognises(records: Sequence[Json], text: str, name: str) -> bool:  # noqa: ARG001 (the form of every format)
    return name.lower() in _OF_USERS | _OF_AGENTS


def _never(records: Sequence[Json], text: str, name: str) -> bool:  # noqa: ARG001 (the form of every format)
    return False


FORMAT = Format("memory-file", "CLAUDE.md, AGENTS.md, GEMINI.md, MEMORY.md", _recognises, whole=_read)
MINE = Format("my-memory-file", "the same, written by the user alone", _never, whole=_read_mine)  # only who names it has it
