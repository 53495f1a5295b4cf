"""Reading: transcripts from the paths a person named: files, folders, or "-" for standard input.

Whatever goes wrong is a value among the others and stops nothing else. A folder is searched for names that transcripts have; links in it
are not followed, and a file in it must belong to us or to the folder's owner (TRUST, Security / Files).
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, NamedTuple

from ethos.core.errors import Problem, Refused, refuse
from ethos.core.private import opens_private
from ethos.core.settings import CaptureSettings
from ethos.edge.disk import live
from ethos.edge.transcripts import chatgpt, specstory
from ethos.edge.transcripts.detecting import FORMATS, detect, head_of, named
from ethos.edge.transcripts.documents import content
from ethos.edge.transcripts.injected import MEMORY, PRIVATE, REMINDERS, Tags
from ethos.edge.transcripts.lines import lines
from ethos.edge.transcripts.turn import Format, Item, Noted, Place, Skipped, Turn

STDIN = "-"
QUIET = timedelta(seconds=5)  # a file nobody has written to for this long is taken as complete
UNREADABLE = "\ufffd"  # stands for bytes that are no text
_SIDE_FOLDERS = frozenset({"subagents", "tool-results", "workflows", ".git", "node_modules"})  # not sessions
_LINES = re.compile(r"\.jsonl$", re.IGNORECASE)
_PERHAPS = re.compile(r"\.(json|ndjson|zip)$", re.IGNORECASE)  # of another name, and a transcript all the same, perhaps
_NAMED = 3  # of these
_PRIVATE = Tags(PRIVATE)
_INJECTED = Tags((*PRIVATE, *MEMORY, *REMINDERS))  # in a person's turn, whatever the format


class Found(NamedTuple):
    """A file to be read. `owner` is None where the person named the file itself: then it may be a link and anybody's."""

    path: Path
    owner: int | None


def read(
    paths: Collection[str], *, now: datetime, settings: CaptureSettings, format_name: str | None = None, stdin: BinaryIO | None = None
) -> Iterator[Item]:
    """Every turn that stands in these paths, and what was found beside turns. Raises Refused for an unknown format name.

    format_name: for all of them; None: told by looking, and episode lines on standard input.
    """
    chosen = named(format_name) if format_name else None
    for path in paths:
        if path == STDIN:
            if stdin is not None:
                yield from _read_stdin(stdin, chosen, now, settings)
            continue
        for found in find(path, named_too=paths):
            if isinstance(found, Found):
                yield from _read_file(found, chosen, now, settings)
            else:
                yield found


def find(path: str, *, named_too: Collection[str] = ()) -> Iterator[Found | Skipped | Problem]:
    """The file that `path` is, or the transcripts in the folder that it is, in order of name; then what else might be one there.

    named_too: paths that are read in any case.
    """
    root = expanded(path)
    failures: list[OSError] = []
    try:
        status = root.stat()
        if not stat.S_ISDIR(status.st_mode):
            yield Found(root, None)
            return
        files, others = _searched(root, failures)
    except FileNotFoundError:
        yield Problem("not-found", f"no such file or folder: {path}", "check the name and the folder you are in", path)
        return
    except (OSError, ValueError) as error:
        yield unreadable(path, error)
        return
    for failure in failures:
        yield unreadable(str(failure.filename or path), failure)
    if not files and not failures:
        hint = "a folder is searched for *.jsonl, conversations*.json and dated *.md; name other files themselves"
        yield Problem("not-found", f"no transcripts in this folder: {path}", hint, path)
    for file in files:
        yield Found(file, status.st_uid)
    others = [other for other in others if str(other) not in named_too]
    named = ", ".join(each.name for each in others[:_NAMED]) + (" ..." if len(others) > _NAMED else "")
    for other in others:
        yield Skipped(f"not named as transcripts in a folder are; name them themselves: {named}", str(other))


def admitted(item: Item, settings: CaptureSettings) -> Iterator[Item]:
    """The item as it may be kept, and before it what is odd about that."""
    kept = _admit(item, settings)
    if isinstance(kept, Turn) and UNREADABLE in kept.text:
        yield Noted(f"letters that are no UTF-8, kept as {UNREADABLE}", kept.where)
    if isinstance(kept, Turn) and opens_private(kept.text):
        yield Noted("<private> that is never closed with </private>, kept as it is", kept.where)
    yield kept


def _admit(item: Item, settings: CaptureSettings) -> Item:
    """The item as it may be kept: without what the person marked `<private>` and what a program put into their turn; refused where the
    text is too long.
    """
    if not isinstance(item, Turn):
        return item
    if len(item.text) > settings.max_text_chars:
        what = f"text of {len(item.text)} characters is longer than {settings.max_text_chars}"
        return Problem("bad-input", what, "raise capture.max_text_chars in config.toml to take it", item.where)
    text = (_INJECTED if item.role == "user" else _PRIVATE).strip(item.text)
    if text is item.text:
        return item
    if text:
        return replace(item, text=text)
    return Skipped("private" if opens_private(item.text) else "injected text only", item.where)


def open_regular(found: Found) -> BinaryIO:
    """The file, opened for reading if it is a regular one and may be trusted. Raises Refused, OSError."""
    live.refuse_own(found.path)
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | (os.O_NOFOLLOW if found.owner is not None else 0)
    try:
        descriptor = os.open(found.path, flags)
    except OSError as error:
        if error.errno != errno.ELOOP:
            raise
        what = "a link; links in a folder are not followed"
        raise refuse("bad-input", what, hint="name the file itself", where=str(found.path)) from error
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise refuse("bad-input", "not a regular file", hint="name a file or a folder of transcripts", where=str(found.path))
        if found.owner is not None and status.st_uid not in {found.owner, os.geteuid(), 0}:
            hint = "name the file itself if you trust it"
            raise refuse("bad-input", "the file belongs to somebody else than its folder", hint=hint, where=str(found.path))
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def place_of(stream: BinaryIO, path: Path) -> Place:
    """Where an open file stands, with its time of change."""
    modified = datetime.fromtimestamp(os.fstat(stream.fileno()).st_mtime, UTC)
    return Place(str(path), path.name, modified, folder=str(path.absolute().parent))


def expanded(path: str) -> Path:
    """The path with `~` expanded (E-37), if there is such a home."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        return Path(path)


def _searched(root: Path, failures: list[OSError]) -> tuple[list[Path], list[Path]]:
    """What has the name of a transcript, and what has not but may be one."""
    files: list[Path] = []
    others: list[Path] = []
    for folder, folders, names in os.walk(root, onerror=failures.append):
        folders[:] = [name for name in folders if name not in _SIDE_FOLDERS]
        for name in names:
            if _LINES.search(name) or chatgpt.NAMES.search(name) or _is_history(name):
                files.append(Path(folder, name))
            elif _PERHAPS.search(name):
                others.append(Path(folder, name))
    return sorted(files), sorted(others)


def _is_history(name: str) -> bool:
    return name.endswith(".md") and specstory.NAMES.match(name) is not None


def unreadable(path: str, error: OSError | ValueError) -> Problem:
    """The problem that the system's refusal of a path is."""
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return Problem("bad-input", f"cannot be read: {reason}", "check its permissions, or run as the user it belongs to", path)


def _read_file(found: Found, chosen: Format | None, now: datetime, settings: CaptureSettings) -> Iterator[Item]:
    try:
        with open_regular(found) as stream:
            place = place_of(stream, found.path)
            head = head_of(stream)
            stream.seek(0)
            if not head:
                yield Skipped("empty file", place.name)
                return
            format_ = chosen or detect(head, place)
            if isinstance(format_, Problem):
                yield format_ if found.owner is None else Skipped("not a transcript", place.name)
                return
            yield from read_stream(format_, place, stream, settings, quiet=now - place.modified > QUIET)
    except Refused as refused:
        yield refused.problem
    except OSError as error:
        yield unreadable(str(found.path), error)


def _read_stdin(stdin: BinaryIO, chosen: Format | None, now: datetime, settings: CaptureSettings) -> Iterator[Item]:
    place = Place("standard input", "stdin", now, "received")
    format_ = chosen or FORMATS["jsonl"]
    try:
        stream = BytesIO(content(stdin, place)) if format_.whole else stdin
        yield from read_stream(format_, place, stream, settings, quiet=True)
    except Refused as refused:
        yield refused.problem


def read_stream(format_: Format, place: Place, stream: BinaryIO, settings: CaptureSettings, *, quiet: bool) -> Iterator[Item]:
    """Everything in one transcript. quiet: nobody is writing to it. Raises Refused where it cannot be read as this format at all."""
    if format_.whole:
        for item in format_.whole(place, stream, settings):
            yield from admitted(item, settings)
        return
    if format_.lines is None:
        raise TypeError(f"format {format_.name} has no reader")
    reader = format_.lines(place, {})
    for line in lines(stream, place, limit=settings.max_line_bytes):
        if isinstance(line.record, Problem):
            yield line.record if quiet or line.complete else Skipped("unfinished line: taken when it is complete", place.at(line.number))
        elif line.record is not None:
            for item in reader.feed(line.number, line.record):
                yield from admitted(item, settings)
    for item in reader.end(quiet=quiet):
        yield from admitted(item, settings)
