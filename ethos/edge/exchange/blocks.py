"""The block of the profile in a file of the person's own: forgetting takes lines out of it, and touches nothing else of the file."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from ethos.core.learning.summaries import managed_block
from ethos.edge.files import folders
from ethos.edge.files.outputs import Outputs


def revise(file: Path, change: Callable[[str], str], outputs: Outputs) -> list[Path]:
    """Change the lines of the block; return the path where that changed the file. Raises OSError, UnicodeError.

    A block whose marks do not fit together stays as it is: what it holds is found when the file is searched.
    """
    path = Path(os.path.realpath(file))
    if not path.is_file():
        return []
    data = path.read_bytes()
    try:
        left = managed_block.revise(data.decode(), change).encode()
    except managed_block.Unreadable:
        return []
    if left == data:
        return []
    with outputs.temporary(path) as fresh:
        fresh.write_bytes(left)
        fresh.chmod(path.stat().st_mode & 0o777)
        folders.sync(fresh)
        if path.read_bytes() != data:
            raise BlockingIOError("it was saved just now: forget the same again")
        fresh.replace(path)
    folders.sync(path.parent)
    return [path]
