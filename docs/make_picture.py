"""Draw the terminal picture of the README: run real commands on the sample conversation and write what they print as SVG.

    python docs/make_picture.py            writes docs/first-run.svg

The commands run in a pseudo-terminal, in a temporary home, so that the picture shows what a person would see.
"""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import tempfile
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.text import Text

TOP = Path(__file__).resolve().parent.parent
COLUMNS = 104
COMMANDS = (
    ("capture", str(TOP / "samples" / "first-talk.jsonl")),
    ("consolidate",),
    ("facts",),
    ("recall", "which database"),
    ("inbox",),
)


def run(command: tuple[str, ...], home: Path) -> str:
    """Return what a command prints on a terminal, with its colours."""
    ours, theirs = pty.openpty()
    environment = {"HOME": str(home), "PATH": os.environ["PATH"], "TERM": "xterm-256color", "COLUMNS": str(COLUMNS), "LANG": "C.UTF-8"}
    whole = [sys.executable, "-m", "ethos", *command]
    process = subprocess.Popen(whole, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, cwd=home)
    os.close(theirs)
    shown = b""
    while chunk := _read(ours):
        shown += chunk
    process.wait()
    os.close(ours)
    return shown.decode("utf-8").replace("\r\n", "\n")


def _read(descriptor: int) -> bytes:
    """Read from a terminal; Linux reports EIO once its other end is closed."""
    try:
        return os.read(descriptor, 65_536)
    except OSError:
        return b""


def main() -> None:
    """Write the picture."""
    console = Console(record=True, width=COLUMNS, file=StringIO(), force_terminal=True)
    with tempfile.TemporaryDirectory() as home:
        for command in COMMANDS:
            shown = " ".join(f'"{word}"' if " " in word else word for word in command).replace(f"{TOP}/", "")
            console.print(Text.assemble(("$ ", "bold green"), (f"ethos {shown}", "bold")))
            console.print(Text.from_ansi(run(command, Path(home)).rstrip("\n")))
            console.print()
    (TOP / "docs" / "first-run.svg").write_text(console.export_svg(title="ethos"), "utf-8")


if __name__ == "__main__":
    main()
