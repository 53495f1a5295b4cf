"""What one of two readers reads alone is kept, and held once a second episode says it (X-E1)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ethos.app import Ethos
from ethos.core.model.settings import Settings
from ethos.core.ports.queries import FactFilter
from ethos.edge.erasure.known_files import Files
from ethos.edge.files.mac import Sealing
from ethos.edge.inbox import MarkdownInbox
from ethos.edge.rulebook import load, shipped_rules
from ethos.store import open_store
from tests.conftest import SetClock
from tests.stages.test_cycle import day
from tests.support.proven import PROOFS
from tests.support.telling import NOON, said


@pytest.fixture
def twice(settings: Settings, clock: SetClock) -> Iterator[Ethos]:
    """A memory with two readers."""
    state = Path(settings.ethos.state)
    store = open_store(Path(settings.ethos.database))
    memory = Ethos(
        store,
        load([shipped_rules()], cache=PROOFS, clauses=True).rules,
        settings,
        clock,
        guard=store.run_lease,
        traces=Files(settings, open_store),
        seal=Sealing(state),
        review=MarkdownInbox(Path(settings.conflict_resolution.review_inbox), state, 0.0),
    )
    with closing(memory):
        yield memory


def test_x_e1_what_one_reader_reads_is_held_when_it_is_said_again(twice: Ethos) -> None:
    """First it is nowhere among the facts; a second episode makes it one, with the words of both in one memory that is sound."""
    for number, words in enumerate(("The kiln of 1998 has cracks near the door.", "Again, the kiln of 1998 has cracks near the door!")):
        twice.capture([said(words, at=NOON + day(number))])
        twice.consolidate(reason="test")
        assert [fact.object for fact in twice.facts(FactFilter("default"))] == ["cracks near the door"] * number
    assert twice.store.check() == []
