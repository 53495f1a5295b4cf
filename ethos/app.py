"""Ethos, the one door: every verb that users, agents and the daemon have, and nothing behind it that they need to know.

The same verb names the CLI command, the socket action and the test file. Results are values; `edge/report.py` finds words for them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import islice
from threading import Lock
from typing import Protocol

from ethos import engine, erasing, explain, moving
from ethos.core import ids, text
from ethos.core.changes import Difference, differences
from ethos.core.conservation import NotConserved
from ethos.core.context import Context
from ethos.core.errors import refuse
from ethos.core.forgetting import Wanted
from ethos.core.matching import Rules
from ethos.core.plan import Candidate, Group, Note, Plan, one
from ethos.core.ports import Counts, Decision, Entry, FactFilter, Hit, ReviewFile, Search, Store, Traces, Work
from ethos.core.records import Action, Claim, Episode, Evidence, Fact, Heard, Question, Role, Run
from ethos.core.review import RESOLVED_SHOWN
from ethos.core.review.kinds import kind_of
from ethos.core.salience import estimate_importance, fresh, salience_at
from ethos.core.served import Seal
from ethos.core.settings import Settings
from ethos.core.standing import Standing, turned_down
from ethos.erasing import Forgotten
from ethos.explain import Diff, Why
from ethos.serving import Served
from ethos.stages import CONSOLIDATE
from ethos.stages.decay import DECAY
from ethos.stages.extract import read_claims
from ethos.stages.retrieve import count, query_words
from ethos.stages.settle import settle
from ethos.stages.undo import undo

PROMOTE = "promote"  # the run by which a person says that a rule misread
CHUNK = 1_000  # episodes a capture transaction


class Clock(Protocol):
    """Where `now` comes from."""

    def now(self) -> datetime:
        """Aware, in UTC."""
        ...


@dataclass(frozen=True, slots=True)
class Captured:
    """What a capture did. `changed`: ids held already, with another text; an episode's text never changes, so they stay as they were."""

    added: int = 0
    known: int = 0
    changed: tuple[str, ...] = ()
    forgotten: int = 0  # left out, because a person had them forgotten


@dataclass(frozen=True, slots=True)
class Cycle:
    """One consolidation, in E-28's counts, and what it could not do."""

    run: str
    episodes_scanned: int = 0
    episodes_promoted: int = 0
    facts_created: int = 0
    facts_updated: int = 0
    facts_superseded: int = 0
    facts_flagged: int = 0
    answers_applied: int = 0
    faded: int = 0
    criteria: Mapping[str, int] = field(default_factory=dict)  # why episodes were selected: keyword, importance, retrieval, repetition
    failures: tuple[tuple[str, str], ...] = ()  # (episode, why): left for the next cycle
    more: bool = False  # episodes are left to read
    dry_run: bool = False
    diff: tuple[Difference, ...] = ()  # of a dry run: what the run would change
    review_problem: str = ""  # why the review file could not be read or written, and what to do

    @property
    def counts(self) -> dict[str, int]:
        """E-28's six numbers under their names."""
        return {name: getattr(self, name) for name in CYCLE_COUNTS}


CYCLE_COUNTS = ("episodes_scanned", "episodes_promoted", "facts_created", "facts_updated", "facts_superseded", "facts_flagged")


@dataclass(frozen=True, slots=True)
class Answered:
    """What came of an answer. `applied` is False when it had been given before."""

    question: str
    action: Action
    applied: bool
    text: str


@dataclass(frozen=True, slots=True)
class Status:
    """The state of the memory, for `status` and `doctor`."""

    counts: Counts
    runs: tuple[Run, ...]
    store: Mapping[str, str | int | bool]
    rules: str
    last_event: datetime | None
    events_recently: int  # session events within idle_threshold_seconds
    unread_important: tuple[tuple[str, float, str], ...] = ()  # top 10 unconsolidated: id, importance, start of text
    review_problem: str = ""  # why the review file could not be read or written when it was last tried, and what to do
    model_calls: int = 0  # there is no model; the line is here so that it can be read


@dataclass(frozen=True, slots=True)
class Rejected:
    """A claim that a person turned down: what a counter-example is made of."""

    question: str
    fact: Fact
    rule_version: int  # as it was when it read these words
    text: str  # of the episode; the words are text[start:end]
    start: int
    end: int
    role: Role
    promoted: bool  # a person said already that the rule misread


def _always() -> bool:
    return True


class Reader:
    """The half of the door that keeps nothing: what the rules make of a text."""

    def __init__(self, rules: Rules, settings: Settings, clock: Clock) -> None:
        self.rules = rules
        self.settings = settings
        self.clock = clock

    def importance_of(self, said: str, role: Role) -> float:
        """What importance an episode without one is given (core.salience.estimate_importance)."""
        return estimate_importance(has_literal=self.rules.hits(said) is not None, role=role)

    def extract(self, heard: Heard) -> tuple[Claim, ...]:
        """What the rules read in one turn. Stateless: no store is touched."""
        self.rules.renew()
        return read_claims(Candidate(heard, "asked"), self._context("", self.clock.now()))

    def _context(self, run: str, now: datetime, *, session: str | None = None) -> Context:
        return Context(now, self.settings, self.rules, run, session)


class Ethos(Reader):
    """The memory of one user. Safe to call from several threads; passes are serialised by `guard`, one at a time over all processes."""

    def __init__(
        self,
        store: Store,
        rules: Rules,
        settings: Settings,
        clock: Clock,
        *,
        guard: Callable[[], AbstractContextManager[None]],
        traces: Traces,
        seal: Seal,
        review: ReviewFile | None = None,
    ) -> None:
        """`guard` is entered for a pass and raises `Refused("busy")` when another process is in one. `review` is the inbox file.

        `traces`: where else this memory leaves something. `seal`: a keyed hash, for what must be known again and not be told.
        """
        super().__init__(rules, settings, clock)
        self.store = store
        self._guard = guard
        self._review = review
        self._review_problem = ""
        self._traces = traces
        self._seal = seal
        self._served = Served(store, seal)
        self._projecting = Lock()  # so that an older picture of the store is never written over a newer one

    # -- bring in

    def capture(self, episodes: Iterable[Episode], *, live: bool = False) -> Captured:
        """Put episodes; those already held stay as they are, so capturing again adds nothing. `live`: a session event (E-03)."""
        incoming = iter(episodes)
        total = Captured()
        while chunk := list(islice(incoming, CHUNK)):
            total = self._capture_chunk(chunk, total, live=live)
        return total

    def _capture_chunk(self, chunk: Sequence[Episode], so_far: Captured, *, live: bool) -> Captured:
        with self.store.begin(write=True) as work:
            held = work.episodes([episode.id for episode in chunk])
            first: dict[str, Episode] = {}
            for episode in chunk:
                first.setdefault(episode.id, episode)
            changed = tuple(e.id for e in chunk if (held.get(e.id) or first[e.id]).text != e.text)
            buried = erasing.buried(work, (e for e in first.values() if e.id not in held), self._seal)
            groups = tuple(
                Group(e.id, (e, fresh(e.id, e.kind, e.importance, e.captured_at, self.settings.decay, tone=e.tone)))
                for e in first.values()
                if e.id not in held and e.id not in buried
            )
            work.apply(Plan(groups), "")
            if live:
                for session in {e.session for e in chunk}:
                    work.record_live_capture(session, self.clock.now())
        known = len(chunk) - len(groups) - len(changed) - len(buried)
        return Captured(so_far.added + len(groups), so_far.known + known, so_far.changed + changed, so_far.forgotten + len(buried))

    # -- passes

    def consolidate(
        self,
        *,
        session: str | None = None,
        reason: str = "",
        dry_run: bool = False,
        keep_going: Callable[[], bool] = _always,
        units: int | None = None,
    ) -> Cycle:
        """One cycle: apply what a person ticked, then select, extract and resolve, then let the rest fade (E-06).

        units: at most that many units of `batch_size` episodes; None: until nothing is left. An unknown session gives zeros (X-E13).
        """
        now = self.clock.now()
        run = Run(ids.run_id("consolidate", now.isoformat(), reason), "consolidate", reason, session, now, rules=self.rules.hash)
        ctx = self._context(run.id, now, session=session)
        tally = _Tally()
        self.rules.renew()

        def goes_on() -> bool:
            return not self.rules.spent and keep_going()

        if dry_run:
            ticked = [self._answering(decision, "inbox") for decision in self._ticked(only_look=True)]
            outcomes, changes = engine.rehearse(self.store, ticked, CONSOLIDATE, (DECAY,), ctx, lambda work: work.changes(run.id), goes_on)
            for outcome in outcomes:
                tally.add(outcome)
            return replace(tally.cycle(run.id), dry_run=True, diff=differences(changes), answers_applied=tally.notes["answered"])
        with self._guard():
            self.store.recover(self.settings.consolidation.max_attempts)
            erasing.finish(self.store, now)
            self._served.write()
            self._put(run)
            settled = self._settle_review()
            try:
                for outcome in islice(engine.drain(self.store, CONSOLIDATE, ctx, goes_on), units):
                    tally.add(outcome)
                tally.add(engine.run(self.store, (DECAY,), ctx))
            except NotConserved as violation:
                counts = tally.cycle(run.id).counts
                self._put(replace(run, ended_at=self.clock.now(), counts=counts, outcome="failed", problem=str(violation)))
                what = f"a unit of the pass would have lost something, so nothing of it was kept: {violation}"
                raise refuse("store", what, hint="this is a bug: please report it, with `ethos doctor --json`") from violation
            with self.store.begin() as work:
                more = bool(work.unscanned(self.rules.hash, session=session, limit=1, skip=[cause for cause, _ in tally.failures]))
            cycle = replace(tally.cycle(run.id), answers_applied=settled, more=more)
            self._put(replace(run, ended_at=self.clock.now(), counts=cycle.counts, outcome="stopped" if more else "done"))
            self.store.compact()
        self.project()
        return replace(cycle, review_problem=self._review_problem)

    # -- review

    def inbox(self, *, resolved: bool = False) -> tuple[Entry, ...]:
        """The open questions, oldest first; with `resolved`, the answered ones too."""
        with self.store.begin() as work:
            return self._entries(work, work.questions(open_only=not resolved))

    def answer(self, question: str, action: Action, *, by: str = "cli", note: str = "") -> Answered:
        """What a person decided. Given again it changes nothing; another choice after the first is refused with what to do.

        question: its id, or as much of its beginning as is its alone.
        """
        with self.store.begin() as work:
            question = explain.meant(work, question, "question")
        kind = kind_of(question)
        if kind is None:
            raise refuse("not-found", f"no question has the id {question}", hint="`ethos inbox` lists the open ones")
        if action not in kind.actions:
            raise refuse("usage", f"no such action for {question}: {action}", hint="use one of " + ", ".join(kind.actions))
        with self._guard():
            done = self._decide(Decision(question, action, note), by)
        if done.name == "unknown":
            raise refuse("not-found", f"no question has the id {question}", hint="`ethos inbox` lists the open ones")
        if done.name in {"other", "moot"}:
            raise refuse("usage", f"{question}: {done.text}", hint=f"`ethos why {question}` shows what was decided")
        self.project()
        return Answered(question, action, done.name == "answered", done.text)

    def standings(self) -> Mapping[str, Standing]:
        """What was answered so far about the claims of each rule; rules without answers are missing."""
        with self.store.begin() as work:
            return work.standings(self.settings.ethos.user)

    def rejected(self, question: str) -> Rejected:
        """The claim that a person turned down in a question, and the words it was read in."""
        with self.store.begin() as work:
            question = explain.meant(work, question, "question")
            asked = next(iter(work.questions(ids=[question])), None)
            if asked is None or asked.user != self.settings.ethos.user:
                raise refuse("not-found", f"no question has the id {question}", hint="`ethos inbox --resolved` lists them")
            fact = work.current([turned_down(asked)])[turned_down(asked)]
            piece = next((each for each in work.evidence([fact.id]) if each.rule == fact.rule), None)
            episode = work.episodes([piece.episode]).get(piece.episode) if piece else None
            if piece is None or episode is None:
                raise refuse("not-found", f"the words that {fact.id} rests on are no longer held", hint=f"ethos why {fact.id}")
            promoted = any(run.reason == question and not run.undone_by for run in work.runs(name=PROMOTE, limit=-1))
        return Rejected(question, fact, piece.rule_version, episode.text, piece.start, piece.end, episode.role, promoted)

    def promote(self, question: str) -> Rejected:
        """A person says that the rule misread what they turned down: its standing falls once more. Said again it changes nothing."""
        rejected = self.rejected(question)
        if not rejected.promoted:
            now = self.clock.now()
            with self._guard():
                self._put(Run(ids.run_id(PROMOTE, now.isoformat(), question), PROMOTE, question, None, now, now, outcome="done"))
        return rejected

    def review_due(self) -> bool:
        """Whether `settle` has something to do: a save that has settled, a write that was put off. Cheap: to be asked every few seconds."""
        return self._review is not None and self._review.due()

    def settle(self) -> int:
        """Apply what was ticked in the review file, outside a cycle, and show it; the number of answers that changed something."""
        with self._guard():  # what is read is applied, or else not read at all and still due
            settled = self._settle_review()
        self.project()
        return settled

    def project(self) -> None:
        """Write the review file anew. A projection after commit: dying before it harms nothing, the next one makes up for it.

        Where somebody saved the file since it was read it is left alone, and due: it is read, applied and written when it has settled.
        """
        if self._review is None:
            return
        with self._projecting:
            standing = self._review.standing()
            with self.store.begin() as work:
                answered = work.answered(self.settings.ethos.user, limit=RESOLVED_SHOWN)
                shown = {q.id: q for q in (*work.questions(open_only=True), *answered, *work.questions(ids=standing))}
                entries = self._entries(work, shown.values())
            written = self._review.write(entries, {})  # the file's own hints stand in the file
            self._review_problem = written.problem

    def _ticked(self, *, only_look: bool = False) -> tuple[Decision, ...]:
        return self._review.read(only_look=only_look).decisions if self._review else ()

    def _settle_review(self) -> int:
        return sum(self._decide(decision, "inbox").name == "answered" for decision in self._ticked())

    def _decide(self, decision: Decision, by: str) -> Note:
        """Apply one decision, as a run of its own; what came of it."""
        stages, ctx = self._answering(decision, by)
        return next(engine.run(self.store, stages, ctx).plan.notes())

    def _answering(self, decision: Decision, by: str) -> tuple[engine.Stages, Context]:
        now = self.clock.now()
        return (settle(decision, by),), self._context(ids.run_id("answer", now.isoformat(), decision.question), now)

    # -- look back, and take back

    def diff(self, run: str | None = None) -> Diff:
        """What a run changed; None: the last one that changed something."""
        with self.store.begin() as work:
            return explain.diff(work, run)

    def undo(self, run: str) -> Diff:
        """Take back what a run did, whatever came after it; what that changed. Itself a run, and so undone like any other.

        Raises Refused where the run is undone already, or would count twice.
        """
        now = self.clock.now()
        with self._guard():
            with self.store.begin() as work:
                undone = explain.one_run(work, run)
                explain.may_be_undone(work, undone)
            ctx = self._context(ids.run_id("undo", now.isoformat(), undone.id), now)
            engine.run(self.store, (undo(undone),), ctx)
            found = self.diff(ctx.run)
        self.project()
        return found

    def _entries(self, work: Work, asked: Iterable[Question]) -> tuple[Entry, ...]:
        questions = [q for q in asked if q.user == self.settings.ethos.user]
        facts = work.current({side for question in questions for side in (question.existing, question.new)})
        evidence: dict[str, Evidence] = {}
        for piece in work.evidence(facts.keys()):
            evidence.setdefault(piece.fact, piece)
        episodes = work.episodes([piece.episode for piece in evidence.values()])
        entries = []
        for question in questions:
            existing, new = facts.get(question.existing), facts[question.new]
            source = evidence.get(new.id)
            episode = episodes.get(source.episode) if source else None
            entries.append(
                Entry(
                    question,
                    existing,
                    new,
                    existing.valid_from if existing else None,
                    new.valid_from,
                    episode.id if episode else "",
                    episode.text if episode else "",
                )
            )
        return tuple(entries)

    # -- forget

    def forget(self, wanted: Wanted, *, dry_run: bool = False) -> Forgotten:
        """Erase, then look for it in every file that is known; the receipt says what was found. Cannot be undone."""
        if not wanted:
            raise refuse("usage", "nothing was named", hint="name an id, a session, a source, or words to match")
        now = self.clock.now()
        ctx = self._context(ids.run_id("forget", now.isoformat(), ""), now)
        if dry_run:
            would = erasing.rehearse(self.store, wanted, ctx)
            return Forgotten(ctx.run, now, dry_run=True, counts=would.counts, shown=would.shown)
        with self._guard():
            self.store.recover(self.settings.consolidation.max_attempts)
            erased, copies, problems = erasing.erase_everywhere(self.store, self._traces, wanted, ctx, self._seal)
        if not erased.gone.ids and not wanted.matching:
            raise refuse(
                "not-found", "nothing that is held fits", hint="`ethos recall` finds what is held; `--dry-run` shows what would go"
            )
        self.project()
        return erasing.prove(self.store, self._traces, erased, copies, problems, ctx, self._seal)

    # -- keep

    def backup(self, path: str) -> None:
        """A copy of the store at this absolute path, and a note in the record of runs. Raises `Refused`, OSError."""
        self.store.back_up(path)
        now = self.clock.now()
        self._put(Run(ids.run_id("backup", now.isoformat(), path), "backup", path, None, now, now, outcome="done"))

    def restored(self, backup: str, aside: str) -> int:
        """After a backup took this store's place, and what it replaced was kept `aside` ("": there was nothing): what had been
        forgotten since is forgotten here, too. How many episodes that were.
        """
        now = self.clock.now()
        if aside:
            with closing(self._traces.open(aside)) as before, before.begin() as work:
                known = work.buried()
            with self.store.begin(write=True) as work:
                work.bury(known, now)
        with self.store.begin() as work:
            back = tuple(erasing.buried_in(work, self._seal))
        self._put(Run(ids.run_id("restore", now.isoformat(), backup), "restore", backup, None, now, now, outcome="done"))
        if back:
            self.forget(Wanted(back))
        self.project()
        return len(back)

    def everything(self) -> Iterator[moving.Item]:
        """All that is held, record by record, as it is at one moment."""
        with self.store.begin() as work:
            yield from moving.everything(work)

    def exported(self, path: str) -> None:
        """Remember that something was exported to this path, so that forgetting finds it."""
        now = self.clock.now()
        self._put(Run(ids.run_id("export", now.isoformat(), path), "export", path, None, now, now, outcome="done"))

    def bring_in(self, items: Iterable[moving.Item]) -> moving.Imported:
        """Import; all or nothing. Raises `Refused`."""
        now = self.clock.now()
        with self._guard():
            self.store.recover(self.settings.consolidation.max_attempts)
            done = moving.bring_in(self.store, items, self._context(ids.run_id("import", now.isoformat(), ""), now), self._seal)
        self.project()
        return done

    # -- ask

    def recall(
        self,
        query: str,
        *,
        limit: int | None = None,
        project: str | None = None,
        as_of: datetime | None = None,
        faded: bool = False,
        session: str | None = None,
    ) -> tuple[Hit, ...]:
        """Ranked episodes and facts. session: count the retrievals for it, once a record; None: do not count (`--batch`)."""
        most = self.settings.recall.max_limit
        wanted = self.settings.recall.limit if limit is None else limit
        if not 1 <= wanted <= most:
            raise refuse("usage", f"limit is {wanted}", hint=f"a limit lies between 1 and {most}")
        words = query_words(query)
        if not words:
            return ()
        search = Search(self.settings.ethos.user, words, project, wanted, as_of, faded)
        with self.store.begin() as work:
            hits = _dated(work, tuple(work.search(search))) if as_of is None else tuple(work.search(search))
        self._served.show((hit.text for hit in hits), self.clock.now())
        if session is not None and hits:
            self._count(hits, session)
        return hits

    def _count(self, hits: Sequence[Hit], session: str) -> None:
        ctx = self._context("", self.clock.now())
        with self.store.begin(write=True) as work:
            plan = engine.decide(work, (count(hits, session),), ctx)
            work.apply(plan, ctx.run)
            work.count_retrievals([hit.id for hit in hits], session, ctx.now)
            self._served.write(work)

    def facts(self, wanted: FactFilter) -> tuple[Fact, ...]:
        """What is held; see `FactFilter`."""
        with self.store.begin() as work:
            found = tuple(work.facts(wanted))
        self._show(fact.statement for fact in found)
        return found

    def why(self, asked: str) -> Why:
        """Everything that led to a fact, or came of an episode or a question; `asked` may be the beginning of an id."""
        with self.store.begin() as work:
            found = explain.why(work, asked)
            alive = work.salience([found.id]).get(found.id)
        self._show((*(fact.statement for fact in found.versions), *(episode.text for episode in found.episodes.values())))
        return replace(found, salience=salience_at(alive, self.clock.now(), self.settings.decay) if alive else None)

    def status(self) -> Status:
        """The memory in numbers."""
        now = self.clock.now()
        since = now - timedelta(seconds=self.settings.consolidation.idle_threshold_seconds)
        with self.store.begin() as work:
            left = (
                [] if (counts := work.counts(self.rules.hash)).unscanned == 0 else work.unscanned(self.rules.hash, session=None, limit=10)
            )
            return Status(
                counts,
                tuple(work.runs(limit=5)),
                dict(self.store.describe()),
                self.rules.hash,
                work.latest_live_capture(),
                work.live_captures(since, now),
                tuple((heard.id, heard.importance, text.truncate(heard.text, 60)) for heard in left),
                self._review_problem,
            )

    def close(self) -> None:
        """Release the store."""
        self._served.write()
        self.store.close()

    # -- inside

    def _context(self, run: str, now: datetime, *, session: str | None = None) -> Context:
        return replace(super()._context(run, now, session=session), seal=self._seal)

    def _show(self, texts: Iterable[str]) -> None:
        """Remember that these were shown, from this moment on."""
        self._served.show(texts, self.clock.now())
        self._served.write()

    def _put(self, run: Run) -> None:
        with self.store.begin(write=True) as work:
            work.apply(one("", run), run.id)


def _dated(work: Work, hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
    """The hits with what is out of date marked and put last: an episode all of whose facts have a successor misleads who asks now."""
    facts: dict[str, list[str]] = {}
    for piece in work.evidence_in([hit.id for hit in hits if hit.type == "episode"]):
        facts.setdefault(piece.episode, []).append(piece.fact)
    current = work.current({fact for each in facts.values() for fact in each})
    marked = []
    for hit in hits:
        successors = [current[fact].superseded_by for fact in facts.get(hit.id, ()) if fact in current]
        marked.append(hit._replace(replaced_by=successors[-1] or "") if successors and all(successors) else hit)
    return tuple(sorted(marked, key=lambda hit: bool(hit.replaced_by)))


class _Tally:
    """Adds up outcomes as they come, so that no plan outlives its unit."""

    def __init__(self) -> None:
        self.notes: Counter[str] = Counter()
        self.failures: list[tuple[str, str]] = []

    def add(self, outcome: engine.Outcome) -> None:
        self.notes.update([note.name for note in outcome.plan.notes()])
        self.failures += [(failure.cause, failure.error) for failure in outcome.failures]

    def cycle(self, run: str) -> Cycle:
        return Cycle(
            run,
            self.notes["scanned"],
            self.notes["promoted"],
            self.notes["created"],
            self.notes["updated"],
            self.notes["superseded"],
            self.notes["flagged"],
            faded=self.notes["faded"],
            criteria={name.removeprefix("criterion "): n for name, n in self.notes.items() if name.startswith("criterion ")},
            failures=tuple(self.failures),
        )
