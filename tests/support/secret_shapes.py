"""Secrets by kind and shape: templates of the corpus, filled with values from a seeded generator.

`corpus/secrets_seen.txt` is what the reader of settings is built with, `corpus/secrets_unseen.txt` is kept for measuring it.
No value stands in the repository. In a template a `{maker}` is a value, `⏎` is a line break.
"""

from __future__ import annotations

import re
import string
import uuid
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple
from urllib.parse import quote

from tests.support.secret_corpus import ALNUM, HEX, WORDS

CORPUS = Path(__file__).parents[1] / "corpus"
SIGNS = ",;(){}!#$%&*+=?@^~[]|"
BASE58 = "".join(letter for letter in ALNUM if letter not in "0OIl")
SEED_WORDS = (*WORDS, *["river", "silver", "temple", "umbrella", "velvet", "winter", "yellow", "zebra", "anchor", "copper"])


class Shaped(NamedTuple):
    """A text with one secret in it."""

    kind: str
    text: str
    secret: str


def _of(alphabet: str, length: int) -> Callable[[Random], str]:
    return lambda dice: "".join(dice.choices(alphabet, k=length))


def _base64(count: int) -> Callable[[Random], str]:
    return lambda dice: b64encode(dice.randbytes(count)).decode()


def _base64_url(count: int) -> Callable[[Random], str]:
    return lambda dice: urlsafe_b64encode(dice.randbytes(count)).decode().rstrip("=")


def _human(dice: Random) -> str:
    first, second = dice.sample(WORDS, 2)
    number = dice.randrange(10, 9_999)
    return dice.choice((f"{first}{number}", f"{first.capitalize()}-{second}{number}", f"{first}#{second}", f"{number}{first.upper()}x"))


def _punctuated(signs: str) -> Callable[[Random], str]:
    def make(dice: Random) -> str:
        inner = [*dice.choices(signs, k=3), *dice.choices(ALNUM, k=6), dice.choice(string.digits)]
        dice.shuffle(inner)
        return dice.choice(string.ascii_letters) + "".join(inner) + dice.choice(string.ascii_letters)

    return make


def _basic(dice: Random) -> str:
    return b64encode(f"deploy:{_human(dice)}".encode()).decode()


def _luhn(digits: str) -> str:
    total = 0
    for at, digit in enumerate(reversed(digits)):
        number = int(digit) * (2 if at % 2 == 0 else 1)
        total += number - 9 if number > 9 else number
    return digits + str(-total % 10)


def _card(dice: Random) -> str:
    return _luhn(
        dice.choice(("4", "51", "55", "2221", "6011")).ljust(15, "#").replace("#", "{}").format(*dice.choices(string.digits, k=15))
    )


def _amex(dice: Random) -> str:
    return _luhn(dice.choice(("34", "37")) + "".join(dice.choices(string.digits, k=12)))


def _in_fours(text: str, joint: str) -> str:
    return joint.join(text[at : at + 4] for at in range(0, len(text), 4))


def _iban(dice: Random) -> str:
    country, account = dice.choice(
        (("DE", "9" * 18), ("GB", "AAAA" + "9" * 14), ("FR", "9" * 23), ("NL", "AAAA" + "9" * 10), ("ES", "9" * 20))
    )
    account = "".join(dice.choice(string.digits if each == "9" else string.ascii_uppercase) for each in account)
    value = int("".join(str(int(letter, 36)) for letter in f"{account}{country}00"))
    return f"{country}{98 - value % 97:02}{account}"


def _numbered(dice: Random) -> str:
    return "\n".join(f"{at}. {word}" for at, word in enumerate(dice.sample(SEED_WORDS, 12), 1))


def _pem_lines(dice: Random) -> str:
    body = _base64(288)(dice)
    return "\n".join(body[at : at + 64] for at in range(0, len(body), 64))


def _jwe(dice: Random) -> str:
    head = urlsafe_b64encode(b'{"alg":"RSA-OAEP","enc":"A256GCM"}').decode().rstrip("=")
    return ".".join((head, *(_base64_url(count)(dice) for count in (64, 12, 90, 16))))


MAKERS: dict[str, Callable[[Random], str]] = {
    "human": _human,
    "punct": _punctuated(SIGNS),
    "slash": _punctuated("/!+="),
    "atsign": _punctuated("@!+="),
    "spaced": lambda dice: " ".join((_human(dice), _punctuated(SIGNS)(dice))),
    "pct": lambda dice: quote(_punctuated(SIGNS)(dice), safe=""),
    "hex32": _of(HEX, 32),
    "hex40": _of(HEX, 40),
    "hex64": _of(HEX, 64),
    "uuid": lambda dice: str(uuid.UUID(int=dice.getrandbits(128), version=4)),
    "alnum8": _of(ALNUM, 8),
    "alnum20": _of(ALNUM, 20),
    "alnum33": _of(ALNUM, 33),
    "alnum40": _of(ALNUM, 40),
    "digits6": _of(string.digits, 6),
    "digits10": _of("123456789", 10),
    "b64": _base64(32),
    "b64short": _base64(15),
    "b64long": _base64(300),
    "b64u": _base64_url(32),
    "b64ulong": _base64_url(200),
    "base58long": _of(BASE58, 96),
    "wif50": lambda dice: dice.choice("HJK") + _of(BASE58, 49)(dice),
    "base58wif": _of(BASE58, 49),
    "wif51": _of(BASE58, 51),
    "basic": _basic,
    "numbered": _numbered,
    "pemlines": _pem_lines,
    "jwe": _jwe,
    "card": _card,
    "cardspaced": lambda dice: _in_fours(_card(dice), " "),
    "carddashed": lambda dice: _in_fours(_card(dice), "-"),
    "amex": _amex,
    "amexspaced": lambda dice: "{} {} {}".format(*re.fullmatch(r"(.{4})(.{6})(.{5})", _amex(dice)).groups()),  # type: ignore[union-attr]
    "iban": _iban,
    "ibanspaced": lambda dice: _in_fours(_iban(dice), " "),
}
_MAKER = re.compile(r"\{(" + "|".join(MAKERS) + r")\}")


def shaped(name: str, seed: int, draws: int) -> Iterator[Shaped]:
    """Every template of a file of the corpus, filled that many times."""
    dice = Random(seed)
    kind = ""
    for line in (CORPUS / name).read_text("utf-8").splitlines():
        if line.startswith("== "):
            kind = line[3:]
            continue
        for _ in range(draws):
            yield _filled(kind, line.replace("⏎", "\n"), dice)


def _filled(kind: str, template: str, dice: Random) -> Shaped:
    pieces: list[str] = []
    secret, end = "", 0
    for found in _MAKER.finditer(template):
        value = MAKERS[found[1]](dice)
        secret = max(secret, value, key=len)
        pieces += (template[end : found.start()], value)
        end = found.end()
    return Shaped(kind, "".join((*pieces, template[end:])), secret)


def survives(shaped_text: Shaped, masked: str) -> bool:
    """Return whether six letters in a row of the secret stand in what the masking left; numbers of lines and blanks do not count."""
    secret = shaped_text.secret
    around = shaped_text.text.replace(secret, "")
    return any(piece in masked and piece not in around for piece in (secret[at : at + 6] for at in range(max(1, len(secret) - 5))))
