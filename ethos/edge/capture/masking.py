"""Masking: the key that tells masked secrets apart, kept beside the memory, and the mask that uses it."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from pathlib import Path

from ethos.core.text.secrets.masking import mask
from ethos.edge.files import keys

FILE = "masking.key"


class Masker:
    """Takes the secrets out of texts, and counts them by their form: what an audit may know of a secret."""

    def __init__(self, state: Path) -> None:
        """With the key in this state folder, which is made at the first use. Raises Refused."""
        self._key = key(state)
        self.found: Counter[str] = Counter()
        self._names = lru_cache(1_024)(self.__call__)

    def __call__(self, text: str) -> str:
        """The text with a mark in place of every secret."""
        masked, forms = mask(text, self._key)
        self.found.update(forms)
        return masked

    def name(self, text: str) -> str:
        """The same for a name, such as a session's, which comes again with every turn."""
        return self._names(text)


def key(state: Path) -> bytes:
    """The key of this memory's keyed hashes. Raises Refused."""
    return keys.key(state, FILE, hint="delete the file; a new key is made, and the marks of secrets differ from then on")
