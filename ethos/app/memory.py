"""The memory as users, agents and the daemon have it: one method for each verb. Those that ask the store alone stand in
`queries.py`.

Results are values; `edge/render/report.py` finds words for them. A method takes the run lease where it changes what is held, and writes the
review file afterwards; `capture` does neither. The work is in the module beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import date
from functools import cached_property, partial
from typing import TYPE_CHECKING

from ethos.app import status as stock
from ethos.app.dependencies import Clock
from ethos.app.first_use import at_first_use, import_all
from ethos.app.queries import Queries
from ethos.core.model import ids
from ethos.core.model.keys import Mac
from ethos.core.model.records import Action, Episode, Run

if TYPE_CHECKING:
    from ethos.app import bank as banking
    from ethos.app import capture as capturing
    from ethos.app import consolidate as consolidating
    from ethos.app import forget as forgetting
    from ethos.app import profile as profiling
    from ethos.app import retirement, rule_feedback, transfer, undo
    from ethos.app import review as reviewing
    from ethos.app import sleep as sleeping
    from ethos.app.import_checks import Located
    from ethos.app.receipt import Forgotten
    from ethos.core.history.diff import Diff
    from ethos.core.history.erasure import ErasureRequest
    from ethos.core.model.sections import Report
    from ethos.core.model.settings import Settings
    from ethos.core.model.summaries import Profile
    from ethos.core.ports.encoder import Encoder
    from ethos.core.ports.language_model import LanguageModel
    from ethos.core.ports.reports import Reports
    from ethos.core.ports.review_file import ReviewFile
    from ethos.core.ports.store import Store
    from ethos.core.ports.traces import Traces
    from ethos.core.rules.matcher import Rules
else:
    banking = at_first_use("ethos.app.bank")
    capturing = at_first_use("ethos.app.capture")
    consolidating = at_first_use("ethos.app.consolidate")
    forgetting = at_first_use("ethos.app.forget")
    profiling = at_first_use("ethos.app.profile")
    retirement = at_first_use("ethos.app.retirement")
    reviewing = at_first_use("ethos.app.review")
    rule_feedback = at_first_use("ethos.app.rule_feedback")
    sleeping = at_first_use("ethos.app.sleep")
    transfer = at_first_use("ethos.app.transfer")
    undo = at_first_use("ethos.app.undo")


def _always() -> bool:
    return True


def _nothing() -> None:
    pass


class Ethos(Queries):
    """The memory of one user. Safe to call from several threads; runs are serialised by `guard`, one at a time over all processes."""

    def __init__(
        self,
        store: Store,
        rules: Rules | Callable[[], Rules],
        settings: Settings,
        clock: Clock,
        *,
        guard: Callable[[], AbstractContextManager[None]],
        traces: Traces,
        seal: Mac,
        encoder: Callable[[], Encoder] | None = None,
        review: ReviewFile | None = None,
        reports: Reports | None = None,
        model: LanguageModel | None = None,
        release: Callable[[], None] = _nothing,
    ) -> None:
        """review: the inbox file. reports: of nights. model: what a night may ask; by default there is none. release: called when the
        store was closed. The rest: see `Dependencies`.
        """
        super().__init__(store, rules, settings, clock, guard=guard, traces=traces, seal=seal, encoder=encoder)
        self._review_file = review
        self._reports = reports
        self._model = model
        self._release = release

    @cached_property
    def _review(self) -> reviewing.Review:
        """Return the review file, and the answers."""
        return reviewing.Review(self, self._review_file)

    @cached_property
    def bank(self) -> banking.Bank:
        """Return the reasoning bank."""
        return banking.Bank(self)

    def load(self) -> None:
        """Import every verb now: a daemon should answer at once, and with the code that it was started with."""
        import_all()
        _ = self._review, self.bank

    # -- bring in and learn

    def capture(self, episodes: Iterable[Episode | capturing.Arrival], *, live: bool = False) -> capturing.Captured:
        """Put episodes; those already held stay as they are, so capturing again adds nothing. `live`: a session event (E-03)."""
        return capturing.capture(self, episodes, live=live)

    def consolidate(
        self,
        *,
        session: str | None = None,
        reason: str = "",
        dry_run: bool = False,
        keep_going: Callable[[], bool] = _always,
        units: int | None = None,
    ) -> consolidating.Cycle:
        """Run one cycle: apply what a person ticked, then select, extract and resolve, then let the rest fade (E-06).

        units: at most that many units of `batch_size` episodes; None: until nothing is left. An unknown session gives zeros (X-E13).
        """
        asked = partial(consolidating.consolidate, self, self._review, session=session, reason=reason, keep_going=keep_going, units=units)
        if dry_run:
            return asked(dry_run=True)
        with self.guard():
            cycle = asked(dry_run=False)
        self.write_review_file()
        return replace(cycle, review_problem=self._review.problem)

    def sleep(
        self,
        day: date | None = None,
        *,
        seed: int | None = None,
        dry_run: bool = False,
        by_itself: bool = False,
        keep_going: Callable[[], bool] = _always,
    ) -> sleeping.Slept:
        """Run the night about a date; None: the last one whose night is due. Run again for a date, it replaces what it left for it.

        seed: of chance; None: the date's own. by_itself: nobody asked for it, so a new memory only says what it would change, and one that
        would change too much does. Raises Refused for a date that has not begun.
        """
        asked = partial(sleeping.sleep, self, self._reports, self._model, day, seed=seed, by_itself=by_itself, keep_going=keep_going)
        if dry_run:
            return asked(dry_run=True)
        with self.guard():
            slept = asked(dry_run=False)
        self.write_review_file()
        return slept

    def report(self, run: str | None = None, day: date | None = None) -> Report:
        """Return what a night did, or would do: of a run, or the last one; day: the last one about it. Raises Refused."""
        return sleeping.report_of(self, self._reports, run, day)

    def nights_due(self) -> tuple[date, ...]:
        """Return the dates that are to be slept on, oldest first."""
        return sleeping.nights_due(self)

    # -- ask

    def status(self, *, runs: int = 5) -> stock.Status:
        """Return the memory in numbers, and the last runs."""
        return stock.status(self, self._review.problem, runs=runs)

    def synthesize(self) -> tuple[Run, Profile]:
        """Put the profile down anew, as each night does. Raises Refused where no session has been told yet (X-G4)."""
        with self.guard():
            return profiling.synthesize(self)

    # -- decide

    def answer(self, question: str, action: Action, *, by: str = "cli", note: str = "") -> reviewing.Answered:
        """Apply a person's decision. The same decision again changes nothing; another one is refused, with what to do.

        question: its id, or as much of its beginning as is its alone.
        """
        done = self._review.answer(question, action, by=by, note=note)
        self.write_review_file()
        return done

    def retire(self, fact: str, *, said: str = "") -> retirement.Retired:
        """Retire a fact that does not hold: nothing that was said before brings it back. A run, which can be undone.

        fact: its id, or as much of its beginning as is its alone. said: what the user says to it, a turn that the next cycle reads; it is
        masked already. Raises Refused for a fact that is unknown, or not held.
        """
        with self.guard():
            done = retirement.retire(self, fact, said)
        self.write_review_file()
        return done

    def correct(self, fact: str, words: str) -> retirement.Retired:
        """Supersede a fact by what the rules read in the user's words, in one run, which can be undone.

        words: a sentence, masked already. Raises Refused as `retire` does, and where no rule reads a fact in them, or the same one.
        """
        with self.guard():
            done = retirement.correct(self, fact, words)
        self.write_review_file()
        return done

    def review_due(self) -> bool:
        """Return whether `settle` has something to do: a settled save, or a write that was put off. Cheap to ask every few seconds."""
        return self._review.due()

    def settle(self) -> int:
        """Apply what was ticked in the review file, outside a cycle, and show it; the number of answers that changed something."""
        with self.guard():  # what is read is applied, or else not read at all and still due
            settled = self._review.settle()
        self.write_review_file()
        return settled

    def write_review_file(self) -> None:
        """Show in the review file what waits, and what was decided."""
        self._review.project(in_shadow=stock.in_shadow(self))

    def promote(self, question: str) -> rule_feedback.Rejected:
        """Note that the rule misread a claim that a person turned down: its trust falls once more. Said again it changes nothing."""
        return rule_feedback.promote(self, question)

    def undo(self, run: str) -> Diff:
        """Take back what a run did, whatever came after it; what that changed. Itself a run, and so undone like any other.

        Raises Refused where the run is undone already, or would count twice.
        """
        with self.guard():
            found = undo.undo(self, run)
        self.write_review_file()
        return found

    def forget(self, wanted: ErasureRequest, *, dry_run: bool = False) -> Forgotten:
        """Erase, then look for it in every file that is known; the receipt says what was found. Cannot be undone. Ids may be shortened."""
        return forgetting.forget(self, wanted, self.write_review_file, dry_run=dry_run)

    # -- keep, and move

    def backed_up(self, path: str) -> None:
        """Note in the record of runs that a copy of the store was made at this path."""
        self.note("backup", path)

    def restored(self, backup: str, aside: str) -> int:
        """Forget again what had been forgotten after the backup was made. Return the number of episodes.

        backup: the copy that took this store's place. aside: where the replaced store was kept; "" where there was none.
        """
        back = forgetting.forgotten_since(self, aside)
        self.note("restore", backup)
        if back:
            forgetting.erased(self, back, self.write_review_file)
        self.write_review_file()
        return len(back.ids)

    def exported(self, path: str) -> None:
        """Note in the record of runs that something was exported to this path."""
        self.note("export", path)

    def bring_in(self, items: Iterable[Located]) -> transfer.Imported:
        """Import; all or nothing. Raises `Refused`."""
        now = self.clock.now()
        with self.guard():
            self.mend()
            done = transfer.bring_in(self.store, items, self.context(ids.run_id("import", now.isoformat(), ""), now), self.seal)
        self.write_review_file()
        return done

    def close(self) -> None:
        """Release the store."""
        self.served.write()
        self.store.close()
        self._release()
