"""Slots: what the groups of a match say, read back from the text as it was written."""

from __future__ import annotations

from ethos.core.rules.compiled import Accept
from ethos.core.rules.rule import Rule
from ethos.core.rules.time_limits import Match

SPEAKER = frozenset({"i", "me", "my", "mine", "myself", "speaker"})
TEAM = frozenset({"we", "us", "our", "ours", "ourselves", "let's", "lets", "the team", "team"})

_OPENING = " \t\"'`*_([{<\u201c\u201d\u2018\u2019\u00ab"
_CLOSING = " \t\"'`*_,;:.!?>\u201c\u201d\u2018\u2019\u00bb\u2026"
_PAIRS = {")": "(", "]": "[", "}": "{"}


def groups_of(match: Match, text: str, offset: int, end: int) -> tuple[dict[str, str], int]:
    """The groups that took part, read back from the text as it was written, and where the first of them begins in the sentence.

    end: where the match ends indeed (`tails.whole`), and what its last group goes up to.
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
            low, high = _trimmed(text, offset + low, offset + high)
            found[name] = text[low:high]
    return found, head if found else match.span()[0]


def named(rule: Rule, original: str) -> Accept:
    """Whether the slots that are names have their capitals in the text as it was written."""
    return lambda match: all(_capitalised(original[slice(*match.span(name))]) for name in rule.proper if name in match.re.groupindex)


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


def subject_of(said: str, speaker: str) -> str:
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
