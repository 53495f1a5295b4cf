"""A version of the review file at one moment: bytes, text, status.

Bytes that are not UTF-8 survive decoding and encoding; byte order mark, encoding and line ends are kept.
"""

from __future__ import annotations

import codecs
import os
import stat
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from ethos.core import review

LARGEST = 5 * 1024 * 1024  # bytes
MOST_ENTRIES = 5_000
MISSING = "missing"  # instead of a digest

Signature = tuple[int, ...]

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


class Unusable(Exception):
    """The file cannot be read or written. The message says why and what to do."""


class InUse(Unusable):
    """The file is being edited or saved. It is written later."""


class TooLarge(Unusable):
    """The file is too large. It is left alone, and another page is used."""


@dataclass(frozen=True, slots=True)
class FileVersion:
    """A file at one moment. data, status: None if there is none. digest: SHA-256 of the bytes, in hexadecimal."""

    path: Path
    data: bytes | None = None
    status: os.stat_result | None = None
    digest: str = MISSING

    @property
    def signature(self) -> Signature | None:
        """Return a value that changes with every save."""
        return signature(self.status)

    def decoded(self) -> tuple[str, bytes, str]:
        """Return the text, its byte order mark and its encoding. Raises Unusable."""
        data = self.data or b""
        bom, encoding = next(((bom, name) for bom, name in _BOMS if data.startswith(bom)), (b"", "utf-8"))
        try:
            text = data[len(bom) :].decode(encoding, errors(encoding))
        except UnicodeDecodeError as error:
            raise Unusable(f"{self.path} is not sound {encoding.upper()}: save it as UTF-8") from error
        if "\0" in text:
            raise Unusable(f"{self.path} is no text file, or in an encoding that does not say so: save it as UTF-8")
        return text, bom, encoding

    def parsed(self) -> review.Review:
        """Return the parsed file. Raises Unusable."""
        return _parsed(self.decoded()[0])


@lru_cache(maxsize=1)
def _parsed(text: str) -> review.Review:
    """Parse a text; cached, because a pass parses the same text three times."""
    return review.parse(text)


def load(path: Path) -> FileVersion:
    """Read the file. Raises Unusable."""
    try:
        with open(path, "rb", opener=_careful) as file:
            status = os.fstat(file.fileno())
            data = file.read(LARGEST + 1) if stat.S_ISREG(status.st_mode) else None
            after = os.fstat(file.fileno())
    except FileNotFoundError:
        return FileVersion(path)
    except OSError as error:
        raise Unusable(f"{path} cannot be read: {error.strerror}; answer with `ethos answer` meanwhile") from error
    if data is None:
        raise Unusable(f"{path} is not a file; move it away, or set conflict_resolution.review_inbox to another path")
    if len(data) > LARGEST:
        raise TooLarge(f"{path} has {status.st_size / 1024 / 1024:.1f} MiB, more than the {LARGEST / 1024 / 1024:.0f} it may have")
    if data.count(b"### [") > MOST_ENTRIES:
        raise TooLarge(f"{path} has more than the {MOST_ENTRIES:,} entries it may have")
    if signature(status) != signature(after):
        raise InUse(f"{path} is being saved just now: it is read in a moment, or with the next pass")
    return FileVersion(path, data, status, sha256(data).hexdigest())


def look(path: Path) -> os.stat_result | None:
    """Return the status of a path without following a link; None if it is missing or cannot be inspected."""
    try:
        return path.lstat()
    except OSError:
        return None


def signature(status: os.stat_result | None) -> Signature | None:
    """Return a value that changes with every save; see `FileVersion.signature`."""
    return status and (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def modified(status: os.stat_result) -> datetime:
    """Return the time of the last save."""
    return datetime.fromtimestamp(status.st_mtime, UTC)


def errors(encoding: str) -> str:
    """Return the error handler for bytes that are not text."""
    return "surrogateescape" if encoding == "utf-8" else "strict"


def _careful(path: str, flags: int) -> int:
    """Open without following a link and without waiting for the other end of a pipe."""
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
