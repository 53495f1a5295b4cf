"""What somebody meets who knows README alone: where they stumble, they are told what is so and what to type."""

from __future__ import annotations

from pathlib import Path

import pytest

from ethos.edge.cli import fast_path, menu
from ethos.edge.client.connection import Connection
from ethos.edge.ops.doctor import setup
from tests.support import proven
from tests.support.commands import QUARREL, TALK, Commands, commands, daemon, spawn, spoken

__all__ = ["commands"]


@pytest.fixture
def torn(commands: Commands) -> Commands:
    """Somebody with an open question, and something that is not in question."""
    commands.write("quarrel.jsonl", QUARREL + spoken("q3", "We decided to use Postgres.", day=3))
    commands("capture", "quarrel.jsonl")
    commands("consolidate")
    return commands


def question(of: Commands) -> str:
    """The id of the one question there is."""
    (found,) = of("inbox", "--resolved", "--json").data["questions"]
    return str(found["id"])


def flags(of: Commands, *words: str) -> dict[str, bool]:
    """Which of the hits for these words are in question."""
    return {hit["text"]: hit["flagged"] for hit in of("recall", "--json", *words).data["hits"]}


def test_recall_says_what_is_in_question(torn: Commands) -> None:
    """Both sides of a contradiction, in words and in JSON; nothing else is, nor they when it is answered."""
    sides = {"Michael prefers Rust", "Michael prefers Python"}
    found = flags(torn, "michael", "postgres")
    assert {text for text, flagged in found.items() if flagged} == sides
    assert "team uses Postgres" in found
    told = torn("recall", "michael", "postgres").out.splitlines()
    assert sum("flagged: in question -> ethos inbox" in line for line in told) == 2
    torn("answer", question(torn), "keep-new")
    assert not any(flags(torn, "michael", "postgres").values())


def test_recall_says_what_was_in_question_then(torn: Commands) -> None:
    """Who asks for a day on which nobody had answered yet is told so, whatever was answered since."""
    torn("answer", question(torn), "keep-new")
    asked = torn("facts", "--history", "--json").data["facts"]
    then = next(fact["recorded_at"] for fact in asked if fact["flagged"])
    assert flags(torn, "michael", "--as-of", then)["Michael prefers Rust"]


def test_recall_through_a_daemon_says_it_too(tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The quick way, which an agent takes, says what the long one says."""
    (tmp_path / "quarrel.jsonl").write_text(QUARREL, "utf-8")
    with daemon(tmp_path, XDG_RUNTIME_DIR=str(tmp_path)):
        for words in (("capture", "quarrel.jsonl"), ("consolidate",)):
            assert spawn(tmp_path, *words, XDG_RUNTIME_DIR=str(tmp_path)).code == 0
        monkeypatch.setenv("HOME", str(tmp_path))
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
        monkeypatch.chdir(tmp_path)
        assert fast_path.run("recall", ["michael"]) == 0
    assert capfd.readouterr().out.count("flagged: in question -> ethos inbox") == 2


def test_all_commands_count_the_same_in_question(torn: Commands) -> None:
    """Facts in question are the sides of open questions: in `status`, `facts`, `profile` and `inbox`; a cycle counts contradictions."""
    listed = [fact for fact in torn("facts", "--json").data["facts"] if fact["status"] == "flagged"]
    asked = [q for q in torn("inbox", "--json").data["questions"] if q["status"] == "open"]
    sides = {side["id"] for q in asked for side in (q["existing"], q["new"])}
    counts = torn("status", "--json").data["counts"]
    assert {fact["id"] for fact in listed} == sides
    assert (counts["flagged"], counts["questions"]) == (len(sides), len(asked)) == (2, 1)
    assert torn("profile", "--json").data["in_question"] == 2
    assert torn("facts").out.count("in question") == 2
    assert "1 contradicting another" in torn("status", "--runs").out


def test_a_status_counts_the_facts_of_the_user(torn: Commands) -> None:
    """As `ethos facts` lists them; another user's are not among them."""
    torn.write("other.toml", '[ethos]\nuser = "somebody"\n')
    assert torn("status", "--json", "--config", "other.toml").data["counts"]["facts"] == 0


def test_who_answered_otherwise_is_told_how_to_change_it(torn: Commands) -> None:
    """The hint names the run of that answer: undone, the question is open again; and the run of the later answer, not of the first."""
    asked = question(torn)
    for first, second in (("keep-new", "keep-old"), ("keep-old", "keep-both")):
        torn("answer", asked, first)
        refused = torn("answer", asked, second)
        assert refused.code == 2
        assert f"already answered with {first}" in refused.err
        run = refused.err.partition("ethos undo ")[2].partition(",")[0]
        assert f"ethos why {asked}" in refused.err
        assert torn("undo", run).code == 0
        assert torn("inbox", "--check").code == 3
    assert torn("answer", asked, "keep-both").code == 0


def test_an_answer_that_was_imported_is_not_promised_to_be_undone(torn: Commands, tmp_path: Path) -> None:
    """What that run did is noted where it ran: here the hint says only where to look."""
    asked = question(torn)
    torn("answer", asked, "keep-new")
    torn("export", "memory.jsonl")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    proven.seed(elsewhere / "state")
    (elsewhere / "config.toml").write_text("[ethos]\n", "utf-8")
    config = ("--config", elsewhere / "config.toml")
    assert torn("import", "memory.jsonl", *config).code == 0
    refused = torn("answer", asked, "keep-old", *config)
    assert (refused.code, "ethos undo" in refused.err, f"ethos why {asked}" in refused.err) == (2, False, True)


def test_an_import_that_cannot_be_undone_says_what_else_to_do(torn: Commands) -> None:
    """A backup from before it, or forgetting."""
    torn("export", "memory.jsonl")
    assert torn("import", "memory.jsonl").code == 0
    run = next(line.split()[0] for line in torn("status", "--runs").out.splitlines() if " import " in line)
    refused = torn("undo", run)
    assert (refused.code, "ethos restore FILE" in refused.err, "ethos forget ID" in refused.err) == (2, True, True)


def review_check(config: Path) -> tuple[str, str]:
    """What the doctor says of the review file."""
    with Connection(config) as connection:
        (found,) = (check for check in setup.checks(connection) if check.name == "inbox")
    return found.level, found.found


def test_a_review_file_that_cannot_be_written_is_not_spoken_of_as_if_it_could(commands: Commands) -> None:
    """Neither by `inbox`, which sends nobody to tick a box, nor by the doctor, who says why; with a place for it both do as ever."""
    config = commands.write("c.toml", '[ethos]\n[conflict_resolution]\nreview_inbox = "taken/deeper/review.md"\n')
    commands.write("quarrel.jsonl", QUARREL)
    taken = commands.write("taken", "a file")
    commands("capture", "quarrel.jsonl", "--config", config)
    commands("consolidate", "--config", config)
    told = commands("inbox", "--config", config)
    assert "To answer:  ethos answer c-" in told.out
    assert "Or tick" not in told.out
    assert "is not there, or cannot be written -> ethos doctor" in told.out
    level, found = review_check(config)
    assert level == "warn"
    assert f"{taken}" in found
    taken.unlink()
    assert review_check(config) == ("ok", f"{taken}/deeper/review.md is not there yet; the next cycle writes it")
    assert "Or tick a box" in commands("inbox", "--config", config).out
    assert review_check(config) == ("ok", f"{taken}/deeper/review.md")


def test_a_backup_is_a_file_and_no_folder(torn: Commands) -> None:
    """The hint is what to type; typed so, it works."""
    (torn.home / "my copies").mkdir()
    refused = torn("backup", "my copies")
    assert refused.code == 2
    assert f"ethos backup '{torn.home}/my copies/ethos-backup.db'" in refused.err
    assert torn("backup", torn.home / "my copies" / "ethos-backup.db").code == 0


def test_who_changed_the_user_is_told_whose_the_memory_is(torn: Commands) -> None:
    """Nothing is held for the new one; that is said wherever nothing is found, and no more once something is held for them."""
    torn.write("mine.toml", '[ethos]\nuser = "ada"\ndatabase = ".local/share/ethos/ethos.db"\nstate = ".local/state/ethos"\n')
    mine = ("--config", "mine.toml")
    for command in (("facts",), ("recall", "postgres"), ("inbox",)):
        told = torn(*command, *mine).out
        assert 'nothing is held for user "ada"; 3 facts for others, such as "default" -> set [ethos] user' in told, command
        data = torn(*command, *mine, "--json").data
        assert data["elsewhere"] == {"user": "ada", "facts": 3, "others": ["default"]}
    torn("capture", "-", *mine, stdin=TALK.encode())
    torn("consolidate", *mine)
    assert torn("recall", "zeppelin", *mine).out == "nothing found\n"
    assert "elsewhere" not in torn("facts", "--subject", "nobody", *mine, "--json").data


def test_the_doctor_names_what_is_followed_and_is_not_there(commands: Commands) -> None:
    """A path that is there is not named."""
    (commands.home / "talks").mkdir()
    config = commands.write("c.toml", '[ethos]\n[capture]\nfollow = ["/nope", "talks"]\n')
    with Connection(config) as connection:
        found = [check for check in setup.checks(connection) if check.name == "follow"]
    assert [(check.level, check.found) for check in found] == [("warn", "/nope does not exist")]


@pytest.mark.parametrize("query", ["which queue for the order events", "which message queue do we use"])
def test_fault_newcomer_a_question_that_names_a_kind_finds_the_decision_first(commands: Commands, query: str) -> None:
    """Before what the assistant said in answer to the question: a kind may be called by any of its plain names."""
    talk = spoken("d1", "Which queue should the order service have?") + spoken("d2", "RabbitMQ or NATS both fit.", role="assistant")
    commands.write("talk.jsonl", talk + spoken("d3", "We decided to use NATS for the order events."))
    assert commands("capture", "talk.jsonl").code == commands("consolidate").code == 0
    assert commands("recall", query, "--json").data["hits"][0]["text"] == "team uses NATS for the order events"
    assert commands("recall", "rabbitmq", "--json").data["hits"][0]["type"] == "episode"


def test_a_word_that_others_say_too_is_not_reported_as_left_when_a_turn_is_forgotten(commands: Commands) -> None:
    """The stem of "database" is "databas", and the stem of that another: looked up as if it were a word, it stood there for nobody."""
    commands.write("talk.jsonl", spoken("d1", "The database is on Heron.", session="gone") + spoken("d2", "Which database?", day=2))
    commands("capture", "talk.jsonl")
    receipt = commands("forget", "--session", "gone", "--yes")
    assert (receipt.code, "still in the index" in receipt.out) == (0, False)
    assert commands("recall", "database").out.count("episode") == 1


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (("search", "database"), "ethos recall"),
        (("delete", "f-1"), "ethos forget"),
        (("history",), "ethos status --runs"),
        (("remember", "I like tea"), "ethos capture PATH"),
        (("correct", "f-1"), "ethos correct f-8d0w"),
        (("facts", "database"), "ethos recall"),
        (("undo",), "ethos undo r-20260601-120000"),
        (("rules", "explain"), 'ethos rules explain "We decided'),
        (("facts", "--as-of"), "ethos facts --help"),
    ],
)
def test_who_types_what_another_program_would_take_is_told_what_to_type_here(
    commands: Commands, typed: tuple[str, ...], meant: str
) -> None:
    """The hint is a command, not only the list of all; no word is taken for one that merely looks like it."""
    refused = commands(*typed)
    assert refused.code == 2
    assert meant in refused.err
    assert "Did you mean" not in refused.err


def test_the_words_that_are_told_apart_are_no_commands() -> None:
    """A command that comes to be is not hidden by the hint for it."""
    assert not set(menu.MEANT) & set(menu.SUMMARIES)


def test_help_of_a_command_is_asked_for_either_way(tmp_path: Path) -> None:
    """`ethos help facts` is `ethos facts --help`, and a command that has others lists them."""
    assert spawn(tmp_path, "help", "facts").out == spawn(tmp_path, "facts", "--help").out
    listed = spawn(tmp_path, "rules")
    assert (listed.code, "replay" in listed.out) == (0, True)
    assert not any(line.endswith("...") for line in listed.out.partition("Commands:")[2].splitlines())


def test_an_empty_path_is_not_the_folder_one_is_in(commands: Commands) -> None:
    """A script whose variable is not set brings in, copies and writes nothing; with a daemon neither."""
    commands.write("talk.jsonl", TALK)
    for words in (("capture", ""), ("backup", ""), ("export", " ")):
        refused = commands(*words)
        assert (refused.code, "a path is empty" in refused.err) == (2, True)
    assert commands("status", "--json").data["counts"]["episodes"] == 0
    assert fast_path.request_of("capture", [""], {}) is None


def test_an_answer_says_how_to_take_it_back(torn: Commands) -> None:
    """What it says can be typed; an answer that was given before changes nothing, and says nothing of it."""
    asked = question(torn)
    told = torn("answer", asked, "keep-new").out
    assert torn("undo", told.partition("ethos undo ")[2].strip()).code == 0
    assert torn("inbox", "--check").code == 3
    torn("answer", asked, "keep-new")
    assert "ethos undo" not in torn("answer", asked, "keep-new").out


def test_a_fact_is_no_question(torn: Commands) -> None:
    """Who turns a fact down is told what does that."""
    held = torn("facts", "--json").data["facts"][0]["id"]
    refused = torn("answer", held, "reject")
    assert (refused.code, f"ethos forget {held} --misread --dry-run" in refused.err) == (1, True)


def test_what_was_held_last_week_is_asked_in_words(torn: Commands) -> None:
    """Days ago and weeks ago, like `yesterday`; what no calendar has is refused with what can be said."""
    for words in ("last week", "3 days ago", "1 week ago", "2  Weeks ago"):
        assert torn("facts", "--as-of", words, "--json").data["facts"] == []
        assert fast_path.request_of("recall", ["postgres"], {"--as-of": words}) is None
    assert torn("facts", "--as-of", "0 days ago", "--json").data["facts"] == torn("facts", "--json").data["facts"]
    assert "last week" in torn("facts", "--as-of", "next week").err


def test_an_export_is_imported_and_not_restored(torn: Commands) -> None:
    """The two that look alike are told apart, and what to type is said."""
    torn("export", "memory.jsonl")
    refused = torn("restore", "memory.jsonl", "--yes")
    assert (refused.code, f"ethos import {torn.home}/memory.jsonl" in refused.err) == (1, True)
    refused = torn("import", "quarrel.jsonl")
    assert (refused.code, "ethos capture" in refused.err) == (1, True)


def test_an_editor_that_changed_nothing_leaves_no_copy(torn: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither one that is not there, nor one that was given up; what somebody wrote is kept."""
    state = torn.home / ".local" / "state" / "ethos"
    for editor in ("not-an-editor", "false"):
        monkeypatch.setenv("EDITOR", editor)
        assert torn("inbox", "--edit").code == 2
        assert not list(state.glob("edit-*"))
    monkeypatch.setenv("EDITOR", "sh -c 'echo more >> $0; false'")
    assert torn("inbox", "--edit").code == 2
    assert len(list(state.glob("edit-*"))) == 1


def test_a_mark_that_is_never_closed_is_told(commands: Commands) -> None:
    """What stands behind it is kept, because many only speak of the mark; whoever meant it learns so at once."""
    commands.write("talk.jsonl", spoken("p1", "Lunch was late. <private> nobody needs to know"))
    told = commands("capture", "talk.jsonl").out
    assert "<private> that is never closed" in told
    assert "1 added" in told
    commands.write("talk2.jsonl", spoken("p2", "<private>nobody</private> Lunch was fine."))
    assert "never closed" not in commands("capture", "talk2.jsonl").out


RAISES = """
schema = 1
pack = "mine"
version = "0.1.0"

[[rule]]
id = "garden.raises"
kind = "fact"
summary = "what the speaker raises"
patterns = ['''\\b(?P<subject>i|we) raise (?P<object>[^,.!?\\n]{2,60}) under glass''']
emit = { subject = "{subject}", predicate = "raises", object = "{object}" }
confidence = 0.80
example = [{ text = "I raise leeks under glass.", want = [{ object = "leeks" }] }]
"""


def test_a_pack_is_tried_before_it_is_in_force(commands: Commands) -> None:
    """On a sentence and on a file of turns, without a configuration that names it; a pack with a mistake is refused, not left out."""
    commands.write("mine.toml", RAISES)
    commands.write("talk.txt", "We raise leeks under glass\n")
    assert "mine/garden.raises" in commands("rules", "explain", "We raise leeks under glass", "--rules", "mine.toml").out
    assert "mine/garden.raises" not in commands("rules", "explain", "We raise leeks under glass").out
    assert "mine/garden.raises" in commands("rules", "coverage", "talk.txt", "--rules", "mine.toml").out
    commands.write("mine.toml", RAISES.replace("summary", "sumary"))
    refused = commands("rules", "explain", "We raise leeks under glass", "--rules", "mine.toml")
    assert (refused.code, "E-UNKNOWN-KEY" in refused.err) == (1, True)


def test_a_folder_without_rules_is_not_said_to_be_right(commands: Commands) -> None:
    """Who named the wrong folder would think that their rules were checked."""
    (commands.home / "empty").mkdir()
    for words in (("check", "empty"), ("test", "empty"), ("replay", "--rules", "empty")):
        refused = commands("rules", *words)
        assert (refused.code, "no rule files in this folder" in refused.err) == (1, True)


def test_who_removes_a_unit_that_is_not_there_is_told_so(commands: Commands) -> None:
    """An empty line says nothing."""
    assert commands("service", "uninstall").out == "no unit is installed\n"


def test_a_file_that_is_no_rule_file_is_suspected_to_be_none(commands: Commands) -> None:
    """A configuration that lies among the rules is not told to become a pack; a pack that lacks its schema is."""
    commands.write("config.toml", "[rules]\npacks = []\n")
    assert "if this is no rule file" in commands("rules", "check", "config.toml").out
    commands.write("mine.toml", RAISES.replace("schema = 1", ""))
    assert "if this is no rule file" not in commands("rules", "check", "mine.toml").out


def test_what_counts_one_is_said_of_one(torn: Commands) -> None:
    """ "1 question", and not "1 questions"."""
    torn.write("mine.toml", RAISES)
    assert torn("rules", "test", "mine.toml", "--examples", "1").out.startswith("1 rule, 1 example\n")
    torn("export", "memory.jsonl")
    assert "1 question\n" in torn("import", "memory.jsonl").out
