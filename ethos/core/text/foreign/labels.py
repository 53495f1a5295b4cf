"""Classify the label in front of a line: a speaker, a header, a key of data, or a topic of the person's own words.

A topic is "Database: use Postgres". No list can hold every name, so the test is inverted: a short label is the person's own only if it is
a topic or a phrase ("one more thing:"); any other is a name of somebody or something else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ethos.core.text.foreign.announced import TEXTS
from ethos.core.text.language.dates import WEEKDAYS
from ethos.core.text.language.everyday import is_everyday
from ethos.core.text.language.lexicon import word_class
from ethos.core.text.language.tagging import possible_tags

_LABEL = re.compile(
    r"[*_@~'\"`]{0,3}(?P<label>[^\W\d_][^\n:\uff1a,;!?\"<>{}|=]{0,40}?)[*_'\"`]{0,3}[ \t]{0,2}"
    r"(?P<colon>[:\uff1a\ufe55\ua789\u2236])(?P<after>[*_]{0,3}(?:\s|$)|(?=[^\W\d_]|[\"'*]))"
)
_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
_LONGEST = 4  # words of a name
_PERSON = re.compile(r".*(?:er|or|ist|ian|man|men|ant|ent|ee|ess)s?")  # ends a word for what somebody is
_SPEAKERS = frozenset(
    """
    admin ai agent agents assistant bot boss ceo chef claude client coach crew cto gpt guest guide guy host human lead model nurse pilot
    staff support system team tool user
    """.split()  # noqa: SIM905 (read as words)
)
_TEXT = re.compile(rf"{TEXTS}|facts?|memor(?:y|ies)|knowledge|backgrounds?|instructions?|data|histor(?:y|ies)|orders?|advice|findings?")

_HEADERS = frozenset(
    """
    aan an assunto asunto bcc betreff cc date datum de enviado envoyé from fw fwd gesendet inviato message-id objet oggetto onderwerp
    para re reply-to return-path sent subject to van von
    """.split()  # noqa: SIM905 (read as words)
)
# A label with one of these is part of a sentence, not a name.
_SENTENCE = frozenset(
    """
    a about after all also always am an and any are as at be before but by call can can't could decided did do does doesn't don't each
    every for forget from going had has hate have here how i i'd i'll i'm i've if in instead into is it it's its just keep keeping
    keeps let let's like love make makes making me more most my need needs never no not of on one's only or our over per please prefer
    rather remember should so some switch switched than that the then there these think this those to too under until us use used
    using very via want wants was we we'd we'll we're we've were what when where which while who why will with won't would yes you
    your
    """.split()  # noqa: SIM905 (read as words)
)


def _label_of(low: str, start: int, end: int) -> re.Match[str] | None:
    """Return the label and colon that a line starts with; None if it has none."""
    return _LABEL.match(low, start, end)


def names_somebody(low: str, start: int, end: int) -> bool:
    """Return whether a line starts with a label that is not a topic: a speaker, a header, a key."""
    found = _label_of(low, start, end)
    if found is None:
        return False
    words = _WORD.findall(found["label"])
    if not words or (words[0] in _HEADERS and len(words) == 1):
        return True
    return len(words) <= _LONGEST and _SENTENCE.isdisjoint(words) and word_class("topic").isdisjoint(words) and not _is_phrase(words)


def _is_phrase(words: Sequence[str]) -> bool:
    """Return whether a label is a phrase of common words that no name is made of, nor tells who speaks or what text follows.

    "Refresh logic", "new rhythm", "landlord's letter came"; but "Mark Rose", "support bot", "search results".
    """
    plain = [word.removesuffix("'s") for word in words]
    if len(words) < 2 or not _SPEAKERS.isdisjoint(plain):
        return False
    if not set(WEEKDAYS).isdisjoint(plain):
        return True
    if not all(map(is_everyday, plain)):
        return False
    last = plain[-1]
    person = _PERSON.fullmatch(last) is not None and last not in word_class("thing-by-ending")
    if _TEXT.fullmatch(last) or person or last in word_class("kin"):
        return False
    described = possible_tags(plain[0]) == "A"  # "big change"
    return set("dzgNV" if described else "dzgN").issuperset(possible_tags(last))
