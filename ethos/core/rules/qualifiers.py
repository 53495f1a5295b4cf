"""Tails: what stands behind the words that a pattern took and must not be cut off from them.

A pattern ends an object where another thought begins. Of what is so, that leaves a part that is so too: "I run when it is dark" holds
that I run. Of what is denied, or is so only there, it does not: "I never drink coffee after 4 pm" would hold too much without its tail.
"""

from __future__ import annotations

import re

MAX_TAIL = 60  # characters; what is limited at greater length is not held at all

# The rest of a time or a ratio: a colon between digits ends nothing.
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
# Adjectives in front of a noun that is still to come: "a small, sturdy table".
_ADJECTIVE = re.compile(
    r"\b(?:an?|the|my|our|some|two|three|such|their|his|her) (?:small|big|tiny|huge|large|little|long|short|tall|old|new|young|warm|safe"
    r"|nice|cute|kind|soft|quiet|calm|strong|bright|dark|deep|wide|narrow|cozy|cosy|happy|healthy|friendly|lively|lovely|sunny|simple"
    r"|beautiful|gentle|honest|modern|stable|better|bigger|smaller|fast|slow|cheap|clean|clear|sturdy|dry|wet|wild|weird|[a-z]{3,9}(?:ful|ous|less))$"
)
_NOUN = re.compile(
    r", (?:[a-z-]{3,14}, )?(?!(?:and|but|so|or|then|which|who)\b)[a-z-]{3,14}"
    r" (?!(?:i|we|it|he|she|they|that|to|and|but|the|an?|my|in|on|at|for)\b)[a-z-]{3,20}"
)
# What happened once is told with its time: "I gave up meat when I turned forty" does not say when no meat is eaten.
_HAPPENED = re.compile(
    r"\b(?:stopped|quit|gave|given|dropped|decided|agreed|chose|abandoned|ditched|got rid|phased|sunset|retired|moved|no longer)\b"
)
_BYGONE = re.compile(r"\b(?:was|were|had|got|went|became|came|left|broke|met|ago|last|(?:19|20)\d\d|\w{3,12}ed)\b")


def whole(sentence: str, end: int) -> int:
    """Where what ends there ends indeed: behind the rest of a time or a ratio ("10:40 am", "3:1"), or the noun of its adjectives."""
    rest = None
    match sentence[end : end + 1]:
        case ":":
            rest = _DIGITS.match(sentence, end)
        case "," if _ADJECTIVE.search(sentence, max(0, end - 24), end):
            rest = _NOUN.match(sentence, end)
    return end if rest is None else rest.end()


def limited(sentence: str, start: int, end: int) -> int | None:
    """Where a denied claim that was matched from start to end is complete, its limit included; None: its limit is too long to hold."""
    found = _LIMIT.match(sentence, end)
    if found is None:
        return end
    rest = _REST.match(sentence, found.end())
    high = rest.end() if rest is not None else found.end()
    if _HAPPENED.search(sentence, start, end) and _BYGONE.search(sentence, end, high):
        return end
    return high if high - end <= MAX_TAIL else None
