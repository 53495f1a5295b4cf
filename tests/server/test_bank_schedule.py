"""The bank's scheduler in this process, with a clock that is set."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import structlog

from ethos.app import Ethos
from ethos.app.bank_runs import Overall
from ethos.core.model.errors import Refused
from ethos.core.model.settings import Settings
from ethos.edge.config import loading, logs
from ethos.edge.server import idle
from ethos.edge.server.bank_schedule import BankSchedule
from ethos.edge.server.loop import Loop
from ethos.edge.server.run_lock import RunLock
from tests.conftest import SetClock
from tests.stages.test_bank import same
from tests.support.telling import said


@pytest.fixture
def told(settings: Settings) -> Iterator[Callable[[], list[dict[str, Any]]]]:
    """Everything that was logged."""
    out = io.StringIO()
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    logs.configure(replace(settings.ethos, log="json", log_level="debug"), out)
    yield lambda: [json.loads(line) for line in out.getvalue().splitlines()]
    structlog.reset_defaults()
    root.handlers, root.level = before, level


@pytest.fixture
def schedule(ethos: Ethos, monkeypatch: pytest.MonkeyPatch) -> BankSchedule:
    """A scheduler on a machine without load."""
    monkeypatch.setattr(idle, "load_percent", lambda: 0.0)
    return BankSchedule(Loop(ethos, RunLock(30), since_start=lambda: 0.0))


def test_r33_r35_it_runs_once_an_interval_when_idle_and_logs(
    ethos: Ethos, clock: SetClock, schedule: BankSchedule, told: Callable[[], list[dict[str, Any]]]
) -> None:
    """With the lines of R-35."""

    def ran() -> Overall | None:
        schedule.tick()
        return schedule.last

    schedule.start()
    assert ran() is None
    same(ethos.bank)
    clock.move(minutes=10)
    ethos.capture([said("I am at work.", at=clock.now())], live=True)
    assert ran() is None
    clock.move(minutes=10)
    first = ran()
    assert first is not None
    lines = {line["event"]: line for line in told()}
    assert lines["Starting consolidation scheduler"].items() >= {"interval": "24h", "threshold": 0.8}.items()
    assert lines["Consolidation run started"]["projects"] == 1
    assert lines["Consolidation complete"].items() >= {"created": 1, "archived": 3}.items()
    assert lines["Consolidation complete"]["duration"].endswith("s")
    clock.move(hours=23)
    assert ran() is first
    clock.move(hours=2)
    assert ran() is not first


def test_r35_a_project_that_failed_is_logged(
    open_ethos: Callable[[Settings], Ethos],
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    told: Callable[[], list[dict[str, Any]]],
) -> None:
    """By name, with its error; where every one failed it is tried again later."""
    monkeypatch.setattr(idle, "load_percent", lambda: 0.0)
    ethos = open_ethos(replace(settings, bank=replace(settings.bank, timeout_minutes=1e-9)))
    same(ethos.bank)
    schedule = BankSchedule(Loop(ethos, RunLock(30), since_start=lambda: 0.0))
    schedule.tick()
    assert schedule.backoff.waiting
    assert any("timeout exceeded" in json.dumps(line) for line in told())


def test_r33_the_scheduler_is_switched_off(ethos: Ethos, schedule: BankSchedule, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the configuration."""
    monkeypatch.setattr(ethos, "settings", replace(ethos.settings, bank=replace(ethos.settings.bank, scheduler_enabled=False)))
    same(ethos.bank)
    schedule.tick()
    assert schedule.last is None


def test_r33_the_environment_has_names_of_its_own(tmp_path: Path) -> None:
    """With an interval as 12h; what does not fit is refused by that name."""
    env = {
        "HOME": str(tmp_path),
        "CONSOLIDATION_SCHEDULER_ENABLED": "false",
        "CONSOLIDATION_SCHEDULER_INTERVAL": "12h",
        "CONSOLIDATION_SCHEDULER_SIMILARITY_THRESHOLD": "0.85",
    }
    bank = loading.load(env=env, cwd=tmp_path).settings.bank
    assert (bank.scheduler_enabled, bank.scheduler_interval_hours, bank.similarity_threshold) == (False, 12.0, 0.85)
    assert loading.load(env={**env, "CONSOLIDATION_SCHEDULER_INTERVAL": "90m"}, cwd=tmp_path).settings.bank.scheduler_interval_hours == 1.5
    with pytest.raises(Refused) as refused:
        loading.load(env={**env, "CONSOLIDATION_SCHEDULER_INTERVAL": "soon"}, cwd=tmp_path)
    assert refused.value.problem.where == "CONSOLIDATION_SCHEDULER_INTERVAL"
