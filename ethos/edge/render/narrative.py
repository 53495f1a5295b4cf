"""Render the narrative of an episode: its chains in the order of time, and what belongs with it besides."""

from __future__ import annotations

from ethos.edge.jsonio.shapes import Json
from ethos.edge.render.report import clean, day, moment, paint, recalled

LONGEST = 400  # characters of a text
_WHY = {"session": "the same session", "words": "alike in words", "tags": "tags in common", "topic": "the same topic, shortly before"}


def lines(data: Json) -> list[str]:
    """Return the lines: a block for each chain, then the turns around."""
    told: list[str] = []
    for chain in data["chains"]:
        told.append(paint(f"{clean(chain['narrative_id'])}, {day(chain['steps'][0]['said_at'])}", "bold"))
        told += [line for step in chain["steps"] for line in _step(step)]
        told.append("")
    if not data["chains"]:
        told += ["no chain: no night has found it in one", ""]
    around = recalled({"hits": data["around"]}) if data["around"] else ["nothing else belongs with it"]
    return [*told, paint("belongs with it:", "bold"), *around]


def _step(step: Json) -> list[str]:
    leads = f"leads on, {step['strength']:.2f}, {_WHY[step['relation']]}" if step["strength"] is not None else "the breakthrough"
    said = f"{moment(step['said_at'])} · {clean(step['speaker'], 60)} · {leads} · {clean(step['episode'])}"
    return [f"  {clean(step['text'], LONGEST)}", "    " + paint(said, "dim")]
