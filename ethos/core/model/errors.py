"""What can go wrong, as values and as exceptions.

A mistake of the user is a value of `Problem`: it carries facts, and the edge finds the words (`ethos.edge.render.report`).
A `Refused` is the one exception that carries a problem up to the edge, where there is no result to put it in.
Everything else that is raised is a bug, and is shown as one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Code = Literal[
    "usage",  # the call itself is wrong: unknown action, bad argument
    "not-found",  # an id or a path that is not there
    "bad-input",  # a file or a line that cannot be read as what it should be
    "bad-config",  # config.toml, or the environment
    "bad-rules",  # a rule pack
    "model",  # the language model that the user named gives no answer
    "busy",  # somebody else is at it, try again
    "store",  # the database: read-only, full, damaged, newer than this program
    "daemon",  # the daemon cannot be reached, or is not what it should be
    "too-large",  # the answer is longer than one may be
    "needs-person",  # only a person can decide this
]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that went wrong through no bug of ours.

    what: one sentence, without a full stop, that says what was found ("no such file: notes.jsonl").
    hint: what to do or to type next; empty when there is nothing to do.
    where: file, line or field the problem stands in ("talk.jsonl:14", "consolidation.interval_minutes"); may be empty.
    """

    code: Code
    what: str
    hint: str = ""
    where: str = ""


class Refused(Exception):
    """Raised where a call cannot give its result because of a `Problem`."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.what)
        self.problem = problem


def refuse(code: Code, what: str, *, hint: str = "", where: str = "") -> Refused:
    """`raise refuse("usage", "no session is called x", hint="ethos status")`."""
    return Refused(Problem(code, what, hint, where))
