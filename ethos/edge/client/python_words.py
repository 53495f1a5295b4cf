"""What is wrong, in the words of Python: a problem that was told for the socket or the command line names parameters and methods."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from inspect import Parameter, Signature, signature

from ethos.core.model.errors import Problem
from ethos.edge.jsonio.schema import Unfit

_COMMAND = re.compile(
    r"`?\bethos (?P<verb>answer|capture|consolidate|correct|diff|facts|forget|inbox|recall|retire|status|undo|why)\b"
    r"(?P<words>(?: (?:--[a-z-]+|[a-z]-[\w.]+|[A-Z]{2,}))*)`?"
)
_FIELD = re.compile(r'"(\w+)": true')  # a field of the socket
_OPTION = re.compile(r"\A--([a-z]+)\b")
_VALUES = {"true or false": "True or False", " or null": " or None", "null": "None", "a list, and in it text": "texts"}


def of_argument(unfit: Unfit, method: Callable[..., object], name: str) -> Problem:
    """Return the problem of an argument that does not fit. name: of the parameter."""
    what = str(unfit).replace(f'"{unfit.field}"', name, 1)
    for theirs, ours in _VALUES.items():
        what = what.replace(theirs, ours, 1)
    return Problem("usage", what, f"memory.{method.__name__}{_parameters(method)}", name)


def in_python(problem: Problem) -> Problem:
    """Return a problem told in Python: its hint, and the option that it may begin with."""
    return replace(problem, what=_OPTION.sub(r"\1", problem.what), hint=hint_in_python(problem.hint))


def hint_in_python(hint: str) -> str:
    """Return a hint with methods in the place of commands that have one, and parameters in that of options and fields."""
    hint = _COMMAND.sub(lambda found: _method(found["verb"], found["words"].split()), hint)
    told = _FIELD.sub(r"\1=True", hint)
    return (told if told == hint else told.replace("send ", "pass ", 1)).replace("--format", "format=")


def _method(verb: str, words: list[str]) -> str:
    """Return a command as a call of the method of its name; an option takes the word in capitals that follows it."""
    told: list[str] = []
    for word in () if verb == "status" else words:  # the runs are in every status
        if word.startswith("--"):
            told.append(word[2:].replace("-", "_") + "=True")
        elif word.isupper() and told and told[-1].endswith("=True"):
            told[-1] = told[-1].removesuffix("True") + word.lower()
        else:
            told.append(word.lower() if word.isupper() else f'"{word}"')
    return f"memory.{verb}({', '.join(told)})"


def _parameters(method: Callable[..., object]) -> str:
    """Return the parameters of a method as they are written, without their types."""
    found = signature(method)
    bare = [each.replace(annotation=Parameter.empty) for each in found.parameters.values()]
    return str(found.replace(parameters=bare, return_annotation=Signature.empty))
