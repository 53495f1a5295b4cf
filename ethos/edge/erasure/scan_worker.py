"""Look for bytes in files, in a process of its own, for forgetting. It imports nothing of Ethos.

It is a process of its own because the store is among the files: a process that closes a file, however it had opened it, gives up all POSIX
locks it has on it, and with them SQLite's. Another process would then take the store for nobody's, and remove the log beneath it.

Started as `python -I -S scan_worker.py FOLDER`, FOLDER being where the automaton's package lies: no settings of the machine's Python have a
say in it, and it is ready in half the time. Standard input: the sought in hexadecimal, with spaces between, and the paths, all
with NULs between. Output: for each path a line with its size and how many hits there are, nothing where there is no such file, or "!"
and an error's words.
"""

from __future__ import annotations

import mmap
import os
import sys

sys.path.append(sys.argv[1])

from ahocorasick_rs import BytesAhoCorasick


def look(path: bytes, automaton: BytesAhoCorasick | None) -> str:
    """Look at one file."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123 (a process of few imports)
            size = os.fstat(file.fileno()).st_size
            if not (automaton and size):
                return f"{size} 0"
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                return f"{size} {len(automaton.find_matches_as_indexes(data))}"
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"!{error.strerror}"


def main() -> None:
    """Look through all of them."""
    asked, *paths = sys.stdin.buffer.read().split(b"\0")
    sought = [bytes.fromhex(each.decode()) for each in asked.split()]
    automaton = BytesAhoCorasick(sought) if sought else None
    sys.stdout.writelines(f"{look(path, automaton)}\n" for path in paths)


if __name__ == "__main__":
    main()
