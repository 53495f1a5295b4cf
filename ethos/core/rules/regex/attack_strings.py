"""Attack strings: sentences that make a pattern backtrack as much as possible.

A pattern is timed on them if the estimate of `cost` alone does not decide.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from ethos.core.rules.regex.charsets import BIT, LIKELY, Chain, Either, Look, Loop, Rest, Text, unfold
from ethos.core.rules.regex.cost import Estimator
from ethos.core.text.sentences import MAX_SENTENCE

_MOST_UNITS = 6  # continuations and branches that an attack string is made of
_STRETCH = 160  # characters of a run that is repeated from its start


def attack_strings(pattern: str) -> Iterator[str]:
    """Yield sentences that make a pattern of the subset work hard: a text that reaches each repeat, then many copies of what may follow.

    None of them ends in a match. They do not find every bad pattern, but a pattern that is slow on one of them is bad.
    """
    estimator = Estimator()
    nodes = unfold(pattern)
    end = "\x01" + _shortest(nodes)  # an engine skips a text without the required literals
    seen: set[str] = set()
    for before, loop, after in _loops(estimator, nodes, "", None):
        follow = [_sample(estimator.first_sets(start)) for start in estimator.starts(after)[:_MOST_UNITS]]
        body = _shortest(loop.body)
        for unit in dict.fromkeys((body, _mixed(loop.body), "".join(follow), *follow[:2], body + "".join(follow[:1]))):
            run = _fill(unit, min(MAX_SENTENCE, loop.high * len(body) * 2))
            for text in (before + run, _fill(before + run[:_STRETCH], MAX_SENTENCE), _fill(before + unit, MAX_SENTENCE)):
                text_with_end = text[: MAX_SENTENCE - len(end)] + end
                if unit and text_with_end not in seen:
                    seen.add(text_with_end)
                    yield text_with_end


def _fill(unit: str, length: int) -> str:
    """Return the text repeated, a little longer than `length`."""
    return unit * (length // len(unit) + 1) if unit else ""


def _loops(estimator: Estimator, nodes: Chain, before: str, after: Rest | None) -> Iterator[tuple[str, Loop, Rest | None]]:
    """Yield each loop, with a text that leads to it and with what follows it."""
    for number, node in enumerate(nodes):
        rest = estimator.chain(nodes[number + 1 :], after)
        match node:
            case Loop(body, _, high):
                if high > 1:
                    yield before, node, rest
                yield from _loops(estimator, body, before, estimator.chain((node,), rest))
            case Either(branches):
                for branch in branches:
                    yield from _loops(estimator, branch, before, rest)
        before += _shortest((node,))


def _shortest(nodes: Chain) -> str:
    """Return a short text that these nodes match, assertions ignored."""
    text = ""
    for node in nodes:
        match node:
            case Text(sets):
                text += _sample(sets)
            case Either(branches):
                text += min(map(_shortest, branches), key=len)
            case Loop(body, low):
                text += _shortest(body) * low
            case Look(body, needed) if needed:
                text += _shortest(body)
    return text


def _mixed(nodes: Chain) -> str:
    """Return the branches of each alternation, one after another; for other nodes the text of `_shortest`."""
    return "".join(
        "".join(_mixed(branch) for branch in node.branches[:_MOST_UNITS]) if isinstance(node, Either) else _shortest((node,))
        for node in nodes
    )


def _sample(first_sets: tuple[int, ...]) -> str:
    """Return a text with one character of each set, the most frequent one."""
    return "".join(map(_likeliest, first_sets))


@lru_cache(maxsize=512)
def _likeliest(chars: int) -> str:
    """Return the most frequent character of a set; "" if it has none of those."""
    return next((char for char in LIKELY if chars & BIT[char]), "")
