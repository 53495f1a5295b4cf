"""Analysis: what a language model says of a group of episodes, if the user named one (H-18 to H-24, H-33). Off by default.

The prompt and the reading of the answer; the call itself is at the edge. What a model says becomes a lesson without shares of its own,
and says that a model made it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ethos.core.learning.lessons import wording
from ethos.core.learning.lessons.reading import About, Parts, parts_of, shown_time
from ethos.core.learning.sending import may_be_sent, own_words
from ethos.core.model.records import Episode
from ethos.core.text.private import public
from ethos.core.text.readings import Readings

_BODY_LENGTH = 500  # characters of a body that are shown
_SHORTEST_LINE = 30  # characters; a single line up to this is no lesson
_LINE_TITLE = 57  # characters of a single line that become its title
NO_PATTERN = "NO_PATTERN"
_UNTITLED = "Untitled"
UNNAMED = "one subject"
TALK = "episode"  # the kind of a turn; any other is an event that somebody recorded
_GIVEN = frozenset({"tag", "project", "person", ""})  # kinds of things that are told beside the text

SYSTEM = (
    "You look for patterns across several episodes of your own experience. Report one pattern only if it is true of several episodes and"
    " tells what to do differently. Say in how many of how many episodes it holds (X out of Y), and give the numbers that matter."
    " Write in the first person.\n"
    "Answer with a first line `TITLE: ` and a title of at most 60 characters, an empty line, and a body of 100 to 250 words.\n"
    f"If there is no such pattern, answer {NO_PATTERN} and nothing else."
)
_INTRO = "Which pattern do these episodes show together, and what follows from it?"


class Sent(NamedTuple):
    """An episode, and the part of its text that a model is sent."""

    episode: Episode
    parts: Parts


def sent(episodes: Iterable[Episode], readings: Readings) -> Iterator[Sent]:
    """Yield the episodes that a model may be sent, with their own words; an episode without such words is left out.

    Of an event with a JSON body, the title and the field `text` are words; in a turn JSON is data that somebody pasted.
    """
    for episode in filter(may_be_sent, episodes):
        parts = parts_of(public(episode.text))
        if episode.kind != TALK and parts.data:
            parts = Parts(own_words(parts.title, readings), own_words(parts.text, readings))
        else:
            parts = parts_of(own_words(episode.text, readings))
        if parts.title or parts.body:
            yield Sent(episode, parts)


def topic(about: About, shown: Sequence[Sent]) -> str:
    """Return the name of a group as a model is told it. A name that stands only in what is not sent is not told."""
    name = about.name.casefold()
    told = about.kind in _GIVEN or any(
        name in f"{each.parts.title}\n{each.parts.body}".casefold()
        or (each.episode.kind != TALK and name in public(each.episode.text).casefold())
        for each in shown
    )
    return str(about) if told else UNNAMED


def prompt(topic: str, episodes: Sequence[Sent]) -> str:
    """Return what a model is asked about these episodes, in their order (H-19 to H-21)."""
    shown = [f"## {len(episodes)} episodes for {topic}", _INTRO]
    for number, (episode, parts) in enumerate(episodes, 1):
        kind = episode.kind.removeprefix("custom:")
        shown.append(f"**Episode {number}** [{kind}] ({shown_time(episode.said_at)}): {parts.title or _UNTITLED}\n  {_body(parts)}")
    return "\n\n".join(shown)


def parsed(answer: str | None) -> tuple[str, str] | tuple[None, None]:
    """Return the title and body of an answer; (None, None) where it tells no pattern (H-22 to H-24)."""
    text = (answer or "").strip()
    if not text or text.upper().startswith(NO_PATTERN):
        return None, None
    first, _, rest = text.partition("\n")
    body = rest.strip()
    if first.upper().startswith("TITLE:"):
        title = first[len("TITLE:") :].strip()[: wording.TITLE_LENGTH]
        return (title, body) if title and body else (None, None)
    if body:
        return first.strip()[: wording.TITLE_LENGTH], body
    if len(first) > _SHORTEST_LINE:
        return f"{first[:_LINE_TITLE]}...", text
    return None, None


def _body(parts: Parts) -> str:
    text = parts.text if parts.data else parts.body
    return wording.shortened(text, _BODY_LENGTH)
