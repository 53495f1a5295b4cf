"""The range of each setting that is a number, and the form of each that is a text. The dataclasses declare names and types."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Range:
    """The range of a number. above: the lower bound itself is excluded."""

    low: float
    high: float = math.inf
    above: bool = False

    def holds(self, number: float) -> bool:
        """Return True if the number lies in the range."""
        return (self.low < number if self.above else self.low <= number) and number <= self.high

    @property
    def words(self) -> str:
        """Return the range as an error says it."""
        if self.high < math.inf:
            return f"from {self.low:g} to {self.high:g}"
        return f"above {self.low:g}" if self.above else f"of at least {self.low:g}"


POSITIVE = Range(0, above=True)
_COUNT = Range(1)
SHARE = Range(0, 1)

RANGES: Mapping[str, Range] = {
    "capture.follow_seconds": POSITIVE,
    "capture.max_line_bytes": Range(1024),
    "capture.max_text_chars": _COUNT,
    "consolidation.interval_minutes": POSITIVE,
    "consolidation.idle_threshold_seconds": Range(0),
    "consolidation.cpu_threshold_percent": Range(0, 10_000),  # load may exceed the cores
    "consolidation.importance_threshold": SHARE,
    "consolidation.repetition_threshold": _COUNT,
    "consolidation.agreement_threshold": _COUNT,
    "consolidation.retrieval_threshold": _COUNT,
    "consolidation.batch_size": Range(1, 100_000),
    "consolidation.max_attempts": _COUNT,
    "consolidation.min_confidence": SHARE,
    "sleep.catch_up_days": Range(1, 366),
    "sleep.shadow_nights": Range(0),
    "sleep.most_changes": _COUNT,
    "conflict_resolution.auto_supersede_confidence_delta": SHARE,
    "recall.limit": _COUNT,
    "recall.max_limit": _COUNT,
    "bank.limit": _COUNT,
    "bank.max_limit": _COUNT,
    "bank.min_confidence": SHARE,
    "bank.project_weight": SHARE,
    "bank.team_weight": SHARE,
    "bank.org_weight": SHARE,
    "bank.consolidated_boost": POSITIVE,
    "bank.patience": _COUNT,
    "bank.recorded_confidence": SHARE,
    "bank.success_confidence": SHARE,
    "bank.failure_confidence": SHARE,
    "bank.other_confidence": SHARE,
    "bank.signal_days": POSITIVE,
    "bank.memories_per_session": Range(0, 20),
    "bank.similarity_threshold": SHARE,
    "bank.consensus_threshold": Range(2),
    "bank.prune_threshold": SHARE,
    "bank.prune_signals": _COUNT,
    "bank.window_hours": Range(0),
    "bank.scheduler_interval_hours": POSITIVE,
    "bank.timeout_minutes": POSITIVE,
    "decay.fade_below": SHARE,
    "decay.stability_days": POSITIVE,  # of each value
    "replay.salience_weight": SHARE,
    "replay.emotion_weight": SHARE,
    "replay.valence_weight": SHARE,
    "replay.importance_weight": SHARE,
    "replay.percentile": Range(0, 100),
    "replay.few": Range(0),
    "replay.max_chain_hours": POSITIVE,
    "replay.max_chain_length": Range(2, 1_000),
    "replay.min_chain_length": Range(2, 1_000),
    "replay.max_candidates": _COUNT,
    "replay.similarity": SHARE,
    "replay.topic_similarity": SHARE,
    "replay.min_similarity": SHARE,
    "replay.topic_gap_seconds": Range(0),
    "replay.shared_tags": _COUNT,
    "replay.boost_factor": SHARE,
    "replay.max_boost": SHARE,
    "replay.tau_hours": POSITIVE,
    "replay.min_salience": SHARE,
    "replay.old_ratio": SHARE,
    "replay.max_old_ratio": Range(0, 0.9),
    "replay.old_salience": SHARE,
    "replay.old_days_from": Range(0),
    "replay.old_days_to": Range(0),
    "replay.refresh": SHARE,
    "replay.trace_tau_hours": POSITIVE,
    "replay.feeling_step": SHARE,
    "summaries.ratio": Range(1),
    "summaries.chunk_size": _COUNT,
    "summaries.threshold": _COUNT,
    "summaries.least_words": _COUNT,
    "summaries.max_words": _COUNT,
    "summaries.duplicate_likeness": SHARE,
    "summaries.max_episodes": _COUNT,
    "profile.max_bytes": _COUNT,
    "profile.block_bytes": _COUNT,
    "llm.timeout_seconds": POSITIVE,
    "llm.max_tokens": _COUNT,
    "lessons.look_back_days": POSITIVE,
    "lessons.min_group": _COUNT,
    "lessons.max_groups": _COUNT,
    "lessons.per_kind": _COUNT,
    "lessons.prompt_episodes": _COUNT,
    "lessons.history_days": POSITIVE,
    "lessons.history_episodes": _COUNT,
    "lessons.duplicate_at": SHARE,
    "lessons.connect_at": SHARE,
    "lessons.generalizes_weight": SHARE,
    "lessons.relates_to_weight": SHARE,
    "lessons.causes_weight": SHARE,
    "lessons.strengthen_by": SHARE,
    "lessons.playbook_cases": _COUNT,
    "lessons.playbook_effect": SHARE,
    "lessons.min_support": _COUNT,
    "lessons.min_effect": SHARE,
    "lessons.held_out": Range(0.1, 0.9),
    "lessons.discovery_rate": SHARE,
    "lessons.block_level": SHARE,
    "lessons.confirm_level": SHARE,
    "lessons.whole_level": SHARE,
    "lessons.whole_block_level": SHARE,
    "lessons.adds_z": Range(0),
    "lessons.retire_at": POSITIVE,
    "lessons.revive_at": POSITIVE,
    "socket.max_line_bytes": Range(1024),
    "socket.max_connections": _COUNT,
    "socket.max_requests": _COUNT,
    "socket.line_seconds": POSITIVE,
    "socket.wait_seconds": Range(0),
    "inbox.settle_seconds": Range(0),
    "inbox.new_a_day": Range(0),
    "backup.every_hours": Range(0),
    "backup.keep_daily": _COUNT,
    "backup.keep_weekly": Range(0),
}


def _is_zone(name: str) -> bool:
    from zoneinfo import ZoneInfo  # noqa: PLC0415 (for this setting alone)

    try:
        return not name or bool(ZoneInfo(name))
    except (KeyError, OSError, ValueError):  # unknown, a folder, no name of a zone
        return False


def _like(pattern: str) -> Callable[[str], bool]:
    return lambda value: re.fullmatch(pattern, value) is not None


SOME_TEXT: tuple[Callable[[str], bool], str] = (lambda value: bool(value.strip()), "a text that is not empty")
FORMS: Mapping[str, tuple[Callable[[str], bool], str]] = {  # of texts: whether one fits, and what is expected
    "rules.region": (_like("(?:[A-Z]{2})?"), 'a country by its two letters, like "US" or "GB", or empty'),
    "llm.endpoint": (_like("(?:https?://[^\\s/?#]+[^\\s?#]*)?"), 'the URL of an endpoint such as "http://127.0.0.1:11434/v1", or empty'),
    "llm.model": (lambda _: True, "the name of a model"),
    "sleep.hour": (_like("(?:[01][0-9]|2[0-3]):[0-5][0-9]"), 'a time of the day such as "03:00"'),
    "sleep.zone": (_is_zone, 'a time zone such as "Europe/Berlin", or empty'),
    "socket.path": (lambda _: True, "a path"),
    "recall.encoder": (lambda _: True, "a path"),
}
