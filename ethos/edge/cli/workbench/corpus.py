"""Statistics of a rule set over a file of turns: how often each rule fires, overlaps others, and conflicts with others.

The three numbers are those of Snorkel's labelling-function analysis (coverage, overlaps, conflicts), per rule.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ethos.core.model.records import Claim, Role
from ethos.core.model.tally import Tally
from ethos.core.rules.joining import same_claim
from ethos.edge.cli.workbench.sets import ROLES, RuleSet

Turn = tuple[Role, str]


@dataclass(frozen=True, slots=True)
class CorpusReport:
    """The numbers of a corpus. `str(report)` is a table, busiest rule first and silent ones last."""

    turns: int
    covered: int  # turns in which any rule fires
    tallies: tuple[Tally, ...]

    @property
    def silent(self) -> tuple[str, ...]:
        """Return the rules that never fire."""
        return tuple(tally.rule for tally in self.tallies if not tally.claims)

    def __str__(self) -> str:
        width = max((len(tally.rule) for tally in self.tallies), default=4)
        share = self.covered / self.turns if self.turns else 0.0
        lines = [
            f"{self.turns} turns, {self.covered} with a claim ({share:.1%}), {len(self.silent)} of {len(self.tallies)} rules silent",
            f"{'rule':<{width}}  claims  turns  overlaps  conflicts  agreed  first",
        ]
        for tally in self.tallies:
            counts = f"{tally.claims:>6}  {tally.turns:>5}  {tally.overlaps:>8}  {tally.conflicts:>9}  {tally.agreed:>6}"
            lines.append(f"{tally.rule:<{width}}  {counts}  {tally.sample}".rstrip())
        return "\n".join(lines)


def corpus_report(rules: RuleSet, path: str | Path) -> CorpusReport:
    """Read every turn of a file: JSON lines with a `text` (and a `role`), or else one turn a line.

        print(corpus_report(rules, "talk.jsonl"))

    Raise OSError if the file cannot be read, and ValueError, with the line, for a JSON line without a text.
    """
    read = covered = 0
    agreed: Counter[str] = Counter()
    met: dict[str, list[tuple[int, Claim, bool, bool, str]]] = {rule.id: [] for rule in rules}
    for number, (role, text) in enumerate(turns(Path(path))):
        claims = rules.claims(text, role)
        read += 1
        ours, theirs = rules.readings(text, role)
        agreed.update(one.rule for one in ours if any(same_claim(one, other) for other in theirs))
        agreed.update(other.rule for other in theirs if any(same_claim(one, other) for one in ours))
        covered += bool(claims)
        for claim in claims:
            others = [each for each in claims if each.rule != claim.rule and each.start < claim.end and claim.start < each.end]
            torn = any(each.polarity != claim.polarity for each in others)
            met[claim.rule].append((number, claim, bool(others), torn, text))
    tallies = [
        Tally(
            rule=rule,
            claims=len(found),
            turns=len({number for number, *_ in found}),
            overlaps=sum(shared for _, _, shared, _, _ in found),
            conflicts=sum(torn for _, _, _, torn, _ in found),
            agreed=agreed[rule],
            sample=_first((text[claim.start : claim.end] for _, claim, _, _, text in found)),
        )
        for rule, found in met.items()
    ]
    return CorpusReport(read, covered, tuple(sorted(tallies, key=lambda tally: (-tally.claims, tally.rule))))


def _first(texts: Iterable[str]) -> str:
    return next((" ".join(text.split()) for text in texts), "")


def turns(path: Path) -> Iterator[Turn]:
    """Yield the turns of a file: JSON lines with a `text` (and a `role`), or else one turn a line. Raise OSError and ValueError."""
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            if path.suffix not in {".jsonl", ".ndjson"}:
                yield "user", line.rstrip("\n")
                continue
            try:
                held = json.loads(line)
            except ValueError:
                held = None
            text = held.get("text") if isinstance(held, dict) else None
            if text is None:
                raise ValueError(f"{path}:{number}: a JSON object with a text was expected")
            yield next((role for role in ROLES if role == held.get("role")), "user"), str(text)
