r"""Identity: the rule that tells a new saying from one that is held already. An episode's id hashes the user and the key of its turn.

The key says which turn of which source it is. No file name is in it, so a copy under another name adds nothing, and a file that grows adds
only its new lines. The strongest name that a format has is the key:

* A record with an id of its own (Claude Code, ChatGPT) is known by that id, in whatever file, fork or export it stands.
* A line of ours with a given `id` keeps it as the id of its episode. Where another user holds that id, the id is made of both.
* A line of ours with `said_at` is known by project, session, time, speaker and words, and by its place among the lines of the same time.
* A Codex message is known by the first session of its history and by everything said up to it: a fork repeats both.
* A SpecStory history with a session id is known by that; a turn in it by its place and words.
* Without any of these (lines of ours without a time, OpenAI messages, a SpecStory history without a session id) a turn is known by its
  project, its place in the source, its words, and the two turns before it. Two such files that say the same are one and its copy.

What comes over standard input without an id or a time is an occasion of its own each time: the same words said again are said again.
`Turn.former` is what versions before 0.2 made the id of; who holds an episode under that id still knows it.
"""

from __future__ import annotations

from ethos.core.model.ids import RECORD_LENGTH, digest, episode_id

Key = tuple[str, ...]

_BEFORE, _TIME, _NTH = "before", "time", "nth"


def id_of(user: str, key: Key) -> str:
    """The id of the episode that a turn with this key is, in the memory of this user."""
    return "e-" + digest("turn", user, *key)


def former_id(former: tuple[str, str, str]) -> str:
    """The id that versions before 0.2 gave it."""
    return episode_id(*former)


def among_neighbours(memory: dict[str, str], place: int, *words: str) -> Key:
    """The key of a turn by its place, its words and the two turns before it, which `memory` keeps for the next one."""
    own = digest(*words)
    before = memory.get(_BEFORE, "")
    memory[_BEFORE] = before[-RECORD_LENGTH:] + own
    return (str(place), before, own)


def at_its_time(memory: dict[str, str], time: str, *words: str) -> Key:
    """The key of a turn by its time and its words, and by its place among the turns of the same time, one after another."""
    nth = int(memory.get(_NTH, "0")) + 1 if memory.get(_TIME) == time else 0
    memory[_TIME], memory[_NTH] = time, str(nth)
    return (time, str(nth), digest(*words))


def after_all(memory: dict[str, str], root: str, *words: str) -> Key:
    """The key of a turn by the beginning of its history and everything that was said up to it."""
    memory[_BEFORE] = digest(memory.get(_BEFORE, ""), *words)
    return (root, memory[_BEFORE])
