"""The two readers: join what the patterns find in a turn and what the second reader, the clause rules beside them, makes of it.

The second reader reads the sentences that name something, and those in which a weak claim waits for a second voice. Of a turn that states
things and cheers nobody, it reads every sentence: among friends most of what names nothing is small talk.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ethos.core.model.records import Claim, Role
from ethos.core.rules.clauses.claims import clause_claims
from ethos.core.rules.clauses.reader import ClauseReader
from ethos.core.rules.found import ClaimsByPlace, Turn, overlaps, position, settled, without_ends
from ethos.core.rules.modifiers import Modifiers
from ethos.core.rules.prefilter import Hits
from ethos.core.text.blanks import has_blank
from ethos.core.text.folding import tokens
from ethos.core.text.language.phrasing import NOBODY
from ethos.core.text.language.pronouns import AGENT
from ethos.core.text.language.register import tells_what_lasts
from ethos.core.text.language.specific import VALUE, signs, tells_change
from ethos.core.text.sentences import FILLER, Sentence, turn_sentences

_MOST_TOLD = 0.6  # the share of a marked text from which on a claim tells it


def joined(ours: tuple[Claim, ...], reader: ClauseReader, modifiers: Modifiers, turn: Turn, hits: Hits, role: Role) -> tuple[Claim, ...]:
    """Return what the patterns found in a turn, with what the second reader reads in it.

    hits: of the turn. A sentence with a value is read as it is, and so is any of a turn that only states things. In others, of a sentence
    with no more than a word that may be a name, only what the reader is sure of counts; of one with neither, only that it makes a waiting
    claim, too.
    """
    if role not in reader.roles:
        return ours
    waiting = sorted(claim.start for claim in ours if claim.grade == "weak")
    if not (hits.naming or hits.sober or waiting):
        return ours
    valued: list[Sentence] = []
    named: list[Sentence] = []
    stated: list[Sentence] = []
    plain: list[Sentence] = []
    for place, sign in _signed(turn, hits.naming):
        if sign == VALUE:
            valued.append(place)
        elif hits.sober and _states(turn, place):
            stated.append(place)
        elif sign:
            named.append(place)
        elif bisect_left(waiting, place.start) < bisect_left(waiting, place.end):
            plain.append(place)

    def read(places: Sequence[Sentence]) -> tuple[Claim, ...]:
        return settled(list(clause_claims(reader, modifiers, turn, places, role)))

    if valued:
        ours = _agreed(ours, read(valued))
    if stated:
        theirs = read(stated)
        ours = _confirmed(ours, theirs)
        known = ClaimsByPlace(ours)  # "Kim is our tester" is that the tester is Kim
        new = (claim for claim in theirs if claim.grade == "held" or (_lasts(claim) and not known.beside(claim)))
        ours = _agreed(ours, tuple(new))
    if named:
        theirs = read(named)
        ours = _confirmed(_agreed(ours, tuple(claim for claim in theirs if claim.grade == "held")), theirs)
    if plain:
        ours = _confirmed(ours, read(plain))
    return ours


def states_something(reader: ClauseReader, modifiers: Modifiers, turn: Turn) -> bool:
    """Return whether the second reader makes a claim of a turn that has no other sign of one: else it is not worth reading."""
    return bool(joined((), reader, modifiers, turn, Hits(turn.masked, [], sober=True), "user"))


def _states(turn: Turn, place: Sentence) -> bool:
    """Return whether a sentence tells no change, which is heard otherwise, and has no blank in it."""
    sentence = turn.masked[place.start : place.end]
    return not (FILLER in sentence or tells_change(sentence) or has_blank(turn.text[place.start : place.end]))


def _lasts(claim: Claim) -> bool:
    """Return whether a claim tells what is so, and not what somebody has to do, mostly the next step: "we must pick a database"."""
    return claim.kind != "decision" and claim.subject != AGENT and tells_what_lasts(claim.predicate)


def _signed(turn: Turn, naming: int) -> Iterator[tuple[Sentence, int]]:
    """Yield the sentences of a turn, each with its signs; one beside a change has a value, since it may say what was changed to."""
    changing = _lines_of_change(turn.masked) if naming == VALUE else ()
    for place in turn_sentences(turn.masked):
        if place.line in changing:
            yield place, VALUE
        elif naming:
            yield place, signs(turn.text[place.start : place.end], turn.masked[place.start : place.end])
        else:
            yield place, 0


def _lines_of_change(masked: str) -> frozenset[int]:
    """Return where the lines begin that say that something is not as it was."""
    found: set[int] = set()
    start = 0
    for line in masked.split("\n") if tells_change(masked) else ():
        if tells_change(line):
            found.add(start)
        start += len(line) + 1
    return frozenset(found)


def _agreed(ours: tuple[Claim, ...], theirs: tuple[Claim, ...]) -> tuple[Claim, ...]:
    """Return the claims of the patterns and of the clauses as one list.

    What both read is held, in the words of the pattern, and takes the place of what the clause says it does. Where they read the same
    words apart, only the pattern's claim is kept.
    """
    if not theirs:
        return ours
    ours = tuple(one for one in ours if one.subject != NOBODY or not _is_told(one, theirs))
    held, known = _confirmed(ours, theirs), ClaimsByPlace(ours)
    rest = [other for other in theirs if not any(_shares(one, other) for one in known.beside(other))]
    return tuple(sorted(without_ends((*held, *rest)), key=position))


def _is_told(marked: Claim, others: Sequence[Claim]) -> bool:
    """Return whether a held claim tells most of what somebody only marked, and that it is so now: the mark would go on saying the old."""
    low, high = marked.end - len(marked.object), marked.end
    said = [other for other in others if other.grade == "held" and other.supersedes]
    return max((min(other.end, high) - max(other.start, low) for other in said), default=0) >= _MOST_TOLD * len(marked.object)


def _confirmed(ours: tuple[Claim, ...], theirs: tuple[Claim, ...]) -> tuple[Claim, ...]:
    """Return the claims of the patterns, held where the clauses make the same claim, and with their cue of now where they have none."""
    said = ClaimsByPlace(theirs)
    return tuple(_held_by(one, [other for other in said.beside(one) if same_claim(one, other)]) for one in ours)


def _held_by(one: Claim, others: Sequence[Claim]) -> Claim:
    """Return a claim of the patterns, held if a clause says it, too, with the clause's cue of now if it has none itself."""
    if not others or (one.grade == "held" and (one.supersedes or not others[0].supersedes)):
        return one
    return replace(one, grade="held", supersedes=one.supersedes or others[0].supersedes)


def same_claim(one: Claim, other: Claim) -> bool:
    """Return whether two readers make the same claim: in the same words of the text, of the same polarity, about the same object."""
    return one.polarity == other.polarity and overlaps(one, other) and _shares(one, other)


def _shares(one: Claim, other: Claim) -> bool:
    """Return whether half of the words of the shorter object stand in the longer, too."""
    left, right = set(tokens(one.object)), set(tokens(other.object))
    return 2 * len(left & right) >= min(len(left), len(right)) > 0
