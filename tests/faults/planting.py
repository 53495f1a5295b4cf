"""Faults that can be planted in the memory of this process, each of a kind that the programs of this folder are there to find."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from ethos.app import Cycle, Ethos
from ethos.app.capture import Arrival, Captured
from ethos.core.model.records import Episode
from ethos.core.ports.review_file import Reading
from ethos.edge.files import folders
from ethos.edge.inbox import MarkdownInbox, swapping
from ethos.edge.inbox.file_version import FileVersion
from ethos.store.sqlite import connections, pool
from ethos.store.sqlite.work import SqliteWork


def acknowledges_early() -> None:
    """A capture is acknowledged, and written with the next cycle."""
    capture, consolidate = Ethos.capture, Ethos.consolidate
    waiting: list[Episode | Arrival] = []

    def later(_: Ethos, episodes: Iterable[Episode | Arrival], **_given: bool) -> Captured:
        before = len(waiting)
        waiting.extend(episodes)
        return Captured(added=len(waiting) - before)

    def at_last(ethos: Ethos, **given: Any) -> Cycle:
        capture(ethos, waiting, live=True)
        waiting.clear()
        return consolidate(ethos, **given)

    _put(Ethos, capture=later, consolidate=at_last)


def captures_anew() -> None:
    """What is captured once more is held once more: capture does not know what it has by anything that stays the same."""
    capture = Ethos.capture

    def again(ethos: Ethos, episodes: Iterable[Episode | Arrival], *, live: bool = False) -> Captured:
        told = [each.episode if isinstance(each, Arrival) else each for each in episodes]
        with ethos.store.begin() as work:
            held = work.episodes([episode.id for episode in told])
        return capture(ethos, [replace(each, id=f"{each.id}-again") if each.id in held else each for each in told], live=live)

    _put(Ethos, capture=again)


def keeps_no_journal() -> None:
    """The store is written in place, so that a transaction is not whole or nothing."""
    _put(connections, journal_mode=lambda *_: "off")


def does_not_wait_for_the_disk() -> None:
    """No write of the store is synced."""
    _synchronous("OFF")


def syncs_now_and_then() -> None:
    """The store is never damaged, but the last transactions may be gone."""
    _synchronous("NORMAL")


def saves_in_place() -> None:
    """The review file is written over."""

    def over(found: FileVersion, data: bytes, _: Path) -> bool:
        folders.make(found.path.parent)
        with found.path.open("wb", buffering=0) as file:
            for start in range(0, len(data), 400):
                file.write(data[start : start + 400])
                time.sleep(0.005)
        return True

    _put(swapping, put=over)


def renames_what_is_not_synced() -> None:
    """The review file is written beside and renamed, but the bytes may come to the disk after the name."""

    def hasty(path: Path, data: bytes, _: object = None) -> None:
        path.write_bytes(data)
        path.chmod(0o600)

    _put(folders, create=hasty)


def leaves_names_to_chance() -> None:
    """What is renamed or removed is not synced: a loss of power brings back what a receipt said was gone."""
    sync = folders.sync

    def bytes_only(place: Path) -> None:
        if not place.is_dir():
            sync(place)

    _put(folders, sync=bytes_only)


def forgets_no_words() -> None:
    """What was forgotten is known again by nothing, so that it comes back when it is captured again."""
    _put(SqliteWork, bury=lambda *_: None)


def takes_ticks_out_first() -> None:
    """What a person ticked is taken out of the review file, and much else is done before it is applied."""
    read = MarkdownInbox.read

    def taken(inbox: MarkdownInbox, **given: bool) -> Reading:
        found = read(inbox, **given)
        if found.decisions:
            inbox.path.unlink()
            for number in range(20):
                inbox.path.with_name(f"{number}.note").touch()
        return found

    _put(MarkdownInbox, read=taken)


def _synchronous(how: str) -> None:
    connection = pool.Pool.connection

    @contextmanager
    def lax(self: pool.Pool) -> Iterator[Any]:
        with connection(self) as given:
            given.execute(f"PRAGMA synchronous = {how}")
            yield given

    _put(pool.Pool, connection=lax)


def _put(where: object, **what: object) -> None:
    for name, put in what.items():
        setattr(where, name, put)


_ALL: tuple[Callable[[], None], ...] = (
    acknowledges_early,
    captures_anew,
    keeps_no_journal,
    does_not_wait_for_the_disk,
    syncs_now_and_then,
    saves_in_place,
    renames_what_is_not_synced,
    leaves_names_to_chance,
    forgets_no_words,
    takes_ticks_out_first,
)
FAULTS = {fault.__name__: fault for fault in _ALL}
