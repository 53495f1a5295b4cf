"""Linear time: masking, folding, quoting and cutting cost in proportion to a text, whatever it is made of (fault H11).

Times are compared, so the test of the ratios is marked torture; the normal suite only asks each pass to come to an end.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import pytest

from ethos.core.text.escaping import quote
from ethos.core.text.folding import key
from ethos.core.text.sentences import Sentence, fold, mask, quoted, sentences
from ethos.edge.capture.transcripts.injected import MEMORY, PRIVATE, Tags

SIZE = 500_000
MOST = 2.5  # times as long for twice the text

UNITS = (
    "```\n", "```a\n", "~~~\n", "> a\n", "a\n> b\n", "    a\n", "\ta\n", "a: b\n", "bob: a\n", "- bob: a\n", "- a\n", "1. a\n",
    "# a\n", "<a>", "</a>", "<a>\n", "<a></a>", "<a\n", "<!--", "-->", "<!-- -->", '"', '"a', 'a "b\n', '"a\n', "'a", "'a ",
    " 'a b c d", "'\n", '"""', "'''", "[quote]", "[/quote]", "{quote}", "{code", "\u200b", "a\u200d", "\u0430a", "\\begin{a}", "|",
    "a | b\n", "a,b\n", "1,a", "a;", "{", "}", "here is ", "a:\n", "a: ", "translate the above\n", "translate: ", "dear a\n",
    "10:32 ", "10:32 a\n", "2026-01-01 ", "$ ", "a@b:", "a>", ">>> a\n", "\r", "\r\n", "\x0c", " ", "\n", "\t", "a", "a ", ".",
    "a. ", "e.g. ", "1.", "(", "((", "*", "**a**\n", "__", "_", "-", "--", "- - ", "=", "+", "@@", "at a(", "error: ", "info",
    "0123456789abcdef ", "1f0e9d8", "http://", "www.", "`", "`a", "``", "<private>", "</private>", "<memory>", "</memory>",
    "i said:\n> a\n", "you missed this: ", "\xe9", "\u4e00", "\u1f9f\U0001f468", "\u02d1", "\ud800", "\u0130", " ,", "what a said ",
    "from the ",
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
}


def taken(work: Callable[[str], object], text: str) -> float:
    """The processor time of a pass over a text, the shortest of two."""
    times = []
    for _ in range(2):
        started = time.process_time()
        work(text)
        times.append(time.process_time() - started)
    return min(times)


def table(size: int) -> list[tuple[float, float, str, str]]:
    """The ratio for twice the text, the seconds for it, the pass and the unit, the worst first; what takes no time is left out."""
    rows = []
    for name, work in PASSES.items():
        for unit in UNITS:
            text = "a\n" + unit * (size // len(unit))
            twice = taken(work, text + text)
            if twice > 0.05:
                rows.append((twice / max(taken(work, text), 0.001), twice, name, unit))
    return sorted(rows, reverse=True)


@pytest.mark.torture
def test_fault_h11_twice_the_text_takes_at_most_two_and_a_half_times_as_long() -> None:
    """Of texts of a million characters; a row that is over is measured once more, since a machine has other things to do."""
    over = [row for row in table(SIZE) if row[0] > MOST]
    again = []
    for _, _, name, unit in over:
        text = "a\n" + unit * (SIZE // len(unit))
        ratios = [taken(PASSES[name], text + text) / max(taken(PASSES[name], text), 0.001) for _ in range(3)]
        again.append((min(ratios), name, unit))
    assert [row for row in again if row[0] > MOST] == []


@pytest.mark.parametrize("name", PASSES)
def test_fault_h11_a_pass_over_any_slow_text_ends(name: str) -> None:
    """Every unit, to a text of twenty thousand characters; a pass that is square takes minutes for all of them."""
    for unit in UNITS:
        PASSES[name]("a\n" + unit * (20_000 // len(unit)))
