"""Render and install the systemd units; one template serves both kinds (E-05).

The user unit is the usual one: transcripts and inbox are in a person's home. The system unit is for servers and runs as the user `ethos`.
There are three variants: the daemon alone, the daemon with a socket that systemd holds, and a timer that runs one cycle at a time.
"""

from __future__ import annotations

import os
import pwd
import re
import sys
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Literal

from ethos.core.model.errors import refuse
from ethos.edge.config import loading as configuration
from ethos.edge.config import paths

Scope = Literal["system", "user"]
Variant = Literal["daemon", "socket", "timer"]
State = Literal["missing", "installed", "changed"]  # changed: by hand

VARIANTS: Mapping[Variant, tuple[str, ...]] = {
    "daemon": ("ethos.service",),
    "socket": ("ethos.service", "ethos.socket"),
    "timer": ("ethos-consolidate.service", "ethos-consolidate.timer"),
}
ALL = tuple(dict.fromkeys(unit for units in VARIANTS.values() for unit in units))
_ACCOUNT = "ethos"  # the account that the system unit runs under
_SYSTEM_FOLDER = Path("/etc/systemd/system")

_NOTHING: Mapping[str, str] = {}
_MARKED = re.compile(r"(?P<marks>(?:@[a-z]+)+)(?: (?P<line>.*)|$)")
_SEAL = "# written by `ethos service install`; changes belong into a drop-in (`systemctl edit`) · "


def render(
    scope: Scope,
    command: Sequence[str],
    unit: str = "ethos.service",
    *,
    variant: Variant = "daemon",
    config: Path | None = None,
    listen: str = "%t/ethos.sock",
    environment: Mapping[str, str] = _NOTHING,
) -> str:
    """Return the text of a unit.

    command: starts Ethos; its first word is an absolute path that exists. listen: the socket of ethos.socket. environment: variables that
    the daemon needs to find the same memory as commands do.
    """
    program, *more = command
    if not Path(program).is_absolute() or not os.access(program, os.X_OK):
        what = f"systemd needs an absolute path to a program: {program}"
        raise refuse("usage", what, hint="install Ethos, so that there is a program called ethos")
    if re.search(r"[\x00-\x1f\x7f\"'\\]", program):
        raise refuse(
            "usage", f"systemd starts no program with quotes or backslashes in its path: {program}", hint="install Ethos elsewhere"
        )
    marks = {
        scope,
        "once" if unit == "ethos-consolidate.service" else "daemon",
        "socket" if variant == "socket" else "alone",
    }
    template = files("ethos.edge.ops.systemd").joinpath(unit.replace("ethos-consolidate.service", "ethos.service")).read_text("utf-8")
    lines = [kept for line in template.splitlines() if not line.startswith("# @") and (kept := _kept(line, marks)) is not None]
    given = "".join(f" {_word(word)}" for word in (("--config", str(config)) if config else ()))
    start = [_word(program).replace("$$", "$"), *map(_word, more)]  # systemd expands variables only in the arguments
    words = {"{command}": " ".join(start), "{config}": given, "{listen}": listen}
    carried = "".join(f"Environment={_assigned(name, value)}\n" for name, value in environment.items())
    text = ("\n".join(lines) + "\n").replace("{environment}\n", carried)
    for name, value in words.items():
        text = text.replace(name, value)
    return text


def carried(env: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of this environment that locate and configure a memory: systemd starts a daemon without them."""
    folders = [name for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME") if env.get(name, "").startswith("/")]
    if env.get("XDG_RUNTIME_DIR", "").startswith("/") and env["XDG_RUNTIME_DIR"] != f"/run/user/{os.getuid()}":
        folders.append("XDG_RUNTIME_DIR")  # differs from systemd's
    settings = sorted(name for name in env if name.startswith("ETHOS_") and "__" in name)
    return {name: env[name] for name in (*folders, *settings)}


def own_command() -> tuple[str, ...]:
    """Return the command that starts this installation: its `ethos`, else its Python with the module."""
    script = Path(sys.executable).with_name("ethos")
    return (str(script),) if os.access(script, os.X_OK) else (sys.executable, "-m", "ethos")


def show(
    *,
    system: bool,
    config: Path | None = None,
    unit: str = "ethos.service",
    variant: Variant = "daemon",
    env: Mapping[str, str] = os.environ,
) -> str:
    """Return the text of a unit as `install` would write it."""
    return dict(_units("system" if system else "user", variant, config, env, only=unit))[unit]


def install(
    *,
    system: bool,
    config: Path | None = None,
    variant: Variant = "daemon",
    force: bool = False,
    env: Mapping[str, str] = os.environ,
    folder: Path | None = None,
) -> list[str]:
    """Write the units of a variant where systemd looks for them; return what to type next, a command a line.

    Replace a unit that a person changed only with `force`. folder: another folder than systemd's, for packagers.
    """
    scope: Scope = "system" if system else "user"
    where = folder or place(scope, env)
    units = _units(scope, variant, config, env)
    changed = [name for name, _ in units if _state(where / name) == "changed"]
    if changed and not force:
        what = f"{where / changed[0]} was changed by hand"
        raise refuse("needs-person", what, hint="put your changes into a drop-in (`systemctl edit`) and remove the file, then try again")
    try:
        where.mkdir(parents=True, exist_ok=True)
        for name, text in units:
            _write(where / name, _sealed(text))
    except OSError as error:
        hint = "run it with sudo" if system else "check who owns the folder"
        raise refuse("usage", f"{error.filename or where} cannot be written: {error.strerror}", hint=hint) from error
    return [*(f"# wrote {where / name}" for name, _ in units), *_next(scope, units[-1][0], running=running())]


def uninstall(*, system: bool, force: bool = False, env: Mapping[str, str] = os.environ, folder: Path | None = None) -> list[str]:
    """Remove the units and return what to type next. The memory stays. Remove a unit that a person changed only with `force`."""
    scope: Scope = "system" if system else "user"
    where = folder or place(scope, env)
    found = {name: _state(where / name) for name in ALL}
    changed = [name for name, state in found.items() if state == "changed"]
    if changed and not force:
        raise refuse("needs-person", f"{where / changed[0]} was changed by hand", hint=f"remove it yourself: rm {where / changed[0]}")
    here = [name for name, state in found.items() if state != "missing"]
    for name in here:
        try:
            (where / name).unlink()
            for wants in where.glob("*.wants"):
                (wants / name).unlink(missing_ok=True)  # made by `enable`; `disable` does not find it any more
        except OSError as error:
            raise refuse("usage", f"{where / name} cannot be removed: {error.strerror}", hint="run it with sudo") from error
    typed = manager(scope)
    told = [f"# removed {where / name}" for name in here]
    return [*told, *([f"{typed} stop {' '.join(here)}", f"{typed} daemon-reload"] if here else [])]


def state(*, system: bool, env: Mapping[str, str] = os.environ, folder: Path | None = None) -> dict[str, State]:
    """Return the state of each unit."""
    where = folder or place("system" if system else "user", env)
    return {name: _state(where / name) for name in ALL}


def _units(scope: Scope, variant: Variant, config: Path | None, env: Mapping[str, str], only: str = "") -> list[tuple[str, str]]:
    """Return names and texts. A user's unit starts in another folder, so its command names the configuration found here."""
    listen, environment = "%t/ethos.sock", {}
    if scope == "user":
        environment = carried(env)
        loaded = configuration.load(config, env=env)
        config = loaded.file if loaded.file and str(loaded.file) != paths.standard_file(env) else None
        listen = loaded.settings.socket.path.replace("%", "%%")
    elif config is not None:
        config = config.absolute()
    names = (only,) if only else VARIANTS[variant]
    return [
        (name, render(scope, own_command(), name, variant=variant, config=config, listen=listen, environment=environment)) for name in names
    ]


def place(scope: Scope, env: Mapping[str, str]) -> Path:
    """Return the folder in which systemd looks for units that were installed by hand."""
    return _SYSTEM_FOLDER if scope == "system" else Path(paths.xdg(env, "XDG_CONFIG_HOME", ".config")).with_name("systemd") / "user"


def running() -> bool:
    """Return True if systemd started this machine (sd_booted(3))."""
    return Path("/run/systemd/system").is_dir()


def _next(scope: Scope, started: str, *, running: bool) -> list[str]:
    """Return what to type, a command a line; other lines are comments, so that the whole can be pasted into a shell."""
    typed = manager(scope)
    enable = [f"{typed} daemon-reload", f"{typed} enable --now {started}"]
    lines = [*enable, "loginctl enable-linger"] if scope == "user" else [*_account(), *enable]
    if running:
        return ["# nothing runs yet; to start it now and whenever the machine starts, type:", *lines]
    return ["# no systemd runs on this machine, so nothing will start it: type `ethos run` instead; where one runs, type:", *lines]


def _account() -> list[str]:
    """Return the command that creates the account of the system unit, if it is missing."""
    try:
        pwd.getpwnam(_ACCOUNT)
    except KeyError:
        return [f"useradd --system --home-dir /var/lib/{_ACCOUNT} --shell /usr/sbin/nologin {_ACCOUNT}"]
    return []


def manager(scope: Scope) -> str:
    """Return the systemctl command of this scope."""
    return "systemctl" if scope == "system" else "systemctl --user"


def _kept(line: str, marks: set[str]) -> str | None:
    """Return a template's line without its marks, or None if one of them is not asked for."""
    marked = _MARKED.fullmatch(line)
    if marked is None:
        return line
    return marked["line"] or "" if set(marked["marks"][1:].split("@")) <= marks else None


def _word(word: str) -> str:
    """Return a word of a command line, quoted for systemd (systemd.service(5), Command lines)."""
    plain = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$").replace("\n", "\\n")
    return f'"{plain}"' if plain != word or re.search(r"[\s';]", word) or not word else word


def _assigned(name: str, value: str) -> str:
    """Return a variable for `Environment=`, where a dollar sign has no meaning (systemd.exec(5))."""
    plain = value.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("\n", "\\n")
    return f'"{name}={plain}"' if plain != value or re.search(r"[\s';]", value) else f"{name}={value}"


def _sealed(text: str) -> str:
    return f"{_SEAL}{sha256(text.encode()).hexdigest()[:16]}\n{text}"


def _state(path: Path) -> State:
    try:
        seal, _, text = path.read_text("utf-8", errors="replace").partition("\n")
    except OSError:
        return "missing"
    return "installed" if f"{seal}\n{text}" == _sealed(text) else "changed"


def _write(path: Path, text: str) -> None:
    """Replace a file atomically, so that systemd never reads half a unit."""
    fresh = path.with_name(f".{path.name}.new")
    fresh.write_text(text, "utf-8")
    fresh.chmod(0o644)
    fresh.replace(path)
