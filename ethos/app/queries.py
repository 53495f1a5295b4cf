"""The verbs that ask the memory: one method for each, as for those of `memory.py` that change it.

What an answer leaves behind is the count of retrievals in a session, and what was shown. The work is in the module beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from ethos.app import explain
from ethos.app import status as stock
from ethos.app.bank_review import memory_entries
from ethos.app.claim_entries import claim_entries
from ethos.app.dependencies import Dependencies
from ethos.app.first_use import at_first_use
from ethos.core.history.salience import salience_at
from ethos.core.model.records import Episode, Fact
from ethos.core.ports.queries import FactFilter, FoundSession, Hit, Narrowing, ProjectCounts, Search

if TYPE_CHECKING:
    from ethos.app import lessons, rule_feedback, transfer
    from ethos.app import narrative as telling
    from ethos.app import profile as profiling
    from ethos.app import recall as recalling
    from ethos.app.import_checks import Item
    from ethos.core.history.diff import Diff
    from ethos.core.model.rule_trust import RuleTrust
    from ethos.core.ports.review_file import Entry, MemoryEntry
else:
    lessons = at_first_use("ethos.app.lessons")
    profiling = at_first_use("ethos.app.profile")
    recalling = at_first_use("ethos.app.recall")
    rule_feedback = at_first_use("ethos.app.rule_feedback")
    telling = at_first_use("ethos.app.narrative")
    transfer = at_first_use("ethos.app.transfer")


_SHOWN = 600  # characters of a text that belongs with another


class Queries(Dependencies):
    """What may be asked of the memory of one user."""

    def recall(
        self,
        query: str,
        *,
        limit: int | None = None,
        project: str | None = None,
        as_of: datetime | None = None,
        faded: bool = False,
        session: str | None = None,
        context: str = "",
        facts_only: bool = False,
        longest: int | None = None,
        only: Narrowing | None = None,
        far_below: bool = True,
    ) -> tuple[Hit, ...]:
        """Return ranked episodes and facts. session: count the retrievals for it, once a record; None: do not count (`--batch`).

        context: the project that it is asked in; what holds there comes first. longest: characters of a text that are wanted.
        far_below: after the fifth also what is far below the best.
        """
        most = self.settings.recall.limit if limit is None else limit
        types = (Fact,) if facts_only else (Episode, Fact)
        wanted = Search(self.user, (), project, most, as_of, faded, types, longest, only or Narrowing(), far_below)
        hits = recalling.search(self, query, wanted, context)
        if session is not None and hits:
            recalling.counted(self, hits, session)
        return hits

    def sessions(self, query: str, wanted: Search, session: str | None = None) -> tuple[FoundSession, ...]:
        """Return the sessions that speak of it, each with its best hits. session: as for `recall`, whose hits these are."""
        found = recalling.sessions(self, query, replace(wanted, user=self.user))
        if session is not None and found:
            recalling.counted(self, [hit for each in found for hit in each.hits], session)
        return found

    def lessons(self, asked: str | None = None, *, retired: bool = False) -> tuple[lessons.Taught, ...]:
        """Return the lessons that hold; with an id, that one and its edges. retired: with those. Raises Refused for an unknown id."""
        return lessons.lessons(self, asked, retired=retired)

    def narrative(self, asked: str, *, limit: int | None = None, project: str | None = None) -> telling.Narrative:
        """Return the chains that a night found an episode in, step by step, and at most `limit` turns that belong with it besides.

        asked: the id of an episode, a fact or a chain, or the beginning of one. Raises Refused where there is none.
        """
        most = self.settings.recall.limit if limit is None else limit
        return telling.narrative(self, asked, Search(self.user, (), project, most, longest=_SHOWN))

    def projects(self) -> tuple[ProjectCounts, ...]:
        """Return the projects of this user, and how much is held in each."""
        with self.store.begin() as work:
            return tuple(work.projects(self.user))

    def facts(self, wanted: FactFilter) -> tuple[Fact, ...]:
        """Return the facts that fit the filter."""
        with self.store.begin() as work:
            found = tuple(work.facts(wanted))
        self.show(fact.statement for fact in found)
        return found

    def why(self, asked: str) -> explain.Why:
        """Return everything that led to a fact or a memory, or came of an episode or a question; `asked` may be the beginning of an id."""
        with self.store.begin() as work:
            found = explain.why(work, asked, self.settings.consolidation)
            alive = work.salience([found.id]).get(found.id)
        self.show(found.texts())
        return replace(found, salience=salience_at(alive, self.clock.now(), self.settings.decay) if alive else None)

    def diff(self, run: str | None = None) -> Diff:
        """Return the changes of a run; None: of the last one that changed something."""
        with self.store.begin() as work:
            return explain.diff(work, run, self.clock.now())

    def other_users(self) -> stock.Elsewhere | None:
        """Return the users for whom something is held, where nothing is held for this one."""
        return stock.other_users(self)

    def profile(self, *, about: str | None = None, project: str | None = None, max_bytes: int | None = None) -> profiling.ShownProfile:
        """Return what is known of the user, section by section, most trusted and most used first.

        about: only of this subject. project: only what holds in this project, or everywhere.
        """
        return profiling.profile(self, about, project, max_bytes)

    def inbox(self, *, resolved: bool = False) -> tuple[Entry, ...]:
        """Return the open questions, oldest first; with `resolved`, the answered ones too."""
        with self.store.begin() as work:
            return claim_entries(work, self.user, work.questions(open_only=not resolved), new_a_day=self.settings.inbox.new_a_day)

    def proposals(self, *, resolved: bool = False) -> tuple[MemoryEntry, ...]:
        """Return the open questions about memories of the bank, oldest first; with `resolved`, the answered ones too."""
        with self.store.begin() as work:
            return tuple(memory_entries(work, self.user, resolved=resolved))

    def rule_trust(self) -> Mapping[str, RuleTrust]:
        """Return the answers so far about the claims of each rule; rules without answers are missing."""
        with self.store.begin() as work:
            return work.rule_trust(self.user)

    def rejected(self, question: str) -> rule_feedback.Rejected:
        """Return the claim that a person turned down in a question, and the words it was read in."""
        return rule_feedback.rejected(self, question)

    def everything(self) -> Iterator[Item]:
        """Yield all that is held, record by record, as it is at one moment."""
        with self.store.begin() as work:
            yield from transfer.everything(work)
