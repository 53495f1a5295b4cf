"""The port of the extra `semantic`: how alike texts are in meaning, judged by vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

Words = Sequence[str]  # folded (core.recall.terms.words), in order


class Passage(NamedTuple):
    """A text that may answer a question, and the one before it, which often says what it is about; empty if there is none."""

    text: Words
    before: Words = ()


class Encoder(Protocol):
    """Compares a question with texts. Nothing leaves the machine.

    id: of its model; vectors of two models are never compared. weight: how much its cosine adds to a score. looked_at: how many answers,
    the best by their words, it can compare in a short time.
    """

    @property
    def id(self) -> str: ...  # noqa: D102 (as above)

    @property
    def weight(self) -> float: ...  # noqa: D102 (as above)

    @property
    def looked_at(self) -> int: ...  # noqa: D102 (as above)

    def likeness(self, question: Words, passages: Sequence[Passage], share: Mapping[str, float]) -> Sequence[float]:
        """Return the cosine of the question with each passage, -1..1; 0 where no word is known.

        share: of the texts of the store, how many have a word, 0..1; a frequent word says little. A missing one is in none.
        """
        ...
