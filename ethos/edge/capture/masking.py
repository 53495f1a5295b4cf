"""Mask secrets, with a key kept beside the memory: equal secrets get equal marks."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from pathlib import Path

from ethos.core.model.settings import Settings
from ethos.core.text.secrets.masking import mask
from ethos.edge.files import keys

FILE = "masking.key"


class Masker:
    """Replace the secrets in texts, and count them by their form: an audit may know no more of a secret."""

    def __init__(self, state: Path) -> None:
        """Load the key from this state folder; create it at first use. Raises Refused."""
        self._key = key(state)
        self.found: Counter[str] = Counter()
        self._names = lru_cache(1_024)(self.__call__)

    def __call__(self, text: str) -> str:
        """Return the text with every secret masked."""
        masked, forms = mask(text, self._key)
        self.found.update(forms)
        return masked

    def name(self, text: str) -> str:
        """Mask a name that repeats with every turn, such as a session's; results are cached."""
        return self._names(text)


def key(state: Path) -> bytes:
    """Return the key of this memory's keyed hashes. Raises Refused."""
    return keys.key(state, FILE, hint="delete the file; a new key is made, and the marks of secrets differ from then on")


def masked(words: str, settings: Settings) -> str:
    """Return what a person or an agent wrote with every secret masked, as captured texts are, unless the settings say otherwise."""
    return Masker(Path(settings.ethos.state))(words) if words and settings.capture.mask_secrets else words
