"""Noun phrases, as patterns over the tags of words (`tagging`), and the noun that heads one."""

from __future__ import annotations

import re
from collections.abc import Sequence

NP = r"(?:[iwyhtE]|P(?:A(?![A#NK]))?+|(?:D{1,2}+[mu]?+|[mu])?+(?:[A#NK]|R(?=A)|[ng](?=[A#NK])|'(?=[A#NKng])|g(?='))++)"
_NP_CHAIN = rf"(?:(?<![Vzdng])pC{NP}|m[A#NK']*+(?<=[NK])Ci|{NP}(?:R?[IT]{NP}){{0,3}}(?:C(?![iwyhtPE]){NP}(?:I{NP}){{0,2}})?)"
_LISTED = r"(?:(?<=;)|\A)(?:[DmuA#NKg']*[NK],){1,5}[DmuA#NKg']*[NK],?C[DmuA#NKg']*[NK]"  # "nuts, berries and honey"
BEGIN = r"(?:(?<![Dmu'A#NK])|(?<=[A#NK])(?=[iwyhtPEDmu]))"  # no noun phrase begins inside another
WHOM = rf"(?:{_LISTED}|{BEGIN}(?<![IT])(?:(?<![TVzdngbBHYO]){_NP_CHAIN}|{NP}))"
SUBJECT = re.compile(rf"{WHOM}(?=[RX]*+\Z)")


def head_noun(words: Sequence[str], tags: str, low: int, high: int) -> str:
    """Return the noun that a phrase is about: the last of its first run of nouns; "" if it has none."""
    head = ""
    for place in range(low, high):
        if tags[place] in "NK#":
            head = words[place]
        elif head and tags[place] != "'":
            break
    return head
