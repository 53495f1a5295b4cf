"""A turn that says of something held that it has changed is heard, whatever words tell it (JUDGEMENT: what changes is heard)."""

from __future__ import annotations

import os
import random
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import permutations
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from ethos.app import Ethos
from ethos.core.facts.told_again import GIVEN_UP, NEW_VALUE
from ethos.core.history.erasure import ErasureRequest
from ethos.core.model.records import Episode, Fact
from ethos.core.model.settings import Settings
from ethos.core.ports.queries import FactFilter, Sharing
from ethos.core.rules.matcher import Rules
from ethos.core.text.language.mentions import told_in as mentioned
from ethos.edge.files.mac import Sealing
from ethos.store.sqlite.work import SqliteWork
from tests.stages import test_fault_h3_order as order
from tests.stages.test_cycle import day
from tests.stages.test_fault_h3_order import LOT, Memory, differing, held_after, merged_otherwise, told_in
from tests.support import proven
from tests.support.telling import NOON, said

FORMS = (
    "{a} got too pricey so it's {b} now",
    "drop {a}, we're on {b} since today",
    "prod is on {a}",
    "prod runs on {b} now",
    "the page limit went up to {n}",
    "we threw out {a} for good",
    "no {a} any more, everything is on {b}",
    "{a} is out and {b} does the job again",
    "The limit is back to {n} since monday",
    "prod moved away from {c}",
    "the database is {a}",
    "the database of ours has changed to {b}, finally",
    "I work as a plumber",
    "I got laid off on Friday",
    "we keep {a} and {b}",
    "we gave up {a}",
    "the boat is called {a}",
    "I typed it wrong, the boat is called {b}",
    "I changed from {a} to {c}",
    "Always add a haiku to the summary.",
    "you can forget about the haiku",
    "I prefer dark themes",
    "I prefer light themes now",
    "I prefer light themes over dark themes",
)
MEETING = (  # forms that meet although their keys differ
    "we cut over from {a} to {b}",
    "lessons are on {a}",
    "lessons are on {b} now",
    "we record the show in {a}",
    "these days we record the show in {b}",
    "my car is a Dacia",
    "the car is a Kia Niro now",
    "I play badminton on Mondays",
    "given up badminton for good",
    "We love caving",
    "I don't like caving any more",
)
EVERYDAY = (  # forms of plain talk whose ends, values and sorts meet under other words
    "I use {a}",
    "I switched to {b}",
    "I went back to {a}",
    "we closed our {a} account",
    "{a} ran out",
    "{b} has disbanded",
    "we rewrote the tool in {b}",
    "the tool is written in {a}",
    "I charge {n} euros an hour",
    "my hourly rate is {n} euros now",
    "from May my hourly rate will be {n} euros",
    "we deploy on Mondays",
    "deploys are on Fridays from now on",
    "Use metric units.",
    "Use imperial units from now on.",
    "Round prices to {n} cents.",
    "Round prices to whole euros from now on.",
    "my partner is Joaquin",
    "my partner and I broke up",
    "my neighbour's {a} died",
    "our {a} gets cleaned on Mondays",
    "we gave up the {b}",
    "we publish every Friday",
    "we publish every Tuesday from now on",
)
ENDING = (  # forms of deeds, orders and roles that end, or are done as often as never before
    "I cycle to work every day",
    "I cycle to the market on Saturdays",
    "I stopped cycling",
    "I no longer cycle",
    "we deploy every two weeks",
    "we deploy every day",
    "we deploy weekly now",
    "we decided to host on {a}",
    "we no longer host on {a}",
    "we host on {b} now",
    "we left {a}",
    "Never use emojis.",
    "You can use emojis again.",
    "Emojis are fine.",
    "Don't use {a}.",
    "You can use {a} again.",
    "Always ask before you push.",
    "No need to ask before you push.",
    "You can stop asking before you push.",
    "Our treasurer is Anna.",
    "Bert took over as treasurer.",
    "Anna handed over to Carl as treasurer.",
    "The timeout is {n} seconds.",
    "Sorry, I meant {n} seconds.",
    "We use {a}.",
    "Wait, I mean {a}, not {b}.",
)
STORIES = [
    (("The crash reports are stored in Sentry.", "we ditched Sentry last week, so mind that they go to Honeybadger"), ["Honeybadger"]),
    (("Staging is on Postgres 14.", "the logs are odd, staging has been on Postgres 16 since monday"), ["Postgres 16"]),
    (("I take 20 mg of omeprazole a day.", "back from the doctor, she put my omeprazole up to 40 mg"), ["40 mg"]),
    (("My daughter has swimming lessons on Mondays.", "the pool rescheduled the swimming lessons to Wednesdays"), ["Wednesdays"]),
    (("My boat is the Sea Biscuit.", "I painted another name on the stern, the boat is Halcyon from today"), ["Halcyon"]),
    (("The staging server is on Fedora.", "no Fedora any more, the ops people put Rocky on it"), ["Rocky"]),
    (("I work as a plumber at Hensel.", "well, I got laid off on Friday"), ["does not work"]),
    (("I am learning Korean and Esperanto.", "Esperanto has been dropped, there was no time for it"), ["Korean"]),
    (("I wear glasses.", "the optician talked me into it and I changed from glasses to contact lenses"), ["contact lenses"]),
    (("The boat is called Marigold.", "I've been writing it wrong for weeks, the boat is called Kittiwake"), ["Kittiwake"]),
    (("I live in Wales.", "To be exact I live in Machynlleth"), ["Machynlleth"]),
    (("I prefer light themes.", "my eyes are getting old, so I prefer dark themes now"), ["dark themes"]),
    (("Always add a haiku to the summary.", "you can forget about the haikus, they got on my nerves"), ["does not need to"]),
    (("Signe is allergic to peanuts.", "Wait, I mean Jonas, not Signe."), ["Jonas is allergic"]),
    (("I record the show in Audacity.", "these days I record the show in Reaper"), ["Reaper"]),
    (("Lessons are on Zoom.", "lessons are on Jitsi now"), ["Jitsi"]),
    (("I play badminton on Mondays.", "Given up badminton for good, the knee has spoken"), ["does not play"]),
    (("We have a bot called Gus that posts each deploy.", "the deploy bot has been switched off for good"), ["does not have"]),
    (("We love caving.", "I don't like caving any more"), ["does not like"]),
    (("My car is a Dacia.", "the car is a Kia Niro now"), ["Kia Niro"]),
    (("Always squash the commits.", "stop squashing the commits, I want to bisect again"), ["should not"]),
]
UNCHANGED = [
    "what would happen if we dropped Sentry for Honeybadger?",
    "Should the crash reports leave Sentry?",
    "A friend asked what Honeybadger costs now.",
    "Honeybadger and Sentry, compare them for a blog post now",
]


@pytest.fixture
def rules() -> Rules:
    """The shipped packs with both readers, as the default is."""
    return proven.rules_by_default()


@pytest.fixture
def memory(tmp_path: Path, rules: Rules) -> Iterator[Memory]:
    """An empty memory, without the review file and the rest of the door."""
    quick = Path("/dev/shm")
    with TemporaryDirectory(dir=quick if os.access(quick, os.W_OK) else tmp_path) as folder:
        made = Memory(Path(folder) / "ethos.db", rules)
        yield made
        made.store.close()


@pytest.fixture
def forms(monkeypatch: pytest.MonkeyPatch) -> None:
    """Histories are made of these forms too."""
    monkeypatch.setattr(order, "FORMS", order.FORMS + FORMS)


@pytest.fixture
def meeting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Histories are made of these forms, which the changes of others are few beside."""
    monkeypatch.setattr(order, "FORMS", FORMS + MEETING)


@pytest.fixture
def everyday(monkeypatch: pytest.MonkeyPatch) -> None:
    """Histories are made of these forms."""
    monkeypatch.setattr(order, "FORMS", EVERYDAY)


@pytest.fixture
def ending(monkeypatch: pytest.MonkeyPatch) -> None:
    """Histories are made of these forms."""
    monkeypatch.setattr(order, "FORMS", ENDING)


@pytest.mark.parametrize(("told", "values"), STORIES)
def test_e20_a_change_is_heard_by_what_is_held(memory: Memory, told: tuple[str, ...], values: list[str]) -> None:
    """The old value is held no longer, the new one is, and nobody is asked."""
    held, asked = held_after(memory, *told)
    old = held_after(memory, told[0])[0]
    assert len(old) == 1
    assert old[0] not in held
    assert all(any(value in str(statement) for statement in held) for value in values)
    assert asked == 0


@pytest.mark.parametrize(("told", "values"), STORIES)
def test_fault_h3_a_change_that_waits_to_be_read_counts_from_its_own_unit_on(
    memory: Memory, told: tuple[str, ...], values: list[str]
) -> None:
    """Both turns come in late, in one run with units of one: the first is read while the second waits."""
    plain = Settings()
    settings = replace(plain, consolidation=replace(plain.consolidation, batch_size=1))
    turns = [said(words, at=NOON + timedelta(minutes=at)) for at, words in enumerate((*told, "We use Ruff."))]
    wanted = told_in(memory, turns, 100)
    memory.empty()
    memory.tell(turns[-1:])
    run = memory.tell(turns[:-1], settings)
    assert memory.outcome() == wanted
    assert any(value in str(fact[1]) for value in values for fact in wanted.facts)
    memory.undo(memory.undo(run))
    assert memory.outcome() == wanted


@pytest.mark.parametrize("words", UNCHANGED)
def test_e20_what_is_asked_or_supposed_changes_nothing(memory: Memory, words: str) -> None:
    """A question, a supposition, and talk of something else leave the fact as it is."""
    first = "The crash reports are stored in Sentry."
    alone = held_after(memory, first)[0]
    assert alone
    assert set(alone) <= set(held_after(memory, first, words)[0])


def test_e20_a_turn_changes_nothing_of_another_speaker_whom_it_does_not_name(memory: Memory) -> None:
    """Two friends talk: what one gives up is no matter of the other's."""
    told = [
        said("I work at Siemens.", speaker="Jon"),
        said("No Siemens any more for me, I am at Bosch.", speaker="Ada", at=NOON + timedelta(days=1)),
    ]
    memory.tell(told)
    assert any("Jon works at Siemens" in str(fact) for fact in memory.outcome().facts)
    memory.tell([said("Jon has left Siemens.", speaker="Ada", at=NOON + timedelta(days=2))])
    assert not any("Jon works at Siemens" in str(fact) for fact in memory.outcome().facts)


def test_e20_names_of_many_stand_side_by_side(memory: Memory) -> None:
    """One has several brothers; the one vet that one has is asked about."""
    held, asked = held_after(memory, "My brother Emil plays the horn.", "I went with my brother Noah.")
    assert {"Michael's brother is Emil", "Michael's brother is Noah"} <= set(map(str, held))
    assert asked == 0


def test_e20_two_names_of_one_thing_are_asked_about(memory: Memory) -> None:
    """A thing has one name, and nothing says which of the two was a slip."""
    _, asked = held_after(memory, "The boat is called Marigold.", "The boat is called Kittiwake.")
    assert asked == 1


def test_e20_what_happened_is_not_given_up_again(memory: Memory) -> None:
    """That SQLite was thrown out stays so when it is said once more."""
    once = held_after(memory, "We threw out SQLite for good.", "We threw out SQLite for good.")[0]
    assert not any("not" in str(statement) for statement in once)


@pytest.mark.parametrize(("told", "values"), STORIES)
def test_h3_a_change_ends_the_same_in_every_order(memory: Memory, told: tuple[str, ...], values: list[str]) -> None:
    """Also where the turn that tells it comes in before the fact."""
    turns = [said(words, at=NOON + timedelta(minutes=at), record=str(at)) for at, words in enumerate(told)]
    wanted = told_in(memory, turns, 100)
    assert any(value in str(fact[1]) for fact in wanted.facts for value in values)
    for came in permutations(turns):
        assert told_in(memory, came, 1) == wanted


def test_e20_what_a_turn_takes_up_stays_in_a_list(memory: Memory) -> None:
    """ "From Java to Java 21" gives up nothing of "Java 21 and Kotlin"; and what stays of a list ends nothing that says the same."""
    told = ("We keep Postgres 16 and Lunacy.", "We keep Postgres and Lunacy.", "We switched from Postgres to Postgres 16.")
    assert held_after(memory, *told) == (["team keeps Lunacy", "team keeps Postgres 16 and Lunacy", "team uses Postgres 16"], 0)


def test_e20_what_was_put_right_can_be_put_right_again(memory: Memory) -> None:
    """The corrected fact told the old value, so that in a later pass nothing found it by the new one."""
    told = ("prod runs on Valkey now", "I meant SQLite", "not SQLite, Redis")
    turns = [said(words, at=NOON + timedelta(minutes=at), record=str(at)) for at, words in enumerate(told)]
    for size in (1, 2, 3):
        assert [fact[1] for fact in told_in(memory, turns[:2], size).facts] == ["prod runs on SQLite"]
        assert [fact[1] for fact in told_in(memory, turns, size).facts] == ["prod runs on Redis"]


@pytest.mark.parametrize(
    ("told", "held"),
    [
        (("My son Tom is 6 years old.", "Tom turned 7 yesterday."), {"Michael's son is Tom"}),
        (("Always answer me in German.", "For this one email, answer in French."), {"agent should answer in German"}),
        (("Always answer me in German.", "For this one email, answer in French when I write French."), {"agent should answer in German"}),
        (("For this one email, give prices in euros.",), set()),
        (("The request timeout is 45 seconds.", "Sorry, I meant 60 seconds."), {"request timeout is 60 seconds"}),
        (("The app is called Pollen.", "We renamed the app from Pollen to Birch."), {"the app is called Birch"}),
        (("Aisha is our designer.",), {"designer is Aisha"}),
    ],
    ids=[
        "a birthday ends no child",
        "for this one",
        "for this one, by a clause",
        "for this one, weighed",
        "I meant",
        "renamed from",
        "said once",
    ],
)
def test_e20_what_a_newcomer_told_is_heard(memory: Memory, told: tuple[str, ...], held: set[str]) -> None:
    """Each was wrong when somebody tried it who had never seen Ethos. Nothing else is held that says the opposite, or the same again."""
    found = held_after(memory, *told)[0]
    assert held <= {*map(str, found)}
    assert not any(old in str(fact) for fact in found for old in ("is not Tom", "French", "euros", "45", "Pollen", "our designer"))


def test_e20_a_version_goes_with_its_name(memory: Memory) -> None:
    """Before, "Postgres 16" became "Valkey 16"."""
    assert held_after(memory, "The shop runs on Postgres 16.", "not Postgres, Valkey")[0] == ["The shop runs on Valkey"]


def test_fault_m9_turns_that_change_each_other_back_and_forth_are_read_to_an_end(memory: Memory) -> None:
    """What one turn makes of a fact is changed by later turns alone. Before, each made more of the other, without end."""
    told = ("We use Valkey.", "not Postgres, Valkey", "no more Valkey for us", "not Valkey, Postgres 16", "not Postgres, Valkey")
    turns = [said(words, at=NOON + timedelta(minutes=at), record=str(at)) for at, words in enumerate(told)]
    wanted = told_in(memory, turns, 100)
    for came in ((4, 3, 2, 1, 0), (3, 1, 4, 0, 2), (2, 4, 0, 3, 1)):
        assert told_in(memory, [turns[at] for at in came], 1) == wanted


def test_h3_a_late_change_waits_for_its_own_unit(memory: Memory) -> None:
    """It is read once, with its unit, though an earlier unit of the pass finds that it speaks of a late fact."""
    fact, change = STORIES[0][0][0], "Sentry is gone, so mind Honeybadger in the links"  # which claims nothing by itself
    known = said("The image registry runs on Harbor.", at=NOON + timedelta(hours=9), record="known")
    fillers = [said(f"what is {at} plus {at}?", at=NOON + timedelta(minutes=at + 1), record=f"f{at}") for at in range(150)]
    late = [said(fact, at=NOON, record="late"), *fillers, said(change, at=NOON + timedelta(hours=8), record="change")]
    wanted = told_in(memory, [*late, known], 1_000)
    memory.empty()
    memory.tell([known])
    memory.tell(late)
    assert memory.outcome() == wanted


def test_fault_m9_a_late_turn_that_speaks_of_nothing_known_loads_nothing(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is recalled is read at last, long after it was said: all that was known of the team was loaded beside what is said on time."""
    memory.tell([said("We decided to use Redis for caching.", at=NOON + timedelta(hours=1))])
    asked: list[object] = []
    around = SqliteWork.facts_around

    def counted(work: SqliteWork, subjects: Collection[tuple[str, str]], sharing: Sharing | None = None) -> Sequence[Fact]:
        asked.append(subjects)
        return around(work, subjects, sharing)

    monkeypatch.setattr(SqliteWork, "facts_around", counted)
    late = said("Nothing of note about heron4, turn 4, but for the weather in week 6.", at=NOON)
    memory.tell([late, said("We decided to use Kafka for jobs.", at=NOON + timedelta(hours=2))])
    assert not asked
    assert [fact[1] for fact in memory.outcome().facts] == ["team uses Kafka for jobs", "team uses Redis for caching"]
    late = said("We decided to use Valkey for caching.", at=NOON + timedelta(minutes=1))
    memory.tell([late, said("We no longer use Valkey.", at=NOON + timedelta(hours=3))])
    assert asked
    assert [fact[1] for fact in memory.outcome().facts] == [
        "team does not use Valkey",
        "team uses Kafka for jobs",
        "team uses Redis for caching",
    ]


def test_h3_what_comes_on_time_beside_a_late_turn_tells_its_changes(memory: Memory) -> None:
    """Its claim was weighed with the late matter, and what it says of what is held came after all of that: one change was lost."""
    told = [
        said(f"the page returns {count} items at once", at=NOON + timedelta(minutes=at), record=str(at), project=project)
        for at, (count, project) in enumerate(((90, "default"), (90, "other"), (50, "default"), (80, "default"), (90, "default")))
    ]
    wanted = told_in(memory, told, 100)
    memory.empty()
    memory.tell([told[0], told[2]])
    memory.tell([told[1], told[3], told[4]])
    assert memory.outcome() == wanted


@pytest.mark.usefixtures("forms")
@pytest.mark.no_cover  # the same lines, hundreds of times
def test_h3_every_order_ends_alike_with_both_readers(memory: Memory) -> None:
    """Histories of two to six statements, some of which only say of another that it has changed."""
    wrong = differing(memory, (*range(300), 1_040, 1_098, 3_072, 95_110, 310_021, 315_220, 724_449))  # the last seven were wrong once
    assert not wrong, f"{len(wrong)} differ\n" + "\n".join(wrong[:3])


@pytest.mark.usefixtures("meeting")
@pytest.mark.no_cover  # the same lines, hundreds of times
def test_h3_every_order_ends_alike_where_keys_differ(memory: Memory) -> None:
    """The same with forms of one thing that have keys of their own: what is of a known class, what belongs to somebody, what "we" love."""
    wrong = differing(memory, (*range(300), 502))
    assert not wrong, f"{len(wrong)} differ\n" + "\n".join(wrong[:3])


@pytest.mark.usefixtures("forms")
def test_fault_m10_two_memories_with_changes_end_as_one(memory: Memory, tmp_path: Path, rules: Rules) -> None:
    """A change or a correction that one tells of what the other knows is heard, and what each heard once was said twice."""
    other = Memory(tmp_path / "other.db", rules)
    try:
        wrong = merged_otherwise(memory, other, Sealing(tmp_path), (*range(60), 320, 432, 657))  # the last three differed once
    finally:
        other.store.close()
    assert not wrong, f"{len(wrong)} differ\n" + "\n".join(wrong[:3])


@pytest.mark.usefixtures("everyday")
@pytest.mark.no_cover  # the same lines, hundreds of times
def test_h3_every_order_ends_alike_in_plain_talk(memory: Memory) -> None:
    """The same with ends, values and sorts that are told in other words than what they end or replace."""
    wrong = differing(memory, (*range(300), 502))
    assert not wrong, "\n".join(wrong)


@pytest.mark.usefixtures("ending")
@pytest.mark.no_cover  # the same lines, hundreds of times
def test_h3_every_order_ends_alike_where_deeds_and_orders_end(memory: Memory) -> None:
    """The same with deeds, orders and roles that end, what is permitted again, and how often something is done."""
    wrong = differing(memory, range(300))
    assert not wrong, "\n".join(wrong)


def long_history(seed: int, length: int) -> tuple[list[Episode], list[Episode]]:
    """Return statements in all of these forms, a minute apart, in the order in which they are said and in another one."""
    chance = random.Random(seed)
    kept = {name: chance.sample(things, min(len(things), 3)) for name, things in order.THINGS.items()}
    forms = order.FORMS + FORMS + MEETING + EVERYDAY
    words = (chance.choice(forms).format(**{name: chance.choice(things) for name, things in kept.items()}) for _ in range(length))
    told = [said(each, at=NOON + timedelta(minutes=at), record=str(at)) for at, each in enumerate(words)]
    return told, chance.sample(told, length)


@pytest.mark.no_cover  # the same lines, hundreds of times
@pytest.mark.parametrize(("seed", "length"), [(2, 200), (40, 120), (0, 100)])  # the first two differed once
def test_h3_a_long_history_ends_alike_in_another_order(memory: Memory, seed: int, length: int) -> None:
    """Of many statements some touch many others: what one turn makes of a fact, another changes again."""
    told, came = long_history(seed, length)
    assert told_in(memory, came, 10) == told_in(memory, told, 100)


def test_fault_m10_two_memories_that_talk_of_one_matter_by_way_of_another_end_as_one(memory: Memory, tmp_path: Path, rules: Rules) -> None:
    """A correction ties a page to a limit: both are weighed anew, as one matter. Before, they were two, and the import was refused."""
    told = (
        "This season the limit is 80.",
        "the page returns 50 items at once",
        "the page returns 90 items at once",
        "The limit is 50.",
        "SQLite got too pricey so it's Figma now",
        "sorry, 80",
    )
    turns = [said(words, at=NOON + timedelta(minutes=at), record=str(at)) for at, words in enumerate(told)]
    wanted = told_in(memory, turns, 100)
    other = Memory(tmp_path / "other.db", rules)
    try:
        told_in(memory, [turn for at, turn in enumerate(turns) if at != 4], 100)
        other.tell([turns[4]])
        memory.bring_in(other, Sealing(tmp_path))
    finally:
        other.store.close()
    assert memory.outcome() == wanted


def test_fault_m10_what_two_memories_were_told_once_each_can_be_given_up(memory: Memory, tmp_path: Path, rules: Rules) -> None:
    """Neither held it, so neither had anything to give up; after the import it is held, and a later turn has given it up."""
    told = (
        "drop Figma, we're on Valkey since today",
        "drop Valkey, we're on Valkey since today",
        "drop Valkey, we're on Postgres since today",
    )
    turns = [said(words, at=NOON + timedelta(minutes=at), record=str(at)) for at, words in enumerate(told)]
    wanted = told_in(memory, turns, 100)
    assert [fact[1] for fact in wanted.facts] == ["team is on Postgres"]
    other = Memory(tmp_path / "other.db", rules)
    try:
        told_in(memory, turns[:1], 100)
        other.tell(turns[1:])
        memory.bring_in(other, Sealing(tmp_path))
    finally:
        other.store.close()
    assert memory.outcome() == wanted


@pytest.mark.torture
@pytest.mark.parametrize("lot", range(20))
def test_h3_two_hundred_long_histories_end_alike(memory: Memory, lot: int, another_seed: int | None) -> None:
    """The same, in lots of ten other seeds; `--hypothesis-seed N` gives others still."""
    first = (another_seed or 0) * 1_000 + 1_000 + lot * 10
    for seed in range(first, first + 10):
        told, came = long_history(seed, 150)
        assert told_in(memory, came, 10) == told_in(memory, told, 100), f"seed {seed}"


@pytest.mark.torture
@pytest.mark.usefixtures("forms")
@pytest.mark.parametrize("lot", range(25))
def test_h3_fifty_thousand_histories_end_alike_with_both_readers(memory: Memory, lot: int, another_seed: int | None) -> None:
    """The same, in lots of two thousand other seeds; `--hypothesis-seed N` gives others still."""
    first = (another_seed or 0) * 100_000 + (lot + 1) * LOT
    wrong = differing(memory, range(first, first + LOT))
    assert not wrong, f"{len(wrong)} of {LOT} differ\n" + "\n".join(wrong[:3])


def test_e41_a_change_rests_on_the_turn_that_told_it(ethos: Ethos) -> None:
    """`why` names the rule, the turn, and what it replaced."""
    first, second = (said(words, at=NOON + day(at * 0.001)) for at, words in enumerate(STORIES[0][0]))
    ethos.capture([first, second])
    ethos.consolidate(reason="test")
    rules = {fact.rule for fact in ethos.facts(FactFilter("default", history=True))}
    assert rules & {GIVEN_UP, NEW_VALUE}


def test_t6_forgetting_a_turn_takes_what_another_only_changed_in_it(ethos: Ethos) -> None:
    """What the value is of stands in the forgotten turn alone."""
    first, second = (said(words, at=NOON + day(at * 0.001)) for at, words in enumerate(STORIES[0][0]))
    ethos.capture([first, second])
    ethos.consolidate(reason="test")
    ethos.forget(ErasureRequest((first.id,)))
    assert not [fact for fact in ethos.facts(FactFilter("default", history=True)) if "crash reports" in fact.statement]
    assert ethos.store.check() == []


@pytest.mark.parametrize(
    ("text", "given_up"),
    [
        ("we ripped the Sass out of the dashboard and did it all in Tailwind", {"sass"}),
        ("Sentry got too pricey, so it's Honeybadger now", set()),
        ("drone's out, jenkins is back", {"drone"}),
        ("we no longer use Postgres", {"postgres"}),
        ("moved the builds from CircleCI to Buildkite", {"circleci"}),
        ("should we drop Redis?", set()),
        ("I'll never forget Jenkins", set()),
        ("it is free of lactose for people who can't have Redis", set()),
        ("the help I got from Buildkite was great", set()),
    ],
)
def test_e20_what_a_turn_gives_up_is_read_from_the_words_around(text: str, given_up: set[str]) -> None:
    """A verb, a negation or a state of being gone; nothing in a question."""
    told = mentioned(text)
    found = {each.words for each in told.mentions if each.given_up and not each.supposed} if told else set()
    assert given_up <= found
    assert not found & {"tailwind", "honeybadger", "jenkins", "buildkite", "redis"}
