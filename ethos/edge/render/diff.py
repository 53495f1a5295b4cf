"""Render differences as lines: what a run changed, what an undo reversed, what a dry run would change."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ethos.edge.jsonio.objects import Json
from ethos.edge.render.report import clean, consolidated, day, moment, paint, plural, slept

_TIMES = (("true_from", "true since"), ("true_to", "true until"), ("said_again", "said again"))
_STATES = (
    ("retired", "retired", "held again"),
    ("in_question", "in question", "no longer in question"),
)
_REPLAYED = {"consolidated_salience_score": "salience", "consolidated_importance": "importance", "breakthrough_score": "breakthrough"}
_STYLES = {"+": "green", "-": "red", "?": "yellow"}


def of_run(data: Json) -> list[str]:
    """Render the answer of `diff`."""
    run = data["run"]
    reason = f" ({clean(run['reason'], 60)})" if run["reason"] else ""
    head = f"{clean(run['id'])}  {clean(run['name'])}{reason}, {moment(run['started_at'])}"
    undone = [f"undone by {clean(run['undone_by'])}"] if run["undone_by"] else []
    problem = [paint(clean(run["problem"]), "yellow")] if run["problem"] else []
    return [paint(head, "bold"), *undone, *problem, *(lines(data["differences"]) or ["no fact and no question changed"])]


def of_undo(data: Json) -> list[str]:
    """Render the answer of `undo`: the same, with what to do next."""
    asked = sum(each["type"] == "question" and each["changed"].get("open", [None, None])[1] is True for each in data["differences"])
    hints = [f"{asked} to be answered -> ethos inbox"] if asked else []
    left = data.get("left_out", 0)
    hints += [f"... and {plural(left, 'more difference')} -> ethos diff {clean(data['run']['id'])}"] if left else []
    return [*of_run(data), *hints, paint(f"to take this back: ethos undo {clean(data['run']['id'])}", "dim")]


def rehearsed(data: Json) -> list[str]:
    """Render the answer of a dry run: the lines that `diff` would give for the real run."""
    counts = consolidated(data)[0]
    return [*(lines(data["differences"]) or ["nothing would change"]), f"dry run, nothing was written: {counts}"]


def rehearsed_night(data: Json) -> list[str]:
    """Render the answer of a dry run of a night."""
    return [*(lines(data["differences"]) or ["nothing would change"]), f"dry run, nothing was written: {slept(data)[0]}"]


def lines(differences: list[Json]) -> list[str]:
    """Render each difference as one line."""
    return [_line(each) for each in differences]


def _line(each: Json) -> str:
    sign, changed = each["sign"], each["changed"]
    words = " | ".join(clean(part, 300) for part in each["text"].split(" | "))
    said = " ".join(filter(None, (paint(sign, _STYLES.get(sign, "dim")), clean(each["id"]), _first(each, changed, words))))
    told = [*_DETAILS.get(each["type"], _record)(changed)]
    if each["episodes"]:
        told.append("read in " + ", ".join(clean(episode) for episode in each["episodes"]))
    return said + (paint("  " + "; ".join(told), "dim") if told else "")


def _first(each: Json, changed: Json, words: str) -> str:
    if each["type"] == "salience":
        return ", ".join(_salience(changed))
    before, after = changed.get("confidence", [None, None])
    sure = f" ({after:.2f})" if before is None and after is not None else f" ({before:.2f} -> {after:.2f})" if after is not None else ""
    return words + sure


def _salience(changed: Json) -> Iterator[str]:
    if "faded" in changed:
        yield "faded" if changed["faded"][1] else "no longer faded"
    for name, said in _REPLAYED.items():
        if name in changed:
            before, after = (None if value is None else f"{value:.2f}" for value in changed[name])
            yield f"no {said}" if after is None else f"{said} {after}" if before is None else f"{said} {before} -> {after}"


def _fact(changed: Json) -> Iterator[str]:
    statement, _ = changed.get("statement", [None, None])
    if statement:
        yield f'was "{clean(statement, 300)}"'
    old, successor = changed.get("superseded_by", [None, None])
    if old or successor:
        yield f"superseded by {clean(successor)}" if successor else f"no longer superseded by {clean(old)}"
    for name, said in _TIMES:
        before, after = changed.get(name, [None, None])
        if after and (before or name != "true_from"):
            yield f"{said} {day(after)}"
    for name, now, no_longer in _STATES:
        if name in changed:
            yield now if changed[name][1] else no_longer


def _question(changed: Json) -> Iterator[str]:
    before, after = changed.get("open", [None, None])
    if after is not None:
        yield ("asked" if before is None else "asked again") if after else f"closed: {_how(changed)}"
    if "heard_again" in changed:
        yield f"heard again, {plural(changed['heard_again'][1] or 0, 'time')} in all"


def _record(changed: Json) -> Iterator[str]:
    """Render the changed fields of a record of any other type."""
    for name, (before, after) in changed.items():
        if name == "text":
            yield f'was "{clean(before, 300)}"'
        elif before is None:
            yield f"{name}: {clean(str(after), 100)}"
        else:
            yield f"{name}: {clean(str(before), 100)} -> {'none' if after is None else clean(str(after), 100)}"


def _profile(changed: Json) -> Iterator[str]:
    """Render how many facts a profile gained and lost; `ethos profile` shows them with their words."""
    before, after = (set(filter(None, (value or "").split(", "))) for value in changed.get("facts", [None, None]))
    for facts, said in ((after - before, "gained"), (before - after, "lost")):
        if facts:
            yield f"{said} {plural(len(facts), 'fact')}"


_DETAILS: dict[str, Callable[[Json], Iterator[str]]] = {
    "fact": _fact,
    "question": _question,
    "salience": _question,
    "profile": _profile,
}


def _how(changed: Json) -> str:
    by = clean(changed.get("closed_by", [None, ""])[1] or "")
    answer = changed.get("answer", [None, None])[1]
    return f"answered {clean(answer)} through the {by}" if answer else by
