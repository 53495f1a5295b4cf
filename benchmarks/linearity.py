"""Linearity: what a text of twice the length costs, for texts of several shapes, up to a million characters (property 12)."""

from __future__ import annotations

from pathlib import Path

from benchmarks.measure import Goal, Measured, Sizes, processor_seconds
from benchmarks.place import shipped
from ethos.core.model.records import Origin

TWICE = Goal(at_most=2.5)
# What the text is made of, over and over.
SHAPES = {
    "prose, one line": "we went to the market and bought some fish for dinner with the neighbours, ",
    "prose, many lines": "We went to the market and bought some fish for dinner with the neighbours.\n",
    "claims, one line": "i love green tea, and we use postgres for storage; ",
    "claims, one line of sentences": "I love green tea. We use Postgres for storage. ",
    "claims, many lines": "I love green tea\nWe use Postgres for storage\n",
    "claims with a name, paragraphs": "i drive to work on the A4\n\n",
    "what ended, one line of sentences": "We sold the canoe. I gave up squash. ",
    "quotes, one line": 'i love "green tea" and we use "postgres", ',
    "hedges and claims, one line": "maybe i love green tea but i think we use postgres, i would say if ",
    "literals and no claims, one line": "use a instead of never i prefer my wife is ",
    "marks, one line": "i love tea...!?.. 1. e.g. ",
    "nothing but dots": ".",
    "ticks, one line": "i love ```` tea ` ",
    "lists and fences": "- i love tea\n> we use it\n```\nwe use it\n```\n1. [ ] we use it\n",
}


def run(sizes: Sizes, scratch: Path) -> list[Measured]:  # noqa: ARG001 (every benchmark has this form)
    """Each shape at half of the length and at the whole; the best of a few rounds, in processor time."""
    rules = shipped().rules
    found = []
    for name, unit in SHAPES.items():
        text = "i love tea " + unit * (sizes.text // len(unit)) + " we use postgres"
        half = "i love tea " + unit * (sizes.text // len(unit) // 2) + " we use postgres"

        def read(text: str) -> None:
            rules.claims(text, role="user", speaker="user", origin=Origin.USER)

        read(half[:2_000])  # patterns are compiled when they are first needed
        pairs = [(processor_seconds(read, half), processor_seconds(read, text)) for _ in range(sizes.text_rounds)]
        once, twice = (min(column) for column in zip(*pairs, strict=True))
        what = f"{name}, {len(text):,} characters ({twice:.2f} s)"
        found.append(Measured("linearity", what, twice / once, "x", f"half of it, {once:.2f} s", TWICE))
    return found
