"""What the transcript tests share: reading a path as of a fixed time, and the parts of what came out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from ethos.core.model.errors import Problem
from ethos.core.model.settings import CaptureSettings
from ethos.edge.capture.transcripts.identity import id_of
from ethos.edge.capture.transcripts.reading import read
from ethos.edge.capture.transcripts.turn import Item, Skipped, Turn

SAMPLES = Path(__file__).parents[1] / "samples"
LATER = datetime(2030, 1, 1, tzinfo=UTC)  # nobody has written to any file for long


def items(
    *paths: Path | str,
    now: datetime = LATER,
    format_name: str | None = None,
    stdin: BinaryIO | None = None,
    settings: CaptureSettings | None = None,
) -> list[Item]:
    """Everything that is found in these paths."""
    given = [str(path) for path in paths]
    return list(read(given, now=now, settings=settings or CaptureSettings(), format_name=format_name, stdin=stdin))


def turns(found: Sequence[Item]) -> list[Turn]:
    """The turns among them."""
    return [item for item in found if isinstance(item, Turn)]


def said(found: Sequence[Item]) -> list[tuple[str, str]]:
    """Role and text of every turn."""
    return [(turn.role, turn.text) for turn in turns(found)]


def problems(found: Sequence[Item]) -> list[Problem]:
    """The problems among them."""
    return [item for item in found if isinstance(item, Problem)]


def skipped(found: Sequence[Item]) -> dict[str, int]:
    """How often each reason for skipping occurred."""
    return dict(Counter(item.reason for item in found if isinstance(item, Skipped)))


def ids(found: Sequence[Item]) -> list[str]:
    """The id that each turn's episode will have."""
    return [turn.id or id_of("ada", turn.key) for turn in turns(found)]
