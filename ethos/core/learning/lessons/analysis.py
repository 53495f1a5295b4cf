"""Analysis: what a language model says of a group of episodes, if the user named one (H-18 to H-24, H-33). Off by default.

The prompt and the reading of the answer; the call itself is at the edge. What a model says becomes a lesson without shares of its own,
and says that a model made it.
"""

from __future__ import annotations

from collections.abc import Sequence

from ethos.core.learning.lessons import wording
from ethos.core.learning.lessons.reading import Parts, parts_of, shown_time
from ethos.core.model.records import Episode

BODY_LENGTH = 500  # characters of a body that are shown
SHORTEST_LINE = 30  # characters; a single line up to this is no lesson
LINE_TITLE = 57  # characters of a single line that become its title
NO_PATTERN = "NO_PATTERN"
UNTITLED = "Untitled"

SYSTEM = (
    "You look for patterns across several episodes of your own experience. Report one pattern only if it is true of several episodes and"
    " tells what to do differently. Say in how many of how many episodes it holds (X out of Y), and give the numbers that matter."
    " Write in the first person.\n"
    "Answer with a first line `TITLE: ` and a title of at most 60 characters, an empty line, and a body of 100 to 250 words.\n"
    f"If there is no such pattern, answer {NO_PATTERN} and nothing else."
)
_INTRO = "Which pattern do these episodes show together, and what follows from it?"


def prompt(about: str, episodes: Sequence[Episode]) -> str:
    """Return what a model is asked about these episodes, in their order (H-19 to H-21)."""
    shown = [f"## {len(episodes)} episodes for {about}", _INTRO]
    for number, episode in enumerate(episodes, 1):
        parts = parts_of(episode.text)
        kind = episode.kind.removeprefix("custom:")
        shown.append(f"**Episode {number}** [{kind}] ({shown_time(episode.said_at)}): {parts.title or UNTITLED}\n  {_body(parts)}")
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
    if len(first) > SHORTEST_LINE:
        return f"{first[:LINE_TITLE]}...", text
    return None, None


def _body(parts: Parts) -> str:
    text = parts.text if parts.data else parts.body
    return wording.shortened(text, BODY_LENGTH)
