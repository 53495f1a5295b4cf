"""Count what the store holds: in all, by project, and the answers about each rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ethos.core.model.rule_trust import RuleTrust
from ethos.core.ports.queries import Counts, ProjectCounts
from ethos.store.sqlite.columns import ACTIVE, PENDING, SET_APART, moment
from ethos.store.sqlite.sql import Sql

_PROJECTS = f"""
SELECT project, sum(facts), sum(episodes), max(last) FROM (
  SELECT project, count(*) AS facts, 0 AS episodes, NULL AS last FROM facts WHERE user = ? AND {ACTIVE} GROUP BY project
  UNION ALL SELECT project, 0, count(*), max(said_at) FROM episodes WHERE user = ? GROUP BY project
) GROUP BY project ORDER BY project = '', max(last) DESC, project
"""  # noqa: S608 (our own names)
_RULE_TRUST = """
SELECT f.rule, sum(q.action IN ('keep-new', 'keep-both', 'accept')), sum(q.action IN ('keep-old', 'reject'))
FROM questions q JOIN facts f ON f.id = q.new AND f.version = 1
WHERE q.action IS NOT NULL AND q.id NOT LIKE 'q-%' AND f.origin >= 3 AND q.user = ? GROUP BY f.rule
UNION ALL SELECT f.rule, 0, count(*)
FROM runs r JOIN questions q ON q.id = r.reason JOIN facts f ON f.id = iif(q.action = 'keep-new', q.existing, q.new) AND f.version = 1
WHERE r.name = 'promote' AND r.undone_by IS NULL AND q.action IS NOT NULL AND q.user = ? GROUP BY f.rule
UNION ALL SELECT reason, sum(coalesce(json_extract(counts, '$.accepted'), 0)), sum(coalesce(json_extract(counts, '$.rejected'), 0))
FROM runs WHERE name = 'standing' AND undone_by IS NULL GROUP BY reason
"""
_WHOSE = "(:user IS NULL OR user = :user)"
_COUNTS = f"""
SELECT (SELECT count(*) FROM episodes),
  (SELECT count(*) FROM marks WHERE consolidated_at IS NULL AND pruned = 0),
  (SELECT count(*) FROM marks WHERE {PENDING} AND scanned_rules IS NOT :rules),
  (SELECT count(*) FROM marks WHERE set_aside IS NOT NULL),
  (SELECT count(*) FROM facts WHERE {ACTIVE} AND {_WHOSE}),
  (SELECT count(*) FROM facts
    WHERE closed_at IS NULL AND NOT (superseded_by IS NULL AND retired_at IS NULL) AND NOT {SET_APART} AND {_WHOSE}),
  (SELECT count(*) FROM facts WHERE {ACTIVE} AND flagged = 1 AND {_WHOSE}),
  (SELECT count(*) FROM questions WHERE resolved_at IS NULL AND {_WHOSE}) + (
    SELECT count(*) FROM memory_questions q JOIN memories m ON m.id = q.memory
    WHERE q.resolved_at IS NULL AND m.state = iif(q.proposal = 'accept', 'quarantined', 'active') AND (:user IS NULL OR q.user = :user)
  ),
  (SELECT count(*) FROM salience) - (SELECT count(*) FROM salience WHERE faded = 0),
  (SELECT count(*) FROM evidence)
"""  # noqa: S608 (our own names)


def rule_trust(sql: Sql, user: str) -> Mapping[str, RuleTrust]:
    """Return the answers of this user about the claims of each rule."""
    found: dict[str, RuleTrust] = {}
    for rule, accepted, rejected in sql.rows(_RULE_TRUST, user, user):
        held = found.get(rule, RuleTrust())
        found[rule] = RuleTrust(held.accepted + accepted, held.rejected + rejected)
    return found


def projects(sql: Sql, user: str) -> Sequence[ProjectCounts]:
    """Return the projects of this user, the last spoken in first."""
    found = sql.rows(_PROJECTS, user, user)
    return [ProjectCounts(name, facts, episodes, None if last is None else moment(last)) for name, facts, episodes, last in found]


def counts(sql: Sql, rules: str, user: str | None) -> Counts:
    """Return the store in numbers, under this rules hash. user: facts of this user only."""
    return Counts(*sql.named(_COUNTS, {"rules": rules, "user": user})[0])
