"""Notes: what is held as Markdown, a note for each subject, as Obsidian and basic-memory read it. For people; `lines` is for moving.

A note has front matter (`title`, `type`, `permalink`, `tags`), a list of observations, `- [kind] statement #slot (context)`, and a list
of relations, `- "predicate" [[Title]]`, where the object of a fact is the subject of another note. The context ends the line, as
basic-memory wants it, and holds confidence, time and the fact's id. What is no longer held stands under its own heading.
"""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import regex

from ethos.core.model.errors import refuse
from ethos.core.model.ids import digest
from ethos.core.model.records import Fact
from ethos.core.text import escaping
from ethos.core.text.folding import key, truncate
from ethos.edge.files import folders
from ethos.edge.files.outputs import Kind, Outputs

MARK = ".ethos-export"  # holds the hashes of the notes that we wrote into this folder
_UNFIT = regex.compile(r"[^\p{L}\p{N} ._-]+")
_TAG = regex.compile(r"[^\p{L}\p{N}]+")
_OBSERVATION = regex.compile(r"^- \[", regex.MULTILINE)


@dataclass(frozen=True, slots=True)
class Exported:
    """What an export of notes did. kept: files that were not ours, or were edited since, and were moved out of a note's way."""

    notes: int
    kept: tuple[Path, ...] = ()


def write(folder: Path, facts: Iterable[Fact], outputs: Outputs) -> Exported:
    """Write a note for each subject into a folder of our own. Raises `Refused` where the folder holds something else, OSError.

    Only a note that we wrote, and that nobody changed since, is replaced or removed. The mark lists old and new notes until all are
    in place, so that each of them is known to be ours wherever this ends.
    """
    folders.make(folder)
    if not (folder / MARK).exists() and any(folder.iterdir()):
        raise refuse("usage", "the folder is not empty, and not an export of Ethos", hint="name a new or empty folder", where=str(folder))
    outputs.note(Kind.NOTES, folder)
    texts = {
        name: text.encode("utf-8", "replace")
        for name, text in rendered([fact for fact in facts if fact.closed_at is None and not fact.quarantined])
    }
    proofs = {_proof(name, data) for name, data in texts.items()}
    ours = _ours(folder) | proofs
    kept: list[Path] = []
    with outputs.temporary(folder / "notes", folder=True) as scratch:
        _mark(folder, ours, scratch)
        for name, data in texts.items():
            if os.path.lexists(folder / name) and not _is_ours(folder / name, ours):
                kept.append(_moved_aside(folder / name))
            _put(scratch / name, data, folder / name)
        for path in folder.glob("*.md"):
            if path.name not in texts and _is_ours(path, ours):
                path.unlink()  # about a subject of which nothing is held any more
        _mark(folder, proofs, scratch)
    return Exported(len(texts), tuple(kept))


def revise(folder: Path, change: Callable[[str], str], outputs: Outputs) -> list[Path]:
    """Rewrite the notes of ours in this folder that `change` changes, and remove those in which it leaves no observation; return these."""
    ours = _ours(folder)
    if not ours:
        return []
    anew: dict[Path, bytes | None] = {}
    for path in sorted(folder.glob("*.md")):
        if _is_ours(path, ours):
            text = path.read_text("utf-8")
            left = change(text)
            if left != text:
                anew[path] = left.encode() if _OBSERVATION.search(left) else None
    if not anew:
        return []
    gone = {_proof(path.name, path.read_bytes()) for path in anew}
    fresh = {_proof(path.name, data) for path, data in anew.items() if data is not None}
    with outputs.temporary(folder / "notes", folder=True) as scratch:
        _mark(folder, ours | fresh, scratch)
        for path, data in anew.items():
            if data is None:
                path.unlink()
            else:
                _put(scratch / path.name, data, path)
        folders.sync(folder)
        _mark(folder, (ours - gone) | fresh, scratch)
    return list(anew)


def _proof(name: str, data: bytes) -> str:
    return sha256(os.fsencode(name) + b"\0" + data).hexdigest()


def _is_ours(path: Path, ours: Collection[str]) -> bool:
    return path.is_file() and not path.is_symlink() and _proof(path.name, path.read_bytes()) in ours


def _ours(folder: Path) -> frozenset[str]:
    """Return the proofs in the folder's mark. An older mark holds none, and then nothing there is proven ours."""
    try:
        told = json.loads((folder / MARK).read_bytes() or b"{}")
        return frozenset(map(str, told.get("notes", ())))
    except (FileNotFoundError, ValueError, AttributeError, TypeError):
        return frozenset()


def _mark(folder: Path, proofs: Collection[str], scratch: Path) -> None:
    _put(scratch / MARK, json.dumps({"notes": sorted(proofs)}, indent=1).encode(), folder / MARK)
    folders.sync(folder)


def _put(fresh: Path, data: bytes, target: Path) -> None:
    folders.create(fresh, data)
    fresh.replace(target)


def _moved_aside(path: Path) -> Path:
    """Give a file a free name beside its own, and return it."""
    numbers = itertools.count(1)
    aside = path
    while os.path.lexists(aside):
        aside = path.with_name(f"{path.stem}.kept-{next(numbers)}{path.suffix}")
    path.rename(aside)
    return aside


def rendered(facts: Sequence[Fact]) -> Iterator[tuple[str, str]]:
    """Name and text of each note, in the order of their names. facts: current versions."""
    subjects: dict[str, list[Fact]] = {}
    for fact in facts:
        subjects.setdefault(fact.subject_key, []).append(fact)
    titles = {subject: _title(told, subject) for subject, told in subjects.items()}
    for subject in sorted(subjects, key=lambda each: titles[each]):
        yield f"{titles[subject]}.md", "\n".join(_note(titles[subject], subjects[subject], titles)) + "\n"


def _title(facts: Sequence[Fact], subject: str) -> str:
    """Return a name that every file system takes and that no other subject has."""
    plain = truncate(_UNFIT.sub(" ", escaping.plain(facts[0].subject)).strip(" ."), 60)
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
    yield from ("tags:", *(f"- {tag}" for tag in tags), "---", "", f"# {escaping.markdown(title)}", "")
    yield from ("## Observations", "", *(_observation(fact) for fact in active), "")
    relations = [f'- "{escaping.markdown(fact.predicate)}" [[{titles[fact.object_key]}]]' for fact in active if fact.object_key in titles]
    if relations:
        yield from ("## Relations", "", *dict.fromkeys(relations), "")
    if former:
        yield from ("## Formerly", "", *(_observation(fact) for fact in former), "")


def _observation(fact: Fact) -> str:
    slot = f" #{tag}" if (tag := _TAG.sub("-", fact.slot).strip("-")) else ""
    context = [f"{fact.confidence:.2f}", f"since {fact.valid_from:%Y-%m-%d}"]
    context += [f"until {fact.valid_to:%Y-%m-%d}"] if fact.valid_to else []
    context += [f"superseded by {fact.superseded_by}"] if fact.superseded_by else []
    context += ["in question"] if fact.flagged else []
    kind = fact.kind if fact.active else f"former {fact.kind}"
    return f"- [{kind}] {escaping.markdown(fact.statement)}{slot} ({', '.join(context)}, {fact.id})"
