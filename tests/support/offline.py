"""Refuse the network: run a command that may make Unix sockets and no others, with `python -m tests.support.offline COMMAND...`.

The kernel refuses (seccomp), whoever asks and in whatever language; it cannot be taken back. What a unit's RestrictAddressFamilies does.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import socket
import struct
import sys

_NO_NEW_PRIVS, _SECCOMP, _FILTER = 38, 22, 2  # prctl.h, seccomp.h
_LOAD, _EQUAL, _GIVE = 0x20, 0x15, 0x06  # BPF_LD | BPF_W | BPF_ABS, BPF_JMP | BPF_JEQ | BPF_K, BPF_RET | BPF_K
_ALLOWED, _REFUSED = 0x7FFF0000, 0x00050000 | errno.EACCES
_CALLS = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}  # the architecture's number, and that of socket()


def possible() -> bool:
    """Whether the filter is written for this machine."""
    return sys.platform == "linux" and platform.machine() in _CALLS


def refused() -> bool:
    """Whether a socket that reaches beyond this machine is refused to us."""
    for family in (socket.AF_INET, socket.AF_INET6):
        try:
            socket.socket(family).close()
        except PermissionError:
            continue
        except OSError:  # a kernel without it
            continue
        return False
    return True


def enter() -> bool:
    """From here on there is none; whether that is so. Where it cannot be done it is said, on standard error."""
    if not refused() and possible():
        architecture, call = _CALLS[platform.machine()]
        steps = [
            (_LOAD, 0, 0, 4),  # seccomp_data.arch
            (_EQUAL, 0, 4, architecture),
            (_LOAD, 0, 0, 0),  # .nr
            (_EQUAL, 0, 2, call),
            (_LOAD, 0, 0, 16),  # .args[0]: the family
            (_EQUAL, 0, 1, socket.AF_UNIX),
            (_GIVE, 0, 0, _ALLOWED),
            (_GIVE, 0, 0, _REFUSED),
        ]
        _install(b"".join(struct.pack("HBBI", *step) for step in steps), len(steps))
    if not refused():
        sys.stderr.write("this machine does not let a process give up the network: what follows does not show that none is used\n")
        return False
    return True


def _install(program: bytes, length: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    held = ctypes.create_string_buffer(program)
    filter_ = struct.pack("HP", length, ctypes.addressof(held))  # struct sock_fprog
    if libc.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(_SECCOMP, _FILTER, filter_, 0, 0):
        sys.stderr.write(f"seccomp: {os.strerror(ctypes.get_errno())}\n")


if __name__ == "__main__":
    enter()
    os.execvp(sys.argv[1], sys.argv[1:])  # noqa: S606 (that is what it is for)
