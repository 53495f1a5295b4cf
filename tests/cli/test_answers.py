"""What commands print with `--json` is what docs/json.md says."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ethos.edge.cli import json_answers
from ethos.edge.cli.commands import memory, rules, service
from ethos.edge.cli.main import commands as all_commands
from tests.support.commands import QUARREL, TALK, Commands, commands, spoken

__all__ = ["commands"]

DOCUMENT = Path(__file__).parents[2] / "docs" / "json.md"
TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "null": (type(None),),
    "object": (dict,),
    "array": (list,),
}


def wrong(value: Any, schema: Any, whole: Any, at: str = "") -> list[str]:
    """Where a value is not as its schema says; and fields that no schema knows of."""
    if "$ref" in schema:
        return wrong(value, whole["$defs"][schema["$ref"].rpartition("/")[2]], whole, at)
    if "anyOf" in schema:
        each = [wrong(value, one, whole, at) for one in schema["anyOf"]]
        return [] if [] in each else each[0]
    if "enum" in schema:
        return [] if value in schema["enum"] else [f"{at}: {value!r} is none of {schema['enum']}"]
    allowed = TYPES.get(schema.get("type", ""), (object,))
    if not isinstance(value, allowed) or (isinstance(value, bool) and bool not in allowed and object not in allowed):
        return [f"{at}: {value!r} is no {schema['type']}"]
    if isinstance(value, list):
        return [line for number, item in enumerate(value) for line in wrong(item, schema.get("items", {}), whole, f"{at}[{number}]")]
    if not isinstance(value, dict) or not schema:
        return []
    known, more = schema.get("properties", {}), schema.get("additionalProperties", None if "properties" in schema else {})
    found = [f"{at}: {name} is missing" for name in schema.get("required", ()) if name not in value]
    for name, item in value.items():
        if name not in known and more is None:
            found.append(f"{at}: {name} is new")
        else:
            found += wrong(item, known.get(name, more), whole, f"{at}.{name}")
    return found


def test_the_document_is_what_the_program_says() -> None:
    """Written anew by `python -m ethos.edge.cli.json_answers > docs/json.md`."""
    assert DOCUMENT.read_text("utf-8") == json_answers.page()


def test_every_command_with_json_is_in_the_document() -> None:
    """The rest take no `--json`: they print text, or lines of JSON of their own that their help describes."""
    own = all_commands()
    own |= {f"rules {each.name}": each.callback for each in rules.rules_app.registered_commands if each.callback}
    own |= {f"memory {each.name}": each.callback for each in memory.memory_app.registered_commands if each.callback}
    own |= {f"service {each.name}": each.callback for each in service.service_app.registered_commands if each.callback}
    with_json = {name for name, does in own.items() if "as_json" in inspect.signature(does).parameters}
    documented = {name if name in own else name.split()[0] for name in json_answers.ANSWERS}
    assert documented == with_json


def test_real_answers_are_as_documented(commands: Commands) -> None:
    """A small memory, asked with every command: each answer has the fields and types of its schema, and no other fields."""
    commands.write("talk.jsonl", TALK + QUARREL + spoken("z1", "We use [this](x", day=4) + "{broken\n")
    commands.write("turns.txt", "We decided to use Postgres.\nHello.\n")

    def fits(name: str, *words: str | Path) -> Any:
        ran = commands(*(words or name.split()), "--json")
        schema = json_answers.schema(name)
        assert wrong(ran.data, schema, schema, name) == []
        return ran.data

    fits("capture", "capture", "talk.jsonl")
    fits("consolidate", "consolidate", "--dry-run")
    run = fits("consolidate")["run"]
    fits("sleep", "sleep", "--date", "2026-03-01", "--dry-run")
    fits("report", "report", fits("sleep", "sleep", "--date", "2026-03-01")["run"])
    fact = fits("facts")["facts"][0]["id"]
    fits("facts", "facts", "--history")
    fits("recall", "recall", "postgres")
    fits("recall", "recall", "postgres", "--detail", "ids", "--explain")
    fits("projects")
    fits("why", "why", fact)
    fits("why", "why", "t1")
    fits("diff", "diff", run)
    (question,) = (each["id"] for each in fits("inbox")["questions"])
    fits("answer", "answer", question, "keep-old")
    fits("inbox", "inbox", "--resolved")
    fits("why", "why", question)
    fits("rules promote", "rules", "promote", question, "--outdated")
    fits("rules promote", "rules", "promote", question, "--misread")
    fits("rules explain", "rules", "explain", "We decided to use Postgres, maybe.")
    fits("rules coverage", "rules", "coverage", "turns.txt")
    fits("rules check")
    fits("status")
    fits("status --runs", "status", "--runs")
    fits("doctor")
    fits("service status")
    saved = fits("backup")["path"]
    fits("backup --list", "backup", "--list")
    fits("export", "export", "out.jsonl")
    fits("import", "import", "out.jsonl")
    fits("undo", "undo", fits("retire", "retire", fact_held(fits), "--said", "We decided to use Go for the shop.")["run"])
    fits("correct", "correct", fact_held(fits), "We decided to use Zig.")
    fits("undo", "undo", run)
    fits("forget", "forget", "t1", "--dry-run")
    fits("forget", "forget", "t1", "--yes")
    fits("restore", "restore", saved, "--yes")


def fact_held(fits: Callable[..., Any]) -> str:
    """The id of a fact that is held."""
    return str(fits("facts")["facts"][0]["id"])


def test_a_schema_can_be_failed() -> None:
    """The judge of the test above finds what is wrong."""
    schema = json_answers.schema("projects")
    good = {"projects": [{"project": "", "facts": 1, "episodes": 2, "last_said": None}]}
    assert wrong(good, schema, schema) == []
    bad: Any
    for bad in ({}, {"projects": {}}, {"projects": [{**good["projects"][0], "facts": True}]}, {**good, "new": 1}):
        assert wrong(bad, schema, schema) != []


@pytest.mark.parametrize("name", sorted(json_answers.ANSWERS))
def test_every_schema_says_its_version(name: str) -> None:
    """So that a program can tell by which one it was written."""
    assert json_answers.schema(name)["title"] == f"ethos {name} --json, version {json_answers.VERSION}"
