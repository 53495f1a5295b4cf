"""Forms: what a slot must be for the claim to be held at all, an e-mail address or a telephone number (G-09), as the matcher sees it.

What an address is, and which numbers are given out in which country, is known at the edge, by libraries.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Protocol

Form = Literal["email", "phone"]

CALLED: Mapping[Form, str] = {
    "email": "valid e-mail address",
    "phone": "valid telephone number (with + and its country, or of the region that [rules] names)",
}


class Forms(Protocol):
    """Who knows the forms."""

    def normal(self, form: Form, said: str) -> str:
        """The value as it is held: all ways to write it are one; "" where it is not of the form."""
        ...
