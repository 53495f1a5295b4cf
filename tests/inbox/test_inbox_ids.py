"""Ids in the review file: a tick counts for the question whose words stand above it, or for none."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from itertools import combinations
from pathlib import Path

import pytest

from ethos.app import Ethos
from ethos.core.model.settings import Settings
from tests.support.telling import NOON, said

# Lines of an entry that hold its id.
PARTS: dict[str, str] = {"heading": "### ", "box": "- [", "end": "<!-- /ethos"}
WHICH = [names for number in range(1, len(PARTS) + 1) for names in combinations(PARTS, number)]


@pytest.fixture
def file(settings: Settings) -> Path:
    """The review file."""
    return Path(settings.conflict_resolution.review_inbox)


def asked_in_two_projects(ethos: Ethos) -> tuple[str, str]:
    """Raise one question in each of two projects, in the same words; return their ids, in the order of the file."""
    for project in ("shop", "blog"):
        for days, words in enumerate(("The API server runs on port 8080.", "The API server runs on port 9090.")):
            ethos.capture([said(words, at=NOON + timedelta(days=days), session=project, project=project)])
    ethos.consolidate(reason="test")
    first, second = (entry.question.id for entry in ethos.inbox())
    return first, second


def swapped(line: str, one: str, other: str) -> str:
    """The line with one id in the place of the other."""
    return line.replace(one, "\0").replace(other, one).replace("\0", other)


@pytest.mark.parametrize("parts", WHICH, ids="-".join)
def test_xe11_a_tick_under_swapped_ids_answers_nothing(ethos: Ethos, file: Path, parts: tuple[str, ...]) -> None:
    """Two entries in the same words differ by the ids of their claims: an id in the other's place answers neither.

    An entry that only ends with the other's id is put right first, and its tick is taken then.
    """
    one, other = asked_in_two_projects(ethos)
    lines = file.read_text("utf-8").replace(f"- [ ] keep-new ^{one}", f"- [x] keep-new ^{one}").split("\n")
    marks = tuple(PARTS[name] for name in parts)
    file.write_text("\n".join(swapped(line, one, other) if line.startswith(marks) else line for line in lines), "utf-8")
    assert ethos.settle() == 0
    assert "⚠" in file.read_text("utf-8")
    settled = [ethos.settle() for _ in range(3)]  # nor when the file that was written meanwhile is read again
    assert sum(settled) == (parts == ("end",))
    assert [entry.question.id for entry in ethos.inbox()] == ([other] if any(settled) else [one, other])


@pytest.mark.parametrize("line", ["**Subject:**", "**Existing ID:**", "**Existing:**", "**New ID:**", "**New:**", "**"])
def test_xe11_a_tick_in_an_entry_without_a_claim_of_it_is_not_taken(ethos: Ethos, file: Path, line: str) -> None:
    """What was lost is shown again, a hint says why the tick was not taken, and a tick in the whole entry is."""
    one, _ = asked_in_two_projects(ethos)
    kept = [each for each in file.read_text("utf-8").split("\n") if not each.startswith(line)]
    file.write_text("\n".join(kept).replace(f"- [ ] keep-new ^{one}", f"- [x] keep-new ^{one}"), "utf-8")
    assert ethos.settle() == 0
    shown = file.read_text("utf-8")
    assert f"- [x] keep-new ^{one}" not in shown
    assert "> ⚠ words of a claim were edited" in shown
    assert "(this line was missing)" in shown
    whole = [each for each in shown.split("\n") if not each.startswith("> edited")]
    file.write_text("\n".join(whole).replace(f"- [ ] keep-new ^{one}", f"- [x] keep-new ^{one}"), "utf-8")
    assert ethos.settle() == 1
    assert "⚠" not in file.read_text("utf-8")


@pytest.mark.parametrize("damage", [lambda text: text.encode("utf-16"), lambda text: text.encode("utf-8-sig")], ids=["utf-16", "utf-8-sig"])
def test_xe11_a_tick_saved_in_another_encoding_answers_its_own_question(ethos: Ethos, file: Path, damage: Callable[[str], bytes]) -> None:
    """With a byte order mark the encoding says itself; by a new file in the place of the old, as editors save."""
    one, other = asked_in_two_projects(ethos)
    fresh = file.with_name("unsaved")
    fresh.write_bytes(damage(file.read_text("utf-8").replace(f"- [ ] keep-new ^{other}", f"- [x] keep-new ^{other}")))
    fresh.rename(file)
    assert ethos.settle() == 1
    assert [entry.question.id for entry in ethos.inbox()] == [one]
