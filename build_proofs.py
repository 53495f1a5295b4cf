"""A build hook: the shipped rules are proved where a wheel is made (or installed in place), so that no first command has to do it."""

from __future__ import annotations

import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Proofs(BuildHookInterface[Any]):
    """Writes `rules/proved`, which goes into the wheel with `rules`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 (the form of the hook)
        """Before the build."""
        if self.target_name != "wheel":
            return
        sys.path.insert(0, self.root)
        try:
            from ethos.edge.rulebook import prove_shipped_packs  # noqa: PLC0415 (it is found only now)

            prove_shipped_packs()
        finally:
            sys.path.remove(self.root)
