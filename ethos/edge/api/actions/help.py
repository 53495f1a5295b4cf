"""The action that lists the actions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ethos.edge.api import actions
from ethos.edge.api.actions.entrance import Entrance
from ethos.edge.api.actions.service import Service
from ethos.edge.api.arguments import meanings, usage
from ethos.edge.jsonio.shapes import Json


@dataclass(frozen=True, slots=True)
class Help:
    """List the actions."""


def listed(service: Service, asked: Help) -> Json:  # noqa: ARG001 (the form of every action)
    """Return what every action takes."""
    return {"actions": [_told(name, entrance.takes) for name, entrance in actions.ACTIONS.items()]}


def _told(name: str, takes: type[Any]) -> Json:
    return {"action": name, "does": takes.__doc__, "usage": usage(name, takes), "meanings": meanings(takes)}


ACTIONS: Mapping[str, Entrance] = {"help": Entrance(Help, listed, question=True, list_name="actions")}
