"""The subprocess that searches for unproved patterns and can be ended at any moment. It does not import Ethos.

A request is a line of JSON, `{"pattern", "texts"}`; so is the answer: `{"names", "found"}`, the spans of each match's groups in each text,
or `{"error"}`. It ends when the parent closes the pipe. Even in a search it ends soon after that, because the processor time of each
request is limited.
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
MOST_SECONDS = 2  # processor time for one request, in case the parent is gone; otherwise the parent ends this process earlier
_MOST_MATCHES = 1_000  # in one text


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> regex.Pattern[str]:
    return regex.compile(pattern)


def find(pattern: str, texts: list[str]) -> dict[str, Any]:
    """Return the spans of all non-empty matches, from left to right."""
    compiled = _compiled(pattern)
    found = []
    for text in texts:
        matches = [match.regs for match in compiled.finditer(text) if match.end() > match.start()]
        found.append(matches[:_MOST_MATCHES])
    return {"names": dict(compiled.groupindex), "found": found}


def main() -> None:
    """Answer requests until the parent closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
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
    """Lower a limit, or raise it as far as the hard limit allows."""
    most = resource.getrlimit(what)[1]
    resource.setrlimit(what, (value if most == resource.RLIM_INFINITY else min(value, most), most))


if __name__ == "__main__":
    main()
