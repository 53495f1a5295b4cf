"""Generalize: find what goes with success across episodes, and keep what was found honest (H-04 to H-39).

The groups that grew within the look-back are compared over all of their history, because shares need denominators. No pattern is the
normal answer. Nothing is kept between nights but the lessons themselves (H-36), and an episode is only read: it decays as it did (H-35).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from ethos.core.learning.lessons import keeping, wording
from ethos.core.learning.lessons.grouping import Group, groups_of, worth_a_look
from ethos.core.learning.lessons.likeness import lesson_likeness
from ethos.core.learning.lessons.mining import Finding, mine
from ethos.core.model.lessons import Analysis, FoundBy, Lesson, LessonEvidence, Playbook
from ethos.core.model.plan import ChangeSet, Plan
from ethos.core.model.records import Episode, Record, Removed
from ethos.core.model.sections import Interval, Line, Section, Table
from ethos.core.passes.context import Context
from ethos.core.passes.night import Said
from ethos.core.passes.stage import Stage
from ethos.core.ports.store import Work
from ethos.core.text.plurals import plural

TITLE = "Lessons"
COUNTS = ("episodes_reviewed", "groups_found", "groups_analyzed", "patterns_created", "patterns_strengthened", "errors")
_FIRST_SPAN = timedelta(days=28)  # before the day, looked for episodes in at once; doubled until there are enough


@dataclass(frozen=True, slots=True)
class Needs:
    """The episodes that may be compared, oldest first, and what earlier nights left. marks: what else may explain an outcome."""

    episodes: Sequence[Episode] = ()
    marks: Mapping[str, Sequence[str]] = field(default_factory=dict)
    lessons: Sequence[Lesson] = ()
    evidence: Mapping[str, LessonEvidence] = field(default_factory=dict)
    playbooks: Sequence[Playbook] = ()
    errors: tuple[str, ...] = ()


def gather(work: Work, ctx: Context) -> Needs:
    """Read the episodes of the sources up to the end of the day, and the lessons. What cannot be read is told, and left out (H-31)."""
    user = ctx.settings.ethos.user
    try:
        episodes = _episodes(work, ctx)
        rules: dict[str, set[str]] = defaultdict(set)
        for piece in work.evidence_in([each.id for each in episodes]):
            rules[piece.episode].add(f"rule {piece.rule}")
        return Needs(
            episodes,
            {episode: sorted(found) for episode, found in rules.items()},
            [each for each in work.records(Lesson) if each.user == user],
            {each.id: each for each in work.records(LessonEvidence) if each.user == user},
            [each for each in work.records(Playbook) if each.user == user],
        )
    except ValueError as error:  # a row that holds something else than it should
        return Needs(errors=(f"what the lessons rest on ({error})",))


def decide(needs: Needs, ctx: Context) -> Plan:
    """Strengthen or retire the lessons that are held, add those that were found, and keep the playbooks in step."""
    settings = ctx.settings.lessons
    recent = _recent(needs.episodes, ctx)
    counts = dict.fromkeys(COUNTS, 0) | {"episodes_reviewed": len(recent), "errors": len(needs.errors)}
    if len(recent) < settings.min_group:
        return _plan((), Section(TITLE, _troubles(needs), counts=counts))
    groups = groups_of(needs.episodes, ctx.rules.vocabulary, needs.marks)
    grown = [each for each in groups if sum(episode.id in recent for episode in each.episodes) >= settings.min_group]
    chosen = worth_a_look(grown, settings.min_group, settings.max_groups)
    counts |= {"groups_found": len(grown), "groups_analyzed": len(chosen)}
    book = _Book(needs, {str(each.about): each for each in groups}, keeping.Night(ctx.settings.ethos.user, ctx.run, ctx.now, settings))
    book.weigh(ctx.tonight.end)
    for finding in mine({str(each.about): each.observations for each in chosen}, settings):
        book.add(finding)
    for analysis in ctx.analyses:
        book.hear(analysis)
    book.keep_playbooks()
    counts |= {"patterns_created": len(book.made), "patterns_strengthened": len(book.strengthened)}
    counts["errors"] += sum(bool(each.problem) for each in ctx.analyses)
    lines = (*book.lines(counts), *_troubles(needs), *(Line(f"{each.about}: {each.problem}") for each in ctx.analyses if each.problem))
    tables, intervals = tuple(book.tables()), tuple(book.intervals())
    return _plan(book.puts(), Section(TITLE, lines, tables, intervals=intervals, counts=counts | _usage(ctx)))


def told_lately(needs: Needs, ctx: Context) -> list[Episode]:
    """Return the episodes of the look-back, of which a model may be told; nothing where they are too few (H-04)."""
    recent = _recent(needs.episodes, ctx)
    return [each for each in needs.episodes if each.id in recent] if len(recent) >= ctx.settings.lessons.min_group else []


def grown(episodes: Sequence[Episode], ctx: Context) -> list[Group]:
    """Return the groups of these episodes that a model is asked about (H-05, H-06)."""
    return worth_a_look(groups_of(episodes, ctx.rules.vocabulary), ctx.settings.lessons.min_group, ctx.settings.lessons.max_groups)


class _Book:
    """The lessons as the night changes them."""

    def __init__(self, needs: Needs, groups: Mapping[str, Group], night: keeping.Night) -> None:
        self._needs = needs
        self._groups = groups
        self._night = night
        self.lessons = {each.id: each for each in needs.lessons}
        self.evidence = dict(needs.evidence)
        self.playbooks = {each.lesson: each for each in needs.playbooks}
        self.made: list[str] = []
        self.strengthened: list[str] = []
        self.retired: list[str] = []
        self.revived: list[str] = []

    def weigh(self, until: datetime) -> None:
        """Weigh each lesson against the episodes that are new; not in a night before what it rests on (X-L8)."""
        for lesson in self._needs.lessons:
            group = self._groups.get(lesson.about)
            if group is None or lesson.last_at >= until:
                continue
            kept = keeping.again(lesson, group.observations, self.evidence, self._night)
            if kept.evidence is not None:
                self._put(kept)
                changed = {(True, True): self.strengthened, (True, False): self.retired, (False, True): self.revived}
                changed.get((lesson.held, kept.lesson.held), []).append(lesson.id)

    def add(self, finding: Finding) -> None:
        """Take a finding as a lesson, unless it is one already (H-25)."""
        if keeping.id_of(finding, self._night.user) in self.lessons:
            return
        group = self._groups[finding.group]
        related = []
        episodes = frozenset(each.episode for each, _ in keeping.counted(group.observations, finding.condition))
        for other in self.lessons.values():
            if other.held and keeping.says_the_same(other, finding):
                likeness = keeping.overlap(episodes, keeping.episodes_of(other, self.evidence))
                if likeness >= self._night.settings.duplicate_at:
                    return
                if likeness >= self._night.settings.connect_at:
                    related.append(other.id)
        project = group.about.name if group.about.kind == "project" else ""
        kept = keeping.made(finding, group.observations, project, related, self._night)
        self._put(kept)
        self.made.append(kept.lesson.id)

    def hear(self, analysis: Analysis) -> None:
        """Take what a model told as a lesson, or as one that there is (H-25)."""
        told = [each for each in self._groups[analysis.about].episodes if each.id in analysis.episodes]
        if analysis.title is None or not told:
            return
        text = f"{analysis.title}. {analysis.body}"
        likeness = {
            each.id: lesson_likeness(f"{each.title}. {each.body}", text)
            for each in self.lessons.values()
            if each.held and each.about == analysis.about and each.found_by is FoundBy.MODEL
        }
        settings, nearest = self._night.settings, max(likeness, key=likeness.__getitem__, default="")
        if nearest and likeness[nearest] >= settings.duplicate_at:
            lesson = self.lessons[nearest]
            kept = keeping.told_again(lesson, analysis, told, keeping.episodes_of(lesson, self.evidence), self._night)
            if kept.evidence is not None:
                self._put(kept)
                self.strengthened.append(nearest)
            return
        related = [id_ for id_, how in likeness.items() if how >= settings.connect_at]
        kept = keeping.told(analysis, told, related, self.lessons, self._night)
        self._put(kept)
        self.made.append(kept.lesson.id)

    def keep_playbooks(self) -> None:
        """Make a playbook of each strong lesson, and withdraw those whose lesson is strong no longer."""
        for lesson in self.lessons.values():
            held, wanted = self.playbooks.get(lesson.id), keeping.playbook(lesson, self._night)
            if wanted is None:
                if held is not None and held.withdrawn_at is None:
                    self.playbooks[lesson.id] = replace(held, withdrawn_at=self._night.now)
            elif held is None or held.withdrawn_at is not None or held.body != wanted.body:
                self.playbooks[lesson.id] = (
                    wanted if held is None else replace(held, title=wanted.title, body=wanted.body, withdrawn_at=None)
                )

    def puts(self) -> Iterator[Record]:
        """Give the records that are other than they were: evidence, lessons, playbooks; what has lost its lesson goes."""
        yield from (each for id_, each in self.evidence.items() if id_ not in self._needs.evidence)
        before = {each.id: each for each in self._needs.lessons}
        yield from (each for id_, each in self.lessons.items() if each != before.get(id_))
        books = {each.lesson: each for each in self._needs.playbooks}
        yield from (each for id_, each in self.playbooks.items() if each != books.get(id_))
        resting = {id_ for each in self.lessons.values() for id_ in each.evidence}
        yield from (Removed(LessonEvidence, id_) for id_ in self._needs.evidence if id_ not in resting)
        yield from (Removed(Playbook, each.id) for each in self._needs.playbooks if each.lesson not in self.lessons)

    def lines(self, counts: Mapping[str, int]) -> Iterator[Line]:
        """Give what the report says: one sentence in all where something was learned (H-34), and each lesson that changed."""
        if counts["patterns_created"] or counts["patterns_strengthened"]:
            yield Line(
                f"{counts['episodes_reviewed']} episodes → {counts['groups_analyzed']} groups → {counts['patterns_created']} new patterns,"
                f" {counts['patterns_strengthened']} strengthened",
                "ethos lessons",
            )
        else:
            yield Line(f"no pattern in {plural(counts['groups_analyzed'], 'topic')} compared", "ethos lessons")
        for word, changed in (("learned", self.made), ("holds again", self.revived), ("retired", self.retired)):
            for id_ in changed:
                lesson = self.lessons[id_]
                why = f" ({lesson.note})" if lesson.note and word != "learned" else ""
                yield Line(f"{word}: {_claim(lesson)}{why}", f"ethos lessons {id_}")
        before = {each.lesson for each in self._needs.playbooks}
        for lesson_id, playbook in self.playbooks.items():
            if lesson_id not in before:
                yield Line(f"playbook: {playbook.body}", f"ethos lessons {lesson_id}")

    def tables(self) -> Iterator[Table]:
        """Give the lessons that changed with their shares."""
        rows = tuple(map(_row, self._changed()))
        if rows:
            yield Table(("lesson", "with it", "otherwise", "points between, 95 %", "now", "id"), rows)

    def intervals(self) -> Iterator[Interval]:
        """Give the shares of the lessons that hold and changed. The id is told with them, by which a line of a report is known again."""
        for lesson in self._changed():
            if lesson.held:
                table = wording.table_of(lesson)
                low, high = table.with_it.interval()
                yield Interval(f"{_name(lesson)} ({lesson.id})", low, table.with_it.rate, high, table.without.rate)

    def _changed(self) -> list[Lesson]:
        ids = (*self.made, *self.revived, *self.strengthened, *self.retired)
        return [lesson for id_ in ids if (lesson := self.lessons[id_]).condition]

    def _put(self, kept: keeping.Kept) -> None:
        self.lessons[kept.lesson.id] = kept.lesson
        if kept.evidence is not None:
            self.evidence[kept.evidence.id] = kept.evidence


def _episodes(work: Work, ctx: Context) -> list[Episode]:
    """Return the newest episodes of the sources, oldest first: the day, then spans that double, until there are enough of them."""
    settings, night = ctx.settings.lessons, ctx.tonight
    sources, user = frozenset(settings.sources), ctx.settings.ethos.user
    oldest, until, span = night.end - timedelta(days=settings.history_days), night.start, _FIRST_SPAN
    said = ctx.carried.take(Said)
    day = work.between(Episode, "said_at", until, night.end) if said is None else said.episodes
    found = [each for each in day if each.kind in sources and each.user == user and each.said_at >= oldest]
    while until > oldest and len(found) < settings.history_episodes:
        since = max(oldest, until - span)
        lot = work.between(Episode, "said_at", since, until)
        found = [each for each in lot if each.kind in sources and each.user == user] + found
        until, span = since, span * 2
    return found[-settings.history_episodes :]


def _recent(episodes: Sequence[Episode], ctx: Context) -> frozenset[str]:
    """Return the episodes of the look-back, the newest so many of each kind (H-11)."""
    settings = ctx.settings.lessons
    since = ctx.tonight.end - timedelta(days=settings.look_back_days)
    kinds: defaultdict[str, list[str]] = defaultdict(list)
    for each in episodes:
        if each.said_at >= since:
            kinds[each.kind].append(each.id)
    return frozenset(id_ for found in kinds.values() for id_ in found[-settings.per_kind :])


def _usage(ctx: Context) -> dict[str, int]:
    """Return the calls of a model and their tokens (H-33); nothing without a model."""
    if not ctx.analyses:
        return {}
    return {
        "model_calls": len(ctx.analyses),
        "model_prompt_tokens": sum(each.prompt_tokens for each in ctx.analyses),
        "model_completion_tokens": sum(each.completion_tokens for each in ctx.analyses),
    }


def _claim(lesson: Lesson) -> str:
    condition = wording.condition_of(lesson)
    return lesson.title if condition is None else wording.claim(lesson.about, condition, wording.table_of(lesson))


def _row(lesson: Lesson) -> tuple[str, ...]:
    table = wording.table_of(lesson)
    interval = f"{100 * table.difference:+.0f} ({100 * lesson.low:+.0f} to {100 * lesson.high:+.0f})"
    now = "held" if lesson.held else "retired"
    return _name(lesson), _share(*table.with_it), _share(*table.without), interval, now, lesson.id


def _name(lesson: Lesson) -> str:
    return f"{wording.subject(lesson.about)}{wording.condition_of(lesson)}"


def _share(good: int, total: int) -> str:
    return f"{good} of {total}"


def _troubles(needs: Needs) -> tuple[Line, ...]:
    return tuple(Line(f"could not be read: {each}", "ethos doctor") for each in needs.errors)


def _plan(puts: Iterator[Record] | tuple[Record, ...], section: Section) -> Plan:
    return Plan((ChangeSet("", tuple(puts), (), (section,)),))


GENERALIZE = Stage("generalize", gather, decide)
