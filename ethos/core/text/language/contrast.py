"""Contrast: what a phrase says that something stands in the place of: "Zulip instead of Slack", "port 9000 rather than 8000"."""

from __future__ import annotations

import re
from functools import cache

from ethos.core.text.language.lexicon import pattern_of

_MOST = 60  # characters of what is replaced


@cache
def _contrast(*, liked: bool = False) -> re.Pattern[str]:
    instead_of = pattern_of("in-place-of", "liked-better") if liked else pattern_of("in-place-of")
    end = r"[.\s]*(?=[,;:!?()\n]|\Z| (?:and|but|so|because) )"
    no_amount = rf"(?!(?:an?|half|\d+|{pattern_of('number')}) )" if liked else ""  # "more than an hour a day"
    old = rf"[^,;:!?()\n]{{2,{_MOST}}}?"
    instead = rf"(?:{instead_of}) {no_amount}(?:(?:at|by|from|in|on|to|with) )?(?P<old>{old})"
    return re.compile(rf",? (?:{instead}|in (?P<whose>{old})'s (?:place|stead)){end}")


def without_contrast(words: str, behind: str, *, liked: bool = False) -> tuple[str, str]:
    """Return words without the phrase that names what they replace, and what that is; "" if they name nothing of the kind.

    behind: the text behind the words, up to the end of their sentence; liked: what the words tell is liked, "mermaid better than plantuml".
    """
    found = _contrast(liked=liked).search(words)
    if found is not None:
        return (words[: found.start()], found["old"] or found["whose"]) if found.start() and found.end() == len(words) else (words, "")
    found = _contrast(liked=liked).match(behind)
    return words, (found["old"] or found["whose"]) if found is not None else ""


_NO_THING = "yet|now|just|only|really|sure|too|so|very|that|what|enough|even|always|all|as|at|for|in|on"
_AS_SAID = r"(?: (?:as|like) (?:i|we) (?:said|thought|told|wrote)\b[^.!?;]*)?"
_NOT_THAT = re.compile(
    rf",? (?:and )?not (?:(?:an?|the|my|our) )?(?!(?:{_NO_THING})\b)[\w.+#-]{{2,20}}(?: [\w.+#-]{{2,20}})?{_AS_SAID}\s*(?:[.,;!?)]|\Z)"
)


def is_put_right(behind: str) -> bool:
    """Return whether a folded sentence goes on behind what a thing is with what it is not: "a Worcester | , not a Vaillant"."""
    return _NOT_THAT.match(behind) is not None
