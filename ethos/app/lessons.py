"""Listing lessons: what many episodes taught, with the episodes that each rests on and the playbook that came of it (H-37)."""

from __future__ import annotations

from dataclasses import dataclass

from ethos.app.dependencies import Dependencies
from ethos.core.history.salience import initial_salience, salience_at
from ethos.core.learning.lessons.edges import Edge, EdgeKind, edges
from ethos.core.learning.lessons.wording import table_of
from ethos.core.model.errors import refuse
from ethos.core.model.lessons import Lesson, LessonEvidence, Playbook

LEAST = 0.5  # salience of a lesson that was just borne out; what it lacks of 1 is made up for by the size of its effect (H-38)


@dataclass(frozen=True, slots=True)
class Taught:
    """A lesson as it is told. encoded: its salience when its latest episode was told, 0..1; salience: what is left of that now; edges:
    where one lesson was asked for.
    """

    lesson: Lesson
    episodes: int
    encoded: float
    salience: float
    playbook: Playbook | None = None
    edges: tuple[Edge, ...] = ()


def lessons(deps: Dependencies, asked: str | None = None, *, retired: bool = False) -> tuple[Taught, ...]:
    """Return the lessons that hold, the newest evidence first; with an id, or the beginning of one, that lesson and its edges.

    retired: those that were retired too. Raises Refused where no lesson has the id.
    """
    with deps.store.begin() as work:
        held = [each for each in work.records(Lesson) if each.user == deps.user]
        evidence = {each.id: each for each in work.records(LessonEvidence)}
        playbooks = {each.lesson: each for each in work.records(Playbook) if each.withdrawn_at is None}
    if asked is not None:
        held = [each for each in held if each.id.startswith(asked)]
        if len(held) != 1:
            what = f"no lesson has the id {asked}" if not held else f"{asked} is the beginning of {len(held)} ids"
            raise refuse("not-found", what, hint="ethos lessons --retired lists them all")
    found = []
    for lesson in sorted(held, key=lambda each: (each.last_at, each.id), reverse=True):
        if lesson.held or retired or asked:
            drawn = tuple(edges(lesson, evidence, deps.settings.lessons))
            base = LEAST + (1 - LEAST) * abs(table_of(lesson).difference)
            alive = initial_salience(lesson.id, "lesson", base, lesson.last_at, deps.settings.decay)
            found.append(
                Taught(
                    lesson,
                    sum(edge.kind is EdgeKind.GENERALIZES for edge in drawn),
                    round(base, 4),
                    round(salience_at(alive, deps.clock.now(), deps.settings.decay), 4),
                    playbooks.get(lesson.id),
                    drawn if asked else (),
                )
            )
    return tuple(found)
