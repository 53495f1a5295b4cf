"""The five memory tools over pipes, with a real client: three sessions, bad input, eight clients at once, ten thousand calls."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.server.test_mcp import connected, run
from tests.support.commands import daemon, spawn

WAY = {
    "title": "Pin the clock in date tests",
    "description": "Date tests that are flaky around midnight",
    "content": "Freeze time in the fixture, so that the date does not change while a test runs.",
    "outcome": "success",
    "project_id": "api",
}


def structured(home: Path, *calls: tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the structured answers of one session."""
    results = run(home, *calls)
    assert not [each for each in results if each.is_error], results
    return [each.structured_content for each in results]


def test_r01_to_r08_three_sessions_learn_from_one_another(tmp_path: Path) -> None:
    """One records a way that worked, the second finds it first by other words and reports success, the third contradicts it."""
    other = {**WAY, "title": "Restart the worker", "description": "When a job hangs", "content": "Restart it."}
    first, _ = structured(tmp_path, ("memory_record", WAY), ("memory_record", other))
    assert first["message"] == "Memory recorded successfully"
    assert first["initial_confidence"] == 0.8

    asked = {"query": "tests fail sporadically, freeze time?", "project_id": "api"}
    found, outcome, feedback = structured(
        tmp_path,
        ("memory_search", asked),
        ("memory_outcome", {"memory_id": first["id"], "succeeded": True, "session_id": "s-2"}),
        ("memory_feedback", {"memory_id": first["id"], "helpful": True, "comment": "saved an hour"}),
    )
    best = found["memories"][0]
    assert (best["id"], best["confidence"], best["scope"], best["origin"]) == (first["id"], 0.8, "project", "assistant")
    assert found["total_found"] >= 1
    assert found["tokens_used"] > 0
    assert (outcome["recorded"], outcome["message"]) == (True, "Outcome recorded")
    assert (feedback["success"], feedback["message"]) == (True, "Feedback recorded")
    assert feedback["new_confidence"] > outcome["new_confidence"] > 0.8

    contrary = {**WAY, "title": "Do not pin the clock in date tests", "content": "Freezing time hides bugs.", "outcome": "failure"}
    _, down = structured(
        tmp_path,
        ("memory_record", contrary),
        ("memory_outcome", {"memory_id": first["id"], "succeeded": False, "session_id": "s-3"}),
    )
    assert down["new_confidence"] < feedback["new_confidence"]
    merged = structured(tmp_path, ("memory_consolidate", {"project_id": "api"}))[0]
    assert (merged["created_memories"], merged["total_processed"], merged["skipped_count"]) == ([], 3, 3)

    shown = spawn(tmp_path, "memory", "show", first["id"])
    assert "worked 1 of 2, found helpful by 1 of 1, last" in shown.out
    assert "saved an hour" in shown.out
    assert "worked 1 of 2" in spawn(tmp_path, "memory", "search", "pin clock", "--project", "api").out
    assert "is now believed" in spawn(tmp_path, "memory", "outcome", first["id"][:8], "--failed").out


def test_bad_input_is_answered_with_what_to_do(tmp_path: Path) -> None:
    """No exception, and no memory."""
    calls: tuple[tuple[str, dict[str, Any]], ...] = (
        ("memory_search", {"query": "x", "limit": 21}),
        ("memory_search", {"query": "x", "scope": "galaxy"}),
        ("memory_search", {}),
        ("memory_record", {**WAY, "outcome": "maybe"}),
        ("memory_record", {**WAY, "content": "  "}),
        ("memory_record", {**WAY, "by_user": True}),
        ("memory_feedback", {"memory_id": "m-0", "helpful": True}),
        ("memory_outcome", {"memory_id": "", "succeeded": False}),
        ("memory_consolidate", {"project_id": "api", "similarity_threshold": 1.5}),
        ("memory_consolidate", {"project_id": ""}),
        ("memory_archive", {"memory": "m-0"}),
    )
    for call, result in zip(calls, run(tmp_path, *calls), strict=True):
        assert result.is_error, call
        assert result.content[0].text
    assert "no memories yet" in spawn(tmp_path, "memory", "list", "--everywhere").out


async def _recording(home: Path, client: int, times: int) -> None:
    async with connected(home) as session:
        for at in range(times):
            told = {**WAY, "title": f"Way {at} of client {client}", "content": f"Step {at} of client {client}."}
            made = await session.call_tool("memory_record", told)
            assert not made.is_error, made
            found = await session.call_tool("memory_search", {"query": f"step client {client}", "project_id": "api"})
            assert not found.is_error, found


def test_eight_clients_at_once_lose_nothing(tmp_path: Path) -> None:
    """All write to one memory through the daemon."""

    async def together() -> None:
        await asyncio.gather(*(_recording(tmp_path, client, 3) for client in range(8)))

    with daemon(tmp_path):
        asyncio.run(together())
        listed = spawn(tmp_path, "memory", "list", "--everywhere", "--json").data["memories"]
    assert len({memory["title"] for memory in listed}) == 24


@pytest.mark.torture
def test_ten_thousand_calls(tmp_path: Path) -> None:
    """On one connection, searching, recording and judging in turn."""

    async def many() -> list[str]:
        wrong = []
        async with connected(tmp_path) as session:
            made = await session.call_tool("memory_record", WAY)
            for at in range(10_000):
                call: tuple[str, dict[str, Any]] = (
                    ("memory_search", {"query": f"pin clock {at}", "project_id": "api"}),
                    ("memory_record", {**WAY, "title": f"Way number {at}"}),
                    ("memory_outcome", {"memory_id": made.structured_content["id"], "succeeded": at % 2 == 0, "session_id": f"s-{at}"}),
                )[at % 3]
                result = await session.call_tool(*call)
                wrong += [str(result.content[0])] if result.is_error else []
        return wrong

    with daemon(tmp_path):
        assert asyncio.run(many()) == []
