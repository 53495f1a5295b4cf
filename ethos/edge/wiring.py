"""The wiring: the only place where concrete things meet. `build` makes an `Ethos` of a loaded configuration."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from ethos.app import Ethos, Reader
from ethos.core.errors import Refused
from ethos.core.settings import Settings
from ethos.edge import locks, ownership, room
from ethos.edge.clock import SystemClock
from ethos.edge.inbox import MarkdownInbox
from ethos.edge.rulebook import Rulebook, load, shipped_rules
from ethos.edge.sealing import Sealing
from ethos.edge.traces import Files
from ethos.store import open_store
from ethos.store import restore as put_back
from ethos.store import verify as look_over


def build(settings: Settings, rulebook: Rulebook) -> Ethos:
    """The whole memory: store, rules, review file, clock. All paths in `settings` are absolute. Raises `Refused`."""
    if (problem := ownership.seized(settings)) is not None:
        raise Refused(problem)
    state = Path(settings.ethos.state)
    return Ethos(
        open_store(Path(settings.ethos.database)),
        rulebook.rules,
        settings,
        SystemClock(),
        guard=partial(_pass, state, Path(settings.ethos.database)),
        traces=Files(settings, open_store),
        seal=Sealing(state),
        review=MarkdownInbox(Path(settings.conflict_resolution.review_inbox), state, settings.inbox.settle_seconds),
    )


def restore(settings: Settings, backup: Path, aside: Path) -> bool:
    """Put a backup in the store's place and keep what was there aside. Nobody may have it open. Raises `Refused`, OSError."""
    return put_back(backup, Path(settings.ethos.database), aside)


def verify(backup: Path) -> None:
    """Raises `Refused` where this is no sound store that this program can read."""
    look_over(backup)


@contextmanager
def _pass(state: Path, database: Path) -> Iterator[None]:
    """What a pass is done in: room on the disk, and no other pass beside it. Raises `Refused`."""
    if (problem := room.beside(database).problem) is not None:
        raise Refused(problem)
    with locks.hold(state, locks.PASS, "another pass is running on this memory"):
        yield


def rule_paths(settings: Settings) -> tuple[Path, ...]:
    """The shipped packs, then those of the configuration, in that order."""
    return (shipped_rules(), *(Path(pack) for pack in settings.rules.packs))


def rules(settings: Settings) -> Rulebook:
    """What is in force."""
    return load(rule_paths(settings), cache=Path(settings.ethos.state) / "rules")


def reader(settings: Settings, rulebook: Rulebook) -> Reader:
    """The half of the door that needs no store, for `extract`."""
    return Reader(rulebook.rules, settings, SystemClock())
