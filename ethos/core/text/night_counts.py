"""Word the counts of a night, which runs keep by names such as `chain_count` (L-33), for a person. Hot commands import it."""

from __future__ import annotations

from ethos.core.text.plurals import plural

TYPE_CHECKING = False  # as typing has it, which is too slow to import
if TYPE_CHECKING:
    from collections.abc import Mapping

_NOUNS: Mapping[str, tuple[str, str]] = {
    "breakthrough_count": ("breakthrough", "breakthroughs"),
    "chain_count": ("chain", "chains"),
    "boosted_count": ("turn more salient", "turns more salient"),
    "trace_count": ("link between turns", "links between turns"),
    "refreshed_count": ("old turn refreshed", "old turns refreshed"),
    "episodes_reviewed": ("turn read for lessons", "turns read for lessons"),
    "groups_analyzed": ("topic compared", "topics compared"),
    "patterns_created": ("new lesson", "new lessons"),
    "patterns_strengthened": ("lesson strengthened", "lessons strengthened"),
    "memories_distilled": ("memory distilled", "memories distilled"),
    "memories_archived": ("memory archived", "memories archived"),
    "summaries_created": ("new summary", "new summaries"),
    "summaries_caught_up": ("of an earlier day", "of earlier days"),  # among the new ones
    "summaries_merged": ("summary merged", "summaries merged"),
    "episodes_told": ("turn summarised", "turns summarised"),
    "episodes_untold": ("turn with nothing to summarise", "turns with nothing to summarise"),
    "profile_gained": ("fact new in the profile", "facts new in the profile"),
    "profile_lost": ("fact gone from the profile", "facts gone from the profile"),
    "faded": ("record faded", "records faded"),
}

_UNTOLD = frozenset({"groups_found"})  # for programs; of these groups, the largest are compared


def counted(counts: Mapping[str, int]) -> str:
    """Return the counts in words, without zeros and what is for programs; a name that is not known here is told as it is."""
    return ", ".join(
        plural(number, *_NOUNS[name]) if name in _NOUNS else f"{name.replace('_', ' ')} {number:,}"
        for name, number in counts.items()
        if number and name not in _UNTOLD
    )
