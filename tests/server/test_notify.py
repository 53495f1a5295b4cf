"""What systemd is told, as a real receiver hears it."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from ethos.edge.server.notify import Notifier, from_environment


@pytest.fixture
def receiver(tmp_path: Path) -> Iterator[socket.socket]:
    """A manager that listens."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.settimeout(5)
        yield listening


def test_each_message_is_one_datagram(receiver: socket.socket) -> None:
    """Ready with its status, reloading with its time, watchdog, stopping."""
    manager = Notifier(receiver.getsockname())
    manager.ready("waiting")
    manager.reloading()
    manager.status("last cycle: 8 scanned")
    manager.watchdog()
    manager.stopping()
    said = [receiver.recv(999).decode() for _ in range(5)]
    assert said[0] == "READY=1\nSTATUS=waiting"
    assert said[1].startswith("RELOADING=1\nMONOTONIC_USEC=")
    assert said[1].rpartition("=")[2].isdigit()
    assert said[2:] == ["STATUS=last cycle: 8 scanned", "WATCHDOG=1", "STOPPING=1\nSTATUS=shutting down"]


def test_a_status_is_one_line_whatever_stands_in_it(receiver: socket.socket) -> None:
    """A message of the store could quote anything; it must not speak for us."""
    Notifier(receiver.getsockname()).status("broken\nMAINPID=1\x1b[2J")
    assert receiver.recv(999).decode() == "STATUS=broken MAINPID=1"


def test_an_abstract_address_is_understood() -> None:
    """Containers use them."""
    name = f"ethos-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind("\0" + name)
        listening.settimeout(5)
        Notifier("@" + name).watchdog()
        assert listening.recv(99) == b"WATCHDOG=1"


def test_nobody_to_tell_is_no_trouble(tmp_path: Path) -> None:
    """No manager, or one that is gone."""
    Notifier("").ready("waiting")
    gone = Notifier(str(tmp_path / "gone"))
    gone.ready("waiting")
    assert gone.lost == 1


def test_the_environment_is_read_once_and_not_passed_on() -> None:
    """A child must not speak for us; a watchdog meant for another process is not ours."""
    environ = {"NOTIFY_SOCKET": "/run/x", "WATCHDOG_USEC": "30000000", "WATCHDOG_PID": str(os.getpid()), "HOME": "/h"}
    assert from_environment(environ)[1] == 30.0
    assert environ == {"HOME": "/h"}
    assert from_environment({"WATCHDOG_USEC": "30000000"})[1] == 30.0
    assert from_environment({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"})[1] is None
    assert from_environment({"WATCHDOG_USEC": "soon"})[1] is None
