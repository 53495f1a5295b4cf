"""Loading: the shipped packs with the proofs that come with a build, with those of an earlier load, and with neither."""

from __future__ import annotations

from pathlib import Path

import regex

from benchmarks.measure import Goal, Measured, Sizes, processor_seconds
from ethos.edge.rulebook import load, prove_shipped_packs, shipped_rules

QUICK = Goal(at_most=0.5)


def run(sizes: Sizes, scratch: Path) -> list[Measured]:
    """Processor time, the best of a few loads; examples are run where there is no proof."""
    shipped = shipped_rules()
    copy = scratch / "my-core-en.toml"  # a pack of somebody's own, so that no proof fits
    copy.write_text(regex.sub(r'(?m)^(pack *= ")', r"\1my-", (shipped / "core-en.toml").read_text("utf-8")), "utf-8")

    def cold(number: int) -> None:
        load([shipped], cache=scratch / f"empty-{number}")

    def unproved(number: int) -> None:
        load([copy], cache=scratch / f"unproved-{number}")

    def cached(_: int) -> None:
        load([shipped], cache=scratch / "empty-0")

    prove_shipped_packs()
    loads = (
        ("shipped packs, first load", cold, QUICK),
        ("shipped packs, a later load", cached, QUICK),
        ("first load of a copy of core-en, which nobody has proved", unproved, None),
    )
    best = [min(processor_seconds(each, number) for number in range(sizes.loads)) for _, each, _ in loads]
    return [Measured("loading", what, taken, "s", "", goal) for (what, _, goal), taken in zip(loads, best, strict=True)]
