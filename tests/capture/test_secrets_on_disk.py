"""Secrets on the disk: what is captured through the door is masked before the first write, so that no file of the memory ever holds one."""

from __future__ import annotations

import json
from pathlib import Path

from ethos.edge.client.connection import Connection
from tests.support import proven
from tests.support.commands import Commands, commands
from tests.support.secret_corpus import Leak, leaks

__all__ = ["commands"]  # a fixture

MARKER = "kingfisher"  # stands in every turn, so that a test knows that the turn itself is on the disk


def held(folder: Path) -> bytes:
    """Every byte of every file of the memory: database, write-ahead log, shared memory, inbox, state."""
    return b"\0".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


def found(secrets: list[Leak], raw: bytes) -> list[Leak]:
    """The secrets that stand in these bytes: whole, or of long ones the last part; short ones with what stands before them, because four
    digits stand somewhere by chance.
    """

    def sought(leak: Leak) -> list[str]:
        if len(leak.secret) < 8:
            at = leak.text.index(leak.secret)
            return [leak.text[max(0, at - 8) : at + len(leak.secret)]]
        return [leak.secret, *([leak.secret[-40:-28]] if len(leak.secret) > 60 else [])]

    return [leak for leak in secrets if any(each.encode() in raw for each in sought(leak))]


def memory(home: Path) -> Path:
    """A configuration whose memory lives in a folder with nothing else in it."""
    folder = home / "memory"
    proven.seed(folder / "state")
    config = folder / "config.toml"
    config.write_text('[ethos]\nlog_level = "warning"\n\n[socket]\npath = "ethos.sock"\n', "utf-8")
    return config


def lines(secrets: list[Leak], *, claude: bool) -> str:
    """The turns as episode lines, or as a session of Claude Code, where a third of them are what a tool printed."""
    written: list[dict[str, object]] = []
    for at, leak in enumerate(secrets):
        text = f"{leak.text}\n{MARKER} {at}"
        when = f"2026-03-01T10:{at // 60 % 60:02}:{at % 60:02}Z"
        if not claude:
            written.append({"role": "user", "speaker": "Ada", "text": text, "said_at": when, "session": "s1"})
            continue
        content: object = text if at % 3 else [{"type": "tool_result", "tool_use_id": f"t{at}", "content": text}]
        message = {"role": "user", "content": content}
        written.append({"type": "user", "uuid": f"u{at}", "sessionId": "s1", "timestamp": when, "message": message})
    return "".join(json.dumps(line) + "\n" for line in written)


def test_t8_no_secret_reaches_a_file_of_the_memory(commands: Commands) -> None:
    """Synthetic keys of all kinds, in two formats: while the memory is open the write-ahead log holds the turns and none of the keys;
    after a cycle and closing, no file does. The capture says how many it masked.
    """
    secrets = list(leaks(draws=1))
    config = memory(commands.home)
    transcripts = [commands.write("talk.jsonl", lines(secrets, claude=False)), commands.write("session.jsonl", lines(secrets, claude=True))]
    with Connection(config) as connection:
        told = [connection.local.call("capture", {"paths": [str(path)]}).data for path in transcripts]
        log = config.parent.joinpath("ethos.db-wal").read_bytes()
        assert log.count(MARKER.encode()) >= 2 * len(secrets)
        assert found(secrets, held(config.parent)) == []
        connection.local.call("consolidate", {})
        assert found(secrets, held(config.parent)) == []
    assert [data["added"] for data in told] == [len(secrets)] * 2
    assert all(sum(data["masked"].values()) >= len(secrets) for data in told)
    raw = held(config.parent)
    assert MARKER.encode() in raw
    assert found(secrets, raw) == []


def test_t8_the_scan_would_find_them(commands: Commands) -> None:
    """With masking switched off by the person, the same turns leave the same keys in the same files: the test above can fail."""
    secrets = list(leaks(draws=1))
    config = memory(commands.home)
    config.write_text(config.read_text("utf-8") + "\n[capture]\nmask_secrets = false\n", "utf-8")
    with Connection(config) as connection:
        connection.local.call("capture", {"paths": [str(commands.write("talk.jsonl", lines(secrets, claude=False)))]})
        assert len(found(secrets, held(config.parent))) > len(secrets) * 9 / 10


def test_t8_a_name_is_masked_like_a_text(commands: Commands) -> None:
    """A key that somebody used as a session, a speaker or a tag is a key all the same; and the command says what it masked, each once."""
    key = "ghp_" + "aB3dE5gH7jK9" * 3
    record = {"role": "user", "speaker": key, "session": f"with {key}", "tags": [key], "text": "hello", "said_at": "2026-03-01T10:00:00Z"}
    ran = commands("capture", commands.write("talk.jsonl", json.dumps(record) + "\n"))
    assert "secrets masked before anything was written: github 2" in ran.out
    database = commands.home / ".local" / "share" / "ethos"
    assert key.encode() not in held(database)
    assert b"[secret:github:" in held(database)


def test_t8_what_is_told_besides_a_transcript_is_masked_too(commands: Commands) -> None:
    """A memory of the bank, the word on it, a note to an answer, a correction: none of them puts a key on the disk."""
    key = "ghp_" + "aB3dE5gH7jK9" * 3
    told = f"password = hunter22Zebra9, or {key}"
    lines = [f"Michael prefers {one} over {other}" for one, other in (("Rust", "Python"), ("Python", "Rust"))]
    turns = [{"role": "user", "text": text, "said_at": f"2026-03-0{day}T10:00:00Z"} for day, text in enumerate(lines, 1)]
    commands("capture", commands.write("talk.jsonl", "".join(json.dumps(turn) + "\n" for turn in turns)))
    commands("consolidate")
    kept = commands("memory", "record", told, "--description", told, "--content", told, "--outcome", "success", "--tags", key, "--json")
    assert kept.code == 0, kept
    assert commands("memory", "feedback", kept.data["id"], "--helpful", "--comment", told).code == 0
    question = commands("inbox", "--json").data["questions"][0]["id"]
    assert commands("answer", question, "keep-new", "--note", told).code == 0
    fact = commands("facts", "--json").data["facts"][0]["id"]
    assert commands("retire", fact, "--said", told).code == 0
    raw = held(commands.home)
    assert [each for each in (b"hunter22Zebra9", key.encode()) if each in raw] == []
    assert b"[secret:github:" in raw
