"""The profile of a user, with plain values: its sections, its order, its budget, and the ids of its lines."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ethos.core.learning.summaries.habits import habits
from ethos.core.learning.summaries.profile import ID_SIGNS, Part, Use, draw, main_subject, part_of, ranked, written
from ethos.core.model.records import Fact, Kind, Origin, Polarity
from ethos.core.model.summaries import Summary
from tests.support.telling import fact


def held(predicate: str, obj: str, confidence: float = 0.8, subject: str = "Maren", **more: object) -> Fact:
    """A fact whose statement says it as it stands here."""
    return replace(fact(subject, predicate, obj, confidence), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("subject", "predicate", "obj", "kind", "polarity", "slot", "part"),
    [
        ("agent", "should", "explain every command first", "preference", "+", "", Part.RULES),
        ("team", "should never", "push to main", "decision", "+", "", Part.RULES),
        ("team", "uses", "Redis", "decision", "-", "caches", Part.RULES),
        ("Maren", "prefers", "short answers without emoji", "preference", "+", "", Part.COMMUNICATION),
        ("Maren", "e-mail is", "maren@example.org", "fact", "+", "", Part.COMMUNICATION),
        ("team", "uses", "PostgreSQL", "decision", "+", "databases", Part.TECHNICAL),
        ("Maren", "writes", "python scripts", "fact", "+", "", Part.TECHNICAL),
        ("Maren", "works as", "a nurse on the night shift", "fact", "+", "", Part.WORK),
        ("Maren", "has", "two greyhounds", "fact", "+", "", Part.PERSONAL),
        ("project", "is not suitable for", "production use", "fact", "+", "", Part.TECHNICAL),
        ("bun test", "supports", "mocking", "fact", "+", "", Part.TECHNICAL),
        ("the title", "should", "be written by hand", "decision", "+", "", Part.TECHNICAL),
        ("CLI tool", "is called", "minsky", "fact", "+", "", Part.TECHNICAL),
        ("team", "loves", "painting", "preference", "+", "", Part.PERSONAL),
        ("team", "went", "camping with the kids", "fact", "+", "", Part.PERSONAL),
        ("the garden", "is", "behind the old barn", "fact", "+", "", Part.PERSONAL),
    ],
)
def test_g13_each_fact_has_its_section(
    subject: str, predicate: str, obj: str, kind: Kind, polarity: Polarity, slot: str, part: Part
) -> None:
    """Communication, technical, work patterns, personal context; rules and what was rejected."""
    assert part_of(fact(subject, predicate, obj, 0.8, kind=kind, polarity=polarity, slot=slot)) is part


def test_g12_the_most_trusted_and_the_most_used_come_first() -> None:
    """What others said counts half, what is in question is left out; what was recalled or said again counts more."""
    sure, unsure = held("likes", "tea", 0.9), held("likes", "figs", 0.6)
    heard, doubted = held("likes", "rain", 0.9, origin=Origin.ASSISTANT), held("likes", "fog", 0.8, flagged=True)
    facts = [doubted, heard, unsure, sure]
    assert ranked(facts, {}) == [sure, unsure, heard]
    assert ranked(facts, {unsure.id: Use(recalled=3)})[0] == unsure
    assert ranked(facts, {unsure.id: Use(said=4)})[0] == unsure


def test_g12_what_breaks_off_is_left_out() -> None:
    """Half of what was said would be read as the whole."""
    said = ['a piece called "Wide', "the yard (at the back", "a friend just", "'no gates found", "`gate.open", "an orchard or"]
    whole = ['a piece called "Wide Open"', "the kids' yard", "'no gates' as a rule", "rock 'n' roll", "`gate`", "a friend"]
    facts = [fact("Maren", "likes", each, 0.9) for each in (*said, *whole)]
    assert {each.object for each in ranked(facts, {})} == set(whole)


def test_g12_what_names_nobody_is_left_out() -> None:
    """Who "me" is, the one who said it knows; "us" is the team."""
    said = [
        held("gives", "me hope", subject="Rowing"),
        held("is", "my fave", subject="Blue"),
        held("gave", "me a push", subject="Losing my job"),
    ]
    whole = [held("likes", '"Call me Ishmael"'), held("makes", "us happy", subject="Rowing"), held("runs", "Fedora", subject="my laptop")]
    assert {each.statement for each in ranked([*said, *whole], {})} == {each.statement for each in whole}


def test_g12_lines_bear_the_ids_of_their_facts_and_share_a_beginning() -> None:
    """The subject of the profile is left out; another is named; what is held twice is told once."""
    twice = (held("loves", "Tea", id="f-second0"), held("hates", "Fog", subject="Ilse", id="f-second1"))
    facts = [held("loves", "tea"), held("loves", "old maps"), held("hates", "fog", subject="Ilse"), *twice]
    lines = list(written(draw(facts, "Maren", (), 4_096)))
    tea, maps, fog = (each.id[:ID_SIGNS] for each in facts[:3])
    assert lines[2:] == [f"- loves tea; old maps ({tea}, {maps}, f-second)", f"- Ilse hates fog ({fog}, f-second)"]


def test_g12_facts_of_two_projects_share_no_line_where_projects_are_named() -> None:
    """Each line names its project, within the bytes that there are."""
    facts = [held("uses", "Rust", project="shop"), held("uses", "Go", project="blog"), held("uses", "Vim", project="")]
    lines = draw(facts, "Maren", (), 4_096, lambda fact: fact.project)
    assert [(line.text, line.project) for line in lines] == [("uses Rust", "shop"), ("uses Go", "blog"), ("uses Vim", "")]
    assert "- uses Rust (project shop) (" in str(lines[0])


def test_g12_as_many_facts_are_told_as_fit() -> None:
    """What is too long for the room that is left gives way to a shorter one behind it."""
    long, short = held("loves", "a very long walk " * 10), held("hates", "fog")
    assert [line.facts for line in draw([long, short], "Maren", (), 100)] == [(short,)]


@given(count=st.integers(0, 120), room=st.integers(0, 2_000))
def test_g12_it_stays_within_its_bytes(count: int, room: int) -> None:
    """Whatever is held; and the better of two facts of one length is never left out for the worse."""
    facts = [held(f"visited{number % 7:02}", f"the town of number {number:03}", 0.9 - number / 1_000) for number in range(count)]
    lines = draw(facts, "Maren", (), room, lambda fact: "shop" if fact.object.endswith("3") else "")
    assert len("\n".join(written(lines)).encode()) <= room
    told = {each.id for line in lines for each in line.facts}
    assert len(told) == sum(len(line.facts) for line in lines)


def test_g13_how_the_user_works_stands_in_its_section() -> None:
    """What was counted over sessions goes before the facts of the section."""
    lines = list(written(draw([held("works as", "a nurse")], "Maren", ("most sessions begin between 06:00 and 09:00",), 4_096)))
    assert lines[2] == "- most sessions begin between 06:00 and 09:00"
    assert lines[3].startswith("- works as a nurse")


def test_g12_it_is_about_whom_users_speak_of() -> None:
    """Not about the team or the agent, not about whom only others speak of, and not about a thing of a project."""
    facts = [
        held("likes", "tea", project=""),
        *(held("has", f"part {number}", subject="CLI tool") for number in range(3)),
        held("uses", "Rust", subject="team"),
        held("uses", "Go", subject="team"),
    ]
    assert main_subject([*facts, held("hates", "fog", subject="Ilse", project="", origin=Origin.TOOL)] * 3) == "Maren"
    assert main_subject([]) == ""


def test_g12_markdown_in_a_fact_is_harmless() -> None:
    """A statement cannot draw a heading, or end the line."""
    (line,) = list(written(draw([held("likes", "x\n# Heading\n- [x] done")], "Maren", (), 4_096)))[2:]
    assert "\n" not in line
    assert "\\[x\\]" in line


def session(day: int, hour: int, project: str) -> Summary:
    """A session that was told, which began then."""
    at = datetime(2026, 6, day, hour, 30, tzinfo=UTC)
    return Summary(f"s-{day}", "default", project, f"d{day}", (), (), (), 80, at, at, at, "r-1")


def test_g13_habits_are_counted_over_sessions() -> None:
    """From five on: hours of the zone, weekdays, projects."""
    told = [session(day, 9 + day % 2, "ethos" if day < 4 else "site") for day in range(1, 6)]
    assert habits(told, UTC) == (
        "most sessions begin between 08:00 and 11:00 (5 of 5)",
        "works on weekdays (5 of 5 sessions)",
        "projects: ethos (3 sessions), site (2 sessions)",
    )
    assert habits(told, timezone(timedelta(hours=5)))[0] == "most sessions begin between 13:00 and 16:00 (5 of 5)"
    assert habits(told[:4], UTC) == ()
    assert habits([*told, *(session(6, hour, "") for hour in range(0, 24, 2))], UTC)[0].startswith("projects")
