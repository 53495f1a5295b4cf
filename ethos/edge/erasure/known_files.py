"""Traces: every file besides the store's own in which this memory may stand, for forgetting.

Known are: the store with its log; its copies (backups, and what an upgrade or a restoration kept beside it); the review file with what
editors and synchronisers leave beside it; its history; the reports of nights; what is spooled; whatever was exported; and the files that
bear a block of the profile (`files/outputs.py`). All of these are looked through; only what is proven ours is rewritten. Beyond reach, and
said so in README: what a file system or a drive keeps of freed blocks, the system's journal, and copies that somebody else made.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path

import ahocorasick_rs

from ethos.core.history.erasure import ErasedRecords, ScanResult, scrubbed, spellings
from ethos.core.model.errors import Problem, Refused, refuse
from ethos.core.model.settings import Settings
from ethos.core.ports.store import Store
from ethos.edge.exchange import blocks, lines, notes, reports
from ethos.edge.files import backups, folders, locks, originals
from ethos.edge.files.outputs import Kind, Outputs, digest_of
from ethos.edge.files.processes import command
from ethos.edge.files.store_files import SIDES, files_of

_LOOKER = Path(__file__).with_name("scan_worker.py")
_OLD = ".ethos-old"  # a version of the review file that was taken out of its place (edge/inbox/sources.py)
_Rewrite = Callable[[Path], list[Path]]  # takes lines out of a file or folder; gives the files that changed
_BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


class Files:
    """`ethos.core.ports.traces.Traces` on disk. open_copy: opens a copy of the store at a path."""

    def __init__(self, settings: Settings, open_copy: Callable[[str], Store]) -> None:
        self._settings = settings
        self._outputs = Outputs(Path(settings.ethos.state))
        self._files = files_of(settings)
        self._state = Path(settings.ethos.state)
        self._review = Path(settings.conflict_resolution.review_inbox)
        self._packs = settings.rules.packs
        self._open = open_copy

    # -- copies of the store

    def copies(self) -> Sequence[str]:
        """See the port. Other stores, and what cannot be opened (`.corrupt`), are not among them; the scan looks at them all the same."""
        own = [path for _, path in backups.listed(self._settings)]
        return [str(path) for path in sorted({*self._files.kept(), *own, *self._backups()})]

    @contextmanager
    def open(self, copy: str) -> Iterator[Store]:
        """See the port. The copy is changed under a temporary name and then takes its place again, so that dying on the way is harmless."""
        path = Path(copy)
        is_backup = path in self._backups()
        try:
            with self._outputs.replacing(Kind.BACKUP, path) if is_backup else self._outputs.temporary(path) as fresh:
                shutil.copyfile(path, fresh)
                for side in SIDES if not is_backup else ():
                    with suppress(FileNotFoundError):
                        shutil.copyfile(path.with_name(path.name + side), fresh.with_name(fresh.name + side))
                before = digest_of(fresh)
                with closing(self._open(str(fresh))) as store:
                    yield store
                if not is_backup and digest_of(fresh) != before:
                    fresh.replace(path)
                    for side in SIDES:
                        path.with_name(path.name + side).unlink(missing_ok=True)
                    folders.sync(path.parent)
        except Refused as refused:
            raise Refused(replace(refused.problem, where=copy)) from refused
        except OSError as error:
            hint = "free some space, or remove the text from it by hand"
            raise refuse("store", f"the copy cannot be rewritten ({error.strerror})", hint=hint, where=copy) from error

    def _backups(self) -> list[Path]:
        return [path for path in self._outputs.of(Kind.BACKUP) if self._outputs.proven(Kind.BACKUP, path)]

    # -- files of text

    def scrub(self, gone: ErasedRecords, speaks: Callable[[str], bool]) -> tuple[Sequence[str], Sequence[Problem]]:
        """See the port."""
        changed, problems = self._unlearn(gone)
        try:
            self._outputs.sweep()
            with locks.hold(self._state, locks.INBOX, f"{self._review} is being written by another ethos process"):
                for path, rewrite in self._texts(gone, speaks):
                    try:
                        changed += rewrite(path)
                    except (OSError, ValueError) as error:  # what is no text, or no JSON, is one too
                        problems.append(_not_rewritten(path, error))
        except Refused as refused:
            problems.append(refused.problem)
        return [str(path) for path in changed], problems

    def _unlearn(self, gone: ErasedRecords) -> tuple[list[Path], list[Problem]]:
        """Remove the counter-examples that were made of what is gone, in the rule files and in what is kept of these between loads."""
        changed: list[Path] = []
        problems: list[Problem] = []
        from ethos.edge.rulebook.loading import files_of  # noqa: PLC0415 (only forgetting looks for rule packs)

        written = [path for path in files_of([self._files.rules, *map(Path, self._packs)]) if path.is_file()]
        if not written:
            return changed, problems
        from ethos.edge.rulebook.counterexample import remove  # noqa: PLC0415 (a TOML writer, which a daemon need not keep in memory)

        for path in written:
            try:
                taken = remove(path, gone.said)
                changed += [path] if taken else []
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
                problems.append(_not_rewritten(path, error))
        return changed, problems

    def _own(self, speaks: Callable[[str], bool], path: Path) -> list[Path]:
        """Take the lines out of a file in the state folder, or of the review file or a version of it."""
        data = path.read_bytes()
        encoding = next((name for bom, name in _BOMS if data.startswith(bom)), "utf-8")
        text = data.decode(encoding, "surrogateescape" if encoding == "utf-8" else "strict")
        left = scrubbed(text, speaks)
        if left == text:
            return []
        history = path.parent == self._state / "history"
        untouched = path.suffix == _OLD and sha256(data).hexdigest()[:12] in path.name  # nobody has written into it since it was replaced
        if untouched or (history and not left.strip()):
            path.unlink()
            folders.sync(path.parent)
            return [path]
        kept = left.encode(encoding, "surrogateescape" if encoding == "utf-8" else "strict")
        # a version in the history is named for its bytes, and the name would tell what they were
        target = path.with_name(f"{path.name.partition('-')[0]}-{sha256(kept).hexdigest()[:12]}{path.suffix}") if history else path
        with self._outputs.temporary(path) as fresh:
            fresh.write_bytes(kept)
            fresh.chmod(path.stat().st_mode & 0o777)
            folders.sync(fresh)
            fresh.replace(target)
        if target != path:
            path.unlink()
        folders.sync(path.parent)  # or else a loss of power could bring back what the receipt says is gone
        return [path]

    def _texts(self, gone: ErasedRecords, speaks: Callable[[str], bool]) -> Iterator[tuple[Path, _Rewrite]]:
        """Yield every file or folder of text that is proven ours, and how it is rewritten."""
        review = Path(os.path.realpath(self._review))
        beside = [path for path in review.parent.glob(f"*{review.stem}*") if path.suffix in (review.suffix, _OLD)]
        versions = [path for path in beside if path == review or path.suffix == _OLD or _is_review_file(path)]
        left = [path for path in _files(self._state / "spool") if not _written_now(path)]
        own = (path for name in ("history", "replaced", reports.FOLDER) for path in _files(self._state / name))
        for path in (*versions, *own, *left):
            if path.is_file() and not path.is_symlink():
                yield path, partial(self._own, speaks)
        if (kept := self._state / originals.NAME).is_file():
            yield kept, lambda _path: originals.Originals(self._state).forget(speaks)
        for path in self._outputs.of(Kind.EXPORT):
            if self._outputs.proven(Kind.EXPORT, path):
                yield path, partial(lines.revise, gone=gone.ids, speaks=speaks, outputs=self._outputs)
        for path in self._outputs.of(Kind.REPORT):
            if self._outputs.proven(Kind.REPORT, path):
                yield path, partial(reports.revise, speaks=speaks, outputs=self._outputs)
        for path in self._outputs.of(Kind.BLOCK):
            yield path, partial(blocks.revise, change=lambda text: scrubbed(text, speaks), outputs=self._outputs)
        for path in self._outputs.of(Kind.NOTES):
            yield path, partial(notes.revise, change=lambda text: scrubbed(text, speaks), outputs=self._outputs)

    # -- looking

    def scan(self, sought: Collection[str], noted: Sequence[str]) -> ScanResult:
        """See the port."""
        paths = sorted(set(self._all(noted)))
        spelled = sorted({spelling for piece in sought for spelling in spellings(piece)})
        asked = b"\0".join([" ".join(each.hex() for each in spelled).encode(), *map(os.fsencode, paths)])
        command = [sys.executable, "-I", "-S", str(_LOOKER), str(Path(ahocorasick_rs.__file__).parent.parent)]
        done = subprocess.run(command, input=asked, capture_output=True, check=False)  # noqa: S603 (our own interpreter and file)
        if done.returncode:
            return ScanResult(0, 0, {f"{path} (not looked at: the search ended with {done.returncode})": 1 for path in paths})
        found: Counter[str] = Counter()
        seen = total = 0
        for path, looked in zip(paths, done.stdout.decode("utf-8", "replace").splitlines(), strict=True):
            if looked.startswith("!"):
                found[f"{path} (not looked at: {looked[1:]})"] += 1
            elif looked:  # else a log that was folded back meanwhile
                size, hits = map(int, looked.split())
                seen, total = seen + 1, total + size
                found[str(path)] += hits
        return ScanResult(seen, total, dict(+found))

    def _all(self, noted: Sequence[str]) -> Iterator[Path]:
        """Yield every file that is known, of whatever kind."""
        outputs = [path for kind in Kind for path in self._outputs.of(kind)] + [path for path in map(Path, noted) if _is_output(path)]
        for store in self._files.stores():
            yield from (path for path in (store, *(store.with_name(store.name + side) for side in SIDES)) if path.exists())
        review = Path(os.path.realpath(self._review))
        if review.parent.is_dir():
            yield from (path for path in review.parent.iterdir() if review.stem in path.name and path.is_file())
        for folder in (self._state, self._files.rules, *outputs):
            yield from (path for path in _files(folder) if self._state / "rules" not in path.parents)


def _not_rewritten(path: Path, error: Exception) -> Problem:
    return Problem("store", f"cannot be rewritten ({error})", "remove the text from it by hand", str(path))


def _is_review_file(path: Path) -> bool:
    """Return True where a file bears the signs of the review file: a copy that an editor or a synchroniser left."""
    try:
        return b"<!-- /ethos " in path.read_bytes().replace(b"\0", b"")  # in whatever encoding
    except OSError:
        return False


def _is_output(path: Path) -> bool:
    """Return True for what looks like an export or a backup."""
    try:
        if path.is_dir():
            return (path / notes.MARK).exists()
        return path.is_file() and (lines.is_export(path) or path.suffix == ".db")
    except OSError:
        return False


def _written_now(spooled: Path) -> bool:
    """Return True where the process that spools this file is still there: its folder is called by its id."""
    pid = spooled.parent.name
    return pid.isdigit() and bool(command(int(pid)))


def _files(place: Path) -> Iterator[Path]:
    if place.is_file():
        yield place
    elif place.is_dir():
        yield from (path for path in place.rglob("*") if path.is_file() and not path.is_symlink())
