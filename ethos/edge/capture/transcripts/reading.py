"""Read transcripts from the paths that a person named: files, folders, or "-" for standard input.

An error is yielded as a value and stops nothing else. A folder is searched for names that transcripts have. Links in it are not followed,
and a file in it must belong to us or to the folder's owner.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, NamedTuple

import regex

from ethos.core.model.errors import Problem, Refused, refuse
from ethos.core.model.settings import CaptureSettings
from ethos.core.text.folding import normalized
from ethos.core.text.private import opens_private
from ethos.edge.capture.transcripts import chatgpt
from ethos.edge.capture.transcripts.detecting import FORMATS, detect, head_of, named
from ethos.edge.capture.transcripts.documents import content
from ethos.edge.capture.transcripts.injected import MEMORY, PRIVATE, REMINDERS, Tags, written_by_a_harness
from ethos.edge.capture.transcripts.lines import lines
from ethos.edge.capture.transcripts.turn import Format, Item, Noted, Place, Skipped, Turn
from ethos.edge.files import open_stores
from ethos.edge.files.spelling import spelled, unspelled

STDIN = "-"
_NO_TRANSCRIPT = "not a transcript"
QUIET = timedelta(seconds=5)  # a file without writes for this long is taken as complete
_UNREADABLE = "\ufffd"  # replaces bytes that are not text
_SIDE_FOLDERS = frozenset({"subagents", "tool-results", "workflows", ".git", "node_modules"})  # not sessions
_LINES = re.compile(r"\.jsonl$", re.IGNORECASE)
_NAMES = (_LINES, *(format_.names for format_ in FORMATS.values() if format_.names))
_PERHAPS = re.compile(r"\.(json|ndjson|zip)$", re.IGNORECASE)  # other names that transcripts may have
_NAMED = 3  # how many of these are named
_APART = regex.compile(r"\p{L}\p{M}{1,8}|[\u1100-\u11ff]{2,}")  # a letter and its accents, or the parts of Korean syllables
_PRIVATE = Tags(PRIVATE)
_INJECTED = Tags((*PRIVATE, *MEMORY, *REMINDERS))  # in a person's turn, whatever the format


class TranscriptFile(NamedTuple):
    """A file to read. owner: None if the person named the file itself; then it may be a link and belong to anyone."""

    path: Path
    owner: int | None


@dataclass(slots=True)
class Received:
    """How far standard input was read: the time of its first part, the lines read, and the memory of their reader."""

    at: datetime
    lines: int = 0
    memory: dict[str, str] = field(default_factory=dict)


def read(
    paths: Collection[str],
    *,
    now: datetime,
    settings: CaptureSettings,
    format_name: str | None = None,
    stdin: BinaryIO | None = None,
    received: Received | None = None,
) -> Iterator[Item]:
    """Yield every turn in these paths, with skipped records, notes and problems. Raises Refused for an unknown format name.

    format_name: for all of them; None: detected, and episode lines on standard input. received: what was read of standard input before, if
    it comes in parts.
    """
    chosen = named(format_name) if format_name else None
    for path in paths:
        if path == STDIN:
            if stdin is not None:
                yield from _read_stdin(stdin, chosen, received or Received(now), settings)
            continue
        yield from _read_path(path, paths, chosen, now, settings)


def _read_path(path: str, named_too: Collection[str], chosen: Format | None, now: datetime, settings: CaptureSettings) -> Iterator[Item]:
    """Yield the items of one path; a problem for a folder in which no file is a transcript."""
    files = unknown = 0
    for found in find(path, named_too=named_too):
        if not isinstance(found, TranscriptFile):
            yield found
            continue
        files += 1
        for item in _read_file(found, chosen, now, settings):
            unknown += item == Skipped(_NO_TRANSCRIPT, spelled(str(found.path)))
            yield item
    if files and files == unknown:
        yield none_in(path)


def none_in(path: str) -> Problem:
    """Return the problem of a folder without transcripts."""
    names = "*.jsonl, conversations*.json, a zip of ChatGPT, store.db and state.vscdb of Cursor, and dated *.md"
    hint = f"a folder is searched for {names}; name any other file by its path"
    return Problem("not-found", f"no transcripts in this folder: {spelled(path)}", hint, spelled(path))


def find(path: str, *, named_too: Collection[str] = ()) -> Iterator[TranscriptFile | Skipped | Problem]:
    """Yield the file at `path`, or the transcripts in that folder, in order of name; then the other files that may be transcripts.

    named_too: paths that are read in any case.
    """
    root = expanded(path)
    failures: list[OSError] = []
    try:
        status = root.stat()
        if not stat.S_ISDIR(status.st_mode):
            yield TranscriptFile(root, None)
            return
        files, others = _searched(root, status.st_uid, failures)
    except FileNotFoundError:
        yield Problem("not-found", f"no such file or folder: {spelled(path)}", "check the name and the folder you are in", spelled(path))
        return
    except (OSError, ValueError) as error:
        yield unreadable(path, error)
        return
    for failure in failures:
        yield unreadable(str(failure.filename or path), failure)
    if not files and not failures:
        yield none_in(path)
    for file in files:
        yield TranscriptFile(file, status.st_uid)
    others = [other for other in others if str(other) not in named_too]
    named = ", ".join(spelled(each.name) for each in others[:_NAMED]) + (" ..." if len(others) > _NAMED else "")
    for other in others:
        yield Skipped(f"not named as transcripts in a folder are; name them themselves: {named}", spelled(str(other)))


def admitted(item: Item, settings: CaptureSettings) -> Iterator[Item]:
    """Yield the item as it may be stored, after notes about it."""
    kept = _admit(item, settings)
    if isinstance(kept, Turn) and _UNREADABLE in kept.text:
        yield Noted(f"letters that are no UTF-8, kept as {_UNREADABLE}", kept.where)
    if isinstance(kept, Turn) and opens_private(kept.text):
        yield Noted("<private> that is never closed with </private>, kept as it is", kept.where)
    yield kept


def _admit(item: Item, settings: CaptureSettings) -> Item:
    """Return the item as it may be stored: without what the person marked `<private>` and what a program inserted into their turn. A text
    that is too long becomes a problem.
    """
    if not isinstance(item, Turn):
        return item
    if len(item.text) > settings.max_text_chars:
        what = f"text of {len(item.text)} characters is longer than {settings.max_text_chars}"
        return Problem("bad-input", what, "raise capture.max_text_chars in config.toml to take it", item.where)
    text = (_INJECTED if item.role == "user" else _PRIVATE).strip(item.text)
    text = text if text.isascii() else composed(text)
    if item.role == "user" and written_by_a_harness(text.lstrip()):
        return Skipped("injected text only", item.where)
    if text is item.text:
        return item
    if text:
        return replace(item, text=text)
    return Skipped("private" if opens_private(item.text) else "injected text only", item.where)


def composed(text: str) -> str:
    """Return the text with each letter in one piece: rules would end a word before the accent that another program set apart."""
    return _APART.sub(lambda letter: normalized("NFC", letter[0]), text)


def open_regular(found: TranscriptFile) -> BinaryIO:
    """Open a file for reading if it is a regular one and may be trusted. Raises Refused, OSError."""
    open_stores.refuse_own(found.path)
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
            raise refuse("bad-input", "the file and its folder have different owners", hint=hint, where=str(found.path))
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def place_of(stream: BinaryIO, path: Path) -> Place:
    """Return the place of an open file, with its modification time."""
    modified = datetime.fromtimestamp(os.fstat(stream.fileno()).st_mtime, UTC)
    return Place(spelled(str(path)), spelled(path.name), modified, folder=str(path.absolute().parent))


def expanded(path: str) -> Path:
    """Return the path with `~` expanded (E-37), if there is such a home, and with escaped bytes restored."""
    try:
        return Path(unspelled(path)).expanduser()
    except RuntimeError:
        return Path(unspelled(path))


def _searched(root: Path, owner: int, failures: list[OSError]) -> tuple[list[Path], list[Path]]:
    """Return the files with the name of a transcript or of an export, and those of other names that may be transcripts."""
    files: list[Path] = []
    others: list[Path] = []
    folders = [str(root)]
    while folders:  # a list instead of recursion: a tree may be deeper than the recursion limit
        folder = folders.pop()
        try:
            with os.scandir(folder) as entries:
                found = list(entries)
        except OSError as error:
            failures.append(error)
            continue
        for entry in found:
            if _is_folder(entry):
                if entry.name not in _SIDE_FOLDERS:
                    folders.append(entry.path)
            elif any(pattern.search(entry.name) for pattern in _NAMES):
                files.append(Path(entry.path))
            elif _PERHAPS.search(entry.name):
                path = Path(entry.path)
                (files if _is_export(path, owner) else others).append(path)
    return sorted(files), sorted(others)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _is_export(path: Path, owner: int) -> bool:
    """Return True for a zip with conversations of ChatGPT, whatever its name."""
    if path.suffix.lower() != ".zip":
        return False
    try:
        with open_regular(TranscriptFile(path, owner)) as stream:
            return chatgpt.is_export(stream)
    except (OSError, Refused):
        return False


def unreadable(path: str, error: OSError | ValueError) -> Problem:
    """Return the problem for a path that the system cannot read."""
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return Problem("bad-input", f"cannot be read: {reason}", "check its permissions, or run as the user it belongs to", spelled(path))


def _read_file(found: TranscriptFile, chosen: Format | None, now: datetime, settings: CaptureSettings) -> Iterator[Item]:
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
                yield format_ if found.owner is None else Skipped(_NO_TRANSCRIPT, place.name)
                return
            yield from read_stream(format_, place, stream, settings, quiet=now - place.modified > QUIET)
    except Refused as refused:
        yield refused.problem
    except OSError as error:
        yield unreadable(str(found.path), error)


def _read_stdin(stdin: BinaryIO, chosen: Format | None, received: Received, settings: CaptureSettings) -> Iterator[Item]:
    place = Place("standard input", "stdin", received.at, "received")
    format_ = chosen or FORMATS["jsonl"]
    try:
        stream = BytesIO(content(stdin, place)) if format_.whole else stdin
        yield from read_stream(format_, place, stream, settings, quiet=True, received=received)
    except Refused as refused:
        yield refused.problem


def read_stream(
    format_: Format, place: Place, stream: BinaryIO, settings: CaptureSettings, *, quiet: bool, received: Received | None = None
) -> Iterator[Item]:
    """Yield everything in one transcript. quiet: it is no longer being written to. Raises Refused if it cannot be read as this format.

    received: what was read of it before, if it comes in parts; updated.
    """
    if format_.whole:
        for item in format_.whole(place, stream, settings):
            yield from admitted(item, settings)
        return
    if format_.lines is None:
        raise TypeError(f"format {format_.name} has no reader")
    before = received or Received(place.modified)
    reader = format_.lines(place, before.memory)
    for line in lines(stream, place, limit=settings.max_line_bytes, number=before.lines, start=before.lines):
        before.lines = line.number
        if isinstance(line.record, Problem):
            yield line.record if quiet or line.complete else Skipped("unfinished line: taken when it is complete", place.at(line.number))
        elif line.record is not None:
            for item in reader.feed(line.number, line.record):
                yield from admitted(item, settings)
    before.memory = reader.memory
    for item in reader.end(quiet=quiet):
        yield from admitted(item, settings)
