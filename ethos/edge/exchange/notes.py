"""Notes: what is held as Markdown, a note for each subject, as Obsidian and basic-memory read it. For people; `lines` is for moving.

A note has front matter (`title`, `type`, `permalink`, `tags`), a list of observations, `- [kind] statement #slot (context)`, and a list
of relations, `- "predicate" [[Title]]`, where the object of a fact is the subject of another note. The context ends the line, as
basic-memory wants it, and holds confidence, time and the fact's id. What is no longer held stands under its own heading.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import regex

from ethos.core import defuse
from ethos.core.errors import refuse
from ethos.core.ids import digest
from ethos.core.records import Fact
from ethos.core.text import key, truncate

MARK = ".ethos-export"  # an empty file that says that the notes in this folder are ours to replace
_UNFIT = regex.compile(r"[^\p{L}\p{N} ._-]+")
_TAG = regex.compile(r"[^\p{L}\p{N}]+")


def write(folder: Path, facts: Iterable[Fact]) -> int:
    """Write a note for each subject into a folder of our own; how many. Raises `Refused` where the folder holds something else, OSError."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    mark = folder / MARK
    standing = [path for path in folder.iterdir() if path != mark]
    if standing and not mark.exists():
        raise refuse("usage", "the folder is not empty, and no export of ours", hint="name a folder of its own", where=str(folder))
    mark.touch(mode=0o600)
    notes = dict(rendered([fact for fact in facts if fact.closed_at is None and not fact.set_apart]))
    for name, text in notes.items():
        fresh = folder / f".{name}.new"
        fresh.unlink(missing_ok=True)
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        with open(handle, "w", encoding="utf-8", errors="replace") as file:  # noqa: PTH123 (a descriptor)
            file.write(text)
        fresh.replace(folder / name)
    for path in standing:
        if path.suffix == ".md" and path.name not in notes:
            path.unlink()  # about a subject of which nothing is held any more
    return len(notes)


def rendered(facts: Sequence[Fact]) -> Iterator[tuple[str, str]]:
    """Name and text of each note, in the order of their names. facts: current versions."""
    subjects: dict[str, list[Fact]] = {}
    for fact in facts:
        subjects.setdefault(fact.subject_key, []).append(fact)
    titles = {subject: _title(told, subject) for subject, told in subjects.items()}
    for subject in sorted(subjects, key=lambda each: titles[each]):
        yield f"{titles[subject]}.md", "\n".join(_note(titles[subject], subjects[subject], titles)) + "\n"


def _title(facts: Sequence[Fact], subject: str) -> str:
    """A name that every file system takes and that no other subject has."""
    plain = truncate(_UNFIT.sub(" ", defuse.plain(facts[0].subject)).strip(" ."), 60)
    return plain if key(plain) == subject and plain.isascii() else f"{plain} {digest(subject)[:4]}".strip()


def _note(title: str, facts: Sequence[Fact], titles: dict[str, str]) -> Iterator[str]:
    active = sorted((fact for fact in facts if fact.active), key=lambda fact: (fact.kind, fact.valid_from, fact.id))
    former = sorted((fact for fact in facts if not fact.active), key=lambda fact: (fact.valid_from, fact.id))
    tags = ["ethos", *sorted({fact.kind for fact in active})]
    permalink = f"ethos/{_TAG.sub('-', title.casefold()).strip('-') or digest(title)[:8]}"
    yield from (
        "---",
        f"title: {json.dumps(title, ensure_ascii=False)}",
        "type: memory",
        f"permalink: {json.dumps(permalink, ensure_ascii=False)}",
    )
    yield from ("tags:", *(f"- {tag}" for tag in tags), "---", "", f"# {defuse.markdown(title)}", "")
    yield from ("## Observations", "", *(_observation(fact) for fact in active), "")
    relations = [f'- "{defuse.markdown(fact.predicate)}" [[{titles[fact.object_key]}]]' for fact in active if fact.object_key in titles]
    if relations:
        yield from ("## Relations", "", *dict.fromkeys(relations), "")
    if former:
        yield from ("## Formerly", "", *(_observation(fact) for fact in former), "")


def _observation(fact: Fact) -> str:
    slot = f" #{tag}" if (tag := _TAG.sub("-", fact.slot).strip("-")) else ""
    context = [f"{fact.confidence:.2f}", f"since {fact.valid_from:%Y-%m-%d}"]
    context += [f"until {fact.valid_to:%Y-%m-%d}"] if fact.valid_to else []
    context += [f"replaced by {fact.superseded_by}"] if fact.superseded_by else []
    context += ["in question"] if fact.flagged else []
    kind = fact.kind if fact.active else f"former {fact.kind}"
    return f"- [{kind}] {defuse.markdown(fact.statement)}{slot} ({', '.join(context)}, {fact.id})"
