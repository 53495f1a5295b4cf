"""Secrets made up from the formats that issuers document, the places where people leave them, and clean lines that look alike.

Nothing here was ever a key: each is drawn from a seeded generator when a test asks for it, so none stands in the repository.
"""

from __future__ import annotations

import string
import uuid
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

from benchmarks import corpus

SEED = 20_261
LETTERS = string.ascii_letters
ALNUM = LETTERS + string.digits
WORD = ALNUM + "_-"
HEX = "0123456789abcdef"
BASE32 = string.ascii_uppercase + "234567"
WORDS = "amber bridge candle dolphin ember forest garden harbor island jungle kitchen lemon marble needle orange planet".split()  # noqa: SIM905 (read as words)

Maker = Callable[[Random], str]


def _of(alphabet: str, length: int, before: str = "", after: str = "") -> Maker:
    return lambda dice: before + "".join(dice.choices(alphabet, k=length)) + after


def _joined(*parts: Maker | str) -> Maker:
    return lambda dice: "".join(part if isinstance(part, str) else part(dice) for part in parts)


def _base64(dice: Random, count: int) -> str:
    return b64encode(dice.randbytes(count)).decode()


def _jwt(dice: Random) -> str:
    head = urlsafe_b64encode(b'{"alg":"HS256","typ":"JWT"}').decode().rstrip("=")
    body = urlsafe_b64encode(b'{"sub":"%d","name":"Ada"}' % dice.randrange(10**9)).decode().rstrip("=")
    return f"{head}.{body}.{''.join(dice.choices(WORD, k=43))}"


def _pem(kind: str) -> Maker:
    def make(dice: Random) -> str:
        body = _base64(dice, 600)
        lines = "\n".join(body[at : at + 64] for at in range(0, len(body), 64))
        return f"-----BEGIN {kind}-----\n{lines}\n-----END {kind}-----"

    return make


def _human(dice: Random) -> str:
    """A password as people make them: a word or two, digits, perhaps a sign."""
    first, second = dice.sample(WORDS, 2)
    number = str(dice.randrange(1, 9_999))
    return dice.choice(
        [
            *(first + number, first.capitalize() + number + "!x", f"{first}-{second}{number}", f"{first}#{second}", number + first),
            f"{first}{number}-{second}",
        ]
    )


# Keys that bear their issuer's mark: found wherever they stand.
MARKED: dict[str, Maker] = {
    "aws-access-key": _joined("AKIA", _of(BASE32, 16)),
    "aws-session-key": _joined("ASIA", _of(BASE32, 16)),
    "github-classic": _joined("ghp_", _of(ALNUM, 36)),
    "github-fine-grained": _joined("github_pat_", _of(ALNUM, 22), "_", _of(ALNUM, 59)),
    "github-app": _joined("ghs_", _of(ALNUM, 36)),
    "gitlab": _joined("glpat-", _of(WORD, 20)),
    "slack-bot": _joined("xoxb-", _of(string.digits, 12), "-", _of(string.digits, 13), "-", _of(ALNUM, 24)),
    "slack-app": _joined("xapp-1-", _of(string.ascii_uppercase, 11), "-", _of(string.digits, 13), "-", _of(HEX, 64)),
    "slack-webhook": _joined("https://hooks.slack.com/services/T", _of(BASE32, 8), "/B", _of(BASE32, 8), "/", _of(ALNUM, 24)),
    "discord-bot": _joined("MTA", _of(ALNUM, 23), ".G", _of(ALNUM, 5), ".", _of(WORD, 36), _of(ALNUM, 2)),
    "discord-webhook": _joined("https://discord.com/api/webhooks/", _of(string.digits, 18), "/", _of(ALNUM, 68)),
    "stripe-live": _joined("sk_live_", _of(ALNUM, 24)),
    "stripe-restricted": _joined("rk_live_", _of(ALNUM, 99)),
    "webhook-secret": _joined("whsec_", _of(ALNUM, 32)),
    "square": _joined("sq0atp-", _of(ALNUM, 22)),
    "anthropic": _joined("sk-ant-api03-", _of(WORD, 93), "AA"),
    "openai-project": _joined("sk-proj-", _of(ALNUM, 74), "T3BlbkFJ", _of(ALNUM, 74)),
    "openai-old": _joined("sk-", _of(ALNUM, 20), "T3BlbkFJ", _of(ALNUM, 20)),
    "openrouter": _joined("sk-or-v1-", _of(HEX, 64)),
    "groq": _joined("gsk_", _of(ALNUM, 52)),
    "xai": _joined("xai-", _of(ALNUM, 80)),
    "perplexity": _joined("pplx-", _of(ALNUM, 48)),
    "replicate": _joined("r8_", _of(ALNUM, 37)),
    "huggingface": _joined("hf_", _of(LETTERS, 34)),
    "nvidia": _joined("nvapi-", _of(ALNUM, 64)),
    "google-api": _joined("AIza", _of(ALNUM, 35)),
    "google-oauth": _joined("GOCSPX-", _of(ALNUM, 28)),
    "google-token": _joined("ya29.", _of(WORD, 60), _of(ALNUM, 2)),
    "jwt": _jwt,
    "npm": _joined("npm_", _of(ALNUM, 36)),
    "pypi": _joined("pypi-AgEIcHlwaS5vcmc", _of(WORD, 60), _of(ALNUM, 2)),
    "rubygems": _joined("rubygems_", _of(HEX, 48)),
    "nuget": _joined("oy2", _of(string.ascii_lowercase + string.digits, 43)),
    "telegram": _joined(_of("123456789", 10), ":AA", _of(ALNUM, 33)),
    "sendgrid": _joined("SG.", _of(ALNUM, 22), ".", _of(ALNUM, 43)),
    "brevo": _joined("xkeysib-", _of(HEX, 64), "-", _of(ALNUM, 16)),
    "mailgun": _joined("key-", _of(HEX, 32)),
    "mailchimp": _joined(_of(HEX, 32), "-us14"),
    "twilio": _joined("SK", _of(HEX, 32)),
    "digitalocean": _joined("dop_v1_", _of(HEX, 64)),
    "fly": _joined("fm2_", _of(ALNUM, 120)),
    "netlify": _joined("nfp_", _of(ALNUM, 36)),
    "supabase": _joined("sbp_", _of(HEX, 40)),
    "planetscale": _joined("pscale_tkn_", _of(ALNUM, 43)),
    "databricks": _joined("dapi", _of(HEX, 32)),
    "shopify": _joined("shpat_", _of(HEX, 32)),
    "vault": _joined("hvs.", _of(ALNUM, 24)),
    "terraform-cloud": _joined(_of(ALNUM, 14), ".atlasv1.", _of(ALNUM, 67)),
    "pulumi": _joined("pul-", _of(HEX, 40)),
    "doppler": _joined("dp.pt.", _of(ALNUM, 43)),
    "docker": _joined("dckr_pat_", _of(ALNUM, 27)),
    "linear": _joined("lin_api_", _of(ALNUM, 40)),
    "notion": _joined("ntn_", _of(ALNUM, 46)),
    "airtable": _joined("pat", _of(ALNUM, 14), ".", _of(HEX, 64)),
    "figma": _joined("figd_", _of(ALNUM, 40)),
    "postman": _joined("PMAK-", _of(HEX, 24), "-", _of(HEX, 34)),
    "grafana": _joined("glsa_", _of(ALNUM, 32), "_", _of(HEX, 8)),
    "newrelic": _joined("NRAK-", _of(string.ascii_uppercase + string.digits, 27)),
    "sentry": _joined("sntryu_", _of(HEX, 64)),
    "sonarqube": _joined("squ_", _of(HEX, 40)),
    "tailscale": _joined("tskey-auth-", _of(ALNUM, 17), "-", _of(ALNUM, 32)),
    "atlassian": _joined("ATATT3xFfGF0", _of(ALNUM, 172), "=", _of(HEX.upper(), 8)),
    "bitbucket": _joined("ATBB", _of(ALNUM, 32)),
    "age": _joined("AGE-SECRET-KEY-1", _of(BASE32, 58)),
    "alibaba": _joined("LTAI", _of(ALNUM, 20)),
    "private-key-rsa": _pem("RSA PRIVATE KEY"),
    "private-key-openssh": _pem("OPENSSH PRIVATE KEY"),
    "private-key-pgp": _pem("PGP PRIVATE KEY BLOCK"),
}
PLACES: dict[str, str] = {
    "env": "export SERVICE_CREDENTIAL_1={}\n",
    "json": '{{"name": "prod", "value": "{}", "on": true}}',
    "prose": "I put {} into the config, and it still says forbidden.",
    "end": "the one from the dashboard is {}.",
    "url": "curl 'https://api.example.org/v1/things?x={}&page=2'",
    "code": 'client = Client("{}", timeout=30)',
    "yaml": "deploy:\n  value: {}\n  region: eu-west-1",
    "ticks": "try `{}` first",
}

# What is only a secret because of what stands beside it.
NAMED: dict[str, tuple[Maker, tuple[str, ...]]] = {
    "aws-secret-key": (
        _of(ALNUM + "/+", 40),
        ("AWS_SECRET_ACCESS_KEY={}", 'aws_secret_access_key = "{}"', '"SecretAccessKey": "{}"', "the aws secret key is {}"),
    ),
    "password": (
        _human,
        (
            "my database password is {}",
            "DB_PASSWORD={}\n",
            "password: {}",
            'password = "{}"',
            '{{"user": "ada", "password": "{}"}}',
            "The password for the staging server is {}, ask Ilse",
            "we changed the admin password to {} yesterday",
            "the password was changed to {}.",
            "log in as user ada, password {}",
            "PGPASSWORD={} psql -h db",
            "MYSQL_PASS={}\n",
            "Server=db;User Id=sa;Password={};Encrypt=yes",
            "mysql --password={} -u root",
            "restic --password {} backup /home",
            "mysql -u root -p{} shop",
            "the wifi password is now {}",
            "pw: {}",
            "use the passphrase {}",
        ),
    ),
    "url-credentials": (
        _human,
        (
            "postgres://app:{}@db.example.org/prod",
            "redis://:{}@cache:6379/0",
            "git clone https://ada:{}@git.example.org/kestrel.git",
            "amqp://worker:{}@mq.internal:5672/%2f",
            "mongodb+srv://app:{}@cluster0.example.net/?retryWrites=true",
        ),
    ),
    "api-key": (
        _of(HEX, 32),
        (
            "api_key={}",
            '"apiKey": "{}"',
            "X-API-Key: {}",
            "my API key is {}",
            "api key for the weather service is {}",
            "DATADOG_API_KEY={}",
            "https://api.example.org/v1?api_key={}",
        ),
    ),
    "client-secret": (
        _of(ALNUM + "~_", 40),
        ("CLIENT_SECRET={}", '"client_secret": "{}"', "client-secret: {}", "the client secret is {}"),
    ),
    "token": (
        _of(ALNUM, 40),
        ("AUTH_TOKEN={}", "token: {}", '"access_token": "{}"', "const token = '{}';", "the deploy token is {}"),
    ),
    "bearer": (
        _of(ALNUM + "-_", 40),
        (
            "Authorization: Bearer {}1a",
            "curl -H 'Authorization: Bearer {}1a' https://x",
            "send it as Bearer {}1a",
            '"authorization": "Bearer {}1a"',
        ),
    ),
    "basic": (lambda dice: b64encode(f"ada:{_human(dice)}".encode()).decode(), ("Authorization: Basic {}", "'authorization: basic {}'")),
    "login-option": (_human, ("curl -u ada:{} https://x.example.org", "curl --user 'ada:{}' https://x", "sshpass -p '{}' ssh ada@host")),
    "netrc": (_human, ("machine git.example.org login ada password {}",)),
    "azure-storage": (
        lambda dice: _base64(dice, 64),
        ("DefaultEndpointsProtocol=https;AccountName=x;AccountKey={};EndpointSuffix=core.windows.net", "SharedAccessKey={}"),
    ),
    "session-cookie": (_of(ALNUM, 32), ("Cookie: sessionid={}7a", "Set-Cookie: auth_token={}7a; HttpOnly")),
    "encryption-key": (
        lambda dice: _base64(dice, 32),
        ("ENCRYPTION_KEY={}", "SECRET_KEY_BASE={}", 'signing_key: "{}"', "the master key is {}"),
    ),
    "pin": (_of(string.digits, 4), ("my PIN is {}", "the card pin is {}.", "our alarm PIN code is {}", "PIN for the SIM is {}")),
    "seed-phrase": (lambda dice: " ".join(dice.choices(WORDS, k=12)), ("my seed phrase is {}", "recovery phrase: {}", 'mnemonic = "{}"')),
}


class Leak(NamedTuple):
    """A text with a secret in it."""

    kind: str
    place: str
    text: str
    secret: str


def leaks(draws: int) -> Iterator[Leak]:
    """Every kind in every place where it may stand, drawn that many times."""
    dice = Random(SEED)
    for kind, maker in MARKED.items():
        for place, template in PLACES.items():
            for _ in range(draws):
                secret = maker(dice)
                yield Leak(kind, place, template.format(secret), secret)
    for kind, (maker, templates) in NAMED.items():
        for template in templates:
            for _ in range(draws):
                secret = maker(dice)
                yield Leak(kind, template, template.format(*[secret] * template.count("{}")), secret)


def clean_chat(count: int) -> Iterator[str]:
    """Lines of made-up chat, most with nothing about secrets, some that speak of them as people do."""
    dice = Random(SEED)
    for at, line in enumerate(corpus.lines(count, seed=SEED)):
        yield line.text if at % 10 else f"{line.text} {dice.choice(SPOKEN).format(dice.choice(WORDS), dice.randrange(2, 90))}"


SPOKEN = (
    "The password is wrong again, I think the {0} changed it.",
    "We rotate the token every {1} days.",
    "Where do I put the API key for {0}?",
    "The secret is to start {1} minutes early.",
    "I forgot my password for the {0} account.",
    "max_tokens: {1}000 is plenty for the {0}.",
    "My new password manager is {0}.",
    "The access key is in the {0}, not in the repo.",
    "Set the password field to required in the {0} form.",
    "The --password option of {0} takes a file.",
    "It costs {1} tokens a turn, which is fine.",
    "Pass: test_{0}_{1}",
    "The pin on the map is at the {0}.",
    "GPIO pin {1} drives the {0} relay.",
    "Our credentials are stored in {0}.",
    "The token: it is a {0} of the session.",
    "The basic auth of the {0} is off.",
)


def clean_lookalikes(count: int) -> Iterator[str]:
    """Commits, UUIDs, digests, pictures, code: long and strange, and no secret."""
    dice = Random(SEED)
    makers: tuple[Callable[[], str], ...] = (
        lambda: f"commit {''.join(dice.choices(HEX, k=40))}",
        lambda: f"reverted in {''.join(dice.choices(HEX, k=7))}, see {''.join(dice.choices(HEX, k=12))}",
        lambda: f"id: {uuid.UUID(int=dice.getrandbits(128), version=4)}",
        lambda: f"the request id is {uuid.UUID(int=dice.getrandbits(128), version=4)}",
        lambda: f"sha256:{''.join(dice.choices(HEX, k=64))}",
        lambda: f"{''.join(dice.choices(HEX, k=32))}  backup.tar.gz",
        lambda: f'"integrity": "sha512-{_base64(dice, 64)}"',
        lambda: f"![shot](data:image/png;base64,{_base64(dice, 900)})",
        lambda: f'src="data:image/svg+xml;charset=utf-8;base64,{_base64(dice, 300)}"',
        lambda: f"{''.join(dice.choices(HEX, k=40))} is the commit we deployed",
        lambda: f"password = config.{dice.choice(WORDS)}_password",
        lambda: f'api_key = os.environ["{dice.choice(WORDS).upper()}_API_KEY"]',
        lambda: f"password: ${{{dice.choice(WORDS).upper()}}}",
        lambda: f"https://example.org/{dice.choice(WORDS)}/{''.join(dice.choices(HEX, k=24))}?page={dice.randrange(9)}",
        lambda: f"SELECT * FROM {dice.choice(WORDS)} WHERE token = ?",  # noqa: S608 (a line of chat)
        lambda: f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA{''.join(dice.choices(ALNUM, k=44))} ada@{dice.choice(WORDS)}",
        lambda: f"def {dice.choice(WORDS)}(token: str, secret: bytes | None = None) -> None:",
        lambda: f"v{dice.randrange(9)}.{dice.randrange(99)}.{dice.randrange(99)}-{dice.choice(WORDS)}.{dice.randrange(9)}",
        lambda: (
            f"2026-03-{dice.randrange(1, 29):02}T10:00:00Z level=info msg={dice.choice(WORDS)} trace={''.join(dice.choices(HEX, k=16))}"
        ),
        lambda: f"-----BEGIN CERTIFICATE-----\n{_base64(dice, 48)}\n-----END CERTIFICATE-----",
    )
    for at in range(count):
        yield makers[at % len(makers)]()
