"""Editing: a person's editor on a copy of the review file. Only what they saved is put in its place, and only if nobody else saved."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ethos.core.errors import refuse
from ethos.edge import locks


def edit(file: Path, state: Path, editor: Sequence[str]) -> bool:
    """Whether something was changed and saved. Raises Refused; the copy is then kept, and named."""
    try:
        before = file.read_bytes()
    except FileNotFoundError:
        raise refuse("not-found", "there is no review file yet", hint="ethos consolidate writes it", where=str(file)) from None
    except OSError as error:
        raise refuse("bad-input", f"cannot be read: {error.strerror}", hint="answer with `ethos answer`", where=str(file)) from None
    state.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="edit-", dir=state))
    copy = folder / file.name
    copy.write_bytes(before)
    _run([*editor, str(copy)])
    after = copy.read_bytes()
    if after != before:
        with locks.hold(state, locks.INBOX, f"{file} is being written by another ethos process"):
            _put(after, file, before, copy)
    for left in folder.iterdir():
        left.unlink()
    folder.rmdir()
    return after != before


def _run(command: Sequence[str]) -> None:
    try:
        code = subprocess.run(command, check=False).returncode  # noqa: S603 (the person's own editor)
    except OSError as error:
        raise refuse("usage", f"the editor cannot be started: {command[0]}: {error.strerror}", hint="set $EDITOR") from None
    if code:
        raise refuse("usage", f"the editor ended with {code}, so nothing was applied", hint="try again", where=command[-1])


def _put(data: bytes, file: Path, before: bytes, copy: Path) -> None:
    if file.read_bytes() != before:
        hint = "nothing was applied; look at both and tick again"
        raise refuse("busy", f"the review file was saved by somebody else meanwhile; your copy is {copy}", hint=hint, where=str(file))
    target = file.resolve()
    fresh = target.with_name(f".{target.name}.edited")
    fresh.write_bytes(data)
    fresh.chmod(target.stat().st_mode & 0o777)
    fresh.replace(target)
