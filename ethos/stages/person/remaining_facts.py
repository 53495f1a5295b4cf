"""Rewrite facts that stay when others are forgotten, as though what is gone had never been said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from ethos.core.facts.evidence import AFFIRMING, rebuild_fact, with_origin
from ethos.core.model.records import Episode, Evidence, Fact, Run
from ethos.core.text import folding


def rescored(
    versions: Sequence[Fact], left: Sequence[Evidence], episodes: Mapping[str, Episode], readers: Mapping[str, Run]
) -> tuple[Fact, ...]:
    """Return every version of a fact as the evidence that is left has it, never with more confidence than before.

    episodes: those that the evidence was read in. readers: the runs that read it.
    """
    in_force = [piece for piece in left if piece.run not in readers or not readers[piece.run].undone_by] or left
    told = rebuild_fact(versions[-1], with_origin(in_force, episodes, readers))
    texts = [episodes[piece.episode].text for piece in left]
    made = any(piece.verdict not in AFFIRMING for piece in left)
    objects = {piece.object for piece in left}
    anew = []
    for version in versions:
        words = version if version.object in objects and version is not versions[-1] else told
        affirmed = None if version.affirmed_at is None or told.affirmed_at is None else min(version.affirmed_at, told.affirmed_at)
        anew.append(
            replace(
                version,
                object=words.object,
                object_key=words.object_key,
                statement=words.statement,
                over=_vouched(version.over, texts, known=made),
                replaces=_vouched(version.replaces, texts, known=made),
                confidence=min(version.confidence, told.confidence),
                rule=told.rule,
                rule_version=told.rule_version,
                valid_from=told.valid_from,
                valid_to=told.valid_from if version.quarantined else version.valid_to and max(version.valid_to, told.valid_from),
                affirmed_at=affirmed,
            )
        )
    return tuple(anew)


def put_aside(version: Fact, now: datetime) -> Fact:
    """Return the version retired, if it was not."""
    return replace(version, retired_at=version.retired_at or now, flagged=False)


def succeeded(version: Fact, gone: set[str], facts: Mapping[str, tuple[Fact, ...]]) -> Fact:
    """Return the version with the next successor that stays in the place of one that goes; without one it was not held then."""
    successor, seen = version.superseded_by, set[str]()
    while successor in gone and successor not in seen:
        seen.add(successor)
        successor = facts[successor][-1].superseded_by
    if successor == version.superseded_by:
        return version
    if successor is None or successor in gone or successor == version.id:
        return replace(version, superseded_by=None, retired_at=version.retired_at or version.recorded_at)
    return replace(version, superseded_by=successor)


def reworded(before: Fact, after: Fact) -> bool:
    """Return True if a version says something else after it was rewritten."""
    return said(before) != said(after)


def said(fact: Fact) -> set[str]:
    """Return all texts of a version."""
    return {text for text in (fact.statement, fact.object, fact.over, fact.replaces) if text}


def _vouched(words: str | None, texts: Sequence[str], *, known: bool) -> str | None:
    """Return the words if an episode that stays holds them, None if not."""
    return words if words and (known or any(folding.key(words) in folding.key(each) for each in texts)) else None
