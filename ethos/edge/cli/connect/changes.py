"""Plan what changes in an agent's files, then write it: decide as a list, then do.

Each file is replaced atomically with its mode kept. What stood there is remembered (`files/originals.py`), so that undoing gives
the very bytes back while nobody else has changed the file, and takes out only our entries after somebody has.
"""

from __future__ import annotations

import difflib
import os
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ethos.core.model.errors import refuse
from ethos.edge.cli.connect.agents import Agent, Edit, Program
from ethos.edge.cli.connect.jsonc import Unreadable
from ethos.edge.files.originals import Originals


@dataclass(frozen=True, slots=True)
class Change:
    """What becomes of one file. before, after: its bytes; None: it is not there."""

    agent: str
    file: Path
    before: bytes | None
    after: bytes | None

    def diff(self) -> list[str]:
        """Return the change as a unified diff."""
        old, new = ((text or b"").decode("utf-8", "replace").splitlines() for text in (self.before, self.after))
        return list(difflib.unified_diff(old, new, str(self.file), str(self.file), lineterm="", n=2))


def connecting(agents: Iterable[Agent], program: Program, env: Mapping[str, str], home: Path) -> list[Change]:
    """Return what connecting these agents changes. Raises Refused for a file that cannot be read."""
    return _changes(agents, env, home, lambda edit, text: edit.put(text, program))


def disconnecting(agents: Iterable[Agent], originals: Originals, env: Mapping[str, str], home: Path) -> list[Change]:
    """Return what taking our entries back changes. Raises Refused for a file that cannot be read."""
    changes = []
    for change in _changes(agents, env, home, lambda edit, text: edit.take(text)):
        untouched, original = originals.of(change.file, change.before)
        changes.append(Change(change.agent, change.file, change.before, original) if untouched else change)
    return changes


def _changes(agents: Iterable[Agent], env: Mapping[str, str], home: Path, edited: Callable[[Edit, str], str]) -> list[Change]:
    changes: list[Change] = []
    for agent in agents:
        texts: dict[Path, tuple[bytes | None, str]] = {}
        for edit in agent.edits:
            file = edit.file(env, home)
            before, text = texts.get(file) or read(file)
            try:
                texts[file] = (before, edited(edit, text))
            except Unreadable as unreadable:
                hint = "mend the file, or add the entry by hand: nothing was changed"
                raise refuse("bad-input", f"{agent.title}'s file cannot be read: {unreadable}", hint=hint, where=str(file)) from None
        for file, (before, text) in texts.items():
            after = text.encode()
            if after != (before or b""):
                changes.append(Change(agent.name, file, before, after))
    return changes


def apply(changes: Iterable[Change], originals: Originals, *, undo: bool = False) -> None:
    """Write the changes and keep the originals. Raises OSError; what was written before that stays noted."""
    try:
        for change in changes:
            if undo:
                originals.drop(change.file)
            else:
                originals.note(change.file, change.before, change.after)
            write(change)
    finally:
        originals.write()


def write(change: Change) -> None:
    """Replace the file that the path leads to, links followed, or take it away, unless somebody saved it in between. Raises Refused."""
    if change.after is None:
        change.file.unlink(missing_ok=True)
        return
    file = Path(os.path.realpath(change.file))
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if (file.read_bytes() if file.exists() else None) != change.before:
        raise refuse("busy", "the file was saved while it was being changed", hint="run the command again", where=str(change.file))
    mode = file.stat().st_mode & 0o777 if file.exists() else 0o600
    _replace(file, change.after or b"", mode)


def _replace(file: Path, content: bytes, mode: int) -> None:
    with tempfile.NamedTemporaryFile(dir=file.parent, prefix=f".{file.name}.", delete=False) as fresh:
        try:
            fresh.write(content)
            fresh.flush()
            os.fchmod(fresh.fileno(), mode)
            os.fsync(fresh.fileno())
            Path(fresh.name).replace(file)
        except BaseException:
            Path(fresh.name).unlink(missing_ok=True)
            raise


def read(file: Path) -> tuple[bytes | None, str]:
    """Return the bytes of a file (None: there is none) and its text. Raises Refused where it is not a regular file, or not UTF-8."""
    if file.exists() and not file.is_file():
        raise refuse("bad-input", "not a regular file", hint="name a file of text", where=str(file))
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        return None, ""
    try:
        return content, content.decode("utf-8")
    except UnicodeDecodeError:
        raise refuse("bad-input", "the file is not UTF-8", hint="add the entry by hand", where=str(file)) from None
