"""The agents Ethos connects to: which files they read, and what an entry of ours looks like in each.

To add one: a constant with its edits, and its name in `AGENTS`. Sources: the agents' own documentation of MCP servers and hooks.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import InlineTable

from ethos.edge.cli.connect import jsonc
from ethos.edge.cli.connect.jsonc import Unreadable

SERVER = "ethos"  # the name of our MCP server in every agent
HOOK_SECONDS = 5

Event = Literal["session-start", "prompt", "stop", "compact", "session-end"]


@dataclass(frozen=True, slots=True)
class Program:
    """How an agent is to start us. command: the absolute path of `ethos`; config: the configuration to name, if not the default."""

    command: str
    config: str | None = None

    def words(self, *words: str) -> list[str]:
        """Return the arguments after the command."""
        return [*words, *(("--config", self.config) if self.config else ())]


@dataclass(frozen=True, slots=True)
class Edit:
    """One file of an agent. put: add or renew our entries in its text; take: remove them. Both raise Unreadable."""

    file: Callable[[Mapping[str, str], Path], Path]
    put: Callable[[str, Program], str]
    take: Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent. home: the folder that shows it is installed. advice: what a person has to do besides, or ""."""

    name: str
    title: str
    home: Callable[[Mapping[str, str], Path], Path]
    edits: tuple[Edit, ...]
    advice: str = ""


def _json_server(path: Sequence[str], extra: Mapping[str, Any]) -> tuple[Callable[[str, Program], str], Callable[[str], str]]:
    """Write an MCP server among others in a JSON file."""

    def put(text: str, program: Program) -> str:
        there = jsonc.find(jsonc.parse(text), path) if text.strip() else None
        kept = there.value if there is not None else None
        entry = {**_added_to(kept), **extra, "command": program.command, "args": program.words("mcp")}
        return text if kept == entry else jsonc.set_member(text, path, entry)

    def take(text: str) -> str:
        return jsonc.remove_member(text, path) if text.strip() else text

    return put, take


def _added_to(entry: Any) -> Mapping[str, Any]:
    """Return what a person added to an entry that starts a program, such as its environment: it stays when the entry is renewed."""
    return entry if isinstance(entry, dict) and "command" in entry else {}


def _json_hooks(
    events: Mapping[str, Event], wrapped: Callable[[str], Any], first: Mapping[str, Any]
) -> tuple[Callable[[str, Program], str], Callable[[str], str]]:
    """Return how hooks are put into and taken out of a JSON file, a list for each event.

    wrapped: an entry of the list for a command line. first: members a new file needs.
    """

    def put(text: str, program: Program) -> str:
        for name, value in first.items():
            if not text.strip() or jsonc.find(jsonc.parse(text), [name]) is None:
                text = jsonc.set_member(text, [name], value)
        for name, event in events.items():
            entry = wrapped(_command_line(program, event))
            there = jsonc.find(jsonc.parse(text), ["hooks", name]) if text.strip() else None
            items = there.value if there is not None and isinstance(there.value, list) else []
            if entry in items:
                continue
            text = jsonc.append_item(_without(text, name), ["hooks", name], entry)
        return text

    def take(text: str) -> str:
        for name in events:
            text = _without(text, name)
            node = jsonc.find(jsonc.parse(text), ["hooks", name]) if text.strip() else None
            if node is not None and node.items == []:
                text = jsonc.remove_member(text, ["hooks", name])
        node = jsonc.find(jsonc.parse(text), ["hooks"]) if text.strip() else None
        return jsonc.remove_member(text, ["hooks"]) if node is not None and node.empty else text

    return put, take


def _without(text: str, name: str) -> str:
    return jsonc.remove_items(text, ["hooks", name], _is_ours) if text.strip() else text


def _command_line(program: Program, event: Event) -> str:
    words = [program.command, *program.words("hook", event)]
    return " ".join(
        word if word.replace("/", "").replace("-", "").replace(".", "").replace("_", "").isalnum() else json.dumps(word) for word in words
    )


def _is_ours(entry: Any) -> bool:
    """Return True for a hook that runs `ethos hook EVENT`."""
    if isinstance(entry, dict):
        return _is_ours(entry.get("command")) or any(map(_is_ours, entry.get("hooks") or ()))
    return isinstance(entry, str) and " hook " in f"{entry} " and Path(entry.split(" hook ")[0].strip('"')).name == "ethos"


def _nested(seconds: int) -> Callable[[str], Any]:
    """Return the form of Claude Code, Codex and Gemini CLI: groups of hooks."""
    return lambda line: {"hooks": [{"type": "command", "command": line, "timeout": seconds}]}


def _flat(line: str) -> Any:
    """Return the form of Cursor."""
    return {"command": line}


def _toml_put(text: str, program: Program) -> str:
    document = _toml(text)
    entry = {"command": program.command, "args": program.words("mcp")}
    servers = document.get("mcp_servers")
    if servers is not None and not isinstance(servers, dict):
        raise Unreadable("mcp_servers is not a table")
    there = servers.get(SERVER) if servers is not None else None
    entry = {**_added_to(there), **entry}
    if there is not None and there.unwrap() == entry:
        return text
    if there is not None and "command" in there:
        there.update(entry)
        written = tomlkit.dumps(document)
        _toml(written)
        return written
    if isinstance(servers, InlineTable):  # it is closed: no table of it may follow
        servers[SERVER] = tomlkit.inline_table()
        servers[SERVER].update(entry)
        return tomlkit.dumps(document)
    bare = _toml_take(text)
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = (f"[mcp_servers.{SERVER}]", f"command = {json.dumps(entry['command'])}", f"args = {json.dumps(entry['args'])}", "")
    gap = "" if not bare.strip() else newline if bare.endswith(newline) else newline * 2
    written = bare + gap + newline.join(lines)
    _toml(written)
    return written


def _toml_take(text: str) -> str:
    document = _toml(text)
    servers = document.get("mcp_servers")
    if not isinstance(servers, dict) or SERVER not in servers:
        return text
    del servers[SERVER]
    if not servers:
        del document["mcp_servers"]
    return tomlkit.dumps(document)


def _toml(text: str) -> tomlkit.TOMLDocument:
    try:
        tomllib.loads(text)  # which is stricter
        return tomlkit.parse(text)
    except (TOMLKitError, tomllib.TOMLDecodeError) as error:
        raise Unreadable(str(error)) from None


def _at(*parts: str, variable: str = "", default: str) -> Callable[[Mapping[str, str], Path], Path]:
    """Return a path below a folder that an environment variable may move."""

    def path(env: Mapping[str, str], home: Path) -> Path:
        moved = env.get(variable) if variable else None
        return (Path(moved) if moved else home / default).joinpath(*parts)

    return path


def _claude_json(env: Mapping[str, str], home: Path) -> Path:
    """Return the file of the servers of Claude Code: beside its folder, or in it where `CLAUDE_CONFIG_DIR` moves it."""
    moved = env.get("CLAUDE_CONFIG_DIR")
    return Path(moved) / ".claude.json" if moved else home / ".claude.json"


_CLAUDE = {"variable": "CLAUDE_CONFIG_DIR", "default": ".claude"}
_CODEX = {"variable": "CODEX_HOME", "default": ".codex"}

AGENTS: Mapping[str, Agent] = {
    agent.name: agent
    for agent in (
        Agent(
            "claude-code",
            "Claude Code",
            _at(**_CLAUDE),
            (
                Edit(_claude_json, *_json_server(("mcpServers", SERVER), {"type": "stdio"})),
                Edit(
                    _at("settings.json", **_CLAUDE),
                    *_json_hooks(
                        {
                            "SessionStart": "session-start",
                            "UserPromptSubmit": "prompt",
                            "Stop": "stop",
                            "PreCompact": "compact",
                            "SessionEnd": "session-end",
                        },
                        _nested(HOOK_SECONDS),
                        {},
                    ),
                ),
            ),
        ),
        Agent(
            "codex",
            "Codex",
            _at(**_CODEX),
            (
                Edit(_at("config.toml", **_CODEX), _toml_put, _toml_take),
                Edit(
                    _at("hooks.json", **_CODEX),
                    *_json_hooks(
                        {"SessionStart": "session-start", "UserPromptSubmit": "prompt", "Stop": "stop"}, _nested(HOOK_SECONDS), {}
                    ),
                ),
            ),
        ),
        Agent(
            "cursor",
            "Cursor",
            _at(default=".cursor"),
            (
                Edit(_at("mcp.json", default=".cursor"), *_json_server(("mcpServers", SERVER), {})),
                Edit(_at("hooks.json", default=".cursor"), *_json_hooks({"stop": "stop"}, _flat, {"version": 1})),
            ),
        ),
        Agent(
            "gemini",
            "Gemini CLI",
            _at(default=".gemini"),
            (
                Edit(_at("settings.json", default=".gemini"), *_json_server(("mcpServers", SERVER), {})),
                Edit(
                    _at("settings.json", default=".gemini"),
                    *_json_hooks(
                        {"SessionStart": "session-start", "BeforeAgent": "prompt", "PreCompress": "compact", "SessionEnd": "session-end"},
                        _nested(HOOK_SECONDS * 1000),  # Gemini counts milliseconds
                        {},
                    ),
                ),
            ),
        ),
        Agent(
            "openclaw",
            "OpenClaw",
            _at(variable="OPENCLAW_STATE_DIR", default=".openclaw"),
            (
                Edit(
                    _at("openclaw.json", variable="OPENCLAW_STATE_DIR", default=".openclaw"),
                    *_json_server(("mcp", "servers", SERVER), {}),
                ),
            ),
            "OpenClaw has no hooks; set [capture] follow to its sessions folder to learn from its talks",
        ),
    )
}


def environment() -> tuple[Mapping[str, str], Path]:
    """Return the environment and the home folder, as the agents see them."""
    return os.environ, Path.home()
