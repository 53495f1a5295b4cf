"""Upkeep: the actions that look after the memory as a whole, forget, backup, export and import (see `actions.py`)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from ethos.core.errors import refuse
from ethos.core.forgetting import Wanted
from ethos.core.ports import FactFilter
from ethos.edge import backups
from ethos.edge.exchange import lines, notes
from ethos.edge.shapes import Json, plain, problem_data

if TYPE_CHECKING:
    from ethos.edge.actions import Service


@dataclass(frozen=True, slots=True)
class Forget:
    """Erase episodes and all that rests on them alone, in every file, and look for what is left. Cannot be undone."""

    ids: Annotated[tuple[str, ...], "of episodes, or of facts, which go with the episodes they rest on"] = ()
    session: Annotated[str | None, "everything that was said in it"] = None
    source: Annotated[str | None, "everything from this file, or from a folder"] = None
    matching: Annotated[str | None, "everything that holds these words, in whatever case"] = None
    dry_run: Annotated[bool, "say what would go, and do nothing"] = False
    yes: Annotated[bool, "a person wants it: without it nothing is erased"] = False


@dataclass(frozen=True, slots=True)
class Backup:
    """A copy of the store, looked over, beside it or at a path."""

    path: Annotated[str | None, "absolute; left out: among the others, of which old ones are let go"] = None


@dataclass(frozen=True, slots=True)
class Export:
    """Write everything that is held to a file, or what is held as notes into a folder."""

    path: Annotated[str, "absolute"]
    format: Annotated[Literal["jsonl", "markdown"], "everything, or notes for people"] = "jsonl"


@dataclass(frozen=True, slots=True)
class Import:
    """Bring in what another memory exported as JSON lines; again is harmless."""

    path: Annotated[str, "absolute"]


def forget(service: Service, asked: Forget) -> Json:
    """Forget, and the receipt. Raises Refused."""
    if not (asked.yes or asked.dry_run):
        raise refuse(
            "needs-person", "nothing was erased: only a person can want that", hint='look at it with "dry_run", then say "yes": true'
        )
    wanted = Wanted(asked.ids, asked.session, asked.source, asked.matching)
    receipt = service.passes.alone(lambda: service.ethos.forget(wanted, dry_run=asked.dry_run))
    data: Json = plain(receipt)
    return {**data, "problems": [problem_data(problem) for problem in receipt.problems], "proven": receipt.proven}


def backup(service: Service, asked: Backup) -> Json:
    """Make a copy. Raises Refused."""
    own = None if asked.path is None else str(_whole(asked.path))
    try:
        made, gone = service.passes.alone(lambda: backups.take(service.ethos, own))
    except OSError as error:
        hint = "name a folder that this user, or the daemon, may write in"
        raise refuse("store", f"the backup cannot be written: {error.strerror}", hint=hint, where=asked.path or "") from error
    return {"path": str(made), "bytes": made.stat().st_size, "removed": [str(path) for path in gone]}


def export(service: Service, asked: Export) -> Json:
    """Write it. Raises Refused."""
    path, ethos = _whole(asked.path), service.ethos
    try:
        if asked.format == "jsonl":
            written = lines.write(path, ethos.everything(), ethos.clock.now())
        else:
            written = notes.write(path, ethos.facts(FactFilter(ethos.settings.ethos.user, history=True)))
    except OSError as error:
        hint = "name a path that this user, or the daemon, may write to"
        raise refuse("bad-input", f"cannot be written: {error.strerror}", hint=hint, where=asked.path) from error
    ethos.exported(str(path))
    return {"path": str(path), "format": asked.format, "written": written}


def bring_in(service: Service, asked: Import) -> Json:
    """Import it. Raises Refused."""
    path = _whole(asked.path)
    return dict(plain(service.passes.alone(lambda: service.ethos.bring_in(lines.read(path)))))


def _whole(path: str) -> Path:
    if not Path(path).is_absolute():
        raise refuse("usage", f"not an absolute path: {path[:200]}", hint="the daemon does not know where you are: name it from / on")
    return Path(path)
