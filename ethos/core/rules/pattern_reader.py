"""The pattern reader: the compiled patterns of a rule set, and the claims they make of a turn.

One Aho-Corasick automaton searches for the literals of all patterns. A turn without a literal (most turns) is done after one pass over
its folded text. Otherwise a pattern is tried where its literals are, inside that sentence and nowhere else.

Portable patterns run on `re`, which matches alike (property 6), searches in a third of the time of `regex`, and compiles in a sixth.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from ethos.core.model.keys import ClassOf
from ethos.core.model.records import Claim, Grade, Role
from ethos.core.rules.captures import groups_of, named, translated
from ethos.core.rules.compiled import Antipattern, Pattern, SubprocessPattern, TimedPattern
from ethos.core.rules.found import Found, Turn, claim_of, is_occasion, orders_once, take_contrast, take_cue, take_occasion, take_purpose
from ethos.core.rules.misread import is_misread
from ethos.core.rules.modifiers import Modifiers, Reach
from ethos.core.rules.prefilter import Hits, Prefilter, Use, candidates
from ethos.core.rules.qualifiers import extend_span, is_limited, qualifier_end
from ethos.core.rules.regex.literals import Literals, derive
from ethos.core.rules.regex.syntax import parse
from ethos.core.rules.rule import ALONE, Modifier, Pack, Pronoun, Rule
from ethos.core.rules.templates import fill
from ethos.core.rules.time_limits import Limits, Match
from ethos.core.rules.validators import Validator
from ethos.core.text.language.coordination import clause_end
from ethos.core.text.language.tagging import words_of
from ethos.core.text.sentences import Sentence, mask, question_start, quoted, turn_sentences


class Tongue(NamedTuple):
    """What a pack brings of a language: modifiers for its rules, and words for the speaker."""

    modifiers: Modifiers
    pronouns: Mapping[str, Pronoun]


def tongues_of(packs: Iterable[Pack], shared: tuple[Modifier, ...]) -> dict[str, Tongue]:
    """Return what packs bring of a language, by name, of those that do. A pack in English adds its modifiers to the shared ones."""
    return {pack.name: _tongue(pack, shared) for pack in packs if pack.modifiers or pack.pronouns}


def _tongue(pack: Pack, shared: tuple[Modifier, ...]) -> Tongue:
    english = any(each.partition("-")[0] == "en" for each in pack.languages)
    return Tongue(Modifiers((*shared, *pack.modifiers) if english or not pack.modifiers else pack.modifiers), pack.pronouns)


class PatternReader:
    """The patterns of a rule set."""

    def __init__(
        self,
        rules: Sequence[Rule],
        tongues: Mapping[str, Tongue],
        modifiers: Modifiers,
        class_of: ClassOf,
        *,
        derived: Mapping[str, Literals],
        doubtful: Collection[str],
        limits: Limits | None,
        forms: Validator | None,
    ) -> None:
        """Compile the patterns of these rules. tongues: by pack, of those that bring one; the rest is that of `matcher.Rules`."""
        self._class_of = class_of
        self._modifiers = modifiers
        self._tongues = tongues
        self._doubtful = doubtful
        self._limits = limits
        self._forms = forms
        self._has_second = any(rule.clause is not None and rule.grade not in ALONE for rule in rules)  # reader of the same words
        self._unless = {rule.id: rule.unless for rule in rules}
        self.patterns = tuple(self._pattern(rule, source, derived) for rule in rules for source in rule.patterns)
        self._prefilter = Prefilter(self.patterns)
        self._reads_fences = any(pattern.rule.inside for pattern in self.patterns)

    @property
    def literals(self) -> tuple[str, ...]:
        """Return the literals that the automaton searches for."""
        return self._prefilter.literals

    def hits(self, low: str, *, first: bool = False) -> Hits | None:
        """Return where a pattern could match in a folded text, and which one; None if none could. first: the first place is enough."""
        return self._prefilter.hits(low, first=first)

    def looked_for_by(self, words: Collection[str]) -> tuple[str, ...]:
        """Return the ids of the rules of which a pattern looks for a text with one of these words, in lower case."""
        found = {
            pattern.rule.id
            for pattern in self.patterns
            for literals in (pattern.literals.strings, pattern.literals.required_rare, *pattern.literals.required_small)
            if any(not set(words).isdisjoint(words_of(literal)) for literal in literals)
        }
        return tuple(sorted(found))

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

    def read(self, turn: Turn, hits: Hits, role: Role) -> list[Found]:
        """Return the claims of the patterns in a turn with these hits."""
        if not self._reads_fences:
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

    def read_all(self, turn: Turn, low: str, role: Role) -> list[Found]:
        """Return the claims of a turn, found without the prefilter by each pattern in each sentence. low: the folded text."""
        found: list[Found] = []
        for inside in (False, True):
            patterns = [pattern for pattern in self.patterns if role in pattern.roles and bool(pattern.rule.inside) == inside]
            if patterns:
                found += self._every(turn._replace(masked=mask(low, code=inside)), patterns)
        return found

    def _every(self, turn: Turn, patterns: Sequence[Pattern]) -> Iterator[Found]:
        for place in turn_sentences(turn.masked):
            sentence = turn.masked[place.start : place.end]
            for pattern in patterns:
                if not isinstance(pattern, SubprocessPattern):
                    yield from self._read(turn, place, sentence, pattern, None)
                elif pattern.possible(sentence):
                    yield from self._read_apart(turn, [place], pattern)

    def _read(self, turn: Turn, place: Sentence, sentence: str, pattern: Pattern, at: list[int] | None) -> Sequence[Found]:
        """Return the claims of one pattern in one sentence."""
        accept = named(pattern.rule, turn.text[place.start : place.end], self._class_of) if pattern.rule.proper else None
        matches = pattern.find(sentence, at, accept)
        return self._taken(turn, place, sentence, pattern, matches) if matches else ()

    def _read_apart(self, turn: Turn, places: Sequence[Sentence], pattern: SubprocessPattern) -> Iterator[Found]:
        """Yield the claims of one pattern that runs in another process, in all sentences at once: its budget is for the episode."""
        cut = [turn.masked[place.start : place.end] for place in places]
        for place, sentence, matches in zip(places, cut, pattern.find_all(cut), strict=False):
            accept = named(pattern.rule, turn.text[place.start : place.end], self._class_of)
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
        unsure = rule.grade not in ALONE and self._has_second
        grade: Grade = "weak" if unsure or orders_once(slots, sentence) else "held"
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
        sources = {unless.pattern for each in self._unless.values() for unless in each}
        worded = {source: Antipattern(source, timed=source in self._doubtful) for source in sources}
        return {rule: tuple(worded[unless.pattern] for unless in each) for rule, each in self._unless.items()}
