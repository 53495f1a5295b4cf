"""The command line. Every command calls an action (through the daemon, else here); `edge/render` turns the result into text.

A command returns its exit code: 0 done, 1 failed, 2 usage, 3 a person is needed. With `--json`, standard output holds JSON and nothing
else: the data, or `{"error": {...}}`. Error messages go to standard error in any case.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand
from typer.exceptions import TyperException

from ethos.core.model.errors import Refused, refuse
from ethos.edge.cli import menu
from ethos.edge.cli.errors import Reported

# command -> module and function, or a group of commands; only what is asked for is imported, because all of them take a tenth of a second
_PLACES = {
    "run": "learn.run",
    "capture": "learn.capture",
    "consolidate": "learn.consolidate",
    "sleep": "learn.sleep",
    "extract": "learn.extract",
    "recall": "ask.recall",
    "facts": "ask.facts",
    "profile": "profile.profile",
    "projects": "ask.projects",
    "lessons": "ask.lessons",
    "memory": "memory.memory_app",
    "why": "ask.why",
    "diff": "ask.diff",
    "report": "ask.night",
    "inbox": "decide.inbox",
    "answer": "decide.answer",
    "retire": "decide.retire",
    "correct": "decide.correct",
    "undo": "decide.undo",
    "forget": "decide.forget",
    "connect": "agents.connect",
    "hook": "agents.hook",
    "mcp": "agents.mcp",
    "status": "operate.status",
    "doctor": "operate.doctor",
    "backup": "operate.backup",
    "restore": "operate.restore",
    "export": "operate.export",
    "import": "operate.bring_in",
    "models": "models.models",
    "rules": "rules.rules_app",
    "service": "service.service_app",
}
_PYTHON_TYPE = re.compile(r" <[^|>]*>$")
HELP = {"help_option_names": ["-h", "--help"]}


def commands() -> dict[str, Callable[..., int]]:
    """Return the function of every command that is no group."""
    return {name: found for name in _PLACES if not isinstance(found := _loaded(name), typer.Typer)}


class _Command(TyperCommand):
    """A command whose help names its arguments without their Python types."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the lists of arguments and options. A choice is kept: `<a|b>`."""
        for kind in ("argument", "option"):
            told = [param.get_help_record(ctx) for param in self.get_params(ctx) if param.param_type_name == kind]
            if rows := [(_PYTHON_TYPE.sub("", record[0]), record[1]) for record in told if record is not None]:
                with formatter.section(f"{kind.title()}s"):
                    formatter.write_dl(rows)


def program(arguments: Sequence[str] = ()) -> typer.Typer:
    """Return the program with the command that is asked for; with all of them where it is none, or a shell asks for completions."""
    alone = bool(arguments) and arguments[0] in _PLACES and "_ETHOS_COMPLETE" not in os.environ
    app = typer.Typer(name="ethos", rich_markup_mode=None, pretty_exceptions_enable=False, context_settings=HELP)
    app.callback()(_nothing)  # else a program of one command takes its name for an argument
    for name in arguments[:1] if alone else _PLACES:
        found = _loaded(name)
        if isinstance(found, typer.Typer):
            for each in found.registered_commands:
                each.cls = _Command
            app.add_typer(found, name=name, help=menu.SUMMARIES[name])
        else:
            app.command(name=name, cls=_Command)(found)
    return app


def _loaded(name: str) -> Any:
    module, _, attribute = _PLACES[name].partition(".")
    return getattr(import_module(f"ethos.edge.cli.commands.{module}"), attribute)


def _nothing() -> None:
    """Ethos: a local memory for AI agents."""


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
