"""Check the daemon, the folder of its socket, and the systemd units."""

from __future__ import annotations

import stat
from collections.abc import Generator, Iterator
from pathlib import Path

from ethos.core.model.errors import Refused
from ethos.edge.client import socket_client
from ethos.edge.client.answers import data_of
from ethos.edge.client.connection import Connection
from ethos.edge.files import locks, ownership
from ethos.edge.jsonio.shapes import Json
from ethos.edge.ops.doctor.check import Check, fail, warn, well
from ethos.edge.ops.systemd import state as units_state

RUNS = 50  # searched for a forgetting that was interrupted
PATIENCE = 5.0  # seconds; a working daemon answers at once, a hanging one never


def checks(connection: Connection) -> Iterator[Check]:
    """Yield all these checks."""
    yield from _socket(Path(connection.settings.socket.path))
    answers = yield from _daemon(connection)
    yield from _units(running=answers)


def status(connection: Connection) -> Json:
    """Return the answer of `ethos status`: from the daemon if it answers, else from this process. Raises `Refused`, OSError."""
    envelope = socket_client.ask(connection.settings.socket.path, {"action": "status", "runs": RUNS}, seconds=PATIENCE)
    if envelope is not None and envelope["status"] == "ok":
        return data_of(envelope)
    return connection.local.call("status", {"runs": RUNS}).data


def _socket(path: Path) -> Iterator[Check]:
    do = f"chmod 700 {path.parent}, or set socket.path"
    matters = "a daemon does not listen there: others could take its place"
    try:
        why = ownership.why_replaceable(path.parent, by=stat.S_IWGRP | stat.S_IWOTH, ours_alone=True)
        mode = path.lstat().st_mode
    except FileNotFoundError:
        mode = stat.S_IFSOCK
    except OSError as error:
        yield fail("setup", "socket", f"{path} cannot be read: {error.strerror}", "no command finds the daemon", do)
        return
    if why:
        yield fail("setup", "socket", f"the folder {path.parent} {why}", matters, do)
    elif not stat.S_ISSOCK(mode):
        yield fail("setup", "socket", f"there is a file where the socket should be: {path}", "no daemon can listen", "move it away")
    else:
        yield well("setup", "socket", str(path))


def _daemon(connection: Connection) -> Generator[Check, None, bool]:
    """Yield the check of the daemon; return True if one answers."""
    socket = connection.settings.socket.path
    envelope = socket_client.ask(socket, {"action": "help"}, seconds=PATIENCE)
    holder = locks.holder(connection.state, locks.DAEMON)
    restart = "systemctl --user restart ethos, or end it and start it again"
    if envelope is not None and envelope["status"] == "ok":
        yield well("setup", "daemon", f"it answers at {socket}")
        return True
    if envelope is not None:
        try:
            data_of(envelope)
        except Refused as refused:
            yield fail("setup", "daemon", refused.problem.what, "commands get no answer", refused.problem.hint or restart)
    elif holder is not None:
        what = f"process {holder} works on this memory, but does not answer at {socket}"
        yield fail("setup", "daemon", what, "commands refuse to work beside it", restart)
    else:
        matters = "commands work without one, but nothing is consolidated by itself"
        left = " (a daemon that died left its socket behind; the next one removes it)" if Path(socket).is_socket() else ""
        yield warn("setup", "daemon", f"nothing answers at {socket}{left}", matters, "ethos service install, or ethos run")
    return False


def _units(*, running: bool) -> Iterator[Check]:
    """Yield the checks of the user's and the system's units, if there are any."""
    found = [unit for system in (False, True) for unit in units_state.units(system=system) if unit.state != "missing"]
    for unit in found:
        if unit.fault:
            yield fail("setup", "unit", f"{unit.path}: {unit.fault}", "systemd cannot keep the daemon running", unit.do)
        elif unit.remark:
            yield warn("setup", "unit", f"{unit.path}: {unit.remark}", "it may not do what this version expects", unit.do)
        else:
            yield well("setup", "unit", f"{unit.path}" + (f" ({unit.active})" if unit.active else ""))
    if not found and running:
        yield well("setup", "unit", "none is installed; the daemon was started by hand")
    elif not found:
        matters = "nothing starts a daemon when the machine starts"
        yield warn("setup", "unit", "none is installed", matters, "ethos service install")
