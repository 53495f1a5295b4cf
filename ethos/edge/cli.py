"""The command line: thin. Every command asks the door (through the daemon, else here), and `report` and `tables` find the words.

A command returns its exit code: 0 done, 1 failed, 2 usage, 3 a person is needed. With `--json`, standard output holds JSON and nothing
else: the data, or `{"error": {...}}`; the words of an error go to standard error in any case.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

import typer
from typer.exceptions import TyperException

from ethos.core.errors import refuse
from ethos.edge import menu, report
from ethos.edge.commands import ask, decide, learn, operate
from ethos.edge.commands.rules import rules_app
from ethos.edge.commands.service import service_app
from ethos.edge.failing import guarded

COMMANDS: Mapping[str, Callable[..., int]] = {
    "run": learn.run,
    "capture": learn.capture,
    "consolidate": learn.consolidate,
    "extract": learn.extract,
    "recall": ask.recall,
    "facts": ask.facts,
    "why": ask.why,
    "diff": ask.diff,
    "inbox": decide.inbox,
    "answer": decide.answer,
    "undo": decide.undo,
    "forget": decide.forget,
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
app.add_typer(rules_app, name="rules", help=menu.SUMMARIES["rules"])
app.add_typer(service_app, name="service", help=menu.SUMMARIES["service"])


def run(arguments: list[str]) -> int:
    """Run one command and say what went wrong."""
    os.umask(0o077)  # what is made here holds somebody's memory
    return guarded(lambda: _typed(arguments), arguments)


def _typed(arguments: list[str]) -> int:
    try:
        code = app(args=arguments, prog_name="ethos", standalone_mode=False)
    except TyperException as error:
        context = getattr(error, "ctx", None)
        message = error.format_message().rstrip(".").replace(": Value error, ", ": ")
        hint = f"{context.command_path if context else 'ethos'} --help"
        raise refuse("usage", message[:1].lower() + message[1:], hint=hint) from None
    return code if isinstance(code, int) else report.DONE
