"""Secrets: found by what they look like, and replaced before a text is written anywhere (TRUST, promise 8).

High precision first: the forms that issuers gave their keys (the ids follow gitleaks), then what a sentence or a setting calls a password.
A text without any of the literals costs one pass of the automaton. What was replaced is told apart by a keyed hash, never a plain one,
which could be guessed from a list of likely passwords.
"""

from __future__ import annotations

import hmac
from functools import cache

import regex
from ahocorasick_rs import AhoCorasick, Implementation

from ethos.core.text.secrets.forms import FORMS

_SHOWN = 6  # hexadecimal digits of the keyed hash: tells two secrets apart, gives nothing away
_MASKED = regex.compile(r"\[secret:[a-z-]{2,20}:[0-9a-f]{6}\]")  # what an earlier masking left
_PICTURE = regex.compile(r"data:[\w/+.-]{1,60}(?:;[\w=.-]{1,40}){0,4};base64,[\w+/=-]*+")  # letters enough to look like anything
_LITERALS = [literal for form in FORMS for literal in form.literals]
_FORM_OF = [number for number, form in enumerate(FORMS) for _ in form.literals]


@cache
def _automaton() -> AhoCorasick:
    """Build the search for all literals, when the first text is masked. This kind takes longest to build and is twice as fast."""
    return AhoCorasick(_LITERALS, implementation=Implementation.ContiguousNFA)


def mask(text: str, key: bytes) -> tuple[str, tuple[str, ...]]:
    """The text with `[secret:<form>:<6 hex digits>]` in place of every secret, and the forms that were found, in order of place.

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
    """Where secrets stand, in order, given the positions of the literals of each form; where two overlap, the earlier form has it."""
    taken = bytearray(len(text))  # one byte a character: a look at it costs no more than the span, however many were found before
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
