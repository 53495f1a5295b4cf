"""The matcher: a compiled set of rules, and the claims it extracts from a text.

The patterns make claims of the sentences in which their literals are (`pattern_reader`), the clause rules of the clauses that their frames
fit (`clauses.reader`); what both make of the same words is joined (`joining`), weighed (`worth`) and told in the words of its clause.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from ethos.core.model.records import Claim, Origin, Role
from ethos.core.rules.antecedents import told_of_thing
from ethos.core.rules.clauses.claims import clause_claims
from ethos.core.rules.clauses.reader import ClauseReader
from ethos.core.rules.cut import completed, is_cut, without_order
from ethos.core.rules.found import Found, Turn, settled
from ethos.core.rules.household import told_of_home
from ethos.core.rules.joining import joined, states_something
from ethos.core.rules.lists import with_list
from ethos.core.rules.modifiers import Modifiers
from ethos.core.rules.names_behind import with_name
from ethos.core.rules.own_words import in_own_words
from ethos.core.rules.pattern_reader import PatternReader, tongues_of
from ethos.core.rules.prefilter import Hits
from ethos.core.rules.regex.literals import Literals
from ethos.core.rules.rule import ALONE, Fallback, Modifier, Pack, Rule
from ethos.core.rules.time_limits import Limits
from ethos.core.rules.validators import Validator
from ethos.core.rules.vocabulary import Vocabulary
from ethos.core.rules.worth import is_worth_holding
from ethos.core.text.blanks import dangles
from ethos.core.text.folding import key
from ethos.core.text.language.register import is_sober
from ethos.core.text.language.specific import signs
from ethos.core.text.memoize import ChunkCache
from ethos.core.text.sentences import fold, mask, turn_sentences

LEAST_ORIGIN: Mapping[Role, Origin] = {"user": Origin.USER, "system": Origin.USER, "assistant": Origin.ASSISTANT, "tool": Origin.TOOL}

_QUALIFIER = re.compile(r"^(?:main|primary|default|new|production|internal|whole|local|current|own) ")  # "the main database"
_VERSION = re.compile(r"[ -]?v?\d[\d.x]*\+?$")


class Rules:
    """A loaded, compiled, immutable rule set."""

    hash: str  # of everything that can change what is extracted: packs, modifiers, classes, engine version

    def __init__(
        self,
        packs: Sequence[Pack] = (),
        modifiers: Sequence[Modifier] = (),
        classes: Mapping[str, str] | None = None,
        *,
        hash: str = "",  # noqa: A002 (the contract's name)
        derived: Mapping[str, Literals] | None = None,
        doubtful: Collection[str] = (),
        limits: Limits | None = None,
        forms: Validator | None = None,
        vocabulary: Vocabulary | None = None,
    ) -> None:
        """Compile the rules. `classes`: folded object -> class. `derived`: literals by pattern, where they are known already.

        doubtful: patterns that run with a time limit. limits: enforces time limits; required if a rule needs one.
        forms: validates slots; without it, rules with validated slots are silent. vocabulary: by what lessons compare episodes.
        """
        self.hash = hash
        self.vocabulary = vocabulary or Vocabulary()
        self.packs = tuple(sorted(packs, key=lambda pack: pack.name))
        self.rules: tuple[Rule, ...] = tuple(
            rule for pack in self.packs for rule in sorted(pack.rules, key=lambda rule: rule.id) if rule.enabled
        )
        self.roles = frozenset(role for rule in self.rules for role in rule.roles)
        self._classes = dict(classes or {})
        self._class_of = ChunkCache(self._looked_up, 2_048)
        self.modifiers = tuple(modifiers)
        self._modifiers = Modifiers(modifiers)
        self._fallbacks = {fallback.when: fallback for pack in self.packs for fallback in pack.fallbacks if fallback.enabled}
        self._doubtful = doubtful
        self._limits = limits
        self._forms = forms
        self.replacing = frozenset(rule.id for rule in self.rules if "supersedes" in rule.emit)  # those that may name what is replaced
        self._weighed = frozenset(rule.id for rule in self.rules if rule.grade != "held")
        self.inside = frozenset(rule.id for rule in self.rules if rule.inside)  # those that read fences, too
        self._patterns = PatternReader(
            self.rules,
            tongues_of(self.packs, self.modifiers),
            self._modifiers,
            self.class_of,
            derived=derived or {},
            doubtful=doubtful,
            limits=limits,
            forms=forms,
        )
        self._clauses = ClauseReader(rule for rule in self.rules if rule.grade in ALONE)
        self._second = ClauseReader(rule for rule in self.rules if rule.grade not in ALONE)  # beside the patterns

    @property
    def reads_clauses(self) -> bool:
        """Return whether some rule reads clauses."""
        return bool(self._clauses or self._second)

    def opened_by(self, verb: str) -> tuple[str, ...]:
        """Return the ids of the clause rules that read clauses with this verb, in its base form."""
        return (*self._clauses.opened_by(verb), *self._second.opened_by(verb))

    def looked_for_by(self, words: Collection[str]) -> tuple[str, ...]:
        """Return the ids of the pattern rules of which a pattern looks for a text with one of these words, in lower case."""
        return self._patterns.looked_for_by(words)

    @property
    def literals(self) -> tuple[str, ...]:
        """Return the literals that the automaton searches for."""
        return self._patterns.literals

    @property
    def derived(self) -> dict[str, Literals]:
        """Return the literals by pattern, so that another set of the same patterns need not derive them again."""
        return {pattern.source: pattern.literals for pattern in self._patterns.patterns}

    def alone(self, rule: Rule) -> Rules:
        """Return a set of this one rule, as it is or changed, with the modifiers and limits of this set."""
        of = next((pack for pack in self.packs if pack.name == rule.id.partition("/")[0]), Pack("alone", rule.pack_version, ()))
        packs = (replace(of, rules=(rule,), fallbacks=()),)
        return Rules(packs, self.modifiers, derived=self.derived, doubtful=self._doubtful, limits=self._limits, forms=self._forms)

    def renew(self) -> None:
        """Start a pass: renew the time budget of rules in another process."""
        if self._limits is not None:
            self._limits.renew()

    @property
    def spent(self) -> bool:
        """Return whether rules in another process have used up the budget of this pass: the last reading may be incomplete."""
        return self._limits is not None and self._limits.spent

    def hits(self, text: str) -> Hits | None:
        """Return where a pattern could match, and which one, and whether a clause rule could; None if none could."""
        low = fold(text)
        hits = self._patterns.hits(low)
        clauses = bool(self._clauses) and self._clauses.possible(low)
        naming, sober = (signs(text, low), is_sober(low)) if self._second else (0, False)
        if sober and hits is None and not (clauses or naming):
            sober = self._states(text, low)
        found = hits.literals if hits is not None else []
        return Hits(low, found, clauses, naming, sober) if clauses or naming or sober else hits

    def may_read(self, text: str) -> bool:
        """Return whether a rule could match somewhere; sooner than `hits`, which tells where."""
        low = fold(text)
        read = (self._clauses and self._clauses.possible(low)) or (self._second and signs(text, low))
        return bool(read) or self._patterns.hits(low, first=True) is not None or (is_sober(low) and self._states(text, low))

    def _states(self, text: str, low: str) -> bool:
        return bool(self._second) and states_something(self._second, self._modifiers, Turn(text, mask(low), ""))

    def claims(self, text: str, *, role: Role, speaker: str, origin: int, hits: Hits | None = None) -> tuple[Claim, ...]:
        """Return the claims in one turn, in order of position. `hits`: those of this text, if already known."""
        if role not in self.roles or origin < LEAST_ORIGIN[role]:
            return ()
        if hits is None and (hits := self.hits(text)) is None:
            return ()
        turn = Turn(text, mask(hits.folded), speaker)
        found = self._patterns.read(turn, hits, role) if hits.literals else []
        return self._graded(self._with_clauses(found, turn, hits, role), turn)

    def readings(self, text: str, *, role: Role, speaker: str, origin: int) -> tuple[tuple[Claim, ...], tuple[Claim, ...]]:
        """Return what the patterns, with the clause rules that need no other reader, claim in one turn; and what the second reader does.

        Each as if the other were not there: what both make stands in both.
        """
        if role not in self.roles or origin < LEAST_ORIGIN[role]:
            return (), ()
        low = fold(text)
        turn = Turn(text, mask(low), speaker)
        hits = self.hits(text)
        found = self._patterns.read(turn, hits, role) if hits is not None and hits.literals else []
        places = turn_sentences(turn.masked)
        first, second = (
            list(clause_claims(reader, self._modifiers, turn, places, role)) if role in reader.roles else []
            for reader in (self._clauses, self._second)
        )
        return settled([*found, *first]), settled(second)

    def _graded(self, claims: tuple[Claim, ...], turn: Turn) -> tuple[Claim, ...]:
        """Return the claims, each of a weighed rule held or weak by its worth; one that is cut off is weak."""

        def graded(claim: Claim) -> Claim:
            if self._second and is_cut(claim, turn.text):
                return replace(claim, grade="weak")
            if claim.rule not in self._weighed:
                return claim
            return replace(claim, grade="held" if is_worth_holding(claim, turn.text, turn.speaker) else "weak")

        whole = (claim for claim in claims if not dangles(turn.text, turn.masked, claim.object, claim.end))
        full = (with_name(with_list(completed(without_order(claim), turn.text), turn.text), turn.text) for claim in whole)
        said = (told_of_thing(graded(claim), turn.text) for claim in full)
        if not self._second:
            return tuple(said)
        return in_own_words([told_of_home(claim, turn.text, turn.speaker) for claim in said], turn.text, turn.masked, turn.speaker)

    def _with_clauses(self, found: list[Found], turn: Turn, hits: Hits, role: Role) -> tuple[Claim, ...]:
        """Return what the patterns found, with what the clause rules read that need no other reader, and with the second reader's."""
        if hits.clauses and role in self._clauses.roles:
            found += clause_claims(self._clauses, self._modifiers, turn, turn_sentences(turn.masked), role)
        ours = settled(found) if found else ()
        return joined(ours, self._second, self._modifiers, turn, hits, role)

    def every_claim(self, text: str, *, role: Role, speaker: str, origin: int) -> tuple[Claim, ...]:
        """Return the claims in a text without the prefilter, by each pattern in each sentence: what `claims` is tested against."""
        if origin < LEAST_ORIGIN[role]:
            return ()
        low = fold(text)
        turn = Turn(text, mask(low), speaker)
        found = self._patterns.read_all(turn, low, role)
        hits = Hits(low, [], clauses=True, naming=signs(text, low), sober=is_sober(low))
        return self._graded(self._with_clauses(found, turn, hits, role), turn)

    def class_of(self, name: str) -> str:
        """Return the class of a folded object ("databases"), or ""; from rules/classes.toml. A version number does not matter."""
        return self._class_of[name]

    def _looked_up(self, name: str) -> str:
        folded = key(name)
        return self._classes.get(folded) or self._classes.get(_VERSION.sub("", _QUALIFIER.sub("", folded)), "")

    def names_in(self, kind: str) -> tuple[str, ...]:
        """Return the members of a class, by the names in rules/classes.toml, the class's own plain names included."""
        return tuple(name for name, of in self._classes.items() if of == kind)

    def fallback(self, when: Literal["importance", "retrieval"]) -> Fallback | None:
        """Return the fallback for an episode selected by "importance" or "retrieval" in which no rule matches; None if there is none."""
        return self._fallbacks.get(when)
