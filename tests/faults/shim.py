"""The faults of this process: what `shim.c` does, once it is loaded before the system's own calls."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class Shim:
    """The faults of this process."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL(None)
        self._library.fault_calls.restype = ctypes.c_long
        self._library.fault_arm.argtypes = [ctypes.c_char_p, ctypes.c_long, ctypes.c_int, ctypes.c_int]

    def arm(self, folder: Path, at: int, action: int, code: int) -> None:
        """From now on count what is done below the folder, and strike the call with this number."""
        self._library.fault_arm(os.fsencode(folder), at, action, code)

    def record(self, descriptor: int) -> None:
        """Log every durable call to this file; -1: no more."""
        self._library.fault_log(descriptor)

    @property
    def calls(self) -> int:
        """How many durable calls there were."""
        return int(self._library.fault_calls())

    @contextmanager
    def asleep(self) -> Iterator[None]:
        """What is done in the block is somebody else's doing."""
        self._library.fault_pause(1)
        try:
            yield
        finally:
            self._library.fault_pause(0)
