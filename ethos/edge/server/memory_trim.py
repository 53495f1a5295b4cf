"""Lean: what a burst of work used goes back to the system, so that an idle daemon is small (measured: 8 MiB after 3,000 episodes)."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable
from typing import Any

# of malloc.h
_MMAP_THRESHOLD = -3
_ARENA_MAX = -8

_LARGE = 128 * 1024  # bytes


def prepare() -> None:
    """Before the first thread: one heap for all of them, because what each would keep free in its own adds up; and outside of it what is
    large, however often: malloc would soon take the size of a burst for usual, and the holes that bursts leave in a heap stay.
    """
    mallopt = _libc("mallopt")
    mallopt(_ARENA_MAX, 1)
    mallopt(_MMAP_THRESHOLD, _LARGE)


def begun() -> None:
    """After the start: what is here now stays, and need not be looked through each time something is collected."""
    tidy()
    gc.freeze()


def tidy() -> None:
    """Give back what is free. Takes some milliseconds: for when nobody waits."""
    gc.collect()
    _libc("malloc_trim")(0)


def _libc(name: str) -> Callable[..., Any]:
    """A function of the C library; nothing where it is another than glibc, which does such things by itself."""
    found: Callable[..., Any] = getattr(ctypes.CDLL(None), name, _nothing)
    return found


def _nothing(*_: object) -> None:
    return
