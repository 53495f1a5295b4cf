"""Rules that read code: `inside = ["code"]` opts in to fences and inline code; what else is masked stays so."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from ethos.core.model.records import Origin
from ethos.core.text.sentences import fold, mask
from ethos.edge.rulebook import Rulebook, load
from ethos.testing import assert_properties, rule_sets, texts_for

RULE = r"""
[[rule]]
id = "{name}"
kind = "fact"
summary = "what the speaker darns"
patterns = ['\b(?P<subject>i|we) {name} (?P<object>[^,.`\n]{{2,40}})']
emit = {{ subject = "{{subject}}", predicate = "{name}s", object = "{{object}}" }}
confidence = 0.8
cardinality = "multi"
{more}
"""
PACK = 'schema = 1\npack = "own"\n' + RULE.format(name="darn", more='inside = ["code"]') + RULE.format(name="knit", more="")


def write(folder: Path) -> Path:
    path = folder / "own.toml"
    path.write_text(PACK, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Rulebook:
    return load([write(tmp_path_factory.mktemp("inside"))])


@pytest.mark.parametrize(
    ("text", "darned"),
    [
        ("I darn socks.", ["socks"]),
        ("Run `we darn gloves` now", ["gloves"]),
        ("so\n```\nwe darn caps\n```\nand we darn hats", ["caps", "hats"]),
        ("~~~ text\nwe darn caps", ["caps"]),
        ("> we darn caps", []),
        ("<private>we darn caps</private>", []),
        ("see https://we.darn/caps for more", []),
        ('She said "I darn caps" once.', []),
    ],
)
def test_a_rule_may_read_inside_code(text: str, darned: list[str], book: Rulebook) -> None:
    """In plain text both rules read; in code the one that opted in; in quotes, private parts and addresses neither."""
    for verb, wanted in (("darn", darned), ("knit", darned if "`" not in text and "~" not in text else [])):
        said = text.replace("darn", verb)
        claims = book.rules.claims(said, role="user", speaker="A", origin=Origin.OPERATOR)
        assert all(claim.rule == f"own/{verb}" for claim in claims)
        if verb == "darn" or "\n" not in text:
            assert [claim.object for claim in claims] == wanted
        assert claims == book.rules.every_claim(said, role="user", speaker="A", origin=Origin.OPERATOR)


def test_what_stays_keeps_its_place() -> None:
    """Masking changes no length, with code and without."""
    text = "we `a b` ```\nx\n```\n```\ny\n``` > z\n> q\nwww.a.b <private>p</private>"
    assert len(mask(fold(text))) == len(mask(fold(text), code=True)) == len(text)
    assert "a b" in mask(fold(text), code=True)
    assert "a b" not in mask(fold(text))


def test_what_holds_of_every_rule_holds_of_one_that_reads_code(tmp_path: Path) -> None:
    """The properties, on texts made of its pattern."""
    rules = rule_sets(write(tmp_path))

    @settings(max_examples=30, derandomize=True, deadline=None)
    @given(texts_for(rules["own/darn"]))
    def hold(text: str) -> None:
        assert_properties(rules, text)

    hold()
