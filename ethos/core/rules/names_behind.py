"""Names behind: the name of the thing that an object only describes, "a caravan, a Swift", "a third cat, called Dumpling".

A pattern ends an object at a comma. What stands behind is its name where the object is indefinite, "a lodger" or "its own port", and the
words up to the next mark are nothing but a name, a number or code.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from ethos.core.model.records import Claim
from ethos.core.text.language.everyday import is_everyday
from ethos.core.text.language.lexicon import word_class

_FAR: Final = 60  # characters behind an object in which its name ends
_INDEFINITE = re.compile(
    r"(?:an?|another|one|one more|(?:my|our|his|her|its|their) own) (?:[\w'-]+ ){0,3}[\w'-]+(?: of (?:its|our|my|their) own)?\Z",
    re.IGNORECASE,
)
_NAME = r"[A-Z][\w'&.+-]*\w(?: (?:[A-Z0-9](?:[\w'&.+-]*\w)?|of|the|and|&)){0,4}"
_BEHIND = re.compile(
    rf"(?:,|:| -| \u2013) (?P<called>(?:called|named) )?(?P<name>(?:an? |the |The )?{_NAME}|[\w./-]{{1,23}}\w)(?=\s*(?:[,.;:!?(\n]|\Z))"
)


def with_name(claim: Claim, text: str) -> Claim:
    """Return a claim with the name of what its object describes, where that stands right behind; any other claim as it is."""
    if claim.polarity == "-" or not text.endswith(claim.object, 0, claim.end) or _INDEFINITE.match(claim.object) is None:
        return claim
    found = _BEHIND.match(text, claim.end, claim.end + _FAR)
    if found is None or any(map(str.isupper, claim.object[2:])) or not _is_name(found, claim.object, text):
        return claim
    return replace(claim, object=claim.object + text[claim.end : found.end("name")], end=found.end("name"))


def _is_name(found: re.Match[str], obj: str, text: str) -> bool:
    """Return whether words name a thing, and speak to nobody: "I bought a chair, Anna"."""
    name = found["name"]
    if not name[0].isupper():
        return any(map(str.isdigit, name)) or not is_everyday(name.lower()) or " " in name
    if found["called"] or " " in name or text[found.end("name") : found.end("name") + 1] == ",":
        return True
    return any(word in word_class(kind) for word in obj.lower().split() for kind in ("kin", "named-by-owner", "position", "trade"))
