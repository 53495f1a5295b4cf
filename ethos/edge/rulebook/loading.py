"""Load rule files in order. A pack with mistakes is not used; its last good version stays in use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from hashlib import blake2b
from pathlib import Path

import regex

from ethos.core.rules.matcher import Rules
from ethos.core.rules.regex.literals import Literals
from ethos.core.rules.rule import ALONE, ENGINE_VERSION, Modifier, Pack, RuleProblem
from ethos.core.rules.vocabulary import Vocabulary
from ethos.edge.rulebook import isolated_check
from ethos.edge.rulebook.budgets import Budgets
from ethos.edge.rulebook.cache import Cache, Findings
from ethos.edge.rulebook.contacts import Contacts
from ethos.edge.rulebook.engine_digest import engine_digest
from ethos.edge.rulebook.layering import layer
from ethos.edge.rulebook.packs import PackReader
from ethos.edge.rulebook.proving import derived, doubtful, overlaps, prove_changed
from ethos.edge.rulebook.source import Broken, SharedFiles, Source, read
from ethos.edge.rulebook.validation import FieldReader
from ethos.edge.rulebook.word_files import LESSONS_FILE, MODIFIERS_FILE, WORDS, read_classes, read_modifiers, read_vocabulary

PROVED = "proved"  # the folder beside the shipped packs with the results of checking them, from the build


@dataclass(frozen=True, slots=True)
class LoadedPack:
    """A pack in use. stale: the file has a mistake, and this is its last good version."""

    name: str
    version: str
    rules: int
    path: Path
    stale: bool = False


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The result of loading: the rules, their packs, the problems found, and the time budgets."""

    rules: Rules
    packs: tuple[LoadedPack, ...]
    found: tuple[RuleProblem, ...]
    budgets: Budgets | None = None

    @property
    def problems(self) -> tuple[RuleProblem, ...]:
        """Return the problems found while loading, and the rules suspended since."""
        return self.found + (self.budgets.problems if self.budgets is not None else ())


def shipped_rules() -> Path:
    """Return the folder of the shipped packs: inside the package in a wheel, beside it in a checkout."""
    package = Path(__file__).resolve().parents[2]
    inside = package / "rules"
    return inside if inside.is_dir() else package.parent / "rules"


def load(
    sources: Sequence[Path],
    *,
    cache: Path | None = None,
    prove_shipped: bool = True,
    in_use: bool = True,
    region: str = "",
    clauses: bool = False,
    languages: Sequence[str] = ("en",),
) -> Rulebook:
    """Load these files and folders (TOML files in name order), usually the shipped folder first. Never raises for a file's content.

    Modifiers and classes are those of the shipped folder, with those of the folders given here.
    cache: a folder for earlier results and last good versions, created if missing; without write access loading works, more slowly.
    prove_shipped: run the examples of the shipped packs too; the tests of Ethos run them.
    in_use: replace a pack that has a mistake by its last good version, and store good ones for that; False to check a file.
    clauses: use the second reader, the rules with a clause that are not held by themselves; False leaves the patterns alone.
    languages: of the shipped packs, those of these languages are loaded; "*" is all of them.
    region: the country of telephone numbers without a + (`contacts`); examples are proved without one.
    """
    return _Loader(cache, prove_shipped=prove_shipped, in_use=in_use, region=region, clauses=clauses, languages=languages).load(sources)


def prove_shipped_packs() -> None:
    """Check the shipped packs and store the results beside them, for the build, so that the first command is fast. Remove results of other
    versions of them.
    """
    folder = shipped_rules() / PROVED
    folder.mkdir(exist_ok=True)
    loader = _Loader(folder, prove_shipped=True, in_use=True, region="", clauses=True, languages=("*",))
    loader.load([shipped_rules()])
    for each in folder.glob("proved-*"):
        if each.name not in loader.cache.asked:
            each.unlink()


@dataclass(frozen=True, slots=True)
class _Good:
    """A pack without mistakes, not yet in use."""

    pack: Pack
    source: Source
    packs: tuple[Pack, ...]  # the earlier packs, as changed by it
    literals: dict[str, Literals]
    doubtful: frozenset[str]
    warnings: tuple[RuleProblem, ...]
    stale: bool  # an older version than the file's


class _Loader:
    """The state of one load."""

    def __init__(
        self, cache: Path | None, *, prove_shipped: bool, in_use: bool, region: str, clauses: bool, languages: Sequence[str]
    ) -> None:
        self.prove_shipped = prove_shipped
        self.in_use = in_use
        self.region = region
        self.clauses = clauses
        self.languages = frozenset(languages)
        self.shipped = shipped_rules()
        self.shared = SharedFiles(self.shipped)
        self.cache = Cache(cache, self.shipped / PROVED)
        self.problems: list[RuleProblem] = []
        self.packs: tuple[Pack, ...] = ()
        self.loaded: list[LoadedPack] = []
        self.derived: dict[str, Literals] = {}
        self.doubtful: set[str] = set()
        self.budgets = Budgets(self.cache)
        self.words: list[Source] = []
        self.modifiers: tuple[Modifier, ...] = ()
        self.classes: dict[str, str] = {}
        self.vocabulary = Vocabulary()
        self.digests: list[str] = [ENGINE_VERSION]
        self.own: list[tuple[Pack, Source]] = []

    def load(self, sources: Sequence[Path]) -> Rulebook:
        """Load everything, in order."""
        for path in dict.fromkeys(files_of([self.shipped, *sources])):
            if path.name in WORDS:
                self._words(path)
        base = "/".join([engine_digest(), ENGINE_VERSION, *(f"{each.path.name}:{each.digest}" for each in self.words)])
        for path in dict.fromkeys(files_of(sources)):
            if path.name not in WORDS and (path in sources or self._spoken(path)):
                self._file(path, base)
        if self.region:
            self.digests.append(f"region:{self.region}")
        if not self.clauses:
            self.digests.append("no second reader")
            self.packs = tuple(map(_patterns_alone, self.packs))
        classes = dict(self.classes)
        for pack in self.packs:
            classes.update(pack.classes)
        digest = self._digest(classes)
        limits = self.budgets
        rules = Rules(
            self.packs,
            self.modifiers,
            classes,
            hash=digest,
            derived=self.derived,
            doubtful=self.doubtful,
            limits=limits,
            forms=Contacts(self.region),
            vocabulary=self.vocabulary,
        )
        self._overlaps(rules, base)
        paths = {pack.name: str(pack.path) for pack in self.loaded}
        limits.adopt(digest, {rule.id: paths[rule.id.partition("/")[0]] for rule in rules.rules})
        return Rulebook(rules, tuple(self.loaded), tuple(self.problems), limits)

    def _spoken(self, path: Path) -> bool:
        """Return whether a pack is in a language to load: the name of a shipped one ends in its language, as in people-de.toml."""
        return path.parent != self.shipped or "*" in self.languages or path.stem.rpartition("-")[2] in self.languages

    def _digest(self, classes: Mapping[str, str]) -> str:
        """Return the hash of all that can change what is read. Comments, layout and examples cannot, so that they cost no new reading."""
        digest = blake2b("\n".join([*self.digests, regex.__version__]).encode(), digest_size=12)
        said = [told(self.modifiers), told(sorted(classes.items()))]
        for pack in sorted(self.packs, key=lambda each: each.name):
            said.append(told((pack.name, pack.version, pack.fallbacks, pack.languages, pack.modifiers, pack.pronouns)))
            said += [told(replace(rule, examples=(), summary="")) for rule in sorted(pack.rules, key=lambda rule: rule.id)]
        digest.update("\n".join(said).encode("utf-8", "surrogateescape"))
        return digest.hexdigest()

    def _words(self, path: Path) -> None:
        """Load modifiers, classes and the words of lessons, which all packs share."""
        try:
            source = read(path, own=path.parent != self.shipped)
        except Broken as broken:
            self.problems.append(broken.problem)
            return
        reader = FieldReader(source)
        if path.name == LESSONS_FILE:
            self.vocabulary += read_vocabulary(reader)
            self.problems.extend(reader.problems)
            return  # no rule reads it, so it is no part of the digest by which episodes are scanned again
        if path.name == MODIFIERS_FILE:
            self.modifiers += read_modifiers(reader)
        else:
            reader.unknown(source.table, {"schema", "classes"}, ())
            self.classes |= read_classes(reader, source.table)
        self.problems.extend(reader.problems)
        self.words.append(source)

    def _file(self, path: Path, base: str) -> None:
        """Load a pack, or its last good version, or neither."""
        own = path.parent != self.shipped
        try:
            good = self._examined(read(path, own=own, shared=self.shared), base, own=own)
        except Broken as broken:
            self.problems.append(broken.problem)
            good = None
        if good is not None:
            if own and self.in_use:
                self.cache.keep(path, good.source.data)
            self._use(good)
        elif own and self.in_use and path.exists():
            self._fall_back(path, base)

    def _fall_back(self, path: Path, base: str) -> None:
        """Load the last good version of a pack whose file has a mistake."""
        data = self.cache.last_good(path)
        if data is None:
            return
        before = len(self.problems)
        try:
            source = Source(path, data)
            source.share(self.shared.used_by(source))
            good = self._examined(source, base, own=True)
        except Broken:
            good = None
        del self.problems[before:]  # they concern an older text
        if good is not None:
            what = f"the last good version of pack {good.pack.name!r} ({good.pack.version}) stays in use"
            self.problems.append(
                RuleProblem("W-LAST-GOOD", str(path), what, hint="correct the file; `ethos rules check` shows its mistakes")
            )
            self._use(replace(good, warnings=(), stale=True))

    def _examined(self, source: Source, base: str, *, own: bool) -> _Good | None:
        """Read, check and prove a pack and apply it to the earlier ones; record the problems and return None if it has a mistake."""
        content = (base, source.digest, *(["own", regex.__version__] if own else []))
        held = self.cache.recall(*content)
        findings = isolated_check.run(source, self.words) if held is None and own and isolated_check.needs_isolation(source) else held
        if findings is None:
            reader, pack = isolated_check.examine(source, self.modifiers, gated=own, proved=own or self.prove_shipped)
        elif any(problem.fatal for problem in findings.problems):
            self.cache.remember(findings, *content)  # a check in a subprocess takes long: cache a bad result too
            self.problems.extend(_in_source(findings.problems, source))
            return None
        else:
            reader = PackReader(source, findings.known, gated=own)
            pack = reader.pack()
            reader.problems = _in_source(findings.problems, source)
        if any(each.name == pack.name for each in self.packs):
            reader.complain("E-DUP-ID", f"there is a pack {pack.name!r} already", ("pack",), hint="give this one a name of its own")
        found = tuple(reader.problems)
        layered = layer(self.packs, reader, pack)
        if not reader.broken:
            for rule, trail in layered.proofs:
                prove_changed(rule, trail, reader, self.modifiers, self.budgets)
        if reader.broken:
            self.problems.extend(reader.problems)
            return None
        if held is None and (own or self.prove_shipped):
            self.cache.remember(Findings(reader.known, found), *content)
        return _Good(pack, source, layered.packs, dict(derived(reader)), doubtful(reader), tuple(reader.problems), stale=False)

    def _use(self, good: _Good) -> None:
        """Add a pack to those in use."""
        pack, source = good.pack, good.source
        self.problems.extend(good.warnings)
        self.packs = (*good.packs, pack)
        self.derived.update(good.literals)
        self.doubtful |= good.doubtful
        self.loaded.append(LoadedPack(pack.name, pack.version, len(pack.rules), source.path, good.stale))
        if source.path.parent != self.shipped and not good.stale:
            self.own.append((pack, source))

    def _overlaps(self, rules: Rules, base: str) -> None:
        """Warn about examples of the user's packs that other rules read, now that all packs are loaded."""
        for pack, source in self.own:
            content = (base, rules.hash, source.digest)
            held = self.cache.recall(*content)
            if held is None:
                held = Findings({}, tuple(overlaps(pack, source, rules)))
                self.cache.remember(held, *content)
            self.problems.extend(_in_source(held.problems, source))


def _in_source(problems: Sequence[RuleProblem], source: Source) -> list[RuleProblem]:
    """Return cached problems of a pack, which may have been found in another folder."""
    shared = {each.path.name: str(each.path) for each in source.shared}
    return [replace(problem, path=shared.get(Path(problem.path).name, str(source.path))) for problem in problems]


def told(value: object) -> str:
    """Return a value of a rule as a text that is the same in every process: members of a set are in order."""
    if isinstance(value, str):
        return f"{len(value)}:{value}"
    if isinstance(value, frozenset | Mapping):
        members = value.items() if isinstance(value, Mapping) else value
        return f"{{{', '.join(sorted(map(told, members)))}}}"
    if isinstance(value, list | tuple):
        return f"({', '.join(map(told, value))})"
    if is_dataclass(value):
        return f"({', '.join(told(getattr(value, each.name)) for each in fields(value))})"
    return repr(value)


def _patterns_alone(pack: Pack) -> Pack:
    """Return the pack without the rules of the second reader."""
    return replace(
        pack,
        rules=tuple(replace(rule, enabled=False) if rule.clause is not None and rule.grade not in ALONE else rule for rule in pack.rules),
    )


def files_of(sources: Iterable[Path]) -> Iterator[Path]:
    """Yield files as they are, and for folders their TOML files in name order."""
    for source in sources:
        if source.is_dir():
            yield from sorted(source.glob("*.toml"))
        else:
            yield source
