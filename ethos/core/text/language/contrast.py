"""Contrast: what a phrase says that something stands in the place of: "Zulip instead of Slack", "port 9000 rather than 8000"."""

from __future__ import annotations

import re
from functools import cache

from ethos.core.text.language.lexicon import pattern_of

_MOST = 60  # characters of what is replaced


@cache
def _contrast() -> re.Pattern[str]:
    end = r"[.\s]*(?=[,;:!?()\n]|\Z| (?:and|but|so|because) )"
    return re.compile(rf",? (?:{pattern_of('in-place-of')}) (?:(?:at|by|from|in|on|to|with) )?(?P<old>[^,;:!?()\n]{{2,{_MOST}}}?){end}")


def without_contrast(words: str, behind: str) -> tuple[str, str]:
    """Return words without the phrase that names what they replace, and what that is; "" if they name nothing of the kind.

    behind: the text behind the words, up to the end of their sentence.
    """
    found = _contrast().search(words)
    if found is not None:
        return (words[: found.start()], found["old"]) if found.start() and found.end() == len(words) else (words, "")
    found = _contrast().match(behind)
    return words, found["old"] if found is not None else ""
