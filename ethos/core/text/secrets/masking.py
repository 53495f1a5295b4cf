"""Mask secrets: find them by their form, and replace them before a text is written anywhere (docs/threats.md, promise 7).

Precision comes first: the key formats of issuers (the ids follow gitleaks), then values that a sentence or a setting calls a password.
A text without any of the literals costs one pass of the automaton. A mask identifies its secret by a keyed hash, never a plain one,
which could be guessed from a list of likely passwords.
"""

from __future__ import annotations

import hmac
from functools import cache

import regex
from ahocorasick_rs import AhoCorasick, Implementation

from ethos.core.text.secrets.forms import FORMS

_SHOWN = 6  # hexadecimal digits of the keyed hash: distinguishes two secrets and reveals nothing
_MASKED = regex.compile(r"\[secret:[a-z-]{2,20}:[0-9a-f]{6}\]")  # the mask of an earlier run
_PICTURE = regex.compile(r"data:[\w/+.-]{1,60}(?:;[\w=.-]{1,40}){0,4};base64,[\w+/=-]*+")  # long enough to look like any key
_LITERALS = [literal for form in FORMS for literal in form.literals]
_FORM_OF = [number for number, form in enumerate(FORMS) for _ in form.literals]


@cache
def _automaton() -> AhoCorasick:
    """Build the automaton of all literals on first use. A DFA would be 0.6 us a turn faster and take 13 MiB more."""
    return AhoCorasick(_LITERALS, implementation=Implementation.ContiguousNFA)


def mask(text: str, key: bytes) -> tuple[str, tuple[str, ...]]:
    """Return the text with `[secret:<form>:<6 hex digits>]` in place of every secret, and the forms found, in order of place.

    key: of the keyed hash (HMAC-SHA-256); the same secret under the same key always gives the same digits. Masking twice changes nothing.
    """
    hits = _automaton().find_matches_as_indexes(text, overlapping=True)
    if not hits:
        return text, ()
    places: dict[int, set[int]] = {}
    for literal, start, _ in hits:
        places.setdefault(_FORM_OF[literal], set()).add(start)
    spans = _spans(text, places)
    if not spans:
        return text, ()
    pieces: list[str] = []
    end = 0
    for start, stop, name in spans:
        shown = hmac.digest(key, text[start:stop].encode("utf-8", "surrogatepass"), "sha256").hex()[:_SHOWN]
        pieces += (text[end:start], f"[secret:{name}:{shown}]")
        end = stop
    return "".join((*pieces, text[end:])), tuple(name for _, _, name in spans)


def _spans(text: str, places: dict[int, set[int]]) -> list[tuple[int, int, str]]:
    """Return the spans of the secrets, given the positions of each form's literals; of two that overlap, the earlier form wins."""
    taken = bytearray(len(text))  # one byte a character: a check costs the length of the span, however many were found before
    for match in _MASKED.finditer(text):
        _take(taken, *match.span())
    if ";base64," in text:
        for match in _PICTURE.finditer(text):
            _take(taken, *match.span())
    found: list[tuple[int, int, str]] = []
    for number in sorted(places):
        form = FORMS[number]
        for position in sorted(places[number]):
            if taken[position]:
                continue
            for span in form.spans_at(text, position):
                if taken.find(1, *span) < 0:
                    _take(taken, *span)
                    found.append((*span, form.name))
    return sorted(found)


def _take(taken: bytearray, start: int, stop: int) -> None:
    taken[start:stop] = b"\1" * (stop - start)
