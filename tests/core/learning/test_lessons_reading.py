"""What an episode is about, how it went, and what may explain it (H-13 to H-17, X-H4, X-H8)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ethos.core.learning.lessons import wording
from ethos.core.learning.lessons.grouping import groups_of, worth_a_look
from ethos.core.learning.lessons.reading import About, named, observe, outcome, parts_of
from ethos.core.model.records import Episode
from ethos.core.model.settings import LessonsSettings
from ethos.core.rules.vocabulary import EntityKind, Vocabulary
from ethos.edge.rulebook import load, shipped_rules
from tests.store_contract import episode

WORDS: Vocabulary = load([shipped_rules()], prove_shipped=False).rules.vocabulary
SYMBOLS: EntityKind = next(kind for kind in WORDS.entities if kind.name == "symbol")
AT = datetime(2026, 3, 4, 15, tzinfo=UTC)  # a Wednesday afternoon


def symbol(title: str | None, body: str | None = None) -> str | None:
    """The symbol of an episode with this title and body."""
    return next(iter(named(SYMBOLS, title, body)), None)


@pytest.mark.parametrize(
    ("title", "body", "wanted"),
    [
        ("BTC short at $68K", "", "BTC"),
        ("", "ETH funding spike", "ETH"),
        ("", '{"signals": {"symbol": "SOL"}}', "SOL"),
        ("", '{"signals": {"coin": "eth"}}', "ETH"),
        ("a plain title", "a plain body", None),
        ("BTC short", "ETH funding", "BTC"),
        ("btc short squeeze", "", "BTC"),
        ("ABTCX token analysis", "", None),
        ("", "{}", None),
        (None, None, None),
        ("BTC short", "{invalid json", "BTC"),
        ("", '{"text": "BTC funding is high"}', "BTC"),
        ("SOL long", '{"signals": {"symbol": "BTC"}}', "BTC"),
        ("", '{"signals": null, "text": "BTC funding"}', "BTC"),
        ("BTC-PERP closed", "", "BTC"),
        ("BTCUSDT closed", "", None),
    ],
)
def test_h15_h16_the_symbol_comes_from_the_body_then_the_title_then_the_text(
    title: str | None, body: str | None, wanted: str | None
) -> None:
    """H-13 to H-16 and H-41: fields of the JSON first, words bounded, any case, shown in capitals; malformed JSON is text."""
    assert symbol(title, body) == wanted


def test_h13_the_twenty_symbols_are_a_list_in_the_rules() -> None:
    """Exactly these."""
    listed = "BTC ETH SOL DOGE ARB OP AVAX MATIC LINK UNI AAVE APT SUI SEI WIF PEPE BONK JUP TIA INJ"
    assert set(SYMBOLS.words) == set(listed.split())
    assert len(SYMBOLS.words) == 20


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("open the link now", None), ("sell $link now", "LINK"), ("LINK is up", "LINK"), ("doge is up", "DOGE"), ("apt install jq", None)],
)
def test_h14_everyday_words_count_as_symbols_only_where_they_are_written_so(text: str, wanted: str | None) -> None:
    """X-H4: in capitals, or after a dollar sign."""
    assert symbol(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('{"signals": {"pnl_pct": 2.5}}', True),
        ('{"pnl_pct": -0.1, "outcome": "win"}', False),
        ('{"pnl_pct": 0}', None),
        ('{"exit_code": 0}', True),
        ('{"exit_code": 2, "text": "all tests passed"}', False),
        ('{"outcome": "Success"}', True),
        ('{"status": "failed"}', False),
        ('{"outcome": "pending"}', None),
        ("The deploy failed with exit code 1", False),
        ("Deployed the site\nAll tests passed and it is merged", True),
        ("It works now", True),
        ("It doesn't work", False),
        ("The build has not passed", False),
        ("It failed first, then it passed", None),
        ("the failover plan is good", None),
        ("we talked about winners", None),
    ],
)
def test_an_outcome_is_read_from_numbers_codes_fields_and_words(text: str, wanted: bool | None) -> None:
    """The first that speaks decides; words that contradict each other say nothing."""
    assert outcome(parts_of(text), WORDS) is wanted


def told(id_: str, text: str, *, kind: str = "trade_close", tags: tuple[str, ...] = ()) -> Episode:
    """An episode of a kind, with a text."""
    return replace(episode(id_), text=text, kind=kind, tags=tags, said_at=AT, speaker="user", project="default")


def test_an_observation_holds_what_may_explain_the_outcome_and_nothing_that_follows_from_it() -> None:
    """Short values of the body by their names, tags, the day; not the profit itself, prose, or ids."""
    signals = '{"funding": 0.06, "side": "short", "hedged": false, "mfe": 9}'
    text = f'{{"title": "BTC short", "pnl_pct": 2.5, "trade_id": "t-77", "signals": {signals}}}'
    things, seen = observe(told("e-1", text, tags=("scalp",)), WORDS)
    assert things == [About("symbol", "BTC"), About("tag", "scalp")]
    assert seen is not None
    assert seen.good
    assert seen.features == {
        "funding": 0.06, "side": "short", "hedged": False, "tag scalp": True, "weekday": "Wednesday", "part of the day": "afternoon",
    }  # fmt: skip


def test_an_assistants_own_word_for_it_is_no_outcome() -> None:
    """Who says that all went well whether it did or not is not asked; a summary of its turn and a tool's answer are."""
    said = told("e-1", "Done: the build passed", kind="episode")
    assert observe(replace(said, role="assistant"), WORDS)[1] is None
    assert observe(replace(said, role="tool"), WORDS)[1] is not None
    assert observe(replace(said, role="assistant", kind="turn_summary"), WORDS)[1] is not None


def test_h17_groups_are_by_what_episodes_are_about_and_the_rest_is_one_group() -> None:
    """Two of BTC and one of ETH; none of anything is the general group; the largest first."""
    found = groups_of([told("e-1", "BTC short"), told("e-2", "ETH long"), told("e-3", "closed BTC")], WORDS)
    assert {str(group.about): len(group.episodes) for group in found} == {"BTC": 2, "ETH": 1}
    assert [str(group.about) for group in groups_of([told("e-1", "sold it all")], WORDS)] == ["_general"]


def test_h05_h06_the_largest_groups_of_at_least_three_are_looked_at_and_each_set_of_episodes_once() -> None:
    """H-05 and H-06; a tag that all episodes of a symbol carry makes no second group of them."""
    texts = ["BTC"] * 4 + ["ETH"] * 3 + ["SOL"] * 2
    found = groups_of([told(f"e-{at}", text, tags=("coin",) if text == "BTC" else ()) for at, text in enumerate(texts)], WORDS)
    assert [str(each.about) for each in worth_a_look(found, 3, 5)] == ["BTC", "ETH"]
    assert len(worth_a_look(found, 1, 2)) == 2


def test_other_things_than_symbols_make_groups(tmp_path: Path) -> None:
    """Tools, error names, people, projects and tags (X-H8), and what a list of one's own adds."""
    said = replace(told("e-1", "pytest stopped with a TimeoutError", tags=("ci",)), project="web", speaker="Maren")
    assert {str(thing) for thing in observe(said, WORDS)[0]} == {
        "tool pytest",
        "error TimeoutError",
        "tag ci",
        "project web",
        "person Maren",
    }
    (tmp_path / "lessons.toml").write_text('schema = 1\n[[entity]]\nname = "ship"\nwords = ["Aurora"]\n', encoding="utf-8")
    words = load([tmp_path], prove_shipped=False).rules.vocabulary
    assert About("ship", "Aurora") in observe(told("e-1", "the Aurora sailed"), words)[0]


def test_h04_h05_h06_h07_h11_h25_h28_h29_the_numbers_are_those_of_the_design() -> None:
    """As they are without a configuration."""
    defaults = LessonsSettings()
    assert (defaults.look_back_days, defaults.min_group, defaults.max_groups) == (14, 3, 5)
    assert (defaults.prompt_episodes, defaults.per_kind) == (15, 50)
    assert (defaults.duplicate_at, defaults.connect_at) == (0.95, 0.90)
    assert (defaults.generalizes_weight, defaults.relates_to_weight, defaults.causes_weight) == (0.70, 0.50, 0.80)
    assert defaults.strengthen_by == 0.05


def test_h27_only_a_long_body_has_a_summary() -> None:
    """Its first 300 characters."""
    assert wording.summary("x" * 300) == ""
    assert wording.summary("x" * 301) == "x" * 300
