"""Keeping: what a night makes of the lessons that are held, of what it found, and of the playbooks (H-25 to H-29, H-39).

A held lesson is strengthened by new episodes or retired by them. A retired one comes back only on episodes since then: what was told
before has been weighed already. It keeps the shares that it claimed. What is found again is no second lesson.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from ethos.core.learning.lessons import wording
from ethos.core.learning.lessons.holding import Pulse, after, base_of, regained
from ethos.core.learning.lessons.mining import Finding
from ethos.core.learning.lessons.observation import Condition, Observation
from ethos.core.learning.statistics.tables import Table
from ethos.core.model import ids
from ethos.core.model.lessons import Analysis, FoundBy, Lesson, LessonEvidence, Playbook
from ethos.core.model.records import Episode
from ethos.core.model.settings import LessonsSettings

_RECENT = 50  # episodes

Counted = Sequence[tuple[Observation, bool]]  # observations, and whether the condition holds in each


@dataclass(frozen=True, slots=True)
class Night:
    """What every lesson of a night has in common."""

    user: str
    run: str
    now: datetime
    settings: LessonsSettings


@dataclass(frozen=True, slots=True)
class Kept:
    """A lesson after the night, and the evidence that it gained; None where no episode was new."""

    lesson: Lesson
    evidence: LessonEvidence | None = None


def counted(observations: Iterable[Observation], condition: Condition) -> Counted:
    """Return the observations of which it is known whether the condition holds."""
    held = ((each, condition.holds(each.features.get(condition.field))) for each in observations)
    return [(each, so) for each, so in held if so is not None]


def again(lesson: Lesson, group: Sequence[Observation], evidence: Mapping[str, LessonEvidence], night: Night) -> Kept:
    """Return what a night makes of a lesson that there is. group: in order of time; evidence: of all lessons, by its id."""
    condition = wording.condition_of(lesson)
    if condition is None:
        return Kept(lesson)
    known = episodes_of(lesson, evidence)
    seen = counted(group, condition)
    new = [(each, so) for each, so in seen if each.episode not in known]
    if not new:
        return Kept(lesson)
    base = base_of([(so, each.good) for each, so in seen if each.episode in known], wording.table_of(lesson))
    cases = [(so, each.good) for each, so in new]
    follow, limit = (after, night.settings.retire_at) if lesson.held else (regained, night.settings.revive_at)
    pulse, turned = follow(Pulse(lesson.against, base), _claimed(lesson, seen, evidence), cases, limit)
    gained = _evidence(lesson.id, lesson.project, [each.episode for each, _ in new], night)
    weighed = replace(
        lesson,
        against=pulse.against if turned is None else 0.0,
        recent_good=pulse.base.share,
        recent_so=_share_of_condition(seen),
        last_at=max(lesson.last_at, *(each.at for each, _ in new)),
        evidence=(*lesson.evidence, gained.id),
    )
    if lesson.held == (turned is None):  # it is held now, as before or again
        weighed = _told(weighed, condition, _table(seen), night)
    if turned is not None:
        what = "refuted" if lesson.held else "confirmed again"
        note = f"{what}: since {lesson.last_at:%Y-%m-%d} {_shares(_table(new))}"
        weighed = replace(weighed, retired_at=night.now if lesson.held else None, note=note)
    return Kept(weighed, gained)


def made(finding: Finding, group: Sequence[Observation], project: str, related: Sequence[str], night: Night) -> Kept:
    """Return the lesson that a finding becomes."""
    condition = finding.condition
    seen = counted(group, condition)
    id_ = id_of(finding, night.user)
    evidence = _evidence(id_, project, [each.episode for each, _ in seen], night)
    table = _table(seen)
    lesson = Lesson(
        id=id_,
        user=night.user,
        project=project,
        about=finding.group,
        title="",
        body="",
        summary="",
        found_by=FoundBy.STATISTICS,
        found_at=night.now,
        first_at=min(each.at for each, _ in seen),
        last_at=max(each.at for each, _ in seen),
        run=night.run,
        evidence=(evidence.id,),
        related=tuple(related),
        grounds=wording.grounds(finding),
        condition=wording.condition_text(condition),
        better=finding.better,
        p=finding.p,
        tried=finding.tried,
        recent_good=base_of([(so, each.good) for each, so in seen], table).share,
        recent_so=_share_of_condition(seen),
    )
    return Kept(_told(lesson, condition, table, night), evidence)


def told(analysis: Analysis, episodes: Sequence[Episode], related: Sequence[str], known: Container[str], night: Night) -> Kept:
    """Return the lesson that a model told of these episodes. It has a title and a body, and no shares that we have counted.

    known: the ids of the lessons that there are. Another lesson of the same title keeps its place: the body goes into the id of this one.
    """
    title, body = analysis.title or "", analysis.body or ""
    id_ = ids.lesson_id(night.user, analysis.about, title)
    if id_ in known:
        id_ = ids.lesson_id(night.user, analysis.about, f"{title}\n{body}")
    evidence = _evidence(id_, "", analysis.episodes, night)
    lesson = Lesson(
        id=id_,
        user=night.user,
        project="",
        about=analysis.about,
        title=title,
        body=body,
        summary=wording.summary(body),
        found_by=FoundBy.MODEL,
        found_at=night.now,
        first_at=min(each.said_at for each in episodes),
        last_at=max(each.said_at for each in episodes),
        run=night.run,
        evidence=(evidence.id,),
        related=tuple(related),
    )
    return Kept(lesson, evidence)


def told_again(lesson: Lesson, analysis: Analysis, episodes: Sequence[Episode], known: frozenset[str], night: Night) -> Kept:
    """Return a lesson that a model told once more, with the episodes that are new (H-25, H-29)."""
    new = [each for each in analysis.episodes if each not in known]
    if not new:
        return Kept(lesson)
    evidence = _evidence(lesson.id, lesson.project, new, night)
    last = max(lesson.last_at, *(each.said_at for each in episodes))
    return Kept(replace(lesson, last_at=last, evidence=(*lesson.evidence, evidence.id)), evidence)


def claim_of(condition: Condition, *, better: bool) -> str:
    """Return what tells one claim about a group from another: the field, its value where it has one, and the direction."""
    what = condition.field if condition.operator in {"above", "below"} else wording.condition_text(condition)
    return f"{'more' if better else 'fewer'} {what}"


def says_the_same(lesson: Lesson, finding: Finding) -> bool:
    """Return whether a lesson makes the same claim as a finding, about whatever group and with whatever cut."""
    condition = wording.condition_of(lesson)
    said = None if condition is None else claim_of(condition, better=lesson.better)
    return said == claim_of(finding.condition, better=finding.better)


def id_of(finding: Finding, user: str) -> str:
    """Return the id of the lesson that a finding is."""
    return ids.lesson_id(user, finding.group, claim_of(finding.condition, better=finding.better))


def playbook(lesson: Lesson, night: Night) -> Playbook | None:
    """Return the playbook of a lesson with strong statistics; None where they are not."""
    condition = wording.condition_of(lesson)
    nearest = lesson.low if lesson.better else -lesson.high
    if condition is None or not lesson.held or lesson.all_with < night.settings.playbook_cases or nearest < night.settings.playbook_effect:
        return None
    advice = "Look for it" if lesson.better else "Avoid it, or ask first"
    expect = "success" if lesson.better else "failure"
    shares = f"{lesson.good_with} of {lesson.all_with} went well, {lesson.good_without} of {lesson.all_without} otherwise"
    trigger = {"about": lesson.about, "when": [list(condition)], "expect": expect}
    return Playbook(
        ids.playbook_id(lesson.id),
        lesson.user,
        lesson.project,
        lesson.id,
        lesson.title,
        f"When {condition}: {shares}. {advice}.",
        json.dumps(trigger, ensure_ascii=False),
        night.now,
        night.run,
    )


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the share of their episodes that two lessons have in common, 0..1."""
    return len(one & other) / len(one | other) if one or other else 0.0


def episodes_of(lesson: Lesson, evidence: Mapping[str, LessonEvidence]) -> frozenset[str]:
    """Return the episodes that a lesson rests on."""
    return frozenset(episode for id_ in lesson.evidence if id_ in evidence for episode in evidence[id_].episodes)


def _told(lesson: Lesson, condition: Condition, table: Table, night: Night) -> Lesson:
    """Return a lesson with these shares, and its words."""
    low, high = table.interval()
    body = wording.body(lesson.about, condition, table, lesson.grounds, night.settings.retire_at)
    return replace(
        lesson,
        title=wording.title(lesson.about, condition, table),
        body=body,
        summary=wording.summary(body),
        good_with=table.with_it.of,
        all_with=table.with_it.total,
        good_without=table.without.of,
        all_without=table.without.total,
        low=low,
        high=high,
    )


def _table(seen: Counted) -> Table:
    return Table.of((so, each.good) for each, so in seen)


def _evidence(lesson: str, project: str, new: Sequence[str], night: Night) -> LessonEvidence:
    id_ = ids.lesson_evidence_id(lesson, night.run)
    return LessonEvidence(id_, night.user, project, lesson, tuple(new), added_at=night.now, run=night.run)


def _claimed(lesson: Lesson, seen: Counted, evidence: Mapping[str, LessonEvidence]) -> float:
    """Return the log of the odds ratio that a lesson claims: that of the episodes it was found in, else of all that it counts."""
    first = evidence.get(lesson.evidence[0]) if lesson.evidence else None
    found = frozenset(first.episodes) if first is not None else frozenset[str]()
    table = _table([(each, so) for each, so in seen if each.episode in found])
    return (table if table.support else wording.table_of(lesson)).log_odds_ratio


def _share_of_condition(seen: Counted) -> float:
    recent = seen[-_RECENT:]
    return sum(so for _, so in recent) / len(recent)


def _shares(table: Table) -> str:
    (good, here), (good_rest, rest) = table
    return f"{good} of {here} went well with it and {good_rest} of {rest} otherwise"
