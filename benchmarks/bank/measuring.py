"""The reasoning bank: what merges and what does not, how well beliefs find the truth, and what searching and consolidating cost.

Times are of the processor: what else the machine does meanwhile does not count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random

from benchmarks import corpus
from benchmarks.bank import near_misses, paraphrases
from benchmarks.measure import Goal, Measured, Sizes, percentile, processor_seconds
from benchmarks.place import memory, shipped
from ethos.app import Ethos
from ethos.core.learning.bank.belief import Counts, believed
from ethos.core.learning.bank.clusters import clustered
from ethos.core.learning.bank.distilling import distilled
from ethos.core.learning.bank.recording import recorded
from ethos.core.learning.bank.vocabulary import vocabulary
from ethos.core.learning.bank.weights import weights_of
from ethos.core.model.memories import Memory, Outcome, ProjectTrust, SignalKind
from ethos.core.model.origin import Origin
from ethos.core.model.plan import ChangeSet, Plan
from ethos.core.model.records import Episode
from ethos.core.model.settings import BankSettings

NAME = "bank"
MERGING, APART, FOUND = Goal(at_least=0.3), Goal(at_most=0.0), Goal(at_least=0.9)
SEARCH_MS = Goal(at_most=20.0)
CONSOLIDATION_SECONDS = {1_000: Goal(at_most=3.0), 10_000: Goal(at_most=60.0)}
A_MINUTE = Goal(at_most=60.0)
SIGNALS = 20
DISTILLED = 100  # sessions
MOST = 3  # memories of a session
WORDS = 3_000  # different ones in the memories that are searched and consolidated
START = datetime(2026, 6, 1, tzinfo=UTC)


def run(sizes: Sizes, scratch: Path) -> list[Measured]:
    """Measure all of it; memories are made of the pairs and of words drawn as often as words are in a language."""
    read, unread = paraphrases()[0::2], paraphrases()[1::2]
    figures = [
        Measured(NAME, "paraphrases merged, of those nobody read while the guards were built", merged(unread), "of 1", goal=MERGING),
        Measured(NAME, "paraphrases merged, of the others", merged(read), "of 1"),
        Measured(NAME, "near misses merged", merged(near_misses()) * len(near_misses()), "pairs", goal=APART),
        Measured(NAME, f"rank correlation of belief and truth after {SIGNALS} signals", rank_correlation(sizes.beliefs), "", goal=FOUND),
    ]
    taken = processor_seconds(partial(_distilled, _sessions(DISTILLED)))
    figures.append(Measured(NAME, f"distilling {DISTILLED} sessions of {corpus.TURNS_A_SESSION} turns by rules", taken, "s", goal=A_MINUTE))
    for count in sizes.memories:
        ethos = _filled(scratch / str(count), count)
        figures += _searched(ethos, count, sizes.questions)
        taken = processor_seconds(partial(ethos.bank.consolidate, "api"))
        figures.append(Measured(NAME, f"consolidating {count:,} memories", taken, "s", goal=CONSOLIDATION_SECONDS.get(count)))
        ethos.close()
    return figures


def merged(pairs: Sequence[tuple[str, str]]) -> float:
    """Return the share of pairs that a night would make one memory of, each in a project with other memories."""
    others = [_made(f"the {word} of {word}ing a {word}", at) for at, word in enumerate(("paint", "roof", "garden", "song", "bread"))]
    found = 0
    for one, other in pairs:
        both = [_made(one, 100), _made(other, 101)]
        ids = {each.id for each in both}
        clusters = clustered([*both, *others], BankSettings().similarity_threshold, vocabulary()).clusters
        found += any(ids <= {member.id for member in cluster.members} for cluster in clusters)
    return found / len(pairs)


def rank_correlation(count: int) -> float:
    """Return Spearman's correlation over memories with known rates of success, each with signals of all kinds."""
    random = Random(7)
    weights = weights_of(ProjectTrust("w", "ada", "api"))
    truths = [random.random() for _ in range(count)]
    beliefs = []
    for truth in truths:
        counts = Counts((random.choice(tuple(SignalKind)), random.random() < truth) for _ in range(SIGNALS))
        beliefs.append(believed(BankSettings().recorded_confidence, counts, weights).mean)
    first, second = _ranks(truths), _ranks(beliefs)
    return 1 - 6 * sum((a - b) ** 2 for a, b in zip(first, second, strict=True)) / (count * (count * count - 1))


def _sessions(count: int) -> list[list[Episode]]:
    turns = list(corpus.episodes(count * corpus.TURNS_A_SESSION, START))
    return [turns[at : at + corpus.TURNS_A_SESSION] for at in range(0, len(turns), corpus.TURNS_A_SESSION)]


def _distilled(sessions: Sequence[Sequence[Episode]]) -> None:
    for session in sessions:
        distilled(session, MOST)


def _ranks(values: Sequence[float]) -> list[int]:
    ranks = [0] * len(values)
    for rank, at in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        ranks[at] = rank
    return ranks


def _filled(folder: Path, count: int) -> Ethos:
    """Return a memory with so many memories of the bank, a tenth of which say the same as others."""
    ethos = memory(folder, shipped())
    made = {each.id: replace(each, user=ethos.user) for each in _memories(count)}
    with ethos.store.begin(write=True) as work:
        work.apply(Plan(tuple(ChangeSet(each.id, (each,)) for each in made.values())), "")
    return ethos


def _memories(count: int) -> list[Memory]:
    random = Random(count)
    told = [sentence for pair in paraphrases() for sentence in pair]
    words = [f"w{at}ord" if at > 300 else word for at, word in enumerate(_commonest(told))]
    words += [f"thing{at}" for at in range(len(words), WORDS)]
    chances = [1 / (rank + 3) for rank in range(len(words))]
    made = []
    for at in range(count):
        if at % 10 == 0:
            made.append(_made(f"{random.choice(told)} In case {random.randrange(count // 20 + 1)}.", at))
        else:
            drawn = random.choices(words, chances, k=random.randint(15, 40))
            made.append(_made(f"{' '.join(drawn[:6])}. {' '.join(drawn[6:])}.", at))
    return made


def _commonest(sentences: Sequence[str]) -> list[str]:
    return sorted({word.strip(".,;").lower() for sentence in sentences for word in sentence.split() if len(word) > 4})


def _made(text: str, at: int) -> Memory:
    title, _, rest = text.partition(". ")
    now = START + timedelta(seconds=at)
    return recorded("ada", "api", title, f"when {title}", rest or text, Outcome.SUCCESS, Origin.USER, now, BankSettings())


def _searched(ethos: Ethos, count: int, questions: int) -> list[Measured]:
    random = Random(1)
    told = [sentence for pair in paraphrases() for sentence in pair]
    times = []
    for at in range(questions):
        asked = " ".join(random.sample(random.choice(told).split(), 3))
        times.append(1_000 * processor_seconds(partial(ethos.bank.search, asked, project="api", session=f"s-{at}")))
    what = f"searching {count:,} memories, p95"
    return [Measured(NAME, what, percentile(times, 95), "ms", goal=SEARCH_MS if count == 10_000 else None)]
