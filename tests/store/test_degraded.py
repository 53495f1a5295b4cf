"""Degraded: what becomes of a memory whose disk fails it. The socket stays alive, status says so, and it goes on when it can."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from ethos.app import Ethos
from ethos.core.model.errors import Refused
from ethos.core.model.settings import Settings
from ethos.edge import wiring
from ethos.edge.files import free_space
from ethos.edge.files.store_files import StoreFiles
from ethos.edge.server.loop import Loop
from ethos.edge.server.run_lock import RunLock
from ethos.store import open_store
from ethos.store.sqlite.store import SqliteStore
from tests.store_contract import episode, put
from tests.support import proven
from tests.support.daemons import Daemon
from tests.support.telling import said


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the store is."""
    return tmp_path / "ethos.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    """A store of some pages."""
    opened = open_store(path)
    put(opened, *[episode(f"e-{n}", f"something said {n} " * 50) for n in range(300)])
    opened.file.compact()
    yield opened
    opened.close()


def test_after_damage_nothing_is_written_until_the_file_was_looked_over(store: SqliteStore, path: Path) -> None:
    """A page is damaged: who meets it is told, and from then on every write is refused, until the file is whole again."""
    whole = path.read_bytes()
    with path.open("r+b") as file:
        file.seek(20 * 4096)
        file.write(b"\0" * (len(whole) - 20 * 4096))
    store.pool.dispose()  # whatever a connection still remembers of it
    assert store.trouble == ""
    with pytest.raises(Refused, match="damaged"), store.begin() as work:
        work.episodes([f"e-{n}" for n in range(300)])
    assert "damaged" in store.trouble
    for _ in range(2):
        with pytest.raises(Refused, match="damaged"):
            put(store, episode("e-new"))
        with pytest.raises(Refused, match="damaged"):
            store.begin_unit(["e-1"])
    path.write_bytes(whole)
    assert put(store, episode("e-new")).episodes_added == 1
    assert store.trouble == ""
    assert store.check() == []


def test_a_full_store_is_in_trouble_until_something_could_be_written(store: SqliteStore) -> None:
    """A failed write is remembered for status; a read that goes well does not mend it, a write does."""
    with store.begin() as work:
        work.sql.rows(f"PRAGMA max_page_count = {work.sql.value('PRAGMA page_count') + 2}")
    with pytest.raises(Refused, match="the disk is full"):
        put(store, *[episode(f"e-x{n}", "long " * 2000) for n in range(20)])
    with store.begin() as work:
        assert work.episodes(["e-1"])
    assert "the disk is full" in store.trouble
    assert "the disk is full" in str(store.describe()["trouble"])
    put(store, episode("e-new"))
    assert store.trouble == ""


def test_a_pass_does_not_begin_where_the_disk_is_nearly_full(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Free space is looked at first: 50 MiB, and twice the write-ahead log."""
    ethos = wiring.build(settings, proven.book())
    try:
        ethos.capture([said("We decided to use Rust for all backend services.")])
        monkeypatch.setattr(free_space, "LEAST_FREE", 1 << 62)
        with pytest.raises(Refused, match="the disk is nearly full") as refused:
            ethos.consolidate()
        assert "free some space" in refused.value.problem.hint
        monkeypatch.undo()
        assert ethos.consolidate().facts_created == 1
    finally:
        ethos.close()


def test_what_a_pass_may_need_grows_with_the_write_ahead_log(tmp_path: Path) -> None:
    """A log is folded back into a file of its size, and grows by the same again."""
    bare = free_space.beside(StoreFiles(tmp_path / "not" / "yet" / "ethos.db"))
    assert (bare.beside, bare.needed, bare.wal) == (tmp_path, free_space.LEAST_FREE, 0)  # what is free changes between two looks
    (tmp_path / "ethos.db-wal").write_bytes(b"x" * 5000)
    assert free_space.beside(StoreFiles(tmp_path / "ethos.db")).needed == free_space.LEAST_FREE + 10_000


def test_a_log_that_does_not_shrink_is_told(ethos: Ethos, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A long reader keeps it from being folded back: after a cycle it is looked at."""
    loop = Loop(ethos, RunLock(1.0), since_start=lambda: 0.0)
    ethos.capture([said("We decided to use Rust for all backend services.")])
    monkeypatch.setattr(free_space, "WAL_ALARM", 1)
    with ethos.store.begin() as reader:
        reader.episodes(["x"])
        loop.consolidate(session=None, reason="", dry_run=False)
    assert "The write-ahead log does not shrink" in capsys.readouterr().out
    loop.consolidate(session=None, reason="", dry_run=False)
    assert "The write-ahead log does not shrink" not in capsys.readouterr().out


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A file system of a megabyte and a half."""
    if os.geteuid() != 0:
        pytest.skip("needs root, to mount a small file system")
    place = tmp_path / "small"
    place.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1536k,mode=700", "tmpfs", str(place)], capture_output=True, check=False)
    if done.returncode:
        pytest.skip(f"cannot mount a tmpfs here: {done.stderr.decode().strip()}")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def test_t9_a_daemon_on_a_full_disk_lives_says_so_and_goes_on(small: Path, tmp_path: Path) -> None:
    """Every request is answered throughout; what was acknowledged is there; with the disk back it writes again, by itself."""
    daemon = Daemon(tmp_path, f'[ethos]\ndatabase = "{small}/ethos.db"\n').start()
    try:
        assert daemon.ask(action="capture", paths=[str(daemon.tell({"id": "a", "text": "We decided to use Rust."}))])["added"] == 1
        assert "the disk is nearly full" in (daemon.try_ask(action="consolidate") or {})["error"]["message"]
        many = [{"id": f"b{n}", "text": f"We decided to keep {n} " + "z" * 9000} for n in range(200)]
        refused = daemon.try_ask(action="capture", paths=[str(daemon.tell(*many, name="many.jsonl"))])
        assert "the disk is full" in str(refused)
        told = daemon.ask(action="status")
        assert "the disk is full" in told["daemon"]["degraded"]["store"]
        assert "the disk is nearly full" in told["daemon"]["degraded"]["cycle"]
        assert told["counts"]["episodes"] == 1

        file = str(daemon.tell({"id": "c", "text": "We use Redis."}, name="c.jsonl"))  # there is room for this one
        assert daemon.ask(action="capture", paths=[file])["added"] == 1
        told = daemon.ask(action="status")
        assert "store" not in told["daemon"]["degraded"]
        assert told["counts"]["episodes"] == 2
    finally:
        assert daemon.stop() == 0
