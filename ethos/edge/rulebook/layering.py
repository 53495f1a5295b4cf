"""Apply a user's pack to the packs loaded before it: [disable], [[override]] and [[filter]]."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

from ethos.core.model.records import Cardinality, Polarity
from ethos.core.rules.regex.literals import derive
from ethos.core.rules.regex.syntax import parse
from ethos.core.rules.rule import Example, Fallback, Inside, Pack, Rule, Status, Unless
from ethos.edge.rulebook.packs import KINDS, PackReader
from ethos.edge.rulebook.patterns import Known, Written
from ethos.edge.rulebook.source import Table, Trail
from ethos.edge.rulebook.validation import suggest

_LISTS = ("patterns", "keywords", "roles", "proper", "inside", "unless", "example")
_SCALARS = ("confidence", "priority", "enabled", "status", "cardinality", "polarity")
_TABLES = ("modifiers", "emit", "valid")
_FALLBACK_KEYS = ("id", "expect", "confidence", "enabled", "cardinality")
_VERBS = ("add", "remove", "set")


@dataclass(frozen=True, slots=True)
class Layered:
    """The packs as changed, and the rules to prove again: those whose override has examples, with these alone."""

    packs: tuple[Pack, ...]
    proofs: tuple[tuple[Rule, Trail], ...]


def layer(packs: Sequence[Pack], reader: PackReader, own: Pack) -> Layered:
    """Apply a pack's changes to the packs before it. The reader holds the complaints; if it is broken, do not use the result."""
    table = reader.source.table
    _extends(reader, packs)
    overrides = _Overrides(reader, packs, own)
    overrides.disable(reader.value(table, "disable", dict, (), {}))
    overridden: set[str] = set()
    for trail, each in reader.tables(table, "override", ()):
        overrides.override(each, trail, overridden)
    for trail, each in reader.tables(table, "filter", ()):
        overrides.filter(each, trail)
    changed = tuple(
        replace(
            pack,
            rules=tuple(overrides.rules[rule.id] for rule in pack.rules),
            fallbacks=tuple(overrides.fallbacks[each.id] for each in pack.fallbacks),
        )
        for pack in packs
    )
    return Layered(changed, tuple(overrides.proofs))


def _extends(reader: PackReader, packs: Sequence[Pack]) -> None:
    """Check that the packs in `extends` are loaded before this one."""
    names = [pack.name for pack in packs]
    for name in reader.words(reader.source.table, "extends", ()):
        if name not in names:
            what = f"there is no pack {name!r} before this one"
            hint = suggest(name, names, "packs are loaded in the order of [rules] packs, and in a folder by the names of their files")
            reader.complain("E-EXTENDS", what, ("extends",), hint=hint, find=name, width=len(name))


class _Overrides:
    """The rules and fallbacks of the earlier packs by id, as changed so far."""

    def __init__(self, reader: PackReader, packs: Sequence[Pack], own: Pack) -> None:
        self.reader = reader
        self.packs = [pack.name for pack in packs]
        self.rules: dict[str, Rule] = {rule.id: rule for pack in packs for rule in pack.rules}
        self.fallbacks: dict[str, Fallback] = {each.id: each for pack in packs for each in pack.fallbacks}
        self.renamed: dict[str, str] = {old: new for pack in packs for old, new in pack.renamed.items()}
        self.own = {rule.id for rule in own.rules}
        self.proofs: list[tuple[Rule, Trail]] = []

    def _known(self, asked: str, trail: Trail) -> str:
        """Return the id of a rule or fallback of the earlier packs; complain and return "" if there is none."""
        if asked in self.rules or asked in self.fallbacks:
            return asked
        if asked in self.renamed:
            now = self.renamed[asked]
            self.reader.complain(
                "W-RENAMED", f"{asked!r} is called {now!r} now", trail, hint=f'write "{now}"', find=asked, width=len(asked)
            )
            return now if now in self.rules or now in self.fallbacks else ""
        hint = suggest(asked, [*self.rules, *self.fallbacks], "an id is written pack/rule")
        if asked in self.own:
            hint = "it stands in this very pack: change it there"
        self.reader.complain("E-REFERENCE", f"no pack before this one has a rule {asked!r}", trail, hint=hint, find=asked, width=len(asked))
        return ""

    def disable(self, table: Table) -> None:
        """Apply [disable]: rules, kinds, packs."""
        reader, at = self.reader, ("disable",)
        reader.unknown(table, {"rules", "kinds", "packs"}, at)
        off = {self._known(each, (*at, "rules")) for each in reader.words(table, "rules", at)}
        kinds = set(reader.chosen(table, "kinds", KINDS, at))
        packs = set(reader.words(table, "packs", at))
        for name in sorted(packs.difference(self.packs)):
            what = f"there is no pack {name!r} before this one"
            hint = suggest(name, self.packs, "no pack is loaded before this one")
            reader.complain("E-REFERENCE", what, (*at, "packs"), hint=hint, find=name, width=len(name))
        for rule in self.rules.values():
            if rule.id in off or rule.kind in kinds or _pack_of(rule.id) in packs:
                self.rules[rule.id] = replace(rule, enabled=False)
        for fallback in self.fallbacks.values():
            if fallback.id in off or _pack_of(fallback.id) in packs:
                self.fallbacks[fallback.id] = replace(fallback, enabled=False)

    def override(self, table: Table, trail: Trail, overridden: set[str]) -> None:
        """Apply one [[override]]."""
        reader = self.reader
        asked = reader.value(table, "id", str, trail)
        rule_id = self._known(asked, (*trail, "id")) if asked else ""
        if rule_id in overridden:
            what = "this rule is overridden twice"
            reader.complain("E-DUP-ID", what, (*trail, "id"), rule=rule_id, hint="put both changes in one [[override]]")
        overridden.add(rule_id)
        if rule_id in self.fallbacks:
            reader.unknown(table, _FALLBACK_KEYS, trail, rule_id)
            self._expect(table, trail, rule_id, self.fallbacks[rule_id].version)
            scalars = self._scalars({name: table[name] for name in table if name in _FALLBACK_KEYS}, trail, rule_id)
            self.fallbacks[rule_id] = replace(self.fallbacks[rule_id], **scalars)
        elif rule_id:
            self._rule(table, trail, self.rules[rule_id])

    def _expect(self, table: Table, trail: Trail, rule: str, version: int) -> None:
        expected = self.reader.whole(table, "expect", trail, version, rule)
        if expected != version:
            what = f"written against version {expected} of the rule, which is now {version}"
            hint = f"see whether it still fits, then say expect = {version}"
            self.reader.complain("W-OVERRIDE-VERSION", what, (*trail, "expect"), rule=rule, hint=hint)

    def _scalars(self, table: Table, trail: Trail, rule: str) -> dict[str, Any]:
        """Return the single values that an override replaces."""
        reader = self.reader
        values: dict[str, Any] = {}
        if "confidence" in table:
            values["confidence"] = reader.share(table, "confidence", trail, rule)
        if "priority" in table:
            values["priority"] = reader.whole(table, "priority", trail, 0, rule, most=1000)
        if "enabled" in table:
            values["enabled"] = reader.value(table, "enabled", bool, trail, True, rule)
        for name, known in (("status", get_args(Status)), ("cardinality", get_args(Cardinality)), ("polarity", get_args(Polarity))):
            if name in table:
                values[name] = reader.choice(table, name, known, trail, rule=rule)
        return values

    def _tables(self, table: Table, trail: Trail, rule: Rule) -> dict[str, Any]:
        """Return the tables of an overridden rule: `valid` is replaced, so that it can be removed; the others are merged."""
        reader = self.reader
        values: dict[str, Any] = {}
        if "modifiers" in table:
            given = reader.value(table, "modifiers", dict, trail, {}, rule.id)
            values["modifiers"] = {**rule.modifiers, **reader.effects(given, (*trail, "modifiers"), rule.id)}
        if "emit" in table:
            values["emit"] = {**rule.emit, **reader.emit(reader.value(table, "emit", dict, trail, {}, rule.id), trail, rule.id)}
        if "valid" in table:
            values["valid"] = reader.valid(table, values.get("emit", rule.emit), trail, rule.id)
        return values

    def _rule(self, table: Table, trail: Trail, rule: Rule) -> None:
        """Override a rule: replace single values, merge tables, and add to, remove from or set lists."""
        reader = self.reader
        reader.unknown(table, {"id", "expect", *_SCALARS, *_TABLES, *_LISTS}, trail, rule.id)
        self._expect(table, trail, rule.id, rule.version)
        values = {**self._scalars(table, trail, rule.id), **self._tables(table, trail, rule)}
        verbs = {name: self._verbs(table, name, trail, rule.id) for name in _LISTS if name in table}
        for name in ("keywords", "roles", "proper", "inside"):
            if name in verbs:
                values[name] = self._words(getattr(rule, name), name, verbs[name], trail, rule.id)
        if "unless" in verbs:
            values["unless"] = self._unless(rule.unless, verbs["unless"], trail, rule.id)
        written: list[Written] = []
        if "patterns" in verbs and rule.engine == "regex":
            what = "the patterns of a rule outside the portable subset cannot be overridden"
            reader.complain("E-ENGINE", what, (*trail, "patterns"), rule=rule.id, hint="switch it off, and write a rule of your own")
        elif "patterns" in verbs:
            values["patterns"], written = self._patterns(rule.patterns, verbs["patterns"], trail, rule.id)
        changed = replace(rule, **values)
        if not (changed.patterns or changed.clause) or not changed.roles:
            missing = "patterns" if changed.roles else "roles"
            reader.complain(
                "E-SCHEMA", f"no {missing} are left to the rule", (*trail, missing), rule=rule.id, hint="to switch it off: enabled = false"
            )
        if rule.engine == "regex":
            if "keywords" in values:
                reader.require_keywords(changed.keywords, changed.examples, (*trail, "keywords"), rule.id)
        elif values.keys() & {"emit", "patterns", "keywords", "proper"}:
            kept = [self._unchanged(pattern) for pattern in changed.patterns if pattern not in {each.pattern for each in written}]
            reader.agree([*written, *kept], changed.emit, changed.keywords, changed.proper, trail, rule.id)
        examples = self._examples(verbs.get("example", {}), trail, rule.id)
        if examples:
            self.proofs.append((replace(changed, examples=examples), (*trail, "example", "add")))
        self.rules[rule.id] = replace(changed, examples=(*changed.examples, *examples))

    def _unchanged(self, pattern: str) -> Written:
        """Return an unchanged pattern of the rule, which was checked in its own pack."""
        if pattern not in self.reader.known:
            parsed = parse(pattern)
            self.reader.known[pattern] = Known(parsed.groups, derive(parsed.tree))
        return Written(pattern, pattern)

    def _verbs(self, table: Table, name: str, trail: Trail, rule: str) -> dict[str, list[Any]]:
        """Return the changes of an override to a list: add, remove, set."""
        given = table[name]
        known = ("add",) if name == "example" else _VERBS
        if not isinstance(given, dict):
            what = f"a bare list does not say whether it adds to {name!r} or replaces it"
            hint = "write " + " or ".join(f"{name}.{verb} = [...]" for verb in known)
            self.reader.complain("E-OVERRIDE-LIST", what, (*trail, name), rule=rule, hint=hint)
            return {}
        at = (*trail, name)
        self.reader.unknown(given, known, at, rule)
        if "set" in given and len(given) > 1:
            self.reader.complain("E-OVERRIDE-LIST", f"{name}.set leaves nothing to add to or to remove", (*at, "set"), rule=rule)
        return {verb: self.reader.value(given, verb, list, at, [], rule) for verb in known if verb in given}

    def _words(self, have: tuple[str, ...], name: str, verbs: Mapping[str, list[Any]], trail: Trail, rule: str) -> tuple[str, ...]:
        words = {verb: self.reader.texts(value, verb, (*trail, name), rule) for verb, value in verbs.items()}
        known = {"roles": ("user", "assistant", "system", "tool"), "inside": get_args(Inside)}.get(name)
        if known is not None:
            words = {verb: self.reader.known_only(each, verb, known, (*trail, name), rule) for verb, each in words.items()}
        gone = words.get("remove", ())
        self._check_present(gone, have, (*trail, name, "remove"), rule)
        return tuple(dict.fromkeys([*(each for each in words.get("set", have) if each not in gone), *words.get("add", ())]))

    def _check_present(self, gone: Iterable[str], have: Sequence[str], trail: Trail, rule: str) -> None:
        """Complain about removed entries that are not in the list."""
        for each in gone:
            if each not in have:
                hint = suggest(each, have, "the rule has nothing to remove here")
                self.reader.complain(
                    "E-REFERENCE", f"the rule has no {each!r} here", trail, rule=rule, hint=hint, find=each, width=len(each)
                )

    def _patterns(
        self, have: tuple[str, ...], verbs: Mapping[str, list[Any]], trail: Trail, rule: str
    ) -> tuple[tuple[str, ...], list[Written]]:
        """Return the new patterns, and those among them that the override wrote. Patterns are removed by their text with fragments
        inserted.
        """
        reader, at = self.reader, (*trail, "patterns")
        raw = {verb: reader.texts(value, verb, at, rule) for verb, value in verbs.items()}
        gone = [self_written.pattern for each in raw.get("remove", ()) if (self_written := reader.expand(each, (*at, "remove"), rule))]
        self._check_present(gone, have, (*at, "remove"), rule)
        written = [found for verb in ("set", "add") for each in raw.get(verb, ()) if (found := reader.check(each, (*at, verb), rule))]
        kept = () if "set" in verbs else tuple(each for each in have if each not in gone)
        return tuple(dict.fromkeys([*kept, *(each.pattern for each in written)])), written

    def _unless(self, have: tuple[Unless, ...], verbs: Mapping[str, list[Any]], trail: Trail, rule: str) -> tuple[Unless, ...]:
        """Return the new antipatterns. They are removed by reason or pattern."""
        gone = self.reader.texts(verbs.get("remove", []), "remove", (*trail, "unless"), rule)
        self._check_present(
            gone, [name for each in have for name in (each.reason, each.pattern) if name], (*trail, "unless", "remove"), rule
        )
        kept = () if "set" in verbs else tuple(each for each in have if each.reason not in gone and each.pattern not in gone)
        return (*kept, *self._antipatterns([*verbs.get("set", []), *verbs.get("add", [])], (*trail, "unless"), rule))

    def _antipatterns(self, given: list[Any], trail: Trail, rule: str) -> tuple[Unless, ...]:
        found = []
        for each in given:
            if isinstance(each, dict):
                found.append(self.reader.unless(each, trail, rule))
            else:
                hint = "write [{ pattern = '''...''', reason = \"...\" }]"
                self.reader.complain("E-SCHEMA", "'unless' holds tables", trail, rule=rule, hint=hint)
        return tuple(found)

    def _examples(self, verbs: Mapping[str, list[Any]], trail: Trail, rule: str) -> tuple[Example, ...]:
        found = []
        for each in verbs.get("add", []):
            if isinstance(each, dict):
                found.append(self.reader.example(each, (*trail, "example"), rule))
            else:
                self.reader.complain("E-SCHEMA", "'example' holds tables", (*trail, "example"), rule=rule)
        return tuple(found)

    def filter(self, table: Table, trail: Trail) -> None:
        """Apply one [[filter]]: add antipatterns to rules of the earlier packs ("*": all of them)."""
        reader = self.reader
        reader.unknown(table, {"rules", "unless"}, trail)
        asked = reader.words(table, "rules", trail)
        found = self._antipatterns(reader.value(table, "unless", list, trail), (*trail, "unless"), "")
        if not asked or not found:
            missing = "unless" if asked else "rules"
            if missing in table:
                reader.complain("E-SCHEMA", f"{missing!r} is empty", (*trail, missing), hint='rules = ["*"] stands for all')
            elif missing == "rules":
                reader.complain("E-SCHEMA", "'rules' is missing", trail, hint='rules = ["*"] stands for all')
        chosen = set(self.rules) if "*" in asked else {self._known(each, (*trail, "rules")) for each in asked}
        for rule_id in sorted(chosen.intersection(self.rules)):
            self.rules[rule_id] = replace(self.rules[rule_id], unless=(*self.rules[rule_id].unless, *found))


def _pack_of(rule_id: str) -> str:
    return rule_id.partition("/")[0]
