"""Stores for tests: a file that is changed past the program."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from ethos.store.sqlite import driver


def change_file(path: Path, *statements: str) -> None:
    """Run these statements on a store's file as a fault would: past the program, its keys and its triggers."""
    with closing(driver.library().module.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)
