"""`ethos connect`: our entries in the files of agents, and nothing else in them changed."""

from __future__ import annotations

import json
import tomllib
import tracemalloc
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ethos.edge.cli.connect import jsonc
from ethos.edge.cli.connect.agents import AGENTS
from tests.support.commands import Commands, commands

__all__ = ["commands"]

LEFT = {  # files as their agents and owners leave them
    ".claude.json": b'{\r\n\t"numStartups": 3, // mine\r\n\t"mcpServers": {\r\n\t\t"other": {"command": "x"}\r\n\t}\r\n}\r\n',
    ".claude/settings.json": b'{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}, "model": "large"}',
    ".codex/config.toml": b'# mine\nmodel = "large"\n\n[mcp_servers.foo]\ncommand = "foo"   # keep\n',
    ".cursor/mcp.json": b"",
    ".gemini/settings.json": b'{\n    "ui": {"theme": "GitHub",},\n    /* two */\n}\n',
    ".openclaw/openclaw.json": b"{ theme: 'dark', /* last */ }",
}


def lived_in(home: Path) -> Mapping[Path, bytes]:
    """Make the folders of every agent, with the files of `LEFT`; return what stands in each."""
    for agent in AGENTS.values():
        agent.home({}, home).mkdir(exist_ok=True)
    for name, content in LEFT.items():
        (home / name).write_bytes(content)
    return files_of_agents(home)


def files_of_agents(home: Path) -> Mapping[Path, bytes]:
    """Return every file below the agents' folders."""
    folders = [agent.home({}, home) for agent in AGENTS.values()]
    files = [home / ".claude.json", *(file for folder in folders for file in folder.rglob("*") if file.is_file())]
    return {file: file.read_bytes() for file in files if file.exists()}


def test_connecting_changes_only_our_entries_and_undo_gives_the_bytes_back(commands: Commands) -> None:
    """Comments, CRLF, other servers and hooks stay; connecting again changes nothing; undo restores every byte."""
    before = lived_in(commands.home)
    assert commands("connect", "all").code == 0
    after = files_of_agents(commands.home)
    for file, content in before.items():
        left = [line for line in content.decode().splitlines() if line.strip(" \t{}[],")]
        assert all(line.rstrip(", ") in after[file].decode() or len(left) == 1 for line in left), file
    assert b'\r\n\t\t"ethos": {' in after[commands.home / ".claude.json"]
    assert jsonc.parse(after[commands.home / ".claude.json"].decode()).value["mcpServers"]["ethos"]["args"] == ["mcp"]
    assert set(tomllib.loads(after[commands.home / ".codex/config.toml"].decode())["mcp_servers"]) == {"foo", "ethos"}
    again = commands("connect", "all", "--json")
    assert again.data["files"] == []
    assert files_of_agents(commands.home) == after
    assert commands("connect", "all", "--undo").code == 0
    assert files_of_agents(commands.home) == before


@pytest.mark.parametrize(
    "left",
    [
        b'mcp_servers = { foo = { command = "foo" } }\n',
        b"mcp_servers = {}\r\n",
        b'mcp_servers.foo.command = "foo"\n',
        b'[mcp_servers]\nfoo = { command = "foo" }',
        b'x = """\n[mcp_servers.ethos]\n"""\n',
    ],
)
def test_codex_servers_are_added_however_they_are_written(commands: Commands, left: bytes) -> None:
    """In one line, as dotted keys, as a table: the file can be read afterwards, and undoing gives the bytes back."""
    file = commands.home / ".codex/config.toml"
    file.parent.mkdir()
    file.write_bytes(left)
    assert commands("connect", "codex").code == 0
    connected = file.read_bytes()
    before, after = (tomllib.loads(content.decode()) for content in (left, connected))
    assert after["mcp_servers"].pop("ethos")["args"] == ["mcp"]
    assert {**after, "mcp_servers": after["mcp_servers"]} == {"mcp_servers": {}, **before}
    assert commands("connect", "codex", "--json").data["files"] == []
    file.write_bytes(connected + b"# mine\n")
    assert commands("connect", "codex", "--undo").code == 0
    assert "ethos" not in tomllib.loads(file.read_text("utf-8")).get("mcp_servers", {})


def test_a_dry_run_shows_the_diff_and_writes_nothing(commands: Commands) -> None:
    """The lines that would be added are shown."""
    before = lived_in(commands.home)
    shown = commands("connect", "codex", "--dry-run")
    assert "+[mcp_servers.ethos]" in shown.out
    assert files_of_agents(commands.home) == before


def test_undo_after_somebody_else_changed_the_file_takes_out_our_entries_alone(commands: Commands) -> None:
    """What the agent wrote in the meantime stays."""
    lived_in(commands.home)
    commands("connect", "claude-code")
    file = commands.home / ".claude.json"
    file.write_bytes(file.read_bytes().replace(b'"numStartups": 3', b'"numStartups": 4'))
    assert commands("connect", "claude-code", "--undo").code == 0
    value = jsonc.parse(file.read_text("utf-8")).value
    assert value == {"numStartups": 4, "mcpServers": {"other": {"command": "x"}}}


def test_forgetting_leaves_out_an_original_that_speaks_of_it(commands: Commands) -> None:
    """The person's own file stays as it is; undoing takes our entries out of it, and gives the other files' bytes back."""
    before = lived_in(commands.home)
    file, settings = commands.home / ".codex/config.toml", commands.home / ".claude/settings.json"
    file.write_bytes(LEFT[".codex/config.toml"] + b'# about Quuxword "here"\n')
    assert commands("connect", "all").code == 0
    assert [path.name for path in commands.home.rglob("connected.json") if b"Quuxword" in path.read_bytes()] == ["connected.json"]
    done = commands("forget", "--matching", "Quuxword", "--yes")
    assert (done.code, ": 0 found" in done.out, "connected.json" in done.out) == (0, True, True), done
    assert commands("connect", "all", "--undo").code == 0
    assert b"Quuxword" in file.read_bytes()
    assert "ethos" not in tomllib.loads(file.read_text("utf-8")).get("mcp_servers", {})
    assert settings.read_bytes() == before[settings]


def test_a_file_that_cannot_be_read_is_refused_and_nothing_is_written(commands: Commands) -> None:
    """Broken JSON in one file keeps all files of the command as they are."""
    lived_in(commands.home)
    (commands.home / ".claude/settings.json").write_text('{"hooks": {', "utf-8")
    before = files_of_agents(commands.home)
    refused = commands("connect", "claude-code")
    assert refused.code == 1
    assert "settings.json" in refused.err
    assert "line 1, column 12" in refused.err
    assert files_of_agents(commands.home) == before


def test_what_a_person_added_to_our_entry_stays_when_it_is_renewed(commands: Commands) -> None:
    """Its environment, say; what starts the program is ours."""
    lived_in(commands.home)
    own = {"command": "/old/ethos", "args": [], "env": {"ETHOS_ETHOS__USER": "ada"}}
    (commands.home / ".claude.json").write_text(json.dumps({"mcpServers": {"ethos": own}}), "utf-8")
    codex = commands.home / ".codex/config.toml"
    codex.write_text('[mcp_servers.ethos]\ncommand = "/old/ethos" # by hand\nstartup_timeout_sec = 20\n\n[tools]\nx = 1\n', "utf-8")
    assert commands("connect", "claude-code", "codex").code == 0
    renewed = jsonc.parse((commands.home / ".claude.json").read_text("utf-8")).value["mcpServers"]["ethos"]
    assert (renewed["env"], renewed["args"]) == (own["env"], ["mcp"])
    written = tomllib.loads(codex.read_text("utf-8"))
    ours = written["mcp_servers"]["ethos"]
    assert (ours["startup_timeout_sec"], ours["args"], written["tools"]) == (20, ["mcp"], {"x": 1})
    assert "/old/ethos" not in (ours["command"], renewed["command"])
    assert commands("connect", "claude-code", "codex", "--json").data["files"] == []


def test_a_long_string_takes_little_more_memory_than_it_has() -> None:
    """30 MB of somebody's history in one file once took half a minute, and gigabytes."""
    text = json.dumps({"history": "x" * 1_000_000})
    tracemalloc.start()
    try:
        jsonc.parse(text)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 10 * len(text)


def test_status_tells_which_agents_are_connected(commands: Commands) -> None:
    """Not installed, not connected, connected."""
    (commands.home / ".cursor").mkdir()
    assert {row["state"] for row in commands("connect", "status", "--json").data["agents"]} == {"not installed", "not connected"}
    commands("connect", "cursor")
    states = {row["agent"]: row["state"] for row in commands("connect", "status", "--json").data["agents"]}
    assert states["cursor"] == "connected"


def test_an_unknown_agent_is_named_with_those_that_are_known(commands: Commands) -> None:
    """And `all` without any agent says so."""
    assert "claude-code" in commands("connect", "emacs").err
    assert "no agent is installed" in commands("connect", "all").err


def test_a_configuration_in_use_is_named_in_the_entries(commands: Commands) -> None:
    """The agent starts the memory that the person connected."""
    (commands.home / ".cursor").mkdir()
    own = commands.write("own.toml", '[ethos]\nuser = "ada"\n')
    assert commands("connect", "cursor", "--config", own).code == 0
    entry = json.loads((commands.home / ".cursor/mcp.json").read_text("utf-8"))["mcpServers"]["ethos"]
    assert entry["args"] == ["mcp", "--config", str(own)]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=6), VALUES, max_size=4), st.sampled_from((None, 2, 4, "\t")), st.booleans(), st.data())
def test_an_edit_changes_one_value_and_taking_it_back_gives_the_same_value(
    value: dict[str, Any], indent: int | str | None, crlf: bool, data: st.DataObject
) -> None:
    """Whatever stands in the file, however it is laid out."""
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    if crlf:
        text = text.replace("\n", "\r\n")
    servers = value.get("mcpServers", {})
    if not isinstance(servers, dict):
        return
    edited = jsonc.set_member(text, ("mcpServers", "ethos"), {"command": "ethos", "args": ["mcp"]})
    assert jsonc.parse(edited).value == {**value, "mcpServers": {**servers, "ethos": {"command": "ethos", "args": ["mcp"]}}}
    taken = jsonc.parse(jsonc.remove_member(edited, ("mcpServers", "ethos"))).value
    assert taken == {**value, "mcpServers": {name: each for name, each in servers.items() if name != "ethos"}}
    listed = jsonc.append_item(text, ("a list", "of ours"), data.draw(VALUES))
    assert len(jsonc.parse(listed).value["a list"]["of ours"]) == 1


@pytest.mark.parametrize("text", ["", "{", '{"a" 1}', '{"a": }', "[1 2]", '{"a": 1} x', '{"a": "\\q"}', "{a: tru}", '"open', "[" * 200])
def test_broken_json_is_refused_with_its_place(text: str) -> None:
    """Line and column, never an exception of another kind."""
    with pytest.raises(jsonc.Unreadable, match="line 1, column"):
        jsonc.parse(text)
