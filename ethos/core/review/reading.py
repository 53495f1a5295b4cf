"""Parse a review file and extract the decisions. Pure, and never raises.

A decision is exactly one line, `- [x] ACTION ^ID`, between the header and the end marker of the entry ID. The id is last, so a
truncated line decides nothing; quoted lines never count. All boxes of the entry must be there: if text was deleted from the middle of
one box to the middle of another, the remainder looks like a tick of the other.

It is a line scanner, because no Markdown parser returns text that it did not understand. It recognises each line that Ethos writes by its
form. Every other line is the person's and is kept: inside an entry in the entry, outside all entries at the end of the file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, cast

from ethos.core.model.records import Action
from ethos.core.ports.review_file import Decision, Reading
from ethos.core.review import grammar
from ethos.core.review.grammar import is_any
from ethos.core.review.kinds import EntryKind, kind_of
from ethos.core.text import escaping

REWRITTEN = (
    "words of a claim were edited, which changes nothing, and no tick was taken with them: say what is so in a talk or in a note, "
    "delete the line that begins with '> edited', and tick a box"
)


@dataclass(frozen=True, slots=True)
class Block:
    """One entry as the file has it."""

    id: str
    kind: EntryKind
    text: str  # verbatim, line ends included
    ticks: frozenset[Action]
    own: tuple[str, ...]  # the person's lines, in order
    quoted: tuple[str, ...]  # quoted lines that are not hints; only the entry shows which of them are ours
    claims: tuple[str, ...]  # the lines that state a fact or a claim, as the file has them, without confidence and time
    complaints: tuple[str, ...]
    unreadable: bool  # a tick names an unknown action: nothing is decided
    whole: bool  # it has its end marker
    resolved: bool  # we had moved it under Resolved

    @property
    def touched(self) -> bool:
        """Return whether a person left something here."""
        return bool(self.own or self.ticks)

    @property
    def note(self) -> str:
        """Return the person's free text, one paragraph a line, safe to store."""
        words = (line for line in self.own if not is_any(line, grammar.BOX, grammar.ATTEMPT) and not line.startswith("Actions:"))
        lines = (noted["text"] if (noted := grammar.NOTED.fullmatch(line)) else line for line in words)
        return "\n".join(clean for clean in map(escaping.plain, lines) if clean)


@dataclass(frozen=True, slots=True)
class Review:
    """A parsed file. preamble, tail: the text above the title and outside all entries, verbatim."""

    preamble: str = ""
    blocks: tuple[Block, ...] = ()
    tail: str = ""
    strays: tuple[str, ...] = ()  # ids ticked outside of any entry
    newline: Literal["\n", "\r\n"] = "\n"
    conflicted: bool = False  # it has the markers of a merge conflict

    def by_id(self) -> Mapping[str, tuple[Block, ...]]:
        """Return the blocks by id. An entry may occur more than once, after a merge or from a backup."""
        found: dict[str, tuple[Block, ...]] = {}
        for block in self.blocks:
            found[block.id] = (*found.get(block.id, ()), block)
        return found


def parse(text: str) -> Review:
    """Parse the file. Never raises; an unknown line is the person's."""
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
        if header := grammar.HEADER.fullmatch(bare[at]):
            question = header["id"]
            kind = kind_of(question)
            assert kind is not None  # noqa: S101 (the grammar's headers are made from the kinds)
            end, whole = _extent(bare, at, question, kind)
            blocks.append(_block(question, kind, "".join(lines[at:end]), bare[at + 1 : end], whole=whole))
            chunks.append([])
            at = end
            continue
        if tail_from is None and (bare[at] in grammar.FIXED or is_any(bare[at], grammar.MORE, grammar.FOLD)):
            if bare[at] == grammar.TITLE and preamble is None and not blocks and len(chunks) == 1:
                preamble = "".join(chunks.pop())
            elif bare[at] == grammar.TAIL:
                tail_from = len(chunks)
            chunks.append([])
        else:
            chunks[-1].append(lines[at])
            box = grammar.BOX.fullmatch(bare[at])
            if box and box["mark"].strip():
                strays.append(box["id"])
        at += 1
    newline: Literal["\n", "\r\n"] = "\r\n" if 2 * text.count("\r\n") > text.count("\n") else "\n"
    between, below = chunks[:tail_from], chunks[tail_from:] if tail_from is not None else []
    tail = _tail(between, below, newline)
    return Review(preamble or "", tuple(blocks), tail, tuple(dict.fromkeys(strays)), newline, bool(grammar.CONFLICT_MARK.search(text)))


def read(review: Review) -> Reading:
    """Return the decisions, and a hint for each tick that could not be taken as one. Duplicates of an entry count as one."""
    decisions: list[Decision] = []
    hints: dict[str, list[str]] = {}
    by_id = review.by_id()
    for question, blocks in by_id.items():
        live = [block for block in blocks if not block.resolved]
        complaints = [complaint for block in live for complaint in block.complaints]
        ticks = frozenset[Action]().union(*(block.ticks for block in live))
        counted = frozenset[Action]().union(*(block.ticks for block in live if block.whole))
        if len(ticks) > 1:
            complaints.insert(0, f"two choices ({', '.join(a for a in live[0].kind.actions if a in ticks)}): leave one tick")
        elif ticks and not counted:
            complaints.insert(0, "the last line of this entry was missing, so its tick waits for the next look")
        elif ticks and not any(block.unreadable for block in live):
            note = "\n".join(dict.fromkeys(block.note for block in live if block.note))
            decisions.append(Decision(question, next(iter(ticks)), note))
        if complaints:
            hints[question] = complaints
    for question in review.strays:
        hints.setdefault(question, []).append("a tick for this entry stands outside of it and was not taken: tick the box here")
    claims = {
        question: tuple(claim for block in blocks if not block.resolved for claim in block.claims) for question, blocks in by_id.items()
    }
    return Reading(tuple(decisions), {question: "; ".join(dict.fromkeys(all_of)) for question, all_of in hints.items()}, claims)


def _extent(bare: Sequence[str], start: int, question: str, kind: EntryKind) -> tuple[int, bool]:
    """Return where the entry that begins at `start` ends (exclusive), and whether it has its end marker."""
    for at in range(start + 1, len(bare)):
        marker = grammar.END.fullmatch(bare[at])
        if marker and marker["id"] == question:
            return at + 1, True
        if marker or bare[at] in (grammar.TITLE, grammar.TAIL) or grammar.HEADER.fullmatch(bare[at]):
            break
    end, ours = start + 1, (grammar.field(kind), grammar.BOX, grammar.NOTED)
    for at in range(start + 1, len(bare)):  # truncated: only lines that must be part of an entry belong to it
        if not bare[at].strip():
            continue
        if not (bare[at].startswith((">", "Actions:")) or is_any(bare[at], *ours)):
            break
        end = at + 1
    return end, False


def _block(question: str, kind: EntryKind, verbatim: str, body: Sequence[str], *, whole: bool) -> Block:
    ticks: dict[Action, str] = {}  # with their lines
    boxed: set[Action] = set()
    own: list[str] = []
    quoted: list[str] = []
    claims: list[str] = []
    complaints: list[str] = []
    blank_lines: list[str] = []  # between two of the person's lines they are the person's, too
    unreadable = resolved = False
    field, known = grammar.field(kind), (grammar.actions_line(kind), grammar.NOTE)
    for line in body:
        if not line.strip():
            blank_lines.append(line)
            continue
        box = grammar.BOX.fullmatch(line)
        if box and box["id"] == question and box["action"].lower() in kind.actions:
            boxed.add(action := cast("Action", box["action"].lower()))
            if box["mark"].strip():
                ticks[action] = line
        elif line.startswith(">"):
            if not line.startswith(grammar.HINT):
                quoted.append(line)
            if line.startswith(grammar.EDITED):
                complaints.append(REWRITTEN)
        elif field.fullmatch(line):
            resolved = resolved or line.startswith("**Resolved:**")
            claims += filter(None, [kind.claim_of(line)])
        elif line.rstrip() not in known and not grammar.END.fullmatch(line):
            own += [*(blank_lines if own else ()), line]
            complaint, meant_here = _complaint(line, question, kind)
            complaints += filter(None, [complaint])
            unreadable = unreadable or meant_here
        blank_lines = []
    if ticks and not resolved and boxed != set(kind.actions):  # two boxes that lost the text between them look like a tick of the other
        complaints.append(f"a box of this entry was missing, so the tick on {', '.join(ticks)} was not taken: tick it again")
        quoted += [f"> {line}" for line in ticks.values()]
        ticks = {}
    if not (ticks or resolved or complaints):
        complaints += _hint_at_unticked_answer(own, kind)
    held = (tuple(own), tuple(quoted), tuple(claims), tuple(complaints))
    return Block(question, kind, verbatim, frozenset(ticks), *held, unreadable, whole, resolved)


def _hint_at_unticked_answer(own: Sequence[str], kind: EntryKind) -> list[str]:
    """Return a hint for a person who wrote an answer down and ticked no box."""
    named = dict.fromkeys(found[0].lower() for line in own for found in grammar.NAMED[kind.prefix].finditer(line))
    return [f"a note answers nothing, and no box is ticked: if {' or '.join(named)} is your answer, tick its box"] if named else []


def _complaint(line: str, question: str, kind: EntryKind) -> tuple[str, bool]:
    """Return what is wrong with a line of the person's, or "", and whether it was meant as a tick of this entry."""
    box = grammar.BOX.fullmatch(line)
    if box:
        if not box["mark"].strip():
            return "", False
        if box["id"] != question:
            return f"a tick for {box['id']} stands here and was not taken: tick it in its own entry", False
        return f"no such action: {box['action']}; tick {grammar.valid(kind)}", True
    if grammar.ATTEMPT.fullmatch(line):
        named = {found[0].lower() for found in grammar.NAMED[kind.prefix].finditer(line)}
        meant = cast("Action", named.pop()) if len(named) == 1 else None
        example = grammar.box(meant, question, ticked=True) if meant else f"- [x] ACTION ^{question}, with {grammar.valid(kind)}"
        return f"this tick cannot be read: {escaping.plain(line, 80)}; it must read {example}", True
    return ("the Actions line is not read: tick a box instead" if line.startswith("Actions:") else ""), False


def _tail(between: Sequence[Sequence[str]], below: Sequence[Sequence[str]], newline: str) -> str:
    """Return the text below our last line, unchanged, followed by the person's text between our lines."""
    tail = "".join(line for chunk in below for line in chunk)
    for chunk in between:
        filled = [at for at, line in enumerate(chunk) if line.strip()]
        if filled:
            if tail:
                tail += newline if tail.endswith("\n") else 2 * newline
            tail += "".join(chunk[filled[0] : filled[-1] + 1])
    return tail
