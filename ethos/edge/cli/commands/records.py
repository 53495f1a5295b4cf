"""Lines of JSON as a command reads them, from a file or standard input, one record at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from ethos.core.model.errors import Code, Problem, refuse
from ethos.edge.capture.transcripts.lines import lines
from ethos.edge.capture.transcripts.turn import Place
from ethos.edge.client.answers import Json
from ethos.edge.client.connection import Connection
from ethos.edge.client.local import standard_input
from ethos.edge.config.clock import SystemClock


def records(file: str, connection: Connection) -> Iterator[tuple[int, Json | Problem]]:
    """Yield line numbers, and what stands there; empty lines are left out. Raises Refused where the file cannot be opened."""
    with _opened(file) as stream:
        for line in lines(stream, Place(file, file, SystemClock().now()), limit=connection.settings.capture.max_line_bytes):
            if line.record is not None:
                yield line.number, line.record if isinstance(line.record, Problem) else dict(line.record)


@contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    if file == "-":
        yield standard_input()
        return
    try:
        stream = Path(file).open("rb")  # noqa: SIM115 (closed below: what happens while it is read is not its opening's fault)
    except OSError as error:
        code: Code = "not-found" if isinstance(error, FileNotFoundError) else "bad-input"
        what = f"cannot be read: {(error.strerror or str(error)).lower()}"
        raise refuse(code, what, where=file, hint="name a file of JSON lines, or - for standard input") from None
    with stream:
        yield stream
