"""Requests as nobody should send them: what `fuzz_socket` says. Most know the grammar, and are wrong in one place; the others are noise."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import MISSING, fields
from datetime import datetime
from typing import Any, Literal, get_args, get_origin, get_type_hints

from ethos.edge.api.actions import ACTIONS

# What changes the memory, reads folders or writes files takes a thousand times as long as what is refused: a few are enough.
_DECIDING = frozenset({"settle", "undo", "answer", "promote", "retire", "correct", "forget"})
DEAR = _DECIDING | {"capture", "consolidate", "backup", "export", "import", "sleep"}
DEAR_SHARE = 0.02  # of the requests may be one of these with nothing wrong in it
CHEAP = sorted(set(ACTIONS) - DEAR)
TEXTS = (
    "",
    " ",
    "postgres",
    "which database do we use for billing",
    "' OR 1=1 --",
    '"unclosed AND (NEAR',
    "a*" * 50,
    "\x00",
    "x\x00y",
    "\ud800",
    "\udfff\ud800",
    "\u202e\u2066evil",
    "\x1b[2J\x1b]0;x\x07",
    "é" * 400,
    "漢字" * 300,
    "🙂" * 200,
    "\n# Memory review\n- [x] keep-new ^c-0",
    "%s%n{0}{{}}",
    "../../../../etc/passwd",
    "-1",
    "null",
)
TIMES = (
    "2026-03-01",
    "2026-03-01T09:30:00Z",
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59+14:00",
    "2026-02-30",
    "T",
    "1" * 40,
    "2026-03-01T25:00Z",
)
NUMBERS = (0, 1, 10, 100, -1, 101, 10**30, -(2**63), 2**63, 2**31)
ROLES = ("user", "assistant", "tool", "nobody", 7)


def value(chance: random.Random, depth: int = 0) -> Any:
    """Something that JSON can say."""
    kind = chance.randrange(9 if depth < 4 else 6)
    if kind == 0:
        return chance.choice((None, True, False))
    if kind == 1:
        return chance.choice((*NUMBERS, 1.5, 1e300, -0.0, chance.randrange(1000)))
    if kind in {2, 3}:
        return chance.choice(TEXTS)
    if kind in {4, 5}:
        return "".join(chance.choice('aZ0 \n"\\\u0000\u202e\ud800é漢🙂*-[]()') for _ in range(chance.randrange(40)))
    if kind in {6, 7}:
        return {str(value(chance, 9)): value(chance, depth + 1) for _ in range(chance.randrange(4))}
    return [value(chance, depth + 1) for _ in range(chance.randrange(4))]


class Speech:
    """What one caller says. names: ids, paths and words that mean something to this memory."""

    def __init__(self, chance: random.Random, names: Sequence[str]) -> None:
        self._chance = chance
        self._names = names
        self._takes = {name: (get_type_hints(entrance.takes), fields(entrance.takes)) for name, entrance in ACTIONS.items()}

    def request(self) -> dict[str, Any]:
        """One that knows the grammar, with at most one thing wrong in it."""
        chance = self._chance
        dear = chance.random() < 0.3
        action = chance.choice(sorted(DEAR) if dear else CHEAP)
        hints, declared = self._takes[action]
        asked: dict[str, Any] = {"action": action}
        for field in declared:
            if field.default is MISSING or chance.random() < 0.4:
                asked[field.name] = self._fitting(hints[field.name], field.name)
        if action == "forget":
            asked["dry_run"] = True  # else nothing would be left for the others to find
        if (dear and chance.random() > DEAR_SHARE / 0.3) or chance.random() < 0.5:
            self._damage(asked, sure=dear)
        return asked

    def _fitting(self, kind: Any, name: str) -> Any:
        chance = self._chance
        inner = get_args(kind)
        if type(None) in inner:
            return None if chance.random() < 0.1 else self._fitting(inner[0], name)
        if get_origin(kind) is Literal:
            return chance.choice(inner)
        if get_origin(kind) is tuple:
            return [self._fitting(inner[0], name) for _ in range(chance.randrange(4))]
        if kind is datetime:
            return chance.choice(TIMES)
        if kind is bool:
            return chance.random() < 0.5
        if kind is int:
            return chance.choice(NUMBERS)
        if kind is str:
            return chance.choice(self._names) if chance.random() < 0.7 else chance.choice(TEXTS)
        line = {
            "id": chance.choice(TEXTS),
            "role": chance.choice(ROLES),
            "text": chance.choice((*self._names, *TEXTS)),
            "said_at": chance.choice(TIMES),
        }
        return {name: line[name] for name in line if chance.random() < 0.9}

    def _damage(self, asked: dict[str, Any], *, sure: bool) -> None:
        """sure: in a way that is refused."""
        chance = self._chance
        kind = chance.randrange(3 if sure else 6)
        if kind == 0:
            asked[f"x{chance.randrange(9)}"] = value(chance)
        elif kind == 1:
            asked["action"] = chance.choice((asked["action"].upper(), None, 7, ["recall"], "", "\ud800"))
        elif kind == 2 and len(asked) > 1:
            asked[chance.choice([name for name in asked if name != "action"])] = {"not": value(chance)}
        elif len(asked) > 1 and not sure:
            asked[chance.choice([name for name in asked if name != "action"])] = value(chance)
        else:
            asked["nothing"] = value(chance)

    def line(self) -> bytes:
        """Noise: damaged requests, bytes, what is nested, long, twice or half there. With its newline."""
        chance = self._chance
        kind = chance.random()
        if kind < 0.3:
            data = json.dumps(self.request()).encode()
        elif kind < 0.55:
            turned = bytearray(json.dumps(self.request()).encode())
            for _ in range(chance.randrange(1, 4)):
                turned[chance.randrange(len(turned))] = chance.randrange(256)
            data = bytes(turned)
        elif kind < 0.75:
            data = chance.randbytes(chance.randrange(200))
        elif kind < 0.9:
            data = chance.choice(_ODD)(chance)
        else:
            data = json.dumps(self.request()).encode()[: chance.randrange(60)]
        return data.replace(b"\n", b" ") + b"\n"


_ODD: tuple[Callable[[random.Random], bytes], ...] = (
    lambda chance: b"[" * chance.randrange(60_000),
    lambda chance: b'{"action":' * chance.randrange(6_000),
    lambda chance: b'{"action":"recall","query":"x","limit":' + b"9" * chance.randrange(1, 60_000) + b"}",
    lambda chance: b'{"action":"recall","query":"' + b"\\u0000" * chance.randrange(1, 12_000) + b'"}',
    lambda chance: b'{"action":"why","of":"' + b"f" * chance.randrange(60_000, 70_000) + b'"}',
    lambda chance: b"x" * chance.randrange(65_000, 200_000),
    lambda chance: b'{"action":"facts","id":' + b"9" * chance.randrange(1, 5_000) + b"}",
    lambda _: b'{"action":"status","action":"settle"}',
    lambda _: b'{"action":"recall","query":NaN}',
    lambda _: b'{"action":"recall","query":"x","limit":1e999}',
    lambda _: b'{"action":"status","id":1e5}',
    lambda _: b'{"action":"status","id":-Infinity}',
    lambda _: b'\xef\xbb\xbf{"action":"help"}',
    lambda _: b"\xff\xfe{\x00}\x00",
    lambda _: b"GET / HTTP/1.1\r",
    lambda _: b"",
)
