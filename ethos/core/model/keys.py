"""Keys: what records share that collide or repeat one another, and the keyed hash by which a text is known again."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

Mac = Callable[[str], str]  # a keyed hash of a text, in hexadecimal


class FactKey(NamedTuple):
    """What two facts must share to collide (docs/requirements.md, Settled), all parts folded."""

    user: str
    project: str
    subject: str
    predicate: str
    slot: str


class WeakClaimKey(NamedTuple):
    """What the repetitions of a weak claim share (X-E1)."""

    user: str
    project: str
    subject: str
    predicate: str
    slot: str
    object: str
    polarity: str


ClassOf = Callable[[str], str]  # the class that a folded object belongs to, or ""
