"""Wording: a lesson as a title and a body, with its denominators and with what would refute it (X-H5)."""

from __future__ import annotations

import json
import math

from ethos.core.learning.lessons.holding import episodes_to_refute
from ethos.core.learning.lessons.mining import Finding
from ethos.core.learning.lessons.observation import Condition, Value
from ethos.core.learning.statistics.tables import Share, Table
from ethos.core.model.lessons import Lesson
from ethos.core.rules.vocabulary import GENERAL

TITLE_LENGTH = 60
_SUMMARY_LENGTH = 300
_FEWEST = 10  # of what would refute a lesson; fewer episodes sound surer than they are


def condition_text(condition: Condition) -> str:
    """Return a condition as it is stored."""
    return json.dumps(list(condition), ensure_ascii=False)


def condition_of(lesson: Lesson) -> Condition | None:
    """Return the condition of a lesson; None where it has none, as one of a model's making."""
    return Condition(*json.loads(lesson.condition)) if lesson.condition else None


def table_of(lesson: Lesson) -> Table:
    """Return the shares of a lesson."""
    return Table(Share(lesson.good_with, lesson.all_with), Share(lesson.good_without, lesson.all_without))


def otherwise(condition: Condition) -> str:
    """Return how the opposite of a condition is told."""
    if isinstance(condition.value, bool):
        return "otherwise"
    return {"above": f"at most {number(condition.value)}", "below": f"above {number(condition.value)}"}.get(condition.operator, "otherwise")


def number(value: Value) -> str:
    """Return a value as it is told."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def subject(group: str) -> str:
    """Return what comes before a lesson of this group; the general group needs no name."""
    return "" if group == GENERAL else f"{group}: "


def claim(group: str, condition: Condition, table: Table) -> str:
    """Return the claim with its denominators: "BTC: funding above 0.05: 9 of 12 went well, against 41 of 90 otherwise"."""
    (good, here), (good_rest, rest) = table
    return f"{subject(group)}{condition}: {good} of {here} went well, against {good_rest} of {rest} {otherwise(condition)}"


def title(group: str, condition: Condition, table: Table) -> str:
    """Return a title of at most sixty characters."""
    good, here = table.with_it
    return shortened(f"{subject(group)}{condition}: {good} of {here} went well", TITLE_LENGTH)


def grounds(finding: Finding) -> str:
    """Return how a lesson was found."""
    (good, here), (good_rest, rest) = finding.late
    all_of_them = f"All {_all(finding.overall)} episodes show it"
    first = f"The earlier {_all(finding.early)} episodes suggested it" if finding.suggested else all_of_them
    second = f"the later {here + rest} {'confirmed' if finding.suggested else 'alone confirm'} it"
    shares = f"{good} of {here} against {good_rest} of {rest}, p = {finding.p:.2g}"
    return f"{first}, among {finding.tried} conditions that were tried; {second}: {shares}."


def body(group: str, condition: Condition, table: Table, found: str, retire_at: float) -> str:
    """Return the claim, how sure it is, how it was found, and what would refute it."""
    more = "more" if table.difference > 0 else "fewer"
    low, high = sorted(round(100 * bound) * (1 if table.difference > 0 else -1) for bound in table.interval())
    return (
        f"{claim(group, condition, table)}. That is {abs(round(100 * table.difference))} points {more} (95 % interval {low} to {high})."
        f" {found} {_refuted_by(table, retire_at)}"
    )


def _refuted_by(table: Table, retire_at: float) -> str:
    """Return the sentence that says what would refute a lesson with this table."""
    needed = max(_FEWEST, math.ceil(episodes_to_refute(table, retire_at)))
    return f"About {needed} further episodes with it in which it makes no difference would refute it, fewer if they show the contrary."


def summary(text: str) -> str:
    """Return the beginning of a body that is longer than it; nothing of a short one (H-27)."""
    return text[:_SUMMARY_LENGTH] if len(text) > _SUMMARY_LENGTH else ""


def shortened(text: str, length: int) -> str:
    """Return a text of at most this many characters; one that is cut ends with three dots."""
    return text if len(text) <= length else text[: length - 3] + "..."


def _all(table: Table) -> int:
    return table.with_it.total + table.without.total
