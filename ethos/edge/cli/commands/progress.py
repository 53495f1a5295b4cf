"""Progress: what is seen on a terminal while a command takes its time. On standard error, and gone afterwards."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count

from ethos.core.text.plurals import plural
from ethos.edge.render import report

_WIPE = "\r\x1b[K"


@contextmanager
def of_capture(paths: list[str], *, hidden: bool) -> Iterator[Callable[[object], None] | None]:
    """Show a bar while a capture in this process runs. It counts files, and turns beside it."""
    if hidden or not report.coloured(sys.stderr):
        yield None
        return
    from rich.console import Console  # noqa: PLC0415 (only for a bar that is seen)
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    from ethos.edge.capture.transcripts.reading import TranscriptFile, find  # noqa: PLC0415
    from ethos.edge.capture.transcripts.turn import Turn  # noqa: PLC0415

    files = sum(isinstance(found, TranscriptFile) for path in paths if path != "-" for found in find(path))
    columns = (TextColumn("capture"), BarColumn(), TextColumn("{task.fields[turns]:,} turns"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("capture", total=files if files > 1 else None, turns=0)
        sources: dict[str, int] = {}

        def watch(item: object) -> None:
            if isinstance(item, Turn):
                sources[item.source] = turns = sources.get(item.source, 0) + 1
                if turns % 100 == 1:
                    bar.update(task, completed=len(sources) - 1, turns=sum(sources.values()))

        yield watch


@contextmanager
def of_cycle(unit: int, *, hidden: bool) -> Iterator[Callable[[], None]]:
    """Show a line while a cycle runs. The function it yields is called before each `unit` of episodes in this process."""
    if hidden or not report.coloured(sys.stderr):
        yield lambda: None
        return
    units = count()

    def next_unit() -> None:
        read = next(units) * unit
        told = f"about {plural(read, 'episode')} read; Ctrl-C stops, and loses nothing" if read else "reading ..."
        print(f"{_WIPE}{told}", end="", file=sys.stderr, flush=True)

    print("reading ...", end="", file=sys.stderr, flush=True)
    try:
        yield next_unit
    finally:
        print(_WIPE, end="", file=sys.stderr, flush=True)
