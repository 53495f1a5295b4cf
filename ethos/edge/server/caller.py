"""A connection to the socket server: the bytes received so far, and its deadlines. Only `send` blocks."""

from __future__ import annotations

import select
import socket
import time

from ethos.core.model.errors import Problem
from ethos.core.model.settings import SocketSettings

IDLE_SECONDS = 60.0  # a connection may be silent for this long between two requests with an id
SEND_SECONDS = 10.0  # for the peer to take some of its answer, each time its buffer is full
_MOST_SEND_SECONDS = 60.0  # for the peer to take the whole answer
BUFFER_BYTES = 65_536  # received at once, at most
_DISCARD = 16 * 1024 * 1024  # bytes of an over-long line that are read and dropped, so that the peer can still read the error


class Caller:
    """One connection: receives lines, sends answers."""

    def __init__(self, channel: socket.socket, settings: SocketSettings) -> None:
        self.channel = channel
        self.asking = False  # a request of it is in progress or queued
        self.eof = False  # the peer sends no more
        self.since = time.monotonic()  # start of the current wait: the line's first byte, the last answer, or the connection
        self.deadline = self.since + settings.line_seconds  # monotonic
        self._settings = settings
        self._received = b""  # not yet a line
        self._answers = 0
        self._dropped: int | None = None  # bytes dropped of an over-long line; None: the line is not too long

    @property
    def idle(self) -> bool:
        """Return True if nothing was received since the last answer."""
        return self._answers > 0 and not self._received

    @property
    def may_ask_again(self) -> bool:
        """Return True if the peer can send more and has not used up its requests."""
        return not self.eof and self._answers < self._settings.max_requests

    @property
    def hung_up(self) -> bool:
        """Return True if the peer closed the connection, so that no answer can be read.

        A peer that only shut down its sending side, as `nc -U` does at the end of its input, still waits.
        """
        look = select.poll()
        look.register(self.channel, 0)
        return any(event & (select.POLLHUP | select.POLLERR | select.POLLNVAL) for _, event in look.poll(0))

    def receive(self, buffer: memoryview) -> bytes | Problem | None:
        """Read what has arrived. Return a line once it is whole (newline or end of input), an error, or None. Raises OSError.

        The whole line has `line_seconds` from its first byte on, however slowly it arrives. buffer: `BUFFER_BYTES` long, shared by all
        connections: a new one for each read fragmented the heap, which grew.
        """
        try:
            chunk = bytes(buffer[: self.channel.recv_into(buffer)])
        except BlockingIOError:
            return None
        self.eof = not chunk
        if self._dropped is not None:
            return self._drop(chunk)
        if not chunk:
            line, self._received = self._received, b""
            return line or None
        if not self._received:
            self._start_timer()
        self._received += chunk
        return self.line()

    def line(self) -> bytes | Problem | None:
        """Return the next whole line received, an error if it is too long, or None."""
        most = self._settings.max_line_bytes
        line, newline, rest = self._received.partition(b"\n")
        if newline:
            self._received = rest
            return line if len(line) <= most else self._too_long()
        if len(line) > most:
            self._received, self._dropped = b"", len(line)
            self._start_timer()  # for the rest of it
        return None

    def timeout_problem(self, *, hurried: float | None = None) -> Problem | None:
        """Return the error to send on a timeout; None if nothing was received. hurried: the shorter time given while others wait."""
        if self._dropped is not None:
            return self._too_long()
        if not self._received:
            return None
        within = f"{self._settings.line_seconds if hurried is None else hurried:g} seconds"
        return Problem("usage", f"no complete line within {within}", "end the request with a newline")

    def send(self, answer: bytes) -> None:
        """Send a whole answer, for as long as the peer goes on taking it.

        Raises OSError if it does not. The connection must then be closed; the peer sees from the missing newline that it was cut off.
        """
        until, left = time.monotonic() + _MOST_SEND_SECONDS, memoryview(answer)
        while left:
            self.channel.settimeout(min(SEND_SECONDS, max(0.001, until - time.monotonic())))
            left = left[self.channel.send(left) :]
        self._answers += 1
        self.since = time.monotonic()
        self.deadline = self.since + (self._settings.line_seconds if self._received else IDLE_SECONDS)

    def _start_timer(self) -> None:
        self.since = time.monotonic()
        self.deadline = self.since + self._settings.line_seconds

    def _drop(self, chunk: bytes) -> Problem | None:
        self._dropped = (self._dropped or 0) + len(chunk)
        ended = self.eof or chunk.endswith(b"\n") or self._dropped >= _DISCARD
        return self._too_long() if ended else None

    def _too_long(self) -> Problem:
        limit = self._settings.max_line_bytes
        return Problem("usage", f"the line is longer than {limit} bytes", "send paths instead of texts, or fewer of them at a time")
