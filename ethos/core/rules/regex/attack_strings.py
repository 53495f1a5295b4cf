"""Pumping: sentences that make a pattern work hard, on which it is measured where the gate's estimate alone does not decide."""

from __future__ import annotations

from collections.abc import Iterator

from ethos.core.rules.regex.charsets import BIT, LIKELY, Chain, Either, Look, Loop, Rest, Text, unfold
from ethos.core.rules.regex.cost import Judge
from ethos.core.text.sentences import MAX_SENTENCE

_MOST_UNITS = 6  # of which a pumped text is made
_STRETCH = 160  # characters of a run that is broken off and begun anew


def pumps(pattern: str) -> Iterator[str]:
    """Sentences that make a pattern of the subset work hard: up to each repeat as the pattern wants it, then over and over what may follow.

    None of them ends as the pattern wants. Not every bad pattern is found by them; what is found is bad.
    """
    judge = Judge()
    nodes = unfold(pattern)
    end = "\x01" + _shortest(nodes)  # without the words that it cannot do without, an engine does not even begin
    seen: set[str] = set()
    for before, loop, after in _loops(judge, nodes, "", None):
        follow = [_witness(judge.begun(head)) for head in judge.heads(after)[:_MOST_UNITS]]
        body = _shortest(loop.body)
        for unit in dict.fromkeys((body, _mixed(loop.body), "".join(follow), *follow[:2], body + "".join(follow[:1]))):
            run = _filled(unit, min(MAX_SENTENCE, loop.high * len(body) * 2))
            for text in (before + run, _filled(before + run[:_STRETCH], MAX_SENTENCE), _filled(before + unit, MAX_SENTENCE)):
                text_with_end = text[: MAX_SENTENCE - len(end)] + end
                if unit and text_with_end not in seen:
                    seen.add(text_with_end)
                    yield text_with_end


def _filled(unit: str, length: int) -> str:
    """A text over and over, a little longer than `length`."""
    return unit * (length // len(unit) + 1) if unit else ""


def _loops(judge: Judge, nodes: Chain, before: str, after: Rest | None) -> Iterator[tuple[str, Loop, Rest | None]]:
    """Each loop, with a text that leads to it and with what comes after it."""
    for number, node in enumerate(nodes):
        rest = judge.chain(nodes[number + 1 :], after)
        match node:
            case Loop(body, _, high):
                if high > 1:
                    yield before, node, rest
                yield from _loops(judge, body, before, judge.chain((node,), rest))
            case Either(branches):
                for branch in branches:
                    yield from _loops(judge, branch, before, rest)
        before += _shortest((node,))


def _shortest(nodes: Chain) -> str:
    """A short text that these nodes match, but for what assertions forbid."""
    text = ""
    for node in nodes:
        match node:
            case Text(sets):
                text += _witness(sets)
            case Either(branches):
                text += min(map(_shortest, branches), key=len)
            case Loop(body, low):
                text += _shortest(body) * low
            case Look(body, needed) if needed:
                text += _shortest(body)
    return text


def _mixed(nodes: Chain) -> str:
    """The branches of what these nodes choose from, one after another; else as `_shortest`."""
    return "".join(
        "".join(_mixed(branch) for branch in node.branches[:_MOST_UNITS]) if isinstance(node, Either) else _shortest((node,))
        for node in nodes
    )


def _witness(begun: tuple[int, ...]) -> str:
    """A text that begins so: of each set the character that is met most often in texts."""
    return "".join(next((char for char in LIKELY if each & BIT[char]), "") for each in begun)
