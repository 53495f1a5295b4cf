"""Text that is handed over to be translated, reworded or sent is not the speaker's own (promise 5)."""

from __future__ import annotations

import pytest

from ethos.core.text.sentences import fold, mask

HANDED_OVER = [
    "translate to french\ni live in ghent",
    "can you translate this to german for me? i live in ghent",
    "make it shorter - i live in ghent",
    "make it sound friendlier: i live in ghent",
    "fix my grammar: i live in ghent",
    "fix the spelling in this: i live in ghent",
    "give me three alternatives for this sentence: i live in ghent",
    "correct the following sentence. i live in ghent",
    "is this sentence right? i live in ghent",
    "write this as a limerick: i live in ghent",
    "use this as the caption: i live in ghent",
    "eli5 this: i live in ghent",
    "tone check on this reply pls: i live in ghent",
    "sentence to translate - i live in ghent",
    "tweet for me: i live in ghent",
    "spell check please: i live in ghent",
    "i have to translate a sentence: i live in ghent",
    "need a caption for this photo: i live in ghent",
    "hi sam,\n\ni live in ghent and like it.\n\ncheers,\nrita",
    "proofread\nhello ms okafor,\ni live in ghent.\nkind regards\ntom adeyemi",
]
OWN = [
    "one thing: i live in ghent",
    "i wrote this review: i live in ghent",
    "reply in french from now on. i live in ghent",
    "make the header shorter. i live in ghent",
    "translate the app to german, i live in ghent",
    "the following is settled. i live in ghent",
    "my review of this post is done - i live in ghent",
    "this message matters. i live in ghent",
    "thanks, rita! i live in ghent",
    "hi sam, i live in ghent and like it.",
    "hi claude,\n\ni live in ghent.\n\nthanks,\nrita",
    "hi sam,\n\ni live in ghent.",
]


@pytest.mark.parametrize("text", HANDED_OVER)
def test_text_to_be_worked_on_is_masked(text: str) -> None:
    """Whatever introduces it: a colon, a dash, a line, a sentence about the next one, a greeting and a signature."""
    assert "i live in ghent" not in mask(fold(text))


@pytest.mark.parametrize("text", OWN)
def test_what_the_speaker_says_after_such_words_stays(text: str) -> None:
    """A request about text is no reason to lose what is told beside it."""
    assert "i live in ghent" in mask(fold(text))
