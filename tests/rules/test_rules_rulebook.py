"""Reading rule packs: what is wrong with one is said with its place, and sets aside that pack alone."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from ethos.core.model.records import Claim, Origin
from ethos.edge.rulebook import Rulebook, load, loading, shipped_rules
from tests.support import proven
from tests.support.packs import write

GOOD = r"""
schema  = 1
pack    = "mine"
version = "1.2.0"

[define]
OBJ = '[^,.!?\n]{2,60}'

[[rule]]
id         = "garden.darns"
kind       = "fact"
summary    = "what the speaker darns"
version    = 3
status     = "stable"
priority   = 40
patterns   = ['''\b(?P<subject>i|we) darn (?P<object>${OBJ})''']
emit       = { subject = "{subject|speaker}", predicate = "darns", object = "{object}" }
cardinality = "multi"
confidence = 0.8

  [[rule.unless]]
  pattern = '''\bdarn (?:old|tired)\b'''
  reason  = "figure of speech"

  [[rule.example]]
  text = "I darn socks"
  want = [{ subject = "speaker", predicate = "darns", object = "socks", confidence = 0.8 }]
  [[rule.example]]
  text = "Maybe we darn socks"
  want = [{ subject = "team", confidence = 0.48 }]
  mark = "we darn socks"
  [[rule.example]]
  text = "I darn tired of socks"
  want = []
  [[rule.example]]
  text = "Do I darn socks?"
  want = []
"""


@pytest.fixture(scope="module")
def proved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache, so that the shipped packs are proved once for all these tests."""
    return tmp_path_factory.mktemp("proved")


def claims(book: Rulebook, text: str) -> tuple[Claim, ...]:
    return book.rules.claims(text, role="user", speaker="Ada", origin=Origin.USER)


def test_e42_a_pack_of_ones_own_is_loaded_beside_the_shipped_ones(tmp_path: Path, proved: Path) -> None:
    """Rules are data: a file is enough, and the claim names the rule, its version and its pack's."""
    book = load([shipped_rules(), write(tmp_path, GOOD)], cache=proved)
    (claim,) = claims(book, "We darn purple mittens.")
    assert (claim.subject, claim.object, claim.rule, claim.rule_version, claim.pack_version) == (
        "team",
        "purple mittens",
        "mine/garden.darns",
        3,
        "1.2.0",
    )
    assert book.problems == ()
    assert [(pack.name, pack.rules) for pack in book.packs if pack.name == "mine"] == [("mine", 1)]
    assert claims(book, "We decided to use Consul")


@pytest.mark.parametrize(
    ("old", "new", "code", "said"),
    [
        ("schema  = 1", "schema  = 2", "E-SCHEMA", "schema 2"),
        ("schema  = 1", "schema  = 1 2", "E-TOML", ""),
        ("priority   = 40", "prioriti   = 40", "E-UNKNOWN-KEY", "did you mean 'priority'"),
        ("confidence = 0.8\n", "confidence = 1.8\n", "E-SCHEMA", "between 0 and 1"),
        ('kind       = "fact"', 'kind       = "facts"', "E-SCHEMA", "did you mean 'fact'"),
        ('kind       = "fact"', "", "E-SCHEMA", "'kind' is missing"),
        ("{2,60}", "+", "E-SUBSET", "without an upper bound"),
        ("darn (?P<object>${OBJ})'", "darn (?P<object>${OBIJ})'", "E-REGEX", "did you mean '${OBJ}'"),
        ("i|we) darn", "I|we) darn", "E-CASE", "write 'i'"),
        ('object = "{object}" }', 'object = "{thing}" }', "E-GROUP", "{thing}"),
        ("cardinality = ", 'keywords = ["sock"]\ncardinality = ', "E-KEYWORDS", "without any keyword"),
        ("\\b(?P<subject>i|we) darn ", "", "E-ALWAYS-RUN", "nothing fixed"),
        ('text = "I darn socks"', 'text = "I eat socks"', "E-EXAMPLE", "I eat socks"),
        ('status     = "stable"', 'status     = "stabel"', "E-SCHEMA", "did you mean 'stable'"),
        ('id         = "garden.darns"', 'id         = "Garden!"', "E-SCHEMA", "small letters"),
        ("(?:old|tired)", "(?:old|tired", "E-REGEX", "never closed"),
        ('mark = "we darn socks"', 'mark = "socks"', "E-EXAMPLE", "wanted the span"),
        ('  [[rule.example]]\n  text = "Do I darn socks?"\n  want = []\n', "", "E-EXAMPLE", "two examples and two counter-examples"),
    ],
)
def test_a_mistake_is_named_with_its_place_and_sets_the_pack_aside(
    tmp_path: Path, proved: Path, old: str, new: str, code: str, said: str
) -> None:
    """Each kind of mistake has a stable code and says where it stands; the other packs load."""
    assert old in GOOD
    path = write(tmp_path, GOOD.replace(old, new, 1))
    book = load([shipped_rules(), path], cache=proved)
    problem = next(problem for problem in book.problems if problem.code == code)
    assert problem.path == str(path)
    assert said in str(problem)
    assert problem.line > 0
    assert "mine" not in {pack.name for pack in book.packs}
    assert claims(book, "We darn socks") == ()
    assert claims(book, "We decided to use Consul")


def test_a_problem_prints_the_line_with_a_caret_under_the_spot(tmp_path: Path) -> None:
    """As in RULES: file, line, column, code, the line, a caret, and what to do."""
    path = write(tmp_path, GOOD.replace("(?P<subject>i|we) darn ", "(?P<subject>i|we) darn .* ", 1))
    (problem,) = load([path]).problems
    shown = str(problem).splitlines()
    assert shown[0] == f"{path}:{problem.line}:{problem.column}  E-SUBSET  rule mine/garden.darns"
    assert shown[1].endswith(path.read_text(encoding="utf-8").splitlines()[problem.line - 1])
    assert shown[1][shown[2].index("^")] == "*"
    assert shown[2].endswith("^ a repeat without an upper bound")
    assert shown[-1].startswith("help: give it one")


def test_two_rules_never_share_an_id(tmp_path: Path) -> None:
    """A second rule of the same name is a mistake, not a merge; so is a second pack."""
    rule = GOOD[GOOD.index("[[rule]]") :]
    assert "E-DUP-ID" in {problem.code for problem in load([write(tmp_path, GOOD + rule)]).problems}
    write(tmp_path, GOOD)
    write(tmp_path, GOOD, "other.toml")
    book = load([tmp_path])
    assert [problem.code for problem in book.problems] == ["E-DUP-ID"]
    assert len(book.packs) == 1


def test_a_file_that_others_can_write_is_refused(tmp_path: Path) -> None:
    """Rules decide what is remembered: nobody else may be able to change them."""
    path = write(tmp_path, GOOD)
    path.chmod(0o666)
    (problem,) = load([path]).problems
    assert problem.code == "E-FILE"
    assert "chmod o-w" in problem.hint


def test_what_cannot_be_read_is_a_problem_and_not_a_crash(tmp_path: Path) -> None:
    """A missing file, bytes that are no text, a device, a file too large."""
    garbage = tmp_path / "garbage.toml"
    garbage.write_bytes(b"\xff\xfe\x00")
    large = tmp_path / "large.toml"
    large.write_bytes(b"#" * 1_100_000)
    book = load([tmp_path / "missing.toml", garbage, large, Path(os.devnull)])
    assert [problem.code for problem in book.problems] == ["E-FILE", "E-TOML", "E-LIMIT", "E-FILE"]
    assert book.packs == ()


def test_what_was_proved_once_is_not_proved_again(tmp_path: Path) -> None:
    """The cache holds what was found out about a pack by its content: a second load gives the same rules and runs no example."""
    pack = write(tmp_path, GOOD)
    cache = tmp_path / "cache"
    first = load([shipped_rules(), pack], cache=cache)
    held = {path.name for path in cache.iterdir()}
    again = load([shipped_rules(), pack], cache=cache)
    assert (again.rules.hash, again.rules.literals) == (first.rules.hash, first.rules.literals)
    assert claims(again, "We darn socks") == claims(first, "We darn socks")
    assert {path.name for path in cache.iterdir()} == held
    for path in cache.iterdir():
        path.write_text("not what was written", encoding="utf-8")
    assert load([shipped_rules(), pack], cache=cache).rules.literals == first.rules.literals


def test_shipped_packs_are_proved_where_that_is_not_done_and_old_proofs_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a build does: a second one finds all of it done, and what was found out about earlier versions of them is removed."""
    shipped = shutil.copytree(shipped_rules(), tmp_path / "shipped")
    proofs = shipped / loading.PROVED
    proven.seed(tmp_path)
    shutil.copytree(tmp_path / "rules", proofs, dirs_exist_ok=True)
    (proofs / "proved-before").write_bytes(b"{}")
    monkeypatch.setattr(loading, "shipped_rules", lambda: shipped)
    done = []
    for _ in range(2):
        loading.prove_shipped_packs()
        done.append({path.name: path.stat().st_mtime_ns for path in proofs.glob("proved-*")})
    assert done[0] == done[1]
    assert len(done[0]) == len(load([shipped], languages=("*",)).packs)


def test_a_pack_with_a_mistake_is_never_remembered_as_proved(tmp_path: Path) -> None:
    """Loading it twice finds the mistake twice."""
    pack = write(tmp_path, GOOD.replace('text = "I darn socks"', 'text = "I eat socks"'))
    cache = tmp_path / "cache"
    assert [p.code for p in load([pack], cache=cache).problems] == [p.code for p in load([pack], cache=cache).problems] == ["E-EXAMPLE"]


def test_a_known_miss_is_reported_and_does_not_fail(tmp_path: Path) -> None:
    """`todo = true` marks what a rule should find one day."""
    known_miss = '\n  [[rule.example]]\n  text = "socks, I darn"\n  want = [{ object = "socks" }]\n  todo = true\n'
    book = load([write(tmp_path, GOOD + known_miss)])
    assert [problem.code for problem in book.problems] == ["W-TODO"]
    assert len(book.packs) == 1


def test_a_pack_may_switch_off_and_reweigh_the_rules_before_it(tmp_path: Path, proved: Path) -> None:
    """Disabling is exact, and an override of the confidence changes the confidence alone (property 14)."""
    changes = """
schema = 1
pack = "zz-local"
extends = ["core-en", "mine"]

[disable]
rules = ["core-en/decision.lets-use", "core-en/fallback"]

[[override]]
id = "mine/garden.darns"
confidence = 0.95
"""
    write(tmp_path, GOOD)
    plain = load([shipped_rules(), tmp_path], cache=proved)
    write(tmp_path, changes, "zz.toml")
    book = load([shipped_rules(), tmp_path], cache=proved)
    assert book.problems == ()
    assert book.rules.hash != plain.rules.hash
    assert claims(plain, "Let's go with Consul")
    assert claims(book, "Let's go with Consul") == ()
    assert [claim.confidence for claim in claims(book, "I darn socks")] == [0.95]
    assert claims(book, "We decided to use Consul") == claims(plain, "We decided to use Consul")
    assert book.rules.fallback("importance") is None


def test_the_hash_follows_everything_that_can_change_what_is_read(tmp_path: Path) -> None:
    """Episodes are read again under another hash, so another byte in a pack must change it (X-E8)."""
    one = load([write(tmp_path, GOOD)]).rules.hash
    assert load([tmp_path / "mine.toml"]).rules.hash == one
    two = load(
        [write(tmp_path, GOOD.replace("0.8\n", "0.7\n").replace("confidence = 0.8 }", "confidence = 0.7 }").replace("0.48", "0.42"))]
    )
    assert two.problems == ()
    assert two.rules.hash != one


def test_slots_with_a_capital_are_names(tmp_path: Path) -> None:
    """`proper` slots must be capitalised as written; the search goes on behind a word that is not."""
    text = GOOD.replace("(?P<subject>i|we) darn ", r"(?P<subject>[\w]{2,20}) darns ").replace(
        "cardinality", 'proper = ["subject"]\ncardinality'
    )
    text = text[: text.index("  [[rule.example]]")].replace('"stable"', '"experimental"')
    book = load([write(tmp_path, text)])
    assert book.problems == ()
    assert [(c.subject, c.object) for c in claims(book, "the garden darns weeds and Ada darns socks")] == [("Ada", "socks")]
