"""Fragments: texts and lists with a name that nest, cross packs, and guard rules."""

from __future__ import annotations

from pathlib import Path

from ethos.core.model.records import Origin
from ethos.edge.rulebook import Rulebook, load, shipped_rules
from ethos.edge.rulebook.fragments import alternation
from ethos.edge.rulebook.source import SHARED
from tests.support.packs import write

WORDS = r"""
schema = 1
shared = "garden"

[lists]
sowing = "sow plant broad_cast"

[define]
THING = '[^,.!?\n]{2,60}'
SOWN  = '${sowing} (?P<object>${THING})'

[guard.saying]
pattern = '\bsow the wind\b'
reason  = "a saying"
"""

PACK = r"""
schema = 1
pack   = "mine"
uses   = ["garden"]

[define]
WHO = '(?P<subject>i|we)'

[[rule]]
id         = "garden.sows"
kind       = "fact"
summary    = "what the speaker sows"
patterns   = ['''
  \b${WHO}
  (?: always)? ${SOWN}
''']
emit       = { subject = "{subject}", predicate = "sows", object = "{object}" }
confidence = 0.8
guards     = ["saying"]
example    = [
  { text = "We always sow Leeks.", want = [{ subject = "team", object = "Leeks" }] },
  { text = "I sow the wind.", want = [] },
]
"""


def shared(folder: Path, text: str = WORDS, name: str = "garden.toml") -> Path:
    """A shared file beside the packs of a folder."""
    (folder / SHARED).mkdir(exist_ok=True)
    return write(folder / SHARED, text, name)


def objects(book: Rulebook, text: str) -> list[str]:
    return [claim.object for claim in book.rules.claims(text, role="user", speaker="Ada", origin=Origin.USER)]


def test_h6_fragments_nest_and_cross_packs(tmp_path: Path) -> None:
    """A fragment uses a list and another fragment of a shared file; line breaks and indents of a pattern are no part of it."""
    shared(tmp_path)
    book = load([write(tmp_path, PACK)])
    assert book.problems == ()
    assert objects(book, "I plant Peas") == ["Peas"]
    assert objects(book, "We always broad cast Rye") == ["Rye"]
    assert objects(book, "I sow the wind") == []


def test_h6_a_list_is_an_alternation_of_its_words_longest_first() -> None:
    """So that "moved out" is tried before "moved"; the same list is the same pattern however it is written."""
    assert alternation("moved moved_out\n  go") == "(?:moved out|moved|go)" == alternation("go moved_out moved go")


def test_h6_the_rules_change_with_a_shared_file(tmp_path: Path) -> None:
    """Episodes are read again, and nothing is taken from the cache, when a word is added to a list that a pack uses."""
    cache = tmp_path / "cache"
    shared(tmp_path)
    path = write(tmp_path, PACK)
    one = load([path], cache=cache)
    shared(tmp_path, WORDS.replace('"sow ', '"sow tend '))
    two = load([path], cache=cache)
    assert objects(one, "I tend Peas") == []
    assert objects(two, "I tend Peas") == ["Peas"]
    assert one.rules.hash != two.rules.hash


def test_h6_a_mistake_in_a_shared_file_is_shown_there(tmp_path: Path) -> None:
    """With its line; the pack that uses the file is set aside, also when the result comes from the cache."""
    broken = shared(tmp_path, WORDS.replace("{2,60}", "+"))
    path = write(tmp_path, PACK)
    for _ in range(2):
        book = load([path], cache=tmp_path / "cache")
        assert [(each.code, each.path, each.line) for each in book.problems] == [("E-SUBSET", str(broken), 9)]
        assert book.packs == ()


def test_h6_a_shared_file_says_its_name_and_nothing_unknown(tmp_path: Path) -> None:
    """It has the name of its file, and no rules."""
    shared(tmp_path, WORDS.replace('"garden"', '"gardens"') + "\n[[rule]]\n")
    assert [each.code for each in load([write(tmp_path, PACK)]).problems] == ["E-UNKNOWN-KEY", "E-SCHEMA"]


def test_h6_a_name_is_defined_once(tmp_path: Path) -> None:
    """A pack does not change what a shared file means by a name."""
    shared(tmp_path)
    (problem,) = load([write(tmp_path, PACK.replace("[define]", "[define]\nTHING = 'leeks'"))]).problems
    assert problem.code == "E-DUP-ID"


def test_h6_a_pack_may_use_the_shipped_files(tmp_path: Path) -> None:
    """They are found wherever the pack lies."""
    name = min((shipped_rules() / SHARED).glob("*.toml")).stem
    shared(tmp_path)
    assert load([write(tmp_path, PACK.replace('["garden"]', f'["{name}", "garden"]'))]).problems == ()


def test_h6_the_hash_is_that_of_what_the_rules_say(tmp_path: Path) -> None:
    """Comments, layout, examples and fragments are no reason to read all episodes again; a pattern is (X-E8)."""
    shared(tmp_path)
    one = load([write(tmp_path, PACK)]).rules.hash
    assert load([write(tmp_path, "# mine\n" + PACK.replace("\n  (?: always)?", "(?: always)?"))]).rules.hash == one
    assert load([write(tmp_path, PACK.replace("${WHO}", "(?P<subject>i|we)"))]).rules.hash == one
    assert load([write(tmp_path, PACK.replace(" always)", " often| always)"))]).rules.hash != one
    assert load([write(tmp_path, PACK.replace("confidence = 0.8", "confidence = 0.7"))]).rules.hash != one


def test_h6_no_line_of_the_shipped_rules_is_over_160_characters() -> None:
    """Lists of words and long patterns run over lines."""
    texts = {path: path.read_text(encoding="utf-8") for path in shipped_rules().rglob("*.toml")}
    assert len(texts) > 10
    assert [path.name for path, text in texts.items() if max(map(len, text.splitlines())) > 160] == []
