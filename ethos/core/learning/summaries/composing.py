"""Compose the chosen clauses into two to five sentences, each about one speaker, each with the episodes that it was taken from."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ethos.core.learning.summaries.clauses import Clause
from ethos.core.learning.summaries.vocabulary import ROLE_NAMES
from ethos.core.model.summaries import Sentence

MOST_SENTENCES = 5
FEW = 3  # clauses; a sentence with more is split where there is room

_ASKED = "asked "  # of orders one after the other, the first has the verb: "asked to add a test; to run it"


def compose(chosen: Sequence[Clause], words: int) -> tuple[Sentence, ...]:
    """Return at most five sentences of at most `words` words. chosen: clauses of five speakers or fewer, in the order they were said."""
    by_speaker: dict[str, list[Clause]] = {}
    for clause in chosen:
        by_speaker.setdefault(clause.speaker, []).append(clause)
    groups = list(by_speaker.values())
    while len(groups) < MOST_SENTENCES:
        longest = max(range(len(groups)), key=lambda i: (len(groups[i]), -i), default=None)
        if longest is None or len(groups[longest]) < 2 or (len(groups) > 1 and len(groups[longest]) <= FEW):
            break
        half = (len(groups[longest]) + 1) // 2
        split = [*groups[:longest], groups[longest][:half], groups[longest][half:], *groups[longest + 1 :]]
        if sum(len(_told(group).split()) for group in split) > words:
            break
        groups = split
    return tuple(Sentence(_told(group), tuple(dict.fromkeys(clause.episode for clause in group))) for group in groups)


def _told(clauses: Sequence[Clause]) -> str:
    """Return one sentence. What begins with a verb of the speaker comes first, so that the name can stand before it."""
    first = next((clause for clause in clauses if clause.leads), clauses[0])
    parts = [first.text, *(clause.text for clause in clauses if clause is not first)]
    parts[1:] = [part.removeprefix(_ASKED) if before.startswith(_ASKED) else part for before, part in pairwise(parts)]
    name = ROLE_NAMES.get(first.speaker, first.speaker)
    said = f"{name} {parts[0]}" if first.leads else f"{name} said {parts[0]}"
    if len(parts) == 1:
        return f"{said}."
    plain = all(clause.leads for clause in clauses) and not any("," in part or " and " in part for part in parts)
    if plain:
        return f"{', '.join([said, *parts[1:-1]])} and {parts[-1]}."
    return f"{'; '.join([said, *parts[1:]])}."
