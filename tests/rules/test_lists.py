"""A list is held whole: what stands behind a comma is of it where it is nothing but noun phrases up to "and"."""

from __future__ import annotations

import pytest

from tests.support.proven import claims_of


def objects(text: str) -> list[str]:
    return [claim.object for claim in claims_of(text) if claim.grade == "held"]


@pytest.mark.parametrize(("text", "thing"), [
    ("We use Postgres, Redis and Kafka.", "Postgres, Redis and Kafka"),
    ("We deploy to Berlin, Oslo and Porto.", "Berlin, Oslo and Porto"),
    ("I have two cats, a dog and three hens.", "two cats, a dog and three hens"),
    ("I speak Danish, Polish and a bit of Thai.", "Danish, Polish and a bit of Thai"),
    ("The app runs on Android, iOS and the web.", "Android, iOS and the web"),
    ("I teach maths, physics and chemistry at a school in Leeds.", "maths, physics and chemistry"),
    ("I've lived in Oslo, Bergen and Turin.", "Oslo, Bergen and Turin"),
])  # fmt: skip
def test_e14_a_list_is_held_whole(text: str, thing: str) -> None:
    assert thing in objects(text)


@pytest.mark.parametrize(("text", "thing"), [
    ("I use Vim, and my wife hates it.", "Vim"),
    ("We use Postgres, and the shop runs on Linux.", "Postgres"),
    ("I live in Oslo, and Bergen is too rainy.", "Oslo"),
    ("I live in Oslo, work from home and cycle a lot.", "Oslo"),
    ("We use Postgres, thanks.", "Postgres"),
    ("Use Kotlin, and Gradle instead of Maven.", "Kotlin"),
])  # fmt: skip
def test_e14_another_thought_is_no_part_of_a_list(text: str, thing: str) -> None:
    assert thing in objects(text)


@pytest.mark.parametrize(("text", "thing"), [
    ("We use Slack, Zoom and Notion daily.", "Slack, Zoom and Notion daily"),
    ("We use Slack, Zoom and Notion every day.", "Slack, Zoom and Notion every day"),
    ("I take magnesium, zinc and vitamin D every night.", "magnesium, zinc and vitamin D every night"),
    ("I keep bees, hens and a goat.", "bees, hens and a goat"),
    ("We use Postgres, Redis and Kafka never failed us.", "Postgres"),
])  # fmt: skip
def test_e14_how_often_ends_a_list_and_is_part_of_it(text: str, thing: str) -> None:
    assert thing in objects(text)


@pytest.mark.parametrize(("text", "thing"), [
    ("We're getting married on June 14.", "getting married on June 14"),
    ("My appointment is on Monday at 2.", "Monday at 2"),
    ("I sold my caravan on Sunday.", "caravan"),
])  # fmt: skip
def test_e14_when_something_is_stays_with_it(text: str, thing: str) -> None:
    """Of what is so; when something was done or ended is told in its sentence."""
    assert thing in objects(text)
