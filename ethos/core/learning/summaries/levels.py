"""Tell a session in one summary: in chunks of twenty episodes, of which each gives its best clauses, and then one choice among these.

Map and reduce bound the work of a session of any length (G-06). A chunk that gives nothing leaves its episodes untold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType

from ethos.core.learning.summaries.choosing import choose, name_size, weights
from ethos.core.learning.summaries.clauses import Clause, Spans, asked, clauses, names_in
from ethos.core.learning.summaries.composing import MOST_SENTENCES, compose
from ethos.core.model.records import Origin, Utterance
from ethos.core.model.settings import SummarySettings
from ethos.core.model.summaries import Sentence
from ethos.core.model.value import value
from ethos.core.text.readings import Readings

SPARE = 2  # times its share of the words is what a chunk gives to choose from
FEW = 1  # clauses of a chunk; where there are no more, what the user asked is told as well (G-08: two sentences)
_SPEAKING = frozenset({"user", "assistant"})  # what the system said is not told, and counts as told (X-G7)

NOTHING: Mapping[str, Spans] = MappingProxyType({})

Digest = Callable[[Sequence[Clause], Mapping[str, float], int], Sequence[Clause]]


@value
class SummaryText:
    """The summary of a session. sources: the episodes that the summary is made from; silent: those that count as told besides.

    failed: the episodes of chunks that gave nothing. words: of the sources.
    """

    sentences: tuple[Sentence, ...]
    sources: tuple[str, ...]
    silent: tuple[str, ...]
    failed: tuple[str, ...]
    words: int


def tell(
    turns: Sequence[Utterance],
    held: Mapping[str, Spans],
    settings: SummarySettings,
    *,
    known: Collection[str] = (),
    decided: Mapping[str, Spans] = NOTHING,
    digest: Digest = choose,
    readings: Readings | None = None,
) -> SummaryText:
    """Return a session as it is told.

    turns: in the order in which they were said; held: by episode, the spans in which held facts were read, and decided, in which decisions;
    known: terms that earlier summaries of the session have told (G-07); digest: what chooses from a chunk; readings: of the turns, where
    others read them too. Where nothing is told, all episodes but the silent ones have failed.
    """
    speaking = [turn for turn in turns if turn.role in _SPEAKING and turn.origin >= Origin.ASSISTANT]
    spoken = {turn.id for turn in speaking}
    silent = tuple(turn.id for turn in turns if turn.id not in spoken)
    names = names_in(turn.speaker for turn in speaking)
    sources: list[str] = []
    failed: list[str] = []
    words = 0
    offered: list[Clause] = []
    every: list[Clause] = []
    for start in range(0, len(speaking), settings.chunk_size):
        chunk = speaking[start : start + settings.chunk_size]
        found = [
            clause
            for at, turn in enumerate(chunk, start)
            for clause in clauses(turn, at, names, held.get(turn.id, ()), decided.get(turn.id, ()), readings)
        ]
        if len(found) <= FEW:
            found += (clause for at, turn in enumerate(chunk, start) for clause in asked(turn, at, names, readings))
        size = sum(len(turn.text.split()) for turn in chunk)
        given = digest(found, weights(found), SPARE * _share(size, len(chunk), settings))
        ids = [turn.id for turn in chunk]
        if not given:
            failed += ids
            continue
        sources += ids
        words += size
        every += found
        offered += given
    left = _share(words, len(sources), settings)
    spare = max((name_size(clause.speaker) + 1 for clause in offered), default=0)  # so that the sentence of one speaker can be split
    chosen = choose(_of_few_speakers(offered), weights(every), left - spare, known)
    if not chosen:
        return SummaryText((), (), silent, tuple(turn.id for turn in speaking), 0)
    return SummaryText(compose(chosen, left), tuple(sources), silent, tuple(failed), words)


def _share(words: int, episodes: int, settings: SummarySettings) -> int:
    """Return how many words a summary of so many may have; of few episodes some more, so that there can be a sentence (X-G2)."""
    least = settings.least_words if episodes < settings.threshold else 0
    return min(settings.max_words, max(words // settings.ratio, min(least, words)))


def _of_few_speakers(offered: Sequence[Clause]) -> list[Clause]:
    """Return the clauses of those who said most: a summary has a sentence for each speaker, and five at most."""
    said = Counter[str]()
    for clause in offered:
        said[clause.speaker] += clause.size
    most_said = {speaker for speaker, _ in sorted(said.items(), key=lambda each: (-each[1], each[0]))[:MOST_SENTENCES]}
    return [clause for clause in offered if clause.speaker in most_said]
