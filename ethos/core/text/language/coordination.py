"""Bounds of clauses, for those who cut sentences by other means: where one ends and the next begins, and what can be no subject."""

from __future__ import annotations

import re

from ethos.core.text.language.clause import Form
from ethos.core.text.language.clauses import parsed
from ethos.core.text.language.tagging import possible_tags, tag, words_of

_JOINT = re.compile(r"(?<=\S) (?:and|but|or) (?=\S)")


_ASKS = re.compile(  # a question without its mark
    r"(?<=\S)(?:,? (?:so |and |but )?)(?:(?:can|could|would|will) (?:you|u)\b"
    r"|(?:what|how|where|why|which|who|when)(?: else| much| many| long| far)?"
    r" (?:do|does|did|can|could|should|would|shall|will|is|are)(?:n't)? (?:i|we|you|u|they|he|she|it|the|my|our|this|that|there)\b)"
)


def clause_end(sentence: str, low: int, high: int) -> int:
    """Return where the clause of a span of a folded sentence ends: before a conjunction that another clause follows, or before a question;
    else at high.
    """
    if (asks := _ASKS.search(sentence, low)) is not None:
        high = min(high, asks.start())
    if _JOINT.search(sentence, low, high) is None:
        return high
    tagged, found = parsed(sentence)
    if tagged.places:
        return high
    spans = tagged.spans()
    for clause in found:
        at = clause.start - 1
        while at > 0 and tagged.tags[at] in "RX":
            at -= 1
        if at > 0 and tagged.tags[at] == "C" and low < spans[at][0] and spans[clause.head][0] < high and not clause.form & Form.BARE:
            return spans[at][0]
    return high


def begins_with_verb(sentence: str, at: int, kinds: str = "zdBHY") -> bool:
    """Return whether the word at an offset of a folded sentence is a finite verb, which begins no subject: "comes in at 4:30".

    kinds: the tags of the verbs that count.
    """
    if at < 0 or _is_no_verb(sentence, at):
        return False
    tagged = tag(sentence)  # as it was said: of a cleft, the clauses are of words in another order
    for (start, _), word, kind in zip(tagged.spans(), tagged.words, tagged.tags, strict=True):
        if start == at:
            return kind in kinds and "N" not in possible_tags(word)
    return False


def _is_no_verb(sentence: str, at: int) -> bool:
    """Return whether the word at an offset can be no verb, or is a noun as well, which most are: it spares a parse of the sentence."""
    first = words_of(sentence[at:].partition(" ")[0])[:1]
    return bool(first) and ("N" in possible_tags(first[0]) or possible_tags(first[0])[0] in _NO_VERBS)


_NO_VERBS = frozenset("iwyhtPpDmuIT")
