"""A tool as it is declared: its arguments, its answer, MCP's annotations, and how it asks for the action behind it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any, get_type_hints

from ethos.edge.api import arguments
from ethos.edge.jsonio.json_schema import Schema, Shape, schema_of
from ethos.edge.jsonio.shapes import Json

Ask = Callable[[str, Mapping[str, object]], Json]  # action and its arguments -> the data of its answer; raises Refused


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool. takes: a dataclass; its docstring describes the tool, its annotations the arguments. gives: the shape of the answer.

    does: asks for the action and returns the answer. reads_only, idempotent: MCP's annotations.
    """

    name: str
    title: str
    takes: type[Any]
    gives: Shape
    does: Callable[[Ask, Any], Json]
    reads_only: bool = True
    idempotent: bool = True


def input_schema(takes: type[Any]) -> Schema:
    """Return the JSON Schema of a dataclass of arguments: types, meanings and defaults."""
    meanings, hints = arguments.meanings(takes), get_type_hints(takes)
    properties: dict[str, Schema] = {}
    for field in fields(takes):
        about = {"description": meanings[field.name]} if field.name in meanings else {}
        default = {} if field.default in {MISSING, None} else {"default": field.default}
        properties[field.name] = {**schema_of(hints[field.name], {}), **about, **default}
    required = [field.name for field in fields(takes) if field.default is MISSING]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def answer_schema(shape: Shape) -> Schema:
    """Return the JSON Schema of an answer of this shape."""
    return schema_of(shape, {})


def where(project: str | None) -> dict[str, object]:
    """Return the project asked for, or the folder that the agent started this server in."""
    return {"project": project} if project else {"cwd": str(Path.cwd())}
