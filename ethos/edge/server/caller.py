"""A caller: one connection to the socket, what it has said so far, and until when it may go on. Nothing here waits but `say`."""

from __future__ import annotations

import select
import socket
import time

from ethos.core.model.errors import Problem
from ethos.core.model.settings import SocketSettings

IDLE_SECONDS = 60.0  # a connection with an id may be silent for so long between two lines
SEND_SECONDS = 10.0  # for a caller to take some of its answer, each time that there is no more room for it
MOST_SEND_SECONDS = 60.0  # for it to take all of it
PIECE = 65_536  # bytes heard at once, at most
_DISCARD = 16 * 1024 * 1024  # bytes of an over-long line that are read away, so that its sender lives to see the answer


class Caller:
    """One caller: its lines in, our answers out."""

    def __init__(self, channel: socket.socket, settings: SocketSettings) -> None:
        self.channel = channel
        self.asks = False  # a request of it is being worked on, or waits for that
        self.ended = False  # it says no more
        self.since = time.monotonic()  # since when it is listened to: from its first byte on, or its last answer, or its coming
        self.until = self.since + settings.line_seconds  # when it is late
        self._settings = settings
        self._ahead = b""  # heard, and not yet a line
        self._answers = 0
        self._away: int | None = None  # bytes of an over-long line that were read away; None: its line is not too long

    @property
    def silent(self) -> bool:
        """It had an answer, and has said nothing since."""
        return self._answers > 0 and not self._ahead

    @property
    def goes_on(self) -> bool:
        """It may ask for more."""
        return not self.ended and self._answers < self._settings.max_requests

    @property
    def gone(self) -> bool:
        """It hung up: nobody will read an answer. One that only ended what it says, as `nc -U` at the end of its input, waits for it."""
        look = select.poll()
        look.register(self.channel, 0)
        return any(event & (select.POLLHUP | select.POLLERR | select.POLLNVAL) for _, event in look.poll(0))

    def hear(self, ear: memoryview) -> bytes | Problem | None:
        """What is there now makes a line, at a newline or at the end; something is wrong with it; or there is more to come. Raises OSError.

        From its first byte on the whole line has `line_seconds`, however it trickles. ear: of `PIECE` bytes, to hear with; the same for all
        callers, because a new one for each piece tore holes into the heap, which grew.
        """
        try:
            piece = bytes(ear[: self.channel.recv_into(ear)])
        except BlockingIOError:
            return None
        self.ended = not piece
        if self._away is not None:
            return self._read_away(piece)
        if not piece:
            line, self._ahead = self._ahead, b""
            return line or None
        if not self._ahead:
            self._begins()
        self._ahead += piece
        return self.line()

    def line(self) -> bytes | Problem | None:
        """The next line of what was heard, or what is wrong with it, if there is so much."""
        most = self._settings.max_line_bytes
        line, newline, rest = self._ahead.partition(b"\n")
        if newline:
            self._ahead = rest
            return line if len(line) <= most else self._too_long()
        if len(line) > most:
            self._ahead, self._away = b"", len(line)
            self._begins()  # to say the rest of it in
        return None

    def late(self, *, hurried: float | None = None) -> Problem | None:
        """What to tell it when it took too long; None: it said nothing. hurried: others wait, and it had only so many seconds."""
        if self._away is not None:
            return self._too_long()
        if not self._ahead:
            return None
        within = f"{self._settings.line_seconds if hurried is None else hurried:g} seconds"
        return Problem("usage", f"no whole line within {within}", "end the request with a newline")

    def say(self, answer: bytes) -> None:
        """Send an answer, whole: for as long as the caller goes on taking it. Raises OSError where it does not; then the connection must
        end, and what was sent has no newline, by which the caller knows that it was cut off.
        """
        until, left = time.monotonic() + MOST_SEND_SECONDS, memoryview(answer)
        while left:
            self.channel.settimeout(min(SEND_SECONDS, max(0.001, until - time.monotonic())))
            left = left[self.channel.send(left) :]
        self._answers += 1
        self.since = time.monotonic()
        self.until = self.since + (self._settings.line_seconds if self._ahead else IDLE_SECONDS)

    def _begins(self) -> None:
        self.since = time.monotonic()
        self.until = self.since + self._settings.line_seconds

    def _read_away(self, piece: bytes) -> Problem | None:
        self._away = (self._away or 0) + len(piece)
        ended = self.ended or piece.endswith(b"\n") or self._away >= _DISCARD
        return self._too_long() if ended else None

    def _too_long(self) -> Problem:
        limit = self._settings.max_line_bytes
        return Problem("usage", f"the line is longer than {limit} bytes", "send paths instead of texts, or fewer of them at a time")
