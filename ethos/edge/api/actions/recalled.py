"""How an answer of `recall` is told: how much of each hit, as far as an agent has tokens for it, and why it stands where it does."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from ethos.core.ports.queries import Hit
from ethos.edge.jsonio.quickjson import encode
from ethos.edge.jsonio.shapes import Json, plain

TOKEN = 4  # characters that are taken as one token: English prose and JSON come to 3.5 to 4.5
_LEAST_TEXT = 40  # a text that is cut off shorter says nothing
_CUT = " ..."


class By(StrEnum):
    """What an answer lists."""

    HIT = "hit"
    SESSION = "session"


class Detail(StrEnum):
    """How much of each text is told."""

    IDS = "ids"
    SHORT = "short"
    FULL = "full"


# characters of a text at most, around the first word that is found; ten full ones still fit into an answer
LONGEST = {Detail.IDS: 0, Detail.SHORT: 600, Detail.FULL: 100_000}


def told(hits: Sequence[Hit], detail: Detail, *, explain: bool) -> list[Json]:
    """Return the hits as JSON has them, with the parts of their scores where those are to be explained."""
    return [_told(hit, detail, explain=explain) for hit in hits]


def _told(hit: Hit, detail: Detail, *, explain: bool) -> Json:
    left_out = {"parts", "text", "outdated"} if detail is Detail.IDS else {"parts"} if hit.outdated else {"parts", "outdated"}
    data: Json = plain({name: value for name, value in hit._asdict().items() if name not in left_out})
    if explain:
        data["parts"] = {name: round(part, 4) for name, part in sorted(hit.parts.items(), key=lambda each: -abs(each[1]))}
    return data


def within(hits: Sequence[Json], tokens: int) -> list[Json]:
    """Return as many hits, best first, as an agent has tokens for; the text of the last one is cut to what is left, if that is worth it."""
    room = max(0, tokens) * TOKEN
    kept: list[Json] = []
    for hit in hits:
        over = len(encode(hit)) - room
        if over > 0:
            text = hit.get("text", "")
            left = len(text) - over - len(_CUT)
            while left >= _LEAST_TEXT and len(encode({**hit, "text": text[:left] + _CUT})) > room:  # a letter may be six in JSON
                left = left * 3 // 4
            return [*kept, {**hit, "text": text[:left] + _CUT}] if left >= _LEAST_TEXT else kept
        kept.append(hit)
        room -= len(encode(hit))
    return kept


def sessions_within(sessions: Sequence[Json], tokens: int) -> list[Json]:
    """Return as many sessions, best first, as an agent has tokens for the hits of; the last one may have fewer hits."""
    left = tokens
    kept: list[Json] = []
    for each in sessions:
        hits = within(each["hits"], left)
        if not hits:
            break
        kept.append({**each, "hits": hits})
        left -= -(-sum(len(encode(hit)) for hit in hits) // TOKEN)
    return kept
