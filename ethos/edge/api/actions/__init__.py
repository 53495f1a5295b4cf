"""Actions: every verb of the memory as it is asked for over the socket and by the command line, and what its answer holds.

To add an action: a frozen dataclass that declares its arguments (its docstring and annotations are its help), a short function that
calls the memory, a line in `ACTIONS`. They stand in four modules, by the headings of `ethos --help`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from ethos.app.narrative import Narrative
from ethos.app.profile import ShownProfile
from ethos.app.retirement import Retired
from ethos.app.review import Answered
from ethos.core.history.diff import Diff
from ethos.core.model.sections import Report
from ethos.edge.api.actions import ask, bank, decide, learn, operate
from ethos.edge.api.actions.service import Directly, Passes, Service
from ethos.edge.api.arguments import meanings, usage
from ethos.edge.api.results import Captured, Cycle, Explanation, FactList, Night, Recalled, Receipt, Status
from ethos.edge.api.results import Inbox as InboxQuestions
from ethos.edge.jsonio.shapes import Json

__all__ = ["ACTIONS", "Directly", "Entrance", "Passes", "Service"]


def _its_own(_asked: object) -> None:
    return None


class Entrance(NamedTuple):
    """An action: the dataclass of its arguments, the function that does it, and the dataclass of its result.

    gives: dict where the function returns JSON itself.
    question: it changes nothing but what is counted, so nobody misses it where the caller has gone. list_name: the list in its answer
    that may be long. same: what requests have in common that one answer is enough for; None: there are none.
    """

    takes: type[Any]
    does: Callable[[Service, Any], Any]
    question: bool = False
    list_name: str = ""
    same: Callable[[Any], Hashable | None] = _its_own
    gives: type[Any] = dict

    @property
    def pages(self) -> bool:
        """Whether its answer may come in parts."""
        return self.question and bool(self.list_name)


@dataclass(frozen=True, slots=True)
class Help:
    """List the actions."""


def _help(service: Service, asked: Help) -> Json:  # noqa: ARG001 (the form of every action)
    return {"actions": [_told(name, entrance.takes) for name, entrance in ACTIONS.items()]}


def _told(name: str, takes: type[Any]) -> Json:
    return {"action": name, "does": takes.__doc__, "usage": usage(name, takes), "meanings": meanings(takes)}


ACTIONS: Mapping[str, Entrance] = {
    "capture": Entrance(learn.Capture, learn.capture, list_name="changed", gives=Captured),
    "consolidate": Entrance(learn.Consolidate, learn.consolidate, same=lambda asked: (asked.session, asked.dry_run), gives=Cycle),
    "sleep": Entrance(learn.Sleep, learn.sleep, same=lambda asked: (asked.date, asked.seed, asked.dry_run), gives=Night),
    "extract": Entrance(learn.Extract, learn.extract, question=True, list_name="episodes"),
    "recall": Entrance(ask.Recall, ask.recall, question=True, list_name="hits", gives=Recalled),
    "narrative": Entrance(ask.Narrative, ask.narrative, question=True, list_name="around", gives=Narrative),
    "facts": Entrance(ask.Facts, ask.facts, question=True, list_name="facts", gives=FactList),
    "projects": Entrance(ask.Projects, ask.projects, question=True, list_name="projects"),
    "lessons": Entrance(ask.Lessons, ask.lessons, question=True, list_name="lessons"),
    "profile": Entrance(ask.Profile, ask.profile, question=True, gives=ShownProfile),
    "procedural": Entrance(learn.Procedural, learn.procedural),
    "why": Entrance(ask.Why, ask.why, question=True, gives=Explanation),
    "diff": Entrance(ask.Diff, ask.diff, question=True, list_name="differences", gives=Diff),
    "report": Entrance(ask.Report, ask.report, question=True, gives=Report),
    "undo": Entrance(decide.Undo, decide.undo, list_name="differences", gives=Diff),
    "inbox": Entrance(decide.Inbox, decide.inbox, question=True, list_name="questions", gives=InboxQuestions),
    "answer": Entrance(decide.Answer, decide.answer, gives=Answered),
    "retire": Entrance(decide.Retire, decide.retire, gives=Retired),
    "correct": Entrance(decide.Correct, decide.correct, gives=Retired),
    "forget": Entrance(decide.Forget, decide.forget, list_name="shown", gives=Receipt),
    "backup": Entrance(operate.Backup, operate.backup),
    "export": Entrance(operate.Export, operate.export),
    "import": Entrance(operate.Import, operate.bring_in),
    "status": Entrance(operate.Status, operate.status, question=True, gives=Status),
    "settle": Entrance(decide.Settle, decide.settle),
    "rules": Entrance(operate.Rules, operate.rules, question=True, list_name="problems"),
    "standings": Entrance(operate.Standings, operate.standings, question=True),
    "rejected": Entrance(decide.Rejected, decide.rejected, question=True),
    "promote": Entrance(decide.Promote, decide.promote),
    "memory_search": Entrance(bank.Search, bank.search, question=True),
    "memory_record": Entrance(bank.Record, bank.record),
    "memory_feedback": Entrance(bank.Feedback, bank.feedback),
    "memory_outcome": Entrance(bank.OutcomeOf, bank.outcome),
    "memory_consolidate": Entrance(bank.Consolidate, bank.consolidate),
    "memory_list": Entrance(bank.List, bank.listed, question=True, list_name="memories"),
    "memory_show": Entrance(bank.Show, bank.show, question=True),
    "memory_accept": Entrance(bank.Accept, bank.accept),
    "memory_archive": Entrance(bank.Archive, bank.archive),
    "help": Entrance(Help, _help, question=True, list_name="actions"),
}
