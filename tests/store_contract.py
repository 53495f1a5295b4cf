"""What every store must do, whatever it is made of: subclass `StoreContract`, say how to open one, and it is tested.

See `tests/store/test_store_sqlite.py` for a subclass; one for another database needs no more.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ethos.core.model.keys import FactKey, WeakClaimKey
from ethos.core.model.plan import ChangeSet, Plan, one
from ethos.core.model.records import (
    Action,
    Episode,
    EpisodeState,
    Evidence,
    Fact,
    Origin,
    Question,
    Record,
    Run,
    Salience,
    ScannedBatch,
    WeakClaim,
)
from ethos.core.model.rule_trust import RuleTrust
from ethos.core.model.summaries import Telling
from ethos.core.ports.queries import FactFilter, Narrowing, Search, Sharing
from ethos.core.ports.store import Applied, Store, Work

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
RULES = "rules-1"


def at(days: float) -> datetime:
    """So many days after noon."""
    return NOON + timedelta(days=days)


def episode(id_: str = "e-1", text: str = "We decided to use Rust", **changes: object) -> Episode:
    """A turn of Michael's."""
    made = Episode(
        id_, "michael", "ethos", "s1", "user", "Michael", Origin.USER, text, NOON, NOON, 0.5, importance_given=False, source="talk.jsonl"
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def fact(id_: str = "f-1", obj: str = "Rust", **changes: object) -> Fact:
    """The first version of a fact, recorded at noon."""
    made = Fact(
        id=id_,
        version=1,
        user="michael",
        project="ethos",
        kind="decision",
        subject="team",
        predicate="uses",
        object=obj,
        polarity="+",
        cardinality="single",
        subject_key="team",
        predicate_key="use",
        slot="languages",
        object_key=obj.casefold(),
        statement=f"team uses {obj}",
        confidence=0.9,
        origin=Origin.USER,
        rule="core-en/decided",
        rule_version=1,
        pack_version="1",
        valid_from=NOON,
        recorded_at=NOON,
        run="r-1",
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def evidence(fact_id: str = "f-1", episode_id: str = "e-1", **changes: object) -> Evidence:
    """A match of the rule that gave the fact."""
    made = Evidence(fact_id, episode_id, "core-en/decided", 1, 3, 22, "Rust", 0.9, NOON, "r-1", ("hedge x0.60",))
    return replace(made, **changes)  # type: ignore[arg-type]


def salience(record: str = "e-1", **changes: object) -> Salience:
    """Alive for another week."""
    return replace(Salience(record, "episode", 0.5, 0.0, NOON, NOON, 0, at(7)), **changes)  # type: ignore[arg-type]


def question(id_: str = "c-1", **changes: object) -> Question:
    """Whether it is Rust or Python."""
    return replace(Question(id_, "michael", "ethos", "f-1", "f-2", NOON, "r-1"), **changes)  # type: ignore[arg-type]


def weak_claim(episode_id: str = "e-1", **changes: object) -> WeakClaim:
    """A weak claim."""
    made = WeakClaim("michael", "ethos", "team", "use", "", "zig", "+", episode_id, "core-en/weak", 1, 0, 9, "Zig", 0.2, NOON, "r-1")
    return replace(made, **changes)  # type: ignore[arg-type]


EVERY_RECORD: tuple[Record, ...] = (
    episode(tags=("rust", "büro"), tone=-0.25, importance_given=True, time_source="file"),
    EpisodeState("e-1", NOON, RULES, at(1), 2, "three times tried", pruned=True),
    fact(valid_to=at(2), over="Go", replaces="Go", affirmed_at=at(1), flagged=True, tense="past", polarity="-"),
    evidence(),
    weak_claim(),
    question(repeats=2, resolved_at=at(1), action="keep-new", by="inbox", note="as agreed"),
    salience(retrievals=3, faded=True),
    Run("r-1", "consolidate", "manual test", "s1", NOON, at(1), RULES, {"scanned": 12}, "done"),
)


def put(store: Store, *records: Record, run: str = "r-1") -> Applied:
    """Put records in a transaction of their own, as one group."""
    with store.begin(write=True) as work:
        return work.apply(one("", *records), run)


def found(work: Work, *words: str, **changes: object) -> list[str]:
    """The ids a search gives."""
    return [hit.id for hit in work.search(replace(Search("michael", words), **changes))]  # type: ignore[arg-type]


def forget(store: Store, *ids: str) -> None:
    """Take records out, in a transaction of their own."""
    with store.begin(write=True) as work:
        work.apply(Plan((ChangeSet("", forgets=ids),)), "r-1")


def untold(store: Store, limit: int = 100) -> list[str]:
    """The ids of what is to be told of Michael's sessions before the next noon."""
    with store.begin() as work:
        return [id_ for id_, *_ in work.untold("michael", at(1), limit=limit)]


class StoreContract(ABC):
    """The behaviour of `ethos.core.ports.store.Store` and `Work`."""

    @abstractmethod
    def open(self, place: Path) -> Store:
        """Open the store at a place; twice at one place is the same store."""

    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        """An empty store."""
        opened = self.open(tmp_path)
        yield opened
        opened.close()

    # -- records

    def test_every_record_comes_back_as_it_was_put(self, store: Store) -> None:
        """What is put is what is found, field for field, with times aware and in UTC."""
        put(store, *EVERY_RECORD)
        with store.begin() as work:
            back: list[Record] = [
                work.episodes(["e-1"])["e-1"],
                work.marks(["e-1"])["e-1"],
                *work.fact("f-1"),
                *work.evidence(["f-1"]),
                *work.weak_claims([WeakClaimKey("michael", "ethos", "team", "use", "", "zig", "+")])[
                    WeakClaimKey("michael", "ethos", "team", "use", "", "zig", "+")
                ],
                *work.questions(ids=["c-1"]),
                work.salience(["e-1"])["e-1"],
                *work.runs(),
            ]
        assert tuple(back) == EVERY_RECORD

    def test_times_are_restored_in_utc(self, store: Store) -> None:
        """A time in another zone is the same moment afterwards, told in UTC, to the microsecond."""
        kathmandu = datetime(2026, 6, 1, 17, 45, 0, 123_456, tzinfo=timezone(timedelta(hours=5, minutes=45)))
        put(store, episode(said_at=kathmandu), episode("e-0", said_at=datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)))
        with store.begin() as work:
            back = work.episodes(["e-1", "e-0"])
        assert back["e-1"].said_at == kathmandu
        assert back["e-1"].said_at.tzinfo is UTC
        assert back["e-0"].said_at.isoformat() == "1969-12-31T23:59:59.999999+00:00"

    def test_a_time_without_a_zone_is_refused(self, store: Store) -> None:
        """Nobody knows when it was, so the group is not written, and says why."""
        applied = put(store, episode(said_at=datetime(2026, 6, 1)))  # noqa: DTZ001 (the mistake this is about)
        assert "without a zone" in applied.failures[0].error

    # -- capture

    def test_capturing_again_adds_nothing(self, store: Store) -> None:
        """An episode that is held is left as it is, even where its text came differently (X-G5)."""
        assert put(store, episode(), episode("e-2")).episodes_added == 2
        assert put(store, episode(text="something else"), episode("e-3"), episode("e-3", "twice in one plan")).episodes_added == 1
        with store.begin() as work:
            assert work.episodes(["e-1", "e-3", "e-none"]) == {"e-1": episode(), "e-3": episode("e-3")}
            assert found(work, "else") == []
            assert work.counts(RULES).episodes == 3

    def test_an_episode_comes_with_its_mark(self, store: Store) -> None:
        """A new episode stands at the beginning of its way; one that came again stands where it stood."""
        put(store, episode())
        put(store, EpisodeState("e-1", NOON, RULES, NOON))
        put(store, episode(), episode("e-2"))
        with store.begin() as work:
            assert work.marks(["e-1", "e-2", "e-none"]) == {"e-1": EpisodeState("e-1", NOON, RULES, NOON), "e-2": EpisodeState("e-2")}

    # -- select

    def test_fault_h3_h4_episodes_come_in_the_order_in_which_they_were_said(self, store: Store) -> None:
        """By the time said, the name of the source, the place in it; never by importance, capture or id. `limit` and `skip` go together."""
        put(
            store,
            episode("e-d", importance=0.9, said_at=at(1)),
            episode("e-b", source="one"),
            episode("e-c", source="two"),
            episode("e-a", source="a", captured_at=at(2)),
        )
        with store.begin() as work:
            assert [utterance.id for utterance in work.unscanned(RULES, session=None, limit=10)] == ["e-a", "e-b", "e-c", "e-d"]
            assert [utterance.id for utterance in work.unscanned(RULES, session=None, limit=2, skip={"e-a", "e-c"})] == ["e-b", "e-d"]
            assert work.unscanned(RULES, session="another", limit=10) == ()

    def test_e07_an_utterance_has_all_that_selection_needs(self, store: Store) -> None:
        """The narrow row has the episode's words, origin and importance, and how often it was retrieved."""
        put(store, episode(importance=0.8, importance_given=True), salience(retrievals=5))
        with store.begin() as work:
            (utterance,) = work.unscanned(RULES, session="s1", limit=1)
        assert utterance[:8] == ("e-1", "We decided to use Rust", NOON, "michael", "ethos", "s1", "user", "Michael")
        assert utterance[8:13] == (Origin.USER, 0.8, True, 5, 0)
        assert utterance.place == (NOON, utterance.source, 1)
        assert utterance.said_at.tzinfo is UTC

    def test_e20_the_users_turn_before_is_told_of_each_episode(self, store: Store) -> None:
        """The last one of the same session, in the order of what was said, whoever else spoke between."""
        put(
            store,
            episode("e-1", text="The limit is 25."),
            episode("e-2", text="Noted.", role="assistant", said_at=NOON + timedelta(hours=1)),
        )
        put(
            store,
            episode("e-3", text="sorry, 35", said_at=NOON + timedelta(hours=2)),
            episode("e-4", session="s2", said_at=NOON + timedelta(hours=3)),
        )
        with store.begin() as work:
            assert work.preceding(["e-1", "e-3", "e-4"]) == {"e-3": "e-1"}

    def test_h3_the_users_turn_after_is_told_where_it_was_read(self, store: Store) -> None:
        """The next one of the same session; where that waits to be read, none."""
        turns = [
            episode("e-1"),
            episode("e-2", text="Noted.", role="assistant", said_at=NOON + timedelta(hours=1)),
            episode("e-3", said_at=NOON + timedelta(hours=2)),
            episode("e-4", said_at=NOON + timedelta(hours=3)),
            episode("e-5", session="s2", said_at=NOON + timedelta(hours=3)),
        ]
        put(store, *turns)
        put(store, EpisodeState("e-4", NOON, RULES), EpisodeState("e-5", NOON, RULES))
        with store.begin() as work:
            assert work.following(["e-1", "e-2", "e-3", "e-4"]) == {"e-3": "e-4"}
        put(store, EpisodeState("e-3", NOON, RULES))
        with store.begin() as work:
            assert work.following(["e-1", "e-2", "e-3", "e-4"]) == {"e-1": "e-3", "e-2": "e-3", "e-3": "e-4"}

    def test_turns_are_found_by_their_words_and_not_by_those_of_facts(self, store: Store) -> None:
        """A fact and a turn may have the same number in their tables."""
        read = [EpisodeState(f"e-{n}", NOON, RULES) for n in (1, 2)]
        put(store, episode("e-1", text="Nothing of note."), episode("e-2", text="Rust it is."), *read, fact("f-1", "Rust"), evidence())
        with store.begin() as work:
            assert work.turns_with({("michael", "rust")}) == {"e-2"}

    def test_xe8_each_episode_is_scanned_once_per_rules_hash(self, store: Store) -> None:
        """What was read under these rules is not read again; under other rules it is, in one order with what never was."""
        put(store, *[episode(f"e-{n}", importance=n / 10) for n in range(6)])
        put(store, EpisodeState("e-1", NOON, RULES), EpisodeState("e-3", NOON, "rules-0"), EpisodeState("e-5", NOON, "rules-9"))
        with store.begin() as work:
            assert [utterance.id for utterance in work.unscanned(RULES, session=None, limit=3)] == ["e-0", "e-2", "e-3"]
            assert [utterance.id for utterance in work.unscanned(RULES, session=None, limit=9)] == ["e-0", "e-2", "e-3", "e-4", "e-5"]
            assert [utterance.id for utterance in work.unscanned(RULES, session="s1", limit=9)] == ["e-0", "e-2", "e-3", "e-4", "e-5"]
            assert work.counts(RULES).unscanned == 5

    def test_e07_the_promoted_the_set_aside_and_the_pruned_are_not_selected(self, store: Store) -> None:
        """Only unconsolidated, unpruned episodes that are still worth trying are candidates."""
        put(store, *[episode(f"e-{n}") for n in range(4)])
        put(
            store,
            EpisodeState("e-0", consolidated_at=NOON),
            EpisodeState("e-1", set_aside="three times tried"),
            EpisodeState("e-2", pruned=True),
        )
        with store.begin() as work:
            assert [utterance.id for utterance in work.unscanned(RULES, session=None, limit=9)] == ["e-3"]
            assert [utterance.id for utterance in work.unscanned(RULES, session="s1", limit=9)] == ["e-3"]

    def test_an_episode_that_failed_before_is_tried_alone_and_last(self, store: Store) -> None:
        """While there are others they come without it; then it comes, with nobody it could take along."""
        put(store, *[episode(f"e-{n}", importance=n / 10) for n in range(4)])
        put(store, EpisodeState("e-3", attempts=1), EpisodeState("e-2", attempts=2))
        for session in (None, "s1"):
            with store.begin() as work:
                assert [utterance.id for utterance in work.unscanned(RULES, session=session, limit=9)] == ["e-0", "e-1"]
                rest = work.unscanned(RULES, session=session, limit=9, skip={"e-1", "e-0"})
                assert [(utterance.id, utterance.attempts) for utterance in rest] == [("e-3", 1)]
                assert not work.unscanned(RULES, session=session, limit=9, skip={f"e-{n}" for n in range(4)})

    # -- facts

    def test_e22_a_change_is_a_new_version_and_the_old_is_closed(self, store: Store) -> None:
        """The first version stays readable, closed when the second was recorded; only the second is held."""
        first = fact()
        second = fact(version=2, object="Rust language", object_key="rust language", recorded_at=at(1), run="r-2")
        put(store, first)
        put(store, second, run="r-2")
        with store.begin() as work:
            assert work.fact("f-1") == [replace(first, closed_at=at(1)), second]
            assert work.active_facts([FactKey("michael", "ethos", "team", "use", "languages")]) == [second]
            assert work.fact("f-none") == []

    def test_several_versions_of_a_fact_may_come_in_one_plan(self, store: Store) -> None:
        """Three episodes of one unit refine one fact: each version closes the one before."""
        versions = [fact(version=n, statement=f"version {n}", recorded_at=at(n)) for n in (1, 2, 3)]
        put(store, *versions)
        with store.begin() as work:
            assert [(f.version, f.closed_at) for f in work.fact("f-1")] == [(1, at(2)), (2, at(3)), (3, None)]
            assert [hit.text for hit in work.search(Search("michael", ("version",)))] == ["version 3"]

    def test_putting_a_version_again_changes_nothing_and_another_in_its_place_is_refused(self, store: Store) -> None:
        """The same plan twice is the same store; a version that is not the next one is somebody else's overtaken thought."""
        put(store, fact())
        assert put(store, fact()).failures == ()
        assert "at version 1" in put(store, fact(object="Zig")).failures[0].error
        assert "at version 1" in put(store, fact(version=3)).failures[0].error
        with store.begin() as work:
            assert work.fact("f-1") == [fact()]

    def test_e20_facts_are_found_by_key_and_by_subject(self, store: Store) -> None:
        """Only the active ones, and only those of the user, the project, the subject, the predicate and the slot that are asked for."""
        others = [
            fact("f-user", user="alice"),
            fact("f-project", project="other"),
            fact("f-subject", subject_key="alice"),
            fact("f-predicate", predicate_key="plan"),
            fact("f-slot", slot="editors"),
            fact("f-superseded", superseded_by="f-1"),
            fact("f-retired", retired_at=at(1)),
        ]
        put(store, fact(), *others)
        with store.begin() as work:
            key = FactKey("michael", "ethos", "team", "use", "languages")
            assert [f.id for f in work.active_facts([key, key])] == ["f-1"]
            about = work.active_facts_about([("michael", "ethos", "team"), ("alice", "ethos", "team")])
            assert [f.id for f in about] == ["f-1", "f-predicate", "f-slot", "f-user"]
            assert work.active_facts([]) == ()

    def test_facts_are_found_by_a_phrase_in_their_subject_or_object(self, store: Store) -> None:
        """Active ones of the user and project, or all that are current in any project; a phrase of pronouns alone is looked for too."""
        told = {
            "f-object": ("Loki for the logs", "team uses Loki for the logs"),
            "f-pronoun": ("my own", "team uses their own"),
            "f-other": ("Lokis", "team uses Lokis"),
        }
        named = {id_: fact(id_, obj, object_key=obj.lower(), statement=said) for id_, (obj, said) in told.items()}
        subject = fact("f-subject", "100 MB", subject_key="upload limit", object_key="100 mb", statement="upload limit is 100 MB")
        gone = fact("f-gone", "Loki", object_key="loki", superseded_by="f-object")
        elsewhere = fact("f-elsewhere", "Loki", object_key="loki", project="other")
        put(store, *named.values(), subject, gone, elsewhere)
        with store.begin() as work:
            asked = {"for the logs": ["f-object"], "upload limit": ["f-subject"], "my": ["f-pronoun"], "logs for": [], "loki f": []}
            for phrase, found in asked.items():
                assert [f.id for f in work.active_facts_naming([("michael", "ethos", phrase)])] == found
            of_one_word = [("michael", "ethos", phrase) for phrase in ("logs for", "for the logs")]
            assert [f.id for f in work.active_facts_naming(of_one_word)] == ["f-object"]
            both = [("michael", "ethos", "loki"), ("michael", "ethos", "my own"), ("alice", "ethos", "loki")]
            assert [f.id for f in work.active_facts_naming(both) if f.id != "f-other"] == ["f-object", "f-pronoun"]
            assert {"f-elsewhere", "f-gone", "f-object"} <= {f.id for f in work.facts_naming([("michael", "loki")])}

    def test_facts_about_a_subject_are_found_by_what_they_share(self, store: Store) -> None:
        """A word of the object or of what it replaces or is put above, held or not; the whole of a text; a key; letters outside ASCII."""
        told = [
            fact("f-word", "Redis for caching", object_key="redis for caching"),
            fact("f-over", "Vim", object_key="vim", over="Redis"),
            fact("f-old", "Valkey", object_key="valkey", replaces="Redis 7", superseded_by="f-word"),
            fact("f-whole", "it", object_key="it"),
            fact("f-key", "Kafka", object_key="kafka", slot="queues"),
            fact("f-other", "Figma", object_key="figma"),
            fact("f-else", "Redis", object_key="redis", subject_key="michael"),
            fact("f-umlaut", "Zed", object_key="zed", replaces="ÄRGER"),
        ]
        put(store, *told)
        team = [("michael", "team")]
        with store.begin() as work:
            key = FactKey("michael", "ethos", "team", "use", "queues")
            for sharing, wanted in (
                (Sharing(frozenset({"redis"})), {"f-word", "f-over", "f-old", "f-umlaut"}),
                (Sharing(texts=frozenset({"give it up"})), {"f-whole", "f-umlaut"}),
                (Sharing(keys=frozenset({key})), {"f-key", "f-umlaut"}),
                (None, {each.id for each in told} - {"f-else"}),
            ):
                assert {each.id for each in work.facts_around(team, sharing)} == wanted
            assert {each.id for each in work.facts_replacing(["michael"], ())} == {"f-old", "f-umlaut"}
            assert {each.id for each in work.facts_replacing(["michael"], (), ["redis"])} == {"f-old", "f-umlaut"}
            assert {each.id for each in work.facts_replacing(["michael"], (), ["figma"])} == {"f-umlaut"}

    def test_weak_claims_about_a_subject_are_found_by_what_they_share(self, store: Store) -> None:
        """All that certain rules read are among them: what these replace is in the turn alone."""
        claims = [weak_claim(object_key=each, start=at, rule=f"r/{each}") for at, each in enumerate(("redis", "figma"))]
        put(store, episode(), *claims)
        whom = [(claims[0].user, claims[0].subject_key)]
        with store.begin() as work:
            redis = Sharing(frozenset({"redis"}))
            assert [each.object_key for each in work.weak_claims_around(whom, redis)] == ["redis"]
            assert {each.object_key for each in work.weak_claims_around(whom, redis, ["r/figma"])} == {"redis", "figma"}
            assert len(work.weak_claims_around(whom)) == 2

    def test_the_latest_turn_of_a_user_is_told(self, store: Store) -> None:
        """Of any role, read or not."""
        put(store, episode(), episode("e-2", said_at=at(3), role="tool"), episode("e-3", said_at=at(5), user="alice"))
        with store.begin() as work:
            assert [work.latest_turn(user) for user in ("michael", "alice", "bob")] == [at(3), at(5), None]

    def test_the_current_versions_of_facts_are_found_at_once(self, store: Store) -> None:
        """By id, superseded or not; an id that is not held is missing."""
        put(store, fact("f-a"), fact("f-b", "Go"))
        put(store, fact("f-a", version=2, superseded_by="f-b", recorded_at=at(1)))
        with store.begin() as work:
            assert {id_: found.version for id_, found in work.current({"f-a", "f-b", "f-none"}).items()} == {"f-a": 2, "f-b": 1}
            assert work.current(()) == {}

    def test_e23_a_fact_knows_what_it_replaced(self, store: Store) -> None:
        """The facts it superseded, as they now stand, by id."""
        put(store, fact("f-b"), fact("f-a", "Go"), fact("f-c", "C"), fact("f-9", "Zig"))
        put(store, *[fact(id_, obj, version=2, superseded_by="f-9", recorded_at=at(1)) for id_, obj in (("f-b", "Rust"), ("f-a", "Go"))])
        put(store, fact("f-a", "Go", version=3, superseded_by="f-9", flagged=True, recorded_at=at(2)))
        with store.begin() as work:
            assert [(old.id, old.version) for old in work.replaced(["f-9"])] == [("f-a", 3), ("f-b", 2)]
            assert work.replaced(["f-a"]) == []
            assert list(work.replaced([])) == []

    def test_facts_are_listed_by_filter(self, store: Store) -> None:
        """Newest first; by subject however it is written, by kind, project and flag, with a limit, and with their history on request."""
        put(
            store,
            fact("f-a"),
            fact("f-b", valid_from=at(1), kind="preference", flagged=True),
            fact("f-c", valid_from=at(2), project="other", subject_key="michael"),
            fact("f-d", valid_from=at(3), superseded_by="f-a"),
            fact("f-e", user="alice"),
        )

        def listed(**changes: object) -> list[str]:
            with store.begin() as work:
                return [f.id for f in work.facts(replace(FactFilter("michael"), **changes))]  # type: ignore[arg-type]

        assert listed() == ["f-c", "f-b", "f-a"]
        assert listed(limit=2) == ["f-c", "f-b"]
        assert listed(project="ethos") == ["f-b", "f-a"]
        assert listed(subject="The Team") == ["f-b", "f-a"]
        assert listed(subject="MICHAEL's") == ["f-c"]
        assert listed(kind="preference") == ["f-b"]
        assert listed(flagged=True) == ["f-b"]
        assert listed(flagged=False) == ["f-c", "f-a"]
        assert listed(history=True) == ["f-d", "f-c", "f-b", "f-a"]

    def test_facts_as_of_a_day_are_what_was_held_that_day(self, store: Store) -> None:
        """Rust was held from noon, refined on day 2, superseded on day 4; each day tells its own version."""
        put(store, fact())
        put(store, fact(version=2, object="Rust language", recorded_at=at(2)))
        put(
            store, fact(version=3, object="Rust language", recorded_at=at(4), superseded_by="f-2"), fact("f-2", "Python", recorded_at=at(4))
        )

        def held(day: float, *, history: bool = False) -> list[tuple[str, int]]:
            with store.begin() as work:
                return [(f.id, f.version) for f in work.facts(FactFilter("michael", as_of=at(day), history=history))]

        assert held(-1) == []
        assert held(0) == held(1.9) == [("f-1", 1)]
        assert held(2) == [("f-1", 2)]
        assert held(4) == [("f-2", 1)]
        assert held(3, history=True) == [("f-1", 1), ("f-1", 2)]

    def test_evidence_is_kept_once_a_run(self, store: Store) -> None:
        """The same rule's same match under the same fact is one piece, whoever puts it again and with whatever confidence."""
        put(store, episode(), episode("e-2"), fact(), evidence())
        put(store, evidence(confidence=0.1), evidence(episode_id="e-2", said_at=at(-1)), run="r-2")
        with store.begin() as work:
            assert work.evidence(["f-1"]) == [evidence(episode_id="e-2", said_at=at(-1)), evidence()]
            assert work.evidence_in(["e-1"]) == [evidence()]
            assert work.evidence(["f-none"]) == []

    def test_xe1_a_weak_claim_counts_once_an_episode(self, store: Store) -> None:
        """Repetition is told by distinct episodes, oldest said first."""
        put(
            store,
            episode(),
            episode("e-2"),
            weak_claim(),
            weak_claim(start=30),
            weak_claim("e-2", said_at=at(-1)),
            weak_claim("e-2", polarity="-"),
        )
        key = WeakClaimKey("michael", "ethos", "team", "use", "", "zig", "+")
        with store.begin() as work:
            assert work.weak_claims([key, key._replace(object="c")]) == {key: [weak_claim("e-2", said_at=at(-1)), weak_claim()]}

    def test_xe17_questions_are_found_by_id_by_fact_and_while_open(self, store: Store) -> None:
        """Oldest first; a question put again takes the place of what it was."""
        put(store, question(), question("c-2", existing="f-3", new="f-1", opened_at=at(-1)), question("c-3", existing="f-4", new="f-5"))
        put(store, question("c-3", existing="f-4", new="f-5", resolved_at=at(1), action="keep-old", by="cli"), run="r-2")
        with store.begin() as work:
            assert [q.id for q in work.questions()] == ["c-2", "c-1", "c-3"]
            assert [q.id for q in work.questions(ids=["c-3", "c-none"])] == ["c-3"]
            assert [q.id for q in work.questions(facts=["f-1"])] == ["c-2", "c-1"]
            assert [q.id for q in work.questions(open_only=True)] == ["c-2", "c-1"]
            assert work.questions(facts=["f-5"], open_only=True) == []

    def test_the_questions_answered_last_come_first(self, store: Store) -> None:
        """Of one user, and no more than were asked for."""
        for number, user in enumerate(("michael", "michael", "ada", "michael"), 1):
            done = question(f"c-{number}", existing="f-3", new="f-1", resolved_at=at(number), action="keep-old", by="cli")
            put(store, replace(done, user=user))
        put(store, question("c-9", existing="f-4", new="f-5"))
        with store.begin() as work:
            assert [q.id for q in work.answered("michael", limit=2)] == ["c-4", "c-2"]
            assert [q.id for q in work.answered("ada", limit=2)] == ["c-3"]

    def test_rule_trust_is_answers_by_rule_and_user(self, store: Store) -> None:
        """Of the rule that made the new claim; a promoted rejection counts twice, for the rule that made the claim turned down."""
        rules = {"f-1": "mine/a", "f-2": "mine/b", "f-3": "mine/b", "f-4": "mine/c"}
        put(store, *(replace(fact(), id=name, rule=rule) for name, rule in rules.items()))
        answers: dict[str, tuple[str, Action | None]] = {
            "c-1": ("f-2", "keep-old"),
            "c-2": ("f-3", "keep-both"),
            "c-3": ("f-4", "keep-new"),
            "c-4": ("f-4", None),
        }
        for name, (new, action) in answers.items():
            done = question(name, existing="f-1", new=new, resolved_at=at(1) if action else None)
            put(store, replace(done, action=action))
        put(store, replace(fact(), id="f-5", rule="mine/d", origin=Origin.TOOL))
        for number, asked in enumerate(("q-1", "c-5", "c-6")):  # what came from below the user says nothing of how the rule reads them
            put(
                store,
                replace(question(asked, existing="f-1", new="f-5", resolved_at=at(1)), action=("reject", "keep-old", "keep-new")[number]),
            )
        assert self._rule_trust(store) == {"mine/b": RuleTrust(1, 1), "mine/c": RuleTrust(1, 0)}
        put(store, *(Run(f"r-{name}", "promote", name, None, at(2), at(2), outcome="done") for name in ("c-1", "c-3", "c-4")))
        assert self._rule_trust(store) == {"mine/a": RuleTrust(0, 1), "mine/b": RuleTrust(1, 2), "mine/c": RuleTrust(1, 0)}
        assert self._rule_trust(store, "somebody else") == {}

    def _rule_trust(self, store: Store, user: str = "michael") -> Mapping[str, RuleTrust]:
        with store.begin() as work:
            return dict(work.rule_trust(user))

    # -- decay

    def test_e06_the_fading_are_those_whose_time_has_come(self, store: Store) -> None:
        """Earliest first, those already faded left out."""
        put(store, *[episode(f"e-{n}") for n in range(4)])
        put(store, *[salience(f"e-{n}", fades_at=at(n)) for n in range(3)], salience("e-3", faded=True, fades_at=at(0)))
        with store.begin() as work:
            assert [s.record for s in work.fading(at(1), limit=9)] == ["e-0", "e-1"]
            assert [s.record for s in work.fading(at(9), limit=2)] == ["e-0", "e-1"]
            assert work.counts(RULES).faded == 1

    def test_a_retrieval_counts_once_a_session(self, store: Store) -> None:
        """Which of these records were retrieved in this session already."""
        with store.begin(write=True) as work:
            work.count_retrievals(["e-1", "f-1"], "s1", NOON)
            work.count_retrievals(["e-1"], "s1", at(1))
            work.count_retrievals(["e-2"], "s2", NOON)
        with store.begin() as work:
            assert work.retrieved(["e-1", "e-2", "f-1"], "s1") == {"e-1", "f-1"}
            assert work.retrieved(["e-1", "e-2"], "s2") == {"e-2"}

    # -- search

    def test_words_are_or_ed_and_the_better_match_comes_first(self, store: Store) -> None:
        """Any word will do; two are better than one; a short text is better than a long one that says the same."""
        put(
            store,
            episode("e-1", "we went with postgres and alembic"),
            episode("e-2", "postgres it is"),
            episode("e-3", "postgres it is, and then there was a very long talk about everything else under the sun"),
            episode("e-4", "nothing of the kind"),
        )
        with store.begin() as work:
            hits = work.search(Search("michael", ("postgres", "alembic", "kubernetes")))
        assert [hit.id for hit in hits] == ["e-1", "e-2", "e-3"]
        assert hits[0].score > hits[1].score > hits[2].score
        assert hits[0][1:2] + hits[0][3:8] == ("episode", "we went with postgres and alembic", "e-1", NOON, "s1", "ethos")

    def test_episodes_and_facts_stand_in_one_ranking(self, store: Store) -> None:
        """A fact says where it was first said."""
        first = episode("e-0", "we decided on it", said_at=at(-3), session="s0")
        put(store, first, episode(), fact(), evidence(), evidence(episode_id="e-0", said_at=at(-3)))
        with store.begin() as work:
            hits = {hit.id: hit for hit in work.search(Search("michael", ("rust",)))}
        assert {hit.type for hit in hits.values()} == {"episode", "fact"}
        assert hits["f-1"][3:8] == ("team uses Rust", "e-0", at(-3), "s0", "ethos")

    def test_a_search_may_be_for_facts_alone(self, store: Store) -> None:
        """Then no number of episodes that hold the word takes their place."""
        talk = [episode(f"e-{n}", "rust, rust and rust") for n in range(60)]
        put(store, *talk, episode(), fact(), evidence())
        with store.begin() as work:
            hits = work.search(Search("michael", ("rust",), limit=1, types=(Fact,)))
        assert [hit.id for hit in hits] == ["f-1"]

    @pytest.mark.parametrize(
        ("text", "word"),
        [
            ("Zoë loves café crème", "cafe"),
            ("we are caching everything", "cache"),
            ("Решили использовать Постгрес", "постгрес"),
            ("Ας χρησιμοποιήσουμε Ρουστ", "ρουστ"),
            ("我们决定使用数据库", "数据库"),
            ("我们决定使用数据库", "数据"),
            ("我们决定使用数据库", "库"),
            ("我们决定使用数据库", "数据库在哪里"),
            ("エディタはヴィムにします", "ヴィム"),
            ("편집기는 빔을 쓰기로 했습니다", "편집"),
            ("เราตัดสินใจใช้ฐานข้อมูล", "ฐานข้อมูล"),
            ("deploy 用 docker compose", "docker"),
            ("we use C++ and node.js", "c++"),
            ("we use C++ and node.js", "node.js"),
            ('it\'s 100% "done"', '"done"'),
        ],
    )
    def test_words_are_found_in_every_script(self, store: Store, text: str, word: str) -> None:
        """Accents are folded, English is stemmed, and scripts without spaces are looked into, down to a single letter."""
        put(store, episode("e-1", text), episode("e-2", "nothing of the kind, 没有"))
        with store.begin() as work:
            assert found(work, word) == ["e-1"]

    @settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
    @given(st.lists(st.text(max_size=12), max_size=6))
    def test_any_word_is_safe_to_search_for(self, store: Store, words: list[str]) -> None:
        """Words are data: quotes, operators, NUL and lone surrogates among them find something or nothing, and never fail."""
        put(store, episode("e-1", 'NEAR AND OR NOT * ^ " words:x 数据库'))
        with store.begin() as work:
            assert set(found(work, *words, 'NEAR("', "a\0b", "\ud800", "*", "数\0")) <= {"e-1"}

    def test_superseded_and_faded_records_are_left_out_unless_asked_for(self, store: Store) -> None:
        """They are not gone: `faded` brings them back."""
        put(
            store,
            episode("e-1", "rust here"),
            episode("e-2", "rust there"),
            salience("e-2", faded=True),
            fact("f-1"),
            fact("f-2", superseded_by="f-1"),
            fact("f-3", retired_at=NOON),
            fact("f-4"),
            salience("f-4", faded=True),
        )
        with store.begin() as work:
            assert sorted(found(work, "rust")) == ["e-1", "f-1"]
            assert sorted(found(work, "rust", faded=True)) == ["e-1", "e-2", "f-1", "f-2", "f-3", "f-4"]

    def test_search_as_of_a_day_finds_what_was_held_that_day(self, store: Store) -> None:
        """A fact superseded since is found as it stood, and what came later is not."""
        put(store, fact(), episode("e-1", "rust", captured_at=at(1)), episode("e-2", "rust", captured_at=at(5)))
        put(store, fact(version=2, statement="team uses Rust language", superseded_by="f-2", recorded_at=at(3)))
        with store.begin() as work:
            hits = work.search(Search("michael", ("rust",), as_of=at(2)))
            assert sorted((hit.id, hit.text) for hit in hits) == [("e-1", "rust"), ("f-1", "team uses Rust")]
            assert found(work, "rust", as_of=at(-1)) == []

    def test_search_keeps_to_the_user_and_the_project(self, store: Store) -> None:
        """Hundreds of better hits of others do not hide one's own; what belongs to no project is found from every project."""
        put(store, *[episode(f"e-{n}", "rust", user="alice") for n in range(300)])
        put(
            store,
            episode("e-own", "rust, said one among very many other words, so that it ranks last of all"),
            episode("e-else", "rust, said one among very many other words, so that it ranks last of all", project="other"),
            fact("f-user", project="", statement="Michael prefers Rust and says so with a good many words too"),
        )
        with store.begin() as work:
            assert sorted(found(work, "rust")) == ["e-else", "e-own", "f-user"]
            assert sorted(found(work, "rust", project="ethos")) == ["e-own", "f-user"]
            assert found(work, "rust", user="alice", limit=2) == ["e-0", "e-1"]
            assert len(found(work, "rust", user="alice", limit=120)) == 120
            assert found(work) == found(work, "", "!") == found(work, "rust", limit=0) == []

    # -- recall

    def test_candidates_come_with_their_neighbours_and_their_turns(self, store: Store) -> None:
        """Three turns to either side of the same session, and a fact says which turn it rests on."""
        put(store, *[episode(f"e-{n}", "rust" if n == 5 else "more talk") for n in range(11)], fact(), evidence(episode_id="e-8"))
        put(store, episode("e-else", "something else", session="s2"))
        with store.begin() as work:
            found = work.candidates(Search("michael", ("rust",)), 10)
            hits = work.shown(Search("michael", ()), [turn.row for turn in found.turns])
            [resting] = found.facts
        assert sorted((hits[turn.row].id for turn in found.turns), key=lambda id_: int(id_[2:])) == [f"e-{n}" for n in range(2, 11)]
        assert (resting.id, hits[resting.turn or 0].id) == ("f-1", "e-8")
        assert found.complete

    def test_candidates_are_kept_to_what_is_asked_for(self, store: Store) -> None:
        """User, project, session and type, however many better ones there are elsewhere; what is named besides is always there."""
        put(store, *[episode(f"e-{n}", "rust", user="alice") for n in range(60)])
        put(store, *[episode(f"p-{n}", "rust", project="other", session="s9") for n in range(60)])
        put(store, episode("e-own", "rust among many other words"), fact(), evidence(episode_id="e-own"), fact("f-2", "Go"))
        wanted = Search("michael", ("rust",), project="ethos")

        def told(search: Search, also: Collection[str] = ()) -> set[str]:
            with store.begin() as work:
                found = work.candidates(search, 5, also)
                rows = {turn.row for turn in found.turns} | {resting.fact.row for resting in found.facts}
                return {hit.id for hit in work.shown(search, rows).values()}

        assert told(wanted) == {"e-own", "f-1"}
        assert told(replace(wanted, types=(Fact,))) == {"f-1"}
        assert told(replace(wanted, each_of=(("rust",), ("many", "few")))) == {"e-own"}
        assert told(wanted, ["f-2", "f-none"]) == {"e-own", "f-1", "f-2"}
        assert told(replace(wanted, project=None, only=Narrowing(session="s1"))) == {"e-own", "f-1"}

    @pytest.mark.parametrize(
        ("only", "left"),
        [
            (Narrowing(), "e-1 e-2 e-3 f-1"),
            (Narrowing(session="s2"), "e-2"),
            (Narrowing(speaker="MICHAEL"), "e-1 f-1"),
            (Narrowing(speaker="tool"), "e-3"),
            (Narrowing(kind="decision"), "f-1"),
            (Narrowing(kind="signal"), "e-3"),
            (Narrowing(after=at(1)), "e-2 e-3"),
            (Narrowing(before=at(1)), "e-1 f-1"),
            (Narrowing(after=at(1), before=at(3)), "e-2"),
        ],
        ids=str,
    )
    def test_a_search_is_narrowed(self, store: Store, only: Narrowing, left: str) -> None:
        """To a session, a speaker or a role, a kind, and times; a fact was said where its turn was."""
        put(
            store,
            episode("e-1", "rust", speaker="Michael", said_at=at(0)),
            episode("e-2", "rust", speaker="Ada", said_at=at(2), session="s2"),
            episode("e-3", "rust", speaker="tool", role="tool", said_at=at(4), kind="signal"),
            fact(kind="decision"),
            evidence(said_at=at(0)),
        )
        with store.begin() as work:
            assert set(found(work, "rust", only=only)) == set(left.split())

    def test_turns_of_a_span_are_candidates_whatever_their_words(self, store: Store) -> None:
        """Of whoever is asked for."""
        said = [episode(f"e-{day}", "talk", said_at=at(day), speaker="Ada" if day % 2 else "Ben") for day in range(8)]
        put(store, *said, episode("e-alice", "talk", user="alice", said_at=at(3)))
        wanted = Search("michael", ("rust",), around=((at(2), at(6)),))
        with store.begin() as work:
            everyone, ada = (work.candidates(search, 10) for search in (wanted, replace(wanted, around_speaker="ada")))
            assert {hit.id for hit in work.shown(wanted, everyone.found).values()} == {"e-2", "e-3", "e-4", "e-5"}
            assert {hit.id for hit in work.shown(wanted, ada.found).values()} == {"e-3", "e-5"}

    def test_what_is_held_of_the_turns_of_a_span_is_a_candidate(self, store: Store) -> None:
        """Once, in the version that is held; not what rests on another day, nor where facts are not wanted."""
        put(store, *[episode(f"e-{day}", "talk", said_at=at(day)) for day in range(4)])
        put(store, fact(), evidence(episode_id="e-2"), fact("f-2", "Go"), evidence("f-2", episode_id="e-0"))
        wanted = Search("michael", ("zig",), around=((at(1), at(3)),))
        for search, facts in ((wanted, ["f-1"]), (replace(wanted, words=("rust",)), ["f-1"]), (replace(wanted, types=(Episode,)), [])):
            with store.begin() as work:
                found = work.candidates(search, 10)
                assert [resting.id for resting in found.facts] == facts

    def test_terms_are_counted_in_all_their_forms(self, store: Store) -> None:
        """Accents folded and words stemmed, as the index has them."""
        put(store, episode("e-1", "I went running"), episode("e-2", "she goes to the café"), episode("e-3", "they go and they run"))
        with store.begin() as work:
            assert work.frequencies({"go": ("go", "goes", "went"), "run": ("running",), "zig": ("zig",)}) == {"go": 3, "run": 2, "zig": 0}

    def test_speakers_are_known_by_their_name_or_its_beginning(self, store: Store) -> None:
        """With how much each has said; who has nothing left to say is not known any more."""
        put(store, *[episode(f"e-{n}", speaker="Ada Lovelace") for n in range(3)], episode("e-9", speaker="Ada"), episode("e-8"))
        with store.begin() as work:
            assert work.speakers(["ADA"]) == {"ada lovelace": 3, "ada": 1}
            assert work.speakers(["ada lovelace", "nobody"]) == {"ada lovelace": 3}
            assert work.turns() == 5
        forget(store, "e-9", "e-8")
        with store.begin() as work:
            assert work.speakers(["ada"]) == {"ada lovelace": 3}
            assert work.turns() == 3

    # -- summaries

    @pytest.mark.parametrize(("role", "given"), [("user", ["e-1", "e-9"]), ("assistant", ["e-1", "e-9"]), ("tool", []), ("system", [])])
    def test_g16_a_session_is_to_be_told_again_once_somebody_speaks_in_it(self, store: Store, role: str, given: list[str]) -> None:
        """Then with what no summary tells of it so far; what a tool printed or the system said is no reason."""
        put(store, *[episode(f"e-{n}", said_at=at(n / 10)) for n in range(2)], Telling("e-0", "u-1", "r-1"), Telling("e-1", "", "r-1"))
        put(store, episode("e-9", role=role, said_at=at(0.9)))
        assert untold(store) == given

    @pytest.mark.parametrize(
        ("elsewhere", "given"),
        [
            ({"session": "s2"}, ["e-9"]),
            ({"project": "other"}, ["e-9"]),
            ({"user": "alice"}, []),
            ({"said_at": at(1)}, []),
            ({"said_at": at(2)}, []),
        ],
    )
    def test_g16_a_session_does_not_go_on_elsewhere(self, store: Store, elsewhere: dict[str, Any], given: list[str]) -> None:
        """In another session or project, of another user, or from the end of the day on."""
        put(store, episode("e-0"), Telling("e-0", "", "r-1"), episode("e-9", **elsewhere))
        assert untold(store) == given

    def test_g16_a_session_that_goes_on_is_told_without_what_is_not_its_own(self, store: Store) -> None:
        """Of its user and of the time before, and no output of tools; what the system said belongs to it."""
        own = [episode("e-1", role="assistant"), episode("e-2", role="system", said_at=at(0.1)), episode("e-3", said_at=at(0.999))]
        strangers: tuple[dict[str, Any], ...] = (
            {"role": "tool"},
            {"user": "alice"},
            {"project": "other", "user": "alice"},
            {"session": "s2", "role": "system"},
            {"said_at": at(1)},
        )
        put(store, *own, *[episode(f"e-stranger-{n}", **changes) for n, changes in enumerate(strangers)])
        assert untold(store) == ["e-1", "e-2", "e-3"]

    def test_g16_sessions_come_by_project_and_name_and_turns_as_they_were_said(self, store: Store) -> None:
        """Of one time in the order of their sources, and in a source in its own. At the limit the last session comes whole, and no more."""
        told = (
            episode("e-z", project="a", session="s2", source="2"),
            episode("e-y", project="a", session="s2", source="2"),
            episode("e-x", project="a", session="s2", source="1"),
            episode("e-w", project="a", session="s2", source="3", said_at=at(-1)),
            episode("e-v", project="b", session="s3", said_at=at(-4)),
            episode("e-u", project="a", session="s1"),
            episode("e-t", project="a", session="s3", said_at=at(-3)),
        )
        put(store, *told)
        assert untold(store) == ["e-u", "e-w", "e-x", "e-z", "e-y", "e-t", "e-v"]
        for limit, whole in ((1, 1), (2, 5), (5, 5), (6, 6), (7, 7), (8, 7)):
            assert len(untold(store, limit)) == whole

    # -- operate

    def test_runs_are_listed_newest_first(self, store: Store) -> None:
        """By name on request; a run put again is the same run, further on."""
        started = [Run(f"r-{n}", name, "", None, at(n)) for n, name in enumerate(("consolidate", "capture", "consolidate"))]
        put(store, *started, replace(started[2], outcome="done", ended_at=at(3)))
        with store.begin() as work:
            assert [run.id for run in work.runs()] == ["r-2", "r-1", "r-0"]
            assert [run.id for run in work.runs(name="consolidate", limit=1)] == ["r-2"]
            assert work.runs(limit=1)[0].outcome == "done"

    def test_e38_counts_tell_the_whole_store(self, store: Store) -> None:
        """Every number of `status`, each a different one here."""
        put(store, *[episode(f"e-{n}") for n in range(9)])
        put(
            store,
            EpisodeState("e-0", NOON, RULES, NOON),
            EpisodeState("e-1", NOON, RULES),
            EpisodeState("e-2", set_aside="tried"),
            EpisodeState("e-3", pruned=True),
        )
        put(
            store,
            *[fact(f"f-{n}", flagged=n < 2) for n in range(5)],
            fact("f-5", superseded_by="f-0"),
            question(),
            salience("e-1", faded=True),
        )
        put(store, *[evidence("f-0", f"e-{n}") for n in range(6)])
        with store.begin() as work:
            counts = work.counts(RULES)
        assert (counts.episodes, counts.unconsolidated, counts.unscanned, counts.set_aside) == (9, 7, 5, 1)
        assert (counts.facts, counts.facts_history, counts.flagged, counts.questions) == (5, 1, 2, 1)
        assert (counts.faded, counts.evidence) == (1, 6)

    def test_e03_live_captures_are_remembered(self, store: Store) -> None:
        """When the last one was, and how many there were since."""
        with store.begin(write=True) as work:
            assert work.latest_live_capture() is None
            for days in (2, 1, 3):
                work.record_live_capture("s1", at(days))
            assert work.latest_live_capture() == at(3)
            assert work.live_captures(at(2), at(9)) == 2
            assert work.live_captures(at(2), at(2)) == 1

    # -- transactions

    def test_an_exception_takes_everything_back(self, store: Store) -> None:
        """What was written before it in the same transaction is not there."""

        def fail() -> None:
            with store.begin(write=True) as work:
                work.apply(one("", episode()), "r-1")
                assert "e-1" in work.episodes(["e-1"])
                raise LookupError

        with pytest.raises(LookupError):
            fail()
        with store.begin() as work:
            assert work.episodes(["e-1"]) == {}

    def test_a_reader_sees_one_state(self, store: Store) -> None:
        """What a writer commits meanwhile is seen by the next reader."""
        put(store, episode())
        with store.begin() as reader:
            assert reader.counts(RULES).episodes == 1
            put(store, episode("e-2"))
            assert reader.counts(RULES).episodes == 1
        with store.begin() as reader:
            assert reader.counts(RULES).episodes == 2

    def test_e36_only_the_group_that_cannot_be_written_is_left_out(self, store: Store) -> None:
        """The other episodes' facts and marks go in; of the failing one nothing does, and its cause is named."""
        groups = tuple(
            ChangeSet(
                f"e-{n}",
                (
                    fact(f"f-{n}", f"Rust {n}", confidence=7.0 if n == 1 else 0.9),
                    evidence(f"f-{n}", f"e-{n}"),
                    EpisodeState(f"e-{n}", NOON, RULES, NOON),
                ),
            )
            for n in range(3)
        )
        put(store, *[episode(f"e-{n}") for n in range(3)])
        with store.begin(write=True) as work:
            applied = work.apply(Plan((*groups, ChangeSet("e-new", (episode("e-new"),)))), "r-1")
        assert [failure.cause for failure in applied.failures] == ["e-1"]
        assert applied.failures[0].error
        assert applied.episodes_added == 1
        with store.begin() as work:
            assert [f.id for f in work.facts(FactFilter("michael"))] == ["f-0", "f-2"]
            assert work.marks(["e-1"]) == {"e-1": EpisodeState("e-1")}
            assert work.evidence_in(["e-1"]) == []
        assert store.check() == []

    def test_e36_a_fact_whose_successor_was_left_out_is_reported(self, store: Store) -> None:
        """So that the unit is rolled back: a fact never ends without a successor that is held."""
        ended = ChangeSet("a", (fact("f-1", superseded_by="f-2"), fact("f-3", "Go", superseded_by="f-4")))
        refused = ChangeSet("b", (fact("f-2", "Zig", confidence=7.0),))
        successor = ChangeSet("c", (fact("f-4", "Julia"),))
        with store.begin(write=True) as work:
            applied = work.apply(Plan((ended, refused, successor)), "r-1")
        assert [failure.cause for failure in applied.failures] == ["b"]
        assert applied.dangling == (("f-1", "f-2"),)

    @pytest.mark.parametrize(
        "stray",
        [EpisodeState("e-none", NOON), evidence("f-none"), evidence("f-1", "e-none"), salience("e-none"), episode("e-2", "\ud800")],
        ids=str,
    )
    def test_a_record_that_cannot_stand_alone_is_refused(self, store: Store, stray: Record) -> None:
        """A mark, evidence or salience of something that is not held, or a text that is none, fails its group and nothing else."""
        put(store, episode(), fact(), evidence())
        with store.begin(write=True) as work:
            applied = work.apply(Plan((ChangeSet("bad", (stray,)), ChangeSet("good", (episode("e-9"),)))), "r-1")
        assert [failure.cause for failure in applied.failures] == ["bad"]
        assert applied.episodes_added == 1
        assert store.check() == []

    def test_x_e8_marks_that_are_set_together_fail_one_by_one(self, store: Store) -> None:
        """Episodes in which nothing was found are marked in one put; one that is not held is refused, and takes no other along."""
        put(store, episode(), episode("e-2"))
        together = ChangeSet("", (ScannedBatch(("e-1", "e-none", "e-2"), NOON, RULES), episode("e-3")))
        with store.begin(write=True) as work:
            applied = work.apply(Plan((together,)), "r-1")
        assert [failure.cause for failure in applied.failures] == ["e-none"]
        with store.begin() as work:
            assert work.marks(["e-1", "e-2", "e-3"]) == {
                "e-1": EpisodeState("e-1", NOON, RULES),
                "e-2": EpisodeState("e-2", NOON, RULES),
                "e-3": EpisodeState("e-3"),
            }

    # -- forgetting

    def test_what_a_plan_forgets_is_gone_with_all_that_hangs_on_it(self, store: Store) -> None:
        """An episode goes with its mark, evidence, suspicion and place in the index; a fact with its versions; the rest stays."""
        put(store, *EVERY_RECORD, episode("e-2", "We decided to use Zig"), fact("f-2", "Zig"), evidence("f-2", "e-2"), salience("f-2"))
        with store.begin(write=True) as work:
            work.count_retrievals(["e-1", "e-2"], "s9", NOON)
            work.apply(Plan((ChangeSet("", (), ("e-1", "f-1", "c-1")),)), "r-2")
        with store.begin() as work:
            assert [each.id for each in work.records(Episode)] == ["e-2"]
            assert [each.id for each in work.records(Fact)] == ["f-2"]
            assert [each.fact for each in work.records(Evidence)] == ["f-2"]
            assert [each.record for each in work.records(Salience)] == ["f-2"]
            assert [*work.records(WeakClaim), *work.records(Question)] == []
            assert [each.episode for each in work.records(EpisodeState)] == ["e-2"]
            assert work.retrieved(["e-1", "e-2"], "s9") == {"e-2"}
            assert found(work, "rust") == []
            assert sorted(found(work, "zig")) == ["e-2", "f-2"]
        assert store.check() == []

    def test_a_fact_that_is_forgotten_and_put_is_written_anew(self, store: Store) -> None:
        """Every version is as it was put again; what rests on it and how alive it is stay; nothing of it is journalled."""
        later = fact(obj="Rust and Zig", version=2, recorded_at=at(1))
        put(store, episode(), fact(), evidence(), salience("f-1"))
        put(store, later, run="r-2")
        anew = [fact(closed_at=at(1)), replace(later, object="Rust", object_key="rust", statement="team uses Rust")]
        with store.begin(write=True) as work:
            work.apply(Plan((ChangeSet("", tuple(anew), ("f-1",)),)), "r-3")
        with store.begin() as work:
            assert work.versions(["f-1"]) == anew
            assert len(work.evidence(["f-1"])) == 1
            assert "f-1" in work.salience(["f-1"])
            assert found(work, "zig") == []
        assert store.check() == []

    def test_tombstones_are_known_again(self, store: Store) -> None:
        """Under keyed hashes alone; nothing is asked of a store that never forgot."""
        with store.begin(write=True) as work:
            assert not work.anything_buried()
            work.bury(["a", "b"], NOON)
            work.bury(["b"], NOON)
        with store.begin() as work:
            assert work.anything_buried()
            assert work.buried(["b", "c"]) == {"b"}
            assert work.buried() == {"a", "b"}

    def test_what_was_shown_is_known_again(self, store: Store) -> None:
        """By its marks; the first time counts."""
        later = NOON + timedelta(hours=1)
        with store.begin(write=True) as work:
            assert not work.anything_served()
            work.serve({"a": NOON, "b": later})
            work.serve({"a": later})
        with store.begin() as work:
            assert work.anything_served()
            assert work.served(["a", "b", "c"]) == {"a": NOON, "b": later}

    def test_what_is_left_in_the_index_is_counted(self, store: Store) -> None:
        """A word that no record has any more is not in the index once the file was made anew."""
        put(store, episode(text="platypus 鸭嘴兽很可爱"), episode("e-2", "a duck 鸭嘴"))
        with store.begin(write=True) as work:
            work.apply(Plan((ChangeSet("", (), ("e-1",)),)), "r-2")
        if store.file is not None:
            store.file.rewrite()
            assert store.file.left_in_index(["platypus 鸭嘴兽很可爱", "duck"]) == 0
        assert store.check() == []

    def test_referring_facts_and_suspects_of_episodes_are_found(self, store: Store) -> None:
        """What names another as its successor, in any version; what was suspected in an episode."""
        put(store, episode(), fact(superseded_by="f-2"), fact("f-2", "Go"), evidence(), evidence("f-2"), weak_claim())
        with store.begin() as work:
            assert work.referring(["f-2"]) == {"f-1"}
            assert work.referring([]) == frozenset()
            assert list(work.weak_claims_in(["e-1"])) == [weak_claim()]

    # -- the unit in hand

    def test_an_episode_in_hand_when_the_process_died_has_one_attempt_more(self, store: Store, tmp_path: Path) -> None:
        """The unit was begun and never finished; the next process learns of it once."""
        put(store, episode(), episode("e-2"))
        store.begin_unit(["e-1"])
        again = self.open(tmp_path)
        assert again.recover() == 1
        assert again.recover() == 0
        with again.begin() as work:
            assert {mark.episode: mark.attempts for mark in work.marks(["e-1", "e-2"]).values()} == {"e-1": 1, "e-2": 0}
        again.close()

    def test_a_unit_that_was_applied_is_out_of_hand(self, store: Store, tmp_path: Path) -> None:
        """In the very transaction that marks its episodes: rolled back, it is still in hand; committed, it is not."""
        put(store, episode(), episode("e-2"))
        store.begin_unit(["e-1"])
        put(store, episode("e-3"))  # a capture in between is not the unit

        def rehearse() -> None:
            with store.begin(write=True) as work:
                work.apply(one("e-1", EpisodeState("e-1", NOON, RULES)), "r-1")
                raise LookupError

        with pytest.raises(LookupError):
            rehearse()
        store.begin_unit(["e-1", "e-2"])  # the unit before was given up, by a process that lives
        put(store, EpisodeState("e-1", NOON, RULES), EpisodeState("e-2", NOON, RULES))
        again = self.open(tmp_path)
        assert again.recover() == 0
        again.close()

    # -- the store as a whole

    def test_a_sound_store_has_nothing_to_report(self, store: Store) -> None:
        """After all kinds of records, and before any."""
        assert store.check() == []
        put(store, episode("e-1", "数据库"), fact(), evidence())
        put(store, fact(version=2, statement="team uses Rust 数据库", recorded_at=at(1)))
        if store.file is not None:
            store.file.compact()
        assert store.check() == []

    def test_it_is_all_there_after_opening_again(self, store: Store, tmp_path: Path) -> None:
        """Closing and opening loses nothing."""
        put(store, *EVERY_RECORD)
        store.close()
        again = self.open(tmp_path)
        with again.begin() as work:
            assert work.fact("f-1") == [EVERY_RECORD[2]]
        again.close()
