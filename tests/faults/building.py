"""Building the shim, with the C compiler that is here, if there is one; and starting a program with it."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
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


def preloaded() -> bool:
    """Whether this process runs with the shim."""
    return hasattr(ctypes.CDLL(None), "fault_arm")


def again(module: str) -> int:
    """This program once more, with the shim before the system's own calls; its exit code."""
    if compiler() is None:
        sys.stdout.write("skipped: no C compiler\n")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "LD_PRELOAD": str(built(Path(folder)))}
        return subprocess.run([sys.executable, "-m", module, *sys.argv[1:]], env=environment, check=False).returncode
