"""Actions by which a person decides: inbox, answer, settle, rejected, promote, retire, correct, undo, forget."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated

from ethos.app.retirement import Retired
from ethos.app.review import Answered
from ethos.core.history.diff import Diff
from ethos.core.history.erasure import ErasureRequest
from ethos.core.model.errors import refuse
from ethos.core.model.records import Action
from ethos.core.ports.review_file import Entry
from ethos.core.review.kinds import kind_of
from ethos.edge.api.actions.service import Service
from ethos.edge.api.results import Inbox as InboxQuestions
from ethos.edge.api.results import InboxQuestion, Receipt, extended
from ethos.edge.capture.masking import Masker
from ethos.edge.jsonio.shapes import Json, plain, standings_data


@dataclass(frozen=True, slots=True)
class Inbox:
    """The questions that wait for a person."""

    resolved: Annotated[bool, "answered ones too"] = False


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person decided about a question."""

    question: Annotated[str, "its id"]
    choice: Action
    note: Annotated[str, "free text, kept"] = ""


@dataclass(frozen=True, slots=True)
class Settle:
    """Read the inbox file now and apply what was ticked."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """The claim that was turned down in a question, and the words it was read in."""

    question: Annotated[str, "its id"]


@dataclass(frozen=True, slots=True)
class Promote:
    """A person says that the rule misread what was turned down: its standing falls. What is only outdated was not misread."""

    question: Annotated[str, "its id"]
    misread: Annotated[bool, "a person says so: without it nothing is done"] = False


@dataclass(frozen=True, slots=True)
class Retire:
    """Retire a fact that does not hold. Nothing that was said before brings it back; said again later it is a new claim."""

    fact: Annotated[str, "its id, or the beginning of it"]
    said: Annotated[str, "what the user says to it: a turn, which the next cycle reads"] = ""


@dataclass(frozen=True, slots=True)
class Correct:
    """Retire a fact, and hold what the rules read in the user's words. Refused where they read nothing, or the same."""

    fact: Annotated[str, "its id, or the beginning of it"]
    words: Annotated[str, "a sentence that says what holds"]


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back what a run did, whatever came after it. What would collide becomes a question."""

    run: Annotated[str, "its id, or the beginning of it"]


@dataclass(frozen=True, slots=True)
class Forget:
    """Erase episodes and all that rests on them alone, in every file, and look for what is left. Cannot be undone."""

    ids: Annotated[tuple[str, ...], "of episodes, or of facts, which go with the episodes they rest on"] = ()
    session: Annotated[str | None, "everything that was said in it"] = None
    source: Annotated[str | None, "everything from this file, or from a folder"] = None
    matching: Annotated[str | None, "everything that holds these words, in whatever case"] = None
    misread: Annotated[bool, "nobody said what the named facts say: their rules are trusted less"] = False
    dry_run: Annotated[bool, "say what would go, and do nothing"] = False
    yes: Annotated[bool, "a person wants it: without it nothing is erased"] = False


def inbox(service: Service, asked: Inbox) -> InboxQuestions:
    """Return the questions, each with both claims."""
    questions = tuple(_question(entry) for entry in service.ethos.inbox(resolved=asked.resolved))
    return InboxQuestions(questions, None if questions else service.ethos.elsewhere())


def _question(entry: Entry) -> InboxQuestion:
    """Return a question with its claims in the place of their ids."""
    question, kind = entry.question, kind_of(entry.question.id)
    shown = {each.name: getattr(question, each.name) for each in fields(question)}
    shown |= {each.name: getattr(entry, each.name) for each in fields(entry) if each.name != "question"}
    status = "open" if question.resolved_at is None else "resolved"
    return InboxQuestion(**shown, status=status, actions=tuple(kind.actions) if kind else ())


def answer(service: Service, asked: Answer) -> Answered:
    """Apply the answer, and return what came of it. Raises Refused."""
    return service.passes.alone(lambda: service.ethos.answer(asked.question, asked.choice, by=service.by, note=asked.note))


def settle(service: Service, asked: Settle) -> Json:  # noqa: ARG001 (the form of every action)
    """How many answers were applied."""
    return {"applied": service.passes.alone(service.ethos.settle)}


def rejected(service: Service, asked: Rejected) -> Json:
    """Return the claim and its words. Raises Refused."""
    return dict(plain(service.ethos.rejected(asked.question)))


def promote(service: Service, asked: Promote) -> Json:
    """Return the trust in the rule now. Raises Refused."""
    if not asked.misread:
        hint = 'send "misread": true where nobody said what was read; what was so and is so no longer is no fault of the rule'
        raise refuse("needs-person", "it is not said whether the rule misread, or what it read is only outdated", hint=hint)
    before = service.passes.alone(lambda: service.ethos.promote(asked.question))
    now = standings_data(service.ethos.standings()).get(before.fact.rule)
    return {"question": before.question, "rule": before.fact.rule, "applied": not before.promoted, "standing": now}


def retire(service: Service, asked: Retire) -> Retired:
    """Retire the fact. Raises Refused."""
    return service.passes.alone(lambda: service.ethos.retire(asked.fact, said=_masked(service, asked.said)))


def correct(service: Service, asked: Correct) -> Retired:
    """Retire the fact, and hold what is read in the words. Raises Refused."""
    return service.passes.alone(lambda: service.ethos.correct(asked.fact, _masked(service, asked.words)))


def _masked(service: Service, words: str) -> str:
    settings = service.ethos.settings
    return Masker(Path(settings.ethos.state))(words) if settings.capture.mask_secrets else words


def undo(service: Service, asked: Undo) -> Diff:
    """Undo the run, and return what that changed. Raises Refused."""
    return service.passes.alone(lambda: service.ethos.undo(asked.run))


def forget(service: Service, asked: Forget) -> Receipt:
    """Forget, and return the receipt. Raises Refused."""
    if not (asked.yes or asked.dry_run):
        raise refuse(
            "needs-person", "nothing was erased: only a person can want that", hint='look at it with "dry_run", then say "yes": true'
        )
    wanted = ErasureRequest(asked.ids, asked.session, asked.source, asked.matching, asked.misread)
    return extended(Receipt, service.passes.alone(lambda: service.ethos.forget(wanted, dry_run=asked.dry_run)))
