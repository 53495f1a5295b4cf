"""The other process: looks for patterns that nothing is proved of, and can be ended at any moment. It knows nothing of Ethos.

A request is a line of JSON, `{"pattern", "texts"}`; so is the answer: `{"names", "found"}`, the spans of each match's groups in each text,
or `{"error"}`. It ends when nobody is left to ask it, and even amid a search soon after that, because each request may take so much
processor time and no more.
"""

from __future__ import annotations

import json
import resource
import signal
import sys
from functools import lru_cache
from typing import Any

import regex

MEMORY = 1_073_741_824  # bytes of address space
MOST_SECONDS = 2  # processor time for one request: for when the asker is gone; else it is the asker who ends this
MOST_MATCHES = 1_000  # in one text


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> regex.Pattern[str]:
    return regex.compile(pattern)


def find(pattern: str, texts: list[str]) -> dict[str, Any]:
    """The spans of all matches that are not empty, from left to right."""
    compiled = _compiled(pattern)
    found = []
    for text in texts:
        matches = [match.regs for match in compiled.finditer(text) if match.end() > match.start()]
        found.append(matches[:MOST_MATCHES])
    return {"names": dict(compiled.groupindex), "found": found}


def main() -> None:
    """Answer until the asker closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the asker
    _limit(resource.RLIMIT_AS, MEMORY)
    _limit(resource.RLIMIT_CORE, 0)
    for line in sys.stdin.buffer:
        asked = json.loads(line)
        used = resource.getrusage(resource.RUSAGE_SELF)
        _limit(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime) + 1 + MOST_SECONDS)
        try:
            answer = find(asked["pattern"], asked["texts"])
        except (regex.error, MemoryError, RecursionError, OverflowError, ValueError) as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n")
        sys.stdout.buffer.flush()


def _limit(what: int, value: int) -> None:
    """Lower a limit, or raise it as far as whoever started this allows."""
    most = resource.getrlimit(what)[1]
    resource.setrlimit(what, (value if most == resource.RLIM_INFINITY else min(value, most), most))


if __name__ == "__main__":
    main()
