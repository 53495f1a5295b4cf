"""Look again at the best answers by what they mean: the extra `semantic` adds a weighted part to their scores.

Only the first answers of the lexical ranking are looked at, so no vector is stored and no other answer is found.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from ethos.core.ports.encoder import Encoder, Passage
from ethos.core.ports.queries import Search
from ethos.core.ports.store import Work
from ethos.core.recall.question import Question
from ethos.core.recall.ranking import Ranking
from ethos.core.recall.terms import forms_of, term_of, words


def worth(question: Question, names: Collection[str], ranking: Ranking, wanted: Search, work: Work, encoder: Encoder) -> dict[int, float]:
    """Return what its likeness to the question adds to the score of each of the first answers, by row.

    A fact is as alike as the turn that it rests on.

    names: words that name speakers and mean nothing here.
    """
    behind = {row: ranking.turn_behind(row) for row in ranking.order[: encoder.looked_at]}
    turns = dict.fromkeys(behind.values())
    found = work.shown(replace(wanted, longest=None), [*turns, *(row - 1 for row in turns)])
    said = {row: [word for word in words(hit.text) if word not in names] for row, hit in found.items()}
    asked = [word for word in question.spoken if word not in names]
    share = _shares({word for one in (asked, *said.values()) for word in one}, work)
    passages = {row: Passage(said[row], said.get(row - 1, ()) if found[row].type == "episode" else ()) for row in turns if row in said}
    alike = dict(zip(passages, encoder.likeness(asked, tuple(passages.values()), share), strict=True))
    return {row: encoder.weight * alike[turn] for row, turn in behind.items() if turn in alike}


def _shares(known: Collection[str], work: Work) -> Mapping[str, float]:
    """Return in which share of the texts each word stands, in any of its forms."""
    having = work.frequencies({term_of(word): forms_of(word) for word in known})
    texts = max(work.turns(), 1)
    return {word: having[term_of(word)] / texts for word in known}
