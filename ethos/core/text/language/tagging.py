"""Tagging: the words of a sentence and what each is, by word lists, endings, and the words around.

After the transformation-based taggers (Brill 1995): each word has its possible tags from a lexicon, the likeliest first, and rules over
the neighbours choose. Deviation: one pass from left to right, and a choice depends on the tag before, the possible tags behind and
whether the clause has its verb, so that it is a lookup after the first time. Capitals play no part.

A tag is one character, so that phrases and clauses are regular expressions over the tags of a sentence:

    i w y h t  I, we, you, he or they, it or this     P p  other pronouns: someone, me     E  there (is)
    D m u      determiner, my or our, your or their   N  noun   K  code   #  number        '  possessive
    A R X      adjective, adverb, not or never        I T  preposition, to                 , ;  comma, other mark
    V z d n g  verb: base, -s, past, participle, -ing  O  modal   B b  be: finite, not     H Y  have, do
    C S W U    and or but, because or if, who or what, interjection
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain
from typing import NamedTuple

from ethos.core.text.language.lexicon import lines_of, word_class
from ethos.core.text.language.retagging import retagged
from ethos.core.text.language.transducer import Transducer
from ethos.core.text.memoize import ChunkCache, cached_by_word

NAMES: Mapping[str, str] = {
    **dict.fromkeys("iwyht", "pronoun"), "P": "pronoun", "p": "pronoun", "E": "there is",
    "D": "determiner", "m": "my or our", "u": "possessive", "N": "noun", "K": "code", "#": "number", "'": "possessive mark",
    "A": "adjective", "R": "adverb", "X": "negation", "I": "preposition", "T": "to", ",": "comma", ";": "mark",
    "V": "verb", "z": "verb in -s", "d": "past verb", "n": "participle", "g": "verb in -ing",
    "O": "modal", "B": "form of be", "b": "form of be", "H": "form of have", "Y": "form of do",
    "C": "conjunction", "S": "subordinator", "W": "question word", "U": "interjection",
}  # fmt: skip
_ADJECTIVE = re.compile(r"\w*(?:ful|less|ous|able|ible|ish|ive|ical|-free|-based|-friendly|-time)\Z")
# A plain word comes first, which most are; what may be two words in one ("don't", "im", "hes") is none.
_TOKEN = re.compile(
    r"(?:dr|mr|mrs|ms|prof|st)\.(?!\w)"
    r"|(?!(?:s?he|that|what|who|t?here|where)s\b|(?:you|they)(?:re|ve)\b|weve\b|cannot\b)[a-hj-z][a-z]*+(?<!nt)(?=[ ,]|[.!?](?!\w)|\Z)"
    r"|(?:do|does|did|is|are|was|were|have|has|had|would|could|should|must|need|ca|wo|ai)(?=n'?t\b)|(?<=\w)n'?t\b|can(?=not\b)"
    r"|i(?=(?:m|ve)\b)|(?<=\bi)(?:m|ve)\b|'(?:s|m|re|ve|d|ll)\b"
    r"|w/o?(?=\s|\Z)"
    r"|\b(?:s?he|that|what|who|t?here|where)(?=s\b)|(?:(?<=\b[hstw]he)|(?<=\b[tw]here)|(?<=\bhere)|(?<=\bthat)|(?<=\bwhat)|(?<=\bwho))s\b"
    r"|\b(?:you|they)(?=(?:re|ve)\b)|(?:(?<=\byou)|(?<=\bthey))(?:re|ve)\b|\bwe(?=ve\b)|(?<=\bwe)ve\b"
    r"|(?:[$€£#@]|(?<!\S)/)?[^\W_](?:[^\W_]|[-.,:/_+#@&](?=\w)|'(?!(?:s|m|re|ve|d|ll|t)\b)(?=\w))*[%+#°]*|[^\w\s]|_"
)
_NUMBER = re.compile(r"[$€£#]?\d[\d.,:]*(?:%|[a-z]{1,3})?\Z")
_CODE = re.compile(r"/\w.*|[a-z].*[./_#:\\@].*\w|.*\u02d1|.*\d.*[a-z]\w*\d|[#@][a-z].*\w")


class Tagged(NamedTuple):
    """The words of a folded sentence, and one tag each."""

    sentence: str
    words: list[str]
    tags: str
    places: tuple[tuple[int, int], ...] = ()  # of words that are not in the order of the sentence

    def in_order(self, order: Sequence[int]) -> Tagged:
        """Return the words in another order, each with its place in the sentence; words may be left out."""
        spans = self.spans()
        return Tagged(
            self.sentence,
            [self.words[at] for at in order],
            "".join(self.tags[at] for at in order),
            tuple(spans[at] for at in order),
        )

    def spans(self) -> list[tuple[int, int]]:
        """Return the offsets of the words in the sentence."""
        if self.places:
            return [*self.places]
        found: list[tuple[int, int]] = []
        end = 0
        for word in self.words:
            start = self.sentence.index(word, end)
            end = start + len(word)
            found.append((start, end))
        return found


@cache
def _lexicon() -> Mapping[str, str]:
    """Return the possible tags of words, the likeliest first; of verbs, adjectives and nouns those of the base form."""
    known, kind = dict[str, str](), ""
    for line in (*lines_of("lemmas"), *lines_of("verbs")):
        if line.endswith(":"):
            kind = "".join({"n": "N", "v": "V", "a": "A", "r": "R"}[each] for each in line[:-1])
        else:
            known |= dict.fromkeys(line.split(), kind)
    return known


@cache
def _closed() -> Mapping[str, str]:
    counting = word_class("number") | word_class("larger-number")
    tens = [word for word in counting if word.endswith("ty")]
    closed = dict.fromkeys((*counting, *(f"{ten}-{one}" for ten in tens for one in counting | {"one"})), "#")
    tags = ""
    for line in lines_of("closed"):
        named, colon, words = line.partition(": ")
        tags = named if colon else tags
        closed |= dict.fromkeys((words if colon else line).split(), tags)
    return closed


@cache
def _irregular() -> Mapping[str, tuple[str, str]]:
    """Return the base and the tags of irregular forms."""
    forms: dict[str, tuple[str, str]] = {}
    for line in lines_of("irregular"):
        base, past, participle = line.split()
        for tag, spelled in (("d", past), ("n", participle)):
            for form in spelled.split("/"):
                held = forms.get(form, (base, ""))
                forms[form] = (held[0], held[1] + tag if tag not in held[1] else held[1])
    return forms


def _is_verb(word: str) -> bool:
    return "V" in _lexicon().get(word, "") or word in _irregular_bases()


def may_be_base_form(word: str) -> bool:
    """Return whether a word may be a verb in its base form and no past one: "log", but not "put". word: in lower case."""
    may_be = possible_tags(word)
    return "V" in may_be and "d" not in may_be


def in_lexicon(word: str) -> bool:
    """Return whether the lists of the tagger have a word in lower case."""
    return word in _closed() or word in _lexicon() or word in _irregular() or word in _irregular_bases()


@cache
def _irregular_bases() -> frozenset[str]:
    return frozenset(base for base, _ in _irregular().values())


@cached_by_word
def verb_of(word: str) -> str:
    """Return the base form of a verb in any form ("knitted", "knits" -> "knit"); the word itself if it is no form of a known verb."""
    if word in _AUXILIARIES:
        return _AUXILIARIES[word]
    if word in _irregular():
        return _irregular()[word][0]
    return next((base for base in verb_stems(word) if _is_verb(base)), word)


_AUXILIARIES: Mapping[str, str] = {
    **dict.fromkeys(("am", "is", "are", "was", "were", "be", "been", "being", "'m", "'re", "'s", "m", "re", "s"), "be"),
    **dict.fromkeys(("have", "has", "had", "having", "'ve", "ve"), "have"),
    **dict.fromkeys(("do", "does", "did", "doing", "done"), "do"),
}
PAST_AUXILIARIES = frozenset({"was", "were", "had", "did"})


def verb_stems(word: str) -> list[str]:
    """Return what the base form of a regular form may be, the likeliest first."""
    if _is_verb(word):
        return [word]
    if word.endswith(("ies", "ied")):
        return [word[:-3] + "y", word[:-1]]
    if word.endswith("s") and not word.endswith("ss"):
        return [word[:-1], word[:-2]] if word.endswith("es") else [word[:-1]]
    if word.endswith("ed") and len(word) > 3:
        doubled = [word[:-3]] if len(word) > 5 and word[-3] == word[-4] else []
        return [word[:-1], word[:-2], *doubled] if not doubled else [word[:-2], *doubled, word[:-1]]
    if word.endswith("ing") and len(word) > 4:
        doubled = [word[:-4]] if len(word) > 6 and word[-4] == word[-5] else []
        return [word[:-3] + "e", word[:-3], *doubled, word[:-4] + "ie"]
    return [word]


def forms_of(base: str) -> frozenset[str]:
    """Return the forms of a verb: "love" -> love, loves, loved, loving."""
    if base in ("be", "have", "do"):
        return frozenset({form for form, of in _AUXILIARIES.items() if of == base})
    ending = base[:-1] if base.endswith("e") and not base.endswith("ee") else base
    third = base[:-1] + "ies" if base.endswith("y") and base[-2:-1] not in "aeiou" else None
    past = base[:-1] + "ied" if third else ending + "ed"
    forms = {base, third or base + "s", base + "es", past, ending + "ing", base + base[-1:] + "ed", base + base[-1:] + "ing", base + "ing"}
    forms |= {form for form, (of, _) in _irregular().items() if of == base}
    if base.endswith("ie"):
        forms.add(base[:-2] + "ying")
    return frozenset(form for form in forms if form == base or verb_of(form) == base)


@cache
def forms_in(name: str) -> frozenset[str]:
    """Return the forms of the verbs of a word class."""
    return frozenset(form for verb in word_class(name) for form in forms_of(verb))


@cached_by_word
def possible_tags(word: str) -> str:
    """Return the tags that a word in lower case may have, the likeliest first."""
    first = word[0]
    if (closed := _closed().get(word)) is not None:
        return closed
    if not first.isalnum() and len(word) == 1:
        return "," if word == "," else ";"
    if _NUMBER.match(word):
        return "#"
    if _CODE.match(word):
        return "K"
    return _open_tags(word)


def _open_tags(word: str) -> str:
    """Return the possible tags of a noun, verb, adjective or adverb."""
    lexicon = _lexicon()
    tags = lexicon.get(word, "")
    if word in _irregular():
        forms = _irregular()[word][1]
        tags = forms + tags.replace("V", "" if tags != "V" and word not in ("read", "put", "set", "cut", "run", "come") else "V")
        return "".join(dict.fromkeys(tags))
    if tags and not (word.endswith(("ed", "ing")) and "V" not in tags):
        return tags
    stem = next((base for base in verb_stems(word) if base != word and base in lexicon), "")
    kinds = lexicon.get(stem, "")
    if word.endswith("ly") and len(word) > 4 and not tags:
        return "R" if _tells_manner(word) else "N"
    if word.endswith("ed") and len(word) > 3:
        return "dn" + tags.replace("V", "") if "V" in kinds or not tags else tags
    if word.endswith("ing") and len(word) > 4:
        return "g" + tags.replace("V", "") if "V" in kinds or not tags else tags
    if word.endswith("s") and kinds:
        return "".join({"N": "N", "V": "z"}.get(each, "") for each in kinds) or "N"
    if not tags and _ADJECTIVE.match(word):
        return "A"
    return tags or "N"


def _tells_manner(word: str) -> bool:
    """Return whether a word in "-ly" comes of an adjective ("happily"), or ends as one of an unknown does. Names do not: "Calendly"."""
    stem = word[:-2]
    bases = (stem, *(f"{stem}{end}" for end in ("e", "le", "l")), f"{stem.removesuffix('i')}y", stem.removesuffix("al"))
    known = any("A" in _lexicon().get(base, "") or base in _closed() for base in bases) or _open_tags(stem)[0] in "dgnA"
    return known or stem.endswith(("al", "ous", "ive", "able", "ib", "ent", "ant", "ic", "ful", "less", "name", "part", "purpose", "whol"))


words_of = _TOKEN.findall  # the words of a folded text


class Tagger:
    """Tags sentences; one for a process (`tag`)."""

    def __init__(self) -> None:
        self._words = ChunkCache(lambda chunk: tuple(words_of(chunk)))
        self._possible = ChunkCache(lambda chunk: tuple(map(possible_tags, words_of(chunk))))
        self._chosen = Transducer(choose).tags_of

    def tag(self, sentence: str) -> Tagged:
        """Return the words of a folded sentence and their tags."""
        chunks = sentence.split()
        words = list(chain.from_iterable(map(self._words.__getitem__, chunks)))
        possible = list(chain.from_iterable(map(self._possible.__getitem__, chunks)))
        return Tagged(sentence, words, retagged(words, possible, self._chosen(possible)))


_NOMINAL, _STARTS = frozenset("NAK#g"), frozenset(";,CSU")


def choose(tags: str, before: str, back: str, behind: str, verb: bool) -> str:  # noqa: PLR0912 (a table of words)
    """Return the tag of a word that may have several.

    tags: the possible ones, the likeliest first. before: the tag in front; back: the same, adverbs passed over. behind: the possible tags
    of the next word. verb: whether the clause has its verb already.
    """
    nominal = bool(_NOMINAL & set(behind[:2])) and behind[0] not in "VzdB"
    match tags:
        case "tSWD":
            if before in "NK#":
                return "W"
            if behind[0] in "iwyhtmuDPE":
                return "S"
            return "D" if nominal and back not in "NK" and behind[0] in "NA" else "t"
        case "tD":
            return "D" if nominal else "t"
        case "up":
            return "u" if nominal else "p"
        case "DU":
            return "D" if nominal else "U"
        case "B'H":
            if behind[0] == "b":  # "it's been"
                return "H"
            if before in "ithEWPyDU":
                return "H" if (behind[0] == "n" and behind != "nd") or (behind == "dn" and before != "t") else "B"
            if behind[0] in "DgXITRmu#" or behind in ("n", "dn", "nd"):
                return "B"
            return "'"
        case "BN":
            return "N" if before == "#" else "B"
        case "nd":
            return "n" if back in "BbH" or (verb and before in "NK") else "d"
        case "OH":
            return "H" if behind[0] in "nd" and "V" not in behind else "O"
        case "';":
            return "'" if before == "N" and nominal else ";"
        case "ON":
            return "N" if before in "ID" else "O"
        case "IS":
            return "S" if behind[0] in "iwyhtE" else "I"
        case "RI":
            noun = behind[0] in "DmuNAK#gPpthiwy" or behind == "ON" or (behind[0] in "Vz" and "N" in behind and before in ";,CSUN#K")
            return "I" if noun else "R"
        case "IV":
            return "V" if back in "iwyhOYTP" and before not in "Bb" else "I"
        case "ISR":
            return "I" if behind[0] in "DmuNK#" else "R" if behind[0] in "AR" else "S"
        case "RS":
            return "S" if behind[0] in "iwhytmuDE" and before != ";" else "R"
        case "ER":
            return "E" if behind[0] in "BO" and before not in "IVzdng" else "R"
        case "AR":
            return "A" if back == "B" and behind[0] in ",;C" else "R"
        case "RA":
            owned = before in ("D", "m", "u") and "N" in behind  # "the nightly build"
            return "A" if nominal or owned or back == "B" else "R"
    return _choose_open(tags, before, back, behind, verb=verb, nominal=nominal)


def _choose_open(tags: str, before: str, back: str, behind: str, *, verb: bool, nominal: bool) -> str:  # noqa: PLR0912
    """Return the tag of a noun, verb, adjective or adverb that may be several of them."""
    first = tags[0]
    if back in "TOY" and "V" in tags and before != "'":
        return "V"
    if before in "Dmu'#":
        if nominal:
            return "A" if "A" in tags and first != "N" else "N" if "N" in tags else "A"
        return "N" if "N" in tags or tags[0] in "gzV" else "A"
    if back in "iwyhP" or (back == "W" and before == back):
        for each in "dzV" if back != "h" else "dVz":
            if each in tags:
                return each
    if back in "tE":
        for each in "zd":
            if each in tags:
                return each
    if back == "H" and "n" in tags:
        return "n"
    if back in "Bb":
        for each in "gnAN" if first != "A" else "AgnN":
            if each in tags:
                return each
    if before == "A":
        if "N" in tags:
            return "N"
        if "d" in tags and not verb:
            return "d"
    if before == "I":
        for each in "gNA":
            if each in tags and not (each == "N" and "A" in tags and nominal):
                return each
        return "A" if "n" in tags else first
    if back in _STARTS:
        if back == "C" and ("z" in tags or "d" in tags) and (behind[0] in "DmuITRA#Kp" or (first == "z" and behind[0] in "Ng")):
            return "d" if "d" in tags else "z"
        if "V" in tags and (first == "V" or behind[0] in "DmuPptKT#") and behind[0] != "B":
            return "V"
        for each in ("d", "g"):
            if each in tags and not (nominal and "A" in tags) and not (each == "g" and behind[0] in "BOH"):
                return each
        if first == "n" and "R" in behind[:2]:
            return "n"  # "given up squash"
        if "A" in tags and nominal:
            return "A"
        return "N" if "N" in tags else first
    if back in "NK#PA":
        if not verb:
            if "z" in tags and (first == "z" or behind[0] in "DmuITRA#KgNXn;,tSp"):
                return "z"
            if "d" in tags:
                return "d"
            if "V" in tags and first == "V" and behind[0] in "DmuITRA#":
                return "V"
        else:
            if "d" in tags:
                return "n" if behind[0] in "IT;,R" and "n" in tags else "d"
            if "g" in tags:
                return "g"
        if "N" in tags:
            return "N"
    if back in "VzdngH":
        if "A" in tags and nominal and first == "A":
            return "A"
        if "N" in tags:
            return "N"
        if "n" in tags:
            return "A" if nominal or "A" in tags else "n"
    if "A" in tags and nominal:
        return "A"
    return first


_MOST_SENTENCES = 1_000  # remembered: the readers of clauses, mentions and facts ask for the same ones, within a unit of episodes
tag = ChunkCache(Tagger().tag, _MOST_SENTENCES, longest=1_000).__getitem__  # the words of a folded sentence and their tags
