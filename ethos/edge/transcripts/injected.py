"""Injected text: what a harness put into a person's turn, marked by tags. It is taken out, so that only what the person said is left.

Without it, memories that were served come back as if they had been said (FIELD, pain 1; TRUST, promise 5).
"""

from __future__ import annotations

from collections.abc import Iterable

import regex

from ethos.core import private

PRIVATE = (private.NAME,)  # a person's own mark: leave this out of memory
MEMORY = (
    "ethos-memory",  # what Ethos serves is wrapped in this
    "memory",
    "memories",
    "claude-mem-context",
    "supermemory-context",
    "relevant-memories",
    "relevant_memories",
    "user_memories",
)
REMINDERS = ("system-reminder", "system_reminder")


class Tags:
    """A set of tag names. `strip(text)` takes every element with one of them out of a text, its content included."""

    def __init__(self, names: Iterable[str]) -> None:
        spelled = "|".join(f"(?i:{name})" if name in PRIVATE else regex.escape(name) for name in sorted(names, reverse=True))
        self._token = regex.compile(rf"<[ \t]{{0,3}}(/?)[ \t]{{0,3}}({spelled})(?=[\s/>])[^<>]*>")

    def strip(self, text: str) -> str:
        """The text without these elements, edges trimmed; a text without any is returned as it is.

        Nested elements go with the outer one. An element that is never closed is a mere mention, and stays. A closing tag too many is
        taken for a forgery of the content before it: everything since the element of that name goes as well.
        """
        if "<" not in text or not self._token.search(text):
            return text
        kept: list[str] = []
        start, name, depth, opened, last = 0, "", 0, 0, ""
        for token in self._token.finditer(text):
            closing, found = bool(token[1]), token[2].lower()
            if depth == 0 and not closing:
                kept.append(text[start : token.start()])
                opened, name, depth = token.start(), found, 1
            elif depth and found == name:
                depth += -1 if closing else 1
                if depth == 0:
                    start, last = token.end(), name
            elif depth == 0 and found == last:
                start = token.end()
        kept.append(text[opened if depth else start :])
        return "".join(kept).strip()
