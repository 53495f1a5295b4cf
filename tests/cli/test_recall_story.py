"""Recall through the command line: an agent's log is asked about, and the answers say why they stand where they do."""

from __future__ import annotations

import json

import pytest

from tests.support.commands import Commands, commands

__all__ = ["commands"]

TALK = (
    ("user", "We decided to use Postgres for the ledger.", "monday", "2026-03-02T10:00:00Z"),
    ("assistant", "Noted. Where does the nightly backup go?", "monday", "2026-03-02T10:01:00Z"),
    ("user", "To the box in Halifax, by rsync.", "monday", "2026-03-02T10:02:00Z"),
    ("tool", "Great! Where? backup finished: 12 files in Halifax, Denver and Austin", "tuesday", "2026-03-03T09:00:00Z"),
    ("user", "The parser is slow on large invoices.", "wednesday", "2026-03-04T09:00:00Z"),
)


@pytest.fixture
def asked(commands: Commands) -> Commands:
    """A memory in which an agent's log was captured and read."""
    lines = [
        json.dumps({"id": f"t{at}", "role": role, "text": text, "session": session, "said_at": said_at})
        for at, (role, text, session, said_at) in enumerate(TALK, 1)
    ]
    assert commands("capture", commands.write("log.jsonl", "\n".join(lines) + "\n")).code == 0
    assert commands("consolidate").code == 0
    return commands


def ids(asked: Commands, *arguments: str) -> list[str]:
    """The turns that answer, best first."""
    return [hit["episode"] for hit in asked("recall", *arguments, "--json").data["hits"]]


def test_an_agents_log_is_asked_about(asked: Commands) -> None:
    """The answer stands before its question; a fact stands for its turn; whose words are meant counts; nothing of it is in the way."""
    assert ids(asked, "where does the backup go?")[0] == "t3"
    [first, *_] = asked("recall", "which database?", "--json").data["hits"]
    assert (first["type"], first["text"], first["episode"]) == ("fact", "team uses Postgres for the ledger", "t1")
    assert ids(asked, "what did I say about the backup?")[0] == "t3"
    assert ids(asked, "what did you ask about the backup?")[0] == "t2"
    assert ids(asked, "what was said on 5 March 2026?")[0] == "t5"
    assert asked("recall", "zeppelin").out == "nothing found\n"


def test_one_word_finds_only_turns_that_have_it(asked: Commands) -> None:
    """In any of its forms, or a fact of the class that it names; a question still finds the answer beside it."""
    assert set(ids(asked, "backups")) == {"t2", "t4"}
    assert ids(asked, "the", "parser") == ["t5"]
    assert ids(asked, "database") == ["t1"]
    assert "t3" in ids(asked, "where is my backup?")


def test_recall_explains_itself(asked: Commands) -> None:
    """What each part gave sums to the score; what a tool printed has no part in what chat is like; who does not ask sees nothing of it."""
    hits = {hit["episode"]: hit for hit in asked("recall", "where is my backup?", "--explain", "--json").data["hits"]}
    assert all(sum(hit["parts"].values()) == pytest.approx(hit["score"], abs=1e-3) for hit in hits.values())
    assert {"words", "speaker", "place"} <= hits["t3"]["parts"].keys()
    assert hits["t4"]["parts"].keys() == {"words"}
    assert "question" in hits["t2"]["parts"]
    told = asked("recall", "where is my backup?", "--explain").out
    assert "speaker +" in told
    assert "parts" not in asked("recall", "backup", "--json").out


def test_recall_is_narrowed_and_cut(asked: Commands) -> None:
    """To a session, a speaker, a kind and days; with ids alone or the beginnings of texts."""
    assert ids(asked, "backup Halifax ledger", "--said-in", "tuesday") == ["t4"]
    assert ids(asked, "backup Halifax ledger", "--speaker", "tool") == ["t4"]
    assert ids(asked, "backup Halifax ledger", "--kind", "decision") == ["t1"]
    assert ids(asked, "backup Halifax ledger", "--after", "2026-03-02") == ["t4"]
    assert "t4" not in ids(asked, "backup Halifax ledger", "--before", "2026-03-03")
    assert asked("recall", "backup", "--after", "soon").code == 2
    [hit, *_] = asked("recall", "backup", "--detail", "ids", "--json").data["hits"]
    assert "text" not in hit
    asked("capture", asked.write("long.jsonl", json.dumps({"role": "user", "text": "The violin is old. " * 40}) + "\n"))
    for options, longest in (((), 600), (("--detail", "short"), 600), (("--detail", "full"), 760), (("--full",), 760)):
        [hit] = asked("recall", "violin", "--json", *options).data["hits"]
        assert (len(hit["text"]), hit["length"]) == (longest, 760)
    assert asked("recall", "violin", "--detail", "ids").code == 0


def test_recall_lists_sessions(asked: Commands) -> None:
    """Which conversations speak of it, each with its best hits, as text and JSON; packed for an agent, and not mixed with other forms."""
    found = asked("recall", "--by", "session", "backup in Halifax", "--json").data["sessions"]
    assert [each["session"] for each in found] == ["monday", "tuesday"]
    assert found[0]["hits"][0]["episode"] == "t3"
    shown = asked("recall", "--by", "session", "backup in Halifax", "--limit", "1").out.splitlines()
    assert shown[0] == "  1  session monday · 2026-03-02"
    assert shown[1].strip() == "To the box in Halifax, by rsync."
    packed = asked("recall", "--by", "session", "backup in Halifax", "--max-tokens", "100", "--json").data["sessions"]
    assert [len(each["hits"]) for each in packed] == [1]
    explained = asked("recall", "--by", "session", "backup", "--explain", "--detail", "ids", "--json").data["sessions"][0]["hits"][0]
    assert explained["parts"]
    assert "text" not in explained
    assert asked("recall", "--by", "session", "zeppelin").out == "nothing found\n"
    for wrong in (("backup", "--said-in", "monday"), ("--narrative", "e-1"), ("--batch", "-")):
        assert asked("recall", "--by", "session", *wrong).code == 2


def test_a_batch_keeps_its_form(asked: Commands) -> None:
    """The five fields of a hit and no other."""
    questions = asked.write("questions.jsonl", '{"id": "a", "query": "where does the backup go?", "limit": 2}\n')
    [line] = asked("recall", "--batch", questions).out.splitlines()
    answer = json.loads(line)
    assert answer["id"] == "a"
    assert [list(hit) for hit in answer["hits"]] == [["id", "type", "score", "text", "episode"]] * 2


def test_every_text_that_has_the_word_is_found(asked: Commands) -> None:
    """At the end of a very long one, and in a script without spaces, down to two letters."""
    long = " ".join(f"w{number}x" for number in range(6_000)) + " zanzibar"
    lines = [json.dumps({"role": "user", "id": id_, "text": text}) for id_, text in (("long", long), ("han", "我们决定使用数据库"))]
    assert asked("capture", asked.write("more.jsonl", "\n".join(lines) + "\n")).code == 0
    assert ids(asked, "zanzibar") == ["long"]
    assert ids(asked, "数据库在哪里")[0] == "han"
    assert ids(asked, "数据") == ["han"]
