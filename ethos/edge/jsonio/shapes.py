"""Convert records to JSON for the socket's answers and `--json`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from enum import IntEnum, StrEnum
from typing import Any

from ethos.core.history.diff import Diff, Difference
from ethos.core.model.errors import Problem
from ethos.core.model.records import Claim, Fact
from ethos.core.model.rule_trust import RuleTrust
from ethos.edge.jsonio.objects import Json as Json  # noqa: PLC0414 (readers of shapes need it)

NAMES = {dict: "an object", list: "a list", str: "text", bool: "true or false", int: "a number", float: "a number", type(None): "null"}


def plain(value: Any) -> Any:
    """Return a record as JSON: times in ISO 8601 and UTC, origins by name, a fact's status right after its id."""
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, str) or value is None:
        return value
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if isinstance(value, IntEnum):
        return value.name.lower()
    if isinstance(value, Fact):
        return {"id": value.id, "status": _fact_status(value), **{f.name: plain(getattr(value, f.name)) for f in fields(value)}}
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value if isinstance(value, bool | int | float) else str(value)


def _fact_status(fact: Fact) -> str:
    """Return the status of a fact. "former": a newer version of the same fact has replaced it."""
    if fact.closed_at is not None:
        return "former"
    if fact.superseded_by is not None:
        return "superseded"
    if fact.retired_at is not None:
        return "quarantined" if fact.quarantined else "retired"
    return "flagged" if fact.flagged else "active"


def problem_data(problem: Problem) -> Json:
    """Return a problem as JSON."""
    return {"code": problem.code, "message": problem.what, "hint": problem.hint, "where": problem.where}


def diff_data(diff: Diff) -> Json:
    """Return the changes of a run as JSON."""
    return {"run": plain(diff.run), "differences": _differences_data(diff.differences)}


def _differences_data(found: Iterable[Difference]) -> list[Json]:
    """Return the lines of a diff as JSON."""
    return [plain(difference._asdict()) for difference in found]


def standings_data(standings: Mapping[str, RuleTrust]) -> Json:
    """Return the trust in each rule as JSON: the answers about it, and the factor for its confidence."""
    return {
        rule: {"accepted": trust.accepted, "rejected": trust.rejected, "weight": trust.weight} for rule, trust in sorted(standings.items())
    }


def claim_data(claim: Claim) -> Json:
    """Return a claim as `ethos extract` prints it."""
    names = ("kind", "subject", "predicate", "object", "polarity", "confidence", "rule")
    return {**{name: getattr(claim, name) for name in names}, "span": [claim.start, claim.end]}
