"""H12 and what is near it: who has the store open keeps a restore out; a removed socket is made again; reading needs no key."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ethos.core.model.errors import Refused
from ethos.edge.client import socket_client
from ethos.edge.files import lease
from tests.support.commands import TALK, Commands, commands, environment, spawn, spoken
from tests.support.daemons import PATIENCE, Daemon, until

__all__ = ["commands"]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with a memory and a backup `b.db` of it."""
    (tmp_path / "talk.jsonl").write_text(TALK, "utf-8")
    for words in (("capture", "talk.jsonl"), ("backup", "b.db")):
        assert spawn(tmp_path, *words).code == 0
    return tmp_path


def test_fault_h12_a_restore_waits_for_nobody_who_follows(home: Path) -> None:
    """It is refused with the process and its command; what that captures afterwards is in the store that is read."""
    folder = home / "followed"
    folder.mkdir()
    command = [sys.executable, "-m", "ethos", "capture", "--follow", str(folder)]
    env = environment(home, ETHOS_CAPTURE__FOLLOW_SECONDS="0.2")
    with subprocess.Popen(command, cwd=home, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as follower:
        try:
            (folder / "one.jsonl").write_text(spoken("n1", "We use the heron."), "utf-8")
            until(lambda: json.loads(spawn(home, "status", "--json").out)["counts"]["episodes"] == 5, "a capture")
            refused = spawn(home, "restore", "b.db", "--yes")
            told = refused.err.replace("\n", " ")
            assert (refused.code, f"process {follower.pid}" in told, "--follow" in told) == (1, True, True), refused
            with (folder / "one.jsonl").open("a", encoding="utf-8") as file:
                file.write(spoken("n2", "We use the bittern."))
            until(lambda: json.loads(spawn(home, "status", "--json").out)["counts"]["episodes"] == 6, "a capture")
        finally:
            follower.terminate()
    assert spawn(home, "restore", "b.db", "--yes").code == 0
    assert json.loads(spawn(home, "status", "--json").out)["counts"]["episodes"] == 4


def test_fault_h12_the_lease_is_shared_by_who_opens_and_had_alone_by_who_swaps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two may share it; then nobody has it alone. While somebody has it alone nobody shares it. It ends with its holder."""
    monkeypatch.setattr(lease, "ALONE_WAIT", 0.0)
    monkeypatch.setattr(lease, "SHARED_WAIT", 0.0)
    database = tmp_path / "data" / "ethos.db"
    shares = [lease.share(database), lease.share(database)]
    shares[0].close()
    with pytest.raises(Refused, match="in use"), lease.alone(database):
        pass
    shares[1].close()
    with lease.alone(database), pytest.raises(Refused, match="being restored"):
        lease.share(database)
    program = (
        "import sys; from pathlib import Path; from ethos.edge.files import lease; l = lease.share(Path(sys.argv[1])); print(1, flush=True)"
    )
    holding = [sys.executable, "-c", f"{program}; input()", str(database)]
    with subprocess.Popen(holding, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        with pytest.raises(Refused, match=f"process {holder.pid}"), lease.alone(database):
            pass
        holder.send_signal(signal.SIGKILL)
        holder.wait(PATIENCE)
    with lease.alone(database):
        pass


def test_fault_low_a_socket_removed_by_a_logout_is_made_again(tmp_path: Path) -> None:
    """The folder is gone, too: at its next look the daemon makes both, and answers; at its end it removes the socket."""
    daemon = Daemon(tmp_path).start()
    try:
        for again in range(2):
            shutil.rmtree(tmp_path / "run") if again else os.unlink(daemon.path)  # noqa: PTH108 (a socket)
            assert socket_client.ask(daemon.path, {"action": "help"}) is None
            until(lambda: daemon.try_ask(action="help"), "the socket")
            assert os.stat(daemon.path).st_mode & 0o777 == 0o600  # noqa: PTH116 (a socket)
            assert daemon.logged("socket had been removed")
    finally:
        assert daemon.stop() == 0
    assert not Path(daemon.path).exists()


def test_fault_low_reading_works_where_no_key_can_be_made(commands: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a disk with no room left, before anything was ever forgotten or shown, what is held is told all the same."""
    commands.write("talk.jsonl", TALK)
    commands("capture", "talk.jsonl")
    commands("consolidate")
    for key in (commands.home / ".local" / "state" / "ethos").glob("*.key"):
        key.unlink()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ethos.edge.files.folders.create", full)
    for words in (("recall", "postgres"), ("facts",)):
        done = commands(*words)
        assert (done.code, "Postgres" in done.out) == (0, True), done
