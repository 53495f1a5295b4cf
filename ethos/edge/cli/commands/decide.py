"""Commands by which a person decides: `ethos inbox`, `answer`, `retire`, `correct`, `undo`, `forget`."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ethos.core.model.errors import Refused, refuse
from ethos.core.model.records import Action
from ethos.edge.cli.commands.options import Usual, Yes, agree, command
from ethos.edge.client.answers import Json
from ethos.edge.client.connection import Connection
from ethos.edge.render import diff, receipts, report

if TYPE_CHECKING:
    from ethos.edge.inbox import MarkdownInbox
    from ethos.edge.inbox.editing import Choice


@command
def inbox(
    edit: Annotated[bool, typer.Option("--edit", help="open a copy of the review file in your editor, then apply your ticks")] = False,
    check: Annotated[bool, typer.Option("--check", help="exit with 3 if a question or a hint is open, else 0")] = False,
    resolved: Annotated[bool, typer.Option("--resolved", help="include answered questions")] = False,
    every: Annotated[bool, typer.Option("--all", help="show all, not only the first of each day; JSON always has all")] = False,
    *,
    usual: Usual,
) -> int:
    """List the open questions: which claims conflict, and how to answer.

    Example: ethos inbox --edit
    """
    with usual.connect() as connection:
        if edit:
            _edit(connection, quiet=usual.quiet or usual.as_json)
        told = report.settled(0) if edit else _settled(connection)
        data = connection.ask("inbox", resolved=resolved)
        questions = data["questions"]
        hints, review_inbox = _hints(connection), connection.settings.conflict_resolution.review_inbox
    waiting = any(question["status"] == "open" for question in questions) or bool(hints)
    if usual.as_json:
        print(report.as_json({**data, "hints": hints}))
    elif not usual.quiet:
        from ethos.edge.render import tables  # noqa: PLC0415 (rich, where a table is shown)

        for line in told:
            print(line)
        shown = tables.console()
        written = os.access(review_inbox, os.R_OK | os.W_OK)
        for each in tables.questions(questions, review_inbox, written=written, every=every):
            shown.print(each)
        if not waiting:
            print("\n".join(["no open questions", *report.other_users(data)]))
        for about, hint in hints.items():
            print(f"{report.paint('hint', 'yellow')} {report.clean(about)}: {report.clean(hint)}")
    return report.NEEDS_PERSON if check and waiting else report.DONE


@command
def answer(
    question: Annotated[str, typer.Argument(metavar="ID", help="the id of the question, or its beginning; `ethos inbox` lists them")],
    choice: Annotated[Action, typer.Argument(help="the answer")],
    note: Annotated[str, typer.Option("--note", metavar="TEXT", help="your reason, stored with the answer")] = "",
    *,
    usual: Usual,
) -> int:
    """Answer a question. Nothing is deleted: the rejected fact stays in the history.

    Example: ethos answer c-7m2k keep-new --note "we moved in March"
    """
    with usual.connect() as connection:
        data = connection.ask("answer", question=question, choice=choice, note=note)
    return usual.show(data, report.answered(data))


@command
def retire(
    fact: Annotated[str, typer.Argument(metavar="ID", help="the id of the fact, or its beginning; `ethos facts` lists them")],
    said: Annotated[
        str, typer.Option("--said", metavar="TEXT", help="your words about it, stored as a turn for the next consolidation")
    ] = "",
    *,
    usual: Usual,
) -> int:
    """Retire a fact that is not true. Its turn stays but does not bring it back; said again later, it is a new fact.

    Example: ethos retire f-8d0w --said "We left Berlin in May."
    """
    with usual.connect() as connection:
        data = connection.ask("retire", fact=fact, said=said)
    return usual.show(data, report.retired(data))


@command
def correct(
    fact: Annotated[str, typer.Argument(metavar="ID", help="the id of the fact, or its beginning; `ethos facts` lists them")],
    words: Annotated[str, typer.Argument(metavar="TEXT", help="a sentence with the correct fact")],
    *,
    usual: Usual,
) -> int:
    """Correct a fact: what the rules read in your words supersedes it. If they read nothing, nothing is changed.

    Example: ethos correct f-8d0w "We decided to use SQLite."
    """
    with usual.connect() as connection:
        data = connection.ask("correct", fact=fact, words=words)
    return usual.show(data, report.retired(data))


@command
def undo(
    run: Annotated[str, typer.Argument(metavar="RUN", help="the id of a run, or its beginning")],
    *,
    usual: Usual,
) -> int:
    """Undo a run, even after later ones, and show the result. Answers and undos are runs too.

    If the result conflicts with later facts, both stay and you are asked. `ethos status --runs` lists the runs.

    Example: ethos undo r-20260601-120000
    """
    with usual.connect() as connection:
        data = connection.ask("undo", run=run)
    return usual.show(data, diff.of_undo(data))


@command
def forget(
    ids: Annotated[list[str] | None, typer.Argument(metavar="ID", help="the ids of episodes, or of facts (erases their turns)")] = None,
    session: Annotated[str | None, typer.Option("--session", metavar="S", help="everything said in this session")] = None,
    source: Annotated[str | None, typer.Option("--source", metavar="PATH", help="everything from this file or folder")] = None,
    matching: Annotated[str | None, typer.Option("--matching", metavar="TEXT", help="everything that contains these words")] = None,
    misread: Annotated[bool, typer.Option("--misread", help="the rules misread it, nobody said it: also trust them less")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="show what would be erased; erase nothing")] = False,
    yes: Yes = False,
    *,
    usual: Usual,
) -> int:
    """Erase episodes, and everything based only on them, from every known file; then search for remains.

    With several options, everything that one of them names is erased. It cannot be undone, and capturing the same text again does not
    bring it back. The receipt contains no erased text. Exits with 1 if something was found or could not be erased.

    Example: ethos forget --matching "a street and a number" --dry-run
    """
    wanted: Json = {"ids": ids or None, "session": session, "source": _whole(source), "matching": matching, "misread": misread}
    with usual.connect() as connection:
        if dry_run or not yes:
            would = connection.ask("forget", **wanted, dry_run=True)
            over = dry_run or not would["shown"]
            if over and usual.as_json:
                print(report.as_json(would))
            elif not (over and usual.quiet):
                print("\n".join(receipts.rehearsed(would)), flush=True, file=sys.stderr if usual.as_json else sys.stdout)
            if over:
                return report.DONE
            agree("Erase this for good?", first="look at it with --dry-run")
        data = connection.ask("forget", **wanted, yes=True)
    if usual.as_json:
        print(report.as_json(data))
    elif not usual.quiet or not data["proven"]:
        print("\n".join(receipts.receipt(data)))
    return report.DONE if data["proven"] else report.FAILED


def _whole(source: str | None) -> str | None:
    """Return a path as it is remembered, where it is one from here; else as it was typed, for the end of one."""
    return os.path.abspath(source) if source and os.path.exists(source) else source  # noqa: PTH100, PTH110 (`..` by name, as in capture)


def _review_file(connection: Connection) -> MarkdownInbox:
    from ethos.edge.inbox import MarkdownInbox  # noqa: PLC0415 (for this command alone)

    settings = connection.settings
    return MarkdownInbox(Path(settings.conflict_resolution.review_inbox), connection.state, settings.inbox.settle_seconds)


def _settled(connection: Connection) -> list[str]:
    """Apply the ticks of the review file, and return what is told of it. Where the store cannot be written, they wait."""
    try:
        return report.settled(connection.settle())
    except Refused as refused:
        if refused.problem.code != "store":
            raise
        return [f"{refused.problem.what}; ticks wait in the review file"]


def _hints(connection: Connection) -> dict[str, str]:
    """Return why some ticks in the review file could not be taken."""
    reading = _review_file(connection).read()
    about_the_file = {"file": "; ".join(reading.problems)} if reading.problems else {}
    return {**about_the_file, **reading.hints}


def _edit(connection: Connection, *, quiet: bool) -> None:
    """Let a person edit a copy, then apply what was ticked."""
    from ethos.edge.inbox import editing  # noqa: PLC0415 (for this option alone)

    outcome = editing.edit(_review_file(connection), connection.state, _editor(), _ask if sys.stdin.isatty() else None)
    told = {"unchanged": "nothing was changed", "dropped": "dropped: nothing was changed"}.get(outcome, "")
    if not told:
        applied = connection.ask("settle")["applied"]
        told = f"{applied} answered" + (" (the file was written meanwhile, and both were put together)" if outcome == "merged" else "")
    if not quiet:
        print(told)


def _ask(wrong: Sequence[str]) -> Choice:
    """Return what to do about mistakes in the edited file."""
    print("Not everything in it can be taken as it stands:", *(f"  {report.clean(each)}" for each in wrong), sep="\n", file=sys.stderr)
    choices: dict[str, Choice] = {"e": "edit", "s": "save", "d": "drop"}
    while True:
        print("(e)dit again, (s)ave it all the same, (d)rop what was edited? [e] ", end="", file=sys.stderr, flush=True)
        said = sys.stdin.readline()
        if not said:
            return "drop"
        if (letter := said.strip().lower()[:1] or "e") in choices:
            return choices[letter]


def _editor() -> list[str]:
    named = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    words = shlex.split(named) if named else [name for name in ("editor", "nano", "vi") if shutil.which(name)][:1]
    if not words:
        raise refuse("usage", "no editor is known", hint="EDITOR=nano ethos inbox --edit")
    return words
