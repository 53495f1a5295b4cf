"""The narrative of an episode, on a real store: the chains that a night found, and the turns that belong with it besides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from ethos.app import Ethos, sleep
from ethos.core.history.erasure import ErasureRequest
from ethos.core.model.errors import Refused
from ethos.core.model.records import Episode
from ethos.core.model.settings import Settings
from ethos.core.model.traces import TraceType
from ethos.core.passes.definition import once
from ethos.edge.api.actions import Directly, Service
from ethos.edge.api.actions.ask import Narrative, narrative
from ethos.edge.render.narrative import lines
from ethos.stages.sleep.replay import REPLAY
from tests.support import proven
from tests.support.telling import NOON, said

DAY = NOON.date() - timedelta(days=1)
NINE = datetime(DAY.year, DAY.month, DAY.day, 9, tzinfo=UTC)
TALK = (
    "The deploy of the invoice service failed again",
    "The logs say that the invoice template is missing",
    "The template was renamed by the last migration",
    "Finally fixed: the invoice service reads the template by its new name",
)


@pytest.fixture
def ethos(open_ethos: Callable[[Settings], Ethos], settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Ethos:
    """A memory whose days are those of UTC, and whose nights are replays."""
    monkeypatch.setattr(sleep, "SLEEP", (once(REPLAY),))
    return open_ethos(replace(settings, sleep=replace(settings.sleep, zone="UTC")))


@pytest.fixture
def talk(ethos: Ethos) -> tuple[Episode, ...]:
    """A morning that came to something, with talk of other things in other sessions; the night after it."""
    turns = tuple(said(words, at=NINE + timedelta(hours=n), importance=0.5 + n / 10) for n, words in enumerate(TALK))
    others = [said(f"Lunch with number {n}", at=NINE + timedelta(minutes=n), importance=0.2, session=f"x{n}") for n in range(8)]
    week_ago = said("The invoice service has a template for each country", at=NINE - timedelta(days=7), session="old")
    ethos.capture([*turns, *others, week_ago])
    ethos.sleep(DAY)
    return turns


def shown(ethos: Ethos, of: str) -> str:
    """What `ethos recall --narrative` prints."""
    service = Service(ethos, proven.book(), Directly(ethos))
    return "\n".join(lines(narrative(service, Narrative(of))))


def test_l26_any_episode_of_a_chain_tells_all_of_it_in_order(ethos: Ethos, talk: tuple[Episode, ...]) -> None:
    """Whichever one asks for, by id, its beginning, or the chain's own id: the same steps, oldest first."""
    (chain,) = {max(ethos.narrative(turn.id).chains, key=lambda chain: len(chain.steps)) for turn in talk}
    assert [step.episode for step in chain.steps] == [turn.id for turn in talk]
    assert [step.text for step in chain.steps] == list(TALK)
    assert [step.type for step in chain.steps] == [TraceType.INITIATOR, TraceType.PROGRESSION, TraceType.CONCLUSION, None]
    assert [step.strength for step in chain.steps] == [0.75, 0.75, 0.75, None]
    assert ethos.narrative(talk[1].id[:12]).chains == ethos.narrative(talk[1].id).chains
    assert ethos.narrative(chain.narrative_id).chains == (chain,)


def test_l05_l26_a_session_with_one_time_is_told_in_the_order_of_its_source(ethos: Ethos) -> None:
    """As in a transcript that dates a whole talk: the chain leads through its turns as they stand there, and is told so."""
    turns = [said(words, at=NINE, importance=0.3 + n / 10, record=f"{n}") for n, words in enumerate(TALK)]
    assert [turn.id for turn in turns] != sorted(turn.id for turn in turns)
    ethos.capture(turns)
    ethos.sleep(DAY)
    [chain] = ethos.narrative(turns[-1].id).chains
    assert [step.text for step in chain.steps] == list(TALK)
    assert [step.type for step in chain.steps] == [TraceType.INITIATOR, TraceType.PROGRESSION, TraceType.CONCLUSION, None]


def test_l26_what_belongs_with_an_episode_is_told_besides(ethos: Ethos, talk: tuple[Episode, ...]) -> None:
    """Turns about the same things, of other days as well, before those about others; never the episode itself."""
    told = ethos.narrative(talk[3].id, limit=4)
    assert "The invoice service has a template for each country" in {hit.text for hit in told.around}
    assert talk[3].id not in {hit.id for hit in told.around}
    assert not any(hit.text.startswith("Lunch") for hit in told.around[:3])
    assert [hit.score for hit in told.around] == sorted((hit.score for hit in told.around), reverse=True)


@pytest.mark.usefixtures("talk")
def test_l26_an_episode_of_no_chain_is_told_too(ethos: Ethos) -> None:
    """It has no chain; an id that nothing has is refused."""
    alone = said("A night with no words in common", at=NINE + timedelta(days=40), session="z")
    ethos.capture([alone])
    told = ethos.narrative(alone.id)
    assert told.chains == ()
    assert "no chain" in shown(ethos, alone.id)
    for unknown in ("e-nothing", "chain_20200101_0"):
        with pytest.raises(Refused, match=r"there is no chain|has the id"):
            ethos.narrative(unknown)


def test_l26_a_forgotten_step_leaves_the_others(ethos: Ethos, talk: tuple[Episode, ...]) -> None:
    """No word of it is told any more."""
    ethos.forget(ErasureRequest(ids=(talk[1].id,)))
    told = ethos.narrative(talk[3].id)
    assert talk[1].id not in {step.episode for chain in told.chains for step in chain.steps}
    assert talk[2].id in {step.episode for chain in told.chains for step in chain.steps}
    text = shown(ethos, talk[3].id)
    assert TALK[1] not in text
    assert text.index(TALK[2]) < text.index(TALK[3])
