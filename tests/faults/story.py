"""A memory's life, told to be struck: it is made, people talk, it reads, asks, a person ticks a box, something is forgotten, it goes on.

And what must be true after a fault: nothing acknowledged lost, nothing doubled, no review file torn, nothing that was forgotten left, and
the rest of the story ends as it ends without a fault.
"""

from __future__ import annotations

import gc
import random
import re
import shutil
import tempfile
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

from ethos.app import Ethos
from ethos.core.history.erasure import ErasureRequest
from ethos.core.model.errors import Refused
from ethos.core.model.records import Episode
from ethos.core.model.settings import Settings
from ethos.core.ports.queries import FactFilter
from ethos.edge import wiring
from ethos.edge.rulebook import Rulebook
from ethos.store.sqlite.driver import library
from tests.faults import review_file
from tests.faults.shim import Shim
from tests.support import proven
from tests.support.telling import NOON, said

TWICE = {
    "evidence is counted twice": """
        SELECT fact, episode, rule, start, end FROM evidence GROUP BY 1, 2, 3, 4, 5
        HAVING count(*) FILTER (WHERE verdict <> 'moved') > 1 + count(*) FILTER (WHERE verdict = 'moved')
    """,
    "an episode is held twice": "SELECT session, said_at, text FROM episodes GROUP BY 1, 2, 3 HAVING count(*) > 1",
}


class Talk(NamedTuple):
    """What is said before the first cycle, before the second, and after the answer."""

    before: tuple[Episode, ...]
    against: tuple[Episode, ...]
    after: tuple[Episode, ...]

    @property
    def secret(self) -> Episode:
        """What is to be forgotten, which by then stands in the review file and its history, too."""
        return self.before[0]


def talk(seed: int) -> Talk:
    """A conversation in which somebody comes to prefer another language; its size depends on the seed.

    What else is decided is about a thing of its own each: of several decisions about one, which is read first may show in the end.
    """
    chance = random.Random(seed)
    tools = ["Postgres", "Redis", "Kafka", "SQLite", "Caddy", "Zig", "Vim"]
    purposes = ["caching", "the billing service", "search", "logging", "the website", "metrics", "the queue", "backups", "the docs", "mail"]
    chance.shuffle(purposes)

    def small(number: int) -> list[str]:
        return [f"We decided to use {chance.choice(tools)} for {purposes.pop()}." for _ in range(number)]

    days = iter(range(100))
    before, against, after = (
        tuple(said(words, at=NOON + timedelta(days=next(days)), importance=0.6) for words in lines)
        for lines in (
            ["Michael prefers Rust.", *small(chance.randint(1, 3))],
            ["Michael prefers Python.", *small(chance.randint(0, 2))],
            [*small(chance.randint(1, 3)), "Nothing of note."],
        )
    )
    return Talk(before, against, after)


Told = Callable[[str], None]


class Story:
    """One life of a memory in `folder`. told: hears what was acknowledged, a line each."""

    def __init__(self, folder: Path, rulebook: Rulebook, told: Told) -> None:
        defaults = Settings()
        self.settings = replace(
            defaults,
            ethos=replace(defaults.ethos, database=str(folder / "ethos.db"), state=str(folder / "state")),
            conflict_resolution=replace(defaults.conflict_resolution, review_inbox=str(folder / "inbox" / "memory-review.md")),
            inbox=replace(defaults.inbox, settle_seconds=0.0),
            sleep=replace(defaults.sleep, reports=str(folder / "reports")),
            consolidation=replace(defaults.consolidation, batch_size=3),
        )
        self.folder = folder
        self.rulebook = rulebook
        self._told = told

    def tell(self, spoken: Talk, shim: Shim | None) -> None:
        """All of it, as far as the disk allows; each step that is refused is left out."""
        with self._trying(), self.opened() as ethos:
            self._try(self._capture, ethos, spoken.before)
            self._try(ethos.consolidate)
            self._try(self._capture, ethos, spoken.against)
            self._try(ethos.consolidate)
            if shim is not None:
                with shim.asleep():
                    self.tick()
            else:
                self.tick()
            self._try(ethos.consolidate)
            self._try(ethos.recall, "Michael prefers", session="s1")
            self._try(self._forget, ethos, spoken.secret)
            self._try(self._capture, ethos, spoken.after)
            self._try(ethos.consolidate)

    @contextmanager
    def opened(self) -> Iterator[Ethos]:
        """The memory, and its end."""
        ethos = wiring.build(self.settings, self.rulebook)
        try:
            yield ethos
        finally:
            ethos.close()

    def tick(self) -> None:
        """What a person does: choose Python in every question, whichever claim came in first, and save as editors do, by renaming."""
        file = Path(self.settings.conflict_resolution.review_inbox)
        if not file.exists():
            return
        text = file.read_text("utf-8")
        ticked = re.sub(
            r"^(\*\*(Existing|New):\*\* .*Python.*(?:\n.*)+?\n)- \[ \] keep-old \^(\S+)\n- \[ \] keep-new",
            _choose,
            text,
            flags=re.MULTILINE,
        )
        if ticked == text:
            return
        review_file.save(file, ticked)
        for action, question in re.findall(r"- \[x\] (keep-\w+) \^(\S+)", ticked):
            self._told(f"tick {question} {action}")

    def _capture(self, ethos: Ethos, episodes: Sequence[Episode]) -> None:
        ethos.capture(episodes, live=True)
        for episode in episodes:
            self._told(f"episode {episode.id}")

    def _forget(self, ethos: Ethos, secret: Episode) -> None:
        self._told(f"forgetting {secret.id}")
        if ethos.forget(ErasureRequest((secret.id,))).proven:
            self._told(f"forgotten {secret.id}")

    def _try(self, step: Callable[..., object], *given: object, **named: object) -> None:
        with self._trying():
            step(*given, **named)

    @contextmanager
    def _trying(self) -> Iterator[None]:
        """A refusal is an answer; so is what the system said, for the front door says it. Everything else is a bug."""
        with suppress(Refused, OSError):
            yield


def _choose(entry: re.Match[str]) -> str:
    old, new = ("x", " ") if entry[2] == "Existing" else (" ", "x")
    return f"{entry[1]}- [{old}] keep-old ^{entry[3]}\n- [{new}] keep-new"


# -- what must be true afterwards


def wrong_at_once(story: Story, ethos: Ethos, acknowledged: Sequence[str]) -> list[str]:
    """What is wrong with what a fault left behind."""
    file = Path(story.settings.conflict_resolution.review_inbox)
    torn = review_file.torn(file.read_text("utf-8")) if file.exists() else ""
    asked, forgetting = _named("episode", acknowledged), _named("forgetting", acknowledged)
    with ethos.store.begin() as work:
        held = work.episodes(asked)
    lost = [f"episode {id_} was acknowledged, and is lost" for id_ in asked if id_ not in held and id_ not in forgetting]
    return [*([torn] if torn else []), *ethos.store.check(), *lost]


def _named(what: str, acknowledged: Sequence[str]) -> list[str]:
    return [line.split(" ", 1)[1] for line in acknowledged if line.startswith(f"{what} ")]


def left_of(story: Story, spoken: Talk, acknowledged: Sequence[str]) -> list[str]:
    """Files in which something stands that was forgotten, as the receipt said."""
    if not _named("forgotten", acknowledged):
        return []
    words = spoken.secret.text.rstrip(".").encode()
    return [
        f"what was forgotten stands in {path.name}" for path in story.folder.rglob("*") if path.is_file() and words in path.read_bytes()
    ]


def finish(story: Story, ethos: Ethos, spoken: Talk, acknowledged: Sequence[str]) -> list[str]:
    """Tell the rest; what was ticked must count without being ticked again, until it is forgotten, and what was forgotten stays so."""
    ticked = [line.split(" ")[1:] for line in acknowledged if line.startswith("tick ")]
    for episodes in (spoken.before, spoken.against):
        ethos.capture(episodes)
        ethos.consolidate()
    answers = {entry.question.id: entry.question.action for entry in ethos.inbox(resolved=True)}
    wrong = [f"the tick at {id_} is lost: {answers.get(id_)}" for id_, action in ticked if answers.get(id_) != action]
    if _named("forgetting", acknowledged):
        wrong = []
    story.tick()
    ethos.consolidate()
    try:
        ethos.forget(ErasureRequest((spoken.secret.id,)))
        wrong += [f"episode {id_} was forgotten, and came back" for id_ in _named("forgotten", acknowledged)]
    except Refused as refused:
        if refused.problem.code != "not-found":
            raise
    ethos.capture(spoken.after)
    ethos.consolidate()
    return wrong


def state(ethos: Ethos) -> dict[str, Any]:
    """What is held and what is open, without what depends on when, or on which of two that were said together was read first."""
    facts = ethos.facts(FactFilter(user="default", history=True))
    entries = ethos.inbox(resolved=True)
    held = {
        fact.id: (fact.statement, round(fact.confidence, 6), fact.superseded_by is None, fact.flagged)
        for fact in facts
        if fact.closed_at is None
    }
    return {"facts": held, "open": [entry.question.id for entry in entries if entry.question.resolved_at is None]}


def doubled(story: Story) -> list[str]:
    """What is in the store twice."""
    with closing(library().module.connect(story.settings.ethos.database)) as connection:
        return [f"{what}: {row}" for what, question in TWICE.items() for row in connection.execute(question)]


def wrong_afterwards(story: Story, spoken: Talk, acknowledged: Sequence[str], expected: dict[str, Any]) -> list[str]:
    """What is wrong with what was left behind, and with how the story ends when the rest of it is told."""
    try:
        left = left_of(story, spoken, acknowledged)
        with story.opened() as ethos:
            wrong = [*left, *wrong_at_once(story, ethos, acknowledged), *finish(story, ethos, spoken, acknowledged)]
            found = state(ethos)
        wrong += doubled(story)
    except (Refused, OSError) as error:
        return [f"it does not go on: {error}"]
    except Exception:  # noqa: BLE001 (a bug is to be told with the point at which it comes, whatever it is)
        return [f"a bug: {traceback.format_exc()}"]
    return wrong if found == expected else [*wrong, f"it ends otherwise: {found} instead of {expected}"]


# -- where it is told


def prepared(top: Path, story: int) -> Rulebook:
    """The rules, compiled once, and a story told with them, so that each process finds everything as it is then."""
    proven.seed(top)
    rulebook = wiring.rules(replace(Settings(), ethos=replace(Settings().ethos, state=str(top))))
    with fresh(top) as warm:
        Story(warm, rulebook, lambda _: None).tell(talk(story), None)
    gc.freeze()  # what is here stays, so that no fork has to copy it only to look through it
    return rulebook


def keep(left: Path, found: Sequence[str], tell: Callable[[str], object]) -> None:
    """Keep what a fault left behind, where something was found to be wrong with it, and tell where."""
    if found:
        tell(f"what it left behind: {shutil.copytree(left, Path(tempfile.mkdtemp(prefix='ethos-replayed-'), 'memory'))}\n")


@contextmanager
def fresh(top: Path) -> Iterator[Path]:
    """An empty folder for one memory."""
    folder = top / "memory"
    folder.mkdir(mode=0o700)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)
