"""What "it" stands for: a requirement is told of the thing that was named right before, and of the project where none was."""

from __future__ import annotations

import pytest

from tests.support.proven import claims_of


def subjects(text: str) -> list[str]:
    return [claim.subject for claim in claims_of(text) if claim.kind == "decision"]


@pytest.mark.parametrize(("text", "thing"), [
    ("Write a parser for the feed. It should skip empty lines.", "the parser"),
    ("Add an export command, with `csv` and `json`. It should support filters.", "the export command"),
    ("Is the `--dry` flag required? It should be optional.", "the `--dry` flag"),
    ("Our exporter is slow. It must stay under 2 s.", "our exporter"),
    ("Create two queues. They should be private.", "two queues"),
    ("Add a rota page. It should support filters. By default it reads the `rota.md` file.", "the rota page"),
])  # fmt: skip
def test_e14_a_requirement_is_told_of_the_thing_before_it(text: str, thing: str) -> None:
    assert set(subjects(text)) == {thing}


@pytest.mark.parametrize("text", [
    "It should work offline.",
    "Two workers crash.\n\nIt should be self-hosted.",  # another paragraph
    "Create two queues. It should be private.",  # another number
    "Write a parser. For odd feeds, write it in the `lib/odd` directory.",  # "it" is no subject
    "Ask Ada. It should be optional.",  # a name is no thing that is built
])  # fmt: skip
def test_e14_without_a_thing_it_is_told_of_the_project(text: str) -> None:
    assert subjects(text)[-1:] == ["project"]
