"""Building the shim: with the C compiler that is here, if there is one."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

SOURCE = Path(__file__).with_name("shim.c")


def compiler() -> str | None:
    """The C compiler."""
    return shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")


def built(folder: Path) -> Path:
    """The shim, made into this folder."""
    made = folder / "shim.so"
    command = [compiler() or "cc", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", str(made), str(SOURCE), "-ldl"]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return made
