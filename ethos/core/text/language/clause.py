"""A clause: its kinds of subjects, its forms, what stands behind its verb, and its places in a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


class Who:
    """Kinds of subjects: bits, and plain numbers, because flags of `enum` take longer than all the rest of a clause."""

    I: Final = 1  # noqa: E741 (the word)
    WE: Final = 2
    YOU: Final = 4
    KIN: Final = 8  # "my sister", and "my friend Noor"
    MINE: Final = 16  # "my rate", "our clay"
    THING: Final = 32  # any other noun phrase
    IT: Final = 64
    THEY: Final = 128
    UNSAID: Final = 256  # "just finished a book"
    ORDER: Final = 512  # "write a toast"
    ANYONE: Final = 1024  # "someone", "it all"
    WHICH: Final = 2048  # the clause tells of what stands before "who" or "which"
    THERE: Final = 4096


class Form:
    """The form of a verb group. Exactly one tense, exactly one modal (or none), any of the rest."""

    PRESENT: Final = 1
    PAST: Final = 2
    BARE: Final = 4
    WILL: Final = 8
    WOULD: Final = 16
    MUST: Final = 32
    CAN: Final = 64
    MAY: Final = 128
    PLAIN: Final = 256  # no modal
    PERFECT: Final = 512
    PROGRESSIVE: Final = 1024
    PASSIVE: Final = 2048
    NEGATED: Final = 4096
    SIMPLE: Final = 8192  # neither perfect nor progressive


STATED: Final = Form.PRESENT | Form.PLAIN | Form.SIMPLE  # "is", as what stands without a verb is told


class After:
    """What begins behind the verb."""

    NOUN: Final = 1
    PREPOSITION: Final = 2  # and a noun phrase
    ADJECTIVE: Final = 4
    TO: Final = 8  # and a verb
    ING: Final = 16
    PREPOSITION_ING: Final = 32
    CLAUSE: Final = 64
    NOTHING: Final = 128


@dataclass(slots=True)
class Clause:
    """A clause. Places are numbers of words; `subject` and `object` are half-open spans, empty where nothing is said."""

    who: int  # of `Who`
    form: int  # of `Form`
    verb: str  # the base form of its main verb
    subject: tuple[int, int]
    start: int  # of its first word
    group: int  # the first word of its verb group
    head: int  # the main verb
    object: tuple[int, int]  # what stands behind the verb, up to the end of the clause
    opener: str = ""  # the word that introduces it: "because", "if", "who", "and"; "" if none does
    question: bool = False  # its verb stands before its subject, or a question word opens it
    relative: bool = False  # it belongs to a noun before it
    after: int = 0  # of `After`, once `reach` has looked for it
    occasion: tuple[int, int] = (0, 0)  # of an order: what says when it holds, "when I send a photo"
