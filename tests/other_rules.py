"""Rules that read the same turns otherwise, for what is read anew once the rules have changed."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from ethos.core.matching import Rules
from ethos.core.records import Kind
from ethos.core.rule import Rule
from tests import proven

NEEDED = ("core-en/", "people-en/preference.i-love", "people-en/preference.i-hate")  # all that the tests' sentences need: quickly made


@cache
def rules(*, times: float = 1.0, without: Kind | None = None) -> Rules:
    """Those of the shipped rules that are needed here, as a later version: as sure as `times` says, and blind to one kind of claims."""
    shipped = proven.rules()
    packs = [replace(pack, rules=tuple(_later(rule, times) for rule in pack.rules if _stays(rule, without))) for pack in shipped.packs]
    return Rules(packs, shipped.modifiers, shipped._classes, hash=f"{times} {without}", forms=shipped._forms)


def _stays(rule: Rule, without: Kind | None) -> bool:
    return rule.id.startswith(NEEDED) and rule.kind != without


def _later(rule: Rule, times: float) -> Rule:
    return replace(rule, version=rule.version + (times != 1.0), confidence=min(1.0, round(rule.confidence * times, 2)))
