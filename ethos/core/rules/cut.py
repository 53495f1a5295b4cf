"""Cut claims: those whose words were cut out of the text in the wrong place. They are weak, whatever rule made them."""

from __future__ import annotations

import re

from ethos.core.model.records import Claim
from ethos.core.text.endings import breaks_off
from ethos.core.text.language.tagging import tag
from ethos.core.text.sentences import fold

_ENDED = re.compile(r"[\s\"'`*_)\]]*(?:[.!?;\n]|\Z)")
_CLIPPED = re.compile(r"['\u2019] ?\w{2}")  # "livin' my dreams"
_NO_SUBJECT = re.compile(r"\A[zd]I|T[RX]*[VbHY]|[BOY]|\A[ACTSW]\Z|\A[Ang]+I[iwyhtp]\Z")


def is_cut(claim: Claim, text: str) -> bool:
    """Return whether the object of a claim breaks off in the middle of a sentence ("a prompt if the", "livin' my dreams"), or its subject
    is no noun phrase by itself ("the page to specify", "proud of you").
    """
    if breaks_off(claim.object) and not _ENDED.match(text, claim.end):
        return True
    if _CLIPPED.match(text, claim.end) and claim.object.endswith("in"):
        return True
    if " " not in claim.subject or "'s " in claim.subject:
        return False
    words, tags = tag(fold(claim.subject))[1:]
    if "your" in words and claim.kind == "fact":
        return True  # said to somebody: "sounds like your work is going well"
    return "W" not in tags and _NO_SUBJECT.search(tags) is not None
