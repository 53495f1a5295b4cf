"""Report errors of commands. A mistake of the user is an error message; a bug is reported as a bug."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Sequence
from typing import Self

from ethos import __version__
from ethos.core.model.errors import Refused
from ethos.edge.jsonio.shapes import problem_data
from ethos.edge.render import report


class Reported:
    """Print what goes wrong within it, and set `code`, the exit code. arguments: as typed.

    OSError leaves it, as a closed pipe or a full disk is no bug: `ethos/__main__.py` reports it.
    """

    def __init__(self, arguments: Sequence[str]) -> None:
        self.code = report.DONE
        self._arguments = arguments

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> bool:
        json_wanted = "--json" in self._arguments
        if isinstance(error, Refused):
            self.code = report.failed(problem_data(error.problem), json_wanted=json_wanted, command=" ".join(self._arguments[:1]))
        elif isinstance(error, Exception) and not isinstance(error, OSError):
            self.code = _bug(error, loud=not {"-v", "--verbose"}.isdisjoint(self._arguments), json_wanted=json_wanted)
        else:
            return False
        return True


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
