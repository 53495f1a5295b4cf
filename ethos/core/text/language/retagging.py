"""Retagging: a second look at the verbs of a sentence, when all of its tags are known.

The tagger chooses from left to right and sees one word ahead. What it cannot see is that a verb comes later: a clause has one finite verb,
so in "the lead for payments is Deepa" and "reverse proxy is nginx" the first of the two is a noun. Where a clause has none, a word behind
a plural that may be a verb is it: "tests in this project use pytest".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ethos.core.text.language.dates import CALENDAR, MONTHS
from ethos.core.text.language.interruptions import NOUN
from ethos.core.text.language.lexicon import word_class

_PHRASE = r"(?:[Dmu]*+[A#NKgn']++)"
_BEHIND = rf"(?:R?I{_PHRASE})"  # "for the app"
_BEGIN = r"(?:(?<=\A.)|(?<=[;,CSU].))"
# Each begins with the tag itself, which a search finds fast.
_TWO_VERBS = re.compile(
    rf"[Vzg](?:(?<![iwyhPtTWOYXRHpb].)(?=(?:{_BEHIND})*+R?[BO])(?P<finite>)"
    rf"|(?<=V){_BEGIN}(?=[A#NK']*+(?<=[NK]){_BEHIND}*+R?[BO]|z[DmuITRA#]|R?H[nDmu#]|R?[dn][Dmup#])(?P<first>)"
    r"|(?<=[DmuA][Vz])(?=R?[zBOHYd])(?P<owned>)|(?<=BV)(?=[;,I]|\Z)(?P<told>)"
    rf"|(?<=z){_BEGIN}(?=R?[VHY])(?P<many>))"
)
_BY_A_NOUN = re.compile(r"(?:(?<=\AN)|(?<=[;,CSU]N))n(?=[Dmup#])")  # "finance trimmed our budget"
_VERBLESS = re.compile(r"[CSUR;,]*+[Dmu#Ag]*N[^;,CSWUVzdBHYOiwyhtPEX]++(?=[;,CSU]|\Z)")
_UNSAID = re.compile(r"A(?=[A#NK]++[^;,CSWUVzdBHYO]*+(?:[;,CSU]|\Z))")  # "raised the limit to 40", "raised beds"
_NEXT: Final = "DmuA#NKIRTgpn"  # what stands behind a verb
_ITS = re.compile(r"u(?=[DXIW]|R[DAI#]|#(?![NAgK])|[nAd](?=[NK]))|(?:\A|(?<=[;,CSU]))u(?=[^;,CSVzdBHYO]*+(?:\Z|[;,CS]))")


_SHORTENED = re.compile(r"(?<=[N#])'(?=(?P<state>[An][IT,;])?[^;,CSWVzdBHYO']*+(?:\Z|[;,CSW]))")  # "the van's parked at mine"
_RESUMED = re.compile(rf"(?:\A|(?<=[;CSU])){NOUN},[^,;]++,(?=N[DmuAI#KN])")  # "my car, a Panda, needs a clutch"
_DONE_TO = re.compile(r"B(?=n[pmDu])")  # "art's taught me", where "'s" is "has"
_NO_VERB = re.compile(  # before a verb, or behind an article, is a noun: "recycling goes out", "Lightspeed is", "the till we use"
    r"(?:(?<=\A)|(?<=[;,CSU]))[gdn](?=R?(?:[zBO](?![iwyhtE])|H[Dmu]))|(?<=[Dm])[SV](?=[iwyhIVzdBO,;])"
    r"|(?<=[VzHdIDm]#)z"  # "we have two canoes"
)
_AGREEING = re.compile(r"(?:\A|(?<=[;,SUIHz]))[Dm]A*N(?P<verb>V)(?P<rest>[^;,CSW]*)")
_PLURAL_BEHIND = re.compile(r"(?<=[Vzdn])D(?=[A#N]*N)")
_ANYTHING = re.compile(r"(?<=P)N(?=[zBOHVYd])")  # "anything public goes through review"
_PART_OF = re.compile(r"D(?=I[mDu])")  # "neither of my kids"
_TIMES_OVER = frozenset({"once", "twice"})
_GET = frozenset({"get", "gets", "got"})
_PARTICIPLE = re.compile(r"R*(?:[nA](?=[ITR#;,C]|\Z)|N(?=[IT]))")


def retagged(words: list[str], possible: Sequence[str], tags: str) -> str:
    """Return the tags of the words of a sentence, with one finite verb for a clause. possible: the tags that each of them may have.

    "its" for "it's" becomes two words.
    """
    if _NO_VERB.search(tags) is not None:
        tags = _NO_VERB.sub(lambda found: _noun_there(found, words), tags)
    if "NV" in tags:
        tags = _in_agreement(words, possible, tags)
    tags = _by_word(words, possible, _no_longer(words, possible, tags) if "longer" in words else tags)
    if _TWO_VERBS.search(tags) is not None:
        tags = _TWO_VERBS.sub(lambda found: _noun(found, words, possible), tags)
        tags = _BY_A_NOUN.sub(lambda found: "d" if "d" in possible[found.start()] else "n", tags)
    tags = _with_one_verb(words, possible, tags)
    if (resumed := _RESUMED.search(tags)) is not None and "z" in possible[resumed.end()]:
        tags = f"{tags[: resumed.end()]}z{tags[resumed.end() + 1 :]}"
    if "having" in words:
        tags = "".join("g" if word == "having" and tags[at + 1 : at + 2] not in "nb" else tags[at] for at, word in enumerate(words))
    if "'" in tags:
        tags = _SHORTENED.sub(lambda found: "B" if found["state"] or words[found.start() - 1] == "one" else "'", tags)
    if "'s" in words and _DONE_TO.search(tags) is not None:
        tags = _DONE_TO.sub(lambda found: "H" if _has_done(words, found.start()) else "B", tags)
    if not _TIMES_OVER.isdisjoint(words):
        tags = _with_times_over(words, tags)
    if not _GET.isdisjoint(words):
        tags = _with_helper(words, possible, tags)
    if "its" in words:
        tags = _opened(words, possible, tags)
    return tags


def _with_one_verb(words: Sequence[str], possible: Sequence[str], tags: str) -> str:
    """Return the tags with a verb in the first clause, where it seems to have none, or begins with one that is a noun."""
    if _UNSAID.match(tags) is not None and "d" in possible[0]:
        return f"d{tags[1:]}"
    if _COMPOUND.match(tags) is not None:
        return _with_compound(words, possible, tags)
    if (clause := _VERBLESS.match(tags)) is not None:
        return _with_verb(words, possible, tags, *clause.span())
    return tags


def _by_word(words: Sequence[str], possible: Sequence[str], tags: str) -> str:
    """Return the tags with those of a few words mended that are something else beside others."""
    if not _TOLD_BY_NEXT.isdisjoint(words):
        tags = _by_word_behind(words, tags)
    if "left" in words:  # "Ivo left Lidl"
        tags = _LEFT.sub(lambda found: "d" if words[found.start()] == "left" else found.group(), tags)
    if "that" in words:
        tags = _PLURAL_BEHIND.sub(lambda found: "S" if _opens_clause(words, found.start()) else "D", tags)
    if "P" in tags:
        tags = _ANYTHING.sub(lambda found: "A" if "A" in possible[found.start()] else "N", tags)
    if "from" in words:
        tags = _onwards(words, possible, tags)
    if len(words) > 2 and words[0] in _ALWAYS and "V" in possible[1]:
        tags = _always_ordered(possible, tags)
    if "RV" in tags:
        tags = _GIVEN_UP.sub("N", tags)
    if "zn" in tags:
        tags = _DOERS.sub(lambda found: _several(found.start(), words, possible), tags)
    if "gN" in tags:
        tags = _DEED.sub(lambda found: "Nz" if _is_lasting(words[found.end() - 1], possible[found.end() - 1]) else found.group(), tags)
    if "to" in words:
        tags = _BY_GOING.sub(lambda found: _destination(found, words), tags)
    if "of" in words:
        tags = _PART_OF.sub(lambda found: "N" if words[found.start() + 1] == "of" else "D", tags)
    return tags


_TOLD_BY_NEXT = frozenset({"home", "right", "gonna"})  # words whose tag, or that of the word before them, hangs on the next


def _by_word_behind(words: Sequence[str], tags: str) -> str:
    """Return the tags, those mended that hang on the next word: "home is Ghent", "right now", and "is gonna be", which is one verb."""
    told = ""
    for word, after, kind, tag in zip(words, [*words[1:], ""], [*tags[1:], ""], tags, strict=True):
        if word == "home" and kind in ("B", "N"):
            told += "N"
        else:
            told += "R" if (word == "right" and after in word_class("behind-right")) or (tag == "B" and after == "gonna") else tag
    return told


def _no_longer(words: Sequence[str], possible: Sequence[str], tags: str) -> str:
    """Return the tags with a denial and a verb where "no longer" stands behind a subject: "Stripe no longer supports Giropay"."""
    for at in range(1, len(words) - 2):
        if words[at] == "no" and words[at + 1] == "longer" and tags[at - 1] in "NKiwyhtP":
            verb = next((tag for tag in "zVBHO" if tag in possible[at + 2]), tags[at + 2])
            tags = f"{tags[:at]}XR{verb}{tags[at + 3 :]}"
    return tags


def _always_ordered(possible: Sequence[str], tags: str) -> str:
    """Return the tags of a sentence that "always" or the like begins, as those of an order: "always book window seats"."""
    nouns = _with_plurals(possible, tags, 2)
    return f"{tags[0]}V{nouns[2:]}" if _ORDERS.match(nouns, 1) is not None else tags


def _with_plurals(possible: Sequence[str], tags: str, first: int) -> str:
    """Return the tags with nouns for verbs in "-s" behind nouns, from a place on: an order has no other verb, "book aisle seats"."""
    plural = (kind == "z" and at >= first and "N" in possible[at] and tags[at - 1] in "NA#" for at, kind in enumerate(tags))
    return "".join("N" if each else kind for each, kind in zip(plural, tags, strict=True))


def _onwards(words: Sequence[str], possible: Sequence[str], tags: str) -> str:
    """Return the tags with adverbs for a time from which something is so that begins a sentence: "from May on the shop closes at 6".

    An order may follow: "from today write in Italian", "from now on round to four decimals".
    """
    low = words.index("from")
    if tags[:low].strip("RU,C") and tags[low - 1] not in ";,C":
        return _ordered_from(words, possible, tags, low)
    high = next((at for at in range(low + 1, len(words)) if not _is_time(words[at])), len(words))
    onwards = words[high : high + 1] == ["on"]
    if high == low + 1 or not (onwards or words[low + 1] in _TIMES):
        return tags
    high += onwards
    tags = f"{tags[:low]}{'R' * (high - low)}{tags[high:]}"
    orders = _ORDER.match(tags, high) is not None and "V" in possible[high]
    return f"{tags[:high]}V{tags[high + 1 :]}" if orders else tags


def _ordered_from(words: Sequence[str], possible: Sequence[str], tags: str, low: int) -> str:
    """Return the tags of a sentence with "from now on" behind what is so, or is to be done: "target Python 3.12 from now on"."""
    if words[low + 1 : low + 3] not in (["now", "on"], ["here", "on"], ["today", "on"]):
        return tags
    tags = f"{tags[:low]}RRR{tags[low + 3 :]}"
    first = len(tags[:low]) - len(tags[:low].lstrip("RU,C"))
    nouns = _with_plurals(possible, tags, first + 1)
    if tags[first] in "NA" and "V" in possible[first] and _NO_FINITE.fullmatch(nouns, first, low) is not None:
        tags = f"{nouns[:first]}V{nouns[first + 1 :]}"
    return tags


def _is_time(word: str) -> bool:
    return word in MONTHS or word in CALENDAR or word in _TIMES or word in word_class("times") or word[0].isdigit()


_LEFT = re.compile(r"(?:(?<=\A[NKh])|(?<=[;,CSDmu][NK]))[ANn](?=[NKDmu][^zdBHYO]*\Z)")
_GIVEN_UP = re.compile(r"(?<=[dn]R)V(?=[I,;R]|\Z)")  # "given up squash for good"
_DOERS = re.compile(r"z(?<=[NA].)n(?=[ITRDmu#])")  # "retail orders come in"
_DEED = re.compile(r"(?:(?<=\A)|(?<=[;,CS]))gN(?=[IT])")


def _several(place: int, words: Sequence[str], possible: Sequence[str]) -> str:
    """Return the tags of a plural and its verb: "retail orders come in by phone"."""
    return "NV" if "N" in possible[place] and "V" in possible[place + 1] and words[place].endswith("s") else "zn"


def _is_lasting(word: str, possible: str) -> bool:
    """Return whether a word behind a deed that opens a sentence is a verb that tells of it: "staging runs in Frankfurt"."""
    return "z" in possible and (word[:-1] in word_class("stative") or word[:-2] in word_class("stative"))


_ALWAYS = frozenset({"always", "never", "please", "kindly"})  # "always book window seats"
_ORDERS = re.compile(r"[NAV](?:[DmupT#]|A*N)[^zdBHYO;]*(?:\Z|;)")
_NO_FINITE = re.compile(r"[^VzdBHYO;]{2,}")
_ORDER = re.compile(r"[NA](?:[DmupT#]|[NK]+#)[^VzdBHYO]*\Z")  # with its object, where nothing else is a verb


def _destination(found: re.Match[str], words: Sequence[str]) -> str:
    """Return the tags of "to school" and the like behind a verb of going, where no verb is meant."""
    to = found.start("to")
    return f"{found.group()[:-1]}N" if words[to + 1] in word_class("destination") else found.group()


_BY_GOING = re.compile(r"[Vzdng]R?(?P<to>T)V(?=[IR;,CS]|\Z)")
_TIMES = frozenset({"now", "here", "then", "today", "tomorrow", "this", "next", "that", "point", "day"})


def _noun_there(found: re.Match[str], words: Sequence[str]) -> str:
    """Return the tag of a word that can be no verb where it stands, or no subordinator behind an article: "the till", "so much since"."""
    return found.group() if found.group() in "SV" and words[found.start() - 1] not in _ARTICLES else "N"


_ARTICLES = frozenset({"the", "a", "an", "my", "our"})


def _in_agreement(words: Sequence[str], possible: Sequence[str], tags: str) -> str:
    """Return the tags with a noun for a verb that does not agree with the noun before it: "my work permit expires", "a deploy freeze"."""
    for found in _AGREEING.finditer(tags):
        place = found.start("verb")
        noun = words[place - 1]
        agrees = noun.endswith("s") or noun in word_class("collective") or words[found.start()] in _PLURAL
        if agrees or "N" not in possible[place]:
            continue
        low, high = found.span("rest")
        later = next((at for at in range(low, high) if tags[at] in "zBHYOd" or "z" in possible[at]), high)
        if later < high and tags[later] == "N":
            tags = f"{tags[:later]}z{tags[later + 1 :]}"
        if later < high or low == high == len(tags):
            tags = f"{tags[:place]}N{tags[place + 1 :]}"
    return tags


_PLURAL = frozenset({"these", "those", "some", "any", "all", "both", "many", "few", "several", "most", "no", "that"})


def _has_done(words: Sequence[str], place: int) -> bool:
    """Return whether "'s" before a participle and its object stands for "has"; before a name it is "is": "it's called the Barn"."""
    return words[place] == "'s" and words[place + 1] not in word_class("naming-participle")


def _opens_clause(words: Sequence[str], place: int) -> bool:
    """Return whether "that" before a plural opens a clause: "we agreed that invoices are sent on Mondays"."""
    behind = words[place + 1]
    return words[place] == "that" and is_plural(behind)


def _noun(found: re.Match[str], words: Sequence[str], possible: Sequence[str]) -> str:
    place, tag = found.start(), found.group()
    may = possible[place]
    if words[place] in word_class("complemented") and found.lastgroup in ("first", "finite"):
        return tag
    begins = tag == "z" and found.lastgroup == "finite" and (not place or found.string[place - 1] in ";,CSU")
    if "N" in may or tag == "g" or begins or found.lastgroup in ("owned", "told", "many"):
        return "A" if may[0] == "A" and found.lastgroup == "first" else "N"
    return tag


def _with_verb(words: Sequence[str], possible: Sequence[str], tags: str, start: int, end: int) -> str:
    """Return the tags with a verb in the clause from start to end, which has none, if a plural stands before what may be one."""
    head = next((place for place in range(start, end) if tags[place] == "N" and tags[place + 1 : place + 2] not in ("N", "K")), end)
    for place in range(start + 1, end - 1):
        if "V" in possible[place] and tags[place] == "N" and tags[place - 1] in "NK" and tags[place + 1] in _NEXT:
            first = head if head < place else place - 1
            if is_plural(words[first]) and (head < place or tags[place + 1] not in "IRT" or possible[place][0] == "V"):
                return f"{tags[:place]}V{tags[place + 1 :]}"
    return tags


def is_plural(noun: str) -> bool:
    """Return whether a noun has the ending of a plural: "docs", but not "glass"."""
    return noun.endswith("s") and not noun.endswith("ss")


def _with_compound(words: Sequence[str], possible: Sequence[str], tags: str) -> str:
    """Return the tags with a noun for a verb that begins a clause, where a plural and its verb follow: "slide decks use Inter"."""
    if "N" in possible[0] and "V" in possible[2] and is_plural(words[1]) and not _takes_clause(words[0]):
        return f"NNV{tags[3:]}"
    return tags


def _takes_clause(verb: str) -> bool:
    return verb in word_class("complemented") or verb in _BARE


# Verbs before a noun and a bare infinitive: "help users find it".
_BARE = frozenset({"have", "hear", "help", "let", "make", "need", "see", "watch"})
_COMPOUND = re.compile(r"VN[NV][DmuKN#A][^;,CSWzdBHYO]*(?:\Z|[;,CS])")


def _with_helper(words: Sequence[str], possible: Sequence[str], tags: str) -> str:
    """Return the tags with "get" as a form of "be" where it makes a passive: "jobs get submitted"."""
    for place, word in enumerate(words):
        if word not in _GET or tags[place] not in "Vzd":
            continue
        found = _PARTICIPLE.match(tags, place + 1)
        last = found.end() - 1 if found is not None else place
        may = possible[last]
        is_done = found is not None and (tags[last] == "n" or words[last].endswith("ed") or may.startswith("dn"))
        if is_done or (found is not None and may == "nA" and tags[last + 1 : last + 2] == "I"):  # "got cut to 15k", "gets written in Rust"
            done = may[0] in "dn" and tags[place - 1 : place] not in tuple("iwyh")  # "I got engaged"
            tags = f"{tags[:place]}B{tags[place + 1 : last]}{'n' if done else tags[last]}{tags[last + 1 :]}"
    return tags


def _with_times_over(words: Sequence[str], tags: str) -> str:
    """Return the tags with "once" and "twice" as numbers where they say how often: "twice a day"."""
    often = (
        word in _TIMES_OVER and words[at + 1 : at + 2] == ["a"] and not word_class("duration").isdisjoint(words[at + 2 : at + 3])
        for at, word in enumerate(words)
    )
    return "".join("#" if each else kind for each, kind in zip(often, tags, strict=True))


def _opened(words: list[str], possible: Sequence[str], tags: str) -> str:
    """Return the tags with "its" as two words, "it" and "s", where it stands for "it's"; the list of words is changed with them."""
    for found in reversed(list(_ITS.finditer(tags))):
        place = found.start()
        if words[place] == "its":
            words[place : place + 1] = ["it", "s"]
            if possible[place + 1 : place + 2] == ["nd"]:  # "its called Wim"
                tags = f"{tags[: place + 1]}n{tags[place + 2 :]}"
            tags = f"{tags[:place]}tB{tags[place + 1 :]}"
    return tags
