"""The shipped rules as a careless rule author might widen them: every one of them also reads what is not the user's, and no modifier
holds it back.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import get_args

from ethos.core.model.records import Role
from ethos.core.rules.matcher import Rules
from tests.support import proven

ROLES: tuple[Role, ...] = get_args(Role)


@cache
def wide_rules() -> Rules:
    """The widened set."""
    shipped = proven.rules()
    packs = [replace(pack, rules=tuple(replace(rule, roles=ROLES) for rule in pack.rules)) for pack in shipped.packs]
    classes = {name: found for pack in packs for name, found in pack.classes.items()}
    return Rules(packs, (), classes, hash="wide", derived=shipped.derived)
