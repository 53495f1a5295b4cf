"""Read clause rules: the word classes of a pack, and the frame that a rule has in the place of patterns."""

from __future__ import annotations

from collections.abc import Mapping

from ethos.core.rules.clauses.frame import CHOICES, SINGLE, WORDS, Frame, Words, parse_words
from ethos.core.rules.clauses.parts import OCCASION, PARTS
from ethos.core.rules.templates import parts
from ethos.core.text.language.lexicon import word_classes
from ethos.core.text.language.tastes import taste_verbs
from ethos.edge.rulebook.patterns import Patterns
from ethos.edge.rulebook.source import Table, Trail
from ethos.edge.rulebook.validation import suggest

GROUPS = frozenset({"subject", "verb", "object", "now", OCCASION, *PARTS})  # what the templates of a clause rule may use
_REQUIRED = frozenset({"subject", "verb"})


class Frames(Patterns):
    """Check the frames of a file."""

    _classes: Mapping[str, frozenset[str]] = {}

    def word_classes(self, table: Table) -> None:
        """Read [words]: classes of this pack, which may name those before them, and stand before those of the lexicon."""
        classes = {**word_classes(), "tasting": taste_verbs()}
        for name in self.value(table, "words", dict, (), {}):
            specification = self.value(table["words"], name, str, ("words",))
            words = self._words(specification, classes, ("words", name), "")
            if words.open and specification:
                hint = "list the words, and write `any -@" + name + "` where the others are meant"
                self.complain("E-WORDS", f"class {name!r} leaves words out instead of listing its own", ("words", name), hint=hint)
            classes[name] = words.listed
        self._classes = classes

    def clause(self, table: Table, emit: Mapping[str, str], trail: Trail, rule: str) -> Frame | None:
        """Return the frame of a rule; None if it has patterns."""
        if "clause" not in table:
            return None
        at = (*trail, "clause")
        if "patterns" in table:
            self.complain("E-SCHEMA", "a rule has patterns or a clause, not both", at, rule=rule)
        given = self.value(table, "clause", dict, trail, {}, rule)
        self.unknown(given, {*CHOICES, *WORDS, *SINGLE}, at, rule)
        for name in sorted(_REQUIRED - given.keys()):
            self.complain("E-SCHEMA", f"the clause has no {name!r}", at, rule=rule)
        for slot, template in emit.items():
            for part in parts(template):
                if part.group not in GROUPS:
                    what = f"emit.{slot} uses {{{part.group}}}, which no clause has"
                    self.complain("E-GROUP", what, at, rule=rule, hint=suggest(part.group, GROUPS), find=template, width=len(template))
        held: dict[str, object] = {}
        for name, known in CHOICES.items():
            if name in given:
                held[name] = self.known_only(self.words(given, name, at, rule), name, known, at, rule)
        for name in WORDS:
            if name in given:
                held[name] = self._words(self.value(given, name, str, at, rule=rule), self._classes, at, rule)
        for name, known in SINGLE.items():
            if name in given:
                held[name] = self.choice(given, name, known, at, rule=rule)
        return Frame(**{"subject": ("i",), "verb": Words(open=False), **held})  # type: ignore[arg-type]  # checked above

    def _words(self, specification: str, classes: Mapping[str, frozenset[str]], trail: Trail, rule: str) -> Words:
        try:
            return parse_words(specification, classes)
        except KeyError as missing:
            name = str(missing.args[0])
            hint = suggest(name, classes, "classes stand in [words]")
            self.complain("E-WORDS", f"there is no class @{name}", trail, rule=rule, hint=hint, find=f"@{name}", width=len(name) + 1)
            return Words(open=False)
