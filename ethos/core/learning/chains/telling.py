"""Tell a night's replay in the report: the timeline of its chains, and the counts (L-33)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime

from ethos.core.learning.chains.breakthrough import Breakthrough
from ethos.core.learning.chains.chain import Chain
from ethos.core.learning.chains.moment import Moment
from ethos.core.learning.chains.own_words import Quote
from ethos.core.model.sections import SHORTEST, Line, Link, Point, Section
from ethos.core.model.traces import Trace
from ethos.core.text.plurals import plural

TITLE = "Replay"
_MOST_CHAINS = 10  # that are told, those of the highest scores
OVERLAP = 0.5  # of the turns of a chain that others have told already
LONGEST = 90  # characters of a text
_WORTH = 0.5  # of what tells a chain by itself
_NO_PROSE = re.compile(r"```.*?(?:```|\Z)|</?[A-Za-z][^<>\n]{0,200}>|^\s*(?:[-*_]{3,}|[#>|+*-]+(?=\s))|\*\*", re.DOTALL | re.MULTILINE)


def _whole(moment: Moment) -> Quote:
    return Quote(moment.text, _WORTH)


def section(
    moments: Sequence[Moment],
    found: Sequence[Breakthrough],
    chains: Sequence[Chain],
    traced: Sequence[Trace],
    gains: Mapping[str, float],
    *,
    refreshed: int,
    start: datetime,
    changed: str,
    quote: Callable[[Moment], Quote] = _whole,
) -> Section:
    """Return the section of the report. start: of the day; gains: what each boosted episode gained in salience; changed: the command that
    shows what the night changed; quote: returns what is quoted of a moment.
    """
    if not moments:
        return Section(TITLE)
    shown = sorted(_apart(chains), key=lambda chain: chain.breakthrough.moment.order)
    counts = (
        f"{plural(len(moments), 'turn')} of the day, {plural(len(found), 'breakthrough')}, {plural(len(chains), 'chain')} that led to them"
    )
    lines = [Line(counts, changed)]
    said: set[str] = set()
    for chain in shown:
        told = _told_by(chain, quote, said)
        said.add(told)
        lines.append(Line(f"{_when(chain, start)}: {_short(told)}", f"ethos recall --narrative {chain.breakthrough.moment.id}"))
    if len(chains) > len(shown):
        lines.append(Line(f"and {plural(len(chains) - len(shown), 'more chain')}, through the same turns or of lower scores", changed))
    if before := {each.id for chain in chains for each in chain.moments[:-1]} & gains.keys():
        lines.append(
            Line(
                f"what led to a breakthrough gained {sum(map(gains.__getitem__, before)) / len(before):.2f} in salience on average", changed
            )
        )
    if refreshed:
        lines.append(Line(f"{plural(refreshed, 'old turn')} refreshed", changed))
    points = _points(shown, found, gains, quote)
    there = {point.id for point in points}
    steps = {(trace.source, trace.target): trace.strength for trace in traced if {trace.source, trace.target} <= there}
    links = tuple(Link(source, target, strength) for (source, target), strength in steps.items())
    return Section(TITLE, tuple(lines), points=points, links=links)


def _apart(chains: Sequence[Chain]) -> list[Chain]:
    """Return the chains that are told: those of the highest scores that do not run mostly through turns of one that is told."""
    told: list[Chain] = []
    seen: set[str] = set()
    for chain in chains:
        turns = {each.id for each in chain.moments}
        if len(turns & seen) <= OVERLAP * len(turns):
            told.append(chain)
            seen |= turns
        if len(told) == _MOST_CHAINS:
            break
    return told


def _when(chain: Chain, start: datetime) -> str:
    """Return from when to when a chain ran, and how many episodes it has."""
    begun, ended = (_clock(each.at, start) for each in (chain.moments[0], chain.moments[-1]))
    return f"{begun if begun == ended else f'{begun} to {ended}'}, {plural(len(chain.links), 'turn')}"


def _told_by(chain: Chain, quote: Callable[[Moment], Quote], said: Collection[str]) -> str:
    """Return what a chain came to: its end, where a person said it in a few words; else what a person said on the way that tells most.

    said: what tells other chains; another text is taken, if there is one.
    """
    last = chain.moments[-1]
    quotes = [(each, quote(each)) for each in chain.moments if each.role == "user"]
    spoken = [(each, told) for each, told in quotes if len(_prose(told.text).split()) >= SHORTEST]
    spoken = [each for each in spoken if each[1].text not in said] or spoken
    if spoken and spoken[-1][0] is last and spoken[-1][1].worth >= _WORTH:
        return spoken[-1][1].text
    _, told = max(spoken, key=lambda each: (each[1].worth, each[0].salience, each[0].order), default=(last, quote(last)))
    return told.text or last.text


def _points(
    chains: Sequence[Chain], found: Sequence[Breakthrough], gains: Mapping[str, float], quote: Callable[[Moment], Quote]
) -> tuple[Point, ...]:
    turning = {one.moment.id for one in found}
    moments = {each.id: each for chain in chains for each in chain.moments}
    shown = [(each, quote(each).text) for each in sorted(moments.values(), key=lambda moment: moment.order)]
    return tuple(
        Point(
            each.id,
            each.at,
            _cut(said or each.text),
            each.session,
            each.salience,
            min(1.0, each.salience + gains.get(each.id, 0.0)),
            each.id in turning,
            quoted=bool(said),
        )
        for each, said in shown
    )


def _clock(at: datetime, start: datetime) -> str:
    """Return the hours and minutes since the day began."""
    minutes = int((at - start).total_seconds() // 60)
    return f"{minutes // 60:02}:{minutes % 60:02}"


def _short(text: str) -> str:
    """Return the beginning of a text on one line, in quotes."""
    return f'"{_cut(text)}"'


def _cut(text: str) -> str:
    """Return the beginning of a text on one line, up to a word; dots tell that it goes on."""
    line = _prose(text)
    if len(line) <= LONGEST:
        return line
    kept = line[: LONGEST - 2]
    return f"{(kept.rpartition(' ')[0] or kept[:-1]).rstrip(' ,;:-')}..."


def _prose(text: str) -> str:
    """Return a text on one line without code blocks, tags and marks of Markdown; as it is where nothing else is in it."""
    return " ".join(_NO_PROSE.sub(" ", text).split()) or " ".join(text.split())
