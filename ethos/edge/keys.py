"""Keys: secrets of this memory's own, for keyed hashes, each in a file of mode 0600 in the state folder, made at its first use."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from ethos.core.errors import refuse

LENGTH = 32  # bytes


def key(state: Path, file: str, *, hint: str) -> bytes:
    """The key in this file. hint: what to do where it is damaged. Raises Refused."""
    path = state / file
    try:
        if not path.exists():
            _make(state, path)
        found = path.read_bytes()
    except OSError as error:
        raise refuse(
            "store", f"no key: {error.strerror}", hint="the state folder must be ours to read and write", where=str(path)
        ) from error
    if len(found) != LENGTH:
        raise refuse("store", "the key is damaged", hint=hint, where=str(path))
    return found


def _make(state: Path, path: Path) -> None:
    """A new key that appears whole or not at all; where two processes make one at once, the first one counts."""
    state.mkdir(mode=0o700, parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.{os.getpid()}")
    handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        os.write(handle, secrets.token_bytes(LENGTH))
        os.fsync(handle)
        os.link(partial, path)
    except FileExistsError:
        return
    finally:
        os.close(handle)
        partial.unlink()
