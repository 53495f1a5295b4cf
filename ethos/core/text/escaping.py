"""Escaping: make text of unknown origin harmless for the place where it is shown.

Captured text may contain anything: terminal escapes, right-to-left text, invisible letters, Markdown that draws a ticked box.
`plain` is for terminals, logs and status lines; `markdown` and `quote` are for the review file.
The stored text is never changed, only what is shown.
"""

from __future__ import annotations

import regex

from ethos.core.text import folding

_QUOTE_LINES = 12
_QUOTE_WIDTH = 240

_LONGEST = 50_000  # characters read; a turn can be a million long, and only its beginning is shown
_ESCAPES = regex.compile(
    r"(?:\x1b\]|\x9d)[^\x07\x1b\x9c]{0,2000}(?:\x07|\x1b\\|\x9c)"  # OSC with its end; without one its text is shown, not swallowed
    r"|(?:\x1b\[|\x9b)[0-?]{0,100}[ -/]{0,10}[@-~]"  # CSI: colours, cursor, erase
    r"|\x1b[ -/]{0,10}[0-~]"  # the other escapes
)
_LINES = regex.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_SURROGATES = regex.compile(r"\p{Cs}")
UNSEEN = r"\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}"  # for `regex`: controls, bidi, zero width, tags, variation selectors
_UNSEEN = regex.compile(rf"[{UNSEEN}]")
_SPACES = regex.compile(r"[\s\u2800]+")
_MARKS = regex.compile(
    r"[\\`*\[\]<>!$^|~@]"  # code, emphasis, links, HTML, images, mathematics, footnotes and anchors, tables, strikes, mail and mentions
    r"|(?<![^\W_])_|_(?![^\W_])"  # an underscore inside a word has no effect
    r"|&(?=#?\w+;)"  # an entity could restore a removed character
    r"|(?<=%)%|(?<==)=|:(?=//)|(?<=\bwww)\."  # hidden comments, highlights, bare links
)
# Marks that have an effect only at the start of a line.
_STARTS = regex.compile(r"^(?:(?P<mark>[-+#=:%])|(?P<number>\d{1,9})(?P<after>[.)]))")


def _visible(raw: str) -> str:
    return _SPACES.sub(" ", _UNSEEN.sub("", _SURROGATES.sub("\ufffd", raw))).strip()


def plain(raw: str, length: int = 2_000) -> str:
    """Return one line of at most `length` characters (and `...`), without invisible characters or cursor movements."""
    text = raw[:_LONGEST]
    if text.isascii() and text.isprintable():  # most texts: nothing is to be taken out of them but spaces
        return folding.truncate(" ".join(text.split()), length)
    return folding.truncate(_visible(_LINES.sub(" ", _ESCAPES.sub("", text))), length)


def markdown(raw: str, length: int = _QUOTE_WIDTH) -> str:
    """Return the text of `plain` with every sign of Markdown escaped.

    Double quotes become single ones, so that text shown between double quotes cannot end early.
    """
    return _escaped(plain(raw, length).replace('"', "'"))


def quote(raw: str) -> tuple[str, ...]:
    """Return the text as Markdown quote lines, escaped: each begins with `> `; at most 12 lines of 240 characters."""
    whole = _LINES.split(_ESCAPES.sub("", raw[:_LONGEST]))
    lines = [line for line in map(_visible, whole) if line]
    shown = ["> " + _escaped(folding.truncate(line, _QUOTE_WIDTH)) for line in lines[:_QUOTE_LINES]]
    return (*shown, "> ...") if len(lines) > _QUOTE_LINES or len(raw) > _LONGEST else tuple(shown)


def _escaped(line: str) -> str:
    marked = _MARKS.sub(lambda found: "\\" + found[0], line)
    return _STARTS.sub(lambda found: "\\" + found["mark"] if found["mark"] else found["number"] + "\\" + found["after"], marked)
