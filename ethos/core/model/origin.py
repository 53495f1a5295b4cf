"""Origin: where a text comes from."""

from __future__ import annotations

from enum import IntEnum


class Origin(IntEnum):
    """Where a text comes from, and so how far it is trusted (docs/threats.md, promise 2). Higher is trusted more."""

    EXTERNAL = 0
    TOOL = 1
    ASSISTANT = 2
    USER = 3
    OPERATOR = 4
