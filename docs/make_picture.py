"""Draw the terminal picture of the README: run real commands on the sample conversation and write what they print as SVG.

    python docs/make_picture.py            writes docs/first-run.svg

Each command runs in a pseudo-terminal, in a temporary home, so the picture shows what a person sees. Progress bars go to standard error
and are left out. The home is printed as `~`.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.text import Text

TOP = Path(__file__).resolve().parent.parent
COLUMNS = 124
LINES = 60
SAMPLE = TOP / "samples" / "first-talk.jsonl"
_REMOTE_FONT = re.compile(r"\s*@font-face \{.*?\n    \}", re.DOTALL)
COMMANDS = (
    ("capture", "first-talk.jsonl"),
    ("consolidate",),
    ("facts",),
    ("recall", "which database", "--limit", "2"),
    ("inbox",),
)


def run(command: tuple[str, ...], home: Path) -> str:
    """Return what a command prints on a terminal of `COLUMNS` columns, with its colours."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    environment = {"HOME": str(home), "PATH": os.environ["PATH"], "TERM": "xterm-256color", "LANG": "C.UTF-8"}
    whole = [sys.executable, "-m", "ethos", *command]
    process = subprocess.Popen(whole, stdin=theirs, stdout=theirs, stderr=subprocess.DEVNULL, env=environment, cwd=home)
    os.close(theirs)
    shown = b"".join(_chunks(ours))
    os.close(ours)
    if process.wait() not in {0, 3}:
        raise SystemExit(f"ethos {' '.join(command)} ended with {process.returncode}")
    return shown.decode("utf-8").replace("\r\n", "\n").replace(str(home), "~")


def _chunks(descriptor: int) -> Iterator[bytes]:
    """Yield what arrives at a terminal until its other end is closed, which Linux reports as EIO."""
    while True:
        try:
            chunk = os.read(descriptor, 65_536)
        except OSError:
            return
        if not chunk:
            return
        yield chunk


def main() -> None:
    """Write the picture."""
    console = Console(record=True, width=COLUMNS, file=StringIO(), force_terminal=True)
    with tempfile.TemporaryDirectory() as home:
        (Path(home) / SAMPLE.name).write_bytes(SAMPLE.read_bytes())
        for command in COMMANDS:
            shown = " ".join(f'"{word}"' if " " in word else word for word in command)
            console.print(Text.assemble(("$ ", "bold green"), (f"ethos {shown}", "bold")))
            console.print(Text.from_ansi(run(command, Path(home)).rstrip("\n")))
            console.print()
    (TOP / "docs" / "first-run.svg").write_text(_local_fonts(console.export_svg(title="ethos")), "utf-8")


def _local_fonts(svg: str) -> str:
    """Return the picture without its remote fonts: every glyph comes from the reader's own machine."""
    return _REMOTE_FONT.sub("", svg).replace("font-family: Fira Code, monospace", "font-family: ui-monospace, Menlo, Consolas, monospace")


if __name__ == "__main__":
    main()
