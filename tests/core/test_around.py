"""What is told around a turn, with plain values: what a candidate has in common with it."""

from __future__ import annotations

from ethos.core.model.candidates import Noted
from ethos.core.recall.around import AroundWeights, parts_of, ranked
from ethos.core.recall.terms import mark_of, term_of, words

DAY = 86_400_000_000  # microseconds


def noted(row: int, text: str) -> Noted:
    """A turn of one person, a day after the one before."""
    marks = b"".join(mark_of(term_of(word)) for word in dict.fromkeys(words(text)))
    return Noted(row, marks, 0, 0, 0, "maren", row // 10 * DAY)


SEED = noted(10, "backup failed")
SAME = noted(60, "failed backup")
WIDE = noted(50, "backup invoices parser Hamburg failed ledger scanner template Bergen restore cluster archive")
OTHER = noted(70, "lunch garden")


def test_l26_a_turn_is_alike_by_its_own_words() -> None:
    """One with the same words is wholly so, one with many more a little, one with none not at all."""
    found = {row: parts.alike for row, parts in parts_of(SEED, (SEED, SAME, WIDE, OTHER), {}).items()}
    assert round(found[SAME.row], 4) == 1.0
    assert 0.1 < found[WIDE.row] < 0.6
    assert found[OTHER.row] == 0.0


def test_l26_what_says_the_same_is_told_before_what_only_has_its_words_too() -> None:
    """Both have the same words in common with the turn, so its own length decides, though the other was said earlier after it."""
    by_likeness = AroundWeights(subject=0.0)
    assert [row for row, _ in ranked(SEED, (SEED, SAME, WIDE, OTHER), {}, by_likeness)][:2] == [SAME.row, WIDE.row]
    without = AroundWeights(subject=0.0, alike=0.0)
    assert [row for row, _ in ranked(SEED, (SEED, SAME, WIDE, OTHER), {}, without)][:2] == [WIDE.row, SAME.row]
