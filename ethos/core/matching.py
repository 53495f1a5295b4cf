"""The matcher: a compiled set of rules, and what it reads in a text.

One Aho-Corasick automaton holds the literals of all patterns. A turn without a literal (most turns) is done after one pass over its
folded text; else a pattern is tried where its literals stand, inside that sentence and nowhere else (RULES.md, The fast path).

Where we deviate from RULES.md: patterns of the portable subset run on the standard library's `re`, not on `regex`. Both read them alike
(property 6), but `re` searches a sentence in a third of the time, of a hostile one too, and compiles in a sixth.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from operator import itemgetter
from typing import Literal, NamedTuple

import ahocorasick_rs

from ethos.core.frequency import START
from ethos.core.limits import Limits, Match, Timed, Told
from ethos.core.literals import Literals, derive
from ethos.core.modifiers import Modifiers, Reach
from ethos.core.records import Claim, Kind, Origin, Role
from ethos.core.rule import Fallback, Modifier, Pack, Rule
from ethos.core.sentences import FILLER, MASKED, MAX_SENTENCE, Sentence, fold, mask, may_begin, quoted, sentences
from ethos.core.subset import parse
from ethos.core.templates import fill, sole_group
from ethos.core.text import key

Accept = Callable[[Match], bool]  # whether a match counts

SPEAKER = frozenset({"i", "me", "my", "mine", "myself", "speaker"})
TEAM = frozenset({"we", "us", "our", "ours", "ourselves", "let's", "lets", "the team", "team"})
LEAST_ORIGIN: Mapping[Role, Origin] = {"user": Origin.USER, "system": Origin.USER, "assistant": Origin.ASSISTANT, "tool": Origin.TOOL}

_VERSION = re.compile(r"[ -]?v?\d[\d.x]*\+?$")
_QUALIFIER = re.compile(r"^(?:main|primary|default|new|production|internal|whole|local|current|own) ")  # "the main database"
_OPENING = " \t\"'`*_([{<\u201c\u201d\u2018\u2019\u00ab"
_CLOSING = " \t\"'`*_,;:.!?>\u201c\u201d\u2018\u2019\u00bb\u2026"
_PAIRS = {")": "(", "]": "[", "}": "{"}


class _Beside:
    """The strings of which one must stand directly beside a literal. Looked up by as many characters as the shortest has."""

    __slots__ = ("length", "strings", "whole")

    def __init__(self, strings: tuple[str, ...], *, before: bool) -> None:
        self.length = length = min(map(len, strings), default=0)
        self.whole = frozenset(string[-length:] if before else string[:length] for string in strings)
        self.strings = () if all(len(string) == length for string in strings) else strings  # what is to be looked at more closely


class _Use:
    """A literal as a pattern uses it: what must stand around it, or the pattern cannot match there."""

    __slots__ = ("after", "also", "before", "bound", "opening", "opens", "pattern", "string", "word")

    def __init__(self, pattern: _Pattern, string: str) -> None:
        literals = pattern.literals
        self.pattern = pattern
        self.string = string
        self.word = literals.boundary
        self.opening = string in literals.opening
        self.opens = START in literals.before
        before = tuple(beside for beside in literals.before if beside != START)
        self.bound = bool(literals.before) and not self.opening
        self.before = _Beside(before, before=True)
        self.after = _Beside(literals.after, before=False)
        self.also = literals.also

    def stands(self, low: str, at: int, end: int, present: dict[tuple[str, ...], bool]) -> bool:
        """Whether the pattern could match with the literal that stands here in the folded text.

        Sound, because what a match consists of stands in the folded text as it does in the masked sentence: masking puts filler and line
        breaks over the rest, which are in no literal and beside none. `present` remembers which sets of strings a short text holds.
        """
        after = self.after
        if after.length and (
            low[end : end + after.length] not in after.whole or (after.strings and not low.startswith(after.strings, end))
        ):
            return False
        if self.bound:
            before = self.before
            if (
                not before.length
                or low[max(0, at - before.length) : at] not in before.whole
                or (before.strings and not low.endswith(before.strings, 0, at))
            ) and not (self.opens and may_begin(low, at)):
                return False
        elif self.opening and not may_begin(low, at):
            return False
        if self.word and at and (low[at - 1].isalnum() or low[at - 1] == "_"):
            return False
        for needed in self.also:
            held = present.get(needed)
            if held is None:
                held = _holds(low, needed, at)
                if len(low) <= MAX_SENTENCE:
                    present[needed] = held
            if not held:
                return False
        return True


def _holds(low: str, needed: tuple[str, ...], at: int) -> bool:
    """Whether one of the strings stands near: no sentence is longer, so a long text is not looked through each time."""
    if len(low) > MAX_SENTENCE:
        low = low[max(0, at - MAX_SENTENCE) : at + MAX_SENTENCE]
    for string in needed:  # noqa: SIM110 (any() with a generator takes three times as long)
        if string in low:
            return True
    return False


class Hits(NamedTuple):
    """The literals in a folded text at which some pattern could match."""

    folded: str
    standing: list[tuple[int, _Use]]  # with their positions

    @property
    def literals(self) -> tuple[str, ...]:
        """The literals, each once, sorted."""
        return tuple(sorted({use.string for _, use in self.standing}))


class _Pattern:
    """One pattern of a rule. Compiled when a literal of it is first met: a pack loads in milliseconds, and most runs use few rules."""

    __slots__ = ("_compiled", "also", "anchored", "literals", "order", "plain", "roles", "rule", "source", "worded")

    def __init__(self, rule: Rule, order: int, source: str, literals: Literals) -> None:
        self.rule = rule
        self.order = order
        self.source = source
        self.literals = literals
        self.anchored = literals.anchored
        self.roles = rule.roles
        self.also = [(*needed, FILLER) if set(needed) & set(MASKED) else needed for needed in literals.also]
        self.plain = [(slot, group) for slot, template in rule.emit.items() if (group := sole_group(template))]
        self.worded = [(slot, template) for slot, template in rule.emit.items() if not sole_group(template)]
        self._compiled: re.Pattern[str] | Timed | None = None

    @property
    def compiled(self) -> re.Pattern[str] | Timed:
        if self._compiled is None:
            self._compiled = re.compile(self.source)
        return self._compiled

    def matches(self, sentence: str, positions: Sequence[int] | None) -> bool:
        """Whether it matches in the masked sentence at all. The further literals that every match has are looked for first."""
        for needed in self.also:
            for string in needed:
                if string in sentence:
                    break
            else:
                return False
        compiled = self._compiled or self.compiled
        if positions is None:
            return compiled.search(sentence) is not None
        return any(compiled.match(sentence, position) is not None for position in positions)

    def find(self, sentence: str, positions: Sequence[int] | None, accept: Accept | None) -> Sequence[Match]:
        """Accepted matches from left to right that do not overlap. `positions`: where its anchored literals stand in the sentence."""
        compiled = self.compiled
        found: list[Match] = []
        if positions is not None:
            free = 0
            for position in positions:
                match = compiled.match(sentence, position) if position >= free else None
                if match is not None and (accept is None or accept(match)):
                    found.append(match)
                    free = match.end()
            return found
        match = compiled.search(sentence)
        while match is not None:
            accepted = accept is None or accept(match)
            if accepted:
                found.append(match)
            match = compiled.search(sentence, match.end() if accepted else match.start() + 1)
        return found


class _Watched(_Pattern):
    """A pattern of a user's own of which the gate is not sure: it runs with a time limit."""

    __slots__ = ("_limits",)

    def __init__(self, rule: Rule, order: int, source: str, literals: Literals, limits: Limits) -> None:
        super().__init__(rule, order, source, literals)
        self._limits = limits

    @property
    def compiled(self) -> re.Pattern[str] | Timed:
        if self._compiled is None:
            self._compiled = Timed(self.source)
        return self._compiled

    def matches(self, sentence: str, positions: Sequence[int] | None) -> bool:
        if not self._limits.allows(self.rule.id):
            return False
        try:
            return super().matches(sentence, positions)
        except TimeoutError:
            self._limits.overran(self.rule.id)
            return False

    def find(self, sentence: str, positions: Sequence[int] | None, accept: Accept | None) -> Sequence[Match]:
        if not self._limits.allows(self.rule.id):
            return ()
        try:
            return super().find(sentence, positions, accept)
        except TimeoutError:
            self._limits.overran(self.rule.id)
            return ()


class _Apart(_Pattern):
    """A pattern of a rule with `engine = "regex"`: it is looked for in sentences with one of the rule's keywords, in another process."""

    __slots__ = ("_limits",)

    def __init__(self, rule: Rule, order: int, source: str, limits: Limits) -> None:
        super().__init__(rule, order, source, Literals(tuple(sorted(set(rule.keywords))), anchored=False, boundary=False))
        self._limits = limits

    def matches(self, sentence: str, positions: Sequence[int] | None) -> bool:  # noqa: ARG002 (as of any pattern)
        """Whether a keyword stands in the sentence itself, and not only in code beside it."""
        return any(word in sentence for word in self.literals.strings)

    def find_all(self, sentences: Sequence[str]) -> Sequence[Sequence[Told]]:
        """The matches in each of an episode's sentences."""
        return self._limits.find(self.rule.id, self.source, sentences)


class _Antipattern:
    """What makes a rule silent where it stands. Most sentences hold none of its literals; it is understood and compiled on first use."""

    def __init__(self, source: str, *, timed: bool) -> None:
        self.source = source
        self._timed = timed
        self._last: tuple[str, list[tuple[int, int]]] = ("", [])  # the sentence it was last looked for in, and where it stands there

    @cached_property
    def literals(self) -> tuple[str, ...]:
        """One of these stands in each of its matches; "" where none is known."""
        literals = derive(parse(self.source).tree)
        return literals.strings if literals and not set(literals.strings) & set(MASKED) else ("",)

    @cached_property
    def compiled(self) -> re.Pattern[str] | Timed:
        return Timed(self.source) if self._timed else re.compile(self.source)

    def overlaps(self, sentence: str, start: int, end: int) -> bool:
        """Whether a match of it overlaps the span. Raises TimeoutError where it is timed and takes too long."""
        last, spans = self._last
        if last is not sentence:
            spans = []
            if any(map(sentence.__contains__, self.literals)):
                spans = [found.span() for found in self.compiled.finditer(sentence)]
            self._last = (sentence, spans)
        return any(low < end and start < high for low, high in spans)


class _Turn(NamedTuple):
    """What was said, the same as the patterns see it, and by whom."""

    text: str
    masked: str
    speaker: str


class _Found(NamedTuple):
    """A claim with what decides between those that compete: its sentence, the priority of its rule, and the span of its object."""

    sentence: int
    claim: Claim
    priority: int
    start: int
    end: int


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
    ) -> None:
        """`classes`: folded object -> class. `derived`: literals by pattern, where they are known already.

        doubtful: patterns that run with a time limit. limits: who keeps the time; there must be somebody where a rule needs it.
        """
        self.hash = hash
        self.packs = tuple(sorted(packs, key=lambda pack: pack.name))
        self.rules: tuple[Rule, ...] = tuple(
            rule for pack in self.packs for rule in sorted(pack.rules, key=lambda rule: rule.id) if rule.enabled
        )
        self.roles = frozenset(role for rule in self.rules for role in rule.roles)
        self._classes = dict(classes or {})
        self.modifiers = tuple(modifiers)
        self._modifiers = Modifiers(modifiers)
        self._fallbacks = {fallback.when: fallback for pack in self.packs for fallback in pack.fallbacks if fallback.enabled}
        self._patterns: list[_Pattern] = []
        self.literals: tuple[str, ...] = ()
        self._uses: list[tuple[_Use, ...]] = []  # by literal number
        self._doubtful = doubtful
        self._limits = limits
        self.inside = frozenset(rule.id for rule in self.rules if rule.inside)  # those that read fences, too
        self._build(derived or {})

    def _build(self, derived: Mapping[str, Literals]) -> None:
        users: dict[str, list[_Pattern]] = {}
        for rule in self.rules:
            for source in rule.patterns:
                pattern = self._pattern(rule, source, derived)
                self._patterns.append(pattern)
                for string in pattern.literals.strings:
                    users.setdefault(string, []).append(pattern)
        self.literals = tuple(sorted(users))
        self._uses = [tuple(_Use(each, string) for each in users[string]) for string in self.literals]
        self._automaton = ahocorasick_rs.AhoCorasick(self.literals, store_patterns=False) if self.literals else None

    def _pattern(self, rule: Rule, source: str, derived: Mapping[str, Literals]) -> _Pattern:
        order = len(self._patterns)
        if rule.engine == "regex":
            if self._limits is None:
                raise ValueError(f"{rule.id}: nobody keeps the time")
            return _Apart(rule, order, source, self._limits)
        literals = derived.get(source) or derive(parse(source).tree)
        if literals is None:
            raise ValueError(f"{rule.id}: no literal to look for in {source}")
        if self._limits is not None and source in self._doubtful:
            return _Watched(rule, order, source, literals, self._limits)
        return _Pattern(rule, order, source, literals)

    def alone(self, rule: Rule) -> Rules:
        """A set of this one rule, as it is or changed, with the modifiers and limits of this set."""
        packs = (Pack("alone", rule.pack_version, (rule,)),)
        return Rules(packs, self.modifiers, doubtful=self._doubtful, limits=self._limits)

    def renew(self) -> None:
        """A pass begins: what rules in another process may spend is theirs again."""
        if self._limits is not None:
            self._limits.renew()

    @property
    def spent(self) -> bool:
        """Whether rules in another process have spent what they may in this pass: what was read last may be incomplete."""
        return self._limits is not None and self._limits.spent

    def hits(self, text: str) -> Hits | None:
        """Where a pattern could match, and which; None: nowhere. Most literals that are met are refuted by what stands beside them."""
        low = fold(text)
        if self._automaton is None or not (found := self._automaton.find_matches_as_indexes(low, overlapping=True)):
            return None
        uses = self._uses
        present: dict[tuple[str, ...], bool] = {}
        standing = [(at, use) for number, at, end in found for use in uses[number] if use.stands(low, at, end, present)]
        return Hits(low, standing) if standing else None

    def claims(self, text: str, *, role: Role, speaker: str, origin: int, hits: Hits | None = None) -> tuple[Claim, ...]:
        """What the rules read in one turn, in order of position. `hits` are those of this text, if already known."""
        if role not in self.roles or origin < LEAST_ORIGIN[role]:
            return ()
        if hits is None and (hits := self.hits(text)) is None:
            return ()
        turn = _Turn(text, mask(hits.folded), speaker)
        if not self.inside:
            found = self._found(turn, hits.standing, role)
        else:
            found = self._found(turn, [hit for hit in hits.standing if not hit[1].pattern.rule.inside], role)
            if standing := [hit for hit in hits.standing if hit[1].pattern.rule.inside]:
                found += self._found(_Turn(text, mask(hits.folded, code=True), speaker), standing, role)
        return _settled(found) if found else ()

    def _found(self, turn: _Turn, standing: list[tuple[int, _Use]], role: Role) -> list[_Found]:
        """What the patterns read that could match there."""
        found: list[_Found] = []
        apart: dict[_Apart, list[Sentence]] = {}
        for place, wanted in _candidates(turn.masked, standing, role):
            sentence = turn.masked[place.start : place.end]
            for pattern, at in wanted.items():
                if pattern.matches(sentence, at):
                    if isinstance(pattern, _Apart):
                        apart.setdefault(pattern, []).append(place)
                    else:
                        found.extend(self._read(turn, place, sentence, pattern, at))
        for pattern, places in apart.items():
            found.extend(self._read_apart(turn, places, pattern))
        return found

    def every_claim(self, text: str, *, role: Role, speaker: str, origin: int) -> tuple[Claim, ...]:
        """The same without the prefilter, each pattern over each sentence: what `claims` is tested against."""
        if origin < LEAST_ORIGIN[role]:
            return ()
        low = fold(text)
        found: list[_Found] = []
        for inside in (False, True):
            turn = _Turn(text, mask(low, code=inside), speaker)
            patterns = [pattern for pattern in self._patterns if role in pattern.roles and bool(pattern.rule.inside) == inside]
            found += self._every(turn, patterns) if patterns else []
        return _settled(found)

    def _every(self, turn: _Turn, patterns: Sequence[_Pattern]) -> Iterator[_Found]:
        start = 0
        while start <= len(turn.masked):
            for place in sentences(turn.masked, start):
                sentence = turn.masked[place.start : place.end]
                for pattern in patterns:
                    if not isinstance(pattern, _Apart):
                        yield from self._read(turn, place, sentence, pattern, None)
                    elif pattern.matches(sentence, None):
                        yield from self._read_apart(turn, [place], pattern)
            end = turn.masked.find("\n", start)
            start = len(turn.masked) + 1 if end < 0 else end + 1

    def class_of(self, name: str) -> str:
        """The class that a folded object belongs to ("databases"), or ""; from rules/classes.toml. A version number does not matter."""
        folded = key(name)
        return self._classes.get(folded) or self._classes.get(_VERSION.sub("", _QUALIFIER.sub("", folded)), "")

    def fallback(self, when: Literal["importance", "retrieval"]) -> Fallback | None:
        """What to keep of an episode selected by "importance" or "retrieval" in which no rule found anything; None: nothing."""
        return self._fallbacks.get(when)

    def _read(self, turn: _Turn, place: Sentence, sentence: str, pattern: _Pattern, at: list[int] | None) -> Iterator[_Found]:
        """The claims of one pattern in one sentence."""
        accept = _named(pattern.rule, turn.text[place.start : place.end]) if pattern.rule.proper else None
        return self._taken(turn, place, sentence, pattern, pattern.find(sentence, at, accept))

    def _read_apart(self, turn: _Turn, places: Sequence[Sentence], pattern: _Apart) -> Iterator[_Found]:
        """The claims of one pattern that runs in another process, in all sentences at once: its budget is for the episode."""
        cut = [turn.masked[place.start : place.end] for place in places]
        for place, sentence, matches in zip(places, cut, pattern.find_all(cut), strict=False):
            accept = _named(pattern.rule, turn.text[place.start : place.end])
            yield from self._taken(turn, place, sentence, pattern, [match for match in matches if accept(match)])

    def _taken(self, turn: _Turn, place: Sentence, sentence: str, pattern: _Pattern, matches: Iterable[Match]) -> Iterator[_Found]:
        for match in matches:
            claim = self._claim(turn, place, sentence, pattern, match)
            if claim is not None:
                low, high = match.span("object" if "object" in match.re.groupindex else 0)
                yield _Found(place.start, claim, pattern.rule.priority, place.start + low, place.start + high)

    def _claim(self, turn: _Turn, place: Sentence, sentence: str, pattern: _Pattern, match: Match) -> Claim | None:
        rule = pattern.rule
        start, end = match.span()
        if rule.unless and self._silenced(rule, sentence, start, end):
            return None
        found, head = _groups(match, turn.text, place.start)
        slots = {slot: found.get(group, "") for slot, group in pattern.plain}
        for slot, template in pattern.worded:
            slots[slot] = fill(template, found)
        if not slots["object"] or not slots["predicate"]:
            return None
        low, high = match.span("object") if found.get("object") else (start, end)
        at = Reach(start, head, low, high, place.question, quoted(turn.masked, place.line, place.start + start))
        weighed = self._modifiers.weigh(sentence, at, rule.modifiers, rule.kind, rule.polarity, rule.confidence)
        if weighed is None:
            return None
        return Claim(
            kind=weighed.kind,
            subject=_subject(slots["subject"], turn.speaker),
            predicate=slots["predicate"],
            object=slots["object"],
            polarity=weighed.polarity,
            cardinality=rule.cardinality,
            confidence=weighed.confidence,
            rule=rule.id,
            rule_version=rule.version,
            pack_version=rule.pack_version,
            start=place.start + start,
            end=place.start + end,
            tense="past" if slots.get("tense") == "past" else weighed.tense,
            over=slots.get("over") or None,
            supersedes=slots.get("supersedes") or None,
            purpose=slots.get("purpose") or None,
            modifiers=weighed.modifiers,
        )

    def _silenced(self, rule: Rule, sentence: str, start: int, end: int) -> bool:
        """Whether one of its antipatterns keeps the rule silent here; one that takes too long does, and in the end always."""
        if self._doubtful and self._limits is not None and not self._limits.allows(rule.id):
            return True
        try:
            return any(antipattern.overlaps(sentence, start, end) for antipattern in self._antipatterns[rule.id])
        except TimeoutError:
            if self._limits is not None:
                self._limits.overran(rule.id)
            return True

    @cached_property
    def _antipatterns(self) -> Mapping[str, tuple[_Antipattern, ...]]:
        """By rule; those of one wording are one."""
        worded = {
            unless.pattern: _Antipattern(unless.pattern, timed=unless.pattern in self._doubtful)
            for rule in self.rules
            for unless in rule.unless
        }
        return {rule.id: tuple(worded[unless.pattern] for unless in rule.unless) for rule in self.rules}


def _candidates(masked: str, standing: list[tuple[int, _Use]], role: Role) -> Iterator[tuple[Sentence, dict[_Pattern, list[int] | None]]]:
    """Which patterns to try in which sentences, from left to right: anchored at these offsets of the sentence, or (None) anywhere in it.

    Sentences are cut in lines in which something stands, up to the last place where it does.
    """
    if len(standing) > 1:
        standing.sort(key=itemgetter(0))
    cut: Iterator[Sentence] = iter(())
    sentence: Sentence | None = None
    wanted: dict[_Pattern, list[int] | None] = {}
    start = end = line_end = -1
    for at, use in standing:
        pattern = use.pattern
        if role not in pattern.roles:
            continue
        if at >= end:
            if wanted and sentence is not None:
                yield sentence, wanted
                wanted = {}
            if at >= line_end:
                cut = sentences(masked, at)
                line_end = masked.find("\n", at)
                line_end = len(masked) if line_end < 0 else line_end
            sentence = _reaching(cut, at)
            start, end = (line_end, line_end) if sentence is None else sentence[:2]
        if start > at:
            continue
        if not pattern.anchored:
            wanted[pattern] = None
            continue
        positions = wanted.setdefault(pattern, [])
        if positions is not None and at - start not in positions[-1:]:
            positions.append(at - start)
    if wanted and sentence is not None:
        yield sentence, wanted


def _reaching(cut: Iterator[Sentence], at: int) -> Sentence | None:
    """The next sentence that ends behind the offset."""
    for sentence in cut:
        if sentence.end > at:
            return sentence
    return None


def _named(rule: Rule, original: str) -> Accept:
    """Whether the slots that are names have their capitals in the text as it was written."""
    return lambda match: all(_capitalised(original[slice(*match.span(name))]) for name in rule.proper if name in match.re.groupindex)


def _groups(match: Match, text: str, offset: int) -> tuple[dict[str, str], int]:
    """The groups that took part, read back from the text as it was written, and where the first of them begins in the sentence."""
    found: dict[str, str] = {}
    head = len(text)
    for name, number in match.re.groupindex.items():
        low, high = match.regs[number]
        if low >= 0:
            head = min(head, low)
            low, high = _trimmed(text, offset + low, offset + high)
            found[name] = text[low:high]
    return found, head if found else match.span()[0]


def _capitalised(name: str) -> bool:
    """Each word of a name begins with a capital."""
    return all(word[:1].isupper() for word in name.split())


def _trimmed(text: str, low: int, high: int) -> tuple[int, int]:
    """The span without the blanks, quotes and marks around it; what is a pair inside it (brackets, quotes) stays whole."""
    while low < high and text[low] in _OPENING and not _paired(text, low, high, text[low]):
        low += 1
    while low < high:
        last = text[high - 1]
        if last in _CLOSING:
            if _paired(text, low, high, last):
                if text[low] != last or text.count(last, low, high) > 2:
                    break
                low += 1
        elif not (last in _PAIRS and text.count(last, low, high) > text.count(_PAIRS[last], low, high)):
            break
        high -= 1
    return low, high


def _paired(text: str, low: int, high: int, mark: str) -> bool:
    """Whether a quotation mark or backtick has its other half inside the span."""
    return mark in '"`' and text.count(mark, low, high) % 2 == 0


def _subject(said: str, speaker: str) -> str:
    """Whom a claim is about: I is the speaker, we is the team, my wife is the speaker's, our deploys are the deploys."""
    folded = said.lower().replace("\u2019", "'")
    if folded in SPEAKER:
        return speaker
    if not folded or folded in TEAM:
        return "team"
    if folded.startswith("my "):
        return f"{speaker}'s {said[3:]}"
    if folded.startswith("our "):
        return said[4:]
    return said.removesuffix("'s").removesuffix("\u2019s")


_KINDS: Mapping[Kind, int] = {"decision": 0, "preference": 1, "negation": 2, "fact": 3}


def _settled(found: list[_Found]) -> tuple[Claim, ...]:
    """Of claims of one kind about the same words the one of higher priority, then the longer, then the earlier, then by id.

    A total order, so the result does not depend on the order of the rules. What they compete for is the object: "never use A but B"
    is two claims, although their matches overlap.
    """
    if len(found) < 2:
        return tuple(each.claim for each in found)
    ranked = sorted(
        found,
        key=lambda f: (
            *(-f.priority, f.claim.start - f.claim.end, f.claim.start),
            *(f.claim.rule, f.claim.object, f.claim.subject, f.claim.predicate),  # two patterns of a rule may read the same words apart
        ),
    )
    kept: dict[tuple[int, Kind], list[_Found]] = {}
    for each in ranked:
        held = kept.setdefault((each.sentence, each.claim.kind), [])
        if not any(each.start < other.end and other.start < each.end for other in held):
            held.append(each)
    return tuple(
        sorted(
            (each.claim for held in kept.values() for each in held),
            key=lambda claim: (claim.start, claim.end, _KINDS[claim.kind], claim.rule),
        )
    )
