"""Find the configuration file and the daemon's socket. Hot commands import this: built-in modules only, no TOML parser.

The order: `--config`, $ETHOS_CONFIG, ./config.toml if it has an [ethos] table, $XDG_CONFIG_HOME/ethos/config.toml.
"""

from __future__ import annotations

import os
from binascii import crc32

TYPE_CHECKING = False  # replaces typing.TYPE_CHECKING, which is too slow to import
if TYPE_CHECKING:
    from collections.abc import Mapping

LONGEST_SOCKET = 107  # bytes of a Unix socket's path, without the final NUL
HERE = "the working directory"


def home(env: Mapping[str, str]) -> str:
    """Return the home folder in this environment."""
    return env.get("HOME") or os.path.expanduser("~")


def xdg(env: Mapping[str, str], name: str, default: str) -> str:
    """Return `<name>/ethos` by the XDG base directory rules: a relative or empty variable is ignored."""
    base = env.get(name, "")
    return os.path.join(base if base.startswith("/") else os.path.join(home(env), default), "ethos")


def data_home(env: Mapping[str, str]) -> str:
    """Return the folder of database and inbox without a configuration file."""
    return xdg(env, "XDG_DATA_HOME", SHARE)


def state_home(env: Mapping[str, str]) -> str:
    """Return the folder of locks without a configuration file."""
    return xdg(env, "XDG_STATE_HOME", STATE)


def standard_file(env: Mapping[str, str]) -> str:
    """Return the path of the user's own config.toml."""
    return os.path.join(xdg(env, "XDG_CONFIG_HOME", ".config"), "config.toml")


def roots(env: Mapping[str, str]) -> list[str]:
    """Return Ethos' own folders, in which any configuration may place what it writes."""
    runtime = [env.get(name, "").partition(":")[0] for name in ("RUNTIME_DIRECTORY", "STATE_DIRECTORY", "XDG_RUNTIME_DIR")]
    return [data_home(env), state_home(env), *(path for path in runtime if path.startswith("/")), f"/tmp/ethos-{os.getuid()}"]  # noqa: S108 (as below)


def strange(file: str) -> bool:
    """Return True if another user may have written this file: it is neither ours nor root's, or world-writable."""
    try:
        status = os.stat(file)
    except OSError:
        return True
    return status.st_uid not in {os.geteuid(), 0} or bool(status.st_mode & 0o002)


def absolute(path: str, base: str, env: Mapping[str, str]) -> str:
    """Return an absolute path: `~` expanded with this environment's HOME, relative to `base`, `..` resolved by name, links not followed
    (E-37).
    """
    if path == "~" or path.startswith("~/"):
        path = home(env) + path[1:]
    elif path.startswith("~"):
        path = os.path.expanduser(path)
    return os.path.normpath(os.path.join(base, path))


def config_file(explicit: str | None, env: Mapping[str, str], cwd: str) -> tuple[str | None, str]:
    """Return the configuration file in effect, absolute, or None, and what named it. It need not exist: the loader reports that."""
    if explicit is not None:
        return absolute(explicit, cwd, env), "--config"
    if named := env.get("ETHOS_CONFIG"):
        return absolute(named, cwd, env), "$ETHOS_CONFIG"
    here = os.path.join(cwd, "config.toml")
    if _has_table(here, b"[ethos]"):
        return here, HERE
    standard = standard_file(env)
    return (standard, "XDG") if os.path.isfile(standard) else (None, "")


def default_socket(file: str | None, env: Mapping[str, str]) -> str:
    """Return the default socket path: in the runtime folder, `ethos.sock` for the user's own memory.

    A memory that a file outside $XDG_CONFIG_HOME or the environment places elsewhere has a socket of its own, so that no command reaches
    the daemon of another memory by mistake. The target of a variable counts, not whether it is set.
    """
    apart = [file] if file not in {None, standard_file(env)} else []
    apart += _elsewhere(env)
    name = f"ethos-{crc32(repr(apart).encode('utf-8', 'surrogateescape')):08x}.sock" if apart else "ethos.sock"
    runtime = env.get("RUNTIME_DIRECTORY", "").partition(":")[0] or env.get("XDG_RUNTIME_DIR", "")
    path = os.path.join(runtime if runtime.startswith("/") else os.path.join(state_home(env), "run"), name)
    if len(os.fsencode(path)) <= LONGEST_SOCKET:
        return path
    return f"/tmp/ethos-{os.getuid()}/{crc32(os.fsencode(path)):08x}.sock"  # noqa: S108 (the trigger makes it 0700, and refuses another's)


_DEFAULT_USER = "default"  # as in core.model.settings, which is too slow to import here
SHARE, STATE = ".local/share", ".local/state"


def _elsewhere(env: Mapping[str, str]) -> list[str]:
    """Return which parts of a memory the environment moves from their defaults, and where to; empty for the user's own memory."""
    usual = {"HOME": home(env)}
    data, state = data_home(usual), state_home(usual)
    moved_paths = (
        ("XDG_DATA_HOME", data_home(env), data),
        ("XDG_STATE_HOME", state_home(env), state),
        ("ETHOS_ETHOS__DATABASE", _written(env, "ETHOS_ETHOS__DATABASE", data_home(env)), os.path.join(data_home(env), "ethos.db")),
        ("ETHOS_ETHOS__STATE", _written(env, "ETHOS_ETHOS__STATE", data_home(env)), state_home(env)),
    )
    led = ((name, os.path.realpath(leads), os.path.realpath(usually)) for name, leads, usually in moved_paths if env.get(name))
    found = [f"{name}={leads}" for name, leads, usually in led if leads != usually]
    user = env.get("ETHOS_ETHOS__USER", "")
    return found + ([f"ETHOS_ETHOS__USER={user}"] if user not in {"", _DEFAULT_USER} else [])


def _written(env: Mapping[str, str], name: str, base: str) -> str:
    """Return the path in a variable, absolute."""
    return absolute(env.get(name, ""), base, env)


def quick_socket(explicit: str | None, env: Mapping[str, str], cwd: str) -> str | None:
    """Return the socket path that `loading.load` would find, without a TOML parser; None: only the loader can tell."""
    file, named_by = config_file(explicit, env, cwd)
    if file is not None and named_by == HERE and strange(file):
        return None
    if written := env.get("ETHOS_SOCKET__PATH"):
        return absolute(written, cwd, env)
    written = _written_socket(file) if file is not None else ""
    if not written:
        return None if written is None else default_socket(file, env)
    folder = os.path.dirname(file or "")
    path = absolute(written, folder, env)
    if named_by == HERE and not os.path.realpath(path).startswith(os.path.realpath(folder) + os.sep):
        return None  # a file that was only found here may name a path in its own folder only
    return path


def _written_socket(file: str) -> str | None:
    """Return `path` of [socket] if it is written in the plainest way, "" if it is not set, None if a parser is needed."""
    try:
        with open(file, "rb") as opened:
            text = opened.read()
    except OSError:
        return None
    if b'"""' in text or b"'''" in text:
        return None
    section, found = b"", b""
    for line in map(bytes.strip, text.split(b"\n")):
        code = line.partition(b"#")[0].rstrip()
        if code.startswith(b"["):
            section = code
        if b"socket" in code and code != b"[socket]":
            return None
        if section == b"[socket]" and b"path" in code:
            name, _, value = line.partition(b"=")
            before, found, after = (*value.split(b'"', 2), b"", b"")[:3]
            if name.rstrip() != b"path" or before.strip() or b"\\" in found or after.strip()[:1] not in {b"", b"#"}:
                return None
    return found.decode("utf-8", "replace")


def _has_table(file: str, header: bytes) -> bool:
    try:
        with open(file, "rb") as opened:
            return any(line.lstrip().startswith(header) for line in opened)
    except OSError:
        return False
