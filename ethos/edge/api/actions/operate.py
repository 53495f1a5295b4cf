"""Actions that look after the memory as a whole: status, rules, standings, backup, export, import."""

from __future__ import annotations

import os
import shlex
import stat
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from ethos.app.transfer import Imported
from ethos.core.model.errors import Refused, refuse
from ethos.core.ports.queries import FactFilter
from ethos.edge.api.actions import learn
from ethos.edge.api.actions.entrance import Entrance
from ethos.edge.api.actions.service import Service
from ethos.edge.api.results import Status as MemoryStatus
from ethos.edge.api.results import extended
from ethos.edge.capture.transcripts import memory_files
from ethos.edge.capture.transcripts.detecting import OF_MEMORIES, detect, head_of
from ethos.edge.capture.transcripts.reading import TranscriptFile, open_regular, place_of
from ethos.edge.capture.transcripts.turn import Format
from ethos.edge.exchange import lines, notes
from ethos.edge.files import backups, open_stores
from ethos.edge.files.outputs import Outputs
from ethos.edge.files.store_files import files_of
from ethos.edge.jsonio.shapes import Json, plain, standings_data

_MOST_RUNS = 200  # told at once


@dataclass(frozen=True, slots=True)
class Status:
    """Show the size of the memory and the state of the daemon."""

    runs: Annotated[int, "how many of the last runs"] = 5


@dataclass(frozen=True, slots=True)
class Rules:
    """List the rule packs in use, and the mistakes in the others."""


@dataclass(frozen=True, slots=True)
class Standings:
    """List the answers about the claims of each rule, and the resulting trust."""


@dataclass(frozen=True, slots=True)
class Backup:
    """Copy the store, and check the copy."""

    path: Annotated[str | None, "an absolute path (default: a new one in Ethos's own folder)"] = None


@dataclass(frozen=True, slots=True)
class Export:
    """Write everything to a file, or the facts as notes into a folder."""

    path: Annotated[str, "an absolute path"]
    format: Annotated[Literal["jsonl", "markdown"], "jsonl: everything; markdown: notes for people"] = "jsonl"


@dataclass(frozen=True, slots=True)
class Import:
    """Import an export of Ethos, mem0 or basic-memory, or a file such as CLAUDE.md. Repeating it is harmless."""

    path: Annotated[str, "an absolute path"]
    as_mine: Annotated[bool, "what stands in CLAUDE.md, AGENTS.md or GEMINI.md is the user's own words, not a file's"] = False


def status(service: Service, asked: Status) -> MemoryStatus:
    """Return the memory in numbers. Raises Refused."""
    if not 1 <= asked.runs <= _MOST_RUNS:
        raise refuse("usage", f'"runs" is {asked.runs}', hint=f"it lies between 1 and {_MOST_RUNS}")
    book = service.rulebook
    problems = tuple(f"{problem.path}: {problem.what}" for problem in book.problems)
    found = service.ethos.status(runs=asked.runs)
    return extended(MemoryStatus, found, rule_packs=len(book.packs), rule_problems=problems, daemon=service.daemon())


def rules(service: Service, asked: Rules) -> Json:  # noqa: ARG001 (the form of every action)
    """Return the packs of rules in force."""
    book = service.rulebook
    return {"hash": book.rules.hash, "packs": plain(book.packs), "problems": plain(book.problems)}


def standings(service: Service, asked: Standings) -> Json:  # noqa: ARG001 (the form of every action)
    """Return the trust in each rule about which there are answers."""
    return {"rules": standings_data(service.ethos.rule_trust())}


def backup(service: Service, asked: Backup) -> Json:
    """Make a copy. Raises Refused."""
    own = None if asked.path is None else str(_place(service, asked.path))
    if own is not None and os.path.isdir(own):  # noqa: PTH112 (Path's raises for a name that is too long)
        hint = f"name a file: ethos backup {shlex.quote(str(Path(own) / 'ethos-backup.db'))}"
        raise refuse("usage", "this is a folder, and a backup is one file", hint=hint, where=asked.path or "")
    try:
        made, gone = service.runs.alone(lambda: backups.take(service.ethos, own))
    except OSError as error:
        hint = "name a folder that this user, or the daemon, may write in"
        raise refuse("store", f"the backup cannot be written: {error.strerror}", hint=hint, where=asked.path or "") from error
    return {"path": str(made), "bytes": made.stat().st_size, "removed": [str(path) for path in gone]}


def export(service: Service, asked: Export) -> Json:
    """Write it. Raises Refused."""
    path, ethos = _place(service, asked.path), service.ethos
    outputs = Outputs(Path(ethos.settings.ethos.state))
    kept: tuple[Path, ...] = ()
    try:
        if asked.format == "jsonl":
            written = lines.write(path, ethos.everything(), ethos.clock.now(), outputs)
        else:
            done = notes.write(path, ethos.facts(FactFilter(ethos.settings.ethos.user, history=True)), outputs)
            written, kept = done.notes, done.kept
    except OSError as error:
        hint = "name a path that this user, or the daemon, may write to"
        raise refuse("bad-input", f"cannot be written: {error.strerror}", hint=hint, where=asked.path) from error
    ethos.exported(str(path))
    return {"path": str(path), "format": asked.format, "written": written, "kept": [str(each) for each in kept]}


def bring_in(service: Service, asked: Import) -> Json:
    """Import it. Raises Refused."""
    path = _whole(asked.path)
    found = _left_by_another(path)
    if asked.as_mine and found is not memory_files.FORMAT:
        raise refuse("usage", "only a file such as CLAUDE.md can be your own words", hint="leave --as-mine out", where=asked.path)
    if found is not None:
        return _captured(service, path, memory_files.MINE.name if asked.as_mine else None)
    return dict(plain(service.runs.alone(lambda: service.ethos.bring_in(lines.read(path)))))


def _left_by_another(path: Path) -> Format | None:
    """Return the format of a file that another memory left, or in which users and agents keep notes; None for any other."""
    try:
        if not path.is_file() or lines.is_export(path):
            return None
        with open_regular(TranscriptFile(path, None)) as stream:
            found = detect(head_of(stream), place_of(stream, path))
    except OSError:  # whoever reads it as an export will be told
        return None
    return found if isinstance(found, Format) and found.name in OF_MEMORIES else None


def _captured(service: Service, path: Path, form: str | None) -> Json:
    """Bring it in as episodes, with the origin that its format has. form: its name, if not the one found. Raises Refused."""
    done = learn.capture(service, learn.Capture((str(path),), format=form))
    if done.problems:
        raise Refused(done.problems[0])
    return dict(plain(Imported("", {"episode": done.added}, {"episode": done.known})))


def _whole(path: str) -> Path:
    if not Path(path).is_absolute() or "\0" in path:
        raise refuse("usage", f"not an absolute path: {path[:200]}", hint="give the full path, which begins with /")
    return Path(path)


def _place(service: Service, path: str) -> Path:
    """Return where a copy may be put: over no device, and over nothing that this memory is made of. Raises Refused."""
    place, settings = _whole(path), service.ethos.settings
    real = _real(path)
    ours = files_of(settings).hold(real) or real.is_relative_to(_real(settings.ethos.state))
    if ours or real in {_real(settings.conflict_resolution.review_inbox), _real(settings.socket.path)}:
        raise refuse("usage", "this is the memory itself", hint="name another file or folder", where=path)
    open_stores.refuse_own(place)  # by another name, as a hard link has
    with suppress(OSError):  # nothing is there; or whoever writes will be told
        if not (stat.S_ISREG(mode := real.stat().st_mode) or stat.S_ISDIR(mode)):
            raise refuse("usage", "not a regular file", hint="name another file or folder", where=path)
    return place


def _real(path: str) -> Path:
    return Path(os.path.realpath(path))


ACTIONS: Mapping[str, Entrance] = {
    "backup": Entrance(Backup, backup),
    "export": Entrance(Export, export),
    "import": Entrance(Import, bring_in),
    "status": Entrance(Status, status, question=True, gives=MemoryStatus),
    "rules": Entrance(Rules, rules, question=True, list_name="problems"),
    "standings": Entrance(Standings, standings, question=True),
}
