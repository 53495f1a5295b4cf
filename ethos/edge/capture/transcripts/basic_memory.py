"""basic-memory: a note with front matter and observations, `- [category] text #tag (context)`; each observation is an episode.

An agent writes such notes, so they are the assistant's words. A note that Ethos itself wrote (`ethos export --format markdown`) is left
out: what stands in it is held.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from ethos.core.model.ids import digest
from ethos.core.model.settings import CaptureSettings
from ethos.edge.capture.transcripts.documents import content
from ethos.edge.capture.transcripts.lines import mend
from ethos.edge.capture.transcripts.turn import ORIGINS, Format, Item, Json, Place, Skipped, Turn

_FRONT = re.compile(r"---[ \t]*\n(?P<front>.*?)^---[ \t]*$", re.DOTALL | re.MULTILINE)
_FIELD = re.compile(r"^(?P<name>title|permalink):[ \t]*(?P<value>[^\n]*)$", re.MULTILINE)
_OBSERVATION = re.compile(r"^[ \t]*[-*][ \t]+\[(?P<category>[^\]\[\n]{1,60})\][ \t]+(?P<text>[^\n]+)$", re.MULTILINE)
_TASK = frozenset({"x", "X", " "})  # `- [x] done` is a task, not an observation
_TAG = re.compile(r"(?:^|(?<=\s))#(?P<tag>[\w/-]+)")
_CONTEXT = re.compile(r"\s*\([^()\n]*\)\s*\Z")


def _read(place: Place, stream: BinaryIO, settings: CaptureSettings) -> Iterator[Item]:  # noqa: ARG001 (the form of every format)
    text = str(mend(content(stream, place).decode("utf-8-sig", "replace").replace("\r\n", "\n")))
    front = _FRONT.match(text)
    named = {found["name"]: found["value"].strip().strip("\"'") for found in _FIELD.finditer(front["front"] if front else "")}
    if named.get("permalink", "").startswith("ethos/"):
        yield Skipped("a note that Ethos wrote", place.name)
        return
    for found in _OBSERVATION.finditer(text, front.end() if front else 0):
        line = text.count("\n", 0, found.start()) + 1
        said = " ".join(_CONTEXT.sub("", _TAG.sub("", found["text"])).split())
        if found["category"] in _TASK or not said:
            yield Skipped("not an observation", place.at(line))
            continue
        yield Turn(
            key=("basic-memory", named.get("permalink", ""), digest(found["category"], said)),
            session=named.get("permalink") or place.stem,
            project="default",
            role="assistant",
            speaker="assistant",
            origin=ORIGINS["assistant"],
            text=said,
            said_at=place.modified,
            time_source=place.time_source,
            source=place.name,
            line=line,
            tags=(found["category"], *(tag["tag"] for tag in _TAG.finditer(found["text"]))),
        )


def _recognises(records: Sequence[Json], text: str, name: str) -> bool:
    front = _FRONT.match(text)
    return not records and name.lower().endswith((".md", ".markdown")) and front is not None and "permalink:" in front["front"]


FORMAT = Format("basic-memory", "notes of basic-memory", _recognises, whole=_read)
