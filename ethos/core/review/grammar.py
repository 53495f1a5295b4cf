"""The grammar of the review file, version 1: the form of each line that Ethos writes.

The parts that depend on kinds of entries are derived from `KINDS`. Every other line is the person's.
"""

from __future__ import annotations

import regex

from ethos.core.model.records import Action
from ethos.core.review.kinds import KINDS, EntryKind
from ethos.core.text.plurals import plural

TITLE = "# Memory review"
VERSION = "<!-- ethos-inbox v1 -->"
INTRO = (
    "Each entry below holds two claims that do not go together. Put an x in the box of what should stand, and save the file.",
    "Until then both stand. What you write after `note:`, or anywhere else in this file, is kept.",
)
SHADOW = (
    "The first nights change nothing: `ethos report` says what the last one would change. Shall they? Then type `ethos sleep`; "
    "to keep them off, set `enabled = false` in `[sleep]`."
)
EMPTY = "Nothing to review."
RESOLVED = "## Resolved"
TAIL = "<!-- ethos: what stands below this line is yours and stays as it is -->"
NOTE = "note:"
HINT = "> ⚠ "
EDITED = "> edited, and not taken: "  # before a claim that a person edited

NAMED = {  # patterns of the actions that a person's line mentions
    kind.prefix: regex.compile(r"\b(?:" + "|".join(kind.actions) + r")\b", regex.IGNORECASE) for kind in KINDS
}
_ANY = "".join(kind.prefix for kind in KINDS)
_HASH = r"-[0-9a-z]{1,32}"
_ID = rf"[{_ANY}]{_HASH}"
_HEADINGS = "|".join(rf"{regex.escape(kind.heading)} · (?P<id>{kind.prefix}{_HASH})" for kind in KINDS)
_WORDS = "|".join(sorted({action.replace("-", r"[\W_]?") for kind in KINDS for action in kind.actions}))

IS_ID = regex.compile(_ID)
HEADER = regex.compile(rf"### \[[^\]]*\] (?:{_HEADINGS})\s*")
END = regex.compile(rf"\s*<!-- /ethos (?P<id>{_ID}) -->\s*")
BOX = regex.compile(rf"[ ]{{0,3}}[-*+][ \t]+\[(?P<mark>[ xX✓]?)\][ \t]+(?P<action>[A-Za-z_-]{{1,40}})[ \t]+\^(?P<id>{_ID})[ \t]*")
ATTEMPT = regex.compile(  # a malformed tick: a box with something in it, and words that only our boxes have
    r"[ \t]{0,9}(?:[-*+]|\d{1,9}[.)])?[ \t]{0,9}\[[ \t]{0,9}[^\s\[\]]{1,3}[ \t]{0,9}\]"
    rf"(?:.*(?:\^[{_ANY}]-|\b(?:{_WORDS})\b).*|[ \t]{{0,9}}[\w-]{{1,40}}[ \t]*)",
    regex.IGNORECASE,
)
NOTED = regex.compile(r"[ \t]*note:[ \t]*(?P<text>.*)", regex.IGNORECASE)
MORE = regex.compile(r"_\d+ more wait; they are shown as these are answered\._")
FOLD = regex.compile(r"<details><summary>[\d,]+ more questions?\. A tick counts here, too\.</summary>")
UNFOLD = "</details><!-- ethos: the last of them -->"
CONFLICT_MARK = regex.compile(r"^<{7}(?:[ \r\n]|$)", regex.MULTILINE)
FIXED = frozenset(
    {TITLE, VERSION, *INTRO, SHADOW, EMPTY, RESOLVED, TAIL, UNFOLD, *(line for kind in KINDS for line in kind.section if line)}
)

_FIELDS = {kind.prefix: regex.compile(rf"\*\*(?:{'|'.join((*kind.fields, 'Resolved'))}):\*\*.*") for kind in KINDS}


def field(kind: EntryKind) -> regex.Pattern[str]:
    """Return a pattern of the lines `**Name:** ...` in entries of this kind."""
    return _FIELDS[kind.prefix]


def actions_line(kind: EntryKind) -> str:
    """Return the line that lists the actions (E-31)."""
    return "Actions: " + " | ".join(f"`{action}`" for action in kind.actions)


def valid(kind: EntryKind) -> str:
    """Return the actions as part of a sentence, like "keep-old, keep-new or keep-both"."""
    *most, last = kind.actions
    return f"{', '.join(most)} or {last}" if most else last


def box(action: Action, question: str, *, ticked: bool) -> str:
    """Return the line that a person ticks."""
    return f"- [{'x' if ticked else ' '}] {action} ^{question}"


def fold(number: int) -> str:
    """Return the line above the questions that stand folded."""
    return f"<details><summary>{plural(number, 'more question')}. A tick counts here, too.</summary>"


def end(question: str) -> str:
    """Return the line that ends an entry."""
    return f"<!-- /ethos {question} -->"


def is_any(line: str, *patterns: regex.Pattern[str]) -> bool:
    """Return whether the whole line has one of these forms."""
    return any(pattern.fullmatch(line) for pattern in patterns)
