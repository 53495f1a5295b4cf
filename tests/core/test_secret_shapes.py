"""Secrets of ordinary configuration, code, commands and languages are masked, by kind and shape; what looks alike is not."""

from __future__ import annotations

from collections import Counter
from time import process_time

import pytest

from ethos.core.text.secrets.masking import mask
from ethos.core.text.secrets.payment_numbers import is_card, is_iban
from tests.support.secret_shapes import shaped, survives

KEY = b"0" * 32
SEEN, UNSEEN, REPORTED, SCARCE = 7, 11, 13, 19  # seeds


def _missed(name: str, seed: int) -> tuple[Counter[str], Counter[str], list[str]]:
    """Return how many secrets of each kind a file of the corpus holds, how many of them survive a masking, and their texts."""
    met: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    texts: list[str] = []
    for each in shaped(name, seed, draws=2):
        met[each.kind] += 1
        if survives(each, mask(each.text, KEY)[0]):
            missed[each.kind] += 1
            texts.append(each.text)
    return met, missed, texts


def told(met: Counter[str], missed: Counter[str]) -> None:
    """Print how many of each kind are masked."""
    rows = [(kind, number - missed[kind], number) for kind, number in (*sorted(met.items()), ("all", met.total()))]
    rows[-1] = ("all", met.total() - missed.total(), met.total())
    print("\n".join(f"{kind:24}{masked:5} of {number:4}" for kind, masked, number in rows))  # noqa: T201 (the figures by kind)


def test_fault_m2_secrets_are_found_in_ordinary_places() -> None:
    """Of some 450 secrets of 22 kinds at least 97 of 100 are masked, and of each kind at least 9 of 10. The floor is for both halves
    of the corpus, of which one was kept unread while the reader was built.
    """
    met: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    for name, seed in (("secrets_seen.txt", SEEN), ("secrets_unseen.txt", UNSEEN)):
        found = _missed(name, seed)
        met += found[0]
        missed += found[1]
    told(met, missed)
    assert met.total() >= 400
    assert missed.total() / met.total() <= 0.03, missed
    assert all(missed[kind] <= number / 10 for kind, number in met.items()), missed


def test_fault_m2_each_reported_shape_is_masked() -> None:
    """Every shape that the second round of faults names, with other values."""
    assert _missed("secrets_reported.txt", REPORTED)[2] == []


def test_fault_m2_most_secrets_in_scarcer_places_are_masked() -> None:
    """Shapes that were written after the reader, to look for its limits: of 252 it masked 76 in 100 at first sight, now 93. What it
    leaves is what no name tells: a community of SNMP, a login of an analyser, a backup code in a sentence.
    """
    met, missed, _ = _missed("secrets_scarce.txt", SCARCE)
    told(met, missed)
    assert missed.total() / met.total() <= 0.08, missed


CLEAN = r"""
docker run -u 1000:1000 alpine id
git push -u origin:main
git push -u origin feature:main2
The private key is 4096bits long.
The token is JWT-RS256.
chown --user www-data:www-data1 /srv
rsync -u host:backup2 /srv
PASS = "pass.lock"
password = get_password(user, timeout=30)
password = settings["db_password"]
const token = await getToken(user2);
api_key = load_key("openai", 2)
password: str = Field(min_length=8)
def check(password: str, token: bytes | None = None) -> bool:
"password": "must be at least 8 characters"
"password": {"type": "string", "minLength": 8}
token_type: bearer
The password must have 12 characters.
password must contain 1 digit and 1 sign
| password | string | 8 to 64 letters |
| name | password |
user,password
--token FILE reads the token from a file
Use --password-stdin instead of --password.
The token, 3 hours old, was refused.
The token: see RFC7519
max_tokens=4096, top_p=0.9
token count: 128000
secret santa is at 18:30
password reset link expires in 24h
text_secret = b64encode(key.secret)
names = ["access_key", "utf8_codec_v1", "token", "sha2_256"]
redis-cli -h cache -p 6379 ping
docker run -p 8080:80 nginx
mysql -u root -p -h 127.0.0.1
ssh -p 2222 ada@example.org
mkdir -p build/x86_64/obj
https://example.org:8443/a/b@2x.png
https://example.org/@ada/posts/12345678
https://example.org/search?key=name&code=42
http://localhost:3000/users/@me
Authorization: Bearer <token>
Authorization is needed for /v1/things/12345678
basic authentication is off
auth: required
Passwort vergessen? Klicken Sie hier.
Das Passwort ist abgelaufen.
le mot de passe est trop court
la contraseña es obligatoria
密码是必填项
пароль слишком короткий
1. buy milk
order 4000123412341235 left the house
call +49 151 2345 6789 or 0301234567
tracking number 4500 1234 5678 9013
id 20261123110407001122
at 1763893447123456789 the job began
4111-1111-1111-1112
DE00 1234 5678 9012 3456 78
GB12ABCD
pin 1234567890123456
fingerprint 5555 5555 5555 5555
""".strip().splitlines()


@pytest.mark.parametrize("text", CLEAN)
def test_fault_m2_lines_that_only_speak_of_secrets_stay(text: str) -> None:
    """Options of other programs, code, forms, rules for passwords, and numbers that are no card."""
    assert mask(text, KEY) == (text, ())


def test_fault_m2_a_list_of_words_is_no_table() -> None:
    """One word to a line with a comma behind it: what follows `password` or `token` there is the next word."""
    text = '[\n    "password",\n    "plot3d",\n    "token",\n    "uint64",\n    "utf8decode2",\n]\n'
    assert mask(text, KEY) == (text, ())


@pytest.mark.parametrize(
    ("digits", "card"),
    [
        ("4111" + "1" * 12, True),
        ("5555" * 3 + "4444", True),
        ("3782822463" + "10005", True),
        ("6011" + "1" * 11 + "7", True),
        ("4111" + "1" * 11 + "2", False),  # the check digit is wrong
        ("9111" + "1" * 12, False),  # no issuer
        ("0" * 16, False),
        ("4" + "1" * 11, False),  # too short
    ],
)
def test_a_card_has_a_prefix_a_length_and_a_check_digit(digits: str, card: bool) -> None:
    """Numbers that issuers publish for tests."""
    assert is_card(digits) is card


@pytest.mark.parametrize(
    ("account", "iban"),
    [
        ("DE89370400440532" + "013000", True),
        ("GB82WEST12345698" + "765432", True),
        ("DE89370400440532013001", False),
        ("DE8937040044053201300", False),
        ("XX89370400440532013000", False),
    ],
)
def test_an_iban_has_a_country_a_length_and_check_digits(account: str, iban: bool) -> None:
    """The example accounts of the registry, and what differs from them."""
    assert is_iban(account) is iban


def test_order_numbers_that_pass_by_chance_are_few() -> None:
    """Digits without a prefix of an issuer are no card; with one, one of ten passes, and no more is masked."""
    assert sum(is_card(f"4{number:015}") for number in range(10**14, 10**14 + 1_000)) <= 100
    assert not any(is_card(f"1{number:015}") for number in range(1_000))


HOSTILE = (
    *("-u a:bcde ", "password: hunter22 ", "password,", "password='", "[secret:", "-----BEGIN RSA PRIVATE KEY-----", "<password "),
    "PuTTY-User-Key-File-1: ",
    "eyJaaaaaaaaaa.", "://a:", "4111 ", "| password ", "1. amber ", '\\"password\\":', "a,password\n", '"d":"', "MIIE", "docker login -p ",
)  # fmt: skip


def _work(text: str) -> float:
    begun = process_time()
    mask(text, KEY)
    return process_time() - begun


@pytest.mark.torture
@pytest.mark.parametrize("piece", HOSTILE)
def test_fault_h11_masking_is_linear(piece: str) -> None:
    """A text twice as long takes at most two and a half times as long; the best of three, and a floor for what is too fast to tell."""
    short, long = (piece * (size // len(piece)) for size in (500_000, 1_000_000))
    assert min(_work(long) for _ in range(3)) <= 2.5 * min(_work(short) for _ in range(3)) + 0.3


def test_fault_h11_many_secrets_in_one_text_do_not_cost_their_square() -> None:
    """Twenty thousand in one turn: with a look at all earlier ones for each this takes some ten seconds of work, else a fraction."""
    text = "curl -u a:bc1de " * 20_000
    short, long = text[: len(text) // 8], text
    assert _work(long) <= 24 * _work(short) + 0.2
    assert len(mask(long, KEY)[1]) == 20_000
