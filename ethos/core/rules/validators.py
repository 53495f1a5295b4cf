"""Validators: the form that a slot must have, an e-mail address or a telephone number, for its claim to be held (G-09).

The libraries that know addresses and the numbering plans of countries are used in `edge`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Protocol

SlotForm = Literal["email", "phone"]

CALLED: Mapping[SlotForm, str] = {
    "email": "valid e-mail address",
    "phone": "valid telephone number (with + and its country, or of the region that [rules] names)",
}


class Validator(Protocol):
    """A validator of slot values."""

    def normal(self, form: SlotForm, said: str) -> str:
        """Return the value in its canonical form; "" if it is not valid."""
        ...
