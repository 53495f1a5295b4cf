"""Report the mistakes in rule packs in the daemon's log and status line."""

from __future__ import annotations

from ethos.edge.config import logs
from ethos.edge.render.report import plural
from ethos.edge.rulebook import Rulebook

log = logs.get()


def rules_summary(rulebook: Rulebook) -> str:
    """Return a line about the packs whose files have mistakes; empty if there are none."""
    fatal = [problem for problem in rulebook.problems if problem.fatal]
    if not fatal:
        return ""
    stale = {str(pack.path) for pack in rulebook.packs if pack.stale}
    instead = "its last good version" if fatal[0].path in stale else "the other packs"
    return f"running with {instead}: {fatal[0].path}:{fatal[0].line}: {fatal[0].what} ({plural(len(fatal), 'mistake')})"


def log_problems(rulebook: Rulebook) -> None:
    """Log the mistakes in packs. A pack with mistakes is not used, or its last good version is."""
    for problem in rulebook.problems:
        write = log.error if problem.fatal else log.warning
        write(f"Rules: {problem.what}", code=problem.code, where=f"{problem.path}:{problem.line}", rule=problem.rule, hint=problem.hint)
