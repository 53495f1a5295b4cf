"""Commands that connect agents: `ethos connect`, `ethos hook`, `ethos mcp`."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from ethos.core.model.errors import Refused, refuse
from ethos.edge.cli import hook as hooks
from ethos.edge.cli import serve_mcp
from ethos.edge.cli.commands.options import Config, Usual, command
from ethos.edge.cli.connect import changes
from ethos.edge.cli.connect.agents import AGENTS, Agent, Program, environment
from ethos.edge.files.originals import Originals
from ethos.edge.render import report


@command
def connect(
    agents: Annotated[list[str] | None, typer.Argument(metavar="AGENT...", help=f"{', '.join(AGENTS)}, all; or status")] = None,
    undo: Annotated[bool, typer.Option("--undo", help="remove our entries")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="show the change to each file; write nothing")] = False,
    *,
    usual: Usual,
) -> int:
    """Write the MCP server and the hooks of Ethos into an agent's own configuration; nothing else in it changes. Repeating it is harmless.

    Example: ethos connect claude-code --dry-run
    """
    env, home = environment()
    if agents == ["status"] or not agents:
        return _status(usual)
    chosen = _chosen(agents)
    with usual.connect() as connection:
        originals = Originals(connection.state)
    plan = changes.disconnecting(chosen, originals, env, home) if undo else changes.connecting(chosen, _program(usual.config), env, home)
    if not dry_run:
        changes.apply(plan, originals, undo=undo)
    files = [{"agent": each.agent, "file": str(each.file), "diff": each.diff()} for each in plan]
    data = {"dry_run": dry_run, "files": files}
    return usual.show(data, _told(chosen, plan, dry_run=dry_run, undo=undo))


def _chosen(names: Sequence[str]) -> list[Agent]:
    """Return the agents of these names; `all` are those that are installed. Raises Refused."""
    env, home = environment()
    if list(names) == ["all"]:
        found = [agent for agent in AGENTS.values() if agent.home(env, home).is_dir()]
        if not found:
            raise refuse("not-found", "no agent is installed here", hint=f"name one: {', '.join(AGENTS)}")
        return found
    if unknown := [name for name in names if name not in AGENTS]:
        raise refuse("usage", f"no such agent: {unknown[0]}", hint=f"one of {', '.join(AGENTS)}, or all")
    return [AGENTS[name] for name in names]


def _program(config: Path | None) -> Program:
    """Return how an agent starts this very program."""
    beside = Path(sys.executable).with_name("ethos")
    found = str(beside) if beside.exists() else shutil.which("ethos")
    if found is None:
        raise refuse("usage", "the command `ethos` is not installed", hint="pip install ethos-memory, then connect again")
    named = config or (Path(os.environ["ETHOS_CONFIG"]) if os.environ.get("ETHOS_CONFIG") else None)
    return Program(found, None if named is None else str(named.expanduser().absolute()))


def _told(chosen: Sequence[Agent], plan: Sequence[changes.Change], *, dry_run: bool, undo: bool) -> list[str]:
    if dry_run:
        return [report.clean_line(line) for each in plan for line in each.diff()] or ["nothing to change"]
    done = "took our entries out of" if undo else "connected through"
    lines = [f"{each.agent}: {done} {report.clean(each.file)}" for each in plan] or ["nothing to change"]
    if not undo:
        lines += [f"{agent.name}: {agent.advice}" for agent in chosen if agent.advice]
        lines += ["Restart the agent. The hooks need the daemon: ethos run, or ethos service install"] if plan else []
    return lines


def _status(usual: Usual) -> int:
    """Say for each agent whether it is installed and connected."""
    env, home = environment()
    rows: list[dict[str, Any]] = []
    lines: list[str] = []
    for agent in AGENTS.values():
        state, reason = "not installed", f" (there is no folder {agent.home(env, home)})"
        if agent.home(env, home).is_dir():
            reason = ""
            try:
                state = "connected" if not changes.connecting([agent], _program(usual.config), env, home) else "not connected"
            except Refused as refused:
                state = f"unreadable: {refused.problem.where}: {refused.problem.what}"
        rows.append({"agent": agent.name, "state": state})
        lines.append(f"{agent.name:<12} {report.clean(state + reason)}")
    return usual.show({"agents": rows}, lines, wanted=True)


def hook(event: Annotated[str, typer.Argument(metavar="EVENT", help=", ".join(hooks.EVENTS))], config: Config = None) -> int:
    """Handle one event of an agent, given as JSON on standard input. Agents call this. It exits with 0 even if it fails.

    Example: ethos hook session-start
    """
    return hooks.run([event, *(("--config", str(config)) if config else ())])


def mcp(
    http: Annotated[
        str | None,
        typer.Option("--http", metavar="ADDRESS", help="serve HTTP instead: 127.0.0.1:8003 or unix:/path"),
    ] = None,
    config: Config = None,
) -> int:
    """Serve MCP on standard input and output; an agent starts it. `--http` needs the extra `mcp`.

    Example: ethos mcp
    """
    return serve_mcp.serve(config, http)
