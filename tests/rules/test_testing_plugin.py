"""The pytest plugin: rule files are tests where they are asked for, and nothing happens where they are not."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

GOOD = r"""
schema  = 1
pack    = "mine"
version = "1.0.0"

[[rule]]
id         = "grows"
kind       = "fact"
summary    = "what the speaker grows"
patterns   = ['''\b(?P<subject>i|we) grow (?P<object>[^,.!?;:\n]{2,40}?)(?=$|[,;:])''']
emit       = { subject = "{subject}", predicate = "grows", object = "{object}" }
confidence = 0.8

  [[rule.example]]
  text = "I grow leeks."
  want = [{ subject = "speaker", object = "leeks" }]
  [[rule.example]]
  text = "Do I grow leeks?"
  want = []
  [[rule.example]]
  text = "leeks, I said, are what we grew"
  want = [{ object = "leeks" }]
  todo = true
"""
TOP = str(Path(__file__).parents[2])
PROPERTIES = 14  # all but the one that measures time


def options() -> tuple[str, ...]:
    """The plugin by name, where Ethos is not installed and so does not announce it; a plain run in this process."""
    known = any(point.name == "ethos" for point in entry_points(group="pytest11"))
    return ("-p", "no:cacheprovider", *(() if known else ("-p", "ethos.testing.plugin")))


def run(pytester: pytest.Pytester, *words: str | Path) -> pytest.RunResult:
    return pytester.runpytest_inprocess(*options(), "--ethos-cases=5", *words)


def write(pytester: pytest.Pytester, text: str, name: str = "mine.toml") -> Path:
    path = pytester.path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_rule_file_that_is_named_is_tested(pytester: pytest.Pytester) -> None:
    """An item that it loads, one for each example, one for each property; a known miss is an expected failure."""
    result = run(pytester, write(pytester, GOOD), "-v")
    result.assert_outcomes(passed=1 + 2 + PROPERTIES, xfailed=1)
    result.stdout.fnmatch_lines(["*mine.toml::loads PASSED*", "*mine/grows: I grow leeks PASSED*", "*mine.toml::prefilter PASSED*"])


def test_files_are_left_alone_unless_asked_for(pytester: pytest.Pytester) -> None:
    """A run over a folder collects no rule file; with --ethos-rules it does, and never a TOML file that is no pack."""
    write(pytester, GOOD)
    write(pytester, "[project]\nname = 'x'\n", "pyproject.toml")
    write(pytester, "pack = 1\n", "other.toml")
    assert run(pytester).ret == pytest.ExitCode.NO_TESTS_COLLECTED
    run(pytester, "--ethos-rules").assert_outcomes(passed=1 + 2 + PROPERTIES, xfailed=1)
    assert run(pytester, "other.toml").ret != pytest.ExitCode.OK


def test_a_mistake_is_shown_as_rules_check_shows_it(pytester: pytest.Pytester) -> None:
    """File, line, column, code, the line, a caret; and no traceback."""
    path = write(pytester, GOOD.replace("kind       = ", "kinds      = "))
    result = run(pytester, path)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [f"{path}:8:1  E-UNKNOWN-KEY  rule mine/grows", "*kinds      = *", "*^^^^^ unknown key 'kinds'", "help: did you mean 'kind'[?]"]
    )
    result.stdout.no_fnmatch_line("*Traceback*")


def test_toml_that_is_none_is_shown_with_its_place(pytester: pytest.Pytester) -> None:
    """A file that was named is never passed over because it cannot be read."""
    path = write(pytester, GOOD + "\nx = = 1\n")
    result = run(pytester, path)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([f"{path}:{GOOD.count(chr(10)) + 2}:*  E-TOML"])


def test_an_example_that_does_not_hold_fails_alone(pytester: pytest.Pytester) -> None:
    """The pack would be set aside, so its properties are not tried; the other examples are told apart."""
    path = write(pytester, GOOD.replace('text = "I grow leeks."', 'text = "I eat leeks."'))
    result = run(pytester, path)
    result.assert_outcomes(passed=2, failed=1, xfailed=1)
    result.stdout.fnmatch_lines([f"{path}:15:*  E-EXAMPLE  rule mine/grows", "*I eat leeks.*wanted 1 claim(s), got nothing"])


def test_a_property_that_does_not_hold_names_the_rule_and_the_smallest_text(pytester: pytest.Pytester) -> None:
    """With an engine that does not mask fences, the failure points at the rule and shows the text that gave it away."""
    pytester.makeconftest(
        """
        from ethos.core.rules import matcher
        from ethos.core.text.sentences import mask

        matcher.mask = lambda low: mask(low.replace("```", "..."))
        """
    )
    path = write(pytester, GOOD)
    result = subprocess.run(
        [sys.executable, "-m", "pytest", *options(), "--ethos-cases=5", str(path), "-k", "masking"],
        cwd=pytester.path,
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": TOP},
    )
    assert result.returncode == pytest.ExitCode.TESTS_FAILED, result.stdout
    assert f"{path}:7:14  E-PROPERTY  rule mine/grows" in result.stdout
    assert "^ masking: in a fence: mine/grows" in result.stdout
    assert "help: on the text '" in result.stdout
    assert "Traceback" not in result.stdout


def test_a_pack_that_changes_others_is_tested_after_them(pytester: pytest.Pytester) -> None:
    """`extends` brings the shipped packs; only the pack's own rules and examples become items."""
    path = write(pytester, GOOD.replace('pack    = "mine"', 'pack    = "mine"\nextends = ["core-en"]'))
    run(pytester, path, "-k", "loads or grows or spans").assert_outcomes(passed=4, xfailed=1, deselected=PROPERTIES - 1)


def test_nothing_heavy_is_imported_where_no_rules_are_tested() -> None:
    """The plugin stands in every run of pytest in which Ethos is installed, and costs that run nothing."""
    program = (
        "import sys, ethos.testing, ethos.testing.plugin\n"
        "heavy = {'hypothesis', 'regex', 'ahocorasick_rs', 'ethos.core', 'ethos.edge', 'ethos.testing.items'}\n"
        "print(*(heavy & sys.modules.keys()))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env={"PYTHONPATH": TOP})
    assert done.stdout == "\n"


def test_names_are_found_when_they_are_asked_for() -> None:
    """Each public name is there, and another is none."""
    import ethos.testing as public  # noqa: PLC0415 (the module itself)

    assert all(getattr(public, name) is not None for name in public.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'rule_set'"):
        public.rule_set  # noqa: B018 (asking is the test)
