r"""Identity: tell a new turn from one that is stored already. An episode's id is a hash of the user and the key of its turn.

The key says which turn of which source it is. It contains no file name, so a copy under another name adds nothing, and a file that grows
adds only its new lines. The key is the strongest identity that a format offers:

* A record with an id of its own (Claude Code, ChatGPT) is identified by that id, in any file, fork or export.
* An episode line with a given `id` keeps it as the episode's id. If another user has that id, the id is made of both.
* An episode line with `said_at` is identified by project, session, time, speaker and text, and by its position among the lines of the same
  time.
* A Codex message is identified by the first session of its history and everything said up to it: a fork repeats both.
* A SpecStory history is identified by its session id, if it has one; a turn in it by its position and text.
* Without any of these (episode lines without a time, OpenAI messages, a SpecStory history without a session id) a turn is identified by its
  project, its position in the source, its text, and the two turns before it. Two such files with the same content count as one and its
  copy.

Each standard input without ids or times is an occasion of its own: the same text sent again was said again. `Turn.former` is the source of
the id in versions before 0.2; an episode stored under that id is still recognised.
"""

from __future__ import annotations

from ethos.core.model.ids import RECORD_LENGTH, digest, episode_id

Key = tuple[str, ...]

_BEFORE, _TIME, _NTH = "before", "time", "nth"


def id_of(user: str, key: Key) -> str:
    """Return the id of the episode for a turn with this key, in the memory of this user."""
    return "e-" + digest("turn", user, *key)


def former_id(former: tuple[str, str, str]) -> str:
    """Return the id that versions before 0.2 gave it."""
    return episode_id(*former)


def among_neighbours(memory: dict[str, str], place: int, *words: str) -> Key:
    """Return the key of a turn by its position, its text and the two turns before it. `memory` carries those to the next call."""
    own = digest(*words)
    before = memory.get(_BEFORE, "")
    memory[_BEFORE] = before[-RECORD_LENGTH:] + own
    return (str(place), before, own)


def at_its_time(memory: dict[str, str], time: str, *words: str) -> Key:
    """Return the key of a turn by its time and text, and by its position among the turns of the same time."""
    nth = int(memory.get(_NTH, "0")) + 1 if memory.get(_TIME) == time else 0
    memory[_TIME], memory[_NTH] = time, str(nth)
    return (time, str(nth), digest(*words))


def after_all(memory: dict[str, str], root: str, *words: str) -> Key:
    """Return the key of a turn by the root of its history and everything that was said up to it."""
    memory[_BEFORE] = digest(memory.get(_BEFORE, ""), *words)
    return (root, memory[_BEFORE])
