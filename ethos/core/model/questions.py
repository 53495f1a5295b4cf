"""What a person is asked about memories of the bank, and the answers that any question takes."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Literal

from ethos.core.model.value import value

Action = Literal[
    "keep-old", "keep-new", "keep-both", "accept", "reject", "retire", "keep"
]  # of all kinds of questions; which fit which is in `review/kinds.py`


class Proposal(StrEnum):
    """What a person is asked to do with a memory."""

    ACCEPT = "accept"  # take it out of quarantine
    RETIRE = "retire"  # archive it: it was served often and never helped


@value
class MemoryQuestion:
    """A proposal about a memory, put to a person. It is open until it is answered, or until the memory no longer needs it."""

    id: str
    user: str
    project: str
    memory: str
    proposal: Proposal
    opened_at: datetime
    run: str
    resolved_at: datetime | None = None
    action: Action | None = None
    by: str | None = None  # "inbox", "cli", "socket"
    note: str = ""  # free text of the person
