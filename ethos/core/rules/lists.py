"""Lists: the rest of a list whose first thing is the object of a claim, "Postgres, Redis and Kafka".

A pattern ends an object at a comma, because most commas end a thought. What stands behind is of the list where it is nothing but noun
phrases up to "and" or "or", and no verb follows, which would make it the subject of another clause.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from ethos.core.model.records import Claim
from ethos.core.text.language.tagging import possible_tags, tag
from ethos.core.text.sentences import fold

_FAR: Final = 160  # characters behind an object in which its list ends
_BOUND = re.compile(r"[.!?;:()\n](?=\s|\Z)|\n")
_PHRASE = r"(?:[Dm]?[A#NKgn']*[NKg#])"
_ALONE = re.compile(rf"(?:{_PHRASE}|z)\Z")  # "bees" may be taken for a verb
_OFTEN = r"R|DA?N|#DN"  # "daily", "every night", "twice a day"
_REST = re.compile(
    rf"(?P<more>(?:,(?:{_PHRASE}|V(?=[,C]))){{0,6}}),?(?P<last>C{_PHRASE})"
    rf"(?P<of>I{_PHRASE})?(?P<often>(?:{_OFTEN})(?=[,ISTU]|\Z))?(?=[,ISTU]|\Z)"
)
_JOINING, _BELONGING = frozenset({"and", "or"}), frozenset({"of", "with"})
_EACH = frozenset({"every", "each", "once", "twice"})


def with_list(claim: Claim, text: str) -> Claim:
    """Return a claim with the rest of the list that its object begins; any other claim as it is."""
    behind = text[claim.end : claim.end + _FAR]
    begun = ", " in claim.object  # "magnesium, zinc | and iron"
    if not behind.startswith((",", " and ", " or ") if begun else ",") or not text.endswith(claim.object, 0, claim.end):
        return claim
    bound = _BOUND.search(behind)
    said = text[claim.start : claim.end] + (behind[: bound.start()] if bound else behind)
    tagged, high = tag(fold(said)), claim.end - claim.start
    spans = tagged.spans()
    last = claim.object.rpartition(", ")[2]
    low = next((at for at, (start, _) in enumerate(spans) if start >= high - len(last)), 0)
    first = next((at for at, (start, _) in enumerate(spans) if start >= high), 0)
    alone = first > 0 and (_ALONE.match(tagged.tags, low, first) is not None or _may_name(last))
    rest = _REST.match(tagged.tags, first) if alone else None
    if rest is None or not (begun or rest["more"]) or tagged.words[rest.start("last")] not in _JOINING:
        return claim
    end = rest.end("of") if rest["of"] and tagged.words[rest.start("of")] in _BELONGING else rest.end("last")
    if rest["often"]:
        if tagged.tags[rest.start("often")] != "R" and tagged.words[rest.start("often")] not in _EACH:
            return claim
        end = rest.end("often")
    more = spans[end - 1][1] - high
    return replace(claim, object=claim.object + behind[:more], end=claim.end + more)


def _may_name(obj: str) -> bool:
    """Return whether an object is one word with a capital, or one that may be a noun, whatever the tagger takes it for: "Slack"."""
    return obj.isalpha() and (obj.istitle() or "N" in possible_tags(obj))
