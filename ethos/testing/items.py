"""Pytest items of a rule file: one that loads it, one for each example, one for each property."""

from __future__ import annotations

import importlib.util
import shutil
import tempfile
import tomllib
import weakref
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from ethos.core.rules.rule import Rule, RuleProblem
from ethos.edge.cli.workbench.properties import PROPERTIES, TIMED, PropertyFailed, assert_properties, assert_same_elsewhere
from ethos.edge.cli.workbench.rule_files import as_problem, with_what_it_changes
from ethos.edge.cli.workbench.sets import RuleSet
from ethos.edge.rulebook import Rulebook, load

_EXAMPLE_CODES = frozenset({"E-EXAMPLE", "W-TODO"})
SHOWN = 50  # characters of an example in the name of its item


class RuleFailed(Exception):
    """A check failed, with the problems that `ethos rules check` prints."""

    def __init__(self, problems: Sequence[RuleProblem]) -> None:
        super().__init__("\n".join(map(str, problems)))


class RuleItem(pytest.Item):
    """A check of a rule file. A `RuleFailed` is shown without a traceback: its place is in the rule file."""

    def __init__(self, *, check: Callable[[], None], **given: Any) -> None:
        super().__init__(**given)
        self.check = check

    def runtest(self) -> None:
        """Run the check."""
        self.check()

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException]) -> Any:  # type: ignore[override]  # (pytest's own type is private)
        """Return the problems as text; any other exception as pytest shows it."""
        return str(excinfo.value) if isinstance(excinfo.value, RuleFailed) else super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return the place of the item in the report."""
        return self.path, None, self.name


class RuleFile(pytest.File):
    """One pack, loaded as in use: after the shipped packs if it extends others."""

    @cached_property
    def paths(self) -> tuple[Path, ...]:
        """Return the files to load: the file alone, or the shipped packs and the file."""
        return with_what_it_changes(self.path.resolve())

    @cached_property
    def book(self) -> Rulebook:
        """Return the loaded rulebook."""
        return load(self.paths, cache=self.proved)

    @cached_property
    def proved(self) -> Path:
        """Return a folder for proofs, so that each is made once."""
        folder = tempfile.mkdtemp(prefix="ethos-proved-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        return Path(folder)

    @cached_property
    def rules(self) -> RuleSet:
        """Return the rule set for the properties."""
        return RuleSet(self.paths, self.proved)

    @cached_property
    def problems(self) -> tuple[RuleProblem, ...]:
        """Return the problems of this file."""
        return tuple(problem for problem in self.book.problems if Path(problem.path) == self.path.resolve())

    def collect(self) -> Iterator[pytest.Item]:
        """Yield the items. A disabled pack only has those that need no rules."""
        yield self._item("loads", self._loads)
        broken = any(problem.fatal and problem.code not in _EXAMPLE_CODES for problem in self.problems)
        if broken:
            return
        names: set[str] = set()
        for rule, text in self._examples():
            name = f"{rule}: {text[:SHOWN].rstrip('.')}"
            names.add(name := name if name not in names else f"{name} ({len(names)})")
            yield self._item(name, lambda rule=rule, text=text: self._example(rule, text))  # type: ignore[misc]  # (bound now)
        if not any(problem.fatal for problem in self.problems):
            for each in PROPERTIES.values():
                if each.name not in TIMED:
                    yield self._item(each.name, lambda name=each.name: self._property(name))  # type: ignore[misc]

    def _item(self, name: str, check: Callable[[], None]) -> pytest.Item:
        return RuleItem.from_parent(self, name=name, check=check)

    def _examples(self) -> Iterator[tuple[str, str]]:
        table = tomllib.loads(self.path.read_text(encoding="utf-8"))
        for rule in table["rule"]:
            for example in rule.get("example", ()):
                yield f"{table['pack']}/{rule['id']}", example["text"]

    def _loads(self) -> None:
        if wrong := [problem for problem in self.problems if problem.fatal and not _of_example(problem)]:
            raise RuleFailed(wrong)

    def _example(self, rule: str, text: str) -> None:
        wrong = [
            problem for problem in self.problems if _of_example(problem) and problem.rule == rule and problem.what.startswith(f"{text!r}:")
        ]
        if any(problem.fatal for problem in wrong):
            raise RuleFailed(wrong)
        if wrong:
            pytest.xfail(wrong[0].what)

    def _property(self, name: str) -> None:
        """Try one property on texts about the file's rules; without Hypothesis on the examples alone."""
        try:
            self._try(name)
        except PropertyFailed as failed:
            raise RuleFailed([as_problem(failed, self.path)]) from None

    @cached_property
    def own(self) -> tuple[Rule, ...]:
        """Return the rules of this file that are in force."""
        return self.rules.by_pack.get(self._pack, ())

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Return the texts for the properties, drawn once."""
        from ethos.edge.cli.workbench.trying import draw_texts  # noqa: PLC0415 (Hypothesis is not imported without rule files)

        return draw_texts(self.own, self.config.getoption("--ethos-cases"))

    def _try(self, name: str) -> None:
        told = [example.text for rule in self.own for example in rule.examples]
        for text in told:
            assert_properties(self.rules, text, only={name})
        if name == "deterministic":
            assert_same_elsewhere(self.rules, told)
        if self.own and importlib.util.find_spec("hypothesis"):
            from ethos.edge.cli.workbench.trying import try_property  # noqa: PLC0415 (an extra)

            try_property(self.rules, self.own, name, self.texts)

    @cached_property
    def _pack(self) -> str:
        return str(tomllib.loads(self.path.read_text(encoding="utf-8"))["pack"])


def _of_example(problem: RuleProblem) -> bool:
    """Return whether the item of an example reports the problem: `E-EXAMPLE` is also the code for too few examples."""
    return problem.code in _EXAMPLE_CODES and problem.what[:1] in {"'", '"'}
