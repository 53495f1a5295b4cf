"""The workbench of rules as an author uses it: `ethos rules test, explain, coverage` on packs of their own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.commands import Commands, commands

__all__ = ["commands"]

MINE = r"""
schema  = 1
pack    = "mine"
version = "0.1.0"

[[rule]]
id         = "garden.raises"
kind       = "fact"
summary    = "what the speaker raises from seed"
patterns   = ['''\b(?P<subject>i|we|[a-z]{2,12}) raise (?P<object>[^,.!?\n]{2,60}) from seed''']
emit       = { subject = "{subject}", predicate = "raises", object = "{object}" }
confidence = 0.80
example    = [
  { text = "I raise Leeks from seed.", want = [{ subject = "speaker", predicate = "raises", object = "Leeks" }] },
  { text = "Do I raise leeks from seed?", want = [], why = "question" },
  { text = "We raise Cain from seed.", want = [] },
]
  [[rule.unless]]
  pattern = '''\braise cain\b'''
  reason  = "figure of speech"
"""

LOUD = r"""
schema  = 1
pack    = "loud"
version = "0.1.0"

[[rule]]
id         = "raises"
kind       = "fact"
summary    = "what anybody raises"
priority   = 90
patterns   = ['''\b(?P<subject>i|we) raise (?P<object>[^,.!?\n]{2,60})''']
emit       = { subject = "{subject}", predicate = "raises", object = "{object}" }
confidence = 0.50
example    = [{ text = "I raise geese.", want = [{ object = "geese" }] }]
"""


@pytest.fixture
def author(commands: Commands) -> Commands:
    """Somebody with a pack that is in use."""
    commands.write("mine.toml", MINE)
    commands.write("config.toml", '[ethos]\ndatabase = "e.db"\nstate = "state"\n[rules]\npacks = ["mine.toml"]\n')
    return commands


EXPLAINED = {
    "I raise leeks from seed.": ("claimed", ""),
    "We raise Cain from seed.": ("unless", "figure of speech"),
    "Do I raise leeks from seed?": ("modifier", "question"),
    'She said "I raise leeks from seed".': ("modifier", "quote, third_party"),
}


@pytest.mark.parametrize("text", EXPLAINED)
def test_explain_says_what_became_of_a_candidate(author: Commands, text: str) -> None:
    """Claimed, or dropped and by what, with the place and the claim as it would be."""
    data = author("rules", "explain", text, "--json").data
    (found,) = (each for each in data["candidates"] if each["rule"] == "mine/garden.raises")
    assert (found["outcome"], found["because"]) == EXPLAINED[text]
    assert text[found["start"] : found["end"]].casefold().endswith("from seed")
    assert found["claim"]["predicate"] == "raises"
    assert " from seed" in data["literals"]
    assert all(text.casefold().startswith(hit["literal"], hit["start"]) for hit in data["hits"])


def test_explain_tells_a_claim_as_its_fact_would_be_told(author: Commands) -> None:
    """As a sentence, not as the slots of the claim one after another."""
    assert author("rules", "explain", "I hate YAML").out.startswith("user hates YAML  preference\n")
    assert author("rules", "explain", "I hate YAML", "--speaker", "Ada").out.startswith("Ada hates YAML")


def test_explain_tells_who_may_say_it_and_who_took_the_words(author: Commands) -> None:
    """A role that the rule does not listen to; a stronger rule of the same kind; a pattern that matches nowhere."""
    said_by_tool = author("rules", "explain", "I raise leeks from seed.", "--role", "tool", "--json").data["candidates"]
    assert {each["outcome"] for each in said_by_tool if each["rule"] == "mine/garden.raises"} == {"role"}
    author.write("loud.toml", LOUD)
    author.write("config.toml", '[ethos]\ndatabase = "e.db"\nstate = "state"\n[rules]\npacks = ["mine.toml", "loud.toml"]\n')
    told = author("rules", "explain", "We raise leeks from seed.").out
    assert "not read: team raises leeks" in told
    assert "another rule reads these words: loud/raises" in told
    assert "no match: core-en/decision.name-decided-to-use" in author("rules", "explain", "We decided to use Redis.", "-v").out


APART = r"""
schema  = 1
pack    = "apart"
version = "0.1.0"

[[rule]]
id         = "keeps"
kind       = "fact"
summary    = "what the speaker keeps"
engine     = "regex"
keywords   = ["keep"]
patterns   = ['''\b(?P<subject>i|we) keep (?P<object>(?:[a-z]++ ?)+)$''']
emit       = { subject = "{subject}", predicate = "keeps", object = "{object}" }
confidence = 0.80
example    = [{ text = "I keep bees", want = [{ object = "bees" }] }]
"""


def test_a_rule_in_a_process_of_its_own_is_explained_too(author: Commands) -> None:
    """Under the limits of the set it belongs to."""
    author.write("mine.toml", APART)
    for text, outcome in (("We keep bees", "claimed"), ("Do we keep bees?", "modifier"), ("We keep 2 bees", "no match")):
        (found,) = (each for each in author("rules", "explain", text, "--json").data["candidates"] if each["rule"] == "apart/keeps")
        assert found["outcome"] == outcome


def test_a_pack_is_proved(author: Commands) -> None:
    """Examples, fourteen properties, the time gate; and every rule fires."""
    done = author("rules", "test", "mine.toml", "--examples", "20", "--coverage", "--json")
    assert (done.code, done.data["failed"], done.data["problems"]) == (0, False, [])
    assert (done.data["rules"], done.data["examples"], done.data["timed"], done.data["silent"]) == (1, 3, True, [])
    assert len(done.data["properties"]) == 14
    assert all(done.data["properties"].values())
    assert "14 of 14 properties hold" in author("rules", "test", "mine.toml", "--examples", "5", "--seed", "7").out


def test_an_example_that_does_not_hold_comes_first(author: Commands) -> None:
    """The mistake with its place, and nothing else is tried."""
    author.write("mine.toml", MINE.replace("I raise Leeks from seed", "I eat Leeks from seed"))
    done = author("rules", "test", "mine.toml", "--json")
    assert done.code == 1
    assert [problem["code"] for problem in done.data["problems"]] == ["E-EXAMPLE"]
    assert done.data["properties"] == {}


@pytest.mark.no_cover  # the same lines, hundreds of times
def test_coverage_fails_a_stable_rule_that_nothing_makes_fire(author: Commands) -> None:
    """Each pack is sound alone; together one takes all words of the other."""
    folder = author.home / "both"
    folder.mkdir()
    stable = MINE.replace('version = "0.1.0"\n\n[[rule]]', 'version = "0.1.0"\n\n[[rule]]\nstatus = "stable"')
    more = '  { text = "We raise Peas from seed.", want = [{ object = "Peas" }] },\n]\n  [[rule.unless]]'
    (folder / "mine.toml").write_text(stable.replace("]\n  [[rule.unless]]", more), "utf-8")
    (folder / "loud.toml").write_text(LOUD, "utf-8")
    assert author("rules", "test", "both", "--examples", "5", "-q").code == 0
    done = author("rules", "test", "both", "--examples", "5", "--coverage", "--json")
    assert (done.code, done.data["silent"]) == (1, ["mine/garden.raises"])
    (problem,) = done.data["problems"]
    assert (problem["code"], Path(problem["path"]).name, problem["rule"]) == ("E-NEVER-FIRES", "mine.toml", "mine/garden.raises")
    assert problem["line"] > 0


@pytest.mark.no_cover  # the same lines, hundreds of times
def test_a_clean_corpus_stays_clean(author: Commands) -> None:
    """A hit fails with the rule and the words; written down it is known, and only another one fails."""
    clean = author.write("clean.txt", "We raise chickens from seed.\nNice weather.\n")
    asked = ("rules", "test", "mine.toml", "--examples", "5", "--baseline", clean)
    done = author(*asked)
    assert done.code == 1
    assert "E-NEW-HIT  rule mine/garden.raises" in done.out
    assert "'We raise chickens from seed'" in done.out
    assert author(*asked, "--write-baseline").code == 0
    assert (author(*asked, "--json").data["hits"], author(*asked, "--json").data["new_hits"]) == (1, 0)
    clean.write_text("We raise chickens from seed.\nI raise stones from seed.\n", "utf-8")
    again = author(*asked, "--json")
    assert (again.code, again.data["new_hits"]) == (1, 1)
    assert "stones" in again.data["problems"][0]["what"]
    (author.home / "clean.txt.hits.json").write_text("[1]", "utf-8")
    assert "holds no baseline" in author(*asked).err


def test_what_cannot_be_tested_is_refused_with_a_hint(author: Commands) -> None:
    """A file that is not there, a corpus that is none, a rule nobody knows, a baseline without its corpus."""
    author.write("odd.jsonl", "[]\n")
    for words, told in (
        (("test", "none.toml"), "no such file or folder"),
        (("test", "mine.toml", "--examples", "5", "--baseline", "none.txt"), "no such file"),
        (("test", "mine.toml", "--rule", "mine/other"), "there is no rule mine/other"),
        (("test", "--write-baseline"), "--write-baseline needs the corpus"),
        (("coverage", "odd.jsonl"), "odd.jsonl:1: a JSON object with a text was expected"),
    ):
        done = author("rules", *words)
        assert done.code in {1, 2}
        assert told in done.err
        assert "->" in done.err


def test_coverage_counts_what_fires_in_a_file(author: Commands) -> None:
    """How often each rule fires; the silent ones where they are asked for."""
    turns = [{"role": "user", "text": f"We raise {what} from seed."} for what in ("peas", "figs")]
    talk = author.write("talk.jsonl", "".join(json.dumps(turn) + "\n" for turn in turns))
    done = author("rules", "coverage", talk, "--json")
    (busy,) = (each for each in done.data["rules"] if each["rule"] == "mine/garden.raises")
    assert (done.data["turns"], busy["rule"], busy["claims"], busy["turns"]) == (2, "mine/garden.raises", 2, 2)
    shown = author("rules", "coverage", talk).out
    assert "mine/garden.raises" in shown
    assert "core-en/" not in shown
    assert "core-en/" in author("rules", "coverage", talk, "--silent").out


def test_a_pack_that_was_checked_is_not_proved_again(author: Commands) -> None:
    """Its proof is kept by content, and nothing else: a good version of a file that is only checked stands in for no other."""
    author("rules", "check", "mine.toml")
    kept = {path.name for path in (author.home / "state" / "rules").iterdir()}
    assert author("rules", "check", "mine.toml").code == 0
    assert {path.name for path in (author.home / "state" / "rules").iterdir()} == kept
    other = author.write("other.toml", MINE.replace('"mine"', '"other"'))
    author("rules", "check", other)
    other.write_text("schema = 2", "utf-8")
    assert {each["code"] for each in author("rules", "check", other, "--json").data["problems"]} == {"E-SCHEMA"}
