"""Cut text into terms: folded words, irregular forms put back to their lemma, then stemmed.

Words are cut as SQLite's `unicode61` tokenizer cuts them (letters, digits and marks; accents folded), so that a term means the same
here and in the full-text index. Irregular forms are listed by hand; an experiment found them worth a point of recall, and a full
lemmatizer no more than that.
"""

from __future__ import annotations

from collections.abc import Iterable
from zlib import crc32

import regex

from ethos.core.recall.stemming import stem
from ethos.core.text.folding import normalized
from ethos.core.text.memoize import cached_by_word

TERM_BYTES = 4

STOP_WORDS = frozenset(
    """a about am an and are as at be been but by can could did do does for from had has have he her him his how i if in into is it its
    just like may me might more my no not of on or our she should so some than that the their them then there these they this those to
    up us was we were what when where which who whom whose why will with would you your""".split()  # noqa: SIM905 (read as words)
)
FRAGMENTS = frozenset({"s", "t", "m", "d", "re", "ll", "ve"})  # what an apostrophe leaves behind

_LEMMAS = """
    be: was were been; become: became; begin: began begun; bite: bit bitten; blow: blew blown; break: broke broken; bring: brought;
    build: built; buy: bought; catch: caught; child: children; choose: chose chosen; come: came; cry: cries cried; deal: dealt;
    die: died dies dying; do: did does done; draw: drew drawn; drink: drank drunk; drive: drove driven; dry: dried; eat: ate eaten;
    fall: fell fallen; feed: fed; feel: felt; fight: fought; find: found; fly: flew flies flown; foot: feet; forget: forgot forgotten;
    freeze: froze frozen; fry: fried fries; get: got gotten; give: gave given; go: goes gone went; goose: geese;
    grandchild: grandchildren; grow: grew grown; hang: hung; have: had has; hear: heard; hide: hid hidden; hold: held; keep: kept;
    knife: knives; know: knew known; lay: laid; lead: led; leaf: leaves; leave: left; lend: lent; lie: lied lying; life: lives;
    light: lit; lose: lost; make: made; man: men; mean: meant; meet: met; mouse: mice; overcome: overcame; pay: paid; person: people;
    pie: pies; ride: rode ridden; ring: rang rung; rise: rose risen; run: ran; say: said; see: saw seen; sell: sold; send: sent;
    shake: shook shaken; show: shown; sing: sang sung; sit: sat; sleep: slept; speak: spoke spoken; spend: spent; spin: spun;
    stand: stood; steal: stole stolen; stick: stuck; swim: swam swum; take: took taken; teach: taught; tear: tore torn; tell: told;
    think: thought; throw: threw thrown; tooth: teeth; try: tried tries; understand: understood; wake: woke woken; wear: wore worn;
    wife: wives; win: won; woman: women; write: wrote written
"""


def _inflections() -> dict[str, str]:
    pairs = (entry.split(":") for entry in _LEMMAS.split(";"))
    return {form: lemma.strip() for lemma, forms in pairs for form in forms.split()}


LEMMA_OF = _inflections()
_FORMS_OF: dict[str, list[str]] = {}
for _form, _lemma in LEMMA_OF.items():
    _FORMS_OF.setdefault(_lemma, []).append(_form)

# of an ASCII text, each byte in lower case, and a space for what is no letter or digit: cut so in a third of the time of a pattern
_ASCII_FOLDED = bytes(byte if bytes((byte,)).isalnum() else ord(" ") for byte in bytes(range(256)).lower())
_WORD = regex.compile(r"[\p{L}\p{N}\p{M}\p{Co}]+")
_ACCENTED = regex.compile(r"(\p{Latin})[\u0300-\u036f]+")


def folded(text: str) -> str:
    """Return the text in lower case and without the accents of Latin letters."""
    text = text.casefold()
    if text.isascii():
        return text
    return normalized("NFC", _ACCENTED.sub(r"\1", normalized("NFD", text)))


def words(text: str) -> list[str]:
    """Return the folded words of a text, in order."""
    if not text.isascii():
        text = folded(text)
    if text.isascii():
        return text.encode().translate(_ASCII_FOLDED).decode().split()
    found: list[str] = _WORD.findall(text)
    return found


@cached_by_word
def term_of(word: str) -> str:
    """Return the term that a folded word counts as."""
    return stem(LEMMA_OF.get(word, word))


def terms(text: str) -> dict[str, None]:
    """Return the terms of a text, each once, in order."""
    return dict.fromkeys(map(term_of, words(text)))


def forms_of(word: str) -> tuple[str, ...]:
    """Return the folded word, its lemma and the irregular forms of that lemma: all that a full-text index must be asked for."""
    lemma = LEMMA_OF.get(word, word)
    return tuple(dict.fromkeys((word, lemma, *_FORMS_OF.get(lemma, ()))))


@cached_by_word
def mark_of(term: str) -> bytes:
    """Return the four bytes that stand for a term in the index (CRC-32)."""
    return crc32(term.encode("utf-8", "surrogatepass")).to_bytes(TERM_BYTES, "little")


def marks_of(found: Iterable[str]) -> bytes:
    """Return the marks of these terms, one behind the other."""
    return b"".join(map(mark_of, found))
