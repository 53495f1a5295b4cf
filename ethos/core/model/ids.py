"""Ids that come from content (docs/requirements.md, Settled): the same input always gives the same id, and there are no counters.

An id is a prefix and the start of a BLAKE2b digest in lower-case Crockford-like base 32 (no i, l, o, u: an id is read aloud and typed).
Eighty bits for records; fifty for questions, which a person copies by hand and of which there are few.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import blake2b

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
RECORD_LENGTH = 16
_QUESTION_LENGTH = 10
RUN_LENGTH = 4
_RECORDS_OWN = re.compile(r"[bcflpqrsy]-[0-9a-z-]+\Z")
_PAIRS = [low + high for high in _ALPHABET for low in _ALPHABET]


def digest(*parts: str, length: int = RECORD_LENGTH) -> str:
    """Return `length` characters (even) of base 32 over the parts, each with its length in front, so that no two lists collide."""
    said = b"".join([len(data).to_bytes(8, "big") + data for data in [part.encode("utf-8", "surrogatepass") for part in parts]])
    number = int.from_bytes(blake2b(said, digest_size=16).digest(), "big")
    return "".join([_PAIRS[number >> shift & 1023] for shift in range(0, 5 * length, 10)])


def may_be_given(id_: str) -> bool:
    """Return True where an episode may have this id, given with it: one line, and none that other records have."""
    return id_.splitlines() == [id_] and "\0" not in id_ and not _RECORDS_OWN.match(id_)


def given_id(id_: str) -> str:
    """Return the id of an episode that came with this one: the same, or one in its place where it may not be given."""
    return id_ if may_be_given(id_) else "e-" + digest("given", id_)


def episode_id(source: str, session: str, record: str) -> str:
    """Return the id of an episode. record: its own id in its source, or its ordinal; never a time or a masked text."""
    return "e-" + digest(source, session, record)


def fact_id(user: str, project: str, subject: str, predicate: str, slot: str, obj: str, polarity: str, evidence: str) -> str:
    """Return the id of a fact. evidence: the episode it was first read in, so that A, then B, then A again is a third fact."""
    return "f-" + digest(user, project, subject, predicate, slot, obj, polarity, evidence)


def summary_id(user: str, project: str, session: str, episodes: Iterable[str]) -> str:
    """Return the id of a summary, which follows from its content, so that the same night run twice gives the same id."""
    return "s-" + digest(user, project, session, *episodes)


def profile_id(user: str) -> str:
    """Return the id of the profile of a user: there is one (G-12)."""
    return "p-" + digest("profile", user)


def question_id(existing: str, obj: str) -> str:
    """Return the id of the question about a held fact and the folded object that contradicts it: there is one (X-E17)."""
    return "c-" + digest(existing, obj, length=_QUESTION_LENGTH)


def quarantine_id(user: str, project: str, subject: str, predicate: str, slot: str, obj: str, polarity: str) -> str:
    """Return the id of the question about a claim in quarantine: there is one, whoever proposed it."""
    return "q-" + digest(user, project, subject, predicate, slot, obj, polarity, length=_QUESTION_LENGTH)


def memory_question_id(memory: str, *, retire: bool) -> str:
    """Return the id of the question about a memory: `n-` whether to retire it, `a-` whether to accept it."""
    return f"{'n' if retire else 'a'}-" + digest(memory, length=_QUESTION_LENGTH)


def trace_id(user: str, narrative: str, source: str, target: str) -> str:
    """Return the id of the trace of one step of a chain, so that the same day gives the same traces."""
    return "t-" + digest(user, narrative, source, target)


def lesson_id(user: str, group: str, claim: str) -> str:
    """Return the id of the lesson that makes a claim about a group. claim: its condition and direction, or its title."""
    return "l-" + digest(user, group, claim)


def lesson_evidence_id(lesson: str, run: str) -> str:
    """Return the id of what one run added to a lesson."""
    return "b-" + digest(lesson, run)


def playbook_id(lesson: str) -> str:
    """Return the id of the playbook of a lesson: there is one."""
    return "y-" + digest(lesson)


def run_id(name: str, started_at: str, reason: str) -> str:
    """Return the id of a run, its second and twenty bits: r-20260601-120000-7k2m. started_at: ISO 8601, UTC, with microseconds."""
    day, _, clock = started_at[:19].partition("T")
    return f"r-{day.replace('-', '')}-{clock.replace(':', '')}-{digest(name, started_at, reason, length=RUN_LENGTH)}"
