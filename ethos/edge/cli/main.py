"""The command line. Every command calls an action (through the daemon, else here); `edge/render` turns the result into text.

A command returns its exit code: 0 done, 1 failed, 2 usage, 3 a person is needed. With `--json`, standard output holds JSON and nothing
else: the data, or `{"error": {...}}`. Error messages go to standard error in any case.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import typer
from typer.exceptions import TyperException

from ethos.core.model.errors import Refused, refuse
from ethos.edge.cli import menu
from ethos.edge.cli.commands import agents, ask, decide, learn, operate, profile
from ethos.edge.cli.commands.memory import memory_app
from ethos.edge.cli.commands.rules import rules_app
from ethos.edge.cli.commands.service import service_app
from ethos.edge.cli.errors import Reported

COMMANDS: Mapping[str, Callable[..., int]] = {
    "run": learn.run,
    "capture": learn.capture,
    "consolidate": learn.consolidate,
    "sleep": learn.sleep,
    "extract": learn.extract,
    "recall": ask.recall,
    "facts": ask.facts,
    "profile": profile.profile,
    "projects": ask.projects,
    "lessons": ask.lessons,
    "why": ask.why,
    "diff": ask.diff,
    "report": ask.night,
    "inbox": decide.inbox,
    "answer": decide.answer,
    "retire": decide.retire,
    "correct": decide.correct,
    "undo": decide.undo,
    "forget": decide.forget,
    "connect": agents.connect,
    "hook": agents.hook,
    "mcp": agents.mcp,
    "status": operate.status,
    "doctor": operate.doctor,
    "backup": operate.backup,
    "restore": operate.restore,
    "export": operate.export,
    "import": operate.bring_in,
}

HELP = {"help_option_names": ["-h", "--help"]}
app = typer.Typer(name="ethos", rich_markup_mode=None, pretty_exceptions_enable=False, context_settings=HELP)
for name, does in COMMANDS.items():
    app.command(name=name)(does)
app.add_typer(memory_app, name="memory", help=menu.SUMMARIES["memory"])
app.add_typer(rules_app, name="rules", help=menu.SUMMARIES["rules"])
app.add_typer(service_app, name="service", help=menu.SUMMARIES["service"])


@contextmanager
def reporting(arguments: Sequence[str]) -> Iterator[Reported]:
    """Print what goes wrong in a command, and how it is typed; `code` of what is given is then the exit code."""
    os.umask(0o077)  # created files hold private data
    with Reported(arguments) as reported:
        try:
            yield reported
        except TyperException as error:
            raise _misuse(error, arguments) from None


def _misuse(error: TyperException, arguments: Sequence[str]) -> Refused:
    message = error.format_message().rstrip(".").replace(": Value error, ", ": ")
    message = message[:1].lower() + message[1:]
    if arguments[0] in menu.MEANT:
        return refuse("usage", f"no such command '{arguments[0]}'", hint=menu.MEANT[arguments[0]])
    return refuse("usage", message, hint=_hint(message, getattr(error, "ctx", None), arguments))


def _hint(message: str, context: Any, arguments: Sequence[str]) -> str:
    """Return what to type instead: if something is missing, the command's example; if there is too much, its help."""
    if message.startswith("got unexpected extra") and arguments[0] == "facts":
        return 'facts takes no words: ethos recall "which database"'
    path = context.command_path if context else " ".join(["ethos", *(name for name in arguments[:1] if name in menu.SUMMARIES)])
    example = (context.command.help or "").partition("Example: ")[2] if context and message.startswith("missing") else ""
    return f"such as: {' '.join(example.split())}; {path} --help says more" if example else f"{path} --help"
