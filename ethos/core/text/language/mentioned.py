"""Mentioned: what the sentences of a turn name and speak of, as `core.text.language.mentions` reads them."""

from __future__ import annotations

from typing import NamedTuple

from ethos.core.text.language.accounts import Accounts
from ethos.core.text.language.ending import NO_ENDING, Ending
from ethos.core.text.language.stations import Ended


class Mention(NamedTuple):
    """A phrase of a turn that is specific, or given up. start, end: its span in the text; words: folded."""

    words: str
    start: int
    end: int
    sentence: int
    segment: int  # of its sentence: segments end at marks and conjunctions
    supposed: bool  # in a question, or under "if" or "would"
    linked: bool  # something ties it to what stands before: a copula, a preposition, a verb
    taken_up: bool  # by a word that often brings in what takes a place
    governed: bool  # by a verb or a preposition, or a word that links: more than a comma stands before it
    specific: bool  # it names something, by itself
    measured: bool  # it has a number, a day or a month
    head: str = ""  # the noun behind it, which it only describes: "keys" of "the Redis keys"
    owner: str = ""  # the noun of whose it is: "neighbour" of "my neighbour's dog"
    phrase: str = ""  # all nouns that it is the end of: "bug bounty" of "the bug bounty"
    ending: Ending = NO_ENDING

    @property
    def given_up(self) -> bool:
        """Return whether it is given up."""
        return self.ending.given_up


class Thing(NamedTuple):
    """A noun phrase of a sentence: the stems of its nouns and of what tells it apart, "front", "door" and "code" of "the front door code".

    heads: those that head it; own: it is the speaker's own, by "my" or "our".
    """

    words: frozenset[str]
    heads: frozenset[str]
    own: bool


class Spoken(NamedTuple):
    """What a sentence speaks of.

    nouns: as they stand, in the singular and in the plural; stems: of all its words; heads: of nouns that head a phrase, and of verbs.
    """

    nouns: frozenset[str]
    stems: frozenset[str]
    heads: frozenset[str]
    things: tuple[Thing, ...] = ()

    def joined(self, other: Spoken) -> Spoken:
        """Return what two sentences speak of."""
        return Spoken(self.nouns | other.nouns, self.stems | other.stems, self.heads | other.heads, self.things + other.things)


NOTHING = Spoken(frozenset(), frozenset(), frozenset())


class TurnMentions(NamedTuple):
    """What a turn mentions. spoken: of each sentence that gives something a value with a cue of change, or a measure; of others nothing.

    now: of each sentence, whether it has such a cue. ended: what it says has come to an end in somebody's life, with where it stands.
    accounts: how far it tells of accounts that differ. corrects: whether it puts right what was said before.
    """

    mentions: tuple[Mention, ...]
    spoken: tuple[Spoken, ...]
    now: tuple[bool, ...]
    ended: tuple[tuple[Ended, Mention], ...] = ()
    accounts: Accounts = Accounts.NONE
    corrects: bool = False
