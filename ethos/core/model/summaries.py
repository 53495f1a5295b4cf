"""What a night tells: summaries of sessions, which episodes they tell, and the one profile of a user (G-01 to G-04, G-12)."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from ethos.core.model.value import value


class Sentence(NamedTuple):
    """A sentence of a summary, and the ids of the episodes that it was taken from."""

    text: str
    episodes: tuple[str, ...]


@value
class Summary:
    """A session told in a few sentences. It cannot stand without any of its episodes: where one is forgotten, so is the summary.

    sentences, cited: each sentence, and at the same place the ids of the episodes that it was taken from. episodes: all that it tells, in
    the order in which they were said. words: how many were said, of which the sentences are an eighth or less.
    """

    id: str
    user: str
    project: str
    session: str
    sentences: tuple[str, ...]
    cited: tuple[tuple[str, ...], ...]
    episodes: tuple[str, ...]
    words: int
    began_at: datetime
    ended_at: datetime
    recorded_at: datetime
    run: str
    made_by: str = "rules"

    @property
    def text(self) -> str:
        """Return the sentences as one text."""
        return " ".join(self.sentences)

    @property
    def ratio(self) -> float:
        """Return how many words were said for each that is told (G-10)."""
        return self.words / max(1, len(self.text.split()))


@value
class Telling:
    """How far an episode has come on its way to a summary: stands beside the episode, whose text never changes (G-02, X-G5).

    summary: the id of the one that tells it; "": a night found nothing to tell, and asks again when the session goes on.
    """

    episode: str
    summary: str
    run: str


@value
class Profile:
    """What is known of a user: one for each user, made anew from everything that is held and told (G-12).

    facts: the ids of the facts of its lines, best first; their words stand in the facts alone. summaries: of how many it was made.
    """

    user: str
    id: str
    facts: tuple[str, ...]
    summaries: int
    made_at: datetime
    run: str


ToldRecord = Summary | Telling | Profile
