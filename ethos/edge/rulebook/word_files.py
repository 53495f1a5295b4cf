"""Read the word lists that all packs share: modifiers.toml, classes.toml and lessons.toml."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from ethos.core.rules.rule import CATEGORIES, Direction, Modifier, Pronoun
from ethos.core.rules.vocabulary import EntityKind, Vocabulary
from ethos.core.text.folding import key
from ethos.edge.rulebook.source import Table, Trail
from ethos.edge.rulebook.validation import FieldReader

MODIFIERS_FILE = "modifiers.toml"
_CLASSES_FILE = "classes.toml"
LESSONS_FILE = "lessons.toml"
WORDS = frozenset({MODIFIERS_FILE, _CLASSES_FILE, LESSONS_FILE})

_ENTITY_LISTS = ("words", "exact", "fields", "endings")
_OUTCOME_LISTS = ("numbers", "codes", "fields", "code_words", "success", "failure", "only_in_fields", "negations")
_MODIFIER_KEYS = frozenset({"category", "direction", "triggers", "stop", "pseudo", "max_chars"})


PRONOUNS: Mapping[str, Pronoun] = {"speaker": "i", "team": "we", "my": "my", "our": "our"}


def read_pronouns(reader: FieldReader) -> dict[str, Pronoun]:
    """Read [pronouns] of a pack: the words of its language for the speaker."""
    table: Table = reader.value(reader.source.table, "pronouns", dict, (), {})
    reader.unknown(table, PRONOUNS, ("pronouns",))
    return {key(word): PRONOUNS[name] for name in PRONOUNS if name in table for word in reader.words(table, name, ("pronouns",))}


def read_modifiers(reader: FieldReader) -> tuple[Modifier, ...]:
    """Read modifiers.toml."""
    reader.unknown(reader.source.table, {"schema", "modifier"}, ())
    return modifiers_of(reader)


def modifiers_of(reader: FieldReader) -> tuple[Modifier, ...]:
    """Return the modifiers of a file."""
    table = reader.source.table
    return tuple(_modifier(reader, each, trail) for trail, each in reader.tables(table, "modifier", ()))


def _modifier(reader: FieldReader, table: Table, trail: Trail) -> Modifier:
    reader.unknown(table, _MODIFIER_KEYS, trail)
    found = {name: reader.words(table, name, trail) for name in ("triggers", "stop", "pseudo")}
    for name, words in found.items():
        if not all(word.strip("^ ") for word in words) or (name == "triggers" and not words):
            reader.complain("E-SCHEMA", f"{name!r} should be a list of words", (*trail, name))
    return Modifier(
        category=reader.choice(table, "category", CATEGORIES, trail),  # type: ignore[arg-type]  # checked by choice
        direction=reader.choice(table, "direction", get_args(Direction), trail, "both"),  # type: ignore[arg-type]  # checked by choice
        max_chars=reader.whole(table, "max_chars", trail, 120, most=10_000),
        **found,
    )


def read_classes(reader: FieldReader, table: Table) -> dict[str, str]:
    """Read [classes] name = [objects]; return the class of each object, by its folded name."""
    found: dict[str, str] = {}
    classes = reader.value(table, "classes", dict, (), {})
    for name in classes:
        for each in reader.words(classes, name, ("classes",)):
            folded = key(each)
            if found.setdefault(folded, name) != name:
                what = f"{each!r} is in {found[folded]!r} already"
                reader.complain("E-DUP-ID", what, ("classes", name), hint="an object is of one class", find=each, width=len(each))
    return found


def read_vocabulary(reader: FieldReader) -> Vocabulary:
    """Read lessons.toml."""
    table = reader.source.table
    reader.unknown(table, {"schema", "entity", "outcome", "unexplaining"}, ())
    outcome: Table = reader.value(table, "outcome", dict, (), {})
    unexplaining: Table = reader.value(table, "unexplaining", dict, (), {})
    reader.unknown(outcome, _OUTCOME_LISTS, ("outcome",))
    reader.unknown(unexplaining, {"fields"}, ("unexplaining",))
    lists = {name: reader.words(outcome, name, ("outcome",)) for name in _OUTCOME_LISTS}
    return Vocabulary(
        entities=tuple(_entity(reader, each, trail) for trail, each in reader.tables(table, "entity", ())),
        numbers=lists["numbers"],
        codes=lists["codes"],
        fields=lists["fields"],
        code_words=lists["code_words"],
        success=lists["success"],
        failure=lists["failure"],
        only_in_fields=frozenset(lists["only_in_fields"]),
        negations=lists["negations"],
        unexplaining=frozenset(reader.words(unexplaining, "fields", ("unexplaining",))),
    )


def _entity(reader: FieldReader, table: Table, trail: Trail) -> EntityKind:
    reader.unknown(table, {"name", "one", "upper", *_ENTITY_LISTS}, trail)
    lists = {name: reader.words(table, name, trail) for name in _ENTITY_LISTS}
    return EntityKind(
        name=reader.value(table, "name", str, trail),
        words=lists["words"],
        exact=frozenset(lists["exact"]),
        fields=lists["fields"],
        endings=lists["endings"],
        one=reader.value(table, "one", bool, trail, False),
        upper=reader.value(table, "upper", bool, trail, False),
    )
