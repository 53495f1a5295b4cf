"""Kinds of questions in the review file. A kind is an `EntryKind` in `KINDS`, and no other code names it.

To add one: its actions in `questions.Action`, the constant here, and the effects of its actions in `stages/person/settle.py`, or, of a
question about a memory, in `settle_memory.py` beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from ethos.core.facts.quarantine import TRUSTED, is_instruction
from ethos.core.model.records import Action, Origin
from ethos.core.ports.review_file import AnyEntry, Entry, MemoryEntry, QuestionedMemory
from ethos.core.text import escaping
from ethos.core.text.plurals import plural


@dataclass(frozen=True, slots=True, eq=False)
class EntryKind:
    """How one kind of question is shown, and its actions.

    prefix: the first character of its ids, one lower-case letter, unique to the kind. section: the lines above its open entries.
    effects: each action, in the order of its boxes, and its effect (shown under Resolved). fields: the names of the lines `**Name:**`
    that `lines` gives, between the heading and the quote; Resolved is reserved. claims: those among them that say what is asked, which a
    file has to hold as they were written, or a tick is not taken: the facts or claims, and their ids, which alone tell apart two questions
    in the same words.
    """

    prefix: str
    heading: str
    section: tuple[str, ...]
    effects: Mapping[Action, str]
    fields: tuple[str, ...]
    claims: tuple[str, ...]
    lines: Callable[[AnyEntry], Iterator[str]]

    def claim_of(self, line: str) -> str:
        """Return the words of a line `**Name:** ...` that says what is asked, without its confidence and time, which change; else ""."""
        if not line.startswith(tuple(f"**{name}:**" for name in self.claims)):
            return ""
        words, said, _ = line.partition('" (confidence: ')
        return words.rstrip() + said[:1]

    def edited(self, entry: AnyEntry, claims: Iterable[str]) -> tuple[str, ...]:
        """Return those of these claims, as the file has them, that differ from the entry."""
        ours = {self.claim_of(line) for line in self.lines(entry)}
        return tuple(claim for claim in dict.fromkeys(claims) if claim not in ours)

    def missing(self, entry: AnyEntry, claims: Iterable[str]) -> tuple[str, ...]:
        """Return the claims of the entry that are not among these, which the file has."""
        theirs = {*claims, ""}
        return tuple(claim for claim in map(self.claim_of, self.lines(entry)) if claim not in theirs)

    @property
    def actions(self) -> tuple[Action, ...]:
        """Return the actions that can be ticked."""
        return tuple(self.effects)


def _conflict(asked: AnyEntry) -> Iterator[str]:
    """Yield the lines of a conflict (E-31, X-E11)."""
    entry = _about_claims(asked)
    existing, new = entry.existing, entry.new
    if existing is None:
        raise ValueError(f"a conflict has two sides: {entry.question.id}")
    yield f"**Subject:** {escaping.markdown(new.subject)} / **Predicate:** {escaping.markdown(new.predicate)}"
    yield f"**Existing ID:** {escaping.markdown(existing.id)}"
    yield f"**Existing:** {claim(existing.statement, existing.confidence, entry.existing_said_at or existing.valid_from)}"
    yield f"**New ID:** {escaping.markdown(new.id)}"
    yield f"**New:** {claim(new.statement, new.confidence, entry.new_said_at)}"
    if entry.question.repeats:
        yield f"**Heard again:** {plural(entry.question.repeats, 'time')}"
    if entry.likely:
        yield f"**Likely:** {entry.likely}: {entry.because}"
    yield f"**Source episode:** {escaping.markdown(entry.episode)}"


def claim(statement: str, confidence: float, said_at: datetime) -> str:
    """Return a claim in a line."""
    return f'"{escaping.markdown(statement)}" (confidence: {confidence:.2f}) · said {utc(said_at)[:10]}'


def utc(when: datetime) -> str:
    """Return a time in the format of the file."""
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _quarantine(asked: AnyEntry) -> Iterator[str]:
    """Yield the lines of a quarantined claim: its source, trusted less than the user or an echo of Ethos's own words, says why it waits."""
    entry = _about_claims(asked)
    existing, new = entry.existing, entry.new
    yield f"**Subject:** {escaping.markdown(new.subject)} / **Predicate:** {escaping.markdown(new.predicate)}"
    yield f"**Claim ID:** {escaping.markdown(new.id)}"
    yield f"**Claim:** {claim(new.statement, new.confidence, entry.new_said_at)}"
    if existing is not None:
        yield f"**Against:** {claim(existing.statement, existing.confidence, entry.existing_said_at or existing.valid_from)}"
    yield f"**From:** {_SOURCES[new.origin]}"
    if new.origin < TRUSTED and is_instruction(f"{new.predicate} {new.object}"):
        yield "**Careful:** it tells somebody what to do, and it is not you who said it"
    if entry.question.repeats:
        yield f"**Heard again:** {plural(entry.question.repeats, 'time')}"
    yield f"**Source episode:** {escaping.markdown(entry.episode)}"


def _about_claims(entry: AnyEntry) -> Entry:
    if not isinstance(entry, Entry):
        raise TypeError(f"not a question about claims: {entry.question.id}")
    return entry


def _about_a_memory(entry: AnyEntry) -> MemoryEntry:
    if not isinstance(entry, MemoryEntry):
        raise TypeError(f"not a question about a memory: {entry.question.id}")
    return entry


def _distilled(asked: AnyEntry) -> Iterator[str]:
    """Yield the lines of a memory in quarantine."""
    entry = _about_a_memory(asked)
    memory = entry.memory
    yield from _lesson(memory)
    yield f"**Outcome:** {memory.outcome}, believed {memory.confidence:.2f}"
    yield f"**From:** {_SOURCES[memory.origin]}"
    if is_instruction(f"{memory.title} {memory.content}"):
        yield "**Careful:** it tells somebody what to do, and it is not you who said it"
    yield f"**Source episode:** {escaping.markdown(entry.episode)}"


def _unhelpful(asked: AnyEntry) -> Iterator[str]:
    """Yield the lines of a memory that was served often and never helped."""
    memory = _about_a_memory(asked).memory
    yield from _lesson(memory)
    tried = f"worked {memory.worked} of {memory.tried}" if memory.tried else "not tried"
    judged = f", found helpful by {memory.helped} of {memory.judged}" if memory.judged else ""
    yield f"**Record:** served {plural(memory.usage_count, 'time')}, {tried}{judged}"


def _lesson(memory: QuestionedMemory) -> Iterator[str]:
    yield f"**Memory ID:** {escaping.markdown(memory.id)}"
    yield f'**Title:** "{escaping.markdown(memory.title)}"'
    yield f'**When:** "{escaping.markdown(memory.description)}"'


_SOURCES: Mapping[Origin, str] = {
    Origin.EXTERNAL: "something from outside (a page, a file, a program's prompt)",
    Origin.TOOL: "what a tool printed, or what was quoted or pasted",
    Origin.ASSISTANT: "the assistant",
    Origin.USER: "words that Ethos itself had shown before; accept it if you said it again",
    Origin.OPERATOR: "words that Ethos itself had shown before; accept it if you said it again",
}

CONFLICT = EntryKind(
    prefix="c",
    heading="Memory Conflict",
    section=(),
    effects={
        "keep-old": "the existing one stays, the new one was put aside",
        "keep-new": "the new one replaces the existing one",
        "keep-both": "both stand",
    },
    fields=("Subject", "Existing ID", "Existing", "New ID", "New", "Heard again", "Likely", "Source episode"),
    claims=("Subject", "Existing ID", "Existing", "New ID", "New"),
    lines=_conflict,
)

_QUARANTINE = EntryKind(
    prefix="q",
    heading="Memory Quarantine",
    section=(
        "## Quarantine",
        "What did not come from you is not held until you accept it. Left unanswered, it stays out.",
    ),
    effects={"accept": "it is held", "reject": "it is not held"},
    fields=("Subject", "Claim ID", "Claim", "Against", "From", "Careful", "Heard again", "Source episode"),
    claims=("Subject", "Claim ID", "Claim"),
    lines=_quarantine,
)

DISTILLED = EntryKind(
    prefix="a",
    heading="Distilled Memory",
    section=(
        "## Memories that wait for you",
        "A night distilled them from words that are not yours. They are not used until you accept them.",
    ),
    effects={"accept": "it is in use", "reject": "it is out of use"},
    fields=("Memory ID", "Title", "When", "Outcome", "From", "Careful", "Source episode"),
    claims=("Memory ID", "Title", "When"),
    lines=_distilled,
)

_UNHELPFUL = EntryKind(
    prefix="n",
    heading="Unhelpful Memory",
    section=(
        "## Memories that never helped",
        "They were served often, and no outcome and no word says that they helped. Left unanswered, they stay in use.",
    ),
    effects={"retire": "it is out of use", "keep": "it stays in use, and is not asked about again"},
    fields=("Memory ID", "Title", "When", "Record"),
    claims=("Memory ID", "Title", "When"),
    lines=_unhelpful,
)

KINDS: tuple[EntryKind, ...] = (CONFLICT, _QUARANTINE, DISTILLED, _UNHELPFUL)  # in the order of the file
OF_MEMORIES = (DISTILLED, _UNHELPFUL)

_BY_PREFIX = {kind.prefix: kind for kind in KINDS}


def kind_of(question: str) -> EntryKind | None:
    """Return the kind of a question, by its id; None if it is unknown."""
    prefix, _, rest = question.partition("-")
    return _BY_PREFIX.get(prefix) if rest else None
