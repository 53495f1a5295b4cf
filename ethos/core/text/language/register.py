"""Register: whether a turn states things, or cheers somebody.

Whoever tells an assistant what it is to know, states it: "my car takes diesel". Friends who chat cheer each other, and what they say of
things without a name is mostly small talk: "art helps us understand each other!"
"""

from __future__ import annotations

import re

from ethos.core.text.language.lexicon import word_class
from ethos.core.text.language.tagging import PAST_AUXILIARIES, possible_tags, words_of
from ethos.core.text.memoize import ChunkCache

_BEING_DONE = re.compile(r"(?:is|are|am|has been|have been) (?!(?:leading|running|managing|heading|chairing)\b)\w+ing\b", re.IGNORECASE)
_LONGEST = 400  # characters of a turn that states a thing or two
_cheers = ChunkCache(lambda chunk: not word_class("cheering").isdisjoint(words_of(chunk))).__getitem__


def is_sober(low: str) -> bool:
    """Return whether a folded turn is short and cheers nobody."""
    return len(low) <= _LONGEST and "!" not in low and low.count(" ") > 1 and not any(map(_cheers, low.split()))


def tells_what_lasts(predicate: str) -> bool:
    """Return whether a predicate tells what is so, and not what was or is being done: "takes", "is leading", not "is waiting for"."""
    verb = predicate.partition(" ")[0].lower()
    past = verb in PAST_AUXILIARIES or (possible_tags(verb).startswith("d") and "V" not in possible_tags(verb))
    return not past and _BEING_DONE.match(predicate) is None
