"""Progress: what is seen on a terminal while a command takes its time. On standard error, and gone afterwards."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ethos.edge import report


@contextmanager
def of_capture(paths: list[str], *, hidden: bool) -> Iterator[Callable[[object], None] | None]:
    """A bar while a capture in this process goes on; what it counts are files, and turns beside it."""
    if hidden or not report.coloured(sys.stderr):
        yield None
        return
    from rich.console import Console  # noqa: PLC0415 (only for a bar that is seen)
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    from ethos.edge.transcripts.reading import find  # noqa: PLC0415
    from ethos.edge.transcripts.turn import Turn  # noqa: PLC0415

    files = sum(1 for path in paths if path != "-" for _ in find(path))
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
