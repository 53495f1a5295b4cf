"""Read a text into what is compared of it: its matter in a plain order, its numbers and names, and what it denies.

Clauses are put in one order, so that the same said with another construction reads the same: a clause in front goes behind ("before the
deploy, migrate" is "migrate before the deploy"), what should be done is told as an order ("images should be compressed" is "compress
images"), and who does a thing stands before it ("hidden by tests" is "tests hide").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import regex

from ethos.core.learning.bank.vocabulary import Vocabulary
from ethos.core.recall.terms import FRAGMENTS, STOP_WORDS, folded

LONGEST = 8_000  # characters that are read

_SENTENCE = regex.compile(r"(?<=[.!?;:])\s+|\n+")
_TOKEN = regex.compile(r"`[^`\n]{1,80}`|[\w+#@&$%-]+(?:[.:/'\u2019][\w+#@-]+)*|,")
_BETWEEN = regex.compile(r"[^\w+#]+|_")
_NUMBER = regex.compile(r"\d+(?:[.,]\d+)*")
_INNER = regex.compile(r"\w[_./:@#+]\w|\p{Ll}\p{Lu}|\w\d|\d[\p{L}]|\+\+|#$|^--?\w")
_PARTICIPLE = regex.compile(r"\w+(?:ed|en|wn|pt|lt|nt|ut|ade|one|old|ound)\Z")


@dataclass(frozen=True, slots=True)
class Reading:
    """A text as it is compared. matter: its terms less the general ones, in plain order; every: all terms and folded words."""

    matter: tuple[str, ...]
    every: frozenset[str]
    apart: frozenset[str]
    numbers: frozenset[str]
    names: frozenset[str]
    negations: int
    conditions: frozenset[str]
    relations: frozenset[str]
    flow: tuple[str, ...]  # its words in plain order, less articles and the like


def read(text: str, words: Vocabulary) -> Reading:
    """Return the reading of a text."""
    ordered: list[str] = []
    names: set[str] = set()
    numbers: set[str] = set()
    every: set[str] = set()
    for pieces in _tokens(text):
        names |= _names(pieces, words)
        plain = _plain([folded(piece.strip("`")) for piece in pieces], words)
        numbers |= _numbers(plain, words)
        every.update(plain)
        ordered += plain
    parts = [part for word in ordered if word != "," for part in _parts(word)]
    terms = words.canonical([part for part in parts if part not in FRAGMENTS])
    every.update(parts)
    every.update(terms)
    relations = frozenset(parts) & words.relations
    left_out = words.left_out
    return Reading(
        matter=tuple(term for term in terms if term not in left_out and not term.isdigit() and term not in words.numbers),
        every=frozenset(every),
        apart=frozenset(term for term in terms if term in words.apart),
        numbers=frozenset(numbers),
        names=frozenset(names),
        negations=_negations(ordered, words),
        conditions=frozenset(parts) & words.conditions,
        relations=relations,
        flow=tuple(part for part in parts if part not in STOP_WORDS and part not in FRAGMENTS),
    )


def names_in(text: str, words: Vocabulary) -> set[str]:
    """Return the names in a text: those of its reading, without the rest of it."""
    return {name for pieces in _tokens(text) for name in _names(pieces, words)}


def _tokens(text: str) -> Iterator[list[str]]:
    """Yield the tokens of each sentence."""
    for sentence in _SENTENCE.split(text[:LONGEST]):
        yield _TOKEN.findall(sentence.replace("\u2019", "'"))


def _names(tokens: Sequence[str], words: Vocabulary) -> set[str]:
    """Return the tokens that name one thing: code, identifiers, and capitals that do not open a sentence."""
    found = set()
    for at, token in enumerate(tokens):
        if token.islower() and token.isalpha():  # a plain word, as most are
            continue
        bare = token.strip("`")
        capital = at > 0 and bare[:1].isupper() and bare not in {"I", "I'm", "I've", "I'll", "I'd"}
        code = token.startswith("`") or bool(_INNER.search(bare)) or (bare.isupper() and len(bare) > 1 and bare.isalpha())
        if (capital or code) and not bare.replace(".", "").replace(",", "").isdigit() and "'" not in bare:
            found.add(folded(bare))
    return found | {name for name in map(folded, tokens) if name in words.names}


def _numbers(words: Sequence[str], vocabulary: Vocabulary) -> set[str]:
    found = {number.replace(",", "") for word in words for number in _NUMBER.findall(word)}
    return found | {vocabulary.numbers[word] for word in words if word in vocabulary.numbers}


def _negations(tokens: Sequence[str], words: Vocabulary) -> int:
    found = 0
    skip = False
    for first, second in pairwise((*tokens, "")):
        if skip:
            skip = False
        elif f"{first} {second}" in words.negations:
            found, skip = found + 1, True
        elif first in words.negations:
            found += 1
    return found


def _parts(word: str) -> list[str]:
    """Return the words that an index cuts a token into."""
    return [word] if word.isalnum() else [part for part in _BETWEEN.split(word) if part]


def _plain(tokens: list[str], words: Vocabulary) -> list[str]:
    """Return the tokens of a sentence with its clauses in plain order."""
    if "," in tokens and tokens[0] in words.leading:
        comma = tokens.index(",")
        tokens = [*tokens[comma + 1 :], *tokens[:comma]]
    return _active(_ordered(tokens, words), words)


def _ordered(tokens: list[str], words: Vocabulary) -> list[str]:
    """Return "X should be done" as "do X"."""
    for at in range(len(tokens)):
        modal = next((size for size in (2, 1) if tuple(tokens[at : at + size]) in words.modals), 0)
        rest = tokens[at + modal :]
        if modal and rest[:1] and rest[0] in words.be and len(rest) > 1:
            done = 2 if rest[1].endswith("ly") and len(rest) > 2 else 1
            start = _clause(tokens, at)
            return [*tokens[:start], rest[done], *tokens[start:at], *rest[1:done], *rest[done + 1 :]]
    return tokens


def _active(tokens: list[str], words: Vocabulary) -> list[str]:
    """Return "X is done by Y" as "Y does X"."""
    for at in range(3, len(tokens)):
        if tokens[at] == "by" and tokens[at - 2] in words.be and _PARTICIPLE.match(tokens[at - 1]):
            start = _clause(tokens, at - 2)
            end = next((to for to in range(at + 1, len(tokens)) if tokens[to] == "," or tokens[to] in words.conjunctions), len(tokens))
            return [*tokens[:start], *tokens[at + 1 : end], tokens[at - 1], *tokens[start : at - 2], *tokens[end:]]
    return tokens


def _clause(tokens: Sequence[str], at: int) -> int:
    """Return where the clause begins in which this token stands."""
    return next((start + 1 for start in range(at - 1, -1, -1) if tokens[start] == ","), 0)
