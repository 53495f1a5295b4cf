"""The wiring: the only place where concrete things meet. `build` makes an `Ethos` of a loaded configuration."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import NoReturn, cast

from ethos.app import Ethos
from ethos.core.ports import Store
from ethos.core.settings import Settings
from ethos.edge import locks
from ethos.edge.clock import SystemClock
from ethos.edge.inbox import MarkdownInbox
from ethos.edge.rulebook import Rulebook, load, shipped_rules
from ethos.store import open_store


def build(settings: Settings, rulebook: Rulebook) -> Ethos:
    """The whole memory: store, rules, review file, clock. All paths in `settings` are absolute. Raises `Refused`."""
    state = Path(settings.ethos.state)
    return Ethos(
        open_store(Path(settings.ethos.database)),
        rulebook.rules,
        settings,
        SystemClock(),
        guard=partial(locks.hold, state, locks.PASS, "another pass is running on this memory"),
        review=MarkdownInbox(Path(settings.conflict_resolution.review_inbox), state, settings.inbox.settle_seconds),
    )


def rules(settings: Settings) -> Rulebook:
    """The shipped packs, then those of the configuration, in that order."""
    return load([shipped_rules(), *(Path(pack) for pack in settings.rules.packs)], cache=Path(settings.ethos.state) / "rules")


def reader(settings: Settings, rulebook: Rulebook) -> Ethos:
    """A door that keeps nothing, for `extract`: touching its store is a bug, and shows as one."""
    return Ethos(cast("Store", _Nowhere()), rulebook.rules, settings, SystemClock(), guard=nullcontext)


class _Nowhere:
    """A store that is not there."""

    def __getattr__(self, name: str) -> NoReturn:
        raise AssertionError(f"this door has no store, and {name} was asked of it")
