"""Secret keys for keyed hashes, one file each (mode 0600) in the state folder, created at first use."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from ethos.core.model.errors import refuse
from ethos.edge.files import folders

LENGTH = 32  # bytes


def key(state: Path, file: str, *, hint: str) -> bytes:
    """Return the key in this file. hint: what to do if it is damaged. Raises Refused."""
    path = state / file
    try:
        if not path.exists():
            _make(state, path)
        found = path.read_bytes()
    except OSError as error:
        raise refuse(
            "store", f"no key: {error.strerror}", hint="this user must be able to read and write the state folder", where=str(path)
        ) from error
    if len(found) != LENGTH:
        raise refuse("store", "the key is damaged", hint=hint, where=str(path))
    return found


def _make(state: Path, path: Path) -> None:
    """Create a key file, durable and whole or not at all. If two processes create it at once, the first one wins.

    The temporary name is random: process ids repeat, above all in a container, and a dead process may have left a file under its own.
    """
    folders.make(state)
    partial = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    try:
        folders.create(partial, secrets.token_bytes(LENGTH))
        with suppress(FileExistsError):
            os.link(partial, path)
    finally:
        partial.unlink(missing_ok=True)
    folders.sync(state)
