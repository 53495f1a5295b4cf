"""Served: what Ethos itself had shown is not learned when a transcript brings it back (docs/threats.md, promise 2)."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import settings as examined
from hypothesis import strategies as st

from ethos.app import Ethos
from ethos.core.facts.echoes import FEWEST, fingerprint_of, fingerprints
from ethos.core.model.records import Episode, Fact, Origin
from ethos.core.model.settings import Settings
from ethos.core.ports.queries import FactFilter
from ethos.edge.client import socket_client
from ethos.edge.config import paths
from ethos.store.sqlite.work import MOST_SERVED
from tests.conftest import SetClock
from tests.stages.test_cycle import day, tell
from tests.support.commands import Commands, commands, daemon, environment, spoken
from tests.support.telling import NOON, said

__all__ = ["commands"]  # a fixture


def held(memory: Ethos) -> list[Fact]:
    """What is held, looked at behind the door, so that it is not shown."""
    with memory.store.begin() as work:
        return list(work.facts(FactFilter("default")))


def later(words: str, clock: SetClock, *, session: str = "s9") -> Episode:
    """A turn of Michael's that is said now, after everything before."""
    clock.move(hours=1)
    return said(words, at=clock.now(), session=session)


def hear(memory: Ethos, *turns: Episode) -> None:
    """They are captured and read."""
    memory.capture(turns)
    memory.consolidate(reason="test")


def test_p5_a_recalled_text_that_comes_back_is_not_learned_again(ethos: Ethos, clock: SetClock) -> None:
    """An agent puts what it recalled into the person's turn. The fact is as it was: no surer, no newer, resting on what it rested on."""
    tell(ethos, "I prefer tabs over spaces.")
    clock.move(days=2)
    before = held(ethos)
    hits = (*ethos.recall("tabs", session="s2"), *ethos.recall("tabs or spaces", session="s2"))
    assert {hit.type for hit in hits} == {"fact", "episode"}
    hear(ethos, *(later(f"1  {hit.text}\n   fact · said 2026-06-01", clock) for hit in hits))
    assert held(ethos) == before
    assert ethos.inbox() == ()
    hear(ethos, later("By the way: I still prefer tabs over spaces these days.", clock))
    assert len(ethos.why(before[0].id).evidence) == 2


def test_p5_the_control_what_was_not_shown_is_learned(ethos: Ethos, clock: SetClock) -> None:
    """Without the recall the same turn makes the fact surer."""
    tell(ethos, "I prefer tabs over spaces.")
    clock.move(days=2)
    hear(ethos, later("I prefer tabs over spaces.", clock))
    (fact,) = held(ethos)
    assert (fact.version, fact.confidence) == (2, 0.85)


def test_p5_a_former_fact_that_comes_back_is_asked_about_and_not_revived(ethos: Ethos, clock: SetClock) -> None:
    """What was replaced was recalled, too, and comes back as if it were said anew. It does not take the place of what holds now; since it
    may be the person's own change of mind, they are asked, and may accept it.
    """
    tell(ethos, "We decided to use Postgres for the ledger.", "We decided to use MySQL for the ledger.")
    clock.move(days=3)
    ethos.recall("ledger", session="s2")
    hear(ethos, later("We decided to use Postgres for the ledger.", clock))
    assert [fact.object for fact in held(ethos)] == ["MySQL"]
    (entry,) = ethos.inbox()
    assert (entry.question.of_quarantine, entry.new.origin, entry.new.object) == (True, Origin.USER, "Postgres")
    ethos.answer(entry.question.id, "accept")
    assert [fact.object for fact in held(ethos)] == ["Postgres"]
    assert ethos.store.check() == []


def test_p5_what_was_said_before_it_was_shown_is_nobodys_echo(ethos: Ethos, clock: SetClock) -> None:
    """A turn that is recalled before it was read is still read; and so is a copy of it that is imported later."""
    turn = said("We decided to use Postgres for the ledger.", at=NOON - day(3))
    ethos.capture([turn])
    clock.move(hours=1)
    assert ethos.recall("ledger", session="s2")
    ethos.capture([said("We decided to use Postgres for the ledger.", at=NOON - day(2), session="copy")])
    ethos.consolidate(reason="test")
    (fact,) = held(ethos)
    assert len(ethos.why(fact.id).evidence) == 2


@pytest.mark.parametrize("show", ["facts", "why", "batch"])
def test_p5_whatever_way_it_was_shown(
    ethos: Ethos, open_ethos: Callable[[Settings], Ethos], settings: Settings, clock: SetClock, show: str
) -> None:
    """Listed, explained, or asked for in a batch that counts no retrievals; by another process than the one that then reads the turn."""
    tell(ethos, "I prefer tabs over spaces.")
    (fact,) = held(ethos)
    clock.move(days=2)
    other = open_ethos(settings)
    if show == "facts":
        other.facts(FactFilter("default"))
    elif show == "why":
        other.why(fact.id)
    else:
        other.recall("tabs")
    other.close()
    hear(ethos, later(fact.statement if show != "why" else "I prefer tabs over spaces.", clock))
    assert held(ethos) == [fact]


def test_p5_over_the_socket_and_the_command_line(commands: Commands) -> None:
    """The daemon shows what it recalls to an agent; the agent's transcript brings it back, word for word, in the person's turn and in its
    own; captured and read by another process, it teaches nothing.
    """
    home = commands.home
    talk = commands.write("talk.jsonl", spoken("t1", "I prefer tabs over spaces.") + spoken("t2", "We decided to use Postgres.", day=2))
    assert commands("capture", talk).code == 0
    assert commands("consolidate").code == 0
    before = json.loads(commands("facts", "--history", "--json").out)["facts"]
    with daemon(home) as _:
        socket = paths.quick_socket(None, environment(home), str(home))
        assert socket is not None
        answer = socket_client.ask(socket, {"action": "recall", "query": "tabs postgres", "session": "s7"})
        assert answer is not None
        hits = answer["data"]["hits"]  # type: ignore[index]
    assert len(hits) == 2
    echo = "".join(
        json.dumps({"role": role, "speaker": "Ada", "text": f"{at}. {hit['text']}", "said_at": "2100-01-01T00:00:00Z", "session": "s8"})
        + "\n"
        for at, hit in enumerate(hits, 1)
        for role in ("user", "assistant")
    )
    assert commands("capture", commands.write("echo.jsonl", echo)).code == 0
    assert commands("consolidate").code == 0
    assert json.loads(commands("facts", "--history", "--json").out)["facts"] == before
    assert json.loads(commands("inbox", "--json").out)["questions"] == []


def test_p5_what_is_remembered_is_bounded_and_tells_nothing(ethos: Ethos, clock: SetClock) -> None:
    """Only keyed hashes, the newest of them; of one that is shown again the first time counts."""
    tell(ethos, "I prefer tabs over spaces.")
    ethos.recall("tabs", session="s2")
    with ethos.store.begin(write=True) as work:
        rows = work.sql.rows("SELECT mark, at FROM served ORDER BY seq")  # type: ignore[attr-defined]
        assert rows
        assert all(len(mark) == 16 and set(mark) <= set("0123456789abcdef") for mark, _ in rows)
        work.serve({f"{number:016x}": clock.now() for number in range(10)})
        work.sql.run("UPDATE served SET seq = seq + ?", MOST_SERVED)  # type: ignore[attr-defined]
        work.serve({"f" * 16: clock.now()})
        assert work.sql.value("SELECT count(*) FROM served") <= len(rows) + 11  # type: ignore[attr-defined]
        known = rows[0][0]
        first = work.served([known])
        work.serve({known: clock.now()})
        assert work.served([known]) == first


def _plain(words: str) -> str:
    return f"{abs(hash(words)):016x}"


WORDS = st.lists(st.sampled_from("we use the red fox for tea 12 don't".split()), min_size=FEWEST, max_size=6).map(" ".join)  # noqa: SIM905 (read as words)
AROUND = st.sampled_from(
    [("", ""), ("Note: ", "."), ("- ", "\n"), ("Yes. ", "! And so on"), ("1. ", ""), ("x said\n", "\nthen"), ('"', '".')]
)


@examined(derandomize=True, max_examples=300, deadline=None)
@given(words=WORDS, served=AROUND, heard=AROUND)
def test_a_clause_is_known_again_whatever_stands_around_it(words: str, served: tuple[str, str], heard: tuple[str, str]) -> None:
    """List numbers, quotes, lines, other sentences: the words alone count."""
    shown = fingerprints([served[0] + words + served[1]], _plain)
    text = heard[0] + words.upper() + heard[1]
    found = fingerprint_of(text, len(heard[0]), len(heard[0]) + len(words), _plain)
    assert not found or found in shown
    assert fingerprint_of("Something else was said here", 0, 9, _plain) not in shown
