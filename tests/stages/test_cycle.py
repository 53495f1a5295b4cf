"""The cycle on a real store: from what was said to what is held, and what a person is asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from ethos.app import CYCLE_COUNTS, Cycle, Ethos
from ethos.core.model.errors import Refused
from ethos.core.model.events import Criterion
from ethos.core.model.records import Fact, Origin
from ethos.core.model.settings import Settings
from ethos.core.ports.queries import FactFilter
from ethos.store.sqlite.driver import library
from tests.conftest import SetClock
from tests.support.telling import NOON, said

MINE = FactFilter("default")


def day(number: float) -> timedelta:
    """So many days after noon."""
    return timedelta(days=number)


def tell(ethos: Ethos, *words: str, session: str = "s1") -> Cycle:
    """Each a turn of Michael's, a day after the last one; then a cycle."""
    ethos.capture(said(turn, at=NOON + day(i), session=session) for i, turn in enumerate(words))
    return ethos.consolidate(reason="test")


def held(ethos: Ethos, **wanted: object) -> list[Fact]:
    """Facts by filter."""
    return list(ethos.facts(replace(MINE, **wanted)))  # type: ignore[arg-type]  # (the test's own words)


def test_e15_a_decision_becomes_a_fact_with_its_evidence(ethos: Ethos) -> None:
    """ "We decided to use Rust" is told once, and is held with the words it rests on."""
    cycle = tell(ethos, "We decided to use Rust for all backend services")
    assert cycle.counts == dict(zip(CYCLE_COUNTS, (1, 1, 1, 0, 0, 0), strict=True))
    (fact,) = held(ethos)
    assert (fact.kind, fact.subject, fact.predicate, fact.object, fact.confidence) == ("decision", "team", "uses", "Rust", 0.90)
    why = ethos.why(fact.id)
    (piece,) = why.evidence
    quoted = why.episodes[piece.episode].text[piece.start : piece.end]
    assert "decided to use Rust" in quoted


def test_e07_e26_an_episode_is_consolidated_once_and_only_on_promotion(ethos: Ethos) -> None:
    """A turn that gives a fact is marked; one that gives none is only scanned; neither is read again under the same rules."""
    tell(ethos, "We decided to use Rust", "Nice weather today")
    with ethos.store.begin() as work:
        marks = {
            m.episode: m for m in work.marks([said("We decided to use Rust").id, said("Nice weather today", at=NOON + day(1)).id]).values()
        }
    assert sorted(m.consolidated_at is not None for m in marks.values()) == [False, True]
    assert all(m.scanned_rules == ethos.rules.hash for m in marks.values())
    assert ethos.consolidate().episodes_scanned == 0


def test_a_second_cycle_changes_nothing(ethos: Ethos) -> None:
    """Idempotent: no episode, fact, evidence or question is different after it."""
    tell(ethos, "Michael prefers Rust over Python", "Michael prefers Python over Rust", "We'll use Redis for caching")
    before = (held(ethos, history=True), ethos.inbox(resolved=True), ethos.status().counts)
    assert sum(ethos.consolidate().counts.values()) == 0
    assert (held(ethos, history=True), ethos.inbox(resolved=True), ethos.status().counts) == before


def test_capturing_again_adds_nothing(ethos: Ethos) -> None:
    """The same turn has the same id; another text under that id is reported and not taken."""
    first = said("We decided to use Rust", record="1")
    assert ethos.capture([first, first]).added == 1
    again = ethos.capture([first, replace(first, text="We decided to use Go")])
    assert (again.added, again.known, again.changed) == (0, 1, (first.id,))
    with ethos.store.begin() as work:
        assert work.episodes([first.id])[first.id].text == "We decided to use Rust"


def test_e08_e18_importance_that_was_given_selects_and_falls_back(ethos: Ethos) -> None:
    """Five episodes that hold no extractable phrase, three of them at .9, two at .3: scanned 5, promoted 3."""
    words = "it was decided then, after a long talk"
    ethos.capture(said(f"{i}: {words}", importance=importance, at=NOON + day(i)) for i, importance in enumerate((0.9, 0.9, 0.9, 0.3, 0.3)))
    cycle = ethos.consolidate()
    assert (cycle.episodes_scanned, cycle.episodes_promoted) == (5, 3)
    assert {f.confidence for f in held(ethos)} == {0.70}
    assert {f.predicate for f in held(ethos)} == {"contains"}


def test_e18_an_estimated_importance_never_triggers_the_fallback(ethos: Ethos) -> None:
    """Even where the estimate reaches the threshold."""
    ethos.capture([replace(said("Nothing to extract in here at all"), importance=0.95)])
    assert ethos.consolidate().episodes_promoted == 0


def test_e19_low_importance_and_no_match_is_skipped(ethos: Ethos) -> None:
    """ "Random low importance content" gives no fact."""
    ethos.capture([said("Random low importance content", importance=0.3)])
    cycle = ethos.consolidate()
    assert (cycle.episodes_scanned, cycle.episodes_promoted) == (1, 0)
    assert held(ethos) == []


def test_e10_e11_e12_e13_any_one_criterion_suffices(ethos: Ethos) -> None:
    """A decision, a preference, a marker, and an importance each select; the cycle says by what."""
    cycle = tell(
        ethos, "Let's go with Postgres", "Michael's favorite language is Rust", "Remember this: The API key is stored in the vault"
    )
    assert cycle.episodes_promoted == 3
    ethos.capture([said("A grave matter, all of it", importance=0.9, at=NOON + day(9))])
    assert ethos.consolidate().criteria == {"importance": 1}


def test_e13_a_unit_is_capped_and_the_rest_waits(open_ethos: Callable[[Settings], Ethos], settings: Settings) -> None:
    """With a unit of two, one unit reads two of five; the rest is left, and a drain gets it all."""
    small = replace(settings, consolidation=replace(settings.consolidation, batch_size=2))
    ethos = open_ethos(small)
    ethos.capture(said(f"Turn number {i}") for i in range(5))
    cycle = ethos.consolidate(units=1)
    assert (cycle.episodes_scanned, cycle.more) == (2, True)
    assert ethos.consolidate().episodes_scanned == 3


def test_fault_h3_units_are_taken_in_the_order_of_speech_and_nothing_starves(
    open_ethos: Callable[[Settings], Ethos], settings: Settings
) -> None:
    """However much unextractable text is important and was said before, the one decision behind it is reached."""
    small = replace(settings, consolidation=replace(settings.consolidation, batch_size=1))
    ethos = open_ethos(small)
    ethos.capture(
        [said("We decided to use Rust", importance=0.1, at=NOON + day(1)), *(said(f"Dull but grave {i}", importance=0.7) for i in range(4))]
    )
    for _ in range(4):
        assert ethos.consolidate(units=1).episodes_promoted == 0
    assert ethos.consolidate(units=1).episodes_promoted == 1


def test_e13_busy_pre_empts_between_units(open_ethos: Callable[[Settings], Ethos], settings: Settings) -> None:
    """The daemon's `keep_going` is asked before each unit."""
    ethos = open_ethos(replace(settings, consolidation=replace(settings.consolidation, batch_size=1)))
    ethos.capture(said(f"Turn {i}") for i in range(4))
    answers = iter([True, True, False])
    assert ethos.consolidate(keep_going=lambda: next(answers)).episodes_scanned == 2


def test_e21_e22_e29_counts_hold_per_fact(ethos: Ethos) -> None:
    """created + updated + superseded + flagged is the number of claims, and promoted never exceeds scanned."""
    cycle = tell(
        ethos,
        "We decided to use Rust",
        "We decided to use Rust 2024",
        "We decided to use Python",
        "Michael prefers Rust over Python",
        "Michael prefers Python over Rust",
        "Nothing at all",
    )
    assert (cycle.facts_created, cycle.facts_updated, cycle.facts_superseded, cycle.facts_flagged) == (2, 1, 1, 1)
    assert cycle.episodes_promoted == 5 <= cycle.episodes_scanned


def test_e22_a_refinement_is_a_new_version_and_the_old_one_stays_readable(ethos: Ethos) -> None:
    """The longer object stays, confidence grows by 0.05, and the first version is closed, not lost (X-E4)."""
    tell(ethos, "We decided to use Rust", "We decided to use Rust 2024")
    (now,) = held(ethos)
    assert (now.object, now.confidence, now.version) == ("Rust 2024", 0.95, 2)
    first, second = ethos.why(now.id).versions
    assert (first.object, first.closed_at) == ("Rust", second.recorded_at)
    assert len(ethos.why(now.id).evidence) == 2


def test_e23_a_decision_supersedes_and_nothing_is_deleted(ethos: Ethos) -> None:
    """Rust takes the place of Python; the old fact knows by what, and until when it was true."""
    tell(ethos, "We decided to use Python", "We decided to use Rust")
    (new,) = held(ethos)
    old = next(f for f in held(ethos, history=True) if f.object == "Python" and f.closed_at is None)
    assert (new.object, old.superseded_by, old.valid_to) == ("Rust", new.id, NOON + day(1))


def test_resolution_goes_by_when_it_was_said_not_by_when_it_came_in(ethos: Ethos) -> None:
    """An older decision that is captured late goes in already superseded."""
    ethos.capture([said("We decided to use Rust", at=NOON + day(5))])
    ethos.consolidate()
    ethos.capture([said("We decided to use Python", at=NOON)])
    assert ethos.consolidate().facts_superseded == 1
    assert [f.object for f in held(ethos)] == ["Rust"]


def test_identity_a_then_b_then_a_is_a_third_fact(ethos: Ethos) -> None:
    """Coming back to Python is news, not the first fact again."""
    tell(ethos, "We decided to use Python", "We decided to use Rust", "We decided to use Python")
    ids = {f.id for f in held(ethos, history=True)}
    assert len(ids) == 3
    assert [f.object for f in held(ethos)] == ["Python"]


def test_e25_a_contradiction_stands_flagged_and_asks(ethos: Ethos) -> None:
    """Both claims stay, both flagged, and one question is open."""
    cycle = tell(ethos, "Michael prefers Rust over Python", "Michael prefers Python over Rust")
    assert cycle.facts_flagged == 1
    assert {(f.object, f.flagged) for f in held(ethos)} == {("Rust", True), ("Python", True)}
    (entry,) = ethos.inbox()
    assert entry.existing is not None
    assert (entry.existing.object, entry.new.object) == ("Rust", "Python")


def test_xe17_the_same_contradiction_again_only_counts(ethos: Ethos) -> None:
    """One entry for a pair; hearing it again raises its counter."""
    tell(ethos, "Michael prefers Rust over Python", "Michael prefers Python over Rust", "Michael prefers Python over Rust")
    (entry,) = ethos.inbox()
    assert entry.question.repeats == 1


@pytest.mark.parametrize(
    ("action", "left", "superseded"),
    [("keep-old", {"Rust"}, "Python"), ("keep-new", {"Python"}, "Rust"), ("keep-both", {"Rust", "Python"}, None)],
)
def test_xe11_the_three_answers(ethos: Ethos, action: str, left: set[str], superseded: str | None) -> None:
    """The loser is superseded and stays as history; with keep-both neither is doubted any more."""
    tell(ethos, "Michael prefers Rust over Python", "Michael prefers Python over Rust")
    (entry,) = ethos.inbox()
    answered = ethos.answer(entry.question.id, action)  # type: ignore[arg-type]  # (a table's column)
    assert answered.applied
    assert {f.object for f in held(ethos)} == left
    assert not any(f.flagged for f in held(ethos))
    assert [f.object for f in held(ethos, history=True) if f.superseded_by] == ([superseded] if superseded else [])
    assert ethos.inbox() == ()
    assert not ethos.answer(entry.question.id, action).applied  # type: ignore[arg-type]  # (a table's column)


def test_a_rejected_claim_does_not_come_back_by_being_said_again(ethos: Ethos) -> None:
    """After keep-old, the same preference again neither flags nor asks."""
    tell(ethos, "Michael prefers Rust over Python", "Michael prefers Python over Rust")
    ethos.answer(ethos.inbox()[0].question.id, "keep-old")
    ethos.capture([said("Michael prefers Python over Rust", at=NOON + day(9))])
    assert ethos.consolidate().facts_flagged == 0
    assert {f.object for f in held(ethos)} == {"Rust"}
    assert ethos.inbox() == ()


def test_a_second_choice_after_the_first_is_refused(ethos: Ethos) -> None:
    """What was decided is not overwritten by accident; the error says where to look."""
    tell(ethos, "Michael prefers Rust over Python", "Michael prefers Python over Rust")
    question = ethos.inbox()[0].question.id
    ethos.answer(question, "keep-new")
    with pytest.raises(Refused) as refused:
        ethos.answer(question, "keep-old")
    assert f"ethos why {question}" in refused.value.problem.hint
    with pytest.raises(Refused):
        ethos.answer("c-nothing", "keep-old")


def test_a_question_is_moot_when_a_third_claim_retires_both(ethos: Ethos) -> None:
    """A replacement that outweighs both sides closes the question; nobody is asked about the dead."""
    tell(
        ethos,
        "Michael prefers Rust over Python",
        "Michael prefers Python over Rust",
    )
    rust, python = ethos.inbox()[0].existing, ethos.inbox()[0].new
    assert rust is not None
    assert rust.flagged
    assert python.flagged
    ethos.answer(ethos.inbox()[0].question.id, "keep-both")
    assert not any(f.flagged for f in held(ethos))


def test_xe13_a_session_filters_and_an_unknown_one_gives_zeros(ethos: Ethos) -> None:
    """A trigger for one session leaves the others alone."""
    ethos.capture([said("We decided to use Rust", session="a"), said("Let's go with Postgres", session="b")])
    assert ethos.consolidate(session="nowhere").counts == dict.fromkeys(CYCLE_COUNTS, 0)
    assert ethos.consolidate(session="a").episodes_scanned == 1
    assert [f.object for f in held(ethos)] == ["Rust"]


def test_decisions_come_from_the_user_alone(ethos: Ethos) -> None:
    """What a tool or an assistant says is kept, and gives no fact."""
    ethos.capture(
        [
            said("We decided to use Rust", role="assistant", origin=Origin.ASSISTANT),
            said("Remember this: my editor is Vim", role="tool", origin=Origin.TOOL),
        ]
    )
    assert ethos.consolidate().episodes_promoted == 0


def test_a_dry_run_says_what_it_would_do_and_does_nothing(ethos: Ethos) -> None:
    """The plan is printed and rolled back; the real run then gives the same counts."""
    ethos.capture([said("We decided to use Rust")])
    rehearsed = ethos.consolidate(dry_run=True)
    assert rehearsed.facts_created == 1
    assert any("Rust" in line.text for line in rehearsed.diff)
    assert held(ethos) == []
    assert ethos.consolidate().counts == rehearsed.counts


def test_e09_what_is_asked_for_often_is_read_again(ethos: Ethos, clock: SetClock) -> None:
    """Five sessions that retrieve an episode select it, though its words did not (X-E7: the default rules then still skip it)."""
    ethos.capture([said("The heron stood in the reeds")])
    ethos.consolidate()
    for session in range(5):
        clock.move(days=1)
        assert ethos.recall("heron", session=f"s{session}")
        assert ethos.recall("heron", session=f"s{session}")
    with ethos.store.begin() as work:
        (utterance,) = work.unscanned(ethos.rules.hash, session=None, limit=10)
    assert utterance.retrievals == 5
    cycle = ethos.consolidate()
    assert (cycle.episodes_scanned, cycle.episodes_promoted) == (1, 0)


def test_e06_what_nobody_asks_for_fades_and_comes_back(ethos: Ethos, clock: SetClock) -> None:
    """After a quarter of a year an episode is out of default recall; asked for with `faded` it is there, and counted it lives again."""
    ethos.capture([said("The heron stood in the reeds")])
    ethos.consolidate()
    clock.move(days=90)
    assert ethos.consolidate().faded == 1
    assert ethos.consolidate().faded == 0
    assert ethos.recall("heron") == ()
    assert len(ethos.recall("heron", faded=True, session="s")) == 1
    assert len(ethos.recall("heron")) == 1


def test_xe1_a_weak_claim_repeated_in_three_episodes_is_promoted(open_ethos: Callable[[Settings], Ethos], settings: Settings) -> None:
    """With a floor that makes every claim weak, two tellings are only suspected; the third, in another episode, is believed at 0.75."""
    strict = replace(settings, consolidation=replace(settings.consolidation, min_confidence=0.99))
    ethos = open_ethos(strict)
    ethos.capture(said("We decided to use Rust", at=NOON + day(i)) for i in range(2))
    assert ethos.consolidate().episodes_promoted == 0
    ethos.capture(said("We decided to use Rust", at=NOON + day(i)) for i in range(2, 3))
    cycle = ethos.consolidate()
    assert cycle.criteria[Criterion.REPETITION] == 1
    assert [f.confidence for f in held(ethos)] == [0.75]


@pytest.mark.parametrize("against", ["We decided not to use Redis.", "We dropped Redis."])
def test_e24_a_decision_against_something_retires_the_one_for_it(ethos: Ethos, against: str) -> None:
    """In whatever slot that one stands: Redis is a cache, and what nobody uses is of no class."""
    tell(ethos, "We decided to use Redis.", against)
    assert [(fact.object, fact.polarity) for fact in held(ethos)] == [("Redis", "-")]
    assert "Redis" in [fact.object for fact in held(ethos, history=True) if fact.superseded_by]


def test_a_favorite_is_one_of_what_it_is_the_favorite_of(ethos: Ethos) -> None:
    """Of a class that nobody listed, too: the predicate says what it is for."""
    tell(ethos, "My favorite test runner is pytest.", "My favorite test runner is now Zorp.")
    assert [fact.object for fact in held(ethos)] == ["Zorp"]


def test_as_of_answers_what_was_held_that_day(ethos: Ethos, clock: SetClock) -> None:
    """Two times: what we know now, and what we knew then."""
    ethos.capture([said("We decided to use Python")])
    ethos.consolidate()
    then = clock.now()
    clock.move(days=3)
    ethos.capture([said("We decided to use Rust", at=NOON + day(2))])
    ethos.consolidate()
    assert [f.object for f in held(ethos, as_of=then)] == ["Python"]
    assert [f.object for f in held(ethos)] == ["Rust"]


def test_literal_mode_is_the_runbook(open_ethos: Callable[[Settings], Ethos], settings: Settings) -> None:
    """X-E25: with `literal` two loves collide and are asked about; by default they stand side by side."""
    literal = open_ethos(
        replace(
            settings,
            ethos=replace(settings.ethos, database=settings.ethos.database + "2"),
            conflict_resolution=replace(settings.conflict_resolution, literal=True),
        )
    )
    usual = open_ethos(settings)
    words = ("Zoë loves café", "Zoë loves long walks")
    assert tell(usual, *words).facts_flagged == 0
    assert tell(literal, *words).facts_flagged == 1


def test_preferences_follow_the_user_and_decisions_the_project(ethos: Ethos) -> None:
    """The database of one project says nothing about another; the preferred language is the same person's in both."""
    ethos.capture(
        [
            said("We decided to use Postgres", project="a"),
            said("We decided to use SQLite", project="b", at=NOON + day(1)),
            said("Michael prefers Rust over Python", project="a", at=NOON + day(2)),
            said("Michael prefers Rust over Python", project="b", at=NOON + day(3)),
        ]
    )
    cycle = ethos.consolidate()
    assert (cycle.facts_created, cycle.facts_updated, cycle.facts_superseded) == (3, 1, 0)


def test_e36_a_refused_upsert_leaves_only_its_episode(ethos: Ethos, tmp_path: Path) -> None:
    """The store refuses one fact: that episode stays unmarked and is counted as tried, the others go in, and it is tried again."""
    database = library().module.connect(tmp_path / "ethos.db")
    database.execute("CREATE TRIGGER refuse BEFORE INSERT ON facts WHEN NEW.object = 'Rust' BEGIN SELECT RAISE(ABORT, 'no Rust here'); END")
    database.commit()
    rust, nomad = said("We decided to use Rust"), said("We'll use Redis for caching", at=NOON + day(1))
    ethos.capture([rust, nomad])
    cycle = ethos.consolidate()
    assert [cause for cause, _ in cycle.failures] == [rust.id]
    assert "no Rust here" in cycle.failures[0][1]
    assert [f.object for f in held(ethos)] == ["Redis"]
    with ethos.store.begin() as work:
        mark = work.marks([rust.id])[rust.id]
    assert (mark.consolidated_at, mark.attempts, mark.set_aside) == (None, 1, None)
    database.execute("DROP TRIGGER refuse")
    database.commit()
    database.close()
    assert ethos.consolidate().facts_created == 1


def test_e36_an_episode_that_failed_three_times_is_set_aside_and_reported(ethos: Ethos, tmp_path: Path) -> None:
    """It is not retried for ever; `status` counts it, and its text is still there."""
    database = library().module.connect(tmp_path / "ethos.db")
    database.execute("CREATE TRIGGER refuse BEFORE INSERT ON facts BEGIN SELECT RAISE(ABORT, 'no'); END")
    database.commit()
    database.close()
    ethos.capture([said("We decided to use Rust")])
    assert [len(ethos.consolidate().failures) for _ in range(4)] == [1, 1, 1, 0]
    assert ethos.status().counts.set_aside == 1
    assert ethos.status().counts.episodes == 1


def test_an_episode_that_killed_the_process_is_tried_alone_and_then_set_aside(ethos: Ethos) -> None:
    """What was in hand when a process died is counted as tried; the third death sets it aside."""
    poison, good = said("We decided to use Rust"), said("We'll use Redis for caching", at=NOON + day(1))
    ethos.capture([poison, good])
    ethos.store.begin_unit([poison.id, good.id])
    assert ethos.store.recover() == 2
    with ethos.store.begin() as work:
        assert len(work.unscanned(ethos.rules.hash, session=None, limit=10)) == 1
    for _ in range(2):
        ethos.store.begin_unit([poison.id])
        ethos.store.recover()
    cycle = ethos.consolidate()
    assert (cycle.episodes_scanned, cycle.facts_created) == (1, 1)
    assert ethos.status().counts.set_aside == 1


def test_why_names_what_a_fact_replaced(ethos: Ethos) -> None:
    """From the new decision one can go back to the old, and from the old to the new."""
    tell(ethos, "We decided to use Python", "We decided to use Rust")
    (new,) = held(ethos)
    (old,) = ethos.why(new.id).related.values()
    assert old.object == "Python"
    assert list(ethos.why(old.id).related) == [new.id]


def test_a_fact_is_found_by_the_class_of_its_object(ethos: Ethos) -> None:
    """Nobody said "database", yet that is what an agent asks for."""
    tell(ethos, "We decided to use Postgres", "We'll use Redis for caching")
    assert ethos.recall("which database?")[0].text == "team uses Postgres"


def test_a_fact_is_found_by_the_class_of_its_object_whatever_it_is_for(ethos: Ethos) -> None:
    """What a thing is for takes the place of its class in the slot; one who asks for the class still wants it, and not its neighbours."""
    tell(ethos, "We decided to use Postgres for the session store.", "We decided to use Go for the importer.", "The database is slow.")
    assert [hit.text for hit in ethos.recall("which database?") if hit.type == "fact"] == ["team uses Postgres for the session store"]
    assert [hit.text for hit in ethos.recall("MySQL?")] == []


def test_a_named_replacement_takes_the_place_of_what_it_names_and_of_nothing_else(ethos: Ethos) -> None:
    """ "Switched from Caddy to Traefik" retires Caddy, stands where Caddy stood, and has nothing to do with Bar."""
    cycle = tell(
        ethos, "We switched from Foo to Bar.", "We decided to use Caddy as the reverse proxy.", "We switched from Caddy to Traefik."
    )
    assert cycle.facts_flagged == 0
    assert {f.object for f in held(ethos)} == {"Bar", "Traefik"}
    assert ethos.inbox() == ()


def test_recall_says_what_is_out_of_date_and_puts_it_last(ethos: Ethos) -> None:
    """An agent that asks for the database must not be told the one that was given up as if it were the one in use."""
    tell(ethos, "We decided to use MySQL for the database", "We switched from MySQL to Postgres")
    hits = ethos.recall("which database do we use, MySQL?")
    assert hits[0].text == "team uses Postgres"
    (old,) = [hit for hit in hits if hit.replaced_by]
    assert (old.type, old.replaced_by) == ("episode", hits[0].id)
    assert hits[-1] == old
