"""Report errors of commands. A mistake of the user is an error message; a bug is reported as a bug."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Sequence

from ethos import __version__
from ethos.core.model.errors import Refused
from ethos.edge.jsonio.shapes import problem_data
from ethos.edge.render import report


def guarded(work: Callable[[], int], arguments: Sequence[str]) -> int:
    """Run a command and return its exit code. arguments: as typed."""
    json_wanted = "--json" in arguments
    try:
        return work()
    except Refused as refused:
        return report.failed(problem_data(refused.problem), json_wanted=json_wanted, command=" ".join(arguments[:1]))
    except OSError:
        raise  # a closed pipe, a full disk: no bug; the front door reports it
    except Exception as bug:  # noqa: BLE001 (the last resort: report a bug, never hide it)
        return _bug(bug, loud=not {"-v", "--verbose"}.isdisjoint(arguments), json_wanted=json_wanted)


def _bug(bug: Exception, *, loud: bool, json_wanted: bool) -> int:
    if loud:
        traceback.print_exception(bug, file=sys.stderr)
    what = f"a bug in Ethos {__version__}: {type(bug).__name__}: {bug}"
    hint = (
        "please report it with the lines above"
        if loud
        else "run it again with -v, and report it with what that shows; what is stored is safe"
    )
    return report.failed({"code": "bug", "message": what, "hint": hint}, json_wanted=json_wanted)
