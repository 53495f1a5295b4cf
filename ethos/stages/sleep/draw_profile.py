"""Draw the profile of a user anew from everything that is held (G-12): one record, put only where it changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ethos.core.facts.statement import NO_PROJECT
from ethos.core.learning.summaries.profile import Use, draw, main_subject, ranked
from ethos.core.model import ids
from ethos.core.model.plan import Plan, one
from ethos.core.model.records import Fact
from ethos.core.model.sections import Line, Section
from ethos.core.model.summaries import Profile, Summary
from ethos.core.passes.context import Context
from ethos.core.passes.stage import Stage
from ethos.core.ports.queries import FactFilter
from ethos.core.ports.store import Work

TITLE = "Profile"


@dataclass(frozen=True, slots=True)
class Needs:
    """Everything that is held of a user, how it was used, and the profile as it is."""

    facts: Sequence[Fact]
    uses: Mapping[str, Use]
    summaries: int
    before: Profile | None


def gather(work: Work, ctx: Context) -> Needs:
    """Ask for all of it."""
    return gathered(work, ctx.settings.ethos.user)


def gathered(work: Work, user: str) -> Needs:
    """Return what a profile of this user is drawn from."""
    facts = work.facts(FactFilter(user))
    held = [fact.id for fact in facts]
    said = Counter({fact: len(episodes) for fact, episodes in _episodes(work, held).items()})
    salience = work.salience(held)
    uses = {id_: Use(salience[id_].retrievals if id_ in salience else 0, said[id_]) for id_ in held}
    before = next(iter(work.find(Profile, "user", (user,))), None)
    return Needs(facts, uses, sum(1 for summary in work.records(Summary) if summary.user == user), before)


def project_told(fact: Fact) -> str:
    """Return the project that a line of a profile of all projects names: none for what holds everywhere, or was said in no project."""
    return "" if fact.project == NO_PROJECT else fact.project


def _episodes(work: Work, facts: Sequence[str]) -> Mapping[str, set[str]]:
    found: dict[str, set[str]] = {}
    for piece in work.evidence(facts, in_force=True):
        found.setdefault(piece.fact, set()).add(piece.episode)
    return found


def decide(needs: Needs, ctx: Context) -> Plan:
    """Choose the facts of the profile, and say what it gained and lost."""
    user = ctx.settings.ethos.user
    kept = needs.before.facts if needs.before is not None else ()
    best = ranked(needs.facts, needs.uses)
    lines = draw(best, main_subject(needs.facts), (), ctx.settings.profile.max_bytes, project_told)
    facts = tuple(fact.id for line in lines for fact in line.facts)
    if set(facts) == set(kept):
        return Plan()
    statements = {fact.id: fact.statement for fact in needs.facts}
    gained = [id_ for id_ in facts if id_ not in kept]
    lost = [id_ for id_ in kept if id_ not in facts]
    told = [Line(f"+ {statements[id_]}", f"ethos why {id_}") for id_ in gained]
    told += [Line(f"- {statements.get(id_, id_)}", f"ethos why {id_}") for id_ in lost]
    section = Section(TITLE, tuple(told), counts={"profile_gained": len(gained), "profile_lost": len(lost)})
    return one("", Profile(user, ids.profile_id(user), facts, needs.summaries, ctx.now, ctx.run), events=(section,))


DRAW_PROFILE = Stage("profile", gather, decide)
