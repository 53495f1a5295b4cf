"""Trust in rules: answers about a rule's claims decide how far its next ones are trusted; a rejection becomes a counter-example."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from ethos.core.model.errors import Refused
from ethos.core.model.records import Question
from ethos.core.model.rule_trust import RuleTrust, turned_down
from ethos.edge.cli.replay import changed_paths
from tests.support.commands import Commands, commands, spoken
from tests.support.telling import NOON

__all__ = ["commands"]

RULE = "core-en/preference.name-prefers"
QUARREL = spoken("q1", "Michael prefers Rust.") + spoken("q2", "Well, Michael prefers Python. Nice.", day=2, session="s2")


@pytest.fixture
def torn(commands: Commands) -> Commands:
    """Somebody with an open question, in a memory of its own."""
    commands.write("config.toml", '[ethos]\ndatabase = "e.db"\nstate = "state"\n')
    return hear(commands, "quarrel", QUARREL)


def hear(of: Commands, name: str, talk: str) -> Commands:
    """Capture and read."""
    of.write(f"{name}.jsonl", talk)
    assert of("capture", f"{name}.jsonl", "-q").code == 0
    assert of("consolidate", "-q").code == 0
    return of


def question(of: Commands) -> str:
    """The id of the only question."""
    (found,) = of("inbox", "--resolved", "--json").data["questions"]
    return str(found["id"])


def sure_of(of: Commands, subject: str) -> float:
    """The confidence of what is held of somebody."""
    (found,) = of("facts", "--subject", subject, "--json").data["facts"]
    return float(found["confidence"])


def trust_of(of: Commands) -> object:
    """What `coverage` tells of the rule."""
    talk = of.write("talk.txt", "Nobody said anything.\n")
    rules = of("rules", "coverage", talk, "--json").data["rules"]
    return next(each["standing"] for each in rules if each["rule"] == RULE)


def test_trust_begins_at_one_and_never_rises_above() -> None:
    """Nobody answered: nothing changes. Rejections weigh it down, acceptance makes up for them."""
    assert RuleTrust().weight == 1.0
    assert RuleTrust(accepted=50).weight == 1.0
    assert RuleTrust(rejected=1).weight == pytest.approx(10 / 11, abs=1e-4)
    assert RuleTrust(rejected=10).weight == 0.5
    assert RuleTrust(rejected=1).weight < RuleTrust(accepted=5, rejected=1).weight < 1.0
    weights = [RuleTrust(rejected=number).weight for number in range(100)]
    assert weights == sorted(weights, reverse=True)
    assert weights[-1] > 0


def test_what_was_turned_down_is_the_side_that_lost() -> None:
    """And nothing in a question that is open, or in which both stand."""
    asked = Question("c-1", "default", "p", "old", "new", NOON, "r")
    lost = {"keep-old": "new", "keep-new": "old", "reject": "new"}
    for action, side in lost.items():
        assert turned_down(Question("c-1", "default", "p", "old", "new", NOON, "r", action=action)) == side  # type: ignore[arg-type]
    with pytest.raises(Refused, match="was not answered"):
        turned_down(asked)
    with pytest.raises(Refused, match="nothing was turned down"):
        turned_down(Question("c-1", "default", "p", "old", "new", NOON, "r", action="keep-both"))


def test_answers_weigh_what_a_rule_claims_next(torn: Commands) -> None:
    """A rejection lowers the next claim when it is resolved, and `why` shows the arithmetic; what is extracted stays as it is."""
    assert trust_of(torn) is None
    torn("answer", question(torn), "keep-old")
    assert trust_of(torn) == {"accepted": 0, "rejected": 1, "weight": 0.9091}
    torn.write("bob.jsonl", spoken("b1", "Bob prefers tea.", day=3))
    torn("capture", "bob.jsonl", "-q")
    dry = torn("consolidate", "--dry-run", "--json").data
    torn("consolidate", "-q")
    assert sure_of(torn, "Bob") == pytest.approx(0.8 * 0.9091)
    assert "0.72728" in json.dumps(dry)
    (fact,) = torn("facts", "--subject", "Bob", "--json").data["facts"]
    told = torn("why", fact["id"]).out
    assert "0.80 x 0.91 (standing) = 0.73" in told
    assert f"standing of {RULE}: 0 accepted, 1 rejected" in told
    line = json.dumps({"id": "1", "role": "user", "text": "Bob prefers tea."})
    assert json.loads(torn("extract", stdin=line.encode()).out)["facts"][0]["confidence"] == 0.8


def test_acceptance_makes_up_for_rejection(torn: Commands) -> None:
    """keep-new and keep-both say that the new claim was read right."""
    torn("answer", question(torn), "keep-both")
    assert trust_of(torn) == {"accepted": 1, "rejected": 0, "weight": 1.0}
    hear(torn, "bob", spoken("b1", "Bob prefers tea.", day=3))
    assert sure_of(torn, "Bob") == 0.8


def test_promote_makes_a_counter_example_of_a_shipped_rule(torn: Commands) -> None:
    """An override in rules.d, in force at once: the rule is silent on these words, still reads others, and is trusted less."""
    asked = question(torn)
    torn("answer", asked, "keep-old")
    done = torn("rules", "promote", "--misread", asked, "--json")
    assert (done.code, done.data["rule"], done.data["applied"], done.data["added"]) == (0, RULE, True, True)
    assert done.data["standing"] == {"accepted": 0, "rejected": 2, "weight": 0.8333}
    pack = torn.home / "rules.d" / "local.toml"
    (override,) = tomllib.loads(pack.read_text("utf-8"))["override"]
    assert override["id"] == RULE
    assert [each["text"] for each in override["example"]["add"]] == ["Well, Michael prefers Python"]
    assert torn("rules", "check").code == 0
    (candidate,) = (
        each for each in torn("rules", "explain", "Michael prefers Python.", "--json").data["candidates"] if each["rule"] == RULE
    )
    assert (candidate["outcome"], candidate["because"]) == ("unless", "rejected in the inbox")
    assert len(torn("rules", "explain", "Michael prefers Ruby.", "--json").data["claims"]) == 1
    before = pack.read_text("utf-8")
    again = torn("rules", "promote", "--misread", asked, "--json")
    assert (again.data["applied"], again.data["added"], again.data["standing"]["rejected"]) == (False, False, 2)
    assert pack.read_text("utf-8") == before


def test_rules_of_several_packs_are_corrected_in_one_file(torn: Commands) -> None:
    """The file that was made for the first rule names the pack of the next one, too, before which it must not be loaded."""
    first = question(torn)
    torn("answer", first, "keep-old")
    torn("rules", "promote", "--misread", first)
    hear(torn, "editors", spoken("p1", "I prefer Vim.", day=3) + spoken("p2", "I prefer Emacs.", day=4, session="s4"))
    (second,) = (each["id"] for each in torn("inbox", "--json").data["questions"])
    torn("answer", second, "keep-old")
    assert torn("rules", "promote", "--misread", second).code == 0
    learned = (torn.home / "rules.d" / "local.toml").read_text("utf-8")
    assert tomllib.loads(learned)["extends"] == ["core-en", "tastes-en"]
    assert learned.count("\n\n[[override]]\n") == 2
    assert torn("rules", "check").code == 0


def test_promoting_can_be_taken_back(torn: Commands) -> None:
    """Undone, the rule is trusted as before; undoing that lowers it again. The words in the file are a person's to remove."""
    asked = question(torn)
    torn("answer", asked, "keep-old")
    torn("rules", "promote", "--misread", asked, "-q")
    assert trust_of(torn) == {"accepted": 0, "rejected": 2, "weight": 0.8333}
    run = torn("status", "--json").data["runs"][0]
    assert run["name"] == "promote"
    assert torn("undo", run["id"]).code == 0
    assert trust_of(torn) == {"accepted": 0, "rejected": 1, "weight": 0.9091}
    assert torn("undo", torn("status", "--json").data["runs"][0]["id"]).code == 0
    assert trust_of(torn) == {"accepted": 0, "rejected": 2, "weight": 0.8333}


def test_forgetting_leaves_the_trust_in_a_rule(torn: Commands) -> None:
    """What was answered weighs as before, with no word of what it was about; forgetting the same again changes nothing."""
    torn("answer", question(torn), "keep-old")
    torn("rules", "promote", "--misread", question(torn), "-q")
    before = trust_of(torn)
    assert torn("forget", "--matching", "Michael", "--yes").code == 0
    assert torn("inbox", "--resolved", "--json").data["questions"] == []
    assert trust_of(torn) == before == {"accepted": 0, "rejected": 2, "weight": 0.8333}
    assert torn("forget", "--matching", "Michael", "--yes").code == 0
    assert trust_of(torn) == before


def test_forgetting_what_was_misread_lowers_its_rule(torn: Commands) -> None:
    """Only where a person says so, of a fact by its id: the text goes, and the rule is trusted less; that may be undone."""
    assert torn("forget", "--matching", "Python", "--misread", "--yes").code == 2
    (fact,) = (each for each in torn("facts", "--json").data["facts"] if each["object"] == "Python")
    assert torn("forget", fact["id"], "--misread", "--yes").code == 0
    assert trust_of(torn) == {"accepted": 0, "rejected": 2, "weight": 0.8333}
    weighed = next(run for run in torn("status", "--json").data["runs"] if run["name"] == "standing")
    assert (weighed["reason"], weighed["counts"]) == (RULE, {"rejected": 2})
    assert torn("undo", weighed["id"]).code == 0
    assert trust_of(torn) is None
    assert torn("doctor", "--json").data["checks"]


MINE = r"""# mine
schema  = 1
pack    = "mine"
version = "0.1.0"

[[rule]]
id         = "grows"   # what grows
kind       = "fact"
cardinality = "single"
summary    = "what the speaker grows"
patterns   = ['''\b(?P<subject>i|we) grow (?P<object>[^,.!?\n]{2,60})''']
emit       = { subject = "{subject}", predicate = "grows", object = "{object}" }
confidence = 0.80
  [[rule.example]]
  text = "I grow leeks."
  want = [{ object = "leeks" }]
"""


def test_promote_writes_into_a_rule_of_ones_own(commands: Commands) -> None:
    """Where it stands, with everything else in the file as it was; a second one stands beside the first."""
    pack = commands.write("mine.toml", MINE)
    commands.write("config.toml", '[ethos]\ndatabase = "e.db"\nstate = "state"\n[rules]\npacks = ["mine.toml"]\n')
    talk = spoken("g1", "I grow leeks.") + spoken("g2", "Honestly, I grow (old) C++ weeds.", day=2) + spoken("g3", "I grow tired.", day=3)
    hear(commands, "garden", talk)
    asked = [each["id"] for each in commands("inbox", "--json").data["questions"]]
    assert len(asked) == 2
    for each in asked:
        commands("answer", each, "keep-old")
        assert commands("rules", "promote", "--misread", each).code == 0
    text = pack.read_text("utf-8")
    assert text.startswith(MINE.rstrip("\n"))
    (rule,) = tomllib.loads(text)["rule"]
    assert sorted(each["text"] for each in rule["example"]) == ["Honestly, I grow (old) C++ weeds", "I grow leeks.", "I grow tired"]
    assert len(rule["unless"]) == 2
    assert commands("rules", "check").code == 0
    assert not (commands.home / "rules.d").exists()


def test_promote_refuses_what_was_not_turned_down_and_leaves_files_alone(torn: Commands) -> None:
    """An open question, an unknown one; a pack that is broken stays as it is."""
    assert "was not answered" in torn("rules", "promote", "--misread", question(torn)).err
    assert "no question" in torn("rules", "promote", "--misread", "c-0000000000").err
    torn("answer", question(torn), "keep-old")
    broken = torn.write("broken.toml", 'schema = 1\npack = "broken"\ncolour = 2\n')
    done = torn("rules", "promote", "--misread", question(torn), "--pack", broken)
    assert done.code == 1
    assert "does not fit" in done.err
    assert broken.read_text("utf-8") == 'schema = 1\npack = "broken"\ncolour = 2\n'
    assert [path.name for path in torn.home.glob("*.draft")] == []
    assert trust_of(torn) == {"accepted": 0, "rejected": 1, "weight": 0.9091}


def test_a_pack_that_is_not_in_use_is_told(torn: Commands) -> None:
    """It is written all the same, and the line for config.toml is shown."""
    torn("answer", question(torn), "keep-old")
    done = torn("rules", "promote", "--misread", question(torn), "--pack", "extra.toml")
    assert f'[rules] packs = ["{torn.home}/extra.toml"]' in done.out
    assert Path(torn.home / "extra.toml").exists()


OTHER = r"""
schema  = 1
pack    = "other"
version = "0.1.0"
extends = ["core-en"]

[disable]
rules = ["core-en/decision.decided-to-use", "people-en/decision.i-decided-to"]

[[override]]
id = "core-en/preference.name-prefers"
confidence = 0.5

[[rule]]
id         = "nice"
kind       = "fact"
summary    = "what the speaker calls nice"
patterns   = ['''\b(?P<object>[a-z]{3,20}) is nice''']
emit       = { subject = "speaker", predicate = "likes", object = "{object}" }
confidence = 0.7
example    = [{ text = "Tea is nice.", want = [{ object = "Tea" }] }]
"""


def test_replay_shows_what_other_rules_would_change_and_changes_nothing(torn: Commands) -> None:
    """Facts gained, lost and changed, over all captured episodes; the memory and its folder stay as they were."""
    hear(torn, "more", spoken("m1", "We decided to use Postgres.", day=3) + spoken("m2", "Tea is nice.", day=4))
    (torn.home / "new").mkdir()
    torn.write("new/other.toml", OTHER)
    before = torn("facts", "--history", "--json").data
    files = {path.name for path in (torn.home / "state").iterdir()}
    done = torn("rules", "replay", "--rules", "new", "--json")
    assert done.data["episodes"] == 4
    assert [fact["statement"] for fact in done.data["gained"]] == ["Ada likes Tea"]
    assert [fact["statement"] for fact in done.data["lost"]] == ["team uses Postgres"]
    assert {(each["before"]["confidence"], each["after"]["confidence"]) for each in done.data["changed"]} == {(0.8, 0.5)}
    assert len(done.data["changed"]) == 2
    told = torn("rules", "replay", "--rules", "new").out
    assert told.startswith("4 episodes, read twice: 1 gained, 1 lost, 2 changed\n+ ")
    assert torn("facts", "--history", "--json").data == before
    assert {path.name for path in (torn.home / "state").iterdir()} - files <= {"replay.lock"}
    assert torn("rules", "replay", "--rules", "none").code == 1
    torn.write("new/other.toml", "schema = 2")
    assert "E-SCHEMA" in torn("rules", "replay", "--rules", "new").err


def test_a_changed_copy_of_a_pack_stands_in_its_place(tmp_path: Path) -> None:
    """Files of the changed set take the places of the packs of their names; the others come behind those in force."""
    held, new = tmp_path / "held", tmp_path / "new"
    names = {held / "a.toml": "a", held / "b.toml": "b", new / "other.toml": "a", new / "z.toml": "z"}
    for path in names:
        path.parent.mkdir(exist_ok=True)
        path.write_text("", "utf-8")
    assert changed_paths((held,), new, names) == (new / "other.toml", held / "b.toml", new / "z.toml")
    assert changed_paths((held,), held / "b.toml", names) == (held / "a.toml", held / "b.toml")


def test_fault_newcomer_a_true_change_does_not_lower_the_trust_of_a_rule(torn: Commands) -> None:
    """Who answered keep-new because things changed is asked, and where it was only outdated nothing is done; only a misreading counts."""
    asked = question(torn)
    torn("answer", asked, "keep-new")
    before = torn("rules", "coverage", str(torn.write("turns.txt", "We use uv.\n")), "--json").data
    unsaid = torn("rules", "promote", asked)
    assert unsaid.code == 3
    assert "--misread" in unsaid.err
    assert "--outdated" in unsaid.err
    done = torn("rules", "promote", asked, "--outdated", "--json")
    assert (done.code, done.data["applied"]) == (0, False)
    assert torn("rules", "coverage", str(torn.home / "turns.txt"), "--json").data == before
    assert not list(torn.home.rglob("local.toml"))
    assert torn("rules", "promote", asked, "--misread", "--json").data["applied"] is True
    assert torn("rules", "coverage", str(torn.home / "turns.txt"), "--json").data != before
