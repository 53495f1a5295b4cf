"""The MCP server as a real client meets it: over pipes, with and without a daemon."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client

from tests.support.commands import QUARREL, TALK, daemon, environment, spawn

TOOLS = {"recall", "sessions", "facts", "remember"} | {
    f"memory_{verb}" for verb in ("search", "record", "feedback", "outcome", "consolidate")
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a conversation and a question in its memory, and no daemon."""
    home = tmp_path_factory.mktemp("home")
    (home / "talk.jsonl").write_text(TALK + QUARREL, "utf-8")
    assert spawn(home, "capture", "talk.jsonl").code == 0
    assert spawn(home, "consolidate").code == 0
    return home


@asynccontextmanager
async def connected(home: Path) -> AsyncIterator[ClientSession]:
    """A client that has shaken hands."""
    server = StdioServerParameters(command=sys.executable, args=["-m", "ethos", "mcp"], env=environment(home), cwd=str(home))
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        yield session


def run(home: Path, *calls: tuple[str, dict[str, Any]]) -> list[Any]:
    """Return the results of these calls, made one after another on one connection."""

    async def made() -> list[Any]:
        async with connected(home) as session:
            return [await session.call_tool(name, given) for name, given in calls]

    return asyncio.run(made())


def test_every_tool_says_what_it_takes_and_gives(home: Path) -> None:
    """Title, annotations and both schemas; no tool approves, answers or forgets."""

    async def listed() -> list[Any]:
        async with connected(home) as session:
            return list((await session.list_tools()).tools)

    tools = asyncio.run(listed())
    assert {tool.name for tool in tools} == TOOLS
    for tool in tools:
        assert tool.title
        assert tool.description
        assert tool.annotations.destructive_hint is False
        assert tool.annotations.open_world_hint is False
        assert tool.input_schema["additionalProperties"] is False
        assert tool.output_schema["type"] == "object"


def test_tools_answer_with_structure_and_text(home: Path) -> None:
    """`recall` finds, `sessions` says where it was talked about, `facts` lists with a limit."""
    recall, sessions, facts = run(
        home, ("recall", {"query": "which database"}), ("sessions", {"query": "which database", "limit": 1}), ("facts", {"limit": 1})
    )
    (found,) = sessions.structured_content["sessions"]
    assert found["session"] == "s1"
    assert "Postgres" in found["hits"][0]["text"]
    assert "Postgres" in recall.structured_content["hits"][0]["text"]
    assert recall.structured_content["hits"][0]["slot"] == "billing service"
    assert json.loads(recall.content[0].text) == recall.structured_content
    assert len(facts.structured_content["facts"]) == 1
    assert "slot" in facts.structured_content["facts"][0]
    assert facts.structured_content["more"] > 0


def test_what_is_remembered_is_the_assistants_and_never_a_fact(home: Path) -> None:
    """It can be recalled with its origin; consolidation does not hold it."""
    kept, again, found = run(
        home,
        ("remember", {"text": "We decided to use Cobol for the parser.", "project": "billing"}),
        ("remember", {"text": ""}),
        ("recall", {"query": "cobol parser"}),
    )
    assert kept.structured_content["added"] == 1
    assert again.is_error
    assert found.structured_content["hits"][0]["origin"] == "assistant"
    assert spawn(home, "consolidate").code == 0
    assert "Cobol" not in spawn(home, "facts", "--json").out


def test_a_mistake_is_an_answer_that_says_what_to_do(home: Path) -> None:
    """An unknown tool, an unknown argument, a value of another type."""
    unknown, extra, wrong = run(home, ("approve", {}), ("facts", {"nope": 1}), ("recall", {"query": 5}))
    assert all(result.is_error for result in (unknown, extra, wrong))
    assert "recall" in unknown.content[0].text
    assert "nope" in extra.content[0].text
    assert "query" in wrong.content[0].text


def test_resources_and_the_prompt_can_be_read(home: Path) -> None:
    """The profile lists what is held, the inbox what waits for the user."""

    async def read() -> list[str]:
        async with connected(home) as session:
            results = [await session.read_resource(f"ethos://{name}") for name in ("profile", "inbox")]
            prompt: Any = await session.get_prompt("use-memory")
            texts: list[Any] = [*(result.contents[0] for result in results), prompt.messages[0].content]
            return [text.text for text in texts]

    profile, inbox, prompt = asyncio.run(read())
    assert "Postgres" in profile
    assert "Rust" in inbox
    assert "ethos answer" in inbox
    assert "recall" in prompt


def test_eight_clients_at_once_share_a_daemon(home: Path) -> None:
    """Each gets its own answers."""

    async def crowd() -> list[int]:
        async def one() -> int:
            async with connected(home) as session:
                results = [await session.call_tool("recall", {"query": "database"}) for _ in range(5)]
                return sum(not result.is_error for result in results)

        return list(await asyncio.gather(*(one() for _ in range(8))))

    with daemon(home):
        assert asyncio.run(crowd()) == [5] * 8


def test_a_client_that_dies_ends_its_server(home: Path) -> None:
    """The end of standard input is the end of the process, with exit code 0."""
    server = subprocess.Popen(
        [sys.executable, "-m", "ethos", "mcp"], cwd=home, env=environment(home), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    server.communicate(b'{"jsonrpc": "2.0", "id": 1, "meth', timeout=30)
    assert server.returncode == 0


def inspected(home: Path, method: str, **given: str) -> Any:
    """Return what the MCP Inspector's command line prints; skip the test where node or the package is missing."""
    npx = shutil.which("npx")
    if npx is None:
        pytest.skip("node is not installed")
    tool = ["--tool-name", given.pop("tool")] if "tool" in given else []
    arguments = [word for name, value in given.items() for word in ("--tool-arg", f"{name}={value}")]
    server = [sys.executable, "-m", "ethos", "mcp"]
    command = [npx, "--no-install", "@modelcontextprotocol/inspector", "--cli", *server, "--method", method, *tool, *arguments]
    done = subprocess.run(command, cwd=home, env=environment(home), capture_output=True, check=False, timeout=120, text=True)
    if "missing packages" in done.stderr:
        pytest.skip("the inspector is not installed: npm install --global @modelcontextprotocol/inspector")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_inspector_lists_and_calls_each_tool(home: Path) -> None:
    """The MCP Inspector's command line, where npm has it: every tool answers with what its schema declares."""
    assert {tool["name"] for tool in inspected(home, "tools/list")["tools"]} == TOOLS
    way = {
        "title": "Pin the clock",
        "description": "flaky date tests",
        "content": "Freeze time.",
        "outcome": "success",
        "project_id": "api",
    }
    made = inspected(home, "tools/call", tool="memory_record", **way)["structuredContent"]["id"]
    calls: dict[str, dict[str, str]] = {
        "recall": {"query": "which database", "limit": "2"},
        "sessions": {"query": "which database", "limit": "1"},
        "facts": {"limit": "1"},
        "remember": {"text": "The build takes a minute."},
        "memory_search": {"query": "flaky date tests", "project_id": "api"},
        "memory_feedback": {"memory_id": made, "helpful": "true"},
        "memory_outcome": {"memory_id": made, "succeeded": "false"},
        "memory_consolidate": {"project_id": "api", "dry_run": "true"},
    }
    assert {*calls, "memory_record"} == TOOLS
    answers = {tool: inspected(home, "tools/call", tool=tool, **given) for tool, given in calls.items()}
    assert not [answer for answer in answers.values() if answer.get("isError")]
    found = {tool: answer["structuredContent"] for tool, answer in answers.items()}
    assert "Postgres" in found["recall"]["hits"][0]["text"]
    assert len(found["sessions"]["sessions"]) == 1
    assert len(found["facts"]["facts"]) == 1
    assert found["remember"]["added"] == 1
    assert [each["id"] for each in found["memory_search"]["memories"]] == [made]
    assert found["memory_outcome"]["new_confidence"] < found["memory_feedback"]["new_confidence"]
    assert found["memory_consolidate"]["total_processed"] == 1
