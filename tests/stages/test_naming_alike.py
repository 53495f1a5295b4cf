"""A ledger finds by a phrase only what the store finds by it, too: else what is held would hang on what was loaded."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from ethos.core.facts.active_facts import ActiveFacts
from ethos.core.model.records import Fact
from ethos.core.ports.queries import FactFilter
from ethos.core.text import folding
from tests.stages.test_everyday_changes import STORIES
from tests.stages.test_fault_h3_order import Memory
from tests.support import proven
from tests.support.telling import said

OTHER_NOUNS = ("launch", "wedding", "manager", "owner", "lead", "boss", "phone", "look after")


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """An empty memory with both readers."""
    made = Memory(tmp_path / "ethos.db", proven.rules_by_default())
    yield made
    made.store.close()


def phrases(fact: Fact) -> set[str]:
    """Return the words of a fact's key and sentence, and each two that stand beside each other."""
    found: set[str] = set()
    for told in (fact.subject_key, fact.predicate_key, fact.object_key, folding.key(fact.subject), folding.key(fact.statement)):
        words = folding.tokens(told)
        found |= {" ".join(words[low:high]) for low, high in combinations(range(len(words) + 1), 2) if high - low <= 2}
    return found


@pytest.mark.parametrize("start", range(0, len(STORIES), 60))
def test_h3_what_a_ledger_finds_by_a_phrase_the_store_finds_too(memory: Memory, start: int) -> None:
    """Of the stories, whose keys have other words than their sentences where another noun or verb stands for theirs."""
    turns = [words for story in STORIES[start : start + 60] for words in story.told]
    memory.tell([said(words, record=str(at), session=str(at), project="shop") for at, words in enumerate(turns)])
    with memory.store.begin() as work:
        facts = {fact.id: fact for fact in work.facts(FactFilter("default")) if fact.active}
        ledger = ActiveFacts(facts.__getitem__)
        for fact in facts.values():
            ledger.put(fact)
        asked = {*OTHER_NOUNS}.union(*map(phrases, facts.values()))
        for project in ("shop", ""):
            for phrase in sorted(asked):
                known = {fact.id for fact in ledger.naming("default", project, phrase)}
                stored = {fact.id for fact in work.active_facts_naming({("default", project, phrase)})} if known else set()
                assert known <= stored, (phrase, [facts[id_].statement for id_ in known - stored])
