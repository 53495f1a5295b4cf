"""Report state to systemd, one datagram a message (sd_notify(3))."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import MutableMapping
from typing import Final

from ethos.core.text.escaping import plain

_STATUS_LENGTH: Final = 200
_SEND_SECONDS: Final = 1.0  # a manager that does not read must not block the daemon


class Notifier:
    """Send messages to the service manager, if there is one. A lost message is only counted: the watchdog notices a longer silence."""

    def __init__(self, address: str) -> None:
        """address: a path, `@name` in the abstract namespace, or empty for no manager."""
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self.lost = 0  # messages that were not delivered

    def ready(self, status: str) -> None:
        """Report that the daemon has started or reloaded."""
        self._send("READY=1", _status(status))

    def reloading(self) -> None:
        """Report a reload; the time identifies it."""
        self._send("RELOADING=1", f"MONOTONIC_USEC={time.monotonic_ns() // 1000}")

    def status(self, status: str) -> None:
        """Set the line that `systemctl status` shows."""
        self._send(_status(status))

    def watchdog(self) -> None:
        """Report progress."""
        self._send("WATCHDOG=1")

    def stopping(self) -> None:
        """Report the shutdown."""
        self._send("STOPPING=1", _status("shutting down"))

    def _send(self, *fields: str) -> None:
        if not self._address:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as channel:
                channel.settimeout(_SEND_SECONDS)
                channel.sendto("\n".join(fields).encode(), self._address)
        except OSError:
            self.lost += 1


def from_environment(environ: MutableMapping[str, str]) -> tuple[Notifier, float | None]:
    """Return a notifier for the manager that started us, and the seconds within which it expects progress (None: no watchdog).

    Remove the variables, so that no child process reports in our place.
    """
    address = environ.pop("NOTIFY_SOCKET", "")
    usec, pid = environ.pop("WATCHDOG_USEC", ""), environ.pop("WATCHDOG_PID", "")
    wanted = usec.isdigit() and int(usec) > 0 and pid in {"", str(os.getpid())}
    return Notifier(address), int(usec) / 1_000_000 if wanted else None


def _status(line: str) -> str:
    return f"STATUS={plain(line, _STATUS_LENGTH)}"
