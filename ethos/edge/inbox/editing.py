"""Edit a copy of the review file in the person's editor and check it afterwards, as visudo does.

A copy with a mistake is refused as a whole: the person edits it again, saves it all the same, or drops it. If the file was saved meanwhile,
both versions are merged, and neither loses text.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from ethos.core import review
from ethos.core.model.errors import Refused, refuse
from ethos.edge.files import locks
from ethos.edge.inbox.file_version import FileVersion, InUse, Unusable
from ethos.edge.inbox.markdown import MarkdownInbox

Choice = Literal["edit", "save", "drop"]
Outcome = Literal["saved", "merged", "unchanged", "dropped"]


def edit(inbox: MarkdownInbox, state: Path, editor: Sequence[str], ask: Callable[[Sequence[str]], Choice] | None) -> Outcome:
    """Let a person edit the file. ask: asks what to do about mistakes; None: nobody can answer. Raises Refused with the kept copy."""
    with locks.hold(state, locks.EDIT, f"{inbox.path} is being edited in another terminal"):
        before = _current(inbox)
        folder = Path(tempfile.mkdtemp(prefix="edit-", dir=state))
        copy = folder / inbox.path.name
        copy.write_bytes(before.data or b"")
        try:
            outcome = _edited(inbox, before, copy, editor, ask)
        except Refused as refused:
            if copy.exists() and copy.read_bytes() != before.data:
                raise
            _drop(folder)  # the copy is unchanged
            raise Refused(replace(refused.problem, where="")) from None
        _drop(folder)
        return outcome


def _drop(folder: Path) -> None:
    for left in folder.iterdir():
        left.unlink()
    folder.rmdir()


def mistakes(before: FileVersion, copy: Path, data: bytes) -> tuple[str, ...]:
    """Return the mistakes in an edited copy, one sentence each."""
    try:
        parsed, known = FileVersion(copy, data).parsed(), {block.id for block in before.parsed().blocks}
    except Unusable as trouble:
        return (str(trouble),)
    found = [f"{question}: {hint}" for question, hint in review.read(parsed).hints.items()]
    strange = dict.fromkeys(block.id for block in parsed.blocks if block.id not in known)
    found += [f"{question}: no entry of this file has that id, so it would be set aside" for question in strange]
    return ("the marks of a merge conflict (<<<<<<<) stand in it", *found) if parsed.conflicted else tuple(found)


def _current(inbox: MarkdownInbox) -> FileVersion:
    try:
        before = inbox.current()
        before.decoded()
    except Unusable as trouble:
        raise refuse("bad-input", str(trouble), hint="answer with `ethos answer`") from None
    if before.data is None:
        raise refuse("not-found", "there is no review file yet", hint="ethos consolidate writes it", where=str(inbox.path))
    return before


def _edited(
    inbox: MarkdownInbox, before: FileVersion, copy: Path, editor: Sequence[str], ask: Callable[[Sequence[str]], Choice] | None
) -> Outcome:
    while True:
        _run([*editor, str(copy)])
        data = copy.read_bytes()
        if data == before.data:
            return "unchanged"
        wrong = mistakes(before, copy, data)
        if wrong and ask is None:
            what = f"nothing was applied; your copy has mistakes: {'; '.join(wrong)}"
            raise refuse("needs-person", what, hint="ethos inbox --edit, and tick again", where=str(copy))
        choice = ask(wrong) if wrong and ask else "save"
        if choice == "drop":
            return "dropped"
        if choice == "save":
            return _hand_in(inbox, before, copy, data)


def _hand_in(inbox: MarkdownInbox, before: FileVersion, copy: Path, data: bytes) -> Outcome:
    try:
        return "saved" if inbox.hand_in(before, data) else "merged"
    except Unusable as trouble:
        code: Literal["busy", "bad-input"] = "busy" if isinstance(trouble, InUse) else "bad-input"
        raise refuse(code, f"nothing was applied: {trouble}", hint="your copy is kept", where=str(copy)) from None


def _run(command: Sequence[str]) -> None:
    try:
        code = subprocess.run(command, check=False).returncode  # noqa: S603 (the person's own editor)
    except OSError as error:
        raise refuse("usage", f"the editor cannot be started: {command[0]}: {error.strerror}", hint="set $EDITOR") from None
    if code:
        raise refuse("usage", f"the editor ended with {code}, so nothing was applied", hint="try again", where=command[-1])
