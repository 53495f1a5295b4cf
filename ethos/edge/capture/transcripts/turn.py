"""A turn: one utterance in a transcript, before it becomes an episode; and the other results of a reader."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import BinaryIO, Protocol

from ethos.core.model.errors import Problem
from ethos.core.model.records import Origin, Role, TimeSource
from ethos.core.model.settings import CaptureSettings

Json = Mapping[str, object]  # what another program wrote: nothing of it is known

ORIGINS: Mapping[Role, Origin] = {
    "user": Origin.USER,
    "assistant": Origin.ASSISTANT,
    "tool": Origin.TOOL,
    "system": Origin.EXTERNAL,  # prompts of a harness: no person said them
}


# Tools whose results are external text: pages, files, other agents. An unknown name counts as a tool of the harness.
_OUTSIDE = frozenset(
    """agent fetch notebookread read read_file readmcpresourcetool task view_image web_fetch web_search webfetch websearch
    browser open_url""".split()  # noqa: SIM905 (read as words)
)


def origin_of_tool(name: str) -> Origin:
    """Return the origin of a tool's results: those from MCP, the web, files and sub-agents are external."""
    folded = name.lower()
    return Origin.EXTERNAL if folded in _OUTSIDE or "__" in folded else Origin.TOOL


def word(record: object, name: str) -> str:
    """Return the text of a field; "" if it is missing or not text."""
    value = record.get(name) if isinstance(record, dict) else None
    return value if isinstance(value, str) else ""


@dataclass(frozen=True, slots=True)
class Place:
    """The file of a transcript.

    name: as the person named it, for messages and `Episode.source`. file: its last part alone, which stays when the file is moved.
    modified: its modification time in UTC, used if a turn has no time; `time_source` says so. folder: the absolute path of its folder, or
    "" if it has none.
    """

    name: str
    file: str
    modified: datetime
    time_source: TimeSource = "file"
    folder: str = ""

    @property
    def occasion(self) -> tuple[str, ...]:
        """Return the time of receipt, which distinguishes one standard input from another; empty for a file, which may have copies."""
        return (self.modified.isoformat(),) if self.time_source == "received" else ()

    @property
    def instead(self) -> str:
        """Return in words which time a turn without one gets."""
        return "the time of receipt is used" if self.time_source == "received" else "the file's modification time is used"

    @property
    def stem(self) -> str:
        """Return the file's name without its ending: the session if a transcript names none."""
        return self.file.rsplit(".", 1)[0] or self.file

    def at(self, line: int) -> str:
        """Return a position for messages, "talk.jsonl:14"."""
        return f"{self.name}:{line}"

    def timed(self, said_at: datetime | None, where: str) -> tuple[datetime, TimeSource, tuple[Noted, ...]]:
        """Return the time of a turn and its source. A turn that names none gets the time of the file, and a note about it."""
        if said_at is None:
            return self.modified, self.time_source, (Noted(f"no time: {self.instead}", where),)
        return said_at, "said", ()


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn. key: identifies it in any file; see `identity`.

    former: the parts of its id in versions before 0.2 (source, session, record); None if they cannot have known it. anywhere: the key holds
    in every project, so that an episode held under `former` is this one whatever its project.
    """

    key: tuple[str, ...]
    session: str
    project: str
    role: Role
    speaker: str
    origin: Origin
    text: str  # not empty; secrets not masked yet
    said_at: datetime  # aware, UTC
    time_source: TimeSource
    source: str  # `Place.name`
    line: int  # 0 if the format has no lines
    id: str | None = None  # a given id is kept
    former: tuple[str, str, str] | None = None
    anywhere: bool = False
    importance: float | None = None  # None: to be estimated
    kind: str = "episode"
    tone: float = 0.0
    tags: tuple[str, ...] = ()

    @property
    def where(self) -> str:
        """Return file and line, for messages."""
        return f"{self.source}:{self.line}" if self.line else self.source


@dataclass(frozen=True, slots=True)
class Skipped:
    """A record that is correctly no turn. reason: one of few ("empty text", "meta"), so that it can be counted."""

    reason: str
    where: str


@dataclass(frozen=True, slots=True)
class Noted:
    """An oddity of a turn that was kept ("unknown key: mood"). what: one of few, so that it can be counted."""

    what: str
    where: str


Item = Turn | Skipped | Noted | Problem


def said_by(
    role: Role,
    text: str,
    time: datetime | None,
    place: Place,
    where: str,
    *,
    key: tuple[str, ...],
    session: str,
    project: str = "default",
    line: int = 0,
    former: tuple[str, str, str] | None = None,
    anywhere: bool = False,
    outside: bool = False,
) -> tuple[Noted | Turn, ...]:
    """Return a note where no time is named, and the turn of a role that has no other name.

    time: None if the record names none; where: for messages; outside: the text is external whatever its role.
    """
    said_at, time_source, notes = place.timed(time, where)
    turn = Turn(
        key=key,
        former=former,
        anywhere=anywhere,
        session=session,
        project=project,
        role=role,
        speaker=role,
        origin=Origin.EXTERNAL if outside else ORIGINS[role],
        text=text,
        said_at=said_at,
        time_source=time_source,
        source=place.name,
        line=line,
    )
    return (*notes, turn)


class Reader(Protocol):
    """Read one growing file, a record at a time.

    memory: what later lines need of earlier ones; with it, another reader can go on in the middle of a file.
    """

    memory: dict[str, str]

    @property
    def holding(self) -> int | None:
        """Return the first line of an incomplete turn. To resume later, start from that line."""
        ...

    def feed(self, number: int, record: Json) -> Sequence[Item]:
        """Return what this line (counted from 1) completes."""
        ...

    def end(self, *, quiet: bool) -> Sequence[Item]:
        """Return the pending items. quiet: the file has not been written to for a while, so that no more will come."""
        ...


class EachLine:
    """The base of readers for which no line depends on a later one: nothing is pending at the end."""

    memory: dict[str, str]
    holding = None

    def __init__(self, place: Place, memory: Mapping[str, str]) -> None:
        self.memory = dict(memory)
        self._place = place

    def end(self, *, quiet: bool) -> Sequence[Item]:  # noqa: ARG002 (the form of every reader)
        """Return nothing."""
        return ()


@dataclass(frozen=True, slots=True)
class Format:
    """A transcript format. Either `lines` (one JSON object a line, may grow) or `whole` (read at once, limited), not both.

    recognises: takes the records of the head (empty if it is not JSON), the head's text, and the file's name. names: finds a name under
    which a folder is searched for files of this format, besides `*.jsonl`; without one they are named by their path.
    """

    name: str
    summary: str
    recognises: Callable[[Sequence[Json], str, str], bool]
    lines: Callable[[Place, Mapping[str, str]], Reader] | None = None
    whole: Callable[[Place, BinaryIO, CaptureSettings], Iterator[Item]] | None = None
    names: re.Pattern[str] | None = None
