"""Masking: the key that tells masked secrets apart, kept beside the memory, and the mask that uses it."""

from __future__ import annotations

import os
import secrets
from collections import Counter
from functools import lru_cache
from pathlib import Path

from ethos.core.errors import refuse
from ethos.core.secrets import mask

FILE = "masking.key"
LENGTH = 32  # bytes


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
    path = state / FILE
    try:
        if not path.exists():
            _make(state, path)
        found = path.read_bytes()
    except OSError as error:
        hint = "the state folder must be ours to read and write"
        raise refuse("store", f"no masking key: {error.strerror}", hint=hint, where=str(path)) from error
    if len(found) != LENGTH:
        hint = "delete the file; a new key is made, and the marks of secrets differ from then on"
        raise refuse("store", "the masking key is damaged", hint=hint, where=str(path))
    return found


def _make(state: Path, path: Path) -> None:
    """A new key, mode 0600, that appears whole or not at all; where two processes make one at once, the first one counts."""
    state.mkdir(mode=0o700, parents=True, exist_ok=True)
    partial_file = state / f"{FILE}.{os.getpid()}"
    handle = os.open(partial_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        os.write(handle, secrets.token_bytes(LENGTH))
        os.fsync(handle)
        os.link(partial_file, path)
    except FileExistsError:
        return
    finally:
        os.close(handle)
        partial_file.unlink()
