"""Blanks: text that stands where words could and names nothing: masked secrets, HTML comments, tags, entities, placeholders of templates.

What is said of a blank alone is no claim: "we use [secret:github:0a1b2c]", "call me {name}", "we decided to use <!-- x -->".
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import lru_cache
from string import punctuation

from ethos.core.text.language.tagging import tag
from ethos.core.text.sentences import fold

_SIGNS = re.compile(r"[<\[{$#%&_]|XXX|TBD|TBA|TODO|N/A")  # one begins every blank
_PUNCTUATION = punctuation + " "
_WORDS = r"(?-i:\b(?:X{3,}|TBD|TBA|TODO|N/A)\b)|_{3,}"
_TAG = r"<(?:br|hr|p)\b[^<>\n]{0,80}>|(?<!\w)<[a-z][\w:.-]{0,40}(?:\s[^<>\n]{0,200})?/?>|</[a-z][\w:.-]{0,40}\s{0,5}>"
_COMMENT = r"<!--(?:(?!-->)[^\n]){0,400}(?:-->|$)|<[%?!][^<>\n]{0,200}>"
_MASK = r"\[secret(?::[a-z-]{2,20}:[0-9a-f]{6})?\]|\[(?:redacted|masked|hidden|removed)\]"
_PLACEHOLDER = (
    r"[$#]?\{\{?[^{}\n]{0,80}\}?\}|\$\([^()\n]{0,80}\)|(?<![\w$])\$[a-z_]\w{0,60}"
    r"|%\(\w{1,40}\)[a-z]|(?<![\w%])%(?:[sdifrx](?!\w)|\w{1,40}%)"
    r"|\[(?:your|insert|enter|fill in|some)\b[^\[\]\n]{0,80}\](?!\()|&(?:[a-z]{2,8}|#\d{1,6});"
)
_TYPE = r"(?P<type>(?<=\w)<[^<>\n]{1,60}>)"  # "Vec<String>": no blank, but whole
_PREPOSITION = r"(?:to|with|for|in|into|on|at|by|from|as|of|over|under|via|like|than)"
_DETERMINER = r"(?:the|an?|my|our|your|their|this|that)"
_BLANK = re.compile(f"{_MASK}|{_COMMENT}|{_TAG}|{_TYPE}|{_PLACEHOLDER}|{_WORDS}", re.IGNORECASE)
_HIDDEN = re.compile(_MASK)
_MARKUP = re.compile(f"{_COMMENT}|{_TAG}", re.IGNORECASE)
_GOAL = re.compile(rf"(?<=\s)(?:to|into|onto)\s+(?:{_DETERMINER}\s+)?[\"'`*_(]*\Z", re.IGNORECASE)
_LEADS = re.compile(rf"(?:\A|(?<=\s))(?:{_DETERMINER}|{_PREPOSITION})\s*\Z", re.IGNORECASE)
_PUTS = re.compile(rf"(?<=\s)(?!(?:in|on)?to\b){_PREPOSITION}\s+(?:{_DETERMINER}\s+)?[\"'`*_(]*\Z", re.IGNORECASE)
_MARKS = " \t\"'`*_()"
_GAP = 8  # characters between a word and the blank it leads on to
_LONGEST = 420  # characters of a blank
_LEADING = frozenset("DmuTIV")  # tags of words that lead on to a name: "the", "switch to"
_EMPTY = _LEADING | frozenset("bRAC,;'")  # and of words that name nothing beside a blank: "the new"
_NOT_READ = re.compile(r"[\"'`*_]*:[ \t]*$", re.MULTILINE)


def whole(text: str, low: int, high: int, cut: int) -> tuple[int, int]:
    """Return the span without the tags and comments around it, and without a blank that a preposition puts behind its words.

    A blank that the span cuts through, or that its last word leads on to, is taken in whole. What is nothing but a blank stays one.
    cut: where the marks end that were trimmed off the span, which a blank may be made of.
    """
    met = list(_met(text, low, cut + _GAP)) if _has_signs(text) else ()
    if not met:
        return low, high
    last = high
    for found in met:
        if found.start() < cut or (_LEADS.search(text, low, high) and not text[high : found.start()].strip(_MARKS)):
            low, last = min(low, found.start()), max(last, found.end())
    start, end = low, last
    while tag_ := _MARKUP.match(text, start, end):
        start = _past_spaces(text, tag_.end(), end)
    while (blank := _last(text, start, end)) and not _GOAL.search(text, start, blank.start()):
        puts = _PUTS.search(text, start, blank.start())
        if puts is None and not _MARKUP.fullmatch(blank[0]):
            break
        end = start + len(text[start : (puts or blank).start()].rstrip(_MARKS))
    return (low, last) if _is_of(_LEADING, text[start:end]) else (start, end)


@lru_cache(maxsize=16)
def _has_signs(text: str) -> bool:
    """Return whether a text may have a blank. Asked for each word of each claim, so that it is known once a text."""
    return _SIGNS.search(text) is not None


def _last(text: str, start: int, end: int) -> re.Match[str] | None:
    """Return the blank that ends a span."""
    return next((each for each in _met(text, start, end) if each["type"] is None and not text[each.end() : end].strip(_MARKS)), None)


def has_mask(plain: str, start: int = 0, end: int = sys.maxsize) -> bool:
    """Return whether a masked secret stands in a span of a text in lower case."""
    return plain.find("[", start, end) >= 0 and _HIDDEN.search(plain, start, end) is not None


def has_blank(text: str) -> bool:
    """Return whether there is a blank in a text."""
    return any(found["type"] is None for found in _met(text, 0, len(text)))


def is_blank(words: str) -> bool:
    """Return whether words name nothing: they are signs, or have a blank and beside it no more than "the", "use" or "switch to".

    So does "Kafka to {name}", which a move goes to.
    """
    if _SIGNS.search(words) is None:
        return bool(words) and not words[0].isalnum() and not words.strip(_PUNCTUATION)
    if not words.strip(_PUNCTUATION):
        return True
    if (blank := _last(words, 0, len(words))) and _GOAL.search(words, 0, blank.start()):
        return True
    rest, done = "", 0
    for found in _met(words, 0, len(words)):
        if found["type"] is None:
            rest += f"{words[done : found.start()]} "
            done = found.end()
    return done > 0 and _is_of(_EMPTY, rest + words[done:])


def dangles(text: str, masked: str, words: str, end: int) -> bool:
    """Return whether words that end there only lead on to what is not read: "we decided to use", and then a comment or a fence.

    masked: the text as it is read, with line breaks in place of the rest.
    """
    at = _past_spaces(text, end, len(text))
    if at == len(text) or not (_NOT_READ.match(text, end) or (masked[at] == "\n" != text[at])):
        return False
    return _is_of(_LEADING, words)


def _is_of(tags: frozenset[str], words: str) -> bool:
    """Return whether all of the words have one of these tags."""
    return not any(map(str.isalnum, words)) or tags.issuperset(tag(fold(words)).tags)


def _met(text: str, low: int, high: int) -> Iterator[re.Match[str]]:
    """Yield the blanks that a span meets, in order; only the text near it is read."""
    first, last = max(0, low - _LONGEST), min(len(text), high + _LONGEST)
    first = text.rfind("\n", first, low) + 1 or first
    sign = _SIGNS.search(text, first, last) if _SIGNS.search(text, first, high) is not None else None
    while sign is not None and sign.start() < high:  # a blank stands where a sign of one does, and nowhere else
        found = _BLANK.match(text, sign.start(), last)
        if found is not None and found.end() > low:
            yield found
        sign = _SIGNS.search(text, sign.start() + 1 if found is None else found.end(), last)


def _past_spaces(text: str, at: int, end: int) -> int:
    while at < end and text[at] in " \t":
        at += 1
    return at
