"""The matcher: a compiled set of rules, and the claims it extracts from a text.

One Aho-Corasick automaton searches for the literals of all patterns. A turn without a literal (most turns) is done after one pass over
its folded text. Otherwise a pattern is tried where its literals are, inside that sentence and nowhere else.

Portable patterns run on `re`, which matches alike (property 6), searches in a third of the time of `regex`, and compiles in a sixth.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Literal, NamedTuple

from ethos.core.model.records import Claim, Grade, Origin, Role
from ethos.core.rules.antecedents import told_of_thing
from ethos.core.rules.captures import groups_of, named, translated
from ethos.core.rules.clauses.claims import clause_claims
from ethos.core.rules.clauses.reader import ClauseReader
from ethos.core.rules.compiled import Antipattern, Pattern, SubprocessPattern, TimedPattern
from ethos.core.rules.cut import completed, is_cut
from ethos.core.rules.found import Found, Turn, claim_of, is_occasion, settled, take_contrast, take_cue, take_occasion, take_purpose
from ethos.core.rules.household import told_of_home
from ethos.core.rules.joining import joined, states_something
from ethos.core.rules.lists import with_list
from ethos.core.rules.misread import is_misread
from ethos.core.rules.modifiers import Modifiers, Reach
from ethos.core.rules.own_words import in_own_words
from ethos.core.rules.prefilter import Hits, Prefilter, Use, candidates
from ethos.core.rules.qualifiers import extend_span, is_limited, qualifier_end
from ethos.core.rules.regex.literals import Literals, derive
from ethos.core.rules.regex.syntax import parse
from ethos.core.rules.rule import ALONE, Fallback, Modifier, Pack, Pronoun, Rule
from ethos.core.rules.templates import fill
from ethos.core.rules.time_limits import Limits, Match
from ethos.core.rules.validators import Forms
from ethos.core.rules.vocabulary import Vocabulary
from ethos.core.rules.worth import is_worth_holding
from ethos.core.text.blanks import dangles
from ethos.core.text.folding import key
from ethos.core.text.language.coordination import clause_end
from ethos.core.text.language.register import is_sober
from ethos.core.text.language.specific import signs
from ethos.core.text.language.tagging import words_of
from ethos.core.text.sentences import Sentence, fold, mask, question_start, quoted, turn_sentences

LEAST_ORIGIN: Mapping[Role, Origin] = {"user": Origin.USER, "system": Origin.USER, "assistant": Origin.ASSISTANT, "tool": Origin.TOOL}

_QUALIFIER = re.compile(r"^(?:main|primary|default|new|production|internal|whole|local|current|own) ")  # "the main database"
_VERSION = re.compile(r"[ -]?v?\d[\d.x]*\+?$")


class _Tongue(NamedTuple):
    """What a pack brings of a language: modifiers for its rules, and words for the speaker."""

    modifiers: Modifiers
    pronouns: Mapping[str, Pronoun]


def _tongue(pack: Pack, shared: tuple[Modifier, ...]) -> _Tongue | None:
    """Return what a pack brings of a language; None if nothing. A pack in English adds its modifiers to the shared ones."""
    if not pack.modifiers and not pack.pronouns:
        return None
    english = any(each.partition("-")[0] == "en" for each in pack.languages)
    return _Tongue(Modifiers((*shared, *pack.modifiers) if english or not pack.modifiers else pack.modifiers), pack.pronouns)


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
        forms: Forms | None = None,
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
        self.modifiers = tuple(modifiers)
        self._modifiers = Modifiers(modifiers)
        self._tongues = {pack.name: tongue for pack in self.packs if (tongue := _tongue(pack, self.modifiers)) is not None}
        self._fallbacks = {fallback.when: fallback for pack in self.packs for fallback in pack.fallbacks if fallback.enabled}
        self._doubtful = doubtful
        self._limits = limits
        self._forms = forms
        self.replacing = frozenset(rule.id for rule in self.rules if "supersedes" in rule.emit)  # those that may name what is replaced
        self._weighed = frozenset(rule.id for rule in self.rules if rule.grade != "held")
        self.inside = frozenset(rule.id for rule in self.rules if rule.inside)  # those that read fences, too
        self._patterns = tuple(self._pattern(rule, source, derived or {}) for rule in self.rules for source in rule.patterns)
        self._prefilter = Prefilter(self._patterns)
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
        found = {
            pattern.rule.id
            for pattern in self._patterns
            for literals in (pattern.literals.strings, pattern.literals.required_rare, *pattern.literals.required_small)
            if any(not set(words).isdisjoint(words_of(literal)) for literal in literals)
        }
        return tuple(sorted(found))

    @property
    def literals(self) -> tuple[str, ...]:
        """Return the literals that the automaton searches for."""
        return self._prefilter.literals

    @property
    def derived(self) -> dict[str, Literals]:
        """Return the literals by pattern, so that another set of the same patterns need not derive them again."""
        return {pattern.source: pattern.literals for pattern in self._patterns}

    def _pattern(self, rule: Rule, source: str, derived: Mapping[str, Literals]) -> Pattern:
        if rule.engine == "regex":
            if self._limits is None:
                raise ValueError(f"{rule.id}: nobody keeps the time")
            return SubprocessPattern(rule, source, self._limits)
        literals = derived.get(source) or derive(parse(source).tree)
        if literals is None:
            raise ValueError(f"{rule.id}: no literal to look for in {source}")
        if self._limits is not None and source in self._doubtful:
            return TimedPattern(rule, source, literals, self._limits)
        return Pattern(rule, source, literals)

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
        hits = self._prefilter.hits(low)
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
        return bool(read) or self._prefilter.hits(low, first=True) is not None or (is_sober(low) and self._states(text, low))

    def _states(self, text: str, low: str) -> bool:
        return bool(self._second) and states_something(self._second, self._modifiers, Turn(text, mask(low), ""))

    def claims(self, text: str, *, role: Role, speaker: str, origin: int, hits: Hits | None = None) -> tuple[Claim, ...]:
        """Return the claims in one turn, in order of position. `hits`: those of this text, if already known."""
        if role not in self.roles or origin < LEAST_ORIGIN[role]:
            return ()
        if hits is None and (hits := self.hits(text)) is None:
            return ()
        turn = Turn(text, mask(hits.folded), speaker)
        found = self._by_patterns(turn, hits, role) if hits.literals else []
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
        found = self._by_patterns(turn, hits, role) if hits is not None and hits.literals else []
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
        said = (told_of_thing(graded(with_list(completed(claim, turn.text), turn.text)), turn.text) for claim in whole)
        if not self._second:
            return tuple(said)
        return in_own_words([told_of_home(claim, turn.text, turn.speaker) for claim in said], turn.text, turn.masked, turn.speaker)

    def _with_clauses(self, found: list[Found], turn: Turn, hits: Hits, role: Role) -> tuple[Claim, ...]:
        """Return what the patterns found, with what the clause rules read that need no other reader, and with the second reader's."""
        if hits.clauses and role in self._clauses.roles:
            found += clause_claims(self._clauses, self._modifiers, turn, turn_sentences(turn.masked), role)
        ours = settled(found) if found else ()
        return joined(ours, self._second, self._modifiers, turn, hits, role)

    def _by_patterns(self, turn: Turn, hits: Hits, role: Role) -> list[Found]:
        """Return what the patterns read."""
        if not self.inside:
            found = self._found(turn, hits.literals, role)
        else:
            found = self._found(turn, [hit for hit in hits.literals if not hit[2].pattern.rule.inside], role)
            if inside := [hit for hit in hits.literals if hit[2].pattern.rule.inside]:
                found += self._found(turn._replace(masked=mask(hits.folded, code=True)), inside, role)
        return found

    def _found(self, turn: Turn, literals: list[tuple[int, int, Use]], role: Role) -> list[Found]:
        """Return the claims of the patterns that could match at these literals."""
        found: list[Found] = []
        apart: dict[SubprocessPattern, list[Sentence]] = {}
        for place, wanted in candidates(turn.masked, literals, role):
            sentence = turn.masked[place.start : place.end]
            for pattern, at in wanted.items():
                if not pattern.possible(sentence):
                    continue
                if isinstance(pattern, SubprocessPattern):
                    apart.setdefault(pattern, []).append(place)
                else:
                    found += self._read(turn, place, sentence, pattern, at)
        for pattern, places in apart.items():
            found.extend(self._read_apart(turn, places, pattern))
        return found

    def every_claim(self, text: str, *, role: Role, speaker: str, origin: int) -> tuple[Claim, ...]:
        """Return the same without the prefilter, each pattern over each sentence: the reference that `claims` is tested against."""
        if origin < LEAST_ORIGIN[role]:
            return ()
        low = fold(text)
        found: list[Found] = []
        for inside in (False, True):
            turn = Turn(text, mask(low, code=inside), speaker)
            patterns = [pattern for pattern in self._patterns if role in pattern.roles and bool(pattern.rule.inside) == inside]
            found += self._every(turn, patterns) if patterns else []
        turn = Turn(text, mask(low), speaker)
        hits = Hits(low, [], clauses=True, naming=signs(text, low), sober=is_sober(low))
        return self._graded(self._with_clauses(found, turn, hits, role), turn)

    def _every(self, turn: Turn, patterns: Sequence[Pattern]) -> Iterator[Found]:
        for place in turn_sentences(turn.masked):
            sentence = turn.masked[place.start : place.end]
            for pattern in patterns:
                if not isinstance(pattern, SubprocessPattern):
                    yield from self._read(turn, place, sentence, pattern, None)
                elif pattern.possible(sentence):
                    yield from self._read_apart(turn, [place], pattern)

    def class_of(self, name: str) -> str:
        """Return the class of a folded object ("databases"), or ""; from rules/classes.toml. A version number does not matter."""
        folded = key(name)
        return self._classes.get(folded) or self._classes.get(_VERSION.sub("", _QUALIFIER.sub("", folded)), "")

    def names_in(self, kind: str) -> tuple[str, ...]:
        """Return the members of a class, by the names in rules/classes.toml, the class's own plain names included."""
        return tuple(name for name, of in self._classes.items() if of == kind)

    def fallback(self, when: Literal["importance", "retrieval"]) -> Fallback | None:
        """Return the fallback for an episode selected by "importance" or "retrieval" in which no rule matches; None if there is none."""
        return self._fallbacks.get(when)

    def _read(self, turn: Turn, place: Sentence, sentence: str, pattern: Pattern, at: list[int] | None) -> Sequence[Found]:
        """Return the claims of one pattern in one sentence."""
        accept = named(pattern.rule, turn.text[place.start : place.end], self.class_of) if pattern.rule.proper else None
        matches = pattern.find(sentence, at, accept)
        return self._taken(turn, place, sentence, pattern, matches) if matches else ()

    def _read_apart(self, turn: Turn, places: Sequence[Sentence], pattern: SubprocessPattern) -> Iterator[Found]:
        """Yield the claims of one pattern that runs in another process, in all sentences at once: its budget is for the episode."""
        cut = [turn.masked[place.start : place.end] for place in places]
        for place, sentence, matches in zip(places, cut, pattern.find_all(cut), strict=False):
            accept = named(pattern.rule, turn.text[place.start : place.end], self.class_of)
            yield from self._taken(turn, place, sentence, pattern, [match for match in matches if accept(match)])

    def _taken(self, turn: Turn, place: Sentence, sentence: str, pattern: Pattern, matches: Iterable[Match]) -> list[Found]:
        found: list[Found] = []
        for match in matches:
            if (claim := self._claim(turn, place, sentence, pattern, match)) is not None:
                low, high = match.span("object" if "object" in match.re.groupindex else 0)
                found.append(Found(place.start, claim, pattern.rule.priority, place.start + low, place.start + high))
        return found

    def _claim(self, turn: Turn, place: Sentence, sentence: str, pattern: Pattern, match: Match) -> Claim | None:
        rule = pattern.rule
        start, end = match.span()
        if rule.unless and self._silenced(rule, sentence, start, end):
            return None
        end = extend_span(sentence, end)
        if is_misread(pattern, sentence, turn.text[place.start : place.end], match):
            return None
        found, head = groups_of(match, turn.text, place.start, end)
        slots = dict(pattern.fixed)
        for slot, group in pattern.plain:
            slots[slot] = found.get(group, "")
        for slot, template in pattern.worded:
            slots[slot] = fill(template, found)
        if (
            not slots["object"]
            or not slots["predicate"]
            or slots["subject"].lower() in ("mine", "ours")
            or (rule.kind == "fact" and is_occasion(sentence[:start], sentence[end:]))
        ):  # "mine is on Friday"; "when I write Finnish, correct me", which is an order
            return None
        low, high = match.span("object") if found.get("object") else (start, end)
        asked = place.question and max(end, high) > question_start(sentence)
        at = Reach(start, head, low, high, asked, quoted(turn.masked, place.line, place.start + start))
        modifiers = self._modifiers
        if self._tongues and (tongue := self._tongues.get(rule.id.partition("/")[0])) is not None:
            modifiers = tongue.modifiers
            slots["subject"] = translated(slots["subject"], tongue.pronouns)
        weighed = modifiers.weigh(sentence, at, rule.modifiers, rule.kind, rule.polarity, rule.confidence)
        if weighed is None or (rule.valid and not self._normal(rule, slots)):
            return None
        if weighed.polarity == "-" or is_limited(sentence, start, end):
            tail = qualifier_end(sentence, start, end)
            if tail is None or (tail > end and any(match.span(name)[1] > high for name in match.re.groupindex)):
                return None
            if tail > end:
                slots["object"] += turn.text[place.start + (end if high == match.span()[1] else high) : place.start + tail].rstrip()
                end = tail
        cut = clause_end(sentence, low, high)
        if cut < high and slots["object"].endswith(turn.text[place.start + cut : place.start + high]):
            slots["object"] = slots["object"][: cut - high].rstrip(" ,")
        contrasted = take_contrast(slots, weighed, sentence[end:])
        cue = take_cue(slots, sentence[:start], sentence[end:])
        written = turn.text[place.start : place.start + start]
        take_occasion(slots, sentence[:start], written)
        take_purpose(slots, sentence[:start], written)
        replaced = slots.get("supersedes") or contrasted or (cue if weighed.polarity == "+" else None)
        grade: Grade = "weak" if rule.grade not in ALONE and self._second else "held"
        return claim_of(rule, slots, weighed, turn.speaker, place.start + start, place.start + end, grade, replaced or None)

    def _normal(self, rule: Rule, slots: dict[str, str]) -> bool:
        """Write validated slots in their canonical form; return whether all of them are valid."""
        for slot, form in rule.valid.items():
            if slots.get(slot):
                slots[slot] = self._forms.normal(form, slots[slot]) if self._forms is not None else ""
                if not slots[slot]:
                    return False
        return True

    def _silenced(self, rule: Rule, sentence: str, start: int, end: int) -> bool:
        """Return whether an antipattern suppresses the rule here, as one that exceeds its time limit does (and always does in the end)."""
        if self._doubtful and self._limits is not None and not self._limits.allows(rule.id):
            return True
        try:
            return any(antipattern.overlaps(sentence, start, end) for antipattern in self._antipatterns[rule.id])
        except TimeoutError:
            if self._limits is not None:
                self._limits.overran(rule.id)
            return True

    @cached_property
    def _antipatterns(self) -> Mapping[str, tuple[Antipattern, ...]]:
        """Return the antipatterns by rule; those with the same pattern are shared."""
        worded = {
            unless.pattern: Antipattern(unless.pattern, timed=unless.pattern in self._doubtful)
            for rule in self.rules
            for unless in rule.unless
        }
        return {rule.id: tuple(worded[unless.pattern] for unless in rule.unless) for rule in self.rules}
