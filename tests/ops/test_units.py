"""The systemd units: what they promise, what systemd's own tools say of them, and how they come and go."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from ethos.core.model.errors import Refused
from ethos.edge.config import loading
from ethos.edge.ops.systemd import service
from ethos.edge.ops.systemd.service import ALL, VARIANTS, Scope, Variant, install, render, show, state, uninstall

COMMAND = (sys.executable, "-m", "ethos")
SCOPES: tuple[Scope, ...] = ("system", "user")

analyze = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")


def directives(text: str) -> list[str]:
    """The lines of a unit that say something."""
    return [line for line in text.splitlines() if line and line[0] not in "#["]


def written(folder: Path, scope: Scope, variant: Variant, command: tuple[str, ...] = COMMAND, config: Path | None = None) -> list[str]:
    """The units of a variant as files; their paths."""
    folder.mkdir(parents=True)
    for unit in VARIANTS[variant]:
        (folder / unit).write_text(render(scope, command, unit, variant=variant, config=config), "utf-8")
    return [str(folder / unit) for unit in VARIANTS[variant]]


def systemd_analyze(scope: Scope, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run it, with a runtime folder for the user manager's side of it."""
    runtime = folder / "run"
    runtime.mkdir(mode=0o700, exist_ok=True)
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(runtime), "HOME": str(folder), "SYSTEMD_PAGER": "cat"}
    return subprocess.run(
        ["systemd-analyze", f"--{scope}", *arguments], capture_output=True, text=True, env=environment, check=False, timeout=60
    )


@pytest.mark.parametrize("scope", SCOPES)
def test_e05_the_unit_starts_watches_and_ends_the_daemon(scope: Scope) -> None:
    """Readiness, reload, progress, restarts that end, limits: as promised, in both kinds."""
    lines = directives(render(scope, COMMAND))
    for promised in (
        "Type=notify",
        "NotifyAccess=main",
        f"ExecStart={sys.executable} -m ethos run",
        "ExecReload=/bin/kill -HUP $MAINPID",
        "WatchdogSec=30s",
        "Restart=on-failure",
        "RestartSec=2s",
        "StartLimitIntervalSec=10min",
        "StartLimitBurst=5",
        "TimeoutStopSec=60s",
        "OOMPolicy=stop",
        "MemoryHigh=256M",
        "MemoryMax=512M",
        "LimitCORE=0",
        "Nice=10",
        "CPUSchedulingPolicy=batch",
        "IOSchedulingClass=idle",
        "PrivateNetwork=yes",
        "RestrictAddressFamilies=AF_UNIX",
        "PrivateUsers=yes",
    ):
        assert lines.count(promised) == 1, promised
    assert not any(line.startswith("ProcSubset") for line in lines)
    assert ("User=ethos" in lines) is (scope == "system")
    assert not any("@" in line for line in lines if not line.startswith("SystemCallFilter="))
    assert not any("{" in line for line in lines)


def test_the_system_unit_keeps_everything_in_its_own_folders() -> None:
    """The variables it sets are settings, and they lead into the folders that systemd makes for it."""
    text = render("system", COMMAND)
    pairs = (line.removeprefix("Environment=").split("=", 1) for line in directives(text) if line.startswith("Environment="))
    env = {name: value.replace("%S", "/var/lib").replace("%t", "/run") for name, value in pairs}
    settings = loading.load(env={**env, "HOME": "/nonexistent"}, cwd=Path("/")).settings
    assert settings.ethos.database == "/var/lib/ethos/ethos.db"
    assert settings.ethos.state == "/var/lib/ethos/state"
    assert settings.conflict_resolution.review_inbox == "/var/lib/ethos/inbox/memory-review.md"
    assert settings.socket.path == "/run/ethos/ethos.sock"
    for made in ("StateDirectory=ethos", "RuntimeDirectory=ethos", "StateDirectoryMode=0700", "RuntimeDirectoryMode=0700"):
        assert made in directives(text)


def test_callers_look_for_the_socket_where_systemd_listens() -> None:
    """Outside of the runtime folder, which goes when the service stops; and the service says that it needs it."""
    socket = directives(render("system", COMMAND, "ethos.socket", variant="socket"))
    assert {"ListenStream=%t/ethos.sock", "SocketMode=0600", "SocketUser=ethos", "RemoveOnStop=yes"} <= set(socket)
    daemon = directives(render("system", COMMAND, variant="socket"))
    assert {"Requires=ethos.socket", "Environment=ETHOS_SOCKET__PATH=%t/ethos.sock"} <= set(daemon)
    assert "Environment=ETHOS_SOCKET__PATH=%t/ethos/ethos.sock" not in daemon


@analyze
@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("variant", VARIANTS)
def test_systemd_finds_no_fault_with_the_units(tmp_path: Path, scope: Scope, variant: Variant) -> None:
    """`systemd-analyze verify`: nothing said, exit code 0."""
    checked = systemd_analyze(scope, tmp_path, "verify", "--man=no", *written(tmp_path / "units", scope, variant))
    assert (checked.returncode, checked.stderr) == (0, "")


@analyze
def test_systemd_reads_back_a_path_with_every_awkward_sign(tmp_path: Path) -> None:
    """Spaces, quotes, percent and dollar signs, and what systemd would take for more."""
    odd = tmp_path / "a $HOME of %h; ethos"
    odd.write_text("#!/bin/sh\n", "utf-8")
    odd.chmod(0o755)
    units = written(tmp_path / "units", "user", "daemon", (str(odd),), tmp_path / 'o\'dd $HOME %h \\ "q"\n' / "config.toml")
    checked = systemd_analyze("user", tmp_path, "verify", "--man=no", *units)
    assert (checked.returncode, checked.stderr) == (0, "")


@analyze
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(("scope", "tenths"), [("system", 4), ("user", 31)])
def test_the_units_are_hardly_exposed(tmp_path: Path, scope: Scope, tenths: int, variant: Variant) -> None:
    """`systemd-analyze security`: at most 0.4 of 10 for the system unit, 3.1 for the user's, which must reach what is in a home."""
    unit = next(path for path in written(tmp_path / "units", scope, variant) if path.endswith(".service"))
    checked = systemd_analyze(scope, tmp_path, "security", "--offline=yes", f"--threshold={tenths}", unit)
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize("command", [("ethos",), ("/nonexistent/ethos",)])
def test_a_program_that_systemd_could_not_start_is_refused(command: tuple[str, ...]) -> None:
    """Before systemd does, and with what to do."""
    with pytest.raises(Refused, match="absolute path") as refused:
        render("user", command)
    assert refused.value.problem.hint


def test_a_program_that_systemd_would_not_take_is_refused(tmp_path: Path) -> None:
    """Whatever the quoting, it takes no quotes in the path of a program."""
    odd = tmp_path / "o'dd"
    odd.touch(0o755)
    with pytest.raises(Refused, match="no program with quotes"):
        render("user", (str(odd),))


def test_this_installation_can_be_started() -> None:
    """The command that goes into the unit runs."""
    shown = subprocess.run([*service.own_command(), "--version"], capture_output=True, text=True, check=True, timeout=60)
    assert shown.stdout.startswith("ethos ")


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """The environment of a user with an empty home."""
    return {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "conf"), "XDG_RUNTIME_DIR": "/run/user/1000"}


@pytest.fixture
def away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder without a configuration file."""
    folder = tmp_path / "away"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.usefixtures("away")
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_users_units_come_and_go(tmp_path: Path, env: dict[str, str], variant: Variant) -> None:
    """To where the user's systemd looks, with what to type next; again is harmless; and away."""
    folder = tmp_path / "conf" / "systemd" / "user"
    assert set(state(system=False, env=env).values()) == {"missing"}
    told = install(system=False, variant=variant, env=env)
    assert sorted(each.name for each in folder.iterdir()) == sorted(VARIANTS[variant])
    assert told[-3:] == [
        "systemctl --user daemon-reload",
        f"systemctl --user enable --now {VARIANTS[variant][-1]}",
        "loginctl enable-linger",
    ]
    assert install(system=False, variant=variant, env=env) == told
    assert {unit for unit, is_now in state(system=False, env=env).items() if is_now == "installed"} == set(VARIANTS[variant])
    wanted = folder / "default.target.wants" / VARIANTS[variant][-1]
    wanted.parent.mkdir()
    wanted.symlink_to(folder / VARIANTS[variant][-1])  # as `enable` does
    assert uninstall(system=False, env=env)[-1] == "systemctl --user daemon-reload"
    assert [path for path in folder.rglob("*") if not path.is_dir()] == []
    assert uninstall(system=False, env=env) == []


@pytest.mark.usefixtures("away")
def test_a_unit_that_a_person_changed_is_left_alone(env: dict[str, str]) -> None:
    """Unless they say otherwise."""
    path = Path(install(system=False, env=env)[0].removeprefix("# wrote "))
    theirs = path.read_text("utf-8").replace("Nice=10", "Nice=19")
    path.write_text(theirs, "utf-8")
    assert state(system=False, env=env)["ethos.service"] == "changed"
    for attempt in (install, uninstall):
        with pytest.raises(Refused, match="changed by hand") as refused:
            attempt(system=False, env=env)
        assert refused.value.problem.code == "needs-person"
        assert path.read_text("utf-8") == theirs
    install(system=False, env=env, force=True)
    assert "Nice=10" in path.read_text("utf-8")


def test_a_users_unit_names_the_configuration_that_counts_here(away: Path, env: dict[str, str]) -> None:
    """systemd starts it elsewhere, where `./config.toml` would not be found; the standard one is found anyway."""
    (away / "config.toml").write_text("[ethos]\n", "utf-8")
    path = Path(install(system=False, env=env)[0].removeprefix("# wrote "))
    assert f"run --config {away / 'config.toml'}" in path.read_text("utf-8")
    (away / "config.toml").unlink()
    standard = Path(env["XDG_CONFIG_HOME"]) / "ethos" / "config.toml"
    standard.parent.mkdir()
    standard.write_text("[ethos]\n", "utf-8")
    install(system=False, env=env)
    assert "--config" not in path.read_text("utf-8")


def test_the_system_unit_takes_no_configuration_from_where_it_is_installed(away: Path, tmp_path: Path) -> None:
    """Only one that is named. And the account it runs under is made, where it is not there."""
    (away / "config.toml").write_text("[ethos]\n", "utf-8")
    told = install(system=True, folder=tmp_path / "system")
    assert "--config" not in (tmp_path / "system" / "ethos.service").read_text("utf-8")
    assert told[-2:] == ["systemctl daemon-reload", "systemctl enable --now ethos.service"]
    install(system=True, folder=tmp_path / "system", config=Path("config.toml"))
    assert f"run --config {away / 'config.toml'}" in (tmp_path / "system" / "ethos.service").read_text("utf-8")


def test_a_folder_that_cannot_be_written_is_a_clear_problem(tmp_path: Path) -> None:
    """With what to do."""
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(Refused, match="cannot be written") as refused:
        install(system=True, folder=tmp_path / "file" / "system")
    assert "sudo" in refused.value.problem.hint


@pytest.mark.usefixtures("away")
@pytest.mark.parametrize("system", [True, False])
@pytest.mark.parametrize("unit", ALL)
def test_every_unit_can_be_shown(unit: str, system: bool) -> None:
    """`ethos service show` prints what would be written."""
    assert show(system=system, unit=unit).startswith("[Unit]\n")


def test_a_wheel_holds_the_templates(tmp_path: Path) -> None:
    """What is installed finds them inside the package."""
    pytest.importorskip("hatchling", reason="hatchling is not installed")
    built = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {f"ethos/edge/ops/systemd/{unit}" for unit in ("ethos.service", "ethos.socket", "ethos-consolidate.timer")} <= names
