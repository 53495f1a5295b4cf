"""How much of what is lasting a summary tells, and a profile holds, beside baselines of the same length.

Sessions are put together from the sentences of tests/corpus: between talk in which there is nothing to read stand statements whose facts
people have labelled. A fact is told when half of the words of its object are. The baselines are the first sentences, and those nearest to
the session's TF-IDF centroid, until the words are spent; for a profile, the facts in the order in which they were said.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from benchmarks.place import memory, shipped
from ethos.app.capture import Arrival
from ethos.core.learning.summaries.clauses import content
from ethos.core.learning.summaries.levels import tell
from ethos.core.model.records import Episode, Origin, Utterance
from ethos.core.model.settings import SummarySettings
from ethos.core.ports.queries import FactFilter

SEED = 17
TURNS, STATEMENTS = 24, 8  # of a session, and how many of them say something lasting
SESSIONS = 60
PEOPLE = ("Maren", "Ilse")
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
A_PROFILE = 80  # statements of one person, and
MANY = 300  # more than 4 KB hold
Row = Mapping[str, Any]


class Session(NamedTuple):
    """Its turns, and the objects of the facts in them by turn."""

    turns: tuple[Utterance, ...]
    wanted: tuple[tuple[str, str], ...]


def sessions(lasting: Sequence[Row], idle: Sequence[Row]) -> Iterator[Session]:
    """Yield sessions of two people. lasting: sentences with facts; idle: without."""
    random = Random(SEED)
    for number in range(SESSIONS):
        drawn = [*random.sample(lasting, STATEMENTS), *random.sample(idle, TURNS - STATEMENTS)]
        random.shuffle(drawn)
        turns = tuple(
            Utterance(
                f"{number}/{at}",
                row["text"],
                NOON,
                "u",
                "",
                str(number),
                "user",
                PEOPLE[at % 2],
                Origin.USER,
                0.5,
                False,
                0,
                0,
                "corpus",
                at,
            )
            for at, row in enumerate(drawn)
        )
        wanted = tuple((turn.id, want["object"]) for turn, row in zip(turns, drawn, strict=True) for want in row.get("want", ()))
        yield Session(turns, wanted)


def ours(session: Session, words: int) -> str:  # noqa: ARG001 (the form of every teller)
    """Return our summary; what the rules read is held."""
    rules = shipped().rules
    held = {
        turn.id: [(claim.start, claim.end) for claim in rules.claims(turn.text, role="user", speaker=turn.speaker, origin=Origin.USER)]
        for turn in session.turns
    }
    return " ".join(sentence.text for sentence in tell(session.turns, held, SummarySettings()).sentences)


def first(session: Session, words: int) -> str:
    """Return the first sentences."""
    return _filled((f"{turn.speaker}: {turn.text}" for turn in session.turns), words)


def centroid(session: Session, words: int) -> str:
    """Return the sentences nearest to the TF-IDF centroid."""
    counts = [Counter(content(turn.text)) for turn in session.turns]
    seen = Counter(term for count in counts for term in count)
    weight = {term: math.log(len(counts) / number) + 1 for term, number in seen.items()}
    whole = Counter[str]()
    for count in counts:
        whole.update(count)

    def near(at: int) -> float:
        dot = sum(number * whole[term] * weight[term] ** 2 for term, number in counts[at].items())
        return dot / (math.sqrt(sum((number * weight[term]) ** 2 for term, number in counts[at].items())) or 1.0)

    order = sorted(range(len(counts)), key=lambda at: (-near(at), at))
    return _filled((f"{session.turns[at].speaker}: {session.turns[at].text}" for at in order), words)


def _filled(texts: Iterator[str], words: int) -> str:
    told: list[str] = []
    for text in texts:
        size = len(text.split())
        if size <= words:
            told.append(text)
            words -= size
    return " ".join(told)


TELLERS: Mapping[str, Callable[[Session, int], str]] = {"ours": ours, "first sentences": first, "TF-IDF centroid": centroid}


def share_told(tell_it: Callable[[Session, int], str], of: Sequence[Session]) -> float:
    """Return the share of the facts that are told in an eighth of the words, 0..1."""
    told = wanted = 0
    for session in of:
        words = sum(len(turn.text.split()) for turn in session.turns) // SummarySettings().ratio
        said = set(content(" ".join(tell_it(session, words).split()[:words])))
        for _, obj in session.wanted:
            terms = set(content(obj))
            wanted += bool(terms)
            told += bool(terms) and 2 * len(terms & said) >= len(terms)
    return told / max(1, wanted)


class InProfile(NamedTuple):
    """Of how many facts that are held: those in the profiles, and those in as many bytes of facts in the order in which they were said."""

    inside: int
    first: int
    held: int


def in_profile(lasting: Sequence[Row], scratch: Path, of_one: int = A_PROFILE) -> InProfile:
    """Return how many facts of labelled statements stand in a profile of 4 KB of their speaker. of_one: statements of each."""
    ethos = memory(scratch, shipped())
    ethos.capture(_statements(lasting, of_one, ethos.clock.now()))
    ethos.consolidate()
    inside = first = held = 0
    for speaker in range(len(lasting) // of_one):
        facts = sorted(ethos.facts(FactFilter(ethos.user, subject=f"Person {speaker}")), key=lambda fact: fact.valid_from)
        lines = ethos.profile(about=f"Person {speaker}").lines
        inside += len({fact.id for fact in facts} & {fact for line in lines for fact in line.facts})
        sizes = accumulate(len(f"- {fact.statement}\n".encode()) for fact in facts)
        first += sum(size <= ethos.settings.profile.max_bytes for size in sizes)
        held += len(facts)
    ethos.close()
    return InProfile(inside, first, held)


def _statements(lasting: Sequence[Row], of_one: int, now: datetime) -> Iterator[Episode | Arrival]:
    for at, row in enumerate(lasting):
        speaker = f"Person {at // of_one}"
        said_at = NOON + timedelta(minutes=at)
        yield Episode(f"t{at}", "default", "", speaker, "user", speaker, Origin.USER, row["text"], said_at, now, 0.5, False, "corpus")


def lines(lasting: Sequence[Row], idle: Sequence[Row]) -> Iterator[str]:
    """Yield the figures as lines to print."""
    made = list(sessions(lasting, idle))
    for name, tell_it in TELLERS.items():
        print_as = f"summaries, {name}:"
        yield f"{print_as:<28} {share_told(tell_it, made):.3f} of the labelled facts told in an eighth of the words"
    for of_one in (A_PROFILE, MANY):
        with TemporaryDirectory() as scratch:
            inside, in_order, held = in_profile(lasting, Path(scratch), of_one)
        yield f"profile of 4 KB, {of_one} statements a speaker: {inside / max(1, held):.3f} of {held} held facts ({inside})"
        yield f"  the same, facts as they came: {in_order / max(1, held):.3f} ({in_order})"
