"""Pronouns: change a speaker's words to the third person. "I lost my job", said by Ada, becomes "Ada lost their job" (E-41).

Claims keep the original words; only the sentence that shows a fact is changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from ethos.core.text.language.inflection import third_person_form
from ethos.core.text.language.lexicon import pattern_of, word_class
from ethos.core.text.language.tagging import in_lexicon, may_be_base_form, possible_tags

AGENT = "agent"  # whom standing orders are told
TEAM = "team"  # whom "we" means

_ADVERBS = pattern_of("how-often", "ahead-of-verb")
_FIRST = re.compile(
    rf"""(?<![\w'\u2019.@/-])(?:
        (?P<who>I|i|we)(?:(?P<short>['\u2019](?:m|ve|d|ll|re))|(?P<adverb>(?:\ (?:{_ADVERBS}))*+)
            \ (?:(?P<denied>[a-z]{{2,6}}n['\u2019]t)|(?P<verb>[a-z]{{2,12}})\b))?
        |(?P<word>my|My|our|Our|me|us|myself|ourselves|(?<=of\ )(?:mine|ours))
    )(?![\w'\u2019-])""",
    re.VERBOSE,
)
_SECOND = re.compile(r"(?<![\w'\u2019.@/-])(?:yourself|your|you(?P<acts> [a-z]{2,14}\b)?)(?![\w'\u2019-])")
_ORDINAL = re.compile(rf"\b(?:{pattern_of('numbered')}|[A-Z]\w+) $")  # "type I", "World War I"
_SHORT = {"m": "am", "ve": "have", "re": "are", "d": "would", "ll": "will"}
_OF_ONE = {"am": "is", "do": "does", "have": "has", "are": "is", "were": "was", "dont": "does not", "havent": "has not"}
_DENIED = {"don't": ("does not", "do not"), "haven't": ("has not", "have not"), "aren't": ("is not", "are not")}  # of one, of several
_OF_THEM = {"am": "are", "was": "were"}
_THEM = {
    "i": "they", "we": "they", "me": "them", "us": "them", "my": "their", "our": "their",
    "mine": "theirs", "ours": "theirs", "myself": "themself", "ourselves": "themselves",
}  # fmt: skip
_OF_SEVERAL = _THEM | dict.fromkeys(("i", "me", "my", "mine", "myself"), "")  # which tells the two apart
# words that may be told otherwise or left out, once apostrophes part them
CHANGING = frozenset({*_THEM, "you", "your", "yourself", "am", "was", "have", "are", "were", "this", *_SHORT})
_ITSELF = {"you": "it", "your": "its", "yourself": "itself"}
_THIS = re.compile(r"this (?=[a-z][\w-]* [\w-])")


def third_person(words: str, subject: str, speaker: str) -> str:
    """Return what `speaker` said of `subject` in the third person. Between quotation marks every word stays.

    Of a thing, or of somebody else, only the speaker is named, once: "gives me hope in my work" becomes "gives Ada hope in their work".
    """
    owner, kin, _ = subject.partition("'s ")
    if subject == AGENT:
        told = _outside_quotes(words, lambda part: _SECOND.sub(_itself, _from(part, _named("the user", "the team"))))
    elif subject not in (speaker, TEAM) and owner != speaker:
        return _outside_quotes(words, lambda part: _with_speaker_named(part, speaker)) if speaker else words
    else:
        told = _outside_quotes(words, lambda part: _from(part, _named(owner, "they") if kin else _THEM))
    return _THIS.sub(lambda m: _article(told[m.end() :]), told, count=1) if told.startswith("this ") else told


def is_in_first_person(words: str) -> bool:
    """Return whether words speak of one person who says them, without a name: "gives me an escape"."""
    return _outside_quotes(words, lambda part: _from(part, _THEM)) != _outside_quotes(words, lambda part: _from(part, _OF_SEVERAL))


def fronted(words: str) -> str:
    """Return words from the start of a sentence without their capital, if the first clearly has it for that: "Making art" -> "making art".

    It is a verb in "-ing", or a plain word with more plain words behind it: "Family time", "The mural", but "The Hobbit", "Music".
    """
    first, _, rest = words.partition(" ")
    if not first.istitle() or rest[:1].isupper():
        return words
    making = first.endswith("ing") and len(first) > 5 and first.lower() not in word_class("names-in-ing")
    plain = rest != "" and rest.islower() and in_lexicon(first.lower())
    return words[:1].lower() + words[1:] if making or plain else words


def named_once(words: str, subject: str, *, group: bool = False) -> str:
    """Return a whole clause in the third person, with the subject named where its speaker is first spoken of, unless it is "".

    group: it begins with "we", which stands for the subject.
    """
    words = _WE_FIRST.sub(_as_one, words) if group else words
    named = not subject

    def told(part: str) -> str:
        nonlocal named
        first = None if named else _FIRST.search(part)
        if first is None:
            return _from(part, _THEM)
        named = True
        one = {**_named(subject, "they"), "our": f"{subject}'s", "us": subject}
        return _from(part[: first.end()], one) + _from(part[first.end() :], _THEM)

    return _outside_quotes(words, told)


_WE_FIRST = re.compile(r"\A[Ww]e(?:['\u2019](?P<short>re|ve|ll|d))?(?: (?P<verb>are|were)\b)?")


def _as_one(we: re.Match[str]) -> str:
    """Return "we" as one person says it, with its verb."""
    if we["verb"]:
        return {"are": "I am", "were": "I was"}[we["verb"]]
    return {None: "I", "re": "I'm"}.get(we["short"], f"I'{we['short']}")


def _itself(match: re.Match[str]) -> str:
    """Return the words for the addressed agent: "the files you changed" become those "they changed", which needs no other verb form."""
    if not (acts := match["acts"]):
        return _ITSELF[match[0]]
    verb = acts.lstrip()
    return f"they{acts}" if verb.endswith("ed") or "V" in possible_tags(verb) or verb in word_class("asked-of-you") else f"it{acts}"


def _outside_quotes(words: str, told: Callable[[str], str]) -> str:
    """Change only the parts outside double quotation marks; inside is another person's wording, or a title."""
    if '"' not in words:
        return told(words)
    return '"'.join(part if i % 2 else told(part) for i, part in enumerate(words.split('"')))


def _named(one: str, several: str) -> Mapping[str, str]:
    """Return the replacement pronouns for a person with a name, and for that person's group."""
    them = {"we": "they", "us": "them", "our": "their", "ours": "theirs", "ourselves": "themselves"}
    if several != "they":
        them |= {"we": several, "us": several, "our": f"{several}'s", "ours": f"{several}'s"}
    return {"i": one, "me": one, "my": f"{one}'s", "mine": f"{one}'s", "myself": one} | them


def _from(part: str, words: Mapping[str, str]) -> str:
    def told(match: re.Match[str]) -> str:
        if match["word"]:
            return words[match["word"].lower()]
        who = match["who"]
        if who in "Ii" and _ORDINAL.search(part, 0, match.start()):
            return match[0]
        other = words[who.lower()]
        verb = _SHORT[match["short"][1:]] if match["short"] else match["verb"]
        if not verb and not match["denied"]:
            return other
        adverb = match["adverb"] or ""
        if match["denied"]:
            denied = match["denied"].replace("\u2019", "'")
            return f"{other}{adverb} {_DENIED[denied][other == 'they'] if denied in _DENIED else denied}"
        if other != "they" and who in "Ii" and may_be_base_form(verb):
            return f"{other}{adverb} {third_person_form(verb)}"
        return f"{other}{adverb} {(_OF_THEM if other == 'they' else _OF_ONE).get(verb, verb)}"

    return _FIRST.sub(told, part)


def _with_speaker_named(part: str, speaker: str) -> str:
    """Return a part with the speaker named where he is spoken of first. What is "ours" stays so: nobody has said whose."""
    first = _FIRST.search(part)
    while first is not None and (first["who"] or first["word"]).lower() in _OURS:
        first = _FIRST.search(part, first.end())
    if first is None:
        return part
    ours = {word: word for word in _OURS}
    return _from(part[: first.end()], {**_named(speaker, "they"), **ours}) + _from(part[first.end() :], {**_THEM, **ours})


_OURS = frozenset({"we", "us", "our", "ours", "ourselves"})


def _article(noun: str) -> str:
    """Replace "this" by an article: "this odd book" becomes "an odd book"."""
    vowel = noun[:1] in "aeiou" and not noun.startswith(_SOUNDED)
    return "an " if vowel or noun.startswith(("hour", "honest", "heir")) else "a "


_SOUNDED = ("unit", "univ", "unif", "uniq", "union", "use", "eu", "one")  # they begin with a consonant when spoken
