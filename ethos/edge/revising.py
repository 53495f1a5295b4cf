"""Commands that look back at a run, and take it back: `diff` and `undo`."""

from __future__ import annotations

from typing import Annotated

import typer

from ethos.edge import differing, report
from ethos.edge.options import AsJson, Config, Quiet, Verbose, opened, show


def diff(
    run: Annotated[str | None, typer.Argument(metavar="[RUN]", help="a run, by its id; else the last that changed something")] = None,
    as_json: AsJson = False,
    config: Config = None,
    verbose: Verbose = False,
) -> int:
    """What a run changed: + came to be held, - is held no longer, ~ changed, ? was asked.

    Example: ethos diff r-20260601-120000
    """
    with opened(config, verbose) as door:
        data = door.ask("diff", run=run)
    show(data, differing.of_run(data), as_json=as_json)
    return report.DONE


def undo(
    run: Annotated[str, typer.Argument(metavar="RUN", help="the id of a run, or as much of its beginning as is its alone")],
    as_json: AsJson = False,
    config: Config = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Take back what a run did, whatever came after it, and show it; an answer is a run too, and so is an undo.

    What would collide with what came later is not guessed: both stand, and you are asked.

    Example: ethos undo r-20260601-120000
    """
    with opened(config, verbose) as door:
        data = door.ask("undo", run=run)
    show(data, differing.of_undo(data), as_json=as_json, quiet=quiet)
    return report.DONE
