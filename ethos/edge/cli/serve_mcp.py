"""Start the MCP server without the full command line, whose parser takes a third of a second."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from ethos.core.model.errors import refuse
from ethos.edge.cli import fast_path
from ethos.edge.cli.errors import Reported
from ethos.edge.client.mcp import stdio

INSTALL = 'pip install "ethos-memory[mcp]"'


def start(arguments: list[str]) -> int | None:
    """Serve `ethos mcp` with these arguments; return the exit code, or None if the full command line should parse them."""
    parsed = fast_path.parse("mcp", arguments)
    if parsed is None or parsed[0]:
        return None
    config = Path(parsed[1]["--config"]) if "--config" in parsed[1] else None
    with Reported(["mcp", *arguments]) as reported:
        reported.code = serve(config, parsed[1].get("--http"))
    return reported.code


def serve(config: Path | None, address: str | None) -> int:
    """Serve MCP until standard input ends; with an address over HTTP, until the process is ended.

    Raises Refused where HTTP is asked for and the extra is missing, or the configuration is bad.
    """
    os.umask(0o077)  # created files hold private data
    if address is None:
        stdio.run(config)
        return 0
    try:
        from ethos.edge.client.mcp import http  # noqa: PLC0415 (the library may be missing, and takes long to import)
    except ImportError as missing:
        if (missing.name or "").split(".")[0] not in {"mcp", "mcp_types", "anyio", "starlette", "uvicorn"}:
            raise
        raise refuse("usage", "MCP over HTTP needs the extra `mcp`", hint=INSTALL) from None
    http.run(config, address, _tell)
    return 0


def _tell(said: str) -> None:
    sys.stderr.write(f"{said}\n")
    sys.stderr.flush()
