"""Captures: the groups of a match, read back from the original text."""

from __future__ import annotations

from collections.abc import Mapping

from ethos.core.model.keys import ClassOf
from ethos.core.rules.compiled import Accept
from ethos.core.rules.rule import Pronoun, Rule
from ethos.core.rules.time_limits import Match
from ethos.core.text.blanks import whole
from ethos.core.text.language.lexicon import word_class
from ethos.core.text.language.pronouns import TEAM

_OF_SPEAKER = frozenset({"i", "me", "my", "mine", "myself", "speaker"})
_OF_TEAM = frozenset({"we", "us", "our", "ours", "ourselves", "let's", "lets", "the team", "team"})

_OPENING = " \t\"'`*_([{<\u201c\u201d\u2018\u2019\u00ab"
_CLOSING = " \t\"'`*_,;:.!?>\u201c\u201d\u2018\u2019\u00bb\u2026"
_PAIRS = {")": "(", "]": "[", "}": "{"}


def groups_of(match: Match, text: str, offset: int, end: int) -> tuple[dict[str, str], int]:
    """Return the groups that took part, read back from the original text, and the offset of the first of them in the sentence.

    end: the end of the match after `qualifiers.extend_span`; its last group extends to it.
    """
    found: dict[str, str] = {}
    head = len(text)
    last = match.span()[1]
    for name, number in match.re.groupindex.items():
        low, high = match.regs[number]
        if low >= 0:
            head = min(head, low)
            if high == last:
                high = end
            found[name] = said(text, offset + low, offset + high)
    return found, head if found else match.span()[0]


def named(rule: Rule, original: str, class_of: ClassOf) -> Accept:
    """Return a predicate on matches: true if the slots that are names are capitalised in the original text.

    An object in lower case is a name as well if it is a known one: it has a class ("is written in go"). Where all is in capitals, they tell
    nothing, and only a known one is a name.
    """
    shouted = original.isupper()

    def accept(match: Match) -> bool:
        for name in rule.proper:
            if name not in match.re.groupindex:
                continue
            said = original[slice(*match.span(name))]
            if (shouted or not _capitalised(said)) and not (name == "object" and class_of(said)):
                return False
        return True

    return accept


def _capitalised(name: str) -> bool:
    """Return whether each word of a name begins with a capital."""
    return all(word[:1].isupper() for word in name.split())


def said(text: str, low: int, high: int) -> str:
    """Return the words of a span, without the marks and tags around them; of a span without words all of it."""
    start, end = trimmed(text, low, high)
    return text[slice(*whole(text, start, end, high))] if start < end else text[low:high].strip()


def trimmed(text: str, low: int, high: int) -> tuple[int, int]:
    """Return the span without the spaces, quotes and marks around it; a pair inside it (brackets, quotes) stays."""
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
    """Return whether a quotation mark or backtick has its other half inside the span."""
    return mark in '"`' and text.count(mark, low, high) % 2 == 0


def translated(said: str, pronouns: Mapping[str, Pronoun]) -> str:
    """Return a subject with the English word for a speaker's pronoun of another language: "meine Frau" becomes "my Frau"."""
    folded = said.lower()
    if (whole := pronouns.get(folded)) is not None:
        return whole
    first, _, rest = said.partition(" ")
    owner = pronouns.get(first.lower())
    return f"{owner} {rest}" if owner in ("my", "our") and rest else said


def claim_subject(said: str, speaker: str) -> str:
    """Return the subject of a claim: I is the speaker, we is the team, my wife and our son are the speaker's, and our deploys are the
    deploys.
    """
    folded = said.lower().replace("\u2019", "'")
    if folded in _OF_SPEAKER:
        return speaker
    if not folded or folded in _OF_TEAM:
        return TEAM
    if folded.startswith("my "):
        return f"{speaker}'s {said[3:]}"
    if folded.startswith("our "):
        return f"{speaker}'s {said[4:]}" if not word_class("kin").isdisjoint(folded.split()) else said[4:]
    if folded in word_class("address"):
        return f"{speaker}'s {folded}"
    first, _, rest = said.partition(" ")
    if rest and first.lower() in word_class("ahead-of-subject"):
        return rest
    return said.removesuffix("'s").removesuffix("\u2019s")
