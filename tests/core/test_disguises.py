"""Disguises: what a person quotes, pastes or announces is not taken for their own words (promise 5, fault H6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

from ethos.core.model.records import Origin, Role
from ethos.core.rules.matcher import Rules
from ethos.core.text.sentences import fold, mask
from tests.support import proven
from tests.support.disguises import PAYLOADS, Disguise, disguises
from tests.support.disguises_found import PAYLOAD, SHAPES

MOST = 0.02  # of the disguises that a shape tells
SEED = 20_261_123
ORIGINS: tuple[tuple[Role, Origin], ...] = (
    ("assistant", Origin.ASSISTANT),
    ("tool", Origin.TOOL),
    ("tool", Origin.EXTERNAL),
    ("system", Origin.EXTERNAL),
)


@pytest.fixture(scope="module")
def rules() -> Rules:
    """The shipped packs, by both readers."""
    return proven.rules_by_default()


def read(rules: Rules, text: str) -> list[str]:
    """The objects of what is read in a turn of the person."""
    return [claim.object for claim in rules.claims(text, role="user", speaker="A", origin=Origin.USER)]


def leaks(rules: Rules, tried: Iterable[Disguise]) -> tuple[float, Counter[str]]:
    """The share of structural disguises in which a claim is read, and how many by structure."""
    count, found = 0, Counter[str]()
    for disguise in tried:
        count += disguise.structural
        if read(rules, disguise.text):
            found[disguise.structure] += 1
    return sum(found.values()) / count, found


def test_fault_h6_at_most_two_in_a_hundred_disguises_are_taken_for_the_persons_words(rules: Rules) -> None:
    """Structures, languages, nestings and payloads of our own; those that only an announcement tells count as well."""
    share, found = leaks(rules, disguises(2_200, SEED))
    assert share <= MOST, f"seed {SEED}: {found}"


@pytest.mark.torture
def test_fault_h6_the_same_of_twenty_thousand(rules: Rules, another_seed: int | None) -> None:
    """More languages, nestings and payloads of each structure; others with `--hypothesis-seed N`."""
    seed = SEED + 1 if another_seed is None else another_seed
    share, found = leaks(rules, disguises(20_000, seed))
    print(f"seed {seed}: {share:.2%} of the structural disguises are read; by structure: {dict(found)}")  # noqa: T201 (the figures)
    assert share <= MOST, f"seed {seed}: {found}"


def test_fault_h6_the_control_every_payload_is_read_when_the_person_says_it(rules: Rules) -> None:
    """So that the tests above can fail."""
    for payload in PAYLOADS:
        assert read(rules, payload), payload
        assert read(rules, f"One more thing.\n\n{payload}"), payload


def test_fault_h6_nobody_below_the_user_is_heard_in_any_disguise(rules: Rules) -> None:
    """As words of the assistant, of a tool and of a system prompt: none."""
    for disguise in disguises(1_000, SEED + 2):
        for role, origin in ORIGINS:
            assert rules.claims(disguise.text, role=role, speaker="A", origin=origin) == (), disguise


@pytest.mark.parametrize("name", SHAPES)
def test_fault_h6_the_disguises_that_were_found(name: str, rules: Rules) -> None:
    """Each once was a fact; the same words said plainly still are one."""
    assert read(rules, SHAPES[name].format(p=PAYLOAD)) == []
    assert read(rules, PAYLOAD) == ["MongoDB"]


@pytest.mark.parametrize(
    "text",
    [
        "Hi there!\n\n{p}",
        "Two things:\n- {p}\n- rename the folder",
        "1. rename the folder\n2. {p}\n\nThanks",
        "Why does this fail?\n```\nx = 1\n```\n{p}",
        "```\nx = 1\n```\n\n{p}",
        "> shall I go on?\n\nYes. {p}",
        "Run this:\n\n    make all\n\n{p}",
        "<details>\nlong\n</details>\n\n{p}",
        "Database: {p}",
        "One more thing: {p}",
        "I want the following:\n{p}",
        "We agreed on a few things with the team:\n{p}",
        'She asked "which one, then?" and left.\n{p}',
        "\U0001f468\u200d\U0001f469\u200d\U0001f467 first, then work. {p}",
        "so, about storage\r\n{p}\r\n",
        "[Image #1]\n{p}",
        "- [ ] {p}",
        "> shall I go on?\n<private>not this</private>\n\n{p}",
        "> <private>not this</private>\n\n{p}",
        "<private>not this</private> {p}",
    ],
)
def test_fault_h6_what_plain_turns_need_still_speaks(text: str, rules: Rules) -> None:
    """Prose, lists of one's own, and prose behind something that has an end."""
    assert "MongoDB" in read(rules, text.format(p=PAYLOAD))


@pytest.mark.parametrize(
    "text",
    [
        "```\na\n```bash\nb\n```\n{p}\n```",
        "```\na\n```\n{p}\n```\nb",
        "<file>\na</file>\n{p}\n<file>b</file>",
        "see\n<!-- a --> b\n{p}\n<!-- c -->",
        '"""a"""\n"""\n{p}',
    ],
)
def test_fault_h6_a_forged_end_sets_nothing_free(text: str, rules: Rules) -> None:
    """Pairs are matched from outside in; where ends and beginnings do not agree, nothing behind the first speaks."""
    assert read(rules, text.format(p=PAYLOAD)) == []


def test_fault_h6_masking_keeps_the_length_of_every_disguise() -> None:
    """So a slot is read back from the text at the same place."""
    for disguise in disguises(500, SEED + 3):
        for code in (False, True):
            assert len(mask(fold(disguise.text), code=code)) == len(disguise.text)


@pytest.mark.parametrize(
    "text",
    [
        "どう思う?\n\nマルタ様,\n\n{p}\n\n敬具\n小林",
        "マルタ様、\n\n{p}\n\n敬具\n小林\n\nどう思う?",
        "친애하는 마르타,\n\n{p}\n\n감사합니다\n민준",
        "\u041c\u0430\u0440\u0442\u0430,\n{p}\n\n\u0421 \u0443\u0432\u0430\u0436\u0435\u043d\u0438\u0435\u043c\n\u041e\u043b\u044f",
        "عزيزتي مارتا،\n\n{p}\n\nمع التحية\nليلى",
    ],
)
def test_fault_h6_a_letter_in_another_script_is_known_by_its_shape(text: str, rules: Rules) -> None:
    """A line with a comma at its end, and further on a closing and a name; a greeting or a closing alone is none."""
    assert read(rules, text.format(p=PAYLOAD)) == []
    assert "MongoDB" in read(rules, f"好的,\n{PAYLOAD}")
    assert "MongoDB" in read(rules, f"{PAYLOAD}\n\n谢谢\n小林")


def test_fault_h6_the_line_that_names_another_writer_says_nothing_itself(rules: Rules) -> None:
    """The German "am" is no English verb."""
    assert read(rules, f"Jürgen schrieb am Montag:\n\n{PAYLOAD}") == []
