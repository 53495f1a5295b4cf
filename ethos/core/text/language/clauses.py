"""Clauses: who does what in a sentence, by regular expressions over the tags of its words (`tagging`).

A shallow parse (Abney 1991, chunks): noun phrases and verb groups are runs of tags, a clause is a verb group with the noun phrase before
it, and reaches to the next clause or mark. There is no tree, each pass is linear, and what the passes do not know they leave out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ethos.core.text.language.appositions import appositions, described
from ethos.core.text.language.clause import STATED, After, Clause, Form, Who
from ethos.core.text.language.clefts import plainly
from ethos.core.text.language.elided import MODALS, PERSONS, doer, main_clause
from ethos.core.text.language.fragments import fragments
from ethos.core.text.language.lexicon import word_class
from ethos.core.text.language.noun_phrases import NP, WHOM
from ethos.core.text.language.subjects import who_is
from ethos.core.text.language.tagging import PAST_AUXILIARIES, Tagged, possible_tags, tag, verb_of
from ethos.core.text.language.verbless import verbless
from ethos.core.text.memoize import ChunkCache

_LABEL = re.compile(rf"{NP}(?:I{NP}(?:C{NP})?){{0,2}}R?")
_LISTED_ALONE = re.compile(rf"{NP}(?:I{NP})?(?:,?C?{NP}){{0,4}}R*+\Z|#[NK]?R*+(?:I{NP})?(?=[,;]|\Z)")
_GROUP = re.compile(
    rf"(?:(?P<subject>{WHOM})(?=[RX]*+[OYHBbVzdng]))?+[RX]*+(?P<group>"
    r"(?:(?:(?P<modal>O)|(?P<do>Y)(?=[RX]*+[VbHY]))[RX]*+)?+"
    r"(?:(?P<have>H)(?=[RX]*+[nbH])[RX]*+)?+(?:(?P<be>[Bb])(?=[RX]*+[ngb])[RX]*+)?+(?:(?P<been>b)(?=[RX]*+[ng])[RX]*+)?+"
    r"(?P<head>[VzdngBbHY]))(?P<trail>X*)"
)
_SAID, _VERBS, _HEAD = (_GROUP.groupindex[name] for name in ("subject", "group", "head"))
_HELPERS = tuple(_GROUP.groupindex[name] for name in ("modal", "do", "have", "be", "been"))
_TO_VERB = re.compile(r"T([RX]*+)([VbHY])")
_LISTED = r"[DmuA#NK'g][DmuA#NKR'Ing]{0,8}"
_BREAK = re.compile(rf"[;SWUE]|,(?!(?:{_LISTED},){{0,5}}{_LISTED},?C[DmuA#NK]|(?<=[DmI]A,)R?[AN][NK])")
_LOOSE = ",CSWRUI;"  # what nothing ends with
_TAIL = re.compile(rf"(?P<of_verb>(?<=[gV])[RI])?[{_LOOSE}]*\Z")  # "kept falling off", "something I am working on"
SPELLED_MODALS = {
    **dict.fromkeys(("will", "'ll", "wo", "shall", "gonna"), Form.WILL),
    **dict.fromkeys(("would", "'d"), Form.WOULD),
    **dict.fromkeys(("must", "should", "gotta"), Form.MUST),
    **dict.fromkeys(("can", "could", "ca"), Form.CAN),
    **dict.fromkeys(("may", "might"), Form.MAY),
}
_OBLIGED = {"have": Form.MUST, "need": Form.MUST, "use": Form.PAST, "go": Form.WILL, "suppose": Form.MUST}
_AFTER = {
    **dict.fromkeys("iwyhtPpEDmu#NK", After.NOUN), "A": After.ADJECTIVE, "n": After.ADJECTIVE, "T": After.TO, "g": After.ING,
    **dict.fromkeys("SWC", After.CLAUSE),
}  # fmt: skip
_ASKING = frozenset({"what", "why", "how", "whose", "whom"})
_CONDITIONS = frozenset({"if", "unless", "whether"})


def clauses(sentence: Tagged) -> list[Clause]:
    """Return the clauses of a sentence, from left to right."""
    found = split(sentence)
    for number in reversed(range(len(found))):
        reach(found, number, sentence.tags)
    return found


def split(sentence: Tagged) -> list[Clause]:
    """Return the clauses without what stands behind their verbs, which `reach` finds: of most clauses it is not needed."""
    tags = sentence.tags
    found: list[Clause] = []
    if ";" in tags and (label := _labelled(sentence)) is not None:
        return [label]
    for group in _GROUP.finditer(tags):
        before, said = group.span(_SAID)
        if said < 0:
            before = group.start()
            if before and tags[before - 1] == "T":
                continue  # an infinitive
        head = group.start(_HEAD)
        if said < 0 and before and tags[head] in "dn" and head == group.start(_VERBS) and _is_participle(sentence, head):
            continue
        if head == group.start(_VERBS) and tags[head] in "ngb":  # "just finished a book", "been there"
            goes_on = sentence.words[head] == "be" and before and tags[before - 1] == "C"  # "must be small and be quick"
            if said >= 0 or (not goes_on and tags[:before].strip("UR,")):
                continue
        clause = _clause(sentence, group, before, said, found)
        if clause is not None:
            found.append(clause)
    if not found and (own := described(sentence)):
        return own
    if more := [*verbless(sentence, found), *appositions(sentence, found), *fragments(sentence, found)]:
        found = sorted([*found, *more], key=lambda clause: clause.start)
    return found


def _is_participle(sentence: Tagged, head: int) -> bool:
    """Return whether a verb without a subject tells of the noun before it: "we load rows, orchestrated by Airflow"."""
    words, tags = sentence.words, sentence.tags
    return words[head + 1 : head + 2] == ["by"] or (tags[head - 1] == "," and words[head] in word_class("naming-participle"))


def _parsed(sentence: str) -> tuple[Tagged, list[Clause]]:
    tagged = plainly(tag(sentence))
    return tagged, split(tagged)


_MOST_SENTENCES = 100  # remembered: two sets of frames read a turn, one after the other
parsed = ChunkCache(_parsed, _MOST_SENTENCES, longest=1_000).__getitem__  # the words and the clauses of a folded sentence


def _labelled(sentence: Tagged) -> Clause | None:
    """Return what a label says as a clause whose verb is a colon, "linter in this repo: flake8"; None if the sentence is none."""
    words, tags = sentence.words, sentence.tags
    place = next((place for place, word in enumerate(words) if word in _MARKS), 0)
    behind = place + (2 if words[place : place + 2] == ["-", ">"] else 1)
    if not place or (words[place] == "-" and behind == place + 1):
        return None
    named = "".join("N" if tags[at] in "zV" and "N" in possible_tags(words[at]) else tags[at] for at in range(place))
    if not _LABEL.fullmatch(named) or (value := _LISTED_ALONE.match(tags, behind)) is None:
        return None
    return Clause(who_is(words, tags, 0, place), STATED, ":", (0, place), 0, place, place, (behind, value.end()), after=After.NOUN)


_MARKS = frozenset({":", "=", "→", "-"})  # what may stand between the name of a thing and its value


def _clause(sentence: Tagged, group: re.Match[str], start: int, said: int, found: list[Clause]) -> Clause | None:
    """Return the clause of a verb group, open at its end; None if nobody can be made out who does it.

    start: where its subject begins, or the group with its adverbs; said: where its subject ends, -1 if it has none.
    """
    tags, words = sentence.tags, sentence.words
    first = group.start(_VERBS)
    form, verb, head, end = _form(words, tags, group, start if said < 0 else said)
    occasion = (0, 0)
    at = start
    while at > 0 and tags[at - 1] in "RU":
        at -= 1
    opener = words[at - 1] if at > 0 and tags[at - 1] in "SWC" else ""
    if opener and gives_reason(words, tags, at - 1):
        opener = ""
    asked = (start > 0 and tags[start - 1] in "OYB") or (opener != "" and (opener in _ASKING or (at == 1 and tags[0] == "W")))
    if said >= 0:
        last = found[-1] if found else None
        place = (start, said)
        if last is not None and _is_object_of(last, start, tags):  # "the one who signs the contracts is Ada"
            place = (last.subject[0], said)
            asked = False
        if start and tags[start - 1] == "g" and tags[start - 2 : start - 1] in ("", ",", ";", "C", "S"):
            place = (start - 1, said)  # "growing my customer base is the aim"
        who = who_is(words, tags, *place)
        after_noun = last is not None and who & PERSONS > 0 and start > 0 and tags[start - 1] in "NKP" and not _is_reason(words[start - 1])
        relative = after_noun or (opener == "that" and tags[at - 1] == "W") or words[start - 1 : start] == ["sure"]  # "make sure we do it"
        if last is not None and opener in {"and", "or"} and last.opener in _CONDITIONS:
            opener = last.opener
    elif (whose := doer(words, tags, first, start, form, found)) is not None:
        who, place, opened = whose
        relative = who == Who.WHICH
        main = main_clause(found) if opened is not None else None
        opener = opener if opened is None else opened
        if who == Who.ORDER and found and start and tags[start - 1] == "," and _is_occasion(found[-1]):
            opener = found[-1].opener
            occasion = (max(at for at in range(start) if words[at] == opener), start - 1)
        if main is not None and form & Form.BARE and not main.form & Form.PLAIN:  # "must accept CSV and write JSON"
            form = form & ~Form.PLAIN | main.form & MODALS
    else:
        return None
    if who != Who.ORDER and form & Form.BARE:
        form = form & ~Form.BARE | Form.PRESENT
    return Clause(who, form, verb, place, start, first, head, (end, end), opener, asked, relative, occasion=occasion)


def gives_reason(words: Sequence[str], tags: str, at: int) -> bool:
    """Return whether the word at this place is a "why" whose clause is said to be so: "that's why I run", not "why do I run"."""
    return at > 0 and words[at] == "why" and (tags[at - 1] == "B" or _is_reason(words[at - 1]))


def _is_reason(word: str) -> bool:
    return word in word_class("reasons")


def _is_object_of(relative: Clause, start: int, tags: str) -> bool:
    """Return whether a noun phrase before a verb is the object of a relative clause, whose noun is the subject of that verb."""
    low, high = relative.subject
    if relative.who != Who.WHICH or low >= high or relative.object[0] != start or "," in tags[high:start]:
        return False
    return relative.verb not in word_class("complemented") and (not low or tags[low - 1] in ";,CSU")


def _is_occasion(clause: Clause) -> bool:
    """Return whether a clause says when an order behind it holds: "when I send a photo, describe it"."""
    lasting = clause.form & Form.PRESENT and not clause.form & Form.PERFECT
    return bool(lasting and clause.who & (Who.I | Who.WE | Who.YOU)) and clause.opener in word_class("occasion")


def _is_later_occasion(clause: Clause) -> bool:
    """Return whether a clause behind an order says when it holds: "answer in Dutch whenever I write Dutch", "when you write a
    test", not "ping me when you can" or "when you finish".
    """
    if not clause.form & Form.PRESENT or clause.form & Form.PERFECT or clause.opener not in word_class("occasion"):
        return False
    again = clause.who == Who.YOU and clause.form & Form.PLAIN and clause.verb not in word_class("once-done")
    return clause.opener == "whenever" or bool(clause.who & (Who.I | Who.WE) or again)


def _form(words: Sequence[str], tags: str, group: re.Match[str], said: int) -> tuple[int, str, int, int]:
    """Return the form of a verb group, its verb, and where that stands and the group ends: "have to go" is one.

    said: where its subject ends.
    """
    first, head, end = group.start(_VERBS), group.start(_HEAD), group.end()
    verb = verb_of(words[head])
    modal = Form.PLAIN
    if head == first:  # one word, as most are
        form = Form.PROGRESSIVE if tags[head] == "g" else Form.SIMPLE
    else:
        form, modal = _helped(words, tags, group)
    if tags.find("X", said, end) >= 0:
        form |= Form.NEGATED
    if (
        verb in _OBLIGED
        and modal == Form.PLAIN
        and (verb != "go" or form & Form.PROGRESSIVE)
        and (onward := _TO_VERB.match(tags, end)) is not None
    ):
        obliged = _OBLIGED[verb]
        head, end = onward.start(2), onward.end()
        verb = verb_of(words[head])
        form &= ~(Form.PROGRESSIVE | Form.PASSIVE)
        if "X" in onward[1]:
            form |= Form.NEGATED
        if not form & Form.PERFECT:
            form |= Form.SIMPLE
        if obliged == Form.PAST:
            return form | Form.PAST | Form.PLAIN | Form.SIMPLE, verb, head, end
        modal = Form.WOULD if obliged == Form.WILL and words[first] in _PAST else obliged  # "we were going to" tells of no plan
    tag, word = tags[first], words[first]
    if tag == "d" or word in _PAST:
        tense = Form.PAST
    elif tag in "Vb" or word in _BARE:
        tense = Form.BARE
    else:
        tense = Form.PRESENT
    return form | tense | modal, verb, head, end


def _helped(words: Sequence[str], tags: str, group: re.Match[str]) -> tuple[int, int]:
    """Return the form that the helping verbs give, and the modal: "would have been sold"."""
    said_modal, _, have, be, been = group.group(*_HELPERS)
    head = tags[group.start(_HEAD)]
    form = Form.PROGRESSIVE if be and head == "g" else 0
    if have:
        form |= Form.PERFECT
    if (be or been) and head == "n":
        form |= Form.PASSIVE
    if not form & (Form.PERFECT | Form.PROGRESSIVE):
        form |= Form.SIMPLE
    return form, SPELLED_MODALS.get(words[group.start(_VERBS)], Form.CAN) if said_modal else Form.PLAIN


_PAST = PAST_AUXILIARIES | {"got"}  # which may have the tag of a participle
_BARE = frozenset({"have", "do"})


def reach(found: Sequence[Clause], number: int, tags: str) -> None:
    """Find what stands behind the verb of one of the clauses of a sentence: up to the next clause, mark or conjunction."""
    clause = found[number]
    if clause.after:
        return
    following = found[number + 1] if number + 1 < len(found) else None
    limit = len(tags) if following is None else following.start
    low = clause.object[0]
    stop = _BREAK.search(tags, low, limit)
    end = stop.start() if stop else limit
    if end > low and tags[end - 1] in _LOOSE:
        trimmed = _TAIL.search(tags, low, end)
        end = trimmed.end("of_verb") if trimmed and trimmed["of_verb"] else trimmed.start() if trimmed else end
    if following is not None and following.relative:
        reach(found, number + 1, tags)
        if following.object[1] > end and _joined(tags, end, following, low):
            end = following.object[1]
    if following is not None and clause.who == Who.ORDER and _is_later_occasion(following):
        reach(found, number + 1, tags)
        opened = following.start - 1
        clause.occasion = (opened, max(following.object[1], following.head + 1))
        end = min(end, opened)
    elif following is not None and end > low and _bounds(clause, following, end):
        reach(found, number + 1, tags)
        end = max(following.object[1], following.head + 1)
    while low < end and tags[low] in "RX":
        low += 1
    after = _after(tags, low, end)
    if low == end and following is not None and following.start - end <= 1 and tags[end : end + 1] != ",":
        after = After.CLAUSE
    clause.object, clause.after = (low, end), after


def _bounds(clause: Clause, following: Clause, end: int) -> bool:
    """Return whether a clause says how far the one before it holds: "off limits until he turns three"."""
    lasting = clause.form & (Form.PRESENT | Form.BARE) and not clause.form & (Form.PERFECT | Form.PROGRESSIVE)
    return bool(lasting and following.form & Form.PRESENT) and following.opener in word_class("bounding") and following.start - end <= 2


def _joined(tags: str, end: int, following: Clause, low: int) -> bool:
    """Return whether a relative clause belongs to the noun that ends here: "an app that shows departures", "everything I push"."""
    return end > low and tags[end - 1] in "NKP#t" and following.start - end <= 1 and "," not in tags[end : following.start + 1]


def _after(tags: str, low: int, end: int) -> int:
    if low >= end:
        return After.NOTHING
    if tags[low] == "T" and tags[low + 1 : low + 2] not in "VbHYRX":
        return After.PREPOSITION
    if tags[low] == "I":
        return After.PREPOSITION_ING if tags[low + 1 : low + 2] == "g" else After.PREPOSITION
    if tags[low] == "A" or (tags[low] == "R" and tags[low + 1 : low + 2] == "A"):
        return After.NOUN if _PHRASE.match(tags, low, end) else After.ADJECTIVE
    return _AFTER.get(tags[low], After.NOUN)


_PHRASE = re.compile(r"[RA]*+(?:[A#n]*+[NK]|#)")


def ordered(words: Sequence[str], tags: str) -> str:
    """Return the verb of the order that a tagged sentence begins with ("and then add a flag": "add"), or ""."""
    first = next((at for at, kind in enumerate(tags) if kind not in "RCU,;"), len(tags))
    return words[first] if tags[first : first + 1] == "V" else ""
