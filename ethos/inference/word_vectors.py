"""Encode texts by the static word vectors that the package `wordllama` brings along, read from its files without importing it.

A text is the sum of its words' vectors, each weighted by a / (a + share) so that frequent words count little (Arora, Liang and Ma, 2017,
"A simple but tough-to-beat baseline for sentence embeddings"). Their removal of the first principal component is left out: it changed
nothing on recorded conversations. The turn before counts in part, because an answer often leaves out what the question named.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ethos.core.model.errors import refuse
from ethos.core.ports.encoder import Passage, Words

Vector = Any  # an array of numpy, float32; the checks of types run without this extra

_SMOOTHING = 4e-2  # `a` of the source, which counts words; here the share is that of the texts with a word, some forty times as large
OF_BEFORE = 0.7  # how much the turn before counts
_KNOWN_WORDS = 50_000  # whose vectors are kept: a kilobyte each


class WordVectors:
    """The vectors of one table.

    table: one row a token; tokens: cuts a word into the numbers of its rows. On recorded conversations (LoCoMo) half a point of recall
    among ten is gained, and as much in the rank of the first answer.
    """

    weight = 5.0
    looked_at = 50

    def __init__(self, table: Any, tokens: Any, name: str) -> None:
        self.id = name
        self._table = table
        self._tokens = tokens
        self._of_word = lru_cache(_KNOWN_WORDS)(self._read)

    def likeness(self, question: Words, passages: Sequence[Passage], share: Mapping[str, float]) -> Sequence[float]:
        """See the port."""
        asked = _unit(self._text(tuple(dict.fromkeys(question)), share))
        return [float(asked @ self._passage(passage, share)) for passage in passages]

    def _passage(self, passage: Passage, share: Mapping[str, float]) -> Vector:
        text = _unit(self._text(passage.text, share))
        return _unit(text + OF_BEFORE * _unit(self._text(passage.before, share))) if passage.before else text

    def _text(self, words: Words, share: Mapping[str, float]) -> Vector:
        total: Vector = self._table[0] * 0
        for word in words:
            vector = self._of_word(word)
            if vector is not None:
                total = total + vector * (_SMOOTHING / (_SMOOTHING + share.get(word, 0.0)))
        return total

    def _read(self, word: str) -> Vector | None:
        rows = self._tokens.encode(word, add_special_tokens=False).ids
        vector: Vector | None = self._table[rows].mean(0) if rows else None
        return vector


def installed() -> WordVectors:
    """Return the vectors of the extra `semantic`. Raises Refused if it is not installed."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one vector is no work for several threads, and idle ones would spin
    try:
        import numpy as np  # noqa: PLC0415 (only this extra needs it)
        from safetensors.numpy import load_file  # noqa: PLC0415 (as above)
        from tokenizers import Tokenizer  # noqa: PLC0415 (as above)
    except ImportError as error:
        raise _missing() from error
    package = find_spec("wordllama")
    if package is None or package.origin is None:
        raise _missing()
    folder = Path(package.origin).parent
    (weights,), (tokenizer,) = sorted(folder.glob("weights/*.safetensors"))[:1], sorted(folder.glob("tokenizers/*.json"))[:1]
    (table,) = load_file(weights).values()
    tokens = Tokenizer.from_file(str(tokenizer))
    tokens.no_padding()
    tokens.no_truncation()
    return WordVectors(table.astype(np.float32), tokens, f"words-{weights.stem}")


def _unit(vector: Vector) -> Vector:
    length = float(vector @ vector) ** 0.5
    return vector / length if length else vector


def _missing() -> Exception:
    hint = "pip install 'ethos[semantic]', or set it to false"
    return refuse("bad-config", "[recall] semantic is on, but the extra is not installed", hint=hint)
