"""Read the word lists that all packs share: modifiers.toml and classes.toml."""

from __future__ import annotations

from typing import get_args

from ethos.core.rules.rule import CATEGORIES, Direction, Modifier
from ethos.core.text.folding import key
from ethos.edge.rulebook.source import Table, Trail
from ethos.edge.rulebook.validation import FieldReader

MODIFIERS_FILE = "modifiers.toml"
CLASSES_FILE = "classes.toml"
WORDS = frozenset({MODIFIERS_FILE, CLASSES_FILE})

_MODIFIER_KEYS = frozenset({"category", "direction", "triggers", "stop", "pseudo", "max_chars"})


def read_modifiers(reader: FieldReader) -> tuple[Modifier, ...]:
    """Read modifiers.toml."""
    table = reader.source.table
    reader.unknown(table, {"schema", "modifier"}, ())
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
