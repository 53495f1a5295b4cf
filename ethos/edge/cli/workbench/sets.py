"""Rule sets under test: packs as the rulebook loads them, and their variants for properties."""

from __future__ import annotations

import json
import shutil
import tempfile
import tomllib
import weakref
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import get_args

from ethos.core.model.records import Claim, Origin, Role
from ethos.core.rules.matcher import Rules
from ethos.core.rules.rule import Rule, RuleProblem
from ethos.edge.rulebook import WORDS, load

SPEAKER = "speaker"  # the speaker of examples
ROLES: tuple[Role, ...] = get_args(Role)
GROUPS = 12  # groups of rules that are disabled together
WEIGHT = 0.5  # factor of each rule's confidence in the reweighed variant

Kept = tuple[Rule, ...]


class RuleError(Exception):
    """A rule set could not be loaded. `problems`: those that disable packs; the text is what `ethos rules check` prints."""

    def __init__(self, problems: Sequence[RuleProblem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = tuple(problems)


def rule_sets(*paths: str | Path, cache: Path | None = None, clauses: bool = False) -> RuleSet:
    """Load rule files and folders together, in order; raise `RuleError` with file, line and caret if one of them has a mistake.

        rules = rule_sets("rules/", "mine.toml")
        rules["mine/garden.grows"].confidence

    clauses: use the second reader, too.
    cache: a folder for earlier proofs, as in `ethos.edge.rulebook.load`; by default a temporary one that is removed with the set.
    """
    return RuleSet(tuple(Path(path).absolute() for path in paths), cache, clauses=clauses)


class RuleSet:
    """Loaded rules by id: `rules["pack/id"]`, `len(rules)`, `for rule in rules`. Variants are loaded on first use."""

    def __init__(self, paths: tuple[Path, ...], cache: Path | None = None, *, clauses: bool = False) -> None:
        self._own = Path(tempfile.mkdtemp(prefix="ethos-rules-"))
        weakref.finalize(self, shutil.rmtree, self._own, ignore_errors=True)
        self.cache = cache or self._own / "proved"
        self.paths = paths
        self.clauses = clauses
        self.rules = self._load(paths)
        self._by_id = {rule.id: rule for rule in self.rules.rules}
        self._without: dict[int, Rules] = {}

    def _load(self, paths: Sequence[Path]) -> Rules:
        book = load(paths, cache=self.cache, in_use=False, clauses=self.clauses)
        fatal = [problem for problem in book.problems if problem.fatal]
        if fatal:
            raise RuleError(fatal)
        return book.rules

    def __getitem__(self, rule_id: str) -> Rule:
        return self._by_id[rule_id]

    def __contains__(self, rule_id: object) -> bool:
        return rule_id in self._by_id

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules.rules)

    def __len__(self) -> int:
        return len(self.rules.rules)

    @cached_property
    def roles(self) -> tuple[Role, ...]:
        """Return the roles that some rule reads."""
        return tuple(role for role in ROLES if any(role in rule.roles for rule in self))

    def claims(self, text: str, role: Role = "user") -> tuple[Claim, ...]:
        """Return the claims that the rules read in a trusted text."""
        return self.rules.claims(text, role=role, speaker=SPEAKER, origin=Origin.OPERATOR)

    def readings(self, text: str, role: Role = "user") -> tuple[tuple[Claim, ...], tuple[Claim, ...]]:
        """Return what the patterns claim in a trusted text, and what the second reader does, each alone."""
        return self.rules.readings(text, role=role, speaker=SPEAKER, origin=Origin.OPERATOR)

    @cached_property
    def files(self) -> tuple[Path, ...]:
        """Return the pack files, in the order in which they are loaded."""
        loaded = {rule.id.partition("/")[0] for rule in self.rules.rules}  # of a folder, packs of other languages are not
        found: dict[Path, None] = {}
        for path in self.paths:
            found |= dict.fromkeys(each for each in sorted(path.glob("*.toml")) if each.stem in loaded) if path.is_dir() else {path: None}
        return tuple(path for path in found if path.name not in WORDS)

    @cached_property
    def reordered(self) -> Rules:
        """Return the same packs from the last file to the first; packs that change others stay after them."""
        tables = {path: tomllib.loads(path.read_text(encoding="utf-8")) for path in self.files}
        changing = [path for path in self.files if tables[path].keys() & {"disable", "override", "filter"}]
        words = [path for path in self.paths if path.is_dir()]
        turned = [path for path in reversed(self.files) if path not in changing]
        return self._load([*turned, *words, *changing])

    @cached_property
    def groups(self) -> tuple[frozenset[str], ...]:
        """Return the rules in a dozen groups that are disabled together.

        To load a variant for each of a hundred rules takes longer than to try them all.
        """
        names = [rule.id for rule in self]
        return tuple(frozenset(names[start::GROUPS]) for start in range(min(GROUPS, len(names))))

    def without(self, group: int) -> Rules:
        """Return the set with one of its groups disabled by a user's pack."""
        if group not in self._without:
            self._without[group] = self._changed(f"[disable]\nrules = {json.dumps(sorted(self.groups[group]))}\n")
        return self._without[group]

    @cached_property
    def reweighed(self) -> Rules:
        """Return the set with every rule's confidence overridden to half of it."""
        return self._changed("".join(f'[[override]]\nid = "{rule.id}"\nconfidence = {rule.confidence * WEIGHT!r}\n' for rule in self))

    @cached_property
    def nameless(self) -> Rules:
        """Return the set without the rules that require capitals: of a pattern, or of a clause that has to name something."""
        named = [rule.id for rule in self if rule.proper or (rule.clause is not None and rule.clause.naming)]
        return self._changed(f"[disable]\nrules = {json.dumps(named)}\n") if named else self.rules

    def _changed(self, change: str) -> Rules:
        path = self._own / "zz-change.toml"
        path.write_text(f'schema = 1\npack = "zz-change"\n{change}', encoding="utf-8")
        return self._load([*self.paths, path])

    @cached_property
    def remembered(self) -> dict[str, str]:
        """Return a cache of findings about the set as a whole, by property."""
        return {}

    @cached_property
    def matched_alike(self) -> set[str]:
        """Return the masked sentences in which both engines match every pattern alike: many texts share them."""
        return set()

    @cached_property
    def by_pack(self) -> Mapping[str, Kept]:
        """Return the rules of each pack."""
        return {pack.name: tuple(rule for rule in pack.rules if rule.enabled) for pack in self.rules.packs}
