"""The state of the installed units: unchanged, able to start, active."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from ethos.edge.jsonio.shapes import Json
from ethos.edge.ops.systemd import service
from ethos.edge.ops.systemd.service import Scope, State

PATIENCE = 5.0  # seconds for systemd to answer

# lines that differ between installations and do not make a unit outdated
_OWN = re.compile(r"^(?:(?:ExecStart|ListenStream)=.*$|Environment=.*\n)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit.

    active: its state in systemd ("active, enabled"), empty if systemd does not answer. fault, remark: an error or a note about it; do: what
    to type then.
    """

    name: str
    path: Path
    scope: Scope
    state: State
    active: str = ""
    fault: str = ""
    remark: str = ""
    do: str = ""

    def data(self) -> Json:
        """Return the unit as JSON."""
        return {**asdict(self), "path": str(self.path)}

    @property
    def line(self) -> str:
        """Return the unit as text for a person."""
        said = ", ".join(part for part in (self.state, self.active) if part)
        wrong = self.fault or self.remark
        return f"{self.name} ({self.scope}): {said}" + (f"\n  {wrong}\n  -> {self.do}" if wrong else "")


def units(*, system: bool, env: Mapping[str, str] = os.environ, folder: Path | None = None) -> list[Unit]:
    """Return every unit of Ethos, with those that are not installed."""
    scope: Scope = "system" if system else "user"
    place = folder or service.place(scope, env)
    states = service.state(system=system, env=env, folder=folder)
    return [_looked_at(name, place / name, scope, state, states, env) for name, state in states.items()]


def _looked_at(name: str, path: Path, scope: Scope, state: State, all_of: Mapping[str, State], env: Mapping[str, str]) -> Unit:
    unit = Unit(name, path, scope, state)
    if state == "missing":
        return unit
    manager, text = service.manager(scope), path.read_text("utf-8", errors="replace")
    known = _asked(scope, name)
    active = ", ".join(known[each] for each in ("ActiveState", "UnitFileState") if known.get(each))
    again = f"ethos service install{' --system' if scope == 'system' else ''}"
    started = service.VARIANTS[_variant(name, all_of)][-1]
    fault = remark = do = ""
    if program := _not_startable(text):
        fault, do = f"it starts {program}, which is not there", again
    elif known.get("ActiveState") == "failed":
        fault, do = f"it failed ({known.get('Result', 'unknown')})", f"{_journal(scope)} -u {name} -n 50; then {manager} restart {name}"
    elif state == "changed":
        remark, do = "it was changed by hand", f"put the changes into a drop-in ({manager} edit {name}) and install it anew"
    elif _OWN.sub("", _plain(text)) != _OWN.sub("", _rendered(name, scope, all_of, env)):
        remark, do = "it is of another version of Ethos", again
    elif known.get("UnitFileState") == "disabled" and known.get("ActiveState") != "active" and name == started:
        remark, do = "it is neither running nor enabled", f"{manager} enable --now {name}"
    elif scope == "user" and name == "ethos.service" and known and not _lingers():
        remark, do = "it ends when you log out", "loginctl enable-linger"
    return Unit(name, path, scope, state, active, fault, remark, do)


def _rendered(name: str, scope: Scope, all_of: Mapping[str, State], env: Mapping[str, str]) -> str:
    """Return the text that this version would write."""
    return service.show(system=scope == "system", unit=name, variant=_variant(name, all_of), env=env)


def _variant(name: str, all_of: Mapping[str, State]) -> service.Variant:
    """Return the variant that an installed unit belongs to."""
    if name not in service.VARIANTS["socket"]:
        return "timer"
    return "daemon" if all_of["ethos.socket"] == "missing" else "socket"


def _plain(text: str) -> str:
    """Return the text without its checksum line."""
    return text.partition("\n")[2]


def _not_startable(text: str) -> str:
    """Return the program that a unit starts, if it is missing; else ""."""
    started = next((line.removeprefix("ExecStart=") for line in text.splitlines() if line.startswith("ExecStart=")), "")
    words = shlex.split(started.replace("%%", "%"))
    return words[0] if words and not os.access(words[0], os.X_OK) else ""


def _asked(scope: Scope, name: str) -> dict[str, str]:
    """Return the properties of a unit in systemd; empty if systemd does not answer."""
    command = ["systemctl", f"--{scope}", "show", "--no-pager", "-p", "ActiveState,UnitFileState,Result", name]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)  # noqa: S603 (our own words)
    except (OSError, subprocess.TimeoutExpired):
        return {}
    pairs = (line.partition("=") for line in done.stdout.splitlines())
    return {key: value for key, _, value in pairs if value} if done.returncode == 0 else {}


def _journal(scope: Scope) -> str:
    return "journalctl" if scope == "system" else "journalctl --user"


def _lingers() -> bool:
    user = os.environ.get("USER", "")
    return not user or Path("/var/lib/systemd/linger", user).exists()
