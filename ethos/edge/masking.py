"""Masking: the key that tells masked secrets apart, kept beside the memory, and the mask that uses it."""

from __future__ import annotations

import os
import secrets
from functools import partial
from pathlib import Path

from ethos.core.errors import refuse
from ethos.core.secrets import mask
from ethos.edge.transcripts.episodes import Mask

FILE = "masking.key"
LENGTH = 32  # bytes


def masker(state: Path) -> Mask:
    """What takes the secrets out of a text, with the key in this state folder, which is made at the first use. Raises Refused."""
    return partial(_masked, key=_key(state))


def _masked(text: str, *, key: bytes) -> str:
    return mask(text, key)[0]


def _key(state: Path) -> bytes:
    path = state / FILE
    try:
        if not path.exists():
            _make(state, path)
        key = path.read_bytes()
    except OSError as error:
        hint = "the state folder must be ours to read and write"
        raise refuse("store", f"no masking key: {error.strerror}", hint=hint, where=str(path)) from error
    if len(key) != LENGTH:
        hint = "delete the file; a new key is made, and the marks of secrets differ from then on"
        raise refuse("store", "the masking key is damaged", hint=hint, where=str(path))
    return key


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
