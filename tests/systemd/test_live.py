"""The units under a real systemd: it starts, reloads, watches and stops the daemon, and keeps it in.

Needs root and debootstrap, and a few minutes for the first system; set ETHOS_ROOTFS to a folder to keep that system there.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sysconfig
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

TREE = Path(__file__).parents[2]
CALLER = "runuser -u ethos -- env PYTHONPATH=/opt/ethos:/opt/site ETHOS_SOCKET__PATH={socket} ETHOS_ETHOS__DATABASE=/nowhere"
PATIENCE = 60.0  # seconds
DEBIAN = {"3.11": "bookworm", "3.13": "trixie"}  # which one has the Python that the packages here were made for

pytestmark = [
    pytest.mark.torture,
    pytest.mark.skipif(os.geteuid() != 0, reason="only root can boot a system in namespaces"),
    pytest.mark.skipif(shutil.which("debootstrap") is None, reason="debootstrap is not installed"),
]


class System:
    """A booted system."""

    def __init__(self, first: int) -> None:
        """first: the process id of its systemd, as seen from outside."""
        self.first = first

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


@pytest.fixture(scope="module")
def rootfs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small Debian with systemd and Python, of the version this test runs under."""
    suite = DEBIAN.get(sysconfig.get_python_version())
    if suite is None:
        pytest.skip(f"no Debian release has Python {sysconfig.get_python_version()}")
    kept = os.environ.get("ETHOS_ROOTFS")
    root = Path(kept) if kept else tmp_path_factory.mktemp("debian") / "rootfs"
    if not (root / "usr" / "bin" / "python3").exists():
        packages = "--include=systemd,systemd-sysv,dbus,python3,procps"
        made = subprocess.run(["debootstrap", "--variant=minbase", packages, suite, str(root)], capture_output=True, text=True, check=False)
        if made.returncode:
            pytest.skip(f"no Debian could be fetched: {made.stdout.strip().splitlines()[-1]}")
    return root


@pytest.fixture
def system(rootfs: Path) -> Iterator[System]:
    """Booted, with Ethos to be found by its Python."""
    boot = subprocess.Popen(
        [str(Path(__file__).with_name("boot.sh")), str(rootfs), str(TREE), sysconfig.get_path("purelib")],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        until(lambda: boot.poll() is not None or _systemd_under(boot.pid) is not None)
        booted = System(_systemd_under(boot.pid) or 0)
        until(lambda: booted.run("systemctl is-system-running", check=False) in {"running", "degraded"})
        booted.run("mkdir -p /etc/systemd/system/ethos.service.d")
        drop_in = "[Service]\\nEnvironment=PYTHONPATH=/opt/ethos:/opt/site\\nWatchdogSec=3s\\n"
        booted.run(f"printf '{drop_in}' > /etc/systemd/system/ethos.service.d/test.conf")
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
    code = f"from ethos.edge.service import install; print(*install(system=True, variant={variant!r}), sep='\\n')"
    told = system.run(f'PYTHONPATH=/opt/ethos:/opt/site python3 -c "{code}"')
    for line in told.splitlines():
        system.run(line)


def test_e05_systemd_starts_reloads_watches_and_stops_the_daemon(system: System) -> None:
    """What the unit promises happens: one life of the daemon, from `enable --now` to `stop`."""
    install(system)
    assert system.show("ActiveState") == "active"
    assert system.show("StatusText")
    socket = "/run/ethos/ethos.sock"
    told = json.loads(system.run(f"{CALLER.format(socket=socket)} python3 -m ethos status --json"))
    assert told["daemon"]["pid"] == int(system.show("MainPID"))

    system.run("systemctl reload ethos")
    assert system.show("ActiveState") == "active"
    assert system.show("NRestarts") == "0"

    system.run(f"kill -STOP {system.show('MainPID')}")  # a hang: no progress, so no sign of it
    until(lambda: system.show("NRestarts") == "1" and system.show("ActiveState") == "active")
    assert json.loads(system.run(f"{CALLER.format(socket=socket)} python3 -m ethos status --json"))["daemon"]["pid"]

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
    assert system.run("stat -c %a:%U /var/lib/ethos /run/ethos /run/ethos/ethos.sock").split() == ["700:ethos", "700:ethos", "600:ethos"]
    assert system.run("find /var/lib/ethos -perm /077 | wc -l") == "0"
    assert system.run(f"readlink /proc/{pid}/ns/net") != system.run("readlink /proc/1/ns/net")
    inside = f"nsenter -t {pid} -m"
    assert system.run(f"{inside} sh -c 'touch /usr/here /etc/here' 2>&1", check=False).count("Read-only") == 2
    asked = "runuser -u nobody -- python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect(\"/run/ethos/ethos.sock\")' 2>&1"
    assert "PermissionError" in system.run(asked, check=False)


def test_no_caller_is_lost_while_the_daemon_restarts_behind_its_socket(system: System) -> None:
    """systemd listens; the first caller starts the daemon, and twenty that come while it restarts are all answered."""
    install(system, "socket")
    assert system.show("ActiveState") == "inactive"
    ask = f"{CALLER.format(socket='/run/ethos.sock')} python3 -m ethos status --json"
    assert json.loads(system.run(ask))["daemon"]["pid"]
    assert system.show("ActiveState") == "active"
    answers = system.run(
        f"(systemctl restart ethos &) ; for i in $(seq 20); do {ask} > /tmp/a$i & done; wait; cat /tmp/a* | grep -c '\"pid\"'"
    )
    assert answers == "20"
    system.run("systemctl stop ethos.socket ethos.service")
    assert system.run("ls /run/ethos.sock 2>/dev/null", check=False) == ""
