"""Linear time: masking, folding, quoting and cutting cost in proportion to a text, whatever it is made of (fault H11).

Times are compared, so the test of the ratios is marked torture; the normal suite only asks each pass to come to an end.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import pytest

from ethos.core.history.erasure import folded
from ethos.core.model.records import Origin
from ethos.core.recall.terms import words
from ethos.core.text.escaping import quote
from ethos.core.text.folding import key
from ethos.core.text.sentences import Sentence, fold, mask, quoted, sentences
from ethos.edge.capture.transcripts.injected import MEMORY, PRIVATE, Tags
from ethos.edge.capture.transcripts.reading import composed
from tests.support import proven

SIZE = 500_000
MOST = 2.5  # times as long for twice the text
LEAST = 0.05  # seconds

UNITS = (
    "```\n", "```a\n", "~~~\n", "> a\n", "a\n> b\n", "    a\n", "\ta\n", "a: b\n", "bob: a\n", "- bob: a\n", "- a\n", "1. a\n",
    "# a\n", "<a>", "</a>", "<a>\n", "<a></a>", "<a\n", "<!--", "-->", "<!-- -->", '"', '"a', 'a "b\n', '"a\n', "'a", "'a ",
    " 'a b c d", "'\n", '"""', "'''", "[quote]", "[/quote]", "{quote}", "{code", "\u200b", "a\u200d", "\u0430a", "\\begin{a}", "|",
    "a | b\n", "a,b\n", "1,a", "a;", "{", "}", "here is ", "a:\n", "a: ", "translate the above\n", "translate: ", "dear a\n",
    "10:32 ", "10:32 a\n", "2026-01-01 ", "$ ", "a@b:", "a>", ">>> a\n", "\r", "\r\n", "\x0c", " ", "\n", "\t", "a", "a ", ".",
    "a. ", "e.g. ", "1.", "(", "((", "*", "**a**\n", "__", "_", "-", "--", "- - ", "=", "+", "@@", "at a(", "error: ", "info",
    "0123456789abcdef ", "1f0e9d8", "http://", "www.", "`", "`a", "``", "<private>", "</private>", "<memory>", "</memory>",
    "i said:\n> a\n", "you missed this: ", "\xe9", "\u4e00", "\u1f9f\U0001f468", "\u02d1", "\ud800", "\u0130", " ,", "what a said ",
    "from the ", "\u0315\u0300",
)  # fmt: skip

TAGS = Tags((*PRIVATE, *MEMORY))


def _cut(text: str) -> list[Sentence]:
    low = mask(fold(text))
    return list(sentences(low, 0))


PASSES: Mapping[str, Callable[[str], object]] = {
    "fold": fold,
    "mask": lambda text: mask(fold(text)),
    "mask, code": lambda text: mask(fold(text), code=True),
    "sentences": _cut,
    "quoted": lambda text: [quoted(text, 0, at) for at in range(0, len(text), max(1, len(text) // 50))],
    "key": key,
    "quote": quote,
    "tags": TAGS.strip,
    "recall": words,
    "forgetting": folded,
    "composed": composed,
}


class Row(NamedTuple):
    """What twice a text costs: how many times as much, in seconds of processor time, in which pass, and what the text repeats."""

    ratio: float
    seconds: float
    name: str
    unit: str


@pytest.fixture
def frozen() -> Iterator[None]:
    """Keep what is loaded, such as all rules, from the search for garbage, as the daemon does: else a long text pays for a look at it."""
    proven.rules_by_default()
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def taken(work: Callable[[str], object], text: str) -> float:
    """The processor time of a pass over a text."""
    started = time.process_time()
    work(text)
    return time.process_time() - started


def measured(name: str, work: Callable[[str], object], unit: str, size: int) -> Row:
    """One text of a size and one of twice that size, each once; where that is over the limit, up to four times more.

    The least time of each counts: what else runs on the machine only adds to it.
    """
    text = "a\n" + unit * (size // len(unit))
    once, twice = float("inf"), float("inf")
    for _ in range(5):
        twice = min(twice, taken(work, text + text))
        if twice < LEAST:  # too short to be told from chance
            return Row(0.0, twice, name, unit)
        once = min(once, taken(work, text))
        if twice / max(once, LEAST / 5) <= MOST:
            break
    return Row(twice / max(once, LEAST / 5), twice, name, unit)


def table(passes: Mapping[str, Callable[[str], object]], size: int) -> Iterator[Row]:
    """Print what each pass costs at worst, and yield every row. size: of the shorter text, in characters."""
    for name, work in passes.items():
        rows = [measured(name, work, unit, size) for unit in UNITS]
        yield from rows
        worst, slowest = max(rows), max(rows, key=lambda row: row.seconds)
        text = f"{name}: {len(rows)} texts of {2 * size:,} characters, at worst x{worst.ratio:.2f} ({worst.unit!r})"
        print(f"{text}, the slowest {slowest.seconds:.2f} s ({slowest.unit!r})", flush=True)  # noqa: T201 (the table of the test)


@pytest.mark.torture
@pytest.mark.usefixtures("frozen")
@pytest.mark.parametrize("name", PASSES)
def test_fault_h11_twice_the_text_takes_at_most_two_and_a_half_times_as_long(name: str) -> None:
    """Texts of a million characters. All passes take two and a half minutes of processor time."""
    assert [row for row in table({name: PASSES[name]}, SIZE) if row.ratio > MOST] == []


@pytest.mark.torture
@pytest.mark.usefixtures("frozen")
def test_fault_h11_so_does_reading_with_both_readers() -> None:
    """Whole extraction, of texts of a hundred thousand characters."""
    rules = proven.rules_by_default()

    def extracted(text: str) -> object:
        return rules.claims(text, role="user", speaker="A", origin=Origin.USER)

    assert [row for row in table({"extraction": extracted}, SIZE // 10) if row.ratio > MOST] == []


@pytest.mark.no_cover  # the same lines, hundreds of times
@pytest.mark.parametrize("name", PASSES)
def test_fault_h11_a_pass_over_any_slow_text_ends(name: str) -> None:
    """Every unit, to a text of twenty thousand characters; a pass that is square takes minutes for all of them."""
    for unit in UNITS:
        PASSES[name]("a\n" + unit * (20_000 // len(unit)))
