"""What becomes of a statement and its later correction, repetition or refinement, whichever of the two comes in first.

    python -m benchmarks.supersession PAIRS.jsonl [EPISODES.jsonl]

A pair is an object a line: {"id", "rel", "slot"?, "old", "new"}, where `rel` is supersede, refine, reinforce, review or apart, and a side
is a text, or {"conv", "turn", "value"} of an episode in the second file ({"id": "CONV/TURN", "text", "role", "speaker"}). The old side is
said a day before the new one; both orders of arrival are tried on memories of their own.

A turn may hold more than its side of the pair: where the pair says what the side's own value is, only facts that share half of the
value's words (without what stands in parentheses or in the pair's slot) count as the side, and the verdict is theirs.

Printed: the verdict of each order, what was read of each side, and of a side that was not read, why.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.place import memory, shipped
from benchmarks.quality import stems
from ethos.app import Ethos
from ethos.core.model.ids import episode_id
from ethos.core.model.records import Episode, Fact, Origin, Role
from ethos.core.ports.queries import FactFilter
from ethos.core.text.sentences import fold, mask, sentences

DAY = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
WANTED = {  # SPEC, Settled: Verdict names
    "supersede": {"Supersedes"},
    "refine": {"Refines", "Supersedes"},
    "reinforce": {"Confirms"},
    "review": {"Contradicts"},
    "apart": {"apart"},
}
_IDLE = frozenset("just also rather never not itself optionally instead".split())  # noqa: SIM905 (words of a value that carry none of it)
_ORIGINS: Mapping[Role, Origin] = {"user": Origin.USER, "assistant": Origin.ASSISTANT, "tool": Origin.TOOL, "system": Origin.USER}


@dataclass(frozen=True, slots=True)
class Side:
    """One statement of a pair."""

    text: str
    role: Role = "user"
    speaker: str = "Maren"
    words: frozenset[str] = frozenset()  # stems of what of it belongs to the pair; none: all of it

    def holds(self, fact: Fact) -> bool:
        """Whether the fact is of this side of the pair, and not something else of the turn."""
        return 2 * self._shared(fact.statement) >= len(self.words)

    @property
    def unread(self) -> str:
        """Why nothing of it is read, as far as the text tells."""
        if self.role != "user":
            return f"the {self.role}'s words, which are not held by themselves"
        masked = mask(fold(self.text))
        cut = [(self._shared(self.text[low:high]), asked) for at in _lines(masked) for low, high, _, asked in sentences(masked, at)]
        most = max((shared for shared, _ in cut), default=0)
        if most == 0 < self._shared(self.text):
            return "quoted or pasted"
        return "asked, not said" if all(asked for shared, asked in cut if shared == most) else "no rule reads it"

    def _shared(self, text: str) -> int:
        return len(self.words & set(stems(text.replace("`", ""))))


@dataclass(frozen=True, slots=True)
class Outcome:
    """A pair tried: the verdict by date in each order of arrival, "" where a side was not read, and what was read of both."""

    forward: str
    backward: str
    old: tuple[str, ...]
    new: tuple[str, ...]
    beside: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())  # what else was read in the turns of both sides

    @property
    def read(self) -> bool:
        """Whether both sides gave something of their own."""
        return bool(self.old and self.new)


def weigh_pairs(pairs: Sequence[tuple[Side, Side]], folder: Path) -> list[Outcome]:
    """Each pair in both orders: two fresh memories under `folder`, in which each pair is a user's own."""
    verdicts: list[list[str]] = [[] for _ in pairs]
    read: list[list[list[Fact]]] = []
    for order in (("old", "new"), ("new", "old")):
        ethos = memory(folder / "-".join(order), shipped())
        for name in order:
            ethos.capture(_episode(side, name, f"pair-{i}") for i, pair in enumerate(pairs) for side in [pair[name == "new"]])
            ethos.consolidate(reason="pairs")
        read = [[_facts_of(ethos, f"pair-{i}", name) for name in ("old", "new")] for i in range(len(pairs))]
        for i, (pair, (old, new)) in enumerate(zip(pairs, read, strict=True)):
            verdicts[i].append(_verdict(ethos, [f for f in old if pair[0].holds(f)], [f for f in new if pair[1].holds(f)], f"pair-{i}"))
        ethos.close()
    outcomes = []
    for (forward, backward), pair, found in zip(verdicts, pairs, read, strict=True):
        said, answered = (_told(side, facts) for side, facts in zip(pair, found, strict=True))
        outcomes.append(Outcome(forward, backward, said[0], answered[0], (said[1], answered[1])))
    return outcomes


def _told(side: Side, facts: Sequence[Fact]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what was read of the side, and what else in its turn."""
    own = tuple(sorted(fact.statement for fact in facts if side.holds(fact)))
    return own, tuple(sorted(fact.statement for fact in facts if not side.holds(fact)))


def _words(value: str, slot: str) -> frozenset[str]:
    """Return the stems of the words that tell a value, without those that only say what it is a value of."""
    bare = re.sub(r"\(.*?\)", " ", value).strip() or value
    words = frozenset(stems(bare.replace("`", ""))) - _IDLE if value else frozenset()
    return words - frozenset(stems(slot)) or words


def _lines(text: str) -> list[int]:
    """Where the lines of a text begin."""
    return [0, *(found.end() for found in re.finditer("\n", text))]


def _episode(side: Side, name: str, user: str) -> Episode:
    at = DAY + timedelta(days=name == "new")
    return Episode(
        id=_id(name, user),
        user=user,
        project="default",
        session=user,
        role=side.role,
        speaker=side.speaker,
        origin=_ORIGINS[side.role],
        text=side.text,
        said_at=at,
        captured_at=at,
        importance=0.5,
        importance_given=False,
        source="pair",
    )


def _id(name: str, user: str) -> str:
    return episode_id("pair", user, name)


def _facts_of(ethos: Ethos, user: str, name: str) -> list[Fact]:
    """Return the facts, in their last versions, that rest on the episode."""
    with ethos.store.begin() as work:
        resting = {piece.fact for piece in work.evidence_in([_id(name, user)])}
    return [fact for fact in ethos.facts(FactFilter(user, history=True)) if fact.id in resting and fact.closed_at is None]


def _verdict(ethos: Ethos, old: Sequence[Fact], new: Sequence[Fact], user: str) -> str:
    """Return what the later statement did to the earlier one, as the store has it."""
    if not old or not new:
        return ""
    ours, theirs = {fact.id for fact in old}, {fact.id for fact in new}
    if any(fact.superseded_by in theirs for fact in old if fact.id not in theirs):
        return "Supersedes"
    with ethos.store.begin() as work:
        asked = work.questions(facts=ours | theirs)
        if any({question.existing, question.new} & ours and {question.existing, question.new} & theirs for question in asked):
            return "Contradicts"
        if shared := ours & theirs:
            said = {(piece.fact, piece.episode): piece.object for piece in work.evidence(shared)}
            longer = any(fact.object != said[fact.id, _id("old", user)] for fact in new if fact.id in shared)
            return "Refines" if longer else "Confirms"
    return "apart"


def sides_of(pair: Mapping[str, Any], episodes: Mapping[str, Mapping[str, Any]]) -> tuple[Side, Side]:
    """Return the two statements of a line. Raises KeyError if an episode is missing."""

    def side(held: Any) -> Side:
        if isinstance(held, str):
            return Side(held)
        turn = episodes[f"{held['conv']}/{held['turn']}"]
        return Side(turn["text"], turn["role"], turn["speaker"], _words(held.get("value", ""), pair.get("slot", "")))

    return side(pair["old"]), side(pair["new"])


def rows(path: Path) -> list[dict[str, Any]]:
    """Return the objects of a JSON lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def main(arguments: Sequence[str]) -> int:
    """Print a line a pair; 0 when every pair of which both sides were read has the right verdict in both orders."""
    parser = argparse.ArgumentParser("python -m benchmarks.supersession", description=__doc__)
    parser.add_argument("pairs", type=Path, help="JSON lines: a statement and what became of it later")
    parser.add_argument("episodes", type=Path, nargs="?", help="episode lines of the turns that the pairs name")
    asked = parser.parse_args(arguments)
    pairs = rows(asked.pairs)
    episodes = {row["id"]: row for row in rows(asked.episodes)} if asked.episodes else {}
    wrong = read = 0
    sides = [sides_of(pair, episodes) for pair in pairs]
    with tempfile.TemporaryDirectory() as folder:
        outcomes = weigh_pairs(sides, Path(folder))
    for pair, both, outcome in zip(pairs, sides, outcomes, strict=True):
        right = {outcome.forward, outcome.backward} <= WANTED[pair["rel"]]
        read += outcome.read
        wrong += outcome.read and not right
        mark = "not read" if not outcome.read else "right" if right else "WRONG"
        print(f"{pair['id']:<5} {pair['rel']:<10} {mark:<9} {outcome.forward or '-'} / {outcome.backward or '-'}")
        for name, side, found, beside in zip(("old", "new"), both, (outcome.old, outcome.new), outcome.beside, strict=True):
            besides = f" (besides: {'; '.join(beside)})" if beside and not found else ""
            print(f"      {name}: " + ("; ".join(found) or f"not read: {side.unread}{besides}"))
    print(f"{len(pairs)} pairs, both sides read in {read}, of these {read - wrong} right in both orders")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
