"""Rules that read the same turns otherwise, for what is read anew once the rules have changed."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from ethos.core.model.records import Kind, Role
from ethos.core.rules.matcher import Rules
from ethos.core.rules.rule import Rule
from tests.support import proven

NEEDED = ("core-en/", "tastes-en/preference.i-love", "tastes-en/preference.i-hate")  # all that the tests' sentences need: quickly made


@cache
def rules(*, times: float = 1.0, without: Kind | None = None, roles: tuple[Role, ...] = ("user",)) -> Rules:
    """Those of the shipped rules that are needed here, as a later version: as sure as `times` says, blind to one kind of claims, and
    reading what these say: of others than the user it only asks.
    """
    shipped = proven.rules()
    packs = [
        replace(pack, rules=tuple(_later(rule, times, roles) for rule in pack.rules if _stays(rule, without))) for pack in shipped.packs
    ]
    return Rules(
        packs, shipped.modifiers, shipped._classes, hash=f"{times} {without} {roles}", forms=shipped._forms, derived=shipped.derived
    )


def _stays(rule: Rule, without: Kind | None) -> bool:
    return rule.id.startswith(NEEDED) and rule.kind != without


def _later(rule: Rule, times: float, roles: tuple[Role, ...]) -> Rule:
    return replace(rule, version=rule.version + (times != 1.0), roles=roles, confidence=min(1.0, round(rule.confidence * times, 2)))
