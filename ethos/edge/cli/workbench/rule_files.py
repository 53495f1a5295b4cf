"""Rule files under test: the files loaded together with one, and the place of a failure in it."""

from __future__ import annotations

import re
from pathlib import Path

from ethos.core.rules.rule import RuleProblem
from ethos.edge.cli.workbench.properties import PropertyFailed
from ethos.edge.rulebook import shipped_rules

_PROPERTY_CODE = "E-PROPERTY"

_CHANGES = re.compile(r"^\s*(?:extends\s*=|\[disable\]|\[\[override\]\]|\[\[filter\]\])", re.MULTILINE)
_PACK = re.compile(r"""^\s*pack\s*=\s*["'](?P<name>[^"']+)["']""", re.MULTILINE)


def with_what_it_changes(path: Path) -> tuple[Path, ...]:
    """Return the files to load for a test of a pack: the file alone, or the shipped packs and the file if it extends others."""
    if path.is_dir() or path.parent == shipped_rules():
        return (path,)
    return (shipped_rules(), path) if _CHANGES.search(path.read_text(encoding="utf-8", errors="replace")) else (path,)


def pack_name(path: Path) -> str:
    """Return the name that a pack file declares; "" if it declares none."""
    found = _PACK.search(path.read_text(encoding="utf-8", errors="replace"))
    return found["name"] if found else ""


def as_problem(failed: PropertyFailed, path: Path) -> RuleProblem:
    """Return a failure as a problem at its rule in this file, or at the file if no single rule of it is the cause."""
    hint = f"on the text {failed.text!r}" if failed.text else ""
    return at_rule(_PROPERTY_CODE, f"{failed.name}: {failed.what}", failed.rule, path, hint)


def at_rule(code: str, what: str, rule: str, path: Path, hint: str = "") -> RuleProblem:
    """Return a problem at the id of a rule in this file."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    pack, _, name = rule.partition("/")
    spot = re.compile(rf"""^\s*id\s*=\s*(?P<id>["'](?:{re.escape(pack)}/)?{re.escape(name)}["'])""")
    found = ((number, match) for number, line in enumerate(lines, 1) if (match := spot.match(line)))
    number, match = next(found, (0, None)) if rule else (0, None)
    if match is None:
        return RuleProblem(code, str(path), what, rule=rule, hint=hint)
    low, high = match.span("id")
    return RuleProblem(code, str(path), what, number, low + 1, rule, lines[number - 1], high - low, hint)
