"""What reaches a language model that the user named: bytes as a stand-in on this machine received them (promise 6)."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from ethos.app import Ethos
from ethos.core.learning.lessons.analysis import UNNAMED
from ethos.core.model.records import Episode, Origin, Role
from ethos.core.model.settings import Settings
from ethos.inference.openai_compatible import OpenAiCompatible
from tests.conftest import SetClock
from tests.stages.test_lessons_model import StandIn, stand_in
from tests.support.telling import said

__all__ = ["stand_in"]

OWN = "The nightly deploy failed again."
ANSWER = "I changed the timeout of the deploy."
KEPT = ("nightly deploy failed", "changed the timeout")

# Each holds the word "Zanzibar", which may not be sent.
TOOL = "deploy failed: Zanzibar"
PARTS = {
    "a fence": f"{OWN}\n```\nZanzibar\n```",
    "a fence in another": f"{OWN}\n````\n```\nZanzibar\n```\n````",
    "inline code": f"{OWN} It said `Zanzibar` twice.",
    "a quotation": f"{OWN}\n> Zanzibar is down",
    "a private part": f"{OWN} <private>Zanzibar</private>",
    "a private part that stays open": f"{OWN}\n<Private>\nZanzibar",
    "a private part over a line": f"{OWN}\n< private >\nmore\nZanzibar</ private>",
    "an address": f"{OWN} See https://zanzibar.example/Zanzibar?run=1.",
    "a terminal": f"{OWN}\n$ cat deploy.log\nZanzibar refused",
    "a log": f"{OWN}\n2026-03-01 10:00:00,123 ERROR deploy Zanzibar refused\n2026-03-01 10:00:01,123 ERROR deploy Zanzibar refused",
    "pasted data": f'{OWN}\n{{"host": "Zanzibar", "text": "Zanzibar"}}',
    "an announced text": f"{OWN} This is what the tool printed:\n\nhost Zanzibar\nport 80 of Zanzibar",
    "a mask": f"{OWN} The key is [secret:password:2a2a2a].",
    "a secret of an older store": f"{OWN} API_KEY=ghp_Zanzibar0123456789abcdefghijklmnopqrst",
}
UNSENT = (b"zanzibar", b"2a2a2a")


@pytest.fixture
def ethos(open_ethos: Callable[[Settings], Ethos], settings: Settings, stand_in: StandIn) -> Ethos:
    """A memory with that model, which may read sessions and is asked about groups of three."""
    llm = replace(stand_in.settings, read_sessions=True)
    ethos = open_ethos(replace(settings, llm=llm, sleep=replace(settings.sleep, zone="UTC")))
    ethos._model = OpenAiCompatible(llm)
    return ethos


def turn(clock: SetClock, number: int, text: str, role: Role = "user", origin: Origin = Origin.USER, kind: str = "episode") -> Episode:
    """One turn of a session of this day, or an event of it."""
    at = clock.now() - timedelta(minutes=60 - number)
    return replace(said(text, at=at, role=role, origin=origin, record=str(number)), kind=kind)


def sent(ethos: Ethos, clock: SetClock, stand_in: StandIn, told: list[Episode]) -> bytes:
    """What the model was sent in the night after these."""
    ethos.capture(told)
    clock.move(days=1)
    ethos.sleep()
    return b"\n".join(stand_in.received)


@pytest.mark.parametrize("text", PARTS.values(), ids=PARTS)
@pytest.mark.parametrize("role", ["user", "assistant"])
def test_p6_of_a_turn_only_its_own_words_are_sent(ethos: Ethos, clock: SetClock, stand_in: StandIn, text: str, role: Role) -> None:
    """Of the user as of the assistant, in the analysis of groups as in the distillation of sessions."""
    origin = {"user": Origin.USER, "assistant": Origin.ASSISTANT}[role]
    received = sent(ethos, clock, stand_in, [turn(clock, at, text, role, origin) for at in range(4)]).lower()
    assert [KEPT[0] in asked["messages"][1]["content"] for asked in stand_in.asked] == [True, True]
    assert not [word for word in UNSENT if word in received]


def test_p6_no_turn_of_a_tool_the_system_or_a_page_is_sent(ethos: Ethos, clock: SetClock, stand_in: StandIn) -> None:
    """Told by the role, or by where the turn comes from. The turns around it are sent."""
    hidden: list[tuple[Role, Origin]] = [("tool", Origin.TOOL), ("system", Origin.OPERATOR), ("tool", Origin.USER)]
    hidden += [("user", Origin.EXTERNAL), ("user", Origin.TOOL), ("assistant", Origin.EXTERNAL)]
    told = [turn(clock, at, TOOL, role, origin) for at, (role, origin) in enumerate(hidden)]
    told += [turn(clock, at, TOOL, "tool", Origin.TOOL, "signal") for at in range(10, 14)]
    told += [turn(clock, at, OWN) for at in range(20, 23)] + [turn(clock, 23, ANSWER, "assistant", Origin.ASSISTANT)]
    received = sent(ethos, clock, stand_in, told)
    assert len(stand_in.asked) == 2
    assert all(word.encode() in received for word in KEPT)
    assert b"zanzibar" not in received.lower()


def test_p6_where_only_tools_spoke_a_model_is_not_asked(ethos: Ethos, clock: SetClock, stand_in: StandIn) -> None:
    """Nor where what stays is fewer than a group."""
    told = [turn(clock, at, TOOL, "tool", Origin.TOOL) for at in range(9)]
    ethos.settings = replace(ethos.settings, llm=replace(ethos.settings.llm, read_sessions=False))
    assert sent(ethos, clock, stand_in, [*told, turn(clock, 20, OWN), turn(clock, 21, PARTS["a fence"])]) == b""


def test_p6_of_an_event_its_title_and_text_are_sent_without_what_they_quote(ethos: Ethos, clock: SetClock, stand_in: StandIn) -> None:
    """The other fields of its JSON are not sent. In a turn, JSON is data that somebody pasted."""
    ethos.settings = replace(ethos.settings, llm=replace(ethos.settings.llm, read_sessions=False))
    body = json.dumps({"text": f"{OWN}\n```\nZanzibar\n```", "host": "Zanzibar"})
    received = sent(ethos, clock, stand_in, [turn(clock, at, f"Deploy {at} closed\n{body}", kind="signal") for at in range(3)])
    (asked,) = stand_in.asked
    assert "Deploy 2 closed\n  The nightly deploy failed again." in asked["messages"][1]["content"]
    assert b"zanzibar" not in received.lower()


def test_p6_the_name_of_a_group_is_sent_only_if_it_stands_in_what_is_sent(ethos: Ethos, clock: SetClock, stand_in: StandIn) -> None:
    """What a group is about may be named in a fence alone."""
    ethos.settings = replace(ethos.settings, llm=replace(ethos.settings.llm, read_sessions=False))
    received = sent(ethos, clock, stand_in, [turn(clock, at, f"{OWN}\n```\ndocker run\nBTC short\n```") for at in range(3)])
    assert UNNAMED.encode() in received or b"episodes for general" in received.lower()
    assert not [word for word in (b"docker", b"BTC") if word in received]
