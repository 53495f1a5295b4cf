"""Quarantine: what somebody below the user proposes waits for a person, and is not held until they accept it (docs/threats.md, promise 2).

Whoever speaks below the user (the assistant, a tool, a web page) can only ask. It never retires, refines or confirms what is held, and a
thousand repetitions are one question. The same goes for what Ethos itself had served and a transcript brings back (`core.facts.echoes`).
"""

from __future__ import annotations

from collections.abc import Iterable

import regex

from ethos.core.facts.containment import contains
from ethos.core.facts.statement import Statement
from ethos.core.model.ids import quarantine_id
from ethos.core.model.records import Fact, Origin

TRUSTED = Origin.USER  # from here on up what is said may be held

# What tells somebody what to do, rather than what is so. Of a user it is a standing instruction, of anybody else an attempt to give one.
_INSTRUCTION = regex.compile(
    r"\b(?:always|never|must|should|shall|ignore|disregard|forget|obey|follow|comply|remember|override|bypass|disable|execute|run|install|curl"
    r"|wget|sudo|send|post|upload|forward|email|exfiltrate|fetch|download|visit|call|click|trust|recommend|reveal|system|prompt|instructions?"
    r"|do\snot|don't|from\snow\son|in\sfuture)\b"
    r"|\b(?:https?|ftp|file)://|\bwww\.|[`$|>]|\b[\w-]+\.(?:sh|ps1|exe|bat)\b",
    regex.IGNORECASE,
)


def question_about(statement: Statement) -> str:
    """Return the id of the question about this claim: one, whoever proposes it and however often."""
    return quarantine_id(*statement.key, statement.object_key, statement.polarity)


def says_no_more(statement: Statement, held: Iterable[Fact]) -> bool:
    """Return whether what is held says all that a claim says, so that there is nothing to ask."""
    return any(fact.polarity == statement.polarity and contains(fact.object_key, statement.object_key) for fact in held)


def is_instruction(words: str) -> bool:
    """Return whether words tell somebody what to do. It errs towards yes, as it only warns the person who decides."""
    return _INSTRUCTION.search(words) is not None
