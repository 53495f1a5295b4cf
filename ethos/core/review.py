"""Review: questions as Markdown, and Markdown as answers. Pure; `edge/inbox.py` keeps the file (E-30, E-31, X-E11).

The grammar is version 1 of TRUST, The review inbox. A decision is one line and nothing else: `- [x] ACTION ^ID` between the header
and the end marker of the entry ID. The id is last, so a line that was cut off decides nothing; quoted lines never count.

Reading is a line scanner: no Markdown parser gives back what it did not understand. It knows each line we write by its form;
every other line is the person's, and stays: inside an entry in the entry, outside all entries at the end of the file.
What a hint is about stays too, so a hint stands as long as its cause.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, cast

import regex

from ethos.core import defuse
from ethos.core.ports import Decision, Entry, Reading
from ethos.core.records import ACTIONS, Action

SHOWN = 200  # open entries in the file at once; the others come up as these are answered
RESOLVED_SHOWN = 50  # the rest is in the store

TITLE = "# Memory review"
VERSION = "<!-- ethos-inbox v1 -->"
INTRO = (
    "Each entry below holds two claims that do not go together. Put an x in the box of what should stand, and save the file.",
    "Until then both stand. What you write after `note:`, or anywhere else in this file, is kept.",
)
EMPTY = "Nothing to review."
RESOLVED = "## Resolved"
TAIL = "<!-- ethos: what stands below this line is yours and stays as it is -->"
ACTIONS_LINE = "Actions: `keep-old` | `keep-new` | `keep-both`"
NOTE = "note:"

_DONE: Mapping[Action, str] = {
    "keep-old": "the existing one stays, the new one was put aside",
    "keep-new": "the new one replaces the existing one",
    "keep-both": "both stand",
}

_ID = r"c-[0-9a-z]{1,32}"
_IS_ID = regex.compile(_ID)
_HEADER = regex.compile(rf"### \[[^\]]*\] Memory Conflict · (?P<id>{_ID})\s*")
_END = regex.compile(rf"\s*<!-- /ethos (?P<id>{_ID}) -->\s*")
_FIELD = regex.compile(r"\*\*(?:Subject|Existing ID|Existing|New ID|New|Heard again|Source episode|Resolved):\*\*.*")
_BOX = regex.compile(rf"[ ]{{0,3}}[-*+][ \t]+\[(?P<mark>[ xX✓]?)\][ \t]+(?P<action>[A-Za-z_-]{{1,40}})[ \t]+\^(?P<id>{_ID})[ \t]*")
_ATTEMPT = regex.compile(  # meant as a tick, but not one: a box with something in it, and words that only our boxes have
    r"[ \t]{0,9}(?:[-*+]|\d{1,9}[.)])?[ \t]{0,9}\[[ \t]{0,9}[^\s\[\]]{1,3}[ \t]{0,9}\]"
    r"(?:.*(?:\^c-|\bkeep[\W_]?(?:old|new|both)\b).*|[ \t]{0,9}[\w-]{1,40}[ \t]*)",
    regex.IGNORECASE,
)
_NOTE = regex.compile(r"[ \t]*note:[ \t]*(?P<text>.*)", regex.IGNORECASE)
_MORE = regex.compile(r"_\d+ more wait; they are shown as these are answered\._")
_HINT = "> ⚠ "
_FIXED = frozenset({TITLE, VERSION, *INTRO, EMPTY, RESOLVED, TAIL})
_CONFLICT = regex.compile(r"^<{7}(?:[ \r\n]|$)", regex.MULTILINE)


@dataclass(frozen=True, slots=True)
class Block:
    """One entry as it stands in the file."""

    id: str
    text: str  # verbatim, line ends included
    ticks: frozenset[Action]
    own: tuple[str, ...]  # the person's lines, in order
    quoted: tuple[str, ...]  # quoted lines that are no hint; which of them are ours is known once the entry is
    complaints: tuple[str, ...]
    unreadable: bool  # a tick stands here that names no action we know: nothing is decided
    whole: bool  # it has its end marker
    resolved: bool  # we had moved it under Resolved

    @property
    def touched(self) -> bool:
        """A person left something here."""
        return bool(self.own or self.ticks)

    @property
    def note(self) -> str:
        """The free text of the person, one paragraph a line, fit to be stored."""
        words = (line for line in self.own if not _is_any(line, _BOX, _ATTEMPT) and not line.startswith("Actions:"))
        lines = (noted["text"] if (noted := _NOTE.fullmatch(line)) else line for line in words)
        return "\n".join(clean for clean in map(defuse.plain, lines) if clean)


@dataclass(frozen=True, slots=True)
class Review:
    """The file, taken apart. preamble, tail: what stands above our title and outside all entries, verbatim."""

    preamble: str = ""
    blocks: tuple[Block, ...] = ()
    tail: str = ""
    strays: tuple[str, ...] = ()  # ids ticked outside of any entry
    newline: Literal["\n", "\r\n"] = "\n"
    conflicted: bool = False  # a merge has left its markers

    def by_id(self) -> Mapping[str, tuple[Block, ...]]:
        """An entry may stand there more than once, after a merge or from a backup."""
        found: dict[str, tuple[Block, ...]] = {}
        for block in self.blocks:
            found[block.id] = (*found.get(block.id, ()), block)
        return found


# -- reading


def parse(text: str) -> Review:
    """Take the file apart. Never raises; what it does not know is the person's."""
    lines = [piece + "\n" for piece in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    bare = [line.removesuffix("\n").removesuffix("\r") for line in lines]
    blocks: list[Block] = []
    strays: list[str] = []
    chunks: list[list[str]] = [[]]
    preamble: str | None = None
    tail_from: int | None = None
    at = 0
    while at < len(lines):
        if header := _HEADER.fullmatch(bare[at]):
            end, whole = _extent(bare, at, header["id"])
            blocks.append(_block(header["id"], "".join(lines[at:end]), bare[at + 1 : end], whole=whole))
            chunks.append([])
            at = end
            continue
        if tail_from is None and (bare[at] in _FIXED or _MORE.fullmatch(bare[at])):
            if bare[at] == TITLE and preamble is None and not blocks and len(chunks) == 1:
                preamble = "".join(chunks.pop())
            elif bare[at] == TAIL:
                tail_from = len(chunks)
            chunks.append([])
        else:
            chunks[-1].append(lines[at])
            box = _BOX.fullmatch(bare[at])
            if box and box["mark"].strip():
                strays.append(box["id"])
        at += 1
    newline: Literal["\n", "\r\n"] = "\r\n" if 2 * text.count("\r\n") > text.count("\n") else "\n"
    between, below = chunks[:tail_from], chunks[tail_from:] if tail_from is not None else []
    tail = _tail(between, below, newline)
    return Review(preamble or "", tuple(blocks), tail, tuple(dict.fromkeys(strays)), newline, bool(_CONFLICT.search(text)))


def read(review: Review) -> Reading:
    """What was decided, and what could not be taken as a decision. Duplicates of an entry count as one."""
    decisions: list[Decision] = []
    hints: dict[str, list[str]] = {}
    for question, blocks in review.by_id().items():
        live = [block for block in blocks if not block.resolved]
        complaints = [complaint for block in live for complaint in block.complaints]
        ticks = frozenset[Action]().union(*(block.ticks for block in live))
        counted = frozenset[Action]().union(*(block.ticks for block in live if block.whole))
        if len(ticks) > 1:
            complaints.insert(0, f"two choices ({', '.join(a for a in ACTIONS if a in ticks)}): leave one tick")
        elif ticks and not counted:
            complaints.insert(0, "the last line of this entry was missing, so its tick waits for the next look")
        elif ticks and not any(block.unreadable for block in live):
            note = "\n".join(dict.fromkeys(block.note for block in live if block.note))
            decisions.append(Decision(question, next(iter(ticks)), note))
        if complaints:
            hints[question] = complaints
    for question in review.strays:
        hints.setdefault(question, []).append("a tick for this entry stands outside of it and was not taken: tick the box here")
    return Reading(tuple(decisions), {question: "; ".join(dict.fromkeys(all_of)) for question, all_of in hints.items()})


def _extent(bare: Sequence[str], start: int, question: str) -> tuple[int, bool]:
    """Where the entry that begins at `start` ends (exclusive), and whether it has its end marker."""
    for at in range(start + 1, len(bare)):
        marker = _END.fullmatch(bare[at])
        if marker and marker["id"] == question:
            return at + 1, True
        if marker or bare[at] in (TITLE, TAIL) or _HEADER.fullmatch(bare[at]):
            break
    end = start + 1
    for at in range(start + 1, len(bare)):  # cut off: only what is surely part of an entry belongs to it
        if not bare[at].strip():
            continue
        if not (bare[at].startswith(">") or bare[at].startswith("Actions:") or _is_any(bare[at], _FIELD, _BOX, _NOTE)):
            break
        end = at + 1
    return end, False


def _block(question: str, verbatim: str, body: Sequence[str], *, whole: bool) -> Block:
    ticks: set[Action] = set()
    own: list[str] = []
    quoted: list[str] = []
    complaints: list[str] = []
    blanks: list[str] = []  # between two of the person's own lines they are the person's too
    unreadable = resolved = False
    for line in body:
        if not line.strip():
            blanks.append(line)
            continue
        box = _BOX.fullmatch(line)
        ticked = bool(box and box["mark"].strip())
        if box and box["id"] == question and box["action"].lower() in ACTIONS:
            if ticked:
                ticks.add(cast("Action", box["action"].lower()))
        elif line.startswith(">"):
            if not line.startswith(_HINT):
                quoted.append(line)
        elif _FIELD.fullmatch(line):
            resolved = resolved or line.startswith("**Resolved:**")
        elif line.rstrip() not in (ACTIONS_LINE, NOTE) and not _END.fullmatch(line):
            own += [*(blanks if own else ()), line]
            if box and ticked and box["id"] != question:
                complaints.append(f"a tick for {box['id']} stands here and was not taken: tick it in its own entry")
            elif box and ticked:
                unreadable = True
                complaints.append(f"no such action: {box['action']}; tick keep-old, keep-new or keep-both")
            elif not box and _ATTEMPT.fullmatch(line):
                unreadable = True
                complaints.append(f"this tick cannot be read: {defuse.plain(line, 80)}; it must read - [x] keep-new ^{question}")
            elif line.startswith("Actions:"):
                complaints.append("the Actions line is not read: tick a box instead")
        blanks = []
    return Block(question, verbatim, frozenset(ticks), tuple(own), tuple(quoted), tuple(complaints), unreadable, whole, resolved)


def _is_any(line: str, *patterns: regex.Pattern[str]) -> bool:
    return any(pattern.fullmatch(line) for pattern in patterns)


def _tail(between: Sequence[Sequence[str]], below: Sequence[Sequence[str]], newline: str) -> str:
    """What stands below our last line, as it is, and after it what the person wrote between our lines."""
    tail = "".join(line for chunk in below for line in chunk)
    for chunk in between:
        filled = [at for at, line in enumerate(chunk) if line.strip()]
        if filled:
            if tail:
                tail += newline if tail.endswith("\n") else 2 * newline
            tail += "".join(chunk[filled[0] : filled[-1] + 1])
    return tail


# -- writing


def render(entries: Iterable[Entry], previous: Review | None = None, hints: Mapping[str, str] | None = None) -> str:
    """The file that shows these entries and keeps what a person wrote in the previous one.

    Open entries stand oldest first: what has waited longest is answered first, and a new question moves no line above the cursor.
    Resolved ones stand newest first, below.
    """
    review = previous or Review()
    standing = review.by_id()
    shown = _arrange(entries, standing)
    all_hints = _together(read(review).hints, hints or {})
    lines = [TITLE, VERSION, *INTRO, ""]
    for entry in shown.open:
        lines += [*_open(entry, standing.get(entry.question.id, ()), all_hints.get(entry.question.id, ())), ""]
    if not shown.open:
        lines += [EMPTY, ""]
    if shown.waiting:
        lines += [f"_{shown.waiting} more wait; they are shown as these are answered._", ""]
    if shown.resolved:
        lines += [RESOLVED, ""]
    for entry in shown.resolved:
        lines += [*_resolved(entry, standing.get(entry.question.id, ())), ""]
    lines += [TAIL, ""]
    return review.preamble + review.newline.join(lines) + review.tail


def orphans(entries: Iterable[Entry], previous: Review) -> tuple[str, ...]:
    """Blocks of the previous file that have no place in the new one and must not be lost, verbatim: those of no known question,
    and those that fell out of Resolved with a person's words in them.
    """
    entries = tuple(entries)
    known = {entry.question.id for entry in entries}
    shown = _arrange(entries, previous.by_id())
    kept = {entry.question.id for entry in (*shown.open, *shown.resolved)}
    leaving = (block for block in previous.blocks if block.id not in kept)
    return tuple(block.text for block in leaving if block.touched or not (block.resolved or block.id in known))


@dataclass(frozen=True, slots=True)
class _Shown:
    open: tuple[Entry, ...]
    waiting: int
    resolved: tuple[Entry, ...]


def _arrange(entries: Iterable[Entry], standing: Mapping[str, Sequence[Block]]) -> _Shown:
    by_age = sorted(entries, key=lambda entry: (entry.question.opened_at, entry.question.id))
    pending = [entry for entry in by_age if entry.question.resolved_at is None]
    touched = {question for question, blocks in standing.items() if any(block.touched for block in blocks)}
    here = tuple(entry for place, entry in enumerate(pending) if place < SHOWN or entry.question.id in touched)
    done = sorted(
        ((entry.question.resolved_at, entry) for entry in by_age if entry.question.resolved_at is not None),
        key=lambda pair: pair[0],
        reverse=True,
    )
    return _Shown(here, len(pending) - len(here), tuple(entry for _, entry in done[:RESOLVED_SHOWN]))


def _together(of_the_file: Mapping[str, str], given: Mapping[str, str]) -> Mapping[str, tuple[str, ...]]:
    questions = dict.fromkeys((*of_the_file, *given))
    return {one: tuple(dict.fromkeys(hint for hint in (of_the_file.get(one), given.get(one)) if hint)) for one in questions}


def _open(entry: Entry, blocks: Sequence[Block], hints: Iterable[str]) -> Iterator[str]:
    question = entry.question.id
    ticks = frozenset[Action]().union(*(block.ticks for block in blocks))
    yield from _claims(entry)
    yield ACTIONS_LINE
    yield from (_box(action, question, ticked=action in ticks) for action in ACTIONS)
    yield ""
    shown = [_HINT + defuse.markdown(hint, 500) for hint in hints]
    if shown:
        yield from (*shown, "")
    own = _own(entry, blocks)
    yield from own
    if not any(_NOTE.fullmatch(line) for line in own):
        yield NOTE
    yield f"<!-- /ethos {question} -->"


def _resolved(entry: Entry, blocks: Sequence[Block]) -> Iterator[str]:
    question = entry.question
    other = [action for action in ACTIONS if action != question.action and any(action in block.ticks for block in blocks)]
    yield from _claims(entry)
    by = defuse.markdown(question.by or "", 80)
    done = f"{question.action}{by and ' by ' + by}: {_DONE[question.action]}" if question.action else f"closed: {by or 'no longer open'}"
    yield f"**Resolved:** {_utc(question.resolved_at or question.opened_at)} · {done}"
    if other:
        yield f"{_HINT}already applied: {question.action or 'closed'}; the tick on {', '.join(other)} was not taken"
    own = list(_own(entry, blocks))
    if question.note and not any(_NOTE.fullmatch(line) for line in own):
        own += [f"{NOTE} {defuse.markdown(line, 2_000)}" for line in question.note.splitlines() if line.strip()]
    if other or own:
        yield ""
    yield from (_box(action, question.id, ticked=True) for action in other)
    if other and own:
        yield ""
    yield from own
    yield f"<!-- /ethos {question.id} -->"


def _claims(entry: Entry) -> Iterator[str]:
    """E-31's lines, and X-E11's."""
    question, existing, new = entry.question, entry.existing, entry.new
    if not _IS_ID.fullmatch(question.id):
        raise ValueError(f"not the id of a question: {question.id!r}")
    yield f"### [{_utc(question.opened_at)}] Memory Conflict · {question.id}"
    yield f"**Subject:** {defuse.markdown(new.subject)} / **Predicate:** {defuse.markdown(new.predicate)}"
    yield f"**Existing ID:** {defuse.markdown(existing.id)}"
    yield f"**Existing:** {_claim(existing.statement, existing.confidence, entry.existing_said_at)}"
    yield f"**New ID:** {defuse.markdown(new.id)}"
    yield f"**New:** {_claim(new.statement, new.confidence, entry.new_said_at)}"
    if question.repeats:
        yield f"**Heard again:** {question.repeats} {'time' if question.repeats == 1 else 'times'}"
    yield f"**Source episode:** {defuse.markdown(entry.episode)}"
    yield from defuse.quote(entry.quote)
    yield ""  # else the next line would be read as part of the quote


def _own(entry: Entry, blocks: Sequence[Block]) -> tuple[str, ...]:
    """The person's lines in this entry, and their quoted ones; the same words of a duplicate once."""
    ours = frozenset(defuse.quote(entry.quote))
    lines: list[str] = []
    for own in dict.fromkeys((*(line for line in block.quoted if line not in ours), *block.own) for block in blocks):
        lines += own
    return tuple(lines)


def _claim(statement: str, confidence: float, said_at: datetime) -> str:
    return f'"{defuse.markdown(statement)}" (confidence: {confidence:.2f}) · said {_utc(said_at)[:10]}'


def _box(action: Action, question: str, *, ticked: bool) -> str:
    return f"- [{'x' if ticked else ' '}] {action} ^{question}"


def _utc(when: datetime) -> str:
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
