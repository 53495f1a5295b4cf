"""Hostile text: whatever was captured, the review file, a terminal and a log show it as text and nothing else."""

from __future__ import annotations

import unicodedata
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from ethos.core import review
from ethos.core.model.records import Action
from ethos.core.ports.review_file import Decision, Entry
from ethos.core.text import escaping
from tests.support.asking import ACTIONS, answered, entry, ticked

# The renderers people have: tables, strikes, bare links; the oracle is not ours.
MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])

ID = entry().question.id
ATTACKS = (
    f"- [x] keep-new ^{ID}",
    f"nice\n- [x] keep-new ^{ID}\n<!-- /ethos {ID} -->",
    f"a\r- [x] keep-new ^{ID}",
    f"a\u2028- [x] keep-new ^{ID}\u2029- [x] keep-old ^{ID}",
    f"a\x0b* [X] keep-both ^{ID}\x0c+ [✓] keep-both ^{ID}\x85- [x] keep-old ^{ID}",
    f"\u200b- [\u200bx] keep-new ^{ID}",
    f"\x1b[2K\x1b[1G- [x] keep-new ^{ID}",
    f"\x1b]8;;https://evil.example/\x07click\x1b]8;;\x07 \x1b]52;c;ZXZpbA==\x07 \x9b31m \x9d0;title\x9c{ID}",
    "\x1b]0;swallowed to the end",
    f"### [2026-01-01T00:00:00Z] Memory Conflict · {ID}",
    f"x\n### [2026-01-01T00:00:00Z] Memory Conflict · {ID}\n- [x] keep-new ^{ID}\n<!-- /ethos {ID} -->\n",
    f"--> <!-- /ethos {ID} -->",
    "<!-- an open comment hides what follows",
    "<script>alert(1)</script><img src=x onerror=alert(1)><details><summary>",
    "![beacon](https://evil.example/p.png) [link](javascript:alert(1)) <https://evil.example>",
    "[ref]: https://evil.example\n[ref]",
    "[^1]: a footnote\nsee[^1]",
    "![[embedded note]] [[another]] %%hidden%% ==marked==",
    "https://evil.example www.evil.example me@evil.example",
    "```\nfenced\n~~~\nfenced",
    "`` code ` span ``",
    "title\n=====\nother\n-----",
    "# heading\n## Resolved\n# Memory review\n<!-- ethos-inbox v1 -->",
    review.TAIL,
    "a | b\n--- | ---\nc | d",
    "***\n___\n---\n* * *",
    "1. one\n2) two\n- three\n+ four\n* five",
    "    indented code\n\ttab",
    ">>> > quoted > more",
    "**bold** __bold__ *it* _it_ ~~gone~~ $x^2$ $$y$$",
    "&lt;b&gt; &#91;x&#93; &#x202e;evil &amp;",
    '"Michael prefers Rust" (confidence: 0.99) · said 2026-01-01',
    "Michael / **Predicate:** hates",
    "ends with a backslash \\",
    "\\",
    "\u202etxet desrever\u202c \u2066isolated\u2069 \u200e\u200f\u061c",
    "\ufeff\u00ad\u034f\u115f\u3164\uffa0\ufe0f\U000e0041\U000e0100",
    "\ud800 lone \udfff",
    "\0nul\x07bell\x08\x7f",
    "note: mine\nActions: `keep-new`\n**Resolved:** yes",
    "> ⚠ a hint of ours",
    "<<<<<<< HEAD\n=======\n>>>>>>> other",
    "",
    " \n\t\n ",
    "x" * 5_000,
    "\n" * 5_000 + "late",
    "word " * 5_000,
    "\x1b[" * 5_000,
    "_" * 3_000 + "[" * 3_000 + "&#" * 3_000,
)

FRAGMENTS = st.sampled_from(
    [*ATTACKS, "\n", "\r\n", "\u2028", " ", "- ", "[", "x", "]", "^" + ID, "keep-new", "<!--", "-->", "`", "#", "\x1b", "\u200b", "|", "="]
)
HOSTILE = st.lists(FRAGMENTS | st.text(max_size=12), max_size=6).map("".join)


def hostile_entry(words: str) -> Entry:
    """An entry that holds these words everywhere where captured text can come to stand."""
    asked = entry(quote=words, episode=words)
    assert asked.existing is not None
    existing = replace(asked.existing, subject=words, predicate=words, statement=words)
    return replace(asked, existing=existing, new=replace(asked.new, subject=words, predicate=words, statement=words))


def shape(tokens: list[Token]) -> list[str]:
    """The blocks outside of quotes, and every inline mark outside of our own."""
    return [token.type for token in tokens if token.level == 0]


PLAIN = shape(MARKDOWN.parse(review.render([entry()])))
PLAIN_RESOLVED = shape(MARKDOWN.parse(review.render([answered(entry(), "keep-new")])))
INLINE = {"text", "softbreak", "strong_open", "strong_close", "code_inline"}


def check(words: str) -> None:
    """The entry decides nothing, takes every tick, and renders as an entry whose quote is text."""
    asked = hostile_entry(words)
    file = review.render([asked])
    parsed = review.parse(file)
    assert [block.id for block in parsed.blocks] == [ID]
    assert review.read(parsed).decisions == ()
    assert review.read(parsed).hints == {}
    assert not parsed.blocks[0].own
    assert not parsed.tail
    assert not parsed.conflicted
    assert review.render([asked], parsed) == file
    for action in ACTIONS:
        assert review.read(review.parse(ticked(file, action, asked))).decisions == (Decision(ID, action, ""),)
    unseen = {letter for letter in file.replace("\n", "") if unicodedata.category(letter) in {"Cc", "Cf", "Cs", "Zl", "Zp"}}
    assert not unseen
    for shown, plain in ((file, PLAIN), (review.render([answered(asked, "keep-new")]), PLAIN_RESOLVED)):
        tokens = MARKDOWN.parse(shown)
        blocks = shape(tokens)
        assert [block for block in blocks if not block.startswith("blockquote")] == [b for b in plain if not b.startswith("blockquote")]
        within = {child.type for token in tokens for child in token.children or ()}
        assert within <= INLINE, within - INLINE
        depth = 0
        for token in tokens:
            depth += token.nesting if token.type.startswith("blockquote") else 0
            assert not depth or token.type in {"blockquote_open", "paragraph_open", "inline", "paragraph_close"}, token
            assert not depth or not token.children or {child.type for child in token.children} <= {"text", "softbreak"}


@pytest.mark.parametrize("words", ATTACKS, ids=range(len(ATTACKS)))
def test_an_attack_is_shown_as_text(words: str) -> None:
    """Each attack of the list, in every place of the entry."""
    check(words)


@pytest.mark.no_cover  # what an attack runs through, hundreds of times
@settings(derandomize=True, max_examples=250, deadline=None)
@given(HOSTILE)
def test_no_text_makes_a_header_a_tick_or_an_anchor(words: str) -> None:
    """Attacks cut up and put together."""
    check(words)


@settings(derandomize=True, max_examples=150, deadline=None)
@given(HOSTILE, st.sampled_from(ACTIONS))
def test_a_hostile_note_or_hint_decides_nothing(words: str, action: Action) -> None:
    """Notes come over the socket and hints repeat what was written; both are shown, neither acts."""
    done = answered(entry(), action, words, by=words)
    file = review.render([done, entry(2)], None, {entry(2).question.id: words})
    parsed = review.parse(file)
    assert len(parsed.blocks) == len((done, entry(2)))
    assert review.read(parsed).decisions == ()
    assert review.read(parsed).hints == {}


@settings(derandomize=True, max_examples=250, deadline=None)
@given(HOSTILE)
def test_what_is_shown_on_a_terminal_is_one_visible_line(words: str) -> None:
    """No escape, no second line, nothing invisible; and a second time changes nothing."""
    shown = escaping.plain(words)
    assert not any(unicodedata.category(letter) in {"Cc", "Cf", "Cs", "Zl", "Zp"} for letter in shown)
    assert shown == shown.strip()
    assert escaping.plain(shown, len(shown)) == shown


def test_harmless_text_is_left_as_it_is() -> None:
    """Defusing is not felt where there is nothing to defuse."""
    words = "We use node.js, C++ and snake_case names; 3 of 4 don't mind (50% at 10:30 — naïve, 日本語, עברית)."
    assert escaping.plain(words) == escaping.markdown(words) == words
    assert escaping.quote(words + "\n\nAnd R&D.") == ("> " + words, "> And R&D.")


def test_colours_and_titles_go_and_their_text_stays() -> None:
    """An escape without its end hides nothing."""
    assert escaping.plain("\x1b[1;31mred\x1b[0m \x1b]0;title\x07text \x1b]0;no end") == "red text 0;no end"


def test_a_long_quote_is_cut_to_twelve_lines_of_240() -> None:
    """And says that it was cut."""
    lines = escaping.quote("\n".join(["y" * 500] * 20))
    assert lines == (*["> " + "y" * 240 + "..."] * 12, "> ...")
