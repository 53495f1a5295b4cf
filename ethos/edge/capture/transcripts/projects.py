"""Name the project of a conversation: the git root of the folder that the transcript names (docs/requirements.md, Settled)."""

from __future__ import annotations

import re
from pathlib import Path

from ethos.core.text.memoize import memoized

_PARTS = re.compile(r"[/\\]+")
_WORKTREE = re.compile(r"^gitdir: (.+?)/\.git/worktrees/[^/\n]+\s*$")


@memoized(64, longest=1_000)  # a path is longer than the texts usually remembered, and repeats with every line
def project_of(cwd: str) -> str:
    """Return the name of the git root above `cwd`, else the folder's own name, else "default". Does not run git.

    A worktree counts as the repository it was made from.
    """
    parts = [part for part in _PARTS.split(cwd) if part]
    return repository_of(cwd) or parts[-1] if parts else "default"


@memoized(64, longest=1_000)
def repository_of(cwd: str) -> str | None:
    """Return the name of the git root above `cwd`; None: there is none, or it cannot be read."""
    folder = Path(cwd)
    try:
        if folder.is_absolute() and folder.is_dir():
            for candidate in (folder, *folder.parents):
                mark = candidate / ".git"
                if mark.is_dir():
                    return candidate.name or "default"
                if mark.is_file():
                    main = _WORKTREE.match(mark.read_text(encoding="utf-8", errors="replace")[:4096])
                    return Path(main[1]).name if main else candidate.name or "default"
    except (OSError, ValueError):  # not readable, or no valid path
        return None
    return None
