"""The command line as a person and a program use it, each command in this process on a real memory."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ethos.edge.cli import fast_path
from ethos.edge.files import locks
from ethos.edge.render import tables
from tests.support.commands import QUARREL, TALK, Commands, Ran, commands, environment, spoken
from tests.support.daemons import PATIENCE

__all__ = ["commands"]


def lines(out: str) -> list[object]:
    """JSON lines."""
    return [json.loads(line) for line in out.splitlines()]


@pytest.fixture
def told(commands: Commands) -> Commands:
    """Somebody whose conversation was captured and read."""
    commands.write("talk.jsonl", TALK)
    assert commands("capture", "talk.jsonl").code == 0
    assert commands("consolidate", "--quiet").out == ""
    return commands


@pytest.fixture
def torn(commands: Commands) -> Commands:
    """Somebody with an open question."""
    commands.write("quarrel.jsonl", QUARREL)
    assert commands("capture", "quarrel.jsonl", "-q").out == ""
    assert commands("consolidate").out.splitlines()[2] == "  which one holds is for you to say -> ethos inbox"
    return commands


def question(of: Commands) -> str:
    """The id of the open question."""
    found = of("inbox", "--json").data["questions"]
    assert [each["status"] for each in found] == ["open"]
    return str(found[0]["id"])


# -- capture


def test_capture_counts_and_again_adds_nothing(commands: Commands) -> None:
    """What was added, what was known, and what could not be read with file and line; the rest is in, and the exit code says so."""
    file = commands.write("talk.jsonl", TALK + '{"id": "t5", "role": "us')
    os.utime(file, (1, 1))  # nobody is writing to it
    first = commands("capture", "talk.jsonl")
    assert first.code == 1
    assert first.out.startswith("4 added, 0 already known, 1 with problems (1 file)\n")
    assert f"{commands.home}/talk.jsonl:5: " in first.out
    again = commands("capture", "talk.jsonl", "--json")
    assert (again.code, again.data["added"], again.data["known"], again.data["problems_total"]) == (1, 0, 4, 1)


def test_capture_goes_on_where_one_path_is_missing(commands: Commands) -> None:
    """Two paths, one of them wrong: the other is in."""
    commands.write("talk.jsonl", TALK)
    done = commands("capture", "none.jsonl", "talk.jsonl")
    assert done.code == 1
    assert "4 added" in done.out
    assert f"no such file or folder: {commands.home}/none.jsonl" in done.out
    assert commands("capture", "none.jsonl", "--quiet").out != ""  # quiet still says what went wrong


def test_capture_reads_standard_input_and_folders(commands: Commands) -> None:
    """`-` is episode lines; a folder is searched."""
    assert commands("capture", "-", stdin=spoken("s1", "We decided to use Go.").encode()).out.startswith("1 added")
    (commands.home / "talks").mkdir()
    commands.write("talks/a.jsonl", TALK)
    commands.write("talks/b.jsonl", QUARREL)
    assert commands("capture", "talks").out.startswith("6 added, 0 already known (2 files)")


def test_capture_of_very_many_paths_is_several_requests(commands: Commands) -> None:
    """More paths than a line of the socket takes are asked for in turn, and told as one."""
    folder = commands.home / ("x" * 200)
    folder.mkdir()
    paths = []
    for number in range(400):
        paths.append(folder / f"{number}.jsonl")
        paths[-1].write_text(spoken(f"n{number}", "Nothing much."), "utf-8")
    done = commands("capture", "--json", *paths, "none.jsonl")
    assert done.code == 1
    assert (done.data["added"], done.data["files"], done.data["problems_total"]) == (400, 400, 1)


def test_capture_as_a_session_event_is_seen_by_status(commands: Commands) -> None:
    """A hook's capture keeps the memory from being idle; an import of history does not (docs/requirements.md, Settled)."""
    commands.write("talk.jsonl", TALK)
    commands("capture", "talk.jsonl")
    assert commands("status", "--json").data["events_recently"] == 0
    commands("capture", "talk.jsonl", "--live")
    assert commands("status", "--json").data["events_recently"] > 0


def test_capture_follows_until_it_is_interrupted(tmp_path: Path) -> None:
    """What is added to a file is taken in; Ctrl-C ends it."""
    file = tmp_path / "talk.jsonl"
    file.write_text(TALK, "utf-8")
    command = [sys.executable, "-m", "ethos", "capture", "--follow", "talk.jsonl"]
    env = environment(tmp_path, ETHOS_CAPTURE__FOLLOW_SECONDS="0.05")
    with subprocess.Popen(command, cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline().startswith(b"4 added")
            with file.open("a", encoding="utf-8") as growing:
                growing.write(spoken("t9", "We decided to use Redis for caching."))
            assert process.stdout.readline().startswith(b"1 added")
            process.send_signal(2)
            assert process.communicate(timeout=PATIENCE)[1] == b"following; Ctrl-C ends it\n"
        finally:
            process.kill()  # it would follow for ever
    assert process.returncode == 130


def test_capture_refuses_to_follow_standard_input(commands: Commands) -> None:
    """There is no file that could grow."""
    assert commands("capture", "--follow", "-").code == 2
    assert commands("capture", "--follow", "x", "--format", "jsonl").code == 2


def test_what_is_made_is_for_its_owner_alone(told: Commands) -> None:
    """Database, state and inbox: 0700 and 0600, whatever the umask was."""
    made = [path for path in (told.home / ".local").rglob("*") if "ethos" in path.parts]
    assert made
    assert [path for path in made if path.is_file() and stat.S_IMODE(path.stat().st_mode) & 0o077] == []
    assert [path for path in made if path.is_dir() and stat.S_IMODE(path.stat().st_mode) & 0o077] == []


# -- consolidate


def test_e28_consolidate_prints_its_counts(commands: Commands) -> None:
    """With --json the answer of the socket, and the run; a second time there is nothing to do."""
    commands.write("talk.jsonl", TALK)
    commands("capture", "talk.jsonl")
    data = commands("consolidate", "--json", "--reason", "test").data
    assert list(data)[:7] == [
        "triggered",
        "episodes_scanned",
        "episodes_promoted",
        "facts_created",
        "facts_updated",
        "facts_superseded",
        "facts_flagged",
    ]
    assert (data["triggered"], data["episodes_promoted"], data["facts_created"]) == (True, 2, 2)
    assert data["run"].startswith("r-")
    empty, hint = commands("consolidate").out.splitlines()
    assert empty == "0 read, 0 gave facts: 0 new, 0 confirmed or refined, 0 superseding another, 0 contradicting another"
    assert "ethos capture PATH" in hint
    assert commands("status", "--json").data["runs"][1]["reason"] == "test"


def test_consolidate_one_session_and_rehearse(commands: Commands) -> None:
    """--dry-run shows what would be put and puts nothing; --session takes only its episodes; an unknown one gives zeros (X-E13)."""
    commands.write("talk.jsonl", TALK)
    commands("capture", "talk.jsonl")
    rehearsed = commands("consolidate", "--dry-run").out
    assert "+ f-" in rehearsed
    assert rehearsed.splitlines()[-1].startswith("dry run, nothing was written: ")
    assert commands("facts", "--json").data == {"facts": []}
    assert commands("consolidate", "--session", "nobody", "--json").data["episodes_scanned"] == 0
    assert commands("consolidate", "--session", "s1", "--json").data["episodes_promoted"] == 2


# -- extract


def test_extract_is_stateless_and_has_its_shape(commands: Commands) -> None:
    """JSON lines in, JSON lines out, exactly the keys of a claim; no database is made."""
    done = commands("extract", "-", stdin=TALK.encode())
    assert (done.code, done.err) == (0, "")
    first, second, third, fourth = lines(done.out)
    assert first == {
        "id": "t1",
        "facts": [
            {
                "kind": "decision",
                "subject": "team",
                "predicate": "uses",
                "object": "Postgres",
                "polarity": "+",
                "confidence": 0.9,
                "rule": "core-en/decision.decided-to-use",
                "span": [0, 50],
            }
        ],
    }
    assert isinstance(second, dict)
    assert [fact["object"] for fact in second["facts"]] == ["tabs"]
    assert third == {"id": "t3", "facts": []}
    assert fourth == {"id": "t4", "facts": []}
    assert not (commands.home / ".local/share").exists()


def test_extract_reads_a_file_and_says_which_line_is_wrong(commands: Commands) -> None:
    """A line that is no episode is told with its number, and the others are read."""
    commands.write("mixed.jsonl", '{"id": "a"}\nnonsense\n\n[1]\n' + spoken("b", "We decided to use Go."))
    done = commands("extract", "mixed.jsonl")
    assert done.code == 1
    assert [each["id"] for each in lines(done.out) if isinstance(each, dict)] == ["a", "b"]
    assert [line.split(" ")[1] for line in done.err.splitlines() if line.startswith("ethos")] == [
        "mixed.jsonl:1:",
        "mixed.jsonl:2:",
        "mixed.jsonl:4:",
    ]
    assert commands("extract", "none.jsonl").code == 1
    assert commands("extract", ".").err.startswith("ethos: .: cannot be read: is a directory")


# -- recall


def test_recall_answers_with_its_why(told: Commands) -> None:
    """The words, the ids, the day, the session. A fact and the turn it rests on are one answer."""
    done = told("recall", "billing", "postgres")
    assert done.code == 0
    assert "team uses Postgres for the billing service" in done.out
    assert told("recall", "billing", "postgres", "--json").data["hits"][0]["slot"] == "billing service"
    assert "2026-03-01 · said in t1 · session s1" in done.out
    assert "We decided to use Postgres" not in done.out
    assert told("recall", "zeppelin").out == "nothing found\n"
    assert len(told("recall", "postgres", "--limit", "1", "--json").data["hits"]) == 1
    assert told("recall", "postgres", "--limit", "0").code == 2


def test_e09_recall_counts_once_a_session_and_a_batch_does_not(told: Commands) -> None:
    """Five sessions that ask for an episode count five retrievals; the same session, and a batch, count no more."""

    def alive() -> float:
        return float(told("why", "t3", "--json").data["salience"])

    start = alive()
    told.write("queries.jsonl", '{"id": "1", "query": "lunch"}\n')
    told("recall", "--batch", "queries.jsonl")
    assert alive() == pytest.approx(start, abs=1e-4)
    told("recall", "lunch", "--session", "one")
    once = alive()
    assert once > start
    told("recall", "lunch", "--session", "one")
    assert alive() == pytest.approx(once, abs=1e-4)
    told("recall", "lunch", "--session", "two")
    assert alive() > once


def test_recall_in_a_batch_has_its_shape(told: Commands) -> None:
    """JSON lines in and out; a wrong line is told with its number, and the others are answered."""
    told.write(
        "queries.jsonl",
        '{"id": 1, "query": "postgres billing", "limit": 1}\n{"id": 2}\n'
        '{"id": 3, "query": "x", "limit": 0}\n{"id": 4, "query": "zeppelin"}\n',
    )
    done = told("recall", "--batch", "queries.jsonl")
    assert done.code == 1
    first, last = lines(done.out)
    assert isinstance(first, dict)
    assert first["id"] == 1
    assert [sorted(hit) for hit in first["hits"]] == [["episode", "id", "score", "text", "type"]]
    assert last == {"id": 4, "hits": []}
    assert 'queries.jsonl:2: "query" is missing' in done.err
    assert "queries.jsonl:3: limit is 0" in done.err


# -- facts and why


def test_runs_are_listed_with_the_ids_that_undo_takes(told: Commands) -> None:
    """Newest first, with what each did and whether it was taken back; the beginning of an id will do, everywhere."""
    run = told("status", "--json").data["runs"][0]["id"]
    assert told("undo", run[:-2]).code == 0
    listed = told("status", "--runs").out.splitlines()
    assert [line.split()[1] for line in listed] == ["undo", "consolidate"]
    assert listed[1].startswith(f"{run} consolidate ")
    assert listed[1].endswith(f", undone by {listed[0].split()[0]}")
    assert [each["id"] for each in told("status", "--runs", "--json").data["runs"]] == [listed[0].split()[0], run]
    assert "of several ids" in told("undo", "r-").err


def test_forget_takes_the_beginning_of_an_id(told: Commands) -> None:
    """Like every command; one that fits several lists them, and nothing is erased."""
    ids = [fact["id"] for fact in told("facts", "--json").data["facts"]]
    refused = told("forget", "f-", "--yes")
    assert (refused.code, all(each in refused.err for each in ids)) == (2, True), refused
    assert told("forget", ids[0][:8], "--yes", "--json").data["counts"]["facts"] == 1


def test_facts_are_listed_and_filtered(told: Commands) -> None:
    """By subject and kind, as of a day, with history; JSON has {"facts": [{"id", ...}]}."""
    found = told("facts", "--json").data["facts"]
    assert {(fact["subject"], fact["object"], fact["status"]) for fact in found} == {
        ("team", "Postgres", "active"),
        ("Ada", "tabs", "active"),
    }
    assert list(found[0])[:2] == ["id", "status"]
    assert [fact["object"] for fact in told("facts", "--subject", "ada", "--json").data["facts"]] == ["tabs"]
    assert [fact["object"] for fact in told("facts", "--kind", "decision", "--json").data["facts"]] == ["Postgres"]
    assert told("facts", "--as-of", "2020-01-01", "--json").data["facts"] == []
    assert len(told("facts", "--limit", "1", "--json").data["facts"]) == 1
    table = told("facts", "--limit", "1").out
    assert "Ada prefers tabs" in table
    assert table.endswith("1 more\n")
    assert told("facts", "--subject", "nobody").out == "no facts match\n"
    then = told("facts", "--as-of", "2020-01-01").out
    assert then == "no matching fact was known at that time -> ethos facts --history shows when each was recorded\n"
    assert "-> what a run did: ethos diff r-2026" in told("why", "r-2026").err


def test_a_narrow_terminal_gives_its_columns_to_the_words() -> None:
    """The kind is left out there; in brackets stands what the words do not say: not the predicate again, nor a slot that is one of them."""
    fact: dict[str, object] = {
        "id": "f-1",
        "kind": "fact",
        "slot": "be called",
        "predicate_key": "be called",
        "project": "kite",
        "status": "active",
    }
    fact |= {"statement": "the server is called Heron", "confidence": 0.8, "affirmed_at": None, "valid_from": "2026-03-01T09:00:00Z"}
    pet = {**fact, "slot": "favorite pet", "statement": "Ada's favorite pet is Rex", "project": ""}
    wide, narrow = (tables.facts([fact, pet, {**fact, "slot": "caches"}], width=width).columns for width in (120, 80))
    assert [column.header for column in wide] == ["id", "kind", "what is held", "sure", "said", "state"]
    assert [column.header for column in narrow] == ["id", "what is held", "sure", "said", "state"]
    words = [str(cell) for cell in narrow[1].cells]
    assert words == ["the server is called Heron  [kite]", "Ada's favorite pet is Rex", "the server is called Heron  [caches, kite]"]


def test_days_may_be_named_as_people_name_them(told: Commands) -> None:
    """`today` and `yesterday` are days; what is none is refused with what is taken, by the quick way through the daemon, too."""
    assert len(told("facts", "--as-of", "today", "--json").data["facts"]) == 2
    assert told("facts", "--as-of", "yesterday", "--json").data["facts"] == []
    assert told("recall", "postgres", "--as-of", "Yesterday", "--json").data["hits"] == []
    for words in (("facts",), ("recall", "postgres")):
        refused = told(*words, "--as-of", "once")
        assert (refused.code, "yesterday, 3 days ago, or last week" in refused.err) == (2, True), refused
    assert fast_path.request_of("recall", ["postgres"], {"--as-of": "yesterday"}) is None
    assert fast_path.request_of("recall", ["postgres"], {"--as-of": "2026-03-01"}) is not None


def test_facts_and_hits_name_their_slot_and_project(commands: Commands) -> None:
    """What a thing is for, and where: else two decisions that do not touch each other look like a contradiction."""
    line = json.loads(spoken("t1", "We decided to use Postgres as our database.")) | {"project": "shop"}
    commands("capture", "-", stdin=json.dumps(line).encode())
    commands("consolidate")
    assert "team uses Postgres  [databases, shop]" in commands("facts").out
    assert "project shop" in commands("recall", "postgres").out


def test_facts_of_an_empty_memory_say_what_to_type(commands: Commands) -> None:
    """An empty table teaches nothing."""
    assert commands("facts").out == "no facts yet -> ethos capture PATH, then ethos consolidate\n"


def test_why_tells_the_whole_story(told: Commands) -> None:
    """The words with the span marked, the rule, the arithmetic, the source."""
    fact = told("facts", "--subject", "Ada", "--json").data["facts"][0]
    story = told("why", fact["id"]).out
    assert '"I think [Ada prefers tabs over spaces]."' in story
    assert "x 0.60 (hedge)" in story
    assert f"= {fact['confidence']:.2f}" in story
    assert "said 2026-03-02 10:00 UTC by Ada, session s1" in story
    assert f"from {told.home}/talk.jsonl, origin user" in story
    unread = told("why", "t3").out
    assert "Lunch was late today." in unread
    assert "nothing was found in it" in unread


def test_why_adds_up_what_was_said_again(commands: Commands) -> None:
    """X-E4: each further episode adds 0.05; the versions stand below."""
    commands(
        "capture", "-", stdin=(spoken("a", "We decided to use Postgres.") + spoken("b", "We decided to use Postgres.", day=2)).encode()
    )
    commands("consolidate")
    fact = commands("facts", "--json").data["facts"][0]["id"]
    story = commands("why", fact).out
    assert "confidence 0.90 + 1 x 0.05 (said again) = 0.95" in story
    assert "2 versions" in story


def test_why_names_what_was_replaced(commands: Commands) -> None:
    """The new fact names the old, the old one the new."""
    commands("capture", "-", stdin=(spoken("a", "We decided to use Postgres.") + spoken("b", "We decided to use SQLite.", day=2)).encode())
    commands("consolidate")
    old, new = (
        next(f["id"] for f in commands("facts", "--history", "--json").data["facts"] if f["object"] == name)
        for name in ("Postgres", "SQLite")
    )
    assert "supersedes  team uses Postgres" in commands("why", new).out
    assert "superseded by  team uses SQLite" in commands("why", old).out
    history = commands("facts", "--history").out
    assert "superseded" in history


def test_hostile_text_is_harmless_on_a_terminal(commands: Commands) -> None:
    """Escapes, text that runs backwards and markup in what was said never reach the terminal, in no command."""
    evil = "Red\x1b[2J\u202eis [bold]:smile:[/bold]"
    marked = "We decided to use Redis [bold]:smile:[/bold]"  # text with escapes in it gives no fact
    told = [spoken("e1\x1b[31m", evil, session="s\u202e1", speaker="A\x07da"), spoken("e2", marked, speaker="A\x07da")]
    commands("capture", "-", stdin="".join(told).encode())
    commands("consolidate")
    fact = commands("facts", "--json").data["facts"][0]["id"]
    for words in (["recall", "red"], ["facts"], ["why", fact], ["why", "e1\x1b[31m"], ["status"], ["consolidate", "--dry-run"]):
        done = commands(*words)
        assert done.code == 0
        assert all(sign.isprintable() or sign == "\n" for sign in done.out), words


# -- inbox and answer


def test_inbox_shows_both_claims_and_how_to_answer(torn: Commands) -> None:
    """And --check exits 3 while somebody is waited for."""
    asked = question(torn)
    shown = torn("inbox")
    assert shown.code == 0
    assert "Michael prefers Rust" in shown.out
    assert "Michael prefers Python" in shown.out
    assert f"ethos answer {asked} keep-old | keep-new | keep-both" in shown.out
    assert (torn("inbox", "--check", "-q").code, torn("inbox", "--check", "-q").out) == (3, "")


def test_answer_decides_and_again_changes_nothing(torn: Commands) -> None:
    """keep-new retires the old one, which stays as history; the story says who decided and why."""
    asked = question(torn)
    assert torn("answer", asked, "keep-new", "--note", "we\x1b[31m moved").out.startswith(f"{asked}: keep-new applied\n")
    assert [fact["object"] for fact in torn("facts", "--json").data["facts"]] == ["Python"]
    assert "superseded" in torn("facts", "--history").out
    assert torn("answer", asked, "keep-new", "--json").data["applied"] is False
    assert torn("answer", asked, "keep-old").code == 2
    assert torn("inbox", "--check").out == "no open questions\n"
    assert "answered keep-new through the cli" in torn("why", asked).out
    assert asked in torn("inbox", "--resolved").out


def editor(of: Commands, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """An editor that does this to the file, as a person would."""
    path = of.write("editor.py", "import sys, pathlib\npath = pathlib.Path(sys.argv[1])\ntext = path.read_text('utf-8')\n" + script)
    monkeypatch.setenv("EDITOR", f"'{sys.executable}' '{path}'")


def test_inbox_edit_applies_what_was_ticked(torn: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person ticks keep-new in their editor and adds a line of their own: the answer is applied, the line is kept."""
    asked = question(torn)
    editor(
        torn, monkeypatch, f"path.write_text(text.replace('[ ] keep-new ^{asked}', '[x] keep-new ^{asked}') + '\\nmy own line\\n', 'utf-8')"
    )
    done = torn("inbox", "--edit")
    assert done.out == "1 answered\nno open questions\n"
    assert [fact["object"] for fact in torn("facts", "--json").data["facts"]] == ["Python"]
    assert "my own line" in (torn.home / ".local/share/ethos/inbox/memory-review.md").read_text("utf-8")
    assert not list((torn.home / ".local/state/ethos").glob("edit-*"))


@pytest.mark.parametrize("command", ["inbox", "consolidate"])
def test_what_was_ticked_in_the_file_is_told_when_it_is_taken(torn: Commands, command: str) -> None:
    """Somebody saved a tick and no daemon runs: the next command takes it, and says so."""
    asked = question(torn)
    file = torn.home / ".local/share/ethos/inbox/memory-review.md"
    file.write_text(file.read_text("utf-8").replace(f"[ ] keep-old ^{asked}", f"[x] keep-old ^{asked}"), "utf-8")
    assert torn(command).out.splitlines()[0] == "1 answer taken from the review file"
    assert "answer taken" not in torn(command).out


def test_inbox_edit_refuses_a_file_with_a_mistake_as_a_whole(torn: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two boxes ticked, and nobody who could be asked: nothing is applied, the copy is kept, and the sentence names it."""
    file = torn.home / ".local/share/ethos/inbox/memory-review.md"
    before = file.read_bytes()
    editor(torn, monkeypatch, "path.write_text(text.replace('[ ] keep-', '[x] keep-'), 'utf-8')")
    done = torn("inbox", "--edit")
    kept = next((torn.home / ".local/state/ethos").glob("edit-*/memory-review.md"))
    assert done.code == 3
    assert f"{question(torn)}: two choices" in done.err
    assert str(kept) in done.err
    assert file.read_bytes() == before


def at_a_terminal(of: Commands, typed: str, *words: str) -> Ran:
    """A command in a process whose standard input is a terminal."""
    ours, theirs = os.openpty()
    try:
        os.write(ours, typed.encode())
        env = environment(of.home, EDITOR=os.environ["EDITOR"])
        command = [sys.executable, "-m", "ethos", *words]
        done = subprocess.run(command, stdin=theirs, capture_output=True, text=True, cwd=of.home, env=env, check=False, timeout=60)
    finally:
        os.close(ours)
        os.close(theirs)
    return Ran(done.returncode, done.stdout, done.stderr)


def test_inbox_edit_lets_a_person_edit_again(torn: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mistake is told; dropped, it is gone; saved all the same, it gets a hint; edited again, it is mended."""
    asked, file = question(torn), torn.home / ".local/share/ethos/inbox/memory-review.md"
    editor(torn, monkeypatch, "path.write_text(text.replace('[ ] keep-old', '[x] keep-olf'), 'utf-8')")
    dropped = at_a_terminal(torn, "what?\nd\n", "inbox", "--edit")
    assert "no such action: keep-olf; tick keep-old, keep-new or keep-both" in dropped.err
    assert dropped.out.startswith("dropped: nothing was changed\n")
    assert "keep-olf" not in file.read_text("utf-8")
    saved = at_a_terminal(torn, "s\n", "inbox", "--edit", "--check")
    assert saved.code == 3
    assert saved.out.startswith("0 answered\n")
    assert f"hint {asked}: no such action" in saved.out
    editor(
        torn,
        monkeypatch,
        "path.write_text(text.replace('[x] keep-olf', '[ ] x').replace('[ ] keep-old', '[x] keep-old')"
        " if 'half' in text else text.replace('note:', 'note: half'), 'utf-8')",
    )
    assert at_a_terminal(torn, "\n", "inbox", "--edit").out.startswith("1 answered\n")
    assert "note: half" in file.read_text("utf-8")
    assert not list((torn.home / ".local/state/ethos").glob("edit-*"))


def test_inbox_edit_without_a_change_or_with_a_failing_editor(torn: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is applied, and it is said."""
    editor(torn, monkeypatch, "")
    assert torn("inbox", "--edit").out.startswith("nothing was changed\n")
    editor(torn, monkeypatch, "sys.exit(4)")
    assert "the editor ended with 4, so nothing was applied" in torn("inbox", "--edit").err
    monkeypatch.setenv("EDITOR", "no-such-editor-anywhere")
    assert torn("inbox", "--edit").code == 2
    monkeypatch.delenv("EDITOR")
    monkeypatch.setenv("PATH", "")
    assert "no editor is known" in torn("inbox", "--edit").err


def test_inbox_edit_never_writes_over_somebody_elses_save(torn: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file was saved from another program meanwhile: both saves are kept, in the file, and what was ticked is applied."""
    asked, file = question(torn), torn.home / ".local/share/ethos/inbox/memory-review.md"
    theirs = f"pathlib.Path({str(file)!r}).open('a').write('theirs\\n')\n"
    ours = f"path.write_text(text.replace('[ ] keep-new ^{asked}', '[x] keep-new ^{asked}') + 'ours\\n', 'utf-8')"
    editor(torn, monkeypatch, theirs + ours)
    done = torn("inbox", "--edit")
    assert done.out.startswith("1 answered (the file was written meanwhile, and both were put together)\n")
    assert sorted(file.read_text("utf-8").split("\n")[-3:-1]) == ["ours", "theirs"]


def test_inbox_edit_is_for_one_terminal_at_a_time(torn: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    """As with visudo; the second is told by whom."""
    editor(torn, monkeypatch, "")
    with locks.hold(torn.home / ".local/state/ethos", locks.EDIT, "held"):
        assert "is being edited in another terminal" in torn("inbox", "--edit").err


def test_answer_takes_the_beginning_of_an_id(torn: Commands) -> None:
    """As long as no other question begins like that."""
    torn(
        "capture",
        torn.write("more.jsonl", spoken("q3", "Ada prefers Vim.", day=4) + spoken("q4", "Ada prefers Emacs.", day=5, session="s9")),
    )
    torn("consolidate")
    first, second = (each["id"] for each in torn("inbox", "--json").data["questions"])
    several = torn("answer", "c-", "keep-new")
    assert several.code == 2
    assert f"c- is the beginning of several ids\n  -> one of {first}, {second}" in several.err
    answered = torn("answer", first[:5], "keep-new", "--json").data
    again = torn("answer", first[:8], "keep-new", "--json").data
    assert answered == again | {"applied": True, "text": "keep-new applied", "run": answered["run"]}
    assert torn("answer", second[:5], "keep-both", "--json").data["question"] == second
    assert "no question has the id nothing" in torn("answer", "nothing", "keep-new").err


def test_inbox_edit_before_the_first_cycle(commands: Commands) -> None:
    """There is no file yet."""
    assert "there is no review file yet" in commands("inbox", "--edit").err


# -- rules, service, status


def test_rules_explain_shows_what_is_read_and_where(commands: Commands) -> None:
    """The claim, the words marked, the rule and its arithmetic; a text that says nothing says so."""
    done = commands("rules", "explain", "Well, we decided to use Redis for caching, maybe.")
    assert "team uses Redis" in done.out
    assert "[we decided to use Redis for caching]" in done.out
    assert "rule core-en/decision.decided-to-use: 0.90" in done.out
    data = commands("rules", "explain", "Ada prefers tea.", "--json").data
    assert [(claim["subject"], claim["object"]) for claim in data["claims"]] == [("Ada", "tea")]
    assert commands("rules", "explain", "Good morning.").out.startswith("no rule reads anything in it")


def test_rules_check_names_what_is_wrong(commands: Commands) -> None:
    """The packs in force are sound; a file with a mistake is shown with its line and a caret, and the exit code says so."""
    sound = commands("rules", "check")
    assert sound.code == 0
    assert ", 0 errors, " in sound.out
    commands.write("mine.toml", 'schema = 1\npack = "mine"\nversion = "1.0.0"\n\n[[rule]]\nid = "x"\nkind = "mood"\n')
    broken = commands("rules", "check", "mine.toml")
    assert broken.code == 1
    assert f"{commands.home}/mine.toml:7:" in broken.out
    assert "^" in broken.out
    data = commands("rules", "check", "mine.toml", "--json")
    assert data.code == 1
    assert {problem["line"] for problem in data.data["problems"]} >= {7}
    assert commands("rules", "check", "none.toml").code == 1


def test_service_shows_and_installs_a_unit(commands: Commands) -> None:
    """Printed for a person's account and for a server; installed where systemd looks, with what to type next."""
    user, system = commands("service", "show"), commands("service", "show", "--system")
    assert user.code == system.code == 0
    assert "[Service]" in user.out
    assert "User=ethos" in system.out
    assert "User=ethos" not in user.out
    done = commands("service", "install")
    assert done.code == 0
    assert (commands.home / ".config/systemd/user/ethos.service").is_file()
    assert "systemctl --user" in done.out
    assert commands("service", "uninstall").code == 0
    assert not (commands.home / ".config/systemd/user/ethos.service").exists()


def test_e38_status_has_the_runbooks_numbers(told: Commands) -> None:
    """Recent events, whether the server runs, what is unconsolidated, the most important of it; and no model is called."""
    told("capture", "-", stdin=spoken("n1", "We decided to use Redis for caching.").encode())
    data = told("status", "--json").data
    assert data["counts"]["episodes"] == 5
    assert data["counts"]["unscanned"] == 1
    assert data["unread_important"][0][0] == "n1"
    assert (data["events_recently"], data["model_calls"], data["daemon"]) == (0, 0, None)
    words = told("status").out
    assert "5 held, 1 to be read, 0 set aside" in words
    assert "n1  We decided to use Redis" in words


def test_verbose_says_where_settings_come_from(told: Commands) -> None:
    """The file, what is not a default, and the socket; on standard error, so that --json stays JSON."""
    told.write("mine.toml", "[recall]\nlimit = 3\n")
    done = told("-v", "--config", "mine.toml", "facts", "--json")
    assert f"configuration: {told.home}/mine.toml" in done.err
    assert f"recall.limit from {told.home}/mine.toml:2" in done.err
    assert "no daemon" in done.err
    assert done.data == {"facts": []}  # another memory: it lives beside its file


def test_every_command_has_help_with_an_example(commands: Commands) -> None:
    """What it takes, and one line to try."""
    for words in ("capture", "consolidate", "extract", "recall", "facts", "why", "inbox", "answer", "status", "doctor"):
        assert "Example: " in commands(words, "--help").out
    for words in (
        "rules check",
        "rules test",
        "rules explain",
        "rules coverage",
        "rules replay",
        "rules promote",
        "service show",
        "service install",
        "service uninstall",
    ):
        assert "Example: " in commands(*words.split(), "--help").out


def test_a_bar_is_shown_on_a_terminal_only(tmp_path: Path) -> None:
    """Captures on a pseudo-terminal draw a bar on standard error and leave the counts on standard output."""
    (tmp_path / "talk.jsonl").write_text("".join(spoken(f"n{number}", "Nothing much.") for number in range(300)), "utf-8")
    outside, inside = os.openpty()
    command = [sys.executable, "-m", "ethos", "capture", "talk.jsonl"]
    with subprocess.Popen(command, cwd=tmp_path, env=environment(tmp_path, TERM="xterm"), stdout=subprocess.PIPE, stderr=inside) as process:
        os.close(inside)
        assert process.stdout is not None
        drawn = bytearray()
        until = time.monotonic() + 60
        while time.monotonic() < until:
            try:
                drawn += os.read(outside, 65_536)
            except OSError:  # the other end is closed
                break
        out = process.stdout.read()
    os.close(outside)
    assert b"capture" in drawn
    assert out == b"300 added, 0 already known (1 file)\n"
