"""Being told of saves: which are told, which are not, and that the daemon looks when it is told."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest

from ethos.edge.inbox import Watch
from tests.support.daemons import PATIENCE


class Watcher:
    """A watch, and whether it told."""

    def __init__(self) -> None:
        self._event = Event()
        self.watch = Watch(self._event.set)

    def hears(self) -> bool:
        """It told, at last."""
        told = self._event.wait(PATIENCE)
        self._event.clear()
        return told

    def told(self) -> bool:
        """It told already."""
        return self._event.is_set()


@pytest.fixture
def watcher() -> Iterator[Watcher]:
    """Ended after the test."""
    made = Watcher()
    yield made
    made.watch.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The file to watch for."""
    (tmp_path / "inbox").mkdir()
    return tmp_path / "inbox" / "memory-review.md"


def test_every_way_to_save_is_told(watcher: Watcher, path: Path) -> None:
    """In place, by rename, a copy of a synchronising program, an editor that is closed, the file removed."""
    watcher.watch.follow(path)
    path.write_text("one")
    assert watcher.hears()
    fresh = path.with_name("#fresh#")
    fresh.write_text("two")
    assert not watcher.told()
    fresh.replace(path)
    assert watcher.hears()
    path.with_name("memory-review.sync-conflict-1.md").write_text("three")
    assert watcher.hears()
    lock = path.with_name(".memory-review.md.swp")
    lock.write_text("")
    assert watcher.hears()
    lock.unlink()
    assert watcher.hears()
    path.unlink()
    assert watcher.hears()


def test_other_files_and_our_own_writing_are_not_told(watcher: Watcher, path: Path) -> None:
    """Events come in order: when the last is told, the ones before were not."""
    watcher.watch.follow(path)
    path.with_name("shopping.md").write_text("milk")
    path.with_name(".memory-review.md.ethos-new").write_text("ours")
    assert not watcher.told()
    path.write_text("theirs")
    assert watcher.hears()


def test_a_folder_that_comes_and_goes_is_found_again(watcher: Watcher, path: Path, tmp_path: Path) -> None:
    """It need not be there yet, may be made anew, and the file may be a link to another place."""
    shutil.rmtree(path.parent)
    watcher.watch.follow(path)
    path.parent.mkdir()
    watcher.watch.follow(path)
    path.write_text("one")
    assert watcher.hears()
    shutil.rmtree(path.parent)
    assert watcher.hears()
    while watcher.watch._path is not None:  # the kernel says so right after
        pass
    path.parent.mkdir()
    (tmp_path / "notes").mkdir()
    path.symlink_to(tmp_path / "notes" / "memory-review.md")
    watcher.watch.follow(path)
    path.write_text("two")
    assert watcher.hears()


def test_the_folder_of_another_file_can_be_watched_instead(watcher: Watcher, path: Path, tmp_path: Path) -> None:
    """After a reload with another path."""
    watcher.watch.follow(path)
    watcher.watch.follow(tmp_path / "other.md")
    path.write_text("one")
    assert not watcher.told()
    (tmp_path / "other.md").write_text("two")
    assert watcher.hears()


def test_a_watch_that_watches_nothing_ends() -> None:
    """Nothing was followed, so there is no thread to wait for."""
    Watcher().watch.close()
