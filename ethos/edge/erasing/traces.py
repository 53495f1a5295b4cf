"""Traces: every file besides the store's own in which this memory may stand, for forgetting (TRUST, Forget).

Known are: the store with its log; its copies (backups, and what an upgrade or a restoration kept beside it); the review file with what
editors and synchronisers leave beside it; its history; what is spooled; and whatever was exported, by the audit. Beyond reach, and
said so in README: what a file system or a drive keeps of freed blocks, the system's journal, and copies that somebody else made.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from hashlib import sha256
from pathlib import Path

import ahocorasick_rs

from ethos.core.errors import Problem, Refused
from ethos.core.forgetting import Gone, Scan, scrubbed, spellings
from ethos.core.ports import Store
from ethos.core.settings import Settings
from ethos.edge.disk import folders, locks
from ethos.edge.rulebook.loading import files_of

_LOOKER = Path(__file__).with_name("looker.py")
_SIDES = ("-wal", "-shm", "-journal")
_OLD = ".ethos-old"  # a version of the review file that was taken out of its place (edge/inbox/sources.py)
_TEXT = frozenset({".md", ".jsonl", ".txt", ".json"})
_BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


class Files:
    """`ethos.core.ports.Traces` on disk. open_store: opens a copy of the store at a path."""

    def __init__(self, settings: Settings, open_store: Callable[[str], Store]) -> None:
        self._database = Path(settings.ethos.database)
        self._state = Path(settings.ethos.state)
        self._review = Path(settings.conflict_resolution.review_inbox)
        self._learned = self._database.parent / "rules.d"  # what was learned from answers (`wiring.learned_pack`)
        self._packs = settings.rules.packs
        self._open = open_store

    # -- copies of the store

    def copies(self, backups: Sequence[str]) -> Sequence[str]:
        """See the port. What cannot be opened (`.corrupt`) is not among them; the scan looks at it all the same."""
        known = {*self._stores(), *(path for path in map(Path, backups) if path.is_file())}
        return [str(path) for path in sorted(known) if path != self._database and ".corrupt" not in path.name]

    def open(self, copy: str) -> Store:
        """See the port. A copy of an older schema is brought up to date, and its own copy is not kept."""
        opened = self._open(copy)
        place = Path(copy)
        for made in place.parent.iterdir():
            if made.name.startswith(f"{place.name}.") and made.name.endswith(".bak"):
                made.unlink()
        return opened

    def _stores(self) -> Iterator[Path]:
        folder, name = self._database.parent, self._database.name
        beside = [path for path in (self._database, *folder.glob(f"{name}.*")) if not path.name.endswith(_SIDES)]
        yield from sorted(path for path in (*beside, *folder.glob("backups/*.db")) if path.is_file())

    # -- files of text

    def scrub(self, gone: Gone, speaks: Callable[[str], bool], exports: Sequence[str]) -> Sequence[Problem]:
        """See the port."""
        problems = self._unlearn(gone)
        try:
            with locks.hold(self._state, locks.INBOX, f"{self._review} is being written by another ethos process"):
                for path in self._texts(exports):
                    try:
                        self._scrub(path, speaks)
                    except (OSError, UnicodeError) as error:
                        hint = "take what is to be forgotten out of it by hand"
                        problems.append(Problem("store", f"cannot be rewritten ({error})", hint, str(path)))
        except Refused as refused:
            problems.append(refused.problem)
        return problems

    def _unlearn(self, gone: Gone) -> list[Problem]:
        """Counter-examples that were made of what is gone, in the rule files and in what is kept of these between loads."""
        problems: list[Problem] = []
        written = [path for path in files_of([self._learned, *map(Path, self._packs)]) if path.is_file()]
        if not written:
            return problems
        from ethos.edge.rulebook.counterexample import remove  # noqa: PLC0415 (a TOML writer, which a daemon need not keep in memory)

        for path in written:
            try:
                taken = remove(path, gone.said)
                spelled = {
                    form.encode()
                    for words in taken
                    for form in (words, json.dumps(words)[1:-1], json.dumps(words, ensure_ascii=False)[1:-1])
                }
                for kept in _files(self._state / "rules") if taken else ():
                    data = kept.read_bytes()
                    if any(form in data for form in spelled):
                        kept.unlink()  # it is made again, and only costs time
                        folders.sync(kept.parent)
            except (OSError, ValueError) as error:  # a file that is no TOML is one too
                hint = "take what is to be forgotten out of it by hand"
                problems.append(Problem("store", f"cannot be rewritten ({error})", hint, str(path)))
        return problems

    def _scrub(self, path: Path, speaks: Callable[[str], bool]) -> None:
        data = path.read_bytes()
        encoding = next((name for bom, name in _BOMS if data.startswith(bom)), "utf-8")
        text = data.decode(encoding, "surrogateescape" if encoding == "utf-8" else "strict")
        left = scrubbed(text, speaks)
        if left == text:
            return
        history = path.parent == self._state / "history"
        untouched = path.suffix == _OLD and sha256(data).hexdigest()[:12] in path.name  # nobody has written into it since it was replaced
        if untouched or (history and not left.strip()):
            path.unlink()
            folders.sync(path.parent)
            return
        kept = left.encode(encoding, "surrogateescape" if encoding == "utf-8" else "strict")
        # a version in the history is named for its bytes, and the name would tell what they were
        target = path.with_name(f"{path.name.partition('-')[0]}-{sha256(kept).hexdigest()[:12]}{path.suffix}") if history else path
        fresh = path.with_name(f".{path.name}.ethos-forget")
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        with open(handle, "wb") as file:  # noqa: PTH123 (a descriptor)
            file.write(kept)
            file.flush()
            os.fchmod(handle, path.stat().st_mode & 0o777)
            os.fsync(handle)
        fresh.replace(target)
        if target != path:
            path.unlink()
        folders.sync(path.parent)  # or else a loss of power could bring back what the receipt says is gone

    def _texts(self, exports: Sequence[str]) -> Iterator[Path]:
        review = Path(os.path.realpath(self._review))
        beside = [path for path in review.parent.glob(f"*{review.stem}*") if path.suffix in (review.suffix, _OLD)]
        ours = [*_files(self._state / "history"), *_files(self._state / "replaced")]
        exported = [path for each in exports for path in _files(Path(each)) if path.suffix in _TEXT]
        yield from (path for path in (*beside, *ours, *exported) if path.is_file() and not path.is_symlink())

    # -- looking

    def scan(self, sought: Collection[str], exports: Sequence[str]) -> Scan:
        """See the port."""
        paths = sorted(set(self._all(exports)))
        spelled = sorted({spelling for piece in sought for spelling in spellings(piece)})
        asked = b"\0".join([" ".join(each.hex() for each in spelled).encode(), *map(os.fsencode, paths)])
        command = [sys.executable, "-I", "-S", str(_LOOKER), str(Path(ahocorasick_rs.__file__).parent.parent)]
        done = subprocess.run(command, input=asked, capture_output=True, check=False)  # noqa: S603 (our own interpreter and file)
        if done.returncode:
            return Scan(0, 0, {f"{path} (not looked at: the search ended with {done.returncode})": 1 for path in paths})
        found: Counter[str] = Counter()
        seen = total = 0
        for path, looked in zip(paths, done.stdout.decode("utf-8", "replace").splitlines(), strict=True):
            if looked.startswith("!"):
                found[f"{path} (not looked at: {looked[1:]})"] += 1
            elif looked:  # else a log that was folded back meanwhile
                size, hits = map(int, looked.split())
                seen, total = seen + 1, total + size
                found[str(path)] += hits
        return Scan(seen, total, dict(+found))

    def _all(self, exports: Sequence[str]) -> Iterator[Path]:
        """Every file that is known, of whatever kind."""
        for store in self._stores():
            yield from (path for path in (store, *(store.with_name(store.name + side) for side in _SIDES)) if path.exists())
        review = Path(os.path.realpath(self._review))
        if review.parent.is_dir():
            yield from (path for path in review.parent.iterdir() if review.stem in path.name and path.is_file())
        for folder in (self._state, self._learned, *map(Path, exports)):
            yield from (path for path in _files(folder) if self._state / "rules" not in path.parents)


def _files(place: Path) -> Iterator[Path]:
    if place.is_file():
        yield place
    elif place.is_dir():
        yield from (path for path in place.rglob("*") if path.is_file() and not path.is_symlink())
