"""The extra `semantic`: the best answers are looked at again by what they mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from importlib.util import find_spec

import pytest

from ethos.app import Ethos
from ethos.core.model.errors import Refused
from ethos.core.model.settings import Settings
from ethos.core.ports.encoder import Passage, Words
from ethos.core.ports.queries import Search
from ethos.core.recall.question import read
from ethos.edge import wiring
from ethos.stages.recall.search import Nearness, answers
from tests.support import proven
from tests.support.telling import said


class Kinds:
    """Words of one kind have one meaning, and frequent words have none: an encoder that can be read."""

    id, weight, looked_at = "kinds", 5.0, 50
    KINDS: Mapping[str, str] = {"pets": "animal", "max": "animal", "dog": "animal", "spain": "country", "country": "country"}

    def likeness(self, question: Words, passages: Sequence[Passage], share: Mapping[str, float]) -> Sequence[float]:
        """See the port."""
        asked = self._meant(question, share)
        return [float(bool(asked & self._meant((*passage.text, *passage.before), share))) for passage in passages]

    def _meant(self, words: Words, share: Mapping[str, float]) -> set[str]:
        return {self.KINDS[word] for word in words if word in self.KINDS and share[word] < 0.9}


def test_semantic_raises_what_means_the_same_in_other_words(ethos: Ethos) -> None:
    """Two turns have the same words of the question; the one about a dog answers the one about pets. `--explain` shows the part."""
    told = ("I have a new shelf in the hall.", "I have Max in the hall, he is a good boy.", "I have a car in the hall.")
    ethos.capture([said(words, record=str(number), session=str(number)) for number, words in enumerate(told)])
    question = read("which pets are in the hall?")
    found = {}
    for encoder in (None, Kinds()):
        with ethos.store.begin() as work:
            wanted = Search("default", question.words)
            found[encoder is not None] = answers(question, wanted, work, ethos.rules, Nearness({"user"}, encoder=encoder))
    assert {hit.id for hit in found[True]} == {hit.id for hit in found[False]}
    assert "Max" in found[True][0].text
    assert found[True][0].parts["meaning"] > 0
    assert "meaning" not in found[False][0].parts


def test_semantic_without_the_extra_says_what_to_install(settings: Settings) -> None:
    """Recall says what to do; with the extra it answers. Other verbs need no vectors."""
    with closing(wiring.build(replace(settings, recall=replace(settings.recall, semantic=True)), proven.book())) as memory:
        memory.capture([said("We decided to use Postgres.")])
        if find_spec("tokenizers") and find_spec("wordllama"):
            assert memory.recall("who uses Postgres?", limit=3)[0].parts["meaning"] != 0
        else:
            with pytest.raises(Refused) as refused:
                memory.recall("who uses Postgres?", limit=3)
            assert refused.value.problem.hint.startswith("pip install 'ethos[semantic]'")


def test_semantic_vectors_of_the_extra_tell_likeness() -> None:
    """A question is nearer to its paraphrase than to other text; frequent words count little."""
    pytest.importorskip("tokenizers", reason="the extra semantic is not installed")
    pytest.importorskip("wordllama", reason="the extra semantic is not installed")
    from ethos.inference.word_vectors import installed  # noqa: PLC0415 (an extra)

    texts = ("we keep a puppy at home", "the invoice is due on friday", "")
    near, far, empty = installed().likeness(["which", "pets", "do", "you", "have"], [Passage(text.split()) for text in texts], {})
    assert near > far
    assert empty == 0.0
