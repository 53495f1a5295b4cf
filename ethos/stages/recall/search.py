"""Recall: a question in, answers out, best first.

The store finds candidates by BM25 over the OR of the question's words, rarest first as far as their postings fit a budget, and adds
the turns around each. `core.recall.ranking` ranks them. A fact and the turn that it rests on are one answer. A question that names a
class ("which database") finds the facts about what belongs to it as well, whatever that is used for.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING

from ethos.core.facts.statement import EVERYWHERE
from ethos.core.model.candidates import Resting
from ethos.core.model.records import Fact, Kind
from ethos.core.ports.encoder import Encoder
from ethos.core.ports.queries import Hit, Search
from ethos.core.ports.store import Work
from ethos.core.recall.dates import spans
from ethos.core.recall.question import Question, kinds_named, looked_for, may_be_meant, of_facts, speaker_meant, speakers_named
from ethos.core.recall.ranking import Asked, Pool, Ranking, Weights, inverse_frequency
from ethos.core.recall.terms import forms_of, term_of, terms, words
from ethos.core.recall.worth import earned, least
from ethos.stages.recall.meaning import worth

if TYPE_CHECKING:
    from ethos.core.rules.matcher import Rules

CANDIDATES = 40  # hits of the full-text index that are looked at more closely at first,
MORE = 2_000  # where too few of those may be shown,
ALL = -1  # and at last
_POSTINGS = 2_000  # of all words together, or a tenth of the turns: the index scores every posting of every word it is asked for
SHARE = 10
_FEWEST_WORDS = 2
FEW = 5  # more than are wanted are looked at, because some may not be shown
ALWAYS = 5  # answers, the best ones, are told though they are far below the best
KIN = 50  # facts about things of a kind that are looked at
WEIGHTS = Weights()


@dataclass(frozen=True, slots=True)
class Nearness:
    """Who asks, and where. asker: speakers who may be the one that asks; project: the one that it is asked in, "" for none. What holds
    there comes first, as far as it is not far below the best. encoder: of the extra `semantic`, if it is on.
    """

    asker: Collection[str]
    project: str = ""
    encoder: Encoder | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """What the store knows of a question. having: how many texts have a term; kin: facts of a kind that the words name -> those terms;
    names: folded, of the speakers that it names.
    """

    having: Mapping[str, int]
    turns: int
    asked: Asked
    kin: Mapping[str, frozenset[str]]
    names: Collection[str] = ()


def answers(question: Question, wanted: Search, work: Work, rules: Rules, near: Nearness) -> tuple[Hit, ...]:
    """Return the best answers that may be shown, each with the parts of its score."""
    reading = read(question, wanted, work, rules, near.asker)
    found = {hit.id: hit for hit in _best(question, wanted, work, reading, near.encoder)}
    here = near.project if wanted.project is None else ""
    if here:
        found |= {hit.id: hit for hit in _best(question, replace(wanted, project=here), work, reading, near.encoder)}
    enough = least([hit.parts for hit in found.values()], max(reading.asked.idf.values(), default=0.0))

    def rank(hit: Hit) -> tuple[bool, float]:
        holds_here = here and hit.project in (here, EVERYWHERE) and earned(hit.parts) >= enough
        return not holds_here, -hit.score

    ranked = sorted(found.values(), key=rank)[: wanted.limit]
    return tuple(hit for at, hit in enumerate(ranked) if wanted.far_below or at < ALWAYS or earned(hit.parts) >= enough)


def _best(question: Question, wanted: Search, work: Work, reading: Reading, encoder: Encoder | None) -> list[Hit]:
    """Return the best answers within the project of the search."""
    around = tuple((_midnight(since), _midnight(until)) for since, until in spans(question.dates))
    wanted = replace(wanted, around=around, around_speaker=reading.asked.speaker)
    every = replace(wanted, words=spelled(question.words))
    rarest = replace(wanted, words=affordable(every.words, reading.having, reading.turns))
    enough = wanted.limit if wanted.enough is None else wanted.enough
    first = max(CANDIDATES, wanted.limit)
    searches = [(first, rarest), (MORE, every), (ALL, every)]
    if _too_common(rarest.words, reading.having, reading.turns) and (groups := _by_term(every.words, rarest.words)):
        searches.insert(0, (first, replace(rarest, each_of=groups)))
    hits: list[Hit] = []
    for depth, search in searches:
        candidates = work.candidates(search, depth, reading.kin)
        if search.each_of and candidates.complete:
            continue  # so few texts have all of these words that one of them may answer as well
        facts = _of_kinds(candidates.facts, reading.kin, of_facts(question), work)
        ranking = Ranking(Pool(candidates.turns, facts, candidates.found, candidates.trigrams), reading.asked, WEIGHTS)
        if question.names_one_thing:
            ranking.keep_matches(candidates.found)
        if encoder is not None:
            ranking.look_again(worth(question, reading.names, ranking, every, work, encoder))
        hits = _shown(ranking, every, work)
        if len(hits) >= enough or (candidates.complete and search.words == every.words):
            break
    return hits


def read(question: Question, wanted: Search, work: Work, rules: Rules, asker: Collection[str]) -> Reading:
    """Look a question up: how common its words are, whose words are meant, and which facts are of a kind that it names."""
    known = work.speakers(may_be_meant(question, asker))
    turns = work.turns()
    having = work.frequencies(looked_for(question, ()))
    speaker = speaker_meant(question, known, asker)
    names = speakers_named(question, known)
    asked = Asked(
        idf={term: inverse_frequency(turns, having[term]) for term in looked_for(question, names)},
        dates=question.dates,
        speaker=speaker,
        rarity=math.log(max(turns, 1) / known[speaker]) if speaker is not None else 0.0,
        asks_when=question.asks_when,
        asks_where=question.asks_where,
    )
    return Reading(having, turns, asked, _kin(question, wanted, work, rules), frozenset(word for name in names for word in words(name)))


def _of_kinds(
    facts: Sequence[Resting], kin: Mapping[str, frozenset[str]], kinds: Mapping[Kind, frozenset[str]], work: Work
) -> Sequence[Resting]:
    """Return the facts, each with the terms of the question that name what it is: a thing of a kind, a decision, a preference."""
    if kinds:
        held = work.current([one.id for one in facts])
        named = {id_: kinds[fact.kind] for id_, fact in held.items() if fact.kind in kinds}
        kin = {id_: kin.get(id_, frozenset()) | named.get(id_, frozenset()) for id_ in kin.keys() | named.keys()}
    return [one._replace(of_kind=kin[one.id]) if one.id in kin else one for one in facts] if kin else facts


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def spelled(words: Sequence[str]) -> tuple[str, ...]:
    """Return the words with their irregular forms: those the index does not bring together."""
    return tuple(dict.fromkeys(form for word in words for form in forms_of(word)))


def affordable(words: Sequence[str], having: Mapping[str, int], turns: int) -> tuple[str, ...]:
    """Return the rarest words, as many as their postings fit the budget: the index scores every posting of every word it is given.

    The words left out still count when the candidates are ranked.
    """
    budget = _budget(turns)
    kept: list[str] = []
    spent = 0
    for word in sorted(words, key=lambda word: _postings(word, having)):
        spent += _postings(word, having)
        if len(kept) >= _FEWEST_WORDS and spent > budget:
            break
        kept.append(word)
    return tuple(kept)


def _too_common(words: Sequence[str], having: Mapping[str, int], turns: int) -> bool:
    """Return True if the postings of these words do not fit the budget."""
    return sum(_postings(word, having) for word in words) > _budget(turns)


def _budget(turns: int) -> int:
    return max(_POSTINGS, turns // SHARE)


def _by_term(words: Sequence[str], rarest: Collection[str]) -> tuple[tuple[str, ...], ...]:
    """Return the forms of each of the rarest words; nothing where they are forms of one word.

    Texts with all of them stand before the others anyway, and the index finds them by looking at the rarer one's postings alone.
    """
    forms: dict[str, list[str]] = {}
    for word in words:
        forms.setdefault(term_of(word), []).append(word)
    kept = {term_of(word) for word in rarest}
    return tuple(tuple(forms[term]) for term in forms if term in kept) if len(kept) > 1 else ()


def _postings(word: str, having: Mapping[str, int]) -> int:
    return sum(having.get(term, 0) for term in terms(word))


def _kin(question: Question, wanted: Search, work: Work, rules: Rules) -> dict[str, frozenset[str]]:
    """Return the facts about things of the kind that is asked for, with the terms that name it: no word of "we use Postgres for
    sessions" is "database".
    """
    kinds = kinds_named(question.words, rules.class_of, rules.names_in)
    if not kinds:
        return {}
    asked = frozenset(map(term_of, question.words))  # what has such a word is found by it
    names = tuple(name for kind in sorted(kinds) for name in rules.names_in(kind) if not asked.issuperset(terms(name)))
    found = work.search(replace(wanted, words=names, types=(Fact,), limit=KIN))
    held = work.current([hit.id for hit in found])
    kind_of = {id_: rules.class_of(fact.object_key) for id_, fact in held.items()}
    return {id_: frozenset((*terms(kind), *terms(kinds[kind]))) for id_, kind in kind_of.items() if kind in kinds}


def _shown(ranking: Ranking, wanted: Search, work: Work) -> list[Hit]:
    """Return the first answers that may be shown, in order; of what says the same, the one that stands for both."""
    hits: dict[int, Hit] = {}
    lot = wanted.limit + FEW
    for start in range(0, len(ranking.order), lot):
        part = ranking.order[start : start + lot]
        found = work.shown(wanted, part)
        for row in part:
            if row in found and not _told(row, ranking.told_by, hits) and len(hits) < wanted.limit:
                hits[row] = found[row]._replace(score=ranking.scores[row], parts=ranking.parts(row))
        if len(hits) >= wanted.limit:
            break
    return list(hits.values())


def _told(row: int, told_by: Mapping[int, int], shown: Collection[int]) -> bool:
    """Tell if something that stands for this row is shown already."""
    seen = {row}
    while (by := told_by.get(row)) is not None and by not in seen:
        if by in shown:
            return True
        seen.add(row := by)
    return False
