"""The claims of clause rules: what the reader read, in the words of the text, after the modifiers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ethos.core.model.records import Claim, Grade, Kind, Polarity, Role
from ethos.core.rules.captures import said
from ethos.core.rules.clauses.discourse import Discourse
from ethos.core.rules.clauses.parts import OCCASION
from ethos.core.rules.clauses.reader import ClauseReader, Reading
from ethos.core.rules.found import Found, Turn, claim_of, orders_once, take_contrast, take_past_time
from ethos.core.rules.modifiers import GUESSED, Modifiers, Reach
from ethos.core.rules.rule import ALONE
from ethos.core.rules.templates import fill
from ethos.core.text.language.cues import without_cue, without_inner_cue
from ethos.core.text.language.persons import FAR
from ethos.core.text.language.signs_of_change import changes_nothing, tells_end
from ethos.core.text.language.specific import is_soon_over
from ethos.core.text.language.tagging import words_of
from ethos.core.text.sentences import Sentence, quoted


def clause_claims(reader: ClauseReader, modifiers: Modifiers, turn: Turn, places: Iterable[Sentence], role: Role) -> Iterator[Found]:
    """Yield the claims of the clause rules in these sentences."""
    discourse, line = Discourse(), 0
    for place in places:
        if place.line != line:  # a paragraph stands by itself
            discourse, line = Discourse(), place.line
        sentence = turn.masked[place.start : place.end]
        begins = max(place.line, place.start - FAR)  # a line can be as long as the turn
        discourse.go_on(turn.masked[begins : place.start], turn.text[begins : place.start])
        for reading in reader.read(sentence, turn.text[place.start : place.end], discourse, question=place.question):
            if role in reading.rule.roles and (claim := _claim(modifiers, turn, place, sentence, reading)) is not None:
                low, high = reading.subject if reading.rule.emit["object"] == "{subject}" and reading.subject[1] else reading.object
                yield Found(place.start, claim, reading.rule.priority, place.start + low, place.start + high)


def _claim(modifiers: Modifiers, turn: Turn, place: Sentence, sentence: str, reading: Reading) -> Claim | None:
    """Return the claim of a clause that a frame fits, after the modifiers; negation and questions are the clause's own."""
    rule = reading.rule
    (low, high), (start, end) = reading.object, (reading.start, reading.end)
    found = {"verb": reading.verb, "object": said(turn.text, place.start + low, place.start + high)}
    if reading.thing:
        found["subject"] = reading.thing
    elif reading.group:
        found["subject"] = "we"
    elif reading.subject[1]:
        found["subject"] = said(turn.text, place.start + reading.subject[0], place.start + reading.subject[1])
    for name, (begin, after) in reading.parts.items():
        found[name] = said(turn.text, place.start + begin, place.start + after)
    if OCCASION in found:
        found[OCCASION] = f"{found[OCCASION][:1].lower()}{found[OCCASION][1:]}"  # it began the sentence
    found["now"] = reading.now
    slots = {slot: fill(template, found) for slot, template in rule.emit.items()}
    slots["subject"], inner = without_inner_cue(slots["subject"])
    if not slots["object"] or not slots["predicate"] or slots["object"].lower() == slots["subject"].lower():
        return None  # "progress is progress"
    polarity: Polarity = "-" if reading.negative != (rule.polarity == "-") else "+"
    kind: Kind = "negation" if polarity == "-" and rule.kind == "fact" else rule.kind
    at = Reach(start, min(start, low), low, high, False, quoted(turn.masked, place.line, place.start + start))
    weighed = modifiers.weigh(sentence, at, {"negation": "keep", **rule.modifiers}, kind, polarity, rule.confidence)
    if weighed is None:
        return None
    if reading.guessed:
        weighed = replace(weighed, modifiers=(*weighed.modifiers, GUESSED))
    contrasted = take_contrast(slots, weighed, sentence[high:])
    slots["object"], behind = without_cue(slots["object"])  # "she is the manager now and not the lead", "who is here for hiring now"
    passing = is_soon_over(slots["object"]) or (kind == "fact" and tells_end(slots["predicate"]))
    sure = rule.grade in ALONE or (rule.grade == "named" and reading.named and not weighed.modifiers and not passing)
    grade: Grade = "held" if sure and not orders_once(slots, sentence) else "weak"
    now = (reading.now or inner or behind) if weighed.polarity == "+" or kind == "preference" else ""
    if now and changes_nothing(words_of(sentence)):
        now = ""
    less_liked = slots.get("over", "") if now and kind == "preference" else ""  # "I like Mermaid better than PlantUML now"
    replaced = slots.get("supersedes") or contrasted or less_liked or now
    if replaced:
        take_past_time(slots)
    claim = claim_of(rule, slots, weighed, turn.speaker, place.start + start, place.start + end, grade, replaced or None)
    return None if claim.subject.lower() == claim.object.lower() else claim  # "I'm Nora", says Nora
