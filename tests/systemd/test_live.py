"""The units under a real systemd: it starts, reloads, watches and stops the daemon, and keeps it in.

On Debian 12 and 13, with systemd 252 and 257. Needs root and debootstrap, and some minutes for the first systems; set ETHOS_ROOTFS to a
folder to keep them there. What cannot be had is skipped with its reason; with ETHOS_REQUIRE_SYSTEMD=1 it fails instead, for CI.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NoReturn

import pytest

TREE = Path(__file__).parents[2]
PATHS = "PYTHONPATH=/opt/ethos:/opt/site LD_LIBRARY_PATH=/opt/python/lib PYTHONDONTWRITEBYTECODE=1"
CALLER = f"runuser -u ethos -- env {PATHS} ETHOS_SOCKET__PATH={{socket}} ETHOS_ETHOS__DATABASE=/nowhere"
PATIENCE = 120.0  # seconds
DEBIAN = {"bookworm": "252", "trixie": "257"}  # and its systemd
OWN_PYTHON = {"bookworm": "3.11", "trixie": "3.13"}
PACKAGES = "systemd,systemd-sysv,dbus,python3,procps,libpam-systemd,dbus-user-session"

pytestmark = pytest.mark.torture


def missing(reason: str) -> NoReturn:
    """Skip, or fail where this must be shown."""
    (pytest.fail if os.environ.get("ETHOS_REQUIRE_SYSTEMD") else pytest.skip)(reason)


class System:
    """A booted system."""

    def __init__(self, first: int, python: str) -> None:
        """first: the process id of its systemd, as seen from outside. python: what starts Ethos in it."""
        self.first = first
        self.python = python

    def run(self, command: str, *, check: bool = True) -> str:
        """A shell command inside; its output."""
        enter = ["nsenter", "-t", str(self.first), "-m", "-u", "-i", "-n", "-p", "-C", "-r", "-w", "sh", "-c", command]
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "SYSTEMD_PAGER": "cat", "LC_ALL": "C.UTF-8"}
        done = subprocess.run(enter, capture_output=True, text=True, env=environment, check=False, timeout=180)
        assert done.returncode == 0 or not check, f"{command}\n{done.stdout}{done.stderr}{self.log()}"
        return done.stdout.strip()

    def show(self, name: str, unit: str = "ethos.service") -> str:
        """A property of a unit."""
        return self.run(f"systemctl show -P {name} {unit}")

    def log(self) -> str:
        """What the daemon said."""
        return subprocess.run(
            ["nsenter", "-t", str(self.first), "-m", "-p", "-C", "-r", "journalctl", "--no-pager", "-n", "40"],
            capture_output=True,
            text=True,
            check=False,
        ).stdout


def until(what: Callable[[], bool]) -> None:
    """Wait for it."""
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end
        time.sleep(0.2)


@pytest.fixture(scope="module", params=DEBIAN)
def rootfs(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small Debian with systemd and Python."""
    suite = str(request.param)
    if os.geteuid() != 0:
        missing("only root can boot a system in namespaces")
    if shutil.which("debootstrap") is None:
        missing("debootstrap is not installed")
    if sys.base_prefix == "/usr" and OWN_PYTHON[suite] != sysconfig.get_python_version():
        missing(f"{suite} has another Python than {sysconfig.get_python_version()}, and the one here cannot be lent to it")
    kept = os.environ.get("ETHOS_ROOTFS")
    root = (Path(kept) if kept else tmp_path_factory.mktemp("debian")) / suite
    if not (root / "usr" / "bin" / "python3").exists():
        command = ["debootstrap", "--variant=minbase", f"--include={PACKAGES}", suite, str(root)]
        made = subprocess.run(command, capture_output=True, text=True, check=False)
        if made.returncode:
            missing(f"no Debian could be fetched: {made.stdout.strip().splitlines()[-1]}")
    return root


@pytest.fixture
def system(rootfs: Path) -> Iterator[System]:
    """Booted, with Ethos to be found by the Python that runs this test."""
    lent = sys.base_prefix != "/usr"
    boot = subprocess.Popen(
        [
            str(Path(__file__).with_name("boot.sh")),
            str(rootfs),
            str(TREE),
            sysconfig.get_path("purelib"),
            sys.base_prefix if lent else str(TREE),
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        until(lambda: boot.poll() is not None or _systemd_under(boot.pid) is not None)
        booted = System(_systemd_under(boot.pid) or 0, f"/opt/python/bin/python{sysconfig.get_python_version()}" if lent else "python3")
        until(lambda: booted.run("systemctl is-system-running", check=False) in {"running", "degraded"})
        assert booted.run("systemctl --version").split()[1] == DEBIAN[rootfs.name]
        for kind in ("system", "user"):
            for unit in ("ethos", "ethos-consolidate"):
                folder = f"/etc/systemd/{kind}/{unit}.service.d"
                watched = "WatchdogSec=3s\\n" if unit == "ethos" else ""
                booted.run(f"mkdir -p {folder}; printf '[Service]\\nEnvironment={PATHS}\\n{watched}' > {folder}/test.conf")
        yield booted
    finally:
        boot.kill()
        boot.wait()
        for group in sorted(Path("/sys/fs/cgroup").glob(f"**/ethos-units-{boot.pid}/**/"), reverse=True):
            until(partial(_removed, group))


def _systemd_under(parent: int) -> int | None:
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text("ascii").split()
    return next((int(child) for child in children if Path(f"/proc/{child}/comm").read_text("ascii") == "systemd\n"), None)


def _removed(group: Path) -> bool:
    try:
        group.rmdir()
    except OSError:  # its processes are still ending
        return False
    return True


def install(system: System, variant: str = "daemon") -> None:
    """Install the units, and type what it says is to be typed."""
    for line in system.run(f"env {PATHS} {system.python} -m ethos service install --system --variant {variant}").splitlines():
        system.run(line)


def test_e05_systemd_starts_reloads_watches_and_stops_the_daemon(system: System) -> None:
    """What the unit promises happens: one life of the daemon, from `enable --now` to `stop`."""
    install(system)
    assert system.show("ActiveState") == "active"
    assert system.show("StatusText")
    socket = "/run/ethos/ethos.sock"
    told = json.loads(system.run(f"{CALLER.format(socket=socket)} {system.python} -m ethos status --json"))
    assert told["daemon"]["pid"] == int(system.show("MainPID"))

    system.run("systemctl reload ethos")
    assert system.show("ActiveState") == "active"
    assert system.show("NRestarts") == "0"

    system.run(f"kill -STOP {system.show('MainPID')}")  # a hang: no progress, so no sign of it
    until(lambda: system.show("NRestarts") == "1" and system.show("ActiveState") == "active")
    assert json.loads(system.run(f"{CALLER.format(socket=socket)} {system.python} -m ethos status --json"))["daemon"]["pid"]

    system.run("systemctl stop ethos")
    assert (system.show("ActiveState"), system.show("Result")) == ("inactive", "success")
    assert system.run("ls /run/ethos 2>/dev/null", check=False) == ""


def test_the_daemon_is_kept_in(system: System) -> None:
    """No capability, no new rights, a system call filter, no network; its folders for itself alone; other users are refused."""
    install(system)
    pid = int(system.show("MainPID"))
    status = dict(line.split(":\t", 1) for line in system.run(f"cat /proc/{pid}/status").splitlines() if ":\t" in line)
    assert (int(status["CapEff"], 16), int(status["CapBnd"], 16)) == (0, 0)
    assert (status["NoNewPrivs"], status["Seccomp"]) == ("1", "2")
    system.run("systemd-analyze verify --man=no /etc/systemd/system/ethos.service")
    system.run("systemd-analyze security --threshold=4 ethos.service")  # tenths
    assert system.run("stat -c %a:%U /var/lib/ethos /run/ethos /run/ethos/ethos.sock").split() == ["700:ethos", "700:ethos", "600:ethos"]
    assert system.run("find /var/lib/ethos -perm /077 | wc -l") == "0"
    assert system.run(f"readlink /proc/{pid}/ns/net") != system.run("readlink /proc/1/ns/net")
    inside = f"nsenter -t {pid} -m"
    assert system.run(f"{inside} sh -c 'touch /usr/here /etc/here' 2>&1", check=False).count("Read-only") == 2
    asked = (
        "runuser -u nobody -- /usr/bin/python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect(\"/run/ethos/ethos.sock\")' 2>&1"
    )
    assert "PermissionError" in system.run(asked, check=False)


def test_no_caller_is_lost_while_the_daemon_restarts_behind_its_socket(system: System) -> None:
    """systemd listens; the first caller starts the daemon, and twenty that come while it restarts are all answered."""
    install(system, "socket")
    assert system.show("ActiveState") == "inactive"
    ask = f"{CALLER.format(socket='/run/ethos.sock')} {system.python} -m ethos status --json"
    assert json.loads(system.run(ask))["daemon"]["pid"]
    assert system.show("ActiveState") == "active"
    answers = system.run(
        f"(systemctl restart ethos &) ; for i in $(seq 20); do {ask} > /tmp/a$i & done; wait; cat /tmp/a* | grep -c '\"pid\"'"
    )
    assert answers == "20"
    system.run("systemctl stop ethos.socket ethos.service")
    assert system.run("ls /run/ethos.sock 2>/dev/null", check=False) == ""


def test_a_timer_runs_a_cycle_where_no_daemon_stays(system: System) -> None:
    """The third variant: enabled, due, and its cycle ends well."""
    install(system, "timer")
    assert system.show("ActiveState", "ethos-consolidate.timer") == "active"
    system.run("systemctl start ethos-consolidate.service")
    assert system.show("Result", "ethos-consolidate.service") == "success"
    told = system.run(
        f"runuser -u ethos -- env {PATHS} ETHOS_ETHOS__DATABASE=/var/lib/ethos/ethos.db {system.python} -m ethos status --json"
    )
    assert [run["outcome"] for run in json.loads(told)["runs"]] == ["done"]


def test_a_users_unit_lives_on_without_a_login(system: System) -> None:
    """A user's own manager, kept by lingering: it starts, is hardly exposed, reloads, is restarted when it hangs, and goes when told to."""
    system.run("useradd --create-home ada && loginctl enable-linger ada")
    uid = system.run("id -u ada")
    until(lambda: system.run(f"systemctl is-active user@{uid}", check=False) == "active")
    typed = f"cd /home/ada && runuser -u ada -- env HOME=/home/ada USER=ada XDG_RUNTIME_DIR=/run/user/{uid} {PATHS} "
    for line in system.run(f"{typed}{system.python} -m ethos service install").splitlines():
        if line.startswith("systemctl"):
            system.run(typed + line)

    def show(name: str) -> str:
        return system.run(f"{typed}systemctl --user show -P {name} ethos.service")

    assert show("ActiveState") == "active"
    assert system.run(f"stat -c %a:%U /run/user/{uid}/ethos.sock") == "600:ada"
    assert json.loads(system.run(f"{typed}{system.python} -m ethos status --json"))["daemon"]["pid"] == int(show("MainPID"))
    system.run(f"{typed}systemd-analyze --user security --threshold=31 ethos.service")
    assert system.run(f"readlink /proc/{show('MainPID')}/ns/net") != system.run("readlink /proc/1/ns/net")  # offline, for a user too
    assert "ethos.service (user): installed, active, enabled" in system.run(f"{typed}{system.python} -m ethos service status")
    system.run(f"{typed}systemctl --user reload ethos")
    system.run(f"kill -STOP {show('MainPID')}")
    until(lambda: show("NRestarts") == "1" and show("ActiveState") == "active")
    for line in system.run(f"{typed}{system.python} -m ethos service uninstall").splitlines():
        system.run(typed + line if line.startswith("systemctl") else "true")
    assert show("ActiveState") == "inactive"
    assert system.run("find /home/ada/.config/systemd/user -type f -o -type l") == ""
