"""A store of an earlier version opens, is migrated, and gives the same answers.

The files of `older_store` were written by the tree at d3e3d70: eight days of talk, an answered question and an open one, an undone run,
an episode that was forgotten; and what that version answered.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest

from ethos.core.facts.statement import TASTE
from ethos.core.text.language.tastes import key_of_taste
from tests.support.commands import Commands, commands

__all__ = ["commands"]

WRITTEN = Path(__file__).parent / "older_store"
EARLIER: dict[str, Any] = json.loads(gzip.decompress((WRITTEN / "answers.json.gz").read_bytes()))
UNDONE = tuple(EARLIER["undo"])

# What depends on the time of asking, on the rules of today, or on the copy that is made before a store is migrated.
VARIES = frozenset({"salience", "rules", "seal", "copies", "scan"})
_TIME = re.compile(r"20\d\d-\d\d-\d\dT[\d:.]+Z")
_RUN = re.compile(r"r-\d{8}-\d{6}-\w+")
_READ = json.dumps([EARLIER[name] for name in ("facts", "history", "inbox", "runs")])
KNOWN = frozenset([*_TIME.findall(_READ), *_RUN.findall(_READ)])


@pytest.fixture
def older(commands: Commands) -> Commands:
    """Commands over the older store."""
    for folder, files in (
        (".local/share/ethos", {"ethos.db": gzip.decompress((WRITTEN / "ethos.db.gz").read_bytes())}),
        (".local/state/ethos", {name: bytes.fromhex(key) for name, key in EARLIER["keys"].items()}),
    ):
        (commands.home / folder).mkdir(mode=0o700, parents=True, exist_ok=True)
        for name, content in files.items():
            (commands.home / folder / name).write_bytes(content)
            (commands.home / folder / name).chmod(0o600)
    return commands


def steady(value: Any) -> Any:
    """Return an answer without what varies; times and runs of the moment get one name, and what is liked gets the key of today."""
    if isinstance(value, dict):
        if value.get("predicate_key") == TASTE:  # a fact that is rebuilt is keyed anew: "figs" by "fig"
            value = value | {"object_key": key_of_taste(value["predicate"], value["object"])}
        return {name: steady(each) for name, each in value.items() if name not in VARIES}
    if isinstance(value, list):
        return [steady(each) for each in value]
    if isinstance(value, str):
        return _RUN.sub(_named, _TIME.sub(_named, value))
    return value


def _named(found: re.Match[str]) -> str:
    return found[0] if found[0] in KNOWN else "now"


def kept(earlier: Any, now: Any) -> Any:
    """Return the answer of now, with only the names that the earlier one has: a later version says more."""
    if isinstance(earlier, dict) and isinstance(now, dict):
        return {name: kept(earlier[name], now[name]) for name in earlier if name in now}
    if isinstance(earlier, list) and isinstance(now, list) and len(earlier) == len(now):
        return [kept(*both) for both in zip(earlier, now, strict=True)]
    return now


def same(earlier: Any, now: Any) -> None:
    """Hold an answer against the earlier one."""
    earlier, now = steady(earlier), steady(now)
    assert kept(earlier, now) == earlier


def by_id(facts: Collection[Any]) -> list[Any]:
    """Return the facts in an order of their own: today they are listed by project."""
    return sorted(facts, key=lambda fact: (fact["id"], fact["version"]))


def history(of: Commands) -> list[Any]:
    """Return every version of every fact."""
    return by_id(of("facts", "--history", "--limit", "99", "--json").data["facts"])


def test_what_an_older_store_holds_is_read_as_it_was(older: Commands) -> None:
    """Facts with their history, questions, runs, and what led to each."""
    same(by_id(EARLIER["facts"]), by_id(older("facts", "--limit", "99", "--json").data["facts"]))
    same(by_id(EARLIER["history"]), history(older))
    same(EARLIER["inbox"], older("inbox", "--json").data["questions"])
    same(EARLIER["runs"], older("status", "--runs", "--json").data["runs"])
    for run, changes in EARLIER["diff"].items():
        same(changes, older("diff", run, "--json").data)
    for id_, story in EARLIER["why"].items():
        same(story, older("why", id_, "--json").data)
    assert older("doctor", "--json").code == 0


@pytest.mark.parametrize("run", UNDONE)
def test_a_run_of_an_older_store_is_undone_as_it_was(older: Commands, run: str) -> None:
    """Each run, answers and undos among them."""
    earlier = EARLIER["undo"][run]
    same(earlier["answer"], older("undo", run, "--json").data)
    same(by_id(earlier["facts"]), history(older))
    same(earlier["inbox"], older("inbox", "--json").data["questions"])


def test_t6_forgetting_in_an_older_store_gives_the_same_receipt(older: Commands) -> None:
    """With the same counts, and the same facts are left."""
    earlier = EARLIER["forget"]
    same(earlier["receipt"], older("forget", earlier["id"], "--yes", "--json").data)
    same(by_id(earlier["facts"]), history(older))
