"""Hypothesis strategies for texts from a rule: matches, near misses, surrounding talk, and hostile texts.

Strings come from the patterns themselves (`from_regex`, which the portable subset allows) and from mutations of the rule's examples.
The first find what the author did not think of, the second look like talk. Both are mixed, since each misses what the other finds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import get_args

from hypothesis import strategies as st

from ethos.core.model.records import Role
from ethos.core.rules.compiled import compile_shared
from ethos.core.rules.rule import CATEGORIES, Effect, Example, Rule, Unless
from ethos.core.rules.validators import SlotForm
from ethos.core.text.sentences import FILLER

Texts = st.SearchStrategy[str]

OPENERS = ("ok so", "Right,", "Thanks!", "hm.", "Quick note:", "- ", "1. ", "## ", "[x] ", "fyi", "well...", "And another thing:")
TURNS = (
    "The build is red again, the cache step times out after ten minutes.",
    "My brother comes over on Sunday, so I need to tidy the balcony.",
    "Could you look at the second failing test first?",
    "It rained the whole way to Trieste, but the coffee was worth it.",
    "lol no idea, ask Noor, she wrote that part",
    "If nobody objects I would merge it tonight.",
    'He told me "just restart it" and hung up.',
    "Steps:\n1. stop the worker\n2. move the queue\n3. start it again",
    "See https://example.org/a?b=c#d and `run --fast`, e.g. on the old box.",
    "```\nwe use tabs here\n```\nThat snippet is from the other repo.",
    "> we should never have moved\n\nThat was your mail, not mine.",
    "I'm not sure; maybe later. What do you think?",
    'Traceback (most recent call last):\n  File "x.py", line 3\nValueError: nope',
    "Gr\u00fc\u00dfe aus K\u00f6ln \u2013 bis sp\u00e4ter! \U0001f44b\U0001f3fd",
    "a\u0308 and \u00e4, \u0130 and \u0131, \ufb01 and fi",
)
_JOINTS = (" ", " ", "\n", "\n\n", ". ", ", ", "; ", " \u2013 ", "? ", "! ", " but ", " and ", "\n- ", "\t")
_WEAK = (
    "Maybe",
    "I think",
    "If",
    "Unless",
    "I would say",
    "She said",
    "It is not true that",
    "I don't think",
    "Not only that,",
    "We used to say",
)
_INSERTS = (
    "not",
    "never",
    "really",
    "maybe",
    "no longer",
    "kind of",
    ",",
    "the",
    "`ls -la`",
    "https://a.b/c",
    FILLER,
    "\u0130",
    "\u200b",
    "\n",
    '"',
)
HOSTILE = (
    "\ud800", "\udfff", "\x00", "\u0130", "\u00df", "\u202e", "\u200d", "\u0301", "\ufb03", "\U0001d518", "\x1c", "\x85", "\u2028", FILLER,
    "`", "```", "~~~", "<private>", "</private>", '"', "'", "(", "[", "{", ">", "> ", "...", "?!", "1.", "- ", "\r\n", "://", "www.",
    "${X}",
)  # fmt: skip


def chat_turns() -> Texts:
    """Generate turns of talk, about life and about work, with the marks of chat: lists, fences, quotes, links, emoji.

    @given(chat_turns())
    def test_mine_is_silent(text):
        assert rules.claims(text) == ()
    """
    turn = st.sampled_from(TURNS)
    opened = st.tuples(st.sampled_from(OPENERS), turn).map(" ".join)
    return st.one_of(turn, opened, st.tuples(turn, st.sampled_from(_JOINTS), turn).map("".join))


@lru_cache(1_024)
def _matching(patterns: tuple[str, ...]) -> Texts:
    """Generate matches of the patterns. The strategy is cached: to build it takes a hundred times as long as to draw from it."""
    return st.one_of([st.from_regex(compile_shared(pattern)) for pattern in patterns]).map(_with_code)


def _with_code(text: str) -> str:
    """Replace filler by inline code, which it stands for: of the same length if three characters suffice."""
    return re.sub(f"{FILLER}+", lambda found: "`" + "x" * max(1, len(found.group()) - 2) + "`", text)


def _positive(rule: Rule) -> Texts:
    told = [example.text for example in rule.examples if example.want]
    return st.one_of([*_matches(rule), *([st.sampled_from(told)] if told else [])])


def _matches(rule: Rule) -> list[Texts]:
    """Return strategies for the patterns; none for a rule with a clause or outside the portable subset, which has only its examples."""
    return [_matching(rule.patterns)] if rule.engine == "portable" and rule.patterns else []


def _cased(texts: Texts) -> Texts:
    """Generate the texts as they are, and now and then in another case or with curly quotes."""
    changes = [str, str, str, str.capitalize, str.title, str.upper, lambda text: text.replace("'", "\u2019").replace('"', "\u201d")]
    return st.builds(lambda text, change: change(text), texts, st.sampled_from(changes))


def _swapped(examples: Sequence[Example]) -> Texts:
    """Generate the examples with one of their expected values replaced by another text."""
    made = []
    for example in examples:
        values = sorted(
            {str(value) for want in example.want for value in want.values() if isinstance(value, str) and value in example.text}
        )
        made += [(example.text, value) for value in values] or [(example.text, example.text)]
    return st.builds(lambda text_and_value, other: text_and_value[0].replace(text_and_value[1], other, 1), st.sampled_from(made), _OTHERS)


_OTHERS = st.one_of(
    st.text(min_size=1, max_size=12), st.sampled_from(("C++", "Zo\u00eb", "`ls -l`", "1.5 litres", "\u0130zmir (old town)"))
)


def texts_for(rule: Rule, embed: bool = True) -> Texts:
    """Generate texts in which the rule matches, or almost: matches of its patterns, its examples changed, near misses.

        @given(texts_for(rules["mine/garden.grows"]))
        def test_mine(text):
            assert_properties(rules, text)

    embed: put talk around them, as in turns of chat.
    """
    wanted = [example for example in rule.examples if example.want]
    told = [st.sampled_from([example.text for example in rule.examples])] if rule.examples else []
    swapped = [_swapped(wanted)] if wanted else []
    core = _cased(st.one_of([*_matches(rule), *told, *swapped, near_misses(rule)]))
    return _embedded(core, st.one_of(chat_turns(), core, st.text(max_size=20))) if embed else core


@st.composite
def _embedded(draw: st.DrawFn, core: Texts, around: Texts) -> str:
    """Draw the text alone, or with talk, another such text or any text before and after it."""
    text = draw(core)
    if draw(st.booleans()):
        text = draw(around) + draw(_JOINT) + text
    if draw(st.booleans()):
        text += draw(_JOINT) + draw(around)
    return text


_JOINT = st.sampled_from(_JOINTS)


def near_misses(rule: Rule) -> Texts:
    """Generate texts that the rule reads, with one change: asked, denied, hedged, quoted, fenced, split, misspelt, or with an antipattern.

    @given(near_misses(rules["mine/garden.grows"]))
    def test_mine_is_careful(text):
        assert_properties(rules, text, only={"bounds", "masking"})
    """
    missed = _missed(_positive(rule))
    if not rule.unless:
        return missed
    return st.one_of(*[missed] * 6, _matching(tuple(unless.pattern for unless in rule.unless)))


@st.composite
def _missed(draw: st.DrawFn, positive: Texts) -> str:
    text = draw(positive)
    words = text.split(" ")
    place = draw(st.integers(0, max(0, len(text) - 1)))
    word = draw(st.integers(0, len(words) - 1))
    insert = draw(_INSERT)
    weak = draw(_WEAKENED)
    changed = [
        text.rstrip(".!?") + "?",
        f"{weak} {text}",
        " ".join([*words[:word], insert, *words[word:]]),
        text[:place] + text[place + 1 :],
        " ".join([*words[:word], *words[word + 1 :]]),
        " ".join([*words[:word], *reversed(words[word : word + 2]), *words[word + 2 :]]),
        text[:place] + "\n" + text[place:],
        text[:place] + ". " + text[place:],
        text.replace("i", "\u0131", 1),
        f'She said "{text}" once.',
        f"`{text}`",
        f"```\n{text}\n```",
        f"> {text}",
        f"<private>{text}</private>",
    ]
    return changed[draw(st.integers(0, len(changed) - 1))]


_INSERT, _WEAKENED = st.sampled_from(_INSERTS), st.sampled_from(_WEAK)


def hostile_texts(rule: Rule, max_size: int = 4_000) -> Texts:
    """Generate hostile texts: the rule's words repeated, marks never closed, lone surrogates, characters whose length changes in folding.

        @given(hostile_texts(rules["mine/garden.grows"]))
        def test_mine_bears_it(text):
            assert_properties(rules, text, only={"total", "spans"})

    max_size: characters, at most.
    """
    told = [example.text for example in rule.examples] or [rule.summary]
    words = sorted({word for text in told for word in text.split()} | {" "})
    piece = st.one_of(
        st.sampled_from(HOSTILE), st.sampled_from(words), st.sampled_from(told), st.text(alphabet=st.characters(), max_size=6)
    )
    pumped = st.builds(
        lambda text, space, times: (text + space) * times, piece, st.sampled_from(("", " ", "\n")), st.sampled_from((1, 1, 2, 7, 60, 400))
    )
    return st.lists(pumped, min_size=1, max_size=6).map(lambda made: "".join(made)[:max_size])


def texts_about(rules: Iterable[Rule], max_size: int = 600) -> Texts:
    """Generate texts for rules drawn at random: mostly `texts_for`, some `near_misses`, some `hostile_texts` of at most `max_size`.

    @given(texts_about(rules))
    def test_all_of_them(text):
        assert_properties(rules, text)
    """
    about = tuple(rules)

    @cache
    def made(number: int) -> Texts:
        rule = about[number]
        return st.one_of([texts_for(rule)] * 3 + [near_misses(rule), hostile_texts(rule, max_size)])

    return st.integers(0, len(about) - 1).flatmap(made)  # made when it is drawn: to compile the patterns of all takes seconds


_WORDS = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=20)
_FIXED = st.text(alphabet=st.sampled_from("abcxyz0 \"'#-\u00e9\u4e2d"), min_size=3, max_size=10).filter(lambda text: len(text.strip()) >= 2)
_CLASSES = st.sampled_from(
    (r"[^,.!?;\n]{1,40}", r"[\w.+#-]{2,30}?", r"\S{1,20}", r"(?:\d{1,4}(?:st|th)?|\"[^\"]{1,9}\")", "[a-z'\"\\]\\\\]{2}")
)


@st.composite
def _patterns(draw: st.DrawFn) -> str:
    """Draw a pattern of the portable subset, with the groups `subject` and `object` and all signs that need escaping in TOML."""
    fixed, stuff = draw(_FIXED), draw(_CLASSES)
    return rf"\b(?P<subject>i|we|[a-z]{{2,12}}) {re.escape(fixed)} (?:the |an? ){{0,1}}(?P<object>{stuff})(?=$|[,;:\"' ])"


_EFFECT_WORDS: Sequence[Effect] = ("drop", "flip", "keep", "tag", "past", "outside")
_EFFECTS: st.SearchStrategy[Effect] = st.floats(0, 1) | st.sampled_from(_EFFECT_WORDS)
_WANTS = st.fixed_dictionaries({"object": _WORDS}, optional={"confidence": st.floats(0, 1), "polarity": st.sampled_from("+-")})
_EXAMPLES = st.builds(
    Example, text=_WORDS, want=st.lists(_WANTS, max_size=2).map(tuple), why=_WORDS, mark=st.none() | _WORDS, todo=st.just(True)
)
_PLAIN = _WORDS.filter(lambda text: "{" not in text and "}" not in text)  # a brace is a placeholder in a slot
_EMITS = st.builds(
    lambda predicate, front: {"subject": "{subject|speaker}", "predicate": predicate, "object": front + "{object}", "over": "{object?} "},
    _PLAIN,
    _PLAIN,
)
_CHANGES = st.fixed_dictionaries(
    {
        "summary": _WORDS,
        "version": st.integers(1, 10_000),
        "since": _WORDS,
        "status": st.sampled_from(("experimental", "deprecated")),
        "priority": st.integers(0, 1_000),
        "patterns": st.lists(_patterns(), min_size=1, max_size=2).map(tuple),
        "emit": _EMITS,
        "confidence": st.floats(0, 1),
        "polarity": st.sampled_from("+-"),
        "cardinality": st.sampled_from(("single", "multi")),
        "roles": st.lists(st.sampled_from(get_args(Role)), min_size=1, max_size=3, unique=True).map(tuple),
        "modifiers": st.dictionaries(st.sampled_from(CATEGORIES), _EFFECTS, max_size=4),
        "unless": st.lists(st.builds(Unless, pattern=_patterns(), reason=_WORDS), max_size=1).map(tuple),
        "proper": st.lists(st.sampled_from(("subject", "object")), unique=True, max_size=2).map(tuple),
        "valid": st.dictionaries(st.sampled_from(("object", "over")), st.sampled_from(get_args(SlotForm))),
        "keywords": st.just(()),
        "enabled": st.booleans(),
        "examples": st.lists(_EXAMPLES, max_size=2).map(tuple),
    }
)


def rule_variants(rule: Rule) -> st.SearchStrategy[Rule]:
    """Generate variants of a rule with its id and kind: patterns (in the place of a clause), words, numbers, effects and examples.

    For `assert_round_trip`.

    @given(rule_variants(rules["mine/garden.grows"]))
    def test_what_is_written_down_comes_back(rule):
        assert_round_trip(rule)
    """
    # patterns take the place of a clause; each change is drawn for its field
    return _CHANGES.map(lambda changes: replace(rule, clause=None, **changes))  # type: ignore[arg-type]
