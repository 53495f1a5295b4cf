"""Grouping: episodes by what they are about, the largest groups first (H-05, H-06, H-17, X-H8)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ethos.core.learning.lessons.observation import Observation
from ethos.core.learning.lessons.reading import About, observe
from ethos.core.model.records import Episode
from ethos.core.rules.vocabulary import Vocabulary


class Group(NamedTuple):
    """The episodes about one thing, in order of time, and those of them that say how it went."""

    about: About
    episodes: list[Episode]
    observations: list[Observation]


def groups_of(episodes: Iterable[Episode], vocabulary: Vocabulary, marks: Mapping[str, Sequence[str]] | None = None) -> list[Group]:
    """Return every group, the largest first, of equals in the order of the kinds of things. An episode may be in several.

    marks: episode id -> what else may explain its outcome.
    """
    found: dict[About, Group] = {}
    for episode in sorted(episodes, key=lambda each: (each.said_at, each.id)):
        things, observation = observe(episode, vocabulary, (marks or {}).get(episode.id, ()))
        for thing in things:
            group = found.get(thing) or found.setdefault(thing, Group(thing, [], []))
            group.episodes.append(episode)
            if observation is not None:
                group.observations.append(observation)
    kinds = [*(kind.name for kind in vocabulary.entities), "tag", "project", "person", ""]
    return sorted(found.values(), key=lambda group: (-len(group.episodes), kinds.index(group.about.kind), group.about.name))


def worth_a_look(groups: Iterable[Group], least: int, most: int) -> list[Group]:
    """Return the largest groups of at least `least` episodes, at most `most`; of groups with the same episodes the first."""
    kept: list[Group] = []
    seen: set[tuple[str, ...]] = set()
    for group in groups:
        members = tuple(each.id for each in group.episodes)
        if len(members) >= least and members not in seen:
            seen.add(members)
            kept.append(group)
    return kept[:most]
