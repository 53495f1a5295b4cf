"""Render the review file: questions as Markdown, together with a person's text in the previous file. Pure.

Text that causes a hint stays in the file, so the hint is shown until a person removes its cause.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ethos.core.model.records import Action
from ethos.core.ports.review_file import AnyEntry, Entry
from ethos.core.review import grammar
from ethos.core.review.grammar import EMPTY, HINT, INTRO, NOTE, NOTED, RESOLVED, SHADOW, TAIL, TITLE, VERSION
from ethos.core.review.kinds import KINDS, EntryKind, kind_of, utc
from ethos.core.review.merging import merge_lines
from ethos.core.review.reading import REWRITTEN, Block, Review, read
from ethos.core.text import escaping

SHOWN = 200  # open entries of a kind in the file at once; the others follow as these are answered
RESOLVED_SHOWN = 50  # resolved entries in the file; the rest is in the store


def render(
    entries: Iterable[AnyEntry], previous: Review | None = None, hints: Mapping[str, str] | None = None, *, in_shadow: bool = False
) -> str:
    """Return the file with these entries and with a person's text in the previous file.

    Open entries come oldest first, so that a new question moves no line above the cursor; if there are too many, the newest are shown.
    Those that stand folded come below the others.
    Resolved ones come last, newest first. in_shadow: nights change nothing yet, and a person is asked whether they should.
    """
    review = previous or Review()
    blocks_by_id = review.by_id()
    shown = _arrange(entries, blocks_by_id)
    all_hints = _merge_hints(read(review).hints, hints or {})
    lines = [TITLE, VERSION, *INTRO, "", *((SHADOW, "") if in_shadow else ())]
    more = [entry for _, entries in shown.open for entry in entries if _is_folded(entry)]
    for below in (False, True) if more else (False,):
        lines += [grammar.fold(len(more)), ""] if below else []
        for kind, open_entries in shown.open:
            here = [entry for entry in open_entries if _is_folded(entry) == below]
            lines += [*kind.section, ""] if kind.section and here else []
            for entry in here:
                question = entry.question.id
                lines += [*_open(entry, kind, blocks_by_id.get(question, ()), all_hints.get(question, ())), ""]
        lines += [grammar.UNFOLD, ""] if below else []
    if not shown.open:
        lines += [EMPTY, ""]
    if shown.waiting:
        lines += [f"_{shown.waiting} more wait; they are shown as these are answered._", ""]
    if shown.resolved:
        lines += [RESOLVED, ""]
    for entry in shown.resolved:
        lines += [*_resolved(entry, _kind(entry), blocks_by_id.get(entry.question.id, ())), ""]
    lines += [TAIL, ""]
    return review.preamble + review.newline.join(lines) + review.tail


def orphans(entries: Iterable[AnyEntry], previous: Review) -> tuple[str, ...]:
    """Return the text of the previous file's blocks that have no place in the new one and must not be lost.

    These are blocks of unknown questions, and blocks with a person's words that are too old for Resolved.
    """
    entries = tuple(entries)
    known = {entry.question.id for entry in entries}
    shown = _arrange(entries, previous.by_id())
    kept = {entry.question.id for entry in (*(entry for _, entries in shown.open for entry in entries), *shown.resolved)}
    leaving = (block for block in previous.blocks if block.id not in kept)
    return tuple(block.text for block in leaving if block.touched or not (block.resolved or block.id in known))


@dataclass(frozen=True, slots=True)
class _Shown:
    open: tuple[tuple[EntryKind, tuple[AnyEntry, ...]], ...]  # by kind; kinds without entries are left out
    waiting: int
    resolved: tuple[AnyEntry, ...]


def _arrange(entries: Iterable[AnyEntry], blocks_by_id: Mapping[str, Sequence[Block]]) -> _Shown:
    by_age = sorted(entries, key=lambda entry: (entry.question.opened_at, entry.question.id))
    pending = {kind: [entry for entry in by_age if entry.question.resolved_at is None and _kind(entry) is kind] for kind in KINDS}
    touched = {question for question, blocks in blocks_by_id.items() if any(block.touched for block in blocks)}
    here = tuple(
        (kind, tuple(entry for left, entry in enumerate(of_kind, -len(of_kind)) if left >= -SHOWN or entry.question.id in touched))
        for kind, of_kind in pending.items()
        if of_kind
    )
    done = sorted(
        ((entry.question.resolved_at, entry) for entry in by_age if entry.question.resolved_at is not None),
        key=lambda pair: pair[0],
        reverse=True,
    )
    waiting = sum(map(len, pending.values())) - sum(len(shown) for _, shown in here)
    return _Shown(here, waiting, tuple(entry for _, entry in done[:RESOLVED_SHOWN]))


def _is_folded(entry: AnyEntry) -> bool:
    return isinstance(entry, Entry) and entry.folded


def _kind(entry: AnyEntry) -> EntryKind:
    kind = kind_of(entry.question.id)
    if kind is None or not grammar.IS_ID.fullmatch(entry.question.id):
        raise ValueError(f"not the id of a question: {entry.question.id!r}")
    return kind


def _merge_hints(of_the_file: Mapping[str, str], given: Mapping[str, str]) -> Mapping[str, tuple[str, ...]]:
    questions = dict.fromkeys((*of_the_file, *given))
    return {one: tuple(dict.fromkeys(hint for hint in (of_the_file.get(one), given.get(one)) if hint)) for one in questions}


def _open(entry: AnyEntry, kind: EntryKind, blocks: Sequence[Block], hints: Iterable[str]) -> Iterator[str]:
    question = entry.question.id
    live = [block for block in blocks if not block.resolved]  # a tick that was not applied then is not applied when an answer is undone
    ticks = frozenset[Action]().union(*(block.ticks for block in live))
    claims = [claim for block in live for claim in block.claims]
    edited = (
        *kind.edited(entry, claims),
        *(f"{claim} (this line was missing)" for claim in (kind.missing(entry, claims) if ticks else ())),
    )
    ticks = frozenset() if edited else ticks
    hints = dict.fromkeys((*([REWRITTEN] if edited else ()), *hints))
    yield from _claims(entry, kind)
    yield grammar.actions_line(kind)
    yield from (grammar.box(action, question, ticked=action in ticks) for action in kind.actions)
    yield ""
    shown = [HINT + escaping.markdown(hint, 500) for hint in hints]
    if shown:
        yield from (*shown, "")
    kept = frozenset(line for block in blocks for line in block.quoted)
    own = (*(line for line in map(_rewritten, edited) if line not in kept), *_own(entry, blocks))
    yield from own
    if not any(NOTED.fullmatch(line) for line in own):
        yield NOTE
    yield grammar.end(question)


def _rewritten(claim: str) -> str:
    """Return a claim that a person edited as a line of the person's, which has no effect."""
    return grammar.EDITED + escaping.plain(claim)


def _resolved(entry: AnyEntry, kind: EntryKind, blocks: Sequence[Block]) -> Iterator[str]:
    question = entry.question
    other = [action for action in kind.actions if action != question.action and any(action in block.ticks for block in blocks)]
    yield from _claims(entry, kind)
    by = escaping.markdown(question.by or "", 80)
    closed = f"closed: {by or 'no longer open'}"
    done = f"{question.action}{by and ' by ' + by}: {kind.effects[question.action]}" if question.action else closed
    yield f"**Resolved:** {utc(question.resolved_at or question.opened_at)} · {done}"
    if other:
        yield f"{HINT}already applied: {question.action or 'closed'}; the tick on {', '.join(other)} was not taken"
    own = list(_own(entry, blocks))
    if question.note and not any(NOTED.fullmatch(line) for line in own):
        own += [f"{NOTE} {escaping.markdown(line, 2_000)}" for line in question.note.splitlines() if line.strip()]
    if other or own:
        yield ""
    yield from (grammar.box(action, question.id, ticked=True) for action in other)
    if other and own:
        yield ""
    yield from own
    yield grammar.end(question.id)


def _claims(entry: AnyEntry, kind: EntryKind) -> Iterator[str]:
    yield f"### [{utc(entry.question.opened_at)}] {kind.heading} · {entry.question.id}"
    yield from kind.lines(entry)
    yield from escaping.quote(entry.quote)
    yield ""  # otherwise the next line would be read as part of the quote


def _own(entry: AnyEntry, blocks: Sequence[Block]) -> tuple[str, ...]:
    """Return the person's lines in this entry, quoted ones included; identical words in duplicates once."""
    ours = frozenset(escaping.quote(entry.quote))
    lines: Sequence[str] = ()
    for block in blocks:
        lines = merge_lines(lines, [*(line for line in block.quoted if line not in ours), *block.own])
    return tuple(lines)
