"""Render what became of each pattern that was tried on a text, and what rules do to a corpus.

Every text goes through `report.clean`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from ethos.core.model.records import Fact
from ethos.core.model.tally import Tally
from ethos.core.rules.explain import Candidate, ClauseSeen, Explanation, Outcome
from ethos.core.rules.replayed import Replayed
from ethos.core.text.language.phrasing import phrase
from ethos.edge.jsonio.objects import Json
from ethos.edge.render.report import clean, plural
from ethos.edge.render.tables import line
from ethos.edge.render.why import quote

_WORDS: Mapping[Outcome, str] = {
    "outdone": "another rule reads these words: {}",
    "unless": "unless: {}",
    "modifier": "dropped because of the words around it: {}",
    "name": "{}",
    "form": "{}",
    "role": "{}",
    "origin": "{}",
}


def explained(found: Explanation, text: str, *, verbose: bool) -> Iterator[Tree | Text]:
    """Render what was almost read and what prevented it. verbose: also the literals, and the patterns that match nowhere."""
    literals = sorted({hit.literal for hit in found.literals if hit.rules})
    if not found.claims:
        yield Text(
            "no rule reads anything in it" + (f"; rules were tried because of: {', '.join(map(repr, literals))}" if literals else "")
        )
    for each in found.candidates:
        if each.outcome in _WORDS:
            yield _almost(each, text)
    if not verbose:
        return
    for hit in found.literals:
        met = ", ".join(hit.rules) or "no pattern matches around it"
        yield Text(f"literal {hit.literal!r} at {hit.start}: {clean(met)}", style="dim")
    for each in found.candidates:
        if each.outcome == "no match":
            yield Text(f"no match: {clean(each.rule)}: {clean(each.pattern, 400)}", style="dim")


def clause(seen: ClauseSeen) -> Text:
    """Render a clause: who, verb and form, what stands behind it."""
    who = f"{seen.subject} ({seen.who})" if seen.subject else f"({seen.who})"
    parts = (f"{seen.opener}: {who}" if seen.opener else who, f"{seen.verb} ({seen.form})", f"{seen.object} ({seen.after})".strip())
    return Text("clause  " + " | ".join(map(clean, parts)) + ("  asked" if seen.asked else ""), style="dim")


def _almost(candidate: Candidate, text: str) -> Tree:
    claim = candidate.claim
    words = clean(phrase(claim.subject, claim.predicate, claim.object, claim.polarity, purpose=claim.purpose or "")) if claim else ""
    tree = Tree(line(("dim", f"not read: {words}"), ("dim", clean(candidate.rule))))
    tree.add(quote(text, candidate.start, candidate.end))
    tree.add(Text(_WORDS[candidate.outcome].format(clean(candidate.because) or "several of them together")))
    return tree


def replayed(found: Replayed) -> Iterator[str]:
    """Render the difference between two rule sets, one fact a line."""
    counts = f"{len(found.gained):,} gained, {len(found.lost):,} lost, {len(found.changed):,} changed"
    yield f"{plural(found.episodes, 'episode')}, read twice: {counts}"
    for mark, facts in (("+", found.gained), ("-", found.lost)):
        for fact in facts:
            yield f"{mark} {_told(fact)}"
    for before, after in found.changed:
        yield f"~ {_told(before)} -> {_told(after)}"


def _told(fact: Fact) -> str:
    flagged = ", flagged" if fact.flagged else ""
    return f"{clean(fact.statement)} ({fact.confidence:.2f}{flagged}, {clean(fact.rule)})"


def covered(tallies: Sequence[Tally], standings: Json) -> Table:
    """Render how often each rule fires and meets other rules and the other reader, and the trust in it: its answers, and its factor."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("rule", overflow="fold")
    for name in ("claims", "turns", "overlaps", "conflicts", "agreed"):
        table.add_column(name, justify="right")
    table.add_column("standing", justify="right")
    table.add_column("first", overflow="ellipsis", no_wrap=True)
    for tally in tallies:
        counts = (tally.claims, tally.turns, tally.overlaps, tally.conflicts, tally.agreed)
        answers = standings.get(tally.rule)
        standing = f"x{answers['weight']:.2f} (+{answers['accepted']} -{answers['rejected']})" if answers else ""
        table.add_row(clean(tally.rule), *(f"{count:,}" for count in counts), standing, clean(tally.sample, 80))
    return table
