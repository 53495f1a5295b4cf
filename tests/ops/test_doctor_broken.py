"""Broken installations, one test a kind: the doctor says what was found, whether it matters and what to type (issue 4, item 10)."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from pathlib import Path
from typing import Any

import pytest

from ethos.edge.config import paths
from ethos.edge.files import free_space, locks
from ethos.edge.server import idle
from ethos.store.sqlite.driver import library
from tests.support.commands import QUARREL, TALK, Commands, commands
from tests.support.daemons import Daemon

__all__ = ["commands"]


@pytest.fixture(autouse=True)
def _quiet_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idle, "load_percent", lambda: 3.0)


@pytest.fixture
def memory(commands: Commands) -> Path:
    """A memory that works; its database."""
    commands("capture", "-", stdin=(TALK + QUARREL).encode())
    commands("consolidate")
    assert diagnosis(commands, 0).keys() == {"daemon", "unit"}
    return commands.home / ".local/share/ethos/ethos.db"


def diagnosis(commands: Commands, code: int) -> dict[str, dict[str, Any]]:
    """What is not well, by name. Each says what was found, why it matters and what to do."""
    done = commands("doctor", "--json")
    assert done.code == code, done
    wrong = {check["name"]: check for check in done.data["checks"] if check["level"] != "ok"}
    assert all(check["found"] and check["matters"] and check["do"] for check in wrong.values()), wrong
    assert any(check["level"] == "fail" for check in wrong.values()) is bool(code)
    return wrong


def test_files_that_others_can_read(commands: Commands, memory: Path) -> None:
    """A memory that was copied with an open umask."""
    memory.chmod(0o644)
    found = diagnosis(commands, 0)["database"]
    assert "(mode 644)" in found["found"]
    assert found["do"] == f"chmod 600 {memory}"


def test_a_folder_that_anybody_can_write_to(commands: Commands, memory: Path) -> None:
    """Nothing is opened there, and it says why."""
    memory.parent.chmod(0o777)
    found = diagnosis(commands, 1)
    assert "can be written by others" in found["ownership"]["found"]
    assert f"chmod o-w {memory.parent}" in found["ownership"]["do"]
    assert found["store"]["level"] == "fail"


@pytest.mark.usefixtures("memory")
def test_a_socket_in_a_folder_of_others(commands: Commands) -> None:
    """No daemon would listen there."""
    folder = Path(paths.quick_socket(None, os.environ, str(commands.home)) or "").parent
    folder.mkdir(parents=True, exist_ok=True)
    assert folder.is_relative_to(commands.home)  # with a long path it would be a folder that others use, too
    folder.chmod(0o777)
    found = diagnosis(commands, 1)["socket"]
    assert found["found"] == f"the folder {folder} can be written by others"
    assert found["do"] == f"chmod 700 {folder}, or set socket.path"


@pytest.mark.usefixtures("memory")
def test_a_file_in_place_of_the_socket(commands: Commands) -> None:
    """It is not removed, because it may be somebody's."""
    path = Path(paths.quick_socket(None, os.environ, str(commands.home)) or "")
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.write_text("mine")
    assert "a file where the socket should be" in diagnosis(commands, 1)["socket"]["found"]


def test_a_database_that_was_written_over(commands: Commands, memory: Path) -> None:
    """In the middle, and at the start."""
    whole = memory.read_bytes()
    memory.write_bytes(whole[:8192] + b"\xa5" * (len(whole) - 12288) + whole[-4096:])
    found = diagnosis(commands, 1)
    assert "damaged" in str(found)
    memory.write_bytes(b"\xa5" * 4096 + whole[4096:])
    found = diagnosis(commands, 1)
    assert "not an Ethos store" in found["store"]["found"]


def test_a_schema_of_a_newer_ethos(commands: Commands, memory: Path) -> None:
    """Nothing is written to it."""
    module = library().module
    connection = module.connect(memory)
    connection.execute("PRAGMA user_version = 99")
    connection.commit()
    connection.close()
    found = diagnosis(commands, 1)["store"]
    assert "newer than this program (schema 99" in found["found"]
    assert "install the newer Ethos again" in found["do"]


def test_a_configuration_with_a_mistake(commands: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    """File, line, what was found, what would be right."""
    monkeypatch.setenv("ETHOS_CONFIG", str(commands.write("mine.toml", "[consolidation]\ninterval_minutes = 'often'\n")))
    found = diagnosis(commands, 1)["configuration"]
    assert found["found"].startswith(f"{commands.home}/mine.toml:2: consolidation.interval_minutes is the text")
    assert found["do"] == "it should be a number above 0"


@pytest.mark.usefixtures("memory")
def test_a_pack_with_a_mistake(commands: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is set aside, and the others go on."""
    monkeypatch.setenv("ETHOS_RULES__PACKS", str(commands.write("mine.toml", 'schema = 1\npack = "mine"\nversion = 3\n')))
    found = diagnosis(commands, 1)["rules"]
    assert f"{commands.home}/mine.toml:3" in found["found"]
    assert found["do"] == "ethos rules check"


@pytest.mark.usefixtures("memory")
def test_a_daemon_that_died(commands: Commands) -> None:
    """Its lock and its socket are left behind: neither is in the way, and it says so."""
    path = Path(paths.quick_socket(None, os.environ, str(commands.home)) or "")
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with socket.socket(socket.AF_UNIX) as left_behind:
        left_behind.bind(str(path))
    (commands.home / ".local/state/ethos" / locks.DAEMON).write_text("999999999\n")
    found = diagnosis(commands, 0)["daemon"]
    assert "a daemon that died left its socket behind; the next one removes it" in found["found"]
    assert "ethos run" in found["do"]


def test_a_daemon_that_hangs(commands: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was stopped in the middle: the doctor does not wait for it for ever, and looks at the memory itself."""
    (tmp_path / "hangs").mkdir()
    daemon = Daemon(tmp_path / "hangs").start()
    monkeypatch.setenv("ETHOS_CONFIG", str(daemon.config))
    monkeypatch.setattr("ethos.edge.ops.doctor.process.PATIENCE", 0.3)
    daemon.send(signal.SIGSTOP)
    try:
        found = diagnosis(commands, 1)["daemon"]
    finally:
        daemon.send(signal.SIGCONT)
        daemon.stop()
    assert "no answer within 0.3 seconds" in found["found"]
    assert found["do"]


@pytest.mark.usefixtures("memory")
def test_a_daemon_that_holds_its_lock_and_does_not_listen(commands: Commands) -> None:
    """Commands refuse to work beside it."""
    with locks.hold(commands.home / ".local/state/ethos", locks.DAEMON, "busy"):
        assert f"process {os.getpid()} works on this memory" in diagnosis(commands, 1)["daemon"]["found"]


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to mount a file system")
def test_a_store_on_a_file_system_that_is_read_only(commands: Commands, memory: Path) -> None:
    """As after an error of the disk."""
    folder = str(memory.parent)
    if subprocess.run(["mount", "--bind", folder, folder], capture_output=True, check=False).returncode:
        pytest.skip("cannot mount here")
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", folder], check=True)
        found = diagnosis(commands, 1)["database"]
    finally:
        subprocess.run(["umount", "-l", folder], check=True)
    assert "lies on a file system that is read-only" in found["found"]
    assert "mount its file system for writing" in found["do"]


@pytest.mark.usefixtures("memory")
def test_a_disk_that_is_nearly_full(commands: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    """Less than a pass may need."""
    monkeypatch.setattr(free_space, "LEAST_FREE", 1 << 62)
    found = diagnosis(commands, 1)["disk"]
    assert "free beside the database" in found["found"]
    assert found["do"].startswith("free some space on")


@pytest.mark.parametrize("text", [b"<<<<<<< HEAD\n- [x] keep-new\n=======\n>>>>>>> theirs\n", b"x" * (6 * 1024 * 1024)])
def test_a_review_file_that_cannot_be_read(commands: Commands, memory: Path, text: bytes) -> None:
    """Two versions that were never put together; a file that is far too large."""
    review = memory.parent / "inbox" / "memory-review.md"
    review.write_bytes(text)
    found = diagnosis(commands, 0)["inbox"]
    assert str(review) in found["do"]


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize(
    ("old", "new", "level", "says"),
    [
        ("Nice=10", "Nice=3", "warn", "changed by hand"),
        ("# written by", "# written by", "ok", ""),
    ],
)
def test_a_unit_that_was_changed(commands: Commands, old: str, new: str, level: str, says: str) -> None:
    """A change belongs into a drop-in."""
    commands("service", "install")
    unit = commands.home / ".config/systemd/user/ethos.service"
    unit.write_text(unit.read_text("utf-8").replace(old, new), "utf-8")
    found = diagnosis(commands, 0).get("unit", {"level": "ok", "found": ""})
    assert found["level"] == level
    assert says in found["found"]


@pytest.mark.usefixtures("memory")
def test_a_unit_whose_program_is_gone(commands: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    """The virtual environment was removed, or moved."""
    gone = commands.write("ethos", "#!/bin/sh\n")
    gone.chmod(0o755)
    with monkeypatch.context() as installing:
        installing.setattr("ethos.edge.ops.systemd.service.own_command", lambda: (str(gone),))
        commands("service", "install")
    gone.unlink()
    found = diagnosis(commands, 1)["unit"]
    assert f"it starts {gone}, which is not there" in found["found"]
    assert found["do"] == "ethos service install"


@pytest.mark.usefixtures("memory")
def test_a_unit_of_another_version(commands: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    """Written by an Ethos whose template was another: it is sealed, and not what would be written now."""
    commands("service", "install")
    found = diagnosis(commands, 0)
    assert "unit" not in found
    monkeypatch.setattr("ethos.edge.ops.systemd.service.show", lambda **_: "[Service]\nNice=19\n")
    assert "another version" in diagnosis(commands, 0)["unit"]["found"]
