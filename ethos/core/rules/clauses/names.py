"""The names that frames and explanations use for what the clause splitter finds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ethos.core.text.language.clause import After, Form, Who

WHO: Mapping[str, int] = {
    "i": Who.I,
    "we": Who.WE,
    "you": Who.YOU,
    "kin": Who.KIN,
    "mine": Who.MINE,
    "thing": Who.THING,
    "it": Who.IT,
    "they": Who.THEY,
    "unsaid": Who.UNSAID,
    "order": Who.ORDER,
    "anyone": Who.ANYONE,
    "which": Who.WHICH,
    "there": Who.THERE,
}
TENSES: Mapping[str, int] = {"present": Form.PRESENT, "past": Form.PAST, "order": Form.BARE}
MODALS: Mapping[str, int] = {
    "none": Form.PLAIN,
    "will": Form.WILL,
    "would": Form.WOULD,
    "must": Form.MUST,
    "can": Form.CAN,
    "may": Form.MAY,
}
ASPECTS: Mapping[str, int] = {"simple": Form.SIMPLE, "perfect": Form.PERFECT, "progressive": Form.PROGRESSIVE}
AFTER: Mapping[str, int] = {
    "noun": After.NOUN,
    "preposition": After.PREPOSITION,
    "adjective": After.ADJECTIVE,
    "to": After.TO,
    "ing": After.ING,
    "preposition-ing": After.PREPOSITION_ING,
    "clause": After.CLAUSE,
    "nothing": After.NOTHING,
}
FORMS: Mapping[str, int] = {
    **TENSES,
    **{name: bit for name, bit in MODALS.items() if name != "none"},
    "perfect": Form.PERFECT,
    "progressive": Form.PROGRESSIVE,
    "passive": Form.PASSIVE,
}


def bits_of(names: Mapping[str, int], chosen: Iterable[str]) -> int:
    """Return the bits of these names together."""
    return sum(names[each] for each in chosen)


def named_bits(names: Mapping[str, int], bits: int) -> str:
    """Return the names of the bits that are set."""
    return " ".join(name for name, bit in names.items() if bits & bit)
