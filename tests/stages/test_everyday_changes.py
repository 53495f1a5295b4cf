"""What people say of changes in plain words is heard, and ends the same in whatever order it comes in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import permutations
from pathlib import Path
from typing import NamedTuple

import pytest

from ethos.core.rules.matcher import Rules
from tests.stages.test_fault_h3_order import Memory, told_in
from tests.support import proven
from tests.support.telling import NOON, said

CORPUS = Path(__file__).parents[1] / "corpus" / "everyday_changes.txt"
_MARKED = re.compile(r"(?<!\S)(?P<sign>[+-])(?P<value>[^?~]+?)(?= [+\-?~]|\Z)")


class Story(NamedTuple):
    """What is said, and what is held in the end. asked: whether a question is open; None where either will do."""

    told: tuple[str, ...]
    held: tuple[str, ...]
    gone: tuple[str, ...]
    asked: bool | None


def stories() -> Iterator[Story]:
    """Yield the stories of the corpus."""
    for line in CORPUS.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        told, _, wanted = line.partition(" => ")
        marked = [(found["sign"], found["value"]) for found in _MARKED.finditer(wanted)]
        held, gone = (tuple(value for sign, value in marked if sign == wanted_sign) for wanted_sign in "+-")
        yield Story(tuple(told.split(" | ")), held, gone, None if "~" in wanted else "?" in wanted)


STORIES = list(stories())


def stands(value: str, statements: Sequence[str]) -> bool:
    """Return whether one of the wordings of a value stands in a statement, as whole words."""
    return any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", each, re.IGNORECASE) for word in value.split("|") for each in statements)


@pytest.fixture(scope="module")
def rules() -> Rules:
    """The shipped packs with both readers, as the default is."""
    return proven.rules_by_default()


@pytest.fixture
def memory(tmp_path: Path, rules: Rules) -> Iterator[Memory]:
    """An empty memory."""
    made = Memory(tmp_path / "ethos.db", rules)
    yield made
    made.store.close()


@pytest.mark.parametrize("story", STORIES, ids=[" | ".join(story.told) for story in STORIES])
def test_e20_everyday_changes_are_heard_in_every_order(memory: Memory, story: Story) -> None:
    """What is held is what was said last, and the order of arrival decides nothing. A fact may name what it was chosen over."""
    turns = [
        said(words, at=NOON + timedelta(hours=at), record=str(at), session=str(at), project="shop") for at, words in enumerate(story.told)
    ]
    wanted = told_in(memory, turns, 100)
    plus = [(str(fact[1]), bool(fact[6]), str(fact[10] or "")) for fact in wanted.facts if fact[2] == "+"]
    assert [value for value in story.held if not stands(value, [statement for statement, _, _ in plus])] == []
    standing = [(statement, over) for statement, flagged, over in plus if not flagged]
    assert [gone for gone in story.gone if any(stands(gone, [each]) and not stands(gone, [over]) for each, over in standing)] == []
    assert story.asked in (None, bool(wanted.questions))
    for came in permutations(turns):
        assert told_in(memory, came, 1) == wanted
