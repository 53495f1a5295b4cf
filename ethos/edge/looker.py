"""The process that looks for bytes in files, for forgetting. It knows nothing of Ethos.

It is one of its own because of the store among these files: a process that closes a file, however it had opened it, gives up all POSIX
locks it has on it, and with them SQLite's. Another process would then take the store for nobody's, and remove the log beneath it.

Standard input: `{"sought": [hexadecimal], "paths": [...]}`. Output: a list in the order of the paths, of `[size, hits]`, of an error's
words, or of null where there is no such file.
"""

from __future__ import annotations

import json
import mmap
import os
import sys

from ahocorasick_rs import BytesAhoCorasick


def look(path: str, automaton: BytesAhoCorasick | None) -> list[int] | str | None:
    """One file."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123 (a process of few imports)
            size = os.fstat(file.fileno()).st_size
            if not (automaton and size):
                return [size, 0]
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                return [size, len(automaton.find_matches_as_indexes(data))]
    except FileNotFoundError:
        return None
    except OSError as error:
        return str(error.strerror)


def main() -> None:
    """Look through all of them."""
    asked = json.load(sys.stdin)
    sought = [bytes.fromhex(each) for each in asked["sought"]]
    automaton = BytesAhoCorasick(sought) if sought else None
    json.dump([look(path, automaton) for path in asked["paths"]], sys.stdout)


if __name__ == "__main__":
    main()
