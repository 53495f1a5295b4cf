"""A pytest plugin that collects rule files as tests: an item for each example and each property.

    pytest rules/mine.toml            # collect a rule file by name
    pytest --ethos-rules              # collect every rule file found
    pytest rules/mine.toml --ethos-cases 50000

Without `--ethos-rules` only named files are collected. A TOML file that is not a rule pack is never collected. Failures look as in
`ethos rules check`. The test machinery is imported when the first rule file is collected, because pytest loads this module in every run
of an environment that has Ethos.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

CASES = 100  # default number of texts a property
SUFFIX = ".toml"

_PACK = re.compile(r"^\s*pack\s*=", re.MULTILINE)
_RULE = re.compile(r"^\s*\[\[\s*rule\s*\]\]", re.MULTILINE)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options `--ethos-rules` and `--ethos-cases`."""
    group = parser.getgroup("ethos", "rules of Ethos")
    group.addoption("--ethos-rules", action="store_true", help="collect rule packs (*.toml) wherever they are met")
    group.addoption("--ethos-cases", type=int, default=CASES, metavar="N", help=f"texts a property is tried on ({CASES})")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Return a collector for a rule pack that was named, or that was found with `--ethos-rules`; else None."""
    if file_path.suffix != SUFFIX or not (parent.config.getoption("--ethos-rules") or parent.session.isinitpath(file_path)):
        return None
    text = file_path.read_text(encoding="utf-8", errors="replace")
    if not _PACK.search(text) or not _RULE.search(text):
        return None
    from ethos.testing.items import RuleFile  # noqa: PLC0415 (not imported in runs without rule files)

    return RuleFile.from_parent(parent, path=file_path)
