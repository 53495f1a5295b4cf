"""The profile: draw it from what is held at this moment, and have a run put it down anew (G-11 to G-14)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from ethos import engine
from ethos.app.dependencies import Dependencies
from ethos.core.facts.statement import EVERYWHERE
from ethos.core.learning.summaries.habits import habits
from ethos.core.learning.summaries.profile import Line, draw, main_subject, ranked, written
from ethos.core.model import ids
from ethos.core.model.errors import refuse
from ethos.core.model.records import Run
from ethos.core.model.summaries import Profile, Summary
from ethos.core.text import folding
from ethos.stages.sleep.draw_profile import DRAW_PROFILE, gathered, project_told

NAME = "profile"  # of its runs


@dataclass(frozen=True, slots=True)
class ProfileLine:
    """A line: its section, its words, and the ids of the facts that it tells. project: where they hold, in a profile of all projects; "":
    everywhere, or in no project that has a name.
    """

    section: str
    text: str
    facts: tuple[str, ...]
    project: str = ""


@dataclass(frozen=True, slots=True)
class ShownProfile:
    """A profile as it is shown. markdown: its lines under their headings; left_out: facts that are held and did not fit; in_question:
    those that wait for a person. project: facts of this project and facts that hold everywhere; None: of all projects.

    made_at: when a night put it down last; None: none has yet. summaries: of how many it is made. unknown_project: the one that was asked
    for by name, if nothing was ever said in it.
    """

    user: str
    about: str
    project: str | None
    lines: tuple[ProfileLine, ...]
    markdown: str
    left_out: int
    in_question: int
    summaries: int
    made_at: datetime | None
    unknown_project: str = ""


def profile(deps: Dependencies, about: str | None, project: str | None, max_bytes: int | None) -> ShownProfile:
    """Return the profile as of now.

    about: only facts about this subject, or what it owns. project: only facts of this project, and those that hold everywhere.
    max_bytes: None is the setting's.
    """
    settings = deps.settings
    with deps.store.begin() as work:
        needs = gathered(work, deps.user)
        sessions = [summary for summary in work.records(Summary) if summary.user == deps.user]
    subject = about or main_subject(needs.facts)
    facts = [fact for fact in needs.facts if about is None or folding.key(fact.subject.partition("'s ")[0]) == folding.key(about)]
    facts = [fact for fact in facts if project is None or fact.project in {project, EVERYWHERE}]
    zone = ZoneInfo(settings.sleep.zone) if settings.sleep.zone else None
    counted = habits(sessions, zone) if about is None else ()
    room = settings.profile.max_bytes if max_bytes is None else max_bytes
    lines = draw(ranked(facts, needs.uses), subject, counted, room, *(() if project is not None else (project_told,)))
    deps.show(_said(lines))
    told = tuple(ProfileLine(line.part.value, line.text, tuple(fact.id for fact in line.facts), line.project) for line in lines)
    shown = sum(len(line.facts) for line in lines)
    asked = sum(fact.flagged for fact in facts)
    made_at = needs.before.made_at if needs.before is not None else None
    markdown, left_out = "\n".join(written(lines)), len(facts) - shown - asked
    return ShownProfile(deps.user, subject, project, told, markdown, left_out, asked, len(sessions), made_at)


def _said(lines: Sequence[Line]) -> list[str]:
    """Return all that is shown, so that none of it is learned when it comes back."""
    return [text for line in lines for text in (str(line), line.text, *(fact.statement for fact in line.facts))]


def synthesize(deps: Dependencies) -> tuple[Run, Profile]:
    """Put the profile down anew, in a run of its own. Raises Refused where no session has been told yet. To be done in a pass's turn."""
    now = deps.clock.now()
    with deps.store.begin() as work:
        if next(iter(work.records(Summary)), None) is None:
            raise refuse("not-found", "No semantic memories to synthesize", hint="run `ethos sleep` first; it summarises the sessions")
    run = Run(ids.run_id(NAME, now.isoformat(), ""), NAME, "", None, now, rules=deps.rules.hash)
    deps.put(run)
    engine.run_unit(deps.store, (DRAW_PROFILE,), deps.context(run.id, now))
    done = Run(run.id, NAME, "", None, now, deps.clock.now(), run.rules, outcome="done")
    deps.put(done)
    with deps.store.begin() as work:
        return done, work.find(Profile, "user", (deps.user,))[0]
