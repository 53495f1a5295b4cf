"""Text in HTML: cleaned of what is invisible or moves a cursor, cut, and escaped."""

from __future__ import annotations

import html

from ethos.core.text import escaping

LONGEST = 300  # characters; not less than what a forgetting looks for at a time (`core.history.erasure.PIECE`)


def text(said: object, longest: int = LONGEST) -> str:
    """Return it fit for the text of an element. Quotes stay as they are, so it is not fit for an attribute."""
    return html.escape(escaping.plain(str(said), longest), quote=False)
