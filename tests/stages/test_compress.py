"""Nights that tell sessions and draw the profile, on a real store: what is made, marked, repeated, taken back and forgotten."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import pytest

from ethos.app import Ethos, Slept
from ethos.core.history.erasure import ErasureRequest
from ethos.core.learning.summaries.clauses import Spans, content
from ethos.core.learning.summaries.levels import SummaryText, tell
from ethos.core.model.errors import Refused
from ethos.core.model.records import Episode, Fact, Utterance
from ethos.core.model.settings import Settings, SummarySettings
from ethos.core.model.summaries import Profile, Summary, Telling
from ethos.core.ports.queries import FactFilter
from ethos.core.text.night_counts import counted as in_words
from ethos.stages.sleep.compress import gather
from tests.conftest import SetClock
from tests.support.telling import NOON, said

TODAY: date = NOON.date()
COUNTED = ("summaries_created", "summaries_merged", "episodes_told", "episodes_untold", "profile_gained", "profile_lost")
TALK = (
    "I moved to Bergen last week and I rent a flat above the old bakery.",
    "My sister Ilse opened a pottery school in Odense yesterday.",
    "I prefer tea over coffee in the morning.",
    "I've been learning the cello with a neighbour since January.",
    "What do you think of the weather?",
    "I work as a nurse on the night shift, so I sleep until noon.",
    "We adopted two rescued greyhounds from the shelter on Saturday.",
    "I don't use Facebook. My e-mail is maren@example.org.",
    "Thanks, that is so kind of you!",
    "I sold the kayak to a colleague and bought a telescope.",
)


def spoken(session: str = "s1", texts: tuple[str, ...] = TALK, *, project: str = "default", hour: float = 0) -> list[Episode]:
    """A session of Maren."""
    return [
        said(text, at=NOON + timedelta(hours=hour, minutes=number), session=session, speaker="Maren", project=project)
        for number, text in enumerate(texts)
    ]


@pytest.fixture
def ethos(open_ethos: Callable[[Settings], Ethos], settings: Settings, clock: SetClock) -> Ethos:
    """A memory on the day after."""
    opened = open_ethos(replace(settings, sleep=replace(settings.sleep, zone="UTC")))
    opened.capture(spoken())
    opened.consolidate()
    clock.move(days=1)
    return opened


def summaries(ethos: Ethos) -> list[Summary]:
    """All that are held."""
    with ethos.store.begin() as work:
        return list(work.records(Summary))


def told(ethos: Ethos) -> dict[str, str]:
    """Which summary tells each episode, of those that a night has looked at."""
    with ethos.store.begin() as work:
        return {each.episode: each.summary for each in work.records(Telling)}


def profile(ethos: Ethos) -> Profile | None:
    """The one that is held."""
    with ethos.store.begin() as work:
        return next(iter(work.records(Profile)), None)


def counts(slept: Slept) -> dict[str, int]:
    """What a night counted of summaries and the profile."""
    return {name: count for name, count in slept.report.counts.items() if name in COUNTED}


def everything(ethos: Ethos) -> list[object]:
    """All that a night makes."""
    with ethos.store.begin() as work:
        return [*work.records(Summary), *work.records(Telling), *work.records(Profile)]


def test_g01_g03_g05_a_session_becomes_one_summary_with_its_sources(ethos: Ethos) -> None:
    """All episodes that no summary tells become one; each is marked with it, and each sentence names where it is from."""
    slept = ethos.sleep(TODAY)
    (summary,) = summaries(ethos)
    ids = [each.id for each in spoken()]
    assert (slept.report.counts["summaries_created"], slept.report.counts["episodes_told"]) == (1, len(TALK))
    assert summary.episodes == tuple(ids)
    assert told(ethos) == dict.fromkeys(ids, summary.id)
    assert summary.ratio >= 8
    assert all(set(cited) <= set(ids) and cited for cited in summary.cited)
    assert (summary.made_by, summary.began_at, summary.run) == ("rules", NOON, slept.report.run)


def test_l33_a_report_counts_as_many_changes_as_the_diff_shows(ethos: Ethos, clock: SetClock) -> None:
    """Of a night that makes records, and of one that also changes some."""
    first = ethos.sleep(TODAY).report
    ethos.capture(spoken("s2", hour=24))
    ethos.consolidate()
    clock.move(days=1)
    second = ethos.sleep(TODAY + timedelta(days=1)).report
    shown = [ethos.diff(each.run).differences for each in (first, second)]
    assert [first.changes, second.changes] == [len(each) for each in shown]
    assert {each.sign for each in shown[1]} >= {"+", "~"}


def test_g02_g17_what_is_told_says_nothing_of_what_was_learned(ethos: Ethos) -> None:
    """Episodes are not told at first; telling them changes neither their text nor their facts, and each state stands by itself (X-G6)."""
    assert told(ethos) == {}
    with ethos.store.begin() as work:
        before = [list(work.records(Episode)), list(work.records(Fact)), dict(work.marks([each.id for each in spoken()]))]
    ethos.sleep(TODAY)
    with ethos.store.begin() as work:
        assert [list(work.records(Episode)), list(work.records(Fact)), dict(work.marks([each.id for each in spoken()]))] == before
    unread = spoken("s2", hour=1)
    ethos.capture(unread)
    ethos.sleep(TODAY)
    assert all(told(ethos)[each.id] for each in unread)
    assert ethos.consolidate().episodes_scanned == len(unread)


def test_g05_again_there_is_nothing_to_tell(ethos: Ethos) -> None:
    """The same date twice: zero, and not a byte more."""
    ethos.sleep(TODAY)
    before = everything(ethos)
    assert counts(ethos.sleep(TODAY)) == {}
    assert everything(ethos) == before


def test_g05_without_episodes_the_result_is_zero(open_ethos: Callable[[Settings], Ethos], settings: Settings) -> None:
    """(0, 0)."""
    empty = open_ethos(settings)
    assert (counts(empty.sleep()), everything(empty)) == ({}, [])


def test_g06_a_session_that_goes_on_is_told_further(ethos: Ethos) -> None:
    """What came since the last summary, whatever its number, becomes the next one."""
    ethos.sleep(TODAY)
    more = spoken(texts=tuple(f"I planted row {n} of the plum orchard near Turku with {n} friends on Sunday." for n in range(45)), hour=2)
    ethos.capture(more)
    assert ethos.sleep(TODAY).report.counts["summaries_created"] == 1
    first, second = summaries(ethos)
    assert (first.episodes, second.episodes) == (tuple(each.id for each in spoken()), tuple(each.id for each in more))


def test_g05_sessions_and_projects_are_told_apart(ethos: Ethos) -> None:
    """One summary each; what has no session is told by the day."""
    ethos.capture([*spoken("s2", hour=3), *spoken("s2", project="other", hour=4), *spoken("", hour=5), *spoken("", hour=-24)])
    ethos.sleep(TODAY)
    assert sorted((each.project, each.session) for each in summaries(ethos)) == [
        ("default", ""),
        ("default", ""),
        ("default", "s1"),
        ("default", "s2"),
        ("other", "s2"),
    ]


def test_g06_what_tells_nothing_is_asked_for_again_when_the_session_goes_on(ethos: Ethos) -> None:
    """Turns of courtesy leave no summary; with something to tell they are part of one."""
    ethos.sleep(TODAY)
    idle = spoken("s3", ("ok", "thanks!", "and you?"))
    ethos.capture(idle)
    assert counts(ethos.sleep(TODAY)) == {"episodes_untold": 3}
    assert [told(ethos)[each.id] for each in idle] == [""] * 3
    assert counts(ethos.sleep(TODAY)) == {}
    ethos.capture(spoken("s3", ("I bought a typewriter from a market stall in Graz yesterday.",), hour=1))
    assert ethos.sleep(TODAY).report.counts["episodes_told"] == 4


def test_g05_what_says_the_same_is_merged(ethos: Ethos) -> None:
    """At a likeness of .90 or more no second summary is made; the first has the episodes of both."""
    news = (TALK[1], *(f"Do you know how that went, the {number}. time?" for number in range(14)))
    first, again = spoken("s2", news), spoken("s2", news, hour=1)
    for turns, counted in ((first, (2, 0)), (again, (0, 1))):
        ethos.capture(turns)
        made = ethos.sleep(TODAY).report.counts
        assert (made["summaries_created"], made["summaries_merged"]) == counted
    (summary,) = (each for each in summaries(ethos) if each.session == "s2")
    assert summary.episodes == tuple(each.id for each in [*first, *again])
    assert summary.ratio >= 16


def test_g09_contacts_and_negations_are_facts_of_their_own(ethos: Ethos) -> None:
    """They are read from the turn by patterns, whatever the summary says."""
    statements = {fact.statement for fact in ethos.facts(FactFilter("default"))}
    assert {"Maren's e-mail address is maren@example.org", "Maren does not use Facebook"} <= statements
    ethos.sleep(TODAY)
    assert not any("@" in summary.text or "Facebook" in summary.text for summary in summaries(ethos))
    assert {fact.statement for fact in ethos.facts(FactFilter("default"))} == statements


def test_g09_a_negation_does_not_go_first_in_a_summary(ethos: Ethos) -> None:
    """What is preferred in a summary is the place of a fact that is held and is no negation."""
    negated, stated = (next(turn for turn in spoken() if words in turn.text) for words in ("Facebook", "prefer tea"))
    with ethos.store.begin() as work:
        unit = tuple(work.utterances([negated.id, stated.id]))
        needs = gather(work, replace(ethos.context("r-1", NOON), unit=unit))
        kinds = {fact.id: fact.kind for fact in ethos.facts(FactFilter("default"))}
        pieces = [piece for piece in work.evidence_in([negated.id]) if kinds.get(piece.fact) == "negation"]
    assert pieces
    assert stated.id in needs.held
    assert not {(piece.start, piece.end) for piece in pieces} & set(needs.held.get(negated.id, ()))


# -- the profile


def test_g07_a_session_that_goes_on_is_told_by_what_is_new(ethos: Ethos, clock: SetClock, monkeypatch: pytest.MonkeyPatch) -> None:
    """The terms of its earlier summary are known when it is told again; those of another session are not."""
    heard: list[frozenset[str]] = []

    def listening(turns: Sequence[Utterance], held: Mapping[str, Spans], settings: SummarySettings, **more: Any) -> SummaryText:
        heard.append(frozenset(more["known"]))
        return tell(turns, held, settings, **more)

    monkeypatch.setattr("ethos.stages.sleep.compress.tell", listening)
    ethos.sleep(TODAY)
    (first,) = summaries(ethos)
    ethos.capture([*spoken("s1", ("I planted apple trees behind our barn.",), hour=24), *spoken("s2", TALK[:3], hour=25)])
    ethos.consolidate()
    clock.move(days=1)
    ethos.sleep(TODAY + timedelta(days=1))
    assert heard == [frozenset(), frozenset(content(first.text)), frozenset()]


def test_g04_g12_there_is_one_profile_and_a_later_night_renews_it(ethos: Ethos, clock: SetClock) -> None:
    """First made, then changed under the same id: from all facts and all summaries, old ones too."""
    ethos.sleep(TODAY)
    first = profile(ethos)
    assert first is not None
    assert (set(first.facts), first.summaries) == ({fact.id for fact in ethos.facts(FactFilter("default"))}, 1)
    ethos.capture(spoken("s2", ("I collect old maps of harbours. I am allergic to walnuts.",), hour=1))
    ethos.consolidate()
    clock.move(days=1)
    slept = ethos.sleep(TODAY)
    second = profile(ethos)
    assert second is not None
    assert (second.id, second.summaries) == (first.id, 2)
    assert set(second.facts) > set(first.facts)
    assert slept.report.counts["profile_gained"] == len(second.facts) - len(first.facts)


# -- taken back, and forgotten


def test_g05_g12_undo_takes_a_night_back_also_after_later_ones(ethos: Ethos, clock: SetClock) -> None:
    """Every summary, mark and profile line is as before; undoing the undo makes it all again."""
    assert everything(ethos) == []
    night = ethos.sleep(TODAY)
    made = everything(ethos)
    ethos.capture(spoken("s2", ("I collect old maps of harbours. I am allergic to walnuts.",), hour=1))
    ethos.consolidate()
    clock.move(days=1)
    later = ethos.sleep(TODAY)
    undone = ethos.undo(later.report.run)
    assert everything(ethos) == made
    ethos.undo(undone.run.id)
    ethos.undo(night.report.run)
    assert {each.session for each in summaries(ethos)} == {"s2"}
    ethos.sleep(TODAY)
    assert {each.session for each in summaries(ethos)} == {"s1", "s2"}
    assert ethos.store.check() == []


@pytest.mark.parametrize("at", range(len(TALK)))
def test_g03_forgetting_an_episode_leaves_no_byte_of_it(ethos: Ethos, tmp_path: Path, at: int) -> None:
    """The summary goes with it; the night after tells the others without it."""
    ethos.sleep(TODAY)
    gone = spoken()[at]
    receipt = ethos.forget(ErasureRequest((gone.id,)))
    assert receipt.proven, receipt
    assert summaries(ethos) == []
    ethos.sleep(TODAY)
    (summary,) = summaries(ethos)
    assert len(summary.episodes) == len(TALK) - 1
    ethos.store.close()
    whole = b"".join(path.read_bytes() for path in files(tmp_path))
    for clause in gone.text.split(", "):
        assert clause.encode() not in whole
    assert gone.id.encode() not in whole


def files(folder: Path) -> Iterator[Path]:
    """Every file of the memory."""
    return (path for path in folder.rglob("*") if path.is_file())


def test_g12_forgetting_an_episode_takes_its_lines_out_of_the_profile(ethos: Ethos) -> None:
    """The words stand in the facts alone; what is drawn next has none of them."""
    ethos.sleep(TODAY)
    ethos.forget(ErasureRequest((spoken()[2].id,)))
    assert profile(ethos) is None
    ethos.sleep(TODAY)
    drawn = profile(ethos)
    assert drawn is not None
    assert set(drawn.facts) == {fact.id for fact in ethos.facts(FactFilter("default"))}
    assert not any("prefers" in fact.statement for fact in ethos.facts(FactFilter("default")))


def test_g15_the_store_gives_what_no_summary_tells(ethos: Ethos) -> None:
    """Of one user, before a time, session by session, at most so many and the last session whole."""
    ethos.capture(spoken("s2", hour=3))
    with ethos.store.begin() as work:
        every = work.untold("default", NOON + timedelta(days=1), limit=100)
        assert [session for _, _, session in every] == ["s1"] * 10 + ["s2"] * 10
        assert len(work.untold("default", NOON + timedelta(days=1), limit=3)) == 10
        assert len(work.untold("default", NOON + timedelta(hours=1), limit=100)) == 10
        assert work.untold("somebody", NOON + timedelta(days=1), limit=100) == []


def test_g11_g14_a_profile_can_be_asked_for_when_a_session_has_been_told(ethos: Ethos) -> None:
    """Before that it is refused; then it is a run of its own, which can be taken back."""
    with pytest.raises(Refused, match="No semantic memories to synthesize"):
        ethos.synthesize()
    ethos.sleep(TODAY)
    first = profile(ethos)
    assert first is not None
    ethos.capture(spoken("s2", ("I collect old maps of harbours. I am allergic to walnuts.",), hour=1))
    ethos.consolidate()
    run, made = ethos.synthesize()
    assert (made.id, set(made.facts) > set(first.facts)) == (first.id, True)
    assert [each.type for each in ethos.diff(run.id).differences] == ["profile"]
    ethos.undo(run.id)
    assert profile(ethos) == first


def test_g16_sessions_are_told_by_themselves_and_by_hand(ethos: Ethos, clock: SetClock) -> None:
    """The night about a day that is over is due by itself, and again for a session that goes on; by hand at any time."""
    assert TODAY in ethos.nights_due()
    ethos.capture(spoken("s2", hour=24))
    ethos.sleep(TODAY)
    assert {each.session for each in summaries(ethos)} == {"s1"}  # what was said later has a night of its own
    assert TODAY not in ethos.nights_due()
    assert "summaries_created" not in ethos.sleep(TODAY).report.counts  # told once
    assert ethos.sleep(TODAY + timedelta(days=1)).report.counts["summaries_created"] == 1
    clock.move(days=1)
    assert ethos.nights_due() == ()


def test_g16_a_night_tells_what_earlier_days_left_and_says_so(ethos: Ethos, clock: SetClock) -> None:
    """It counts the sessions of earlier days among its summaries, and names the date of each; one of its own day has none."""
    ethos.capture(spoken("s2", hour=24))
    clock.move(days=1)
    report = ethos.sleep(TODAY + timedelta(days=1)).report
    assert (report.counts["summaries_created"], report.counts["summaries_caught_up"]) == (2, 1)
    assert "2 new summaries, 1 of an earlier day" in in_words(report.counts)
    (section,) = (each for each in report.sections if each.title == "Summaries")
    assert sorted(line.text.partition(":")[0] for line in section.lines) == [f"s1 of {TODAY}", "s2"]


def test_g16_a_night_is_due_from_its_hour_on(ethos: Ethos, clock: SetClock) -> None:
    """Not at midnight: a session may still go on."""
    day = clock.now().date()
    clock.at = datetime.combine(day + timedelta(days=1), time(2, 59), UTC)
    assert day not in ethos.nights_due()
    clock.move(minutes=1)
    assert day in ethos.nights_due()


def test_g18_nobody_is_told_of_another_user(ethos: Ethos, open_ethos: Callable[[Settings], Ethos]) -> None:
    """Summaries and the profile are of the user whose night it is."""
    ethos.capture([replace(each, user="ilse", id=f"{each.id}-ilse") for each in spoken("s2", hour=1)])
    ethos.consolidate()
    ethos.sleep(TODAY)
    assert {each.user for each in summaries(ethos)} == {"default"}
    drawn = profile(ethos)
    assert drawn is not None
    assert set(drawn.facts) == {fact.id for fact in ethos.facts(FactFilter("default"))}
    hers = open_ethos(replace(ethos.settings, ethos=replace(ethos.settings.ethos, user="ilse")))
    hers.sleep(TODAY)
    with hers.store.begin() as work:
        (drawn,) = work.find(Profile, "user", ("ilse",))
    assert set(drawn.facts) == {fact.id for fact in hers.facts(FactFilter("ilse"))} != set()


def test_g19_a_week_is_told_and_known(ethos: Ethos, clock: SetClock) -> None:
    """Episodes, then facts, then summaries, then one profile: a week of it, with one night undone and one turn forgotten."""
    runs = []
    for day in range(6):
        ethos.capture(spoken(f"d{day}", tuple(f"{text[:-1]} on day {day}." for text in TALK), hour=24 * day))
        ethos.consolidate()
        clock.move(days=1)
        runs.append(ethos.sleep(TODAY + timedelta(days=day)).report.run)
    assert len(summaries(ethos)) == 7
    ethos.undo(runs[2])
    ethos.sleep(TODAY + timedelta(days=5))
    assert len(summaries(ethos)) == 7
    ethos.forget(ErasureRequest((spoken()[0].id,)))
    ethos.sleep(TODAY + timedelta(days=5))
    drawn, held = profile(ethos), ethos.profile()
    assert drawn is not None
    assert drawn.summaries == held.summaries == 7
    assert set(drawn.facts) == {fact for line in held.lines for fact in line.facts}
    assert ethos.store.check() == []
