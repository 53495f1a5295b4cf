"""Cache between loads, in a folder that the caller names: the results of checking a pack, by its content, and its last good version, by its
path. A cache that cannot be read or written only costs time.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from pathlib import Path

from ethos.core.rules.regex.literals import Literals
from ethos.core.rules.rule import RuleProblem
from ethos.edge.rulebook.patterns import Known


@dataclass(frozen=True, slots=True)
class Findings:
    """The results of checking a pack: its patterns, and its problems (for a good pack, warnings about its examples)."""

    known: dict[str, Known] = field(default_factory=dict)
    problems: tuple[RuleProblem, ...] = ()

    def to_json(self) -> str:
        """Return the results as text for a file or a pipe."""
        return json.dumps({"patterns": self.known, "problems": [asdict(problem) for problem in self.problems]})

    @classmethod
    def from_json(cls, text: str | bytes) -> Findings:
        """Parse such a text. Raises ValueError, TypeError, KeyError or AttributeError for any other."""
        held = json.loads(text)
        known = {
            pattern: Known(tuple(groups), Literals.restored(literals) if literals else None, bool(doubtful))
            for pattern, (groups, literals, doubtful) in held["patterns"].items()
        }
        return cls(known, tuple(RuleProblem(**problem) for problem in held["problems"]))


class Cache:
    """A folder, created at the first write; without one nothing is cached.

    shipped: a read-only folder with the results for the shipped packs, from the build.
    """

    def __init__(self, folder: Path | None, shipped: Path | None = None) -> None:
        self.folder = folder
        self.shipped = shipped
        self.asked: set[str] = set()  # names of the files that were looked up

    def recall(self, *content: str) -> Findings | None:
        """Return the results for this content; None if there are none or they cannot be read."""
        try:
            text = self._read("proved", content) or self._read("proved", content, self.shipped)
            return Findings.from_json(text) if text is not None else None
        except (ValueError, TypeError, KeyError, AttributeError):
            return None

    def remember(self, findings: Findings, *content: str) -> None:
        """Store the results for this content."""
        self._write("proved", content, findings.to_json().encode())

    def last_good(self, path: Path) -> bytes | None:
        """Return the last good bytes of the pack at this path."""
        return self._read("good", [str(path.absolute())])

    def keep(self, path: Path, data: bytes) -> None:
        """Store the bytes of a good pack."""
        if self.last_good(path) != data:
            self._write("good", [str(path.absolute())], data)

    def aside(self, rules: str) -> dict[str, str]:
        """Return the suspended rules of this rule set, with the reasons."""
        try:
            held = json.loads(self._read("aside", [rules]) or b"{}")
            return {str(rule): str(why) for rule, why in held.items()}
        except (ValueError, AttributeError):
            return {}

    def set_aside(self, rules: str, aside: Mapping[str, str]) -> None:
        """Store the suspended rules of this rule set."""
        self._write("aside", [rules], json.dumps(aside).encode())

    def _read(self, prefix: str, key: Iterable[str], folder: Path | None = None) -> bytes | None:
        folder, name = folder or self.folder, _name(prefix, key)
        self.asked.add(name)
        try:
            return (folder / name).read_bytes() if folder is not None else None
        except OSError:
            return None

    def _write(self, prefix: str, key: Iterable[str], data: bytes) -> None:
        if self.folder is None:
            return
        place = self.folder / _name(prefix, key)
        draft = place.with_suffix(f".{os.getpid()}")
        try:
            place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            draft.write_bytes(data)
            draft.replace(place)
        except OSError:
            return


def _name(prefix: str, key: Iterable[str]) -> str:
    return f"{prefix}-{blake2b(chr(10).join(key).encode('utf-8', 'surrogateescape'), digest_size=16).hexdigest()}"
