"""Days and times as a person writes them, "yesterday" among them, for the command line and the Python API alike."""

from __future__ import annotations

import re
from datetime import timedelta

from ethos.core.model.errors import refuse
from ethos.edge.capture.transcripts.moments import moment
from ethos.edge.config.clock import SystemClock

_AGO = re.compile(r"(\d{1,4}) (day|week)s? ago")
_DAYS = {"today": 0, "yesterday": 1, "last week": 7, "a week ago": 7}


def moment_of(as_of: str | None, named: str = "--as-of") -> str | None:
    """Return a day or a time as actions take it. `yesterday` goes by this machine's clock, in UTC like all days. Raises Refused.

    named: the option or the parameter.
    """
    if as_of is None:
        return None
    said = " ".join(as_of.lower().split())
    if not said:
        script = '; in a script, is "$VARIABLE" set?' if named.startswith("-") else ""
        raise refuse("usage", f"{named} is empty", hint=f"name a day such as 2026-03-01{script}")
    ago = _DAYS.get(said)
    if counted := _AGO.fullmatch(said):
        ago = int(counted[1]) * (7 if counted[2] == "week" else 1)
    if ago is not None:
        return (SystemClock().now() - timedelta(days=ago)).date().isoformat()
    if moment(as_of) is None:
        hint = "a day such as 2026-03-01, a time such as 2026-03-01T09:30:00Z, yesterday, 3 days ago, or last week"
        raise refuse("usage", f"{named} is not a day or a time: {as_of[:80]}", hint=hint)
    return as_of


def beginning_of(before: str | None, named: str = "--before") -> str | None:
    """Return the moment before which something is to be said: of a day alone its beginning. Raises Refused."""
    found = moment_of(before, named)
    return f"{found}T00:00:00Z" if found is not None and len(found) == len("2026-03-01") else found
