"""The name of what an object only describes belongs to it; who is spoken to does not."""

from __future__ import annotations

import pytest

from tests.support.proven import claims_of


def objects_of(text: str) -> list[str]:
    """Return the objects of the claims of a turn."""
    return [claim.object for claim in claims_of(text)]


@pytest.mark.parametrize(("text", "wanted"), [
    ("We have a caravan, a Hymer, parked behind the barn.", "a caravan, a Hymer"),
    ("I also joined a wedding band, The Velvet Mops.", "a wedding band, The Velvet Mops"),
    ("We went with a local fibre outfit, Plusnet, and it's fast.", "a local fibre outfit, Plusnet"),
    ("The admin panel has its own port, 8443.", "its own port, 8443"),
    ("We use a linter, ruff.", "a linter, ruff"),
])  # fmt: skip
def test_e14_an_object_keeps_the_name_behind_it(text: str, wanted: str) -> None:
    assert wanted in objects_of(text)


@pytest.mark.parametrize(("text", "wanted"), [
    ("We have a kettle, Anna.", "a kettle"),  # spoken to
    ("We use a queue, sadly.", "a queue"),
    ("We have a dog, she is old.", "a dog"),
    ("We use the Hymer, a Fiat and a Volvo.", "the Hymer, a Fiat and a Volvo"),  # a list
])  # fmt: skip
def test_e14_what_is_no_name_stays_behind(text: str, wanted: str) -> None:
    assert wanted in objects_of(text)
