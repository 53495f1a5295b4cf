"""The language model that a user may name. There is none by default."""

from __future__ import annotations

from typing import NamedTuple, Protocol


class Completion(NamedTuple):
    """An answer, and the tokens it took; 0 where the endpoint does not tell."""

    text: str
    prompt_tokens: int
    completion_tokens: int


class LanguageModel(Protocol):
    """What answers a prompt."""

    def complete(self, system: str, prompt: str, max_tokens: int) -> Completion:
        """Return the answer. Raises Refused where there is none."""
        ...
