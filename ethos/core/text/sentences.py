"""Sentences: a turn as the rules read it, folded, with foreign text masked, and cut into sentences.

Folding and masking keep every character at its place, so that a slot is read back from the original text at the same offsets.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import regex

from ethos.core.text.foreign.announced import WORKED_ON
from ethos.core.text.foreign.mask import mask as mask_foreign
from ethos.core.text.memoize import memoized
from ethos.core.text.phrases import Phrases
from ethos.core.text.private import without_private

MAX_SENTENCE = 2_000  # characters; what is longer is cut, so that no match can cost more than a sentence
FILLER = "\u02d1"  # a letter of no language: stands for code and addresses, fits a slot, and is part of no literal

MASKED = ("`", "://", "www.")  # wherever there is filler, one of these stood: what a pattern with filler is looked for by

_EMOJI = "".join(map(chr, (*range(0x1F300, 0x1FB00), 0x2639, 0x263A, 0x2728, 0x2764, 0xFE0F)))  # between words they part as a comma does
_SINGLES = "\u2018\u2019\u201a\u201b\u02bc\u2032\uff07\u2039\u203a"
_DOUBLES = "\u201c\u201d\u201e\u201f\u2033\uff02\u00ab\u00bb\u300c\u300d\u300e\u300f\u301d\u301e\u301f"
_STRAIGHT = str.maketrans(
    _SINGLES + _DOUBLES + "\u00a0" + FILLER + _EMOJI, "'" * len(_SINGLES) + '"' * len(_DOUBLES) + " \u02d0" + "," * len(_EMOJI)
)
_WORKED_ON = Phrases(WORKED_ON, whole=False)
_IN_NUMBER = re.compile(r",(?<=\d,)(?=\d)")  # the comma first, so that a search skips all other places
_SURROGATE = regex.compile("[\ud800-\udfff]")

# Private and foreign text is blanked to line breaks: nothing reaches over it. Inline code and addresses become filler: a sentence goes on.
# What one quotes of oneself ("as I said:") is said once more: the signs of the quotation go, the words stay.
_QUOTES_ONESELF = regex.compile(
    r"^(?![ \t]*>)[^\n]{0,120}(?:\bi(?:'ve| have)? (?:\w{2,10} )?(?:said|wrote|asked|told you|mentioned|meant|requested)\b"
    r"|\byou(?:'ve| have)? (?:\w{2,10} )?(?:missed|skipped|forgot|forgotten|ignored|overlooked) (?:this|that|the|my|one)\b)"
    r"[^\n:]{0,60}:[ \t]*\n(?P<quoted>(?:[ \t]*>[^\n]*(?:\n|\Z))+)",
    regex.MULTILINE,
)
_SINGLE_QUOTED = re.compile(r"(?<![^\s(:\[])'(?=\w)((?:[^'\n]|(?<=\w)'(?=\w)){12,400}+)'(?!\w)")
_FEWEST_BLANKS = 3  # in a quotation that can be a sentence
_TICKS = r"(?<!`)(?P<ticks>`{1,3})(?!`)[^\n]{1,400}?(?<!`)(?P=ticks)(?!`)"
_ADDRESS = r"\b(?:https?|ftp|file|ssh)://[^\s<>\"')\]]{1,2000}|\bwww\.[^\s<>\"')\]]{1,500}"
# Most turns are a line of plain words, told in one look: no text of others is made of these signs alone but what begins as named here.
_PLAIN = re.compile(
    r"(?!npm |begin f|rem |exception in|commit |[iwef]\d{4} |(?=[a-f]*\d)[0-9a-f]{7,40} |\S*[,;]\S*\Z"
    r"|(?:copy|rename|new file|deleted file) (?:from|to|mode)\b[^/_`]*+[/_`]|goroutine \d|[a-z]\. "
    r"|dear|sehr geehrte|liebe|cher|estimad|querid|car[oa]\b|gentile|prezad|geachte)[a-z][a-z0-9 ,.;!?'/_`-]*+\Z"
)
# Most texts have the one or the other, if any: a pattern of one is looked for in a small part of the time of both together.
_CODE, _ADDRESSES, _SPANS = (regex.compile(pattern) for pattern in (_TICKS, _ADDRESS, f"{_TICKS}|{_ADDRESS}"))
# The look-behinds stand after the first mark, so that they are tried at marks only. A run of marks is taken whole and once: else one of a
# hundred thousand dots would be looked at from each of them.
_END = re.compile(
    r"[.!?\u2026](?<![.!?\u2026]{2})[.!?\u2026]*+"
    r"(?<!\b(?:vs|dr|mr|ms|st)\.)(?<!\b(?:e\.g|i\.e|mrs|inc|etc)\.)(?<!\b(?:prof|incl)\.)(?<!\bapprox\.)[\"')\]*_]*+(?=\s|\Z)"
)
# Where a question begins that follows a statement: after a mark or "and", an inverted verb or a word that asks.
_WHOM = r"(?:you|u|i|we|it|there|this|that|the|my|our|your|he|she|they|an?|any(?:one|body|thing)?|some(?:one|body))"
_ASKS = re.compile(
    r"(?:[,;:)]+ ?(?:(?:so|and|but|then|now|also|or|please|pls|ok|okay|hey|anyway) ){0,2}"
    r"| [-\u2013\u2014]{1,2} ?| (?:and|but|so) (?:now |then )?)"
    r"(?P<asks>(?:(?<= so )|(?<= and )|(?<= but ))(?:which|what|how|why|where|who)\b"
    r"|(?:(?:which|where|when|what|how|why) (?:[a-z][\w'-]* ){0,3}?)?"
    r"(?:can|could|would|will|do|does|did|should|shall|is|are|was|may|might|have|has|mind)(?:n't)? "
    + _WHOM
    + r"\b|(?:what|how|why)(?:'s|'re|'d)? |any (?:ideas?|thoughts|tips?|advice|suggestions?|chance|way)\b)"
)
# What is only asked about behind a statement, without a verb: "we use pnpm, so with a lockfile?", "I'm on Fedora 41, ideas?"
_ASKS_ABOUT = re.compile(
    r"(?:,|;| [-\u2013\u2014]{1,2}) ?"
    r"(?P<asks>so (?!(?:i|we|he|she|it|they|that|this|you)\b)|and (?:you|yours|then|now)\b|(?:ideas|thoughts|tips|advice|suggestions)\Z)"
)
# A few words without a verb that ask for something behind a statement: "our vet is Dr Pascoe, opening hours?". Others doubt it, or go on
# with it: "our vet is Dr Pascoe, right?", "we meet on Monday, at 9?".
_NOT_BRIEFLY = (
    "and|but|or|so|then|too|also|not|no|nope|yes|yep|yeah|right|correct|true|really|ok|okay|eh|huh|hm|innit|i|you|we|he|she|it|they|that|this"
    "|these|those|there|which|who|whom|whose|because|since|if|when|while|as|at|by|for|from|in|into|like|near|of|on|onto|over|per|than|to|under"
    "|until|till|with|without|about|after|before|is|are|am|was|were|do|does|did|has|have|had|maybe|perhaps|especially|say|an?"
)
_ASKS_BRIEFLY = re.compile(rf", ?(?P<asks>(?!(?:{_NOT_BRIEFLY})\b)[a-z][\w'-]+(?: [\w'-]+){{0,4}})\Z")
_ASKS_FIRST = re.compile(
    r"(?:\W*(?:hey|hi|hello|ok|okay|so|and|but|also|btw|hmm|well|sorry)\b)*\W*(?:which|what|how|why|where|who|whose|when|can|could|would|will|do|does|did"
    r"|should|shall|is|are|am|was|were|may|might|have|has|had|any|if)(?:n't|'s|'re|'d|'ll)?\b"
)
# What is surely asked, though no question mark stands behind it: "my bank is Lloyds, how do I set up a standing order"
_ASKS_UNMARKED = re.compile(
    r"(?:h(?<![\w']h)ow|w(?<![\w']w)(?:hat|here|hy|hich|hen|ho))(?: (?:else|exactly|much|many|long|often))?"
    r" (?:do|does|did|should|can|could|would|shall) (?:i|we|you|one|people)\b"
)
_LINE = re.compile(r"[^\n]+")
_NUMBER = re.compile(r"[ \t]*\d{1,3}\.(?![.!?\u2026])")
_MARKER = regex.compile(r"(?:\s+|[-*+\u2022>]+(?=\s)|\d{1,3}[.)](?=\s)|#{1,6}(?=\s)|\[[ x]\](?=\s)|[*_]{1,3}(?=\w))+")


class Sentence(NamedTuple):
    """Offsets of a sentence in its turn, without its list marker and its final mark."""

    start: int
    end: int
    line: int  # where its line begins
    question: bool


def fold(text: str) -> str:
    """Return the text in lower case with straight quotes, plain spaces, commas for emoji, and no surrogates; of the same length.

    A space before a comma becomes a comma too. A comma between digits, which ends no phrase ("$1,300"), becomes a dot.
    """
    low = text.lower()
    if low.isascii():
        # "two cats , one dog": what stands before a comma ends at its last letter
        return _IN_NUMBER.sub(".", low.replace(" ,", ",,")) if "," in low else low
    if len(low) != len(text):  # a capital that lower-cases to two characters
        low = "".join(char.lower() if len(char.lower()) == 1 else char for char in text)
    low = _IN_NUMBER.sub(".", low.translate(_STRAIGHT).replace(" ,", ",,"))
    try:
        low.encode()
    except UnicodeEncodeError:  # a lone surrogate, which the automaton does not take
        return _SURROGATE.sub("\ufffd", low)
    return low


def mask(low: str, *, code: bool = False) -> str:
    """Return the folded text without fences, quoted and pasted text, private blocks, inline code and addresses; of the same length.

    code: keep fences and inline code, for rules that read code.
    """
    return _masked(low, code=True) if code else _masked_as_read(low)


def _masked(low: str, *, code: bool = False) -> str:
    if _PLAIN.match(low) and "www." not in low and " '" not in low and not _WORKED_ON.stand_in(low):
        return low if code or "`" not in low else _CODE.sub(_filled, low)
    whole, low = low, without_private(low)
    whole = low if low == whole else without_private(whole, FILLER)
    if ":\n" in low and ">" in low:
        low, whole = (_QUOTES_ONESELF.sub(_unquoted, text) for text in (low, whole))
    low = mask_foreign(low, whole, code=code)
    if "'" in low:
        low = _SINGLE_QUOTED.sub(_doubled, low)
    ticked, addressed = "`" in low and not code, "://" in low or "www." in low
    if ticked or addressed:
        low = (_SPANS if ticked and addressed else _CODE if ticked else _ADDRESSES).sub(_filled, low)
    return low


_MOST_TURNS, _LONGEST = 256, 4_000  # remembered, and their characters: a unit of episodes is read for claims, and again for changes
_masked_as_read = memoized(_MOST_TURNS, _LONGEST)(_masked)


def _unquoted(found: regex.Match[str]) -> str:
    return found.group().replace("\n>", "\n ")


def _filled(found: regex.Match[str]) -> str:
    return FILLER * len(found.group())


def foreign(text: str, start: int, end: int) -> bool:
    """Return whether a span is in masked text: a fence, a quotation, pasted text."""
    return "\n" in mask(fold(text))[start:end] and "\n" not in text[start:end]


def _doubled(found: re.Match[str]) -> str:
    """Return a quotation with double instead of single quotation marks; one with too few words for a sentence stays as it is."""
    words = found[1]
    return f'"{words}"' if words.count(" ") >= _FEWEST_BLANKS and '"' not in words else found[0]


def sentences(low: str, at: int) -> Iterator[Sentence]:
    """Yield the sentences of a line, from the one at the offset on. A line break ends a sentence, as it does in chat."""
    line = low.rfind("\n", 0, at) + 1
    end = low.find("\n", at)
    end = len(low) if end < 0 else end
    start = line
    unmarked = [found.start() for found in _ASKS_UNMARKED.finditer(low, line, end)]
    for stop in _END.finditer(low, line, end):
        high, after = stop.span()
        if low[high - 1].isdigit() and is_item(low, line, high):
            continue
        if high <= at:
            start = after
            continue
        asked = low.find("?", high, after) >= 0 or (bool(unmarked) and lies_in(unmarked, start, high))
        asked = asked and low.count('"', start, high) % 2 == 0  # a quoted question is not one
        begin = start + (low[start] == " ")
        if high - start > MAX_SENTENCE:
            yield from _cut(low, start, high, line, question=asked)
        elif low[begin].isalpha() and low[high - 1] not in " ,":  # plain, as most are
            yield Sentence(begin, high, line, asked)
        elif (sentence := _sentence(low, start, high, line, question=asked)) is not None:
            yield sentence
        start = after
    if start < end:
        yield from _cut(low, start, end, line, question=bool(unmarked) and lies_in(unmarked, start, end))


def lies_in(places: Sequence[int], start: int, end: int) -> bool:
    """Return whether one of these places, in order, lies in a span."""
    at = bisect_left(places, start)
    return at < len(places) and places[at] < end


def all_sentences(low: str) -> Iterator[Sentence]:
    """Yield the sentences of all lines."""
    if "\n" not in low:
        yield from sentences(low, 0)
        return
    for line in _LINE.finditer(low):  # foreign text is thousands of empty lines
        yield from sentences(low, line.start())


@memoized(_MOST_TURNS, _LONGEST)
def turn_sentences(masked: str) -> tuple[Sentence, ...]:
    """Return the sentences of all lines of a masked turn, which one reader after another goes through."""
    return tuple(all_sentences(masked))


def is_item(low: str, line: int, mark: int) -> bool:
    """Return whether the mark is that of a list number at the start of a line, which ends no sentence."""
    number = _NUMBER.match(low, line)
    return number is not None and number.end() == mark + 1


def _cut(low: str, start: int, end: int, line: int, *, question: bool) -> Iterator[Sentence]:
    """Yield the sentence, or several where it is longer than `MAX_SENTENCE`."""
    while start < end:
        high = end if end - start <= MAX_SENTENCE else start + MAX_SENTENCE
        if (sentence := _sentence(low, start, high, line, question=question)) is not None:
            yield sentence
        start = high


def _sentence(low: str, start: int, end: int, line: int, *, question: bool) -> Sentence | None:
    """Return the sentence without leading spaces, list marker, and spaces and commas before the final mark; None if it is empty."""
    begin = start + (low[start : start + 1] == " ")
    while end > begin and low[end - 1] in " ,":
        end -= 1
    if begin < end and not low[begin].isalpha():
        marker = _MARKER.match(low, begin, end)
        begin = marker.end() if marker else begin
    return Sentence(begin, end, line, question) if begin < end else None


def question_start(sentence: str) -> int:
    """Return the offset from which a sentence with a question mark asks; what stands before it is stated.

    "We use Postgres, can you write the migration?" asks from "can" on; a sentence that is a question as a whole asks from 0 on, and so
    does one that doubts what it stated, "we use Postgres, or do we?".
    """
    found = _ASKS.search(sentence)
    if found is None and _ASKS_FIRST.match(sentence) is None:
        found = _ASKS_ABOUT.search(sentence) or _ASKS_BRIEFLY.search(sentence)
    return found.start("asks") if found and " or " not in sentence[found.start() : found.end()] else 0


def may_begin(low: str, at: int) -> bool:
    """Return whether a sentence could begin here in the folded text. False is certain.

    Sentences begin after the marks of `_END` and `_MARKER`, at the start of lines and blocks, and where a line that is too long is cut:
    never after a word or a comma.
    """
    if len(low) > MAX_SENTENCE:
        return True
    while at and low[at - 1] in " \t":
        at -= 1
    return at == 0 or not (low[at - 1].isalnum() or low[at - 1] in ",;:")


def quoted(low: str, line: int, at: int) -> bool:
    """Return whether the offset is inside a pair of double quotation marks of its line."""
    if at - line > MAX_SENTENCE:
        return _quoted_far(low, line, at)
    before = low.count('"', line, at)
    if not before:
        return False
    end = low.find("\n", at)
    return before % 2 == 1 and low.find('"', at, len(low) if end < 0 else end) >= 0


def _quoted_far(low: str, line: int, at: int) -> bool:
    """Return what `quoted` does for an offset deep in a line. An index of the marks keeps the time linear in a line of any length."""
    marks, ends = _marks(low)
    after = bisect_left(marks, at)
    if (after - bisect_left(marks, line)) % 2 == 0 or after == len(marks):
        return False
    end = bisect_left(ends, at)
    return end == len(ends) or marks[after] < ends[end]


@lru_cache(maxsize=2)
def _marks(low: str) -> tuple[list[int], list[int]]:
    """Return the offsets of the quotation marks of a text, and of the ends of its lines."""
    return [found.start() for found in regex.finditer('"', low)], [found.start() for found in regex.finditer("\n", low)]
