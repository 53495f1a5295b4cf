"""`ethos rules coverage` tells what both readers make, and `ethos rules words` which patterns look for a word."""

from __future__ import annotations

from pathlib import Path

from ethos.edge.cli.workbench.corpus import corpus_report
from ethos.edge.rulebook import shipped_rules
from ethos.testing import rule_sets
from tests.support.commands import Commands, commands
from tests.support.proven import PROOFS

__all__ = ["commands"]

TURNS = (  # each is read by both readers but the last, which only a pattern reads: counted by hand
    "I adopted a cat.",
    "I love mending old clocks.",
    "Prod runs on Fedora.",
    "I work at Acme.",
    "My sister lives in Oslo.",
    "I bought a lamp for my sister.",
    "I went to Lisbon in May.",
    "I hate olives.",
    "The upload limit is 25 MB.",
    "We decided to use Postgres 17 for billing.",
)


def test_agreement_is_counted_for_the_rules_of_both_readers(tmp_path: Path) -> None:
    """Also where the claim of the clause does not stand in the end, because the pattern's takes its place."""
    file = tmp_path / "talk.txt"
    file.write_text("\n".join(TURNS), "utf-8")
    tallies = {each.rule: each for each in corpus_report(rule_sets(shipped_rules(), cache=PROOFS, clauses=True), file).tallies}
    patterns = {rule: each for rule, each in tallies.items() if not rule.startswith("clauses-en")}
    assert sum(each.agreed for each in patterns.values()) == len(TURNS) - 1
    assert all(each.agreed == each.claims for each in patterns.values() if each.rule != "core-en/decision.decided-to-use")
    assert (tallies["core-en/decision.decided-to-use"].claims, tallies["core-en/decision.decided-to-use"].agreed) == (1, 0)
    assert (tallies["clauses-en/does"].claims, tallies["clauses-en/does"].agreed) == (0, 3)


def test_words_names_the_patterns_that_look_for_it(commands: Commands) -> None:
    """Beside the clause rules that its verb opens."""
    data = commands("rules", "words", "adopted", "--json").data
    assert "people-en/fact.milestone" in data["patterns"]
    assert "clauses-en/did" in data["rules"]
    assert "patterns look for it: " in commands("rules", "words", "adopted").out
    assert commands("rules", "words", "zyzzyva", "--json").data["patterns"] == []
