"""Load `Settings` from config.toml and the environment, every path absolute (E-32, E-33, E-37; docs/requirements.md, Settled).

The dataclasses of core/model/settings.py declare names and types, `ranges` the values. A mistake raises `Refused("bad-config")` with the
file, the line, the key, the value found and what is expected.
"""

from __future__ import annotations

import json
import math
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NoReturn, get_args, get_origin, get_type_hints

from ethos.core.model.errors import refuse
from ethos.core.model.settings import Settings
from ethos.edge.config import paths
from ethos.edge.config.ranges import FORMS, RANGES, SOME_TEXT, Range

_PREFIX = "ETHOS_"


@dataclass(frozen=True, slots=True)
class Loaded:
    """Settings and their sources. sources: "section.key" -> "default", "config.toml:12" or the variable's name."""

    settings: Settings
    file: Path | None
    sources: Mapping[str, str]


# what Ethos creates and writes to
WRITTEN = ("ethos.database", "ethos.state", "conflict_resolution.review_inbox", "sleep.reports", "socket.path")
PATHS = frozenset({*WRITTEN, "capture.follow", "rules.packs", "recall.encoder"})
_TRUTH = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}

TYPES: Mapping[str, Mapping[str, Any]] = {
    section: get_type_hints(made) for section, made in get_type_hints(Settings).items()
}  # section -> key -> type


def load(explicit: Path | None = None, *, env: Mapping[str, str] = os.environ, cwd: Path | None = None) -> Loaded:
    """Find and read the configuration. cwd: the working directory; None: the process's. Raises `Refused("bad-config")`."""
    here = os.fspath(cwd) if cwd is not None else os.getcwd()
    found, named_by = paths.config_file(None if explicit is None else os.fspath(explicit), env, here)
    file = None if found is None else Path(found)
    values: dict[str, dict[str, Any]] = {section: {} for section in TYPES}
    sources = {f"{section}.{key}": "default" for section, keys in TYPES.items() for key in keys}
    if file is not None:
        _from_file(_File(file, _read(file, named_by), env), values, sources)
    _from_own_names(env, here, values, sources)
    _from_environment(env, here, values, sources)
    settings = _with_paths(_made(values), file, env)
    if file is not None and named_by == paths.HERE:
        _contained(settings, file, sources, env)
    return Loaded(settings, file, MappingProxyType(sources))


def default_text() -> str:
    """Return the annotated default configuration, as shipped."""
    inside = Path(__file__).parents[2] / "config.toml"  # in a wheel
    return (inside if inside.is_file() else inside.parent.parent / "config.toml").read_text("utf-8")


class _File:
    """A configuration file. Finds the line of each key."""

    def __init__(self, path: Path, text: str, env: Mapping[str, str]) -> None:
        self.path = path
        self.lines = text.split("\n")
        self.base = os.fspath(path.parent)
        self.env = env
        try:
            self.table = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            what, _, at = str(error).rpartition(" (at ")
            spot = re.fullmatch(r"line (\d+), column (\d+)\)", at)
            place = f"{path}:{spot[1]}:{spot[2]}" if spot else f"{path}:{len(self.lines)}"
            hint = "text stands in double quotes, lists in square brackets, tables begin with [name]"
            raise refuse("bad-config", f"not TOML: {(what or str(error)).lower()}", where=place, hint=hint) from None

    def place(self, section: str, key: str = "") -> str:
        """Return `config.toml:12`: the line of a key, else of its table, else the file alone."""
        inside, table = "", 0
        for number, line in enumerate(self.lines, 1):
            if header := re.match(r"\s*\[+\s*([^\]#]+?)\s*\]", line):
                inside = re.sub(r"[\s\"']", "", header[1])
                if inside in {section, f"{section}.{key}"}:
                    table = table or number
                    if inside != section or not key:
                        return f"{self.path}:{number}"
            elif key and (word := re.match(r"\s*([\w\-.\"']+)\s*=", line)):
                dotted = f"{inside}.{word[1]}".replace('"', "").replace("'", "").removeprefix(".")
                if dotted in {f"{section}.{key}".lstrip("."), section} or dotted.startswith(f"{section}.{key}."):
                    return f"{self.path}:{number}"
        return f"{self.path}:{table}" if table else str(self.path)


def _read(file: Path, named_by: str) -> str:
    try:
        return file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise refuse("bad-config", f"not UTF-8 text (byte {error.start})", where=str(file), hint="save it as UTF-8") from None
    except FileNotFoundError:
        raise refuse("bad-config", f"{named_by} names a file that is not there", where=str(file), hint="check the path") from None
    except OSError as error:
        what = f"{named_by} names a file that cannot be read: {(error.strerror or str(error)).lower()}"
        raise refuse("bad-config", what, where=str(file), hint="check the path and its permissions") from None


def _from_file(file: _File, values: dict[str, dict[str, Any]], sources: dict[str, str]) -> None:
    for section, table in file.table.items():
        if section not in TYPES:
            shown = f"[{section}]" if isinstance(table, dict) else section
            _unknown("table", shown, section, TYPES, file.place(section) if isinstance(table, dict) else file.place("", section))
        if not isinstance(table, dict):
            raise refuse("bad-config", f"{section} is {_found(table)}", where=file.place("", section), hint=f"write a table: [{section}]")
        for key, value in table.items():
            place = file.place(section, key)
            if key not in TYPES[section]:
                _unknown("key", f"{section}.{key}", key, TYPES[section], place)
            values[section][key] = _checked(section, key, value, place, file.base, file.env)
            sources[f"{section}.{key}"] = place


_OWN_NAMES = {  # variables with names of their own
    "CONSOLIDATION_SCHEDULER_ENABLED": "scheduler_enabled",
    "CONSOLIDATION_SCHEDULER_INTERVAL": "scheduler_interval_hours",
    "CONSOLIDATION_SCHEDULER_SIMILARITY_THRESHOLD": "similarity_threshold",
}
_HOURS = {"h": 1.0, "m": 1 / 60, "d": 24.0}


def _from_own_names(env: Mapping[str, str], here: str, values: dict[str, dict[str, Any]], sources: dict[str, str]) -> None:
    """Take the variables of the bank's scheduler; an interval is `12h`, `90m` or `1d`."""
    for name, key in _OWN_NAMES.items():
        if (text := env.get(name, "").strip()) == "":
            continue
        spoken = _spoken(TYPES["bank"][key], text)
        if key == "scheduler_interval_hours" and text[-1] in _HOURS and isinstance(number := _spoken(float, text[:-1]), float):
            spoken = number * _HOURS[text[-1]]
        values["bank"][key] = _checked("bank", key, spoken, name, here, env)
        sources[f"bank.{key}"] = name


def _from_environment(env: Mapping[str, str], here: str, values: dict[str, dict[str, Any]], sources: dict[str, str]) -> None:
    for name in sorted(env):
        section, divided, key = name.removeprefix(_PREFIX).lower().partition("__")
        if not name.startswith(_PREFIX) or not divided:
            continue
        if section not in TYPES:
            _unknown("variable", name, section, TYPES, "the environment")
        if key not in TYPES[section]:
            _unknown("variable", name, key, TYPES[section], "the environment")
        values[section][key] = _checked(section, key, _spoken(TYPES[section][key], env[name]), name, here, env)
        sources[f"{section}.{key}"] = name


def _spoken(wanted: Any, text: str) -> Any:
    """Parse a variable's text as the wanted type. Text that does not parse is returned as it is, and refused later."""
    try:
        if wanted is bool:
            return _TRUTH[text.strip().lower()]
        if wanted is int:
            return int(text)
        if wanted is float:
            return float(text)
        if get_origin(wanted) is tuple:
            return json.loads(text) if text.lstrip().startswith("[") else [part.strip() for part in text.split(",") if part.strip()]
        if get_origin(wanted) is not None and get_origin(wanted) is not Literal:
            pairs = (part.split("=") for part in text.split(",") if part.strip())
            return json.loads(text) if text.lstrip().startswith("{") else {name.strip(): float(number) for name, number in pairs}
    except (KeyError, ValueError):
        return text
    return text


def _checked(section: str, key: str, value: Any, place: str, base: str, env: Mapping[str, str]) -> Any:
    """Return the value converted to the declared type, in range, with paths absolute. Raises `Refused`."""
    wanted, name = TYPES[section][key], f"{section}.{key}"
    if get_origin(wanted) is tuple:
        if not isinstance(value, list) or not all(isinstance(each, str) and each for each in value):
            _wrong(name, value, "a list of texts in square brackets", place)
        return tuple(paths.absolute(each, base, env) if name in PATHS else each for each in value)
    if get_origin(wanted) is Literal:
        if value not in get_args(wanted):
            _wrong(name, value, "one of " + ", ".join(f'"{each}"' for each in get_args(wanted)), place)
        return value
    if get_origin(wanted) is not None:
        if not isinstance(value, dict):
            _wrong(name, value, f"a table: [{name}]", place)
        numbers = {each: _number(f"{name}.{each}", number, float, RANGES[name], place) for each, number in value.items()}
        return MappingProxyType({**getattr(getattr(Settings(), section), key), **numbers})
    if wanted is bool:
        if not isinstance(value, bool):
            _wrong(name, value, "true or false", place)
        return value
    if wanted is str:
        if not isinstance(value, str):
            _wrong(name, value, "text in double quotes", place)
        fits, form = FORMS.get(name, SOME_TEXT)
        if not fits(value) or "\0" in value:
            _wrong(name, value, form, place)
        return paths.absolute(value, base, env) if name in PATHS and value else value
    return _number(name, value, wanted, RANGES[name], place)


def _number(name: str, value: Any, wanted: type, allowed: Range, place: str) -> float:
    right = ("a whole number " if wanted is int else "a number ") + allowed.words
    exact = isinstance(value, int if wanted is int else (int, float)) and not isinstance(value, bool)
    if not exact or not math.isfinite(value) or not allowed.holds(value):
        _wrong(name, value, right, place)
    return wanted(value)  # type: ignore[no-any-return]  # int or float


def _made(values: Mapping[str, Mapping[str, Any]]) -> Settings:
    defaults = Settings()
    settings = replace(defaults, **{section: replace(getattr(defaults, section), **given) for section, given in values.items()})
    if settings.recall.limit > settings.recall.max_limit:
        what = f"recall.limit is {settings.recall.limit}, more than recall.max_limit ({settings.recall.max_limit})"
        raise refuse("bad-config", what, where="recall.limit", hint="lower the one or raise the other")
    return settings


def _with_paths(settings: Settings, file: Path | None, env: Mapping[str, str]) -> Settings:
    """Fill in unset paths: under XDG, or beside a configuration file that is not in $XDG_CONFIG_HOME."""
    own = file is not None and os.fspath(file) != paths.standard_file(env)
    base = os.fspath(file.parent) if file is not None and own else paths.data_home(env)
    state = paths.absolute(settings.ethos.state, base, env) if own or os.path.isabs(settings.ethos.state) else paths.state_home(env)
    listen = settings.socket.path or paths.default_socket(None if file is None else os.fspath(file), env)
    if len(os.fsencode(listen)) > paths.LONGEST_SOCKET:
        what = f"socket.path has {len(os.fsencode(listen))} bytes, and the path of a Unix socket has at most {paths.LONGEST_SOCKET}"
        raise refuse("bad-config", what, where=listen, hint="set a shorter one, in [socket] or with ETHOS_SOCKET__PATH")
    return replace(
        settings,
        ethos=replace(settings.ethos, database=paths.absolute(settings.ethos.database, base, env), state=state),
        conflict_resolution=replace(
            settings.conflict_resolution, review_inbox=paths.absolute(settings.conflict_resolution.review_inbox, base, env)
        ),
        sleep=replace(settings.sleep, reports=paths.absolute(settings.sleep.reports, base, env)),
        socket=replace(settings.socket, path=listen),
    )


def _contained(settings: Settings, file: Path, sources: Mapping[str, str], env: Mapping[str, str]) -> None:
    """Check a file that was only found in the working directory: it may come from a cloned repository. Raises `Refused`.

    It must belong to the user, and its paths must not leave its own folder and those of Ethos.
    """
    hint = f"if you trust it, name it: --config {file}, or $ETHOS_CONFIG"
    if paths.strange(os.fspath(file)):
        raise refuse("bad-config", "this file, found in the working directory, could be somebody else's", where=str(file), hint=hint)
    roots = [os.path.realpath(root) for root in (os.fspath(file.parent), *paths.roots(env))]
    for name in WRITTEN:
        section, key = name.split(".")
        path = os.path.realpath(getattr(getattr(settings, section), key))
        if sources[name].startswith(f"{file}:") and not any(path.startswith(root + os.sep) for root in roots):
            what = f"{name} is a path outside the folder of a configuration file that was found in the working directory: {path}"
            raise refuse("bad-config", what, where=sources[name], hint=hint)


def _unknown(what: str, shown: str, word: str, known: Mapping[str, Any], place: str) -> NoReturn:
    near = get_close_matches(word, known, n=1, cutoff=0.6)
    hint = f"did you mean {near[0]}?" if near else "known: " + ", ".join(known)
    raise refuse("bad-config", f"unknown {what}: {shown}", where=place, hint=hint)


def _wrong(name: str, value: Any, right: str, place: str) -> NoReturn:
    raise refuse("bad-config", f"{name} is {_found(value)}", where=place, hint=f"it should be {right}")


def _found(value: Any) -> str:
    kind = {bool: "", int: "", float: "", str: "the text ", list: "the list ", dict: "the table "}.get(type(value), "")
    shown = json.dumps(value, default=str, ensure_ascii=False) if isinstance(value, bool | str | list | dict) else str(value)
    return kind + (shown if len(shown) <= 80 else shown[:80] + "...")
