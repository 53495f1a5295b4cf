"""Damaged review files: whatever happens to one, a decision is one that a person made.

A person ticks some boxes cleanly; then the file is damaged, in bytes and in lines, by anything but somebody writing an x. The reader may
miss a tick then, but it never raises, never decides an entry that was not ticked, never changes a choice, and takes nothing from what
was captured. What the person wrote is still there when the file is written again.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from ethos.core import review
from ethos.core.model.records import Action
from ethos.core.ports.review_file import Entry
from ethos.edge.inbox.file_version import FileVersion, Unusable
from tests.core.test_review_hostile import ATTACKS
from tests.support.asking import answered, entry

Damage = Callable[[random.Random, bytes], bytes]

SEED = 20_260_601
_FILES = 50  # clean files, each damaged many times
_NEVER_X = bytes(byte for byte in range(256) if byte not in b"xX\xe2\x9c\x93")


@dataclass(frozen=True)
class Clean:
    """A file as its person saved it, what they chose, and the words that are theirs."""

    entries: tuple[Entry, ...]
    data: bytes
    chosen: dict[str, Action]
    words: tuple[bytes, ...]


def clean(chance: random.Random, number: int) -> Clean:
    """Some entries with anything at all in them, some of them ticked in any spelling, with notes, and words around them."""
    entries = [hostile(chance, at + 1) for at in range(chance.randrange(1, 6))]
    done = [answered(each, chance.choice(actions(each))) for each in (hostile(chance, at + 100) for at in range(chance.randrange(3)))]
    text, chosen, words = review.render([*entries, *done]), dict[str, Action](), list[str]()
    for each in entries:
        one = each.question.id
        if chance.random() < 0.7:
            chosen[one] = action = chance.choice(actions(each))
            spelled = chance.choice([action, action.upper(), action.title()])
            tick = f"{chance.choice('-*+')} [{chance.choice('xX✓')}] {spelled} ^{one}{chance.choice(['', ' ', '  '])}"
            text = text.replace(f"- [ ] {action} ^{one}", tick)
        if chance.random() < 0.5:
            words.append(f"note: mine-{number}-{len(words)}")
            text = text.replace(f"note:\n<!-- /ethos {one}", f"{words[-1]}\n<!-- /ethos {one}")
    if chance.random() < 0.6:
        words.append(f"tail-{number}")
        text += words[-1] + "\n"
    if chance.random() < 0.3:
        words.append(f"top-{number}")
        text = words[-1] + "\n" + text
    if chance.random() < 0.3:
        text = text.replace("\n", "\r\n")
    bom, encoding = chance.choice([(b"", "utf-8")] * 4 + [(b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le")])
    return Clean((*entries, *done), bom + text.encode(encoding, "replace"), chosen, tuple(word.encode() for word in words))


def hostile(chance: random.Random, number: int) -> Entry:
    """An entry of either kind whose quote and statement try to be more than text; it names its own id."""
    asked = entry(number)
    words = chance.choice(ATTACKS) if chance.random() < 0.7 else "Honestly, I prefer Python these days."
    if chance.random() < 0.3:
        alone = replace(asked.question, id="q-" + asked.question.id[2:], existing="")
        asked = replace(asked, question=alone, existing=None, existing_said_at=None)
    words = words.replace(entry().question.id, asked.question.id)[:400]
    return replace(asked, quote=words, new=replace(asked.new, statement=words))


def actions(of: Entry) -> tuple[Action, ...]:
    """What can be ticked in it."""
    kind = review.kind_of(of.question.id)
    assert kind is not None
    return kind.actions


# -- damages: none writes an x into a box


def cut(chance: random.Random, data: bytes) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def lose_bytes(chance: random.Random, data: bytes) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + data[at + chance.randrange(1, 60) :]


def change_bytes(chance: random.Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.randrange(1, 9)):
        if changed:
            changed[chance.randrange(len(changed))] = chance.choice(_NEVER_X)
    return bytes(changed)


def nul_block(chance: random.Random, data: bytes) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + b"\0" * 512 + data[at + 512 :]


def by_lines(change: Callable[[random.Random, list[bytes]], list[bytes]]) -> Damage:
    def damage(chance: random.Random, data: bytes) -> bytes:
        return b"".join(change(chance, data.splitlines(keepends=True)))

    return damage


def _span(chance: random.Random, lines: list[bytes]) -> tuple[int, int]:
    start = chance.randrange(len(lines) + 1)
    return start, min(len(lines), start + chance.randrange(1, 12))


def lose_lines(chance: random.Random, lines: list[bytes]) -> list[bytes]:
    start, end = _span(chance, lines)
    return lines[:start] + lines[end:]


def double_lines(chance: random.Random, lines: list[bytes]) -> list[bytes]:
    start, end = _span(chance, lines)
    return lines[:end] + lines[start:end] + lines[end:]


def move_lines(chance: random.Random, lines: list[bytes]) -> list[bytes]:
    start, end = _span(chance, lines)
    left = lines[:start] + lines[end:]
    at = chance.randrange(len(left) + 1)
    return left[:at] + lines[start:end] + left[at:]


def quote_lines(chance: random.Random, lines: list[bytes]) -> list[bytes]:
    start, end = _span(chance, lines)
    return lines[:start] + [b"> " + line for line in lines[start:end]] + lines[end:]


def indent_lines(chance: random.Random, lines: list[bytes]) -> list[bytes]:
    start, end = _span(chance, lines)
    return lines[:start] + [chance.choice([b"    ", b"\t", b" "]) + line for line in lines[start:end]] + lines[end:]


def join_lines(chance: random.Random, lines: list[bytes]) -> list[bytes]:
    start, end = _span(chance, lines)
    return lines[:start] + [line.rstrip(b"\r\n") for line in lines[start:end]] + lines[end:]


def merge_marks(chance: random.Random, lines: list[bytes]) -> list[bytes]:
    start, end = _span(chance, lines)
    return [*lines[:start], b"<<<<<<< ours\n", *lines[start:end], b"=======\n", *lines[start:end], b">>>>>>> theirs\n", *lines[end:]]


def foreign_lines(chance: random.Random, lines: list[bytes]) -> list[bytes]:
    at = chance.randrange(len(lines) + 1)
    strange = [b"- [ ] keep-new ^c-abc\n", b"# Memory review\n", b"<!-- /ethos c-abc -->\n", b"\n", b"\xff\xfe\n", b"- [x] milk\n"]
    return [*lines[:at], chance.choice(strange), *lines[at:]]


DAMAGES: tuple[Damage, ...] = (
    cut,
    lose_bytes,
    change_bytes,
    nul_block,
    *map(by_lines, (lose_lines, double_lines, move_lines, quote_lines, indent_lines, join_lines, merge_marks, foreign_lines)),
)


def is_theirs(data: bytes, word: bytes) -> bool:
    """The word still stands there, and on a line of its own."""
    return any(line.strip() == word for line in data.splitlines())


def check_clean(file: Clean) -> None:
    """Read as it was meant, all of it; nothing that was captured counts; written again, nothing of the person's is gone."""
    parsed = FileVersion(Path("inbox.md"), file.data).parsed()
    reading = review.read(parsed)
    assert {made.question: made.action for made in reading.decisions} == file.chosen
    assert not reading.hints
    after = review.render(file.entries, parsed).encode("utf-8", "surrogateescape")
    assert all(is_theirs(after, word) for word in file.words)


def check_damaged(file: Clean, data: bytes, *, write: bool) -> None:
    """A decision is one of those that were made; what is written again says no more, and keeps the person's words."""
    try:
        parsed = FileVersion(Path("inbox.md"), data).parsed()
    except Unusable:
        return  # said, not guessed: half a UTF-16, NUL bytes
    decided = {made.question: made.action for made in review.read(parsed).decisions}
    assert decided.items() <= file.chosen.items()
    if not write:
        return
    known = {each.question.id for each in file.entries}
    after = review.render(file.entries, parsed)
    again = review.parse(after)
    assert {block.id for block in again.blocks} <= known
    assert {made.question: made.action for made in review.read(again).decisions}.items() <= file.chosen.items()
    settled = review.render(file.entries, again)  # a hint goes once what it says is mended
    assert review.render(file.entries, review.parse(settled)) == settled
    kept = (after + "".join(review.orphans(file.entries, parsed))).encode("utf-8", "surrogateescape")
    if data[:2] not in (b"\xff\xfe", b"\xfe\xff"):  # else what it now says it is written in is another alphabet
        assert all(word in kept for word in file.words if is_theirs(data, word))


def fuzz(seed: int, count: int) -> int:
    """Damage `count` files; how many of them still gave a decision."""
    chance, deciding = random.Random(seed), 0
    for number in range(_FILES):
        file = clean(chance, number)
        check_clean(file)
        for at in range(count // _FILES):
            data = file.data
            for _ in range(chance.choice((1, 1, 2, 3, 6))):
                data = chance.choice(DAMAGES)(chance, data)
            try:
                check_damaged(file, data, write=at % 8 == 0)
            except Exception as error:
                error.add_note(f"seed {seed}, file {number}, damage {at}, chosen {file.chosen}:\n{data!r}")
                raise
            deciding += b"[" in data
    return deciding


@pytest.mark.no_cover  # the same lines, hundreds of times
def test_damaged_files_decide_nothing_that_nobody_decided() -> None:
    """Some thousands of them."""
    assert fuzz(SEED, 5_000)


@pytest.mark.torture
def test_a_hundred_thousand_damaged_files_decide_nothing_that_nobody_decided() -> None:
    """The whole figure, from other seeds."""
    for number in range(10):
        assert fuzz(SEED + 1 + number, 10_000)
