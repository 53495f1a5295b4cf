"""Choose a tag for each word of a sentence, from left to right, by a transducer of some thousand states that is built as it is needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain

Choose = Callable[[str, str, str, str, bool], str]  # as `tagging.choose`


class _State(dict[str, dict[str, tuple[str, "_State"]]]):
    """What the next choice depends on, and the choices made from here: possible tags -> those of the word behind -> tag and next state."""

    __slots__ = ("back", "before", "verb")

    def __init__(self, before: str, back: str, *, verb: bool) -> None:
        super().__init__()
        self.before = before  # the tag before
        self.back = back  # the last tag that is no adverb's
        self.verb = verb  # whether the clause has its verb

    def __missing__(self, tags: str) -> dict[str, tuple[str, _State]]:
        found: dict[str, tuple[str, _State]] = {}
        self[tags] = found
        return found


class Transducer:
    """Ask `choose` for a tag once for each state and word, and remember its answer."""

    def __init__(self, choose: Choose) -> None:
        self._choose = choose
        self._states: dict[tuple[str, str, bool], _State] = {}
        self._begin = self._state(";", ";", verb=False)

    def tags_of(self, possible: Sequence[str]) -> str:
        """Return one tag for each word. possible: the tags that each may have, the likeliest first."""
        state = self._begin
        tags: list[str] = []
        for several, after in zip(possible, chain(possible[1:], (";",)), strict=False):  # the last one, and no word, have no next
            try:
                tag, state = state[several][after]
            except KeyError:
                tag, state = self._step(state, several, after)
            tags.append(tag)
        return "".join(tags)

    def _step(self, state: _State, several: str, behind: str) -> tuple[str, _State]:
        """Choose a tag, and remember the choice with the state that it leads to."""
        tag = several if len(several) == 1 else self._choose(several, state.before, state.back, behind, state.verb)
        if tag in "RX":
            after = self._state(tag, state.back, verb=state.verb)
        else:
            after = self._state(tag, tag, verb=tag in "VzdBHYO" or (state.verb and tag not in ",;CSW"))
        state[several][behind] = tag, after
        return tag, after

    def _state(self, before: str, back: str, *, verb: bool) -> _State:
        key = (before, back, verb)
        if key not in self._states:
            self._states[key] = _State(before, back, verb=verb)
        return self._states[key]
