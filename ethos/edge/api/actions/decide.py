"""Actions by which a person decides: answer, rejected, promote, retire, correct, undo, forget."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from ethos.app.retirement import Retired
from ethos.app.review import Answered
from ethos.core.history.diff import Diff
from ethos.core.history.erasure import ErasureRequest
from ethos.core.model.errors import refuse
from ethos.core.model.records import Action
from ethos.edge.api.actions.entrance import Entrance
from ethos.edge.api.actions.service import Service
from ethos.edge.api.results import Receipt, extended
from ethos.edge.capture.masking import masked
from ethos.edge.jsonio.shapes import Json, plain, standings_data


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer a question, for a person."""

    question: Annotated[str, "its id"]
    choice: Action
    note: Annotated[str, "your reason, stored with the answer"] = ""


@dataclass(frozen=True, slots=True)
class Rejected:
    """Show the rejected claim of a question, and its words."""

    question: Annotated[str, "its id"]


@dataclass(frozen=True, slots=True)
class Promote:
    """Report that a rule misread a rejected claim, for a person: the trust in the rule falls. An outdated claim was not misread."""

    question: Annotated[str, "its id"]
    misread: Annotated[bool, "a person confirmed it; required"] = False


@dataclass(frozen=True, slots=True)
class Retire:
    """Retire a fact that is not true. Nothing said before brings it back; said again later, it is a new claim."""

    fact: Annotated[str, "its id, or the beginning of it"]
    said: Annotated[str, "the user's words about it, stored as a turn for the next consolidation"] = ""


@dataclass(frozen=True, slots=True)
class Correct:
    """Replace a fact by what the rules read in the user's words. Refused if they read nothing, or the same."""

    fact: Annotated[str, "its id, or the beginning of it"]
    words: Annotated[str, "a sentence with the correct fact"]


@dataclass(frozen=True, slots=True)
class Undo:
    """Undo a run, even after later ones. A conflict with later facts becomes a question."""

    run: Annotated[str, "its id, or the beginning of it"]


@dataclass(frozen=True, slots=True)
class Forget:
    """Erase episodes, and everything based only on them, from every known file; then search for remains. Cannot be undone."""

    ids: Annotated[tuple[str, ...], "the ids of episodes, or of facts (their turns are erased too)"] = ()
    session: Annotated[str | None, "everything said in this session"] = None
    source: Annotated[str | None, "everything from this file or folder"] = None
    matching: Annotated[str | None, "everything that contains these words, in any case"] = None
    misread: Annotated[bool, "the rules misread it, nobody said it: also trust them less"] = False
    dry_run: Annotated[bool, "show what would be erased; erase nothing"] = False
    yes: Annotated[bool, "a person confirmed it; required"] = False


def answer(service: Service, asked: Answer) -> Answered:
    """Apply the answer, and return what came of it. Raises Refused."""
    return service.runs.alone(
        lambda: service.ethos.answer(asked.question, asked.choice, by=service.by, note=masked(asked.note, service.ethos.settings))
    )


def rejected(service: Service, asked: Rejected) -> Json:
    """Return the claim and its words. Raises Refused."""
    return dict(plain(service.ethos.rejected(asked.question)))


def promote(service: Service, asked: Promote) -> Json:
    """Return the trust in the rule now. Raises Refused."""
    if not asked.misread:
        hint = 'send "misread": true if nobody said what was read; a fact that was true once was read correctly'
        raise refuse("needs-person", "say whether the rule misread, or the fact is only outdated", hint=hint)
    before = service.runs.alone(lambda: service.ethos.promote(asked.question))
    now = standings_data(service.ethos.rule_trust()).get(before.fact.rule)
    return {"question": before.question, "rule": before.fact.rule, "applied": not before.promoted, "standing": now}


def retire(service: Service, asked: Retire) -> Retired:
    """Retire the fact. Raises Refused."""
    return service.runs.alone(lambda: service.ethos.retire(asked.fact, said=masked(asked.said, service.ethos.settings)))


def correct(service: Service, asked: Correct) -> Retired:
    """Supersede the fact by what is read in the words. Raises Refused."""
    return service.runs.alone(lambda: service.ethos.correct(asked.fact, masked(asked.words, service.ethos.settings)))


def undo(service: Service, asked: Undo) -> Diff:
    """Undo the run, and return what that changed. Raises Refused."""
    return service.runs.alone(lambda: service.ethos.undo(asked.run))


def forget(service: Service, asked: Forget) -> Receipt:
    """Forget, and return the receipt. Raises Refused."""
    if not (asked.yes or asked.dry_run):
        raise refuse(
            "needs-person", "nothing was erased: a person must confirm it", hint='send "dry_run": true to see it, then "yes": true'
        )
    wanted = ErasureRequest(asked.ids, asked.session, asked.source, asked.matching, asked.misread)
    return extended(Receipt, service.runs.alone(lambda: service.ethos.forget(wanted, dry_run=asked.dry_run)))


ACTIONS: Mapping[str, Entrance] = {
    "undo": Entrance(Undo, undo, list_name="differences", gives=Diff),
    "answer": Entrance(Answer, answer, gives=Answered),
    "retire": Entrance(Retire, retire, gives=Retired),
    "correct": Entrance(Correct, correct, gives=Retired),
    "forget": Entrance(Forget, forget, list_name="shown", gives=Receipt),
    "rejected": Entrance(Rejected, rejected, question=True),
    "promote": Entrance(Promote, promote),
}
