"""Convert a pack file to a `Pack`: rules, fallbacks and their examples, with all complaints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

import regex

from ethos import __version__
from ethos.core.model.records import Cardinality, Kind, Polarity, Role
from ethos.core.rules.regex.literals import Literals
from ethos.core.rules.rule import (
    CATEGORIES,
    NEEDED_SLOTS,
    SLOTS,
    Category,
    Effect,
    Engine,
    Example,
    Fallback,
    HoldingPolicy,
    Inside,
    Pack,
    Rule,
    Status,
    Unless,
)
from ethos.core.rules.templates import fill, parts
from ethos.core.rules.validators import SlotForm
from ethos.edge.rulebook.frames import Frames
from ethos.edge.rulebook.patterns import Written, regex_key
from ethos.edge.rulebook.source import Broken, Table, Trail
from ethos.edge.rulebook.validation import suggest
from ethos.edge.rulebook.word_files import modifiers_of, read_classes, read_pronouns
from ethos.edge.rulebook.wording import told_of_a_noun

SCHEMA = 1
_EFFECTS = ("drop", "flip", "keep", "tag", "past", "outside")
MAX_RULES = 2_000
MAX_LITERALS = 10_000
KINDS: tuple[Kind, ...] = get_args(Kind)

_ID = regex.compile(r"[a-z0-9][a-z0-9.-]{0,79}")
_FALLBACK_ID = regex.compile(r"[a-z0-9][a-z0-9._-]{0,79}")
_PACK_NAME = regex.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_VERSION = regex.compile(r"\d{1,6}(?:\.\d{1,6}){0,2}(?:[-+][\w.+-]{1,40})?")
_BOUND = r"(?P<how>>=|<=|==|<|>) ?(?P<version>\d{1,4}(?:\.\d{1,4}){0,2})"
_REQUIRED = regex.compile(rf"ethos ?{_BOUND}(?:, ?{_BOUND})*")
_LANGUAGE = regex.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,2}")
_ENGLISH = regex.compile(r"en(?:-.*)?")

_PACK_KEYS = frozenset(
    {"schema", "pack", "version", "requires", "languages", "extends", "define", "rule", "fallback", "classes", "renamed"}
    | {"uses", "lists", "modifier", "pronouns", "guard", "disable", "override", "filter", "allow_always_run", "words", "grade"}
)
_RULE_KEYS = frozenset(
    {"id", "kind", "summary", "version", "since", "status", "priority", "roles", "keywords", "patterns", "emit", "polarity", "cardinality"}
    | {"confidence", "modifiers", "unless", "guards", "proper", "enabled", "example", "inside", "engine", "valid", "clause", "grade"}
)
_FALLBACK_KEYS = frozenset({"id", "when", "kind", "subject", "predicate", "confidence", "version", "cardinality", "enabled", "summary"})
_WANT_KEYS = frozenset({*SLOTS, "kind", "polarity", "confidence", "tense", "cardinality"})
_WANT_CHOICES: Mapping[str, tuple[str, ...]] = {
    "kind": KINDS,
    "polarity": get_args(Polarity),
    "cardinality": get_args(Cardinality),
    "tense": ("present", "past"),
}


class PackReader(Frames):
    """Reads one pack file and collects complaints."""

    name = ""
    version = "0"
    grade = "held"

    def pack(self) -> Pack:
        """Return the pack, without its changes to others. Raises `Broken` for a file of another schema."""
        table = self.source.table
        if table.get("schema") != SCHEMA or isinstance(table["schema"], bool):
            found = f"schema {table['schema']!r} is not one this version reads" if "schema" in table else "'schema' is missing"
            other = "" if {"schema", "pack", "rule"} & table.keys() else "; if this is no rule file, name the rule files themselves"
            raise Broken(self.source.problem("E-SCHEMA", found, ("schema",), hint=f"schema = {SCHEMA}{other}"))
        self.unknown(table, _PACK_KEYS, ())
        self.name = self.value(table, "pack", str, ())
        if not _PACK_NAME.fullmatch(self.name) and "pack" in table:
            self.complain("E-SCHEMA", "'pack' is a short name of small letters, digits and dashes", ("pack",))
        self.version = self.value(table, "version", str, (), "0")
        if not _VERSION.fullmatch(self.version):
            self.complain("E-SCHEMA", f"'version' cannot be {self.version!r}", ("version",), hint='like "1.3.0"')
        self._requires(table)
        self._languages(table)
        if "allow_always_run" in table:
            self.complain("E-ALWAYS-RUN", "rules that run on every sentence are not offered", ("allow_always_run",), hint=_FIXED)
        self.define()
        self.word_classes(table)
        self.grade = self.choice(table, "grade", get_args(HoldingPolicy), (), "held")
        rules = tuple(self.rule(each, trail) for trail, each in self.tables(table, "rule", ()))
        fallbacks = tuple(self.fallback(each, trail) for trail, each in self.tables(table, "fallback", ()))
        self._count(rules)
        return Pack(
            self.name,
            self.version,
            rules,
            fallbacks,
            languages=self.words(table, "languages", ()) or ("en",),
            renamed=self._renamed(table, {rule.id for rule in rules} | {each.id for each in fallbacks}),
            classes=read_classes(self, table),
            modifiers=modifiers_of(self),
            pronouns=read_pronouns(self),
        )

    def _requires(self, table: Table) -> None:
        """Check the version of Ethos that the pack requires."""
        wanted = self.value(table, "requires", str, (), "ethos>=0")
        found = _REQUIRED.fullmatch(wanted)
        if found is None:
            self.complain("E-REQUIRES", f"'requires' cannot be {wanted!r}", ("requires",), hint='like "ethos>=0.1" or "ethos>=0.1,<2"')
            return
        have = _numbers(__version__)
        for how, version in zip(found.captures("how"), found.captures("version"), strict=True):
            asked = _numbers(version)
            held = {">=": have >= asked, "<=": have <= asked, "==": have == asked, "<": have < asked, ">": have > asked}[how]
            if not held:
                what = f"the pack asks for ethos{how}{version}, and this is {__version__}"
                self.complain(
                    "E-REQUIRES", what, ("requires",), hint="take the pack that goes with this version", find=wanted, width=len(wanted)
                )

    def _languages(self, table: Table) -> None:
        languages = self.words(table, "languages", ()) or ("en",)
        for each in languages:
            if not _LANGUAGE.fullmatch(each):
                self.complain(
                    "E-SCHEMA", f"{each!r} is not the code of a language", ("languages",), hint='like "en"', find=each, width=len(each)
                )
        if not any(map(_ENGLISH.fullmatch, languages)) and "modifier" not in table:
            what = "hedges, questions and negations are known in English only: what the rules read in another language is taken as said"
            self.complain("W-LANGUAGE", what, ("languages",), hint="bring those of the language as [[modifier]]")

    def _count(self, rules: tuple[Rule, ...]) -> None:
        """Check that no id occurs twice and no limit is exceeded."""
        if len(rules) > MAX_RULES:
            self.complain("E-LIMIT", f"a pack has at most {MAX_RULES:,} rules", ("rule", MAX_RULES), hint="split it into several packs")
        literals = {string for known in self.known.values() if known.literals for string in known.literals.strings}
        if len(literals) > MAX_LITERALS:
            self.complain("E-LIMIT", f"the patterns of a pack have at most {MAX_LITERALS:,} literals, these {len(literals):,}")
        seen: set[str] = set()
        for index, rule in enumerate(rules):
            if rule.id in seen:
                hint = "ids are never shared; to change a rule, use [[override]]"
                self.complain("E-DUP-ID", "this id is used twice", ("rule", index, "id"), rule=rule.id, hint=hint)
            seen.add(rule.id)

    def _renamed(self, table: Table, ids: set[str]) -> dict[str, str]:
        """Return the former ids from [[renamed]], by full id."""
        names: dict[str, str] = {}
        short = {each.partition("/")[2] for each in ids}
        for trail, each in self.tables(table, "renamed", ()):
            self.unknown(each, {"from", "to"}, trail)
            old, new = (self.value(each, key, str, trail).removeprefix(f"{self.name}/") for key in ("from", "to"))
            if old in short:
                self.complain(
                    "E-DUP-ID", f"{old!r} is still the id of a rule", (*trail, "from"), hint="an id that was given up is not used again"
                )
            if new not in short:
                self.complain("E-REFERENCE", f"there is no rule {new!r} in this pack", (*trail, "to"), hint=suggest(new, short, " "))
            names[f"{self.name}/{old}"] = f"{self.name}/{new}"
        return names

    def rule(self, table: Table, trail: Trail) -> Rule:
        """Return one [[rule]]."""
        short = self.value(table, "id", str, trail)
        rule_id = f"{self.name}/{short}"
        if not _ID.fullmatch(short) and "id" in table:
            self.complain("E-SCHEMA", "an id is made of small letters, digits, dots and dashes", (*trail, "id"), rule=rule_id)
        self.unknown(table, _RULE_KEYS, trail, rule_id)
        engine = self.choice(table, "engine", get_args(Engine), trail, "portable", rule_id)
        emit = self.emit(self.value(table, "emit", dict, trail, rule=rule_id), trail, rule_id)
        for slot in NEEDED_SLOTS:
            if slot not in emit and isinstance(table.get("emit"), dict):
                self.complain("E-SCHEMA", f"emit has no {slot!r}", (*trail, "emit"), rule=rule_id)
        status = self.choice(table, "status", get_args(Status), trail, "experimental", rule_id)
        examples = tuple(self.example(each, at, rule_id) for at, each in self.tables(table, "example", trail, rule_id))
        if status == "stable" and not (sum(bool(e.want) for e in examples) >= 2 <= sum(not e.want for e in examples)):
            what = "a stable rule has at least two examples and two counter-examples"
            self.complain("E-EXAMPLE", what, trail, rule=rule_id, hint='add [[rule.example]], or say status = "experimental"')
        written = self.words(table, "patterns", trail, rule_id)
        clause = self.clause(table, emit, trail, rule_id)
        if not written and "clause" not in table and isinstance(table.get("patterns", []), list):
            self.complain("E-SCHEMA", "a rule needs patterns", trail, rule=rule_id, hint="or a clause")
        if clause is not None and not any(example.want for example in examples):
            what = "a rule with a clause has an example that it reads"
            self.complain("E-EXAMPLE", what, (*trail, "clause"), rule=rule_id, hint="add [[rule.example]] with a `want`")
        if told := told_of_a_noun(emit, written):
            hint = 'if it is a verb, take one that Ethos knows, such as "keeps"; `ethos rules explain` shows the sentence'
            self.complain("W-NOUN", f'{emit["predicate"]!r} is known as a noun: "{told} ..."', (*trail, "emit"), rule=rule_id, hint=hint)
        check = self.check_regex if engine == "regex" else self.check
        checked = [check(raw, (*trail, "patterns"), rule_id) for raw in written]
        keywords = self.words(table, "keywords", trail, rule_id)
        proper = self.words(table, "proper", trail, rule_id)
        if engine == "regex":
            self.require_keywords(keywords, examples, trail, rule_id)
        self.agree([each for each in checked if each], emit, keywords, proper, trail, rule_id, engine)
        return Rule(
            id=rule_id,
            pack_version=self.version,
            kind=self.choice(table, "kind", KINDS, trail, rule=rule_id),  # type: ignore[arg-type]  # checked by choice
            summary=self.value(table, "summary", str, trail, rule=rule_id),
            version=self.whole(table, "version", trail, 1, rule_id, least=1),
            since=self.value(table, "since", str, trail, "0.1.0", rule_id),
            status=status,  # type: ignore[arg-type]  # checked by choice
            priority=self.whole(table, "priority", trail, 50, rule_id, most=1000),
            patterns=tuple(each.pattern for each in checked if each),
            emit=emit,
            confidence=self.share(table, "confidence", trail, rule_id),
            polarity=self.choice(table, "polarity", get_args(Polarity), trail, "+", rule_id),  # type: ignore[arg-type]  # checked by choice
            cardinality=self.choice(table, "cardinality", get_args(Cardinality), trail, "single", rule_id),  # type: ignore[arg-type]  # checked by choice
            roles=self.roles(self.words(table, "roles", trail, rule_id), trail, rule_id) or ("user",),
            modifiers=self.effects(self.value(table, "modifiers", dict, trail, {}, rule_id), (*trail, "modifiers"), rule_id),
            unless=self.antipatterns(table, trail, rule_id),
            proper=proper,
            keywords=keywords,
            valid=self.valid(table, emit, trail, rule_id),
            enabled=self.value(table, "enabled", bool, trail, True, rule_id),
            examples=examples,
            engine=engine,  # type: ignore[arg-type]  # checked by choice
            inside=self.chosen(table, "inside", get_args(Inside), trail, rule_id),  # type: ignore[arg-type]  # checked by chosen
            clause=clause,
            grade=self.choice(table, "grade", get_args(HoldingPolicy), trail, self.grade, rule_id),  # type: ignore[arg-type]  # checked by choice
        )

    def emit(self, table: Table, trail: Trail, rule: str) -> dict[str, str]:
        """Return the slots and their templates."""
        at = (*trail, "emit")
        self.unknown(table, {*SLOTS, "tense"}, at, rule)
        for slot, template in table.items():
            if not isinstance(template, str):
                self.complain("E-SCHEMA", f"emit.{slot} should be a text", at, rule=rule)
            elif left := next((char for char in fill(template, {}) if char in "{}"), ""):
                hint = "write {group}, {group|default} or {group?}"
                what = f"emit.{slot} has a {left!r} that belongs to no placeholder"
                self.complain("E-GROUP", what, at, rule=rule, hint=hint, find=template, width=len(template))
        return {slot: template for slot, template in table.items() if isinstance(template, str)}

    def require_keywords(self, keywords: tuple[str, ...], examples: tuple[Example, ...], trail: Trail, rule: str) -> None:
        """Check a rule outside the portable subset: it needs keywords, since none can be derived, and an example that it reads."""
        bad = next((word for word in keywords if len(word.strip()) < 2 or word != word.lower() or "\n" in word), "")
        if not keywords:
            what = 'a rule with `engine = "regex"` needs keywords: it is tried in sentences in which one of them stands'
            self.complain("E-KEYWORDS", what, (*trail, "engine"), rule=rule, hint="a part of each match that is rare elsewhere")
        elif bad:
            hint = "two letters or more, in lower case, in one line"
            self.complain(
                "E-KEYWORDS", f"{bad!r} cannot be looked for", (*trail, "keywords"), rule=rule, hint=hint, find=bad, width=len(bad)
            )
        elif not any(example.want for example in examples):
            what = 'a rule with `engine = "regex"` has an example that it reads'
            self.complain("E-EXAMPLE", what, (*trail, "engine"), rule=rule, hint="add [[rule.example]] with a `want`")
        else:
            what = "outside the portable subset: it runs in a process of its own, is stopped after 250 ms, and nothing is proved of it"
            self.complain("W-ENGINE", what, (*trail, "engine"), rule=rule, hint="the same in the subset is faster and safer")

    def agree(
        self,
        patterns: list[Written],
        emit: Mapping[str, str],
        keywords: tuple[str, ...],
        proper: tuple[str, ...],
        trail: Trail,
        rule: str,
        engine: str = "portable",
    ) -> None:
        """Check that patterns, slots, names and keywords fit together."""
        at = (*trail, "patterns")
        groups: set[str] = set()
        for written in patterns:
            known = self.known[written.pattern if engine == "portable" else regex_key(written.pattern)]
            groups.update(known.groups)
            for slot, template in emit.items():
                for part in parts(template):
                    if part.group not in known.groups and not part.free:
                        otherwise = f"write {{{part.group}|default}} or {{{part.group}?}}, or name the group in every pattern"
                        what = f"emit.{slot} uses {{{part.group}}}, which this pattern does not have"
                        hint = suggest(part.group, known.groups, otherwise)
                        self.complain("E-GROUP", what, at, rule=rule, hint=hint, find=written.raw, width=len(written.raw))
            if engine == "regex":
                continue
            if known.literals is None:
                what = "nothing fixed to look for: it would run on every sentence"
                self.complain("E-ALWAYS-RUN", what, at, rule=rule, hint=_FIXED, find=written.raw, width=len(written.raw))
            elif keywords and (missed := _uncovered(known.literals, keywords)):
                hint = f"remove `keywords` (the engine derives {list(known.literals.strings)[:6]})"
                what = f"a match is possible without any keyword: {missed!r}"
                self.complain("E-KEYWORDS", what, (*trail, "keywords"), rule=rule, hint=hint)
        for name in proper:
            if name not in groups and patterns:
                hint = suggest(name, groups, "the patterns name no groups")
                what = f"no pattern has a group {name!r}"
                self.complain("E-GROUP", what, (*trail, "proper"), rule=rule, hint=hint, find=name, width=len(name))

    def roles(self, words: tuple[str, ...], trail: Trail, rule: str) -> tuple[Role, ...]:
        """Return the roles whose text a rule reads."""
        return self.known_only(words, "roles", get_args(Role), trail, rule)  # type: ignore[return-value]  # checked by known_only

    def effects(self, table: Table, trail: Trail, rule: str) -> dict[Category, Effect]:
        """Return the effect of each category of modifiers on a rule's claims."""
        self.unknown(table, CATEGORIES, trail, rule)
        for name, effect in table.items():
            number = isinstance(effect, int | float) and not isinstance(effect, bool)
            if not (0 <= effect <= 1 if number else effect in _EFFECTS):
                hint = suggest(effect, _EFFECTS, "a number from 0 to 1, or one of: " + ", ".join(_EFFECTS))
                self.complain("E-SCHEMA", f"{name!r} cannot be {effect!r}"[:120], (*trail, name), rule=rule, hint=hint)
        return {name: effect for name, effect in table.items() if name in CATEGORIES}

    def valid(self, table: Table, emit: Mapping[str, str], trail: Trail, rule: str) -> dict[str, SlotForm]:
        """Return the slots that must have a form."""
        given, at = self.value(table, "valid", dict, trail, {}, rule), (*trail, "valid")
        self.unknown(given, SLOTS, at, rule)
        for slot in given:
            if slot in SLOTS and slot not in emit:
                self.complain("E-GROUP", f"emit has no {slot!r} that could be valid", at, rule=rule, find=slot, width=len(slot))
        return {slot: self.choice(given, slot, get_args(SlotForm), at, rule=rule) for slot in given}  # type: ignore[misc]  # checked by choice

    def antipatterns(self, table: Table, trail: Trail, rule: str) -> tuple[Unless, ...]:
        """Return the antipatterns of a rule: its own, and the guards that it names."""
        own = [self.unless(each, at, rule) for at, each in self.tables(table, "unless", trail, rule)]
        named = [self.guard(name, (*trail, "guards"), rule) for name in self.words(table, "guards", trail, rule)]
        return (*own, *(each for each in named if each is not None))

    def example(self, table: Table, trail: Trail, rule: str) -> Example:
        """Return one [[rule.example]]."""
        self.unknown(table, {"text", "want", "why", "mark", "todo"}, trail, rule)
        want = self.value(table, "want", list, trail, rule=rule)
        if not all(isinstance(each, dict) for each in want):
            self.complain("E-SCHEMA", "'want' is a list of tables", (*trail, "want"), rule=rule, hint="want = [] for a counter-example")
            want = []
        for each in want:
            self._want(each, (*trail, "want"), rule)
        return Example(
            text=self.value(table, "text", str, trail, rule=rule),
            want=tuple({name: value for name, value in each.items() if name in _WANT_KEYS} for each in want),
            why=self.value(table, "why", str, trail, "", rule),
            mark=self.value(table, "mark", str, trail, rule=rule) if "mark" in table else None,
            todo=self.value(table, "todo", bool, trail, False, rule),
        )

    def _want(self, table: Table, trail: Trail, rule: str) -> None:
        self.unknown(table, _WANT_KEYS, trail, rule)
        for name, value in table.items():
            if name == "confidence":
                self.share(table, name, trail, rule)
            elif name in _WANT_CHOICES:
                self.choice(table, name, _WANT_CHOICES[name], trail, rule=rule)
            elif name in SLOTS and not isinstance(value, str):
                self.complain("E-SCHEMA", f"{name!r} should be a text", trail, rule=rule)

    def fallback(self, table: Table, trail: Trail) -> Fallback:
        """Return one [[fallback]]."""
        short = self.value(table, "id", str, trail)
        rule = f"{self.name}/{short}"
        if not _FALLBACK_ID.fullmatch(short) and "id" in table:
            self.complain("E-SCHEMA", "an id is made of small letters, digits, dots and dashes", (*trail, "id"), rule=rule)
        self.unknown(table, _FALLBACK_KEYS, trail, rule)
        self.value(table, "summary", str, trail, "", rule)
        return Fallback(
            id=rule,
            when=self.choice(table, "when", ("importance", "retrieval"), trail, rule=rule),  # type: ignore[arg-type]  # checked by choice
            kind=self.choice(table, "kind", KINDS, trail, "fact", rule),  # type: ignore[arg-type]  # checked by choice
            subject=self.value(table, "subject", str, trail, rule=rule),
            predicate=self.value(table, "predicate", str, trail, rule=rule),
            confidence=self.share(table, "confidence", trail, rule),
            version=self.whole(table, "version", trail, 1, rule, least=1),
            pack_version=self.version,
            cardinality=self.choice(table, "cardinality", get_args(Cardinality), trail, "multi", rule),  # type: ignore[arg-type]  # checked by choice
            enabled=self.value(table, "enabled", bool, trail, True, rule),
        )


_FIXED = "give each pattern a fixed word of two letters or more"


def _numbers(version: str) -> tuple[int, ...]:
    """Return a version as three numbers to compare."""
    numbers = [int(each) for each in regex.findall(r"\d+", version)[:3]]
    return tuple(numbers + [0] * (3 - len(numbers)))


def _uncovered(literals: Literals, keywords: tuple[str, ...]) -> str:
    """Return a literal without any of the keywords, so that the keywords would drop its matches; "" if there is none."""
    return next((string for string in literals.strings if not any(word in string for word in keywords)), "")
