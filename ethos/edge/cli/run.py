"""Start the daemon without the full command line, which would stay in memory for as long as the daemon lives."""

from __future__ import annotations

import os
from pathlib import Path

from ethos.edge.cli import fast_path
from ethos.edge.cli.errors import Reported
from ethos.edge.server import process as daemon


def start(arguments: list[str]) -> int | None:
    """Run `ethos run` with these arguments; return the exit code, or None if the full command line should parse them."""
    parsed = fast_path.parse("run", arguments)
    if parsed is None or parsed[0]:
        return None
    given = parsed[1]
    config = Path(given["--config"]) if "--config" in given else None
    with Reported(["run", *arguments]) as reported:
        reported.code = run(config, quiet="--quiet" in given, verbose="--verbose" in given)
    return reported.code


def run(config: Path | None, *, quiet: bool, verbose: bool) -> int:
    """Run the daemon. quiet, verbose: log warnings only, or everything, whatever the configuration says."""
    os.umask(0o077)  # created files hold private data
    if quiet or verbose:
        os.environ["ETHOS_ETHOS__LOG_LEVEL"] = "debug" if verbose else "warning"
    return daemon.run(config)
