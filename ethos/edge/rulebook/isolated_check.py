"""Check a pack in a subprocess that can be ended: the file decides how long reading, compiling and proving take.

Small packs are checked in this process: they have too few patterns to take long, and each has passed the cost check.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import regex

from ethos.core.rules.rule import Modifier, Pack, RuleProblem
from ethos.edge.rulebook.budgets import Budgets
from ethos.edge.rulebook.cache import Cache, Findings
from ethos.edge.rulebook.fragments import Fragments, Unusable, definitions
from ethos.edge.rulebook.packs import PackReader
from ethos.edge.rulebook.proving import prove
from ethos.edge.rulebook.source import Broken, Source
from ethos.edge.rulebook.validation import FieldReader
from ethos.edge.rulebook.word_files import MODIFIERS_FILE, read_modifiers

SECONDS = 15  # processor seconds for reading, compiling, the cost check and the examples; the largest shipped pack takes 5
PATIENCE = 60.0  # wall seconds, for a busy machine
MEMORY = 2_147_483_648  # bytes of address space
_SMALL = 32_768  # characters, with fragments inserted; up to this, a pack is checked in this process

_FRAGMENT = regex.compile(r"\$\{(\w+)\}")
_ROOT = Path(__file__).resolve().parents[3]


def examine(source: Source, modifiers: Sequence[Modifier], *, gated: bool, proved: bool) -> tuple[PackReader, Pack]:
    """Read a pack and run its examples. The reader holds the complaints. Raises `Broken`."""
    reader = PackReader(source, gated=gated)
    pack = reader.pack()
    if proved and not reader.broken:
        prove(pack, reader, modifiers, Budgets(Cache(None)))
    return reader, pack


def needs_isolation(source: Source) -> bool:
    """Return True if a pack must be checked in a subprocess: it is long, or has patterns outside the portable subset."""
    rules = source.table.get("rule", [])
    if isinstance(rules, list) and any(isinstance(rule, dict) and rule.get("engine") == "regex" for rule in rules):
        return True
    if source.shared:
        return True
    found = definitions(FieldReader(source))
    fragments = Fragments(found.fragments)
    size = len(source.text)
    for inserted in _FRAGMENT.finditer(source.text):
        try:
            size += len(fragments.expand(inserted[0]))
        except Unusable:
            continue
    return size > _SMALL


def run(source: Source, words: Sequence[Source]) -> Findings:
    """Check a pack in a subprocess. If that takes too long or dies, return this as a problem of the pack."""
    asked = {
        "seconds": SECONDS,
        "path": str(source.path),
        "text": source.text,
        "shared": [[str(each.path), each.text] for each in source.shared],
        "modifiers": [each.text for each in words if each.path.name == MODIFIERS_FILE],
    }
    found = os.environ.get("PYTHONPATH")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(_ROOT), *([found] if found else [])])}
    command = [sys.executable, "-c", "from ethos.edge.rulebook.isolated_check import main; main()"]
    try:
        done = subprocess.run(  # noqa: S603 (our own interpreter and module)
            command, input=json.dumps(asked).encode(), capture_output=True, timeout=PATIENCE, env=environment, check=True
        )
        return Findings.from_json(done.stdout)
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
        what = f"reading this pack takes more than {SECONDS} s or {MEMORY >> 30} GiB of memory"
        return Findings(
            {}, (RuleProblem("E-LIMIT", str(source.path), what, hint="split it into several packs, or make its patterns smaller"),)
        )


def main() -> None:
    """Run the subprocess: read a pack from standard input, write the findings to standard output."""
    asked = json.load(sys.stdin)
    resource.setrlimit(resource.RLIMIT_CPU, (asked["seconds"], asked["seconds"]))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    modifiers: tuple[Modifier, ...] = ()
    for text in asked["modifiers"]:
        modifiers += read_modifiers(FieldReader(Source(Path(MODIFIERS_FILE), text.encode())))
    try:
        shared = [Source(Path(path), text.encode()) for path, text in asked["shared"]]
        reader, _ = examine(Source(Path(asked["path"]), asked["text"].encode(), shared), modifiers, gated=True, proved=True)
        findings = Findings(reader.known, tuple(reader.problems))
    except Broken as broken:
        findings = Findings({}, (broken.problem,))
    sys.stdout.write(findings.to_json())
