"""Tell how a user works from when and where their sessions were: counted, never guessed (G-13, work patterns)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import tzinfo

from ethos.core.model.summaries import Summary
from ethos.core.text.plurals import plural

FEWEST = 5  # sessions of which a habit can be told
_SPAN = 3  # hours
_MOSTLY = 0.5  # of the sessions begin in such a span
_NEARLY_ALL = 0.9  # of the sessions fall on weekdays
_MOST_PROJECTS = 3


def habits(summaries: Sequence[Summary], zone: tzinfo | None) -> tuple[str, ...]:
    """Return a line for each habit; () of fewer than five sessions. zone: whose hours and days count; None is the machine's own."""
    if len(summaries) < FEWEST:
        return ()
    begun = [summary.began_at.astimezone(zone) for summary in summaries]
    lines = []
    hours = Counter(at.hour for at in begun)
    spans = {first: sum(hours[(first + more) % 24] for more in range(_SPAN)) for first in range(24)}
    first, most = max(spans.items(), key=lambda each: (each[1], -each[0]))
    if most >= _MOSTLY * len(begun):
        lines.append(f"most sessions begin between {first:02}:00 and {(first + _SPAN) % 24:02}:00 ({most} of {len(begun)})")
    weekdays = sum(at.weekday() < 5 for at in begun)
    if weekdays >= _NEARLY_ALL * len(begun):
        lines.append(f"works on weekdays ({weekdays} of {len(begun)} sessions)")
    projects = Counter(summary.project for summary in summaries if summary.project)
    if projects:
        named = sorted(projects.items(), key=lambda each: (-each[1], each[0]))[:_MOST_PROJECTS]
        lines.append("projects: " + ", ".join(f"{name} ({plural(count, 'session')})" for name, count in named))
    return tuple(lines)
