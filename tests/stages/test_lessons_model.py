"""Nights with a language model that the user named: a stand-in on this machine answers (H-08, H-32, H-33, H-42)."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from ethos.app import Ethos
from ethos.core.learning.lessons.edges import EdgeKind, edges
from ethos.core.learning.lessons.likeness import lesson_likeness
from ethos.core.model.errors import Refused
from ethos.core.model.lessons import FoundBy, Lesson, LessonEvidence
from ethos.core.model.records import Episode
from ethos.core.model.settings import LlmSettings, Settings
from ethos.edge import wiring
from ethos.inference.openai_compatible import OpenAiCompatible
from ethos.stages.sleep.generalize import COUNTS
from tests.conftest import SetClock
from tests.support.telling import said

LESSON = "TITLE: High funding precedes falls\n\nI won 4 of 5 BTC shorts when funding was high, so I wait for that."

BODY = (
    "I won 4 of 5 BTC shorts when funding was high and volume was thin in the Asian session, so I wait for that. Before an entry I compare"
    " the order book with the spot price, draw the weekly range, write down the risk and the reason, and ask a friend who trades"
)
LONG = f"TITLE: High funding precedes falls\n\n{BODY}"
SAME, LIKE, NEARLY_APART, APART = (
    f"TITLE: The high funding precedes falls\n\n{BODY} and look at charts{more}."
    for more in (
        "",
        ", with stops, coffee and patience",
        ", with stops, coffee, patience and a calendar",
        ", with stops, coffee, patience, a calendar, a lamp and a blanket",
    )
)


@dataclass
class StandIn:
    """An endpoint that answers what it is told to, and remembers what it was asked."""

    answer: str = LESSON
    status: int = 200
    broken: bool = False
    asked: list[dict[str, Any]] = field(default_factory=list)
    received: list[bytes] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    settings: LlmSettings = field(default_factory=LlmSettings)


@pytest.fixture
def stand_in() -> Iterator[StandIn]:
    """One on a free port of this machine."""
    stand_in = StandIn()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            stand_in.received.append(self.rfile.read(int(self.headers["Content-Length"])))
            stand_in.asked.append(json.loads(stand_in.received[-1]) | {"path": self.path})
            stand_in.keys.append(self.headers.get("Authorization"))
            usage = {"prompt_tokens": 600, "completion_tokens": 90}
            told = {"choices": [{"message": {"role": "assistant", "content": stand_in.answer}}], "usage": usage}
            data = b"<html>" if stand_in.broken else json.dumps(told).encode()
            self.send_response(stand_in.status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the name of the base class)
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    stand_in.settings = LlmSettings(endpoint=f"http://127.0.0.1:{server.server_port}/v1", model="stand-in", timeout_seconds=20)
    yield stand_in
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def ethos(open_ethos: Callable[[Settings], Ethos], settings: Settings, stand_in: StandIn) -> Ethos:
    """A memory with that model."""
    ethos = open_ethos(replace(settings, llm=stand_in.settings, sleep=replace(settings.sleep, zone="UTC")))
    ethos._model = OpenAiCompatible(stand_in.settings)
    return ethos


def closes(numbers: range, clock: SetClock, symbol: str = "BTC") -> list[Episode]:
    """Closed trades of today."""
    return [
        replace(
            said(
                f"{symbol} short closed\nfunding was high, and it fell", at=clock.now() - timedelta(minutes=60 - at), record=f"{symbol}{at}"
            ),
            kind="trade_close",
            speaker="user",
        )
        for at in numbers
    ]


def counts(ethos: Ethos, clock: SetClock, told: list[Episode]) -> list[int]:
    """The six counts of a night after these."""
    ethos.capture(told)
    clock.move(days=1)
    report = ethos.sleep().report
    return [report.counts[name] for name in COUNTS]


def test_h08_h42_five_closes_give_a_lesson_and_two_more_strengthen_it(ethos: Ethos, clock: SetClock, stand_in: StandIn) -> None:
    """H-08, H-27 to H-29: {5, 1, 1, 1, 0, 0}, five edges; the next night strengthens 1 and creates none, though the counts have grown."""
    assert counts(ethos, clock, closes(range(5), clock)) == [5, 1, 1, 1, 0, 0]
    with ethos.store.begin() as work:
        (lesson,) = work.records(Lesson)
        evidence = {each.id: each for each in work.records(LessonEvidence)}
    assert (lesson.found_by, lesson.subtype, lesson.event_source) == (FoundBy.MODEL, "custom:lesson", "consolidation")
    assert (lesson.title, lesson.summary) == ("High funding precedes falls", "")
    drawn = list(edges(lesson, evidence, ethos.settings.lessons))
    assert [(edge.kind, edge.weight) for edge in drawn] == [(EdgeKind.GENERALIZES, 0.7)] * 5
    (asked,) = stand_in.asked
    assert (asked["path"], asked["model"], asked["max_tokens"]) == ("/v1/chat/completions", "stand-in", 800)
    assert "5 episodes for BTC" in asked["messages"][1]["content"]
    stand_in.answer = LESSON.replace("4 of 5", "6 of 7")
    assert counts(ethos, clock, closes(range(10, 12), clock)) == [7, 1, 1, 0, 1, 0]
    with ethos.store.begin() as work:
        assert [each.id for each in work.records(Lesson)] == [lesson.id]
        assert sum(len(each.episodes) for each in work.records(LessonEvidence)) == 7


def likeness(answer: str) -> float:
    """How like two lessons are of which one is told as LONG."""
    one, other = (text.removeprefix("TITLE: ").replace("\n\n", ". ") for text in (LONG, answer))
    return lesson_likeness(one, other)


def connected(ethos: Ethos) -> list[tuple[str, str]]:
    """The edges from a lesson to one that it is like."""
    with ethos.store.begin() as work:
        evidence = {each.id: each for each in work.records(LessonEvidence)}
        drawn = [edge for lesson in work.records(Lesson) for edge in edges(lesson, evidence, ethos.settings.lessons)]
    return [(edge.source, edge.target) for edge in drawn if edge.kind is EdgeKind.RELATES_TO]


def lessons_of_two_nights(ethos: Ethos, clock: SetClock, stand_in: StandIn, answer: str) -> tuple[list[str], int]:
    """The lessons after one night is told LONG and the next one this, the older first, and how many the second strengthened."""
    stand_in.answer = LONG
    assert counts(ethos, clock, closes(range(5), clock)) == [5, 1, 1, 1, 0, 0]
    with ethos.store.begin() as work:
        (first,) = [each.id for each in work.records(Lesson)]
    stand_in.answer = answer
    *_, created, strengthened, _ = counts(ethos, clock, closes(range(10, 12), clock))
    with ethos.store.begin() as work:
        later = [each.id for each in work.records(Lesson) if each.id != first]
    assert len(later) == created
    return [first, *later], strengthened


@pytest.mark.parametrize(
    ("answer", "least", "below", "made", "joined"),
    [(SAME, 0.95, 1.0, 1, False), (LIKE, 0.91, 0.92, 2, True), (NEARLY_APART, 0.9, 0.905, 2, True), (APART, 0.8, 0.9, 2, False)],
)
def test_h25_a_lesson_in_like_words_strengthens_is_connected_or_stands_apart(
    ethos: Ethos, clock: SetClock, stand_in: StandIn, answer: str, least: float, below: float, made: int, joined: bool
) -> None:
    """From 0.95 on it is no lesson of its own; from 0.90 on it is one with an edge to the other; below that, one without."""
    assert least <= likeness(answer) < below
    lessons, strengthened = lessons_of_two_nights(ethos, clock, stand_in, answer)
    assert (len(lessons), strengthened) == (made, 1 if made == 1 else 0)
    assert connected(ethos) == ([(lessons[1], lessons[0])] if joined else [])


def test_h25_another_lesson_of_the_same_title_takes_nothing_from_the_first(ethos: Ethos, clock: SetClock, stand_in: StandIn) -> None:
    """Two bodies under one title are two lessons, each with its own words."""
    first, *later = lessons_of_two_nights(ethos, clock, stand_in, APART.replace("The high", "High"))[0]
    with ethos.store.begin() as work:
        bodies = {each.id: each.body for each in work.records(Lesson)}
    assert len(later) == 1
    assert bodies[first] == BODY
    assert "blanket" in bodies[later[0]]


@pytest.mark.parametrize(("of", "made", "joined"), [("duplicates", 1, False), ("connected", 2, True)])
@pytest.mark.parametrize("reached", [True, False])
def test_h25_a_likeness_that_is_the_limit_counts_as_reaching_it(
    open_ethos: Callable[[Settings], Ethos],
    ethos: Ethos,
    clock: SetClock,
    stand_in: StandIn,
    of: str,
    made: int,
    joined: bool,
    reached: bool,
) -> None:
    """Once the likeness of the two is the limit, and once the next greater number: then they are just not alike enough."""
    limit = likeness(LIKE) if reached else math.nextafter(likeness(LIKE), 1)
    limits = replace(ethos.settings.lessons, duplicate_at=limit if of == "duplicates" else 1.0, connect_at=limit)
    other = open_ethos(replace(ethos.settings, lessons=limits))
    other._model = ethos._model
    lessons, _ = lessons_of_two_nights(other, clock, stand_in, LIKE)
    assert (len(lessons), bool(connected(other))) == ((made, joined) if reached else (2, False))


def test_h07_a_model_is_asked_about_the_fifteen_newest_of_a_group(ethos: Ethos, clock: SetClock, stand_in: StandIn) -> None:
    """X-H3."""
    told = closes(range(20), clock)
    counts(ethos, clock, told)
    asked = stand_in.asked[0]["messages"][1]["content"]
    assert "15 episodes for BTC" in asked
    assert [f"({each.said_at:%Y-%m-%dT%H:%M})" in asked for each in told] == [False] * 5 + [True] * 15


@pytest.mark.parametrize(("status", "broken"), [(500, False), (200, True)])
def test_h32_a_call_that_fails_is_told_and_counted_and_the_night_goes_on(
    ethos: Ethos, clock: SetClock, stand_in: StandIn, status: int, broken: bool
) -> None:
    """X-H6: one error for each group; nothing is made up."""
    stand_in.status, stand_in.broken = status, broken
    ethos.capture(closes(range(3), clock, "ETH"))
    assert counts(ethos, clock, closes(range(4), clock)) == [7, 2, 2, 0, 0, 2]
    report = ethos.report()
    lines = [line.text for section in report.sections for line in section.lines]
    assert sum("gave no answer" in line for line in lines) == 2
    with ethos.store.begin() as work:
        assert list(work.records(Lesson)) == []


def test_h33_calls_are_counted_in_the_run_and_in_status(ethos: Ethos, clock: SetClock, stand_in: StandIn) -> None:
    """Calls and tokens; a failed call took none; NO_PATTERN is an answer like any other."""
    stand_in.answer = "NO_PATTERN"
    assert counts(ethos, clock, closes(range(5), clock)) == [5, 1, 1, 0, 0, 0]
    run = ethos.status().runs[0]
    assert (run.counts["model_calls"], run.counts["model_prompt_tokens"], run.counts["model_completion_tokens"]) == (1, 600, 90)
    stand_in.status = 500
    counts(ethos, clock, closes(range(10, 12), clock))
    assert ethos.status().runs[0].counts["model_completion_tokens"] == 0
    assert ethos.status().model_calls == 2


def test_a_model_is_off_unless_an_endpoint_is_named(settings: Settings, stand_in: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is asked by default; with an endpoint the key comes from the variable that is named, and one that is down is a refusal."""
    assert wiring.model(settings) is None
    monkeypatch.setenv("LLM_API_KEY", "a-key")
    model = wiring.model(replace(settings, llm=stand_in.settings))
    assert model is not None
    assert model.complete("", "", 10).prompt_tokens == 600
    assert stand_in.keys == ["Bearer a-key"]
    down = wiring.model(replace(settings, llm=LlmSettings(endpoint="http://127.0.0.1:1/v1", timeout_seconds=5)))
    assert down is not None
    with pytest.raises(Refused, match="cannot be reached"):
        down.complete("", "", 10)
