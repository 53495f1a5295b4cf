"""Weigh a fact again that was not learned just now: it came back, or came in with an import.

A fact comes back when what had superseded it is forgotten. It is weighed like a claim (`core.facts.weighing.weigh`), and a contradiction
is put to a person: nothing is guessed (docs/threats.md, promise 3).
"""

from __future__ import annotations

from ethos.core.facts.ledger import Ledger
from ethos.core.facts.statement import key_of, statement_of
from ethos.core.facts.weighing import Confirms, Contradicts, Fresh, Refines, Supersedes, weigh
from ethos.core.model.events import Admission
from ethos.core.model.records import Fact
from ethos.core.model.settings import ConflictSettings


def readmit(fact: Fact, ledger: Ledger, settings: ConflictSettings) -> Admission:
    """Weigh an active fact of the ledger against the others of its key; return the result."""
    rivals = [held for held in ledger.active(key_of(fact)) if held.id != fact.id]
    twin = next((held for held in rivals if (held.object_key, held.polarity) == (fact.object_key, fact.polarity)), None)
    match Confirms(twin) if twin else weigh(statement_of(fact), rivals, settings):
        case Fresh():
            return Admission.STANDS
        case Contradicts(held):
            ledger.contradict(held, fact)
            return Admission.ASKED
        case Confirms(held) | Supersedes((held, *_), late=True):
            ledger.supersede(fact, held.id, max(held.valid_from, fact.valid_from))
            return Admission.SUPERSEDED
        case Refines(held):
            ledger.supersede(held, fact.id, max(held.valid_from, fact.valid_from))
        case Supersedes(retired):
            for held in retired:
                ledger.supersede(held, fact.id, max(held.valid_from, fact.valid_from))
    return Admission.STANDS
