"""Turn: one thing somebody said, as a transcript has it, before it becomes an episode; and what else a reader may come upon."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import BinaryIO, Protocol

from ethos.core.model.errors import Problem
from ethos.core.model.records import Origin, Role, TimeSource
from ethos.core.model.settings import CaptureSettings

Json = Mapping[str, object]

ORIGINS: Mapping[Role, Origin] = {
    "user": Origin.USER,
    "assistant": Origin.ASSISTANT,
    "tool": Origin.TOOL,
    "system": Origin.EXTERNAL,  # prompts of a harness: nobody said them
}


# Tools whose results are somebody else's words: pages, files, other agents. What is not known by name counts as a tool of the harness.
_OUTSIDE = frozenset(
    """agent fetch notebookread read read_file readmcpresourcetool task view_image web_fetch web_search webfetch websearch
    browser open_url""".split()  # noqa: SIM905 (read as words)
)


def origin_of_tool(name: str) -> Origin:
    """How far the results of a tool are trusted: what comes over MCP, from the web, from files and from sub-agents is external."""
    folded = name.lower()
    return Origin.EXTERNAL if folded in _OUTSIDE or "__" in folded else Origin.TOOL


def word(record: object, name: str) -> str:
    """The text that stands under a name; "" where there is none, or something else."""
    value = record.get(name) if isinstance(record, dict) else None
    return value if isinstance(value, str) else ""


@dataclass(frozen=True, slots=True)
class Place:
    """The file that a transcript stands in.

    name: as the person named it, for messages and `Episode.source`; file: its last part alone, which stays when the file is moved.
    modified: its time of change in UTC, the next best thing where a turn carries no time; `time_source` says what it is.
    folder: the absolute path of the folder it stands in, or "" where it stands in none.
    """

    name: str
    file: str
    modified: datetime
    time_source: TimeSource = "file"
    folder: str = ""

    @property
    def occasion(self) -> tuple[str, ...]:
        """The time of receipt, which tells one standard input from another; empty for a file, of which there may be copies."""
        return (self.modified.isoformat(),) if self.time_source == "received" else ()

    @property
    def stem(self) -> str:
        """The file's name without its ending: the session where a transcript names none."""
        return self.file.rsplit(".", 1)[0] or self.file

    def at(self, line: int) -> str:
        """A position for messages, "talk.jsonl:14"."""
        return f"{self.name}:{line}"


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn. `key` says which one it is, wherever the file lies; how it is made says `identity`.

    former: what versions before 0.2 made its id of (source, session, record); None where they cannot have known it.
    anywhere: the key holds in every project, so that an episode held under `former` is this one whatever its project.
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
    line: int  # 0 where the format has no lines
    id: str | None = None  # a given id is kept
    former: tuple[str, str, str] | None = None
    anywhere: bool = False
    importance: float | None = None  # None: to be estimated
    kind: str = "episode"
    tone: float = 0.0
    tags: tuple[str, ...] = ()

    @property
    def where(self) -> str:
        """File and line, for messages."""
        return f"{self.source}:{self.line}" if self.line else self.source


@dataclass(frozen=True, slots=True)
class Skipped:
    """A record that is no turn, and rightly so. `reason` is one of few ("empty text", "meta"), so that it can be counted."""

    reason: str
    where: str


@dataclass(frozen=True, slots=True)
class Noted:
    """Something about a turn that was kept, and that was not as it should be ("unknown key: mood"); `what` is one of few."""

    what: str
    where: str


Item = Turn | Skipped | Noted | Problem


class Reader(Protocol):
    """Reads one growing file, a record at a time.

    memory: what later lines need of earlier ones; a reader that is given it goes on in the middle of a file.
    """

    memory: dict[str, str]

    @property
    def holding(self) -> int | None:
        """First line of a turn that is not complete yet. Who resumes later must do so from that line."""
        ...

    def feed(self, number: int, record: Json) -> Sequence[Item]:
        """What this line (counted from 1) completes."""
        ...

    def end(self, *, quiet: bool) -> Sequence[Item]:
        """What was held. quiet: nobody has written to the file for a while, so that nothing more will come."""
        ...


class EachLine:
    """What readers have in common of which no line waits for another: they hold nothing, and have nothing to say at the end."""

    memory: dict[str, str]
    holding = None

    def __init__(self, place: Place, memory: Mapping[str, str]) -> None:
        self.memory = dict(memory)
        self._place = place

    def end(self, *, quiet: bool) -> Sequence[Item]:  # noqa: ARG002 (the form of every reader)
        """Nothing."""
        return ()


@dataclass(frozen=True, slots=True)
class Format:
    """A transcript format. Either `lines` (one JSON object a line, may grow) or `whole` (read at once, capped), not both.

    recognises: told by looking at the records of the head (empty when it is not JSON), the head's text, and the file's name.
    """

    name: str
    summary: str
    recognises: Callable[[Sequence[Json], str, str], bool]
    lines: Callable[[Place, Mapping[str, str]], Reader] | None = None
    whole: Callable[[Place, BinaryIO, CaptureSettings], Iterator[Item]] | None = None
