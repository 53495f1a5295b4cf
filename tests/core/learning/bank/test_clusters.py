"""Likeness, guards, clusters, and the memory that a cluster becomes."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import combinations
from random import Random
from typing import Any

import pytest

from benchmarks.bank import near_misses, paraphrases
from ethos.core.learning.bank.clusters import Cluster, clustered, comparable, spread, valid_threshold
from ethos.core.learning.bank.guards import Difference, difference
from ethos.core.learning.bank.likeness import centroid, cosine, cosine_at, likeness, similar_pairs, vectors
from ethos.core.learning.bank.reading import read
from ethos.core.learning.bank.synthesis import consolidated_id, majority, synthesized, united
from ethos.core.learning.bank.vocabulary import vocabulary
from ethos.core.model.errors import Refused
from ethos.core.model.memories import Maker, Memory, MemoryState, Outcome, Scope
from ethos.core.model.origin import Origin

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
WORDS = vocabulary()


def memory(id_: str, title: str, content: str = "", **more: Any) -> Memory:
    """A memory of the project api."""
    told = content or title
    made = Memory(id_, "ada", "api", title, "", told, Outcome.SUCCESS, Scope.PROJECT, Origin.USER, Maker.AGENT, 0.8, 0.8, NOON, "r-1")
    return replace(made, **more)


def merges(one: str, other: str) -> bool:
    """Whether a night makes one memory of two with these titles, in a project with other memories."""
    others = [memory(f"m-{at}", f"{word} the {word} of {word}ing") for at, word in enumerate(("paint", "roof", "garden", "song", "bread"))]
    found = clustered([memory("m-a", one), memory("m-b", other), *others], 0.8, WORDS)
    return any({"m-a", "m-b"} <= {each.id for each in cluster.members} for cluster in found.clusters)


# -- likeness


@pytest.mark.parametrize(
    ("one", "other", "value"),
    [
        ({"a": 1.0, "b": 2.0}, {"a": 1.0, "b": 2.0}, 1.0),
        ({"a": 1.0}, {"b": 1.0}, 0.0),
        ({"a": 1.0}, {"a": -1.0}, -1.0),
        ({"a": 1.0, "b": 2.0}, {"a": 3.0, "b": 6.0}, 1.0),
        ({"a": 1.0}, {"a": 1.0, "b": 1.0}, 0.7071),
        ({}, {"a": 1.0}, 0.0),
        ({"a": 0.0}, {"a": 1.0}, 0.0),
    ],
)
def test_r24_cosine(one: dict[str, float], other: dict[str, float], value: float) -> None:
    """The worked values; and the same either way round."""
    assert cosine(one, other) == pytest.approx(value, abs=1e-4) == cosine(other, one)


def test_r24_every_pair_above_the_threshold_is_found() -> None:
    """As by comparing all with all."""
    random = Random(5)
    texts = [[random.choice("abcdefghij") for _ in range(random.randrange(7))] for _ in range(120)]
    given = vectors(texts)
    for threshold in (0.0, 0.5, 0.8):
        found = {(one, other): value for one, other, value in similar_pairs(given, threshold)}
        wanted = {
            (one, other): value for one in range(120) for other in range(one) if (value := cosine(given[one], given[other])) > threshold
        }
        assert found.keys() - wanted.keys() <= {pair for pair, value in found.items() if value - threshold < 1e-9}
        assert wanted.keys() - found.keys() <= {pair for pair, value in wanted.items() if value - threshold < 1e-9}
        assert all(math.isclose(found[pair], wanted[pair]) for pair in found.keys() & wanted.keys())


def test_r24_a_cosine_has_a_place_on_the_common_scale() -> None:
    """In order, from 0 to 1, and back."""
    steps = [likeness(at / 100) for at in range(101)]
    assert steps == sorted(steps)
    assert (steps[0], steps[60], steps[100]) == (0.0, 0.8, 1.0)
    assert cosine_at(likeness(0.37)) == pytest.approx(0.37)


# -- what keeps apart


@pytest.mark.parametrize(("one", "other"), near_misses())
def test_r24_near_misses_never_merge(one: str, other: str) -> None:
    """Numbers, names, negations, order, opposites, one word: none of 200."""
    assert not merges(one, other)


def test_r24_paraphrases_merge() -> None:
    """At least three in ten of those that nobody read while the guards were built."""
    held = paraphrases()[1::2]
    assert sum(merges(one, other) for one, other in held) >= 0.3 * len(held)


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("Set the pool to 20.", "Set the pool to 50.", Difference.NUMBERS),
        ("Ask Maren before the deploy.", "Ask Tobias before the deploy.", Difference.NAMES),
        ("The cache is shared.", "The cache is not shared.", Difference.NEGATION),
        ("Retry requests.", "Retry only requests.", Difference.CONDITION),
        ("Enable compression of images.", "Turn off compression of images.", Difference.OPPOSITES),
        ("The used fixture stays.", "The unused fixture stays.", Difference.OPPOSITES),
        ("The worker calls the api.", "The api calls the worker.", Difference.ORDER),
        ("Restart the worker.", "Restart the scheduler.", Difference.ONE_WORD),
        ("Warm the template cache at noon.", "Warm the session table at noon.", Difference.MATTER),
    ],
)
def test_r24_why_two_texts_are_kept_apart(one: str, other: str, why: Difference) -> None:
    """Told by name, either way round."""
    assert difference(read(one, WORDS), read(other, WORDS), WORDS) is why
    assert difference(read(other, WORDS), read(one, WORDS), WORDS) is why


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Before the deploy, run the migrations.", "Run the migrations before the deploy."),
        ("Images should be compressed.", "Compress the images."),
        ("Tests which depend on order hide bugs.", "Bugs are hidden by tests which depend on order."),
    ],
)
def test_r24_a_construction_is_no_difference(one: str, other: str) -> None:
    """A clause in front, the passive, an obligation."""
    assert difference(read(one, WORDS), read(other, WORDS), WORDS) is None


# -- clusters


SAME = (
    memory("m-1", "Delete the build cache when the linker complains", confidence=0.7, usage_count=2),
    memory("m-2", "When the linker complains, clear the build cache", confidence=0.9, usage_count=4, tags=("linker",)),
    memory("m-3", "The build cache should be removed when the linker complains", confidence=0.8, tags=("build",)),
)
OTHER = memory("m-9", "Add an index on the email column")


def test_r24_r25_a_cluster_has_members_centroid_average_and_least() -> None:
    """The most believed first; the average is over all pairs (X-R7); order in makes no difference (X-R8)."""
    one, *none = clustered((*SAME, OTHER), 0.8, WORDS).clusters
    assert not none
    assert [each.id for each in one.members] == ["m-2", "m-3", "m-1"]
    assert 0.8 < one.least <= one.average <= 1
    assert max(one.centroid, key=one.centroid.__getitem__)
    assert clustered((OTHER, *reversed(SAME)), 0.8, WORDS).clusters == (one,)
    assert centroid([{"a": 1.0}, {"b": 1.0}]) == {"a": 0.5, "b": 0.5}
    longer = memory("m-4", "Delete the build cache when the linker complains about missing symbols")
    (other,) = clustered((*SAME[:2], longer), 0.6, WORDS).clusters
    assert len(other.members) == 3
    assert 0.6 < other.least < other.average < 1


def test_r25_the_average_is_that_of_every_pair_to_four_digits() -> None:
    """X-R7: the worked mean of three pairs is .8667, where that of the pairs with the first member would be .855; and a cluster's is it."""
    assert spread([0.87, 0.84, 0.89]) == pytest.approx((0.8667, 0.84), abs=5e-5)
    longer = memory("m-4", "Delete the build cache when the linker complains about missing symbols")
    (found,) = clustered((*SAME[:2], longer), 0.6, WORDS).clusters
    weighed = vectors([read(comparable(each), WORDS).matter for each in found.members])
    pairs = [likeness(cosine(one, other)) for one, other in combinations(weighed, 2)]
    assert (found.average, found.least) == pytest.approx((sum(pairs) / 3, min(pairs)), abs=5e-5)
    assert found.average != pytest.approx(sum(pairs[:2]) / 2, abs=5e-5)


def test_r24_one_memory_or_none_makes_no_cluster() -> None:
    """Nor does a pair in which one is a failure, or for the team (X-R16)."""
    assert clustered((), 0.8, WORDS).clusters == clustered((OTHER,), 0.8, WORDS).clusters == ()
    first, second, _ = SAME
    for other in (replace(second, outcome=Outcome.FAILURE), replace(second, scope=Scope.TEAM), replace(second, project="web")):
        assert clustered((first, other), 0.8, WORDS).clusters == ()


def test_r24_what_a_person_kept_apart_stays_apart() -> None:
    """The others may still merge."""
    (found,) = clustered((*SAME, OTHER), 0.8, WORDS, apart=[frozenset(("m-1", "m-2"))]).clusters
    assert {each.id for each in found.members} == {"m-2", "m-3"}


def test_r24_what_guards_keep_apart_is_told() -> None:
    """Alike and opposed: a candidate for a contradiction."""
    (told,) = clustered((memory("m-1", "Never deploy the api on Friday"), memory("m-2", "Deploy the api on Friday")), 0.5, WORDS).kept_apart
    assert (told.why, {told.one, told.other}) == (Difference.NEGATION, {"m-1", "m-2"})


@pytest.mark.parametrize(("threshold", "fits"), [(-0.5, False), (1.5, False), (0.0, True), (0.8, True), (1.0, True)])
def test_r31_a_threshold_lies_between_0_and_1(threshold: float, fits: bool) -> None:
    """Else it is a mistake of the caller."""
    if fits:
        assert valid_threshold(threshold) == threshold
    else:
        with pytest.raises(Refused, match="between 0 and 1"):
            valid_threshold(threshold)


# -- what a cluster becomes


def one_cluster(*members: Memory) -> Cluster:
    """A cluster of these."""
    return Cluster(members, {}, 0.9, 0.9)


def test_r26_r28_the_sources_are_named() -> None:
    """Title of the best, tags of all, attribution in the description, ids both ways, and nothing worded anew."""
    (cluster,) = clustered(SAME, 0.8, WORDS).clusters
    made = synthesized(cluster, WORDS, NOON, "r-2")
    assert made.title == "When the linker complains, clear the build cache"
    assert made.content == made.title
    assert made.tags == ("linker", "build")
    assert made.sources == ("m-2", "m-3", "m-1")
    assert made.description == "Synthesized from 3 source memories (m-2, m-3, m-1), combined usage 6."
    assert (made.state, made.consolidation_id, made.consolidated) == (MemoryState.ACTIVE, None, True)
    assert made.id == consolidated_id(SAME) == synthesized(cluster, WORDS, NOON + timedelta(days=3), "r-3").id


def test_r26_a_sentence_that_adds_something_is_kept() -> None:
    """And one that only repeats is not."""
    first = memory("m-1", "Vacuum", "Vacuum the orders table after large deletes. It frees the disk.")
    second = memory("m-2", "Vacuum", "After large deletes, vacuum the orders table. Do it within 30 minutes.")
    assert united([first, second], WORDS).splitlines() == [
        "Vacuum the orders table after large deletes.",
        "It frees the disk.",
        "Do it within 30 minutes.",
    ]


def test_r26_the_least_trusted_source_gives_the_origin() -> None:
    """What a tool said does not become the user's by agreeing with the user."""
    first, second, _ = SAME
    made = synthesized(one_cluster(first, replace(second, origin=Origin.TOOL)), WORDS, NOON, "r-2")
    assert made.origin is Origin.TOOL


def test_r26_the_outcome_of_most() -> None:
    """A failure wins a tie (X-R14)."""
    success, failure, _ = Outcome
    assert majority([success, success, failure]) is success
    assert majority([success, failure]) is failure
    assert majority([failure, success]) is failure


def test_r27_confidence_and_bonus_are_stored() -> None:
    """As the consensus of the sources."""
    made = synthesized(one_cluster(*SAME), WORDS, NOON, "r-2")
    assert made.confidence == made.initial_confidence == pytest.approx((0.7 * 3 + 0.9 * 5 + 0.8) / 9 + made.consensus_bonus)
    assert 0 < made.consensus_bonus <= 0.03
