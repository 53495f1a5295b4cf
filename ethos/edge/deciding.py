"""Deciding: the commands with which a person answers, `ethos inbox` and `ethos answer`."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ethos.core.errors import Refused, refuse
from ethos.core.records import Action
from ethos.edge import report
from ethos.edge.door import Door
from ethos.edge.options import AsJson, Config, Quiet, Verbose, opened, show

if TYPE_CHECKING:
    from ethos.edge.inbox import MarkdownInbox
    from ethos.edge.inbox.editing import Choice


def inbox(
    edit: Annotated[bool, typer.Option("--edit", help="open a copy of the review file in your editor, then apply what you ticked")] = False,
    check: Annotated[bool, typer.Option("--check", help="exit 3 when a question or a hint waits for you, else 0")] = False,
    resolved: Annotated[bool, typer.Option("--resolved", help="answered questions too")] = False,
    as_json: AsJson = False,
    config: Config = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """The questions that wait for you: what does not go together, and how to answer.

    Example: ethos inbox --edit
    """
    with opened(config, verbose) as door:
        if edit:
            _edit(door, quiet=quiet or as_json)
        else:
            _settled(door)
        questions = door.ask("inbox", resolved=resolved)["questions"]
        hints, review_inbox = _hints(door), door.settings.conflict_resolution.review_inbox
    waiting = any(question["status"] == "open" for question in questions) or bool(hints)
    if as_json:
        print(report.as_json({"questions": questions, "hints": hints}))
    elif not quiet:
        from ethos.edge import tables  # noqa: PLC0415 (rich, where a table is shown)

        shown = tables.console()
        for each in tables.questions(questions, review_inbox):
            shown.print(each)
        if not waiting:
            print("nothing waits for you")
        for about, hint in hints.items():
            print(f"{report.paint('hint', 'yellow')} {report.clean(about)}: {report.clean(hint)}")
    return report.NEEDS_PERSON if check and waiting else report.DONE


def answer(
    question: Annotated[str, typer.Argument(metavar="ID", help="of the question, as `ethos inbox` shows it; its first letters will do")],
    choice: Annotated[Action, typer.Argument(help="what should stand")],
    note: Annotated[str, typer.Option("--note", metavar="TEXT", help="your reason, kept with the answer")] = "",
    as_json: AsJson = False,
    config: Config = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Answer a question. Nothing is deleted: what is put aside stays in the history.

    Example: ethos answer c-7m2k keep-new --note "we moved in March"
    """
    with opened(config, verbose) as door:
        data = door.ask("answer", question=question, choice=choice, note=note)
    show(data, report.answered(data), as_json=as_json, quiet=quiet)
    return report.DONE


def _settled(door: Door) -> None:
    """What was ticked is applied before the rest is listed; a pass that runs just now will do it."""
    try:
        door.ask("settle")
    except Refused as refused:
        if refused.problem.code != "busy":
            raise


def _review_file(door: Door) -> MarkdownInbox:
    from ethos.edge.inbox import MarkdownInbox  # noqa: PLC0415 (for this command alone)

    settings = door.settings
    return MarkdownInbox(Path(settings.conflict_resolution.review_inbox), door.state, settings.inbox.settle_seconds)


def _hints(door: Door) -> dict[str, str]:
    """Why some ticks in the review file could not be taken."""
    reading = _review_file(door).read()
    about_the_file = {"file": "; ".join(reading.problems)} if reading.problems else {}
    return {**about_the_file, **reading.hints}


def _edit(door: Door, *, quiet: bool) -> None:
    """Let a person edit a copy, then apply what was ticked."""
    from ethos.edge.inbox import editing  # noqa: PLC0415 (for this option alone)

    outcome = editing.edit(_review_file(door), door.state, _editor(), _ask if sys.stdin.isatty() else None)
    told = {"unchanged": "nothing was changed", "dropped": "dropped: nothing was changed"}.get(outcome, "")
    if not told:
        applied = door.ask("settle")["applied"]
        told = f"{applied} answered" + (" (the file was written meanwhile, and both were put together)" if outcome == "merged" else "")
    if not quiet:
        print(told)


def _ask(wrong: Sequence[str]) -> Choice:
    """What to do about mistakes in what was edited."""
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
    command = shlex.split(named) if named else [name for name in ("editor", "nano", "vi") if shutil.which(name)][:1]
    if not command:
        raise refuse("usage", "no editor is known", hint="EDITOR=nano ethos inbox --edit")
    return command
