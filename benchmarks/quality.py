"""How well the shipped rules read sentences of our own: precision, recall, false alarms; what summaries and profiles tell of them, what is
told around one, and what lessons a night learns from simulated logs; each beside a baseline.

    python -m benchmarks.quality [--misses]
    python -m benchmarks.quality --grades [GOLD EPISODES ...]
    python -m benchmarks.quality --lessons [LOGS]

The sentences are in tests/corpus (its README tells how they came about). A claim is right when a wanted fact of the same sentence has its
polarity, one of its kinds, a subject that fits, and an object that shares half of its words (F1 of word stems at least 0.5).
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import grades, lessons, narrative, telling
from benchmarks.place import shipped
from ethos.core.model.records import Claim, Origin
from ethos.core.rules.matcher import Rules
from ethos.edge.rulebook import load, shipped_rules

LOGS = 400  # simulated ones, for the lessons; beside all else
FEW_LOGS = 40
CORPUS = Path(__file__).parent.parent / "tests" / "corpus"
TALKS = ("people", "agent")
BANDS = (0.9, 0.75, 0.6, 0.45, 0.3)  # confidences that claims are counted by
_SLIGHT = frozenset("a an the is are was to of in on at for and or with by my our i we it".split())  # noqa: SIM905 (read as words)
_OWN = frozenset({"speaker", "team", "agent", "project", "context", "it"})  # imperatives have no subject of their own


@dataclass(frozen=True, slots=True)
class Score:
    """Claims that were right, claims that were not, wanted facts that were not found."""

    right: int = 0
    wrong: int = 0
    missed: int = 0

    def __add__(self, other: Score) -> Score:
        return Score(self.right + other.right, self.wrong + other.wrong, self.missed + other.missed)

    @property
    def precision(self) -> float:
        """Of what was claimed, the share that is right."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0

    @property
    def recall(self) -> float:
        """Of what was wanted, the share that was found."""
        return self.right / (self.right + self.missed) if self.right + self.missed else 1.0

    def __str__(self) -> str:
        return f"precision {self.precision:.3f}  recall {self.recall:.3f}  ({self.right} right, {self.wrong} wrong, {self.missed} missed)"


def rows(name: str) -> list[dict[str, Any]]:
    """Return a file of the corpus."""
    return [json.loads(line) for line in (CORPUS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def claims(rules: Rules, text: str) -> tuple[Claim, ...]:
    """Return what the rules read when the user says it."""
    return rules.claims(text, role="user", speaker="speaker", origin=Origin.USER)


def score(found: Sequence[Claim], wanted: Sequence[Mapping[str, Any]]) -> Score:
    """One sentence: each claim finds at most one wanted fact, the likest first."""
    right = len(right_of(found, wanted))
    return Score(right, len(found) - right, len(wanted) - right)


def right_of(found: Sequence[Claim], wanted: Sequence[Mapping[str, Any]]) -> set[int]:
    """Return the numbers of the claims of a sentence that are right."""
    pairs = sorted(
        (
            (alike(claim.object, want["object"]), i, j)
            for i, claim in enumerate(found)
            for j, want in enumerate(wanted)
            if _fits(claim, want)
        ),
        key=lambda pair: (-pair[0], pair[1:]),
    )
    taken: set[int] = set()
    met: set[int] = set()
    for likeness, i, j in pairs:
        if likeness >= 0.5 and i not in taken and j not in met:
            taken.add(i)
            met.add(j)
    return taken


def _fits(claim: Claim, want: Mapping[str, Any]) -> bool:
    if claim.polarity != want["polarity"] or claim.kind not in want["kinds"]:
        return False
    ours, theirs = claim.subject.lower(), want["subject"].lower()
    if ours in _OWN and theirs in _OWN:
        return True
    if claim.kind in ("decision", "preference") and (ours in _OWN or theirs in _OWN) and "speaker" not in (ours, theirs):
        return True
    left, right = stems(ours.replace("speaker's", "my")), stems(theirs)
    return bool(left & right) and 2 * (left & right).total() >= min(left.total(), right.total())


def alike(one: str, other: str) -> float:
    """F1 of the word stems of two phrases."""
    left, right = stems(one), stems(other)
    shared = (left & right).total()
    return 2 * shared / (left.total() + right.total()) if shared else 0.0


def stems(phrase: str) -> Counter[str]:
    """Return the stems of the words of a phrase that carry it."""
    words = re.findall(r"[\w@#./+-]*\w", phrase.lower())
    return Counter(re.sub(r"(?<=\w{3})(?:ing|ed|es|s|e)$", "", word) for word in words if word not in _SLIGHT) or Counter(words)


def total(rules: Rules, sentences: Iterable[Mapping[str, Any]]) -> Score:
    """All sentences together."""
    return sum((score(claims(rules, row["text"]), row["want"]) for row in sentences), Score())


def false_alarms(rules: Rules, sentences: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the sentences in which there is nothing to read, and something was."""
    return [row["text"] for row in sentences if claims(rules, row["text"])]


def reliability(rules: Rules, sentences: Iterable[Mapping[str, Any]]) -> dict[str, tuple[int, int]]:
    """Return how many claims of each grade and band of confidence are right, of how many: the reliability diagram in numbers."""
    found: dict[str, tuple[int, int]] = {}
    for row in sentences:
        read = claims(rules, row["text"])
        right = right_of(read, row["want"])
        for number, claim in enumerate(read):
            band = f"{claim.grade} {min(BANDS, key=lambda band: abs(band - claim.confidence)):.2f}"
            hits, of = found.get(band, (0, 0))
            found[band] = (hits + (number in right), of + 1)
    return dict(sorted(found.items()))


def main(arguments: Sequence[str]) -> int:
    """Print the figures by talk and round.

    Then what a night makes of talk, and its lessons of a few logs. With --misses also what is missed or wrong; with --grades those of both
    readers by grade and confidence, alone, or, of labelled turns, how many are right in each certainty, the half that nothing was fitted
    on first; with --lessons those of the nightly lessons of many logs, alone.
    """
    if arguments[:1] == ["--lessons"]:
        lessons.main(int(arguments[1]) if len(arguments) > 1 else LOGS)
        return 0
    if "--grades" in arguments:
        both = load([shipped_rules()], clauses=True).rules
        files = [Path(each) for each in arguments if each != "--grades"]
        if files:
            sets = [grades.halves(grades.labelled(gold, said)) for gold, said in zip(files[::2], files[1::2], strict=True)]
            for name, half in (
                ("not fitted on", [row for unread, _ in sets for row in unread]),
                ("fitted on", [row for _, read in sets for row in read]),
            ):
                print(f"{name}: {len(half)} turns", *grades.table(grades.graded(both, half, right_of)), sep="\n")
            return 0
        everything = [row for name in (*TALKS, "nothing") for row in ({"want": ()} | each for each in rows(name))]
        for band, (right, of) in reliability(both, everything).items():
            print(f"{band}  right {right} of {of}, {right / of:.2f}")
        return 0
    rules = shipped().rules
    for talk in TALKS:
        sentences = rows(talk)
        for number in sorted({row["round"] for row in sentences}):
            print(f"{talk:<7} round {number}  {total(rules, (row for row in sentences if row['round'] == number))}")
        print(f"{talk:<7} all      {total(rules, sentences)}")
        if "--misses" in arguments:
            for row in sentences:
                found = claims(rules, row["text"])
                if score(found, row["want"]) != Score(len(row["want"])):
                    read = "; ".join(
                        f"{claim.kind} {claim.subject} | {claim.predicate} | {claim.object} {claim.polarity}" for claim in found
                    )
                    print(f"    {row['text']}  ->  {read or 'nothing'}")
    nothing = rows("nothing")
    alarms = false_alarms(rules, nothing)
    print(f"nothing to read: {len(nothing)} sentences, {len(alarms)} false alarms", *alarms, sep="\n    ")
    print(*telling.lines(rows("people"), nothing), sep="\n")
    matters = [
        *((row["old"], row["new"]) for row in rows("replacements")),
        *((row["text"], row["same"], row["topic"]) for row in rows("likeness")),
    ]
    print(*narrative.lines(matters, [row["text"] for row in (*rows("people"), *nothing)]), sep="\n")
    lessons.main(FEW_LOGS)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
