"""States: the clauses that tell what is so for as long as nobody says otherwise, and what they tell of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ethos.core.text.language.clause import After, Clause, Form
from ethos.core.text.language.lexicon import word_class
from ethos.core.text.language.noun_phrases import head_noun
from ethos.core.text.language.specific import is_bare_noun, is_name

PRONOUNS: Final = "iwyhtPpE"  # their tags


def tells_state(clause: Clause, words: Sequence[str], tags: str, low: int, high: int) -> bool:
    """Return whether a clause that holds from now on tells a state of a thing: "rspack does the bundling again", not "I am back now"."""
    if clause.verb == "be" and clause.after != After.NOUN:
        return False
    if not clause.after & (After.NOUN | After.PREPOSITION) or tags[low] in PRONOUNS:
        return False
    head = head_noun(words, tags, low, high)
    return head not in word_class("empty") if head else tags[low] in "Dmu" and tags[high - 1] == "g"


def tells_name(clause: Clause, words: Sequence[str], tags: str, low: int, high: int) -> bool:
    """Return whether a clause tells a state whose object is a name: "the proxy is nginx", "the hero is called Pim"."""
    passive = clause.form & Form.PASSIVE > 0
    if not passive and clause.verb not in word_class("state"):
        return False
    if passive:
        return is_name(words, tags, (low, high), any_word=clause.verb in word_class("naming"))
    return is_name(words, tags, (low, high)) or (words[clause.head] in ("is", "'s") and is_bare_noun(words, tags, (low, high)))
