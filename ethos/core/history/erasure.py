"""Forgetting: what a person wants gone, how it would look wherever it was written, and what is left out of a text that held it.

Forgetting is the only thing that takes records away (threats.md, 5). What is gone is kept here for as long as it takes to look for
it: in the raw bytes of every file that Ethos writes, in the spellings in which it may stand there.
"""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import regex
from ahocorasick_rs import AhoCorasick

from ethos.core.model.records import Episode
from ethos.core.text import escaping
from ethos.core.text.folding import normalized

SHORTEST = 12  # characters of a piece that is looked for; a shorter one stands anywhere by accident
SHORTEST_ASKED = 5  # the same for the words that a person named; what they stood in is looked for in any case
PIECE = 32  # characters; a long text is cut, because a database cuts it too
_MOST_PIECES = 64  # of one text, evenly spread

_SPACES = regex.compile(r"\s+")
_HEADER = regex.compile(r"### \[[^\]]*\] .* · (?P<id>[a-z]-[0-9a-z]{1,32})\s*")
_ESCAPED = regex.compile(r"\\(?=[^\w\s])")


@dataclass(frozen=True, slots=True)
class ErasureRequest:
    """What is to be forgotten; several together mean all of them.

    ids: of episodes, or of facts, which go with the episodes they rest on. source: a file, the end of its path, or a folder.
    matching: words, compared without regard to case, width and spacing. misread: the rules of the facts that are named read what nobody
    said, and are trusted less from now on.
    """

    ids: tuple[str, ...] = ()
    session: str | None = None
    source: str | None = None
    matching: str | None = None
    misread: bool = False

    def __bool__(self) -> bool:
        return bool(self.ids or self.session or self.source or (self.matching or "").strip())

    def holds(self, episode: Episode) -> bool:
        """Return whether an episode is meant by session, source or words."""
        if self.session is not None and episode.session == self.session:
            return True
        if self.source is not None and _within(episode.source, self.source):
            return True
        return self.speaks_of(episode.text, episode.speaker, *episode.tags)

    def speaks_of(self, *texts: str | None) -> bool:
        """Return whether one of these holds the words."""
        wanted = folded(self.matching or "")
        return bool(wanted) and any(wanted in folded(text) for text in texts if text)


@dataclass(frozen=True, slots=True)
class ErasedRecords:
    """What was taken out. texts: everything it said; ids: of episodes, facts, questions; asked: the words that a person named."""

    episodes: frozenset[str] = frozenset()
    ids: frozenset[str] = frozenset()
    texts: frozenset[str] = frozenset()
    asked: str = ""

    def said(self, words: str) -> bool:
        """Return whether these words are a part of something that is gone, or hold the words that a person named."""
        part, asked = folded(words), folded(self.asked)
        return bool(part) and ((bool(asked) and asked in part) or any(part in folded(text) for text in self.texts))

    def __or__(self, other: ErasedRecords) -> ErasedRecords:
        return ErasedRecords(self.episodes | other.episodes, self.ids | other.ids, self.texts | other.texts, self.asked or other.asked)


@dataclass(frozen=True, slots=True)
class ScanResult:
    """What a look at the raw files found: how many there were, their bytes, and in which of them how often something still stands."""

    files: int = 0
    bytes: int = 0
    found: Mapping[str, int] = field(default_factory=dict)


def folded(text: str) -> str:
    """Return the form in which words are looked for: NFKC, case-folded, single spaces."""
    plain = text.lower() if text.isascii() else normalized("NFKC", text).casefold()
    return _SPACES.sub(" ", plain).strip()


def pieces(gone: ErasedRecords) -> set[str]:
    """Return what to look for: every text cut into pieces, the ids, and the words that a person named, each in its own case."""
    found = {id_ for id_ in gone.ids if len(id_) >= SHORTEST}
    for text in gone.texts:
        cut = [line[start : start + PIECE] for line in text.splitlines() for start in range(0, len(line), PIECE)]
        long_enough = [piece.strip() for piece in cut if len(piece.strip()) >= SHORTEST]
        found.update(long_enough[:: max(1, len(long_enough) // _MOST_PIECES)])
    if len(asked := gone.asked.strip()) >= SHORTEST_ASKED:
        found.add(asked)
    return found


def without_shared(wanted: Collection[str], surviving: Iterable[str], keep: str = "") -> set[str]:
    """Return the pieces that stand in none of the surviving texts: only of those can it be said that they should be nowhere.

    keep: what stays in any case, because a person named it.
    """
    if not wanted:
        return set()
    spelled = {piece.casefold(): piece for piece in wanted}
    automaton = AhoCorasick(list(spelled))
    shared: set[str] = set()
    for text in surviving:
        shared.update(automaton.find_matches_as_strings(text.casefold(), overlapping=True))
    return {piece for piece in wanted if piece.casefold() not in shared or piece == keep}


def spellings(piece: str) -> set[bytes]:
    """Yield a piece as it may stand in a file: in the usual cases, escaped as JSON, Markdown and HTML, in UTF-8 and UTF-16."""
    cased = {piece, piece.lower(), piece.casefold(), piece.upper(), piece.capitalize(), piece.title()}
    forms = cased | {escaping.markdown(piece), html.escape(piece, quote=False), json.dumps(piece, ensure_ascii=False)[1:-1]}
    forms |= {json.dumps(form)[1:-1] for form in cased}
    found: set[bytes] = set()
    for form in forms:
        for encoding in ("utf-8", "utf-16-le", "utf-16-be"):
            found.add(form.encode(encoding, "surrogatepass"))
    return {spelling for spelling in found if spelling}


def mentions(gone_ids: Collection[str], wanted: Collection[str]) -> Callable[[str], bool]:
    """Return a question that can be put to a line: does it hold one of these ids or pieces, escaped as Markdown, JSON or HTML or not."""
    patterns = {folded(piece) for piece in wanted} | {id_.casefold() for id_ in gone_ids if len(id_) >= SHORTEST}
    patterns.discard("")
    if not patterns:
        return lambda _: False
    automaton = AhoCorasick(sorted(patterns))

    def speaks(line: str) -> bool:
        forms = (line, _ESCAPED.sub("", line)) if "\\" in line else (line,)
        shown = [folded(form) for form in forms]
        if "&" in line:
            shown.append(folded(html.unescape(line)))
        if line.startswith("{"):
            shown.append(folded(line.encode("utf-8", "replace").decode("unicode_escape", "replace")) if "\\u" in line else "")
        return any(automaton.find_matches_as_indexes(form) for form in shown)

    return speaks


def scrubbed(text: str, speaks: Callable[[str], bool]) -> str:
    """Return the text without the lines about what is gone; an entry of the review file goes whole if one of its lines does."""
    return "".join(
        line for block in _blocks(text) if not (len(block) > 1 and any(map(speaks, block))) for line in block if not speaks(line)
    )


def _blocks(text: str) -> Iterator[list[str]]:
    """Yield the entries of a review file whole, every other line by itself; line ends included."""
    lines = text.splitlines(keepends=True)
    at = 0
    while at < len(lines):
        header = _HEADER.fullmatch(lines[at].rstrip("\r\n"))
        end = at + 1
        if header:
            marker = f"<!-- /ethos {header['id']} -->"
            stop = next((n for n in range(end, len(lines)) if lines[n].strip() == marker or _HEADER.fullmatch(lines[n].rstrip("\r\n"))), at)
            end = stop + 1 if stop > at and lines[stop].strip() == marker else max(stop, at + 1)
        yield lines[at:end]
        at = end


def _within(source: str, asked: str) -> bool:
    whole = asked.rstrip("/")
    return source == whole or source.endswith("/" + whole.lstrip("/")) or source.startswith(whole + "/")
