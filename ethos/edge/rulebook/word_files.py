"""The words that all packs share: modifiers.toml and classes.toml."""

from __future__ import annotations

from typing import get_args

from ethos.core.rules.rule import CATEGORIES, Direction, Modifier
from ethos.core.text.folding import key
from ethos.edge.rulebook.source import Table, Trail
from ethos.edge.rulebook.validation import Asking

MODIFIERS_FILE = "modifiers.toml"
CLASSES_FILE = "classes.toml"
WORDS = frozenset({MODIFIERS_FILE, CLASSES_FILE})

_MODIFIER_KEYS = frozenset({"category", "direction", "triggers", "stop", "pseudo", "max_chars"})


def read_modifiers(asking: Asking) -> tuple[Modifier, ...]:
    """modifiers.toml."""
    table = asking.source.table
    asking.unknown(table, {"schema", "modifier"}, ())
    return tuple(_modifier(asking, each, trail) for trail, each in asking.tables(table, "modifier", ()))


def _modifier(asking: Asking, table: Table, trail: Trail) -> Modifier:
    asking.unknown(table, _MODIFIER_KEYS, trail)
    found = {name: asking.words(table, name, trail) for name in ("triggers", "stop", "pseudo")}
    for name, words in found.items():
        if not all(word.strip("^ ") for word in words) or (name == "triggers" and not words):
            asking.complain("E-SCHEMA", f"{name!r} should be a list of words", (*trail, name))
    return Modifier(
        category=asking.choice(table, "category", CATEGORIES, trail),  # type: ignore[arg-type]  # checked by choice
        direction=asking.choice(table, "direction", get_args(Direction), trail, "both"),  # type: ignore[arg-type]  # checked by choice
        max_chars=asking.whole(table, "max_chars", trail, 120, most=10_000),
        **found,
    )


def read_classes(asking: Asking, table: Table) -> dict[str, str]:
    """[classes] name = [objects], turned round and folded: what kind of thing each object is."""
    found: dict[str, str] = {}
    classes = asking.value(table, "classes", dict, (), {})
    for name in classes:
        for each in asking.words(classes, name, ("classes",)):
            folded = key(each)
            if found.setdefault(folded, name) != name:
                what = f"{each!r} is in {found[folded]!r} already"
                asking.complain("E-DUP-ID", what, ("classes", name), hint="an object is of one class", find=each, width=len(each))
    return found
