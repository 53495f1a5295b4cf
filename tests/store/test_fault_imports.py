"""H10: an import is held to what we would have written ourselves; all of it comes in, or nothing, and no later command breaks."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ethos.app import Ethos
from ethos.app.transfer import Imported
from ethos.core.history.erasure import ErasureRequest
from ethos.core.model.errors import Refused
from ethos.core.model.settings import Settings
from ethos.core.ports.queries import FactFilter
from ethos.edge.exchange import lines
from ethos.edge.files.outputs import Outputs
from tests.cli.test_exchange import full
from tests.support.commands import TALK, Commands, commands
from tests.support.hostile_imports import hostile
from tests.support.telling import NOON, said

__all__ = ["commands"]

SEED = 14
Opened = Callable[[Settings], Ethos]


def settings_in(settings: Settings, place: Path) -> Settings:
    """The same settings with everything in this folder."""
    return replace(
        settings,
        ethos=replace(settings.ethos, database=str(place / "ethos.db"), state=str(place / "state")),
        conflict_resolution=replace(settings.conflict_resolution, review_inbox=str(place / "inbox" / "review.md")),
    )


def export(ethos: Ethos, path: Path) -> list[str]:
    """An export's lines but the first, which tells the time."""
    lines.write(path, ethos.everything(), ethos.clock.now(), Outputs(path.parent / "outputs"))
    return path.read_text("ascii").splitlines()[1:]


def holds_together(ethos: Ethos, path: Path) -> None:
    """Every later command: none raises anything but a refusal, and the store stays sound."""
    assert ethos.store.check() == []
    ethos.consolidate()
    ethos.inbox(resolved=True)
    for hit in (*ethos.recall("hiking bern rust", session="s"), *ethos.recall("postgres mysql tea", faded=True, session="s")):
        ethos.why(hit.id)
    ethos.status()
    ethos.rule_trust()
    for _ in range(2):
        for entry in ethos.inbox()[:1]:  # asked anew: an answer to one may have closed another
            ethos.answer(entry.question.id, "keep-new" if entry.question.id.startswith("c-") else "accept")
    held = ethos.facts(FactFilter("default", history=True))
    for run in ethos.status(runs=5).runs:
        ethos.diff(run.id)
        with suppress(Refused):
            ethos.undo(run.id)
    ethos.forget(ErasureRequest(tuple(fact.id for fact in held[:1]), matching="bern and something"))
    export(ethos, path)
    assert ethos.store.check() == []


def imported(ethos: Ethos, path: Path, what: str) -> tuple[Imported | None, str]:
    """What came in, or the code of the refusal."""
    try:
        return ethos.bring_in(lines.read(path)), ""
    except Refused as refused:
        return None, refused.problem.code
    except Exception as error:
        raise AssertionError(what) from error


def attacked(open_ethos: Opened, settings: Settings, tmp_path: Path, cases: range, every: int = 1, seed: int = SEED) -> Counter[str]:
    """Import these mutated files into an empty memory and into one with a life of its own; how many came in and were refused."""
    origin = full(open_ethos(settings_in(settings, tmp_path / "origin")))
    export(origin, tmp_path / "real.jsonl")
    real = (tmp_path / "real.jsonl").read_text("ascii").splitlines()
    bases = []
    for name in ("empty", "other"):
        opened = open_ethos(settings_in(settings, tmp_path / name))
        if name == "other":
            opened.capture([said("We switched from MySQL to SQLite", at=NOON + timedelta(days=30)), said("I love hiking near Chur")])
            opened.consolidate()
        opened.close()
        bases.append(tmp_path / name)
    counts: Counter[str] = Counter()
    target: Ethos | None = None
    broken: list[str] = []
    for case in cases:
        what, data = hostile(real, Random(seed * 1_000_003 + case))
        if target is None:
            base = bases[counts["accepted"] % 2]
            shutil.rmtree(tmp_path / "target", ignore_errors=True)
            shutil.copytree(base, tmp_path / "target")
            target = open_ethos(settings_in(settings, tmp_path / "target"))
            before = export(target, tmp_path / "before.jsonl")
        (tmp_path / "hostile.jsonl").write_bytes(data)
        done, problem = imported(target, tmp_path / "hostile.jsonl", f"case {case}: {what}")
        if done is None:
            counts["refused"] += 1
            assert problem == "bad-input", (case, what)
            assert export(target, tmp_path / "after.jsonl") == before, (case, what)
            continue
        counts["accepted"] += 1
        episodes = [line for line in data.decode("utf-8", "replace").splitlines() if '"type": "episode"' in line]
        assert done.added["episode"] + done.known["episode"] == len(episodes), (case, what)
        try:
            assert target.store.check() == []
            if counts["accepted"] % every == 0:
                holds_together(target, tmp_path / "later.jsonl")
        except Exception as error:  # noqa: BLE001 (all that break something are told together)
            broken.append(f"case {case}: {what}: {error!r:.300}")
        target.close()
        target = None
    assert not broken, "\n".join(broken)
    print(f"seed {seed}, {cases}: {dict(counts)}")  # noqa: T201 (what a run is told again by)
    return counts


@pytest.mark.no_cover  # the same lines, hundreds of times
def test_fault_h10_hostile_imports_come_in_whole_or_not_and_break_nothing(open_ethos: Opened, settings: Settings, tmp_path: Path) -> None:
    """300 mutated files; after each third that came in every later command is tried."""
    counts = attacked(open_ethos, settings, tmp_path, range(300), every=3)
    assert counts["refused"] > counts["accepted"] > 10, counts


@pytest.mark.torture
@pytest.mark.parametrize("thousand", range(5))
def test_fault_h10_five_thousand_hostile_imports(
    open_ethos: Opened, settings: Settings, tmp_path: Path, thousand: int, another_seed: int | None
) -> None:
    """5,000 of them, in five parts; others with `--hypothesis-seed N`."""
    cases = range(thousand * 1_000, (thousand + 1) * 1_000)
    counts = attacked(open_ethos, settings, tmp_path, cases, seed=SEED if another_seed is None else another_seed)
    assert counts["refused"] > counts["accepted"] > 50, counts


# -- the cases of FAULTS.md, by the command


@pytest.fixture
def given(commands: Commands) -> tuple[Commands, list[dict[str, Any]]]:
    """Commands of an empty memory, and the lines of another's export."""
    commands.write("talk.jsonl", TALK)
    other = ("--config", commands.write("other.toml", '[ethos]\ndatabase = "other/ethos.db"\nstate = "other/state"\n'))
    for words in (("capture", "talk.jsonl"), ("consolidate",), ("export", "real.jsonl")):
        assert commands(*words, *other).code == 0
    return commands, [json.loads(line) for line in (commands.home / "real.jsonl").read_text("ascii").splitlines()]


def refused(commands: Commands, records: list[dict[str, Any]], line: int, told: str) -> None:
    """The import is refused with this line and these words, and nothing is held afterwards."""
    commands.write("hostile.jsonl", "".join(json.dumps(record) + "\n" for record in records))
    done = commands("import", "hostile.jsonl")
    assert (done.code, told in done.err, f"hostile.jsonl:{line}" in done.err) == (1, True, True), done
    assert commands("status", "--json").data["counts"]["episodes"] == 0


@pytest.mark.parametrize("name", ["export", "backup", "restore", "import", "forget"])
def test_fault_h10_a_run_of_a_kind_that_acts_on_files_is_refused(given: tuple[Commands, list[dict[str, Any]]], name: str) -> None:
    """Its reason would be a path that a later forgetting goes through."""
    commands, records = given
    at = next(n for n, record in enumerate(records) if record.get("type") == "run")
    records.insert(at, {**records[at], "id": "r-20260601-120000-aaaa", "name": name, "reason": str(commands.home / "docs")})
    refused(commands, records, at + 1, "no export holds runs of this name")


def test_fault_h10_a_question_about_nothing_is_refused(given: tuple[Commands, list[dict[str, Any]]]) -> None:
    """It would stop consolidate and inbox for good."""
    commands, records = given
    at = next(n for n, record in enumerate(records) if record.get("type") == "salience")
    asked = {"type": "question", "id": "c-0123456789", "user": "default", "project": "default", "existing": "f-a", "new": "f-b"}
    asked |= {"opened_at": "2026-06-01T12:00:00Z", "run": "r-20260601-120000-aaaa"}
    refused(commands, [*records[:at], asked, *records[at:]], at + 1, "neither in the file nor in the memory")
    refused(commands, [*records[:at], {**asked, "id": "c-01\n23"}, *records[at:]], at + 1, "has not the form of an id")


@pytest.mark.parametrize(
    ("kind", "field", "value", "told"),
    [
        ("salience", "retrievals", 2**62, "retrievals"),
        ("salience", "record", "", "is empty"),
        ("fact", "origin", "operator", "origin"),
        ("fact", "superseded_by", "f-nobody", "neither in the file nor in the memory"),
        ("fact", "confidence", 1.5, "between 0 and 1"),
        ("episode", "origin", "operator", "origin"),
        ("episode", "id", "f-0123456789abcdef", "no episode can have the id"),
    ],
)
def test_fault_h10_a_value_that_we_would_never_write_is_refused(
    given: tuple[Commands, list[dict[str, Any]]], kind: str, field: str, value: object, told: str
) -> None:
    """With line and reason."""
    commands, records = given
    at = next(n for n, record in enumerate(records) if record.get("type") == kind)
    refused(commands, [*records[:at], {**records[at], field: value}, *records[at + 1 :]], at + 1, told)


def test_fault_h10_facts_without_evidence_are_refused(given: tuple[Commands, list[dict[str, Any]]]) -> None:
    """They rest on nothing that anybody said."""
    commands, records = given
    commands.write("hostile.jsonl", "".join(json.dumps(record) + "\n" for record in records if record.get("type") != "evidence"))
    done = commands("import", "hostile.jsonl")
    assert (done.code, "facts without evidence" in done.err) == (1, True), done
    assert commands("status", "--json").data["counts"]["episodes"] == 0


# -- low: ids and older exports


def test_fault_low_a_given_id_is_never_that_of_a_fact(commands: Commands) -> None:
    """An episode that comes with the id of a fact gets one of its own, so that forgetting the fact by it is not ambiguous."""
    commands.write("talk.jsonl", TALK)
    commands("capture", "talk.jsonl")
    commands("consolidate")
    fact = commands("facts", "--json").data["facts"][0]["id"]
    line = json.dumps({"id": fact, "role": "user", "text": "The heron stood in the reeds.", "said_at": "2026-03-09T10:00:00Z"})
    for added in (1, 0):
        assert commands("capture", commands.write("more.jsonl", line + "\n"), "--json").data["added"] == added
    assert commands("why", fact, "--json").data["type"] == "fact"
    commands("forget", fact, "--yes")
    assert "heron" in commands("recall", "heron").out


def test_fault_low_an_older_export_asks_nothing_about_what_is_held_no_longer(
    open_ethos: Opened, settings: Settings, tmp_path: Path
) -> None:
    """A question that was open then, and one side of which was forgotten or replaced here since, does not come back."""
    ethos = open_ethos(settings_in(settings, tmp_path / "one"))
    for day, words in enumerate(("Michael prefers Rust over Python", "Michael prefers Python over Rust")):
        ethos.capture([said(words, at=NOON + timedelta(days=day), session=f"s{day}")])
        ethos.consolidate()
    assert len(ethos.inbox()) == 1
    export(ethos, tmp_path / "old.jsonl")
    (entry,) = ethos.inbox()
    ethos.forget(ErasureRequest((entry.episode,)))
    ethos.bring_in(lines.read(tmp_path / "old.jsonl"))
    assert ethos.inbox() == ()
    assert ethos.store.check() == []
