"""Payment numbers: cards by prefix, length and check digit (Luhn), bank accounts (IBAN) by country, length and check digits."""

from __future__ import annotations

from ethos.core.text.secrets.form import Match, PatternForm

# Prefixes of issuers, as ranges of the first digits, with the lengths of their cards.
_CARDS: tuple[tuple[int, int, frozenset[int]], ...] = (
    (4, 4, frozenset({13, 16, 19})),  # Visa
    (51, 55, frozenset({16})),  # Mastercard
    (2221, 2720, frozenset({16})),
    (34, 34, frozenset({15})),  # American Express
    (37, 37, frozenset({15})),
    (300, 305, frozenset({14, 16})),  # Diners Club
    (36, 36, frozenset({14})),
    (38, 39, frozenset({14, 16})),
    (6011, 6011, frozenset({16, 19})),  # Discover
    (644, 659, frozenset({16, 19})),
    (3528, 3589, frozenset({16, 19})),  # JCB
    (62, 62, frozenset({16, 17, 18, 19})),  # UnionPay
    (50, 50, frozenset({16})),  # Maestro
    (56, 58, frozenset({16})),
    (6304, 6304, frozenset({16})),
    (6759, 6763, frozenset({16})),
)
_SPACED = frozenset({(4, 4, 4, 4), (4, 6, 5), (4, 6, 4), (4, 4, 4, 4, 3)})  # how the digits of a card are grouped
_STARTS = tuple(
    dict.fromkeys(
        str(number).ljust(3, "0")[:3] for low, high, _ in _CARDS for number in range(int(f"{low}00"[:3]), int(f"{high}99"[:3]) + 1)
    )
)
_COUNTRIES = (  # each with the length of its IBAN
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27 GB22 "
    "GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 "
    "MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29 "
    "VA22 VG24 XK20 "
)
_LENGTHS = {each[:2]: int(each[2:]) for each in _COUNTRIES.split()}


def is_card(digits: str) -> bool:
    """Return whether the digits are the number of a card."""
    if len(set(digits)) < 2 or not _passes_luhn(digits):
        return False
    return any(len(digits) in lengths and low <= int(digits[: len(str(low))]) <= high for low, high, lengths in _CARDS)


def _passes_luhn(digits: str) -> bool:
    total = sum(int(digit) for digit in digits[-1::-2])
    return (total + sum(int(digit) * 2 - 9 * (digit > "4") for digit in digits[-2::-2])) % 10 == 0


def is_iban(account: str) -> bool:
    """Return whether the letters and digits, without spaces, are an IBAN."""
    if _LENGTHS.get(account[:2]) != len(account):
        return False
    return int("".join(str(int(letter, 36)) for letter in account[4:] + account[:4])) % 97 == 1


def _card(match: Match) -> bool:
    digits = "".join(filter(str.isdigit, match[0]))
    joint = match["joint"]
    if joint and tuple(map(len, match[0].split(joint))) not in _SPACED:
        return False
    return is_card(digits)


class _Iban(PatternForm):
    """Find an IBAN by its length: a word may follow it directly."""

    def spans_at(self, text: str, position: int) -> tuple[tuple[int, int], ...]:
        """Return the span of the account that begins here with its country, if its check digits are right."""
        match = self.pattern.match(text, position)
        if match is None:
            return ()
        length = _LENGTHS[text[position : position + 2]]
        letters = [at for at in range(position, match.end()) if text[at].isalnum()][:length]
        stop = letters[-1] + 1
        if len(letters) < length or text[stop : stop + 1].isalnum() or not is_iban("".join(text[at] for at in letters)):
            return ()
        return ((position, stop),)


PAYMENT = (
    PatternForm(
        "card",
        "|".join(_STARTS),
        r"(?<![\w.+/=-]|\d[ ,:])(?=\d{3})\d{4}(?:(?P<joint>[ -])\d{4,6}(?:(?P=joint)\d{3,5}){1,3}|\d{9,15})(?![\w=/-]|[.,:]\d| \d)",
        _card,
    ),
    _Iban(
        "iban",
        "|".join(f"{country}{digit}" for country in _LENGTHS for digit in range(10)),
        r"(?<![\w+/=-])[A-Z]{2}\d\d(?:[ -]?[A-Z0-9]){11,30}",
    ),
)
