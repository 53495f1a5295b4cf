"""Export and import: a memory goes out and comes in with nothing lost and nothing twice; notes that other programs read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from ethos.app import Ethos
from ethos.core.history.erasure import ErasureRequest
from ethos.core.model.errors import Refused
from ethos.core.model.records import Fact, Verdict
from ethos.core.model.settings import Settings
from ethos.core.model.traces import Relation, Trace, TraceType
from ethos.core.ports.queries import FactFilter
from ethos.edge.exchange import lines, notes
from ethos.edge.files.outputs import Outputs
from tests.store_contract import EVERY_RECORD, episode, fact, put
from tests.support import other_rules
from tests.support.commands import TALK, Commands, commands
from tests.support.telling import NOON, said

__all__ = ["commands"]


@pytest.fixture
def memories(open_ethos: Callable[[Settings], Ethos], settings: Settings) -> Callable[[], Ethos]:
    """As many memories as a test asks for, each with a database and a state of its own."""
    count = 0

    def another() -> Ethos:
        nonlocal count
        count += 1
        place = Path(settings.ethos.database).with_name(f"m{count}")
        return open_ethos(
            replace(
                settings,
                ethos=replace(settings.ethos, database=str(place / "ethos.db"), state=str(place / "state")),
                conflict_resolution=replace(settings.conflict_resolution, review_inbox=str(place / "inbox" / "review.md")),
            )
        )

    return another


def exported(ethos: Ethos, path: Path) -> list[dict[str, Any]]:
    """What an export holds, without its first and last line."""
    lines.write(path, ethos.everything(), ethos.clock.now(), Outputs(path.parent / "outputs"))
    return [json.loads(line) for line in path.read_text("ascii").splitlines()][1:-1]


def full(ethos: Ethos) -> Ethos:
    """A life: facts refined, replaced, in question and answered, a weak claim, something recalled, several scripts."""
    told = [
        "I love hiking",
        "I love hiking near Bern",
        "We decided to use Postgres",
        "We switched from Postgres to MySQL",
        "我喜欢徒步 \u2028 x",
    ]
    told += [
        "I prefer Rust over Python",
        "I prefer Python over Rust",
        "I prefer tea over coffee",
        "I prefer coffee over tea",
        "Lunch was late",
    ]
    for number, words in enumerate(told):
        ethos.capture([said(words, at=NOON + timedelta(days=number), session=f"s{number % 3}")])
        ethos.consolidate(reason="test")
    ethos.answer(ethos.inbox()[0].question.id, "keep-new", note="as agreed")
    ethos.recall("hiking", session="agent-1")
    return ethos


def test_a_memory_that_goes_out_and_comes_in_is_the_same(memories: Callable[[], Ethos], tmp_path: Path) -> None:
    """Out of one and into an empty one: what that one holds is, record for record, what the first held. The store is sound."""
    one, other = full(memories()), memories()
    before = exported(one, tmp_path / "one.jsonl")
    assert {line["type"] for line in before} >= {"episode", "mark", "fact", "evidence", "question", "salience", "run", "retrieval"}
    done = other.bring_in(lines.read(tmp_path / "one.jsonl"))
    assert (done.asked, done.forgotten, sum(done.known.values())) == (0, 0, 0)
    assert exported(other, tmp_path / "other.jsonl") == before
    assert other.store.check() == []
    assert [hit.text for hit in other.recall("hiking bern")] == [hit.text for hit in one.recall("hiking bern")]
    assert {entry.question.id for entry in other.inbox()} == {entry.question.id for entry in one.inbox()}
    assert one.inbox()[0].question.id in Path(other.settings.conflict_resolution.review_inbox).read_text("utf-8")
    assert other.consolidate().episodes_scanned == 0


def test_every_record_survives_field_for_field(memories: Callable[[], Ethos], tmp_path: Path) -> None:
    """Also one with every field set to something unusual."""
    one, other = memories(), memories()
    put(one.store, *(replace(each, flagged=False) if isinstance(each, Fact) else each for each in EVERY_RECORD))  # no question is about it
    with one.store.begin(write=True) as work:
        work.sql.run("PRAGMA foreign_keys")  # type: ignore[attr-defined]  # (it is a real one)
        work.sql.run("DELETE FROM questions")  # type: ignore[attr-defined]  # (its other side is not there)
    before = exported(one, tmp_path / "one.jsonl")
    other.bring_in(lines.read(tmp_path / "one.jsonl"))
    assert exported(other, tmp_path / "other.jsonl") == before


@pytest.mark.parametrize("older", [False, True])
def test_what_led_to_what_comes_across(memories: Callable[[], Ethos], tmp_path: Path, *, older: bool) -> None:
    """A trace has a type of its own beside the type of the record. older: exports had that one alone, and they still come in."""
    one, other = memories(), memories()
    trace = Trace("t-1", "michael", "ethos", "e-1", "e-2", TraceType.INITIATOR, 0.5, NOON, "chain_20260601_0", Relation.SESSION)
    put(one.store, episode(), episode("e-2"), trace)
    before, path = exported(one, tmp_path / "one.jsonl"), tmp_path / "one.jsonl"
    told = next(line for line in before if line["type"] == "trace")
    assert told["trace_type"] == "initiator"
    if older:
        old = {**{name: value for name, value in told.items() if name != "trace_type"}, "type": "initiator"}
        path = path.with_name("older.jsonl")
        path.write_text((tmp_path / "one.jsonl").read_text("ascii").replace(json.dumps(told), json.dumps(old)), "ascii")
    other.bring_in(lines.read(path))
    assert exported(other, tmp_path / "other.jsonl") == before


def test_t3_each_reading_of_a_turn_comes_across(memories: Callable[[], Ethos], tmp_path: Path) -> None:
    """Read, undone, read anew by other rules, and that undone, too: taken back, either reading counts there as it would here."""
    one, other = memories(), memories()
    one.capture([said("We decided to use Rust")])
    undos = [one.undo(one.consolidate().run).run.id]
    one.rules = other_rules.rules(times=0.8)
    undos.append(one.undo(one.consolidate().run).run.id)
    before = exported(one, tmp_path / "one.jsonl")
    assert len([line for line in before if line["type"] == "evidence"]) == 2
    other.bring_in(lines.read(tmp_path / "one.jsonl"))
    assert exported(other, tmp_path / "other.jsonl") == before
    for memory in (one, other):
        redo = memory.undo(undos[0]).run.id
        assert [fact.confidence for fact in memory.facts(FactFilter("default"))] == [0.9]
        memory.undo(redo)
        memory.undo(undos[1])
        assert [fact.confidence for fact in memory.facts(FactFilter("default"))] == [0.72]
        assert memory.store.check() == []


@pytest.mark.parametrize("verdict", Verdict)
def test_evidence_of_every_verdict_comes_across(memories: Callable[[], Ethos], tmp_path: Path, verdict: Verdict) -> None:
    """Each verdict that the program writes is one that an import accepts."""
    first, second = memories(), memories()
    first.capture([said("We decided to use Rust", at=NOON)])
    first.consolidate()
    records = exported(first, tmp_path / "export.jsonl")
    path, changed = tmp_path / "export.jsonl", 0
    told = []
    for line in path.read_text("ascii").splitlines():
        record = json.loads(line)
        if record.get("type") == "evidence":
            record["verdict"], changed = verdict.value, changed + 1
        told.append(json.dumps(record))
    path.write_text("\n".join(told) + "\n", "ascii")
    assert changed
    second.bring_in(lines.read(path))
    with second.store.begin() as work:
        found = work.evidence([record["id"] for record in records if record["type"] == "fact"])
    assert {piece.verdict for piece in found} == {verdict}
    assert {type(piece.verdict) for piece in found} == {Verdict}


def test_importing_again_adds_nothing(memories: Callable[[], Ethos], tmp_path: Path) -> None:
    """Into the memory it came from, and twice into another."""
    one, other = full(memories()), memories()
    before = exported(one, tmp_path / "one.jsonl")
    other.bring_in(lines.read(tmp_path / "one.jsonl"))
    for memory in (one, other):
        done = memory.bring_in(lines.read(tmp_path / "one.jsonl"))
        assert sum(done.added.values()) == 0, done
        assert exported(memory, tmp_path / "again.jsonl") == before


def test_what_went_on_elsewhere_is_carried_on(memories: Callable[[], Ethos], tmp_path: Path) -> None:
    """The same memory on two machines: the later state of a fact comes in, the earlier one is not forced on the later."""
    one, other = full(memories()), memories()
    exported(one, tmp_path / "old.jsonl")
    other.bring_in(lines.read(tmp_path / "old.jsonl"))
    one.capture([said("We switched from MySQL to SQLite", at=NOON + timedelta(days=20))])
    one.consolidate()
    one.answer(one.inbox()[0].question.id, "keep-old")
    now = exported(one, tmp_path / "new.jsonl")
    other.bring_in(lines.read(tmp_path / "new.jsonl"))
    facts = [line for line in now if line["type"] == "fact"]
    assert [line for line in exported(other, tmp_path / "other.jsonl") if line["type"] == "fact"] == facts
    assert other.store.check() == []
    one.bring_in(lines.read(tmp_path / "old.jsonl"))
    assert [line for line in exported(one, tmp_path / "one.jsonl") if line["type"] == "fact"] == facts


def test_two_memories_become_one_and_a_person_is_asked(memories: Callable[[], Ethos], tmp_path: Path) -> None:
    """What both hold is held once; where they do not go together, and neither weighs enough, it is a question."""
    one, other = memories(), memories()
    one.capture([said("I love hiking", session="a"), said("I prefer tea over coffee", session="a")])
    other.capture([said("I love hiking", session="b"), said("I prefer coffee over tea", session="b")])
    for memory in (one, other):
        memory.consolidate()
    exported(one, tmp_path / "one.jsonl")
    done = other.bring_in(lines.read(tmp_path / "one.jsonl"))
    assert done.asked == 1
    active = [fact.statement for fact in other.facts(FactFilter("default"))]
    assert sorted(active) == ["Michael loves hiking", "Michael prefers coffee", "Michael prefers tea"]
    assert len(other.inbox()) == 1
    assert other.store.check() == []


def test_t6_what_was_forgotten_does_not_come_in(memories: Callable[[], Ethos], tmp_path: Path) -> None:
    """Nor what rests on it; its bytes are not left behind either."""
    one = memories()
    one.capture([said("I love hiking"), said("I love hiking near Grindelwald", at=NOON + timedelta(days=1))])
    one.consolidate()
    exported(one, tmp_path / "one.jsonl")
    one.forget(ErasureRequest(matching="grindelwald"))
    done = one.bring_in(lines.read(tmp_path / "one.jsonl"))
    assert done.forgotten == 1
    assert [fact.statement for fact in one.facts(FactFilter("default"))] == ["Michael loves hiking"]
    assert b"rindelwald" not in Path(one.settings.ethos.database).read_bytes()
    assert one.store.check() == []


def test_t6_forgetting_reaches_into_exports(commands: Commands, tmp_path: Path) -> None:
    """Both kinds that Ethos wrote: the lines that spoke of it are gone, the others stand, and the rest can still be imported."""
    commands.write("talk.jsonl", TALK)
    commands("capture", "talk.jsonl")
    commands("consolidate")
    file, folder = tmp_path / "out" / "memory.jsonl", tmp_path / "notes"
    file.parent.mkdir()
    assert commands("export", file).code == 0
    assert commands("export", folder, "--format", "markdown").code == 0
    assert "Postgres" in file.read_text() + "".join(path.read_text() for path in folder.glob("*.md"))
    told = commands("forget", "--matching", "postgres", "--yes", "--json")
    assert told.data["proven"], told
    assert "ostgres" not in file.read_text() + "".join(path.read_text() for path in folder.glob("*.md"))
    assert "tabs" in file.read_text()
    assert commands("import", file).code == 0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "not an export"),
        ("{}\n", "not an export of Ethos"),
        ('{"ethos": "export", "version": 1}\n', "cut short"),
        ('{"ethos": "export", "version": 2}\n', "version 2 is not known"),
        ('{"ethos": "export", "version": 1}\nnot json\n', ":2: not a line of JSON"),
        ('{"ethos": "export", "version": 1}\n{"type": "dream"}\n', "not known"),
        ('{"ethos": "export", "version": 1}\n{"type": "mark", "episode": "e-1", "mood": 1}\n', 'no field "mood"'),
        ('{"ethos": "export", "version": 1}\n{"type": "mark", "episode": 7}\n', 'mark is wrong: "episode" must be text, found a number'),
        ('{"ethos": "export", "version": 1}\n{"type": "retrieval", "record": "e-1"}\n', 'retrieval is wrong: "session" is missing'),
    ],
)
def test_a_file_that_is_none_is_refused_and_nothing_comes_in(commands: Commands, text: str, told: str) -> None:
    """With line and field; what stood before the bad line is not in either."""
    commands.write("talk.jsonl", TALK)
    commands("capture", "talk.jsonl")
    commands("consolidate")
    bad = commands.write("bad.jsonl", text)
    before = commands("facts", "--json").out
    refused = commands("import", bad)
    assert (refused.code, told in refused.err, "->" in refused.err) == (1, True, True), refused
    assert commands("facts", "--json").out == before


def test_what_does_not_fit_together_comes_in_whole_or_not_at_all(memories: Callable[[], Ethos], tmp_path: Path) -> None:
    """Evidence of an episode that is not in the file: refused, and the facts before it are not in."""
    one, other = full(memories()), memories()
    exported(one, tmp_path / "one.jsonl")
    some = [line for line in (tmp_path / "one.jsonl").read_text().splitlines(keepends=True) if '"type": "episode"' not in line]
    (tmp_path / "some.jsonl").write_text("".join(some))
    with pytest.raises(Refused, match="contradicts itself"):
        other.bring_in(lines.read(tmp_path / "some.jsonl"))
    assert exported(other, tmp_path / "other.jsonl") == []


def test_a_copy_that_was_cut_short_between_two_lines_is_refused(memories: Callable[[], Ethos], tmp_path: Path) -> None:
    """A disk that was full where it was copied to leaves whole lines and not all of them: part of a memory is not taken for all of it."""
    one, other = full(memories()), memories()
    exported(one, tmp_path / "one.jsonl")
    whole = (tmp_path / "one.jsonl").read_text().splitlines(keepends=True)
    for kept in (2, len(whole) - 1):
        (tmp_path / "cut.jsonl").write_text("".join(whole[:kept]))
        with pytest.raises(Refused, match="cut short"):
            other.bring_in(lines.read(tmp_path / "cut.jsonl"))
    assert exported(other, tmp_path / "other.jsonl") == []


def observations(text: str) -> list[str]:
    """List items that basic-memory takes for observations: `[category] content`, as markdown-it sees them."""
    tokens = MarkdownIt().parse(text.split("---\n", 2)[2])
    return [token.content for token in tokens if token.type == "inline" and re.match(r"\[[^\[\]()]+\]\s+.+", token.content)]


def test_notes_are_what_obsidian_and_basic_memory_read(memories: Callable[[], Ethos], tmp_path: Path) -> None:
    """Front matter, observations with category, tag and context at the end, links between notes that are there; former ones apart."""
    ethos = memories()
    told = [
        "I prefer Rust over Python",
        "We decided to use Postgres",
        "We switched from Postgres to MySQL",
        "Remember this: Rust is a language",
    ]
    ethos.capture(said(words, at=NOON + timedelta(days=number)) for number, words in enumerate(told))
    ethos.consolidate()
    folder = tmp_path / "notes"
    assert notes.write(folder, ethos.facts(FactFilter("default", history=True)), Outputs(tmp_path / "state")).notes >= 2
    text = (folder / "team.md").read_text("utf-8")
    head = text.split("---\n")[1].splitlines()
    assert head[:5] == ['title: "team"', "type: memory", 'permalink: "ethos/team"', "tags:", "- ethos"]
    first, *rest = observations(text)
    assert re.fullmatch(r"\[decision\] team uses MySQL #databases? \(0\.85, since 2026-06-03, f-[0-9a-z]{16}\)", first), first
    assert any(line.startswith("[former decision] team uses Postgres") for line in rest)
    assert text.index("## Observations") < text.index("## Formerly")
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}


def test_notes_of_hostile_facts_are_only_text(tmp_path: Path) -> None:
    """A subject with slashes, an object with a link, an HTML image, a heading on a line of its own: one note, nothing but text in it."""
    hostile = fact(
        subject="../../etc/passwd\n# x",
        subject_key="../../etc/passwd # x",
        statement="see [[Other]] <img src=x> ![[a]]\n## Injected\n- [fact] planted",
    )
    assert notes.write(tmp_path / "notes", [hostile, fact("f-2", subject="team")], Outputs(tmp_path / "state")).notes == 2
    assert sorted(path.parent for path in (tmp_path / "notes").iterdir()) == [tmp_path / "notes"] * 3
    text = next(path for path in (tmp_path / "notes").glob("*.md") if path.name != "team.md").read_text("utf-8")
    assert "\n## Injected" not in text
    assert len(observations(text)) == 1
    assert "<img" not in text.replace("\\<img", "")


def test_notes_replace_only_our_own(tmp_path: Path) -> None:
    """A folder with somebody's notes in it is refused; in ours, a subject of which nothing is held any more is gone."""
    theirs = tmp_path / "vault"
    theirs.mkdir()
    (theirs / "diary.md").write_text("mine")
    with pytest.raises(Refused):
        notes.write(theirs, [fact()], Outputs(tmp_path / "state"))
    assert [path.name for path in theirs.iterdir()] == ["diary.md"]
    notes.write(tmp_path / "ours", [fact(), fact("f-2", subject="Ada", subject_key="ada")], Outputs(tmp_path / "state"))
    notes.write(tmp_path / "ours", [fact()], Outputs(tmp_path / "state"))
    assert sorted(path.name for path in (tmp_path / "ours").glob("*.md")) == ["team.md"]


def test_an_export_takes_nobody_elses_place(commands: Commands) -> None:
    """A file that is no export stays as it is; an older export gives way."""
    commands.write("talk.jsonl", TALK)
    commands("capture", "talk.jsonl")
    refused = commands("export", "talk.jsonl")
    assert (refused.code, "not an export of this memory" in refused.err) == (2, True), refused
    assert (commands.home / "talk.jsonl").read_text("utf-8") == TALK
    for _ in range(2):
        assert commands("export", "memory.jsonl").code == 0
