"""What a user's pack may change in the packs before it, what it asks for, and what happens when it breaks."""

from __future__ import annotations

from pathlib import Path

import regex

from ethos.core.model.records import Claim, Origin
from ethos.core.rules.rule import Rule
from ethos.edge import rulebook
from ethos.edge.rulebook import Rulebook, load, shipped_rules
from tests.support import proven

BASE = r"""
schema = 1
pack = "base"
version = "2.1.0"

[[rule]]
id = "socks.darns"
kind = "fact"
summary = "what the speaker darns"
version = 3
patterns = ['\b(?P<subject>i|we) darn (?P<object>[^,.]{2,40})']
emit = { subject = "{subject}", predicate = "darns", object = "{object}" }
cardinality = "multi"
confidence = 0.8

[[rule]]
id = "socks.knits"
kind = "preference"
summary = "what the speaker knits"
patterns = ['\b(?P<subject>i|we) knit (?P<object>[^,.]{2,40})']
emit = { subject = "{subject}", predicate = "knits", object = "{object}" }
cardinality = "multi"
confidence = 0.8

[[renamed]]
from = "socks.mends"
to = "socks.darns"
"""
LOCAL = """
schema = 1
pack = "local"
extends = ["base"]
"""
OVERRIDE = LOCAL + '\n[[override]]\nid = "base/socks.darns"\n'


def over(tmp_path: Path, local: str, cache: Path | None = None) -> Rulebook:
    """The base pack with a local one over it."""
    (tmp_path / "base.toml").write_text(BASE, encoding="utf-8")
    (tmp_path / "local.toml").write_text(local, encoding="utf-8")
    return load([tmp_path / "base.toml", tmp_path / "local.toml"], cache=cache)


def claims(book: Rulebook, text: str, role: str = "user") -> tuple[Claim, ...]:
    return book.rules.claims(text, role="assistant" if role == "assistant" else "user", speaker="Ada", origin=Origin.OPERATOR)


def rule(book: Rulebook, rule_id: str = "base/socks.darns") -> Rule:
    return next(rule for pack in book.rules.packs for rule in pack.rules if rule.id == rule_id)


def codes(book: Rulebook) -> list[str]:
    return [problem.code for problem in book.problems]


def test_an_override_replaces_values_and_adds_to_lists(tmp_path: Path) -> None:
    """Single values are replaced, tables merged, lists added to; what is not named stays, and the rule keeps its name and version."""
    change = r"""
expect = 3
priority = 70
modifiers = { hedge = 0.5 }
patterns.add = ['\bdarning (?P<object>[^,.]{2,40}) is what (?P<subject>i|we) do']
roles.add = ["assistant"]
unless.add = [{ pattern = '\bdarn near', reason = "almost" }]
example.add = [
  { text = "Darning socks is what I do", want = [{ object = "socks" }] },
  { text = "We darn nearly missed it", want = [] },
]
"""
    book = over(tmp_path, OVERRIDE + change)
    assert book.problems == ()
    changed = rule(book)
    assert (changed.priority, changed.version, changed.confidence, changed.pack_version) == (70, 3, 0.8, "2.1.0")
    assert changed.roles == ("user", "assistant")
    assert len(changed.patterns) == 2
    assert [claim.object for claim in claims(book, "I darn socks")] == ["socks"]
    assert [claim.object for claim in claims(book, "I darn socks", "assistant")] == ["socks"]
    assert [claim.object for claim in claims(book, "Darning mittens is what we do")] == ["mittens"]
    assert [claim.confidence for claim in claims(book, "Maybe I darn socks")] == [0.4]
    assert claims(book, "We darn near fell") == ()


def test_a_list_can_be_set_and_taken_from(tmp_path: Path) -> None:
    """`.set` replaces a list, `.remove` takes entries out by their text."""
    first = over(tmp_path, OVERRIDE + r"""patterns.set = ['\b(?P<subject>i|we) mend (?P<object>[^,.]{2,40})']""")
    assert first.problems == ()
    assert claims(first, "I darn socks") == ()
    assert [claim.object for claim in claims(first, "I mend socks")] == ["socks"]
    add = r"""patterns.add = ['\b(?P<subject>i|we) mend (?P<object>[^,.]{2,40})']"""
    take = r"""patterns.remove = ['\b(?P<subject>i|we) darn (?P<object>[^,.]{2,40})']"""
    second = over(tmp_path, OVERRIDE + add + "\n" + take)
    assert second.problems == ()
    assert rule(second).patterns == rule(first).patterns
    none_left = over(tmp_path, OVERRIDE + take)
    assert codes(none_left) == ["E-SCHEMA"]
    assert "no patterns are left" in none_left.problems[0].what


def test_an_example_of_an_override_is_run(tmp_path: Path) -> None:
    """What somebody changes they can prove: an added example that does not hold sets their pack aside, and the rule stays as it was."""
    book = over(tmp_path, OVERRIDE + 'confidence = 0.9\nexample.add = [{ text = "I darn socks", want = [{ confidence = 0.5 }] }]')
    assert codes(book) == ["E-EXAMPLE"]
    assert (book.problems[0].line, book.problems[0].rule) == (9, "base/socks.darns")
    assert rule(book).confidence == 0.8


def test_an_override_that_was_written_against_another_version_is_a_warning(tmp_path: Path) -> None:
    """The rule has moved on since; the change still holds, and somebody should look."""
    book = over(tmp_path, OVERRIDE + "expect = 2\nconfidence = 0.5")
    assert codes(book) == ["W-OVERRIDE-VERSION"]
    assert "version 2 of the rule, which is now 3" in book.problems[0].what
    assert rule(book).confidence == 0.5


def test_a_rule_may_be_named_as_it_was_once_called(tmp_path: Path) -> None:
    """A rename breaks nobody's pack: the old name is understood, and the new one is told."""
    book = over(tmp_path, OVERRIDE.replace("socks.darns", "socks.mends") + "confidence = 0.5")
    assert codes(book) == ["W-RENAMED"]
    assert "base/socks.darns" in book.problems[0].hint
    assert rule(book).confidence == 0.5


def test_a_filter_silences_rules_where_its_pattern_overlaps(tmp_path: Path) -> None:
    """An exclusion of one's own for some rules, or for all, which stay as they are otherwise."""
    some = LOCAL + '\n[[filter]]\nrules = ["base/socks.darns"]\nunless = [{ pattern = "old socks", reason = "thrown away" }]\n'
    book = over(tmp_path, some)
    assert book.problems == ()
    assert claims(book, "I darn old socks") == ()
    assert [claim.rule for claim in claims(book, "I knit old socks")] == ["base/socks.knits"]
    assert [claim.object for claim in claims(book, "I darn new socks")] == ["new socks"]
    book = over(tmp_path, some.replace('"base/socks.darns"', '"*"'))
    assert claims(book, "I knit old socks") == claims(book, "I darn old socks") == ()


def test_rules_are_switched_off_by_name_kind_and_pack(tmp_path: Path) -> None:
    """Each way leaves the others in force."""
    for off, left in (('rules = ["base/socks.darns"]', ["knits"]), ('kinds = ["preference"]', ["darns"]), ('packs = ["base"]', [])):
        book = over(tmp_path, LOCAL + f"\n[disable]\n{off}\n")
        assert book.problems == ()
        found = [*claims(book, "I darn socks"), *claims(book, "I knit socks")]
        assert [claim.predicate for claim in found] == left


def test_a_pack_adds_classes_and_may_place_an_object_anew(tmp_path: Path) -> None:
    """`[classes]` of one's own comes after those of classes.toml."""
    book = over(tmp_path, LOCAL + '\n[classes]\n"yarns" = ["merino", "Lamb\'s wool"]\n')
    assert book.problems == ()
    assert book.rules.class_of("Merino") == "yarns"
    plain = load([tmp_path / "base.toml"])
    known = next(name for name in ("postgres", "postgresql", "sqlite") if plain.rules.class_of(name))
    book = over(tmp_path, LOCAL + f'\n[classes]\n"pets of mine" = ["{known}"]\n')
    assert book.rules.class_of(known) == "pets of mine"


def test_a_pack_of_another_language_is_warned_of(tmp_path: Path) -> None:
    """Modifiers are English: rules of another language are taken at their word, which their author should know."""
    book = over(tmp_path, LOCAL + 'languages = ["de"]\n')
    assert codes(book) == ["W-LANGUAGE"]


def test_a_rule_that_others_talk_over_is_warned_of(tmp_path: Path) -> None:
    """Alone it holds; beside a stronger rule of the same kind it never gets a word in, and the warning says whose."""
    own = BASE.replace('"base"', '"local"').replace("socks.", "wool.").split("[[renamed]]")[0]
    own += '\n[[rule.example]]\ntext = "I knit socks"\nwant = [{ object = "socks" }]\n'
    book = over(tmp_path, own.replace('"multi"', '"multi"\npriority = 10'))
    assert codes(book) == ["W-OVERLAP"]
    assert "'base/socks.knits' (priority 50)" in book.problems[0].what


def test_a_pack_that_breaks_is_set_aside_and_its_last_good_version_stays(tmp_path: Path) -> None:
    """Somebody saves a mistake: the rules of before go on, which is said; the mistake is shown; once it is mended all is new."""
    cache = tmp_path / "cache"
    good = BASE.replace('"base"', '"mine"').replace("socks.", "wool.").replace("darn", "mend").split("[[renamed]]")[0]
    over(tmp_path, good, cache)
    broken = over(tmp_path, good.replace("confidence = 0.8", "confidense = 0.8"), cache)
    assert set(codes(broken)) == {"E-UNKNOWN-KEY", "E-SCHEMA", "W-LAST-GOOD"}
    assert "'mine' (2.1.0) stays in use" in broken.problems[-1].what
    assert [(pack.name, pack.stale) for pack in broken.packs] == [("base", False), ("mine", True)]
    assert [claim.rule for claim in claims(broken, "I mend socks")] == ["mine/wool.mends"]
    unreadable = over(tmp_path, "schema = = 1", cache)
    assert codes(unreadable) == ["E-TOML", "W-LAST-GOOD"]
    assert unreadable.rules.hash == broken.rules.hash
    mended = over(tmp_path, good.replace("0.8", "0.7"), cache)
    assert mended.problems == ()
    assert [claim.confidence for claim in claims(mended, "I mend socks")] == [0.7]


def test_without_a_last_good_version_a_broken_pack_is_just_not_there(tmp_path: Path) -> None:
    """A pack that never was good, and one that is gone: nothing stays in use."""
    cache = tmp_path / "cache"
    assert codes(over(tmp_path, "schema = 2", cache)) == ["E-SCHEMA"]
    over(tmp_path, LOCAL, cache)
    (tmp_path / "local.toml").unlink()
    assert codes(load([tmp_path / "base.toml", tmp_path / "local.toml"], cache=cache)) == ["E-FILE"]


def test_warnings_are_remembered_with_what_was_proved(tmp_path: Path) -> None:
    """A second load runs no example and still tells what the first one warned of."""
    cache = tmp_path / "cache"
    text = BASE.replace('"base"', '"mine"').split("[[renamed]]")[0]
    text += '\n[[rule.example]]\ntext = "socks, I knit"\nwant = [{ object = "socks" }]\ntodo = true\n'
    first = over(tmp_path, text, cache)
    assert codes(first) == ["W-TODO"]
    assert over(tmp_path, text, cache).problems == first.problems


def test_the_packs_in_the_readme_for_rule_authors_work(tmp_path: Path) -> None:
    """What it shows can be copied: each pack loads behind the shipped ones without a word of complaint."""
    text = (shipped_rules() / "README.md").read_text(encoding="utf-8")
    shown = regex.findall(r"```toml\n(schema .*?)```", text, regex.DOTALL)
    assert len(shown) >= 2
    for number, block in enumerate(shown):
        path = tmp_path / f"{number}.toml"
        path.write_text(block, encoding="utf-8")
        book = load([shipped_rules(), path], cache=proven.PROOFS, in_use=False)
        assert book.problems == ()


def test_the_readme_lists_every_code() -> None:
    """And no other."""
    home = Path(rulebook.__file__).parent
    sources = [*home.glob("*.py"), home.parents[1] / "core" / "rules" / "regex" / "syntax.py", *home.parent.glob("cli/workbench/*.py")]
    given = {code for path in sources for code in regex.findall(r'"([EW]-[A-Z-]+)"', path.read_text(encoding="utf-8"))}
    listed = set(regex.findall(r"`([EW]-[A-Z-]+)`", (shipped_rules() / "README.md").read_text(encoding="utf-8")))
    assert listed == given
