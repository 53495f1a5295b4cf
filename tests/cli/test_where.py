"""Where a daemon listens depends on where variables lead, not on whether they are set; a unit carries them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from ethos.edge.config import loading, paths
from ethos.edge.ops.systemd import service
from tests.support.commands import daemon, environment, spawn

DEFAULTS = {"XDG_DATA_HOME": ".local/share", "XDG_STATE_HOME": ".local/state", "XDG_CONFIG_HOME": ".config"}


def socket_of(env: dict[str, str]) -> str:
    """The socket by both ways, which must agree."""
    quick = paths.quick_socket(None, env, "/")
    assert quick == loading.load(None, env=env, cwd=Path("/")).settings.socket.path
    return str(quick)


def test_fault_newcomer_exported_defaults_lead_to_the_same_socket(tmp_path: Path) -> None:
    """Each default by itself, all of them, with a slash at the end, through a link, and as settings of Ethos."""
    plain = {"HOME": str(tmp_path / "home"), "XDG_RUNTIME_DIR": str(tmp_path)}
    (tmp_path / "home" / ".local" / "share").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "home" / ".local" / "share")
    usual = socket_of(plain)
    whole = {name: str(tmp_path / "home" / path) for name, path in DEFAULTS.items()}
    same = [whole, *({name: path} for name, path in whole.items()), {"XDG_DATA_HOME": whole["XDG_DATA_HOME"] + "/"}]
    same += [{"XDG_DATA_HOME": str(tmp_path / "link")}, {"XDG_DATA_HOME": "relative/counts/not"}, {"ETHOS_ETHOS__USER": "default"}]
    same += [{"ETHOS_ETHOS__DATABASE": "~/.local/share/ethos/ethos.db", "ETHOS_ETHOS__STATE": whole["XDG_STATE_HOME"] + "/ethos"}]
    for more in same:
        assert socket_of({**plain, **more}) == usual, more


def test_other_places_have_sockets_of_their_own(tmp_path: Path) -> None:
    """Another folder, database, state or user is another memory; two that lead to the same place are one."""
    plain = {"HOME": str(tmp_path / "home"), "XDG_RUNTIME_DIR": str(tmp_path)}
    others = [
        {name: str(tmp_path / "other")} for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "ETHOS_ETHOS__DATABASE", "ETHOS_ETHOS__STATE")
    ]
    found = [socket_of({**plain, **more}) for more in ({}, {"ETHOS_ETHOS__USER": "ada"}, *others)]
    assert len(set(found)) == len(found)
    assert socket_of({**plain, "XDG_DATA_HOME": f"{tmp_path}/x/../other/"}) == socket_of(
        {**plain, "XDG_DATA_HOME": str(tmp_path / "other")}
    )


def test_fault_newcomer_a_command_with_exported_defaults_finds_the_daemon(tmp_path: Path) -> None:
    """The daemon started without the variables, the command with them."""
    with daemon(tmp_path):
        exported = {name: str(tmp_path / path) for name, path in DEFAULTS.items()}
        ran = spawn(tmp_path, "status", "--json", stdin=b"", **exported)
        assert ran.code == 0, ran.err
        assert ran.data["daemon"]["pid"]


def test_fault_newcomer_the_unit_carries_the_variables_in_force(tmp_path: Path) -> None:
    """A daemon with the variables of the unit alone listens where a command at installation looks."""
    env = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / 'da "t" 100%$a'), "ETHOS_RECALL__LIMIT": "7", "ETHOS_UNSAID": "x"}
    text = service.show(system=False, env=env)
    lines = [line for line in text.splitlines() if line.startswith("Environment=")]
    assert lines == [f'Environment="XDG_DATA_HOME={tmp_path}/da \\"t\\" 100%%$a"', "Environment=ETHOS_RECALL__LIMIT=7"]
    assert "{environment}" not in text
    assert "Environment=" not in service.show(system=False, env={"HOME": str(tmp_path)})
    assert "Environment=XDG" not in service.show(system=True, env=env)
    assert set(service.carried(env)) == {"XDG_DATA_HOME", "ETHOS_RECALL__LIMIT"}
    assert service.carried({"XDG_RUNTIME_DIR": f"/run/user/{os.getuid()}"}) == {}


@pytest.mark.parametrize("booted", [True, False])
def test_fault_newcomer_install_says_that_its_lines_are_to_be_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, booted: bool) -> None:
    """What is no command is a comment, so that a shell takes all of it; where no systemd runs, it is said, and what to type instead."""
    monkeypatch.setattr(service, "running", lambda: booted)
    told = service.install(system=False, env=environment(tmp_path, XDG_CONFIG_HOME=str(tmp_path)), folder=tmp_path / "units")
    comments = [line for line in told if line.startswith("#")]
    assert any("type" in line for line in comments)
    assert any("no systemd runs" in line and "ethos run" in line for line in comments) is not booted
    typed = "\n".join(told)
    done = subprocess.run(["sh", "-c", f"systemctl() {{ :; }}; loginctl() {{ :; }}\n{typed}"], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
