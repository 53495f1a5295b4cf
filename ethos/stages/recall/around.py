"""Find what is to be told around an episode: candidates by its own words, ranked by `core.recall.around`."""

from __future__ import annotations

from dataclasses import replace

from ethos.core.model.records import Episode
from ethos.core.ports.queries import Hit, Search
from ethos.core.ports.store import Work
from ethos.core.recall.around import AroundWeights, ranked
from ethos.core.recall.ranking import inverse_frequency
from ethos.core.recall.terms import FRAGMENTS, STOP_WORDS, forms_of, mark_of, term_of, words
from ethos.stages.recall.search import affordable, spelled

CANDIDATES = 200  # turns with a word of the episode; with their neighbours up to seven times as many are ranked
_MOST_WORDS = 200
WEIGHTS = AroundWeights()


def told_around(episode: Episode, wanted: Search, work: Work) -> tuple[Hit, ...]:
    """Return the turns that belong with an episode, best first, without the episode itself. wanted: who asks, the limit, the project."""
    content = [word for word in dict.fromkeys(words(episode.text)) if word not in STOP_WORDS | FRAGMENTS][:_MOST_WORDS]
    having = work.frequencies({term_of(word): forms_of(word) for word in content})
    turns = work.turns()
    every = replace(wanted, words=affordable(spelled(content), having, turns), types=(Episode,), faded=True)
    if not every.words:
        return ()
    pool = work.candidates(every, CANDIDATES).turns
    own = next((row for row, hit in work.shown(every, [turn.row for turn in pool]).items() if hit.id == episode.id), None)
    if own is None:
        return ()
    seed = next(turn for turn in pool if turn.row == own)
    idf = {mark_of(term): inverse_frequency(turns, count) for term, count in having.items()}
    best = ranked(seed, pool, idf, WEIGHTS)
    hits = work.shown(replace(every, faded=wanted.faded), [row for row, _ in best])
    return tuple(hits[row]._replace(score=score) for row, score in best if row in hits)[: wanted.limit]
