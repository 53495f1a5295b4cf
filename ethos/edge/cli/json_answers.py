"""The JSON Schema of each command's `--json` output. `docs/json.md` is generated from here; a test compares the two.

An answer is declared by the dataclasses and named tuples that it consists of, so a new field appears here by itself. `VERSION` rises when a
field is removed or changes its meaning, not for a new field.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, Literal, get_type_hints

from ethos.app.explain import Why
from ethos.app.lessons import Taught
from ethos.app.narrative import ToldChain
from ethos.app.profile import ShownProfile
from ethos.app.receipt import Forgotten
from ethos.app.retirement import Retired
from ethos.app.review import Answered
from ethos.app.status import Elsewhere, Status
from ethos.app.transfer import Imported
from ethos.core.history.diff import Difference
from ethos.core.model.counts import CYCLE_COUNTS
from ethos.core.model.records import Fact, Kind, Polarity, Run
from ethos.core.model.sections import Report
from ethos.core.ports.queries import Hit, ProjectCounts
from ethos.edge.api.actions.bank import FoundMemory, MemoryData, SignalData
from ethos.edge.api.results import InboxQuestion
from ethos.edge.jsonio.json_schema import EACH, Schema, Shape, schema_of
from ethos.edge.ops.doctor.check import Check
from ethos.edge.ops.systemd.state import Unit

VERSION = 1
DRAFT = "https://json-schema.org/draft/2020-12/schema"

STANDING: Shape = {"accepted": int, "rejected": int, "weight": float}
ERROR: Shape = {"code": str, "message": str, "hint": str, "where": str}
# of a hit: left out by `--detail ids`, given by `--explain`, left out where nothing is outdated
_OPTIONAL = {"text": "text?", "parts": "parts?", "outdated": "outdated?"}
_HIT: Shape = {_OPTIONAL.get(name, name): kind for name, kind in get_type_hints(Hit).items()}
CLAIM: Shape = {
    "kind": Kind,
    "subject": str,
    "predicate": str,
    "object": str,
    "polarity": Polarity,
    "confidence": float,
    "rule": str,
    "span": list[int],
}

_KEPT_APART: Shape = {"one": str, "other": str, "likeness": float, "why": str}
ANSWERS: Mapping[str, Shape | Any] = {
    "memory search": {"memories": list[FoundMemory], "total_found": int, "tokens_used": int},
    "memory record": {"id": str, "message": str, "initial_confidence": float},
    "memory feedback": {"success": bool, "memory_id": str, "new_confidence": float, "message": str},
    "memory outcome": {"recorded": bool, "memory_id": str, "new_confidence": float, "message": str},
    "memory consolidate": {
        "created_memories": list[str],
        "archived_memories": list[str],
        "skipped_count": int,
        "total_processed": int,
        "duration_seconds": float,
        "project": str,
        "run": str,
        "dry_run": bool,
        "skipped_reason": str,
        "kept_apart": [_KEPT_APART],
        "failures": list[str],
    },
    "memory list": {"memories": list[MemoryData]},
    "memory show": {
        "memory": MemoryData,
        "signals": list[SignalData],
        "sources": [{"id": str, "title": str}],
        "into": dict[str, str] | None,
    },
    "memory archive": {"id": str, "run": str},
    "memory accept": {"id": str, "run": str},
    "capture": {
        "added": int,
        "known": int,
        "changed": list[str],
        "files": int,
        "left_out?": int,
        "skipped": dict[str, int],
        "notes": dict[str, int],
        "masked": dict[str, int],
        "problems": [ERROR],
        "problems_total": int,
        "refused": list[str],
    },
    "consolidate": {"triggered": bool, **dict.fromkeys(CYCLE_COUNTS, int), "run": str, "dry_run?": bool, "differences?": list[Difference]},
    "sleep": {
        "run": str,
        "date": date,
        "seed": int,
        "changes": int,
        "counts": dict[str, int],
        "stopped": bool,
        "report": str,
        "problem": str,
        "dry_run?": bool,
        "differences?": list[Difference],
    },
    "report": Report,
    "recall": {"hits": [_HIT], "elsewhere?": Elsewhere, "unknown_project?": str},
    "recall --by session": {
        "sessions": [{"session": str, "project": str, "score": float, "said_at": datetime, "hits": [_HIT]}],
        "elsewhere?": Elsewhere,
        "unknown_project?": str,
    },
    "recall --narrative": {"id": str, "chains": list[ToldChain], "around": [_HIT]},
    "facts": {"facts": list[Fact], "elsewhere?": Elsewhere, "unknown_project?": str},
    "lessons": {"lessons": list[Taught]},
    "profile": ShownProfile,
    "profile --write": {"file": str, "dry_run": bool, "changed": bool, "diff": list[str]},
    "projects": {"projects": list[ProjectCounts], "elsewhere?": Elsewhere},
    "why": {**get_type_hints(Why), "standings": {EACH: STANDING}},
    "diff": {"run": Run, "differences": list[Difference]},
    "inbox": {
        "questions": [{**get_type_hints(InboxQuestion), "status": Literal["open", "resolved"], "actions": list[str]}],
        "hints": dict[str, str],
        "elsewhere?": Elsewhere,
    },
    "answer": Answered,
    "retire": Retired,
    "correct": Retired,
    "undo": {"run": Run, "differences": list[Difference], "left_out?": int},
    "forget": {**get_type_hints(Forgotten), "problems": [ERROR], "proven": bool, "left_out?": int},
    "status": {**get_type_hints(Status), "rule_packs": int, "rule_problems": list[str], "daemon": dict[str, Any] | None},
    "status --runs": {"runs": list[Run]},
    "doctor": {"checks": list[Check]},
    "backup": {"path": str, "bytes": int, "removed": list[str]},
    "backup --list": {"backups": [{"path": str, "bytes": int}]},
    "restore": {"path": str, "kept": str, "forgotten_again": int, "problem": str},
    "export": {"path": str, "format": Literal["jsonl", "markdown"], "written": int, "kept": list[str]},
    "import": Imported,
    "rules check": {"hash": str, "packs": list[dict[str, Any]], "problems": list[dict[str, Any]]},
    "rules test": {
        "rules": int,
        "examples": int,
        "texts": int,
        "properties": dict[str, bool],
        "timed": bool | None,
        "silent": list[str] | None,
        "hits": int | None,
        "new_hits": int,
        "problems": list[dict[str, Any]],
        "failed": bool,
    },
    "rules explain": {
        "claims": [{**CLAIM, "modifiers": list[str], "statement": str, "grade": Literal["held", "weak"], "needed": int}],
        "literals": list[str],
        "hits": list[dict[str, Any]],
        "candidates": list[dict[str, Any]],
        "clauses": list[dict[str, Any]],
    },
    "rules words": {"word": str, "may_be": list[str], "verb": str, "classes": list[str], "rules": list[str], "patterns": list[str]},
    "rules coverage": {"turns": int, "covered": int, "rules": list[dict[str, Any]]},
    "rules replay": {"episodes": int, "gained": list[Fact], "lost": list[Fact], "changed": [{"before": Fact, "after": Fact}]},
    "rules promote": {
        "question": str,
        "rule": str,
        "applied": bool,
        "outdated?": bool,
        "standing?": STANDING,
        "pack?": str,
        "added?": bool,
    },
    "connect": {"dry_run": bool, "files": [{"agent": str, "file": str, "diff": list[str]}]},
    "connect status": {"agents": [{"agent": str, "state": str}]},
    "models": {"models": [{"name": str, "used": bool, "id": str, "problem": str, "state": str}]},
    "service status": {"units": list[Unit]},
}
_LISTED = frozenset({"properties", "$defs"})


def schema(command: str) -> Schema:
    """Return the JSON Schema of what `ethos COMMAND --json` prints on success."""
    records: dict[str, Schema] = {}
    shape = schema_of(ANSWERS[command], records)
    head = {"$schema": DRAFT, "title": f"ethos {command} --json, version {VERSION}"}
    if "$ref" in shape:
        shape = records.pop(shape["$ref"].rpartition("/")[2])
    return head | shape | ({"$defs": records} if records else {})


def page() -> str:
    """Return docs/json.md."""
    parts = [_HEAD.format(version=VERSION)]
    parts += [f"## ethos {command}\n\n```json\n{laid_out(schema(command))}\n```\n" for command in ANSWERS]
    return "\n".join(parts)


def laid_out(found: Schema) -> str:
    """Return a schema with each property and each record on a line of its own."""
    parts = []
    for name, value in found.items():
        inner = ",\n".join(f"  {json.dumps(each)}: {json.dumps(what)}" for each, what in value.items()) if name in _LISTED else ""
        parts.append(f" {json.dumps(name)}: " + (f"{{\n{inner}\n }}" if inner else json.dumps(value)))
    return "{\n" + ",\n".join(parts) + "\n}"


_HEAD = """# What commands print with --json

Written by `python -m ethos.edge.cli.json_answers`; a test holds it equal to the program. This is version {version}. The version rises when
a field is removed or changes its meaning. A new field does not raise it, so a reader should ignore fields it does not know.

A command prints one line of JSON. If it fails, the line is `{{"error": {{"code", "message", "hint", "where"}}}}` and the exit code is
not 0. Over the socket the same data comes in an envelope, and a long list comes in parts ([socket.md](socket.md)); a command puts the parts
together.
"""

if __name__ == "__main__":
    sys.stdout.write(page())
