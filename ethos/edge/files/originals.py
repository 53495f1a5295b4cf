"""What stood in the agents' files that we changed: `connected.json` in the state folder.

It is kept as text, so that forgetting finds words in it, and with a hash of what we wrote: while nobody else has changed the file, undoing
gives the very bytes back.
"""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from ethos.edge.files import folders
from ethos.edge.files.outputs import Outputs

NAME = "connected.json"


class _Kept(NamedTuple):
    """text: what stood there; None: nothing. wrote: the hash of what we wrote."""

    text: str | None
    wrote: str | None


class Originals:
    """The originals in a state folder."""

    def __init__(self, state: Path) -> None:
        self._state = state
        self._path = state / NAME
        kept = json.loads(self._path.read_text("utf-8")) if self._path.exists() else {}
        self._files: dict[str, _Kept] = {file: _read(entry) for file, entry in kept.items()}

    def of(self, file: Path, now: bytes | None) -> tuple[bool, bytes | None]:
        """Return whether the file is still as we wrote it, and if so what stood there before (None: nothing)."""
        kept = self._files.get(str(file))
        if kept is None or now is None or kept.wrote != _hash(now):
            return False, None
        return True, None if kept.text is None else kept.text.encode()

    def note(self, file: Path, before: bytes | None, after: bytes | None) -> None:
        """Remember a change, both in UTF-8. The first one's original stays while the file is as we left it."""
        untouched, first = self.of(file, before)
        original = first if untouched else before
        self._files[str(file)] = _Kept(None if original is None else original.decode(), None if after is None else _hash(after))

    def drop(self, file: Path) -> None:
        """Leave a file's original out from now on."""
        self._files.pop(str(file), None)

    def forget(self, speaks: Callable[[str], bool]) -> list[Path]:
        """Leave out each original with a line that speaks of what is gone; undoing then takes our entries out. Return the changed files."""
        spoken = [file for file, kept in self._files.items() if any(speaks(line) for line in (file, *(kept.text or "").splitlines()))]
        for file in spoken:
            del self._files[file]
        if spoken:
            self.write()
        return [self._path] if spoken else []

    def write(self) -> None:
        """Keep what was noted."""
        self._state.mkdir(mode=0o700, parents=True, exist_ok=True)
        told = {file: kept._asdict() for file, kept in self._files.items()}
        with Outputs(self._state).temporary(self._path) as fresh:
            fresh.write_text(json.dumps(told, indent=1, ensure_ascii=False), "utf-8")
            fresh.chmod(0o600)
            folders.sync(fresh)
            fresh.replace(self._path)
        folders.sync(self._state)


def _read(entry: dict[str, str | None]) -> _Kept:
    if "text" in entry:
        return _Kept(entry["text"], entry["wrote"])
    before = entry["before"]  # as it was kept at first, in base64
    return _Kept(None if before is None else b64decode(before).decode(), entry["wrote"])


def _hash(content: bytes) -> str:
    return sha256(content).hexdigest()
