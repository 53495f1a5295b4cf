"""Write a counter-example into a rule file: the text that a rule misread, and an antipattern that excludes it.

tomlkit edits the file, so comments and layout stay. If the rule is in the file, it gets the antipattern and the example; otherwise an
[[override]] in the file does. The result is loaded beside all other packs before it replaces the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import tomlkit
from tomlkit.items import AoT, Array, Table

from ethos.core.model.errors import refuse
from ethos.core.model.records import Origin, Role
from ethos.core.rules.rule import Rule
from ethos.core.text.sentences import fold, mask, sentences
from ethos.edge.files import folders
from ethos.edge.rulebook.loading import Rulebook, files_of, load
from ethos.edge.rulebook.packs import SCHEMA

_REASON = "rejected in the inbox"

_ESCAPED = re.compile(r"\\(.)")
_SPECIAL = re.compile(r"[\\.^$*+?{}\[\]|()]")


class Misread(NamedTuple):
    """A text and the span that a rule misread: text[start:end]."""

    text: str
    start: int
    end: int
    role: Role


def _counter_example(rule: Rule, misread: Misread) -> tuple[str, str]:
    """Return the sentence as written, and an antipattern that matches exactly the words that the rule read in it."""
    masked = mask(fold(misread.text))
    line = masked.rfind("\n", 0, misread.start) + 1
    place = next((each for each in sentences(masked, line) if each.start <= misread.start and misread.end <= each.end), None)
    start, end = (place.start, place.end) if place else (misread.start, misread.end)
    words = masked[misread.start : misread.end]
    if not words.strip():
        raise refuse("usage", f"{rule.id} read nothing here that could be kept from it", hint="ethos rules explain, with the text")
    pattern = _SPECIAL.sub(r"\\\g<0>", words)
    return misread.text[start:end].strip(), (r"\b" if words[0].isalnum() else "") + pattern + (r"\b" if words[-1].isalnum() else "")


def add(path: Path, rule: Rule, misread: Misread, in_force: Sequence[Path], cache: Path) -> bool:
    """Write a counter-example into this file, created if missing; return False if the file has it already.

    in_force: the files and folders that are loaded; a file that is not among them is loaded last. Raises Refused and leaves the file
    unchanged if the rule would still read these words, or the pack would not load.
    """
    text, pattern = _counter_example(rule, misread)
    files = list(dict.fromkeys(files_of(in_force)))
    before = path.read_bytes() if path.exists() else b""
    document = tomlkit.parse(before.decode("utf-8")) if before else _new(rule, _free_name(in_force, cache))
    here = str(document.get("pack", "")) == rule.id.partition("/")[0]
    holder = _own(document, rule) if here else _override(document, rule)
    if any(str(example.get("text")) == text for example in _list(holder, "example", here)):
        return False
    _append(holder, "unless", {"pattern": pattern, "reason": _REASON}, here)
    _append(holder, "example", {"text": text, "want": [], "why": _REASON}, here)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = path.with_name(path.name + ".draft")
    draft.write_text(tomlkit.dumps(document), encoding="utf-8")
    try:
        sources = [draft if each == path else each for each in files] if path in files else [*files, draft]
        _check_result(load(sources, cache=cache, in_use=False), rule, misread, draft, path)
        if before and path.read_bytes() != before:
            raise refuse("busy", f"{path} was changed meanwhile", hint="say it again")
        folders.sync(draft)
        draft.replace(path)
        folders.sync(path.parent)
    finally:
        draft.unlink(missing_ok=True)
    return True


def remove(path: Path, said: Callable[[str], bool]) -> list[str]:
    """Remove learned counter-examples and antipatterns for which `said` returns True; return what was removed. Raises OSError.

    Entries that a person wrote are never touched.
    """
    document = tomlkit.parse(path.read_text("utf-8"))
    gone: list[str] = []
    for name, here in (("rule", True), ("override", False)):
        for holder in document.get(name, ()):
            for entries, words, reason in (("example", "text", "why"), ("unless", "pattern", "reason")):
                held = _list(holder, entries, here)
                for at in reversed(range(len(held))):
                    entry = held[at]
                    plain = _ESCAPED.sub(r"\1", str(entry.get(words, "")).replace(r"\b", ""))
                    if entry.get(reason) == _REASON and said(plain):
                        gone.append(str(entry[words]))
                        del held[at]
    if gone:
        draft = path.with_name(path.name + ".draft")
        draft.write_text(tomlkit.dumps(document), encoding="utf-8")
        draft.chmod(path.stat().st_mode & 0o777)
        folders.sync(draft)
        draft.replace(path)
        folders.sync(path.parent)
    return gone


def _check_result(book: Rulebook, rule: Rule, misread: Misread, draft: Path, path: Path) -> None:
    """Raise Refused if the pack would not load, or the rule would still read these words."""
    for problem in book.problems:
        if problem.fatal and problem.path == str(draft):
            raise refuse(
                "bad-input", f"the counter-example does not fit: {problem.what}", hint=f"ethos rules check {path}", where=str(path)
            )
    claims = book.rules.claims(misread.text, role=misread.role, speaker="speaker", origin=Origin.OPERATOR)
    if any(claim.rule == rule.id and claim.start < misread.end and misread.start < claim.end for claim in claims):
        hint = "write an `unless` of your own: rules/README.md"
        raise refuse("bad-input", f"{rule.id} would still read {misread.text[misread.start : misread.end]!r}", hint=hint)


def _free_name(in_force: Sequence[Path], cache: Path) -> str:
    """Return a name that no other pack has."""
    taken = {pack.name for pack in load(in_force, cache=cache, in_use=False).packs}
    return next(name for number in range(len(taken) + 1) if (name := f"local-{number}" if number else "local") not in taken)


def _new(rule: Rule, name: str) -> tomlkit.TOMLDocument:
    document = tomlkit.document()
    document.add(tomlkit.comment("What was learned from answers in the inbox. Yours to change: rules/README.md says how."))
    document["schema"] = SCHEMA
    document["pack"] = name
    document["version"] = "0.1.0"
    document["extends"] = [rule.id.partition("/")[0]]
    document.add(tomlkit.nl())
    return document


def _own(document: tomlkit.TOMLDocument, rule: Rule) -> Any:
    name = rule.id.partition("/")[2]
    found = next((each for each in document.get("rule", ()) if each.get("id") == name), None)
    if found is None:
        raise refuse("not-found", f"there is no rule {rule.id} in this file", hint="ethos rules check")
    return found


def _override(document: tomlkit.TOMLDocument, rule: Rule) -> Any:
    """Return the override of the rule, created if missing."""
    overrides = document.get("override")
    if overrides is None:
        overrides = document["override"] = tomlkit.aot()
    found = next((each for each in overrides if each.get("id") == rule.id), None)
    if found is None:
        pack, extends = rule.id.partition("/")[0], document.get("extends")
        if isinstance(extends, Array) and pack not in extends:
            extends.append(pack)
        table = tomlkit.table()
        table["id"] = rule.id
        table["expect"] = rule.version
        if len(overrides):
            overrides[-1].add(tomlkit.nl())
        overrides.append(table)
        found = overrides[-1]
    return found


def _list(holder: Any, name: str, here: bool) -> Any:
    """Return the examples, or antipatterns, in a rule or added by an override."""
    held = holder.get(name, ())
    return held if here else held.get("add", ()) if held else ()


def _append(holder: Any, name: str, entry: dict[str, Any], here: bool) -> None:
    held = _list(holder, name, here)
    if isinstance(held, AoT):
        held.append(tomlkit.item(entry))
    elif isinstance(held, Array):
        held.append(_inline(entry))
        held.multiline(True)
    elif here:
        entries = tomlkit.aot()
        table = tomlkit.table()
        for key, value in entry.items():
            table[key] = value
        entries.append(table)
        holder[name] = entries
    else:
        entries_of = tomlkit.array()
        entries_of.append(_inline(entry))
        entries_of.multiline(True)
        if isinstance(held := holder.get(name), Table):
            held["add"] = entries_of
        else:
            holder.append(tomlkit.key([name, "add"]), entries_of)


def _inline(entry: dict[str, Any]) -> Any:
    table = tomlkit.inline_table()
    for key, value in entry.items():
        table[key] = value if key != "pattern" or "'" in value else tomlkit.string(value, literal=True)
    return table
