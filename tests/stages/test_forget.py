"""Forgetting: what goes, what stays on other evidence, what comes back, and what does not (docs/threats.md, promise 5)."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from ethos.app import Ethos
from ethos.core.history.erasure import ErasureRequest
from ethos.core.model.errors import Refused
from ethos.core.model.records import Episode, EpisodeState, Fact
from ethos.core.model.settings import Settings
from ethos.core.ports.queries import FactFilter
from ethos.edge.files.outputs import Kind, Outputs
from ethos.store.sqlite.driver import library
from tests.conftest import SetClock
from tests.support.telling import NOON, said

MINE = FactFilter("default")


def tell(ethos: Ethos, *words: str, session: str = "s1", first: int = 0) -> list[Episode]:
    """Each a turn of Michael's, a day after the last one; then a cycle."""
    turns = [said(turn, at=NOON + timedelta(days=first + number), session=session) for number, turn in enumerate(words)]
    ethos.capture(turns)
    ethos.consolidate(reason="test")
    return turns


def held(ethos: Ethos) -> dict[str, float]:
    """Statements of active facts, and how sure they are."""
    return {fact.statement: fact.confidence for fact in ethos.facts(MINE)}


def test_t6_an_episode_goes_with_what_rests_on_it_alone(ethos: Ethos) -> None:
    """The turn, its fact, its evidence, its place in the index; another turn's fact is as it was. The store is sound."""
    first, _ = tell(ethos, "We decided to use Rust for the backend", "I love hiking")
    receipt = ethos.forget(ErasureRequest((first.id,)))
    assert receipt.proven, receipt
    assert (receipt.counts["episodes"], receipt.counts["facts"]) == (1, 1)
    assert held(ethos) == {"Michael loves hiking": 0.8}
    assert ethos.recall("Rust backend") == ()
    assert ethos.store.check() == []
    with pytest.raises(Refused):
        ethos.why(first.id)


def test_t6_a_fact_that_keeps_other_evidence_is_scored_again(ethos: Ethos) -> None:
    """Said twice, one of them forgotten: the fact stays, as sure as once saying it made it, and nothing tells of the other."""
    first, second = tell(ethos, "I love hiking", "I love hiking")
    assert held(ethos) == {"Michael loves hiking": 0.85}
    receipt = ethos.forget(ErasureRequest((first.id,)))
    assert receipt.counts["rescored"] == 1
    (fact,) = ethos.facts(MINE)
    assert (fact.confidence, fact.valid_from, fact.affirmed_at) == (0.8, second.said_at, None)
    assert [piece.episode for piece in ethos.why(fact.id).evidence] == [second.id]
    assert ethos.store.check() == []


def test_t6_what_only_the_forgotten_turn_said_leaves_the_fact(ethos: Ethos) -> None:
    """A refinement is taken back in every version: the object is again what the turn that stays had said."""
    _, second = tell(ethos, "I love hiking", "I love hiking near Grindelwald")
    assert held(ethos) == {"Michael loves hiking near Grindelwald": 0.85}
    receipt = ethos.forget(ErasureRequest(matching="GRINDELWALD"))
    assert receipt.proven, receipt
    assert held(ethos) == {"Michael loves hiking": 0.8}
    with ethos.store.begin() as work:
        assert not [version for version in work.records(Fact) if "Grindelwald" in version.statement + version.object]
        assert second.id not in work.episodes([second.id])
    assert ethos.store.check() == []


def test_t6_a_fact_whose_successor_is_forgotten_is_held_again(ethos: Ethos) -> None:
    """The later decision never was, so the earlier one stands; its history does not name what is gone."""
    _, second = tell(ethos, "We decided to use Postgres", "We decided to use MySQL")
    assert [fact.object for fact in ethos.facts(MINE)] == ["MySQL"]
    gone = next(fact.id for fact in ethos.facts(MINE))
    receipt = ethos.forget(ErasureRequest((second.id,)))
    assert receipt.counts["revived"] == 1
    (fact,) = ethos.facts(MINE)
    assert (fact.object, fact.superseded_by, fact.valid_to, fact.flagged) == ("Postgres", None, None, False)
    with ethos.store.begin() as work:
        assert gone not in {version.superseded_by for version in work.records(Fact)}
    assert ethos.store.check() == []


def test_t6_a_chain_closes_over_what_is_forgotten(ethos: Ethos) -> None:
    """A was replaced by B and B by C: without B, A was replaced by C."""
    _, second, _ = tell(ethos, "We decided to use Postgres", "We decided to use MySQL", "We decided to use SQLite")
    ethos.forget(ErasureRequest((second.id,)))
    facts = {fact.object: fact for fact in ethos.facts(FactFilter("default", history=True)) if fact.closed_at is None}
    assert facts["SQLite"].active
    assert facts["Postgres"].superseded_by == facts["SQLite"].id
    assert ethos.store.check() == []


def test_t6_a_question_goes_with_either_side(ethos: Ethos) -> None:
    """Nobody is asked about what is gone, the other side is not doubted any more, and the review file shows neither."""
    _, second = tell(ethos, "I prefer Rust over Python", "I prefer Python over Rust")
    (asked,) = ethos.inbox()
    file = Path(ethos.settings.conflict_resolution.review_inbox)
    assert asked.question.id in file.read_text()
    assert ethos.forget(ErasureRequest((second.id,))).proven
    assert ethos.inbox(resolved=True) == ()
    (fact,) = ethos.facts(MINE)
    assert (fact.statement, fact.flagged) == ("Michael prefers Rust", False)
    assert asked.question.id not in file.read_text()
    assert not file.with_name("memory-review.orphans.md").exists()


def test_t6_what_comes_back_is_weighed_and_not_guessed(ethos: Ethos) -> None:
    """Postgres gave way to MySQL, and somebody prefers Python; with what stood between two rivals gone, a person is asked about them."""
    tell(ethos, "I prefer Rust over Python")
    (between,) = tell(ethos, "I switched from Rust to Zig", first=1)
    tell(ethos, "I prefer Python over Rust", first=2)
    receipt = ethos.forget(ErasureRequest((between.id,)))
    assert receipt.counts["revived"] == 1
    assert ethos.store.check() == []
    active = {fact.object: fact.flagged for fact in ethos.facts(MINE)}
    assert active == {"Rust": True, "Python": True}
    assert len(ethos.inbox()) == 1


def test_t6_a_fact_by_its_id_goes_with_the_turns_it_rests_on(ethos: Ethos) -> None:
    """Else the next reading would bring it back."""
    turns = tell(ethos, "I love hiking", "I love hiking", "I hate noise")
    fact = next(fact for fact in ethos.facts(MINE) if fact.object == "hiking")
    receipt = ethos.forget(ErasureRequest((fact.id,)))
    assert (receipt.counts["episodes"], receipt.counts["facts"]) == (2, 1)
    with ethos.store.begin() as work:
        assert [each.id for each in work.records(Episode)] == [turns[2].id]


def test_t6_a_session_and_a_source_go_whole(ethos: Ethos) -> None:
    """Also the name of the session, in what is known of runs over it."""
    tell(ethos, "I love hiking", session="the-clinic-talk")
    ethos.consolidate(session="the-clinic-talk")
    tell(ethos, "I hate noise", session="other", first=5)
    assert ethos.forget(ErasureRequest(session="the-clinic-talk")).proven
    assert held(ethos) == {"Michael hates noise": 0.8}
    database = Path(ethos.settings.ethos.database)
    assert b"the-clinic-talk" not in database.read_bytes() + database.with_name("ethos.db-wal").read_bytes()
    assert ethos.forget(ErasureRequest(source="test")).counts["episodes"] == 1
    assert held(ethos) == {}


def test_t6_a_weak_claim_goes_when_too_few_repeat_it(open_ethos: Callable[[Settings], Ethos], settings: Settings) -> None:
    """Believed because it was said three times; with one of them gone it is a suspicion again, and the turns that stay stay."""
    cautious = replace(settings, consolidation=replace(settings.consolidation, min_confidence=0.95))
    ethos = open_ethos(cautious)
    turns = tell(ethos, "I love sailing", "I love sailing", "I love sailing")
    assert held(ethos) == {"Michael loves sailing": 0.75}
    ethos.forget(ErasureRequest((turns[0].id,)))
    assert held(ethos) == {}
    with ethos.store.begin() as work:
        assert len(list(work.records(Episode))) == 2
        assert [mark.consolidated_at for mark in work.records(EpisodeState)] == [None, None]
    assert ethos.store.check() == []
    tell(ethos, "I love sailing", first=9)
    assert held(ethos) == {"Michael loves sailing": 0.75}


def test_t6_capturing_again_does_not_bring_it_back(ethos: Ethos) -> None:
    """Under its id, and from another file under another id at the same time; the same words on another day are something new."""
    (turn, *_) = tell(ethos, "I love hiking")
    ethos.forget(ErasureRequest((turn.id,)))
    captured = ethos.capture([turn, said("I love hiking", record="elsewhere"), said("I love hiking", at=NOON + timedelta(days=9))])
    assert (captured.added, captured.known, captured.forgotten) == (1, 0, 2)


def test_t6_a_tombstone_tells_nothing_without_the_key(ethos: Ethos, settings: Settings) -> None:
    """Hashing every guess finds nothing: what stands in the store is keyed, and the key is not in it."""
    (turn, *_) = tell(ethos, "I love hiking")
    ethos.forget(ErasureRequest((turn.id,)))
    key = (Path(settings.ethos.state) / "forgetting.key").read_bytes()
    assert key not in Path(settings.ethos.database).read_bytes()
    assert turn.id.encode() not in Path(settings.ethos.database).read_bytes()


def test_t6_a_rehearsal_says_what_would_go_and_does_nothing(ethos: Ethos) -> None:
    """Words, facts, what would be kept on other evidence; the real run then does exactly that."""
    first, _ = tell(ethos, "I love hiking", "I love hiking near Grindelwald")
    would = ethos.forget(ErasureRequest(matching="grindelwald"), dry_run=True)
    assert would.dry_run
    assert any("said: I love hiking near Grindelwald" in line for line in would.shown)
    assert any("Michael loves hiking near Grindelwald (0.85) -> Michael loves hiking (0.80)" in line for line in would.shown)
    both = ["I love hiking near Grindelwald", "Michael loves hiking near Grindelwald"]
    assert sorted(hit.text for hit in ethos.recall("hiking Grindelwald")) == both
    assert ethos.forget(ErasureRequest(matching="grindelwald")).counts == would.counts
    assert first.id in {hit.episode for hit in ethos.recall("hiking")}


def test_t6_the_receipt_holds_no_word_of_it(ethos: Ethos, clock: SetClock) -> None:
    """It says how many and how much was looked at; it is sealed with a key, and two receipts differ."""
    tell(ethos, "I love hiking near Grindelwald", "I love sailing near Lugano")
    one, other = ethos.forget(ErasureRequest(matching="Grindelwald")), ethos.forget(ErasureRequest(matching="Lugano"))
    assert "rindelwald" not in repr(one).casefold()
    assert one.scan.files >= 2
    assert one.sought > 0
    assert len(one.seal) == 64
    assert one.seal != other.seal
    assert clock.now() > other.at


@pytest.mark.parametrize(
    "wanted",
    [
        ErasureRequest(),
        ErasureRequest(matching="  "),
        ErasureRequest(("e-none",)),
        ErasureRequest(session="nowhere"),
        ErasureRequest(source="nowhere"),
    ],
)
def test_t6_what_names_nothing_is_refused(ethos: Ethos, wanted: ErasureRequest) -> None:
    """With what to do; nothing is changed."""
    tell(ethos, "I love hiking")
    with pytest.raises(Refused) as refused:
        ethos.forget(wanted)
    assert refused.value.problem.hint
    assert [hit.text for hit in ethos.recall("hiking")] == ["Michael loves hiking"]


def test_t6_forgetting_and_undoing_go_together(ethos: Ethos) -> None:
    """A run is undone, a turn of it forgotten, the undo undone: what is left counts again, what is gone stays gone, the store is sound."""
    first, _ = tell(ethos, "I love hiking", "I love hiking near Grindelwald")
    (run, *_) = ethos.status().runs
    undone = ethos.undo(run.id)
    assert held(ethos) == {}
    assert ethos.forget(ErasureRequest(matching="Grindelwald")).proven
    assert ethos.store.check() == []
    ethos.undo(undone.run.id)
    assert held(ethos) == {"Michael loves hiking": 0.8}
    assert first.id in {hit.episode for hit in ethos.recall("hiking")}
    assert ethos.store.check() == []
    assert b"rindelwald" not in Path(ethos.settings.ethos.database).read_bytes()


def test_t6_what_stood_only_for_a_question_goes_with_the_other_side(ethos: Ethos) -> None:
    """Kept beside another on a person's word, its run undone, it waits for that person; with the other forgotten nothing is left to say."""
    tell(ethos, "I love hiking")
    first = ethos.status().runs[0].id
    (other,) = tell(ethos, "I hate hiking", first=1)
    (entry,) = ethos.inbox()
    ethos.answer(entry.question.id, "keep-both")
    ethos.undo(first)
    assert len(held(ethos)) == 2
    assert len(ethos.inbox()) == 1
    ethos.forget(ErasureRequest((other.id,)))
    assert held(ethos) == {}
    assert ethos.inbox() == ()
    assert ethos.store.check() == []


def test_t6_a_forgetting_cannot_be_undone(ethos: Ethos) -> None:
    """That is what it is for."""
    (turn,) = tell(ethos, "I love hiking")
    receipt = ethos.forget(ErasureRequest((turn.id,)))
    with pytest.raises(Refused, match="cannot be undone"):
        ethos.undo(receipt.run)


def test_t6_dying_on_the_way_leaves_work_that_is_done_again(ethos: Ethos, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the store forgets, everything is as it was and can be asked for again; after it, the next pass makes the file anew."""
    (turn,) = tell(ethos, "I love hiking near Grindelwald")
    database = Path(ethos.settings.ethos.database)

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(type(ethos.traces), "scrub", die)
        with pytest.raises(KeyboardInterrupt):
            ethos.forget(ErasureRequest((turn.id,)))
    assert held(ethos) != {}
    with monkeypatch.context() as patch:
        patch.setattr(type(ethos.store.file), "rewrite", die)
        with pytest.raises(KeyboardInterrupt):
            ethos.forget(ErasureRequest((turn.id,)))
    assert held(ethos) == {}
    assert b"rindelwald" in database.read_bytes() + database.with_name("ethos.db-wal").read_bytes()
    ethos.consolidate()
    assert b"rindelwald" not in database.read_bytes() + database.with_name("ethos.db-wal").read_bytes()
    assert {run.outcome for run in ethos.status().runs} == {"done"}
    assert ethos.store.check() == []


def test_t6_files_of_any_name_are_looked_through_and_what_could_not_be_is_told(
    ethos: Ethos, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name with a line break or with bytes that are no text; and a search that did not come to its end is no proof."""
    strange = [tmp_path / os.fsdecode(name) for name in (b"two\nlines", b"no\xfftext", b"plain \xc3\xa9")]
    for number, path in enumerate(strange, 1):
        path.write_bytes(b"Grindelwald, " * number)
    exports = [*map(str, strange), str(tmp_path / "gone")]
    outputs = Outputs(Path(ethos.settings.ethos.state))
    for export in exports:
        outputs.note(Kind.EXPORT, Path(export))
    found = ethos.traces.scan(["Grindelwald"], ()).found
    assert [found.get(str(path)) for path in strange] == [1, 2, 3]
    assert ethos.traces.scan(["Heron"], exports).found == {}
    monkeypatch.setattr(sys, "executable", "/bin/false")
    assert f"{strange[0]} (not looked at: the search ended with 1)" in ethos.traces.scan(["Heron"], exports).found


@pytest.mark.torture
def test_t6_a_reader_that_keeps_the_log_is_told_and_not_hidden(ethos: Ethos) -> None:
    """Somebody reads while it is forgotten: the receipt says that it is not proven, why, and what to do; later it is."""
    (turn,) = tell(ethos, "I love hiking near Grindelwald")
    library_module = library().module
    with closing(library_module.connect(ethos.settings.ethos.database)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM episodes").fetchone()
        receipt = ethos.forget(ErasureRequest((turn.id,)))
        assert not receipt.proven
        assert "a reader keeps" in receipt.problems[0].what
        assert receipt.problems[0].hint
    ethos.consolidate()
    assert b"rindelwald" not in Path(ethos.settings.ethos.database).read_bytes()
