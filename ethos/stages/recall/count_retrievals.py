"""Retrieve: a question in, ranked records out, and what being asked for does to a record (E-09; SPEC, Settled: Decay).

Ranking is the store's BM25 over the OR of the question's words, stop words out: a question rarely shares all its words with its
answer. A question that names a class ("which database") finds the facts about what belongs to it as well, whatever that is used for.
A retrieval counts once a record and session; it lifts the record's salience, and an episode retrieved often enough is read again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import regex

from ethos.core.facts.fact_keys import ClassOf
from ethos.core.history.salience import retrieved
from ethos.core.model.plan import Group, Note, Plan
from ethos.core.model.records import Mark, Record, Salience
from ethos.core.passes.context import Context
from ethos.core.passes.stage import Stage
from ethos.core.ports.store import Hit, Work

STOP_WORDS = frozenset(
    """a about am an and are as at be been but by can could did do does for from had has have he her him his how i if in into is it its
    just like may me might more my no not of on or our she should so some than that the their them then there these they this those to
    up us was we were what when where which who whom whose why will with would you your""".split()  # noqa: SIM905 (read as words)
)
LONGEST_KIND = 3  # words in the name of a class
_WORDS = regex.compile(r"[\w'\u2019]+")


def query_words(query: str) -> tuple[str, ...]:
    """The words of a question, folded, stop words out (unless nothing else is left), each once, in order."""
    words = [word.strip("'") for word in _WORDS.findall(query.replace("\u2019", "'").casefold())]
    words = [word.removesuffix("'s") for word in words if word]
    kept = [word for word in words if word not in STOP_WORDS] or words
    return tuple(dict.fromkeys(kept))


def kinds_named(words: Sequence[str], class_of: ClassOf) -> frozenset[str]:
    """The classes that a question calls by their own name: "database" and "databases" do, "Postgres" means the one thing."""
    runs = (words[start : start + size] for size in range(1, LONGEST_KIND + 1) for start in range(len(words) - size + 1))
    named = (" ".join(run) for run in runs)
    return frozenset(kind for name in named if (kind := class_of(name)) in {name, name + "s", name.removesuffix("y") + "ies"} - {""})


@dataclass(frozen=True, slots=True)
class Needs:
    """The records that were returned and not yet counted in this session."""

    salience: Mapping[str, Salience]
    marks: Mapping[str, Mark]


def gather(hits: Sequence[Hit], session: str, work: Work, ctx: Context) -> Needs:  # noqa: ARG001 (every stage's gather ends in this form)
    """How alive they are, and how far the episodes among them have come."""
    ids = [hit.id for hit in hits]
    counted = work.retrieved(ids, session)
    fresh = [hit for hit in hits if hit.id not in counted]
    return Needs(work.salience([h.id for h in fresh]), work.marks([h.id for h in fresh if h.type == "episode"]))


def decide(needs: Needs, ctx: Context) -> Plan:
    """Lift each record; an unpromoted episode that has now been asked for often enough loses its scanned mark (E-09, X-E8)."""
    threshold = ctx.settings.consolidation.retrieval_threshold
    groups = []
    for held in needs.salience.values():
        lifted = retrieved(held, ctx.now, ctx.settings.decay)
        puts: tuple[Record, ...] = (lifted,)
        mark = needs.marks.get(held.record)
        if mark is not None and mark.consolidated_at is None and lifted.retrievals == threshold:
            puts += (Mark(mark.episode, None, None, None, mark.attempts, mark.set_aside, mark.pruned),)
        groups.append(Group(held.record, puts, (), (Note("retrieved", held.record),)))
    return Plan(tuple(groups))


def count(hits: Sequence[Hit], session: str) -> Stage[Needs]:
    """The stage that counts these hits as retrieved in this session."""
    return Stage("retrieve", partial(gather, hits, session), decide)
