"""Qualifiers: text after a match that must not be cut off from it.

A pattern ends an object where another thought begins. For a positive claim the remaining part is still true: "I run when it is dark"
implies that I run. For a denied claim, or one with "only" or "unless", it is not: without its qualifier, "I never drink coffee after
4 pm" would claim too much.
"""

from __future__ import annotations

import re

from ethos.core.text.language.lexicon import pattern_of
from ethos.core.text.language.tagging import possible_tags

MAX_QUALIFIER = 60  # characters; a claim with a longer qualifier is not held

# The rest of a time or a ratio: a colon between digits does not end a span.
_DIGITS = re.compile(r"(?<=\d)(?::\d{1,4})+(?: ?[ap]\.?m\b)?")
_LIMIT = re.compile(
    r"(?:(?: (?:yet|anymore|any more|any longer|at all|together|alone))?,?"
    r" (?:unless|except(?:ing)?|until|till|if|as long as|so long as|other than|apart from|besides|without|only|but only)\b"
    r"| (?:after|before|when|whenever|while|where|during|past|(?:right|just|shortly|immediately|directly|long) (?:after|before)"
    r"|(?:on|in|by|at|during|this|next|every|each|once|twice|three times|for (?:more|longer|less) than) \w"
    r"|today|tonight|tomorrow|together|alone)\b)"
)
_REST = re.compile(
    r"(?:[^,;:!?()\n]|(?<=\d):(?=\d))*?"
    r"(?=$|[,;!?()\n]|:(?!\d)| [-\u2013\u2014]| (?:because|since|so|but|although|though|tho|which|lol|haha|btw|please|thanks"
    r"|and (?:i|we|he|she|they|it|my|our|then|also|that|the)(?:'\w{1,2})?)(?=$|[ ,;:!?]))"
)
# Adjectives whose noun follows: "a small, sturdy table", "for a smaller, quieter one", "on the hunt for unique, trendy pieces".
_ADJECTIVE = re.compile(
    rf"\b(?:an?|the|my|our|some|two|three|such|their|his|her|for|of|with) (?:{pattern_of('describing')}|(?P<last>[a-z-]{{4,12}}))$"
)
_WANTING = re.compile(rf" (?:{pattern_of('with-infinitive')})$")  # "find ways to improve"
_INFINITIVE = re.compile(
    r" to [a-z-]{2,20}(?: (?!(?:and|but|so|or|because|which|who|that|when|if)\b)[\w'-]{1,20}){0,5}(?=[.,;:!?)]|$| (?:and|but|so|because)\b)"
)
_NOUN = re.compile(
    r", (?:[a-z-]{3,14}, )?(?!(?:and|but|so|or|then|which|who|what|how|why|where|when|can|could|should|would|any)\b)[a-z-]{3,14}"
    r" (?!(?:i|we|it|he|she|they|that|to|and|but|the|an?|my|in|on|at|for)\b)[a-z-]{3,20}"
)
# A single event is reported with its time: "I gave up meat when I turned forty" does not limit when no meat is eaten.
_HAPPENED = re.compile(rf"\b(?:{pattern_of('ended-or-chosen')})\b")
_BYGONE = re.compile(rf"\b(?:{pattern_of('bygone')}|(?:19|20)\d\d|\w{{3,12}}ed)\b")


def extend_span(sentence: str, end: int) -> int:
    """Return the end of a span, extended over the rest of a time or a ratio ("10:40 am", "3:1"), over the noun of its adjectives, or over
    the infinitive of its noun.
    """
    rest = None
    match sentence[end : end + 1]:
        case ":":
            rest = _DIGITS.match(sentence, end)
        case "," if (found := _ADJECTIVE.search(sentence, max(0, end - 24), end)) and (found["last"] is None or _describes(found["last"])):
            rest = _NOUN.match(sentence, end)
        case " " if _WANTING.search(sentence, max(0, end - 24), end):
            rest = _INFINITIVE.match(sentence, end)
    return end if rest is None else rest.end()


def _describes(word: str) -> bool:
    """Return whether a word is more likely an adjective than anything else."""
    return possible_tags(word)[:1] == "A"


def is_limited(sentence: str, start: int, end: int) -> bool:
    """Return whether a positive claim, matched from start to end, is not so without what stands behind it."""
    return (" only" in sentence and " only " in f"{sentence[start:end]} ") or sentence.startswith(_WITHIN, end)


_WITHIN = (" unless ", " whenever ", " until ", " till ", " as long as ", " so long as ")


def qualifier_end(sentence: str, start: int, end: int) -> int | None:
    """Return where a denied or limited claim, matched from start to end, ends with its qualifier; None if that is too long to hold."""
    found = _LIMIT.match(sentence, end)
    if found is None:
        return end
    rest = _REST.match(sentence, found.end())
    high = rest.end() if rest is not None else found.end()
    if _HAPPENED.search(sentence, start, end) and _BYGONE.search(sentence, end, high):
        return end
    return high if high - end <= MAX_QUALIFIER else None
