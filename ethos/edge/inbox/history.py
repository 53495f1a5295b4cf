"""Keep what people saved, byte for byte, before it is replaced, and the blocks that no longer belong in the file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from ethos.edge.files import folders
from ethos.edge.inbox.file_version import FileVersion, errors

KEPT = timedelta(days=30)
_VERSION = re.compile(r"[0-9]+T[0-9]+Z-")


def folder(state: Path) -> Path:
    """Return the folder of the kept versions."""
    return state / "history"


def keep(state: Path, found: FileVersion, now: datetime) -> None:
    """Keep this version, unless the same bytes are kept already; remove versions older than 30 days. Raises OSError."""
    if found.data is None:
        return
    place, suffix = folder(state), found.path.suffix
    folders.make(place)
    version = f"-{found.digest[:12]}{suffix}"
    versions = [path for path in place.iterdir() if _VERSION.match(path.name) and path.suffix == suffix]  # glob caches each pattern
    kept = next((path for path in versions if path.name.endswith(version)), None)
    if kept is None:
        kept = place / f"{now.astimezone(UTC):%Y%m%dT%H%M%SZ}{version}"
        partial = kept.with_name(f".{kept.name}.new")
        partial.unlink(missing_ok=True)
        folders.create(partial, found.data)
        partial.replace(kept)
        folders.sync(place)
    oldest = f"{now.astimezone(UTC) - KEPT:%Y%m%dT%H%M%SZ}"
    for other in versions:
        if other.name < oldest and other != kept:
            other.unlink(missing_ok=True)


def orphans_beside(path: Path) -> Path:
    """Return the path of the file for entries that the store does not know."""
    return path.with_name(f"{path.stem}.orphans{path.suffix}")


def set_aside(path: Path, blocks: Sequence[str]) -> None:
    """Append blocks to the orphans of the file at `path`, except those already there. Raises OSError."""
    if not blocks:
        return
    orphans = orphans_beside(path)
    folders.make(orphans.parent)
    present = orphans.read_bytes() if orphans.exists() else b""
    new = [data.rstrip() for data in (block.encode("utf-8", errors("utf-8")) for block in blocks)]
    folders.append(orphans, [data + b"\n\n" for data in new if data not in present])
