"""Check configuration, folders and their permissions, disk, rules, and review file."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from ethos.core.model.settings import Settings
from ethos.core.text.plurals import plural
from ethos.edge.client.connection import Connection
from ethos.edge.files import free_space, ownership
from ethos.edge.files.store_files import StoreFiles, files_of
from ethos.edge.inbox import MarkdownInbox
from ethos.edge.ops.doctor.check import Check, fail, quoted, warn, well
from ethos.edge.render.report import size

_LITTLE_FREE = 500 * 1024 * 1024  # bytes


def checks(connection: Connection) -> Iterator[Check]:
    """Yield all these checks."""
    yield from _configuration(connection.loaded.file)
    yield from _places(connection.settings)
    yield from _disk(files_of(connection.settings))
    yield from _rules(connection)
    yield from _inbox(connection.settings, connection.state)
    yield from _followed(connection.settings)


def _configuration(file: Path | None) -> Iterator[Check]:
    yield well("setup", "configuration", str(file) if file else "no file; every setting has its default or comes from the environment")
    if file is not None and file.stat().st_mode & stat.S_IWOTH:
        found = f"anybody on this machine can write {file}"
        yield warn("setup", "configuration", found, "they could move your memory", f"chmod o-w {file}")


def _places(settings: Settings) -> Iterator[Check]:
    unsafe = ownership.unsafe(settings)
    if unsafe is not None:
        yield quoted("setup", "ownership", unsafe, "nothing can be stored: such a memory is not opened")
    files = files_of(settings)
    for name, path in (("database folder", files.folder), ("state folder", Path(settings.ethos.state)), ("database", files.database)):
        yield _place(name, path)
    for name, path, mode in ownership.open_to_others(settings):
        right = "700" if path.is_dir() else "600"
        yield warn("setup", name, f"{path} is open to others (mode {mode})", "others can read it", f"chmod {right} {path}")


def _place(name: str, path: Path) -> Check:
    try:
        path.stat()
    except FileNotFoundError:
        return well("setup", name, f"{path} is not there yet; it is made when it is needed")
    except OSError as error:
        return fail("setup", name, f"{path} cannot be read: {error.strerror}", "nothing can be stored", f"ls -ld {path}")
    if not os.access(path, os.R_OK | os.W_OK | (os.X_OK if path.is_dir() else 0)):
        read_only = bool(os.statvfs(path).f_flag & os.ST_RDONLY)
        do = (
            "mount its file system for writing, or set another path"
            if read_only
            else f"chmod u+rwX {path}, or run as the user it belongs to"
        )
        found = f"{path} " + ("lies on a file system that is read-only" if read_only else "cannot be read and written by this user")
        return fail("setup", name, found, "nothing can be stored", do)
    return well("setup", name, str(path))


def _disk(files: StoreFiles) -> Iterator[Check]:
    try:
        found = free_space.beside(files)
    except OSError:  # reported above, with the folders
        return
    said = f"{size(found.free)} free beside the database"
    matters, do = f"no pass begins with less than {size(found.needed)} free, to lose nothing", f"free some space on {found.beside}"
    if found.free < found.needed:
        yield fail("setup", "disk", said, matters, do)
    else:
        yield warn("setup", "disk", said, matters, do) if found.free < _LITTLE_FREE else well("setup", "disk", said)
    if found.wal > free_space.WAL_ALARM:
        matters = "it is folded back after each cycle, unless a reader stays open"
        do = f"close what else has {files.database} open: fuser -v {files.database}"
        yield warn("setup", "write-ahead log", f"{size(found.wal)}", matters, do)


def _rules(connection: Connection) -> Iterator[Check]:
    book = connection.rulebook
    fatal = [problem for problem in book.problems if problem.fatal]
    found = f"{plural(sum(pack.rules for pack in book.packs), 'rule')} in {plural(len(book.packs), 'pack')}"
    if not book.packs:
        yield fail("setup", "rules", "no pack is in force", "no fact can be found", "ethos rules check")
    elif fatal:
        first = f"{fatal[0].path}:{fatal[0].line}: {fatal[0].what}"
        found = f"{found}; {plural(len(fatal), 'error')}, the first: {first}"
        stale = fatal[0].path in {str(pack.path) for pack in book.packs if pack.stale}
        matters = "that version is set aside, and the last good one is in use" if stale else "that pack is set aside"
        yield fail("setup", "rules", found, matters, "ethos rules check")
    elif aside := [problem for problem in book.problems if problem.code == "W-SET-ASIDE"]:
        found = f"{found}; {len(aside)} set aside, the first: {aside[0].what}"
        yield warn("setup", "rules", found, "what it would have read is missing", "ethos rules check")
    else:
        yield well("setup", "rules", found)


def _inbox(settings: Settings, state: Path) -> Iterator[Check]:
    path = Path(settings.conflict_resolution.review_inbox)
    reading = MarkdownInbox(path, state).read()
    for problem in reading.problems:
        yield warn(
            "setup", "inbox", problem, "answers in it may not be read", f"open {path} and set it right; `ethos answer` works meanwhile"
        )
    for about, hint in reading.hints.items():
        yield warn("setup", "inbox", f"{about}: {hint}", "this answer is not taken", "ethos inbox --edit")
    if not reading.problems and not reading.hints:
        yield _review_file(path)


def _review_file(path: Path) -> Check:
    """Check that the review file can be written: the file itself, or the nearest folder above it."""
    there = next(each for each in (path, *path.parents) if os.path.lexists(each))
    if os.access(there, os.W_OK) and (there == path or there.is_dir()):
        return well("setup", "inbox", f"{path}" if there == path else f"{path} is not there yet; the next cycle writes it")
    why = f"{there} is no folder" if there != path and not there.is_dir() else f"this user may not write to {there}"
    do = f"chmod u+rwX {there}, or set conflict_resolution.review_inbox; `ethos answer` works meanwhile"
    return warn("setup", "inbox", f"{path} cannot be written: {why}", "no question is shown there, and no box can be ticked", do)


def _followed(settings: Settings) -> Iterator[Check]:
    """Yield a warning for each path of `[capture] follow` that does not exist."""
    for path in settings.capture.follow:
        if not os.path.exists(path):  # noqa: PTH110 (Path's raises for what may not be inspected)
            do = "make it, or set capture.follow right"
            yield warn("setup", "follow", f"{path} does not exist", "the daemon learns nothing from it", do)
