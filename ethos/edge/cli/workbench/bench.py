"""Test a rule set as `ethos rules test` does: examples, properties, time, coverage, and hits in a clean corpus.

A failure is a `RuleProblem`, as `ethos rules check` prints it. Only this module and the pytest plugin need Hypothesis; without it the
properties are tried on the examples alone.
"""

from __future__ import annotations

import importlib.util
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from ethos.core.rules.rule import Rule, RuleProblem
from ethos.core.text.plurals import plural
from ethos.edge.cli.workbench.corpus import turns
from ethos.edge.cli.workbench.properties import PROPERTIES, TIMED, PropertyFailed, assert_properties, assert_same_elsewhere
from ethos.edge.cli.workbench.rule_files import as_problem, at_rule, pack_name, with_what_it_changes
from ethos.edge.cli.workbench.sets import RuleError, RuleSet

CASES = 100  # texts a property
THOROUGH = 50_000
_HITS = ".hits.json"  # suffix of the file next to a clean corpus that lists accepted hits
_MOST_SHOWN = 100  # new hits listed one by one

_SILENT_CODE = "E-NEVER-FIRES"
_HIT_CODE = "E-NEW-HIT"


@dataclass(frozen=True, slots=True)
class BenchOptions:
    """The options of a run. `seed`: draws other texts than the default; `rule`: draws texts about this one alone."""

    cases: int = CASES
    seed: int | None = None
    rule: str = ""
    coverage: bool = False
    baseline: Path | None = None
    write_baseline: bool = False


@dataclass(slots=True)
class Tried:
    """The result of a run."""

    rules: int = 0
    examples: int = 0
    texts: int = 0
    properties: dict[str, bool] = field(default_factory=dict)  # by name: true if it holds
    timed: bool | None = None  # None: not tried, because of an earlier problem
    silent: tuple[str, ...] | None = None  # stable rules that never fire; None: not requested
    hits: int | None = None  # in the clean corpus; None: no corpus
    new_hits: int = 0
    problems: list[RuleProblem] = field(default_factory=list)

    @property
    def failed(self) -> bool:
        """Return whether a problem is fatal; a known miss is not."""
        return any(problem.fatal for problem in self.problems)

    def add(self, other: Tried) -> None:
        """Add the result of another rule set."""
        self.rules += other.rules
        self.examples += other.examples
        self.texts += other.texts
        for name, held in other.properties.items():
            self.properties[name] = held and self.properties.get(name, True)
        if other.timed is not None:
            self.timed = other.timed and self.timed is not False
        if other.silent is not None:
            self.silent = (*(self.silent or ()), *other.silent)
        if other.hits is not None:
            self.hits = (self.hits or 0) + other.hits
        self.new_hits += other.new_hits
        self.problems += other.problems


def try_packs(packs: Sequence[Path], in_force: Sequence[Path], cache: Path, options: BenchOptions) -> Tried:
    """Try each of these packs, alone or together with those it changes; without any, all packs in force together."""
    if not packs:
        return _tried(tuple(in_force), None, cache, options)
    total = Tried()
    for path in packs:
        total.add(_tried(with_what_it_changes(path), path, cache, options))
    return total


def _tried(paths: tuple[Path, ...], own: Path | None, cache: Path, options: BenchOptions) -> Tried:
    try:
        rules = RuleSet(paths, cache)
    except RuleError as error:
        return Tried(problems=list(error.problems))
    return _Bench(rules, own or Path(), options).run(_own(rules, own, options))


def _own(rules: RuleSet, path: Path | None, options: BenchOptions) -> tuple[Rule, ...]:
    """Return the rules that the texts are about: those of the pack, or the one that was asked for."""
    mine = "" if path is None or path.is_dir() else pack_name(path) + "/"
    found = tuple(rule for rule in rules if rule.id.startswith(mine))
    return tuple(rule for rule in found if rule.id == options.rule) if options.rule else found


class _Hit(NamedTuple):
    """A rule that fires in a clean corpus, and the words it fires on."""

    rule: str
    words: str


class _Bench:
    """One rule set and one run."""

    def __init__(self, rules: RuleSet, path: Path, options: BenchOptions) -> None:
        self.rules = rules
        self.path = path
        self.options = options
        self.tried = Tried()

    def run(self, own: tuple[Rule, ...]) -> Tried:
        """Try everything, in order. Loading has already run the examples and the static cost estimate."""
        told = tuple(dict.fromkeys(example.text for rule in own for example in rule.examples))
        self.tried.rules, self.tried.examples = len(own), sum(len(rule.examples) for rule in own)
        drawn = self._draw(own)
        texts = (*told, *drawn)
        self.tried.texts = len(texts)
        self._properties(texts, told)
        self._time(own)
        if self.options.coverage:
            self._coverage(own, texts)
        if self.options.baseline is not None:
            self._baseline(self.options.baseline)
        return self.tried

    def _draw(self, own: tuple[Rule, ...]) -> tuple[str, ...]:
        if not own or not importlib.util.find_spec("hypothesis"):
            return ()
        from ethos.edge.cli.workbench.trying import draw_texts  # noqa: PLC0415 (Hypothesis is an extra)

        return draw_texts(own, self.options.cases, self.options.seed)

    def _properties(self, texts: Sequence[str], told: Sequence[str]) -> None:
        self.tried.properties = {name: True for name in PROPERTIES if name not in TIMED}
        for text in texts:
            held = {name for name, held in self.tried.properties.items() if held}
            try:
                assert_properties(self.rules, text, only=held)
            except PropertyFailed as failed:  # not tried again: one counterexample is enough
                self._failed(failed)
        if self.tried.properties.get("deterministic"):
            try:
                assert_same_elsewhere(self.rules, told)
            except PropertyFailed as failed:
                self._failed(failed)

    def _failed(self, failed: PropertyFailed) -> None:
        self.tried.properties[failed.name] = False
        self.tried.problems.append(as_problem(failed, self._file(failed.rule)))

    def _file(self, rule: str) -> Path:
        """Return the file of a rule, if it is known."""
        if self.path.is_file():
            return self.path
        name = rule.partition("/")[0]
        return next((path for path in self.rules.files if pack_name(path) == name), self.path)

    def _time(self, own: Sequence[Rule]) -> None:
        """Check the time: twice as much of each rule's own words takes about twice as long."""
        self.tried.timed = True
        for rule in own:
            words = " ".join(example.text for example in rule.examples) or rule.summary
            try:
                assert_properties(self.rules, words, only=TIMED)
            except PropertyFailed as failed:
                self.tried.timed = False
                what = f"{failed.name}: {failed.what}"
                self.tried.problems.append(at_rule("E-REDOS", what, rule.id, self._file(rule.id), "bound its repeats more tightly"))

    def _coverage(self, own: Sequence[Rule], texts: Sequence[str]) -> None:
        fired = {claim.rule for text in texts for role in self.rules.roles for claim in self.rules.claims(text, role)}
        silent = [rule for rule in own if rule.status == "stable" and rule.id not in fired]
        self.tried.silent = tuple(rule.id for rule in silent)
        for rule in silent:
            what = f"of {len(texts)} texts, its examples among them, none makes this rule fire"
            hint = "see what takes its words: ethos rules explain, with one of its examples"
            self.tried.problems.append(at_rule(_SILENT_CODE, what, rule.id, self._file(rule.id), hint))

    def _baseline(self, corpus: Path) -> None:
        """Report the hits in a clean corpus, except the known ones."""
        found = Counter(
            _Hit(claim.rule, " ".join(text[claim.start : claim.end].split()))
            for role, text in turns(corpus)
            for claim in self.rules.claims(text, role)
        )
        self.tried.hits = found.total()
        known = corpus.with_name(corpus.name + _HITS)
        if self.options.write_baseline:
            known.write_text(
                json.dumps([[*hit, times] for hit, times in sorted(found.items())], indent=1, ensure_ascii=False) + "\n", "utf-8"
            )
            return
        new = found - _known(known)
        self.tried.new_hits = new.total()
        for hit in sorted(new)[:_MOST_SHOWN]:
            what = f"fires in the clean corpus {corpus.name}: {hit.words!r}"
            hint = "add an `unless`, or accept the hit: --write-baseline"
            self.tried.problems.append(at_rule(_HIT_CODE, what, hit.rule, self._file(hit.rule), hint))


def _known(file: Path) -> Counter[_Hit]:
    """Return the accepted hits; none if there is no file. Raise ValueError, with its name, for a file of another format."""
    if not file.exists():
        return Counter()
    try:
        return Counter({_Hit(str(rule), str(words)): int(times) for rule, words, times in json.loads(file.read_text("utf-8"))})
    except (ValueError, TypeError) as error:
        raise ValueError(f"{file} holds no baseline: {error}") from None


def lines(tried: Tried) -> Iterator[str]:
    """Yield the lines of a run's result, for people, without the problems."""
    held = sum(tried.properties.values())
    yield f"{plural(tried.rules, 'rule')}, {plural(tried.examples, 'example')}"
    if tried.properties:
        yield f"{held} of {len(tried.properties)} properties hold on {tried.texts} texts"
    if tried.timed is not None:
        yield "time grows in proportion to the text" if tried.timed else "time grows faster than the text"
    if tried.silent is not None:
        yield f"{len(tried.silent)} stable rules that nothing makes fire"
    if tried.hits is not None:
        yield f"{tried.hits} hits in the clean corpus, {tried.new_hits} of them new"
