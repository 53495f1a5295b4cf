"""Phrases that are searched for together, and texts that several stages of a night read."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from ethos.core.learning.bank.distilling import _cues
from ethos.core.learning.bank.vocabulary import table
from ethos.core.text.phrases import any_of
from ethos.core.text.readings import Readings
from ethos.core.text.sentences import all_sentences, fold, mask

PHRASES = ["it works", "it is", "it", "fixed", "no luck", "'cause", "works?"]


@given(text=st.text(alphabet="it works'fxednoluca.,-", max_size=40))
def test_l37_phrases_are_found_as_by_the_plain_pattern(text: str) -> None:
    """In the same texts; only the search is faster."""
    plain = re.compile(r"(?<!\w)(?:" + "|".join(PHRASES) + r")\b")
    assert bool(any_of(PHRASES).search(text)) == bool(plain.search(text))


def test_l37_a_text_is_masked_once_for_all_who_read_it() -> None:
    """A second reader gets the very same string; what is too much to keep is read anew and comes out alike."""
    readings, text = Readings(), "Keep `this` and that.\n```\ncode\n```\nDone."
    assert readings.of(text) is readings.of(text)
    assert readings.of(text) == Readings(most=0).of(text) == (plain := mask(fold(text)), tuple(all_sentences(plain)))


@given(data=st.data())
def test_r09_every_sentence_that_tells_what_helped_has_a_word_by_which_it_is_found(data: st.DataObject) -> None:
    """The patterns of both are tried on sentences with one of these words alone."""
    patterns = [pattern for name in ("helped", "hindered") for pattern in table("distilling")[name]]
    sentence = data.draw(st.from_regex(data.draw(st.sampled_from(patterns))))
    assert _cues().ended.starts(sentence)
