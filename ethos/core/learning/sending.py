"""What a language model may be sent of a text: the words of the user or the assistant that are their own.

A turn of a tool or of the system is never sent, nor is a turn that came from a page or a file. Of any other turn only the words are sent
that rules may read: no fence, inline code, quotation, pasted text, address or `<private>` part. This holds for the assistant's turns, too:
they often quote a tool's output. Secrets are masked again, because a text may be older than the form of its secret; of a mask only the
word "secret" is sent.
"""

from __future__ import annotations

import regex

from ethos.core.model.origin import Origin
from ethos.core.model.records import Episode
from ethos.core.text.private import public
from ethos.core.text.readings import Readings
from ethos.core.text.secrets.masking import mask
from ethos.core.text.sentences import FILLER

_HIDDEN = "(secret)"
_MASK = regex.compile(r"\[secret:[^\]\n]{1,40}\]")
_OWN = regex.compile(rf"[^\n{FILLER}]+")
_NO_KEY = b"-"  # the digits that a key gives are left out


def may_be_sent(episode: Episode) -> bool:
    """Return whether the episode is a turn of the user or the assistant, by its role and by where it comes from."""
    return episode.role in {"user", "assistant"} and episode.origin >= Origin.ASSISTANT


def own_words(text: str, readings: Readings) -> str:
    """Return the words of a text that may be sent, line by line; "" where there are none."""
    masked, _ = mask(public(text), _NO_KEY)
    masked = _MASK.sub(_HIDDEN, masked)
    plain = readings.of(masked).plain
    kept: list[str] = []
    end = 0
    for found in _OWN.finditer(plain):
        start = found.start()
        kept += ("\n" if "\n" in masked[end:start] else " ", masked[start : found.end()])
        end = found.end()
    lines = (" ".join(line.split()) for line in "".join(kept).splitlines())
    return "\n".join(line for line in lines if any(map(str.isalnum, line)))
