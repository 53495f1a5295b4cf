"""What an answer has to tell, and the newcomer who found it missing: what a command led to, and what it is about."""

from __future__ import annotations

from tests.support.commands import Commands, commands, spoken

__all__ = ["commands"]


def known(of: Commands, *words: str) -> None:
    """Capture these turns, a day apart, and learn from them."""
    of.write("talk.jsonl", "".join(spoken(f"t{day}", each, day=day) for day, each in enumerate(words, 1)))
    of("capture", "talk.jsonl")
    of("consolidate")


def the(of: Commands, words: str) -> str:
    """The id of the fact that is held and says these words."""
    return str(next(fact["id"] for fact in of("facts", "--json").data["facts"] if words in fact["statement"]))


def test_a_correction_says_that_it_opened_a_question(commands: Commands) -> None:
    """In words with the question's id and where to answer; in JSON with both statements."""
    known(commands, "We use Redis for caching.", "My dog is called Pebble.")
    told = commands("correct", the(commands, "Redis"), "My dog is called Biscuit.").out
    (asked,) = commands("inbox", "--json").data["questions"]
    line = f'a question is open: {asked["id"]}: "Ada\'s dog is called Pebble" or "Ada\'s dog is called Biscuit" -> ethos inbox'
    assert line in told.splitlines()


def test_a_correction_says_what_else_it_ends(commands: Commands) -> None:
    """A word of change ends another fact, too."""
    known(commands, "We use Redis for caching.", "I live in Berlin.")
    berlin = the(commands, "Berlin")
    done = commands("correct", the(commands, "Redis"), "I live in Lisbon now.", "--json").data
    assert ([each["id"] for each in done["ended"]], done["questions"]) == ([berlin], [])
    rust = commands("correct", the(commands, "Lisbon"), "I live in Porto now.").out
    assert "these words end" not in rust


def test_a_capture_of_an_export_names_the_import(commands: Commands) -> None:
    """As a file, with the format named, and from standard input; nothing of it is captured, and nothing else is said of its lines."""
    known(commands, "We use Redis for caching.")
    commands("export", "memory.jsonl")
    lines = (commands.home / "memory.jsonl").read_bytes()
    for words, file in (
        (("memory.jsonl",), commands.home / "memory.jsonl"),
        (("memory.jsonl", "--format", "jsonl"), commands.home / "memory.jsonl"),
        (("-",), "FILE"),
    ):
        done = commands("capture", *words, "--json", stdin=lines if words == ("-",) else b"")
        (problem,) = done.data["problems"]
        assert (problem["message"], problem["hint"]) == ("this is an export of Ethos, not a transcript", f"ethos import {file}"), words
        assert (done.code, done.data["added"], done.data["known"], done.data["notes"]) == (1, 0, 0, {})


QUOTED = "I quoted 18 hours for the fence."


def test_a_weak_claim_is_told_as_weak(commands: Commands) -> None:
    """Of a text before it is captured, and of the turn afterwards; what is held is not."""
    explained = commands("rules", "explain", QUOTED).out
    assert "weak: kept, and not held until 2 turns say it" in explained
    (claim,) = commands("rules", "explain", QUOTED, "--json").data["claims"]
    assert (claim["grade"], claim["needed"]) == ("weak", 2)
    known(commands, QUOTED, "We use Redis for caching.")
    told = commands("why", "t1").out
    assert "what was found in it is weak" in told
    assert "weak: kept, and not held until 2 turns say it; 1 did" in told
    (weak,) = commands("why", "t1", "--json").data["weak"]
    assert (weak["said"], weak["needed"], QUOTED[weak["start"] : weak["end"]]) == (1, 2, QUOTED.rstrip("."))
    assert "weak:" not in commands("why", "t2").out
    held = commands("rules", "explain", "We use Redis for caching.", "--json").data["claims"]
    assert [(each["grade"], each["needed"]) for each in held] == [("held", 1)]


def test_a_weak_claim_that_was_said_again_is_weak_no_more(commands: Commands) -> None:
    """Two turns of two days hold it, and neither is told as weak."""
    known(commands, QUOTED, "As I said before: I quoted 18 hours for the fence.")
    assert the(commands, "18 hours for the fence")
    assert not any(commands("why", turn, "--json").data["weak"] for turn in ("t1", "t2"))


PACK = """schema = 1
pack = "mine"
version = "0.1.0"

[[rule]]
id = "garden.does"
kind = "fact"
summary = "what the speaker does"
patterns = ['''\\b(?P<subject>i|we) VERB (?P<object>[^,.!?\\n]{2,60})''']
emit = { subject = "{subject}", predicate = "VERBs", object = "{object}" }
confidence = 0.80
example = [{ text = "I VERB quails.", want = [{ subject = "speaker", predicate = "VERBs", object = "quails" }] }]
"""


def test_the_recipe_of_a_first_rule_works_with_another_verb(commands: Commands) -> None:
    """A verb that the lists have is told as one; of one that is known as a noun alone the check shows the sentence."""
    commands.write("mine.toml", PACK.replace("VERB", "breed"))
    assert "0 errors, 0 warnings" in commands("rules", "check", "mine.toml").out
    (claim,) = commands("rules", "explain", "--rules", "mine.toml", "--speaker", "Ada", "I breed quails.", "--json").data["claims"]
    assert (claim["rule"], claim["statement"]) == ("mine/garden.does", "Ada breeds quails")
    commands.write("mine.toml", PACK.replace("VERB", "hawk"))
    checked = commands("rules", "check", "mine.toml")
    assert checked.code == 0
    assert "W-NOUN" in checked.out
    assert '"Ada\'s hawks are ..."' in checked.out
