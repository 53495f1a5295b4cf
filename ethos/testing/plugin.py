"""The pytest plugin: rule files as tests, an item for each example and each property.

    pytest rules/mine.toml            # a rule file is named: it is collected
    pytest --ethos-rules              # every rule file that is met is collected
    pytest rules/mine.toml --ethos-cases 50000

A file that is not named is left alone unless `--ethos-rules` is given, and so is a TOML file that is no rule pack. What fails is shown
as `ethos rules check` shows it. What it takes to test rules is imported when a rule file is collected, and not before: this module
stands in every run of pytest in which Ethos is installed.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

CASES = 100  # texts a property, unless asked otherwise
SUFFIX = ".toml"

_PACK = re.compile(r"^\s*pack\s*=", re.MULTILINE)
_RULE = re.compile(r"^\s*\[\[\s*rule\s*\]\]", re.MULTILINE)


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--ethos-rules` and `--ethos-cases`."""
    group = parser.getgroup("ethos", "rules of Ethos")
    group.addoption("--ethos-rules", action="store_true", help="collect rule packs (*.toml) wherever they are met")
    group.addoption("--ethos-cases", type=int, default=CASES, metavar="N", help=f"texts a property is tried on ({CASES})")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A rule pack that was named, or that was met where `--ethos-rules` asks for them."""
    if file_path.suffix != SUFFIX or not (parent.config.getoption("--ethos-rules") or parent.session.isinitpath(file_path)):
        return None
    text = file_path.read_text(encoding="utf-8", errors="replace")
    if not _PACK.search(text) or not _RULE.search(text):
        return None
    from ethos.testing.items import RuleFile  # noqa: PLC0415 (nothing of it is imported where no rules are tested)

    return RuleFile.from_parent(parent, path=file_path)
