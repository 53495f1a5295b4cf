"""The Python API: `ethos.open()` gives a `MemoryClient`. It asks the running daemon, else it opens the memory in this process.

Both give the same results, and raise the same `Refused`. docs/python.md describes it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from io import BytesIO
from pathlib import Path
from typing import Any, Self, TypeVar

from ethos.app.retirement import Retired
from ethos.app.review import Answered
from ethos.core.history.diff import Diff
from ethos.core.model.errors import Refused, refuse
from ethos.core.model.records import Action, Fact, Kind
from ethos.core.ports.queries import FoundSession, Hit
from ethos.edge.api.results import Captured, Cycle, Explanation, InboxQuestion, Receipt, Status
from ethos.edge.client import capturing
from ethos.edge.client.answers import Answer
from ethos.edge.client.asked_times import beginning_of, moment_of
from ethos.edge.client.connection import Connection
from ethos.edge.client.python_words import in_python, of_argument
from ethos.edge.files.spelling import spelled, unspelled

StrPath = str | os.PathLike[str]
Turn = Mapping[str, Any]  # an episode line: "role", "text", and what else is known of it
Made = TypeVar("Made")
_A_TURN = 'a turn is like {"role": "user", "text": "We use uv."}'


class MemoryClient:
    """A memory. Use it in a `with` statement, which releases the store. One thread at a time may use it.

    Every method raises `Refused`, whose `problem` says what is wrong and what to do.
    """

    def __init__(self, config: StrPath | None = None) -> None:
        self._connection = _told(lambda: Connection(None if config is None else Path(config)))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the store. A later call opens it again."""
        self._connection.local.close()

    def capture(self, what: StrPath | Turn | Iterable[StrPath | Turn], *, format: str | None = None, live: bool = False) -> Captured:  # noqa: A002 (as the command's option)
        """Store what was said: transcripts at a path or at several, or a turn such as `{"role": "user", "text": "We use uv."}`, or several.

        format: of the files; None: it is detected. live: the session is going on now, so the memory is not idle. Raises Refused for a path
        that does not exist, before anything is stored; what a file holds that cannot be read is among the `problems` of the result.
        """
        items = _items(what)
        paths = [item for item in items if isinstance(item, str | os.PathLike)]
        if not paths:
            turns = BytesIO(_lines(items))
            return _of_turns(_told(lambda: capturing.lines(self._connection, turns, live=live)))
        if len(paths) < len(items):
            raise refuse("usage", "capture takes either paths or turns", hint="call it once for each")
        named = [_existing(path) for path in paths]
        done = _told(lambda: capturing.files(self._connection, named, format=format, live=live))
        return replace(done, problems=tuple(map(in_python, done.problems)))

    def consolidate(self, *, session: str | None = None, reason: str = "", dry_run: bool = False) -> Cycle:
        """Extract facts from the new episodes. dry_run: say what would change, and change nothing."""
        cycle: Cycle = self._call("consolidate", session=session, reason=reason, dry_run=dry_run)
        return cycle

    def recall(
        self,
        query: str,
        *,
        limit: int | None = None,
        project: str | None = None,
        cwd: StrPath | None = None,
        facts_only: bool = False,
        as_of: datetime | date | str | None = None,
        faded: bool = False,
        max_tokens: int | None = None,
        session: str | None = None,
    ) -> tuple[Hit, ...]:
        """Find episodes and facts by their words, best first.

        cwd: rank this folder's project first. session: count the retrieval once for this session; None: do not count it, and return
        the hits with low scores, too.
        """
        found = self._call(
            "recall",
            query=query,
            limit=limit,
            project=project,
            cwd=None if cwd is None else _absolute(cwd),
            facts=facts_only,
            full=True,
            as_of=_moment(as_of, "as_of"),
            faded=faded,
            max_tokens=max_tokens,
            session=session,
            count=session is not None,
        )
        hits: tuple[Hit, ...] = found.hits
        return hits

    def sessions(
        self,
        query: str,
        *,
        limit: int | None = None,
        project: str | None = None,
        as_of: datetime | date | str | None = None,
        after: datetime | date | str | None = None,
        before: datetime | date | str | None = None,
        session: str | None = None,
    ) -> tuple[FoundSession, ...]:
        """Find the sessions that speak of something, best first, each with its best hits.

        limit: of sessions; None: 5. session: as for `recall`.
        """
        found = self._call(
            "sessions",
            query=query,
            limit=limit,
            project=project,
            as_of=_moment(as_of, "as_of"),
            after=_moment(after, "after"),
            before=_beginning(before),
            detail="full",
            session=session,
            count=session is not None,
        )
        sessions: tuple[FoundSession, ...] = found.sessions
        return sessions

    def facts(
        self,
        *,
        subject: str | None = None,
        kind: Kind | None = None,
        project: str | None = None,
        as_of: datetime | date | str | None = None,
        history: bool = False,
    ) -> tuple[Fact, ...]:
        """Return the facts that are held. as_of: those of then; history: former, superseded and retired versions, too."""
        found = self._call("facts", subject=subject, kind=kind, project=project, as_of=_moment(as_of, "as_of"), history=history)
        facts: tuple[Fact, ...] = found.facts
        return facts

    def why(self, id: str) -> Explanation:  # noqa: A002 (what it is)
        """Return what led to a fact, or came of an episode or a question. Any unique prefix of an id works."""
        found: Explanation = self._call("why", of=id)
        return found

    def inbox(self, *, resolved: bool = False) -> tuple[InboxQuestion, ...]:
        """Return the open questions, oldest first. resolved: answered ones, too."""
        questions: tuple[InboxQuestion, ...] = self._call("inbox", resolved=resolved).questions
        return questions

    def answer(self, id: str, choice: Action, *, note: str = "") -> Answered:  # noqa: A002 (what it is)
        """Answer a question; its `actions` are the choices. note: your reason, kept with the answer."""
        done: Answered = self._call("answer", question=id, choice=choice, note=note)
        return done

    def diff(self, run: str | None = None) -> Diff:
        """Return what a run changed; None: the last one that changed something."""
        found: Diff = self._call("diff", run=run)
        return found

    def retire(self, id: str, *, said: str = "") -> Retired:  # noqa: A002 (what it is)
        """Retire a fact that does not hold. said: what the user says to it, a turn that the next cycle reads."""
        done: Retired = self._call("retire", fact=id, said=said)
        return done

    def correct(self, id: str, words: str) -> Retired:  # noqa: A002 (what it is)
        """Correct a fact: what the rules read in these words of the user supersedes it."""
        done: Retired = self._call("correct", fact=id, words=words)
        return done

    def undo(self, run: str) -> Diff:
        """Take back what a run did, and return what that changed."""
        done = self._answer("undo", {"run": run})
        cut = done.data.get("left_out")  # the daemon's answer to what was done is one message: the rest is asked for
        found: Diff = self.diff(done.result.run.id) if cut else done.result
        return found

    def forget(
        self,
        *ids: str,
        session: str | None = None,
        source: StrPath | None = None,
        matching: str | None = None,
        misread: bool = False,
        dry_run: bool = False,
        yes: bool = False,
    ) -> Receipt:
        """Erase episodes and what rests on them alone, then search every file for what is left. It cannot be undone.

        yes: a person wants it; without it nothing is erased. dry_run: say what would go, and erase nothing. The other arguments add up.
        """
        wanted = {"ids": list(ids) or None, "session": session, "source": None if source is None else os.fspath(source)}
        done: Receipt = self._call("forget", **wanted, matching=matching, misread=misread, dry_run=dry_run, yes=yes)
        return done

    def status(self, *, runs: int | None = None) -> Status:
        """Return the memory in numbers, its last runs, and the state of the daemon. runs: how many of them."""
        found: Status = self._call("status", runs=runs)
        return found

    def _call(self, action: str, **arguments: object) -> Any:
        return self._answer(action, arguments).result

    def _answer(self, action: str, arguments: Mapping[str, object]) -> Answer:
        """Have an action done by the method of its name. Raises Refused, in the words of Python."""
        from ethos.edge.api.actions import ACTIONS  # noqa: PLC0415 (the store's half of the program, which `ethos.open` does not load)
        from ethos.edge.api.arguments import misfit  # noqa: PLC0415

        given = {name: value for name, value in arguments.items() if value is not None}
        if unfit := misfit(ACTIONS[action].takes, given):
            raise Refused(of_argument(unfit, getattr(self, action), _PARAMETERS.get((action, unfit.field), unfit.field)))
        return _told(lambda: self._connection.call(action, given))


# parameters of a method whose argument of its action has another name
_PARAMETERS = {
    ("recall", "facts"): "facts_only",
    ("why", "of"): "id",
    ("answer", "question"): "id",
    ("retire", "fact"): "id",
    ("correct", "fact"): "id",
}


def open(config: StrPath | None = None) -> MemoryClient:  # noqa: A001 (the API's name)
    """Open the memory of a configuration file; None: the one that the command `ethos` finds from here. Raises Refused."""
    return MemoryClient(config)


def _told(work: Callable[[], Made]) -> Made:
    """Return what it gives. Raises Refused, in the words of Python."""
    try:
        return work()
    except Refused as refused:
        raise Refused(in_python(refused.problem)) from None


def _lines(turns: Sequence[Any]) -> bytes:
    """Return turns as JSON lines. Raises Refused for what is no turn."""
    written = []
    for number, turn in enumerate(turns, 1):
        try:
            if not isinstance(turn, Mapping):
                raise TypeError(f"it is of type {type(turn).__name__}")
            written.append(json.dumps({**turn}, default=_time) + "\n")
        except TypeError as error:
            raise refuse("usage", f"turn {number} cannot be captured: {error}", hint=_A_TURN) from None
    return "".join(written).encode()


def _time(value: object) -> str:
    """Return a time as JSON has it. Raises TypeError for another value."""
    if not isinstance(value, datetime):
        raise TypeError(f"JSON has no {type(value).__name__}")
    return value.isoformat()


def _of_turns(done: Captured) -> Captured:
    """Return the capture of turns, with each problem told of a turn and not of a line."""
    told = (replace(each, where=each.where.replace("standard input:", "turn ")) for each in done.problems)
    hints = (replace(each, hint=each.hint.replace("the line", "the turn").replace("other lines", "other turns")) for each in told)
    return replace(done, problems=tuple(hints))


def _moment(value: datetime | date | str | None, name: str) -> str | None:
    """Return a time or a day as actions take it. name: of the parameter. Raises Refused for what is none."""
    if isinstance(value, datetime | date):
        return value.isoformat()
    if value is None or isinstance(value, str):
        return moment_of(value, name)
    raise refuse(
        "usage", f"{name} is of type {type(value).__name__}", hint="give a datetime, a day such as 2026-03-01, or yesterday", where=name
    )


def _beginning(before: datetime | date | str | None) -> str | None:
    """Return the moment before which something is to be said: of a day alone its beginning, as for the command."""
    return beginning_of(_moment(before, "before"), "before")


def _items(what: object) -> list[Any]:
    """Return the paths or the turns of a capture. Raises Refused for what is neither."""
    if isinstance(what, str | os.PathLike | Mapping):
        return [what]
    if isinstance(what, Iterable) and not isinstance(what, bytes):
        return list(what)
    raise refuse("usage", f"capture takes paths or turns, and not {type(what).__name__}", hint=_A_TURN)


def _existing(path: StrPath) -> str:
    """Return a path as it is from anywhere. Raises Refused for one where nothing is."""
    named = _absolute(path)
    try:
        Path(unspelled(named)).stat()
    except (FileNotFoundError, NotADirectoryError):
        hint = "check the name and the folder you are in"
        raise refuse("not-found", f"no such file or folder: {named}", hint=hint, where=named) from None
    except (OSError, ValueError):  # whoever reads it tells why not
        pass
    return named


def _absolute(path: StrPath) -> str:
    """Return a path as it is from anywhere. Raises Refused for an empty one."""
    if not (named := os.fspath(path)).strip():
        raise refuse("usage", "a path is empty", hint="name a file or a folder")
    return spelled(os.path.abspath(os.path.expanduser(named)))  # noqa: PTH100, PTH111 (pathlib follows links for `..`)
