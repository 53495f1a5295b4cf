"""Render what would be forgotten and what was."""

from __future__ import annotations

from ethos.core.model.record_types import by_descriptor
from ethos.edge.jsonio.shapes import Json
from ethos.edge.render import report

SHOWN = 40  # lines of what would be forgotten


def rehearsed(data: Json) -> list[str]:
    """Render what would be forgotten."""
    if not data["shown"]:
        return ["nothing that is held has these words; with --yes they are looked for in the files all the same"]
    shown = [report.clean(line, 200) for line in data["shown"]]
    left = len(shown) - SHOWN + data.get("left_out", 0)
    more = [f"... and {report.plural(left, 'more line')}; --json has them"] if left > 0 else []
    return [*shown[:SHOWN], *more, f"would go: {_counted(data)}"]


def receipt(data: Json) -> list[str]:
    """Render what was forgotten, and the result of the search for it afterwards."""
    scan, lines = data["scan"], [f"forgotten: {_counted(data)}"]
    looked = f"looked for {report.plural(data['sought'], 'piece')} in {report.plural(scan['files'], 'file')} ({report.size(scan['bytes'])})"
    found = sum(scan["found"].values()) + data["index"]
    lines.append(
        f"{looked}: {found:,} found"
        + (
            f"; {report.plural(data['copies'], 'copy of the store was made anew', 'copies of the store were made anew')}"
            if data["copies"]
            else ""
        )
    )
    lines += [f"  taken out of {report.clean(path)}" for path in data["changed"]]
    lines += [
        report.paint(f"  still in {report.clean(path)}: {report.plural(count, 'time')}", "yellow") for path, count in scan["found"].items()
    ]
    lines += [report.paint(f"  still in the index: {report.plural(data['index'], 'word')}", "yellow")] if data["index"] else []
    for problem in data["problems"]:
        lines += ["  " + line for line in report.complaint(problem).removeprefix("ethos: ").split("\n")]
    return [*lines, f"receipt {data['run']} {report.moment(data['at'])} {data['seal'][:16]}"]


def _counted(data: Json) -> str:
    counts = data["counts"]
    said = [report.plural(counts[f"{name}s"], name) for name in ("episode", "fact", "question")]
    said += [
        f"{report.plural(counts[name], 'fact')} {words}"
        for name, words in (("rescored", "kept on other evidence"), ("revived", "held again"))
        if counts[name]
    ]
    kinds = {kind.table: kind.name for kind in by_descriptor() if kind.text or kind.shown}
    said += [report.plural(count, name, _many(name)) for table, count in counts.items() if (name := kinds.get(table))]
    return ", ".join(said)


def _many(name: str) -> str:
    return name[:-1] + "ies" if name.endswith("y") else name + "s"
