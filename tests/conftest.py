"""What many tests need: the shipped rules, a clock that can be set, and a memory in a real SQLite file."""

from __future__ import annotations

import gc
import re
import signal
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import coverage
import pytest
from hypothesis import HealthCheck
from hypothesis import settings as examined

from ethos.app import Ethos
from ethos.core.model.settings import Settings
from ethos.core.rules.matcher import Rules
from ethos.edge.erasure.known_files import Files
from ethos.edge.exchange.reports import NightReports
from ethos.edge.files.mac import Sealing
from ethos.edge.inbox import MarkdownInbox
from ethos.edge.rulebook import loading
from ethos.store import open_store
from tests.support import proven
from tests.support.daemons import UNMEASURED
from tests.support.telling import NOON

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in a job that a script put in the background: commands would inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)


WATCHED = 3  # cases of a test with parameters that coverage watches

# How long an example takes says how busy the machine is: no test fails for that. And each run tries what the last one tried.
examined.register_profile("steady", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
examined.load_profile("steady")


def pytest_configure(config: pytest.Config) -> None:
    """The shipped rules are proved before anything starts. And a worker is measured once, by what starts with its session: it is a process
    of the run, too, and whoever stopped one coverage, as `no_cover` does, would be watched by the others.
    """
    if not hasattr(config, "workerinput"):
        proven.prove()
    while hasattr(config, "workerinput") and (watching := coverage.Coverage.current()) is not None:
        watching.stop()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Coverage watches the first few cases of a test, by the order of its parameters; the others run the same lines, at half the speed."""
    seen: Counter[str] = Counter()
    for item in items:
        test = item.nodeid.partition("[")[0]
        seen[test] += 1
        if seen[test] > WATCHED:
            item.add_marker(pytest.mark.no_cover)


def pytest_collection_finish() -> None:
    """What is there before the first test stays, so no search for garbage looks through it: some tests search dozens of times."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """What is marked `no_cover` starts its processes without coverage, too."""
    if item.get_closest_marker("no_cover") is None:
        return (yield)
    with pytest.MonkeyPatch.context() as unmeasured:
        for name in UNMEASURED:
            unmeasured.delenv(name, raising=False)
        return (yield)


class SetClock:
    """A clock that stands still until a test moves it."""

    def __init__(self, at: datetime = NOON) -> None:
        self.at = at

    def now(self) -> datetime:
        """Where it was set; a microsecond later each time, as real clocks are."""
        self.at += timedelta(microseconds=1)
        return self.at

    def move(self, **by: float) -> None:
        """`clock.move(days=3)`."""
        self.at += timedelta(**by)


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As pytest's own, with a shorter name: a socket's path has 107 bytes, and the folder for temporary files may take many of them."""
    return tmp_path_factory.mktemp(re.sub(r"\W", "_", request.node.name.removeprefix("test_"))[:9])


@pytest.fixture(scope="session", autouse=True)
def _read_once() -> Iterator[None]:
    """The shipped packs are parsed once, however often they are loaded."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loading, "read", proven.read_once)
        yield


@pytest.fixture(scope="session")
def rules() -> Rules:
    """The shipped packs."""
    return proven.rules()


@pytest.fixture(scope="session")
def another_seed(pytestconfig: pytest.Config) -> int | None:
    """The seed of `--hypothesis-seed N`, for the long tests that draw by themselves; None: each has its own."""
    given = pytestconfig.getoption("hypothesis_seed", default=None)
    return None if given is None else int(given)


@pytest.fixture
def clock() -> SetClock:
    """Noon of a day in 2026."""
    return SetClock(NOON.astimezone(UTC))


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """The defaults, living in the test's own folder, with a review file that need not settle."""
    plain = Settings()
    return replace(
        plain,
        ethos=replace(plain.ethos, database=str(tmp_path / "ethos.db"), state=str(tmp_path / "state")),
        conflict_resolution=replace(plain.conflict_resolution, review_inbox=str(tmp_path / "inbox" / "memory-review.md")),
        inbox=replace(plain.inbox, settle_seconds=0.0),
        sleep=replace(plain.sleep, reports=str(tmp_path / "reports")),
    )


@pytest.fixture
def open_ethos(rules: Rules, clock: SetClock) -> Iterator[Callable[[Settings], Ethos]]:
    """Opens memories by their settings, and closes them."""
    opened: list[Ethos] = []

    def open_one(settings: Settings) -> Ethos:
        state = Path(settings.ethos.state)
        store = open_store(Path(settings.ethos.database))
        ethos = Ethos(
            store,
            rules,
            settings,
            clock,
            guard=store.run_lease,
            traces=Files(settings, open_store),
            seal=Sealing(state),
            reports=NightReports(Path(settings.sleep.reports), state),
            review=MarkdownInbox(Path(settings.conflict_resolution.review_inbox), state, settings.inbox.settle_seconds),
        )
        opened.append(ethos)
        return ethos

    yield open_one
    for ethos in opened:
        ethos.close()


@pytest.fixture
def ethos(open_ethos: Callable[[Settings], Ethos], settings: Settings) -> Ethos:
    """An empty memory."""
    return open_ethos(settings)
