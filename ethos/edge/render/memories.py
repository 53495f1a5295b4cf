"""Render memories of the reasoning bank. Every text goes through `report.clean`."""

from __future__ import annotations

from collections.abc import Iterator

from ethos.edge.jsonio.objects import Json
from ethos.edge.render.report import clean, day, paint, plural


def proved(memory: Json) -> str:
    """Render how a memory proved itself, with its denominators: "worked 7 of 9, found helpful by 1 of 2"."""
    told = [f"worked {memory['worked']:,} of {memory['tried']:,}" if memory["tried"] else "not tried yet"]
    if memory["judged"]:
        told.append(f"found helpful by {memory['helped']:,} of {memory['judged']:,}")
    if memory.get("last"):
        told.append(f"last {day(memory['last'])}")
    return ", ".join([*told, f"served {plural(memory['usage_count'], 'time')}"])


def found(data: Json, *, here: bool = True) -> list[str]:
    """Render the answer of a search. here: in the folder's project only."""
    if not data["memories"]:
        nothing = "no memory of this project fits; to search all projects: --everywhere"
        return [nothing if here else "no memory fits -> ethos memory list --everywhere"]
    lines = [line for memory in data["memories"] for line in (*_head(memory), f"    {clean(memory['content'], 600)}")]
    more = data["total_found"] - len(data["memories"])
    return [*lines, *([f"{more:,} more"] if more else [])]


def _head(memory: Json) -> Iterator[str]:
    mark = paint("failed", "yellow") if memory["outcome"] == "failure" else memory["outcome"]
    yield f"{paint(clean(memory['title'], 80), 'bold')}  {clean(memory['id'])}"
    yield f"    {mark}, believed {memory['confidence']:.2f}, {proved(memory)}"


def recorded(data: Json) -> list[str]:
    """Render what was kept."""
    return [f"kept {clean(data['id'])}, believed {data['initial_confidence']:.2f}"]


def believed(data: Json) -> list[str]:
    """Render the new belief."""
    return [f"{clean(data['memory_id'])} is now believed {data['new_confidence']:.2f}"]


def consolidated(data: Json) -> list[str]:
    """Render what a consolidation did, or would do."""
    if data["skipped_reason"]:
        return [f"nothing done: {clean(data['skipped_reason'])} -> --force does it now"]
    created, archived = len(data["created_memories"]), len(data["archived_memories"])
    left = f"{data['skipped_count']:,} of {data['total_processed']:,} stay as they are"
    done = f"{'would merge' if data['dry_run'] else 'merged'} {plural(archived, 'memory', 'memories')} into {created:,}; {left}"
    nothing = f"nothing to merge among {plural(data['total_processed'], 'memory', 'memories')}"
    lines = [f"{clean(data['project'])}: {done if created else nothing}"]
    pairs = data["kept_apart"][:10]
    lines += [f"  kept apart: {clean(pair['one'])} and {clean(pair['other'])} ({clean(pair['why'])})" for pair in pairs]
    lines += [f"  the store refused one: {clean(why, 200)}" for why in data["failures"]]
    if created and not data["dry_run"]:
        lines.append(f"  what changed -> ethos diff {clean(data['run'])}; to take it back -> ethos undo {clean(data['run'])}")
    return lines


def listed(data: Json, *, here: bool = False) -> list[str]:
    """Render a list of memories. here: of the project that one is in."""
    nothing = (
        "no memories in this project; to list all projects: ethos memory list --everywhere"
        if here
        else "no memories yet -> ethos memory record"
    )
    return [line for memory in data["memories"] for line in _listed(memory)] or [nothing]


def _listed(memory: Json) -> Iterator[str]:
    state = "" if memory["state"] == "active" else f", {memory['state']}"
    title, *rest = _head(memory)
    yield f"{title}{state}  [{clean(memory['project'])}]"
    yield from rest


def shown(data: Json) -> list[str]:
    """Render everything about a memory."""
    memory = data["memory"]
    lines = [*_listed(memory), f"    {clean(memory['description'], 300)}", f"    {clean(memory['content'], 3_000)}"]
    tags = f", tags: {clean(', '.join(memory['tags']))}" if memory["tags"] else ""
    lines.append(f"    {maker(memory)} {day(memory['recorded_at'])}, words of {memory['origin']}, for the {memory['scope']}{tags}")
    lines.append(f"    began at {memory['initial_confidence']:.2f}, now {memory['confidence']:.2f}")
    for signal in data["signals"][-10:]:
        said = f": {clean(signal['comment'], 200)}" if signal["comment"] else ""
        lines.append(f"      {day(signal['at'])} {'+' if signal['positive'] else '-'} {signal['kind']}{said}")
    lines += [f"    made of {clean(source['id'])} {clean(source['title'], 80)}" for source in data["sources"]]
    if data["into"]:
        lines.append(f"    went into {clean(data['into']['id'])} {clean(data['into']['title'], 80)}")
    return lines


def maker(memory: Json) -> str:
    """Render how a memory was made."""
    return {"agent": "recorded", "rules": "made by rules", "model": "made by a language model"}[memory["maker"]]


def archived(data: Json) -> list[str]:
    """Render what was put out of use."""
    return [f"{clean(data['id'])} is out of use; to bring it back -> ethos undo {clean(data['run'])}"]


def accepted(data: Json) -> list[str]:
    """Render what was let out of quarantine."""
    back = f"; to take that back -> ethos undo {clean(data['run'])}" if data["run"] else ""
    return [f"{clean(data['id'])} is in use{back}"]
