"""Render results and problems as text, exit codes and JSON, from the data of the socket's answers, with a daemon or without.

Hot commands print through here, so it imports only what Python loads at its start anyway.
"""

from __future__ import annotations

import os
import sys

from ethos.core.model.counts import CYCLE_COUNTS
from ethos.core.text.night_counts import counted
from ethos.core.text.plurals import plural as plural  # noqa: PLC0414 (callers say report.plural)
from ethos.edge.jsonio import quickjson
from ethos.edge.render.scope import untold

Json = dict[str, object]  # not from jsonio/objects.py: hot commands do not load `typing`

DONE, FAILED, USAGE, NEEDS_PERSON = 0, 1, 2, 3
_CODES = {"usage": USAGE, "needs-person": NEEDS_PERSON}
_SHOWN_PROBLEMS = 20
_SHOWN_OUTDATED = 3  # facts of a turn that are held no more

# invisible characters for which `str.isprintable` is true: fillers, joiners, blank Braille, variation selectors
_UNSEEN = frozenset(
    map(chr, (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), 0x2800, 0x3164, *range(0xFE00, 0xFE10), 0xFFA0))
) | frozenset(map(chr, range(0xE0100, 0xE01F0)))
_STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33"}


def clean(text: object, length: int = 2_000) -> str:
    """Return a text fit for a terminal (`core.text.escaping.plain`, loaded only for more than plain letters)."""
    shown = " ".join(str(text).split())
    if shown.isascii():
        if shown.isprintable():
            return shown if len(shown) <= length else shown[:length].rstrip() + "..."
    elif shown.isprintable() and _UNSEEN.isdisjoint(shown) and len(shown) <= length:
        return shown
    from ethos.core.text import escaping  # noqa: PLC0415 (its regex module costs as much as starting Python; most texts need none)

    return escaping.plain(str(text), length)


def clean_line(line: str) -> str:
    """Clean a line whose spaces count, such as one with a caret under it."""
    return "".join(sign if sign.isprintable() and sign not in _UNSEEN else " " for sign in line.expandtabs(4))


def coloured(stream: object) -> bool:
    """Return True if this stream is a terminal that wants colours (NO_COLOR, TERM=dumb)."""
    isatty = getattr(stream, "isatty", None)
    return bool(isatty and isatty()) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def paint(text: str, *styles: str) -> str:
    """Return the text in these styles if standard output is a terminal that wants colours."""
    if not coloured(sys.stdout):
        return text
    return f"\x1b[{';'.join(_STYLES[style] for style in styles)}m{text}\x1b[0m"


def as_json(data: object) -> str:
    """Return one line of ASCII JSON."""
    return quickjson.encode(data)


# -- problems


def complaint(error: Json) -> str:
    """Render a problem (code, message, hint, where) in one or two lines."""
    where, message, hint = (clean(error.get(name) or "") for name in ("where", "message", "hint"))
    said = f"{where}: {message}" if where and where not in message else message
    return f"ethos: {said}" + (f"\n  -> {hint}" if hint else "")


def exit_code(error: Json) -> int:
    """Return the exit code of a command that ended with this problem."""
    return _CODES.get(str(error.get("code")), FAILED)


def failed(error: object, *, json_wanted: bool, command: str = "") -> int:
    """Print the problem on standard error, as JSON on standard output too if that is wanted; return the exit code.

    command: as typed. Used if the hint is about the socket, which takes the same requests in another form.
    """
    told: Json = dict(error) if isinstance(error, dict) else {"code": "daemon", "message": str(error)}
    if command and str(told.get("hint")).startswith("send {"):
        told["hint"] = f"ethos {command} --help"
    print(complaint(told), file=sys.stderr)
    if json_wanted:
        print(as_json({"error": told}))
    return exit_code(told)


# -- results, each as lines


def captured(data: Json) -> list[str]:
    """Render the counts of a capture, then what could not be read, each with its file and line."""
    changed, skipped, notes = _list(data, "changed"), _dict(data, "skipped"), _dict(data, "notes")
    said = [f"{_count(data, 'added')} added", f"{_count(data, 'known')} already known"]
    if skipped:
        said.append(f"{_sum(skipped)} skipped")
    if total := _int(data, "problems_total"):
        said.append(paint(f"{total:,} with problems", "yellow"))
    lines = [", ".join(said) + f" ({plural(_int(data, 'files'), 'file')})"]
    lines += [f"  skipped: {clean(reason)} ({number})" for reason, number in sorted(skipped.items())]
    lines += [f"  noted: {clean(what)} ({number})" for what, number in sorted(notes.items())]
    if masked := _dict(data, "masked"):
        shown = ", ".join(f"{clean(form)} {number}" for form, number in sorted(masked.items()))
        lines.append(f"  secrets masked before anything was written: {shown}")
    if changed:
        shown = ", ".join(clean(each) for each in changed[:3]) + (" ..." if len(changed) > 3 else "")
        lines.append(f"  {len(changed)} held already with another text, and left as they were: {shown}")
    problems = _list(data, "problems")
    for problem in problems[:_SHOWN_PROBLEMS]:
        lines += ["  " + line for line in complaint(problem).removeprefix("ethos: ").split("\n")]
    if total > _SHOWN_PROBLEMS:
        lines.append(f"  ... and {total - _SHOWN_PROBLEMS:,} more")
    return lines


def capture_code(data: Json) -> int:
    """Return 1 if something could not be read; the rest is stored."""
    return FAILED if _int(data, "problems_total") else DONE


_FROM = {"external": "from outside: no word of yours", "tool": "a tool printed it", "assistant": "the assistant said it"}


def recalled(data: Json) -> list[str]:
    """Render hits, best first: the text, and where it was said."""
    hits = _list(data, "hits")
    if not hits:
        return ["nothing found", *unknown_project(data), *other_users(data)]
    lines = unknown_project(data)
    for number, hit in enumerate(hits, 1):
        about = untold(hit.get("text", ""), hit.get("slot", ""))
        scope = f"  [{clean(about, 40)}]" if about else ""
        lines.append(f"{number:>3}  {paint(clean(hit.get('text', hit['id']), 400), 'bold')}{scope}")
        said = [hit["type"], hit["id"], day(hit["said_at"])]
        if hit["episode"] and hit["episode"] != hit["id"]:
            said.append(f"said in {hit['episode']}")
        said += [_FROM[hit["origin"]]] if hit.get("origin") in _FROM else []
        said += [f"project {hit['project']}"] if hit.get("project") not in {None, "", "default"} else []
        said += [f"session {hit['session']}"] if hit["session"] else []
        said += [f"superseded by {hit['replaced_by']}"] if hit.get("replaced_by") and not hit.get("outdated") else []
        flagged = " · " + paint("flagged: in question -> ethos inbox", "yellow") if hit.get("flagged") else ""
        lines.append("     " + paint(" · ".join(clean(each, 120) for each in said), "dim") + flagged)
        lines += _outdated(hit)
        if parts := _dict(hit, "parts"):
            lines.append("     " + paint(f"{hit['score']:.2f} = " + " ".join(f"{name} {part:+.2f}" for name, part in parts.items()), "dim"))
    return lines


def _outdated(hit: Json) -> list[str]:
    """Render what a turn says and is held no more, with what is held in its place."""
    told = []
    for each in _list(hit, "outdated")[:_SHOWN_OUTDATED]:
        now = f"superseded by {clean(each['by'])}: {clean(each['now'], 200)}" if each["by"] else "retired"
        told.append("     " + paint(f"no longer held: {clean(each['statement'], 200)} · {now}", "dim"))
    return told


def sessions(data: Json) -> list[str]:
    """Render sessions, best first: where and when, then the best of what was said there."""
    found = _list(data, "sessions")
    lines = unknown_project(data) if found else ["nothing found", *unknown_project(data), *other_users(data)]
    for number, each in enumerate(found, 1):
        project = f" · project {clean(each['project'], 60)}" if each["project"] not in {"", "default"} else ""
        lines.append(f"{number:>3}  {paint('session ' + clean(each['session'], 120), 'bold')} · {day(each['said_at'])}{project}")
        for hit in each["hits"]:
            flagged = " · " + paint("flagged: in question -> ethos inbox", "yellow") if hit["flagged"] else ""
            lines += [
                f"     {clean(hit.get('text', ''), 200)}",
                "     " + paint(f"{hit['type']} · {clean(hit['id'], 120)}", "dim") + flagged,
                *_outdated(hit),
            ]
    return lines


def unknown_project(data: Json) -> list[str]:
    """Render that nothing was ever said in the project that was asked for; what is shown besides holds everywhere."""
    if not (unknown := data.get("unknown_project")):
        return []
    return [paint(f'no project is called "{clean(unknown, 60)}" -> ethos projects', "yellow")]


def other_users(data: Json) -> list[str]:
    """Render, if nothing was found, that all facts belong to other users than the configured one."""
    if not (found := _dict(data, "elsewhere")):
        return []
    whose = ", ".join(f'"{clean(other, 60)}"' for other in _list(found, "others")[:3])
    said = f'nothing is held for user "{clean(found.get("user"), 60)}"; {plural(_int(found, "facts"), "fact")} for others, such as {whose}'
    return [f"{said} -> set [ethos] user; `ethos doctor` names the configuration"]


def status(data: Json) -> list[str]:
    """Render the memory in numbers."""
    counts, store, daemon = _dict(data, "counts"), _dict(data, "store"), data.get("daemon")
    numbers = {name: f"{number:,}" for name, number in counts.items()}
    runs = _list(data, "runs")
    told = [
        ("memory", f"{clean(store.get('path'))}  ({size(store.get('bytes'))}, SQLite {clean(store.get('sqlite_version'))})"),
        ("daemon", _daemon(daemon)),
        ("episodes", f"{numbers['episodes']} held, {numbers['unscanned']} to be read, {numbers['set_aside']} set aside"),
        ("facts", f"{numbers['facts']} held, {numbers['facts_history']} superseded or retired, {numbers['flagged']} in question"),
        ("questions", f"{numbers['questions']} open" + (" -> ethos inbox" if counts["questions"] else "")),
        ("last event", f"{moment(data.get('last_event')) or 'none captured live'}; {data.get('events_recently')} recently"),
        ("last run", _run(runs[0]) if runs else "none yet -> ethos consolidate"),
        *(("failed", _run(run)) for run in runs[1:] if run.get("problem")),
        ("rules", _rules(data)),
        ("audit", f"{plural(_int(store, 'audit_rows'), 'run')}, head {clean(store.get('audit_head'))[:16]}"),
        ("model calls", str(data.get("model_calls"))),
    ]
    lines = [f"{paint(f'{name:<12}', 'dim')} {words}" for name, words in told]
    waiting = _list(data, "unread_important")
    if waiting:
        lines.append(paint("most important of those to be read", "dim"))
        lines += [f"  {importance:.2f}  {clean(episode)}  {clean(text, 80)}" for episode, importance, text in waiting]
    return lines


def runs(data: Json) -> list[str]:
    """Render the last runs, newest first: what each did, and whether it was undone."""
    return [_run(run) for run in _list(data, "runs")] or ["none yet -> ethos consolidate"]


def _rules(data: Json) -> str:
    """Render the number of packs in use, and the first problem with them."""
    problems = _list(data, "rule_problems")
    said = f"{plural(_int(data, 'rule_packs'), 'pack')} ({clean(data.get('rules'))})"
    return said + (f"\n{'':<13}" + paint(f"{clean(problems[0])} ({len(problems)}) -> ethos rules check", "yellow") if problems else "")


def _daemon(told: object) -> str:
    if not isinstance(told, dict):
        return "not running -> ethos run"
    said = f"process {told.get('pid')} since {moment(told.get('started_at'))}"
    if told.get("running"):
        said += ", at work"
    elif told.get("idle") is False:
        said += f", waiting: {'; '.join(clean(each) for each in _list(told, 'why_not_idle'))}"
    if isinstance(due := told.get("due_in_seconds"), int):
        said += f"; next cycle due in {max(0, due) // 60} min" if due > 60 else "; a cycle is due"
    said += f"\n{'':<13}at {clean(told.get('socket'))}"
    if follow := _list(told, "follow"):
        said += f"\n{'':<13}follows {', '.join(clean(path) for path in follow)}"
    for name, trouble in _dict(told, "degraded").items():
        said += f"\n{'':<13}" + paint(f"{clean(name)}: {clean(trouble)}", "yellow")
    if told.get("reload_problem"):
        said += f"\n{'':<13}" + paint(f"not reloaded: {clean(told['reload_problem'])}", "yellow")
    return said


def consolidated(data: Json) -> list[str]:
    """Render the counts of a cycle (E-28), and what to look at next."""
    counts = {name: _int(data, name) for name in CYCLE_COUNTS}
    lines = [_cycle(counts)]
    if not counts["episodes_scanned"]:
        lines.append("  nothing is left to read -> ethos capture PATH brings in more")
    if any(number for name, number in counts.items() if name.startswith("facts_")):
        lines.append("  what changed -> ethos diff")
    if counts["facts_flagged"]:
        lines.append("  which one holds is for you to say -> ethos inbox")
    return lines


def _cycle(counts: dict[str, int]) -> str:
    """Render E-28's counts for a person: each claim that was taken is in one of the last four."""
    numbers = {name.partition("_")[2]: counts.get(name, 0) for name in CYCLE_COUNTS}
    said = [f"{numbers['created']:,} new", f"{numbers['updated']:,} confirmed or refined", f"{numbers['superseded']:,} superseding another"]
    return (
        f"{numbers['scanned']:,} read, {numbers['promoted']:,} gave facts: {', '.join(said)}, {numbers['flagged']:,} contradicting another"
    )


def slept(data: Json) -> list[str]:
    """Render the counts of a night, and what to look at next."""
    head = f"night of {clean(data['date'])}: {plural(_int(data, 'changes'), 'change')}"
    if said := clean(counted(_dict(data, "counts")), 600):
        head += f"; {said}"
    if data.get("stopped"):
        head += "; it was interrupted, and is still due"
    problem = [paint(clean(data["problem"]), "yellow")] if data.get("problem") else []
    if data.get("dry_run"):
        return [head, *problem]
    back = [f"  to take it back -> ethos undo {clean(data['run'])}"] if _int(data, "changes") else []
    return [head, *problem, f"  what it did -> ethos report {clean(data['run'])}", *back]


def settled(applied: int) -> list[str]:
    """Render the number of answers from the review file; nothing if there were none."""
    return [f"{plural(applied, 'answer')} taken from the review file"] if applied else []


def answered(data: Json) -> list[str]:
    """Render the result of an answer, and how to undo it."""
    back = [paint(f"to take this back: ethos undo {clean(data['run'])}", "dim")] if data.get("run") else []
    return [f"{clean(data.get('question'))}: {clean(data.get('text') or data.get('action'))}", *back]


def retired(data: Json) -> list[str]:
    """Render the result of a retirement or a correction, and how to undo it."""
    now = [f"held now: {clean(each['id'])}: {_with_slot(each)}" for each in _list(data, "now")]
    ended = [f"these words end, too: {clean(each['id'])}: {_with_slot(each)}" for each in _list(data, "ended")]
    asked = [f"a question is open: {clean(each['id'])}: {_sides(each)} -> ethos inbox" for each in _list(data, "questions")]
    kept = ["what you said is a turn -> ethos consolidate"] if data["said"] and not now and not asked else []
    back = paint(f"to take this back: ethos undo {clean(data['run'])}", "dim")
    done = "superseded" if now else "retired"
    return [f"{clean(data['fact'])} is {done}: {_with_slot(data)}", *now, *ended, *asked, *kept, back]


def _sides(question: Json) -> str:
    """Return the two statements that a question is about; one of a claim that may not be held has one."""
    return " or ".join(f'"{clean(question[side])}"' for side in ("held", "new") if question[side])


def _with_slot(fact: Json) -> str:
    """Return a fact's statement with its slot in brackets, unless the statement names it."""
    statement, slot = clean(fact["statement"]), clean(fact["slot"], 40)
    return statement if slot in statement.casefold() else f"{statement}  [{slot}]"


def _run(run: Json) -> str:
    numbers: dict[str, int] = {name: number for name, number in _dict(run, "counts").items() if number}
    cycle = any(name in CYCLE_COUNTS for name in numbers)
    counts = _cycle(numbers) if cycle else clean(counted(numbers), 600)
    reason = f" ({clean(run['reason'], 60)})" if run.get("reason") else ""
    undone = f", undone by {clean(run['undone_by'])}" if run.get("undone_by") else ""
    problem = "\n" + " " * 13 + paint(clean(run["problem"], 300), "yellow") if run.get("problem") else ""
    return (
        f"{clean(run['id'])} {clean(run['name'], 60)} {moment(run['started_at'])} {clean(run['outcome'], 60)}{reason}"
        + (f": {counts}" if counts else "")
        + undone
        + problem
    )


# -- formats


def moment(iso: object) -> str:
    """Format a time: 2026-03-01T10:00:00Z -> 2026-03-01 10:00 UTC."""
    return f"{clean(iso[:10])} {clean(iso[11:16])} UTC" if isinstance(iso, str) else ""


def day(iso: object) -> str:
    """Format a date: 2026-03-01T10:00:00Z -> 2026-03-01."""
    return clean(iso[:10]) if isinstance(iso, str) else ""


def size(count: object) -> str:
    """Format a number of bytes."""
    left = float(count) if isinstance(count, int | float) else 0.0
    for unit in ("bytes", "KiB", "MiB"):
        if left < 1024:
            return f"{left:.0f} {unit}" if unit == "bytes" else f"{left:.1f} {unit}"
        left /= 1024
    return f"{left:.1f} GiB"


def _int(data: Json, name: str) -> int:
    value = data.get(name, 0)
    return value if isinstance(value, int) else 0


def _count(data: Json, name: str) -> str:
    return f"{_int(data, name):,}"


def _list(data: Json, name: str) -> list:  # type: ignore[type-arg]  # what the wire gave
    value = data.get(name)
    return value if isinstance(value, list) else []


def _dict(data: Json, name: str) -> dict:  # type: ignore[type-arg]  # what the wire gave
    value = data.get(name)
    return value if isinstance(value, dict) else {}


def _sum(counts: dict[str, int]) -> str:
    return f"{sum(counts.values()):,}"
